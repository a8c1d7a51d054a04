//! The code of a row that puts text into the input. What the runtime does with it is in its `declarations` and
//! `replacement`. Invariant: after a row that inserts, the machine stops before it reads on.

use super::fields::entity_list;
use super::row::Row;
use crate::lower::{BlockKind, Next};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, EntityList};

impl Row<'_, '_> {
    /// Whether a text may wait to be read when the row is done.
    pub(super) fn may_insert(&self) -> bool {
        let inserts = |action: &Action| matches!(action, Action::Insert(..));
        match self.list.next {
            Next::Nothing | Next::Returned | Next::End => false,
            Next::Stay | Next::State(_) | Next::ReturnState | Next::PushedState => {
                match self.block().kind {
                    BlockKind::Returned(_) => self.machine().inserts(),
                    BlockKind::State(_) | BlockKind::Nothing(_) => {
                        self.list.actions.iter().any(inserts)
                    }
                }
            }
        }
    }

    /// Stops, so that a text that was inserted is read before the machine goes on.
    pub(super) fn insertion(&self) -> TokenStream {
        let state = self.next_state();
        quote! {
            if core.has_insertion() {
                core.state = #state;
                break 'run rt::Reason::Insert;
            }
        }
    }

    /// The state in which the machine goes on, if it goes on in one.
    pub(super) fn next_state(&self) -> TokenStream {
        match self.list.next {
            Next::State(state) => self.state_name(state),
            Next::ReturnState => quote! { core.return_state },
            Next::PushedState => quote! { core.popped_state },
            Next::Stay | Next::Nothing | Next::Returned | Next::End => {
                self.state_name(self.state())
            }
        }
    }

    /// The code that puts the value of an entity into the input.
    pub(super) fn insert(&self, list: EntityList, escape: &str) -> TokenStream {
        let list = entity_list(list);
        let inside = self.machine().state(self.state()).procedure.is_some();
        let from = if inside {
            quote! { None }
        } else {
            quote! { Some(pos) }
        };
        quote! { core.insert((#list, #escape), source, #from, here); }
    }
}
