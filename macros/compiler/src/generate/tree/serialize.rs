//! The names of elements that HTML serialization treats specially, derived from rows: elements that are popped
//! immediately are void, and text is written unescaped in elements that the tokenizer reads without character
//! references.

use super::Code;
use crate::generate::algorithm::serialize;
use crate::generate::optional;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeSet;
use tabulex_language::model::tree::{FeedbackEffect, TagNames, TokenPattern, TreeAction, TreeStep};
use tabulex_language::model::{Condition, Pattern, Row};

impl Code<'_> {
    /// Generates the constant with the names for serialization; `None` if the table parses no fragments.
    pub(super) fn serialization(&self) -> Option<TokenStream> {
        let fragment = self.construction.fragment.as_ref()?;
        let void = self.void_elements();
        let (mut raw, mut when_scripting) = (BTreeSet::new(), BTreeSet::new());
        for row in &fragment.rows {
            if self.reads_literally(&row.steps) {
                let names = row.patterns.iter().map(|name| name.local.as_str());
                let set = if row.guard.is_some() { &mut when_scripting } else { &mut raw };
                set.extend(names);
            }
        }
        let (raw, when_scripting) = (raw.into_iter(), when_scripting.into_iter());
        let shadow_root = self.shadow_root();
        let steps = serialize::is_compiled(self.construction);
        let steps = optional(steps.then(|| quote! { rt::SerializerSteps(serialize_steps) }));
        Some(quote! {
            const SERIALIZATION: rt::SerializerNames<'static> = rt::SerializerNames {
                void: &[#(#void),*],
                raw_text: &[#(#raw),*],
                raw_text_when_scripting: &[#(#when_scripting),*],
                shadow_root: #shadow_root,
                steps: #steps,
            };
        })
    }

    /// Generates an `Option` with the name of the template element and the name of the attribute that holds the mode of
    /// a declarative shadow root; `None` if no row attaches shadow roots, or the table has no templates.
    fn shadow_root(&self) -> TokenStream {
        let mode_attribute = self.construction.actions().find_map(|action| {
            if let TreeAction::AttachShadowRoot { mode, .. } = action { Some(mode) } else { None }
        });
        let (Some(template), Some(mode_attribute)) = (&self.construction.template, mode_attribute)
        else {
            return quote! { None };
        };
        quote! { Some(rt::ShadowRootDeclaration { template: #template, mode: #mode_attribute }) }
    }

    /// Returns the elements that are inserted and immediately popped, with the self-closing flag acknowledged.
    fn void_elements(&self) -> BTreeSet<String> {
        let mut void = BTreeSet::new();
        for row in self.construction.rows() {
            let actions: Vec<Option<&TreeAction>> =
                row.steps.iter().map(TreeStep::action).collect();
            let is_void = actions.windows(3).any(|three| {
                three[0] == Some(&TreeAction::InsertElement)
                    && three[1] == Some(&TreeAction::Pop)
                    && three[2] == Some(&TreeAction::AcknowledgeSelfClosing)
            });
            for pattern in row.patterns.iter().filter(|_| is_void) {
                if let TokenPattern::StartTag(TagNames::These(names)) = &pattern.value {
                    void.extend(names.iter().cloned());
                }
            }
        }
        void
    }

    /// Whether the steps switch the tokenizer to reading text without character references.
    fn reads_literally(&self, steps: &[TreeStep]) -> bool {
        steps.iter().filter_map(TreeStep::action).any(|action| {
            let TreeAction::Tokenizer(word) = action else { return false };
            let effect = self.construction.feedback[usize::from(word.0)].effect;
            effect.is_some_and(|effect| !self.reads_references(effect))
        })
    }

    fn reads_references(&self, effect: FeedbackEffect) -> bool {
        let matches_ampersand = |row: &&Row| {
            row.patterns.iter().any(
                |pattern| matches!(&pattern.value, Pattern::Characters(set) if set.contains('&')),
            )
        };
        let states = &self.machine.states;
        match effect {
            FeedbackEffect::Switch(state) => {
                states[usize::from(state.0)].rows.iter().any(|row| matches_ampersand(&row))
            }
            FeedbackEffect::SetFlag(flag, value) => {
                let flag_is_set = Condition::FlagIs(flag, value);
                let start = &states[usize::from(self.machine.start.0)];
                start.rows.iter().filter(matches_ampersand).any(|row| {
                    row.conditions().flat_map(Condition::parts).any(|part| *part == flag_is_set)
                })
            }
        }
    }
}
