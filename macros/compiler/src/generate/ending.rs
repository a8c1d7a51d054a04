//! Shared endings of rows that emit a tag: rows with one destination jump to a single copy of the emission, placed
//! directly before the destination's block.

use super::consumed::Consumed;
use super::names;
use super::row::Row;
use crate::Compiled;
use crate::lower::{Body, Input, List};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, Register, Transfer};

/// Generates the shared ending of the rows that emit a tag and go to the block at index `to`, if there are any.
pub(super) fn ending(compiled: &Compiled<'_>, to: usize) -> Option<TokenStream> {
    let (index, list) = first_row_with_ending(compiled, to)?;
    let row = Row { compiled, index, list, consumed: Consumed::Before };
    Some(row.ending())
}

/// Returns the first row that uses the ending before the block at index `to`, with the index of the row's block.
fn first_row_with_ending<'c>(compiled: &'c Compiled<'_>, to: usize) -> Option<(usize, &'c List)> {
    let mut blocks_before = compiled.order.iter().take_while(|&&index| index != to);
    blocks_before.find_map(|&index| {
        let Body::Input(input) = &compiled.lowered.blocks[index].body else { return None };
        let uses_ending = |list: &&List| shape(list).is_some_and(|shape| shape.to == to);
        lists(input).into_iter().find(uses_ending).map(|list| (index, list))
    })
}

impl Compiled<'_> {
    /// Whether rows that emit a tag and go to the block at index `to` share an ending.
    pub(crate) fn has_ending(&self, to: usize) -> bool {
        first_row_with_ending(self, to).is_some()
    }
}

/// Returns the action lists of the rows that consume a single known byte.
fn lists(input: &Input) -> Vec<&List> {
    let single_byte_arms = input.bytes.iter().filter(|arm| arm.bytes.len() == 1);
    let candidates = single_byte_arms.flat_map(|arm| &arm.candidates);
    candidates.flat_map(|candidate| candidate.plan.lists()).collect()
}

/// The properties that rows with a common ending share.
#[derive(Clone, Copy, PartialEq, Eq)]
struct EndingShape {
    /// The index of the destination block.
    to: usize,
    /// Whether the row switches after the token, regardless of the sink's answer.
    switches_after: bool,
    /// The number of actions before the emission; each row runs these itself.
    action_count: usize,
}

impl EndingShape {
    fn matches(self, other: Self) -> bool {
        self.to == other.to && self.switches_after == other.switches_after
    }
}

/// Returns the shape of a list that goes to a state after it has emitted a tag, without reconsuming; `None` for any
/// other list, and for one that emits or inserts before the tag.
fn shape(list: &List) -> Option<EndingShape> {
    let (actions, switches_after) = match list.actions.split_last()? {
        (Action::Switch(_), before) => (before, true),
        _ => (&list.actions[..], false),
    };
    let (last, before) = actions.split_last()?;
    let inserts = |action: &Action| matches!(action, Action::Insert(..));
    let is_plain = *last == Action::EmitToken(Register::Tag)
        && !before.iter().any(Action::emits)
        && !before.iter().any(inserts);
    let Transfer::To(state) = list.next else { return None };
    (is_plain && !list.reconsumes).then(|| EndingShape {
        to: usize::from(state.0),
        switches_after,
        action_count: before.len(),
    })
}

impl Row<'_, '_> {
    /// Returns the number of actions that the row runs itself, and the jump to its shared ending; `None` if no ending
    /// follows in the code.
    pub(super) fn jump_to_ending(&self) -> Option<(usize, TokenStream)> {
        let shape = shape(self.list).filter(|_| matches!(self.consumed, Consumed::Byte(_)))?;
        let (_, first) = first_row_with_ending(self.compiled, shape.to)?;
        let is_shared = self::shape(first).is_some_and(|first| first.matches(shape));
        let label = names::label("end", &self.compiled.lowered.blocks[shape.to].name);
        (is_shared && self.compiled.goes_forward(self.index, shape.to))
            .then(|| (shape.action_count, quote! { pos = here; break #label; }))
    }

    /// Generates the ending, which runs after the row's byte has been consumed.
    fn ending(&self) -> TokenStream {
        let emission = self.emit_token(Register::Tag);
        let (opened, control, jump) = (self.open_ranges(), self.control(), self.jump());
        let switched = shape(self.list)
            .filter(|shape| shape.switches_after)
            .map(|_| quote! { let control = control.without_switch(); });
        quote! {
            let end = pos;
            let here = pos;
            let control = { #emission };
            #switched
            #opened
            #control
            #jump
        }
    }
}
