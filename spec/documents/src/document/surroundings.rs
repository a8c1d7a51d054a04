//! Completes the states with what depends on the whole document: steps of callers, the current token, the emitting
//! operation, the end of the input. Afterwards every step is one of the table language.

use super::Reading;
use super::statement::{RowCondition, RowStep};
use super::states::{Row, State};
use std::collections::BTreeMap;

/// Placeholder action for the steps at the end of the input.
pub(super) const AT_END: &str = "at-end";

/// Completes all states, after which no state depends on another.
pub(super) fn finish(states: &mut [State], reading: &mut Reading) {
    insert_caller_steps(states);
    expand_emission(states);
    for state in states.iter_mut() {
        add_end_of_input(state, reading.at_end.as_deref());
    }
    resolve_current_token(states, reading.start.as_deref());
    for row in states.iter_mut().flat_map(|state| &mut state.rows) {
        if row.steps.is_empty() {
            row.steps.push(RowStep::act("ignore"));
        }
    }
}

/// Replaces every step that is not a `When`, also in branches, by the result of `change`.
fn replace_steps(steps: &mut Vec<RowStep>, change: &mut dyn FnMut(RowStep) -> Vec<RowStep>) {
    let mut new_steps = Vec::new();
    for step in steps.drain(..) {
        match step {
            RowStep::When(asks, mut then, mut otherwise) => {
                replace_steps(&mut then, change);
                replace_steps(&mut otherwise, change);
                new_steps.push(RowStep::When(asks, then, otherwise));
            }
            other => new_steps.extend(change(other)),
        }
    }
    *steps = new_steps;
}

fn replace_row_steps(states: &mut [State], change: &mut dyn FnMut(&str, RowStep) -> Vec<RowStep>) {
    for state in states {
        let name = state.description.name.clone();
        for row in &mut state.rows {
            replace_steps(&mut row.steps, &mut |step| change(&name, step));
        }
    }
}

/// Returns the state to which a step switches, or `None` if it does not switch to a named state.
fn target(step: &RowStep) -> Option<&str> {
    match step {
        RowStep::Act(action) => {
            action.strip_prefix("switch ").filter(|name| *name != "return-state")
        }
        _ => None,
    }
}

/// Inserts the steps that a state requires of its callers before each switch to the state.
fn insert_caller_steps(states: &mut [State]) {
    let required: BTreeMap<String, (Vec<RowStep>, bool)> = states
        .iter()
        .map(|state| {
            (state.description.name.clone(), (state.caller_steps.clone(), state.returns_to_caller))
        })
        .collect();
    replace_row_steps(states, &mut |name, step| {
        let mut steps = Vec::new();
        if let Some((required, returns_to_caller)) =
            target(&step).and_then(|target| required.get(target))
        {
            steps.extend(required.iter().cloned());
            if *returns_to_caller {
                steps.push(RowStep::act(format!("set return-state {name}")));
            }
        }
        steps.push(step);
        steps
    });
}

/// Replaces each `Setup` by actions, and each use of the emitting operation by a condition on the return state.
fn expand_emission(states: &mut [State]) {
    let mut emission_conditions = Vec::new();
    replace_row_steps(states, &mut |_, step| {
        let RowStep::Setup { state, back, emits: is_emitted, additional } = step else {
            return vec![step];
        };
        if is_emitted {
            emission_conditions.push(format!("return-state is {back}"));
        }
        let additional_action = additional
            .map_or("unset additional-allowed-character".to_owned(), |one| {
                format!("set additional-allowed-character {}", super::statement::character(one))
            });
        vec![
            RowStep::act(format!("switch {state}")),
            RowStep::act(format!("set return-state {back}")),
            RowStep::act(additional_action),
        ]
    });
    emission_conditions.sort();
    emission_conditions.dedup();
    replace_row_steps(states, &mut |_, step| match step {
        RowStep::Operation(text) => vec![RowStep::When(
            vec![RowCondition::Any(emission_conditions.clone())],
            vec![RowStep::act(format!("emit {text}"))],
            vec![RowStep::act(format!("append {text} to attribute-value"))],
        )],
        other => vec![other],
    });
}

/// Replaces the placeholder for the end of the input, and adds a row for the end to a state that lacks one.
fn add_end_of_input(state: &mut State, at_end: Option<&[RowStep]>) {
    for row in &mut state.rows {
        replace_steps(&mut row.steps, &mut |step| match step {
            RowStep::Act(action) if action == AT_END => at_end.unwrap_or_default().to_vec(),
            other => vec![other],
        });
    }
    if !state.lacks_end {
        return;
    }
    if let Some(steps) = at_end {
        return state.rows.push(Row::new(["EOF"], steps.to_vec(), state.description.line, &[]));
    }
    for row in
        state.rows.iter_mut().filter(|row| row.patterns.iter().any(|pattern| pattern == "else"))
    {
        row.patterns.push("EOF".to_owned());
    }
}

/// Replaces `emit token` by the emission of the token that was last created on the first path found to the state.
fn resolve_current_token(states: &mut [State], start: Option<&str>) {
    let mut last_tokens: BTreeMap<String, String> = BTreeMap::new();
    let mut open: Vec<String> = start.map(str::to_owned).into_iter().collect();
    let start_state = start.unwrap_or_default().to_owned();
    last_tokens.insert(start_state, "tag".to_owned());
    while let Some(name) = open.pop() {
        let Some(state) = states.iter().find(|state| state.description.name == name) else {
            continue;
        };
        let entry_token = last_tokens.get(&name).cloned().unwrap_or_default();
        for row in &state.rows {
            let mut token = entry_token.clone();
            for step in RowStep::all(&row.steps) {
                if let RowStep::Act(action) = step
                    && let Some(kind) = action.strip_prefix("create ")
                    && kind != "entity"
                {
                    token = if kind.ends_with("-tag") { "tag".to_owned() } else { kind.to_owned() };
                }
            }
            for target in RowStep::all(&row.steps).into_iter().filter_map(target) {
                if !last_tokens.contains_key(target) {
                    last_tokens.insert(target.to_owned(), token.clone());
                    open.push(target.to_owned());
                }
            }
        }
    }
    replace_row_steps(states, &mut |name, step| match step {
        RowStep::Act(action) if action == "emit token" => {
            vec![RowStep::act(format!(
                "emit {}",
                last_tokens.get(name).map_or("tag", |token| &token[..])
            ))]
        }
        other => vec![other],
    });
}
