//! Support for tests: tables and facts by dialect, and a deterministic random number generator.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabulex_documents::compare::{Comparison, compare};
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::{Profile, names, read};
use tabulex_language::model::Machine;
use tabulex_language::syntax::Table;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the dialects with committed facts, sorted.
pub(crate) fn dialects() -> Vec<String> {
    let names = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut ids: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".facts")?.to_owned())).collect();
    ids.sort();
    assert!(ids.len() >= 2, "only these dialects have facts: {ids:?}");
    ids
}

/// Returns the profile of a dialect's document, completed by those of all others.
pub(crate) fn profile(dialect: &str) -> Profile {
    let profile_of = |dialect: &str| {
        let text = std::fs::read_to_string(folder().join(format!("{dialect}.profile"))).unwrap();
        Profile::parse(&text).unwrap()
    };
    let others: Vec<Profile> = dialects().iter().map(|one| profile_of(one)).collect();
    profile_of(dialect).with_others(&others)
}

/// Returns the committed facts of a dialect.
pub(crate) fn committed(dialect: &str) -> Facts {
    facts::parse(&std::fs::read_to_string(folder().join(format!("{dialect}.facts"))).unwrap())
        .unwrap()
}

/// Returns the text of a dialect's table, and its parsed form.
pub(crate) fn table(dialect: &str) -> (String, Table) {
    let file = profile(dialect).table.unwrap_or_else(|| format!("{dialect}.states"));
    let path = Path::new(tabulex_tables::FOLDER).join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let table = tabulex_language::parse::file(&text).0.unwrap();
    (text, table)
}

/// Returns the text of a dialect's document; if it is absent, prints how to get it.
pub(crate) fn document(dialect: &str) -> Option<String> {
    let profile = profile(dialect);
    file_of_documents(&profile.file, &profile.title)
}

/// Returns the text of a file in the folder of documents, which are not part of this repository; if it is absent,
/// prints how to get it.
pub(crate) fn file_of_documents(file: &str, title: &str) -> Option<String> {
    let shared_folder = match std::env::var_os("TABULEX_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let text = std::fs::read_to_string(shared_folder.join("documents").join(file)).ok();
    if text.is_none() {
        // The test harness captures the output of `println!` but not that of a direct write, which is therefore shown
        // even if the test passes.
        let _ = writeln!(
            std::io::stdout(),
            "suite absent: documents/{file}; to get it: save the published text “{title}” under this name"
        );
    }
    text
}

/// Returns the facts that reading a text with the profile finds.
pub(crate) fn read_facts(text: &str, profile: &Profile) -> Facts {
    let mut reading = read(text, profile);
    if let Some(file) = &profile.names {
        let references = file_of_documents(file, "named character references");
        reading.names =
            references.map(|references| names(&references).unwrap()).unwrap_or_default();
    }
    facts::parse(&facts::write(&reading)).unwrap()
}

/// Compares a document's facts with a table.
pub(crate) fn compared(facts: &Facts, table: &Table) -> Comparison {
    let [left, right] = facts.prepared(table);
    compare(&left, &right)
}

/// Returns the machine of a table, if the table has no errors.
pub(crate) fn machine(table: &Table) -> Option<Machine> {
    let table = tabulex_language::extend::extended(table.clone(), &tabulex_tables::text).table;
    tabulex_language::resolve::resolve(&table, &tabulex_tables::text).0
}

/// An xorshift random number generator; sequences are reproducible.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number below `end`, or 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}
