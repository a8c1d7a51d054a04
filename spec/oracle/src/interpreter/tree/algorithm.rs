//! Interprets the table's algorithms by running their steps as written. The submodules evaluate conditions and
//! expressions, and apply effects. The number of steps of a run is limited; reaching the limit, or a failed assertion,
//! stops the builder and is recorded in it.

mod bytes;
mod condition;
mod effect;
mod parser;
mod template;
mod tokens;
mod value;
mod writing;

pub(super) use bytes::Bytes;
pub use bytes::{LabelLookup, prescan};
pub use writing::serialize;

use super::formatting::Entry;
use super::place::InsertionPoint;
use super::{Name, NodeId, TokenView, TracedStep, TreeBuilder};
use crate::interpreter::Span;
use tabulex_language::model::ErrorId;
use tabulex_language::model::tree::algorithm::{
    Algorithm, AlgorithmId, Call, Question, Routine, RunStep, ScriptingMode, VariableId,
};
use tabulex_language::model::tree::{ElementName, Patching, StepsId, TreeAction};

/// A tag as the source of an element's name and attributes.
#[derive(Clone, Debug)]
pub(super) struct TagToken {
    pub(super) name: String,
    pub(super) attributes: Vec<(Name, String)>,
    pub(super) span: Span,
}

/// The value of a variable.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// No value, such as a missing node or location.
    None,
    Node(NodeId),
    /// Any element with one of these names, as the target of a walk.
    AnyOf(Vec<ElementName>),
    /// An entry of the list of active formatting elements, as it was when found.
    Entry(Entry),
    /// An index in the list of active formatting elements, which is adjusted when earlier entries are removed.
    Bookmark(usize),
    /// An insertion location.
    Location(InsertionPoint),
    Number(u32),
    /// A string.
    Text(String),
    Token(TagToken),
    /// True or false.
    Truth(bool),
    /// A list of element names.
    Names(Vec<ElementName>),
    /// A scripting mode.
    Scripting(ScriptingMode),
    /// A list of nodes.
    Nodes(Vec<NodeId>),
    /// An attribute, with its name and value.
    Attribute(Box<(Name, String)>),
    Byte(u8),
    /// A position in the bytes that are scanned for an encoding.
    Position(usize),
    /// An encoding, by its name; `None` for failure.
    Encoding(Option<String>),
    /// A list of strings.
    List(Vec<String>),
    /// Named steps that the row that runs the algorithm runs next.
    Steps(StepsId),
}

/// Context of a run of an algorithm: the action, with the operands that are not arguments, and the token.
pub(super) struct Invocation<'a, 't> {
    /// The action that runs the algorithm; `None` for a condition, or for an algorithm that precedes the rows.
    pub(super) action: Option<&'a TreeAction>,
    pub(super) error: Option<ErrorId>,
    pub(super) character: Option<char>,
    pub(super) span: Span,
    pub(super) view: &'a TokenView<'t>,
}

impl<'a, 't> Invocation<'a, 't> {
    /// Creates a context with a token and without operands.
    pub(super) fn new(view: &'a TokenView<'t>) -> Self {
        Self { action: None, error: None, character: None, span: view.span(), view }
    }

    /// Returns the operands of the action that patches contents.
    fn patching(&self) -> Option<&'a Patching> {
        if let Some(TreeAction::PatchContent(patching)) = self.action {
            Some(patching)
        } else {
            None
        }
    }
}

/// State of a running algorithm.
#[derive(Debug)]
pub(super) struct Frame<'m> {
    algorithm: &'m Algorithm,
    values: Vec<Value>,
    /// Tag for which elements are created.
    token: Option<TagToken>,
    /// Ids of the formatting entries with an element equal to the new one, earliest first.
    equal_entries: Vec<usize>,
    /// Elements removed from the stack, each with the element that was above it.
    removed_elements: Vec<(NodeId, Option<NodeId>)>,
    /// Elements created for the token of an existing entry, each with that token.
    created_elements: Vec<(NodeId, TagToken)>,
    /// Element found by the token's name; the end tag is paired with this element once removed from the stack.
    found_by_name: Option<NodeId>,
    /// Whether the most recent attempt to attach a shadow root failed.
    attach_failed: bool,
}

/// A running algorithm: the builder that it changes, its state, and the context of its call.
struct Execution<'r, 'm> {
    builder: &'r mut TreeBuilder<'m>,
    frame: Frame<'m>,
    invocation: &'r Invocation<'r, 'r>,
}

/// Control flow after a step.
enum StepFlow {
    Next,
    /// Jump to a label.
    Go(u8),
    Break,
    Continue,
    End(Value),
    /// Suspend the algorithm until the input is parsed.
    Wait,
}

impl<'m> TreeBuilder<'m> {
    /// Runs an algorithm with the current tag and a new step limit. Returns `Value::None` if the table lacks the
    /// algorithm, which the checks reject.
    pub(super) fn run_routine(
        &mut self,
        routine: Routine,
        arguments: Vec<Value>,
        invocation: &Invocation<'_, '_>,
    ) -> Value {
        let Some(algorithm) = self.construction.routine(routine) else {
            return Value::None;
        };
        self.allow_steps();
        let token = self.tag_token();
        self.run(algorithm, arguments, token, invocation)
    }

    /// Runs `operation`, which sets a new step limit, and then restores the limit of the running algorithm.
    pub(super) fn with_own_step_limit<T>(&mut self, operation: impl FnOnce(&mut Self) -> T) -> T {
        let steps_left = self.steps_left;
        let result = operation(self);
        self.steps_left = steps_left;
        result
    }

    /// Resets the step limit, according to the sizes of the tree, the stack, the list of active formatting elements and
    /// the tag. An algorithm may walk the stack, the list or the tree a few times per element, up the tree from each
    /// node, and up the stack for each attribute.
    fn allow_steps(&mut self) {
        let nodes = self.tree.nodes.len();
        let attributes = self.tag.as_ref().map_or(0, |tag| tag.attributes.len());
        let stack_steps = (500 + 10 * attributes) * (1 + self.open.len() + self.formatting.len());
        self.steps_left = 10_000 + stack_steps + (50 + 10 * nodes) * nodes;
    }

    /// Runs the remaining steps of the algorithm suspended by `RunParser`. Returns `None` if none is suspended.
    pub(super) fn resume(&mut self, invocation: &Invocation<'_, '_>) -> Option<Value> {
        let frame = self.suspended_frame.take()?;
        let is_run_parser = |step: &RunStep| *step == RunStep::RunParser;
        let next_index = frame.algorithm.steps.iter().position(is_run_parser)? + 1;
        self.allow_steps();
        Some(Execution { builder: self, frame, invocation }.run_from(next_index))
    }

    fn run(
        &mut self,
        id: AlgorithmId,
        arguments: Vec<Value>,
        token: Option<TagToken>,
        invocation: &Invocation<'_, '_>,
    ) -> Value {
        let algorithm = self.construction.algorithm(id);
        let frame = Frame {
            algorithm,
            values: vec![Value::None; algorithm.variables.len()],
            token,
            equal_entries: Vec::new(),
            removed_elements: Vec::new(),
            created_elements: Vec::new(),
            found_by_name: None,
            attach_failed: false,
        };
        let mut execution = Execution { builder: self, frame, invocation };
        let mut arguments = arguments.into_iter();
        for parameter in &algorithm.parameters {
            let value = match (arguments.next(), &parameter.default) {
                (Some(value), _) => value,
                (None, Some(default)) => execution.value(default),
                (None, None) => Value::None,
            };
            if let Value::Token(token) = &value {
                execution.frame.token = Some(token.clone());
            }
            execution.frame.set(parameter.variable, value);
        }
        execution.run_from(0)
    }

    /// Counts a step, and returns whether the step may run. Stops the builder if the limit is reached.
    fn count_step(&mut self) -> bool {
        self.steps_left = self.steps_left.saturating_sub(1);
        if self.steps_left == 0 {
            (self.is_endless, self.has_stopped) = (true, true);
        }
        self.steps_left > 0 && !self.has_run_out()
    }
}

impl<'m> Execution<'_, 'm> {
    /// Runs the algorithm's outermost steps from index `from` on, and stores the frame if the algorithm is suspended.
    fn run_from(mut self, from: usize) -> Value {
        let steps = &self.frame.algorithm.steps;
        match self.run_steps(steps, from) {
            StepFlow::End(result) => return result,
            StepFlow::Wait => self.builder.suspended_frame = Some(self.frame),
            StepFlow::Next | StepFlow::Break | StepFlow::Continue | StepFlow::Go(_) => {}
        }
        Value::None
    }

    /// Runs the called algorithm. The result is `Value::None` if it returns steps, which only rows can run.
    fn run_call(&mut self, call: &'m Call) -> Value {
        let arguments: Vec<Value> =
            call.arguments.iter().map(|argument| self.value(argument)).collect();
        let token = self.frame.token.clone();
        let result = self.builder.run(call.algorithm, arguments, token, self.invocation);
        if matches!(result, Value::Steps(_)) { Value::None } else { result }
    }

    /// Runs a list of steps from index `at` on. A jump to a label outside the list is returned to the caller.
    fn run_steps(&mut self, steps: &'m [RunStep], mut at: usize) -> StepFlow {
        while let Some(step) = steps.get(at) {
            at += 1;
            if !self.builder.count_step() {
                return StepFlow::End(Value::None);
            }
            if let Some(steps) = &mut self.builder.traced_steps {
                let (rows, algorithm) = (self.builder.rows.len(), self.frame.algorithm);
                steps.push(TracedStep { rows, algorithm, step });
            }
            match self.run_step(step) {
                StepFlow::Next => {}
                StepFlow::Go(label) => {
                    let is_label = |step: &RunStep| matches!(step, RunStep::At(at) if *at == label);
                    let Some(target) = steps.iter().position(is_label) else {
                        return StepFlow::Go(label);
                    };
                    at = target + 1;
                }
                flow @ (StepFlow::Break
                | StepFlow::Continue
                | StepFlow::End(_)
                | StepFlow::Wait) => return flow,
            }
        }
        StepFlow::Next
    }

    fn run_step(&mut self, step: &'m RunStep) -> StepFlow {
        match step {
            RunStep::Let(variable, value) => {
                let value = self.value(value);
                self.frame.set(*variable, value);
            }
            RunStep::LetPlace(parent, before, value) => {
                if let Value::Location(location) = self.value(value) {
                    self.frame.set(*parent, Value::Node(location.parent));
                    self.frame.set(*before, location.before.map_or(Value::None, Value::Node));
                }
            }
            RunStep::Increment(variable) => {
                if let Value::Number(number) = &mut self.frame.values[usize::from(variable.0)] {
                    *number += 1;
                }
            }
            RunStep::When { condition, then, otherwise } => {
                let holds = self.condition_holds(condition);
                return self.run_steps(if holds { then } else { otherwise }, 0);
            }
            RunStep::Repeat(steps) => return self.repeat(None, steps),
            RunStep::RepeatWhile(condition, steps) => {
                return self.repeat(Some(condition), steps);
            }
            RunStep::ForEachAttribute(name, value, token, steps) => {
                let token = self.value(token);
                return self.for_each_attribute((*name, *value, token), steps);
            }
            RunStep::ForEach(variable, members, of, steps) => {
                let members = self.members(*members, of).into_iter();
                let members = members.map(|member| vec![(*variable, member)]).collect();
                return self.for_each(members, steps);
            }
            RunStep::At(_) => {}
            RunStep::Go(label) => return StepFlow::Go(*label),
            RunStep::Break => return StepFlow::Break,
            RunStep::Continue => return StepFlow::Continue,
            RunStep::Return(value) => {
                let value = value.as_ref();
                let value = value.map_or(Value::None, |value| self.value(value));
                return StepFlow::End(value);
            }
            RunStep::ReturnSteps(steps) => return StepFlow::End(Value::Steps(*steps)),
            RunStep::TakeReset(node, last) => {
                let node = self.node(node);
                let is_last = matches!(self.value(last), Value::Truth(true));
                if node.is_some_and(|node| {
                    self.builder.run_reset_row(node, is_last, self.invocation.view)
                }) {
                    return StepFlow::End(Value::None);
                }
            }
            RunStep::TakeFragment(rows, node) => {
                if let Some(node) = self.node(node) {
                    self.builder.run_fragment_rows(*rows, node, self.invocation.view);
                }
            }
            RunStep::RunParser => return StepFlow::Wait,
            RunStep::Assert(condition) => {
                if !self.condition_holds(condition) {
                    (self.builder.is_broken, self.builder.has_stopped) = (true, true);
                    return StepFlow::End(Value::None);
                }
            }
            RunStep::Run(call) => {
                let result = self.run_call(call);
                // A call as the last step of an algorithm provides the algorithm's result.
                if self.frame.algorithm.steps.last().is_some_and(|last| last == step) {
                    return StepFlow::End(result);
                }
            }
            RunStep::Effect(effect) => {
                // `None` means that an operand is missing; such a step has no effect.
                let _ = self.apply_effect(effect);
            }
        }
        StepFlow::Next
    }

    fn repeat(&mut self, condition: Option<&'m Question>, steps: &'m [RunStep]) -> StepFlow {
        while condition.is_none_or(|condition| self.condition_holds(condition)) {
            if !self.builder.count_step() {
                return StepFlow::End(Value::None);
            }
            match self.run_steps(steps, 0) {
                StepFlow::Next | StepFlow::Continue => {}
                StepFlow::Break => break,
                flow @ (StepFlow::Go(_) | StepFlow::End(_) | StepFlow::Wait) => return flow,
            }
        }
        StepFlow::Next
    }

    /// Runs the steps once for each member, after assigning the member's values to the variables.
    fn for_each(
        &mut self,
        members: Vec<Vec<(VariableId, Value)>>,
        steps: &'m [RunStep],
    ) -> StepFlow {
        for member in members {
            for (variable, value) in member {
                self.frame.set(variable, value);
            }
            match self.run_steps(steps, 0) {
                StepFlow::Next | StepFlow::Continue => {}
                StepFlow::Break => break,
                flow @ (StepFlow::Go(_) | StepFlow::End(_) | StepFlow::Wait) => return flow,
            }
        }
        StepFlow::Next
    }
}

impl Frame<'_> {
    fn value(&mut self, variable: VariableId) -> &mut Value {
        &mut self.values[usize::from(variable.0)]
    }

    fn set(&mut self, variable: VariableId, value: Value) {
        self.values[usize::from(variable.0)] = value;
    }

    /// Decrements a variable. Returns `None` if the value is 0 or not a number.
    fn decrement(&mut self, variable: VariableId) -> Option<()> {
        let Value::Number(number) = &mut self.values[usize::from(variable.0)] else { return None };
        *number = number.checked_sub(1)?;
        Some(())
    }
}
