//! Compares modes: the effect of tree construction on each token that a row of either side distinguishes, under each
//! combination of answers to the rows' conditions.
//!
//! A document's facts hold a mode as a table does: `mode main-phase @ "3.4" { start => insert-element; … }`. Both sides
//! are gathered (`gather`): names of sets, scopes, conditions and steps are replaced by their definitions. Then, for
//! each mode,
//!
//! - the tokens are divided: each tag name in a row and one for all others, each part of the characters that some class
//!   distinguishes, the other kinds, and one kind that only `else` takes;
//! - for each of them both sides run in parallel. A row's condition is a question (`answers`) only when a run reaches
//!   it, and each answer is tried; a question after a change of the tree is distinct from the one before it. The choice
//!   of the row may depend on answers, too;
//! - the effects of the two runs are normalized (`effect`): errors by themselves (`unnamed` is any code), tree actions
//!   in order, settings in any order, the next mode, and whether the token is reprocessed. `as else` and named steps
//!   are expanded; `using` is an action, since the other mode is compared by itself.
//!
//! The rules of `reset` and `fragment` on elements are a mode whose tokens are elements.

mod algorithms;
mod answers;
mod declared;
mod effect;
mod gather;

pub(super) use algorithms::compare as compare_algorithms;
pub(super) use declared::compare as compare_declared;
pub(super) use gather::{Mode, Row, Trees, gather};

use super::exact::{Exact, Records};
use super::{Comparison, Difference, RowAt};
use answers::{Answers, Names, Question};
use effect::{Effect, Run};
use gather::Tokens;
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::model::CharacterSet;

/// Maximum number of runs for one token; exceeding it is reported as a difference.
const MAX_RUNS: usize = 20_000;

/// Placeholder for each name that no row mentions.
const OTHER_NAME: &str = "token-name";

/// One side: all its modes, and the index of the one compared.
type Side<'s, 't> = (&'s Trees<'t>, usize);

/// The row that takes the token, and its effect.
type Outcome = Option<(usize, Effect)>;

/// Identity of a reported difference: the rows and the effects of both sides.
type Key = (Option<RowAt>, Option<RowAt>, String, String);

/// A token, as far as rows distinguish it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Input {
    /// A tag with the name, or with any name that no row mentions.
    Named(String, Option<String>),
    /// Characters, represented by the first of them; or a text of no class.
    Characters(String, Option<char>, String),
    Kind(String),
    /// A token that no row names.
    Other,
}

impl Input {
    /// Returns the token in the table language.
    fn text(&self) -> String {
        match self {
            Self::Named(kind, Some(name)) => format!("{kind} {name:?}"),
            Self::Named(kind, None) => format!("{kind} of another name"),
            Self::Characters(kind, None, _) => format!("other {kind}"),
            Self::Characters(_, _, text) => text.clone(),
            Self::Kind(kind) => kind.clone(),
            Self::Other => "else".to_owned(),
        }
    }
}

/// Compares the modes if both sides have some. Row indices begin after the states of each side.
pub(super) fn compare(
    (left, left_states): (&Trees<'_>, usize),
    (right, right_states): (&Trees<'_>, usize),
    is_wanted: &dyn Fn(&str) -> bool,
    comparison: &mut Comparison,
) {
    if left.modes.is_empty() || right.modes.is_empty() {
        return;
    }
    let mut flags: BTreeMap<String, Names> = BTreeMap::new();
    for (name, values) in left.flags.iter().chain(&right.flags) {
        flags.entry((*name).to_owned()).or_default().extend(values.iter().cloned());
    }
    let shared = declared::shared(left, right);
    let mut found = Vec::new();
    for (at, mode) in left.modes.iter().enumerate() {
        comparison.rows += mode.rows.len();
        match right.modes.iter().position(|other| other.name == mode.name) {
            Some(_) if !is_wanted(&mode.name) => {}
            Some(other) => {
                comparison.modes += 1;
                let exact = &mut comparison.exact;
                pair((left, at), (right, other), (&flags, &shared), (&mut found, exact));
            }
            None => {
                let mut difference = super::one_sided_state(&mode.name, true, None);
                difference.left_row = (!mode.rows.is_empty()).then_some((at, 0));
                found.push(difference);
            }
        }
    }
    for (at, mode) in right.modes.iter().enumerate() {
        if left.modes.iter().all(|other| other.name != mode.name) {
            let mut difference = super::one_sided_state(&mode.name, false, Some(mode.span));
            difference.notes = mode.rows.iter().flat_map(|row| row.notes.clone()).collect();
            difference.right_row = Some((at, 0));
            found.push(difference);
        }
    }
    inherit(left, &mut found);
    count(left, (right, is_wanted), &found, comparison);
    for difference in &mut found {
        difference.left_row = difference.left_row.map(|(mode, row)| (left_states + mode, row));
        difference.right_row = difference.right_row.map(|(mode, row)| (right_states + mode, row));
    }
    comparison.differences.extend(found);
}

/// Marks a mode that only the left side has as declared if every row leading to it is declared.
fn inherit(left: &Trees<'_>, found: &mut [Difference]) {
    let only: Vec<String> = found
        .iter()
        .filter(|one| one.input.is_empty() && one.right.is_none())
        .map(|one| one.state.clone())
        .collect();
    for name in &only {
        let leads = |row: &Row<'_>| {
            let steps = crate::compare::index::steps_text(row.steps);
            ["switch ", "using ", "reprocess "]
                .iter()
                .any(|verb| steps.contains(&format!("{verb}{name};")))
        };
        let mut notes = Vec::new();
        for (at, mode) in
            left.modes.iter().enumerate().filter(|(_, mode)| !only.contains(&mode.name))
        {
            for (row, _) in mode.rows.iter().enumerate().filter(|(_, row)| leads(row)) {
                let of_row = found
                    .iter()
                    .filter(|one| one.left_row == Some((at, row)) && !one.input.is_empty());
                notes.extend(of_row.map(|one| one.notes.first().cloned()));
            }
        }
        let declared: Option<Vec<_>> = notes.into_iter().collect();
        if let Some(note) = declared.and_then(|notes| notes.into_iter().next()) {
            let whole = found.iter_mut().find(|one| one.state == *name && one.input.is_empty());
            whole.into_iter().for_each(|one| one.notes = vec![note.clone()]);
        }
    }
}

/// Counts equal rows, and collects notes on rows without a difference.
fn count(
    left: &Trees<'_>,
    (right, is_wanted): (&Trees<'_>, &dyn Fn(&str) -> bool),
    found: &[Difference],
    comparison: &mut Comparison,
) {
    for (at, mode) in left.modes.iter().enumerate() {
        let is_whole = found.iter().any(|one| one.state == mode.name && one.input.is_empty());
        let differs = |row: usize| found.iter().any(|one| one.left_row == Some((at, row)));
        let equal = (0..mode.rows.len()).filter(|&row| !is_whole && !differs(row));
        comparison.equal += equal.count();
    }
    for (at, mode) in right.modes.iter().enumerate().filter(|(_, mode)| is_wanted(&mode.name)) {
        let is_whole = found.iter().any(|one| one.state == mode.name && one.input.is_empty());
        for (index, row) in mode.rows.iter().enumerate().filter(|_| !is_whole) {
            if row.notes.is_empty() || found.iter().any(|one| one.right_row == Some((at, index))) {
                continue;
            }
            let reasons: Vec<&str> = row.notes.iter().map(|(_, reason)| &reason[..]).collect();
            comparison.stale.push((mode.name.clone(), row.span, reasons.join(" ")));
        }
    }
}

/// Two modes of the same name.
struct Pair<'s, 't, 'f> {
    left: Side<'s, 't>,
    right: Side<'s, 't>,
    flags: &'f BTreeMap<String, Names>,
    /// Names of sets that both sides declare.
    shared: &'f Names,
    /// Differences by rows and effects, each with its tokens.
    found: BTreeMap<Key, (Difference, BTreeSet<Input>)>,
    records: Records,
    runs: usize,
}

fn pair(
    left: Side<'_, '_>,
    right: Side<'_, '_>,
    (flags, shared): (&BTreeMap<String, Names>, &Names),
    (out, exact): (&mut Vec<Difference>, &mut Vec<Exact>),
) {
    let (found, records) = (BTreeMap::new(), Records::default());
    let mut pair = Pair { left, right, flags, shared, found, records, runs: 0 };
    for input in inputs(mode(left), mode(right)) {
        pair.runs = 0;
        pair.explore(&input, &Answers::default());
    }
    let yours = mode(right);
    exact.extend(pair.records.into_records(&yours.name, |row| {
        let row = row.map(|(_, row)| &yours.rows[row]);
        let notes = row.map(|row| row.notes.clone());
        (row.map_or(yours.span, |row| row.span), notes.unwrap_or_default())
    }));
    let begin = out.len();
    for (mut difference, inputs) in pair.found.into_values() {
        difference.input = stated(&inputs);
        // Only the first of several differences of the same rows is reported.
        let is_told = out[begin..].iter().any(|other| {
            other.left_row == difference.left_row
                && other.right_row == difference.right_row
                && other.input == difference.input
        });
        if !is_told {
            out.push(difference);
        }
    }
}

fn mode<'s, 't>((trees, at): Side<'s, 't>) -> &'s Mode<'t> {
    &trees.modes[at]
}

impl Pair<'_, '_, '_> {
    /// Runs both sides, and repeats the run for each answer to a question that they raise.
    fn explore(&mut self, input: &Input, answers: &Answers) {
        if self.runs >= MAX_RUNS {
            return;
        }
        let runs = self.run(self.left, input, answers).and_then(|left| {
            let right = self.run(self.right, input, answers)?;
            Ok((left, right))
        });
        match runs {
            Err(question) => {
                for held in [true, false] {
                    self.explore(input, &answers.with(&question, held));
                }
            }
            Ok((left, right)) => {
                self.runs += 1;
                let same = match (&left, &right) {
                    (None, None) => true,
                    (Some((_, left)), Some((_, right))) => left.equals(right),
                    _ => false,
                };
                self.record(input, answers, [&left, &right], same);
                if !same || self.runs == MAX_RUNS {
                    self.differ(input, answers, left, right);
                }
            }
        }
    }

    fn record(&mut self, input: &Input, answers: &Answers, outcomes: [&Outcome; 2], same: bool) {
        let does = outcomes.map(|outcome| {
            let (_, effect) = outcome.as_ref()?;
            Some(if same { effect.details() } else { effect.accepted_text() })
        });
        if same && does[0] == does[1] {
            return;
        }
        let [left, right] = outcomes.map(|outcome| outcome.as_ref().map(|(row, _)| *row));
        let rows = [left.map(|row| (self.left.1, row)), right.map(|row| (self.right.1, row))];
        self.records.cells(same, rows, does).word(&answers.text(), input.text());
    }

    fn run(
        &self,
        side: Side<'_, '_>,
        input: &Input,
        answers: &Answers,
    ) -> Result<Outcome, Question> {
        let name = match input {
            Input::Named(_, Some(name)) => name,
            _ => OTHER_NAME,
        };
        let run = || Run::new((side.0, mode(side)), (self.flags, self.shared), name, answers);
        for takes in [names, takes_kind, takes_all] as [fn(&Tokens, &Input) -> bool; 3] {
            for (index, row) in mode(side).rows.iter().enumerate() {
                if !row.tokens.iter().any(|tokens| takes(tokens, input)) {
                    continue;
                }
                let counts = row.guard.map_or(Ok(true), |guard| run().holds(guard))?;
                if counts {
                    return Ok(Some((index, run().take(row)?)));
                }
            }
        }
        Ok(None)
    }

    fn differ(&mut self, input: &Input, answers: &Answers, left: Outcome, right: Outcome) {
        let text = |outcome: &Outcome| outcome.as_ref().map(|(_, effect)| effect.text());
        let row = |outcome: &Outcome, at: usize| outcome.as_ref().map(|(row, _)| (at, *row));
        let yours: Option<&Row<'_>> = right.as_ref().map(|(row, _)| &mode(self.right).rows[*row]);
        let difference = Difference {
            state: mode(self.right).name.clone(),
            input: String::new(),
            condition: answers.text(),
            left: text(&left),
            right: text(&right),
            left_row: row(&left, self.left.1),
            right_row: row(&right, self.right.1),
            left_place: None,
            span: Some(yours.map_or(mode(self.right).span, |row| row.span)),
            notes: yours.map(|row| row.notes.clone()).unwrap_or_default(),
        };
        let stated = |text: &Option<String>| text.clone().unwrap_or_default();
        let key = (
            difference.left_row,
            difference.right_row,
            stated(&difference.left),
            stated(&difference.right),
        );
        self.found.entry(key).or_insert((difference, BTreeSet::new())).1.insert(input.clone());
    }
}

/// Whether the pattern names the token.
fn names(tokens: &Tokens, input: &Input) -> bool {
    match (tokens, input) {
        (Tokens::Named(kind, Some(names)), Input::Named(other, Some(name))) => {
            kind == other && names.contains(name)
        }
        (Tokens::Characters(kind, Some(set)), Input::Characters(other, Some(first), _)) => {
            kind == other && set.contains(*first)
        }
        _ => false,
    }
}

/// Whether the pattern matches every token of this kind.
fn takes_kind(tokens: &Tokens, input: &Input) -> bool {
    match (tokens, input) {
        (Tokens::Named(kind, None), Input::Named(other, _))
        | (Tokens::Characters(kind, None), Input::Characters(other, ..))
        | (Tokens::Kind(kind), Input::Kind(other)) => kind == other,
        _ => false,
    }
}

fn takes_all(tokens: &Tokens, _: &Input) -> bool {
    *tokens == Tokens::Else
}

/// Returns the tokens that a row of either mode distinguishes.
fn inputs(one: &Mode<'_>, other: &Mode<'_>) -> BTreeSet<Input> {
    let mut inputs = BTreeSet::from([Input::Other]);
    let mut sets: BTreeMap<&String, Vec<&CharacterSet>> = BTreeMap::new();
    for tokens in one.rows.iter().chain(&other.rows).flat_map(|row| &row.tokens) {
        match tokens {
            Tokens::Else => {}
            Tokens::Kind(kind) => {
                inputs.insert(Input::Kind(kind.clone()));
            }
            Tokens::Named(kind, names) => {
                inputs.insert(Input::Named(kind.clone(), None));
                let named = names.iter().flatten();
                inputs.extend(named.map(|name| Input::Named(kind.clone(), Some(name.clone()))));
            }
            Tokens::Characters(kind, set) => {
                inputs.insert(Input::Characters(kind.clone(), None, kind.clone()));
                sets.entry(kind).or_default().extend(set);
            }
        }
    }
    for (kind, sets) in sets {
        for (first, text) in parts(&sets) {
            inputs.insert(Input::Characters(kind.clone(), Some(first), format!("{kind} {text}")));
        }
    }
    inputs
}

/// Partitions the characters of the sets by membership, each part with its first character.
fn parts(sets: &[&CharacterSet]) -> Vec<(char, String)> {
    let mut parts: BTreeMap<Vec<bool>, CharacterSet> = BTreeMap::new();
    let mut starts: BTreeSet<u32> = BTreeSet::new();
    for &(first, last) in sets.iter().flat_map(|set| set.ranges()) {
        starts.extend([first as u32, last as u32 + 1]);
    }
    let starts: Vec<u32> = starts.into_iter().collect();
    for (&start, &end) in starts.iter().zip(starts.iter().skip(1)) {
        if let (Some(first), Some(last)) = (char::from_u32(start), char::from_u32(end - 1)) {
            let within: Vec<bool> = sets.iter().map(|set| set.contains(first)).collect();
            if within.contains(&true) {
                parts.entry(within).or_default().insert(first, last);
            }
        }
    }
    let first = |set: &CharacterSet| set.ranges().first().map(|&(first, _)| first);
    let text = super::cells::set_text;
    parts.values().filter_map(|set| Some((first(set)?, text(set)))).collect()
}

/// Returns tokens in the table language.
fn stated(inputs: &BTreeSet<Input>) -> String {
    inputs.iter().map(Input::text).collect::<Vec<_>>().join(" | ")
}
