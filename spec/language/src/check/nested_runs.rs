//! Reports runs over a field that lead to themselves, and conditions on lexemes that conditions cannot test.
//! Each row counts as possible.

use super::CheckContext;
use crate::diagnostic::{BAD_PATTERN, Diagnostic, MISPLACED_STEP, RECONSUME_CYCLE};
use crate::model::{Action, Condition, Edit, Machine, Spanned, StateId};
use std::collections::BTreeSet;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let mut diagnostics = check_lexemes(machine);
    for from in machine.state_ids() {
        for action in machine.state(from).spanned_actions() {
            if let Action::Edit(_, Edit::Run(state)) = action.value {
                diagnostics.extend(check_run(machine, from, state, action));
            }
        }
    }
    diagnostics
}

/// Returns this state and the states that a run from it can reach, including those of called procedures and of nested
/// runs.
fn reachable_states(machine: &Machine, from: StateId) -> BTreeSet<StateId> {
    let (mut open, mut found) = (vec![from], BTreeSet::from([from]));
    while let Some(state) = open.pop() {
        let targets = machine.state(state).actions().filter_map(|action| action.effects().state);
        let targets = targets.chain(machine.called_start(state));
        open.extend(targets.filter(|&to| found.insert(to)));
    }
    found
}

fn check_run(
    machine: &Machine,
    from: StateId,
    to: StateId,
    action: &Spanned<Action>,
) -> Option<Diagnostic> {
    let name = &machine.state(to).name;
    if !machine.entries.contains(&to) {
        let message = format!("a run cannot start in state `{name}`, which is not in `entry`");
        let help = format!("name the state in `entry`, as in `entry {name};`");
        return Some(Diagnostic::new(MISPLACED_STEP, action.span, message).help(help));
    }
    reachable_states(machine, to).contains(&from).then(|| {
        let message = format!("the run from state `{name}` can reach this row again");
        Diagnostic::new(RECONSUME_CYCLE, action.span, message)
            .help("start the run in a state from which this row cannot be reached")
    })
}

/// Reports lexemes that conditions test but cannot match, such as those with look-ahead.
fn check_lexemes(machine: &Machine) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut reported = BTreeSet::new();
    for part in machine.conditions().flat_map(Condition::parts) {
        let (Condition::Matches(_, id) | Condition::Ahead(id)) = part else { continue };
        let lexeme = machine.lexeme(*id);
        let is_ahead = matches!(part, Condition::Ahead(_));
        let replaces_characters = machine.newlines_normalized || machine.nulls_replaced;
        let (message, help) = match (lexeme.ahead.is_some(), is_ahead) {
            (true, _) => (
                "a condition cannot test a lexeme with look-ahead",
                "declare a lexeme without look-ahead for the condition",
            ),
            (_, true) if replaces_characters => (
                "`ahead` reads the input before characters are replaced, and this table replaces some",
                "remove the condition, or the declaration that replaces characters",
            ),
            (_, true) if lexeme.expression.can_be_empty() => (
                "a lexeme that may be empty is always ahead",
                "declare a lexeme that matches at least one character",
            ),
            _ => continue,
        };
        if reported.insert((lexeme.name.clone(), message)) {
            diagnostics.push(Diagnostic::new(BAD_PATTERN, lexeme.span, message).help(help));
        }
    }
    diagnostics
}
