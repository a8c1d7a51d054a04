//! Tree construction: runtime support for the code compiled from a table's insertion modes. Modes and element names
//! come from the table; nodes go to a [`TreeSink`]. Nothing recurses.

use crate::error::Named;
use crate::machine::Machine;
use crate::span::Span;
use crate::token::{Comment, DeclaredToken, Doctype, Tag, Text};
use crate::tree::words::SelectedContent;
use crate::tree::{KnownNames, LocalName, Name, Namespace, SerializerNames, TreeSink};

mod builder;
mod conditions;
mod elements;
mod formatting;
mod fragment;
mod inner;
mod insert;
mod limits;
mod open;
mod options;
mod parser;
mod patch;
mod pop;
mod steps;

pub use builder::Builder;
pub use conditions::{
    DoctypeCondition, DoctypeSet, DoctypeTest, ElementSet, first_byte, is_one_of, is_own,
};
pub use fragment::FragmentContext;
pub use inner::{Adjacent, Fragments};
use insert::Adjustments;
pub use insert::{IntegrationPoint, adjustments, field_text};
pub use limits::Event;
pub(crate) use options::set_flag;
pub use options::{Options, ScriptingMode};
pub(crate) use parser::count_steps;
pub use parser::{Parsed, Parser, parse, parse_bytes, parse_fragment};
pub use steps::{
    AlgorithmArguments, EntryValue, Frame, ImpliedEndTags, ListKey, Location, NodeValue, TagSource,
    Target, shift_entry, split_name,
};

/// Tree construction compiled from a table.
#[diagnostic::on_unimplemented(
    message = "the table of `{Self}` has no modes, so it cannot build trees",
    label = "expected a table with modes",
    note = "write modes in the table (`mode NAME {{ … }}`), or in a file next to it (`modes \"FILE\";`)",
    note = "use `tabulex::Tokens` to read tokens only, without modes"
)]
#[expect(unused_variables, reason = "default methods ignore their arguments")]
pub trait Construction: Machine {
    /// The type of the insertion modes.
    type Mode: Named;

    /// The initial mode.
    const FIRST_MODE: Self::Mode;
    /// The way in which elements are created from tags.
    const ELEMENTS: Elements;
    /// Whether rows take text as a whole: everything between two tokens of other kinds.
    const TAKES_TEXTS: bool;
    /// Whether text that becomes a child of the document is trimmed, and is therefore buffered until its end is known.
    const TRIMS_TEXT: bool;
    /// The local names that the table mentions.
    const KNOWN: &'static KnownNames;
    /// For each scope, the kinds of elements that end it. The last entry lists the kinds of elements for which the
    /// table has a row that determines the insertion mode.
    const SCOPES: &'static [&'static [u8]] = &[];
    /// Number of plain kinds, which are numbered from 0. A node inserted into an element of a plain kind simply becomes
    /// its last child, and creating such an element triggers no further action.
    const PLAIN_KINDS: u8 = 1;
    /// Bit set of the indices of the declared token kinds that rows of modes match.
    const TAKEN_TOKENS: u64;
    /// Number of element pointers that the table declares.
    const POINTERS: usize;
    /// Names of the flags whose initial values the host sets, each with the flag's index among all flags.
    const HOST_FLAGS: &'static [(&'static str, usize)];
    /// Elements in foreign namespaces whose contents are parsed by the rules for the table's own namespace.
    const INTEGRATION_POINTS: &'static [IntegrationPoint];
    /// Elements whose misplaced children are foster-parented.
    const FOSTERED: ElementSet;
    /// Id of the name of the element (in HTML, `table`) before whose topmost open instance foster-parented nodes are
    /// inserted; `None` if there is no such element.
    const FOSTER_BEFORE: Option<u32>;
    /// Maximum number of equal elements after the last marker of the list of active formatting elements.
    const MAX_EQUAL: usize;
    /// Maximum number of rounds of the adoption agency's outer loop per token.
    const ADOPTION_ROUNDS: usize;
    /// Maximum number of elements between the formatting element and the furthest block that stay in the list of active
    /// formatting elements.
    const ADOPTION_ELEMENTS: usize;
    /// Id of the name of the element that has template contents; `None` if no element has them.
    const TEMPLATE: Option<u32>;
    /// Error to report for a self-closing flag that no row acknowledges; `None` to report nothing.
    const UNACKNOWLEDGED: Option<Self::Error>;
    /// Error to report for an attribute that is dropped because an earlier one of its tag has the same name; `None` to
    /// report nothing.
    const DUPLICATE_ATTRIBUTE: Option<Self::Error>;
    /// Id of the name of the root element of fragments; `None` if the table parses no fragments.
    const FRAGMENT_ROOT: Option<u32>;
    /// The names for mirroring the selected option; `None` if the table mirrors no options.
    const SELECTED_CONTENT: Option<SelectedContent>;
    /// Whether steps of the table create the elements for the tokens of formatting elements, so that the attributes of
    /// these tokens must be recorded.
    const CREATES_ELEMENTS_BY_STEPS: bool;
    /// The names that the serialization of fragments depends on.
    const SERIALIZATION: SerializerNames<'static> = SerializerNames {
        void: &[],
        raw_text: &[],
        raw_text_when_scripting: &[],
        shadow_root: None,
        steps: None,
    };

    /// Applies the rows of the mode to a token.
    fn rules<S: TreeSink>(mode: Self::Mode, builder: &mut Builder<Self, S>, token: &TokenView<'_>);

    /// Applies the rows of the mode to a start tag or an end tag.
    fn tag_rules<S: TreeSink>(
        mode: Self::Mode,
        is_end: bool,
        builder: &mut Builder<Self, S>,
        token: &TokenView<'_>,
    );

    /// Returns the length in bytes of the prefix of a nonempty text that one row of the mode takes at once. `current`
    /// is the insertion mode; `errors` tells whether errors are collected.
    fn run_length(mode: Self::Mode, current: Self::Mode, text: &str, errors: bool) -> usize;

    /// Bytes that must not occur in a text passed to [`insert_plain_run`](Self::insert_plain_run), which does not check
    /// for them.
    const RUN_STOPS: &'static [u8] = &[];

    /// Applies the row for text of the current mode, or of the mode that it delegates text to, if that row only inserts
    /// the text and sets flags. Returns whether it did.
    #[inline]
    fn insert_plain_run<S: TreeSink>(
        builder: &mut Builder<Self, S>,
        token: &TokenView<'_>,
    ) -> bool {
        false
    }

    /// Whether the character is trimmed at the start and end of the document's text.
    fn is_trimmed(character: char) -> bool;

    /// Runs the steps of the mode's `else` row for a token.
    fn else_row<S: TreeSink>(
        mode: Self::Mode,
        builder: &mut Builder<Self, S>,
        token: &TokenView<'_>,
    );

    /// Returns the length in bytes of the prefix of a text that the mode's `else` row takes at once.
    fn else_run(mode: Self::Mode, current: Self::Mode, text: &str, errors: bool) -> usize;

    /// Returns the mode whose rows process the token in place of those of the current mode; `None` if the current mode
    /// processes it.
    fn dispatch<S: TreeSink>(
        builder: &mut Builder<Self, S>,
        token: &TokenView<'_>,
    ) -> Option<Self::Mode>;

    /// Returns the kind of the elements with this name. Elements of one kind end the same scopes, and are either all
    /// plain or all not plain; those of kind 0 end no scope.
    #[inline]
    fn kind(name: Name) -> u8 {
        0
    }

    /// Runs the row that determines the insertion mode for an element; returns whether there is such a row.
    fn reset<S: TreeSink>(
        builder: &mut Builder<Self, S>,
        token: &TokenView<'_>,
        name: Name,
        is_last: bool,
    ) -> bool;

    /// Sets the insertion mode of a fragment to the one that its context element determines.
    fn reset_insertion_mode<S: TreeSink>(builder: &mut Builder<Self, S>, token: &TokenView<'_>) {
        if let Some(name) = builder.context_name() {
            Self::reset(builder, token, name, true);
        }
    }

    /// Runs the steps for the context element of a fragment.
    fn begin_fragment<S: TreeSink>(builder: &mut Builder<Self, S>, token: &TokenView<'_>);

    /// Returns the value of a host flag if tree construction determines it; `None` if the host's value applies.
    fn flag_value<S: TreeSink>(builder: &mut Builder<Self, S>, flag: &str) -> Option<u8>;
}

/// The way in which elements are created from tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// The element's name is the tag name; there are no namespaces.
    Plain,
    /// Names may have prefixes, which attributes bind to namespaces.
    Xml,
    /// Elements are in the HTML namespace unless a row specifies another.
    Html,
}

impl Elements {
    /// Returns the namespace of the table's own elements.
    #[inline]
    pub const fn namespace(self) -> Namespace {
        match self {
            Self::Html => Namespace::HTML,
            Self::Plain | Self::Xml => Namespace::NONE,
        }
    }
}

/// A token as passed to rows.
#[derive(Clone, Copy, Debug)]
pub enum TokenView<'a> {
    /// A start tag and its interned name.
    StartTag(&'a Tag<'a>, LocalName),
    /// An end tag and its interned name.
    EndTag(&'a Tag<'a>, LocalName),
    /// An end tag without a name.
    ShortEndTag(Span),
    /// Text; a row gets the part that it processes in one step.
    Text(Text<'a>),
    /// A comment.
    Comment(Comment<'a>),
    /// A DOCTYPE.
    Doctype(Doctype<'a>),
    /// A processing instruction: target, data, range.
    ProcessingInstruction(&'a str, &'a str, Span),
    /// A token of a kind that the table declares.
    Declared(DeclaredToken<'a>),
    /// The end of the input, at this byte offset.
    EndOfFile(usize),
}

impl<'a> TokenView<'a> {
    /// Returns the range of the token.
    pub fn span(&self) -> Span {
        match self {
            Self::StartTag(tag, _) | Self::EndTag(tag, _) => tag.span(),
            Self::ShortEndTag(span) | Self::ProcessingInstruction(_, _, span) => *span,
            Self::Text(text) => text.span,
            Self::Comment(comment) => comment.span,
            Self::Doctype(doctype) => doctype.span(),
            Self::Declared(token) => token.span(),
            Self::EndOfFile(offset) => Span::new(*offset, *offset),
        }
    }

    /// Whether the token is a tag.
    pub fn is_tag(&self) -> bool {
        self.tag().is_some()
    }

    #[inline]
    fn local(&self) -> Option<LocalName> {
        match self {
            Self::StartTag(_, local) | Self::EndTag(_, local) => Some(*local),
            _ => None,
        }
    }

    #[inline]
    fn tag(&self) -> Option<&'a Tag<'a>> {
        match self {
            Self::StartTag(tag, _) | Self::EndTag(tag, _) => Some(tag),
            _ => None,
        }
    }
}
