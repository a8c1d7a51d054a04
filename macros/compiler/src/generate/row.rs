//! A row that is being turned into code: where it stands and what it takes. Its code is beside: actions in `action` and
//! `emission`, where it goes in `jump`, all of it in `plan`. Invariant: it only answers; nothing here decides anew what an
//! earlier pass has decided.

use super::consumed::Consumed;
use super::names::variant;
use crate::lower::{Block, BlockKind, Body, List};
use crate::{Compiled, print};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, Machine, StateId, Text};

/// A row that is being turned into code.
pub(super) struct Row<'c, 'm> {
    pub(super) compiled: &'c Compiled<'m>,
    pub(super) index: usize,
    pub(super) list: &'c List,
    pub(super) consumed: Consumed,
}

/// The row of the list as a comment, where comments are wanted.
pub(super) fn comment(compiled: &Compiled<'_>, list: &List) -> Option<TokenStream> {
    let mut rows = compiled.machine.states.iter().flat_map(|state| &state.rows);
    let row = rows.nth(usize::from(list.row)).filter(|_| compiled.printed)?;
    Some(print::row(&row.text))
}

impl Row<'_, '_> {
    pub(super) fn machine(&self) -> &Machine {
        self.compiled.machine
    }

    /// The row of the table as a comment, where comments are wanted.
    pub(super) fn comment(&self) -> Option<TokenStream> {
        comment(self.compiled, self.list)
    }

    pub(super) fn block(&self) -> &Block {
        &self.compiled.lowered.blocks[self.index]
    }

    /// The state whose row it is.
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

    /// Whether the row is seldom taken as a row: by its nature, or because runs of what it takes are passed before.
    pub(super) fn is_rare(&self) -> bool {
        let skip = self.compiled.skips[self.index].as_ref();
        self.list.is_rare() || skip.is_some_and(|skip| skip.list == *self.list)
    }

    /// Whether the range of what the row emits begins with what it consumes.
    pub(super) fn begins_range(&self) -> bool {
        self.block().is_content && self.consumed != Consumed::Nothing
    }

    /// Whether the row emits something else before it emits the current character, which is then no part of that.
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
        let in_mode = matches!(&self.block().body, Body::Input(input) if input.lexemes.is_some());
        in_mode && !matches!(self.consumed, Consumed::Nothing | Consumed::EndOfFile)
    }

    /// What the states see instead of characters of the input.
    pub(super) fn replaced(&self) -> TokenStream {
        let (newlines, nulls) = (self.machine().newlines_normalized, self.machine().nulls_replaced);
        quote! { rt::Replaced { newlines: #newlines, nulls: #nulls } }
    }

    /// Where what the row consumes begins.
    pub(super) fn row_start(&self) -> TokenStream {
        match self.consumed {
            Consumed::Before => quote! { (pos - 1) },
            Consumed::Nothing
            | Consumed::EndOfFile
            | Consumed::Byte(_)
            | Consumed::Ascii
            | Consumed::Character
            | Consumed::LineEnd
            | Consumed::Null
            | Consumed::Special(_)
            | Consumed::Match
            | Consumed::Lexeme => quote! { pos },
        }
    }

    /// Where the range of an error begins: at the last character that was consumed.
    pub(super) fn error_start(&self) -> TokenStream {
        match self.consumed {
            Consumed::Match => quote! { rt::last_character(input, end) },
            Consumed::Before => quote! { (pos - 1) },
            Consumed::Nothing
            | Consumed::EndOfFile
            | Consumed::Byte(_)
            | Consumed::Ascii
            | Consumed::Character
            | Consumed::LineEnd
            | Consumed::Null
            | Consumed::Special(_)
            | Consumed::Lexeme => quote! { pos },
        }
    }
}
