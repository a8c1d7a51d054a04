//! The syntax tree of a table, as `parse` passes it to `resolve`. Names are still unresolved words. Every node has its
//! span in the source text.

mod parts;

pub use parts::DeclarationPart;
use std::fmt;
use std::ops::Range;

/// Number of a file that a table is read from: its own text, or an included file.
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
    /// Returns the range of bytes in the file.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether `other` begins within this span, in the same file.
    pub(crate) fn contains_start_of(self, other: Self) -> bool {
        self.file == other.file && (self.start..self.end).contains(&other.start)
    }
}

/// A value with its span in the source text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

/// A declaration.
#[derive(Clone, Debug)]
pub struct Item {
    /// Range of the declaration in the source text.
    pub span: Span,
    /// Kind of the declaration: the words with which it begins, except that `from` is an extension, too.
    pub kind: String,
    /// Name of the declaration, or the word that distinguishes it from others of its kind; empty if its kind has neither.
    pub name: Word,
    /// Section of the document that describes what is declared, if the table names one.
    pub section: Option<Section>,
    /// Notes on differences from the document.
    pub notes: Vec<Note>,
    /// The declaration without its name and notes.
    pub body: ItemBody,
}

/// The contents of a declaration, by kind.
#[derive(Clone, Debug)]
pub enum ItemBody {
    /// The value of a declaration with one value, such as `newlines normalized;`. The others are `name`, `start`,
    /// `tree start`, `nulls`, `byte-order-mark`, `references`, `modes`, `elements`, `template` and `text-nodes`. The
    /// value is a name or a string.
    Setting(Word),
    /// Title of the document, and its optional address: `document "…" "…";`
    Document(Word, Option<Word>),
    /// States that the host may select: `entry rcdata, rawtext;`
    Entry(Vec<Word>),
    /// The maximum value of a limit: `limit … …;`
    Limit(Spanned<u32>),
    /// Characters that are errors in the input: `input … => error …;`
    InputError {
        /// Forbidden characters.
        patterns: Vec<Spanned<ParsedPattern>>,
        /// Treatment of the characters: they stay in the input, or are removed or trimmed.
        handling: Handling,
        /// Code of the error.
        error: Word,
    },
    /// An action at each emission of a token: `emitting … => …;`
    EmissionAction {
        /// Kind of token.
        token: Word,
        /// Action at each emission.
        action: Words,
    },
    /// An error reported when a token is emitted: `emitting … with … => error …;`
    EmissionError {
        /// Kind of token.
        token: Word,
        /// Part that the token should not have.
        with: Word,
        /// Code of the error.
        error: Word,
    },
    /// Members of a class of characters: `class … = …;`
    Class(Vec<Spanned<ParsedPattern>>),
    /// Error codes that the table reports: `errors …;`
    Errors(Vec<Word>),
    /// Error codes that the host reports: `errors … by host;`
    HostErrors(Vec<Word>),
    /// A flag: `flag … = …;` or `tree flag … = …;`
    Flag {
        /// Values, the initial one first.
        values: Vec<Word>,
        /// Whether the host sets the flag.
        by_host: bool,
        /// Whether rows set the flag.
        by_rows: bool,
    },
    /// A counter: `counter … to … => error …;`
    Counter {
        /// Maximum value.
        most: Spanned<u32>,
        /// Code of the error reported when the full counter is to be incremented.
        error: Word,
    },
    /// The capacity of the stack of states: `pushed-states to … => error …;`
    PushedStates {
        /// Capacity of the stack.
        most: Spanned<u32>,
        /// Code of the error reported when a state is pushed onto the full stack.
        error: Word,
    },
    /// A kind of token: `token … { … }`
    Token {
        /// Names of the fields of the token.
        fields: Vec<Word>,
        /// Whether the host creates the token before the machine starts.
        by_host: bool,
    },
    /// Conditions that a name stands for: `condition … = …;` or `tree condition … = …;`
    Condition(Conditions),
    /// Steps that a name stands for: `action … { … }` for states, `steps … { … }` for modes
    Steps(Vec<ParsedStep>),
    /// Clauses of the detection of the encoding: `encodings { … }`
    Encodings(Vec<ParsedClause>),
    /// A lexeme: `lexeme … = … ahead …;`
    Lexeme {
        /// Expression that the lexeme matches.
        expression: Spanned<ParsedLexemeExpression>,
        /// Required look-ahead, if any.
        ahead: Option<Spanned<ParsedLexemeExpression>>,
    },
    /// States of a procedure, the start state first: `procedure … { … }`
    Procedure(Vec<ParsedState>),
    /// A state or lexical mode: `state … { … }` or `lexical-mode … { … }`
    State(ParsedState),
    /// A set of element names: `names … = …;`
    Names(ElementSet),
    /// Dispatch of tokens to a fixed mode: `tree dispatch … when …;`
    Dispatch {
        /// Mode that receives the tokens.
        mode: Word,
        /// Condition under which tokens are dispatched to the mode.
        condition: Conditions,
    },
    /// A scope: `scope … = …;`
    Scope(ElementSet),
    /// Pointers to elements: `pointers …;`
    Pointers(Vec<Word>),
    /// Integration points: `integration-points …;`
    IntegrationPoints(Vec<ParsedIntegrationPoint>),
    /// A list of replacements of names: `adjust … = …;`
    Adjustments(Vec<ParsedAdjustment>),
    /// A set of DOCTYPEs: `doctypes … = …;`
    Doctypes {
        /// Whether identifiers are compared ASCII case-insensitively.
        ignoring_case: bool,
        /// Alternative tests, each a conjunction of parts.
        tests: Vec<Vec<Words>>,
    },
    /// Code of the error for a part of a tag, the self-closing flag or an attribute, that no row acknowledges:
    /// `unacknowledged … => error …;`
    Unacknowledged(Word),
    /// Rows that reset the insertion mode: `reset { … }`
    Reset(Vec<ParsedElementRow>),
    /// Preparation for parsing a fragment: `fragment "…" { … }`
    Fragment {
        /// Name of the root element.
        root: Word,
        /// Rows in source order.
        rows: Vec<ParsedElementRow>,
    },
    /// Clauses of the mirroring of the selected option: `selected-content …;`
    SelectedContent(Vec<ParsedClause>),
    /// Source and destination of foster parenting: `foster … beside "…";`
    Fostering {
        /// Elements whose misplaced children are foster-parented.
        names: Vec<Spanned<ParsedElementName>>,
        /// Name of the element before which the foster-parented nodes are inserted.
        beside: Word,
    },
    /// Steps of an algorithm: `algorithm … { … }`
    Algorithm(Vec<AlgorithmStep>),
    /// Action of the tokenizer on a command of modes: `tokenizer … => …;`
    Feedback(Words),
    /// An answer to the tokenizer's query of a host flag, which the name is: `tell … … when …;`
    Answer {
        /// Value of the flag.
        value: Word,
        /// Condition under which the flag has the value.
        condition: Conditions,
    },
    /// Rows of a mode, in source order: `mode … { … }`
    Mode(Vec<ParsedModeRow>),
    /// An extension of another table, or declarations taken from one: `extends … { … }` or `from … { … }`
    Extends {
        /// Id of the base dialect.
        base: Word,
        /// Changes in source order.
        changes: Vec<Change>,
        /// Whether all declarations of the base are included, rather than only those that the changes take.
        is_whole: bool,
    },
}

/// A change to the base table.
#[derive(Clone, Debug)]
pub enum Change {
    /// A declaration that replaces one of the base: `replace …`
    Replace(Box<Item>, Span),
    /// An additional declaration: `add …`
    Add(Box<Item>),
    /// Declarations to take from the base: `take class a, b;`
    Take {
        /// Kind of declaration.
        kind: Word,
        /// Names to take.
        names: Vec<Word>,
    },
    /// Declarations of the base to remove: `remove errors a, b;`
    Remove {
        /// Kind of declaration.
        kind: Word,
        /// Names to remove.
        names: Vec<Word>,
    },
    /// Changes of rows of a state: `in state … { … }`
    Rows {
        /// Name of the state.
        state: Word,
        /// Changes in source order.
        changes: Vec<RowChange>,
    },
    /// Changes of rows of a mode: `in mode … { … }`
    ModeRows {
        /// Name of the mode.
        mode: Word,
        /// Changes in source order.
        changes: Vec<RowChange<ParsedTokenPattern>>,
    },
    /// Changes of steps of an algorithm: `in algorithm … { … }`
    Steps {
        /// Name of the algorithm.
        algorithm: Word,
        /// Changes in source order.
        changes: Vec<StepChange>,
    },
}

/// A change to the rows of a state or mode.
#[derive(Clone, Debug)]
pub enum RowChange<P = ParsedPattern> {
    /// A row that replaces those with its patterns: `replace PATTERNS => steps`
    Replace(ParsedRow<P>),
    /// An additional row: `add PATTERNS => steps`
    Add(ParsedRow<P>),
    /// Patterns to remove: `remove PATTERNS;`
    Remove(Vec<Spanned<P>>),
}

/// A change to the steps of an algorithm.
#[derive(Clone, Debug)]
pub struct StepChange {
    /// Effect on the base's step.
    pub effect: StepEffect,
    /// Words that identify the step of the base.
    pub words: Words,
    /// Steps to insert; none if the step is removed.
    pub steps: Vec<AlgorithmStep>,
}

/// Effect of a change on the step of the base that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepEffect {
    /// The step is removed or replaced: `remove WORDS;` or `replace WORDS { … }`
    Replaced,
    /// Steps are added before the step: `add before WORDS { … }`
    Preceded,
    /// Steps are added after the step: `add after WORDS { … }`
    Followed,
}

/// A reference to an element name or to a set of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedElementName {
    /// An element name, and its namespace if it is not the table's own.
    Local(Option<String>, String),
    /// Name of a set.
    Set(String),
}

/// An alternative of a row in a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedTokenPattern {
    /// Kind of token; `None` to repeat that of the previous alternative, or for a word such as `else`.
    pub kind: Option<String>,
    /// Pattern within the kind; `None` matches every token of the kind.
    pub pattern: Option<ParsedPattern>,
}

/// A regular expression, in which names are not resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedLexemeExpression {
    /// Range of characters, both ends included.
    Characters(char, char),
    /// Literal text.
    Text(String),
    /// Name of a lexeme or class.
    Name(String),
    /// Concatenation of the parts.
    Sequence(Vec<Spanned<ParsedLexemeExpression>>),
    /// Choice between alternatives.
    Alternatives(Vec<Spanned<ParsedLexemeExpression>>),
    /// Repetition of an expression.
    Repeated {
        /// Repeated expression.
        inner: Box<Spanned<ParsedLexemeExpression>>,
        /// Whether at least one repetition is required.
        at_least_once: bool,
        /// Whether more than one repetition is allowed.
        many: bool,
    },
    /// Expression whose match becomes data of the lexical token.
    Data(Box<Spanned<ParsedLexemeExpression>>),
}

/// A section of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Section number.
    pub number: String,
    /// Anchor, if the document has one.
    pub anchor: Option<String>,
}

/// A state, with unresolved names.
#[derive(Clone, Debug, Default)]
pub struct ParsedState {
    /// Name of the state.
    pub name: Word,
    /// Section of the document that describes the state, if the table names one.
    pub section: Option<Section>,
    /// Subject that the rows match, if it is not the next input character.
    pub subject: Option<Word>,
    /// In a lexical mode, the lexeme used when no other matches; `None` for a state.
    pub otherwise: Option<Word>,
    /// Steps run when a row switches to the state from another state.
    pub enter: Vec<ParsedStep>,
    /// Steps run when a row switches to another state or returns from a procedure.
    pub leave: Vec<ParsedStep>,
    /// Rows in source order.
    pub rows: Vec<ParsedRow>,
}

/// A row of a mode, which matches tokens.
pub type ParsedModeRow = ParsedRow<ParsedTokenPattern>;

/// A row of `reset` or `fragment`, which matches elements. `patterns` is empty for `else`.
pub type ParsedElementRow = ParsedRow<ParsedElementName>;

/// A row of a state; with another type of patterns, a row of a mode, of `reset` or of `fragment`.
#[derive(Clone, Debug)]
pub struct ParsedRow<P = ParsedPattern> {
    /// Range from the first pattern to the last step.
    pub span: Span,
    /// Source text of the row.
    pub text: String,
    /// Alternative patterns of the row.
    pub patterns: Vec<Spanned<P>>,
    /// Names bound to the data of the lexical token, in a lexical mode.
    pub bindings: Vec<Word>,
    /// Condition that must hold, besides a pattern, for the row to apply; `None` if the patterns alone decide.
    pub guard: Option<Conditions>,
    /// Steps of the row.
    pub steps: Vec<ParsedStep>,
}

/// An alternative of a row in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedPattern {
    /// A character or a range of characters, both ends included: `'a'` or `'a'..='z'`
    Characters(char, char),
    /// A string, matched by look-ahead.
    Text {
        /// String to match.
        text: String,
        /// Whether ASCII letters match case-insensitively.
        ignoring_case: bool,
    },
    /// A number or a range of numbers, both ends included: `0x80` or `0x80..=0x9F`
    Numbers(u32, u32),
    /// A class, `EOF`, `else`, or a word of the state's subject.
    Name(String),
}

impl ParsedPattern {
    /// Returns the name, if the pattern is a class, `EOF`, `else`, or a word of the state's subject.
    pub(crate) fn name(&self) -> Option<&str> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }
}

/// A step of a row, with unresolved names.
#[derive(Clone, Debug)]
pub enum ParsedStep {
    /// An action.
    Action(Words),
    /// A `fills` or `deviates` note.
    Note(Note),
    /// A branch: `when … { … } otherwise { … }`
    When {
        /// Condition of the branch.
        condition: Conditions,
        /// Steps run if the condition holds.
        then: Vec<ParsedStep>,
        /// Steps run if the condition does not hold.
        otherwise: Vec<ParsedStep>,
    },
}

impl ParsedStep {
    /// Returns every step in preorder; the steps of a branch follow the branch.
    pub fn all(steps: &[Self]) -> Vec<&Self> {
        let mut all = Vec::new();
        for step in steps {
            all.push(step);
            if let Self::When { then, otherwise, .. } = step {
                all.extend([Self::all(then), Self::all(otherwise)].concat());
            }
        }
        all
    }
}

/// A reason why a row or another part of a table differs from the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Whether the document is silent or differs.
    pub kind: NoteKind,
    /// Reason for the difference.
    pub reason: String,
    /// Range of the note in the source text.
    pub span: Span,
}

/// The way in which a part of a table differs from the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// The document does not specify the case.
    Fills,
    /// The document specifies something else.
    Deviates,
}

impl NoteKind {
    /// Returns the keyword with which a note of this kind begins.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Fills => "fills",
            Self::Deviates => "deviates",
        }
    }
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
        self.arguments.iter().filter_map(|argument| argument.value.name())
    }

    /// Returns words that consist of these arguments instead.
    pub(crate) fn with_arguments(&self, arguments: &[Spanned<Argument>]) -> Self {
        Self { arguments: arguments.to_vec(), ..self.clone() }
    }

    /// Returns the words with the argument at `index` replaced by this word.
    pub(crate) fn with_word(&self, index: usize, word: &str) -> Self {
        let mut words = self.clone();
        words.arguments[index].value = Argument::Name(word.to_owned());
        words
    }

    /// Whether the arguments are equal, regardless of their spans, and both or neither are negated.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        self.negated == other.negated
            && self.arguments.len() == other.arguments.len()
            && self
                .arguments
                .iter()
                .zip(&other.arguments)
                .all(|(one, other)| one.value == other.value)
    }
}

/// Formats the arguments as written in a table, without the `not` before them.
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
    /// Whether the conditions are joined by `or`, so that one of them suffices.
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

impl Argument {
    /// Returns the word, if the argument is one.
    pub(crate) fn name(&self) -> Option<&str> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }

    /// Returns the string, if the argument is one.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

/// Returns the word that the arguments consist of; `None` if they are not a single word.
pub(crate) fn only_name(arguments: &[Spanned<Argument>]) -> Option<&str> {
    if let [only] = arguments { only.value.name() } else { None }
}

impl Item {
    /// Returns the name of the declaration, if it has one.
    pub fn own_name(&self) -> Option<&Word> {
        Some(&self.name).filter(|name| !name.value.is_empty())
    }

    /// Whether a flag, a condition or named steps belong to tree construction rather than to states.
    pub fn is_of_trees(&self) -> bool {
        matches!(&self.kind[..], "tree flag" | "tree condition" | "steps")
    }

    /// Returns the item or, of an extension, the items in its changes.
    pub fn declarations(&self) -> Vec<&Self> {
        let ItemBody::Extends { changes, .. } = &self.body else { return vec![self] };
        let items = changes.iter().filter_map(|change| match change {
            Change::Replace(item, _) | Change::Add(item) => Some(&**item),
            _ => None,
        });
        items.flat_map(Self::declarations).collect()
    }

    /// Returns the states that the item declares: a state or lexical mode, or those of a procedure.
    pub fn states(&self) -> &[ParsedState] {
        match &self.body {
            ItemBody::State(state) => std::slice::from_ref(state),
            ItemBody::Procedure(states) => states,
            _ => &[],
        }
    }

    /// Returns the value, if this is the declaration with one value that begins with these words.
    pub fn setting(&self, words: &str) -> Option<&Word> {
        match &self.body {
            ItemBody::Setting(value) if self.kind == words => Some(value),
            _ => None,
        }
    }
}

impl Table {
    /// Returns the parts of all declarations.
    pub fn parts(&self) -> impl Iterator<Item = DeclarationPart<'_>> {
        self.items.iter().flat_map(Item::parts)
    }
}

/// A clause of `encodings` or `selected-content`.
#[derive(Clone, Debug)]
pub struct ParsedClause {
    /// Keyword of the clause.
    pub word: Word,
    /// Arguments of the clause, such as names of elements or labels of encodings.
    pub texts: Vec<Word>,
    /// Text after `=>`, if there is one.
    pub meaning: Option<Word>,
    /// Notes on differences from the document.
    pub notes: Vec<Note>,
}

/// Treatment of characters that are errors in every state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handling {
    /// The characters stay in the input; only the error is reported.
    #[default]
    Reported,
    /// The error is reported, and the characters are removed from the input.
    Removed,
    /// The error is reported, and the characters are removed at the beginning and end of the input.
    Trimmed,
}

/// A set of element names.
#[derive(Clone, Debug)]
pub struct ElementSet {
    /// Members of the set.
    pub members: Vec<Spanned<ParsedElementName>>,
    /// Names excluded from the set.
    pub except: Vec<Spanned<ParsedElementName>>,
}

/// A step of an algorithm, with unresolved words.
#[derive(Clone, Debug)]
pub enum AlgorithmStep {
    /// Words of the step, with nested steps.
    Step {
        /// Words of the step.
        words: Words,
        /// Nested steps.
        inner: Vec<AlgorithmStep>,
    },
    /// Steps that only the document has (`deviates`) or that only the table has (`fills`).
    Noted {
        /// Reason for the difference.
        note: Note,
        /// Steps that the note covers.
        inner: Vec<AlgorithmStep>,
    },
}

/// A foreign element whose contents belong to the table's own namespace.
#[derive(Clone, Debug)]
pub struct ParsedIntegrationPoint {
    /// Name of the element.
    pub name: Spanned<ParsedElementName>,
    /// Name and value of the attribute that the start tag must have, if any.
    pub attribute: Option<(String, String)>,
}

/// A replacement of a name in a token.
#[derive(Clone, Debug)]
pub struct ParsedAdjustment {
    /// Name in the token.
    pub from: Word,
    /// Namespace of the renamed attribute, if it has one.
    pub namespace: Option<String>,
    /// New name.
    pub to: Word,
}
