//! Finds defects of states and modes: undefined targets, contradictory steps, duplicate rows, and unlisted kinds of
//! tokens. A row after one with a guard is not a duplicate, because the guard may not hold.

use super::Defect;
use crate::document::rules::parse_steps;
use crate::document::{DocumentRow, DocumentStep, Reading};
use std::collections::BTreeSet;

pub(super) fn defects(reading: &Reading, defects: &mut Vec<Defect>) {
    let granted_states =
        reading.profile.granted.iter().flat_map(|item| item.split("state ").skip(1));
    let granted_states = granted_states.filter_map(|rest| rest.split(' ').next());
    let states = reading.states.iter().map(|state| &state.name[..]);
    let states: BTreeSet<&str> = states.chain(granted_states).collect();
    for (index, state) in reading.states_and_modes().enumerate() {
        let is_mode = index >= reading.states.len();
        let mut report = |message: String, line: usize| {
            defects.push(Defect { place: state.name.clone(), message, line });
        };
        for row in &state.rows {
            let blocks = blocks(parse_steps(&row.steps));
            // The targets of modes are not checked, as a document may describe only some modes.
            let targets =
                blocks.iter().flatten().filter(|_| !is_mode).filter_map(|step| target(step));
            for target in targets {
                if !states.contains(target) && target != "return-state" {
                    report(format!("undefined: there is no state `{target}`"), row.line);
                }
            }
            if row.is_gap {
                report(format!("breaks off: the row `{}` is incomplete", row.patterns), row.line);
            }
            check_row(row, &blocks, &mut report);
        }
        // A state's row without patterns applies to every input. It is skipped, because two such rows would be compared
        // as if they had an equal pattern.
        let rows = state.rows.iter().filter(|row| is_mode || !row.patterns.is_empty());
        check_duplicates(rows, &mut report);
    }
    check_token_kinds(reading, defects);
}

/// Returns the state to which a step switches, if it does.
fn target(step: &str) -> Option<&str> {
    step.strip_prefix("switch ").or_else(|| step.strip_prefix("reconsume "))
}

/// Reports a row with a block of steps that switches twice, or that contains a step after `ignore` other than a switch.
fn check_row(row: &DocumentRow, blocks: &[Vec<String>], report: &mut dyn FnMut(String, usize)) {
    for block in blocks {
        let switch_count = block.iter().filter(|step| step.starts_with("switch ")).count();
        if switch_count > 1 {
            report(
                format!("contradicts itself: the row `{}` switches twice", row.patterns),
                row.line,
            );
        }
        let ignore_index = block.iter().position(|step| step == "ignore");
        if ignore_index.is_some_and(|ignore_index| {
            block[ignore_index + 1..].iter().any(|step| !step.starts_with("switch "))
        }) {
            report(
                format!("contradicts itself: `{}` is ignored, but a step follows", row.patterns),
                row.line,
            );
        }
    }
}

/// Returns lists of steps: those outside blocks, then those of each block.
fn blocks(steps: Vec<DocumentStep>) -> Vec<Vec<String>> {
    let mut blocks = vec![Vec::new()];
    for step in steps {
        match step.is_block {
            true => blocks.extend(self::blocks(step.inner)),
            false => blocks[0].push(step.words),
        }
    }
    blocks
}

/// Reports each row with a pattern that an earlier row without a guard has.
fn check_duplicates<'r>(
    rows: impl Iterator<Item = &'r DocumentRow>,
    report: &mut dyn FnMut(String, usize),
) {
    let mut covered: BTreeSet<&str> = BTreeSet::new();
    for row in rows {
        let patterns = || row.patterns.split(" | ").map(str::trim);
        for pattern in patterns().filter(|pattern| covered.contains(pattern)) {
            report(format!("unreachable: an earlier row matches `{pattern}`"), row.line);
        }
        if row.guard.is_none() {
            covered.extend(patterns());
        }
    }
}

/// Reports each kind of token that states create and emit, but that the document's list of kinds lacks.
fn check_token_kinds(reading: &Reading, defects: &mut Vec<Defect>) {
    let listing = reading.sentences.iter().find_map(|sentence| {
        let (_, list) = sentence.words.split_once("of the following tokens: ")?;
        Some((sentence, list.trim_end_matches('.')))
    });
    let Some((sentence, list)) = listing else { return };
    let kinds = list.split(", ").flat_map(|kinds| kinds.split(" and "));
    let listed: Vec<String> = kinds.map(|kind| kind.to_lowercase().replace(' ', "-")).collect();
    let rows = reading.states.iter().flat_map(|state| &state.rows);
    let steps: Vec<String> =
        rows.flat_map(|row| blocks(parse_steps(&row.steps))).flatten().collect();
    let created: BTreeSet<&str> =
        steps.iter().filter_map(|step| step.strip_prefix("create ")).collect();
    // Objects that are created but never emitted, such as attributes, are not tokens.
    let is_emitted = |kind: &str| {
        kind.ends_with("tag") || steps.iter().any(|step| step.starts_with(&format!("emit {kind}")))
    };
    let is_listed = |kind: &str| listed.iter().any(|one| one == kind);
    for kind in created.into_iter().filter(|kind| is_emitted(kind) && !is_listed(kind)) {
        let message =
            format!("undefined: `{kind}` is created, but is not in the list of token kinds");
        defects.push(Defect { place: sentence.place.clone(), message, line: sentence.line });
    }
}
