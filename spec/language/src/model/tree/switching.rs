//! The start tags after which rows of modes give the tokenizer a word: what is known of tree construction without a tree.
//! It asks for no open element. Invariant: what it finds stands in a row, and a tag is found once for each flag value.

use super::{
    Construction, FeedbackId, ModeRow, TagNames, TokenPattern, TreeAction, TreeCondition,
    TreeFlagId, TreeStep,
};

/// A start tag after which the tokenizer is given a word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SwitchingTag {
    /// The tag name.
    pub name: String,
    /// The value of a flag of tree construction without which it is not so.
    pub flag: Option<(TreeFlagId, u8)>,
    /// The word.
    pub word: FeedbackId,
}

impl Construction {
    /// All such tags, sorted by name. Where rows of several modes name a tag, the first one counts.
    pub fn switching_tags(&self) -> Vec<SwitchingTag> {
        let mut found: Vec<SwitchingTag> = Vec::new();
        for row in self.modes.iter().flat_map(|mode| &mode.rows) {
            let Some(word) = self.word_of(&row.steps) else { continue };
            let flag = asked_flag(row);
            for name in row.patterns.iter().flat_map(|pattern| start_tags(&pattern.value)) {
                let is_same = |other: &SwitchingTag| other.name == *name && other.flag == flag;
                if !found.iter().any(is_same) {
                    found.push(SwitchingTag { name: name.clone(), flag, word });
                }
            }
        }
        found.sort();
        found
    }

    /// The first word that the steps, or those that they take by name, give the tokenizer.
    fn word_of(&self, steps: &[TreeStep]) -> Option<FeedbackId> {
        TreeStep::actions(steps).into_iter().find_map(|action| {
            if let TreeAction::Tokenizer(word) = action {
                Some(*word)
            } else if let TreeAction::Take(named) = action {
                // Steps that take themselves are a mistake of the table.
                self.word_of(&self.steps[usize::from(named.0)].steps)
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

/// The flag that the row's guard asks for, if it asks for nothing else.
fn asked_flag(row: &ModeRow) -> Option<(TreeFlagId, u8)> {
    if let TreeCondition::FlagIs(flag, value) = row.guard.as_ref()?.value {
        Some((flag, value))
    } else {
        None
    }
}
