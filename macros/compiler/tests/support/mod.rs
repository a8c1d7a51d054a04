//! The small tables that tests of generated code are made of, and the fingerprints of what comes of them. It compiles
//! nothing. Invariant: a folder without its tables fails.

use std::fs;
use std::path::{Path, PathBuf};

/// The tables of a folder, by name.
pub(crate) fn tables(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "states"));
    paths.sort();
    assert!(paths.len() >= 3, "the tables of {} are there", folder.display());
    paths
}

/// The small tables of the compiler, the language and the oracle.
pub(crate) fn small_tables() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        "macros/compiler/test_data",
        "spec/language/test_data/ok",
        "spec/oracle/test_data/interpreter",
    ];
    folders.iter().flat_map(|folder| tables(&root.join(folder))).collect()
}

/// The name of a table's file, and what it holds.
pub(crate) fn read(path: &Path) -> (String, String) {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    (name, fs::read_to_string(path).expect("a table can be read"))
}

/// The text of a file that a table names: one beside it, or one of the dialects.
pub(crate) fn beside(path: &Path, name: &str) -> Option<String> {
    let own = fs::read_to_string(path.with_file_name(name)).ok();
    own.or_else(|| tabulex_tables::text(name))
}

/// The FNV-1a hash.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
