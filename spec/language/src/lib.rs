//! The language of tables: grammar, model, checks and diagnostics. The compiler generates Rust code from the model, and
//! the oracle interprets the model. No state, mode, entity or error code of a dialect is named here.
//!
//! The manual of the language is `spec/README.md`, its reference `spec/REFERENCE.md`. A table passes through `parse`,
//! `resolve` and `check`, which are functions from value to value:
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
mod consequence;
pub mod diagnostic;
mod docs;
pub mod extend;
pub mod model;
mod nearest;
pub mod parse;
pub mod references;
pub mod resolve;
pub mod syntax;
pub mod vocabulary;

pub use diagnostic::{Diagnostic, Severity, Source, counted};
pub use nearest::nearest;

/// Result of loading a table.
#[derive(Debug)]
pub struct Loaded {
    /// The machine, if no diagnostic is an error.
    pub machine: Option<model::Machine>,
    /// All errors and warnings, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
    /// Text of the table and its included files, to which the diagnostics' spans refer.
    pub source: Source,
}

/// Parses, resolves and checks a table file. `files` returns the text of a file beside the table (named character
/// references, an extended table, or modes), or `None` if there is no such file.
pub fn load(source: &Source, files: &dyn Fn(&str) -> Option<String>) -> Loaded {
    finish(parse::read_file(syntax::FileId::TABLE, &source.text), source, files)
}

/// Parses, resolves and checks a table given as the contents of the macro call's braces. `files` is as for [`load`].
pub fn load_inline(source: &Source, files: &dyn Fn(&str) -> Option<String>) -> Loaded {
    finish(parse::read_inline(&source.text), source, files)
}

fn finish(
    parsed: parse::Parsed,
    source: &Source,
    files: &dyn Fn(&str) -> Option<String>,
) -> Loaded {
    let (mut machine, mut diagnostics) = (None, parsed.diagnostics);
    let mut source = source.clone();
    source.files.clear();
    if let Some(table) = parsed.table {
        let extended = extend::extended(table, files);
        let skipped_words = [parsed.skipped_words, extended.skipped_words].concat();
        // Skipped text, or a change that does not match the base, may leave much of the table invalid, so only whole
        // tables are checked.
        let is_whole = skipped_words.is_empty() && extended.diagnostics.is_empty();
        diagnostics.extend(extended.diagnostics);
        let (resolved, mut later_diagnostics) = match extended.is_partial {
            true => (None, Vec::new()),
            false => resolve::resolve(&extended.table, files),
        };
        if let (Some(resolved), true) = (&resolved, is_whole) {
            later_diagnostics.extend(check::check(resolved, &extended.table));
        }
        source.files = extended.files;
        later_diagnostics.retain(|one| !consequence::is_consequence(one, &source, &skipped_words));
        diagnostics.extend(later_diagnostics);
        extend::set_included_at(&mut diagnostics, &extended.included_at);
        machine = resolved;
        machine.iter_mut().for_each(|machine| docs::fill(machine, &source));
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.check));
    diagnostics.dedup();
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    Loaded { machine: machine.filter(|_| !has_errors), diagnostics, source }
}
