//! The dialect's parser, used to probe how short pieces of markup are parsed.

use std::any::TypeId;
use tabulex_core::tree::{DocumentMode, KnownNames, Tree};
use tabulex_core::{Construction, Options};

/// A parser of the dialect behind a function pointer, so that its callers are compiled once rather than per dialect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MarkupParser {
    parse: fn(&str, &Options) -> Tree,
    /// Names that the dialect's table mentions; elements with any other name are parsed alike.
    table_names: &'static KnownNames,
    mode: ParserMode,
}

/// The dialect and options of a parser. Equal modes give equal trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParserMode {
    dialect: TypeId,
    is_scripting: bool,
    /// Whether the page is in quirks mode according to the DOCTYPE read so far.
    is_quirks: bool,
}

/// A name that stands for all those parsed like it: its index in the list of known names, or one of two constants.
pub(crate) type RepresentativeId = u32;

impl MarkupParser {
    pub(crate) fn new<D: Construction>(is_scripting: bool) -> Self {
        let parse =
            |markup: &str, options: &Options| tabulex_core::parse::<D>(markup, options).tree;
        let mode = ParserMode { dialect: TypeId::of::<D>(), is_scripting, is_quirks: true };
        Self { parse, table_names: D::KNOWN, mode }
    }

    pub(crate) fn mode(self) -> ParserMode {
        self.mode
    }

    /// Returns a name that is parsed like `name` in a probe with `tag`, which has a leading slash if it is an end tag.
    /// All names that the table does not mention share one representative, except that a name equal to the tag's has
    /// another.
    pub(crate) fn representative<'n>(self, name: &'n str, tag: &str) -> &'n str {
        if self.table_names.find(name).is_some() {
            name
        } else if name == tag.trim_start_matches('/') {
            "x-named"
        } else {
            "x-other"
        }
    }

    /// Returns the id of the [`representative`](Self::representative) of `name` in a probe with `tag`.
    pub(crate) fn representative_id(self, name: &str, tag: &str) -> RepresentativeId {
        match self.table_names.find(name) {
            Some(index) => index,
            None if name == tag.trim_start_matches('/') => RepresentativeId::MAX,
            None => RepresentativeId::MAX - 1,
        }
    }

    /// Parses a document without a DOCTYPE in the page's mode; offsets are those of `markup`.
    pub(crate) fn parse(self, markup: &str) -> Tree {
        self.parse_in(markup, self.mode.is_quirks)
    }

    /// Sets the mode to that of a page beginning with this DOCTYPE.
    pub(crate) fn set_doctype(&mut self, doctype: &str) {
        self.mode.is_quirks = self.parse_in(doctype, true).mode() == DocumentMode::Quirks;
    }

    fn parse_in(self, markup: &str, is_quirks: bool) -> Tree {
        let options = Options::new().errors(false).scripting(self.mode.is_scripting);
        // An `iframe` `srcdoc` document is in no-quirks mode even without a DOCTYPE.
        (self.parse)(markup, &options.iframe_srcdoc(!is_quirks))
    }
}
