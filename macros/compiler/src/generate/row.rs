//! The context in which the code of a row is generated. `action`, `emission`, `jump` and `plan` generate the code.

use super::consumed::Consumed;
use super::lexeme;
use super::names::variant;
use crate::lower::{Block, BlockKind, Body, List};
use crate::{Compiled, print};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, Machine, StateId, Text};

/// The context in which the code of a row is generated: its block, its actions and the input that it consumes.
pub(super) struct Row<'c, 'm> {
    pub(super) compiled: &'c Compiled<'m>,
    pub(super) index: usize,
    pub(super) list: &'c List,
    pub(super) consumed: Consumed,
}

/// Generates a comment with the source text of a list's row, if the code is generated for display.
pub(super) fn comment(compiled: &Compiled<'_>, list: &List) -> Option<TokenStream> {
    let mut rows = compiled.machine.states.iter().flat_map(|state| &state.rows);
    let row = rows.nth(usize::from(list.row)).filter(|_| compiled.is_for_display)?;
    Some(print::row(&row.text))
}

impl Row<'_, '_> {
    pub(super) fn machine(&self) -> &Machine {
        self.compiled.machine
    }

    /// Generates a comment with the source text of the row, if the code is generated for display.
    pub(super) fn comment(&self) -> Option<TokenStream> {
        comment(self.compiled, self.list)
    }

    pub(super) fn block(&self) -> &Block {
        &self.compiled.lowered.blocks[self.index]
    }

    /// Returns the state that the row belongs to.
    pub(super) fn state(&self) -> StateId {
        match self.block().kind {
            BlockKind::State(state) | BlockKind::Nothing(state) | BlockKind::Returned(state) => {
                state
            }
        }
    }

    pub(super) fn state_name(&self, state: StateId) -> TokenStream {
        let name = variant(&self.machine().state(state).name);
        quote! { State::#name }
    }

    /// Whether the row is unlikely: by its actions, or because its characters are passed in bulk.
    pub(super) fn is_rare(&self) -> bool {
        let skip = self.compiled.skips[self.index].as_ref();
        self.list.is_rare() || skip.is_some_and(|skip| skip.list == *self.list)
    }

    /// Whether the row emits another token before the current character, so that the token's range must exclude that
    /// character.
    pub(super) fn is_split(&self) -> bool {
        let actions = &self.list.actions;
        let is_current = |action: &Action| *action == Action::EmitText(Text::Current);
        let other = actions.iter().position(|action| action.emits() && !is_current(action));
        let current = actions.iter().rposition(is_current);
        !self.list.reconsumes
            && matches!((other, current), (Some(other), Some(current)) if other < current)
    }

    /// Whether the row consumes a lexical token.
    pub(super) fn is_lexeme(&self) -> bool {
        let is_in_lexical_mode =
            matches!(&self.block().body, Body::Input(input) if input.lexemes.is_some());
        is_in_lexical_mode && !matches!(self.consumed, Consumed::Nothing | Consumed::EndOfFile)
    }

    /// Returns the slot of a capture of the lexical token that the row consumes.
    pub(super) fn slot(&self, data: u8) -> u8 {
        lexeme::slot(self.compiled, self.index, self.consumed, data)
    }

    /// Generates the runtime's `Normalization`, which says which characters of the input the table replaces.
    pub(super) fn normalization(&self) -> TokenStream {
        let (newlines, nulls) = (self.machine().newlines_normalized, self.machine().nulls_replaced);
        quote! { rt::Normalization { newlines: #newlines, nulls: #nulls } }
    }

    /// Generates the start of an error's range, which covers the last character or the lexical token that the row
    /// consumes.
    pub(super) fn error_start(&self) -> TokenStream {
        if self.consumed == Consumed::Match {
            return quote! { rt::last_character(input, end) };
        }
        quote! { pos }
    }
}
