//! The model of a machine, on which checks, compiler, interpreter, diff and diagrams work. Every id in a model refers
//! to an element of that model.

#![deny(clippy::wildcard_enum_match_arm)]

/// Declares ids: indexes in lists of the model.
macro_rules! ids {
    ($($name:ident($type:ty) $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(pub $type);
        )*
    };
}

pub mod tree;

pub use crate::character_set::{CharacterSet, partition};
pub use crate::syntax::{Note, NoteKind, Section, Span};
pub use crate::vocabulary::{Action, Condition, Excess};

mod action;
mod declared;
mod effects;
mod encodings;
mod replacement;
mod step;
mod surroundings;

pub use action::{Edit, Field, Register, Text, TokenFlag, TokenKind, Transfer};
pub use declared::{DeclaredToken, FieldId, PushedStates};
pub use effects::{ActionEffects, ChangedValue};
pub use encodings::Encodings;
pub use replacement::{EntityList, Limit, ReplacementLimits};
pub use step::Step;

ids! {
    StateId(u16) "Index of a state in [`Machine::states`].";
    ErrorId(u16) "Index of an error code in [`Machine::errors`].";
    FlagId(u8) "Index of a flag in [`Machine::flags`].";
    ProcedureId(u8) "Index of a procedure in [`Machine::procedures`].";
    TokenId(u8) "Index of a declared kind of token in [`Machine::tokens`].";
    LexemeId(u16) "Index of a lexeme in [`Machine::lexemes`].";
}

/// Identifies a row: its state, and its index in that state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId {
    /// State that the row belongs to.
    pub state: StateId,
    /// Index in [`State::rows`].
    pub row: u16,
}

/// The model of a table: a tokenizer, and tree construction if the table has modes.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// Id of the dialect.
    pub name: String,
    /// Title of the document that the table follows; empty if the table names none.
    pub document: String,
    /// Address of the document, without a fragment, if the table gives one.
    pub address: Option<String>,
    /// Initial state.
    pub start: StateId,
    /// States that the host may select.
    pub entries: Vec<StateId>,
    /// Whether the states read CR LF and CR as LF.
    pub newlines_normalized: bool,
    /// Whether the states read U+0000 as U+FFFD.
    pub nulls_replaced: bool,
    /// Characters that are errors anywhere in the input.
    pub input_errors: Vec<InputError>,
    /// Characters that are reported and removed wherever they occur in the input.
    pub removed: Vec<InputError>,
    /// Characters that are reported and removed at the beginning and end of the input.
    pub trimmed: Vec<InputError>,
    /// Errors reported when a token is emitted.
    pub emission_errors: Vec<EmissionError>,
    /// Named sets of characters.
    pub classes: Vec<Class>,
    /// Error codes.
    pub errors: Vec<ErrorCode>,
    /// Flags set whenever a token is emitted.
    pub emission_flags: Vec<EmissionFlag>,
    /// Flags with finite sets of values, including counters.
    pub flags: Vec<Flag>,
    /// Kinds of tokens declared by the table.
    pub tokens: Vec<DeclaredToken>,
    /// Stack of states, if declared.
    pub pushed_states: Option<PushedStates>,
    /// Detection of the character encoding of the input, if declared.
    pub encodings: Option<Encodings>,
    /// Named character references, if declared: the names without the ampersand, sorted by bytes, each with its
    /// replacement characters.
    pub references: Option<Vec<(String, String)>>,
    /// Lexemes, which are kinds of lexical tokens.
    pub lexemes: Vec<Lexeme>,
    /// Whether a byte order mark at the start of the input is dropped.
    pub byte_order_mark_dropped: bool,
    /// Limits of replacement text.
    pub replacement_limits: ReplacementLimits,
    /// Procedures, which are sub-machines that states call.
    pub procedures: Vec<Procedure>,
    /// States, including those of procedures, in table order; empty if the table has tree construction only.
    pub states: Vec<State>,
    /// Tree construction, if the table has modes.
    pub construction: Option<tree::Construction>,
}

/// A set of characters whose occurrence in the input is an error.
#[derive(Clone, Debug)]
pub struct InputError {
    /// Set of characters.
    pub characters: CharacterSet,
    /// Code of the error.
    pub error: ErrorId,
}

/// An error reported when a token is emitted with a part that it should not have.
#[derive(Clone, Debug)]
pub struct EmissionError {
    /// Kind of token.
    pub token: TokenKind,
    /// Part that the token should not have.
    pub with: Excess,
    /// Code of the error.
    pub error: ErrorId,
}

/// A flag that is set whenever a token of one kind is emitted, before the token reaches the sink.
#[derive(Clone, Debug)]
pub struct EmissionFlag {
    /// Kind of token.
    pub token: TokenKind,
    /// Flag to set.
    pub flag: FlagId,
    /// Index of the flag's new value.
    pub value: u8,
    /// Span of the declaration.
    pub span: Span,
}

/// A named set of characters.
#[derive(Clone, Debug)]
pub struct Class {
    /// Name of the class.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Doc comment, in Markdown; empty if there is none.
    pub doc: String,
    /// Members of the class.
    pub characters: CharacterSet,
}

/// An error code that the table declares.
#[derive(Clone, Debug, Default)]
pub struct ErrorCode {
    /// Code in kebab case.
    pub name: String,
    /// Span of the declaration.
    pub span: Span,
    /// Whether the host reports the error rather than the table.
    pub by_host: bool,
}

impl ErrorCode {
    /// The code of an error that a document does not name. It equals every code.
    pub const UNNAMED: &str = "unnamed";
}

/// A flag with a finite set of values, of states or of tree construction.
#[derive(Clone, Debug, Default)]
pub struct Flag {
    /// Name of the flag.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Values, the initial one first.
    pub values: Vec<String>,
    /// Whether the host sets the flag. For a flag of tree construction, the host sets only the initial value.
    pub by_host: bool,
    /// Whether rows set the flag. A flag of states that only the host sets is queried from the host.
    pub by_rows: bool,
    /// Error reported in place of incrementing the counter beyond its maximum; `None` for a flag that is not a counter.
    /// Counters count from 0.
    pub counter: Option<ErrorId>,
}

impl Flag {
    /// Whether only the host sets this flag of states, so that each condition queries the host.
    pub fn is_queried_from_host(&self) -> bool {
        self.by_host && !self.by_rows
    }
}

/// A lexeme: a kind of lexical token.
#[derive(Clone, Debug)]
pub struct Lexeme {
    /// Name of the lexeme.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Expression that the lexeme matches.
    pub expression: LexemeExpression,
    /// Required look-ahead, which is not part of the match; `None` if the lexeme requires none.
    pub ahead: Option<LexemeExpression>,
    /// Number of captures, which become the data of the lexical token.
    pub data: u8,
}

/// A regular expression in which names have been replaced by their definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LexemeExpression {
    /// A character of a set.
    Characters(CharacterSet),
    /// Concatenation of the parts; without parts, it matches the empty text.
    Sequence(Vec<LexemeExpression>),
    /// Choice between alternatives.
    Alternatives(Vec<LexemeExpression>),
    /// Repetition of an expression.
    Repeated {
        /// Repeated expression.
        inner: Box<LexemeExpression>,
        /// Whether at least one repetition is required.
        at_least_once: bool,
        /// Whether more than one repetition is allowed.
        many: bool,
    },
    /// Capture with this index, which becomes data of the lexical token.
    Data(u8, Box<LexemeExpression>),
}

/// A sub-machine that is called and returns a result.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Name of the procedure.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Section of the document that describes the procedure, if the table names one.
    pub section: Option<Section>,
    /// Start state of the procedure.
    pub start: StateId,
}

/// A state and its rows.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Name in kebab case.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Doc comment, in Markdown; empty if there is none.
    pub doc: String,
    /// Section of the document that describes the state, if the table names one.
    pub section: Option<Section>,
    /// Procedure to which the state belongs, if any.
    pub procedure: Option<ProcedureId>,
    /// Subject that the rows match.
    pub subject: Subject,
    /// Actions run when a row switches to the state from another state.
    pub enter: Vec<Spanned<Action>>,
    /// Actions run when a row switches to another state or returns from a procedure, before the row's own actions.
    pub leave: Vec<Spanned<Action>>,
    /// Rows in table order.
    pub rows: Vec<Row>,
}

pub use crate::syntax::Spanned;

/// The subject that the rows of a state match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The next input character, which the matching row consumes or reconsumes.
    #[default]
    Input,
    /// Result of a procedure, which the state calls before it chooses a row.
    Result(ProcedureId),
    /// The standard's "character reference code".
    Number,
    /// No subject: guards alone decide which row applies.
    Always,
    /// The longest lexical token ahead. If no row's lexeme matches, the given lexeme does, and the `else` row runs.
    Lexemes(LexemeId),
}

/// A row of a state. With other type parameters, a row of a mode ([`tree::ModeRow`]), or of `reset` or `fragment`
/// ([`tree::ElementRow`]).
#[derive(Clone, Debug)]
pub struct Row<P = Spanned<Pattern>, A = Action, C = Condition> {
    /// Range from the first pattern to the last step.
    pub span: Span,
    /// Source text of the row.
    pub text: String,
    /// Doc comment, in Markdown; empty if there is none.
    pub doc: String,
    /// Alternative patterns of the row, one of which must match; an `else` row of `reset` has none.
    pub patterns: Vec<P>,
    /// Condition that must hold, besides a pattern, for the row to apply; `None` if the patterns alone decide.
    pub guard: Option<Spanned<C>>,
    /// Notes on differences from the document.
    pub notes: Vec<Note>,
    /// Steps of the row.
    pub steps: Vec<Step<A, C>>,
}

impl<P, A, C> Row<P, A, C> {
    /// Returns the guard and the conditions of all branches.
    pub fn conditions(&self) -> impl Iterator<Item = &C> {
        self.guard.iter().map(|guard| &guard.value).chain(Step::conditions(&self.steps))
    }
}

impl<P: PartialEq, A, C> Row<Spanned<P>, A, C> {
    /// Whether the pattern is one of the row's alternatives.
    pub fn has_pattern(&self, pattern: &P) -> bool {
        self.patterns.iter().any(|other| other.value == *pattern)
    }
}

/// An alternative of a row in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// The next character is in the set.
    Characters(CharacterSet),
    /// The next character is the additional allowed character, if that is set.
    AdditionalAllowedCharacter,
    /// The string comes next.
    Text {
        /// The string; never empty.
        text: String,
        /// Whether ASCII letters match case-insensitively.
        ignoring_case: bool,
    },
    /// A named character reference comes next; the longest one is consumed.
    Reference,
    /// The lexical token comes next. A lexical mode consumes the longest one, and the first among equally long ones.
    Lexeme(LexemeId),
    /// The end of the input.
    EndOfFile,
    /// Any character or number that no other row matches; in a lexical mode, the lexeme that the mode declares for
    /// `else`.
    Else,
    /// The procedure returned nothing.
    Nothing,
    /// The procedure returned characters.
    Returned,
    /// The character reference code lies between the two numbers, both included.
    Numbers(u32, u32),
    /// Always matches, in a state without a subject.
    Always,
}

impl Machine {
    /// Returns the address of a section, if the table has the document's address and the section has an anchor.
    pub fn link(&self, section: &Section) -> Option<String> {
        // Parentheses could end a Markdown link, so they are escaped.
        let anchor = section.anchor.as_ref()?.replace('(', "%28").replace(')', "%29");
        Some(format!("{}#{anchor}", self.address.as_ref()?))
    }

    /// Returns the state with this id.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[usize::from(id.0)]
    }

    /// Returns the ids of all states, in table order.
    pub fn state_ids(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.states.len() as u16).map(StateId)
    }

    /// Returns the start state of the procedure that the state calls when it is entered, or `None` if it calls none.
    pub fn called_start(&self, id: StateId) -> Option<StateId> {
        let Subject::Result(procedure) = self.state(id).subject else { return None };
        Some(self.procedures[usize::from(procedure.0)].start)
    }

    /// Returns the id of the state with this name; `None` if there is none.
    pub fn find_state(&self, name: &str) -> Option<StateId> {
        self.states.iter().position(|state| state.name == name).map(|index| StateId(index as u16))
    }

    /// Returns the id of the state to which the document gives this name, if there is one: "RCDATA state" finds
    /// `rcdata`.
    pub fn find_document_state(&self, name: &str) -> Option<StateId> {
        self.find_state(&kebab_case(name))
    }

    /// Returns the ids of the rows of all states, in table order.
    pub fn row_ids(&self) -> impl Iterator<Item = RowId> {
        self.state_ids().flat_map(move |state| {
            (0..self.state(state).rows.len() as u16).map(move |row| RowId { state, row })
        })
    }

    /// Returns the row with this id.
    pub fn row(&self, id: RowId) -> &Row {
        &self.state(id.state).rows[usize::from(id.row)]
    }

    /// Whether a row of the state emits the current character and stays in the state, so that the source range of the
    /// next token begins with a character that the state consumes. False if the state still has to emit characters that
    /// were consumed before it, because the range begins with those.
    pub fn is_content_state(&self, id: StateId) -> bool {
        let state = self.state(id);
        state.consumes_input()
            && state.rows.iter().any(Row::emits_current_and_stays)
            && !state.rows.iter().any(Row::emits_pending_text)
    }

    /// Returns the fields to which rows of the state append the current character without leaving the state. Switching
    /// to the state starts the source ranges of these fields.
    pub fn fields_opened_by(&self, id: StateId) -> Vec<Field> {
        let mut fields: Vec<Field> =
            self.state(id).rows.iter().filter_map(Row::bulk_field).collect();
        fields.dedup();
        fields
    }
}

impl State {
    /// Whether the rows consume input: characters or lexical tokens.
    pub fn consumes_input(&self) -> bool {
        matches!(self.subject, Subject::Input | Subject::Lexemes(_))
    }
}

impl Machine {
    /// Returns the lexeme with this id.
    pub fn lexeme(&self, id: LexemeId) -> &Lexeme {
        &self.lexemes[usize::from(id.0)]
    }
}

impl Lexeme {
    /// Returns the character set of a lexeme that always matches exactly one character, without look-ahead; `None` for
    /// other lexemes.
    pub fn single_character(&self) -> Option<&CharacterSet> {
        let LexemeExpression::Characters(set) = &self.expression else { return None };
        self.ahead.is_none().then_some(set)
    }
}

impl LexemeExpression {
    /// Whether the expression matches the empty text.
    pub fn can_be_empty(&self) -> bool {
        match self {
            Self::Characters(_) => false,
            Self::Sequence(parts) => parts.iter().all(Self::can_be_empty),
            Self::Alternatives(parts) => parts.iter().any(Self::can_be_empty),
            Self::Repeated { inner, at_least_once, .. } => !at_least_once || inner.can_be_empty(),
            Self::Data(_, inner) => inner.can_be_empty(),
        }
    }

    /// Returns the texts that the expression matches; `None` if there are more than `limit`.
    pub fn texts(&self, limit: usize) -> Option<Vec<String>> {
        let texts: Vec<String> = match self {
            Self::Characters(set) => {
                let characters = set.ranges().iter().flat_map(|&(first, last)| first..=last);
                characters.take(limit + 1).map(String::from).collect()
            }
            Self::Sequence(parts) => {
                let mut texts = vec![String::new()];
                for part in parts {
                    let ends = part.texts(limit)?;
                    let continued = |text: String| {
                        ends.iter().map(move |end| format!("{text}{end}")).collect::<Vec<_>>()
                    };
                    texts = texts.into_iter().flat_map(continued).take(limit + 1).collect();
                }
                texts
            }
            Self::Alternatives(parts) => {
                let texts: Option<Vec<_>> = parts.iter().map(|part| part.texts(limit)).collect();
                texts?.concat()
            }
            Self::Repeated { .. } => return None,
            Self::Data(_, inner) => inner.texts(limit)?,
        };
        (texts.len() <= limit).then_some(texts)
    }

    /// Returns the characters with which a match can begin.
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

    /// Whether the row emits a literal text, which stands for characters that were consumed earlier, and then emits or
    /// reconsumes the current character.
    fn emits_pending_text(&self) -> bool {
        let is_literal = |action: &Action| matches!(action, Action::EmitText(Text::Literal(_)));
        let handles_current =
            |action: &Action| matches!(action, Action::EmitText(Text::Current) | Action::Reconsume);
        let mut actions = self.steps.iter().filter_map(Step::action);
        actions.any(is_literal) && actions.any(handles_current)
    }

    /// Returns the field to which the row appends the current character; `None` if the row does anything else.
    pub fn bulk_field(&self) -> Option<Field> {
        let Action::Append(Text::Current, field) = self.only_action()? else { return None };
        Some(*field)
    }

    /// Returns the only action of the row, not counting `ignore`; `None` if the row has no other action, several, or a
    /// branch.
    fn only_action(&self) -> Option<&Action> {
        let mut steps = self.steps.iter().filter(|step| step.action() != Some(&Action::Ignore));
        let only = steps.next()?.action();
        only.filter(|_| steps.next().is_none())
    }
}

/// Converts the name of a state in a document to its name in tables: lower case, words joined by hyphens, no
/// punctuation, and no final word "state".
pub fn kebab_case(document_name: &str) -> String {
    let lowercase = document_name.trim().to_lowercase();
    let name = lowercase.strip_suffix(" state").unwrap_or(&lowercase);
    let words = name.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}
