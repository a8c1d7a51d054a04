//! Builds the state graph of a machine, with an edge for each outcome of a row, and formats it for layout programs.
//! Edges with the same ends are merged, except that rare edges are separate and pale or dotted.

use crate::changes::one_line;
use crate::table::Table;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
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
    /// Target of the edge, a state or an end of the run or procedure.
    pub to: Transfer,
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

/// Returns the name of a target other than a state, or `None` for a state.
fn target_name(target: Transfer) -> Option<&'static str> {
    match target {
        Transfer::Nowhere | Transfer::To(_) => None,
        Transfer::ToReturnState => Some("return state"),
        Transfer::ToPushedState => Some("pushed state"),
        Transfer::ReturnNothing | Transfer::ReturnText => Some("caller"),
        Transfer::Ends => Some("end"),
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
                let (to, label, row) =
                    (Transfer::To(procedure.start), "call".into(), String::new());
                edges.push(Edge { from, to, label, row, is_rare: false, witness: None });
            }
            for row in &state.rows {
                let paths = PathCollector::collect(table, &state.rows, row);
                edges.extend(paths.into_iter().map(|path| path.edge(table, from, row)));
            }
        }
        if let Some(center) = center {
            edges.retain(|it: &Edge| it.from == center || it.to == Transfer::To(center));
        }
        let is_shown = |state: StateId| {
            let touches = |it: &Edge| it.from == state || it.to == Transfer::To(state);
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

    /// Returns the index of a state's node. The ends of all edges have nodes.
    fn index(&self, state: StateId) -> usize {
        self.nodes.partition_point(|node| node.state < state)
    }

    /// Groups the edges by source, target and rarity, each group with its labels in the table's order, one per line.
    fn bundles(&self) -> Vec<(usize, Transfer, bool, String)> {
        let mut bundles: Vec<(usize, Transfer, bool, String)> = Vec::new();
        for edge in &self.edges {
            let ends = (self.index(edge.from), edge.to, edge.is_rare);
            let witness = edge.witness.iter().map(|witness| format!("  {witness}"));
            let label = edge.label.clone() + &witness.collect::<String>();
            match bundles.iter_mut().find(|it| (it.0, it.1, it.2) == ends) {
                Some((.., labels)) => *labels += &format!("\n{label}"),
                None => bundles.push((ends.0, ends.1, ends.2, label)),
            }
        }
        bundles
    }

    /// Formats the graph in Graphviz's DOT language.
    pub fn dot(&self) -> String {
        let quoted = |text: &str| {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            format!("\"{text}\"")
        };
        let mut out = format!(
            "digraph {} {{\n  rankdir=LR;\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace, fontsize=10];\n",
            quoted(&self.name)
        );
        for node in &self.nodes {
            let (name, label) = (quoted(&node.name), quoted(&node.label()));
            let start_style = if node.is_start { ", penwidth=2" } else { "" };
            let _ = writeln!(out, "  {name} [label={label}{start_style}];");
        }
        for (from, to, is_rare, label) in self.bundles() {
            let target = match to {
                Transfer::To(state) => self.nodes[self.index(state)].name.clone(),
                other => format!("({})", target_name(other).unwrap_or_default()),
            };
            let rare_style = if is_rare { ", color=gray75, fontcolor=gray60" } else { "" };
            let (from, to, label) =
                (quoted(&self.nodes[from].name), quoted(&target), quoted(&label));
            let _ = writeln!(out, "  {from} -> {to} [label={label}{rare_style}];");
        }
        out + "}\n"
    }

    /// Formats the graph as a flowchart of Mermaid, which code hosts render.
    pub fn mermaid(&self) -> String {
        let mut out = String::from("flowchart LR\n");
        for (at, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(out, "  s{at}[{}]", mermaid_text(&node.label()));
        }
        let bundles = self.bundles();
        let targets: BTreeSet<&str> =
            bundles.iter().filter_map(|(_, to, ..)| target_name(*to)).collect();
        for (number, name) in targets.iter().enumerate() {
            let _ = writeln!(out, "  e{number}([{}])", mermaid_text(name));
        }
        for (from, to, is_rare, label) in &bundles {
            let target = match to {
                Transfer::To(state) => format!("s{}", self.index(*state)),
                other => {
                    let name = target_name(*other).unwrap_or_default();
                    format!("e{}", targets.range(..name).count())
                }
            };
            let arrow = if *is_rare { "-.->" } else { "-->" };
            let label = match &label[..] {
                "" => String::new(),
                label => format!("|{}|", mermaid_text(label)),
            };
            let _ = writeln!(out, "  s{from} {arrow}{label} {target}");
        }
        out
    }
}

impl Node {
    /// Returns the name, and the section number on a second line, if there is one.
    fn label(&self) -> String {
        format!("{}\n{}", self.name, self.section).trim_end().to_owned()
    }
}

/// Quotes a text for Mermaid.
fn mermaid_text(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '\n' => out += "<br>",
            '"' | '#' | '&' | '<' | '>' | ';' | '|' | '\\' | '`' => {
                let _ = write!(out, "#{};", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out + "\""
}

/// Formats an input, preceded by the initial state if that is not the start state.
fn input(machine: &Machine, start: &Start, input: &str) -> String {
    if start.state == machine.state(machine.start).name {
        return format!("{input:?}");
    }
    format!("{}: {input:?}", start.state)
}

/// A path through the steps of a row, with the conditions on it and its outcome.
#[derive(Clone, Debug, Default)]
struct RowPath {
    conditions: Vec<String>,
    to: Option<Transfer>,
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
            to: self.to.unwrap_or(Transfer::To(from)),
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
            // Both return to the caller.
            Transfer::ReturnText => Some(Transfer::ReturnNothing),
            other => Some(other),
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
