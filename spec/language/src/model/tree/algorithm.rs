//! Algorithms as typed steps, which the oracle executes: those of tree construction, of the prescan before it, and of
//! serialization after it. Parsers are compiled from some of them and implement the others by hand. Each value has the
//! kind that its use requires, each variable is assigned before it is read, and each `go` has its label in the
//! algorithm.

pub use super::bytes::{
    ByteEffect, BytePosition, ByteQuestion, ByteSet, ByteValue, Sequence, SequencePlace,
};
pub use super::kind::ValueKind;
pub use super::routine::Routine;
pub use super::tokens::{NamedValue, RowsOf, Side, TokenEffect, TokenQuestion};
pub use super::writing::{
    MemberKind, ShadowPart, WritingEffect, WritingQuestion, WritingValue, WrittenKind,
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

/// An algorithm, as typed steps.
#[derive(Clone, Debug)]
pub struct Algorithm {
    /// Name of the algorithm.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Section of the document that describes the algorithm, if the table names one.
    pub section: Option<Section>,
    /// Parameters in order. Their variables are the first ones of `variables`.
    pub parameters: Vec<Parameter>,
    /// All variables, including those of the parameters.
    pub variables: Vec<Variable>,
    /// Kind of the returned value, if there is one.
    pub returns: Option<ValueKind>,
    /// Statements that define words used by the steps.
    pub definitions: Vec<Definition>,
    /// Flags of tree construction that the outermost steps set, each with the expression of its value.
    pub sets: Vec<(TreeFlagId, Expression)>,
    /// Steps in order.
    pub steps: Vec<RunStep>,
    /// Spans of the steps in preorder, without an implied `return` at the end; empty for steps that are not in a file
    /// of the table.
    pub step_spans: Vec<Span>,
    /// The algorithm in the syntax of tables, for readers of generated code.
    pub written: String,
}

impl Algorithm {
    /// Returns the span of a step, which must be a reference into [`Self::steps`]; `None` if the step is in no file of
    /// the table.
    pub fn step_span(&self, step: &RunStep) -> Option<Span> {
        let (mut index, mut found) = (0, None);
        RunStep::for_each(&self.steps, &mut |other| {
            if std::ptr::eq(other, step) {
                found = self.step_spans.get(index).copied();
            }
            index += 1;
        });
        found
    }
}

impl RunStep {
    /// Calls `function` with every step in preorder.
    pub fn for_each<'s>(steps: &'s [Self], function: &mut dyn FnMut(&'s Self)) {
        for step in steps {
            function(step);
            step.inner().into_iter().for_each(|inner| Self::for_each(inner, function));
        }
    }

    /// Returns the two lists of steps inside the step, in the table's order; a list that the step lacks is empty.
    pub fn inner(&self) -> [&[Self]; 2] {
        match self {
            Self::When { then, otherwise, .. } => [then, otherwise],
            Self::Repeat(inner)
            | Self::RepeatWhile(_, inner)
            | Self::ForEachAttribute(_, _, _, inner)
            | Self::ForEach(_, _, _, inner) => [inner, &[]],
            Self::Let(..)
            | Self::LetPlace(..)
            | Self::Increment(_)
            | Self::At(_)
            | Self::Go(_)
            | Self::Break
            | Self::Continue
            | Self::Return(_)
            | Self::ReturnSteps(_)
            | Self::TakeReset(..)
            | Self::TakeFragment(..)
            | Self::RunParser
            | Self::Assert(_)
            | Self::Run(_)
            | Self::Effect(_) => [&[], &[]],
        }
    }

    /// Returns the flag of tree construction that the step sets, if any, and the expression of its value.
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

/// A variable of an algorithm.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Name of the variable.
    pub name: String,
    /// Kind of the values of the variable.
    pub kind: ValueKind,
}

/// A parameter of an algorithm.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Variable that holds the argument.
    pub variable: VariableId,
    /// Value if the argument is omitted; without a default, the argument is required.
    pub default: Option<Expression>,
}

/// A statement that defines words used by an algorithm's steps. It may stand anywhere among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// The statement that elements are alike if the names, namespaces and attributes of their tokens are equal.
    AlikeByTokens,
    /// The statement that excepted elements have no implied end tags.
    ExceptedAreNotImplied,
    /// The statement that the confidence in the encoding is irrelevant, because the input is text.
    ConfidenceIsIrrelevant,
    /// The statement that an exception may be reported to developers.
    ErrorMayBeReported,
    /// The statement that the token has no duplicate attributes after the algorithm.
    AttributesAreDistinct,
    /// A statement that follows from the other steps.
    FollowsFromOthers,
}

/// Treatment of scripts in a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptingMode {
    /// Scripting is disabled.
    Disabled,
    /// Scripts never run.
    Inert,
    /// Scripts run when the fragment is inserted.
    Fragment,
}

/// A group of rows of `fragment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentRows {
    /// Rows that set the tokenizer's state, and all others that are in neither of the following groups.
    Tokenizer,
    /// Rows that push template insertion modes.
    TemplateModes,
    /// Rows that point pointers to elements.
    Pointers,
}

/// A step of an algorithm.
#[derive(Clone, Debug, PartialEq)]
pub enum RunStep {
    /// Assigns a value to a variable.
    Let(VariableId, Expression),
    /// Assigns the parent and the next sibling of an insertion location to two variables.
    LetPlace(VariableId, VariableId, Expression),
    /// Increments a variable.
    Increment(VariableId),
    /// Runs steps depending on a condition.
    When {
        /// Condition to test.
        condition: Question,
        /// Steps to run if the condition holds.
        then: Vec<RunStep>,
        /// Steps to run if the condition does not hold.
        otherwise: Vec<RunStep>,
    },
    /// Repeats steps until one of them leaves the loop.
    Repeat(Vec<RunStep>),
    /// Repeats steps while a condition holds.
    RepeatWhile(Question, Vec<RunStep>),
    /// Runs steps for each attribute of a token, after assigning the attribute's name and value to the variables.
    ForEachAttribute(VariableId, VariableId, Expression, Vec<RunStep>),
    /// Runs steps for each member of a node, after assigning the member to the variable.
    ForEach(VariableId, MemberKind, Expression, Vec<RunStep>),
    /// A label, given by its index, to which other steps can jump.
    At(u8),
    /// Continues with the step after the label with this index.
    Go(u8),
    /// Leaves the innermost loop.
    Break,
    /// Starts the next round of the innermost loop.
    Continue,
    /// Ends the algorithm, with this value if there is one.
    Return(Option<Expression>),
    /// Ends the algorithm, and then runs these named steps.
    ReturnSteps(StepsId),
    /// Runs the first row of `reset` that matches the element, and ends the algorithm; continues if there is none. The
    /// second expression tells whether the element is the last one, which a row can test.
    TakeReset(Expression, Expression),
    /// Runs the rows of `fragment` in this group that match the element.
    TakeFragment(FragmentRows, Expression),
    /// Runs the parser over its input, and continues at the end of the input.
    RunParser,
    /// Asserts a condition that always holds according to the document.
    Assert(Question),
    /// Runs another algorithm.
    Run(Call),
    /// Changes the tree, the parser or a variable.
    Effect(Effect),
}

/// A call of an algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Algorithm to run.
    pub algorithm: AlgorithmId,
    /// Arguments; trailing ones may be omitted.
    pub arguments: Vec<Expression>,
}

/// A change of the tree, the parser or a variable by a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Reports a parse error.
    Error,
    /// Pops the current node off the stack of open elements.
    Pop,
    /// Pops elements up to and including this node.
    PopUntil(Expression),
    /// Pushes the element onto the stack.
    Push(Expression),
    /// Removes the element from the stack.
    RemoveFromOpen(Expression),
    /// Replaces the first element by the second on the stack.
    ReplaceInOpen(Expression, Expression),
    /// Inserts the first element on the stack immediately below the second.
    InsertBelow(Expression, Expression),
    /// Adds the element, with its token, to the list of active formatting elements.
    AddToFormatting(Expression),
    /// Removes the element or entry from the list of active formatting elements.
    RemoveFromFormatting(Expression),
    /// Removes from the list of active formatting elements the earliest of the elements that the preceding condition
    /// found alike.
    RemoveEarliestAlike,
    /// In the list of active formatting elements, replaces the first element or entry by the second element.
    ReplaceInFormatting(Expression, Expression),
    /// Inserts the element into the list of active formatting elements at the bookmark.
    InsertAtBookmark(Expression, Expression),
    /// Removes the node from its parent.
    Detach(Expression),
    /// Appends the first node to the second, moving it if it has a parent.
    Append(Expression, Expression),
    /// Moves the children of the first node to the end of the second.
    AppendChildren(Expression, Expression),
    /// Appends the string to the data of the text node.
    AppendData(Expression, Expression),
    /// Inserts the first node into the second before the third, or at the end if there is no third.
    Insert(Expression, Expression, Expression),
    /// Adds the attributes of the token to the element.
    AddTokenAttributes(Expression),
    /// Decrements a variable.
    Decrement(VariableId),
    /// A change to the parser.
    Parser(ParserEffect),
    /// A change to a template or a shadow root.
    Template(TemplateEffect),
    /// A change to the token, or to the elements created for it.
    Token(TokenEffect),
    /// A change to the position in the bytes, or to values read from them.
    Bytes(ByteEffect),
    /// A change to serialized text.
    Writing(WritingEffect),
}

/// A change to the parser.
#[derive(Clone, Debug, PartialEq)]
pub enum ParserEffect {
    /// Sets the mode of the document.
    SetDocumentMode(Expression, DocumentMode),
    /// Creates a parser for the document. The second expression tells whether the parser allows declarative shadow
    /// roots, and becomes the value of the flag.
    NewParser(Expression, Expression, TreeFlagId),
    /// Sets the context element of the fragment.
    SetContext(Expression),
    /// Sets the flag, which tells whether the parser treats scripting as enabled, according to the scripting mode.
    SetScripting(Expression, TreeFlagId),
    /// Makes this element the only one on the stack of open elements.
    SetOpen(Expression),
    /// Sets the node into which a fragment is parsed.
    SetRootTarget(Expression),
    /// Records the token as the start tag of the element.
    SetStartTag(Expression, Expression),
    /// Makes the text the input of the parser.
    SetInput(Expression),
}

/// A change to a template or a shadow root.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplateEffect {
    /// Attaches a shadow root to the element given first. The other values are the root's mode, whether it delegates
    /// focus, whether it is serializable, its slot assignment, and whether it is clonable.
    AttachShadowRoot(Box<[Expression; 6]>),
    /// Makes the second node the contents of the template.
    SetContents(Expression, Expression),
    /// Sets whether the shadow root was declared by markup.
    SetDeclarative(Expression, Expression),
    /// Sets a part of the template's patch.
    SetPatch(PatchPart, Expression, Expression),
}

/// A part of the patch of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchPart {
    /// The node whose contents are patched.
    Target,
    /// The processing instruction that starts the patched range.
    Start,
    /// The processing instruction that ends the patched range.
    End,
}

/// A mark in contents to patch, set by a processing instruction with a certain target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchMark {
    /// A position.
    Place,
    /// The start of a range.
    Start,
    /// The end of a range.
    End,
}

/// A value, as written in a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// No value.
    None,
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(u32),
    /// A string.
    Text(String),
    /// A scripting mode.
    Scripting(ScriptingMode),
    /// A list of element types.
    Names(Vec<ElementName>),
    /// The value of a variable.
    Variable(VariableId),
    /// A namespace.
    Namespace(Namespace),
    /// The current node; the document if no element is open.
    Current,
    /// The first element of the stack.
    FirstOfOpen,
    /// The last element of the stack.
    LastOfOpen,
    /// The context element of a fragment, if any.
    FragmentContext,
    /// The adjusted current node.
    AdjustedCurrent,
    /// A start tag with the name and attributes of the element.
    StartTagOf(Box<Expression>),
    /// The value of the token's attribute of this name, if any.
    Attribute(String, Box<Expression>),
    /// The element's attribute of this name as a number, by the rules for parsing non-negative integers; the given
    /// number if that fails.
    Integer(String, Box<Expression>, u32),
    /// The name of the range that the template patches; empty if it has none.
    PatchName(Box<Expression>),
    /// The node after the first in tree order within the second, if any.
    Following(Box<Expression>, Box<Expression>),
    /// The last element of the stack with one of these names, if any.
    LastOpen(Vec<ElementName>),
    /// A value that depends on a name as written in the input.
    Named(NamedValue),
    /// The node in this relation to the given one, if any.
    Relative(Relation, Box<Expression>),
    /// The parser's root insertion target, if any.
    RootInsertionTarget,
    /// The last entry of the list of active formatting elements, if any.
    LastEntry,
    /// The entry before the given one in the list of active formatting elements, if any.
    EntryBefore(Box<Expression>),
    /// The entry after the given one in the list of active formatting elements, if any.
    EntryAfter(Box<Expression>),
    /// The last element with this name after the last marker of the list of active formatting elements, if any.
    LastNamed(Box<Expression>),
    /// The position of the element in the list of active formatting elements; no value if the list lacks it.
    PlaceOf(Box<Expression>),
    /// The position after the element in the list of active formatting elements; no value if the list lacks it.
    PlaceAfter(Box<Expression>),
    /// The insertion location in the first node before the second, or at the end if there is no second.
    Place(Box<Expression>, Box<Expression>),
    /// The parent of an insertion location.
    TargetParent(Box<Expression>),
    /// The algorithm's token: the one passed to it, or else the tag being processed.
    Token,
    /// A part of the token.
    OfToken(TokenPart),
    /// The data of the text node, the comment or the processing instruction.
    Data(Box<Expression>),
    /// A new node.
    New(Box<NewNode>),
    /// The first value if the condition holds, the second otherwise.
    Chosen(Box<(Expression, Question, Expression)>),
    /// The result of an algorithm.
    Call(Call),
    /// A value read from bytes.
    Bytes(Box<ByteValue>),
    /// A value for serialization.
    Writing(Box<WritingValue>),
}

/// A relation of a node to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The element above the node on the stack.
    Above,
    /// The element above the node on the stack, or above its position before it was removed.
    AboveEvenIfRemoved,
    /// The topmost special element below the node on the stack.
    FurthestBlock,
    /// The parent of the node.
    Parent,
    /// The previous sibling of the node.
    PreviousSibling,
    /// The next sibling of the node.
    NextSibling,
    /// The first child of the node.
    FirstChild,
    /// The last child of the node.
    LastChild,
    /// The document of the node.
    NodeDocument,
    /// The contents of the template.
    TemplateContents,
    /// The node whose contents the template patches.
    InsertionTarget,
    /// The processing instruction that starts the range that the template patches.
    InsertionStartMarker,
    /// The processing instruction that ends the range that the template patches.
    InsertionEndMarker,
    /// The shadow root of the node.
    ShadowRoot,
    /// The element whose shadow root or template contents the node is.
    Host,
}

/// A part of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenPart {
    /// The tag name.
    TagName,
    /// The data of a comment.
    CommentData,
    /// The characters given by the action, or those of the token.
    Characters,
    /// The target of a processing instruction.
    InstructionTarget,
    /// The data of a processing instruction.
    InstructionData,
}

/// A new node. If a variant has one value more than its doc names, the first value is the node's document.
#[derive(Clone, Debug, PartialEq)]
pub enum NewNode {
    /// The document of the parser, which already exists.
    Document,
    /// A document fragment.
    Fragment(Expression),
    /// An element, with its local name and namespace.
    Element(Expression, Expression, Expression),
    /// An element: its prefix, local name and namespace.
    Prefixed([Expression; 3]),
    /// A text node, with its data.
    Text(Expression, Expression),
    /// A comment, with its data.
    Comment(Expression, Expression),
    /// A processing instruction, with its target and data.
    Instruction(Expression, Expression, Expression),
    /// A DOCTYPE, with its name, public identifier and system identifier.
    Doctype([Expression; 4]),
    /// A clone of the node with all its descendants.
    Clone(Expression),
    /// An element for the token that the given element or entry was created for; the second value is the intended
    /// parent.
    Like(Expression, Expression),
    /// An element for the token that the entry was created for, inserted at the appropriate place.
    InsertedLike(Expression),
}

/// A condition of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The other condition does not hold.
    Not(Box<Question>),
    /// All conditions hold.
    All(Vec<Question>),
    /// At least one condition holds.
    Any(Vec<Question>),
    /// Both nodes, numbers, strings or bytes are equal, or both values are missing.
    Same(Expression, Expression),
    /// The value is missing.
    IsNone(Expression),
    /// The value is true.
    IsTrue(Expression),
    /// The number is at least this.
    AtLeast(Expression, u32),
    /// The number is more than this.
    MoreThan(Expression, u32),
    /// The string is empty.
    IsEmpty(Expression),
    /// The node is an element of any kind.
    IsAnyElement(Expression),
    /// A condition on the parser.
    Parser(ParserQuestion),
    /// A condition on a template, its token or a shadow root.
    Template(TemplateQuestion),
    /// A condition on the token, or on what is created for it.
    Token(TokenQuestion),
    /// A condition on bytes.
    Bytes(ByteQuestion),
    /// A condition on what is serialized.
    Writing(WritingQuestion),
    /// The node is one of these elements.
    IsElement(Expression, Vec<ElementName>),
    /// The node is one of the elements of the list.
    IsInNames(Expression, Expression),
    /// The node is an element of the table's own namespace with this name.
    IsNamed(Expression, Expression),
    /// The node is an element whose misplaced children are foster-parented.
    IsFostered(Expression),
    /// Foster parenting is enabled.
    IsFostering,
    /// The action generates an end tag for the node.
    IsImplied(Expression),
    /// The node is the document.
    IsDocument(Expression),
    /// The node is a text node.
    IsText(Expression),
    /// The first node is a host-including inclusive ancestor of the second.
    IsAncestor(Expression, Expression),
    /// The node has a child that is an element.
    HasElementChild(Expression),
    /// The first node may be inserted into the second, before the third.
    IsValid(Box<[Expression; 3]>),
    /// The element, or the element of the entry, is on the stack.
    IsOpen(Expression),
    /// The element is in the scope given by the action.
    IsInScope(Expression),
    /// The list of active formatting elements has no entries.
    FormattingIsEmpty,
    /// The element is in the list of active formatting elements.
    IsFormatting(Expression),
    /// The entry is a marker.
    IsMarker(Expression),
    /// The entry is the first one of the list of active formatting elements.
    IsFirst(Expression),
    /// The last entry of the list of active formatting elements is for the element.
    IsLast(Expression),
    /// At least this many elements after the last marker of the list of active formatting elements are like the
    /// element.
    AreAlike(u32, Expression),
}

/// A condition on the parser.
#[derive(Clone, Debug, PartialEq)]
pub enum ParserQuestion {
    /// The scripting mode is one of these.
    IsScripting(Expression, &'static [ScriptingMode]),
    /// Scripting is disabled for the document, which is that of the context element: its flag is not set.
    ScriptingIsDisabled(Expression, TreeFlagId),
    /// The parser parses a fragment.
    IsFragment,
    /// The stack of open elements has exactly one element.
    HasOneOpen,
    /// The document, which is that of the context element, is in this mode.
    IsInDocumentMode(Expression, DocumentMode),
}

/// A condition on a template, its token or a shadow root.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplateQuestion {
    /// The token or element has an attribute of this name.
    HasAttribute(Expression, String),
    /// The token's attribute with the first name has the last string as its value, ignoring ASCII case.
    AttributeIs(String, Expression, String),
    /// Attaching the last shadow root failed.
    IsThrown,
    /// The element has a shadow root.
    IsShadowHost(Expression),
    /// The element is the body element of a document.
    IsBody(Expression),
    /// The node is a processing instruction with this mark, and with this name if one is given.
    IsPatchMark(Expression, PatchMark, Option<Expression>),
}

/// Returns the value that the table declares for a limit; `None` if it declares none.
pub(crate) fn limit_value(limit: TreeLimit, limits: super::TreeLimits) -> Option<u32> {
    match limit {
        TreeLimit::AdoptionRounds => limits.adoption_rounds,
        TreeLimit::AdoptionElements => limits.adoption_elements,
        TreeLimit::AlikeFormatting => limits.alike_formatting,
    }
}
