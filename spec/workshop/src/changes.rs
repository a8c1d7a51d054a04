//! Finds the changes between two versions of a table: rows with a different meaning, perhaps only because a definition
//! changed, and declarations outside rows. Tables without changes behave equally on every input.

mod meaning;

use crate::impact::diff_lines;
use crate::table::Table;
use crate::trial::AnyRow;
use meaning::meaning;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use tabulex_language::model::tree::{
    Construction, ModeId, ModeRow, ModeRowId, TokenPattern, TreeAction, TreeStep,
};
use tabulex_language::model::{Action, Flag, Machine, Pattern, Row, RowId, Span, Step};
use tabulex_language::parse::lexer::tokens;

/// A row as it appears in a table.
#[derive(Clone, Debug)]
pub struct RowVersion {
    /// Id of the row.
    pub row: AnyRow,
    /// Source text, on one line.
    pub text: String,
    /// Location of the row: file name and line.
    pub place: String,
    /// Meaning of the patterns and guard, as text that can be compared between tables.
    head_meaning: String,
    /// Meaning of the whole row, as text that can be compared between tables.
    row_meaning: String,
}

/// A row that was changed, added or removed.
#[derive(Clone, Debug)]
pub struct RowChange {
    /// Name of the state or mode, followed by its section number if it has one.
    pub of: String,
    /// The old and the new row; `None` if the row was added or removed.
    pub rows: [Option<RowVersion>; 2],
}

/// The changes between two tables.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Changed rows, in the order of the table.
    pub rows: Vec<RowChange>,
    /// Changed declarations.
    pub declarations: Vec<DeclarationChange>,
}

/// A declaration outside rows that was changed, added or removed.
#[derive(Clone, Debug)]
pub struct DeclarationChange {
    /// Subject of the declaration, such as `start` or `flag scripting`.
    pub name: String,
    /// Line diff of an algorithm's steps; empty for other declarations.
    pub lines: Vec<String>,
}

impl Changes {
    /// Creates changes from pairs of an old and a new row, either of which may be missing. Texts, locations and
    /// meanings are empty.
    pub fn from_rows(machines: [&Machine; 2], rows: &[[Option<AnyRow>; 2]]) -> Self {
        let version = |row: Option<AnyRow>| {
            let (text, place, head_meaning, row_meaning) = Default::default();
            Some(RowVersion { row: row?, text, place, head_meaning, row_meaning })
        };
        let change = |rows: &[Option<AnyRow>; 2]| {
            let sides = rows.iter().zip(machines).rev();
            let name = sides.filter_map(|(row, machine)| Some((*row)?.block_name(machine))).next();
            RowChange { of: name.unwrap_or_default().to_owned(), rows: rows.map(version) }
        };
        Self { rows: rows.iter().map(change).collect(), declarations: Vec::new() }
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.declarations.is_empty()
    }

    /// Returns the numbers of changed, added and removed rows.
    pub fn counts(&self) -> [usize; 3] {
        let count = |old: bool, new: bool| {
            let is_counted =
                |it: &&RowChange| it.rows.each_ref().map(Option::is_some) == [old, new];
            self.rows.iter().filter(is_counted).count()
        };
        [count(true, true), count(false, true), count(true, false)]
    }
}

impl RowChange {
    /// Returns the new row or, if the row was removed, the old one.
    pub fn row(&self) -> Option<&RowVersion> {
        self.rows.iter().flatten().next_back()
    }

    /// Whether the row's text is unchanged, so that the change is in a definition that the row uses.
    pub fn is_indirect(&self) -> bool {
        matches!(&self.rows, [Some(old), Some(new)] if old.text == new.text)
    }

    /// Whether the patterns and guard are unchanged, so that only the steps differ.
    pub fn changes_only_steps(&self) -> bool {
        matches!(&self.rows, [Some(old), Some(new)] if old.head_meaning == new.head_meaning)
    }
}

impl DeclarationChange {
    /// Whether the declaration may affect tokens. An algorithm cannot, since only modes run algorithms.
    pub fn concerns_states(&self) -> bool {
        !self.name.starts_with("algorithm ")
    }
}

/// Returns the changes between two versions of a table.
pub fn changes(old: (&Table, &Machine), new: (&Table, &Machine)) -> Changes {
    let sides = [blocks(old), blocks(new)];
    let mut rows = Vec::new();
    for key in sides.iter().flat_map(BTreeMap::keys).collect::<BTreeSet<_>>() {
        let section = sides.iter().rev().find_map(|blocks| Some(&blocks.get(key)?.0));
        let of = format!("{}{}", key.1, section.map_or("", |section| section));
        let rows_of = |blocks: &Blocks| blocks.get(key).map_or_else(Vec::new, |it| it.1.clone());
        add_changed_rows(&of, sides.each_ref().map(rows_of), &mut rows);
    }
    rows.sort_by_key(|change: &RowChange| change.row().map(|it| it.row));
    let (was, is) = (declarations(old.1), declarations(new.1));
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    let is_changed = |name: &&String| was.get(*name) != is.get(*name);
    let change = |name: &String| {
        let [old, new] = [old.1, new.1].map(|machine| written_steps(machine, name));
        DeclarationChange { name: name.clone(), lines: diff_lines(&old, &new) }
    };
    let declarations = names.into_iter().filter(is_changed).map(change).collect();
    Changes { rows, declarations }
}

/// Returns the source lines of the algorithm that is the subject of a declaration; empty for other subjects.
fn written_steps(machine: &Machine, subject: &str) -> Vec<String> {
    let mut algorithms = machine.construction.iter().flat_map(|it| &it.algorithms);
    let algorithm = algorithms.find(|it| subject.strip_prefix("algorithm ") == Some(&it.name));
    algorithm.map_or_else(Vec::new, |it| it.written.lines().map(str::to_owned).collect())
}

/// Appends the changed rows of a state or mode. Old and new rows are paired by equal meanings, which are no changes, then
/// by equal patterns and guards, then by equal steps.
fn add_changed_rows(of: &str, rows: [Vec<RowVersion>; 2], out: &mut Vec<RowChange>) {
    let [mut removed, mut added] = rows;
    let mut add = |rows| out.push(RowChange { of: of.to_owned(), rows });
    let is_pair: [fn(&RowVersion, &RowVersion) -> bool; 3] = [
        |old, new| old.row_meaning == new.row_meaning,
        |old, new| old.head_meaning == new.head_meaning,
        |old, new| steps(&old.text) == steps(&new.text),
    ];
    for (round, is_pair) in is_pair.into_iter().enumerate() {
        removed.retain(|old| {
            let Some(index) = added.iter().position(|new| is_pair(old, new)) else { return true };
            let new = added.remove(index);
            if round > 0 {
                add([Some(old.clone()), Some(new)]);
            }
            false
        });
    }
    removed.into_iter().for_each(|old| add([Some(old), None]));
    added.into_iter().for_each(|new| add([None, Some(new)]));
}

/// Returns the part of a row's source text after the arrow, or the whole text if it has no arrow.
fn steps(text: &str) -> &str {
    text.split_once("=>").map_or(text, |(_, steps)| steps)
}

/// Section and rows of each state and mode. The key is whether the block is a mode, and its name.
type Blocks = BTreeMap<(bool, String), (String, Vec<RowVersion>)>;

fn blocks((table, machine): (&Table, &Machine)) -> Blocks {
    let mut blocks = BTreeMap::new();
    let version = |row: AnyRow, text: &str, span: Span, head: &dyn Debug, steps: &dyn Debug| {
        let head_meaning = meaning(machine, head);
        let row_meaning = format!("{head_meaning} => {}", meaning(machine, steps));
        let (text, place) = (one_line(text), table.place(span));
        RowVersion { row, text, place, head_meaning, row_meaning }
    };
    for id in machine.state_ids() {
        let state = machine.state(id);
        let rows = state.rows.iter().enumerate().map(|(at, row)| {
            let head = (state.subject, &row.patterns, &row.guard);
            // A row with `as else` also changes when the steps of the `else` row do.
            let is_as_else = Step::actions(&row.steps).contains(&&Action::AsElse);
            let is_else = |row: &&Row| row.has_pattern(&Pattern::Else);
            let else_row = state.rows.iter().find(is_else).filter(|_| is_as_else);
            let steps = (&row.steps, else_row.map(|row| &row.steps));
            let id = AnyRow::State(RowId { state: id, row: at as u16 });
            version(id, &row.text, row.span, &head, &steps)
        });
        let rows = rows.collect();
        blocks.insert((false, state.name.clone()), (section(state.section.as_ref()), rows));
    }
    for (index, mode) in machine.construction.iter().flat_map(|it| it.modes.iter().enumerate()) {
        let id = ModeId(index as u8);
        let rows = mode.rows.iter().enumerate().map(|(at, row)| {
            let actions = TreeStep::actions(&row.steps).into_iter();
            let included_steps = actions.filter_map(|action| match action {
                TreeAction::AsElse => else_steps(machine, id),
                TreeAction::ProcessPending(mode) => else_steps(machine, *mode),
                _ => None,
            });
            let steps = (&row.steps, included_steps.collect::<Vec<_>>());
            let id = AnyRow::Mode(ModeRowId { mode: id, row: at as u16 });
            version(id, &row.text, row.span, &(&row.patterns, &row.guard), &steps)
        });
        let rows = rows.collect();
        blocks.insert((true, mode.name.clone()), (section(mode.section.as_ref()), rows));
    }
    blocks
}

/// Returns the steps of a mode's `else` row, if the mode has one.
fn else_steps(machine: &Machine, mode: ModeId) -> Option<&Vec<TreeStep>> {
    let rows = &machine.construction.as_ref()?.mode(mode).rows;
    let is_else = |row: &&ModeRow| row.has_pattern(&TokenPattern::Else);
    rows.iter().find(is_else).map(|row| &row.steps)
}

/// Returns a space and the section number, or an empty string if there is no section.
fn section(section: Option<&tabulex_language::model::Section>) -> String {
    section.map_or_else(String::new, |section| format!(" {}", section.number))
}

/// Returns the source text of a row, on one line and without comments.
pub(crate) fn one_line(text: &str) -> String {
    let mut words = Vec::new();
    let mut offset = 0;
    for comment in tokens(text).iter().filter(|token| token.is_comment()) {
        words.extend(text[offset..comment.start].split_whitespace());
        offset = comment.start + comment.text.len();
    }
    words.extend(text[offset..].split_whitespace());
    words.join(" ")
}

/// Returns the meanings of declarations outside rows, by subject. Definitions used by rows are omitted, because they
/// are part of the rows' meanings.
fn declarations(machine: &Machine) -> BTreeMap<String, String> {
    let mut meanings = BTreeMap::new();
    let mut add = |subject: &str, value: &dyn Debug| {
        meanings.insert(subject.to_owned(), meaning(machine, value));
    };
    // The patterns name all fields, without `..`, so that a new field fails to compile until it is handled here.
    let Machine {
        name: _,
        document: _,
        address: _,
        start,
        entries,
        newlines_normalized,
        nulls_replaced,
        input_errors,
        removed,
        trimmed,
        emission_errors,
        classes: _,
        errors: _,
        emission_flags,
        flags,
        tokens,
        pushed_states,
        encodings,
        references,
        lexemes: _,
        byte_order_mark_dropped,
        replacement_limits,
        procedures,
        states,
        construction,
    } = machine;
    add("start", start);
    add("entry", entries);
    add("newlines", newlines_normalized);
    add("nulls", nulls_replaced);
    add("byte-order-mark", byte_order_mark_dropped);
    add("input errors", &(input_errors, removed, trimmed));
    add("emitting", &(emission_errors, emission_flags));
    add("limit", replacement_limits);
    add("references", references);
    add("encodings", encodings);
    add("tokens", tokens);
    add("pushed-states", pushed_states);
    for flag in flags {
        let Flag { name, span: _, values, by_host, by_rows, counter } = flag;
        add(&format!("flag {name}"), &(values, by_host, by_rows, counter));
    }
    for procedure in procedures {
        add(&format!("procedure {}", procedure.name), &procedure.start);
    }
    for state in states.iter().filter(|it| !(it.enter.is_empty() && it.leave.is_empty())) {
        add(&format!("enter and leave of {}", state.name), &(&state.enter, &state.leave));
    }
    let Some(Construction {
        start,
        elements,
        tokens: _,
        algorithms,
        names: _,
        steps: _,
        modes: _,
        scopes: _,
        flags,
        pointers: _,
        dispatch,
        integration_points,
        adjustments: _,
        doctypes: _,
        unacknowledged,
        left_out,
        reset,
        fragment,
        selected_content,
        template,
        fostering,
        limits,
        feedback: _,
        answers,
    }) = construction
    else {
        return meanings;
    };
    add("tree start", start);
    add("elements", elements);
    add("tree dispatch", dispatch);
    add("integration-points", integration_points);
    add("unacknowledged", &(unacknowledged, left_out));
    let rows = reset.iter().flatten();
    let rows: Vec<_> = rows.map(|row| (&row.patterns, &row.guard, &row.steps)).collect();
    add("reset", &rows);
    let root = fragment.as_ref().map(|fragment| &fragment.root);
    let rows = fragment.iter().flat_map(|fragment| &fragment.rows);
    let rows: Vec<_> = rows.map(|row| (&row.patterns, &row.guard, &row.steps)).collect();
    add("fragment", &(root, rows));
    add("selected-content", selected_content);
    add("template", template);
    add("foster", fostering);
    add("limit of trees", limits);
    add("tell", answers);
    // Standard algorithms, which have no spans, are not part of the table's text and cannot have been edited.
    for algorithm in algorithms.iter().filter(|it| !it.step_spans.is_empty()) {
        let head = (&algorithm.parameters, &algorithm.definitions);
        add(&format!("algorithm {}", algorithm.name), &(head, &algorithm.steps));
    }
    for flag in flags {
        add(&format!("tree flag {}", flag.name), &(&flag.values, flag.by_host, flag.by_rows));
    }
    meanings
}
