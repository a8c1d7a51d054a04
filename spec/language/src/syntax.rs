//! The syntax tree of a table: what `parse` hands to `resolve`. Names are still words here; nothing is looked up.
//! It is not the model: it may hold nonsense. Invariant: every node knows its place in the table's text.

mod tree;

pub use tree::{Adjustment, AlgorithmStep, ElementRow, IntegrationPoint, Members, TreeItem};

/// One of the files that a table is read from: its own text, or one that it brings in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u16);

impl FileId {
    /// The table's own text. Files that it brings in have the numbers after it, in the order in which they are read.
    pub const OWN: Self = Self(0);
}

/// A range of bytes in the text of a file. Places in the table's own text come before those in files that it brings in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Whether the other one begins within it, in the same file.
    pub(crate) fn holds(self, other: Self) -> bool {
        self.file == other.file && (self.start..self.end).contains(&other.start)
    }
}

/// A value together with the place that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// What was read.
    pub value: T,
    /// Where it is.
    pub span: Span,
}

/// A word of the table in its place.
pub type Word = Spanned<String>;

/// A whole table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The declarations in the table's order.
    pub items: Vec<Item>,
}

/// One declaration.
#[derive(Clone, Debug)]
pub enum Item {
    /// `name html-2013;`
    Name(Word),
    /// `document "…" "…";`: the title, and the address if there is one.
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
        /// What is limited.
        name: Word,
        /// The bound.
        number: Spanned<u32>,
        /// Why the table says so where the document does not.
        notes: Vec<Note>,
    },
    /// `input … => error …;`
    InputError {
        /// The wrong characters.
        patterns: Vec<Spanned<Pattern>>,
        /// The code of the error.
        error: Word,
        /// Why the table says so where the document does not.
        notes: Vec<Note>,
    },
    /// `emitting … => …;`
    EmissionAction {
        /// The kind of token.
        token: Word,
        /// What is done.
        action: Words,
        /// Why the table says so where the document does not.
        notes: Vec<Note>,
    },
    /// `emitting … with … => error …;`
    EmissionError {
        /// The kind of token.
        token: Word,
        /// What it has and should not have.
        with: Word,
        /// The code of the error.
        error: Word,
        /// Why the table says so where the document does not.
        notes: Vec<Note>,
    },
    /// `class … = …;`
    Class {
        /// Its name.
        name: Word,
        /// Its members.
        patterns: Vec<Spanned<Pattern>>,
    },
    /// `errors …;`
    Errors(Vec<Word>),
    /// `errors … by host;`
    HostErrors(Vec<Word>),
    /// `flag … = …;`
    Flag {
        /// Its name.
        name: Word,
        /// Its values, the initial one first.
        values: Vec<Word>,
        /// Whether the host sets it.
        by_host: bool,
        /// Whether rows set it.
        by_rows: bool,
    },
    /// `counter … to … => error …;`
    Counter {
        /// Its name.
        name: Word,
        /// The highest number.
        most: Spanned<u32>,
        /// The code of the error where it cannot grow.
        error: Word,
        /// Why the table says so where the document does not.
        notes: Vec<Note>,
    },
    /// `pushed-states to … => error …;`
    PushedStates {
        /// How many states the stack holds.
        most: Spanned<u32>,
        /// The code of the error where it is full.
        error: Word,
        /// Why the table says so where the document does not.
        notes: Vec<Note>,
    },
    /// `token … { … }`
    Token {
        /// Its name.
        name: Word,
        /// The names of its fields.
        fields: Vec<Word>,
    },
    /// `condition … = …;`
    Condition {
        /// Its name.
        name: Word,
        /// What it means.
        conditions: Conditions,
    },
    /// `action … { … }`
    Action {
        /// Its name.
        name: Word,
        /// Where the document defines it.
        section: Option<Section>,
        /// What it does.
        steps: Vec<Step>,
    },
    /// `encodings { … }`
    Encodings {
        /// Where the document says it.
        section: Option<Section>,
        /// What determines the encoding.
        clues: Vec<EncodingClue>,
    },
    /// `references "…";`
    References(Word, Vec<Note>),
    /// `lexeme … = … ahead …;`
    Lexeme {
        /// Its name.
        name: Word,
        /// What it matches.
        expression: Spanned<Expression>,
        /// What must follow.
        ahead: Option<Spanned<Expression>>,
        /// Why the table says so where the document says something else.
        notes: Vec<Note>,
    },
    /// `procedure … { … }`
    Procedure {
        /// Its name.
        name: Word,
        /// Where the document describes it.
        section: Option<Section>,
        /// Its states, the first of which it starts in.
        states: Vec<State>,
    },
    /// `state … { … }` or `lexical-mode … { … }`
    State(State),
    /// `tree start …;`
    TreeStart(Word),
    /// `elements xml;`
    Elements(Word, Vec<Note>),
    /// `names … = …;`
    Names(Members),
    /// Another declaration of tree construction.
    Tree(TreeItem),
    /// `steps … { … }`
    Steps {
        /// Their name.
        name: Word,
        /// Where the document describes them.
        section: Option<Section>,
        /// The steps.
        steps: Vec<Step>,
    },
    /// `mode … { … }`
    Mode(Mode),
    /// `extends … { … }`
    Extends {
        /// The id of the dialect that is extended.
        base: Word,
        /// What is changed, in order.
        changes: Vec<Change>,
    },
}

/// A change of a table that is extended, as written.
#[derive(Clone, Debug)]
pub enum Change {
    /// `replace …`
    Replace(Box<Item>, Span),
    /// `add …`
    Add(Box<Item>),
    /// `remove errors a, b;`
    Remove {
        /// The kind of declaration.
        kind: Word,
        /// The names.
        names: Vec<Word>,
    },
    /// `in state … { … }`
    Rows {
        /// The name of the state.
        state: Word,
        /// What is changed, in order.
        changes: Vec<RowChange>,
    },
    /// `in mode … { … }`
    ModeRows {
        /// The name of the mode.
        mode: Word,
        /// What is changed, in order.
        changes: Vec<RowChange<ModeRow, TokenPattern>>,
    },
}

/// A change of the rows of a state, or of a mode, as written.
#[derive(Clone, Debug)]
pub enum RowChange<R = Row, P = Pattern> {
    /// `replace PATTERNS => steps`
    Replace(R),
    /// `add PATTERNS => steps`
    Add(R),
    /// `remove PATTERNS;`
    Remove(Vec<Spanned<P>>),
}

/// An element name, or the name of a set of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementName {
    /// An element name and, where it is not the table's own, its namespace.
    Local(Option<String>, String),
    /// A set.
    Set(String),
}

/// A mode of tree construction as written.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Its name.
    pub name: Word,
    /// Where the document describes it.
    pub section: Option<Section>,
    /// The rows in the table's order.
    pub rows: Vec<ModeRow>,
}

/// A row of a mode as written.
#[derive(Clone, Debug)]
pub struct ModeRow {
    /// From the first pattern to the last step.
    pub span: Span,
    /// The row as it is written.
    pub text: String,
    /// The alternatives.
    pub patterns: Vec<Spanned<TokenPattern>>,
    /// The condition under which the row counts.
    pub guard: Option<Conditions>,
    /// What is done.
    pub steps: Vec<Step>,
}

/// One alternative of a row of a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenPattern {
    /// The kind of token; `None` for the one of the alternative before, or for a word that says it all.
    pub kind: Option<String>,
    /// What of the kind; `None` for all.
    pub what: Option<Pattern>,
}

/// A regular expression as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// The characters between the two, both included.
    Characters(char, char),
    /// These characters, one after the other.
    Text(String),
    /// A lexeme or a class.
    Name(String),
    /// One after the other.
    Sequence(Vec<Spanned<Expression>>),
    /// One of them.
    Alternatives(Vec<Spanned<Expression>>),
    /// More or less than once.
    Repeated {
        /// What.
        inner: Box<Spanned<Expression>>,
        /// Whether it must stand once.
        at_least_once: bool,
        /// Whether it may stand more than once.
        many: bool,
    },
    /// Data of the token.
    Data(Box<Spanned<Expression>>),
}

/// Where the document describes a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The section number.
    pub number: String,
    /// The anchor, where the document has one.
    pub anchor: Option<String>,
}

/// A state as written.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: Word,
    /// Where the document describes it.
    pub section: Option<Section>,
    /// What its rows look at, when not the next input character.
    pub subject: Option<Word>,
    /// In a lexical mode, the lexeme that is taken where no other matches.
    pub otherwise: Option<Word>,
    /// Steps at every switch into the state.
    pub enter: Vec<Step>,
    /// Steps at every switch out of the state.
    pub leave: Vec<Step>,
    /// The rows in the table's order.
    pub rows: Vec<Row>,
}

/// A row as written.
#[derive(Clone, Debug)]
pub struct Row {
    /// From the first pattern to the last step.
    pub span: Span,
    /// The row as it is written.
    pub text: String,
    /// The alternatives.
    pub patterns: Vec<Spanned<Pattern>>,
    /// Names for the data of the lexical token.
    pub bindings: Vec<Word>,
    /// The condition under which the row counts.
    pub guard: Option<Conditions>,
    /// What is done.
    pub steps: Vec<Step>,
}

/// One alternative of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `'a'` or `'a'..='z'`, both ends included.
    Characters(char, char),
    /// A string matched ahead.
    Text {
        /// The string.
        text: String,
        /// Whether ASCII letters match in either case.
        ignoring_case: bool,
    },
    /// `0x80` or `0x80..=0x9F`, both ends included.
    Numbers(u32, u32),
    /// A class, `EOF`, `else`, or a word of the subject.
    Name(String),
}

/// A step as written.
#[derive(Clone, Debug)]
pub enum Step {
    /// An action.
    Action(Words),
    /// `fills` or `deviates`.
    Note(Note),
    /// `when … { … } otherwise { … }`
    When {
        /// The condition.
        condition: Conditions,
        /// What is done when it holds.
        then: Vec<Step>,
        /// What is done when it does not.
        otherwise: Vec<Step>,
    },
}

impl Step {
    /// Calls the function with all steps in their order, those of branches after the one that they belong to.
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

/// Why a row is not simply what the document says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Whether the document is silent or says something else.
    pub kind: NoteKind,
    /// The reason.
    pub reason: String,
    /// Where the note is.
    pub span: Span,
}

/// How a row relates to the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// The document says nothing here.
    Fills,
    /// The document says something else.
    Deviates,
}

/// An action or a condition: words and literals.
#[derive(Clone, Debug)]
pub struct Words {
    /// From the first argument to the last.
    pub span: Span,
    /// `not` comes before a condition.
    pub negated: bool,
    /// The words.
    pub arguments: Vec<Spanned<Argument>>,
}

/// One condition, or several of which all (`and`) or one (`or`) must hold.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// From the first condition to the last.
    pub span: Span,
    /// Whether one of them is enough.
    pub any: bool,
    /// The conditions; never none.
    pub parts: Vec<Words>,
}

/// One word or literal of an action.
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
    /// The names of all states, those of procedures included, in the table's order.
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

/// Something that determines the encoding of bytes.
#[derive(Clone, Debug)]
pub struct EncodingClue {
    /// What it is.
    pub word: Word,
    /// What is looked for.
    pub texts: Vec<Word>,
    /// What that means, or is followed by.
    pub meaning: Option<Word>,
    /// How it relates to the document, where not simply equal.
    pub notes: Vec<Note>,
}
