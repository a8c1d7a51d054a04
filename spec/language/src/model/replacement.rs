//! Replacement text, which rows insert into the input: entity lists and limits.

use super::{Action, Machine, Spanned, State, Step};
pub use crate::vocabulary::{EntityList, Limit};

/// Limits of replacement text: the text that rows insert into the input, plus the text that declared attributes add to
/// tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplacementLimits {
    /// Maximum nesting depth of inserted texts.
    pub nesting: u32,
    /// Maximum length of replacement text, in bytes, before any input is consumed.
    pub bytes: u32,
    /// Number of bytes by which the maximum length grows for each byte of input consumed.
    pub bytes_per_input_byte: u32,
}

impl Default for ReplacementLimits {
    fn default() -> Self {
        Self { nesting: 16, bytes: 0x10_0000, bytes_per_input_byte: 16 }
    }
}

impl Machine {
    /// Whether any action inserts replacement text, or declares an entity or an attribute.
    pub fn inserts(&self) -> bool {
        self.states.iter().flat_map(State::actions).any(|action| {
            matches!(
                action,
                Action::Insert(..) | Action::AppendDeclaration | Action::AppendEntity(_)
            )
        })
    }
}

impl State {
    /// Returns all actions of the state's `enter` and `leave` steps and of its rows, with their spans.
    pub(crate) fn spanned_actions(&self) -> impl Iterator<Item = &Spanned<Action>> {
        let row_actions = self.rows.iter().flat_map(|row| Step::spanned_actions(&row.steps));
        self.enter.iter().chain(&self.leave).chain(row_actions)
    }

    /// Returns all actions of the state's `enter` and `leave` steps and of its rows.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.spanned_actions().map(|action| &action.value)
    }
}
