//! Builds states that look ahead or call a procedure. All other states are built in `states`.

use super::DocumentState;
use super::statement::{EXCESSIVE, RowCondition, RowStep, Statement, assume, character, string};
use super::states::{Draft, Row, State, fold, heading, remove_step};

/// Builds the states of a draft that has a special form; returns `None` if it has none.
pub(super) fn state(draft: &Draft) -> Option<Vec<State>> {
    if draft.prefix.iter().any(|sentence| matches!(sentence.statement, Statement::Call(..))) {
        return Some(vec![calling_state(draft)]);
    }
    let steps = fold(&draft.prefix);
    (draft.rows.is_empty() && looks_ahead(&steps)).then(|| {
        let row = Row::new(["else", "EOF"], steps, draft.line, &draft.prefix);
        vec![comparing_state(heading(draft), row)]
    })
}

/// Whether steps begin with a condition on the input ahead.
fn looks_ahead(steps: &[RowStep]) -> bool {
    let is_ahead = |ask: &RowCondition| matches!(ask, RowCondition::Ahead { .. });
    matches!(steps, [RowStep::When(asks, ..), ..] if asks.iter().any(is_ahead))
}

/// Builds a state that calls a procedure. Steps that depend on neither result are run for both.
fn calling_state(draft: &Draft) -> State {
    let mut state = State { description: heading(draft), ..State::default() };
    for sentence in &draft.prefix {
        if let Statement::Call(procedure, step) = &sentence.statement {
            state.description.subject = Some(procedure.clone());
            state.caller_steps.extend(step.clone().map(RowStep::Act));
        }
    }
    let steps = fold(&draft.prefix);
    for (pattern, is_nothing) in [("nothing", true), ("returned", false)] {
        let steps = assume(&steps, &RowCondition::Nothing, is_nothing);
        state.returns_to_caller |= steps.contains(&RowStep::act("switch return-state"));
        state.rows.push(Row::new([pattern], steps, draft.line, &draft.prefix));
    }
    state
}

/// Builds a state that compares the input ahead with the strings that a row's steps test.
fn comparing_state(description: DocumentState, row: Row) -> State {
    let mut rows = split_ahead(row, false);
    if let Some(last) = rows.last_mut().filter(|row| !row.steps.contains(&RowStep::Reconsume)) {
        // The last row, for input that no string matches, consumes nothing.
        last.steps.push(RowStep::Reconsume);
    }
    State { description, rows, ..State::default() }
}

/// Returns the pattern of a text: a character, or a string.
fn pattern(text: &str) -> String {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(one), None) => character(one),
        _ => string(text),
    }
}

/// Splits a row whose steps test whether strings begin at the current character or, unless `from_current_character`,
/// after it: into a row for each string, and one for all other inputs that the row matches. From the current character,
/// removes each [`RowStep::Consume`], except in front of a look-ahead.
pub(super) fn split_ahead(row: Row, from_current_character: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut remaining = row.steps.clone();
    while let [RowStep::When(asks, then, otherwise), rest @ ..] = &remaining[..] {
        let Some(RowCondition::Ahead { text, ignoring_case, from_current }) =
            asks.iter().find(|ask| matches!(ask, RowCondition::Ahead { .. }))
        else {
            break;
        };
        if *from_current != from_current_character {
            break;
        }
        let mut steps = [then, rest].concat();
        // The row of a text consumes all of it.
        if !remove_step(&mut steps, &RowStep::Consume) && !steps.contains(&RowStep::Reconsume) {
            steps.extend(match from_current_character {
                true => text.chars().skip(1).map(|_| RowStep::act(EXCESSIVE)).collect(),
                false => vec![RowStep::Reconsume],
            });
        }
        let case = if *ignoring_case { " ignoring-case" } else { "" };
        let is_guard = |ask: &&RowCondition| !matches!(ask, RowCondition::Ahead { .. });
        rows.push(Row {
            patterns: vec![pattern(text) + case],
            guard: asks.iter().filter(is_guard).cloned().collect(),
            steps,
            ..row.clone()
        });
        remaining = [otherwise, rest].concat();
    }
    if from_current_character && !looks_ahead(&remaining) {
        // The row's pattern consumes the current character.
        remove_step(&mut remaining, &RowStep::Consume);
    }
    rows.push(Row { steps: remaining, ..row });
    rows
}

/// Moves the look-ahead that follows a consumed character into an additional state for each such row.
pub(super) fn split_look_ahead(mut state: State) -> Vec<State> {
    let mut after_states: Vec<State> = Vec::new();
    for row in &mut state.rows {
        if !looks_ahead(&row.steps) {
            continue;
        }
        let DocumentState { name, section, line, .. } = state.description.clone();
        let number = after_states.len() + 1;
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let name = format!("{name}-after-character{suffix}");
        let switch = RowStep::act(format!("switch {name}"));
        let steps = std::mem::replace(&mut row.steps, vec![switch]);
        let hashes = row.hashes.clone();
        let row = Row { hashes, ..Row::new(["else", "EOF"], steps, row.line, &[]) };
        let description = DocumentState { name, section, line, ..DocumentState::default() };
        after_states.push(comparing_state(description, row));
    }
    after_states.insert(0, state);
    after_states
}
