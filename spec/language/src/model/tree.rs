//! The model of tree construction: modes, whose rows match tokens. Ids refer to elements of this model; lists of names
//! are sorted and have no duplicates.

use super::{
    CharacterSet, DeclaredToken, ErrorId, Flag, Row, Section, Span, Spanned, Step, TokenId,
};
use std::collections::BTreeMap;

pub mod algorithm;
mod bytes;
pub mod declared;
mod effects;
mod kind;
mod routine;
mod switching;
mod writing;

pub use crate::vocabulary::tree::{DoctypeQuestion, TreeAction, TreeCondition};
pub use declared::*;
pub use effects::{TreeActionEffects, TreeFlow};
pub use switching::SwitchingTag;

ids! {
    ModeId(u8) "Index of a mode in [`Construction::modes`].";
    StepsId(u8) "Index of named steps in [`Construction::steps`].";
    ScopeId(u8) "Index of a scope in [`Construction::scopes`].";
    TreeFlagId(u8) "Index of a flag in [`Construction::flags`].";
    PointerId(u8) "Index of a pointer in [`Construction::pointers`].";
    AdjustmentsId(u8) "Index of a table of adjustments in [`Construction::adjustments`].";
    DoctypesId(u8) "Index of a set of DOCTYPEs in [`Construction::doctypes`].";
    FeedbackId(u8) "Index of a command to the tokenizer in [`Construction::feedback`].";
    AlgorithmId(u8) "Index of an algorithm in [`Construction::algorithms`].";
    VariableId(u8) "Index of a variable in [`algorithm::Algorithm::variables`].";
}

/// Identifies a row of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModeRowId {
    /// Mode of the row.
    pub mode: ModeId,
    /// Index in [`Mode::rows`].
    pub row: u16,
}

/// The tree construction of a table.
#[derive(Clone, Debug, Default)]
pub struct Construction {
    /// Initial mode.
    pub start: ModeId,
    /// Rules for creating elements from tags.
    pub elements: Elements,
    /// Kinds of tokens that the table declares and that rows may match.
    pub tokens: Vec<DeclaredToken>,
    /// Algorithms that the oracle executes.
    pub algorithms: Vec<algorithm::Algorithm>,
    /// Named sets of element names.
    pub names: Vec<NameSet>,
    /// Steps that rows run by name.
    pub steps: Vec<NamedSteps>,
    /// Modes in table order.
    pub modes: Vec<Mode>,
    /// Scopes: sets of elements at which a walk up the stack ends.
    pub scopes: Vec<NameSet>,
    /// Flags with finite sets of values.
    pub flags: Vec<Flag>,
    /// Pointers to elements.
    pub pointers: Vec<Pointer>,
    /// Dispatch of tokens that bypasses the current mode, if declared.
    pub dispatch: Option<Dispatch>,
    /// Foreign elements whose contents belong to the table's own namespace.
    pub integration_points: Vec<IntegrationPoint>,
    /// Replacements of names in tokens.
    pub adjustments: Vec<Adjustments>,
    /// Sets of DOCTYPEs.
    pub doctypes: Vec<Doctypes>,
    /// Error reported for a start tag whose self-closing flag no row acknowledges; `None` if such tags are no error.
    pub unacknowledged: Option<ErrorId>,
    /// Error reported for a start tag with a duplicate attribute, which is dropped in any case; `None` if it is no
    /// error.
    pub left_out: Option<ErrorId>,
    /// Rows that determine the insertion mode from the open elements, if declared: from the current node upward, the
    /// first row that matches an element runs. In place of the first element of the stack, the context element is
    /// examined if there is one; the `else` row applies only to this last element.
    pub reset: Option<Vec<ElementRow>>,
    /// Preparations for parsing a fragment; `None` if there are no fragments.
    pub fragment: Option<Fragment>,
    /// Mirroring of the selected option, if declared.
    pub selected_content: Option<SelectedContent>,
    /// Name of the element of the table's own namespace whose children form its template contents, if declared.
    pub template: Option<String>,
    /// Elements whose misplaced children are foster-parented, and the element before which these are inserted.
    pub fostering: Option<Fostering>,
    /// Limits of the adoption agency and the list of active formatting elements that the table declares.
    pub limits: BTreeMap<TreeLimit, u32>,
    /// Commands of modes to the tokenizer.
    pub feedback: Vec<Feedback>,
    /// Answers to the tokenizer's queries of host flags.
    pub answers: Vec<Answer>,
}

/// Rules for creating elements from tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elements {
    /// The tag name is the element's name. There are no namespaces.
    #[default]
    Plain,
    /// Names are split at the first colon, unless it is the first character. Attributes `xmlns` and `xmlns:…` bind
    /// prefixes. Of several attributes with the same local name and namespace, the first is kept.
    Xml,
    /// The tag name is the element's name. The action chooses the namespace, that of HTML, SVG or MathML, and only
    /// adjusted attributes have namespaces. Nodes are inserted at the appropriate place.
    Html,
}

/// The expanded name of an element: its namespace and its local name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementName {
    /// Namespace of the element.
    pub namespace: Namespace,
    /// Local name of the element.
    pub local: String,
}

impl ElementName {
    /// Creates the name of an element in the table's own namespace.
    pub fn own(local: impl Into<String>) -> Self {
        Self { namespace: Namespace::Own, local: local.into() }
    }
}

/// A named set of element names.
#[derive(Clone, Debug)]
pub struct NameSet {
    /// Name of the set.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Sorted members of the set.
    pub members: Vec<ElementName>,
}

/// A named list of steps.
#[derive(Clone, Debug)]
pub struct NamedSteps {
    /// Name of the steps.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Steps in order.
    pub steps: Vec<TreeStep>,
}

/// A mode and its rows.
#[derive(Clone, Debug, Default)]
pub struct Mode {
    /// Name in kebab case.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Doc comment, in Markdown; empty if there is none.
    pub doc: String,
    /// Section of the document that describes the mode, if the table names one.
    pub section: Option<Section>,
    /// Rows in table order.
    pub rows: Vec<ModeRow>,
}

/// A row of a mode, which matches tokens.
pub type ModeRow = Row<Spanned<TokenPattern>, TreeAction, TreeCondition>;

/// A row of `reset` or `fragment`. It matches elements whose names are among `patterns`. Without patterns, it is an
/// `else` row and matches the last element that `reset` examines.
pub type ElementRow = Row<ElementName, TreeAction, TreeCondition>;

/// The tag names that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TagNames {
    /// All names that no other row of the mode mentions.
    Any,
    /// Sorted list of names.
    These(Vec<String>),
}

/// A pattern that matches tokens: one of the alternatives of a row in a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenPattern {
    /// A start tag; in a mode with rows for empty tags, one that is not self-closing.
    StartTag(TagNames),
    /// A start tag whose self-closing flag is set.
    EmptyTag(TagNames),
    /// An end tag.
    EndTag(TagNames),
    /// An end tag without a name.
    ShortEndTag,
    /// A character of the set; `None` for any character that no other row matches.
    Character(Option<CharacterSet>),
    /// A whole text between two other tokens, if all its characters are in the set; `None` for any text.
    Text(Option<CharacterSet>),
    /// A comment.
    Comment,
    /// A DOCTYPE.
    Doctype,
    /// A processing instruction.
    ProcessingInstruction,
    /// A token of a declared kind.
    Declared(TokenId),
    /// The end of the input.
    EndOfFile,
    /// Any token that no other row matches.
    Else,
}

impl TokenPattern {
    /// Returns the tag names that the pattern lists; empty if it matches other tokens, or tags of any name.
    pub fn tag_names(&self) -> &[String] {
        if let Self::StartTag(TagNames::These(names))
        | Self::EmptyTag(TagNames::These(names))
        | Self::EndTag(TagNames::These(names)) = self
        {
            names
        } else {
            &[]
        }
    }
}

/// A step of a row of a mode.
pub type TreeStep = Step<TreeAction, TreeCondition>;

/// The parent to which a node is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parent {
    /// The current node, or the document if no element is open.
    Current,
    /// The document.
    Document,
}

impl Construction {
    /// Returns the mode with this id.
    pub fn mode(&self, id: ModeId) -> &Mode {
        &self.modes[usize::from(id.0)]
    }

    /// Returns the id of the mode with this name; `None` if there is none.
    pub fn find_mode(&self, name: &str) -> Option<ModeId> {
        self.modes.iter().position(|mode| mode.name == name).map(|index| ModeId(index as u8))
    }

    /// Returns the named steps with this id.
    pub fn named_steps(&self, id: StepsId) -> &NamedSteps {
        &self.steps[usize::from(id.0)]
    }

    /// Returns the ids of the rows of all modes, in table order.
    pub fn row_ids(&self) -> impl Iterator<Item = ModeRowId> {
        self.modes.iter().zip(0..).flat_map(|(mode, id)| {
            (0..mode.rows.len() as u16).map(move |row| ModeRowId { mode: ModeId(id), row })
        })
    }

    /// Returns the rows of all modes, in table order.
    pub fn rows(&self) -> impl Iterator<Item = &ModeRow> {
        self.modes.iter().flat_map(|mode| &mode.rows)
    }

    /// Returns the actions of the rows of modes and of named steps, including those of branches.
    pub fn actions(&self) -> impl Iterator<Item = &TreeAction> {
        let rows = self.rows().map(|row| &row.steps);
        let steps = rows.chain(self.steps.iter().map(|named| &named.steps));
        steps.flat_map(|steps| TreeStep::actions(steps))
    }

    /// Whether rows of modes match whole texts, rather than single characters.
    pub fn takes_texts(&self) -> bool {
        let mut patterns = self.rows().flat_map(|row| &row.patterns);
        patterns.any(|pattern| matches!(pattern.value, TokenPattern::Text(_)))
    }

    /// Whether a row of some mode matches tokens of this declared kind. If not, tokens of this kind never reach a mode.
    pub fn takes(&self, token: TokenId) -> bool {
        self.rows().any(|row| row.has_pattern(&TokenPattern::Declared(token)))
    }
}

impl Mode {
    /// Whether the mode has separate rows for self-closing start tags.
    pub fn distinguishes_empty_tags(&self) -> bool {
        let mut patterns = self.rows.iter().flat_map(|row| &row.patterns);
        patterns.any(|pattern| matches!(pattern.value, TokenPattern::EmptyTag(_)))
    }
}
