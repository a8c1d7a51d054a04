//! Checks that the accepted differences of each document are current, and that edits of tables are reported. `cargo
//! xtask campaign mutants` tries many more edits.

#[expect(dead_code, reason = "other tests use the remaining helpers")]
mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use support::{committed, compared, dialects, profile, table};
use tabulex_documents::compare::accepted::{changed_entries, entries, reports, write};
use tabulex_documents::compare::{Comparison, Index, compare};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn accepted(dialect: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{dialect}.accepted"))).unwrap()
}

fn read_table_file(name: &str) -> Option<String> {
    std::fs::read_to_string(Path::new(tabulex_tables::FOLDER).join(name)).ok()
}

#[test]
fn accepted_files_match_tables_and_facts() {
    for dialect in dialects() {
        let (facts, (_, table)) = (committed(&dialect), table(&dialect));
        let comparison = compared(&facts, &table);
        let [left, right] = [&facts.table, &table].map(Index::new);
        let entries = entries(&left, &right, &comparison, &read_table_file);
        assert!(!entries.is_empty(), "{dialect}: the comparison has no entries");
        let file = accepted(&dialect);
        assert_eq!(
            changed_entries(&file, &entries),
            [],
            "run `cargo xtask diff {dialect} --accept`"
        );
        assert_eq!(file, write(&dialect, &entries), "{dialect}: the file is formatted differently");
        // An accepted entry that the comparison no longer has is reported.
        for entry in &entries {
            let remaining_entries: Vec<_> =
                entries.iter().filter(|other| *other != entry).cloned().collect();
            let removed = changed_entries(&file, &remaining_entries);
            assert_eq!(removed.len(), 1, "{dialect}: the lack of `{}` is not reported", entry.key);
            assert_eq!((&removed[0].key, &removed[0].before), (&entry.key, &entry.lines));
        }
    }
}

#[test]
fn checks_table_without_document_against_accepted_file() {
    let dialect = "microxml-2012-12";
    let empty_table =
        tabulex_language::parse::file("machine! { name microxml-2012-12; }").0.unwrap();
    let entries_of = |text: &str| {
        let table = tabulex_language::parse::file(text).0.unwrap();
        let [left, right] = [&empty_table, &table].map(Index::new);
        entries(&left, &right, &Comparison::default(), &read_table_file)
    };
    let text = read_table_file("microxml-2012-12.states").unwrap();
    assert_eq!(
        changed_entries(&accepted(dialect), &entries_of(&text)),
        [],
        "{dialect}: run `cargo xtask diff {dialect} --accept`"
    );
    let edited = text.replacen("'<' {name}", "'>' {name}", 1);
    assert_eq!(changed_entries(&accepted(dialect), &entries_of(&edited)).len(), 1);
}

#[test]
fn reports_changed_kind_of_note() {
    let (facts, (text, _)) = (committed("html"), table("html"));
    let note = "fills \"The description of the element, in section 4.2.5.4";
    let edited = text.replacen(note, &note.replacen("fills", "deviates", 1), 1);
    let table = tabulex_language::parse::file(&edited).0.unwrap();
    let comparison = compared(&facts, &table);
    assert!(edited != text && comparison.undeclared().next().is_none());
    let [left, right] = [&facts.table, &table].map(Index::new);
    let changed =
        changed_entries(&accepted("html"), &entries(&left, &right, &comparison, &read_table_file));
    assert!(changed.len() == 1 && changed[0].key == "notes", "{changed:#?}");
}

/// An edit: file name of the table, name of the edit, old text, new text.
type Edit = [String; 4];

fn edits() -> Vec<Edit> {
    let text = std::fs::read_to_string(folder().join("test_data/edits.txt")).unwrap();
    let mut edits: Vec<Edit> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
        match (line.strip_prefix("- "), line.strip_prefix("+ "), edits.last_mut()) {
            (Some(from), None, Some([.., before, _])) => append_line(before, from),
            (None, Some(to), Some([.., after])) => append_line(after, to),
            _ => {
                let (file, name) = line.split_once(": ").unwrap();
                edits.push([file.to_owned(), name.to_owned(), String::new(), String::new()]);
            }
        }
    }
    edits
}

fn append_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

#[test]
fn reports_all_kinds_of_edits() {
    let edits = edits();
    assert!(edits.len() > 40, "{} edits", edits.len());
    let files: BTreeSet<&String> = edits.iter().map(|[file, ..]| file).collect();
    for file in files {
        let (stem, kind) = file.split_once('.').unwrap();
        let dialect = if kind == "modes" { format!("{stem}-modes") } else { stem.to_owned() };
        let table_file = profile(&dialect).table.unwrap_or_else(|| format!("{dialect}.states"));
        let (facts, accepted) = (committed(&dialect), accepted(&dialect));
        let is_reported = |edited: &str| {
            let edited_file = |name: &str| match name == file {
                true => Some(edited.to_owned()),
                false => read_table_file(name),
            };
            let text = edited_file(&table_file).unwrap();
            let changed = tabulex_language::parse::file(&text).0.expect(file);
            let [left, right] = [&facts.table, &changed].map(Index::new);
            reports(&left, &right, &compare(&left, &right), &accepted, &edited_file)
        };
        let text = read_table_file(file).unwrap();
        assert!(!is_reported(&text), "{file}: the unedited table is reported as changed");
        for [_, name, from, to] in edits.iter().filter(|[other, ..]| other == file) {
            assert!(
                text.contains(from),
                "{file}: the table lacks the text that the edit `{name}` replaces"
            );
            assert!(
                is_reported(&text.replacen(from, to, 1)),
                "{file}: the edit `{name}` is not reported"
            );
        }
    }
}
