//! What a table declares about tree construction besides modes: scopes, flags, pointers, tables of names, and what ties
//! modes to a tokenizer. It is no rule. Invariant: every id names something of the same construction.

use super::{ElementName, TreeAction, TreeCondition, TreeStep};
use crate::model::{ErrorId, FlagId, Note, Section, Span, Spanned, StateId};

/// Index of a scope in [`super::Construction::scopes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(pub u8);

/// Index of a flag in [`super::Construction::flags`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreeFlagId(pub u8);

/// Index of a pointer in [`super::Construction::pointers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointerId(pub u8);

/// Index of a table of adjustments in [`super::Construction::adjustments`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AdjustmentsId(pub u8);

/// Index of a set of DOCTYPEs in [`super::Construction::doctypes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DoctypesId(pub u8);

/// Index of a word to the tokenizer in [`super::Construction::feedback`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FeedbackId(pub u8);

/// A finite flag of tree construction.
#[derive(Clone, Debug)]
pub struct TreeFlag {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// Its values, the initial one first.
    pub values: Vec<String>,
    /// Whether the host gives its initial value.
    pub by_host: bool,
    /// Whether steps set it.
    pub by_rows: bool,
}

/// Something that may point to an element; at first to none.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
}

/// Tokens go to a mode instead of the current one while a condition holds.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// The mode.
    pub mode: super::ModeId,
    /// The condition, asked before each token and each time that it is processed again.
    pub condition: TreeCondition,
    /// Where the declaration is.
    pub span: Span,
}

/// An element at which other content is the table's own again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrationPoint {
    /// Its name.
    pub name: ElementName,
    /// An attribute that its start tag must have, with a value that is compared without regard to the case of ASCII letters.
    pub attribute: Option<(String, String)>,
}

/// The namespace of an attribute that is adjusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeNamespace {
    /// XLink.
    XLink,
    /// XML.
    Xml,
    /// XMLNS.
    Xmlns,
}

/// A table of names that replace those of tokens.
#[derive(Clone, Debug)]
pub struct Adjustments {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// What replaces what, sorted by the token's names.
    pub entries: Vec<Adjustment>,
}

/// A name that replaces that of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// The token's name.
    pub from: String,
    /// The namespace of the new one, if it is that of an attribute with one. Its prefix is then what is before the
    /// colon of the new name, none if there is no colon.
    pub namespace: Option<AttributeNamespace>,
    /// The new name.
    pub to: String,
}

/// A set of DOCTYPEs.
#[derive(Clone, Debug)]
pub struct Doctypes {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// Whether identifiers are compared without regard to the case of ASCII letters.
    pub ignoring_case: bool,
    /// The tests: a DOCTYPE is a member if all parts of one of them hold.
    pub tests: Vec<Vec<DoctypeTest>>,
}

/// One test of a DOCTYPE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoctypeTest {
    /// Whether it must not hold.
    pub negated: bool,
    /// What is asked.
    pub what: DoctypeQuestion,
}

/// What can be asked of a DOCTYPE. A missing name or identifier is no string, not even the empty one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DoctypeQuestion {
    /// The force-quirks flag is on.
    ForceQuirks,
    /// The name is this one, in any case; few machines leave it as it is written.
    NameIs(String),
    /// The public identifier is this one.
    PublicIs(String),
    /// The public identifier begins with this.
    PublicBegins(String),
    /// The public identifier is missing.
    PublicMissing,
    /// The system identifier is this one.
    SystemIs(String),
    /// The system identifier is missing.
    SystemMissing,
}

/// What is done about an element.
#[derive(Clone, Debug)]
pub struct ElementRow {
    /// The whole row.
    pub span: Span,
    /// The row as the table writes it.
    pub text: String,
    /// The elements; none for any (`else`).
    pub names: Vec<ElementName>,
    /// The condition under which the row counts.
    pub guard: Option<Spanned<TreeCondition>>,
    /// How the row relates to the document, where not simply equal.
    pub notes: Vec<Note>,
    /// What is done.
    pub steps: Vec<TreeStep>,
}

impl ElementRow {
    /// Whether the row of a fragment looks for the nearest such element: the context element or one around it.
    pub fn is_of_nearest(&self) -> bool {
        let actions = TreeStep::actions(&self.steps);
        actions.iter().any(|action| matches!(action, TreeAction::PointToContext(_)))
    }
}

/// How the mode is found that the open elements stand for: from the current node upwards, the steps of the first row that
/// takes the element are taken. For the first element of the stack, the context element is looked at if there is one,
/// and only there the row that takes any counts.
#[derive(Clone, Debug, Default)]
pub struct Reset {
    /// Where the document describes it.
    pub section: Option<Section>,
    /// The rows.
    pub rows: Vec<ElementRow>,
}

/// What is done before a fragment is parsed, by its context element.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// The name of the root element, which is in the table's own namespace.
    pub root: String,
    /// Where the document describes it.
    pub section: Option<Section>,
    /// The rows; every one that takes the context element counts, in order. A row that points to it also takes an
    /// element around it.
    pub rows: Vec<ElementRow>,
}

/// The elements and attributes by which a chosen option is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectedContent {
    /// The element that is chosen.
    pub option: String,
    /// The element that it is chosen in.
    pub select: String,
    /// The element that shows the chosen one.
    pub content: String,
    /// The element that groups options.
    pub group: String,
    /// The elements above an option, or above the element that shows it, that keep it from the element it is chosen in.
    pub stops: Vec<String>,
    /// The attribute by which several can be chosen.
    pub multiple: String,
    /// The attribute by which an option is chosen.
    pub selected: String,
    /// The attribute by which an option or a group cannot be chosen.
    pub disabled: String,
    /// The attribute that says how many options are shown.
    pub size: String,
}

/// Out of which elements nodes are fostered, and where to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fostering {
    /// The elements out of which nodes are fostered while foster parenting is enabled.
    pub targets: Vec<ElementName>,
    /// The element of the table's own namespace before the last one of which they go.
    pub beside: String,
}

/// Bounds of what the runtime does by itself; a table that declares none has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeLimits {
    /// How often the adoption agency looks for a formatting element for one token.
    pub adoption_rounds: Option<u32>,
    /// How many elements between the formatting element and the furthest block stay in the list of active formatting
    /// elements.
    pub adoption_elements: Option<u32>,
    /// How many equal elements may be after the last marker of the list of active formatting elements.
    pub alike_formatting: Option<u32>,
}

/// What a table can limit about trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeLimit {
    /// [`TreeLimits::adoption_rounds`].
    AdoptionRounds,
    /// [`TreeLimits::adoption_elements`].
    AdoptionElements,
    /// [`TreeLimits::alike_formatting`].
    AlikeFormatting,
}

/// What a word of modes to the tokenizer does.
#[derive(Clone, Debug)]
pub struct Feedback {
    /// The word.
    pub word: String,
    /// Where it is declared, or first said.
    pub span: Span,
    /// What the machine does; `None` in a table that has no machine.
    pub effect: Option<FeedbackEffect>,
}

/// What a machine does for a word of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedbackEffect {
    /// It goes on in this state, one of [`crate::model::Machine::entries`].
    Switch(StateId),
    /// The flag, one that is set by host and rows, has the value of this index.
    SetFlag(FlagId, u8),
}

/// What tree construction answers for a flag of the host.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The flag of the machine.
    pub flag: FlagId,
    /// The index of the value that it has while the condition holds; otherwise it has the first one.
    pub value: u8,
    /// The condition.
    pub condition: TreeCondition,
    /// Where it is declared.
    pub span: Span,
}

/// What a document is rendered like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentMode {
    /// As standards say.
    NoQuirks,
    /// With a few quirks.
    LimitedQuirks,
    /// With quirks.
    Quirks,
}

/// Where a node is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Insertion {
    /// At the appropriate place.
    Appropriate,
    /// As the last child of the document.
    Document,
    /// As the last child of the first element of the stack.
    Root,
}

/// An element of the stack by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StackPlace {
    /// The first one.
    Root,
    /// The second one.
    Second,
}

/// What a walk up the stack looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An element with one of these names.
    Names(Vec<ElementName>),
    /// An element of the table's own namespace with the token's name.
    TokenName,
    /// The element that the pointer points to.
    Pointed(PointerId),
}

/// The namespace of an inserted element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InsertedNamespace {
    /// SVG.
    Svg,
    /// MathML.
    Math,
    /// That of the adjusted current node.
    AdjustedCurrent,
}

/// What implied end tags are not generated for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Except {
    /// Nothing.
    Nothing,
    /// Elements with these names.
    Names(Vec<ElementName>),
    /// Elements of the table's own namespace with the token's name.
    TokenName,
}

/// What the adoption agency needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdoptionAgency {
    /// The scope in which the formatting element must be.
    pub scope: ScopeId,
    /// The category of elements that can be a furthest block.
    pub special: Vec<ElementName>,
    /// The code of its errors.
    pub error: ErrorId,
    /// The steps that are taken when there is no formatting element.
    pub otherwise: super::StepsId,
}

/// The words by which content is patched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patching {
    /// The attribute of the token that names a place.
    pub attribute: String,
    /// The pseudo-attribute of processing instructions that has the name.
    pub name: String,
    /// The target of an instruction that is a place.
    pub marker: String,
    /// The target of an instruction that begins a place.
    pub start: String,
    /// The target of an instruction that ends a place.
    pub end: String,
    /// The element whose parent is searched instead, where it is the document's.
    pub body: String,
}

impl super::Construction {
    /// The steps of all rows that are about elements.
    pub fn element_rows(&self) -> impl Iterator<Item = &ElementRow> {
        let fragment = self.fragment.iter().flat_map(|fragment| &fragment.rows);
        self.reset.iter().flat_map(|reset| &reset.rows).chain(fragment)
    }
}
