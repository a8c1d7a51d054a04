//! A table with the files that it brings in, checked. It runs nothing. Invariant: a place of the model is shown as a file
//! and line that exist.

use crate::paint;
use std::cell::RefCell;
use std::path::PathBuf;
use tabulex_language::model::Machine;
use tabulex_language::syntax::Span;
use tabulex_language::{Diagnostic, Severity, Source};

/// A table.
#[derive(Debug)]
pub struct Table {
    /// The machine, if the checks accept the table.
    pub machine: Option<Machine>,
    /// All mistakes and doubts, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The table's file, then those that it brings in, in the order of their numbers.
    pub files: Vec<Source>,
    /// The same as one source, in which the places of the diagnostics are.
    source: Source,
    /// Where these files lie, if on the disk.
    pub paths: Vec<Option<PathBuf>>,
    /// All files that were looked for, data as well, and those that are not there.
    pub read: Vec<PathBuf>,
}

/// A file beside a table.
pub(crate) struct Beside {
    /// The path as messages show it.
    pub(crate) shown: String,
    /// Where it lies, if on the disk.
    pub(crate) path: Option<PathBuf>,
    /// What it holds.
    pub(crate) text: String,
}

impl Table {
    /// Reads and checks a table.
    pub(crate) fn load(
        shown: String,
        path: PathBuf,
        text: String,
        beside: &dyn Fn(&str) -> Option<Beside>,
    ) -> Self {
        let own = Source::new(shown, text);
        let brought = RefCell::new((Vec::new(), Vec::new(), vec![path.clone()]));
        let own_path = path.clone();
        let files = |name: &str| {
            let Some(Beside { shown, path, text }) = beside(name) else {
                brought.borrow_mut().2.push(own_path.with_file_name(name));
                return None;
            };
            let mut brought = brought.borrow_mut();
            brought.2.extend(path.clone());
            // Data has no places.
            if name.ends_with(".states") || name.ends_with(".modes") {
                brought.0.push(Source::new(shown, text.clone()));
                brought.1.push(path);
            }
            Some(text)
        };
        let loaded = tabulex_language::load(&own, &files);
        let (sources, places, read) = brought.into_inner();
        let mut source = loaded.source;
        for (file, shown) in source.files.iter_mut().zip(&sources) {
            file.path.clone_from(&shown.path);
        }
        Self {
            machine: loaded.machine,
            diagnostics: loaded.diagnostics,
            source,
            files: std::iter::once(own).chain(sources).collect(),
            paths: std::iter::once(Some(path)).chain(places).collect(),
            read,
        }
    }

    /// The table's own text and path.
    pub fn own(&self) -> &Source {
        &self.files[0]
    }

    /// File, line and column of a place.
    pub fn source(&self, span: Span) -> Option<&Source> {
        self.files.get(usize::from(span.file.0))
    }

    /// The file's name and the line of a place.
    pub fn place(&self, span: Span) -> String {
        match self.source(span) {
            Some(file) => {
                let (line, _) = file.line_column(span.start);
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                format!("{name}:{line}")
            }
            None => format!("byte {}", span.start),
        }
    }

    /// How many errors there are, and how many warnings.
    pub fn counts(&self) -> (usize, usize) {
        let is_error = |one: &&Diagnostic| one.severity == Severity::Error;
        let errors = self.diagnostics.iter().filter(is_error).count();
        (errors, self.diagnostics.len() - errors)
    }

    /// The diagnostics as a terminal shows them, each ended by an empty line.
    pub fn messages(&self) -> Vec<String> {
        let colours = paint::is_wanted();
        let shown = self.diagnostics.iter().map(|one| one.render(&self.source));
        shown.map(|text| if colours { paint::diagnostic(&text) } else { text } + "\n").collect()
    }
}
