//! Reports registers that are read on a path on which they were not created. A register counts as created at a node, a
//! situation with its next input, if it is created on every path to that node. Registers of a caller stay created in
//! the procedure and after it; at an entry state, only the tokens that the host creates are created.

use super::flow::{Edge, Outcome};
use super::follower::{Follower, NextClass};
use super::path::Path;
use super::{CheckContext, pushed, words};
use crate::diagnostic::{
    Diagnostic, EMITTED_BEFORE_CREATED, RETURN_STATE_NOT_SET, USED_BEFORE_CREATED,
};
use crate::model::{self, Action, Machine, Pattern, Register, Row, Spanned, StateId, TokenId};
use crate::syntax::Span;
use std::collections::{HashMap, HashSet, VecDeque};

/// A set of created registers, one bit each.
#[derive(Clone, Copy, PartialEq, Eq)]
struct CreatedRegisters(u64);

impl CreatedRegisters {
    const NOTHING: Self = Self(0);
    const ALL: Self = Self(u64::MAX);

    fn has(self, register: Register) -> bool {
        self.0 & (1 << bit_index(register)) != 0
    }

    fn with(self, register: Register) -> Self {
        Self(self.0 | (1 << bit_index(register)))
    }

    fn without(self, register: Register) -> Self {
        Self(self.0 & !(1 << bit_index(register)))
    }

    fn after(mut self, action: &Action) -> Self {
        let effects = action.effects();
        for ended in effects.ends.into_iter().flatten() {
            self = self.without(ended);
        }
        effects.creates.map_or(self, |register| self.with(register))
    }
}

/// Effect of an edge on the set of created registers.
#[derive(Clone, Copy)]
struct EdgeEffect {
    /// Registers that remain created if they were created before the edge.
    kept: CreatedRegisters,
    /// Registers that are created after the edge in any case.
    created: CreatedRegisters,
}

impl EdgeEffect {
    fn after(self, before: CreatedRegisters) -> CreatedRegisters {
        CreatedRegisters(before.0 & self.kept.0 | self.created.0)
    }
}

/// The registers that every machine has, in the order of their bits.
const BUILT_IN: [Register; 14] = [
    Register::Tag,
    Register::Attribute,
    Register::Comment,
    Register::Doctype,
    Register::TemporaryBuffer,
    Register::ReturnState,
    Register::AdditionalAllowedCharacter,
    Register::Number,
    Register::Reference,
    Register::Returned,
    Register::ProcessingInstruction,
    Register::Entity,
    Register::AttributeList,
    Register::Declaration,
];

/// Returns the index of a register's bit. The registers of [`BUILT_IN`] come before those of declared kinds of tokens.
fn bit_index(register: Register) -> usize {
    if let Register::Declared(TokenId(index)) = register {
        return BUILT_IN.len() + usize::from(index);
    }
    BUILT_IN.iter().position(|&shared| shared == register).unwrap_or_default()
}

/// The cause of a missing register at a node.
#[derive(Clone, Copy)]
struct Loss {
    /// Index of the preceding node.
    from: usize,
    /// The edge from the preceding node.
    edge: Edge,
    /// Whether the edge itself ends the register.
    ends_register: bool,
}

/// A data-flow analysis of created registers. Its nodes are situations with their next input.
struct Analysis<'s, 'm> {
    context: &'s CheckContext<'m>,
    follower: &'s Follower<'s, 'm>,
    nodes: Vec<(usize, NextClass)>,
    node_indexes: HashMap<(usize, NextClass), usize>,
    /// Outgoing edges of each node: index of the edge in the situation, and the next input after it.
    edges: Vec<Vec<(usize, NextClass)>>,
    /// For each visited situation, the effects of its edges.
    effects: HashMap<usize, Vec<EdgeEffect>>,
    /// Registers created at each node; `None` before the node is reached.
    created: Vec<Option<CreatedRegisters>>,
    /// For each node and register, by bit, why the register may be missing.
    losses: Vec<Vec<Option<Loss>>>,
    /// For each pushed state, the registers that remain created until the return to it after every visited push.
    pushed: HashMap<StateId, CreatedRegisters>,
}

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let follower = Follower::new(context);
    let mut analysis = Analysis::new(context, &follower);
    analysis.run();
    analysis.report()
}

impl<'s, 'm> Analysis<'s, 'm> {
    fn new(context: &'s CheckContext<'m>, follower: &'s Follower<'s, 'm>) -> Self {
        let (nodes, node_indexes) = (Vec::new(), HashMap::new());
        let (edges, effects) = (Vec::new(), HashMap::new());
        let (created, losses, pushed) = (Vec::new(), Vec::new(), HashMap::new());
        Self { context, follower, nodes, node_indexes, edges, effects, created, losses, pushed }
    }

    fn machine(&self) -> &'m Machine {
        self.context.machine
    }

    /// Returns the index of the node for a situation and its next input, adding the node if needed.
    fn node(&mut self, at: usize, next: NextClass) -> usize {
        if let Some(&index) = self.node_indexes.get(&(at, next)) {
            return index;
        }
        let index = self.nodes.len();
        self.node_indexes.insert((at, next), index);
        self.nodes.push((at, next));
        self.edges.push(self.follower.edges(at, next));
        if !self.effects.contains_key(&at) {
            let edges = &self.context.flow.edges[at];
            self.effects.insert(at, edges.iter().map(|&edge| self.effect(at, edge)).collect());
        }
        self.created.push(None);
        self.losses.push(vec![None; BUILT_IN.len() + self.machine().tokens.len()]);
        index
    }

    /// Propagates created registers along all edges until nothing changes.
    fn run(&mut self) {
        let starts = self.context.flow.starts.iter();
        let mut queue: VecDeque<usize> = starts.map(|&at| self.node(at, None)).collect();
        let tokens = self.machine().tokens.iter().zip(0..);
        let host_tokens = tokens.filter(|(token, _)| token.by_host);
        let host_registers = host_tokens.map(|(_, id)| Register::Declared(TokenId(id)));
        let created = host_registers.fold(CreatedRegisters::NOTHING, CreatedRegisters::with);
        queue.iter().for_each(|&node| self.created[node] = Some(created));
        while let Some(node) = queue.pop_front() {
            let at = self.nodes[node].0;
            for index in 0..self.edges[node].len() {
                let (edge_index, next) = self.edges[node][index];
                let edge = self.context.flow.edges[at][edge_index];
                let Some(to) = edge.to else { continue };
                let to = self.node(to, next);
                let before = self.created[node].expect("a node in the queue has been reached");
                let after = self.effects[&at][edge_index].after(before);
                if self.record_pushes(at, edge, after) {
                    queue.extend(self.returning_nodes());
                }
                for after in self.registers_after_return(at, edge, after) {
                    if self.merge(node, edge, to, before, after) {
                        queue.push_back(to);
                    }
                }
            }
        }
    }

    /// Intersects the entry in `pushed` of each state that the edge pushes with the registers that remain created until
    /// the return. Returns whether an entry has shrunk.
    fn record_pushes(&mut self, index: usize, edge: Edge, after: CreatedRegisters) -> bool {
        let mut has_shrunk = false;
        for state in pushed::pushes(self.context, index, edge) {
            let ended_registers = edge.to.map(|to| pushed::ended_before_return(self.context, to));
            let remaining =
                ended_registers.into_iter().flatten().fold(after, CreatedRegisters::without);
            let known = self.pushed.get(&state).copied().unwrap_or(CreatedRegisters::ALL);
            let merged = CreatedRegisters(known.0 & remaining.0);
            has_shrunk |= merged != known;
            self.pushed.insert(state, merged);
        }
        has_shrunk
    }

    /// Returns the visited nodes from which the machine returns to a pushed state.
    fn returning_nodes(&self) -> Vec<usize> {
        let returns = |&node: &usize| {
            let index = self.nodes[node].0;
            let mut edges = self.context.flow.edges[index].iter();
            self.created[node].is_some()
                && edges.any(|&edge| pushed::returns_to_pushed(self.context, index, edge))
        };
        (0..self.nodes.len()).filter(returns).collect()
    }

    /// Returns the possible sets of registers created after the edge: `after`, or, on return to a pushed state, those
    /// of [`Self::before_entering`] after the entry actions.
    fn registers_after_return(
        &self,
        at: usize,
        edge: Edge,
        after: CreatedRegisters,
    ) -> Vec<CreatedRegisters> {
        if !pushed::returns_to_pushed(self.context, at, edge) {
            return vec![after];
        }
        let entry_actions = self.entry_actions(at, edge);
        let enter = |created: CreatedRegisters| {
            entry_actions.iter().fold(created, |created, action| created.after(&action.value))
        };
        self.before_entering(edge, after).into_iter().map(enter).collect()
    }

    /// Returns the possible sets of registers created when the edge returns to a state, before its entry actions: the
    /// set that remains after its pushes and, if it is the start state, to which an empty stack leads, the current set.
    fn before_entering(&self, edge: Edge, now: CreatedRegisters) -> Vec<CreatedRegisters> {
        let Some(to) = edge.to else { return Vec::new() };
        let state = self.context.flow.situations[to].state;
        let is_start = state == self.machine().start;
        self.pushed.get(&state).copied().into_iter().chain(is_start.then_some(now)).collect()
    }

    /// Returns the actions on entering the target of the edge.
    fn entry_actions(&self, index: usize, edge: Edge) -> &'m [Spanned<Action>] {
        let from = self.context.flow.situations[index].state;
        let entered = self.context.flow.entered_state(edge).filter(|&state| state != from);
        entered.map_or(&[], |state| &self.machine().state(state).enter)
    }

    /// Returns the effect of the edge: which registers it creates, ends or keeps.
    fn effect(&self, index: usize, edge: Edge) -> EdgeEffect {
        let created = self.after(index, edge, CreatedRegisters::NOTHING);
        EdgeEffect { kept: self.after(index, edge, CreatedRegisters::ALL), created }
    }

    /// Returns the registers created after the edge, if those of `before` are created before it.
    fn after(&self, index: usize, edge: Edge, before: CreatedRegisters) -> CreatedRegisters {
        let mut created = before;
        if let Some((row, _)) = self.context.row_and_path(index, edge) {
            created = created_by_match(row, created);
            for action in self.actions(index, edge) {
                created = created.after(&action.value);
            }
        }
        match edge.to.and_then(|to| self.context.flow.situations[to].result) {
            Some(Outcome::Nothing) => created.without(Register::Returned),
            _ => created,
        }
    }

    /// Intersects the target's registers with those after the edge. Returns whether they have changed.
    fn merge(
        &mut self,
        from: usize,
        edge: Edge,
        to: usize,
        before: CreatedRegisters,
        after: CreatedRegisters,
    ) -> bool {
        let known = self.created[to];
        let merged = known.map_or(after, |known| CreatedRegisters(known.0 & after.0));
        if known == Some(merged) {
            return false;
        }
        let lost = known.unwrap_or(CreatedRegisters::ALL).0 & !merged.0;
        for (bit, loss) in self.losses[to].iter_mut().enumerate() {
            if lost & (1 << bit) != 0 {
                *loss = Some(Loss { from, edge, ends_register: before.0 & (1 << bit) != 0 });
            }
        }
        self.created[to] = Some(merged);
        true
    }

    fn actions(&self, index: usize, edge: Edge) -> Vec<&'m Spanned<Action>> {
        self.context.actions(index, edge, self.context.flow.entered_state(edge))
    }

    /// Visits each edge again with the final sets, and reports missing registers.
    fn report(&self) -> Vec<Diagnostic> {
        let mut findings = Findings { reported: HashSet::new(), diagnostics: Vec::new() };
        let mut add = |node, register, span, action: Option<&Action>| {
            findings.add(register, span, || self.missing_register(node, register, span, action));
        };
        for (node, &(at, _)) in self.nodes.iter().enumerate() {
            let Some(created) = self.created[node] else { continue };
            let state = self.machine().state(self.state(node));
            if state.subject == model::Subject::Number && !created.has(Register::Number) {
                add(node, Register::Number, state.span, None);
            }
            for &(edge_index, _) in &self.edges[node] {
                let edge = self.context.flow.edges[at][edge_index];
                let Some((row, path)) = self.context.row_and_path(at, edge) else { continue };
                for (register, span) in missing_reads(row, path, created) {
                    add(node, register, span, None);
                }
                let mut created = created_by_match(row, created);
                let actions = self.actions(at, edge);
                let returns_to_pushed = pushed::returns_to_pushed(self.context, at, edge);
                let entry_start = actions.len() - self.entry_actions(at, edge).len();
                for (index, action) in actions.into_iter().enumerate() {
                    if returns_to_pushed && index == entry_start {
                        let possible_sets = self.before_entering(edge, created).into_iter();
                        created = possible_sets.fold(CreatedRegisters::ALL, |one, other| {
                            CreatedRegisters(one.0 & other.0)
                        });
                    }
                    let reads = action.value.effects().reads.into_iter().flatten();
                    for register in reads.filter(|&register| !created.has(register)) {
                        add(node, register, action.span, Some(&action.value));
                    }
                    created = created.after(&action.value);
                }
            }
        }
        findings.without_consequences()
    }

    /// Returns a path to the node on which the register is missing: its states, and the cause of the loss.
    fn path_to_missing(&self, node: usize, register: Register) -> MissingRegister {
        let index = bit_index(register);
        let mut names = vec![self.name(self.state(node))];
        let (mut related, mut has_ended) = (None, false);
        let mut current_node = node;
        while let Some(loss) = self.losses[current_node][index] {
            if self.state(loss.from) != self.state(current_node) {
                related = related.or_else(|| self.row_before(loss));
                names.push(self.name(self.state(loss.from)));
            }
            if loss.ends_register {
                related = self.ending_action(loss, register).or(related);
                has_ended = true;
                break;
            }
            current_node = loss.from;
        }
        names.reverse();
        MissingRegister { path: names.join(" → "), related, has_ended }
    }

    fn state(&self, node: usize) -> StateId {
        self.context.flow.situations[self.nodes[node].0].state
    }

    fn name(&self, state: StateId) -> String {
        format!("`{}`", self.machine().state(state).name)
    }

    fn row_before(&self, loss: Loss) -> Option<(Span, String)> {
        let (row, _) = self.context.row_and_path(self.nodes[loss.from].0, loss.edge)?;
        Some((row.span, "the row that leads here without it".to_owned()))
    }

    /// Returns the span of the last action of the edge that ends the register, with its description; `None` if no
    /// action does.
    fn ending_action(&self, loss: Loss, register: Register) -> Option<(Span, String)> {
        let actions = self.actions(self.nodes[loss.from].0, loss.edge);
        let ends_register =
            |action: &&&Spanned<Action>| action.value.effects().ends.contains(&Some(register));
        let action = actions.iter().rev().find(ends_register)?;
        Some((action.span, "the step that removes it".to_owned()))
    }

    /// Returns the diagnostic for a register that may be missing at the node, where this action reads it; `None` stands
    /// for a condition or the subject of the state.
    fn missing_register(
        &self,
        node: usize,
        register: Register,
        span: Span,
        action: Option<&Action>,
    ) -> Diagnostic {
        let missing = self.path_to_missing(node, register);
        let path = &missing.path;
        let (check, message, help) = if action == Some(&Action::SwitchReturnState) {
            let message =
                format!("the return state might not be set: on the path {path}, it is not");
            let help = "set the return state first, with `set return-state STATE`, or switch to a state by name";
            (RETURN_STATE_NOT_SET, message, help.to_owned())
        } else {
            let is_emitted = matches!(action, Some(Action::EmitToken(_) | Action::EmitInside(_)));
            let (check, purpose) = match is_emitted {
                true => (EMITTED_BEFORE_CREATED, "to emit"),
                false => (USED_BEFORE_CREATED, "here"),
            };
            let [word, creating] = words::register(self.machine(), register);
            let reason =
                if missing.has_ended { "it has already ended" } else { "none was created" };
            let message =
                format!("there might be no {word} {purpose}: on the path {path}, {reason}");
            (check, message, format!("create the {word} first, with {creating}"))
        };
        let diagnostic = Diagnostic::new(check, span, message).help(help);
        Diagnostic { other: missing.related, ..diagnostic }
    }
}

/// A path on which a register is missing at the end.
struct MissingRegister {
    /// Names of the states on the path, joined by arrows, from the state in which the register ends or, if it was never
    /// created, from the state in which the run begins.
    path: String,
    /// The span to show in addition, with its label: the step that removes the register, or else the row that leads to
    /// the place without it.
    related: Option<(Span, String)>,
    /// Whether the register was created and then ended.
    has_ended: bool,
}

/// Diagnostics about missing registers, at most one for each span and register.
struct Findings {
    reported: HashSet<(Span, Register)>,
    diagnostics: Vec<(Register, Diagnostic)>,
}

impl Findings {
    fn add(&mut self, register: Register, span: Span, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.reported.insert((span, register)) {
            self.diagnostics.push((register, diagnostic()));
        }
    }

    /// Returns the diagnostics without those whose cause is a register missing in an earlier row of the path, which has
    /// its own error.
    fn without_consequences(self) -> Vec<Diagnostic> {
        let encloses = |outer: Span, inner: Span| {
            outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
        };
        let is_consequence = |(register, diagnostic): &&(Register, Diagnostic)| {
            diagnostic.other.as_ref().is_some_and(|(leads, _)| {
                self.diagnostics.iter().any(|(cause_register, cause)| {
                    cause_register == register
                        && cause != diagnostic
                        && encloses(*leads, cause.span)
                        && cause.check != EMITTED_BEFORE_CREATED.name
                })
            })
        };
        let causes = self.diagnostics.iter().filter(|finding| !is_consequence(finding));
        causes.map(|(_, diagnostic)| diagnostic.clone()).collect()
    }
}

/// Returns the registers created once the row's pattern has matched.
fn created_by_match(row: &Row, created: CreatedRegisters) -> CreatedRegisters {
    let is_reference = row.patterns.iter().all(|pattern| pattern.value == Pattern::Reference);
    if is_reference { created.with(Register::Reference) } else { created }
}

/// Returns the missing registers that conditions of the path read. A guard is evaluated before the row's pattern
/// matches, other conditions before its first action.
fn missing_reads<'m>(
    row: &'m Row,
    path: &Path<'m>,
    created: CreatedRegisters,
) -> Vec<(Register, Span)> {
    let step_conditions =
        path.conditions().map(|condition| (condition, created_by_match(row, created)));
    let conditions = row.guard.iter().map(|guard| (guard, created)).chain(step_conditions);
    let missing_reads = conditions.flat_map(|(condition, created)| {
        let missing =
            condition.value.reads().into_iter().filter(move |&register| !created.has(register));
        missing.map(|register| (register, condition.span))
    });
    missing_reads.collect()
}
