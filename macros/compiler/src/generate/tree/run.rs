//! The fast path for text. A mode with a row that only inserts text takes a whole run in one step, unless the run
//! contains a byte that another row takes. A mode that only inserts some characters takes runs of these, and a mode
//! that delegates all text uses the path of the other mode. The effect is the same as that of the rows.

use super::text::is_ascii;
use super::{Code, membership};
use crate::generate::algorithm;
use crate::generate::patterns::byte_literal;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::model::CharacterSet;
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::tree::{
    ModeId, ModeRow, TokenPattern, TreeAction, TreeFlow, TreeStep,
};

impl Code<'_> {
    /// Generates the function that takes runs, and the bytes that runs must not contain; `None` if no mode takes runs.
    pub(super) fn run_functions(&self) -> Option<TokenStream> {
        if self.construction.takes_texts() {
            return None;
        }
        let mut all_stops = BTreeSet::new();
        // Modes with equal code before the insertion share an arm.
        let mut paths: BTreeMap<String, (TokenStream, Vec<TokenStream>)> = BTreeMap::new();
        let mut common_insertion = None;
        for index in 0..self.construction.modes.len() {
            let id = ModeId(index as u8);
            let mode_with_path = self.delegate_of(id).unwrap_or(id);
            let path = self.path_for_any(mode_with_path);
            let path = path.or_else(|| self.path_for_named(mode_with_path));
            let Some(FastPath { stops, before, insertion }) = path else {
                continue;
            };
            // The insertion common to all paths follows the `match`, so that the sink's code is instantiated once. A
            // mode whose insertion differs from that of the first path gets no fast path.
            if common_insertion.get_or_insert(insertion) == &insertion {
                let (_, names) = paths.entry(before.to_string()).or_insert((before, Vec::new()));
                names.push(self.mode_name(id));
                all_stops.extend(stops);
            }
        }
        let common_insertion = common_insertion?;
        let insert = if *common_insertion == TreeAction::InsertCharacter(None) {
            quote! { builder.insert_run(token); }
        } else {
            self.action(None, common_insertion)
        };
        let arms = paths.values().map(|(before, names)| quote! { #(#names)|* => { #before } });
        let dispatch_check = self.construction.dispatch.as_ref().map(|dispatch| {
            let test = self.condition(&dispatch.condition);
            quote! { if #test { return false; } }
        });
        let stops = all_stops.into_iter().map(byte_literal);
        Some(quote! {
            const RUN_STOPS: &'static [u8] = &[#(#stops),*];
            #[inline(always)]
            fn insert_plain_run<S: rt::TreeSink>(
                builder: &mut rt::Builder<Self, S>,
                token: &rt::TokenView<'_>,
            ) -> bool {
                #dispatch_check
                match builder.mode { #(#arms)* _ => return false }
                builder.steps += 1;
                #insert
                true
            }
        })
    }

    /// Returns the mode to which the mode `id` delegates all text without any other action; `None` if it does not.
    fn delegate_of(&self, id: ModeId) -> Option<ModeId> {
        let [any_row] = self.rows_for_any(id)[..] else { return None };
        let names_characters =
            self.construction.mode(id).rows.iter().any(|row| named_sets(row).count() > 0);
        let [step] = &any_row.steps[..] else { return None };
        let TreeFlow::Delegate(delegate) = step.action()?.flow() else { return None };
        delegate.filter(|_| any_row.guard.is_none() && !names_characters)
    }

    /// Returns the fast path of a mode that inserts the characters that no row names, and otherwise only reconstructs
    /// formatting elements and sets flags.
    fn path_for_any(&self, id: ModeId) -> Option<FastPath<'_>> {
        let rows = &self.construction.mode(id).rows;
        let [any_row] = self.rows_for_any(id)[..] else { return None };
        let covered = self.covered(id);
        let mut stops = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            for set in named_sets(row).filter(|_| !covered.contains(&index)) {
                stops.extend(bytes(set)?);
            }
        }
        if any_row.guard.is_some() || !stops.iter().all(|stop| self.specials.contains(stop)) {
            return None;
        }
        let (reconstruction, insertion, flag_steps) = self.around_insertion(&any_row.steps)?;
        let formatting = without_closed_formatting(reconstruction);
        let flags = match covered[..] {
            [] => self.steps(Some(id), flag_steps).code,
            // The covered row inserts text, too, but sets only some of the flags that the row for any character sets:
            // those that it sets first. The other flags are set only for runs with characters that the covered row does
            // not name.
            [index] => {
                let common_count = rows[index].steps.len() - reconstruction.len() - 1;
                let members = named_sets(&rows[index]);
                self.run_flags(id, members, flag_steps.split_at_checked(common_count)?)?
            }
            _ => return None,
        };
        Some(FastPath { stops, before: quote! { #formatting #flags }, insertion })
    }

    /// Returns the fast path of a mode that inserts the characters that a row names, but does more with other
    /// characters. The path takes runs of the named characters.
    fn path_for_named(&self, id: ModeId) -> Option<FastPath<'_>> {
        let row = self.construction.mode(id).rows.iter().find(|row| named_sets(row).count() > 0)?;
        let mut members = CharacterSet::default();
        named_sets(row).for_each(|set| members.insert_all(set));
        let (reconstruction, insertion, flag_steps) = self.around_insertion(&row.steps)?;
        if row.guard.is_some() || !is_ascii(&members) {
            return None;
        }
        let (is_named_text, formatting) =
            (consists_of(&members), without_closed_formatting(reconstruction));
        let flags = self.steps(Some(id), flag_steps);
        let before = quote! { if !#is_named_text { return false; } #formatting #flags };
        Some(FastPath { stops: Vec::new(), before, insertion })
    }

    /// Generates the setting of flags for a run: those of `all` always, those of `others` unless the run consists only
    /// of characters in the sets; `None` if one of these characters is not ASCII.
    fn run_flags<'a>(
        &self,
        id: ModeId,
        sets: impl Iterator<Item = &'a CharacterSet>,
        (all, others): (&[TreeStep], &[TreeStep]),
    ) -> Option<TokenStream> {
        let mut members = CharacterSet::default();
        sets.for_each(|set| members.insert_all(set));
        bytes(&members)?;
        let is_named_text = consists_of(&members);
        let unset_tests = others.iter().filter_map(flag_of_step).map(|(flag, value)| {
            quote! { builder.tree_flags[#flag] != #value }
        });
        let unset_tests: Vec<TokenStream> = unset_tests.collect();
        let (all, others) = (self.steps(Some(id), all), self.steps(Some(id), others));
        let others = (!unset_tests.is_empty()).then(|| {
            quote! {
                if (#(#unset_tests)||*) && !#is_named_text {
                    #others
                }
            }
        });
        Some(quote! { #all #others })
    }

    /// Splits the steps into those that reconstruct formatting elements, the insertion, and those that set flags;
    /// `None` if there are other steps.
    fn around_insertion<'s>(
        &self,
        steps: &'s [TreeStep],
    ) -> Option<(&'s [TreeStep], &'s TreeAction, &'s [TreeStep])> {
        let is_native = |routine| !algorithm::is_compiled(self.construction, routine);
        let reconstructs = |step: &TreeStep| {
            matches!(step.action(), Some(TreeAction::ReconstructFormatting))
                && is_native(Routine::ReconstructFormatting)
        };
        let (reconstruction, rest) =
            steps.split_at(steps.iter().take_while(|step| reconstructs(step)).count());
        let (insertion, flag_steps) = rest.split_first()?;
        let insertion = insertion.action()?;
        let inserts =
            matches!(insertion, TreeAction::AppendText | TreeAction::InsertCharacter(None))
                && is_native(Routine::InsertCharacter);
        (inserts && flag_steps.iter().all(|step| flag_of_step(step).is_some())).then_some((
            reconstruction,
            insertion,
            flag_steps,
        ))
    }
}

/// A mode's fast path for runs of text.
struct FastPath<'a> {
    /// The bytes at which a run ends, because other rows of the mode match them.
    stops: Vec<u8>,
    /// The code before the insertion, which sets flags; it returns `false` if the run must be left to the rows.
    before: TokenStream,
    /// The action that inserts the run.
    insertion: &'a TreeAction,
}

/// Generates a check that leaves the run to the rows if there are formatting elements to reconstruct; `None` if the
/// steps reconstruct none.
fn without_closed_formatting(steps: &[TreeStep]) -> Option<TokenStream> {
    (!steps.is_empty()).then(|| {
        quote! { if builder.has_closed_formatting() { return false; } }
    })
}

/// Generates a test of whether the run consists of characters in the set, which are all ASCII.
fn consists_of(members: &CharacterSet) -> TokenStream {
    let is_member = membership(members);
    quote! {
        matches!(token, rt::TokenView::Text(text)
            if text.text.bytes().all(|byte| { let character = byte as char; #is_member }))
    }
}

/// Returns the sets of characters that the row names.
fn named_sets(row: &ModeRow) -> impl Iterator<Item = &CharacterSet> {
    row.patterns.iter().filter_map(|pattern| {
        if let TokenPattern::Character(Some(set)) = &pattern.value { Some(set) } else { None }
    })
}

/// Returns the characters of the set as bytes, if all are ASCII.
fn bytes(set: &CharacterSet) -> Option<Vec<u8>> {
    let ranges = set.ranges().iter();
    is_ascii(set).then(|| ranges.flat_map(|&(first, last)| first as u8..=last as u8).collect())
}

fn flag_of_step(step: &TreeStep) -> Option<(usize, u8)> {
    let TreeAction::SetFlag(flag, value) = step.action()? else { return None };
    Some((usize::from(flag.0), *value))
}
