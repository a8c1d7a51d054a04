//! Creates cases for other parsers, with the interpreter's results and the rows taken. Cases for trees with a flag
//! other than `scripting` are skipped.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::model::tree::ModeRowId;
use tabulex_language::model::{Machine, RowId, Section};
use tabulex_oracle::formats::{dat, html5lib};
use tabulex_oracle::interpreter::Interpreter;
use tabulex_oracle::interpreter::tree::document;
use tabulex_oracle::search::{Bound, TreeWitness, Witness, run, token_suite, tree_suite};

/// A case for other parsers.
pub(super) struct ParserCase {
    /// The input and options, as passed to parsers.
    pub(super) parser_input: Value,
    /// The interpreter's result, in the format of the parsers' reports.
    pub(super) expected: Value,
    /// The distinct rows that the case runs, in order. For a fragment, each also with the context element appended.
    pub(super) rows: Vec<String>,
    /// The input and its options as text for reports.
    pub(super) description: String,
}

/// Returns cases that cover a machine, under the keys `tokens` and `trees`.
pub(super) fn cases(machine: &Machine) -> BTreeMap<&'static str, Vec<ParserCase>> {
    let interpreter = Interpreter::new(machine);
    let tokens = token_suite(machine, Bound::default()).cases;
    let tokens = tokens.iter().map(|case| token_case(&interpreter, case)).collect();
    let trees = tree_suite(machine, Bound::default()).map(|suite| suite.cases).unwrap_or_default();
    let trees =
        trees.iter().filter(|case| case.options.flags.iter().all(|(name, _)| name == "scripting"));
    let trees = trees.filter_map(|case| tree_case(&interpreter, case)).collect();
    BTreeMap::from([("tokens", tokens), ("trees", trees)])
}

fn token_case(interpreter: &Interpreter<'_>, case: &Witness) -> ParserCase {
    let machine = interpreter.machine();
    let parser_input = html5lib::test(machine, case);
    let rows = run(interpreter, &case.start, &case.input).map(|record| record.rows);
    let rows = rows.unwrap_or_default().into_iter().map(|row| state_row_text(machine, row));
    let codes = parser_input["errors"].as_array().into_iter().flatten();
    let codes: BTreeSet<&str> = codes.filter_map(|error| error["code"].as_str()).collect();
    let mut description = format!("`{:?}` in {}", case.input, case.start.state);
    for (flag, value) in &case.start.flags {
        description += &format!(", {flag} {value}");
    }
    ParserCase {
        expected: json!({"tokens": parser_input["output"], "errors": codes}),
        rows: without_repetitions(rows),
        description,
        parser_input,
    }
}

fn tree_case(interpreter: &Interpreter<'_>, case: &TreeWitness) -> Option<ParserCase> {
    let machine = interpreter.machine();
    let parsed = document::parse(interpreter, &case.input, &case.options).ok()?;
    let tree = dat::tree(&parsed.tree, &case.options);
    let fragment = dat::context_name(&case.options);
    let is_scripting = case.options.flags.iter().any(|(_, value)| *value == 1);
    let rows = parsed.mode_rows.iter().map(|&row| mode_row_text(machine, row));
    let rows = rows.chain(parsed.rows.iter().map(|&row| state_row_text(machine, row)));
    let context = fragment.as_ref().map(|name| format!("; fragment in {name}"));
    let rows = rows.flat_map(|row| {
        let row_in_context = context.as_ref().map(|context| format!("{row}{context}"));
        std::iter::once(row).chain(row_in_context)
    });
    let mut description = format!("`{:?}`", case.input);
    if let Some(context) = &fragment {
        description += &format!(" in {context}");
    }
    if is_scripting {
        description += " with scripting";
    }
    Some(ParserCase {
        expected: json!({"tree": tree}),
        parser_input: json!({"input": case.input, "fragment": fragment, "scripting": is_scripting}),
        rows: without_repetitions(rows),
        description,
    })
}

/// Returns the distinct rows in the order of their first occurrence.
fn without_repetitions(rows: impl Iterator<Item = String>) -> Vec<String> {
    let mut known_rows = BTreeSet::new();
    rows.filter(|row| known_rows.insert(row.clone())).collect()
}

fn state_row_text(machine: &Machine, id: RowId) -> String {
    let state = machine.state(id.state);
    format!("{}, row {}{}", state.name, id.row + 1, section_suffix(state.section.as_ref()))
}

fn mode_row_text(machine: &Machine, id: ModeRowId) -> String {
    let mode = machine.construction.as_ref().map(|construction| construction.mode(id.mode));
    mode.map_or(String::new(), |mode| {
        format!("mode {}, row {}{}", mode.name, id.row + 1, section_suffix(mode.section.as_ref()))
    })
}

fn section_suffix(section: Option<&Section>) -> String {
    section.map_or(String::new(), |it| {
        let anchor = it.anchor.as_deref().unwrap_or_default();
        format!(" ({} #{anchor})", it.number)
    })
}
