//! Interprets machines: runs the rows of a machine over a whole text, one character at a time, without lowering,
//! optimization or chunks. Generated code must behave identically. Every run terminates without a panic, also for
//! models that the checks reject.
//!
//! ```
//! use tabulex_oracle::interpreter::{Control, Host, Interpreter, Options, Token};
//!
//! #[derive(Default)]
//! struct Texts(String);
//! impl Host for Texts {
//!     fn token(&mut self, token: Token) -> Control {
//!         if let Token::Text { text, .. } = token {
//!             self.0.push_str(&text);
//!         }
//!         Control::Continue
//!     }
//! }
//!
//! let table = r#"machine! {
//!     name twice;
//!     start data;
//!     newlines normalized;
//!     state data { EOF => emit end-of-file; 'a' => emit "aa"; else => emit current; }
//! }"#;
//! let source = tabulex_language::Source::new("twice.states", table);
//! let machine = tabulex_language::load(&source, &|_| None).machine.unwrap();
//! let mut texts = Texts::default();
//! Interpreter::new(&machine).run("ab\r\n", &Options::default(), &mut texts).unwrap();
//! assert_eq!(texts.0, "aab\n");
//! ```

#![deny(clippy::wildcard_enum_match_arm)]

use std::fmt;
use tabulex_language::model::tree::FeedbackEffect;
use tabulex_language::model::{FlagId, Machine, RowId, StateId};

mod action;
mod configuration;
mod declarations;
mod input;
mod lexeme;
mod registers;
mod removal;
mod run;
mod token;
pub mod trace;
pub mod tree;

pub use configuration::{Configuration, Pending};
pub use token::{Attribute, DeclaredField, Doctype, Error, Span, Tag, Token};

use run::Run;
use tree::TreeBuilder;

/// Receives a run's reports and answers its queries. Every method has a default.
pub trait Host {
    /// Receives an emitted token. Each emission of text is a separate token, so adjacent texts are not joined.
    fn token(&mut self, token: Token) -> Control {
        let _ = token;
        Control::Continue
    }

    /// Receives an error. The error of an input character arrives before each error of a row whose range includes or
    /// follows that character.
    fn error(&mut self, error: Error) {
        let _ = error;
    }

    /// Returns the current value of a flag that only the host sets, as an index into
    /// [`tabulex_language::model::Flag::values`]; `None` for the value in [`Options::flags`].
    fn flag(&mut self, flag: FlagId) -> Option<u8> {
        let _ = flag;
        None
    }

    /// Applies the host's function with this name to a text. Returns `None` if the function fails or does not exist.
    fn convert(&mut self, function: &str, text: &str) -> Option<String> {
        let _ = (function, text);
        None
    }

    /// Called before a row runs.
    fn before_row(&mut self, row: RowId) {
        let _ = row;
    }

    /// Called before a row runs in a run over the text of a field.
    fn before_inner_row(&mut self, row: RowId) {
        let _ = row;
    }

    /// Called after a row has run all its actions.
    fn after_row(&mut self, completed: &CompletedRow<'_>) {
        let _ = completed;
    }

    /// Called at the end of the input, before the row for `EOF` is chosen; called again if the run then chooses another
    /// row there.
    fn end_of_input(&mut self, configuration: &dyn Fn() -> Configuration) {
        let _ = configuration;
    }

    /// Whether tree construction records the steps of algorithms.
    fn traces_steps(&self) -> bool {
        false
    }

    /// Called after tree construction has processed a token.
    fn after_token(&mut self, builder: &TreeBuilder<'_>) {
        let _ = builder;
    }
}

/// Ignores all reports.
impl Host for () {}

/// A row that has been run.
#[derive(Clone, Copy)]
pub struct CompletedRow<'a> {
    /// Id of the row.
    pub row: RowId,
    /// Byte range of the input that the row matched; empty if the row matches no input.
    pub matched: Span,
    /// Returns the machine's configuration after the row.
    pub configuration: &'a dyn Fn() -> Configuration,
}

impl fmt::Debug for CompletedRow<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CompletedRow")
            .field("row", &self.row)
            .field("matched", &self.matched)
            .finish_non_exhaustive()
    }
}

/// The host's request after a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// Makes no request.
    #[default]
    Continue,
    /// Makes this state the next one, unless a later step of the row switches.
    Switch(StateId),
    /// Sets a flag that both host and rows may set to the value with this index.
    SetFlag(FlagId, u8),
}

impl From<FeedbackEffect> for Control {
    fn from(effect: FeedbackEffect) -> Self {
        match effect {
            FeedbackEffect::Switch(state) => Self::Switch(state),
            FeedbackEffect::SetFlag(flag, value) => Self::SetFlag(flag, value),
        }
    }
}

/// Options of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Initial state; `None` for the machine's start state.
    pub state: Option<StateId>,
    /// Name of a start tag that counts as the last one emitted, if any.
    pub last_start_tag: Option<String>,
    /// Flags that the host sets, each with the index of its initial value; all other flags have their first values.
    pub flags: Vec<(FlagId, u8)>,
    /// Tokens that the host creates before the run: the name of the kind, and the fields, `None` for a missing one.
    pub given: Vec<(String, Vec<Option<String>>)>,
    /// Whether a byte order mark at the start of the input is kept as a character, unless the table drops it.
    pub keeps_byte_order_mark: bool,
    /// Whether the machine switches its state after start tags as its modes would request. Only requests that do not
    /// depend on the tree are followed; flags of tree construction count as having their initial values.
    pub switches: bool,
}

/// The end of a run that got stuck, without an end-of-file token. The checks reject every tokenizer for which this
/// happens, but not every endless loop or failing assertion of tree construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Reason why the run ended.
    pub reason: StuckReason,
    /// State in which the run ended.
    pub state: StateId,
    /// Byte offset in the input at which the run ended.
    pub position: usize,
}

/// A reason why a run got stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StuckReason {
    /// The run exceeded a limit on the number of rows, of passes over a token, or of steps of an algorithm.
    Endless,
    /// No row of the state matches the input.
    NoRow,
    /// An assertion in an algorithm of tree construction failed.
    Asserted,
    /// A row returned from a procedure that was not called.
    NoCaller,
}

impl fmt::Display for Stuck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            StuckReason::Endless => "the machine does not terminate",
            StuckReason::Asserted => "an assertion of an algorithm fails",
            StuckReason::NoRow => "no row matches the input",
            StuckReason::NoCaller => "a procedure returns without a caller",
        };
        write!(formatter, "{reason} in state {} at byte {}", self.state.0, self.position)
    }
}

impl std::error::Error for Stuck {}

/// A machine prepared for runs.
#[derive(Debug)]
pub struct Interpreter<'m> {
    machine: &'m Machine,
    /// For each state, whether it is a content state.
    content_states: Vec<bool>,
}

impl<'m> Interpreter<'m> {
    /// Prepares a machine for runs.
    pub fn new(machine: &'m Machine) -> Self {
        let content_states = machine.state_ids().map(|id| machine.is_content_state(id)).collect();
        Self { machine, content_states }
    }

    /// Returns the interpreted machine.
    pub fn machine(&self) -> &'m Machine {
        self.machine
    }

    /// Returns the ids of the machine's flags among these, which are given by name, with the indices of their values.
    pub fn flag_ids(&self, named: &[(String, u8)]) -> Vec<(FlagId, u8)> {
        let flags = self.machine.flags.iter().zip(0..);
        let ids = flags.flat_map(|(flag, id)| {
            let settings = named.iter().filter(move |(name, _)| *name == flag.name);
            settings.map(move |(_, value)| (FlagId(id), *value))
        });
        ids.collect()
    }

    /// Runs the machine over the whole input.
    ///
    /// # Errors
    /// Returns an error only for a table that the checks reject; see [`Stuck`].
    pub fn run(&self, input: &str, options: &Options, host: &mut dyn Host) -> Result<(), Stuck> {
        // A run from a given state trims nothing. It also removes nothing, because its input (a field's text, or a
        // test) has already been filtered, unless the host gives tokens: then the input is new.
        let removes = !self.machine.removed.is_empty() || !self.machine.trimmed.is_empty();
        let trims = options.state.is_none();
        let filtered = (removes && (trims || !options.given.is_empty()))
            .then(|| removal::remove(self.machine, input, trims, host));
        let text = filtered.as_ref().map_or(input, |filtered| &filtered.text);
        Run::new(self, text, filtered.as_ref(), options, host).run()
    }
}
