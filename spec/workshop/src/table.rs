//! A checked table with the files that it includes.

use crate::home::Home;
use crate::paint;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
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
    /// The table's file, with the files that it includes.
    pub(crate) source: Source,
    /// Paths of the table's file and the included files, in the order of their file ids; `None` if a file is not on the
    /// disk.
    pub paths: Vec<Option<PathBuf>>,
    /// Paths of all files that loading requested, including data files and missing ones.
    pub read: Vec<PathBuf>,
}

/// Reads the file of a name: its text, with its path if it is on the disk.
type ReadFile<'f> = dyn Fn(&str) -> Option<(Option<PathBuf>, String)> + 'f;

impl Table {
    /// Parses and checks the table `text` at `path`; `beside` reads the other files that the table refers to, each with
    /// its path if it is on the disk.
    pub(crate) fn load(home: &Home, path: &Path, text: String, beside: &ReadFile<'_>) -> Self {
        let included = RefCell::new((Vec::new(), vec![path.to_owned()]));
        let read_file = |name: &str| {
            let mut included = included.borrow_mut();
            let Some((file_path, text)) = beside(name) else {
                included.1.push(path.with_file_name(name));
                return None;
            };
            included.1.extend(file_path.clone());
            // Spans never refer to data files, so only tables are listed.
            if name.ends_with(".states") || name.ends_with(".modes") {
                let shown_path = file_path.as_ref().map(|path| home.display_path(path));
                included.0.push((shown_path.unwrap_or_else(|| name.to_owned()), file_path));
            }
            Some(text)
        };
        let source = Source::new(home.display_path(path), text);
        let loaded = tabulex_language::load(&source, &read_file);
        let (included, read) = included.into_inner();
        let (mut source, mut paths) = (loaded.source, vec![Some(path.to_owned())]);
        for (file, (shown_path, path)) in source.files.iter_mut().zip(included) {
            file.path = shown_path;
            paths.push(path);
        }
        Self { machine: loaded.machine, diagnostics: loaded.diagnostics, source, paths, read }
    }

    /// Returns the source of the file that contains the span; `None` if the table has no such file.
    pub fn source(&self, span: Span) -> Option<&Source> {
        self.source.file(span.file)
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
