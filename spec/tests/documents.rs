//! The documents against the tables, and the reader of documents itself. What needs the documents says so where they are
//! missing; the facts that are committed are compared everywhere. Invariant: the comparison can fail.

use std::path::{Path, PathBuf};
use tabulex_spec::compare::{Comparison, Index, compare};
use tabulex_spec::document::facts::{self, Facts};
use tabulex_spec::document::{Profile, read};
use tabulex_spec::syntax::Table;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("documents")
}

/// The dialects whose facts are committed.
fn dialects() -> Vec<String> {
    let names = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut ids: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".facts")?.to_owned())).collect();
    ids.sort();
    assert!(ids.len() >= 2, "facts are missing");
    ids
}

fn profile(dialect: &str) -> Profile {
    Profile::parse(&std::fs::read_to_string(folder().join(format!("{dialect}.profile"))).unwrap())
        .unwrap()
}

fn committed(dialect: &str) -> Facts {
    facts::parse(&std::fs::read_to_string(folder().join(format!("{dialect}.facts"))).unwrap())
        .unwrap()
}

fn table(dialect: &str) -> (String, Table) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tables/{dialect}.states"));
    let text = std::fs::read_to_string(path).unwrap();
    let table = tabulex_spec::parse::file(&text).0.unwrap();
    (text, table)
}

/// The document, where somebody has it.
fn document(dialect: &str) -> Option<String> {
    let file = profile(dialect).file;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/documents").join(&file);
    let text = std::fs::read_to_string(path).ok();
    if text.is_none() {
        println!("not run: ../shared/documents/{file} is missing");
    }
    text
}

fn compared(facts: &Facts, table: &Table) -> Comparison {
    compare(&Index::new(&facts.table), &Index::new(table))
}

#[test]
fn every_table_says_what_its_document_says() {
    for dialect in dialects() {
        let facts = committed(&dialect);
        let comparison = compared(&facts, &table(&dialect).1);
        let undeclared: Vec<_> = comparison.undeclared().collect();
        assert!(undeclared.is_empty(), "{dialect}: {undeclared:#?}");
        assert!(comparison.stale.is_empty(), "{dialect}: {:#?}", comparison.stale);
        assert!(facts.unread.is_empty(), "{dialect}: {:#?}", facts.unread);
        assert!(facts.stale_errata.is_empty(), "{dialect}: {:#?}", facts.stale_errata);
        assert!(comparison.equal > comparison.rows / 2, "{dialect}");
    }
}

#[test]
fn facts_are_those_of_the_documents() {
    for dialect in dialects() {
        let Some(text) = document(&dialect) else { continue };
        let profile = profile(&dialect);
        let fresh = facts::write(&read(&text, &profile), &profile);
        assert!(
            fresh == committed(&dialect).text,
            "{dialect}: cargo xtask diff {dialect} --document FILE --write"
        );
    }
}
