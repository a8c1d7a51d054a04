//! Executes the algorithms of a table, step by step as they are written. What single steps ask, make and change is
//! beside. Invariant: a run ends, since each has a number of steps that it may take; one that takes more, or asserts what
//! does not hold, is reported.

mod bytes;
mod effect;
mod parser;
mod question;
mod template;
mod tokens;
mod value;
mod writing;

pub(super) use bytes::Bytes;
pub use bytes::{Declared, prescan};
pub use writing::serialize;

use super::formatting::Entry;
use super::place::InsertionPoint;
use super::{Name, NodeId, TokenView, TreeBuilder};
use crate::interpreter::Span;
use tabulex_language::model::tree::algorithm::{
    Algorithm, AlgorithmId, Call, Definition, Question, Routine, RunStep, ScriptingMode, VariableId,
};
use tabulex_language::model::tree::{ElementName, Except, Patching, ScopeId, StepsId};
use tabulex_language::model::{CharacterSet, ErrorId};

/// A tag as elements are created for it.
#[derive(Clone, Debug)]
pub(super) struct TagToken {
    pub(super) name: String,
    pub(super) attributes: Vec<(Name, String)>,
    pub(super) span: Span,
}

/// What a variable is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// No node, no location.
    None,
    /// A node.
    Node(NodeId),
    /// Any element of these names, which a walk looks for.
    AnyOf(Vec<ElementName>),
    /// An entry of the list of active formatting elements, as it was.
    Entry(Entry),
    /// An index in that list, which stays where it is in the list when entries before it are removed.
    Bookmark(usize),
    /// An insertion location.
    Location(InsertionPoint),
    /// A number.
    Number(u32),
    /// A string.
    Text(String),
    /// A token.
    Token(TagToken),
    /// True or false.
    Truth(bool),
    /// A list of element types.
    Names(Vec<ElementName>),
    /// A scripting mode.
    Scripting(ScriptingMode),
    /// Nodes.
    Nodes(Vec<NodeId>),
    /// An attribute: its name and its value.
    Attribute(Box<(Name, String)>),
    /// A byte.
    Byte(u8),
    /// A place in the bytes.
    Position(usize),
    /// An encoding by its name, or failure.
    Encoding(Option<String>),
    /// Strings.
    List(Vec<String>),
}

/// What the action or condition that runs an algorithm says besides what it gives.
pub(super) struct Invocation<'a, 't> {
    pub(super) error: Option<ErrorId>,
    pub(super) scope: Option<ScopeId>,
    pub(super) special: &'a [ElementName],
    pub(super) implied: &'a [ElementName],
    pub(super) except: &'a Except,
    /// Elements that can have shadow roots, and names that no custom element has.
    pub(super) hosts: [&'a [ElementName]; 2],
    /// The words of templates that patch.
    pub(super) patching: Option<&'a Patching>,
    /// The characters that are removed from ends of texts.
    pub(super) trimmed: Option<&'a CharacterSet>,
    pub(super) character: Option<char>,
    pub(super) span: Span,
    pub(super) seen: &'a TokenView<'t>,
}

impl<'a, 't> Invocation<'a, 't> {
    /// Nothing besides the token.
    pub(super) fn of(seen: &'a TokenView<'t>) -> Self {
        let (error, scope, character, span) = (None, None, None, seen.span());
        let (special, implied, except) = (&[][..], &[][..], &Except::Nothing);
        let (hosts, patching, trimmed) = ([&[][..]; 2], None, None);
        Self {
            error,
            scope,
            special,
            implied,
            except,
            hosts,
            patching,
            trimmed,
            character,
            span,
            seen,
        }
    }
}

/// An algorithm while it runs.
#[derive(Debug)]
pub(super) struct Frame<'m> {
    algorithm: &'m Algorithm,
    values: Vec<Value>,
    /// The token that elements are created for.
    token: Option<TagToken>,
    /// The entries that were found alike, the earliest first.
    alike: Vec<usize>,
    /// Elements that were removed from the stack, with what was above them.
    removed: Vec<(NodeId, Option<NodeId>)>,
    /// Elements that were created, with the tokens of those that they are like.
    created: Vec<(NodeId, TagToken)>,
    /// The element that was looked for by the token's name: the end tag ends it when it leaves the stack.
    sought: Option<NodeId>,
    /// Whether the last shadow root could not be attached.
    is_thrown: bool,
}

/// How an algorithm ends.
pub(super) enum End {
    /// It returns this.
    Value(Value),
    /// These steps are taken then.
    Steps(StepsId),
}

/// What comes after a step.
enum Next {
    On,
    Go(u8),
    Break,
    Continue,
    End(End),
    /// The input is parsed first.
    Wait,
}

impl<'m> TreeBuilder<'m> {
    /// Runs the algorithm for an action or a condition. A table without it does nothing, which the checks do not accept.
    pub(super) fn routine(
        &mut self,
        routine: Routine,
        given: Vec<Value>,
        asked: &Invocation<'_, '_>,
    ) -> End {
        let Some(algorithm) = self.construction.routine(routine) else {
            return End::Value(Value::None);
        };
        self.allow_steps();
        let token = self.tag_token();
        self.run(algorithm, given, token, asked)
    }

    /// Runs the algorithm without the tag that is processed.
    pub(super) fn untagged(
        &mut self,
        routine: Routine,
        given: Vec<Value>,
        asked: &Invocation<'_, '_>,
    ) {
        if let Some(algorithm) = self.construction.routine(routine) {
            self.allow_steps();
            self.run(algorithm, given, None, asked);
        }
    }

    /// Does what has steps of its own. The algorithm that does it has its own left after it.
    pub(super) fn within<T>(&mut self, does: impl FnOnce(&mut Self) -> T) -> T {
        let left = self.steps_left;
        let done = does(self);
        self.steps_left = left;
        done
    }

    /// An algorithm walks up the stack, through the list, or through the tree, a few times at each of them; from each node
    /// it may walk up the tree. Of each attribute it may walk up the stack.
    fn allow_steps(&mut self) {
        let nodes = self.tree.nodes.len();
        let attributes = self.tag.as_ref().map_or(0, |tag| tag.attributes.len());
        let most = (500 + 10 * attributes) * (1 + self.open.len() + self.formatting.len());
        self.steps_left = 10_000 + most + (50 + 10 * nodes) * nodes;
    }

    /// Runs what the algorithm that waits for the end of the input has left.
    pub(super) fn resume(&mut self, asked: &Invocation<'_, '_>) -> Option<End> {
        let frame = self.waiting.take()?;
        let is_wait = |step: &RunStep| *step == RunStep::RunParser;
        let from = frame.algorithm.steps.iter().position(is_wait)? + 1;
        self.allow_steps();
        Some(self.run_from(frame, from, asked))
    }

    /// Runs the algorithm, which returns a node or none.
    pub(super) fn node_of(
        &mut self,
        routine: Routine,
        given: Vec<Value>,
        asked: &Invocation<'_, '_>,
    ) -> Option<NodeId> {
        match self.routine(routine, given, asked) {
            End::Value(Value::Node(node)) => Some(node),
            End::Value(_) | End::Steps(_) => None,
        }
    }

    fn run(
        &mut self,
        id: AlgorithmId,
        given: Vec<Value>,
        token: Option<TagToken>,
        asked: &Invocation<'_, '_>,
    ) -> End {
        let algorithm = self.construction.algorithm(id);
        let values = vec![Value::None; algorithm.variables.len()];
        let (alike, removed, created, sought) = (Vec::new(), Vec::new(), Vec::new(), None);
        let is_thrown = false;
        let mut frame =
            Frame { algorithm, values, token, alike, removed, created, sought, is_thrown };
        let mut given = given.into_iter();
        for parameter in &algorithm.parameters {
            let value = match (given.next(), &parameter.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.value(&mut frame, asked, default),
                (None, None) => Value::None,
            };
            if let Value::Token(token) = &value {
                frame.token = Some(token.clone());
            }
            frame.set(parameter.variable, value);
        }
        let end = self.run_from(frame, 0, asked);
        let is_distinct = Definition::AttributesAreDistinct;
        if algorithm.definitions.contains(&is_distinct) && !self.has_distinct_attributes() {
            (self.is_broken, self.has_stopped) = (true, true);
        }
        end
    }

    /// Runs the outermost steps from this index on.
    fn run_from(&mut self, mut frame: Frame<'m>, from: usize, asked: &Invocation<'_, '_>) -> End {
        let steps = &frame.algorithm.steps;
        match self.run_steps_from(&mut frame, asked, steps, from) {
            Next::End(end) => return end,
            Next::Wait => self.waiting = Some(frame),
            Next::On | Next::Break | Next::Continue | Next::Go(_) => {}
        }
        End::Value(Value::None)
    }

    fn run_call(
        &mut self,
        frame: &mut Frame<'m>,
        asked: &Invocation<'_, '_>,
        call: &'m Call,
    ) -> End {
        let given: Vec<Value> =
            call.arguments.iter().map(|argument| self.value(frame, asked, argument)).collect();
        self.run(call.algorithm, given, frame.token.clone(), asked)
    }

    fn run_steps(
        &mut self,
        frame: &mut Frame<'m>,
        asked: &Invocation<'_, '_>,
        steps: &'m [RunStep],
    ) -> Next {
        self.run_steps_from(frame, asked, steps, 0)
    }

    /// Runs steps that stand beside each other, from this index on. A label that is not among them is looked for around them.
    fn run_steps_from(
        &mut self,
        frame: &mut Frame<'m>,
        asked: &Invocation<'_, '_>,
        steps: &'m [RunStep],
        mut at: usize,
    ) -> Next {
        while let Some(step) = steps.get(at) {
            at += 1;
            if !self.may_take_step() {
                return Next::End(End::Value(Value::None));
            }
            match self.run_step(frame, asked, step) {
                Next::On => {}
                Next::Go(label) => {
                    let is_label = |step: &RunStep| matches!(step, RunStep::At(at) if *at == label);
                    let Some(place) = steps.iter().position(is_label) else {
                        return Next::Go(label);
                    };
                    at = place + 1;
                }
                next @ (Next::Break | Next::Continue | Next::End(_) | Next::Wait) => return next,
            }
        }
        Next::On
    }

    /// Counts a step; whether it may be taken.
    fn may_take_step(&mut self) -> bool {
        self.steps_left = self.steps_left.saturating_sub(1);
        if self.steps_left == 0 {
            (self.is_endless, self.has_stopped) = (true, true);
        }
        self.steps_left > 0 && !self.has_run_out()
    }

    fn run_step(
        &mut self,
        frame: &mut Frame<'m>,
        asked: &Invocation<'_, '_>,
        step: &'m RunStep,
    ) -> Next {
        match step {
            RunStep::Let(variable, value) => {
                let value = self.value(frame, asked, value);
                frame.set(*variable, value);
            }
            RunStep::LetPlace(parent, before, value) => {
                if let Value::Location(place) = self.value(frame, asked, value) {
                    frame.set(*parent, Value::Node(place.parent));
                    frame.set(*before, place.before.map_or(Value::None, Value::Node));
                }
            }
            RunStep::Increment(variable) => {
                if let Value::Number(number) = &mut frame.values[usize::from(variable.0)] {
                    *number += 1;
                }
            }
            RunStep::When { condition, then, otherwise } => {
                let holds = self.question(frame, asked, condition);
                return self.run_steps(frame, asked, if holds { then } else { otherwise });
            }
            RunStep::Repeat(steps) => return self.repeat(frame, asked, None, steps),
            RunStep::RepeatWhile(condition, steps) => {
                return self.repeat(frame, asked, Some(condition), steps);
            }
            RunStep::ForEachAttribute(name, value, token, steps) => {
                let token = self.value(frame, asked, token);
                return self.for_each_attribute(frame, asked, (*name, *value, token), steps);
            }
            RunStep::ForEach(variable, members, of, steps) => {
                let members = self.members(frame, asked, *members, of).into_iter();
                let members = members.map(|member| vec![(*variable, member)]).collect();
                return self.for_each(frame, asked, members, steps);
            }
            RunStep::At(_) => {}
            RunStep::Go(label) => return Next::Go(*label),
            RunStep::Break => return Next::Break,
            RunStep::Continue => return Next::Continue,
            RunStep::Return(value) => {
                let value = value.as_ref();
                let value = value.map_or(Value::None, |value| self.value(frame, asked, value));
                return Next::End(End::Value(value));
            }
            RunStep::ReturnSteps(steps) => return Next::End(End::Steps(*steps)),
            RunStep::TakeReset(node, last) => {
                let node = self.node(frame, asked, node);
                let is_last = matches!(self.value(frame, asked, last), Value::Truth(true));
                if node.is_some_and(|node| self.take_reset(node, is_last, asked.seen)) {
                    return Next::End(End::Value(Value::None));
                }
            }
            RunStep::TakeFragment(rows, node) => {
                if let Some(node) = self.node(frame, asked, node) {
                    self.take_fragment(*rows, node, asked.seen);
                }
            }
            RunStep::RunParser => return Next::Wait,
            RunStep::Assert(condition) => {
                if !self.question(frame, asked, condition) {
                    (self.is_broken, self.has_stopped) = (true, true);
                    return Next::End(End::Value(Value::None));
                }
            }
            RunStep::Run(call) => {
                let end = self.run_call(frame, asked, call);
                // An algorithm that ends so returns what that one does.
                let is_last = frame.algorithm.steps.last().is_some_and(|last| last == step);
                if let (true, End::Value(value)) = (is_last, end) {
                    return Next::End(End::Value(value));
                }
            }
            RunStep::Effect(effect) => self.effect(frame, asked, effect),
        }
        Next::On
    }

    fn repeat(
        &mut self,
        frame: &mut Frame<'m>,
        asked: &Invocation<'_, '_>,
        condition: Option<&'m Question>,
        steps: &'m [RunStep],
    ) -> Next {
        while condition.is_none_or(|condition| self.question(frame, asked, condition)) {
            if !self.may_take_step() {
                return Next::End(End::Value(Value::None));
            }
            match self.run_steps(frame, asked, steps) {
                Next::On | Next::Continue => {}
                Next::Break => break,
                next @ (Next::Go(_) | Next::End(_) | Next::Wait) => return next,
            }
        }
        Next::On
    }

    /// Takes the steps again for each of these, which are what the variables are.
    fn for_each(
        &mut self,
        frame: &mut Frame<'m>,
        asked: &Invocation<'_, '_>,
        members: Vec<Vec<(VariableId, Value)>>,
        steps: &'m [RunStep],
    ) -> Next {
        for member in members {
            for (variable, value) in member {
                frame.set(variable, value);
            }
            match self.run_steps(frame, asked, steps) {
                Next::On | Next::Continue => {}
                Next::Break => break,
                next @ (Next::Go(_) | Next::End(_) | Next::Wait) => return next,
            }
        }
        Next::On
    }
}

impl Frame<'_> {
    fn value(&mut self, variable: VariableId) -> &mut Value {
        &mut self.values[usize::from(variable.0)]
    }

    fn set(&mut self, variable: VariableId, value: Value) {
        self.values[usize::from(variable.0)] = value;
    }

    /// Makes the number one less; none if it is 0, or no number.
    fn decrement(&mut self, variable: VariableId) -> Option<()> {
        let Value::Number(number) = &mut self.values[usize::from(variable.0)] else { return None };
        *number = number.checked_sub(1)?;
        Some(())
    }
}
