//! Declarations of tree construction other than modes: scopes, flags, pointers, tables of names, and the connection of
//! modes to a tokenizer.

use super::{
    DoctypeQuestion, ElementName, ElementRow, PointerId, ScopeId, TreeAction, TreeCondition,
};
use crate::model::{ErrorId, FlagId, Span, StateId};
pub use crate::vocabulary::tree::{
    AttributeNamespace, DocumentMode, InsertedNamespace, Namespace, StackPlace, TreeLimit,
};

/// A pointer to an element, which is initially unset.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// Name of the pointer.
    pub name: String,
    /// Span of the name.
    pub span: Span,
}

/// Processing of tokens in a fixed mode instead of the current one, while a condition holds.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// Mode that processes the tokens.
    pub mode: super::ModeId,
    /// Condition, evaluated for each token, and again whenever the token is reprocessed.
    pub condition: TreeCondition,
}

/// An element in foreign content whose contents are in the table's own namespace again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrationPoint {
    /// Name of the element.
    pub name: ElementName,
    /// Name of an attribute that the element's start tag must have, and the attribute's value, which is compared
    /// ignoring ASCII case; `None` if the element's name suffices.
    pub attribute: Option<(String, String)>,
}

/// A table of replacements for names in tokens.
#[derive(Clone, Debug)]
pub struct Adjustments {
    /// Name of the table.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Replacements, sorted by the name in the token.
    pub entries: Vec<Adjustment>,
}

/// A replacement for a name in a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// Name in the token.
    pub from: String,
    /// Namespace of the renamed attribute, if it has one. The prefix is then the part of the new name before its colon,
    /// if there is a colon.
    pub namespace: Option<AttributeNamespace>,
    /// New name.
    pub to: String,
}

impl Adjustment {
    /// Returns the prefix and the local name of the new name. The prefix is empty if there is no namespace or no colon.
    pub fn prefix_and_local(&self) -> (&str, &str) {
        let has_namespace = self.namespace.is_some();
        self.to.split_once(':').filter(|_| has_namespace).unwrap_or(("", &self.to))
    }
}

/// A set of DOCTYPEs.
#[derive(Clone, Debug)]
pub struct Doctypes {
    /// Name of the set.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Whether identifiers are compared ignoring ASCII case.
    pub ignoring_case: bool,
    /// Alternatives: a DOCTYPE is a member if all tests of one of them hold.
    pub tests: Vec<Vec<DoctypeTest>>,
}

/// One test of a DOCTYPE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoctypeTest {
    /// Whether the test is negated.
    pub negated: bool,
    /// Question about the DOCTYPE.
    pub question: DoctypeQuestion,
}

impl ElementRow {
    /// Whether this row of `fragment` also matches ancestors of the context element. It then applies to the nearest
    /// element with one of its names.
    pub fn matches_ancestors(&self) -> bool {
        super::TreeStep::actions(&self.steps)
            .iter()
            .any(|action| matches!(action, TreeAction::PointToContext(_)))
    }
}

/// Preparation for parsing a fragment, depending on its context element.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// Name of the root element, which is in the table's own namespace.
    pub root: String,
    /// Rows in table order; all that match the context element run. A row that points to the context element also
    /// matches its ancestors.
    pub rows: Vec<ElementRow>,
}

/// The names of the elements and attributes for mirroring the selected option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectedContent {
    /// Name of the option element.
    pub option: String,
    /// Name of the element in which an option is selected.
    pub select: String,
    /// Name of the element that mirrors the selected option.
    pub content: String,
    /// Name of the element that groups options.
    pub group: String,
    /// Names of the elements at which the search for a select element around an option or a mirroring element ends.
    pub stops: Vec<String>,
    /// Name of the attribute that allows several options to be selected.
    pub multiple: String,
    /// Name of the attribute that selects an option.
    pub selected: String,
    /// Name of the attribute that disables an option or a group.
    pub disabled: String,
    /// Name of the attribute whose value is the number of options displayed.
    pub size: String,
}

/// The source and the destination of foster parenting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fostering {
    /// Elements whose misplaced children are foster-parented while foster parenting is enabled.
    pub targets: Vec<ElementName>,
    /// Name of the element before which nodes are inserted: the last open element with this name in the table's own
    /// namespace.
    pub beside: String,
}

/// A command of modes to the tokenizer.
#[derive(Clone, Debug)]
pub struct Feedback {
    /// Word by which modes name the command.
    pub word: String,
    /// Span of the command's declaration, or of its first use.
    pub span: Span,
    /// Effect on the machine; `None` in a table that has no machine.
    pub effect: Option<FeedbackEffect>,
}

/// The effect of a command on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedbackEffect {
    /// Switches to this state, which is one of [`crate::model::Machine::entries`].
    Switch(StateId),
    /// Sets the flag, which the host and rows control, to the value with this index.
    SetFlag(FlagId, u8),
}

/// An answer of tree construction to the machine's query of a host flag.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Flag of the machine that the tokenizer queries.
    pub flag: FlagId,
    /// Index of the value that the flag has while the condition holds; otherwise, the flag has its first value.
    pub value: u8,
    /// Condition under which the flag has the value.
    pub condition: TreeCondition,
}

/// The place at which a node is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Insertion {
    /// At the appropriate place.
    Appropriate,
    /// As the last child of the document.
    Document,
    /// As the last child of the first element of the stack.
    Root,
}

/// The target of a walk up the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An element with one of these names.
    Names(Vec<ElementName>),
    /// An element of the table's own namespace with the token's name.
    TokenName,
    /// The element that the pointer points to.
    Pointed(PointerId),
}

/// Elements excepted from implied end tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Except {
    /// No elements.
    Nothing,
    /// Elements with these names.
    Names(Vec<ElementName>),
    /// Elements of the table's own namespace with the token's name.
    TokenName,
}

/// Arguments of the adoption agency algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdoptionAgency {
    /// The scope in which the formatting element must be.
    pub scope: ScopeId,
    /// The category of elements that can be a furthest block.
    pub special: Vec<ElementName>,
    /// Error that the algorithm reports.
    pub error: ErrorId,
    /// Steps to run if there is no formatting element.
    pub otherwise: super::StepsId,
}

/// The names by which markup patches contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patching {
    /// Name of the token's attribute whose value names the range to patch.
    pub attribute: String,
    /// Name of the pseudo-attribute by which a processing instruction names its range.
    pub name: String,
    /// Target of the processing instructions that mark a position.
    pub marker: String,
    /// Target of the processing instructions that start a range.
    pub start: String,
    /// Target of the processing instructions that end a range.
    pub end: String,
    /// Name of the element in place of which its parent is searched, if that parent is the document's root element.
    pub body: String,
}

impl super::Construction {
    /// Returns all rows that match elements: those of `reset` and of `fragment`.
    pub fn element_rows(&self) -> impl Iterator<Item = &ElementRow> {
        let fragment_rows = self.fragment.iter().flat_map(|fragment| &fragment.rows);
        self.reset.iter().flatten().chain(fragment_rows)
    }
}
