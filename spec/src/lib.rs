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
#[cfg(feature = "language")]
mod character_set;
#[cfg(feature = "language")]
pub mod check;
#[cfg(feature = "tables")]
pub mod compare;
#[cfg(feature = "language")]
pub mod diagnostic;
#[cfg(feature = "tables")]
pub mod document;
#[cfg(feature = "language")]
pub mod extend;
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
pub mod search;
#[cfg(feature = "language")]
pub mod syntax;
#[cfg(feature = "language")]
pub mod vocabulary;

#[cfg(feature = "language")]
pub use diagnostic::{Diagnostic, Severity, Source};

/// The tables of this package: file name and text.
#[cfg(feature = "tables")]
pub const TABLES: &[(&str, &str)] = &[
    ("html.states", include_str!("../tables/html.states")),
    ("html-2013.states", include_str!("../tables/html-2013.states")),
    ("html-2007.states", include_str!("../tables/html-2007.states")),
    ("microxml.states", include_str!("../tables/microxml.states")),
    ("microxml-2012-12.states", include_str!("../tables/microxml-2012-12.states")),
    ("sky.states", include_str!("../tables/sky.states")),
    ("xml-er.states", include_str!("../tables/xml-er.states")),
];

/// The text of a file among the tables of this package: a table, or data.
#[cfg(feature = "tables")]
pub fn embedded_file(name: &str) -> Option<String> {
    let files = [
        ("html.references", include_str!("../tables/html.references")),
        ("html.modes", include_str!("../tables/html.modes")),
        ("html-2007.references", include_str!("../tables/html-2007.references")),
        ("microxml.references", include_str!("../tables/microxml.references")),
    ];
    let mut all = files.iter().chain(TABLES);
    all.find(|(file, _)| *file == name).map(|(_, text)| (*text).to_owned())
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

/// Reads, resolves and checks a table file. `files` gives the text of a file beside the table: named character
/// references, and tables that are extended.
#[cfg(feature = "language")]
pub fn load(source: &Source, files: &dyn Fn(&str) -> Option<String>) -> Loaded {
    let parsed = parse::file(&source.text);
    finish(parsed, source, files)
}

/// Reads, resolves and checks a table whose text is what stands between the braces of the macro call.
#[cfg(feature = "language")]
pub fn load_inline(source: &Source, files: &dyn Fn(&str) -> Option<String>) -> Loaded {
    let parsed = parse::inline(&source.text);
    finish(parsed, source, files)
}

#[cfg(feature = "language")]
fn finish(
    (table, mut diagnostics): (Option<syntax::Table>, Vec<Diagnostic>),
    source: &Source,
    files: &dyn Fn(&str) -> Option<String>,
) -> Loaded {
    let mut machine = None;
    let base = table.as_ref().and_then(extend::base_of).map(|base| base.place);
    let modes = table.as_ref().and_then(|table| table.items.iter().find_map(extend::modes_file));
    let base = base.or(modes.map(|file| file.place));
    if let Some(table) = table {
        let (table, more) = extend::extend(table, source.text.len(), files);
        diagnostics.extend(more);
        let (resolved, more) = resolve::resolve(&table, files);
        diagnostics.extend(more);
        if let Some(resolved) = resolved {
            diagnostics.extend(check::check(&resolved, &table));
            machine = Some(resolved);
        }
    }
    extend::place_in_table(&mut diagnostics, base, source.text.len());
    diagnostics.sort_by_key(|diagnostic| (diagnostic.place, diagnostic.check));
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    Loaded { machine: machine.filter(|_| !failed), diagnostics }
}
