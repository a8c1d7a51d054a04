//! Words to conditions of tree construction: those of the vocabulary, those that the table defines, and several joined.
//! It asks none of them. Invariant: as for the rest of `resolve`.

use super::super::Resolver;
use super::action::DOCUMENT_MODES;
use crate::diagnostic::UNKNOWN_CONDITION;
use crate::model::tree::{Namespace, Target, TreeCondition};
use crate::syntax::{Argument, Conditions, Placed, Words};
use crate::vocabulary::tree::TREE_CONDITIONS;

impl Resolver {
    /// The condition that the words mean, all of them together.
    pub(super) fn tree_conditions(&mut self, words: &Conditions) -> Option<Placed<TreeCondition>> {
        let parts: Vec<_> = words.parts.iter().map(|part| self.tree_condition(part)).collect();
        let mut parts: Vec<TreeCondition> = parts.into_iter().collect::<Option<_>>()?;
        let negated = |condition| TreeCondition::Not(Box::new(condition));
        let value = match (parts.len(), words.any) {
            (1, _) => parts.remove(0),
            (_, false) => TreeCondition::All(parts),
            (_, true) => negated(TreeCondition::All(parts.into_iter().map(negated).collect())),
        };
        Some(Placed { value, place: words.place })
    }

    fn tree_condition(&mut self, words: &Words) -> Option<TreeCondition> {
        let names: Vec<&str> = words
            .arguments
            .iter()
            .map(|argument| if let Argument::Name(name) = &argument.value { name } else { "" })
            .collect();
        let before = self.diagnostics.len();
        let Some(value) = self.condition_of(&names, words) else {
            if self.diagnostics.len() == before {
                self.report(super::super::action::unknown(
                    words,
                    TREE_CONDITIONS,
                    UNKNOWN_CONDITION,
                    "condition",
                ));
            }
            return None;
        };
        Some(if words.negated { TreeCondition::Not(Box::new(value)) } else { value })
    }

    fn condition_of(&mut self, names: &[&str], words: &Words) -> Option<TreeCondition> {
        let at = |index: usize| words.arguments[index].place;
        let text = |index: usize| match &words.arguments[index].value {
            Argument::Text(text) => Some(text.clone()),
            _ => None,
        };
        if let Some(condition) = plain(names) {
            return Some(condition);
        }
        Some(match names {
            [name] => {
                let mut defined = self.tree.conditions.iter();
                defined.find(|(other, _)| other.value == **name)?.1.clone()?
            }
            ["current", "is", "pointed", pointer] => {
                TreeCondition::CurrentIsPointed(self.pointer_id(pointer, at(3))?)
            }
            ["current", "is", ..] => TreeCondition::CurrentIs(self.named(words, 2)?),
            ["second", "is", ..] => TreeCondition::SecondIs(self.named(words, 2)?),
            ["open-other-than", ..] => TreeCondition::OpenOtherThan(self.named(words, 1)?),
            ["open", ..] => TreeCondition::Open(self.named(words, 1)?),
            ["above", "token-name", ..] => TreeCondition::AboveTokenName(self.named(words, 2)?),
            ["in-scope", scope, rest @ ..] => {
                let scope = self.scope_id(scope, at(1))?;
                let target = match rest {
                    ["token-name"] => Target::TokenName,
                    ["pointed", pointer] => Target::Pointed(self.pointer_id(pointer, at(3))?),
                    [_, ..] => Target::Names(self.named(words, 2)?),
                    [] => return None,
                };
                TreeCondition::InScope(scope, target)
            }
            ["adjusted-current", "in", namespace] => {
                let namespaces = [("svg", Namespace::Svg), ("math", Namespace::Math)];
                let namespace = self.word_of(&namespaces, namespace, at(2), "a namespace")?;
                TreeCondition::AdjustedCurrentIn(namespace)
            }
            ["adjusted-current", "is", ..] => {
                TreeCondition::AdjustedCurrentIs(self.named(words, 2)?)
            }
            ["context", "is", ..] => TreeCondition::ContextIs(self.named(words, 2)?),
            ["token-attribute", _] => TreeCondition::TokenAttribute(text(1)?),
            ["token-attribute", _, "is", _] => TreeCondition::TokenAttributeIs(text(1)?, text(3)?),
            ["is-set", pointer] => TreeCondition::IsSet(self.pointer_id(pointer, at(1))?),
            ["formatting-has", ..] => TreeCondition::FormattingHas(self.named(words, 1)?),
            ["document-mode", "is", mode] => {
                let what = "a mode of a document";
                TreeCondition::DocumentModeIs(self.word_of(DOCUMENT_MODES, mode, at(2), what)?)
            }
            ["doctype", "in", set] => TreeCondition::DoctypeIs(self.doctypes_id(set, at(2))?),
            ["pending-other-than", class] => {
                TreeCondition::PendingOtherThan(self.class_or_report(class, at(1)))
            }
            [_, "is", value] => {
                let (flag, value) = self.tree_flag_value(words, 0, value)?;
                TreeCondition::FlagIs(flag, value)
            }
            _ => return None,
        })
    }
}

/// The condition of these words, if it has nothing but words.
fn plain(names: &[&str]) -> Option<TreeCondition> {
    Some(match names {
        ["current", "is", "token-name"] => TreeCondition::CurrentIsTokenName,
        ["current", "is", "token-name-ignoring-case"] => {
            TreeCondition::CurrentIsTokenNameIgnoringCase
        }
        ["open", "token-name"] => TreeCondition::OpenTokenName,
        ["foreign-open", "token-name"] => TreeCondition::ForeignOpenTokenName,
        ["stack-is-empty"] => TreeCondition::StackIsEmpty,
        ["adjusted-current", "is-foreign"] => TreeCondition::AdjustedCurrentIsForeign,
        ["adjusted-current", "is-integration-point"] => {
            TreeCondition::AdjustedCurrentIsIntegrationPoint
        }
        ["adjusted-current", "is-root"] => TreeCondition::AdjustedCurrentIsRoot,
        ["fragment"] => TreeCondition::IsFragment,
        ["last"] => TreeCondition::IsLast,
        ["self-closing"] => TreeCondition::SelfClosing,
        ["has-template-mode"] => TreeCondition::HasTemplateMode,
        _ => return None,
    })
}
