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

/// A file that a table includes, or a data file that it names.
pub(crate) struct LoadedFile {
    /// Path as shown in messages.
    pub(crate) shown_path: String,
    /// Path on the disk, if there is one.
    pub(crate) path: Option<PathBuf>,
    /// Text of the file.
    pub(crate) text: String,
}

impl Table {
    /// Parses and checks the table `text` at `path`, which messages show as `shown_path`; `beside` reads the other
    /// files that the table refers to.
    pub(crate) fn load(
        shown_path: String,
        path: PathBuf,
        text: String,
        beside: &dyn Fn(&str) -> Option<LoadedFile>,
    ) -> Self {
        let main = Source::new(shown_path, text);
        let included = RefCell::new((Vec::new(), Vec::new(), vec![path.clone()]));
        let own_path = path.clone();
        let read_file = |name: &str| {
            let Some(LoadedFile { shown_path, path, text }) = beside(name) else {
                included.borrow_mut().2.push(own_path.with_file_name(name));
                return None;
            };
            let mut included = included.borrow_mut();
            included.2.extend(path.clone());
            // Spans never refer to data files, so only tables are listed.
            if name.ends_with(".states") || name.ends_with(".modes") {
                included.0.push(Source::new(shown_path, text.clone()));
                included.1.push(path);
            }
            Some(text)
        };
        let loaded = tabulex_language::load(&main, &read_file);
        let (sources, places, read) = included.into_inner();
        let mut source = loaded.source;
        for (file, included) in source.files.iter_mut().zip(&sources) {
            file.path.clone_from(&included.path);
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

    /// Returns the source of the file that contains the span; `None` if the table has no such file.
    pub fn source(&self, span: Span) -> Option<&Source> {
        self.files.get(usize::from(span.file.0))
    }

    /// Returns the position of a span as `FILE:LINE`, or as a byte offset if the table lacks the file.
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
        let is_colored = paint::is_enabled();
        let rendered = self.diagnostics.iter().map(|one| one.render(&self.source));
        rendered
            .map(|text| if is_colored { paint::diagnostic(&text) } else { text } + "\n")
            .collect()
    }
}
