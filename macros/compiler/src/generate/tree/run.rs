//! Text on a short way: modes whose row for it only inserts it take a whole run at once, unless it holds a byte that
//! another row takes. Invariant: what the short way does is what the rows do.

use super::text::is_ascii;
use super::{Code, membership};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeSet;
use tabulex_spec::model::CharacterSet;
use tabulex_spec::model::tree::{ModeId, ModeRow, TokenPattern, TreeAction, TreeStep};

impl Code<'_> {
    /// The function that takes runs, and the bytes that they may not hold; nothing if no mode can.
    pub(super) fn taken_at_once(&self) -> Option<TokenStream> {
        if self.takes_texts() {
            return None;
        }
        let mut all_stops = BTreeSet::new();
        let mut arms = TokenStream::new();
        for index in 0..self.construction.modes.len() {
            let id = ModeId(index as u8);
            if let Some((stops, steps)) = self.short_way(id) {
                let name = self.mode_name(id);
                arms.extend(quote! { #name => { #steps true } });
                all_stops.extend(stops);
            }
        }
        if arms.is_empty() {
            return None;
        }
        let elsewhere = self.construction.dispatch.as_ref().map(|dispatch| {
            let asked = self.condition(&dispatch.condition);
            quote! { if #asked { return false; } }
        });
        let stops = all_stops.iter();
        Some(quote! {
            const RUN_STOPS: &'static [u8] = &[#(#stops),*];
            #[inline]
            #[allow(clippy::all, unused_variables, unreachable_patterns)]
            fn take_run<S: ::tabulex::tree::TreeSink>(
                builder: &mut ::tabulex::construct::Builder<Self, S>,
                seen: &::tabulex::construct::Seen<'_>,
            ) -> bool {
                #elsewhere
                match builder.mode() { #arms _ => false }
            }
        })
    }

    /// The bytes that other rows of the mode take, and the steps; `None` if the mode does more than to insert.
    fn short_way(&self, id: ModeId) -> Option<(Vec<u8>, TokenStream)> {
        let rows = &self.construction.mode(id).rows;
        let [any] = self.rows_for_any(id)[..] else { return None };
        let only_inserts = any.guard.is_none() && any.steps.iter().all(is_inserting);
        let covered = self.covered(id);
        let mut stops = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            for set in named(row).filter(|_| !covered.contains(&index)) {
                stops.extend(bytes(set)?);
            }
        }
        let is_free = only_inserts && stops.iter().all(|stop| self.specials.contains(stop));
        let steps = match covered[..] {
            _ if !is_free => return None,
            [] => self.steps(Some(id), &any.steps),
            [index] => {
                // The other row does as much as this one, but does not set these flags.
                let (common, flags) = any.steps.split_at(rows[index].steps.len());
                let mut members = CharacterSet::default();
                named(&rows[index]).for_each(|set| members.insert_all(set));
                bytes(&members)?;
                let unset = flags.iter().filter_map(flag).map(|(flag, value)| {
                    quote! { builder.tree_flag(#flag) != #value }
                });
                let (common, is_member) = (self.steps(Some(id), common), membership(&members));
                let flags = self.steps(Some(id), flags);
                quote! {
                    #common
                    if (false #(|| #unset)*) && let ::tabulex::construct::Seen::Text(text) = seen
                        && !text.text.bytes().all(|byte| { let character = byte as char; #is_member })
                    {
                        #flags
                    }
                }
            }
            _ => return None,
        };
        Some((stops, steps))
    }
}

/// The sets of characters that the row names.
fn named(row: &ModeRow) -> impl Iterator<Item = &CharacterSet> {
    row.patterns.iter().filter_map(|pattern| match &pattern.value {
        TokenPattern::Character(Some(set)) => Some(set),
        _ => None,
    })
}

/// The characters of the set as bytes, if all of them are.
fn bytes(set: &CharacterSet) -> Option<Vec<u8>> {
    let ranges = set.ranges().iter();
    is_ascii(set).then(|| ranges.flat_map(|&(first, last)| first as u8..=last as u8).collect())
}

fn is_inserting(step: &TreeStep) -> bool {
    let TreeStep::Action(action) = step else { return false };
    matches!(
        action.value,
        TreeAction::ReconstructFormatting
            | TreeAction::InsertCharacter(None)
            | TreeAction::AppendText
            | TreeAction::SetFlag(..)
    )
}

fn flag(step: &TreeStep) -> Option<(usize, u8)> {
    match step {
        TreeStep::Action(action) => match action.value {
            TreeAction::SetFlag(flag, value) => Some((usize::from(flag.0), value)),
            _ => None,
        },
        TreeStep::When { .. } => None,
    }
}
