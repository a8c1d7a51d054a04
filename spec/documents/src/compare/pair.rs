//! Compares two states or two modes with equal names: the effects on each input that a row of either side
//! distinguishes, for each combination of values of the rows' conditions.
//!
//! Both sides run each input (`run`). A condition that a run reaches is a question (`answers`), for which both answers
//! are tried. In modes, a question after a change of the tree is distinct from an equal question before. The resulting
//! effects are normalized (`effect`). `using` counts as an action, because the other mode is compared separately.

use super::accepted::Entry;
use super::answers::{Answers, Question};
use super::effect::Effect;
use super::exact::Records;
use super::index::{Index, NamedRows, Tokens};
use super::input::{ADDITIONAL, distinguished_inputs, first_character, inputs_text, known_text};
use super::run::{Run, SharedDeclarations};
use super::{Difference, RowAt};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of runs for one input; reaching it is reported as a difference.
const MAX_RUNS: usize = 20_000;

/// Placeholder for all names that no row mentions.
const OTHER_NAME: &str = "token-name";

/// A side of the comparison: the table, and the index of the block in the table.
pub(super) type Side<'s, 't> = (&'s Index<'t>, usize);

/// Index of the row that runs for an input, and the row's effect; `None` if no row matches.
type Outcome = Option<(usize, Effect)>;

/// Identity of a reported difference: the rows and the effects of both sides.
type DifferenceKey = ([Option<RowAt>; 2], [Option<String>; 2]);

/// Two blocks with equal names, and the differences found so far.
struct Pair<'s, 't> {
    sides: [Side<'s, 't>; 2],
    shared: &'s SharedDeclarations,
    inputs: Vec<Tokens>,
    /// Differences by rows and effects, each with the first condition and the indices of the inputs.
    differences: BTreeMap<DifferenceKey, (String, BTreeSet<usize>)>,
    records: Records,
    runs: usize,
}

/// Compares two blocks. Appends their differences to `merged`, and entries for each pair of rows to `entries`.
pub(super) fn compare<'s, 't>(
    sides: [Side<'s, 't>; 2],
    shared: &'s SharedDeclarations,
    (merged, entries): (&mut Vec<Difference>, &mut Vec<Entry>),
) {
    let [one, other] = sides.map(block);
    if one.subject() != other.subject() {
        let subject_text = |block: &NamedRows<'_>| {
            format!("on {}", block.subject().unwrap_or("the next character"))
        };
        let (left, right) = (Some(subject_text(one)), Some(subject_text(other)));
        merged.push(Difference { left, right, ..Difference::whole_block(Some(one), Some(other)) });
        return;
    }
    let (differences, records) = Default::default();
    let mut pair = Pair {
        sides,
        shared,
        inputs: distinguished_inputs(one, other),
        differences,
        records,
        runs: 0,
    };
    for input in 0..pair.inputs.len() {
        pair.runs = 0;
        pair.explore(input, &Answers::default());
    }
    entries.extend(pair.records.into_entries(&pair.inputs, other));
    let first_new = merged.len();
    for ((rows, [left, right]), (condition, inputs)) in pair.differences {
        let input = inputs_text(inputs.iter().map(|&at| &pair.inputs[at]));
        // Two rows may differ in several ways on an input, but one difference suffices to report the pair of rows.
        let is_reported = merged[first_new..]
            .iter()
            .any(|other| [other.left_row, other.right_row] == rows && other.input == input);
        if is_reported {
            continue;
        }
        let row = rows[1].map(|(_, row)| &other.rows[row]);
        merged.push(Difference {
            input,
            condition,
            left,
            right,
            left_row: rows[0],
            right_row: rows[1],
            left_place: rows[0].map(|(_, row)| one.rows[row].span),
            span: Some(row.map_or(other.span, |row| row.span)),
            notes: row.map(|row| row.notes.clone()).unwrap_or_default(),
            ..Difference::whole_block(None, Some(other))
        });
    }
}

fn block<'s, 't>((index, at): Side<'s, 't>) -> &'s NamedRows<'t> {
    &index.blocks[at]
}

impl Pair<'_, '_> {
    /// Runs an input on both sides. If a run asks a question, repeats the runs with each answer.
    fn explore(&mut self, input: usize, answers: &Answers) {
        if self.runs >= MAX_RUNS {
            return;
        }
        let outcomes = self.run(self.sides[0], &self.inputs[input], answers).and_then(|left| {
            let right = self.run(self.sides[1], &self.inputs[input], answers)?;
            Ok([left, right])
        });
        match outcomes {
            Err(question) => {
                for holds in [true, false] {
                    self.explore(input, &answers.extended(&question, holds));
                }
            }
            Ok(outcomes) => {
                self.runs += 1;
                self.record(input, answers, &outcomes);
            }
        }
    }

    /// Records an input if the outcomes differ, also if only in details.
    fn record(&mut self, input: usize, answers: &Answers, outcomes: &[Outcome; 2]) {
        let is_equal = match outcomes {
            [None, None] => true,
            [Some((_, left)), Some((_, right))] => left.equals(right),
            _ => false,
        };
        let texts = |of: fn(&Effect) -> String| {
            outcomes.each_ref().map(|outcome| outcome.as_ref().map(|(_, effect)| of(effect)))
        };
        let row = |side: usize| Some((self.sides[side].1, outcomes[side].as_ref()?.0));
        let rows = [row(0), row(1)];
        let effects = texts(if is_equal { Effect::details } else { Effect::accepted_text });
        if !is_equal || effects[0] != effects[1] {
            self.records.add((is_equal, rows, effects), answers.text(), input);
        }
        if !is_equal || self.runs == MAX_RUNS {
            let new_difference = || (answers.text(), BTreeSet::new());
            let difference =
                self.differences.entry((rows, texts(Effect::text))).or_insert_with(new_difference);
            difference.1.insert(input);
        }
    }

    /// Runs an input on one side. Returns the first question without an answer as an error.
    fn run(
        &self,
        side: Side<'_, '_>,
        input: &Tokens,
        answers: &Answers,
    ) -> Result<Outcome, Question> {
        let (index, block) = (side.0, block(side));
        let token_name = match input {
            Tokens::Named(_, Some(names)) => names.first().map_or(OTHER_NAME, |name| name),
            _ => OTHER_NAME,
        };
        let (shared, matched_text) = (self.shared, known_text(input));
        let matched_text = matched_text.as_deref().filter(|_| !block.is_mode);
        let new_run =
            || Run { index, block, shared, token_name, matched_text, answers, actions: Vec::new() };
        let Some(at) = row(block, input, &new_run)? else {
            // If no row matches the string, the row for its first character runs. Its effect counts as that of the string
            // only if the row reconsumes the character.
            let Some(first) = first_character(input) else { return Ok(None) };
            let outcome = self.run(side, &first, answers)?;
            return Ok(outcome.filter(|(_, effect)| effect.is_reprocessed()));
        };
        let mut effect = new_run().run(&block.rows[at])?;
        if !block.is_mode && *input == Tokens::Word("EOF".to_owned()) {
            effect = effect.at_end_of_input();
        }
        if block.is_lexical()
            && let Some(target) = effect.only_reconsumes().and_then(|name| index.find(name, false))
            && is_lexical_subset(&index.blocks[target], block)
            && let Some((_, again)) = self.run((index, target), input, answers)?
        {
            effect = again.via_state(block.name, index.blocks[target].name);
        }
        Ok(Some((at, effect)))
    }
}

/// Returns the index of the row that runs for an input, or `None` if no row matches it. Rows that match by name precede
/// rows for the whole kind, which precede `else`.
fn row<'r, 't: 'r>(
    block: &NamedRows<'t>,
    input: &Tokens,
    new_run: &dyn Fn() -> Run<'r, 't>,
) -> Result<Option<usize>, Question> {
    let has_else = block.is_mode || !matches!(input, Tokens::Word(_));
    let is_additional =
        |tokens: &Tokens| matches!(tokens, Tokens::Word(word) if word == ADDITIONAL);
    for pass in 0..3 {
        for (at, row) in block.rows.iter().enumerate() {
            let is_match = row.tokens.iter().any(|tokens| match pass {
                0 => tokens.overlaps(input),
                1 => tokens.covers_kind_of(input),
                _ => *tokens == Tokens::Else && has_else,
            });
            let may_match = pass == 0
                && matches!(input, Tokens::Characters(..))
                && row.tokens.iter().any(is_additional);
            if (is_match || may_match)
                && row.guard.map_or(Ok(true), |guard| new_run().holds(guard))?
                && (is_match || new_run().answer(Question::Plain(ADDITIONAL.to_owned()))?)
            {
                return Ok(Some(at));
            }
        }
    }
    Ok(None)
}

/// Whether `mode` is a lexical mode other than `other`, and matches a subset of the lexical tokens of `other`. The
/// longest match in `other` is then also the longest in `mode`, if `mode` matches that token.
fn is_lexical_subset(mode: &NamedRows<'_>, other: &NamedRows<'_>) -> bool {
    let words = |block: &NamedRows<'_>| -> BTreeSet<String> {
        let tokens = block.rows.iter().flat_map(|row| &row.tokens);
        let word = |tokens: &Tokens| match tokens {
            Tokens::Word(word) => Some(word.clone()),
            Tokens::Else => Some("else".to_owned()),
            _ => None,
        };
        tokens.filter_map(word).collect()
    };
    mode.is_lexical() && mode.name != other.name && words(mode).is_subset(&words(other))
}
