//! The model of tree construction: modes, whose rows match tokens. Ids refer to elements of this model; lists of names
//! are sorted and have no duplicates.

use super::{
    CharacterSet, DeclaredToken, ErrorId, FieldId, Flag, Row, Section, Span, Spanned, Step, TokenId,
};

pub mod algorithm;
mod bytes;
pub mod declared;
mod effects;
mod kind;
mod routine;
mod switching;
mod tokens;
mod writing;

pub use declared::*;
pub use effects::{TreeActionEffects, TreeFlow};
pub use switching::SwitchingTag;

/// Index of a mode in [`Construction::modes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModeId(pub u8);

/// Index of named steps in [`Construction::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepsId(pub u8);

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
    /// Rows that reset the insertion mode, if declared.
    pub reset: Option<Reset>,
    /// Preparations for parsing a fragment; `None` if there are no fragments.
    pub fragment: Option<Fragment>,
    /// Mirroring of the selected option, if declared.
    pub selected_content: Option<SelectedContent>,
    /// Name of the element of the table's own namespace whose children form its template contents, if declared.
    pub template: Option<String>,
    /// Elements whose misplaced children are foster-parented, and the element before which these are inserted.
    pub fostering: Option<Fostering>,
    /// Limits of the adoption agency and the list of active formatting elements.
    pub limits: TreeLimits,
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

/// A namespace that a table can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Namespace {
    /// The namespace of the table's own elements.
    Own,
    /// The namespace of SVG.
    Svg,
    /// The namespace of MathML.
    Math,
}

/// The expanded name of an element: its namespace and its local name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementName {
    /// Namespace of the element.
    pub namespace: Namespace,
    /// Local name of the element.
    pub local: String,
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
    /// Section of the document that describes the steps, if the table names one.
    pub section: Option<Section>,
    /// Steps in order.
    pub steps: Vec<TreeStep>,
}

/// A mode and its rows.
#[derive(Clone, Debug)]
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

/// An action of a row in a mode. Its syntax is declared in [`crate::vocabulary::tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeAction {
    /// Switches to a mode, which processes the next token.
    Switch(ModeId),
    /// Processes the token again, in the mode switched to.
    Reprocess,
    /// Processes the token by the rules of another mode, without switching to it.
    Using(ModeId),
    /// Ignores the token.
    Ignore,
    /// Runs the steps of the `else` row.
    AsElse,
    /// Stops tree construction.
    Stop,
    /// Reports a parse error.
    Error(ErrorId),
    /// Inserts an element for the token and makes it the current node. The element becomes the last child of the
    /// current node or, with [`Elements::Html`], is inserted at the appropriate place.
    InsertElement,
    /// Inserts an element for the token without pushing it: as the last child of the current node or, with
    /// [`Elements::Html`], at the appropriate place.
    AppendElement,
    /// Inserts an element for the token, named by the text of a field.
    InsertElementOfField(FieldId),
    /// Appends the token's characters to the current node.
    AppendText,
    /// Appends the text of a field to the current node; with [`Elements::Html`], inserts it at the appropriate place.
    AppendField(FieldId),
    /// Appends a text node with the text of the field to the current node.
    AppendTextNode(FieldId),
    /// Appends a comment node.
    AppendComment(Parent),
    /// Appends a processing instruction node.
    AppendProcessingInstruction(Parent),
    /// Appends a DOCTYPE node to the document.
    AppendDoctype,
    /// Pops the current node off the stack of open elements.
    Pop,
    /// Pops elements up to and including one with the token's name, or all if there is none.
    PopUntilTokenName,
    /// Removes characters of the set from the beginning and end of the document's text.
    TrimText(CharacterSet),
    /// Moves all children of the document into a new element of this name, unless its only child is an element.
    WrapUnlessSingleElement(String),
    /// Notifies the host, with this word, of the element popped last for the token, or of the current node if none was
    /// popped.
    CallHost(String),
    /// Runs named steps.
    RunSteps(StepsId),
    /// Switches to the original mode.
    SwitchOriginal,
    /// Switches to the current template insertion mode.
    SwitchTemplateMode,
    /// Makes the current mode the original mode.
    SetOriginalMode,
    /// Processes the token by the rules of the current mode, bypassing the dispatch.
    UsingInsertionMode,
    /// Pushes a mode onto the stack of template insertion modes.
    PushTemplateMode(ModeId),
    /// Pops the current template insertion mode.
    PopTemplateMode,
    /// Resets the insertion mode appropriately for the open elements.
    ResetInsertionMode,
    /// Inserts an element of this name without attributes.
    InsertNamed(String),
    /// Inserts an element for the token in a given namespace.
    InsertForeign(InsertedNamespace),
    /// Inserts the token's character, or the given one.
    InsertCharacter(Option<char>),
    /// Inserts a comment node.
    InsertComment(Insertion),
    /// Inserts a processing instruction node.
    InsertProcessingInstruction(Insertion),
    /// Replaces the token's tag name as listed in a table of adjustments.
    AdjustTagName(AdjustmentsId),
    /// Replaces the names of the token's attributes as listed in a table of adjustments.
    AdjustAttributes(AdjustmentsId),
    /// Sets the token's tag name.
    Rename(String),
    /// Acknowledges the token's self-closing flag.
    AcknowledgeSelfClosing,
    /// Pops elements up to and including one with one of these names, or all if there is none.
    PopUntil(Vec<ElementName>),
    /// Pops the current node while it has one of these names and is not excepted.
    GenerateEndTags(Vec<ElementName>, Except),
    /// Pops elements until the current node has one of these names.
    ClearBackTo(Vec<ElementName>),
    /// Pops the current node while it is foreign, is not an integration point, and has none of these names.
    LeaveForeignContent(Vec<ElementName>),
    /// Pops elements up to and including the one that [`TreeCondition::ForeignOpenTokenName`] finds; none without one.
    PopUntilForeignTokenName,
    /// Removes the second element of the stack from its parent.
    DetachSecond,
    /// Adds to an element of the stack the token's attributes that the element lacks.
    MergeAttributes(StackPlace),
    /// Enables or disables foster parenting.
    FosterParenting(bool),
    /// Reconstructs the active formatting elements.
    ReconstructFormatting,
    /// Pushes the current node onto the list of active formatting elements.
    PushFormatting,
    /// Inserts a marker at the end of the list of active formatting elements.
    InsertMarker,
    /// Clears the list of active formatting elements up to the last marker.
    ClearFormatting,
    /// Runs the adoption agency algorithm.
    AdoptionAgency(AdoptionAgency),
    /// Points the pointer to the current node.
    Point(PointerId),
    /// Points the pointer to the last element with one of these names after the last marker of the list of active
    /// formatting elements.
    PointToFormatting(PointerId, Vec<ElementName>),
    /// Points the pointer to the context element.
    PointToContext(PointerId),
    /// Clears the pointer.
    Unset(PointerId),
    /// Pushes the pointer's element onto the stack.
    PushPointed(PointerId),
    /// Removes the pointer's element from the stack and the list of active formatting elements.
    RemovePointed(PointerId),
    /// Sets a flag to the value with this index.
    SetFlag(TreeFlagId, u8),
    /// Sets the mode of the document.
    SetDocumentMode(DocumentMode),
    /// Sends a command to the tokenizer.
    Tokenizer(FeedbackId),
    /// Ignores the next token if it is a line feed.
    IgnoreNextLineFeed,
    /// Clears the list of pending characters.
    ClearPending,
    /// Adds the token's character to the pending ones.
    AppendToPending,
    /// Inserts the pending characters.
    InsertPending,
    /// Processes each pending character by the `else` row of the mode.
    ProcessPending(ModeId),
    /// Records the token as the end tag of the topmost open element with its name, which stays open.
    MarkEndTag,
    /// Creates a template element for the token and pushes it, with a shadow root of the adjusted current node as its
    /// contents.
    AttachShadowRoot {
        /// Name of the token's attribute whose value is the mode of the shadow root.
        mode: String,
        /// Elements that can be hosts, in addition to those with valid custom element names.
        hosts: Vec<ElementName>,
        /// Names that are not valid custom element names despite their form.
        reserved: Vec<ElementName>,
    },
    /// Creates a template element for the token and pushes it. Its contents are inserted at the target that the token
    /// names.
    PatchContent(Patching),
    /// Finishes the patching that the topmost open element with one of these names began.
    FinishPatching(Vec<ElementName>),
}

/// A condition of a row in a mode, apart from the row's pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeCondition {
    /// Negation.
    Not(Box<TreeCondition>),
    /// Conjunction.
    All(Vec<TreeCondition>),
    /// The current node is an element with one of these names.
    CurrentIs(Vec<ElementName>),
    /// The current node is an element with the token's name.
    CurrentIsTokenName,
    /// An element with one of these names is open.
    Open(Vec<ElementName>),
    /// An element with the token's name is open.
    OpenTokenName,
    /// An element with the token's name is open, and one of these elements is nearer to the current node than the last
    /// such element.
    AboveTokenName(Vec<ElementName>),
    /// No element is open.
    StackIsEmpty,
    /// A walk up from the current node reaches the target before an element of the scope.
    InScope(ScopeId, Target),
    /// The current node is the pointer's element.
    CurrentIsPointed(PointerId),
    /// The current node's local name, in lower case if the node is foreign, is the token's name.
    CurrentIsTokenNameIgnoringCase,
    /// The second element of the stack has one of these names.
    SecondIs(Vec<ElementName>),
    /// An element with a name other than these is open.
    OpenOtherThan(Vec<ElementName>),
    /// A walk up from the current node, through foreign elements only, reaches one whose local name in lower case is
    /// the token's name.
    ForeignOpenTokenName,
    /// The adjusted current node is an element with one of these names.
    AdjustedCurrentIs(Vec<ElementName>),
    /// The adjusted current node is in this namespace.
    AdjustedCurrentIn(Namespace),
    /// There is an adjusted current node, and it is not in the table's own namespace.
    AdjustedCurrentIsForeign,
    /// The adjusted current node is an integration point.
    AdjustedCurrentIsIntegrationPoint,
    /// The adjusted current node is the first element of the stack.
    AdjustedCurrentIsRoot,
    /// The parser parses a fragment.
    IsFragment,
    /// The parser parses a fragment, and the context element has one of these names.
    ContextIs(Vec<ElementName>),
    /// The element that a row of `reset` tests is the first one of the stack, or the context element.
    IsLast,
    /// The token has an attribute with this name.
    TokenAttribute(String),
    /// The token has an attribute with this name, whose value is the given one, ASCII case-insensitively.
    TokenAttributeIs(String, String),
    /// The token's self-closing flag is set.
    SelfClosing,
    /// The token is of the field's kind, and the field has this text.
    FieldIs(FieldId, String),
    /// The pointer points to an element.
    IsSet(PointerId),
    /// The list of active formatting elements contains an element with one of these names after its last marker.
    FormattingHas(Vec<ElementName>),
    /// The flag has the value with this index.
    FlagIs(TreeFlagId, u8),
    /// The document is in this mode.
    DocumentModeIs(DocumentMode),
    /// The token is a DOCTYPE in the set.
    DoctypeIs(DoctypesId),
    /// The stack of template insertion modes is not empty.
    HasTemplateMode,
    /// Some pending character is not in the set.
    PendingOtherThan(CharacterSet),
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
}

impl Construction {
    /// Whether a row of some mode matches tokens of this declared kind. If not, tokens of this kind never reach a mode.
    pub fn takes(&self, token: TokenId) -> bool {
        let rows = self.modes.iter().flat_map(|mode| &mode.rows);
        let mut patterns = rows.flat_map(|row| &row.patterns);
        patterns.any(|pattern| pattern.value == TokenPattern::Declared(token))
    }
}

impl Mode {
    /// Whether the mode has separate rows for self-closing start tags.
    pub fn distinguishes_empty_tags(&self) -> bool {
        let mut patterns = self.rows.iter().flat_map(|row| &row.patterns);
        patterns.any(|pattern| matches!(pattern.value, TokenPattern::EmptyTag(_)))
    }
}
