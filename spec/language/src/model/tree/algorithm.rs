//! Algorithms as typed steps, which the oracle executes: tree construction, the prescan before it, and serializing after it.
//! Parsers are compiled from some of them and implement the others by hand. Invariant: every value is of the kind that its
//! place wants, every variable is given or let before it is read, and every `go` names a label of the same algorithm.

pub use super::kind::Kind;
pub use super::of_bytes::{
    ByteEffect, ByteQuestion, ByteSet, ByteValue, Pointer, Sequence, SequencePlace,
};
pub use super::of_tokens::{NamedValue, RowsOf, Side, TokenEffect, TokenQuestion};
pub use super::routine::Routine;
pub use super::writing::{
    Members, ShadowPart, WritingEffect, WritingQuestion, WritingValue, WrittenKind,
};
use super::{DocumentMode, ElementName, Namespace, StepsId, TreeFlagId, TreeLimit};
use crate::model::Section;
use crate::syntax::Span;

/// Index of an algorithm in [`Construction::algorithms`](super::Construction::algorithms).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AlgorithmId(pub u8);

/// Index of a variable in [`Algorithm::variables`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u8);

/// An algorithm.
#[derive(Clone, Debug)]
pub struct Algorithm {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// Where the document describes it.
    pub section: Option<Section>,
    /// What it is given, in order: the first of the variables.
    pub parameters: Vec<Parameter>,
    /// All variables.
    pub variables: Vec<Variable>,
    /// The kind of what it returns, if it returns something.
    pub returns: Option<Kind>,
    /// What holds of words of its steps.
    pub definitions: Vec<Definition>,
    /// The flags of tree construction that its outermost steps set, each with the value that says how.
    pub sets: Vec<(TreeFlagId, Expression)>,
    /// The steps.
    pub steps: Vec<RunStep>,
    /// The steps as they are written, for people who read generated code.
    pub written: String,
}

impl RunStep {
    /// The flag of tree construction that the step sets, with the value that says how, if it sets one.
    pub(crate) fn sets(&self) -> Option<(TreeFlagId, &Expression)> {
        if let Self::Effect(Effect::Parser(
            ParserEffect::NewParser(_, value, flag) | ParserEffect::SetScripting(value, flag),
        )) = self
        {
            Some((*flag, value))
        } else {
            None
        }
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: Kind,
}

/// Something that an algorithm is given.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The variable.
    pub variable: VariableId,
    /// What it is if it is not given; without it, it must be given.
    pub default: Option<Expression>,
}

/// What holds of words of an algorithm's steps, wherever it stands among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Elements are alike if names, namespaces and attributes of their tokens are.
    AlikeByTokens,
    /// Elements that are excepted are not implied.
    ExceptedAreNotImplied,
    /// The confidence in the encoding does not matter: the input is text.
    ConfidenceIsIrrelevant,
    /// Whoever shows errors to developers may show what was thrown.
    ErrorMayBeReported,
    /// When the algorithm has ended, no two attributes of the token have the same name.
    AttributesAreDistinct,
    /// What the steps beside it come to anyhow.
    FollowsFromOthers,
}

/// What scripts may do where a fragment is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptingMode {
    /// There are none.
    Disabled,
    /// They run never.
    Inert,
    /// They run when what was parsed is inserted.
    Fragment,
}

/// Which rows of `fragment` are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentRows {
    /// Those which say what the tokenizer does, and others that do neither of the following.
    Tokenizer,
    /// Those which push template insertion modes.
    TemplateModes,
    /// Those by which pointers point to elements.
    Pointers,
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub enum RunStep {
    /// The variable is the value.
    Let(VariableId, Expression),
    /// The variables are the parent and the child of the location.
    LetPlace(VariableId, VariableId, Expression),
    /// The variable is one more.
    Increment(VariableId),
    /// Steps that depend on a condition.
    When {
        /// The condition.
        condition: Question,
        /// Taken if it holds.
        then: Vec<RunStep>,
        /// Taken if it does not.
        otherwise: Vec<RunStep>,
    },
    /// Steps that are taken again and again.
    Repeat(Vec<RunStep>),
    /// Steps that are taken again as long as the condition holds.
    RepeatWhile(Question, Vec<RunStep>),
    /// Steps that are taken for each attribute of a token, with its name and its value.
    ForEachAttribute(VariableId, VariableId, Expression, Vec<RunStep>),
    /// Steps that are taken for each of these of a node, which is the variable.
    ForEach(VariableId, Members, Expression, Vec<RunStep>),
    /// A place to go to: the index of the label.
    At(u8),
    /// The steps after the label are next.
    Go(u8),
    /// The innermost repetition ends.
    Break,
    /// The innermost repetition begins again.
    Continue,
    /// The algorithm ends, with this value.
    Return(Option<Expression>),
    /// The algorithm ends, and the steps of this name are taken.
    ReturnSteps(StepsId),
    /// The first row of `reset` that takes the element is taken, and the algorithm ends; without one, it goes on. Whether
    /// the element is the last one is what the row asks.
    TakeReset(Expression, Expression),
    /// The rows of `fragment` that take the element are taken, as far as they are of this kind.
    TakeFragment(FragmentRows, Expression),
    /// The parser runs over its input, and the steps go on when it has come to the end.
    RunParser,
    /// The document says that this holds.
    Assert(Question),
    /// Another algorithm is run.
    Run(Call),
    /// Something is changed.
    Effect(Effect),
}

/// A call of an algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The algorithm.
    pub algorithm: AlgorithmId,
    /// What it is given; parameters at the end may be left out.
    pub arguments: Vec<Expression>,
}

/// What a step changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A parse error.
    Error,
    /// The current node is popped off the stack of open elements.
    Pop,
    /// Nodes are popped until this one was popped.
    PopUntil(Expression),
    /// The element is pushed onto the stack.
    Push(Expression),
    /// The element is removed from the stack.
    RemoveFromOpen(Expression),
    /// The first is replaced by the second in the stack.
    ReplaceInOpen(Expression, Expression),
    /// The first is inserted in the stack immediately below the second.
    InsertBelow(Expression, Expression),
    /// The element is added to the list of active formatting elements, with its token.
    AddToFormatting(Expression),
    /// The element, or entry, is removed from the list.
    RemoveFromFormatting(Expression),
    /// The earliest of the elements that the condition before has counted is removed from the list.
    RemoveEarliestAlike,
    /// The element of the first, an element or entry, is replaced by the second in the list.
    ReplaceInFormatting(Expression, Expression),
    /// The element is inserted in the list at the bookmark.
    InsertAtBookmark(Expression, Expression),
    /// The node is removed from its parent.
    Detach(Expression),
    /// The first is appended to the second, wherever it was before.
    Append(Expression, Expression),
    /// The children of the first are appended to the second.
    AppendChildren(Expression, Expression),
    /// The string is appended to the data of the text node.
    AppendData(Expression, Expression),
    /// The first is inserted in the second before the third, at the end if that is none.
    Insert(Expression, Expression, Expression),
    /// The element has the attributes of the token.
    AddTokenAttributes(Expression),
    /// The number is one less.
    Decrement(VariableId),
    /// Something about the parser.
    Parser(ParserEffect),
    /// Something about a template.
    Template(TemplateEffect),
    /// Something about the token, or about what is made of it.
    Token(TokenEffect),
    /// Something about bytes.
    Bytes(ByteEffect),
    /// Something about what is written.
    Writing(WritingEffect),
}

/// What a step changes about the parser.
#[derive(Clone, Debug, PartialEq)]
pub enum ParserEffect {
    /// The document is in this mode.
    SetDocumentMode(Expression, DocumentMode),
    /// A parser is made for the document; the second is whether it makes declarative shadow roots, which the flag says.
    NewParser(Expression, Expression, TreeFlagId),
    /// The context element of the fragment.
    SetContext(Expression),
    /// Whether the parser takes scripting for enabled, which the flag says.
    SetScripting(Expression, TreeFlagId),
    /// The stack of open elements is this element alone.
    SetOpen(Expression),
    /// What a fragment is parsed into.
    SetRootTarget(Expression),
    /// The token is the start tag of the element.
    SetStartTag(Expression, Expression),
    /// The text is the input of the parser.
    SetInput(Expression),
}

/// What a step changes about a template or a shadow root.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplateEffect {
    /// The first has a shadow root: its mode, whether it delegates focus, is serializable, how slots are assigned, whether
    /// it is clonable.
    AttachShadowRoot(Box<[Expression; 6]>),
    /// The contents of the template are in the second.
    SetContents(Expression, Expression),
    /// The shadow root was declared by markup.
    SetDeclarative(Expression, Expression),
    /// What the template patches.
    SetPatch(PatchPart, Expression, Expression),
}

/// What a template that patches knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchPart {
    /// The node that it patches.
    Target,
    /// The instruction that begins the place.
    Start,
    /// The instruction that ends the place.
    End,
}

/// What an instruction marks, by its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchMark {
    /// A place.
    Place,
    /// The start of a place.
    Start,
    /// The end of a place.
    End,
}

/// A value as a step writes it.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// Nothing.
    None,
    /// True or false.
    Truth(bool),
    /// A number.
    Number(u32),
    /// A string.
    Text(String),
    /// A scripting mode.
    Scripting(ScriptingMode),
    /// Element types.
    Names(Vec<ElementName>),
    /// A variable.
    Variable(VariableId),
    /// A namespace.
    Namespace(Namespace),
    /// The current node; the document if no element is open.
    Current,
    /// The first element of the stack.
    FirstOfOpen,
    /// The last element of the stack.
    LastOfOpen,
    /// The context element of a fragment, or none.
    FragmentContext,
    /// The adjusted current node.
    AdjustedCurrent,
    /// A start tag with the name and the attributes of the element.
    StartTagOf(Box<Expression>),
    /// The value of the token's attribute of this name, or none.
    Attribute(String, Box<Expression>),
    /// The number that the element's attribute of this name is, by the rules for parsing non-negative integers, or this
    /// one where it is none.
    Integer(String, Box<Expression>, u32),
    /// The name of the place that the template patches; empty if it has none.
    PatchName(Box<Expression>),
    /// The node after the first in tree order that is in the second, or none.
    Following(Box<Expression>, Box<Expression>),
    /// The last element of the stack with one of these names, or none.
    LastOpen(Vec<ElementName>),
    /// Something by a name as it was written.
    Named(NamedValue),
    /// The node that stands in this relation to the other, or none.
    Relative(Relation, Box<Expression>),
    /// The parser's root insertion target, or none.
    RootInsertionTarget,
    /// The last entry of the list of active formatting elements.
    LastEntry,
    /// The entry before the entry.
    EntryBefore(Box<Expression>),
    /// The entry after the entry.
    EntryAfter(Box<Expression>),
    /// The last element of this name in the list after its last marker, or none.
    LastNamed(Box<Expression>),
    /// The place of the element in the list.
    PlaceOf(Box<Expression>),
    /// The place after the element in the list.
    PlaceAfter(Box<Expression>),
    /// Inside the first, before the second, at the end if that is none.
    Place(Box<Expression>, Box<Expression>),
    /// The node inside which a location is.
    TargetParent(Box<Expression>),
    /// The token that is processed.
    Token,
    /// A part of the token.
    OfToken(TokenPart),
    /// The data of the text node, the comment or the processing instruction.
    Data(Box<Expression>),
    /// A node that is made.
    New(Box<NewNode>),
    /// The first value if the condition holds, the second otherwise.
    Chosen(Box<(Expression, Question, Expression)>),
    /// What an algorithm returns.
    Call(Call),
    /// Something about bytes.
    Bytes(Box<ByteValue>),
    /// Something about what is written.
    Writing(Box<WritingValue>),
}

/// How one node stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is above it in the stack.
    Above,
    /// It is above it in the stack, or was when that was removed.
    AboveEvenIfRemoved,
    /// It is the topmost special element below it in the stack.
    FurthestBlock,
    /// It is its parent.
    Parent,
    /// It is the sibling before.
    PreviousSibling,
    /// It is the sibling after.
    NextSibling,
    /// It is its first child.
    FirstChild,
    /// It is its last child.
    LastChild,
    /// It is its document.
    NodeDocument,
    /// It holds the contents of the template.
    TemplateContents,
    /// It is the node that the template patches.
    InsertionTarget,
    /// It is the instruction that begins what the template patches.
    InsertionStartMarker,
    /// It is the node before which the template patches.
    InsertionEndMarker,
    /// It is its shadow root.
    ShadowRoot,
    /// It is the element whose shadow root, or whose contents, that is.
    Host,
}

/// A part of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenPart {
    /// The tag name.
    TagName,
    /// The data of a comment.
    CommentData,
    /// The characters that the action names, or those of the token.
    Characters,
    /// The target of a processing instruction.
    InstructionTarget,
    /// The data of a processing instruction.
    InstructionData,
}

/// A node that is made, each with its document first.
#[derive(Clone, Debug, PartialEq)]
pub enum NewNode {
    /// A document, which is that of the parser.
    Document,
    /// A document fragment.
    Fragment(Expression),
    /// An element: its local name and namespace.
    Element(Expression, Expression, Expression),
    /// An element: its prefix, local name and namespace.
    Prefixed([Expression; 3]),
    /// A text node with its data.
    Text(Expression, Expression),
    /// A comment with its data.
    Comment(Expression, Expression),
    /// A processing instruction: its target and data.
    Instruction(Expression, Expression, Expression),
    /// A DOCTYPE: its name, public and system identifier.
    Doctype([Expression; 4]),
    /// A clone of the node with all that is in it.
    Clone(Expression),
    /// An element for the token for which the first was created, the second being the intended parent.
    Like(Expression, Expression),
    /// An element for the token for which the entry was created, inserted.
    InsertedLike(Expression),
}

/// What a step depends on.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The other does not hold.
    Not(Box<Question>),
    /// All of them hold.
    All(Vec<Question>),
    /// One of them holds.
    Any(Vec<Question>),
    /// Both nodes, numbers or strings are the same; two of none are.
    Same(Expression, Expression),
    /// There is no such value.
    IsNone(Expression),
    /// The value is true.
    IsTrue(Expression),
    /// The number is at least that of the limit.
    AtLeast(Expression, u32),
    /// The number is more than that of the limit.
    MoreThan(Expression, u32),
    /// The string is empty.
    IsEmpty(Expression),
    /// The node is an element of any kind.
    IsAnyElement(Expression),
    /// Something about the parser.
    Parser(ParserQuestion),
    /// Something about a template.
    Template(TemplateQuestion),
    /// Something about the token, or about what is made of it.
    Token(TokenQuestion),
    /// Something about bytes.
    Bytes(ByteQuestion),
    /// Something about what is written.
    Writing(WritingQuestion),
    /// The node is one of these elements.
    IsElement(Expression, Vec<ElementName>),
    /// The node is an element of the list.
    IsInNames(Expression, Expression),
    /// The node is an element of the table's own namespace and has this name.
    IsNamed(Expression, Expression),
    /// The node is an element out of which others are fostered.
    IsFostered(Expression),
    /// Foster parenting is enabled.
    IsFostering,
    /// The node is an element for which the action generates end tags.
    IsImplied(Expression),
    /// The node is the document.
    IsDocument(Expression),
    /// The node is a text node.
    IsText(Expression),
    /// The first is a host-including inclusive ancestor of the second.
    IsAncestor(Expression, Expression),
    /// The node has an element as a child.
    HasElementChild(Expression),
    /// The first can be inserted in the second before the third.
    IsValid(Box<[Expression; 3]>),
    /// The element, or that of the entry, is open.
    IsOpen(Expression),
    /// The element is in the scope that the action names.
    IsInScope(Expression),
    /// The list of active formatting elements has no entries.
    FormattingIsEmpty,
    /// The element is in the list.
    IsFormatting(Expression),
    /// The entry is a marker.
    IsMarker(Expression),
    /// The entry is the first one.
    IsFirst(Expression),
    /// The element is that of the last entry.
    IsLast(Expression),
    /// So many elements of the list after its last marker are like the element.
    AreAlike(u32, Expression),
}

/// What a step asks about the parser.
#[derive(Clone, Debug, PartialEq)]
pub enum ParserQuestion {
    /// The scripting mode is one of these.
    IsScripting(Expression, &'static [ScriptingMode]),
    /// Scripting is disabled in the document: the host has not set the flag.
    ScriptingIsDisabled(Expression, TreeFlagId),
    /// A fragment is parsed.
    IsFragment,
    /// The stack of open elements has exactly one.
    HasOneOpen,
    /// The document is in this mode.
    IsInDocumentMode(Expression, DocumentMode),
}

/// What a step asks about a template, its token or a shadow root.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplateQuestion {
    /// The token, or the element, has an attribute of this name.
    HasAttribute(Expression, String),
    /// The value of the token's attribute of this name is the second, in any case of letters.
    AttributeIs(String, Expression, String),
    /// The last shadow root could not be attached.
    IsThrown,
    /// The element has a shadow root.
    IsShadowHost(Expression),
    /// The element is the body of a document.
    IsBody(Expression),
    /// The node is an instruction that marks this, of this name if one is given.
    IsPatchMark(Expression, PatchMark, Option<Expression>),
}

/// The limit that a number of the steps is, as the table declares it.
pub(crate) fn of_limit(limit: TreeLimit, limits: super::TreeLimits) -> Option<u32> {
    match limit {
        TreeLimit::AdoptionRounds => limits.adoption_rounds,
        TreeLimit::AdoptionElements => limits.adoption_elements,
        TreeLimit::AlikeFormatting => limits.alike_formatting,
    }
}
