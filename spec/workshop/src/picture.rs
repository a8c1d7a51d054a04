//! The state graph of a machine, with an edge for each outcome of a row. `dot` and `mermaid` format it for programs
//! that lay it out.

pub mod dot;
pub mod mermaid;

use crate::table::Table;
use std::collections::BTreeMap;
use tabulex_language::model::{Action, Machine, Pattern, Row, StateId, Step, Subject, Transfer};
use tabulex_oracle::search::{Bound, Start, witnesses};

/// A machine's state graph.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Id of the dialect.
    pub name: String,
    /// States shown, in the table's order.
    pub nodes: Vec<Node>,
    /// Edges, by state and row.
    pub arrows: Vec<Arrow>,
    /// The state that all edges touch, if only its neighborhood is shown.
    pub around: Option<StateId>,
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
    /// Whether a run can begin in the state: it is the start state, or the host may select it.
    pub is_start: bool,
}

/// An edge: one outcome of a row.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// Source state of the edge.
    pub from: StateId,
    /// Target of the edge.
    pub to: To,
    /// Patterns and conditions of the row, as in the table.
    pub label: String,
    /// The whole row, on one line; empty for a call.
    pub row: String,
    /// Whether this outcome reports an error, or the row matches only the end of the input.
    pub is_rare: bool,
    /// The shortest input that takes the row, and the state to run it from, if witnesses were searched.
    pub witness: Option<String>,
}

/// Target of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum To {
    /// A state, possibly the edge's own.
    State(StateId),
    /// The return state, which another row has set.
    ReturnState,
    /// The state pushed last.
    PushedState,
    /// The state that called the procedure.
    Caller,
    /// The end of the run.
    End,
}

impl Picture {
    /// Creates the graph of the table's machine. With `around`, only that state and the edges that touch it.
    pub fn new(table: &Table, machine: &Machine, around: Option<StateId>) -> Self {
        let mut arrows = Vec::new();
        for from in machine.state_ids() {
            let state = machine.state(from);
            if let Subject::Result(procedure) = state.subject {
                let procedure = &machine.procedures[usize::from(procedure.0)];
                arrows.push(Arrow::call(from, procedure.start));
            }
            for row in &state.rows {
                let ways = Ways::of(table, &state.rows, row);
                arrows.extend(ways.into_iter().map(|way| way.arrow(table, from, row)));
            }
        }
        if let Some(centre) = around {
            arrows.retain(|it: &Arrow| it.from == centre || it.to == To::State(centre));
        }
        let is_shown = |state: StateId| {
            let touches = |it: &Arrow| it.from == state || it.to == To::State(state);
            around.is_none_or(|centre| centre == state || arrows.iter().any(touches))
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
        Self { name: machine.name.clone(), nodes: nodes.collect(), arrows, around }
    }

    /// Adds the shortest inputs of rows to their edges.
    pub fn find_witnesses(&mut self, machine: &Machine, bound: Bound) {
        let found = witnesses(machine, bound);
        let mut shown: BTreeMap<(StateId, String), String> = BTreeMap::new();
        for (id, witness) in found.rows {
            let row = one_line(&machine.row(id).text);
            shown.insert((id.state, row), input(machine, &witness.start, &witness.input));
        }
        for arrow in &mut self.arrows {
            arrow.witness = shown.get(&(arrow.from, arrow.row.clone())).cloned();
        }
    }

    /// Returns the index of the state among the nodes.
    pub fn index(&self, state: StateId) -> Option<usize> {
        self.nodes.binary_search_by_key(&state, |node| node.state).ok()
    }

    /// Returns the name of an edge's target.
    pub fn target(&self, arrow: &Arrow) -> String {
        match arrow.to {
            To::State(state) if state == arrow.from => "stays".to_owned(),
            To::State(state) => {
                self.index(state).map(|at| self.nodes[at].name.clone()).unwrap_or_default()
            }
            To::ReturnState => "(return state)".to_owned(),
            To::PushedState => "(pushed state)".to_owned(),
            To::Caller => "(caller)".to_owned(),
            To::End => "(end)".to_owned(),
        }
    }

    /// Groups edges between equal states, separately for rare ones, with their labels in the table's order.
    pub(crate) fn bundles(&self) -> Vec<(StateId, To, bool, Vec<String>)> {
        let mut bundles: Vec<(StateId, To, bool, Vec<String>)> = Vec::new();
        for arrow in &self.arrows {
            let mut label = arrow.label.clone();
            if let Some(witness) = &arrow.witness {
                label += &format!("  {witness}");
            }
            let same = bundles
                .iter_mut()
                .find(|it| (it.0, it.1, it.2) == (arrow.from, arrow.to, arrow.is_rare));
            match same {
                Some((.., labels)) => labels.push(label),
                None => bundles.push((arrow.from, arrow.to, arrow.is_rare, vec![label])),
            }
        }
        bundles
    }
}

/// Returns an input, with the state to run it from if that is not the start state.
fn input(machine: &Machine, start: &Start, input: &str) -> String {
    if start.state == machine.state(machine.start).name {
        return format!("{input:?}");
    }
    format!("{}: {input:?}", start.state)
}

/// Formats a row on one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Arrow {
    fn call(from: StateId, to: StateId) -> Self {
        Self {
            from,
            to: To::State(to),
            label: "call".to_owned(),
            row: String::new(),
            is_rare: false,
            witness: None,
        }
    }
}

/// A path through the steps of a row.
#[derive(Clone, Debug, Default)]
struct RowPath {
    conditions: Vec<String>,
    to: Option<To>,
    has_error: bool,
    is_else: bool,
}

impl RowPath {
    fn arrow(self, table: &Table, from: StateId, row: &Row) -> Arrow {
        let text = |span| written(table, span);
        let mut label: Vec<String> = row.patterns.iter().map(|it| text(it.span)).collect();
        label.retain(|word| !word.is_empty());
        let mut label = label.join(" | ");
        let guard = row.guard.iter().map(|guard| text(guard.span));
        for condition in guard.chain(self.conditions) {
            label += &format!(" if {condition}");
        }
        let is_end = !row.patterns.is_empty()
            && row.patterns.iter().all(|pattern| pattern.value == Pattern::EndOfFile);
        Arrow {
            from,
            to: self.to.unwrap_or(To::State(from)),
            label: label.trim().to_owned(),
            row: one_line(&row.text),
            is_rare: is_end || self.has_error,
            witness: None,
        }
    }
}

/// Returns the source text of a span.
fn written(table: &Table, span: tabulex_language::syntax::Span) -> String {
    let file = table.source(span);
    let text = file.and_then(|file| file.text.get(span.start as usize..span.end as usize));
    one_line(text.unwrap_or_default())
}

/// All paths through the steps of a row.
struct Ways<'t> {
    table: &'t Table,
    found: Vec<RowPath>,
}

impl<'t> Ways<'t> {
    fn of(table: &'t Table, rows: &[Row], row: &Row) -> Vec<RowPath> {
        let mut ways = Self { table, found: vec![RowPath::default()] };
        ways.take(&row.steps);
        let mut all = ways.found;
        if all.iter().any(|way| way.is_else) {
            let is_else = |row: &&Row| row.patterns.iter().any(|it| it.value == Pattern::Else);
            let other = rows.iter().find(is_else);
            let others = other.filter(|it| it.span != row.span).map(|it| Self::of(table, rows, it));
            let others = others.unwrap_or_default();
            all = all.into_iter().flat_map(|way| Self::joined(way, &others)).collect();
        }
        merged(all)
    }

    /// Returns the path, or, if it ends with `as else`, the path continued by each path of the `else` row.
    fn joined(way: RowPath, others: &[RowPath]) -> Vec<RowPath> {
        if !way.is_else || others.is_empty() {
            return vec![way];
        }
        let join = |other: &RowPath| RowPath {
            conditions: way.conditions.iter().chain(&other.conditions).cloned().collect(),
            to: other.to,
            has_error: way.has_error || other.has_error,
            is_else: false,
        };
        others.iter().map(join).collect()
    }

    fn take(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Action(action) => self.act(&action.value),
                Step::When { condition, then, otherwise } => {
                    let text = written(self.table, condition.span);
                    let before = self.found.clone();
                    self.branch(&text, then);
                    let met = std::mem::replace(&mut self.found, before);
                    self.branch(&format!("not ({text})"), otherwise);
                    let not_met = std::mem::take(&mut self.found);
                    self.found = met.into_iter().chain(not_met).collect();
                }
            }
        }
    }

    fn branch(&mut self, condition: &str, steps: &[Step]) {
        self.found.iter_mut().for_each(|way| way.conditions.push(condition.to_owned()));
        self.take(steps);
    }

    fn act(&mut self, action: &Action) {
        let to = match action.goes() {
            Transfer::Nowhere => None,
            Transfer::To(state) => Some(To::State(state)),
            Transfer::ToReturnState => Some(To::ReturnState),
            Transfer::ToPushedState => Some(To::PushedState),
            Transfer::Back | Transfer::BackWith => Some(To::Caller),
            Transfer::Ends => Some(To::End),
        };
        let has_error = matches!(action, Action::Error(_) | Action::ErrorAfter(_));
        for way in &mut self.found {
            way.to = to.or(way.to);
            way.has_error |= has_error;
            way.is_else |= *action == Action::AsElse;
        }
    }
}

/// Merges paths with equal targets and errors, keeping their common conditions.
fn merged(ways: Vec<RowPath>) -> Vec<RowPath> {
    let same = |a: &RowPath, b: &RowPath| (a.to, a.has_error) == (b.to, b.has_error);
    let mut all: Vec<RowPath> = Vec::new();
    for way in ways {
        match all.iter_mut().find(|other| same(other, &way)) {
            Some(other) => other.conditions.retain(|it| way.conditions.contains(it)),
            None => all.push(way),
        }
    }
    all
}
