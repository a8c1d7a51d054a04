//! The model of a machine: what checks, compiler, interpreter, diff and pictures work on.
//! It is not the text of a table (`syntax`) and knows nothing of Rust code. Invariant: every id in a model names
//! something that the same model holds, and every set of characters is sorted and without overlaps.

#![deny(clippy::wildcard_enum_match_arm)]

pub mod token_steps;
pub mod tree;

pub use crate::character_set::CharacterSet;
pub use crate::syntax::{Note, NoteKind, Section, Span};

mod action;
mod declared;
mod encodings;
mod registers;
mod replacement;
mod step;
mod surroundings;

pub use action::{Action, Condition, Field, Goes, Register, Text, TokenFlag, TokenKind};
pub use declared::{DeclaredToken, FieldId, PushedStates, TokenId};
pub use encodings::Encodings;
pub use replacement::{EntityList, Limit, ReplacementLimits};
pub use step::Step;

/// Index of a state in [`Machine::states`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u16);

/// Index of an error code in [`Machine::errors`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ErrorId(pub u16);

/// Index of a flag in [`Machine::flags`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FlagId(pub u8);

/// Index of a procedure in [`Machine::procedures`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcedureId(pub u8);

/// Index of a lexeme in [`Machine::lexemes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LexemeId(pub u16);

/// A row: its state, and its index among the rows of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId {
    /// The state.
    pub state: StateId,
    /// Index in [`State::rows`].
    pub row: u16,
}

/// A tokenizer as a table describes it.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The id of the dialect.
    pub name: String,
    /// The document that the table is laid beside.
    pub document: String,
    /// Its address, to which the anchor of a section is added.
    pub address: Option<String>,
    /// The state in which the machine starts.
    pub start: StateId,
    /// States that the host may switch it to.
    pub entries: Vec<StateId>,
    /// Whether CR LF and a lone CR reach the states as LF.
    pub newlines_normalized: bool,
    /// Whether U+0000 reaches the states as U+FFFD.
    pub nulls_replaced: bool,
    /// Characters that are wrong wherever they are, with the code of the error.
    pub input_errors: Vec<InputError>,
    /// What is wrong about a token when it is emitted.
    pub emission_errors: Vec<EmissionError>,
    /// Named sets of characters.
    pub classes: Vec<Class>,
    /// Error codes.
    pub errors: Vec<ErrorCode>,
    /// Flags that are set whenever a token is emitted.
    pub emission_flags: Vec<EmissionFlag>,
    /// Finite flags, counters among them.
    pub flags: Vec<Flag>,
    /// Kinds of tokens that the table declares.
    pub tokens: Vec<DeclaredToken>,
    /// What is done with tokens besides rows.
    pub token_algorithms: Vec<token_steps::TokenAlgorithm>,
    /// The stack of states, if the table declares how deep it is.
    pub pushed_states: Option<PushedStates>,
    /// What determines the encoding of bytes.
    pub encodings: Option<Encodings>,
    /// Named character references.
    pub references: Option<References>,
    /// Lexical tokens.
    pub lexemes: Vec<Lexeme>,
    /// Whether a byte order mark at the beginning of the input is left out.
    pub byte_order_mark_dropped: bool,
    /// How much replacement text there may be.
    pub replacement_limits: ReplacementLimits,
    /// Sub-machines that are called and return a result.
    pub procedures: Vec<Procedure>,
    /// All states, those of procedures included, in the table's order; a table may hold tree construction alone.
    pub states: Vec<State>,
    /// Tree construction, if the table has modes.
    pub construction: Option<tree::Construction>,
}

/// Characters that are wrong wherever they are in the input.
#[derive(Clone, Debug)]
pub struct InputError {
    /// The characters.
    pub characters: CharacterSet,
    /// The code.
    pub error: ErrorId,
    /// Where it is declared.
    pub span: Span,
}

/// What is wrong about a token when it is emitted.
#[derive(Clone, Debug)]
pub struct EmissionError {
    /// The kind of token.
    pub token: TokenKind,
    /// What it has and should not have.
    pub with: Excess,
    /// The code.
    pub error: ErrorId,
    /// Where it is declared.
    pub span: Span,
}

/// A flag that is set whenever a token is emitted, before the token is handed over.
#[derive(Clone, Debug)]
pub struct EmissionFlag {
    /// The kind of token.
    pub token: TokenKind,
    /// The flag.
    pub flag: FlagId,
    /// The index of its value.
    pub value: u8,
    /// Where it is declared.
    pub span: Span,
}

/// What a token may have and should not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// At least one attribute.
    Attributes,
    /// The self-closing flag.
    SelfClosing,
    /// Declared attributes that it did not get, because they would have been too much replacement text.
    DeclaredAttributes,
}

/// A set of characters with a name.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// What comments of three slashes above it say, in Markdown.
    pub doc: String,
    /// Its members.
    pub characters: CharacterSet,
}

/// A code that rows may report.
#[derive(Clone, Debug)]
pub struct ErrorCode {
    /// The code, in kebab case.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Whether the host reports it, if anybody does.
    pub by_host: bool,
}

/// A finite flag.
#[derive(Clone, Debug)]
pub struct Flag {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// Its values, the initial one first.
    pub values: Vec<String>,
    /// Whether the host sets it.
    pub by_host: bool,
    /// Whether rows set it; a flag that only the host sets is asked of the host.
    pub by_rows: bool,
    /// Of a counter, whose values are the numbers from 0 on: the error where it cannot grow.
    pub counter: Option<ErrorId>,
}

impl Flag {
    /// Whether only the host knows the flag, so that each condition asks it.
    pub fn is_asked_of_host(&self) -> bool {
        self.by_host && !self.by_rows
    }
}

/// Named character references.
#[derive(Clone, Debug)]
pub struct References {
    /// The file that holds them, beside the table.
    pub file: String,
    /// Names without the ampersand, sorted by bytes, each with the characters that it stands for.
    pub entries: Vec<(String, String)>,
    /// Where the file is named.
    pub span: Span,
}

/// A lexical token.
#[derive(Clone, Debug)]
pub struct Lexeme {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// What it matches.
    pub expression: Expression,
    /// What must follow, without being part of it.
    pub ahead: Option<Expression>,
    /// The number of its data.
    pub data: u8,
}

/// A regular expression, names replaced by what they stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// One of these characters.
    Characters(CharacterSet),
    /// One after the other; without any, nothing.
    Sequence(Vec<Expression>),
    /// One of them.
    Alternatives(Vec<Expression>),
    /// More or less than once.
    Repeated {
        /// What.
        inner: Box<Expression>,
        /// Whether it must stand once.
        at_least_once: bool,
        /// Whether it may stand more than once.
        many: bool,
    },
    /// The data of this index.
    Data(u8, Box<Expression>),
}

/// A sub-machine that is called and returns a result.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// Where the document describes it.
    pub section: Option<Section>,
    /// The state that it starts in.
    pub start: StateId,
}

/// A state and its rows.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name, in kebab case.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// What comments of three slashes above it say, in Markdown.
    pub doc: String,
    /// Where the document describes it.
    pub section: Option<Section>,
    /// The procedure that the state is part of.
    pub procedure: Option<ProcedureId>,
    /// What the rows look at.
    pub subject: Subject,
    /// Actions at every switch into the state.
    pub enter: Vec<Spanned<Action>>,
    /// Actions at every switch out of the state.
    pub leave: Vec<Spanned<Action>>,
    /// The rows in the table's order.
    pub rows: Vec<Row>,
}

pub use crate::syntax::Spanned;

/// What the rows of a state look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The next input character, which the row consumes unless it reconsumes.
    Input,
    /// The result of a procedure, which is called when the state is entered.
    Result(ProcedureId),
    /// The character reference code.
    Number,
    /// Nothing: the one row is always taken.
    Always,
    /// The longest lexical token ahead; this one stands for the `else` row.
    Lexemes(LexemeId),
}

/// A row of a state.
#[derive(Clone, Debug)]
pub struct Row {
    /// From the first pattern to the last step.
    pub span: Span,
    /// The row as the table writes it.
    pub text: String,
    /// What comments of three slashes above it say, in Markdown.
    pub doc: String,
    /// The alternatives.
    pub patterns: Vec<Spanned<Pattern>>,
    /// The condition under which the row counts.
    pub guard: Option<Spanned<Condition>>,
    /// How the row relates to the document, where not simply equal.
    pub notes: Vec<Note>,
    /// What is done.
    pub steps: Vec<Step>,
}

/// One alternative of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One of the characters stands next.
    Characters(CharacterSet),
    /// The additional allowed character stands next, if there is one.
    AdditionalAllowedCharacter,
    /// The string stands next.
    Text {
        /// The string; never empty.
        text: String,
        /// Whether ASCII letters match in either case.
        ignoring_case: bool,
    },
    /// A named character reference stands next; the longest one is consumed.
    Reference,
    /// The lexical token stands next; in a lexical mode, the longest one is consumed, the first among equals.
    Lexeme(LexemeId),
    /// The input is at its end.
    EndOfFile,
    /// Any character that no other row takes.
    Else,
    /// The procedure returned nothing.
    Nothing,
    /// The procedure returned characters.
    Returned,
    /// The number lies between the two, both included.
    Numbers(u32, u32),
    /// The row of a state that looks at nothing.
    Always,
}

impl Machine {
    /// The address of a section of the document, if the table gives that of the document and the section has an anchor.
    pub fn link(&self, section: &Section) -> Option<String> {
        // Brackets would end a link where it is shown.
        let anchor = section.anchor.as_ref()?.replace('(', "%28").replace(')', "%29");
        Some(format!("{}#{anchor}", self.address.as_ref()?))
    }

    /// The state of this id.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[usize::from(id.0)]
    }

    /// The ids of all states, in the table's order.
    pub fn state_ids(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.states.len() as u16).map(StateId)
    }

    /// The state of this name.
    pub fn find_state(&self, name: &str) -> Option<StateId> {
        self.states.iter().position(|state| state.name == name).map(|index| StateId(index as u16))
    }

    /// The state that the document calls by this name: "RCDATA state" is `rcdata`.
    pub fn find_document_state(&self, name: &str) -> Option<StateId> {
        self.find_state(&kebab_case(name))
    }

    /// The row of this id.
    pub fn row(&self, id: RowId) -> &Row {
        &self.state(id.state).rows[usize::from(id.row)]
    }

    /// Whether the state has a row that emits the current character and stays, so that each of its characters is
    /// content of its own: the source range of the next token then begins with the character that is consumed here.
    /// A state that still owes characters, which were consumed on the way to it, is none: the range begins with them.
    pub fn is_content_state(&self, id: StateId) -> bool {
        let state = self.state(id);
        state.looks_at_input()
            && state.rows.iter().any(Row::emits_current_and_stays)
            && !state.rows.iter().any(Row::emits_what_is_owed)
    }

    /// The fields to which the state adds the current character and stays. Switching to such a state opens the field:
    /// its source range begins there.
    pub fn fields_opened_by(&self, id: StateId) -> Vec<Field> {
        let mut fields: Vec<Field> =
            self.state(id).rows.iter().filter_map(Row::field_of_run).collect();
        fields.dedup();
        fields
    }
}

impl State {
    /// Whether the rows consume input: characters or lexical tokens.
    pub fn looks_at_input(&self) -> bool {
        matches!(self.subject, Subject::Input | Subject::Lexemes(_))
    }
}

impl Machine {
    /// The lexeme of this id.
    pub fn lexeme(&self, id: LexemeId) -> &Lexeme {
        &self.lexemes[usize::from(id.0)]
    }
}

impl Lexeme {
    /// The characters of a lexeme that is always one character with nothing ahead.
    pub fn single_character(&self) -> Option<&CharacterSet> {
        let Expression::Characters(set) = &self.expression else { return None };
        self.ahead.is_none().then_some(set)
    }
}

impl Expression {
    /// Whether it matches nothing, too.
    pub fn can_be_empty(&self) -> bool {
        match self {
            Self::Characters(_) => false,
            Self::Sequence(parts) => parts.iter().all(Self::can_be_empty),
            Self::Alternatives(parts) => parts.iter().any(Self::can_be_empty),
            Self::Repeated { inner, at_least_once, .. } => !at_least_once || inner.can_be_empty(),
            Self::Data(_, inner) => inner.can_be_empty(),
        }
    }

    /// The characters with which it can begin.
    pub fn first_characters(&self) -> CharacterSet {
        let mut set = CharacterSet::default();
        match self {
            Self::Characters(characters) => set = characters.clone(),
            Self::Sequence(parts) => {
                for part in parts {
                    set.insert_all(&part.first_characters());
                    if !part.can_be_empty() {
                        break;
                    }
                }
            }
            Self::Alternatives(parts) => {
                parts.iter().for_each(|part| set.insert_all(&part.first_characters()));
            }
            Self::Repeated { inner, .. } | Self::Data(_, inner) => set = inner.first_characters(),
        }
        set
    }
}

impl Row {
    /// Whether the row does nothing but emit the current character.
    pub fn emits_current_and_stays(&self) -> bool {
        matches!(self.only_action(), Some(Action::EmitText(Text::Current)))
    }

    /// Whether the row emits a text that it names before the current character, which is emitted or consumed again: the
    /// text stands for characters that were consumed before.
    fn emits_what_is_owed(&self) -> bool {
        fn action(step: &Step) -> Option<&Action> {
            if let Step::Action(action) = step { Some(&action.value) } else { None }
        }
        let is_named =
            |step: &&Step| matches!(action(step), Some(Action::EmitText(Text::Literal(_))));
        let is_current = |step: &Step| {
            matches!(action(step), Some(Action::EmitText(Text::Current) | Action::Reconsume))
        };
        let mut after = self.steps.iter();
        after.find(is_named).is_some() && after.any(is_current)
    }

    /// The field to which the row adds the current character, doing nothing else.
    pub fn field_of_run(&self) -> Option<Field> {
        let Action::Append(Text::Current, field) = self.only_action()? else { return None };
        Some(*field)
    }

    /// What the row does, if that is one action; `ignore` beside it does nothing.
    fn only_action(&self) -> Option<&Action> {
        let is_ignored =
            |step: &&Step| matches!(step, Step::Action(action) if action.value == Action::Ignore);
        let mut steps = self.steps.iter().filter(|step| !is_ignored(step));
        match (steps.next(), steps.next()) {
            (Some(Step::Action(action)), None) => Some(&action.value),
            _ => None,
        }
    }
}

/// The document's name of a state as the tables write it: lower case, words joined by hyphens, brackets and the word
/// "state" left out.
pub fn kebab_case(document_name: &str) -> String {
    let lower = document_name.trim().to_lowercase();
    let name = lower.strip_suffix(" state").unwrap_or(&lower);
    let words = name.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}
