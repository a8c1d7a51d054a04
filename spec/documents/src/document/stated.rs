//! Reads rows of states and modes from glosses, for algorithms and grammars whose sentences do not correspond to single
//! rows: a gloss states the rows that its sentence contributes, in the syntax of tables. The gloss of a sentence without
//! rows is `covered`.

use super::english::Label;
use super::statement::steps_text;
use super::states::{Draft, DraftRow, StatedSentence, fold, mark_actions_unread, patterns};
use super::{DocumentRow, DocumentState, DocumentStep, Reading, rules};

/// Placeholder pattern: the labels above the sentence.
const LABELS: &str = "labels";
/// Placeholder pattern: each number in the first column of the table of replaced numbers.
const LISTED: &str = "listed-number";
/// Placeholder in the steps of [`LISTED`]: the number in the second column, in hexadecimal.
const REPLACEMENT: &str = "REPLACEMENT";
/// Placeholder step: the steps of the other sentences under the labels or, without labels, of the section.
const REST: &str = "the-rest;";
/// Placeholder for the first step of a row at which the document breaks off.
const GAP: &str = "gap;";
/// Text between the name of a lexical mode and the lexical token that is matched if no other one is.
const OTHERWISE: &str = " (longest, else ";

/// Rows and declarations stated by one gloss.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct StatedRows {
    /// Declarations in the table language.
    items: Vec<String>,
    /// States and modes, each with whether it is a mode, and with the rows from this gloss only.
    blocks: Vec<(DocumentState, bool)>,
}

/// Parses `state NAME on SUBJECT { PATTERN when GUARD => STEPS }`, possibly inside `procedure NAME { }`,
/// `lexical-mode NAME (longest, else LEXEME) { … }`, `mode NAME { … }`, and declarations; returns `None` if a row has no
/// pattern.
pub(super) fn parse(meaning: &str) -> Option<StatedRows> {
    let mut stated = StatedRows::default();
    add_blocks(&rules::parse_steps(meaning), None, &mut stated)?;
    Some(stated)
}

fn add_blocks(
    blocks: &[DocumentStep],
    procedure: Option<&str>,
    stated: &mut StatedRows,
) -> Option<()> {
    for block in blocks {
        match block.words.split_once(' ')? {
            ("procedure", name) => add_blocks(&block.inner, Some(name), stated)?,
            (kind @ ("state" | "lexical-mode" | "mode"), heading) => {
                let (name, otherwise) = split_name(heading, OTHERWISE);
                let (name, subject) = split_name(name, " on ");
                let mut state = DocumentState {
                    name: name.to_owned(),
                    subject: subject.map(str::to_owned),
                    otherwise: otherwise.map(|lexeme| lexeme.trim_end_matches(')').to_owned()),
                    procedure: procedure.map(str::to_owned),
                    ..Default::default()
                };
                for text in block.inner.iter().map(step_text) {
                    let Some((head, steps)) = text.split_once(" => ") else {
                        state.rows.last_mut()?.steps += &format!(" {text}");
                        continue;
                    };
                    let (patterns, guard) = match head.split_once(" when ") {
                        Some((patterns, guard)) => (patterns, Some(guard.to_owned())),
                        None => (head, None),
                    };
                    let (patterns, steps) = (patterns.to_owned(), steps.to_owned());
                    state.rows.push(DocumentRow { patterns, guard, steps, ..Default::default() });
                }
                stated.blocks.push((state, kind == "mode"));
            }
            _ => stated.items.push(step_text(block)),
        }
    }
    Some(())
}

/// Splits a heading at the words between its name and the rest, which it may lack.
fn split_name<'h>(heading: &'h str, between: &str) -> (&'h str, Option<&'h str>) {
    match heading.split_once(between) {
        Some((name, rest)) => (name, Some(rest)),
        None => (heading, None),
    }
}

/// Formats a step in the table language, on one line.
fn step_text(step: &DocumentStep) -> String {
    if !step.is_block {
        return format!("{};", step.words);
    }
    let inner: Vec<String> = step.inner.iter().map(step_text).collect();
    format!("{} {{ {} }}", step.words, inner.join(" "))
}

/// Adds the rows and declarations of a gloss to the reading, and returns whether the heading of each state agrees with
/// those in earlier glosses; rows of other states are dropped. `origin` is the line and the hash of the sentence.
pub(super) fn add(
    stated: StatedRows,
    draft: &Draft,
    origin: (usize, u32),
    reading: &mut Reading,
) -> bool {
    let mut are_all_added = true;
    let rest = rest_of(draft, draft.rows.last());
    let labels: &[Label] = draft.rows.last().map_or(&[], |row| &row.labels);
    let labels = patterns(labels, &draft.rows).join(" | ");
    let StatedRows { items, blocks } = stated;
    reading.declarations.extend(items.into_iter().map(|item| (origin.0, item)));
    for (mut state, is_mode) in blocks {
        for row in &mut state.rows {
            row.patterns = row.patterns.replace(LABELS, &labels);
            row.is_gap = row.steps.starts_with(GAP);
            row.steps = row.steps.trim_start_matches(GAP).trim_start().replace(REST, &rest);
            (row.line, row.hashes) = (origin.0, vec![origin.1]);
        }
        let known = if is_mode { &mut reading.modes } else { &mut reading.states };
        match known.iter_mut().find(|other| other.name == state.name) {
            Some(other) if contradicts(&state, other) => are_all_added = false,
            Some(other) => other.rows.append(&mut state.rows),
            None => {
                (state.section, state.line) = (draft.section.clone(), draft.line);
                known.push(state);
            }
        }
    }
    are_all_added
}

/// Whether a gloss names another subject or procedure than an earlier one for this state. It may omit both.
fn contradicts(state: &DocumentState, earlier: &DocumentState) -> bool {
    state.subject.is_some() && state.subject != earlier.subject
        || state.procedure.is_some() && state.procedure != earlier.procedure
}

/// Adds the row of a replaced number, and returns whether a gloss states the steps for such numbers.
pub(super) fn add_listed(
    (from, to): (u32, u32),
    origin: (usize, u32),
    reading: &mut Reading,
) -> bool {
    let mut states = reading.states.iter_mut().map(|state| &mut state.rows).rev();
    let found = states.find_map(|rows| {
        let at = rows.iter().position(is_listed)?;
        Some((rows, at))
    });
    let Some((rows, at)) = found else { return false };
    let mut row = rows[at].clone();
    row.patterns = format!("0x{from:X}");
    row.steps = row.steps.replace(REPLACEMENT, &format!("{to:X}"));
    (row.line, row.hashes) = (origin.0, vec![origin.1]);
    rows.insert(at, row);
    true
}

/// Whether the row is the template for the rows of replaced numbers.
pub(super) fn is_listed(row: &DocumentRow) -> bool {
    row.patterns == LISTED
}

/// Returns the placeholder step for the other sentences under the labels of a row, or before the rows. It differs by
/// section and row; no table has it, so a placeholder that is never replaced is reported as a difference.
fn rest_of(draft: &Draft, row: Option<&DraftRow>) -> String {
    let paragraph = row.map_or(String::new(), |row| format!("-{}", row.paragraph));
    format!("the-rest-{}{paragraph};", draft.line)
}

/// Inserts the steps of the section's other sentences into the rows that its glosses state. Returns the rows with actions
/// that no gloss includes. Such sentences before the rows become unread.
pub(super) fn complete(draft: &Draft, reading: &mut Reading) -> Vec<DraftRow> {
    let mut other_rows = Vec::new();
    for row in std::iter::once(None).chain(draft.rows.iter().map(Some)) {
        let (rest, sentences) =
            (rest_of(draft, row), row.map_or(&draft.prefix, |row| &row.sentences));
        let steps = steps_text(&fold(sentences));
        let mut is_used = false;
        for row in reading.states.iter_mut().flat_map(|state| &mut state.rows) {
            if row.steps.contains(&rest) {
                row.steps = row.steps.replace(&rest, &steps);
                is_used = true;
            }
        }
        match row {
            _ if is_used => {}
            None => mark_actions_unread(sentences, reading),
            Some(row) if sentences.iter().any(StatedSentence::has_actions) => {
                other_rows.push(row.clone());
            }
            Some(_) => {}
        }
    }
    other_rows
}
