//! The tables of tabulex, and the language that they are written in: grammar, model, checks, diagnostics, interpreter.
//! It knows nothing of Rust code (the compiler makes that) and tokenizes nothing at run time (the runtime does).
//! Invariant: no state, mode, entity or error code is typed by hand outside this package's tables.
//!
//! The manual of the language is `spec/README.md`. The way of the data is `parse` → `resolve` → `check`, each a
//! function from value to value:
//!
//! ```
//! let (name, text) = tabulex_spec::TABLES[0];
//! let source = tabulex_spec::Source::new(name, text);
//! let loaded = tabulex_spec::load(&source, &tabulex_spec::embedded_file);
//! assert!(loaded.diagnostics.is_empty());
//! assert_eq!(loaded.machine.unwrap().states[0].name, "data");
//! ```

#[cfg(feature = "language")]
pub mod automaton;
mod character_set;
#[cfg(feature = "language")]
pub mod check;
#[cfg(feature = "language")]
pub mod diagnostic;
#[cfg(feature = "language")]
pub mod interpreter;
#[cfg(feature = "language")]
pub mod model;
#[cfg(feature = "language")]
pub mod parse;
#[cfg(feature = "language")]
pub mod references;
#[cfg(feature = "language")]
pub mod resolve;
#[cfg(feature = "language")]
pub mod syntax;
#[cfg(feature = "language")]
pub mod vocabulary;

#[cfg(feature = "language")]
pub use diagnostic::{Diagnostic, Severity, Source};

/// The tables of this package: file name and text.
#[cfg(feature = "tables")]
pub const TABLES: &[(&str, &str)] = &[
    ("html-2013.states", include_str!("../tables/html-2013.states")),
    ("html-2007.states", include_str!("../tables/html-2007.states")),
    ("microxml.states", include_str!("../tables/microxml.states")),
    ("sky.states", include_str!("../tables/sky.states")),
];

/// The text of a data file beside the tables of this package.
#[cfg(feature = "tables")]
pub fn embedded_file(name: &str) -> Option<String> {
    let files = [
        ("html.references", include_str!("../tables/html.references")),
        ("html-2007.references", include_str!("../tables/html-2007.references")),
        ("microxml.references", include_str!("../tables/microxml.references")),
    ];
    files.iter().find(|(file, _)| *file == name).map(|(_, text)| (*text).to_owned())
}

/// What became of a table.
#[cfg(feature = "language")]
#[derive(Debug)]
pub struct Loaded {
    /// The machine, if no diagnostic is an error.
    pub machine: Option<model::Machine>,
    /// All mistakes and doubts, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads, resolves and checks a table file. `files` gives the text of a file beside the table.
#[cfg(feature = "language")]
pub fn load(source: &Source, files: &dyn Fn(&str) -> Option<String>) -> Loaded {
    let parsed = parse::file(&source.text);
    finish(parsed, files)
}

/// Reads, resolves and checks a table whose text is what stands between the braces of the macro call.
#[cfg(feature = "language")]
pub fn load_inline(source: &Source, files: &dyn Fn(&str) -> Option<String>) -> Loaded {
    let parsed = parse::inline(&source.text);
    finish(parsed, files)
}

#[cfg(feature = "language")]
fn finish(
    (table, mut diagnostics): (Option<syntax::Table>, Vec<Diagnostic>),
    files: &dyn Fn(&str) -> Option<String>,
) -> Loaded {
    let mut machine = None;
    if let Some(table) = table {
        let (resolved, more) = resolve::resolve(&table, files);
        diagnostics.extend(more);
        if let Some(resolved) = resolved {
            diagnostics.extend(check::check(&resolved, &table));
            machine = Some(resolved);
        }
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.place, diagnostic.check));
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    Loaded { machine: machine.filter(|_| !failed), diagnostics }
}
