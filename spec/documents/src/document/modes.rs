//! Turns sections on tree construction into modes: labels become rows, and sentences their steps. Rows keep the
//! document's order.

use super::blocks::Kind;
use super::english::{self, Antecedent};
use super::sections::Section;
use super::sentence;
use super::statement::{Ask, Declaration, Statement, Step, conditions_text, steps_text};
use super::states::{algorithm_statement, note};
use super::{DocumentMode, DocumentRow, Reading};
use tabulex_language::model::kebab_case;

/// A row whose sentences are not yet translated to steps.
#[derive(Debug)]
struct DraftModeRow {
    patterns: Vec<String>,
    stated: Vec<Statement>,
    hashes: Vec<u32>,
    line: usize,
    /// Nesting depth of its label in lists.
    depth: usize,
}

/// Reads sections on tree construction into modes.
pub(super) fn read(sections: &[Section], reading: &mut Reading) {
    // Steps for a kind of token that precede those of any mode.
    let mut before: Vec<(String, Vec<Step>, u32)> = Vec::new();
    for section in sections {
        let rows = rows(section, reading, &mut before);
        if rows.is_empty() {
            continue;
        }
        let is_first = reading.modes.is_empty();
        let mut mode = DocumentMode {
            name: kebab_case(section.title.trim_start_matches(|c: char| !c.is_alphabetic())),
            section: section.name(),
            line: section.line,
            rows: Vec::new(),
        };
        for mut row in rows {
            let first = before.iter().filter(|(kind, ..)| row.patterns.contains(kind));
            for (_, steps, hash) in first {
                row.stated.insert(0, Statement::Acts(steps.clone()));
                row.hashes.insert(0, *hash);
            }
            let steps = merge_insertions(fold(&row.stated), is_first);
            mode.rows.extend(split_by_token(row, steps));
        }
        reading.modes.push(mode);
    }
    let is_start = |(_, item): &(usize, String)| item.starts_with("tree start ");
    if let Some(first) = reading.modes.first()
        && !reading.declarations.iter().any(is_start)
    {
        let item = format!("tree start {};", first.name);
        reading.declarations.push((first.line, item));
    }
    let classes = reading.modes.iter().flat_map(|mode| &mode.rows).filter_map(|row| {
        let set = row.patterns.strip_prefix("string of ")?;
        Some((row.line, format!("class {} = {set};", class_name(set))))
    });
    let classes: Vec<(usize, String)> = classes.collect();
    reading.declarations.extend(classes);
    for row in reading.modes.iter_mut().flat_map(|mode| &mut mode.rows) {
        if let Some(set) = row.patterns.strip_prefix("string of ") {
            row.patterns = format!("string {}", class_name(set));
        }
    }
}

/// Returns a generated name for a class of characters.
fn class_name(set: &str) -> String {
    format!("only-{}", set.matches('|').count() + 1)
}

/// Returns the rows of a section; steps stated before them go to `before`.
fn rows(
    section: &Section,
    reading: &mut Reading,
    before: &mut Vec<(String, Vec<Step>, u32)>,
) -> Vec<DraftModeRow> {
    let mut rows: Vec<DraftModeRow> = Vec::new();
    let mut is_labelled = false;
    for block in &section.blocks {
        let labels = english::token_labels(&block.text)
            .filter(|_| matches!(block.kind, Kind::Label | Kind::Item));
        if let Some(labels) = labels {
            match rows.last_mut().filter(|_| is_labelled) {
                Some(row) => row.patterns.extend(labels),
                None => rows.push(DraftModeRow {
                    patterns: labels,
                    stated: Vec::new(),
                    hashes: Vec::new(),
                    line: block.line,
                    depth: block.depth,
                }),
            }
            is_labelled = true;
            continue;
        }
        is_labelled = false;
        for words in sentence::divide(&block.text) {
            let statement = match block.kind {
                Kind::Note => Some(Statement::Remark),
                _ if reading.is_remark(&section.title, &words) => Some(Statement::Remark),
                _ => algorithm_statement(reading, &words, block.line)
                    .or_else(|| english::read(reading, &words, &mut Antecedent::default())),
            };
            note(reading, section, block, &words, statement.as_ref());
            let hash = sentence::hash(&words);
            // Text after the list of rows describes the end of the input.
            if block.kind == Kind::Item && rows.last().is_some_and(|row| block.depth < row.depth) {
                rows.push(DraftModeRow {
                    patterns: vec!["EOF".to_owned()],
                    stated: Vec::new(),
                    hashes: Vec::new(),
                    line: block.line,
                    depth: block.depth,
                });
            }
            match (statement, rows.last_mut()) {
                (Some(Statement::Declares(Declaration::TreeStart(mode))), _) => {
                    reading.declarations.push((block.line, format!("tree start {mode};")));
                }
                (Some(Statement::Declares(Declaration::Item(item))), _) => {
                    reading.declarations.push((block.line, item));
                }
                (Some(Statement::Describes(name, steps)), _) => {
                    reading.record((name, section.name(), block.line), steps);
                }
                (Some(Statement::If(asks, steps)), None) => {
                    if let [Ask::Token(kind)] = &asks[..] {
                        before.push((kind.clone(), steps, hash));
                    }
                }
                (Some(statement), Some(row)) => {
                    row.stated.push(statement);
                    row.hashes.push(hash);
                }
                _ => {}
            }
        }
    }
    rows
}

/// Converts sentences to steps. If a condition ignores a token, the remaining sentences apply otherwise.
fn fold(stated: &[Statement]) -> Vec<Step> {
    let Some((first, rest)) = stated.split_first() else { return Vec::new() };
    let mut rest = fold(rest);
    let mut steps = match first {
        Statement::Acts(steps) => steps.clone(),
        Statement::If(asks, then) => {
            let ends = then.contains(&Step::act("ignore"));
            let otherwise = if ends { std::mem::take(&mut rest) } else { Vec::new() };
            vec![Step::When(asks.clone(), then.clone(), otherwise)]
        }
        _ => Vec::new(),
    };
    steps.extend(rest);
    steps
}

/// Merges the creation of a node with its insertion. With no open element, appending to the document is appending to
/// the current node.
fn merge_insertions(steps: Vec<Step>, is_first: bool) -> Vec<Step> {
    let mut made: Option<String> = None;
    let mut out = Vec::new();
    for step in steps {
        match step {
            Step::Act(action) => match action.strip_prefix("make ") {
                Some(node) => made = Some(node.to_owned()),
                None if action == "append made" => out.extend(made.take().map(Step::Act)),
                None => {
                    let element = action.strip_suffix(" to document");
                    let element = element.filter(|it| is_first && it.ends_with("-element"));
                    out.push(Step::act(element.unwrap_or(&action)));
                }
            },
            Step::When(asks, then, otherwise) => out.push(Step::When(
                asks,
                merge_insertions(then, is_first),
                merge_insertions(otherwise, is_first),
            )),
            other => out.push(other),
        }
    }
    out
}

/// Moves conditions on the token itself into rows of their own, in front of the row for the whole kind.
fn split_by_token(row: DraftModeRow, steps: Vec<Step>) -> Vec<DocumentRow> {
    let read = |patterns: String, steps: &[Step]| {
        let steps = steps_text(steps);
        DocumentRow {
            patterns,
            steps: if steps.is_empty() { "ignore;".to_owned() } else { steps },
            line: row.line,
            hashes: row.hashes.clone(),
            ..DocumentRow::default()
        }
    };
    let patterns = row.patterns.join(" | ");
    let mut rows = Vec::new();
    if let Some(ask) = token_condition(&steps) {
        let pattern = match &ask {
            Ask::Name(name) => format!("{patterns} {name:?}"),
            Ask::OnlyOf(characters) => format!("{patterns} of {}", characters.join(" | ")),
            other => conditions_text(std::slice::from_ref(other)),
        };
        rows.push(read(pattern, &assume(&steps, &ask, true)));
        rows.push(read(patterns, &assume(&steps, &ask, false)));
    } else {
        rows.push(read(patterns, &steps));
    }
    rows
}

fn concerns_token(ask: &&Ask) -> bool {
    matches!(ask, Ask::Name(_) | Ask::OnlyOf(_))
}

fn token_condition(steps: &[Step]) -> Option<Ask> {
    steps.iter().find_map(|step| match step {
        Step::When(asks, then, otherwise) => asks
            .iter()
            .find(concerns_token)
            .cloned()
            .or_else(|| token_condition(then))
            .or_else(|| token_condition(otherwise)),
        _ => None,
    })
}

/// Returns the steps under the given answer to the condition.
fn assume(steps: &[Step], ask: &Ask, holds: bool) -> Vec<Step> {
    let mut out = Vec::new();
    for step in steps {
        let Step::When(asks, then, otherwise) = step else {
            out.push(step.clone());
            continue;
        };
        let (then, otherwise) = (assume(then, ask, holds), assume(otherwise, ask, holds));
        if !asks.contains(ask) {
            out.push(Step::When(asks.clone(), then, otherwise));
            continue;
        }
        let rest: Vec<Ask> = asks.iter().filter(|other| *other != ask).cloned().collect();
        match (holds, rest.is_empty()) {
            (false, _) => out.extend(otherwise),
            (true, true) => out.extend(then),
            (true, false) => out.push(Step::When(rest, then, otherwise)),
        }
    }
    out
}
