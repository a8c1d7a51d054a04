//! What a row does to the ranges of fields: which it leaves with a range, which without. It makes no other code. Invariant:
//! a field that tokens show has a range in each state that appends to it.

use super::fields::field;
use super::row::Row;
use crate::lower::Next;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, Field, StateId, Text, TokenKind};

impl Row<'_, '_> {
    /// Gives ranges to fields that the state expects to have them.
    pub(super) fn opened_by(&self, state: StateId) -> TokenStream {
        let fields = self.machine().fields_opened_by(state).into_iter();
        let fields = fields.filter(|field| is_observable(*field) && !self.appends_to(*field));
        let fields = fields.map(|name| {
            let register = field(name);
            match self.has_cleared(name) {
                true => quote! { #register.begin(base, pos); },
                false => quote! { #register.open(base, pos); },
            }
        });
        quote! { #(#fields)* }
    }

    /// Whether the row itself empties the field and appends nothing to it.
    fn has_cleared(&self, name: Field) -> bool {
        is_cleared_by(&self.list.actions, name)
    }

    /// Whether the field has a range when the row is done.
    pub(super) fn gives_range(&self, name: Field) -> bool {
        let opens = |state: StateId| self.machine().fields_opened_by(state).contains(&name);
        let is_opened = matches!(self.list.next, Next::State(state) if opens(state));
        is_opened || self.appends_to(name)
    }

    /// Whether the last thing that the row does with the field is to append what it consumes, which gives it a range.
    fn appends_to(&self, name: Field) -> bool {
        let last = |action: &&Action| clears(action, name) || fills(action, name);
        let last = self.list.actions.iter().rfind(last);
        matches!(last, Some(Action::Append(Text::Current | Text::Lower, _)))
    }
}

/// Whether the actions empty the field and append nothing to it.
pub(super) fn is_cleared_by(actions: &[Action], name: Field) -> bool {
    actions.iter().any(|action| clears(action, name))
        && !actions.iter().any(|action| fills(action, name))
}

/// Whether the action empties the field.
fn clears(action: &Action, name: Field) -> bool {
    match action {
        Action::Create(TokenKind::StartTag | TokenKind::EndTag) => name == Field::TagName,
        Action::Create(TokenKind::Declared(token)) => {
            matches!(name, Field::Declared(field) if field.token == *token)
        }
        Action::StartAttribute => matches!(name, Field::AttributeName | Field::AttributeValue),
        // A new token of another kind has no field with a range; what these set is no field of a tag.
        Action::Switch(_)
        | Action::SwitchReturnState
        | Action::SwitchPushedState
        | Action::PushState(_)
        | Action::Increase(_)
        | Action::Decrease(_)
        | Action::EmitInside(_)
        | Action::Reconsume
        | Action::Ignore
        | Action::AsElse
        | Action::Error(_)
        | Action::ErrorAfter(_)
        | Action::Create(_)
        | Action::DropDuplicateAttribute(_)
        | Action::Append(..)
        | Action::Set(..)
        | Action::SetTokenFlag(_)
        | Action::SetFlag(..)
        | Action::SetReturnState(_)
        | Action::SetAdditionalAllowedCharacter(_)
        | Action::SetNumber(_)
        | Action::AddDigit(_)
        | Action::SetNumberToData(..)
        | Action::MatchReference(_)
        | Action::EmitText(_)
        | Action::EmitToken(_)
        | Action::EmitEndOfFile
        | Action::Stop
        | Action::ReturnNothing
        | Action::Return(_)
        | Action::EmitShortEndTag
        | Action::BeginToken
        | Action::BeginField(_)
        | Action::JoinSurrogates
        | Action::StartDeclaration
        | Action::AppendDeclaration
        | Action::AppendEntity(_)
        | Action::Insert(..) => false,
    }
}

/// Whether the action puts something into the field.
fn fills(action: &Action, name: Field) -> bool {
    matches!(action, Action::Append(_, field) | Action::Set(field, _) if *field == name)
        || matches!(action, Action::BeginField(field) if Field::Declared(*field) == name)
}

/// Whether the range of the field can be seen in a token.
pub(super) fn is_observable(name: Field) -> bool {
    matches!(
        name,
        Field::TagName | Field::AttributeName | Field::AttributeValue | Field::Declared(_)
    )
}
