//! The language that tables are written in: grammar, model, checks, diagnostics. It knows nothing of Rust code (the
//! compiler makes that) and runs no machine (the oracle and the runtime do). Invariant: no state, mode, entity or error
//! code of a dialect is named here.
//!
//! The manual of the language is `spec/README.md`. The way of the data is `parse` → `resolve` → `check`, each a
//! function from value to value:
//!
//! ```
//! let text = tabulex_tables::text("html.states").unwrap();
//! let source = tabulex_language::Source::new("html.states", &text);
//! let loaded = tabulex_language::load(&source, &tabulex_tables::text);
//! assert!(loaded.diagnostics.is_empty());
//! assert_eq!(loaded.machine.unwrap().states[0].name, "data");
//! ```

pub mod automaton;
mod character_set;
pub mod check;
pub mod diagnostic;
pub mod extend;
pub mod model;
pub mod parse;
pub mod references;
pub mod resolve;
pub mod syntax;
pub mod vocabulary;

pub use diagnostic::{Diagnostic, Severity, Source};

/// What became of a table.
#[derive(Debug)]
pub struct Loaded {
    /// The machine, if no diagnostic is an error.
    pub machine: Option<model::Machine>,
    /// All mistakes and doubts, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads, resolves and checks a table file. `files` gives the text of a file beside the table: named character
/// references, and tables that are extended.
pub fn load(source: &Source, files: &dyn Fn(&str) -> Option<String>) -> Loaded {
    let parsed = parse::file(&source.text);
    finish(parsed, files)
}

/// Reads, resolves and checks a table whose text is what is between the braces of the macro call.
pub fn load_inline(source: &Source, files: &dyn Fn(&str) -> Option<String>) -> Loaded {
    let parsed = parse::inline(&source.text);
    finish(parsed, files)
}

fn finish(
    (table, mut diagnostics): (Option<syntax::Table>, Vec<Diagnostic>),
    files: &dyn Fn(&str) -> Option<String>,
) -> Loaded {
    let mut machine = None;
    let base = table.as_ref().and_then(extend::base_of).map(|base| base.span);
    let modes = table.as_ref().and_then(|table| table.items.iter().find_map(extend::modes_file));
    let base = base.or(modes.map(|file| file.span));
    if let Some(table) = table {
        let (table, more) = extend::extend(table, files);
        diagnostics.extend(more);
        let (resolved, more) = resolve::resolve(&table, files);
        diagnostics.extend(more);
        if let Some(resolved) = resolved {
            diagnostics.extend(check::check(&resolved, &table));
            machine = Some(resolved);
        }
    }
    extend::move_into_table(&mut diagnostics, base);
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.check));
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    Loaded { machine: machine.filter(|_| !failed), diagnostics }
}
