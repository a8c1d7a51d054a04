//! A table as it lies on the disk, with the files that it brings in. It runs nothing. Invariant: a place of the model is
//! shown as a file and line that exist.

use crate::root::{self, shown};
use crate::{Failure, paint, step};
use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use tabulex_language::Source;
use tabulex_language::model::Machine;
use tabulex_language::syntax::Span;

/// A table that the checks accept.
pub(super) struct Table {
    /// The machine.
    pub(super) machine: Machine,
    /// The table's file, then those that it brings in, in the order of their numbers.
    files: Vec<Source>,
}

impl Table {
    /// The file and line of a place.
    pub(super) fn place(&self, span: Span) -> String {
        match self.files.get(usize::from(span.file.0)) {
            Some(file) => {
                let (line, _) = file.line_column(span.start);
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                format!("{name}:{line}")
            }
            None => format!("byte {}", span.start),
        }
    }
}

/// Reads a dialect's table, or the table in a file. Nothing if it has mistakes, which are shown.
pub(super) fn load(name: &str) -> Result<Option<Table>, Failure> {
    let path =
        root::tables()?.into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == name));
    let path = path.unwrap_or_else(|| PathBuf::from(name));
    let text = fs::read_to_string(&path).map_err(|error| unreadable(name, &error))?;
    let own = Source::new(shown(&path), text);
    let folder = root::root().join("spec/tables");
    let brought = RefCell::new(Vec::new());
    let beside = |name: &str| {
        // A table elsewhere may extend one that is here.
        let near = [path.with_file_name(name), folder.join(name)];
        let (path, text) =
            near.iter().find_map(|path| Some((path, fs::read_to_string(path).ok()?)))?;
        if name.ends_with(".states") || name.ends_with(".modes") {
            brought.borrow_mut().push(Source::new(shown(path), text.clone()));
        }
        Some(text)
    };
    let loaded = tabulex_language::load(&own, &beside);
    let mut source = loaded.source;
    // Only tables and modes are counted among the files, in the same order.
    for (file, read) in source.files.iter_mut().zip(brought.borrow().iter()) {
        file.path.clone_from(&read.path);
    }
    for diagnostic in &loaded.diagnostics {
        let text = diagnostic.render(&source);
        step::say(&if paint::is_wanted() { paint::diagnostic(&text) } else { text });
    }
    let mut files = vec![own];
    files.extend(brought.into_inner());
    Ok(loaded.machine.map(|machine| Table { machine, files }))
}

fn unreadable(name: &str, error: &std::io::Error) -> Failure {
    let tables = root::tables().unwrap_or_default();
    let names: Vec<&str> = tables.iter().filter_map(|path| path.file_stem()?.to_str()).collect();
    format!(
        "{name:?} is no dialect, and no file that can be read ({error}); dialects: {}",
        names.join(", ")
    )
}
