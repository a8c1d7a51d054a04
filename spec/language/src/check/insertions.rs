//! Checks machines whose rows insert text into the input: anything that matches several characters at once, or input
//! before or after the current character, would see beyond the inserted text. Look-ahead strings are exempt, because
//! they match within one text only.

use super::CheckContext;
use super::path::Path;
use crate::diagnostic::{BAD_PATTERN, Diagnostic, MISPLACED_CONDITION};
use crate::model::{self, Condition};
use std::collections::BTreeMap;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    if !machine.inserts() {
        return Vec::new();
    }
    let mut diagnostics = BTreeMap::new();
    for id in machine.state_ids() {
        let state = machine.state(id);
        if let model::Subject::Lexemes(_) = state.subject {
            let message =
                format!("mode `{}` matches lexemes, but the machine inserts text", state.name);
            let help = "match characters one by one";
            diagnostics
                .insert(state.span, Diagnostic::new(BAD_PATTERN, state.span, message).help(help));
        }
        let guards = state.rows.iter().filter_map(|row| row.guard.as_ref());
        let paths = (0..state.rows.len()).flat_map(|row| context.paths.of_row(id, row));
        let step_conditions = paths.flat_map(Path::conditions);
        for condition in guards.chain(step_conditions) {
            if condition.value.parts().into_iter().any(depends_on_surrounding_input) {
                let message =
                    "this condition looks beyond the character, but the machine inserts text";
                let diagnostic = Diagnostic::new(MISPLACED_CONDITION, condition.span, message);
                diagnostics.insert(
                    condition.span,
                    diagnostic.help("set a flag when the characters are consumed; test the flag"),
                );
            }
        }
    }
    diagnostics.into_values().collect()
}

fn depends_on_surrounding_input(condition: &Condition) -> bool {
    matches!(
        condition,
        Condition::PrecededBy(_)
            | Condition::PrecededByOne(_)
            | Condition::FollowedBy(_)
            | Condition::LastStartTagAhead(_)
    )
}
