//! Tokenizes HTML documents by running this project's table of html-2013 in the interpreter.

use std::sync::LazyLock;
use tabulex_language::model::Machine;
use tabulex_oracle::interpreter::{Control, Host, Interpreter, Options, Tag, Token};

/// Returns the text of the table that tokenizes documents, or `None` if there is no such table.
pub fn table() -> Option<String> {
    tabulex_tables::text("html-2013.states")
}

/// A tag of a document, or a piece of text outside skipped elements.
pub(super) enum Markup<'t> {
    Text(&'t str),
    /// A start tag, its line from 1, and whether it begins or is in a note or an example.
    Start(&'t Tag, usize, bool),
    /// The name of an end tag.
    End(&'t str),
}

/// Passes the markup of a document to `each`. Returns whether the document could be tokenized completely.
pub(super) fn read(text: &str, each: impl FnMut(Markup<'_>)) -> bool {
    // The modes are not loaded, so that an error in them does not prevent reading documents.
    static MACHINE: LazyLock<Option<Machine>> = LazyLock::new(|| {
        let (table, _) = tabulex_language::parse::file(&table()?);
        tabulex_language::resolve::resolve(&table?, &tabulex_tables::text).0
    });
    let line_ends = text.match_indices('\n').map(|(at, _)| at).collect();
    let mut reader = TagReader { line_ends, skipped: None, note: None, each };
    MACHINE.as_ref().is_some_and(|machine| {
        Interpreter::new(machine).run(text, &Options::default(), &mut reader).is_ok()
    })
}

struct TagReader<F> {
    line_ends: Vec<usize>,
    /// Name of the element whose contents are currently skipped, if any.
    skipped: Option<String>,
    /// If a note is open, its tag name and the number of open elements of that name from its start.
    note: Option<(String, usize)>,
    each: F,
}

impl<F: FnMut(Markup<'_>)> Host for TagReader<F> {
    fn token(&mut self, token: Token) -> Control {
        match &token {
            Token::Text { text, .. } if self.skipped.is_none() => (self.each)(Markup::Text(text)),
            Token::StartTag(tag) => {
                if is_skipped(&tag.name) {
                    self.skipped.get_or_insert_with(|| tag.name.clone());
                }
                let line = self.line_ends.partition_point(|&end| end < tag.span.start) + 1;
                // A paragraph ends where another block begins.
                self.note.take_if(|(name, _)| name == "p" && is_block(&tag.name));
                match &mut self.note {
                    Some((name, count)) => *count += usize::from(*name == tag.name),
                    None => self.note = is_note(tag).then(|| (tag.name.clone(), 1)),
                }
                (self.each)(Markup::Start(tag, line, self.note.is_some()));
            }
            Token::EndTag(tag) => {
                self.skipped.take_if(|name| *name == tag.name);
                self.note.take_if(|(name, count)| {
                    *count -= usize::from(*name == tag.name);
                    *count == 0 || name == "p" && matches!(&tag.name[..], "dl" | "dd")
                });
                (self.each)(Markup::End(&tag.name));
            }
            _ => {}
        }
        Control::Continue
    }
}

/// Whether the contents of the element are not text of the document, or were deleted from it.
fn is_skipped(name: &str) -> bool {
    matches!(name, "script" | "style" | "nav" | "template" | "del" | "s")
}

/// Whether an element with this name contains paragraphs, or is one.
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dt" | "dd" | "p" | "li" | "tr" | "pre" | "div"
    )
}

/// Whether the element has no normative content, as it is hidden, a note or an example.
fn is_note(tag: &Tag) -> bool {
    let attribute = |name: &str| tag.attributes.iter().find(|attribute| attribute.name == name);
    let is_hidden = attribute("hidden").is_some();
    is_hidden
        || attribute("class").is_some_and(|class| {
            let mut words = class.value.split(' ');
            words.any(|word| {
                matches!(word, "note" | "example" | "warning" | "impl-note" | "big-issue")
            })
        })
}
