//! What the serialization of HTML asks of a table: which elements are void, which hold literal text. The table says so by
//! its rows: what is popped at once is void, and literal is what the tokenizer reads without character
//! references. Invariant: no element is named here.

use super::Code;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeSet;
use tabulex_language::model::tree::{FeedbackEffect, TagNames, TokenPattern, TreeAction, TreeStep};
use tabulex_language::model::{Condition, Pattern, Row, Step};

impl Code<'_> {
    /// The names, if the table parses fragments.
    pub(super) fn serialization(&self) -> Option<TokenStream> {
        let fragment = self.construction.fragment.as_ref()?;
        let void = self.void();
        let (mut raw, mut when_scripting) = (BTreeSet::new(), BTreeSet::new());
        for row in &fragment.rows {
            if self.reads_literally(&row.steps) {
                let names = row.names.iter().map(|name| name.local.as_str());
                let set = if row.guard.is_some() { &mut when_scripting } else { &mut raw };
                set.extend(names);
            }
        }
        let (raw, when_scripting) = (raw.into_iter(), when_scripting.into_iter());
        let shadow_root = self.shadow_root();
        Some(quote! {
            const SERIALIZATION: rt::SerializerNames<'static> = rt::SerializerNames {
                void: &[#(#void),*],
                raw_text: &[#(#raw),*],
                raw_text_when_scripting: &[#(#when_scripting),*],
                shadow_root: #shadow_root,
            };
        })
    }

    /// The element that has contents, and the attribute by which some row makes a shadow root of them.
    fn shadow_root(&self) -> TokenStream {
        let rows = self.construction.modes.iter().flat_map(|mode| &mode.rows);
        let mode = rows.flat_map(|row| TreeStep::actions(&row.steps)).find_map(|action| {
            if let TreeAction::AttachShadowRoot { mode, .. } = action { Some(mode) } else { None }
        });
        let (Some(template), Some(mode)) = (&self.construction.template, mode) else {
            return quote! { None };
        };
        quote! { Some(rt::ShadowRootDeclaration { template: #template, mode: #mode }) }
    }

    /// The elements that are inserted and popped at once, whose self-closing flag is acknowledged.
    fn void(&self) -> BTreeSet<String> {
        let mut void = BTreeSet::new();
        for row in self.construction.modes.iter().flat_map(|mode| &mode.rows) {
            let actions: Vec<Option<&TreeAction>> = row
                .steps
                .iter()
                .map(|step| match step {
                    TreeStep::Action(action) => Some(&action.value),
                    TreeStep::When { .. } => None,
                })
                .collect();
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

    /// Whether the steps make the tokenizer read text in which character references are text.
    fn reads_literally(&self, steps: &[TreeStep]) -> bool {
        steps.iter().any(|step| match step {
            TreeStep::Action(action) => {
                let TreeAction::Tokenizer(word) = action.value else { return false };
                let effect = self.construction.feedback[usize::from(word.0)].effect;
                effect.is_some_and(|effect| !self.reads_references(effect))
            }
            TreeStep::When { .. } => false,
        })
    }

    fn reads_references(&self, effect: FeedbackEffect) -> bool {
        let is_about = |row: &&Row| {
            row.patterns.iter().any(
                |pattern| matches!(&pattern.value, Pattern::Characters(set) if set.contains('&')),
            )
        };
        let states = &self.machine.states;
        match effect {
            FeedbackEffect::Switch(state) => {
                states[usize::from(state.0)].rows.iter().any(|row| is_about(&row))
            }
            FeedbackEffect::SetFlag(flag, value) => {
                let wanted = Condition::FlagIs(flag, value);
                let start = &states[usize::from(self.machine.start.0)];
                start.rows.iter().filter(is_about).any(|row| {
                    row.guard.as_ref().is_some_and(|guard| asks(&guard.value, &wanted))
                        || asked_in(&row.steps, &wanted)
                })
            }
        }
    }
}

fn asks(condition: &Condition, wanted: &Condition) -> bool {
    condition.parts().contains(&wanted)
}

fn asked_in(steps: &[Step], wanted: &Condition) -> bool {
    Step::conditions(steps).into_iter().any(|condition| asks(condition, wanted))
}
