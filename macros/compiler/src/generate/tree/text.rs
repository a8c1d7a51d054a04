//! Derives how long a run of text a row can take in one step. A row's effect on a run is its effect on each character
//! of the run in turn.

use super::{Code, membership};
use crate::generate::algorithm;
use crate::generate::patterns::byte_literal;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeSet;
use tabulex_language::model::CharacterSet;
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::tree::{
    ModeId, ModeRow, TokenPattern, TreeAction, TreeFlow, TreeStep,
};

/// The other modes with rows that also limit the length of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Limits {
    modes: BTreeSet<ModeId>,
    /// Whether the rows of the current insertion mode also limit the run.
    includes_current: bool,
}

impl Code<'_> {
    /// Generates a mode's arm in the function `run_length`, which returns the length of the text that one row takes in
    /// one step.
    pub(super) fn runs(&self, id: ModeId) -> TokenStream {
        let name = self.mode_name(id);
        if self.construction.takes_texts() {
            return quote! { #name => text.len(), };
        }
        let mode = self.construction.mode(id);
        let any_rows = self.rows_for_any(id);
        let covered = self.covered(id);
        let (mut named, mut stops) = (CharacterSet::default(), CharacterSet::default());
        let mut arms = TokenStream::new();
        for (index, row) in mode.rows.iter().enumerate() {
            for pattern in &row.patterns {
                let TokenPattern::Character(Some(set)) = &pattern.value else { continue };
                let unclaimed = set.difference(&named);
                named.insert_all(set);
                if covered.contains(&index) {
                    continue;
                }
                stops.insert_all(&unclaimed);
                let mut rows = vec![row];
                if row.guard.is_some() {
                    rows.extend(&any_rows);
                }
                let is_member = membership(&unclaimed);
                let length = self.length(id, &rows, || first_not(&unclaimed));
                arms.extend(quote! { if #is_member { #length } });
            }
        }
        let any_length = self.length(id, &any_rows, || first_in(&stops));
        quote! {
            #name => {
                let character = text.chars().next().unwrap_or_default();
                #arms
                #any_length
            }
        }
    }

    /// Generates the length of the run that all `rows` can take in one step; one character if any of them cannot take a
    /// run.
    fn length(&self, id: ModeId, rows: &[&ModeRow], scan: impl Fn() -> TokenStream) -> TokenStream {
        let one_character = quote! { return character.len_utf8(); };
        let limits_of = |errors: bool| {
            let mut limits = Limits::default();
            let is_single = rows.iter().any(|row| {
                let is_plain = row.guard.is_none() || self.construction.dispatch.is_some();
                !is_plain || !self.accepts_runs(&row.steps, errors, &mut limits)
            });
            (!is_single).then_some(limits)
        };
        let code = |limits: Option<Limits>| match limits {
            None => one_character.clone(),
            Some(limits) => {
                let scan = scan();
                let limits = self.limit_length(id, &limits);
                quote! { let length = #scan; #limits return length; }
            }
        };
        let (with_errors, without_errors) = (limits_of(true), limits_of(false));
        if with_errors == without_errors {
            return code(with_errors);
        }
        let (with_errors, without_errors) = (code(with_errors), code(without_errors));
        quote! { if errors { #with_errors } else { #without_errors } }
    }

    fn limit_length(&self, id: ModeId, limits: &Limits) -> TokenStream {
        let modes = limits.modes.iter().map(|&mode| {
            let mode = self.mode_name(mode);
            quote! { let length = length.min(Self::run_length(#mode, current, text, errors)); }
        });
        let name = self.mode_name(id);
        let current = limits.includes_current.then(|| {
            quote! {
                let length = if current == #name { character.len_utf8() } else {
                    length.min(Self::run_length(current, current, text, errors))
                };
            }
        });
        quote! { #(#modes)* #current }
    }

    /// Generates a mode's arm in the function `else_run`, which returns the length of the text that the `else` row
    /// takes in one step.
    pub(super) fn else_runs(&self, id: ModeId) -> TokenStream {
        let name = self.mode_name(id);
        let rows: Vec<&ModeRow> = self
            .construction
            .mode(id)
            .rows
            .iter()
            .filter(|row| row.has_pattern(&TokenPattern::Else))
            .collect();
        let length = self.length(id, &rows, || quote! { text.len() });
        quote! {
            #name => {
                let character = text.chars().next().unwrap_or_default();
                #length
            }
        }
    }

    /// Returns the rows that may match a character that no row names.
    pub(super) fn rows_for_any(&self, id: ModeId) -> Vec<&ModeRow> {
        let rows = &self.construction.mode(id).rows;
        let mut matching = Vec::new();
        for expected in [TokenPattern::Character(None), TokenPattern::Else] {
            for row in rows {
                if row.has_pattern(&expected) {
                    matching.push(row);
                    if row.guard.is_none() {
                        return matching;
                    }
                }
            }
        }
        matching
    }

    /// Returns the indices of the rows for named characters that the row for any character can take too, because its
    /// steps begin with theirs and continue only with steps that set flags.
    pub(super) fn covered(&self, id: ModeId) -> Vec<usize> {
        let any_rows = self.rows_for_any(id);
        let [any_row] = any_rows[..] else { return Vec::new() };
        if any_row.guard.is_some()
            || !self.accepts_runs(&any_row.steps, true, &mut Limits::default())
        {
            return Vec::new();
        }
        let rows = self.construction.mode(id).rows.iter().enumerate();
        let covered = rows
            .filter(|(_, row)| row.guard.is_none() && extends_by_flags(&any_row.steps, &row.steps));
        let named = covered.filter(|(_, row)| {
            let names_characters =
                |pattern: &TokenPattern| matches!(pattern, TokenPattern::Character(Some(_)));
            row.patterns.iter().any(|pattern| names_characters(&pattern.value))
        });
        named.map(|(index, _)| index).collect()
    }

    /// Whether the steps may run once for a whole run of characters. Steps with conditions, and those that run other
    /// steps, take a single character.
    fn accepts_runs(&self, steps: &[TreeStep], errors: bool, limits: &mut Limits) -> bool {
        // `reprocess` passes the run to another row, which may insert it, so the steps before `reprocess` must not have
        // inserted it.
        if steps.last().and_then(TreeStep::action) == Some(&TreeAction::Reprocess) {
            let is_plain = |action: &TreeAction| {
                let flow = action.flow();
                !inserts(action)
                    && matches!(flow, TreeFlow::Continue | TreeFlow::NoEffect | TreeFlow::End)
            };
            return steps.iter().all(|step| step.action().is_some_and(is_plain));
        }
        // A second insertion would have to alternate with the first for each character.
        let mut has_inserted = false;
        steps.iter().all(|step| {
            let Some(action) = step.action() else { return false };
            if let TreeFlow::Delegate(delegate) = action.flow() {
                limits.modes.extend(delegate);
                limits.includes_current |= delegate.is_none();
                return !std::mem::replace(&mut has_inserted, true);
            }
            let is_second = inserts(action) && std::mem::replace(&mut has_inserted, true);
            !is_second
                && applies_to_whole_runs(action, errors)
                && !self.is_compiled_from_steps(action)
        })
    }

    /// Whether the action is compiled from steps, which may treat the second character of a run differently.
    fn is_compiled_from_steps(&self, action: &TreeAction) -> bool {
        let is_compiled = |routine| algorithm::is_compiled(self.construction, routine);
        matches!(action, TreeAction::ReconstructFormatting)
            && is_compiled(Routine::ReconstructFormatting)
            || matches!(action, TreeAction::AppendText | TreeAction::InsertCharacter(_))
                && is_compiled(Routine::InsertCharacter)
    }
}

/// Whether the action inserts or stores the characters.
const fn inserts(action: &TreeAction) -> bool {
    matches!(
        action,
        TreeAction::AppendText | TreeAction::InsertCharacter(_) | TreeAction::AppendToPending
    )
}

/// Whether the action's effect on a run equals its effects on the characters in turn. All other actions run once for
/// each character, which is always correct: they may change how the following characters are processed.
fn applies_to_whole_runs(action: &TreeAction, errors: bool) -> bool {
    matches!(
        action,
        TreeAction::Ignore
            | TreeAction::AppendText
            | TreeAction::InsertCharacter(_)
            | TreeAction::ReconstructFormatting
            | TreeAction::SetFlag(..)
            | TreeAction::AppendToPending
            | TreeAction::FosterParenting(_)
    ) || matches!(action, TreeAction::Error(_)) && !errors
}

/// Whether `steps` begins with `prefix`, and all further steps set flags.
fn extends_by_flags(steps: &[TreeStep], prefix: &[TreeStep]) -> bool {
    let is_equal = |(one, other): (&TreeStep, &TreeStep)| {
        one.action().is_some() && one.action() == other.action()
    };
    let sets_flag = |step: &TreeStep| matches!(step.action(), Some(TreeAction::SetFlag(..)));
    steps.len() >= prefix.len()
        && steps.iter().zip(prefix).all(is_equal)
        && steps[prefix.len()..].iter().all(sets_flag)
}

pub(super) fn is_ascii(set: &CharacterSet) -> bool {
    set.ranges().iter().all(|(_, last)| last.is_ascii())
}

/// Generates the byte offset in `text` of the first character that passes a test, which is about membership in the set,
/// or the length of `text`.
fn first(test: &TokenStream, set: &CharacterSet) -> TokenStream {
    if is_ascii(set) {
        quote! {
            text.bytes().position(|byte| { let character = byte as char; #test }).unwrap_or(text.len())
        }
    } else {
        quote! { text.find(|character: char| #test).unwrap_or(text.len()) }
    }
}

/// Generates the byte offset in `text` of the first character that is not in the set, or the length of `text`.
fn first_not(set: &CharacterSet) -> TokenStream {
    let is_member = membership(set);
    first(&quote! { !(#is_member) }, set)
}

/// Generates the byte offset in `text` of the first character that is in the set, or the length of `text`.
fn first_in(set: &CharacterSet) -> TokenStream {
    if set.is_empty() {
        return quote! { text.len() };
    }
    if let [(first, last)] = set.ranges()
        && first == last
        && first.is_ascii()
    {
        let byte = byte_literal(*first as u8);
        return quote! { rt::first_byte(text, #byte) };
    }
    first(&membership(set), set)
}
