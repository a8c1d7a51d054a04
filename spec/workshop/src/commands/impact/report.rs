//! Formats the effect of an edit as text or JSON, and says whether the search reached its time limit.

use super::EditEffect;

use crate::changes::{RowChange, RowVersion};
use crate::impact::corpus::Corpus;
use crate::impact::{RevealingInput, diff_lines};
use crate::trial::{AnyRow, RunMode};
use crate::truncate;
use serde_json::{Value, json};
use tabulex_language::counted;

/// Maximum number of changed rows shown; the others are counted.
const MAX_ROWS: usize = 40;

/// Maximum number of characters shown of an unchanged row.
const MAX_ROW_LENGTH: usize = 90;

/// Maximum number of names of cases shown; the others are counted.
const MAX_CASES: usize = 5;
/// Maximum number of inputs shown; the others are counted.
const MAX_INPUTS: usize = 20;

/// Formats the effect of an edit as text: blocks separated by empty lines.
pub(in crate::commands) fn text(effect: &EditEffect) -> String {
    blocks(effect).join("\n")
}

/// Formats the effect of an edit as blocks of text: one for each changed row, declaration and input, then a summary.
pub(in crate::commands) fn blocks(effect: &EditEffect) -> Vec<String> {
    if effect.changes.is_empty() {
        let (name, against) = (&effect.name, &effect.against);
        return vec![format!("{name}: no row or declaration differs from {against}\n")];
    }
    let mut blocks = Vec::new();
    blocks.extend(effect.changes.rows.iter().take(MAX_ROWS).map(row));
    blocks.extend(not_shown("rows", effect.changes.rows.len(), MAX_ROWS));
    for declaration in &effect.changes.declarations {
        let lines = declaration.lines.iter().map(|line| format!("  {line}\n"));
        let lines: String = lines.collect();
        let name = &declaration.name;
        blocks.push(if lines.is_empty() {
            format!("{name}: changed\n")
        } else {
            format!("{name}\n{lines}")
        });
    }
    let inputs = &effect.impact.revealing_inputs;
    blocks.extend(inputs.iter().take(MAX_INPUTS).map(|it| input(effect, it)));
    blocks.extend(not_shown("inputs", inputs.len(), MAX_INPUTS));
    blocks.push(summary(effect));
    blocks
}

/// Returns a line with the number of items beyond the maximum shown, if there are any.
fn not_shown(items: &str, count: usize, max_shown: usize) -> Option<String> {
    (count > max_shown).then(|| format!("… {items} not shown: {}\n", count - max_shown))
}

fn row(change: &RowChange) -> String {
    let row_line = |mark: char, row: &Option<RowVersion>| {
        row.as_ref()
            .map_or(String::new(), |row| format!("  {mark} {:<18} {}\n", row.place, row.text))
    };
    if let Some(row) = change.row().filter(|_| change.is_indirect()) {
        let text = truncate(&row.text, MAX_ROW_LENGTH);
        return format!("{}\n  ~ {:<18} {text}  (by a changed definition)\n", change.of, row.place);
    }
    let [old, new] = &change.rows;
    format!("{}\n{}{}", change.of, row_line('-', old), row_line('+', new))
}

fn input(effect: &EditEffect, revealing_input: &RevealingInput) -> String {
    let [old, new] = &revealing_input.results;
    let text = &revealing_input.input.text;
    let start = effect
        .new
        .machine
        .as_ref()
        .map_or(String::new(), |it| revealing_input.input.describe_start(it));
    let count_note = match revealing_input.rows.len() {
        0 | 1 => String::new(),
        count => format!("  (runs {count} changed rows)"),
    };
    let mut out = format!("{text:?}{start}{count_note}\n");
    for line in diff_lines(&old.words(text), &new.words(text)) {
        out += &format!("  {line}\n");
    }
    out
}

/// Formats the last block: the numbers of changes, cases and inputs, and the result on the corpus.
fn summary(effect: &EditEffect) -> String {
    let [changed, added, removed] = effect.changes.counts();
    let impact = &effect.impact;
    let declarations = match effect.changes.declarations.len() {
        0 => String::new(),
        count => format!(", {} changed", counted(count, "declaration")),
    };
    let mut out = format!(
        "{} against {}: {} changed, {added} added, {removed} removed{declarations}; {} revealed by an input, {} not\n",
        effect.name,
        effect.against,
        counted(changed, "row"),
        effect.changes.rows.len() - impact.unrevealed.len(),
        impact.unrevealed.len(),
    );
    for &at in impact.unrevealed.iter().take(MAX_ROWS) {
        out += &effect.changes.rows[at].row().map_or(String::new(), |row| {
            format!("  no input found: {} {}\n", row.place, truncate(&row.text, MAX_ROW_LENGTH))
        });
    }
    let (affected, differ) = &impact.cases;
    if *affected > 0 {
        let unmet_cases: Vec<_> = differ.iter().filter(|case| !case.is_met).collect();
        out += &format!(
            "{} with changed rows: {} with a different result, {} of them no longer as expected\n",
            counted(*affected, "case"),
            differ.len(),
            unmet_cases.len()
        );
        // A case that runs with and without scripting has two adjacent entries; its name is listed once.
        let mut names: Vec<&str> = unmet_cases.iter().map(|case| &case.name[..]).collect();
        names.dedup();
        for name in names.iter().take(MAX_CASES) {
            out += &format!("  {name}\n");
        }
        if let Some(line) = not_shown("cases", names.len(), MAX_CASES) {
            out += &format!("  {line}");
        }
    }
    let completeness = match (impact.is_exhaustive, impact.unrevealed.is_empty()) {
        (true, true) => "so no shorter input exists",
        (true, false) => "and the search is exhausted",
        (false, _) => "but not all: `--seconds N` searches longer",
    };
    out += &format!(
        "{} run, {completeness}; {:.2} s\n",
        counted(impact.inputs, "input"),
        effect.search_time.as_secs_f64()
    );
    out + &effect.corpus.as_ref().map_or(String::new(), corpus)
}

fn corpus(corpus: &Corpus) -> String {
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let limit_note = match corpus.known.0 == corpus.total.0 {
        true => String::new(),
        false => format!(
            " of {} ({:.1} MB) before the time limit",
            counted(corpus.total.0, "file"),
            megabytes(corpus.total.1)
        ),
    };
    let percentage = 100.0 * corpus.differ as f64 / corpus.known.0.max(1) as f64;
    let mut out = format!(
        "corpus: a difference in {} of {} ({percentage:.1} %); {:.1} MB examined{limit_note}\n",
        corpus.differ,
        counted(corpus.known.0, "file"),
        megabytes(corpus.known.1),
    );
    for (path, lines) in &corpus.examples {
        out += &format!("  {}\n", path.display());
        for line in lines {
            let short: String = line.chars().take(140).collect();
            out += &format!("    {short}\n");
        }
    }
    out
}

/// Formats the effect of an edit as a JSON object.
pub(in crate::commands) fn json(effect: &EditEffect) -> String {
    let row_as_json = |row: &Option<RowVersion>| {
        row.as_ref().map(|row| json!({ "place": row.place, "row": row.text }))
    };
    let change_as_json = |change: &RowChange| {
        let row = change.row().map(|it| it.row);
        json!({
            "kind": if matches!(row, Some(AnyRow::Mode(_))) { "mode" } else { "state" },
            "of": change.of,
            "was": row_as_json(&change.rows[0]),
            "is": row_as_json(&change.rows[1]),
            "byName": change.is_indirect(),
        })
    };
    let input_as_json = |revealing_input: &RevealingInput| {
        let text = &revealing_input.input.text;
        let start = match &revealing_input.input.mode {
            RunMode::Tokens(start) => json!({
                "state": start.state,
                "lastStartTag": start.last_start_tag,
                "flags": start.flags,
            }),
            RunMode::Tree(options) => json!({
                "fragment": tabulex_oracle::formats::dat::context_name(options),
                "flags": options.flags,
            }),
        };
        json!({
            "input": text,
            "start": start,
            "rows": revealing_input.rows,
            "was": revealing_input.results[0].words(text),
            "is": revealing_input.results[1].words(text),
        })
    };
    let impact = &effect.impact;
    let corpus = effect.corpus.as_ref().map(|it| {
        json!({
            "files": it.total.0,
            "bytes": it.total.1,
            "known": it.known.0,
            "knownBytes": it.known.1,
            "differ": it.differ,
            "examples": it.examples.iter().map(|(path, lines)| json!({ "path": path, "lines": lines })).collect::<Vec<_>>(),
        })
    });
    let value: Value = json!({
        "table": effect.name,
        "against": effect.against,
        "rows": effect.changes.rows.iter().map(change_as_json).collect::<Vec<_>>(),
        "declarations": effect.changes.declarations.iter().map(|it| json!({ "name": it.name, "lines": it.lines })).collect::<Vec<_>>(),
        "inputs": impact.revealing_inputs.iter().map(input_as_json).collect::<Vec<_>>(),
        "without": impact.unrevealed,
        "run": impact.inputs,
        "whole": impact.is_exhaustive,
        "cases": {
            "concerned": impact.cases.0,
            "changed": impact.cases.1.iter().map(|it| json!({ "name": it.name, "met": it.is_met })).collect::<Vec<_>>(),
        },
        "corpus": corpus,
    });
    format!("{value}\n")
}
