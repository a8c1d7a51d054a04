//! The effects of rows on the input ranges of fields. An observable field has a range in every state that appends to
//! it.

use super::fields::field;
use super::row::Row;
use crate::lower::Next;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, Field, StateId, Text, TokenKind};

impl Row<'_, '_> {
    /// Generates code that starts the ranges of the fields to which a state appends.
    pub(super) fn open_ranges_of(&self, state: StateId) -> TokenStream {
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

    /// Whether the row clears the field and adds nothing to it.
    fn has_cleared(&self, name: Field) -> bool {
        is_cleared_by(&self.list.actions, name)
    }

    /// Whether the field has a range after the row.
    pub(super) fn starts_range(&self, name: Field) -> bool {
        let opens = |state: StateId| self.machine().fields_opened_by(state).contains(&name);
        let is_opened = matches!(self.list.next, Next::State(state) if opens(state));
        is_opened || self.appends_to(name)
    }

    /// Whether the row's last change of the field appends the consumed input, which starts a range.
    fn appends_to(&self, name: Field) -> bool {
        let changes = |action: &&Action| clears(action, name) || fills(action, name);
        let last = self.list.actions.iter().rfind(changes);
        matches!(last, Some(Action::Append(Text::Current | Text::Lower, _)))
    }
}

/// Whether the actions clear the field and add nothing to it.
pub(super) fn is_cleared_by(actions: &[Action], name: Field) -> bool {
    actions.iter().any(|action| clears(action, name))
        && !actions.iter().any(|action| fills(action, name))
}

/// Whether an action clears the field.
fn clears(action: &Action, name: Field) -> bool {
    match action {
        Action::Create(TokenKind::StartTag | TokenKind::EndTag) => name == Field::TagName,
        Action::Create(TokenKind::Declared(token)) => {
            matches!(name, Field::Declared(field) if field.token == *token)
        }
        Action::StartAttribute => matches!(name, Field::AttributeName | Field::AttributeValue),
        // These actions clear no field that has a range; `Set` and `Edit` replace the field's text instead.
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
        | Action::Edit(..)
        | Action::RememberPlace
        | Action::GoBack
        | Action::StartDeclaration
        | Action::CollapseDeclaredValues
        | Action::AppendDeclaration
        | Action::AppendEntity(_)
        | Action::Insert(..) => false,
    }
}

/// Whether an action adds text to the field.
fn fills(action: &Action, name: Field) -> bool {
    matches!(action, Action::Append(_, field) | Action::Set(field, _) if *field == name)
        || matches!(action, Action::BeginField(field) if Field::Declared(*field) == name)
}

/// Whether tokens expose the range of the field.
pub(super) fn is_observable(name: Field) -> bool {
    matches!(
        name,
        Field::TagName | Field::AttributeName | Field::AttributeValue | Field::Declared(_)
    )
}
