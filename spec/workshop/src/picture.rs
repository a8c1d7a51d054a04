//! Builds the state graph of a machine, with an edge for each outcome of a row. `dot` and `mermaid` format the graph
//! for layout programs.

pub mod dot;
pub mod mermaid;

use crate::changes::one_line;
use crate::table::Table;
use std::collections::BTreeMap;
use tabulex_language::model::{Action, Machine, Pattern, Row, StateId, Step, Subject, Transfer};
use tabulex_oracle::search::{Bound, Start, witnesses};

/// A machine's state graph.
#[derive(Clone, Debug)]
pub struct StateGraph {
    /// Id of the dialect.
    pub name: String,
    /// States shown, in the table's order.
    pub nodes: Vec<Node>,
    /// Edges, by state and row.
    pub edges: Vec<Edge>,
}

/// A node of the graph: a state.
#[derive(Clone, Debug)]
pub struct Node {
    /// Id of the state.
    pub state: StateId,
    /// Name of the state.
    pub name: String,
    /// Section number in the document, or empty.
    pub section: String,
    /// Whether a run can begin in the state, because it is the start state or an entry.
    pub is_start: bool,
}

/// An edge: one outcome of a row.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Source state of the edge.
    pub from: StateId,
    /// Target of the edge.
    pub to: EdgeTarget,
    /// Patterns and conditions of the row, in the table language.
    pub label: String,
    /// Source text of the whole row, on one line; empty for a call.
    pub row: String,
    /// Whether the outcome reports an error, or the row matches only the end of the input.
    pub is_rare: bool,
    /// The shortest input that runs the row, preceded by the initial state if that is not the start state. `None` if no
    /// input was found or searched for.
    pub witness: Option<String>,
}

/// Target of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeTarget {
    /// A state, possibly the source state.
    State(StateId),
    /// The return state, which another row has set.
    ReturnState,
    /// The most recently pushed state.
    PushedState,
    /// The state that called the procedure.
    Caller,
    /// The end of the run.
    End,
}

impl EdgeTarget {
    /// Returns the name of a target other than a state, or `None` for a state.
    fn name(self) -> Option<&'static str> {
        match self {
            Self::State(_) => None,
            Self::ReturnState => Some("return state"),
            Self::PushedState => Some("pushed state"),
            Self::Caller => Some("caller"),
            Self::End => Some("end"),
        }
    }
}

impl StateGraph {
    /// Creates the graph of the table's machine. If `center` is given, the graph is limited to this state, its edges
    /// and its neighbors.
    pub fn new(table: &Table, machine: &Machine, center: Option<StateId>) -> Self {
        let mut edges = Vec::new();
        for from in machine.state_ids() {
            let state = machine.state(from);
            if let Subject::Result(procedure) = state.subject {
                let procedure = &machine.procedures[usize::from(procedure.0)];
                edges.push(Edge::call(from, procedure.start));
            }
            for row in &state.rows {
                let paths = PathCollector::collect(table, &state.rows, row);
                edges.extend(paths.into_iter().map(|path| path.edge(table, from, row)));
            }
        }
        if let Some(center) = center {
            edges.retain(|it: &Edge| it.from == center || it.to == EdgeTarget::State(center));
        }
        let is_shown = |state: StateId| {
            let touches = |it: &Edge| it.from == state || it.to == EdgeTarget::State(state);
            center.is_none_or(|center| center == state || edges.iter().any(touches))
        };
        let nodes = machine.state_ids().filter(|state| is_shown(*state)).map(|id| {
            let state = machine.state(id);
            Node {
                state: id,
                name: state.name.clone(),
                section: state.section.as_ref().map(|it| it.number.clone()).unwrap_or_default(),
                is_start: machine.start == id || machine.entries.contains(&id),
            }
        });
        Self { name: machine.name.clone(), nodes: nodes.collect(), edges }
    }

    /// Searches for the shortest input of each row, and sets it in the row's edges.
    pub fn find_witnesses(&mut self, machine: &Machine, bound: Bound) {
        let witnesses = witnesses(machine, bound);
        let mut inputs: BTreeMap<(StateId, String), String> = BTreeMap::new();
        for (id, witness) in witnesses.rows {
            let row = one_line(&machine.row(id).text);
            inputs.insert((id.state, row), input(machine, &witness.start, &witness.input));
        }
        for edge in &mut self.edges {
            edge.witness = inputs.get(&(edge.from, edge.row.clone())).cloned();
        }
    }

    /// Returns the index of a state's node, or `None` if the graph does not show the state.
    pub fn index(&self, state: StateId) -> Option<usize> {
        self.nodes.binary_search_by_key(&state, |node| node.state).ok()
    }

    /// Groups the edges by source, target and rarity, each group with its labels in the table's order.
    pub(crate) fn bundles(&self) -> Vec<(StateId, EdgeTarget, bool, Vec<String>)> {
        let mut bundles: Vec<(StateId, EdgeTarget, bool, Vec<String>)> = Vec::new();
        for edge in &self.edges {
            let mut label = edge.label.clone();
            if let Some(witness) = &edge.witness {
                label += &format!("  {witness}");
            }
            let bundle = bundles
                .iter_mut()
                .find(|it| (it.0, it.1, it.2) == (edge.from, edge.to, edge.is_rare));
            match bundle {
                Some((.., labels)) => labels.push(label),
                None => bundles.push((edge.from, edge.to, edge.is_rare, vec![label])),
            }
        }
        bundles
    }
}

/// Formats an input, preceded by the initial state if that is not the start state.
fn input(machine: &Machine, start: &Start, input: &str) -> String {
    if start.state == machine.state(machine.start).name {
        return format!("{input:?}");
    }
    format!("{}: {input:?}", start.state)
}

impl Edge {
    fn call(from: StateId, to: StateId) -> Self {
        Self {
            from,
            to: EdgeTarget::State(to),
            label: "call".to_owned(),
            row: String::new(),
            is_rare: false,
            witness: None,
        }
    }
}

/// A path through the steps of a row, with the conditions on it and its outcome.
#[derive(Clone, Debug, Default)]
struct RowPath {
    conditions: Vec<String>,
    to: Option<EdgeTarget>,
    has_error: bool,
}

impl RowPath {
    fn edge(self, table: &Table, from: StateId, row: &Row) -> Edge {
        let text_of = |span| span_text(table, span);
        let mut label: Vec<String> = row.patterns.iter().map(|it| text_of(it.span)).collect();
        label.retain(|word| !word.is_empty());
        let mut label = label.join(" | ");
        let guard = row.guard.iter().map(|guard| text_of(guard.span));
        for condition in guard.chain(self.conditions) {
            label += &format!(" if {condition}");
        }
        let is_end = !row.patterns.is_empty()
            && row.patterns.iter().all(|pattern| pattern.value == Pattern::EndOfFile);
        Edge {
            from,
            to: self.to.unwrap_or(EdgeTarget::State(from)),
            label: label.trim().to_owned(),
            row: one_line(&row.text),
            is_rare: is_end || self.has_error,
            witness: None,
        }
    }
}

/// Returns the source text of a span, on one line.
fn span_text(table: &Table, span: tabulex_language::syntax::Span) -> String {
    let file = table.source(span);
    let text = file.and_then(|file| file.text.get(span.range()));
    one_line(text.unwrap_or_default())
}

/// A collector of all paths through the steps of a row.
struct PathCollector<'t> {
    table: &'t Table,
    /// Steps of the state's `else` row, which `as else` runs.
    else_steps: &'t [Step],
    paths: Vec<RowPath>,
}

impl<'t> PathCollector<'t> {
    fn collect(table: &'t Table, rows: &'t [Row], row: &Row) -> Vec<RowPath> {
        let else_row = rows.iter().find(|row| row.has_pattern(&Pattern::Else));
        let else_steps = else_row.map_or(&[][..], |row| &row.steps);
        let mut collector = Self { table, else_steps, paths: vec![RowPath::default()] };
        collector.follow(&row.steps);
        merge_equal(collector.paths)
    }

    fn follow(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Action(action) => self.apply(&action.value),
                Step::When { condition, then, otherwise } => {
                    let text = span_text(self.table, condition.span);
                    let paths_before = self.paths.clone();
                    self.branch(&text, then);
                    let then_paths = std::mem::replace(&mut self.paths, paths_before);
                    self.branch(&format!("not ({text})"), otherwise);
                    let otherwise_paths = std::mem::take(&mut self.paths);
                    self.paths = then_paths.into_iter().chain(otherwise_paths).collect();
                }
            }
        }
    }

    fn branch(&mut self, condition: &str, steps: &[Step]) {
        self.paths.iter_mut().for_each(|path| path.conditions.push(condition.to_owned()));
        self.follow(steps);
    }

    fn apply(&mut self, action: &Action) {
        if *action == Action::AsElse {
            // In the steps of the `else` row itself, `as else` has no effect.
            let steps = std::mem::take(&mut self.else_steps);
            self.follow(steps);
            self.else_steps = steps;
            return;
        }
        let target = match action.transfer() {
            Transfer::Nowhere => None,
            Transfer::To(state) => Some(EdgeTarget::State(state)),
            Transfer::ToReturnState => Some(EdgeTarget::ReturnState),
            Transfer::ToPushedState => Some(EdgeTarget::PushedState),
            Transfer::ReturnNothing | Transfer::ReturnText => Some(EdgeTarget::Caller),
            Transfer::Ends => Some(EdgeTarget::End),
        };
        let has_error = matches!(action, Action::Error(_) | Action::ErrorAfter(_));
        for path in &mut self.paths {
            path.to = target.or(path.to);
            path.has_error |= has_error;
        }
    }
}

/// Merges paths that have equal targets and both or neither report errors, and keeps their common conditions.
fn merge_equal(paths: Vec<RowPath>) -> Vec<RowPath> {
    let is_equal = |a: &RowPath, b: &RowPath| (a.to, a.has_error) == (b.to, b.has_error);
    let mut merged: Vec<RowPath> = Vec::new();
    for path in paths {
        match merged.iter_mut().find(|other| is_equal(other, &path)) {
            Some(other) => other.conditions.retain(|it| path.conditions.contains(it)),
            None => merged.push(path),
        }
    }
    merged
}
