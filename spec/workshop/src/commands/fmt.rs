//! Formats all built-in tables, or the given ones.
//!
//! usage: cargo xtask fmt [--check] [DIALECT|FILE...]
//!
//!   --check   writes nothing; prints the first line that would change, and exits with status 1 if there is one
//!
//! Indentation, spaces, blank lines and the columns of arrows are canonical; line breaks within a declaration or a row
//! are kept, as are all words and comments. FILE may be a table, a file of modes, or a Rust file with tables in it; `-`
//! formats standard input to standard output.
//!
//! example: cargo xtask fmt --check

use super::missing;
use crate::arguments::Arguments;
use crate::home::{Home, Tables};
use crate::layout::format_table;
use crate::{Failure, Outcome};
use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Formats or checks the files. Returns false if `--check` finds a file that would change.
pub(super) fn run(home: &Home, arguments: Vec<OsString>) -> Outcome {
    let arguments = Arguments::parse(arguments, &["check"], usize::MAX)?;
    let only_checks = arguments.has("check");
    let to_path = |name: String| {
        let dialect = home.built_in_path(&format!("{name}.states"));
        dialect.filter(|path| path.exists()).unwrap_or_else(|| name.into())
    };
    let mut files: Vec<PathBuf> = arguments.values.into_iter().map(to_path).collect();
    if files == [Path::new("-")] {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| format!("cannot read standard input: {error}"))?;
        let formatted = format_table(&text).ok_or("standard input is not a table")?;
        home.print(&formatted);
        return Ok(formatted == text || !only_checks);
    }
    if files.is_empty() {
        files = built_in_paths(home)?;
    }
    let mut changed_count = 0;
    for file in &files {
        changed_count += usize::from(format_file(home, file, only_checks)?);
    }
    let outcome = if only_checks { "would be reformatted" } else { "reformatted" };
    home.print(&format!("{} checked, {changed_count} {outcome}\n", files.len()));
    Ok(changed_count == 0 || !only_checks)
}

/// Returns the paths of the built-in tables.
///
/// # Errors
///
/// Returns a message if the folder of tables cannot be read, or if the program has none, so that a file must be named.
fn built_in_paths(home: &Home) -> Result<Vec<PathBuf>, Failure> {
    let Tables::Folder(folder) = &home.tables else {
        return Err(missing(home, "a file", "fmt my.states"));
    };
    let entries = fs::read_dir(folder)
        .map_err(|error| format!("cannot read `{}`: {error}", home.display_path(folder)))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "states" || it == "modes"));
    files.sort();
    Ok(files)
}

/// Formats a file or, if `only_checks`, prints the first line that would change. Returns whether formatting changes the
/// text.
fn format_file(home: &Home, file: &Path, only_checks: bool) -> Result<bool, Failure> {
    let shown_path = home.display_path(file);
    let text =
        fs::read_to_string(file).map_err(|error| format!("cannot read `{shown_path}`: {error}"))?;
    let formatted = format_table(&text).ok_or_else(|| {
        format!("`{shown_path}` is not a table; see `{} check {shown_path}`", home.program)
    })?;
    if formatted == text {
        return Ok(false);
    }
    if only_checks {
        let (old, new) = (text.lines(), formatted.lines());
        let index = old.clone().zip(new.clone()).take_while(|(old, new)| old == new).count();
        let line = |mut lines: std::str::Lines<'_>| lines.nth(index).unwrap_or_default().to_owned();
        home.print(&format!("{shown_path}:{}\n- {}\n+ {}\n", index + 1, line(old), line(new)));
    } else {
        fs::write(file, formatted)
            .map_err(|error| format!("cannot write `{shown_path}`: {error}"))?;
    }
    Ok(true)
}
