//! The code of a row that declares what can be put into the input, or puts it there. What the runtime does with it is in
//! its `declarations` and `replacement`. Invariant: behind a row that inserts, the machine stops before it reads on.

use super::fields::entity_list;
use super::row::Row;
use crate::lower::{BlockKind, Next};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, TokenKind};

impl Row<'_, '_> {
    /// Whether a text may wait to be read when the row is done.
    pub(super) fn may_insert(&self) -> bool {
        let inserts = |action: &Action| matches!(action, Action::Insert(..));
        match self.list.next {
            Next::Nothing | Next::Returned | Next::End => false,
            _ if matches!(self.block().kind, BlockKind::Returned(_)) => self.machine().inserts(),
            _ => self.list.actions.iter().any(inserts),
        }
    }

    /// Stops, so that a text that was inserted is read before the machine goes on.
    pub(super) fn insertion(&self) -> TokenStream {
        let state = self.next_state();
        quote! {
            if core.has_insertion() {
                core.state = #state;
                return rt::Stop { reason: rt::Reason::Insert, consumed: pos };
            }
        }
    }

    /// The state in which the machine goes on, if it goes on in one.
    pub(super) fn next_state(&self) -> TokenStream {
        match self.list.next {
            Next::State(state) => self.state_name(state),
            Next::ReturnState => quote! { core.return_state },
            _ => self.state_name(self.state()),
        }
    }

    /// The code of an action on what a document declares for itself.
    pub(super) fn declaration(&self, action: &Action) -> TokenStream {
        match action {
            Action::Create(TokenKind::ProcessingInstruction) => {
                quote! { core.processing_instruction.create(); }
            }
            Action::Create(TokenKind::Entity) => quote! { core.declarations.create_entity(); },
            Action::Create(TokenKind::AttributeList) => {
                quote! { core.declarations.tag_name.clear(); }
            }
            Action::StartDeclaration => quote! { core.declarations.start_declaration(); },
            Action::AppendDeclaration => {
                quote! { core.declarations.append_declaration(source); }
            }
            Action::AppendEntity(list) => {
                let list = entity_list(*list);
                quote! { core.declarations.append_entity(source, #list); }
            }
            Action::Insert(list, escape) => {
                let list = entity_list(*list);
                let inside = self.machine().state(self.state()).procedure.is_some();
                let from = if inside {
                    quote! { None }
                } else {
                    quote! { Some(pos) }
                };
                quote! { core.insert((#list, #escape), source, #from, here); }
            }
            // The others are where the row goes, not what it does.
            _ => TokenStream::new(),
        }
    }
}
