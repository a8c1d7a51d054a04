//! Syntax of tree construction declarations other than modes and steps.

use super::{Conditions, Note, ParsedElementName, ParsedElementRow, Section, Spanned, Word, Words};

/// A set of element names.
#[derive(Clone, Debug)]
pub struct ElementSet {
    /// Name of the set.
    pub name: Word,
    /// Members of the set.
    pub members: Vec<Spanned<ParsedElementName>>,
    /// Names excluded from the set.
    pub except: Vec<Spanned<ParsedElementName>>,
    /// Notes on differences from the document.
    pub notes: Vec<Note>,
}

/// A declaration of tree construction.
#[derive(Clone, Debug)]
pub enum TreeItem {
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
    Adjustments {
        /// Name of the list.
        name: Word,
        /// Replacements of names.
        entries: Vec<ParsedAdjustment>,
    },
    /// A set of DOCTYPEs: `doctypes … = …;`
    Doctypes {
        /// Name of the set.
        name: Word,
        /// Whether identifiers are compared ASCII case-insensitively.
        ignoring_case: bool,
        /// Alternative tests, each a conjunction of parts.
        tests: Vec<Vec<Words>>,
        /// Notes on differences from the document.
        notes: Vec<Note>,
    },
    /// An error for a part of a tag that no row acknowledges: `unacknowledged … => error …;`
    Unacknowledged {
        /// Part of the tag: the self-closing flag or an attribute.
        part: Word,
        /// Code of the error.
        error: Word,
        /// Notes on differences from the document.
        notes: Vec<Note>,
    },
    /// Rows that reset the insertion mode: `reset { … }`
    Reset {
        /// Section of the document that describes the reset, if the table names one.
        section: Option<Section>,
        /// Rows in source order.
        rows: Vec<ParsedElementRow>,
    },
    /// Preparation for parsing a fragment: `fragment "…" { … }`
    Fragment {
        /// Name of the root element.
        root: Word,
        /// Section of the document that describes fragments, if the table names one.
        section: Option<Section>,
        /// Rows in source order.
        rows: Vec<ParsedElementRow>,
    },
    /// Mirroring of the selected option, as pairs of a word and its string, and notes: `selected-content …;`
    SelectedContent(Vec<(Word, Word)>, Vec<Note>),
    /// Source and destination of foster parenting: `foster … beside "…";`
    Fostering {
        /// Elements whose misplaced children are foster-parented.
        names: Vec<Spanned<ParsedElementName>>,
        /// Name of the element before which the foster-parented nodes are inserted.
        beside: Word,
    },
    /// An algorithm: `algorithm … { … }`
    Algorithm {
        /// Name of the algorithm.
        name: Word,
        /// Section of the document that describes the algorithm, if the table names one.
        section: Option<Section>,
        /// Steps of the algorithm.
        steps: Vec<AlgorithmStep>,
    },
    /// A command of modes to the tokenizer: `tokenizer … => …;`
    Feedback {
        /// Word by which modes name the command.
        word: Word,
        /// Action of the tokenizer.
        action: Words,
        /// Notes on differences from the document.
        notes: Vec<Note>,
    },
    /// An answer to the tokenizer's query of a host flag: `tell … … when …;`
    Answer {
        /// Flag of the tokenizer.
        flag: Word,
        /// Value of the flag.
        value: Word,
        /// Condition under which the flag has the value.
        condition: Conditions,
    },
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
