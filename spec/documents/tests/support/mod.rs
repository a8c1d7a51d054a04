//! What tests of documents and of edits share: tables and facts by dialect, and numbers that look random. It tests
//! nothing. Invariant: the numbers are the same every time.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabulex_documents::compare::{Comparison, Index, compare};
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::{Profile, names, read};
use tabulex_language::model::Machine;
use tabulex_language::syntax::Table;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The dialects whose facts are committed.
pub(crate) fn dialects() -> Vec<String> {
    let names = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut ids: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".facts")?.to_owned())).collect();
    ids.sort();
    assert!(ids.len() >= 2, "facts are missing");
    ids
}

/// How the document of a dialect is read.
pub(crate) fn profile(dialect: &str) -> Profile {
    let own = |dialect: &str| {
        let text = std::fs::read_to_string(folder().join(format!("{dialect}.profile"))).unwrap();
        Profile::parse(&text).unwrap()
    };
    let others: Vec<Profile> = dialects().iter().map(|one| own(one)).collect();
    own(dialect).beside(&others)
}

/// The facts of a dialect that are committed.
pub(crate) fn committed(dialect: &str) -> Facts {
    facts::parse(&std::fs::read_to_string(folder().join(format!("{dialect}.facts"))).unwrap())
        .unwrap()
}

/// The table of a dialect: its text, and what is in it.
pub(crate) fn table(dialect: &str) -> (String, Table) {
    let file = profile(dialect).table.unwrap_or_else(|| format!("{dialect}.states"));
    let path = Path::new(tabulex_tables::FOLDER).join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let table = tabulex_language::parse::file(&text).0.unwrap();
    (text, table)
}

/// The document of a dialect, if it is at hand.
pub(crate) fn document(dialect: &str) -> Option<String> {
    let profile = profile(dialect);
    file_of_documents(&profile.file, &profile.title)
}

/// A file of the documents, which are not part of this repository; one that is absent is reported in a line, with what is
/// in it.
pub(crate) fn file_of_documents(file: &str, title: &str) -> Option<String> {
    let shared = match std::env::var_os("TABULEX_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let text = std::fs::read_to_string(shared.join("documents").join(file)).ok();
    if text.is_none() {
        // Not `println!`, which the test harness keeps back where a test passes.
        let _ = writeln!(
            std::io::stdout(),
            "suite absent: documents/{file}; to get it: save the published text “{title}” under this name"
        );
    }
    text
}

/// The facts of a text, as the document of the dialect is read.
pub(crate) fn fresh(text: &str, profile: &Profile) -> Facts {
    let mut reading = read(text, profile);
    if let Some(file) = &profile.names {
        let list = file_of_documents(file, "named character references");
        reading.names = list.map_or_else(Vec::new, |list| names(&list).unwrap());
    }
    facts::parse(&facts::write(&reading, profile)).unwrap()
}

/// Facts beside a table.
pub(crate) fn compared(facts: &Facts, table: &Table) -> Comparison {
    compare(&Index::new(&facts.table), &Index::new(table))
}

/// The machine of a table, if all its words are known.
pub(crate) fn machine(table: &Table) -> Option<Machine> {
    tabulex_language::resolve::resolve(table, &tabulex_tables::text).0
}

/// Numbers that look random and are the same every time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below the end, 0 if the end is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}
