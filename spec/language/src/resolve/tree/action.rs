//! Words to the actions of tree construction that need more than the tokens at hand: scopes, pointers, lists. It judges
//! nothing. Invariant: as for the rest of `resolve`.

use super::super::Resolver;
use crate::model::tree::{
    AdoptionAgency, DocumentMode, Except, FeedbackEffect, InsertedNamespace, Insertion, Patching,
    StackPlace, StepsId, TreeAction,
};
use crate::syntax::{Argument, Placed, Words};

/// The modes of a document.
pub(super) const DOCUMENT_MODES: &[(&str, DocumentMode)] = &[
    ("no-quirks", DocumentMode::NoQuirks),
    ("limited-quirks", DocumentMode::LimitedQuirks),
    ("quirks", DocumentMode::Quirks),
];

impl Resolver {
    /// The action that the words mean, if it is one of these.
    pub(super) fn construction_action(
        &mut self,
        names: &[&str],
        words: &Words,
    ) -> Option<TreeAction> {
        let at = |index: usize| words.arguments[index].place;
        if let Some(action) = plain(names) {
            return Some(action);
        }
        Some(match names {
            ["push-template-mode", mode] => TreeAction::PushTemplateMode(self.mode_id(mode, at(1))),
            ["process-pending", mode] => TreeAction::ProcessPending(self.mode_id(mode, at(1))),
            ["insert-element", _] => TreeAction::InsertNamed(text(words, 1)?),
            ["rename", _] => TreeAction::Rename(text(words, 1)?),
            ["insert-foreign-element", namespace] => {
                let namespaces = [
                    ("svg", InsertedNamespace::Svg),
                    ("math", InsertedNamespace::Math),
                    ("adjusted-current", InsertedNamespace::AdjustedCurrent),
                ];
                let what = "a namespace of inserted elements";
                TreeAction::InsertForeign(self.word_of(&namespaces, namespace, at(1), what)?)
            }
            ["insert-character", _] => match &words.arguments[1].value {
                Argument::Character(character) => TreeAction::InsertCharacter(Some(*character)),
                _ => return None,
            },
            ["adjust-tag-name", table] => {
                TreeAction::AdjustTagName(self.adjustments_id(table, at(1))?)
            }
            ["adjust-attributes", table] => {
                TreeAction::AdjustAttributes(self.adjustments_id(table, at(1))?)
            }
            ["tokenizer", word] => TreeAction::Tokenizer(self.feedback_id(word, at(1))),
            ["set", "document-mode", mode] => {
                let what = "a mode of a document";
                TreeAction::SetDocumentMode(self.word_of(DOCUMENT_MODES, mode, at(2), what)?)
            }
            ["set", _, value] => {
                let (flag, value) = self.tree_flag_value(words, 1, value)?;
                TreeAction::SetFlag(flag, value)
            }
            _ => {
                let stack = self.stack_action(names, words);
                return stack.or_else(|| self.pointer_action(names, words));
            }
        })
    }

    fn stack_action(&mut self, names: &[&str], words: &Words) -> Option<TreeAction> {
        let at = |index: usize| words.arguments[index].place;
        Some(match names {
            ["pop-until", ..] => TreeAction::PopUntil(self.named(words, 1)?),
            ["generate-end-tags", _] => {
                TreeAction::GenerateEndTags(self.named(words, 1)?, Except::Nothing)
            }
            ["generate-end-tags", _, "except", "token-name"] => {
                TreeAction::GenerateEndTags(self.named_one(words, 1)?, Except::TokenName)
            }
            ["generate-end-tags", _, "except", ..] => {
                let names = self.named_one(words, 1)?;
                TreeAction::GenerateEndTags(names, Except::Names(self.named(words, 3)?))
            }
            ["clear-back-to", ..] => TreeAction::ClearBackTo(self.named(words, 1)?),
            ["leave-foreign-content", ..] => TreeAction::LeaveForeignContent(self.named(words, 1)?),
            ["finish-patching", ..] => TreeAction::FinishPatching(self.named(words, 1)?),
            ["attach-shadow-root", _, _, _] => TreeAction::AttachShadowRoot {
                mode: text(words, 1)?,
                hosts: self.named_one(words, 2)?,
                reserved: self.named_one(words, 3)?,
            },
            ["adoption-agency", scope, _, code, steps] => {
                TreeAction::AdoptionAgency(AdoptionAgency {
                    scope: self.scope_id(scope, at(1))?,
                    special: self.named_one(words, 2)?,
                    error: self.error_id(code, at(3)),
                    otherwise: self.steps_id(steps)?,
                })
            }
            ["patch-content", _, _, _, _, _, _] => TreeAction::PatchContent(Patching {
                attribute: text(words, 1)?,
                name: text(words, 2)?,
                marker: text(words, 3)?,
                start: text(words, 4)?,
                end: text(words, 5)?,
                body: text(words, 6)?,
            }),
            _ => return None,
        })
    }

    fn pointer_action(&mut self, names: &[&str], words: &Words) -> Option<TreeAction> {
        let place = words.arguments.get(1)?.place;
        Some(match names {
            ["point", pointer] => TreeAction::Point(self.pointer_id(pointer, place)?),
            ["point", pointer, "to-context"] => {
                TreeAction::PointToContext(self.pointer_id(pointer, place)?)
            }
            ["point", pointer, "to-formatting", ..] => {
                let pointer = self.pointer_id(pointer, place)?;
                TreeAction::PointToFormatting(pointer, self.named(words, 3)?)
            }
            ["unset", pointer] => TreeAction::Unset(self.pointer_id(pointer, place)?),
            ["push-pointed", pointer] => TreeAction::PushPointed(self.pointer_id(pointer, place)?),
            ["remove-pointed", pointer] => {
                TreeAction::RemovePointed(self.pointer_id(pointer, place)?)
            }
            _ => return None,
        })
    }

    fn steps_id(&self, name: &str) -> Option<StepsId> {
        let index = self.tree.steps.iter().position(|(other, _)| other == name)?;
        Some(StepsId(index as u8))
    }

    /// What the machine does for a word of modes.
    pub(super) fn feedback_effect(&mut self, action: &Words) -> Option<FeedbackEffect> {
        use crate::model::{Action, StateId};
        let actions = self.action(action);
        let effect = match actions.first().map(|action: &Placed<Action>| &action.value) {
            Some(Action::Switch(state)) => {
                let state: StateId = *state;
                Some(FeedbackEffect::Switch(state))
            }
            Some(Action::SetFlag(flag, value)) => Some(FeedbackEffect::SetFlag(*flag, *value)),
            _ => None,
        };
        if effect.is_none() && !actions.is_empty() {
            let message = "a word of modes can switch the machine, or set a flag";
            self.report(
                crate::diagnostic::Diagnostic::new(
                    crate::diagnostic::BAD_PATTERN,
                    action.place,
                    message,
                )
                .help("write `switch STATE`, or `set FLAG VALUE`"),
            );
        }
        effect
    }
}

fn text(words: &Words, index: usize) -> Option<String> {
    match &words.arguments.get(index)?.value {
        Argument::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// The action of these words, if it has nothing but words.
fn plain(names: &[&str]) -> Option<TreeAction> {
    Some(match names {
        ["switch", "original-mode"] => TreeAction::SwitchOriginal,
        ["switch", "template-mode"] => TreeAction::SwitchTemplateMode,
        ["set-original-mode"] => TreeAction::SetOriginalMode,
        ["using", "insertion-mode"] => TreeAction::UsingInsertionMode,
        ["pop-template-mode"] => TreeAction::PopTemplateMode,
        ["reset-insertion-mode"] => TreeAction::ResetInsertionMode,
        ["insert-character"] => TreeAction::InsertCharacter(None),
        ["insert-comment"] => TreeAction::InsertComment(Insertion::Appropriate),
        ["insert-comment", "to", "document"] => TreeAction::InsertComment(Insertion::Document),
        ["insert-comment", "to", "root"] => TreeAction::InsertComment(Insertion::Root),
        ["insert-processing-instruction"] => {
            TreeAction::InsertProcessingInstruction(Insertion::Appropriate)
        }
        ["insert-processing-instruction", "to", "document"] => {
            TreeAction::InsertProcessingInstruction(Insertion::Document)
        }
        ["insert-processing-instruction", "to", "root"] => {
            TreeAction::InsertProcessingInstruction(Insertion::Root)
        }
        ["acknowledge-self-closing"] => TreeAction::AcknowledgeSelfClosing,
        ["pop-until-foreign-token-name"] => TreeAction::PopUntilForeignTokenName,
        ["detach-second"] => TreeAction::DetachSecond,
        ["merge-attributes", "root"] => TreeAction::MergeAttributes(StackPlace::Root),
        ["merge-attributes", "second"] => TreeAction::MergeAttributes(StackPlace::Second),
        ["enable", "foster-parenting"] => TreeAction::FosterParenting(true),
        ["disable", "foster-parenting"] => TreeAction::FosterParenting(false),
        ["reconstruct-formatting"] => TreeAction::ReconstructFormatting,
        ["push-formatting"] => TreeAction::PushFormatting,
        ["insert-marker"] => TreeAction::InsertMarker,
        ["clear-formatting"] => TreeAction::ClearFormatting,
        ["ignore-next-line-feed"] => TreeAction::IgnoreNextLineFeed,
        ["clear-pending"] => TreeAction::ClearPending,
        ["append-to-pending"] => TreeAction::AppendToPending,
        ["insert-pending"] => TreeAction::InsertPending,
        ["mark-end-tag"] => TreeAction::MarkEndTag,
        _ => return None,
    })
}
