//! Start tags after which rows of modes send a command to the tokenizer, for tokenizers that run without tree
//! construction. Conditions on open elements are ignored.

use super::{
    Construction, FeedbackId, ModeRow, TagNames, TokenPattern, TreeAction, TreeCondition,
    TreeFlagId, TreeStep,
};

/// A start tag after which the tokenizer receives a command.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SwitchingTag {
    /// Tag name.
    pub name: String,
    /// Flag of tree construction, and the index of the value that it must have for the command; `None` if no flag
    /// matters.
    pub flag: Option<(TreeFlagId, u8)>,
    /// Command to the tokenizer.
    pub word: FeedbackId,
}

impl Construction {
    /// Returns the start tags after which the tokenizer receives a command, sorted by name. A tag has one entry for
    /// each flag value that a row tests, and one for rows that test none. If several rows with the same test name a
    /// tag, the first of them counts.
    pub fn switching_tags(&self) -> Vec<SwitchingTag> {
        let mut tags: Vec<SwitchingTag> = Vec::new();
        for row in self.rows() {
            let Some(word) = self.first_command(&row.steps) else { continue };
            let flag = tested_flag(row);
            for name in row.patterns.iter().flat_map(|pattern| start_tags(&pattern.value)) {
                let is_same = |other: &SwitchingTag| other.name == *name && other.flag == flag;
                if !tags.iter().any(is_same) {
                    tags.push(SwitchingTag { name: name.clone(), flag, word });
                }
            }
        }
        tags.sort();
        tags
    }

    /// Returns the first command to the tokenizer among the steps and the steps that they run by name; `None` if there
    /// is none.
    fn first_command(&self, steps: &[TreeStep]) -> Option<FeedbackId> {
        TreeStep::actions(steps).into_iter().find_map(|action| {
            if let TreeAction::Tokenizer(word) = action {
                Some(*word)
            } else if let TreeAction::RunSteps(named) = action {
                // Steps that run themselves are rejected by the checks, so this terminates.
                self.first_command(&self.named_steps(*named).steps)
            } else {
                None
            }
        })
    }
}

fn start_tags(pattern: &TokenPattern) -> &[String] {
    if let TokenPattern::StartTag(TagNames::These(names))
    | TokenPattern::EmptyTag(TagNames::These(names)) = pattern
    {
        names
    } else {
        &[]
    }
}

/// Returns the flag and value that the row's guard tests, if it tests nothing else.
fn tested_flag(row: &ModeRow) -> Option<(TreeFlagId, u8)> {
    if let TreeCondition::FlagIs(flag, value) = row.guard.as_ref()?.value {
        Some((flag, value))
    } else {
        None
    }
}
