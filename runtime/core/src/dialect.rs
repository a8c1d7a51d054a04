//! Dialects as values, for programs that choose one at run time. A `Dialect` holds pointers to generic functions
//! instantiated for one machine, so that each machine is compiled once, in the crate that has its table.

use crate::construct::{
    Construction, Elements, Event, FragmentContext, Fragments, Options, Parsed, Parser, count_steps,
};
use crate::encoding::Clues;
use crate::error::{Named, ParseError};
use crate::limits::Limits;
use crate::machine::Machine;
use crate::sink::{Entry, EntryAfter, Sink, entry_after};
use crate::token_reader::{Token, TokenReader};
use crate::tokenizer::{Progress, Tokenizer};
use crate::tree::{HtmlSerializer, Tree};
use std::fmt;

/// A markup dialect: its name, its encoding clues, and its tokenizers and parsers.
///
/// ```
/// # #[cfg(feature = "values")] {
/// use tabulex::Options;
///
/// let html = tabulex::dialects().iter().find(|dialect| dialect.id() == "html").unwrap();
/// let mut parser = html.parser(&Options::new()).unwrap();
/// assert_eq!(parser.parse("<p>One<p>Two").tree.root().text(), "OneTwo");
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Dialect {
    id: &'static str,
    document: &'static str,
    clues: &'static Clues,
    entry_names: fn() -> Vec<&'static str>,
    entry: fn(&str) -> Option<Entry>,
    flag_names: fn() -> Vec<&'static str>,
    flag_values: fn(&str) -> &'static [&'static str],
    tokenizer: fn() -> Box<dyn AnyTokenizer>,
    entry_after: EntryAfter,
    tokens: for<'a> fn(&'a str, bool) -> Box<dyn AnyTokens<'a> + 'a>,
    trees: Option<TreeSupport>,
}

/// A function that counts the steps needed to build a tree from chunks; see [`steps_of`].
type CountSteps =
    fn(&Options, Option<&FragmentContext>, &mut dyn Iterator<Item = &str>) -> [u64; 2];

/// The functions of a dialect that builds trees.
#[derive(Clone, Copy)]
struct TreeSupport {
    elements: Elements,
    parser: fn(&Options, Option<&FragmentContext>) -> Box<dyn AnyParser>,
    count_steps: CountSteps,
    fragments: Fragments,
    serializer: Option<HtmlSerializer<'static>>,
}

impl Dialect {
    /// Creates the dialect of a machine, without trees.
    pub const fn of<M: Machine>() -> Self {
        Self {
            id: M::NAME,
            document: M::DOCUMENT,
            clues: M::CLUES,
            entry_names: entry_names::<M>,
            entry: entry::<M>,
            flag_names: || M::HostFlag::ALL.iter().map(|flag| flag.name()).collect(),
            flag_values: |name| {
                let mut flags = M::HostFlag::ALL.iter().zip(M::FLAGS);
                flags.find(|(flag, _)| flag.name() == name).map_or(&[], |(_, flag)| flag.0)
            },
            entry_after: entry_after::<M>,
            tokens: |input, is_raw| Box::new(TokenReader::<M, true>::shared(input, is_raw)),
            tokenizer: || Box::new(Tokenizer::<M>::new()),
            trees: None,
        }
    }

    /// Adds the functions for the trees that the table constructs.
    #[must_use]
    pub const fn with_trees<D: Construction>(self) -> Self {
        let serializer = match D::ELEMENTS {
            Elements::Html => Some(HtmlSerializer::new(&D::SERIALIZATION)),
            Elements::Plain | Elements::Xml => None,
        };
        Self {
            trees: Some(TreeSupport {
                elements: D::ELEMENTS,
                parser: |options, context| {
                    Box::new(match context {
                        None => Parser::<D>::new(options),
                        Some(context) => Parser::new_fragment(context, options),
                    })
                },
                count_steps: count_steps::<D>,
                fragments: Fragments::of::<D>(),
                serializer,
            }),
            ..self
        }
    }

    /// Sets the HTML serializer, in place of the table's own; has no effect if the dialect builds no trees.
    #[must_use]
    pub const fn with_serializer(mut self, serializer: HtmlSerializer<'static>) -> Self {
        if let Some(trees) = &mut self.trees {
            trees.serializer = Some(serializer);
        }
        self
    }

    /// Returns the id of the dialect, such as `html-2013`.
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// Returns the title of the document that the dialect's table follows.
    pub const fn document(&self) -> &'static str {
        self.document
    }

    /// Returns the clues from which the encoding of bytes is detected.
    pub const fn clues(&self) -> &'static Clues {
        self.clues
    }

    /// Returns how elements are created from tags, or `None` if the dialect builds no trees.
    pub fn elements(&self) -> Option<Elements> {
        self.trees.map(|trees| trees.elements)
    }

    /// Returns the HTML serializer, or `None` if the dialect does not build HTML trees.
    pub fn serializer(&self) -> Option<HtmlSerializer<'static>> {
        self.trees?.serializer
    }

    /// Returns the state or flag value that the table calls `name`, such as `rcdata`, or `None` if there is none.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        (self.entry)(name)
    }

    /// Returns all names that [`entry`](Self::entry) finds.
    pub fn entry_names(&self) -> Vec<&'static str> {
        (self.entry_names)()
    }

    /// Returns the names of the flags that the host sets, in the order of their indices in [`Entry::Flag`].
    pub fn flag_names(&self) -> Vec<&'static str> {
        (self.flag_names)()
    }

    /// Returns the names of the values of the flag called `flag`, in the order of the indices used by sinks and
    /// [`Options::host_flag`]; empty if the machine has no such flag.
    ///
    /// ```
    /// # #[cfg(feature = "values")] {
    /// let sky = tabulex::dialects().iter().find(|dialect| dialect.id() == "sky").unwrap();
    /// assert_eq!(sky.flag_values("parsing-context"), ["none", "application", "module"]);
    /// # }
    /// ```
    pub fn flag_values(&self, flag: &str) -> &'static [&'static str] {
        (self.flag_values)(flag)
    }

    /// Returns an iterator over the tokens of a whole input; see [`Tokens::new`](crate::Tokens::new).
    pub fn tokens<'a>(&self, input: &'a str) -> Box<dyn AnyTokens<'a> + 'a> {
        (self.tokens)(input, false)
    }

    /// Returns an iterator over the tokens of the machine alone; see [`Tokens::raw`](crate::Tokens::raw).
    pub fn raw_tokens<'a>(&self, input: &'a str) -> Box<dyn AnyTokens<'a> + 'a> {
        (self.tokens)(input, true)
    }

    /// Returns the state or flag value to which the table's modes switch after a start tag called `start_tag`, or
    /// `None` if they do not switch or if the switch depends on the tree. `flags` are the flags of tree construction,
    /// by name and index of the value. See [`Tokens::new`](crate::Tokens::new).
    pub fn entry_after(&self, start_tag: &str, flags: &[(&'static str, u8)]) -> Option<Entry> {
        (self.entry_after)(start_tag, flags)
    }

    /// Creates a streaming tokenizer in the start state.
    pub fn tokenizer(&self) -> Box<dyn AnyTokenizer> {
        (self.tokenizer)()
    }

    /// Creates a parser of documents, or returns `None` if the dialect builds no trees.
    pub fn parser(&self, options: &Options) -> Option<Box<dyn AnyParser>> {
        self.trees.map(|trees| (trees.parser)(options, None))
    }

    /// Creates a parser of the contents of an element, or of documents if the dialect has no fragments. Returns `None`
    /// if the dialect builds no trees.
    pub fn fragment_parser(
        &self,
        context: &FragmentContext,
        options: &Options,
    ) -> Option<Box<dyn AnyParser>> {
        self.trees.map(|trees| (trees.parser)(options, Some(context)))
    }

    /// Returns the functions that parse markup into trees, or `None` if the dialect builds no trees.
    pub fn fragments(&self) -> Option<Fragments> {
        self.trees.map(|trees| trees.fragments)
    }
}

/// Counts the steps needed to build a tree from `chunks`, for tests of complexity: rows taken, bytes searched, loop
/// iterations, and nodes and attributes created. The second number counts only the nodes and attributes. Returns `None`
/// if the dialect builds no trees.
pub fn steps_of(
    dialect: &Dialect,
    options: &Options,
    context: Option<&FragmentContext>,
    chunks: &mut dyn Iterator<Item = &str>,
) -> Option<[u64; 2]> {
    dialect.trees.map(|trees| (trees.count_steps)(options, context, chunks))
}

impl fmt::Debug for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Dialect").field(&self.id).finish()
    }
}

fn entry_names<M: Machine>() -> Vec<&'static str> {
    let flags = M::FLAGS.iter().filter(|(_, stored)| stored.is_some());
    let values = flags.flat_map(|(values, _)| values.iter().copied());
    M::State::ALL.iter().map(|state| state.name()).chain(values).collect()
}

fn entry<M: Machine>(name: &str) -> Option<Entry> {
    if let Some(state) = M::State::find(name) {
        return Some(Entry::state::<M>(state));
    }
    let mut flags = (0..).zip(M::FLAGS).filter(|(_, (_, stored))| stored.is_some());
    flags.find_map(|(index, (values, _))| {
        let value = values.iter().position(|value| *value == name)?;
        Some(Entry::Flag(index, u8::try_from(value).ok()?))
    })
}

/// Declares an object-safe trait and implements it by methods of the same names, those with `&mut self` first. Methods
/// with `&self` have an expression for their result.
macro_rules! object_safe {
    (
        $(#[$trait_doc:meta])* {$($trait:tt)*} {$($type:tt)*}
        mut {$(
            $(#[$doc:meta])* fn $name:ident(&mut $self:ident $(, $argument:ident: $of:ty)*) $(-> $result:ty)?;
        )*}
        ref {$($(#[$ref_doc:meta])* fn $ref_name:ident(&$ref_self:ident) -> $ref_result:ty = $value:expr;)*}
    ) => {
        $(#[$trait_doc])*
        $($trait)* {
            $($(#[$doc])* fn $name(&mut $self $(, $argument: $of)*) $(-> $result)?;)*
            $($(#[$ref_doc])* fn $ref_name(&$ref_self) -> $ref_result;)*
        }

        $($type)* {
            $(fn $name(&mut $self $(, $argument: $of)*) $(-> $result)? { Self::$name($self $(, $argument)*) })*
            $(fn $ref_name(&$ref_self) -> $ref_result { $value })*
        }
    };
}

object_safe! {
    /// An object-safe [`Tokenizer`] of any dialect.
    {pub trait AnyTokenizer: fmt::Debug + Send}
    {impl<M: Machine> AnyTokenizer for Tokenizer<M> where Self: fmt::Debug + Send}
    mut {
        /// Tokenizes the next chunk.
        fn feed(&mut self, chunk: &str, sink: &mut dyn Sink) -> Progress;
        /// Continues tokenizing after a pause.
        fn resume(&mut self, sink: &mut dyn Sink) -> Progress;
        /// Tokenizes the rest of the input; call it again after [`Progress::Paused`].
        fn finish(&mut self, sink: &mut dyn Sink) -> Progress;
        /// Tokenizes the last or only chunk; after [`Progress::Paused`], call [`finish`](Self::finish).
        fn finish_with(&mut self, chunk: &str, sink: &mut dyn Sink) -> Progress;
        /// Switches to the state, or sets the flag to the value, that `entry` names. `entry` must come from the same
        /// dialect, because it holds indices into the dialect's table.
        fn enter(&mut self, entry: Entry);
        /// Sets the name of the last start tag, as for a fragment.
        fn set_last_start_tag(&mut self, name: &str);
        /// Keeps a byte order mark at the start of the input as a character, unless the table drops it; by default it is
        /// dropped.
        fn keep_byte_order_mark(&mut self);
        /// Sets the limits on tokens.
        fn set_limits(&mut self, limits: &Limits);
    }
    ref {
        /// Returns the events of limits reached so far.
        fn events(&self) -> Vec<Event> = Self::events(self).collect();
        /// Returns the name of the state that consumes the next character.
        fn state_name(&self) -> &'static str = self.state().name();
        /// Returns the number of bytes that were fed and are fully consumed.
        fn offset(&self) -> usize = Self::offset(self);
    }
}

object_safe! {
    /// An object-safe [`Parser`] of any dialect.
    {pub trait AnyParser: fmt::Debug + Send}
    {impl<D: Construction> AnyParser for Parser<D> where Self: fmt::Debug + Send}
    mut {
        /// Parses the next chunk of text.
        fn feed(&mut self, chunk: &str);
        /// Parses the next chunk of bytes.
        fn feed_bytes(&mut self, chunk: &[u8]);
        /// Parses the rest of the input, returns the result, and resets the parser.
        fn finish_and_reset(&mut self) -> Parsed;
        /// Parses a whole text and resets the parser.
        fn parse(&mut self, input: &str) -> Parsed;
        /// Parses the bytes of a whole input and resets the parser.
        fn parse_bytes(&mut self, bytes: &[u8]) -> Parsed;
        /// Reuses the memory of `tree` for the next tree.
        fn recycle(&mut self, tree: Tree);
    }
    ref {
        /// Whether parsing has ended early because of a limit; further input is ignored.
        fn has_ended(&self) -> bool = Self::has_ended(self);
    }
}

object_safe! {
    /// An object-safe [`Tokens`](crate::Tokens) of any dialect.
    {pub trait AnyTokens<'a>: Iterator<Item = Token<'a>>}
    {impl<'a, M: Machine> AnyTokens<'a> for TokenReader<'a, M, true>}
    mut {
        /// Makes the machine stop after each token other than a text, so that the state can be set between two tokens; see
        /// [`TokenReader::stop_after_each`].
        fn stop_after_each(&mut self);
        /// Switches to the state, or sets the flag to the value, that `entry` names. `entry` must come from the same
        /// dialect, because it holds indices into the dialect's table.
        fn enter(&mut self, entry: Entry);
        /// Sets the name of the last start tag, as for a fragment.
        fn set_last_start_tag(&mut self, name: &str);
        /// Returns the errors found since the last call.
        fn take_errors(&mut self) -> Vec<ParseError>;
    }
    ref {
        /// Returns the events of limits reached so far; the limits are the default ones.
        fn events(&self) -> Vec<Event> = Self::events(self).collect();
        /// Whether the end of the input was reached; `false` until all tokens have been read, and also if the machine
        /// refused the input.
        fn is_at_end(&self) -> bool = Self::is_at_end(self);
    }
}
