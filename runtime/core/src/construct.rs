//! Tree construction: what the code of modes is built on. The modes themselves, and every element name, come from tables;
//! the tree is a [`TreeSink`]. Invariant: no token makes it walk the stack of open elements, and nothing recurses.

use crate::declared::DeclaredToken;
use crate::machine::Machine;
use crate::named::Named;
use crate::span::Span;
use crate::token::{Comment, Doctype, Tag, Text};
use crate::tree::words::SelectedContent;
use crate::tree::{KnownNames, LocalName, Name, Namespace, SerializerNames, TreeSink};

mod adoption;
mod alike;
mod any_sink;
mod append;
mod builder;
mod byte_input;
mod bytes;
mod conditions;
mod declared;
mod doctype;
mod element_set;
mod elements;
mod flags;
mod foreign;
mod formatting;
mod fragment;
mod inner;
mod insert;
mod limits;
mod modes;
mod open;
mod options;
mod parents;
mod parsed;
mod parser;
mod patch;
mod pending;
mod pieces;
mod place;
mod pop;
mod reconstruct;
mod remembered;
mod repeated;
mod reuse;
mod scripting;
mod scripts;
mod selected;
mod shadow;

pub use builder::Builder;
pub use bytes::parse_bytes;
pub use doctype::{DoctypeQuestion, DoctypeSet, DoctypeTest};
pub use element_set::{ElementSet, first_byte, is_one_of, is_own};
pub use foreign::{Adjustment, IntegrationPoint};
pub use fragment::FragmentContext;
pub use inner::{Adjacent, insert_adjacent, set_inner, set_outer};
pub(crate) use inner::{fragment_root, insert_adjacent_with, set_inner_with, set_outer_with};
pub use limits::Event;
pub use options::Options;
pub use parsed::{Parsed, ParsedInto};
pub(crate) use parser::count_steps;
pub use parser::{Parser, TokenSink, parse, parse_fragment};
pub use scripting::ScriptingMode;

/// Tree construction that was compiled from a table.
#[diagnostic::on_unimplemented(
    message = "the table of `{Self}` has no modes, so that it builds no trees",
    label = "a table with modes is wanted here",
    note = "modes stand in the table (`mode NAME {{ … }}`), or in a file beside it (`modes \"FILE\";`)",
    note = "tokens need none: `tabulex::Tokens`"
)]
pub trait Construction: Machine {
    /// Its modes.
    type Mode: Named;

    /// The mode in which it starts.
    const FIRST_MODE: Self::Mode;
    /// How elements are made of tags.
    const ELEMENTS: Elements;
    /// Whether rows look at whole texts between two other tokens.
    const TAKES_TEXTS: bool;
    /// Whether text of the document itself is held back, because its end may be trimmed.
    const TRIMS_TEXT: bool;
    /// The local names that the table mentions.
    const KNOWN: &'static KnownNames;
    /// For each scope, the kinds of elements at which it ends; the last one ends at the elements that determine the
    /// mode when it is reset.
    const SCOPES: &'static [&'static [u8]] = &[];
    /// How many kinds of elements are plain: what is inserted into such an element is its last child, and nothing is to
    /// be done about one that was made. They are numbered first.
    const PLAIN_KINDS: u8 = 1;
    /// A bit for each kind of token that the table declares, set where a row of a mode takes such tokens.
    const TAKEN_TOKENS: u64 = 0;
    /// The number of pointers.
    const POINTERS: usize = 0;
    /// The names of flags whose initial values the host gives, and their places among all flags.
    const HOST_FLAGS: &'static [(&'static str, usize)] = &[];
    /// Elements at which other content is the table's own again.
    const INTEGRATION_POINTS: &'static [IntegrationPoint] = &[];
    /// Elements out of which nodes are fostered.
    const FOSTERED: ElementSet = ElementSet::EMPTY;
    /// The element before the last one of which they go.
    const BESIDE: Option<u32> = None;
    /// The most equal elements after the last marker of the list of active formatting elements.
    const MOST_ALIKE: usize = usize::MAX;
    /// How often the adoption agency looks for a formatting element for one token.
    const ADOPTION_ROUNDS: usize = usize::MAX;
    /// How many elements between the formatting element and the furthest block stay in that list.
    const ADOPTION_ELEMENTS: usize = usize::MAX;
    /// The element that has contents.
    const TEMPLATE: Option<u32> = None;
    /// What is wrong about a self-closing flag that no row acknowledges.
    const UNACKNOWLEDGED: Option<Self::Error> = None;
    /// What is wrong about an attribute that an element does not get, as another one of its tag has its name.
    const LEFT_OUT: Option<Self::Error> = None;
    /// The root element of fragments; a table without it parses none.
    const FRAGMENT_ROOT: Option<u32> = None;
    /// How a chosen option is shown.
    const SELECTED_CONTENT: Option<SelectedContent> = None;
    /// What the serialization of fragments asks.
    const SERIALIZATION: SerializerNames<'static> = SerializerNames {
        void: &[],
        raw_text: &[],
        raw_text_when_scripting: &[],
        shadow_root: None,
    };

    /// Leads a token through the rows of the mode.
    fn rules<S: TreeSink>(mode: Self::Mode, builder: &mut Builder<Self, S>, seen: &TokenView<'_>);

    /// Leads a start tag or an end tag through the rows of the mode.
    #[inline(always)]
    fn tag_rules<S: TreeSink>(
        mode: Self::Mode,
        is_end: bool,
        builder: &mut Builder<Self, S>,
        seen: &TokenView<'_>,
    ) {
        let _ = is_end;
        Self::rules(mode, builder, seen);
    }

    /// The number of bytes at the beginning of a text, which is not empty, that one row of the mode takes at once, where
    /// `current` is the insertion mode.
    fn run_length(mode: Self::Mode, current: Self::Mode, text: &str, errors: bool) -> usize;

    /// Bytes that no text may hold which [`take_run`](Self::take_run) is given; it looks for others itself.
    const RUN_STOPS: &'static [u8] = &[];

    /// Takes the steps of the row for text in the current mode, or in the one to which that hands texts on, where all
    /// that it does is to insert the text, and to set flags. Whether it is so.
    #[inline]
    fn take_run<S: TreeSink>(builder: &mut Builder<Self, S>, seen: &TokenView<'_>) -> bool {
        let _ = (builder, seen);
        false
    }

    /// Whether the character is trimmed at the beginning and the end of the document's text.
    fn is_trimmed(character: char) -> bool;

    /// Takes the steps of the mode's `else` row.
    fn else_row<S: TreeSink>(
        mode: Self::Mode,
        builder: &mut Builder<Self, S>,
        seen: &TokenView<'_>,
    ) {
        let _ = (mode, builder, seen);
    }

    /// The number of bytes at the beginning of a text that the `else` row of the mode takes at once.
    fn else_run(mode: Self::Mode, current: Self::Mode, text: &str, errors: bool) -> usize {
        let _ = (mode, current, errors);
        text.chars().next().map_or(0, char::len_utf8)
    }

    /// The mode to which tokens go instead of the current one, if they do.
    #[inline]
    fn dispatch<S: TreeSink>(
        builder: &mut Builder<Self, S>,
        seen: &TokenView<'_>,
    ) -> Option<Self::Mode> {
        let _ = (builder, seen);
        None
    }

    /// The kind of the element: elements of one kind end the same scopes, those of kind 0 none, and are plain or not.
    #[inline]
    fn kind(name: Name) -> u8 {
        let _ = name;
        0
    }

    /// Takes the steps of the row that determines the mode of the element; returns whether there is one.
    fn reset<S: TreeSink>(
        builder: &mut Builder<Self, S>,
        seen: &TokenView<'_>,
        name: Name,
        is_last: bool,
    ) -> bool {
        let _ = (builder, seen, name, is_last);
        false
    }

    /// Takes the steps for the context element of a fragment.
    fn begin_fragment<S: TreeSink>(builder: &mut Builder<Self, S>, seen: &TokenView<'_>) {
        let _ = (builder, seen);
    }

    /// What the machine does for a word of modes, by the word's number.
    fn feedback(word: u8) -> Feedback {
        let _ = word;
        Feedback::None
    }

    /// What tree construction answers for a flag of the host.
    fn answer<S: TreeSink>(builder: &mut Builder<Self, S>, flag: &str) -> Option<u8> {
        let _ = (builder, flag);
        None
    }
}

/// How elements are made of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// The tag name is the element's name; there are no namespaces.
    Plain,
    /// Names have prefixes, which attributes bind to namespaces.
    Xml,
    /// Elements are in the namespace of HTML, unless a row says otherwise.
    Html,
}

impl Elements {
    /// The table's own namespace.
    #[inline]
    pub const fn own(self) -> Namespace {
        match self {
            Self::Html => Namespace::HTML,
            Self::Plain | Self::Xml => Namespace::NONE,
        }
    }
}

/// What the tokenizer is to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feedback {
    /// Nothing.
    #[default]
    None,
    /// To go on in the state of this index.
    Switch(u16),
    /// To set the flag of this index to the value of this index.
    SetFlag(u8, u8),
    /// To look whether the tag declares the encoding of the input.
    Declaration,
    /// To pause, as a script is complete.
    Script,
}

/// A token as rows see it.
#[derive(Clone, Copy, Debug)]
pub enum TokenView<'a> {
    /// A start tag, and its name among the names of the tree.
    StartTag(&'a Tag<'a>, LocalName),
    /// An end tag, likewise.
    EndTag(&'a Tag<'a>, LocalName),
    /// An end tag without a name.
    ShortEndTag(Span),
    /// Characters that one row takes at once.
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
    /// The range of the token.
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

    /// The name of the tag.
    #[inline]
    fn local(&self) -> Option<LocalName> {
        match self {
            Self::StartTag(_, local) | Self::EndTag(_, local) => Some(*local),
            _ => None,
        }
    }

    /// The tag.
    #[inline]
    fn tag(&self) -> Option<&'a Tag<'a>> {
        match self {
            Self::StartTag(tag, _) | Self::EndTag(tag, _) => Some(tag),
            _ => None,
        }
    }
}
