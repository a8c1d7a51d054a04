//! The interpreter: runs a machine over a whole text, one character at a time, by reading its rows as they are. It
//! lowers and optimises nothing, knows no chunks, and does not check tables (`check` does). Invariant: it ends, without
//! a panic, for every model and every input; generated code has to do what it does.
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
use tabulex_language::model::{FlagId, Machine, RowId, StateId};

mod action;
mod configuration;
mod declarations;
mod index;
mod input;
mod lexeme;
mod registers;
pub mod remembered;
mod run;
mod token;
pub mod tree;

pub use configuration::{Configuration, Pending};
pub use token::{Attribute, DeclaredField, Doctype, Error, Span, Tag, Token};

use index::{InputErrorIndex, StateIndex};
use run::Run;

/// What a run reports to its host, and what it asks. Every method has a default, so that a host names what it wants.
pub trait Host {
    /// A token was emitted. Text comes as it is emitted, in as many pieces.
    fn token(&mut self, token: Token) -> Control {
        let _ = token;
        Control::Continue
    }

    /// An error was found. Errors of the input stand among those of the rows by their start.
    fn error(&mut self, error: Error) {
        let _ = error;
    }

    /// The value of a flag that only the host sets: an index into [`tabulex_language::model::Flag::values`].
    fn flag(&mut self, flag: FlagId) -> u8 {
        let _ = flag;
        0
    }

    /// A row is about to be taken.
    fn row(&mut self, row: RowId) {
        let _ = row;
    }

    /// A row was taken, and all its actions are done.
    fn taken(&mut self, taken: &Taken<'_>) {
        let _ = taken;
    }

    /// The input is read to its end, and the row for that is about to be chosen; more than once where the row reconsumes.
    fn end_of_input(&mut self, configuration: &dyn Fn() -> Configuration) {
        let _ = configuration;
    }

    /// The machine goes from one state to another, by a switch, a call, a return or the host's wish.
    fn transition(&mut self, from: StateId, to: StateId) {
        let _ = (from, to);
    }
}

/// A row that was taken.
#[derive(Clone, Copy)]
pub struct Taken<'a> {
    /// The row.
    pub row: RowId,
    /// What the row looked at, in bytes of the input; empty where it looks at no input.
    pub looked: Span,
    /// What the machine remembers after it.
    pub configuration: &'a dyn Fn() -> Configuration,
}

impl fmt::Debug for Taken<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Taken")
            .field("row", &self.row)
            .field("looked", &self.looked)
            .finish_non_exhaustive()
    }
}

/// What the host wants when it was given a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// Nothing.
    #[default]
    Continue,
    /// This state is the next one, unless a later step of the same row switches.
    Switch(StateId),
    /// The flag, one that is set by host and rows, has the value of this index.
    SetFlag(FlagId, u8),
}

/// How a run begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The first state, one of the machine; its own first one if there is none.
    pub state: Option<StateId>,
    /// The name of the start tag that is taken for the last one that was emitted.
    pub last_start_tag: Option<String>,
    /// Values of flags that are set by host and rows; others have their initial ones.
    pub flags: Vec<(FlagId, u8)>,
    /// How much replacement text there may be; what the machine's table says if there is none.
    pub replacement_limits: Option<tabulex_language::model::ReplacementLimits>,
    /// Whether a byte order mark at the beginning of the input is a character, unless the table leaves it out.
    pub keeps_byte_order_mark: bool,
    /// Whether the machine goes on after start tags as rows of its modes say, as far as that is known without a tree.
    /// Flags of tree construction have their first values.
    pub switches: bool,
}

/// Why a run came to no end-of-file token. The checks accept no table for which that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// More steps were taken than the length of the input accounts for.
    Endless {
        /// The state at that moment.
        state: StateId,
        /// The byte offset at that moment.
        position: usize,
    },
    /// No row of the state takes what is next.
    NoRow {
        /// The state.
        state: StateId,
        /// The byte offset.
        position: usize,
    },
    /// An algorithm of trees asserts what does not hold.
    Asserted {
        /// The state at that moment.
        state: StateId,
        /// The byte offset at that moment.
        position: usize,
    },
    /// The state returns, but no state has called its procedure.
    NoCaller {
        /// The state.
        state: StateId,
        /// The byte offset.
        position: usize,
    },
}

impl fmt::Display for Stuck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, state, position) = match *self {
            Self::Endless { state, position } => ("the machine does not end", state, position),
            Self::Asserted { state, position } => {
                ("an algorithm asserts what does not hold", state, position)
            }
            Self::NoRow { state, position } => ("no row takes the input", state, position),
            Self::NoCaller { state, position } => {
                ("a procedure returns that was not called", state, position)
            }
        };
        write!(formatter, "{what} in state {} at byte {position}", state.0)
    }
}

impl std::error::Error for Stuck {}

/// A machine made ready for many runs.
#[derive(Debug)]
pub struct Interpreter<'m> {
    machine: &'m Machine,
    states: Vec<StateIndex>,
    lexemes: Vec<lexeme::Program>,
    input_errors: InputErrorIndex,
}

impl<'m> Interpreter<'m> {
    /// Reads the machine once.
    pub fn new(machine: &'m Machine) -> Self {
        let states = machine.state_ids().map(|id| StateIndex::new(machine, id)).collect();
        let lexemes = machine.lexemes.iter().map(lexeme::Program::new).collect();
        Self { machine, states, lexemes, input_errors: InputErrorIndex::new(machine) }
    }

    /// The machine that is run.
    pub fn machine(&self) -> &'m Machine {
        self.machine
    }

    /// Runs the machine over the whole input.
    ///
    /// # Errors
    /// Only for a table that the checks do not accept: see [`Stuck`].
    pub fn run(&self, input: &str, options: &Options, host: &mut dyn Host) -> Result<(), Stuck> {
        Run::new(self, input, options, host).run()
    }
}

/// Runs a machine once over the whole input. For many inputs, keep an [`Interpreter`].
///
/// # Errors
/// Only for a table that the checks do not accept: see [`Stuck`].
pub fn run(
    machine: &Machine,
    input: &str,
    options: &Options,
    host: &mut dyn Host,
) -> Result<(), Stuck> {
    Interpreter::new(machine).run(input, options, host)
}
