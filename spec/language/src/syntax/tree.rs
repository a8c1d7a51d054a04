//! Declarations of tree construction as written, beside modes and steps. Nothing is looked up. Invariant: as for the
//! rest of the syntax tree.

use super::{Conditions, ElementName, Note, Section, Spanned, Step, Word, Words};

/// A set of element names as written.
#[derive(Clone, Debug)]
pub struct Members {
    /// Its name.
    pub name: Word,
    /// Its members.
    pub members: Vec<Spanned<ElementName>>,
    /// What is left out of them.
    pub except: Vec<Spanned<ElementName>>,
    /// Why the table says so where the document says something else.
    pub notes: Vec<Note>,
}

/// One declaration of tree construction.
#[derive(Clone, Debug)]
pub enum TreeItem {
    /// `modes "…";`
    Modes(Word),
    /// `tree flag … = …;`
    Flag {
        /// Its name.
        name: Word,
        /// Its values, the initial one first.
        values: Vec<Word>,
        /// Whether the host sets it.
        by_host: bool,
        /// Whether steps set it.
        by_rows: bool,
    },
    /// `tree condition … = …;`
    Condition {
        /// Its name.
        name: Word,
        /// What it means.
        conditions: Conditions,
    },
    /// `tree dispatch … when …;`
    Dispatch {
        /// The mode.
        mode: Word,
        /// When tokens go there.
        condition: Conditions,
    },
    /// `scope … = …;`
    Scope(Members),
    /// `pointers …;`
    Pointers(Vec<Word>),
    /// `integration-points …;`
    IntegrationPoints(Vec<IntegrationPoint>),
    /// `adjust … = …;`
    Adjustments {
        /// Its name.
        name: Word,
        /// What replaces what.
        entries: Vec<Adjustment>,
    },
    /// `doctypes … = …;`
    Doctypes {
        /// Its name.
        name: Word,
        /// Whether identifiers are compared without regard to the case of ASCII letters.
        ignoring_case: bool,
        /// The tests, one of which must hold; all parts of it.
        tests: Vec<Vec<Words>>,
        /// Why the table says so where the document says something else.
        notes: Vec<Note>,
    },
    /// `unacknowledged … => error …;`
    Unacknowledged {
        /// The part of the tag: the flag, or an attribute.
        part: Word,
        /// The code.
        error: Word,
        /// Why the table says so where the document says something else.
        notes: Vec<Note>,
    },
    /// `reset { … }`
    Reset {
        /// Where the document describes it.
        section: Option<Section>,
        /// The rows.
        rows: Vec<ElementRow>,
    },
    /// `fragment "…" { … }`
    Fragment {
        /// The name of the root element.
        root: Word,
        /// Where the document describes it.
        section: Option<Section>,
        /// The rows.
        rows: Vec<ElementRow>,
    },
    /// `selected-content …;`: each word with its string, and why the table says so where the document does not.
    SelectedContent(Vec<(Word, Word)>, Vec<Note>),
    /// `template "…";`
    Template(Word),
    /// `foster … beside "…";`
    Fostering {
        /// The elements out of which nodes are fostered.
        names: Vec<Spanned<ElementName>>,
        /// The element before which they go.
        beside: Word,
    },
    /// `text-nodes merged;`: what is done with text after text, and why the table says so where the document does not.
    TextNodes(Word, Vec<Note>),
    /// `algorithm … { … }`
    Algorithm {
        /// Its name.
        name: Word,
        /// Where the document describes it.
        section: Option<Section>,
        /// The steps.
        steps: Vec<AlgorithmStep>,
    },
    /// `tokenizer … => …;`
    Feedback {
        /// The word of modes.
        word: Word,
        /// What the machine does.
        action: Words,
        /// Why the table says so where the document does not.
        notes: Vec<Note>,
    },
    /// `tell … … when …;`
    Answer {
        /// The flag of the machine.
        flag: Word,
        /// Its value.
        value: Word,
        /// When it has it.
        condition: Conditions,
    },
}

/// A step of an algorithm that the runtime supplies.
#[derive(Clone, Debug)]
pub enum AlgorithmStep {
    /// Its words, and the steps that belong to it.
    Step {
        /// The words.
        words: Words,
        /// The steps.
        inner: Vec<AlgorithmStep>,
    },
    /// Steps that only one side has: the document, which the table leaves out (`deviates`), or the table (`fills`).
    Apart {
        /// Why.
        note: Note,
        /// The steps.
        inner: Vec<AlgorithmStep>,
    },
}

/// A row about an element.
#[derive(Clone, Debug)]
pub struct ElementRow {
    /// The names; none for `else`.
    pub names: Vec<Spanned<ElementName>>,
    /// The condition under which the row counts.
    pub guard: Option<Conditions>,
    /// What is done.
    pub steps: Vec<Step>,
    /// The whole row.
    pub span: super::Span,
    /// The row as it is written.
    pub text: String,
}

/// An element at which content is the table's own again.
#[derive(Clone, Debug)]
pub struct IntegrationPoint {
    /// The element.
    pub name: Spanned<ElementName>,
    /// An attribute of its tag, and what its value must be.
    pub attribute: Option<(String, String)>,
}

/// A name that replaces that of a token.
#[derive(Clone, Debug)]
pub struct Adjustment {
    /// The token's name.
    pub from: Word,
    /// The namespace of the new one, if it is an attribute with one.
    pub namespace: Option<String>,
    /// The new one.
    pub to: Word,
}
