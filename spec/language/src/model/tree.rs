//! The model of tree construction: modes, whose rows look at tokens. It is no tree. Invariant: every id names something
//! that the same model holds, and every list of names is sorted and without repetition.

use super::{
    CharacterSet, DeclaredToken, ErrorId, FieldId, Note, Section, Span, Spanned, Step, TokenId,
};

pub mod algorithm;
pub mod declared;
mod kind;
mod meaning;
mod of_bytes;
mod of_tokens;
mod routine;
mod switching;
mod writing;

pub use declared::*;
pub use meaning::TreeFlow;
pub use switching::SwitchingTag;

/// Index of a mode in [`Construction::modes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModeId(pub u8);

/// Index of named steps in [`Construction::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepsId(pub u8);

/// A row of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModeRowId {
    /// The mode.
    pub mode: ModeId,
    /// Index in [`Mode::rows`].
    pub row: u16,
}

/// Tree construction as a table describes it.
#[derive(Clone, Debug)]
pub struct Construction {
    /// The mode in which it starts.
    pub start: ModeId,
    /// How elements are made of tags.
    pub elements: Elements,
    /// The kinds of tokens that the table declares, which rows may take.
    pub tokens: Vec<DeclaredToken>,
    /// Algorithms that the oracle executes.
    pub algorithms: Vec<algorithm::Algorithm>,
    /// Named sets of element names.
    pub names: Vec<NameSet>,
    /// Steps that rows take by name.
    pub steps: Vec<NamedSteps>,
    /// The modes in the table's order.
    pub modes: Vec<Mode>,
    /// Scopes: at the elements of a scope a walk up the stack ends.
    pub scopes: Vec<NameSet>,
    /// Finite flags.
    pub flags: Vec<TreeFlag>,
    /// What may point to an element.
    pub pointers: Vec<Pointer>,
    /// Where tokens go instead of the current mode.
    pub dispatch: Option<Dispatch>,
    /// Elements at which other content is the table's own again.
    pub integration_points: Vec<IntegrationPoint>,
    /// Names that replace those of tokens.
    pub adjustments: Vec<Adjustments>,
    /// Sets of DOCTYPEs.
    pub doctypes: Vec<Doctypes>,
    /// What is reported at a start tag whose self-closing flag no row acknowledges.
    pub unacknowledged: Option<ErrorId>,
    /// What is reported at a start tag of whose attributes one is left out, as another one has its name.
    pub left_out: Option<ErrorId>,
    /// How the insertion mode is reset.
    pub reset: Option<Reset>,
    /// What is done before a fragment is parsed; `None` if there are no fragments.
    pub fragment: Option<Fragment>,
    /// How a chosen option is shown.
    pub selected_content: Option<SelectedContent>,
    /// The element of the table's own namespace whose children are its contents.
    pub template: Option<String>,
    /// Out of which elements nodes are fostered, and where to.
    pub fostering: Option<Fostering>,
    /// Bounds of the adoption agency and of the list of active formatting elements.
    pub limits: TreeLimits,
    /// The words of modes to the tokenizer.
    pub feedback: Vec<Feedback>,
    /// What tree construction answers for flags of the host.
    pub answers: Vec<Answer>,
}

/// How elements are made of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// The tag name is the element's name; there are no namespaces.
    Plain,
    /// Names are split at the first colon, unless they begin with it; prefixes are bound by attributes `xmlns` and `xmlns:…`. Of two attributes
    /// with the same local name and namespace, the first one stays.
    Xml,
    /// The tag name is the element's name; its namespace is that of HTML, SVG or MathML, as the action says, and only
    /// adjusted attributes have namespaces. Nodes are inserted at the appropriate place.
    Html,
}

/// A namespace that a table can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Namespace {
    /// That of the table's own elements.
    Own,
    /// SVG.
    Svg,
    /// MathML.
    Math,
}

/// An element name of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementName {
    /// Its namespace.
    pub namespace: Namespace,
    /// The local name.
    pub local: String,
}

/// A set of element names with a name.
#[derive(Clone, Debug)]
pub struct NameSet {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// Its members, sorted.
    pub members: Vec<ElementName>,
}

/// Steps with a name.
#[derive(Clone, Debug)]
pub struct NamedSteps {
    /// Their name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// Where the document describes them.
    pub section: Option<Section>,
    /// What is done.
    pub steps: Vec<TreeStep>,
}

/// A mode and its rows.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Its name, in kebab case.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// What comments of three slashes above it say, in Markdown.
    pub doc: String,
    /// Where the document describes it.
    pub section: Option<Section>,
    /// The rows in the table's order.
    pub rows: Vec<ModeRow>,
}

/// A row of a mode.
#[derive(Clone, Debug)]
pub struct ModeRow {
    /// From the first pattern to the last step.
    pub span: Span,
    /// The row as the table writes it.
    pub text: String,
    /// What comments of three slashes above it say, in Markdown.
    pub doc: String,
    /// The alternatives.
    pub patterns: Vec<Spanned<TokenPattern>>,
    /// The condition under which the row counts.
    pub guard: Option<Spanned<TreeCondition>>,
    /// How the row relates to the document, where not simply equal.
    pub notes: Vec<Note>,
    /// What is done.
    pub steps: Vec<TreeStep>,
}

/// The tag names that a pattern takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TagNames {
    /// All that no other row of the mode names.
    Any,
    /// These, sorted.
    These(Vec<String>),
}

/// One alternative of a row of a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenPattern {
    /// A start tag; where the mode has rows for empty tags, one that is not self-closing.
    StartTag(TagNames),
    /// A start tag whose self-closing flag is set.
    EmptyTag(TagNames),
    /// An end tag.
    EndTag(TagNames),
    /// An end tag without a name.
    ShortEndTag,
    /// A character of the set, or any that no other row takes.
    Character(Option<CharacterSet>),
    /// A whole text between two other tokens, if all its characters are in the set, or any.
    Text(Option<CharacterSet>),
    /// A comment.
    Comment,
    /// A DOCTYPE.
    Doctype,
    /// A processing instruction.
    ProcessingInstruction,
    /// A token of a kind that the table declares.
    Declared(TokenId),
    /// The end of the input.
    EndOfFile,
    /// Any token that no other row takes.
    Else,
}

/// A step of a row of a mode.
pub type TreeStep = Step<TreeAction, TreeCondition>;

/// Where a node is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parent {
    /// The current node, or the document if no element is open.
    Current,
    /// The document.
    Document,
}

/// What a row of a mode can do. Declared, with wordings, in [`crate::vocabulary::tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeAction {
    /// The mode is the one for the next token.
    Switch(ModeId),
    /// The token is processed again, in the mode that was switched to.
    Reprocess,
    /// The token is processed by the rules of the mode, without a switch.
    Using(ModeId),
    /// Nothing is done with the token.
    Ignore,
    /// The steps of the `else` row are taken.
    AsElse,
    /// Tree construction ends.
    Stop,
    /// A parse error.
    Error(ErrorId),
    /// An element is created for the token, appended to the current node, and becomes the current node.
    InsertElement,
    /// An element is created for the token and appended to the current node.
    AppendElement,
    /// An element with the text of the field as its name is inserted for the token.
    InsertElementOfField(FieldId),
    /// The token's characters are appended to the current node.
    AppendText,
    /// The text of the field is appended to the current node, or inserted.
    AppendField(FieldId),
    /// A comment node is appended.
    AppendComment(Parent),
    /// A processing instruction node is appended.
    AppendProcessingInstruction(Parent),
    /// A DOCTYPE node is appended to the document.
    AppendDoctype,
    /// The current node is popped off the stack of open elements.
    Pop,
    /// Elements are popped until one with the token's name was popped.
    PopUntilTokenName,
    /// Characters of the set are removed from the beginning and the end of the document's text.
    TrimText(CharacterSet),
    /// Unless the document's only child is an element, all its children become those of a new element of this name.
    WrapUnlessSingleElement(String),
    /// The host is notified, with this word, of the element popped last for the token, or else of the current node.
    CallHost(String),
    /// The steps of this name are taken.
    Take(StepsId),
    /// The mode is the original one.
    SwitchOriginal,
    /// The mode is the current template insertion mode.
    SwitchTemplateMode,
    /// The original mode is the current one.
    SetOriginalMode,
    /// The token is processed by the rules of the current mode, whatever it would be dispatched to.
    UsingInsertionMode,
    /// A mode is pushed onto the stack of template insertion modes.
    PushTemplateMode(ModeId),
    /// The current template insertion mode is popped.
    PopTemplateMode,
    /// The mode is the one that the open elements stand for.
    ResetInsertionMode,
    /// An element of this name, without attributes, is inserted.
    InsertNamed(String),
    /// An element is inserted for the token in a namespace of its own.
    InsertForeign(InsertedNamespace),
    /// The token's character, or this one, is inserted.
    InsertCharacter(Option<char>),
    /// A comment node is inserted.
    InsertComment(Insertion),
    /// A processing instruction node is inserted.
    InsertProcessingInstruction(Insertion),
    /// The token's tag name is replaced.
    AdjustTagName(AdjustmentsId),
    /// The names of the token's attributes are replaced.
    AdjustAttributes(AdjustmentsId),
    /// The token's tag name is this one.
    Rename(String),
    /// The token's self-closing flag is acknowledged.
    AcknowledgeSelfClosing,
    /// Elements are popped until one of these was popped.
    PopUntil(Vec<ElementName>),
    /// The current node is popped as long as it is one of these.
    GenerateEndTags(Vec<ElementName>, Except),
    /// The current node is popped as long as it is none of these.
    ClearBackTo(Vec<ElementName>),
    /// The current node is popped as long as it is foreign, no integration point, and none of these.
    LeaveForeignContent(Vec<ElementName>),
    /// Elements are popped until the foreign one was popped that has the token's name.
    PopUntilForeignTokenName,
    /// The second element of the stack is removed from its parent.
    DetachSecond,
    /// Attributes of the token that the element does not have are added to it.
    MergeAttributes(StackPlace),
    /// Foster parenting is enabled or disabled.
    FosterParenting(bool),
    /// The active formatting elements are reconstructed.
    ReconstructFormatting,
    /// The current node is pushed onto the list of active formatting elements.
    PushFormatting,
    /// A marker is inserted at the end of the list of active formatting elements.
    InsertMarker,
    /// The list of active formatting elements is cleared up to the last marker.
    ClearFormatting,
    /// The adoption agency algorithm.
    AdoptionAgency(AdoptionAgency),
    /// The pointer points to the current node.
    Point(PointerId),
    /// The pointer points to the last such element of the list of active formatting elements.
    PointToFormatting(PointerId, Vec<ElementName>),
    /// The pointer points to the context element.
    PointToContext(PointerId),
    /// The pointer points to nothing.
    Unset(PointerId),
    /// The element that the pointer points to is pushed onto the stack.
    PushPointed(PointerId),
    /// The element that the pointer points to is removed from the stack and from the list of active formatting elements.
    RemovePointed(PointerId),
    /// The flag has the value of this index.
    SetFlag(TreeFlagId, u8),
    /// The document is in this mode.
    SetDocumentMode(DocumentMode),
    /// The tokenizer is given this word.
    Tokenizer(FeedbackId),
    /// The next token is ignored if it is a line feed.
    IgnoreNextLineFeed,
    /// The list of pending characters is emptied.
    ClearPending,
    /// The token's character is added to the pending ones.
    AppendToPending,
    /// The pending characters are inserted.
    InsertPending,
    /// Each pending character is processed by the `else` row of the mode.
    ProcessPending(ModeId),
    /// The topmost open element of the token's name is ended by the token, but stays open.
    MarkEndTag,
    /// A template element is created for the token and pushed; a shadow root of the adjusted current node is its contents.
    AttachShadowRoot {
        /// The attribute of the token that says how open the root is.
        mode: String,
        /// The elements that can be hosts, besides those whose names are valid for custom elements.
        hosts: Vec<ElementName>,
        /// Names that are not valid for custom elements though they look it.
        reserved: Vec<ElementName>,
    },
    /// A template element is created for the token and pushed; what is put into it goes to the place that the token names.
    PatchContent(Patching),
    /// The place that the topmost such element patches is done with.
    FinishPatching(Vec<ElementName>),
}

/// What a row of a mode may depend on besides its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeCondition {
    /// The other condition does not hold.
    Not(Box<TreeCondition>),
    /// All of them hold.
    All(Vec<TreeCondition>),
    /// The current node is an element with one of these names.
    CurrentIs(Vec<ElementName>),
    /// The current node is an element with the token's name.
    CurrentIsTokenName,
    /// An element with one of these names is open.
    Open(Vec<ElementName>),
    /// An element with the token's name is open.
    OpenTokenName,
    /// One of these elements is open and was opened after the last one with the token's name.
    AboveTokenName(Vec<ElementName>),
    /// No element is open.
    StackIsEmpty,
    /// A walk up from the current node comes to the target before it comes to an element of the scope.
    InScope(ScopeId, Target),
    /// The current node is the element that the pointer points to.
    CurrentIsPointed(PointerId),
    /// The current node's name, in lower case, is the token's, whatever its namespace.
    CurrentIsTokenNameIgnoringCase,
    /// The second element of the stack has one of these names.
    SecondIs(Vec<ElementName>),
    /// An element with none of these names is open.
    OpenOtherThan(Vec<ElementName>),
    /// A walk up from the current node, through foreign elements only, comes to one with the token's name.
    ForeignOpenTokenName,
    /// The adjusted current node is an element with one of these names.
    AdjustedCurrentIs(Vec<ElementName>),
    /// The adjusted current node is in the namespace.
    AdjustedCurrentIn(Namespace),
    /// There is an adjusted current node, and it is not in the table's own namespace.
    AdjustedCurrentIsForeign,
    /// The adjusted current node is an integration point.
    AdjustedCurrentIsIntegrationPoint,
    /// The adjusted current node is the first element of the stack.
    AdjustedCurrentIsRoot,
    /// A fragment is parsed.
    IsFragment,
    /// A fragment is parsed, and the context element has one of these names.
    ContextIs(Vec<ElementName>),
    /// The element that is looked at is the first one of the stack, or the context element.
    IsLast,
    /// The token has an attribute of this name.
    TokenAttribute(String),
    /// The token has an attribute of this name, and its value is this, without regard to the case of ASCII letters.
    TokenAttributeIs(String, String),
    /// The token's self-closing flag is set.
    SelfClosing,
    /// The token is of the field's kind, and the text of the field is this.
    FieldIs(FieldId, String),
    /// The pointer points to an element.
    IsSet(PointerId),
    /// The list of active formatting elements has such an element after its last marker.
    FormattingHas(Vec<ElementName>),
    /// The flag has the value of this index.
    FlagIs(TreeFlagId, u8),
    /// The document is in this mode.
    DocumentModeIs(DocumentMode),
    /// The DOCTYPE is in the set.
    DoctypeIs(DoctypesId),
    /// The stack of template insertion modes is not empty.
    HasTemplateMode,
    /// A pending character is not in the set.
    PendingOtherThan(CharacterSet),
}

impl Construction {
    /// The mode of this id.
    pub fn mode(&self, id: ModeId) -> &Mode {
        &self.modes[usize::from(id.0)]
    }

    /// The mode of this name.
    pub fn find_mode(&self, name: &str) -> Option<ModeId> {
        self.modes.iter().position(|mode| mode.name == name).map(|index| ModeId(index as u8))
    }
}

impl Construction {
    /// Whether a row of a mode takes tokens of this kind. Those that none takes never come to a mode.
    pub fn takes(&self, token: TokenId) -> bool {
        let rows = self.modes.iter().flat_map(|mode| &mode.rows);
        let mut patterns = rows.flat_map(|row| &row.patterns);
        patterns.any(|pattern| pattern.value == TokenPattern::Declared(token))
    }
}

impl Mode {
    /// Whether start tags whose self-closing flag is set have rows of their own.
    pub fn distinguishes_empty_tags(&self) -> bool {
        let mut patterns = self.rows.iter().flat_map(|row| &row.patterns);
        patterns.any(|pattern| matches!(pattern.value, TokenPattern::EmptyTag(_)))
    }
}
