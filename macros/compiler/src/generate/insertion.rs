//! Code of rows that insert text into the input. After such a row, the machine stops, so that the runtime can read the
//! inserted text first.

use super::fields::entity_list;
use super::row::Row;
use crate::lower::BlockKind;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, EntityList, Transfer};

impl Row<'_, '_> {
    /// Whether inserted text may be pending after the row.
    pub(super) fn may_insert(&self) -> bool {
        let inserts = |action: &Action| matches!(action, Action::Insert(..));
        match self.list.next {
            Transfer::ReturnNothing | Transfer::ReturnText | Transfer::Ends => false,
            Transfer::Nowhere
            | Transfer::To(_)
            | Transfer::ToReturnState
            | Transfer::ToPushedState => match self.block().kind {
                BlockKind::Returned(_) => self.machine().inserts(),
                BlockKind::State(_) | BlockKind::Nothing(_) => {
                    self.list.actions.iter().any(inserts)
                }
            },
        }
    }

    /// Generates code that stops the machine if inserted text is pending, so that the runtime reads that text first.
    pub(super) fn insertion(&self) -> TokenStream {
        let state = self.next_state();
        quote! {
            if core.has_insertion() {
                core.state = #state;
                break 'run rt::Reason::Insert;
            }
        }
    }

    /// Generates the state in which the machine continues after the row.
    pub(super) fn next_state(&self) -> TokenStream {
        match self.list.next {
            Transfer::To(state) => self.state_name(state),
            Transfer::ToReturnState => quote! { core.return_state },
            Transfer::ToPushedState => quote! { core.popped_state },
            Transfer::Nowhere | Transfer::ReturnNothing | Transfer::ReturnText | Transfer::Ends => {
                self.state_name(self.state())
            }
        }
    }

    /// Generates the insertion of an entity's value into the input.
    pub(super) fn insert(&self, list: EntityList, escape: &str) -> TokenStream {
        let list = entity_list(list);
        let is_in_procedure = self.machine().state(self.state()).procedure.is_some();
        let from = if is_in_procedure {
            quote! { None }
        } else {
            quote! { Some(pos) }
        };
        quote! { core.insert((#list, #escape), source, #from, here); }
    }
}
