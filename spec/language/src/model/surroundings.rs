//! Analysis of the conditions that depend on input around the current position.

use super::{Action, Condition, Machine, Row, State, Text};

impl Condition {
    /// Returns the conditions inside negations and conjunctions, at any depth; for any other condition, the condition
    /// itself.
    pub fn parts(&self) -> Vec<&Self> {
        if let Self::Not(inner) = self {
            inner.parts()
        } else if let Self::All(parts) = self {
            parts.iter().flat_map(Self::parts).collect()
        } else {
            vec![self]
        }
    }
}

impl Machine {
    /// Returns the maximum number of bytes before the row's match that a condition tests; 0 if none tests any.
    pub fn longest_text_before(&self) -> usize {
        fn bytes_before(condition: &Condition) -> usize {
            let bytes_of_part = |part: &Condition| {
                if let Condition::PrecededBy(text) = part {
                    text.len()
                } else if let Condition::PrecededByOne(_) = part {
                    char::MAX.len_utf8()
                } else {
                    0
                }
            };
            condition.parts().into_iter().map(bytes_of_part).max().unwrap_or(0)
        }
        self.conditions().map(bytes_before).max().unwrap_or(0)
    }

    /// Whether any action or condition depends on the name of the last start tag.
    pub fn uses_last_start_tag(&self) -> bool {
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
        self.states.iter().flat_map(State::actions).any(in_action)
            || self.conditions().any(in_condition)
    }

    /// Returns the guards of all rows of states, and the conditions of their branches.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.states.iter().flat_map(|state| &state.rows).flat_map(Row::conditions)
    }
}
