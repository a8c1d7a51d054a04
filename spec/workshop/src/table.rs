//! A checked table with the files that it includes.

use crate::paint;
use std::cell::RefCell;
use std::path::PathBuf;
use tabulex_language::model::Machine;
use tabulex_language::syntax::Span;
use tabulex_language::{Diagnostic, Severity, Source};

/// A checked table, with its machine and diagnostics.
#[derive(Debug)]
pub struct Table {
    /// The machine, if the checks accept the table.
    pub machine: Option<Machine>,
    /// All errors and warnings, by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The table's file, followed by included files, in the order of their file ids.
    pub files: Vec<Source>,
    /// The files as one source, for rendering diagnostics.
    pub(crate) source: Source,
    /// For each of `files`, its path if it is on the disk.
    pub paths: Vec<Option<PathBuf>>,
    /// Paths of all files that loading requested, including data files and missing ones.
    pub read: Vec<PathBuf>,
}

/// A file next to a table, with its text.
pub(crate) struct FileReader {
    /// Path as shown in messages.
    pub(crate) shown: String,
    /// Path on the disk, if there is one.
    pub(crate) path: Option<PathBuf>,
    /// Text of the file.
    pub(crate) text: String,
}

impl Table {
    /// Parses and checks a table with this text; `beside` reads the files that it includes.
    pub(crate) fn load(
        shown: String,
        path: PathBuf,
        text: String,
        beside: &dyn Fn(&str) -> Option<FileReader>,
    ) -> Self {
        let main = Source::new(shown, text);
        let included = RefCell::new((Vec::new(), Vec::new(), vec![path.clone()]));
        let own_path = path.clone();
        let files = |name: &str| {
            let Some(FileReader { shown, path, text }) = beside(name) else {
                included.borrow_mut().2.push(own_path.with_file_name(name));
                return None;
            };
            let mut included = included.borrow_mut();
            included.2.extend(path.clone());
            // Spans never refer to data files, so only tables are listed.
            if name.ends_with(".states") || name.ends_with(".modes") {
                included.0.push(Source::new(shown, text.clone()));
                included.1.push(path);
            }
            Some(text)
        };
        let loaded = tabulex_language::load(&main, &files);
        let (sources, places, read) = included.into_inner();
        let mut source = loaded.source;
        for (file, shown) in source.files.iter_mut().zip(&sources) {
            file.path.clone_from(&shown.path);
        }
        Self {
            machine: loaded.machine,
            diagnostics: loaded.diagnostics,
            source,
            files: std::iter::once(main).chain(sources).collect(),
            paths: std::iter::once(Some(path)).chain(places).collect(),
            read,
        }
    }

    /// Returns the source of the table itself, without included files.
    pub fn main_source(&self) -> &Source {
        &self.files[0]
    }

    /// Returns the source of the file that contains the span.
    pub fn source(&self, span: Span) -> Option<&Source> {
        self.files.get(usize::from(span.file.0))
    }

    /// Returns the file name and line of a span.
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

    /// Returns the number of errors, and of warnings.
    pub fn counts(&self) -> (usize, usize) {
        let is_error = |one: &&Diagnostic| one.severity == Severity::Error;
        let errors = self.diagnostics.iter().filter(is_error).count();
        (errors, self.diagnostics.len() - errors)
    }

    /// Returns the rendered diagnostics, in color if enabled, each followed by an empty line.
    pub fn messages(&self) -> Vec<String> {
        let colours = paint::is_enabled();
        let shown = self.diagnostics.iter().map(|one| one.render(&self.source));
        shown.map(|text| if colours { paint::diagnostic(&text) } else { text } + "\n").collect()
    }
}
