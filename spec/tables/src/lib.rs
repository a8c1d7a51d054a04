//! The tables and their data, read from this package's folder at run time, so that a changed table recompiles nothing.

use std::path::Path;

/// Path of the folder of tables: this package's folder, in the workspace or in an unpacked crate archive.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// Returns the text of a file in [`FOLDER`]: a table (`NAME.states`), tree modes (`NAME.modes`), or data
/// (`NAME.references`). `None` if there is no such file.
pub fn text(name: &str) -> Option<String> {
    std::fs::read_to_string(Path::new(FOLDER).join(name)).ok()
}

/// Returns the names of all tables of machines, sorted by their files' names.
///
/// # Panics
/// If the folder of this package cannot be read.
pub fn names() -> Vec<String> {
    let names = std::fs::read_dir(FOLDER).and_then(|entries| {
        let file_name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        entries.map(|entry| entry.map(file_name)).collect::<Result<Vec<String>, _>>()
    });
    let mut names = names.unwrap_or_else(|error| panic!("cannot read `{FOLDER}`: {error}"));
    names.sort();
    names.iter().filter_map(|name| Some(name.strip_suffix(".states")?.to_owned())).collect()
}

/// Returns all tables of machines, sorted by name: the file's name and its text.
///
/// # Panics
/// If the folder of this package, or a table in it, cannot be read.
pub fn all() -> Vec<(String, String)> {
    let with_text = |name: String| {
        let file = format!("{name}.states");
        let text = text(&file).unwrap_or_else(|| panic!("cannot read `{FOLDER}/{file}`"));
        (file, text)
    };
    names().into_iter().map(with_text).collect()
}
