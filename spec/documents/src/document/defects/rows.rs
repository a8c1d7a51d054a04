//! Finds defects of states and modes: undefined targets, contradictory steps, duplicate rows, and unlisted kinds of
//! tokens. A row after one with a guard is not a duplicate, because the guard may not hold.

use super::Defect;
use crate::document::{DocumentRow, Profile, Reading};
use std::collections::BTreeSet;

pub(super) fn defects(reading: &Reading, profile: &Profile, all: &mut Vec<Defect>) {
    let granted = profile.granted.iter().flat_map(|item| item.split("state ").skip(1));
    let granted = granted.filter_map(|rest| rest.split(' ').next());
    let states = reading.states.iter().map(|state| &state.name[..]);
    let states: BTreeSet<&str> = states.chain(granted).collect();
    for (index, state) in reading.states_and_modes().enumerate() {
        let is_mode = index >= reading.states.len();
        let mut report = |message: String, line: usize| {
            all.push(Defect { place: state.name.clone(), message, line });
        };
        for row in &state.rows {
            // The targets of modes are not checked, as a document may describe only some modes.
            let targets = if is_mode { Vec::new() } else { targets(&row.steps) };
            for to in targets {
                if !states.contains(to) && to != "return-state" {
                    report(format!("undefined: there is no state {to}"), row.line);
                }
            }
            if row.is_gap {
                report(format!("breaks off: at {}", row.patterns), row.line);
            }
            check_row(row, &mut report);
        }
        // A state's row without patterns applies to every input, so it cannot be a duplicate.
        let rows = state.rows.iter().filter(|row| is_mode || !row.patterns.is_empty());
        check_duplicates(rows, &mut report);
    }
    check_token_kinds(reading, all);
}

/// Returns the states to which steps switch, by name.
fn targets(steps: &str) -> Vec<&str> {
    let mut all = Vec::new();
    for word in ["switch ", "reconsume "] {
        for (at, _) in steps.match_indices(word) {
            let is_word = at == 0 || steps[..at].ends_with([' ', '{']);
            let rest = &steps[at + word.len()..];
            let name = &rest[..rest.find([';', ' ']).unwrap_or(rest.len())];
            let is_name = !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            if is_word && is_name {
                all.push(name);
            }
        }
    }
    all
}

/// Reports a row with a block of steps that switches twice, or that contains a step after `ignore` other than a switch.
fn check_row(row: &DocumentRow, report: &mut dyn FnMut(String, usize)) {
    for block in blocks(&row.steps) {
        let switched = block.iter().filter(|step| step.starts_with("switch ")).count();
        if switched > 1 {
            report(format!("contradicts itself: {} switches twice", row.patterns), row.line);
        }
        let ignored = block.iter().position(|step| step == "ignore");
        if ignored.is_some_and(|ignored| {
            block[ignored + 1..].iter().any(|step| !step.starts_with("switch "))
        }) {
            report(
                format!("contradicts itself: {} is ignored, and a step follows", row.patterns),
                row.line,
            );
        }
    }
}

/// Splits the text of steps into lists of steps, one for each block.
fn blocks(steps: &str) -> Vec<Vec<String>> {
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    let mut done = Vec::new();
    let mut word = String::new();
    let mut is_quoted = false;
    for one in steps.chars() {
        match one {
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted => {
                let step = std::mem::take(&mut word).trim().to_owned();
                open.last_mut().into_iter().for_each(|last| last.push(step.clone()));
                continue;
            }
            '{' if !is_quoted => {
                word.clear();
                open.push(Vec::new());
                continue;
            }
            '}' if !is_quoted => {
                word.clear();
                done.extend(open.pop());
                continue;
            }
            _ => {}
        }
        word.push(one);
    }
    done.extend(open);
    done
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
            report(format!("unreachable: {pattern} has a row before"), row.line);
        }
        if row.guard.is_none() {
            covered.extend(patterns());
        }
    }
}

/// Reports each kind of token that states create and emit, but that the document's list of kinds lacks.
fn check_token_kinds(reading: &Reading, all: &mut Vec<Defect>) {
    let listing = reading.sentences.iter().find_map(|sentence| {
        let (_, list) = sentence.words.split_once("of the following tokens: ")?;
        Some((sentence, list.trim_end_matches('.')))
    });
    let Some((sentence, list)) = listing else { return };
    let kinds = list.split(", ").flat_map(|kinds| kinds.split(" and "));
    let listed: Vec<String> = kinds.map(|kind| kind.to_lowercase().replace(' ', "-")).collect();
    let rows = || reading.states.iter().flat_map(|state| &state.rows);
    let mut created: BTreeSet<&str> = BTreeSet::new();
    for row in rows() {
        for (at, word) in row.steps.match_indices("create ") {
            let rest = &row.steps[at + word.len()..];
            created.insert(&rest[..rest.find([';', ' ']).unwrap_or(rest.len())]);
        }
    }
    // Objects that are created but never emitted, such as attributes, are not tokens.
    let is_emitted = |kind: &str| {
        kind.ends_with("tag") || rows().any(|row| row.steps.contains(&format!("emit {kind}")))
    };
    let is_listed = |kind: &str| listed.iter().any(|one| one == kind);
    for kind in created.into_iter().filter(|kind| is_emitted(kind) && !is_listed(kind)) {
        let message =
            format!("undefined: {kind} is not in the list of token kinds, but is created");
        all.push(Defect { place: sentence.place.clone(), message, line: sentence.line });
    }
}
