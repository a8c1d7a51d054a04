//! HTML documents tag by tag, as both readers of them need it: this project's own tokenizer, the table of html-2013 run
//! by the interpreter, and the few signs that the standards' markup gives. It divides nothing into blocks. Invariant: a
//! document comes whole or not at all.

use std::sync::OnceLock;
use tabulex_language::model::Machine;
use tabulex_oracle::interpreter::{Host, Interpreter, Options, Tag};

/// The text of the table by which documents are read.
pub fn table() -> Option<String> {
    tabulex_tables::text("html-2013.states")
}

/// Gives the tokens of the document to the host; whether it came to the end.
pub(super) fn read(text: &str, host: &mut impl Host) -> bool {
    static MACHINE: OnceLock<Option<Machine>> = OnceLock::new();
    // The states alone: a mistake in the modes that they are taken with is no matter of documents.
    let machine = MACHINE.get_or_init(|| {
        let (table, _) = tabulex_language::parse::file(&table()?);
        tabulex_language::resolve::resolve(&table?, &tabulex_tables::text).0
    });
    machine.as_ref().is_some_and(|machine| {
        Interpreter::new(machine).run(text, &Options::default(), host).is_ok()
    })
}

/// Where the lines of a text end.
#[derive(Debug, Default)]
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line in which the tag begins, from 1.
    pub(super) fn of(&self, tag: &Tag) -> usize {
        self.0.partition_point(|&end| end < tag.span.start) + 1
    }
}

/// Whether an element of this name holds no text of the document: what was deleted or no longer holds stands in it, too.
pub(super) fn is_skipped(name: &str) -> bool {
    matches!(name, "script" | "style" | "nav" | "template" | "del" | "s")
}

/// Whether the element is a note or an example, which asks for nothing, or is not shown.
pub(super) fn is_note(tag: &Tag) -> bool {
    let named = |name: &str| tag.attributes.iter().find(|attribute| attribute.name == name);
    let is_hidden = named("hidden").is_some();
    is_hidden
        || named("class").is_some_and(|class| {
            let mut words = class.value.split(' ');
            words.any(|word| {
                matches!(word, "note" | "example" | "warning" | "impl-note" | "big-issue")
            })
        })
}
