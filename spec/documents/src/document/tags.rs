//! Tokenizes HTML documents for both readers of them with this project's own tokenizer: the table of html-2013, run by
//! the interpreter. A document is delivered completely or rejected.

use std::sync::OnceLock;
use tabulex_language::model::Machine;
use tabulex_oracle::interpreter::{Host, Interpreter, Options, Tag};

/// Returns the text of the table by which documents are read.
pub fn table() -> Option<String> {
    tabulex_tables::text("html-2013.states")
}

/// Passes the tokens of the document to the host. Returns whether the end was reached.
pub(super) fn read(text: &str, host: &mut impl Host) -> bool {
    static MACHINE: OnceLock<Option<Machine>> = OnceLock::new();
    // Only states are needed, so that a mistake in the modes does not prevent reading documents.
    let machine = MACHINE.get_or_init(|| {
        let (table, _) = tabulex_language::parse::file(&table()?);
        tabulex_language::resolve::resolve(&table?, &tabulex_tables::text).0
    });
    machine.as_ref().is_some_and(|machine| {
        Interpreter::new(machine).run(text, &Options::default(), host).is_ok()
    })
}

/// Offsets of the line ends of a text.
#[derive(Debug, Default)]
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// Returns the line in which the tag begins, from 1.
    pub(super) fn line(&self, tag: &Tag) -> usize {
        self.0.partition_point(|&end| end < tag.span.start) + 1
    }
}

/// Whether the contents of the element are skipped, as they are not text of the document, or were deleted from it.
pub(super) fn is_skipped(name: &str) -> bool {
    matches!(name, "script" | "style" | "nav" | "template" | "del" | "s")
}

/// Whether the element is a note, an example or hidden, and so has no normative content.
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
