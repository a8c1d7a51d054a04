//! Algorithms as typed steps, which the oracle executes: those of tree construction, of the prescan before it, and of
//! serialization after it. Parsers are compiled from some of them and implement the others by hand. Each value has the
//! kind that its use requires, each variable is assigned before it is read, and each `go` has its label in the
//! algorithm.

pub use super::bytes::{BytePosition, ByteSet, Sequence, SequencePlace};
pub use super::kind::ValueKind;
pub use super::routine::Routine;
pub use super::writing::{MemberKind, ShadowPart, WritingEffect, WritingQuestion, WrittenKind};
pub use super::{AlgorithmId, VariableId};
use super::{StepsId, TreeFlagId};
use crate::model::Section;
use crate::syntax::Span;
pub use crate::vocabulary::algorithm::{
    ByteEffect, ByteQuestion, ByteValue, Effect, Expression, NamedValue, NewNode, ParserEffect,
    ParserQuestion, Question, TemplateEffect, TemplateQuestion, TokenEffect, TokenPart,
    TokenQuestion, WritingValue,
};

/// An algorithm, as typed steps.
#[derive(Clone, Debug)]
pub struct Algorithm {
    /// Name of the algorithm.
    pub name: String,
    /// Role of the algorithm.
    pub routine: Routine,
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
        let index =
            RunStep::all(&self.steps).iter().position(|other| std::ptr::eq(*other, step))?;
        self.step_spans.get(index).copied()
    }
}

impl RunStep {
    /// Returns every step in preorder.
    pub fn all(steps: &[Self]) -> Vec<&Self> {
        let mut all = Vec::new();
        for step in steps {
            all.push(step);
            all.extend(step.inner().into_iter().flat_map(Self::all));
        }
        all
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
    pub fn sets(&self) -> Option<(TreeFlagId, &Expression)> {
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

/// A part of a DOCTYPE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoctypePart {
    /// The name of the DOCTYPE.
    Name,
    /// The public identifier of the DOCTYPE.
    PublicIdentifier,
    /// The system identifier of the DOCTYPE.
    SystemIdentifier,
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
