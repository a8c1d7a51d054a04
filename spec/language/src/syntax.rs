//! The syntax tree of a table, as `parse` passes it to `resolve`. Names are still unresolved words. Every node has its
//! span in the source text.

mod parts;
mod tree;

pub(crate) use parts::Part;
use std::fmt;
pub use tree::{Adjustment, AlgorithmStep, ElementSet, IntegrationPoint, TreeItem};

/// Number of a file from which a table is read: its own text, or an included file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u16);

impl FileId {
    /// The table's own text. Included files are numbered from 1 in the order in which they are read.
    pub const TABLE: Self = Self(0);
}

/// A range of bytes in a file. Spans in the table's own text sort before those in included files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// File that the offsets refer to.
    pub file: FileId,
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Whether `other` begins within this span, in the same file.
    pub(crate) fn contains_start_of(self, other: Self) -> bool {
        self.file == other.file && (self.start..self.end).contains(&other.start)
    }
}

/// A value with its span in the source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Range of the value in the source text.
    pub span: Span,
}

/// A word of the table with its span.
pub type Word = Spanned<String>;

/// A whole table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Declarations in source order.
    pub items: Vec<Item>,
}

/// One declaration.
#[derive(Clone, Debug)]
pub enum Item {
    /// `name html-2013;`
    Name(Word),
    /// `document "…" "…";`: the title and the optional address.
    Document(Word, Option<Word>),
    /// `start data;`
    Start(Word),
    /// `entry rcdata, rawtext;`
    Entry(Vec<Word>),
    /// `newlines normalized;`
    Newlines(Word, Vec<Note>),
    /// `nulls replaced;`
    Nulls(Word, Vec<Note>),
    /// `byte-order-mark dropped;`
    ByteOrderMark(Word, Vec<Note>),
    /// `limit … …;`
    Limit {
        /// Name of the limit.
        name: Word,
        /// Maximum value.
        number: Spanned<u32>,
        /// Notes for deviations from the document.
        notes: Vec<Note>,
    },
    /// `input … => error …;`
    InputError {
        /// Forbidden characters.
        patterns: Vec<Spanned<Pattern>>,
        /// Whether the characters stay, or are removed or trimmed.
        handling: Handling,
        /// Code of the error.
        error: Word,
        /// Notes for deviations from the document.
        notes: Vec<Note>,
    },
    /// `emitting … => …;`
    EmissionAction {
        /// Kind of token.
        token: Word,
        /// Action at each emission.
        action: Words,
        /// Notes for deviations from the document.
        notes: Vec<Note>,
    },
    /// `emitting … with … => error …;`
    EmissionError {
        /// Kind of token.
        token: Word,
        /// Part that the token should not have.
        with: Word,
        /// Code of the error.
        error: Word,
        /// Notes for deviations from the document.
        notes: Vec<Note>,
    },
    /// `class … = …;`
    Class {
        /// Name of the class.
        name: Word,
        /// Members of the class.
        patterns: Vec<Spanned<Pattern>>,
    },
    /// `errors …;`
    Errors(Vec<Word>),
    /// `errors … by host;`
    HostErrors(Vec<Word>),
    /// `flag … = …;`
    Flag {
        /// Name of the flag.
        name: Word,
        /// Values, the initial one first.
        values: Vec<Word>,
        /// Whether the host sets the flag.
        by_host: bool,
        /// Whether rows set the flag.
        by_rows: bool,
    },
    /// `counter … to … => error …;`
    Counter {
        /// Name of the counter.
        name: Word,
        /// Maximum value.
        most: Spanned<u32>,
        /// Code of the error reported when the counter is full.
        error: Word,
        /// Notes for deviations from the document.
        notes: Vec<Note>,
    },
    /// `pushed-states to … => error …;`
    PushedStates {
        /// Capacity of the stack.
        most: Spanned<u32>,
        /// Code of the error reported when the stack is full.
        error: Word,
        /// Notes for deviations from the document.
        notes: Vec<Note>,
    },
    /// `token … { … }`
    Token {
        /// Name of the kind of token.
        name: Word,
        /// Names of the fields of the token.
        fields: Vec<Word>,
        /// Whether the host creates the token before the machine starts.
        by_host: bool,
    },
    /// `condition … = …;`
    Condition {
        /// Name of the condition.
        name: Word,
        /// Conditions that the name stands for.
        conditions: Conditions,
    },
    /// `action … { … }`
    Action {
        /// Name of the action.
        name: Word,
        /// Section of the document that defines the action.
        section: Option<Section>,
        /// Steps that the name stands for.
        steps: Vec<Step>,
    },
    /// `encodings { … }`
    Encodings {
        /// Section of the document that defines the detection.
        section: Option<Section>,
        /// Clues in the order in which they are tried.
        clues: Vec<EncodingClue>,
    },
    /// `references "…";`
    References(Word, Vec<Note>),
    /// `lexeme … = … ahead …;`
    Lexeme {
        /// Name of the lexeme.
        name: Word,
        /// Expression that the lexeme matches.
        expression: Spanned<LexemeExpression>,
        /// Required look-ahead.
        ahead: Option<Spanned<LexemeExpression>>,
        /// Notes for deviations from the document.
        notes: Vec<Note>,
    },
    /// `procedure … { … }`
    Procedure {
        /// Name of the procedure.
        name: Word,
        /// Section of the document that describes the procedure.
        section: Option<Section>,
        /// States of the procedure, the start state first.
        states: Vec<State>,
    },
    /// `state … { … }` or `lexical-mode … { … }`
    State(State),
    /// `tree start …;`
    TreeStart(Word),
    /// `elements xml;`
    Elements(Word, Vec<Note>),
    /// `names … = …;`
    Names(ElementSet),
    /// Another declaration of tree construction.
    Tree(TreeItem),
    /// `steps … { … }`
    Steps {
        /// Name of the steps.
        name: Word,
        /// Section of the document that describes the steps.
        section: Option<Section>,
        /// The steps.
        steps: Vec<Step>,
    },
    /// `mode … { … }`
    Mode(Mode),
    /// `extends … { … }`, or `from … { … }`
    Extends {
        /// Id of the base dialect.
        base: Word,
        /// Changes in source order.
        changes: Vec<Change>,
        /// Whether all of it is extended, and not only what is taken.
        is_whole: bool,
    },
}

/// A change to the base table.
#[derive(Clone, Debug)]
pub enum Change {
    /// `replace …`
    Replace(Box<Item>, Span),
    /// `add …`
    Add(Box<Item>),
    /// `take class a, b;`
    Take {
        /// The kind of declaration.
        kind: Word,
        /// The names.
        names: Vec<Word>,
    },
    /// `remove errors a, b;`
    Remove {
        /// Kind of declaration.
        kind: Word,
        /// Names to remove.
        names: Vec<Word>,
    },
    /// `in state … { … }`
    Rows {
        /// Name of the state.
        state: Word,
        /// Changes in source order.
        changes: Vec<RowChange>,
    },
    /// `in mode … { … }`
    ModeRows {
        /// Name of the mode.
        mode: Word,
        /// Changes in source order.
        changes: Vec<RowChange<TokenPattern>>,
    },
    /// `in algorithm … { … }`
    Steps {
        /// Name of the algorithm.
        algorithm: Word,
        /// Changes in source order.
        changes: Vec<StepChange>,
    },
}

/// A change to the rows of a state or mode.
#[derive(Clone, Debug)]
pub enum RowChange<P = Pattern> {
    /// `replace PATTERNS => steps`
    Replace(Row<P>),
    /// `add PATTERNS => steps`
    Add(Row<P>),
    /// `remove PATTERNS;`
    Remove(Vec<Spanned<P>>),
}

/// A change to the steps of an algorithm.
#[derive(Clone, Debug)]
pub struct StepChange {
    /// Effect on the base's step.
    pub effect: StepEffect,
    /// Words of the base's step.
    pub words: Words,
    /// Steps that are inserted.
    pub steps: Vec<AlgorithmStep>,
}

/// Effect of a change on the step whose words it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepEffect {
    /// `remove WORDS;`, or `replace WORDS { … }`
    Replaced,
    /// `add before WORDS { … }`
    Preceded,
    /// `add after WORDS { … }`
    Followed,
}

/// A reference to an element name or to a set of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementName {
    /// An element name, and its namespace if it is not the table's own.
    Local(Option<String>, String),
    /// Name of a set.
    Set(String),
}

/// A mode of tree construction.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Name of the mode.
    pub name: Word,
    /// Section of the document that describes the mode.
    pub section: Option<Section>,
    /// Rows in source order.
    pub rows: Vec<ModeRow>,
}

/// An alternative of a row in a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenPattern {
    /// Kind of token; `None` to repeat that of the previous alternative, or for a word such as `else`.
    pub kind: Option<String>,
    /// Pattern within the kind; `None` matches every token of the kind.
    pub pattern: Option<Pattern>,
}

/// A regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LexemeExpression {
    /// Range of characters, both ends included.
    Characters(char, char),
    /// Literal text.
    Text(String),
    /// Name of a lexeme or class.
    Name(String),
    /// Concatenation.
    Sequence(Vec<Spanned<LexemeExpression>>),
    /// Alternatives.
    Alternatives(Vec<Spanned<LexemeExpression>>),
    /// Repetition.
    Repeated {
        /// Repeated expression.
        inner: Box<Spanned<LexemeExpression>>,
        /// Whether at least one repetition is required.
        at_least_once: bool,
        /// Whether more than one repetition is allowed.
        many: bool,
    },
    /// Expression whose match is part of the token's data.
    Data(Box<Spanned<LexemeExpression>>),
}

/// A section of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Section number.
    pub number: String,
    /// Anchor, if the document has one.
    pub anchor: Option<String>,
}

/// A state, as written.
#[derive(Clone, Debug)]
pub struct State {
    /// Name of the state.
    pub name: Word,
    /// Section of the document that describes the state.
    pub section: Option<Section>,
    /// Subject that the rows match, if it is not the next input character.
    pub subject: Option<Word>,
    /// In a lexical mode, the lexeme used when no other matches.
    pub otherwise: Option<Word>,
    /// Steps run whenever the state is entered.
    pub enter: Vec<Step>,
    /// Steps run whenever the state is left.
    pub leave: Vec<Step>,
    /// Rows in source order.
    pub rows: Vec<Row>,
}

/// A row of a mode, which matches tokens.
pub type ModeRow = Row<TokenPattern>;

/// A row of `reset` or `fragment`, which matches elements. `patterns` is empty for `else`.
pub type ElementRow = Row<ElementName>;

/// A row of a state; with another type of patterns, a row of a mode, of `reset` or of `fragment`.
#[derive(Clone, Debug)]
pub struct Row<P = Pattern> {
    /// Range from the first pattern to the last step.
    pub span: Span,
    /// Source text of the row.
    pub text: String,
    /// Alternatives of the row.
    pub patterns: Vec<Spanned<P>>,
    /// Names bound to the data of the lexical token, in a lexical mode.
    pub bindings: Vec<Word>,
    /// Condition under which the row applies.
    pub guard: Option<Conditions>,
    /// Steps of the row.
    pub steps: Vec<Step>,
}

/// An alternative of a row in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `'a'` or `'a'..='z'`, both ends included.
    Characters(char, char),
    /// A string, matched by look-ahead.
    Text {
        /// String to match.
        text: String,
        /// Whether ASCII letters match case-insensitively.
        ignoring_case: bool,
    },
    /// `0x80` or `0x80..=0x9F`, both ends included.
    Numbers(u32, u32),
    /// A class, `EOF`, `else`, or a word of the state's subject.
    Name(String),
}

impl Pattern {
    /// Returns the name of a class or of a word of the state's subject.
    pub(crate) fn name(&self) -> Option<&str> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }
}

/// A step, as written.
#[derive(Clone, Debug)]
pub enum Step {
    /// An action.
    Action(Words),
    /// A `fills` or `deviates` note.
    Note(Note),
    /// `when … { … } otherwise { … }`
    When {
        /// Condition of the branch.
        condition: Conditions,
        /// Steps run if the condition holds.
        then: Vec<Step>,
        /// Steps run if the condition does not hold.
        otherwise: Vec<Step>,
    },
}

impl Step {
    /// Calls `function` with every step in preorder; the steps of a branch follow the branch.
    pub fn for_each<'s>(steps: &'s [Self], function: &mut dyn FnMut(&'s Self)) {
        for step in steps {
            function(step);
            if let Self::When { then, otherwise, .. } = step {
                Self::for_each(then, function);
                Self::for_each(otherwise, function);
            }
        }
    }
}

/// A reason why a row differs from the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Whether the document is silent or differs.
    pub kind: NoteKind,
    /// The reason.
    pub reason: String,
    /// Range of the note in the source text.
    pub span: Span,
}

/// Relation of a row to the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// The document does not specify the case of the row.
    Fills,
    /// The document specifies something else than the row does.
    Deviates,
}

/// An action or condition: a sequence of words and literals.
#[derive(Clone, Debug)]
pub struct Words {
    /// Range from the first argument to the last.
    pub span: Span,
    /// Whether `not` precedes the condition.
    pub negated: bool,
    /// Words and literals, in order.
    pub arguments: Vec<Spanned<Argument>>,
}

impl Words {
    /// Returns the arguments that are names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().filter_map(|argument| {
            if let Argument::Name(name) = &argument.value { Some(&name[..]) } else { None }
        })
    }

    /// Whether both have equal arguments; their spans may differ.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        self.negated == other.negated
            && self.arguments.len() == other.arguments.len()
            && self
                .arguments
                .iter()
                .zip(&other.arguments)
                .all(|(own, other)| own.value == other.value)
    }
}

/// Formats the arguments as written in a table.
impl fmt::Display for Words {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, argument) in self.arguments.iter().enumerate() {
            formatter.write_str(if index == 0 { "" } else { " " })?;
            match &argument.value {
                Argument::Name(name) => write!(formatter, "{name}")?,
                Argument::Character(character) => write!(formatter, "{character:?}")?,
                Argument::Text(text) => write!(formatter, "{text:?}")?,
                Argument::Number(number) => write!(formatter, "{number}")?,
            }
        }
        Ok(())
    }
}

/// Conditions joined by `and` or by `or`.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Range from the first condition to the last.
    pub span: Span,
    /// Whether they are joined by `or`, so that one of them suffices.
    pub any: bool,
    /// The conditions; at least one.
    pub parts: Vec<Words>,
}

/// A word or literal of an action or condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A word.
    Name(String),
    /// A character literal.
    Character(char),
    /// A string literal.
    Text(String),
    /// A number.
    Number(u32),
}

impl Table {
    /// Calls `visit` with each part of each declaration.
    pub(crate) fn for_each_part<'t>(&'t self, visit: &mut dyn FnMut(Part<'t>)) {
        self.items.iter().for_each(|item| item.for_each_part(visit));
    }

    /// Returns the names of all states in source order, including those of procedures.
    pub fn states(&self) -> Vec<String> {
        let of = |item: &Item| match item {
            Item::State(state) => vec![state.name.value.clone()],
            Item::Procedure { states, .. } => {
                states.iter().map(|state| state.name.value.clone()).collect()
            }
            _ => Vec::new(),
        };
        self.items.iter().flat_map(of).collect()
    }
}

/// A clue to the encoding of bytes.
#[derive(Clone, Debug)]
pub struct EncodingClue {
    /// Keyword of the clue.
    pub word: Word,
    /// Texts that the clue searches for in the input.
    pub texts: Vec<Word>,
    /// Word for the consequence or continuation.
    pub meaning: Option<Word>,
    /// Notes for deviations from the document.
    pub notes: Vec<Note>,
}

/// Treatment of characters that are errors in every state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handling {
    /// The characters stay in the input; only the error is reported.
    #[default]
    Reported,
    /// The characters are removed from the input.
    Removed,
    /// The characters are removed at the beginning and end of the input.
    Trimmed,
}
