//! The parser of the dialect, which is asked what a few bytes of markup mean.

use tabulex_core::tree::{DocumentMode, KnownNames, Tree};
use tabulex_core::{Construction, Options};

/// Parses markup of the dialect. It is no type parameter, so that what asks it is compiled once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parser {
    parse: fn(&str, &Options) -> Tree,
    /// Names that the dialect's table mentions; elements of all other names are parsed alike.
    known: &'static KnownNames,
    is_scripting: bool,
    /// Whether the page is in quirks mode, as far as its DOCTYPE has been read.
    is_quirks: bool,
}

impl Parser {
    pub(crate) fn new<D: Construction>(is_scripting: bool) -> Self {
        let parse =
            |markup: &str, options: &Options| tabulex_core::parse::<D>(markup, options).tree;
        Self { parse, known: D::KNOWN, is_scripting, is_quirks: true }
    }

    /// Returns a name that elements of this name are parsed like, beside a tag of the name `tag`, with a slash if it is an
    /// end tag. One name stands for all that the table does not mention.
    pub(crate) fn representative<'n>(self, name: &'n str, tag: &str) -> &'n str {
        if self.known.find(name).is_some() {
            name
        } else if name == tag.trim_start_matches('/') {
            "x-named"
        } else {
            "x-other"
        }
    }

    /// Parses a document without a DOCTYPE in the mode of the page; keeps all positions.
    pub(crate) fn parse(self, markup: &str) -> Tree {
        self.parse_in(markup, self.is_quirks)
    }

    /// Sets the mode to that of a page which begins with this DOCTYPE.
    pub(crate) fn set_doctype(&mut self, doctype: &str) {
        self.is_quirks = self.parse_in(doctype, true).mode() == DocumentMode::Quirks;
    }

    fn parse_in(self, markup: &str, is_quirks: bool) -> Tree {
        let options = Options::new().errors(false).scripting(self.is_scripting);
        // A document of an `iframe` is in no-quirks mode whatever its DOCTYPE is.
        (self.parse)(markup, &options.iframe_srcdoc(!is_quirks))
    }
}
