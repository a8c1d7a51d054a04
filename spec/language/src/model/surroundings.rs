//! What a machine asks of the input around the place where it is. It asks nothing itself. Invariant: conditions are found wherever they are, within others too.

use super::{Action, Condition, Machine, Row, Step, Text};

impl Condition {
    /// The condition and those that it is made of.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Not(inner) => inner.parts(),
            Self::All(parts) => parts.iter().flat_map(Self::parts).collect(),
            Self::AppropriateEndTag
            | Self::TemporaryBufferIs(_)
            | Self::TemporaryBufferIsIgnoringCase(_)
            | Self::TagIs(_)
            | Self::TagNameIs(_)
            | Self::ReturnStateIs(_)
            | Self::NumberIs(_)
            | Self::FlagIs(..)
            | Self::CalledBy(_)
            | Self::ReferenceEndsWith(_)
            | Self::TagNameIn(_)
            | Self::PrecededBy(_)
            | Self::PrecededByOne(_)
            | Self::FollowedBy(_)
            | Self::LastStartTagAhead(_)
            | Self::DataIsReference(_)
            | Self::DataIsAtMost { .. }
            | Self::EntityDeclared(_)
            | Self::EntityInsertable(_) => vec![self],
        }
    }
}

impl Machine {
    /// The length of the longest string or character, in bytes, that a condition looks for before the place where the
    /// machine is.
    pub fn longest_text_before(&self) -> usize {
        fn of_steps(steps: &[Step]) -> usize {
            let of_step = |step: &Step| match step {
                Step::Action(_) => 0,
                Step::When { condition, then, otherwise } => {
                    of_condition(&condition.value).max(of_steps(then)).max(of_steps(otherwise))
                }
            };
            steps.iter().map(of_step).max().unwrap_or(0)
        }
        fn of_condition(condition: &Condition) -> usize {
            let of_part = |part: &Condition| {
                if let Condition::PrecededBy(text) = part {
                    text.len()
                } else if let Condition::PrecededByOne(_) = part {
                    char::MAX.len_utf8()
                } else {
                    0
                }
            };
            condition.parts().into_iter().map(of_part).max().unwrap_or(0)
        }
        let rows = self.states.iter().flat_map(|state| &state.rows);
        let of_row = |row: &Row| {
            row.guard
                .as_ref()
                .map_or(0, |guard| of_condition(&guard.value))
                .max(of_steps(&row.steps))
        };
        rows.map(of_row).max().unwrap_or(0)
    }

    /// Whether anything asks for the name of the last start tag.
    pub fn asks_last_start_tag(&self) -> bool {
        fn in_steps(steps: &[Step]) -> bool {
            steps.iter().any(|step| match step {
                Step::Action(action) => in_action(&action.value),
                Step::When { condition, then, otherwise } => {
                    in_condition(&condition.value) || in_steps(then) || in_steps(otherwise)
                }
            })
        }
        fn in_action(action: &Action) -> bool {
            matches!(
                action,
                Action::EmitText(Text::LastStartTag)
                    | Action::Append(Text::LastStartTag, _)
                    | Action::Return(Text::LastStartTag)
            )
        }
        fn in_condition(condition: &Condition) -> bool {
            condition.parts().into_iter().any(|part| {
                matches!(part, Condition::AppropriateEndTag | Condition::LastStartTagAhead(_))
            })
        }
        let in_row = |row: &Row| {
            row.guard.as_ref().is_some_and(|guard| in_condition(&guard.value))
                || in_steps(&row.steps)
        };
        let around = |actions: &[_]| {
            actions.iter().any(|action: &super::Spanned<Action>| in_action(&action.value))
        };
        self.states.iter().any(|state| {
            state.rows.iter().any(in_row) || around(&state.enter) || around(&state.leave)
        })
    }
}
