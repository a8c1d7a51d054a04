//! The dialect's parser, used to probe how short pieces of markup are parsed.

use std::any::TypeId;
use std::borrow::Cow;
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

/// A name in a probe, which stands for all names that are parsed like it: an index in the list of names that the
/// dialect's table mentions, or one of two constants.
pub(crate) type ProbeName = u32;

/// A name that the table does not mention, other than that of the probed tag. A list has less than this many names.
pub(crate) const OTHER_NAME: ProbeName = 1 << 16;

/// The name of the probed tag, if the table does not mention it.
pub(crate) const TAG_NAME: ProbeName = OTHER_NAME + 1;

/// A tag whose effect a probe determines.
#[derive(Clone, Debug)]
pub(crate) struct ProbedTag<'n> {
    pub(crate) name: Cow<'n, str>,
    pub(crate) probe_name: ProbeName,
    pub(crate) is_end: bool,
}

impl ProbedTag<'_> {
    /// Returns a number that combines the name in probes with whether the tag is an end tag.
    pub(crate) fn key(&self) -> u32 {
        self.probe_name << 1 | u32::from(self.is_end)
    }

    /// Returns the name of an element called `name` in a probe with the tag, from its name in other probes.
    #[inline]
    pub(crate) fn probe_name_of(&self, name: &str, probe_name: ProbeName) -> ProbeName {
        if probe_name == OTHER_NAME && name == self.name { TAG_NAME } else { probe_name }
    }
}

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

    /// Returns a tag of the page.
    pub(crate) fn tag(self, name: &str, is_end: bool) -> ProbedTag<'_> {
        let probe_name = self.table_names.find(name).unwrap_or(TAG_NAME);
        ProbedTag { name: name.into(), probe_name, is_end }
    }

    /// Returns the start tag of an element, from its name in probes.
    pub(crate) fn start_tag_of(self, name: &str, probe_name: ProbeName) -> ProbedTag<'static> {
        let (name, probe_name) = match probe_name {
            OTHER_NAME => (name.to_owned().into(), TAG_NAME),
            listed => (self.text(listed).into(), listed),
        };
        ProbedTag { name, probe_name, is_end: false }
    }

    /// Returns the name of an element called `name` in a probe with `tag`.
    pub(crate) fn probe_name(self, name: &str, tag: &ProbedTag<'_>) -> ProbeName {
        tag.probe_name_of(name, self.table_names.find(name).unwrap_or(OTHER_NAME))
    }

    /// Returns the name to write into a probe.
    pub(crate) fn text(self, name: ProbeName) -> &'static str {
        match self.table_names.list().get(name as usize) {
            Some(listed) => listed,
            None if name == TAG_NAME => "x-named",
            None => "x-other",
        }
    }

    /// Parses a document without a DOCTYPE in the page's mode; offsets are those of `markup`.
    pub(crate) fn parse(self, markup: &str) -> Tree {
        self.parse_in(markup, self.mode.is_quirks)
    }

    /// Whether a page that begins with this DOCTYPE is in quirks mode.
    pub(crate) fn is_quirks_doctype(self, doctype: &str) -> bool {
        self.parse_in(doctype, true).mode() == DocumentMode::Quirks
    }

    /// Returns the parser of a page that is in quirks mode or not.
    pub(crate) fn with_quirks(self, is_quirks: bool) -> Self {
        Self { mode: ParserMode { is_quirks, ..self.mode }, ..self }
    }

    fn parse_in(self, markup: &str, is_quirks: bool) -> Tree {
        let options = Options::new().errors(false).scripting(self.mode.is_scripting);
        // An `iframe` `srcdoc` document is in no-quirks mode even without a DOCTYPE.
        (self.parse)(markup, &options.iframe_srcdoc(!is_quirks))
    }
}
