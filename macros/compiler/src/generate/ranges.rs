//! The effects of rows on the input ranges of fields. An observable field has a range in every state that appends to
//! it.

use super::fields::field;
use super::row::Row;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, ChangedValue, Field, Register, StateId, Text, Transfer};

impl Row<'_, '_> {
    /// Generates code that starts the ranges of the fields to which a state appends.
    pub(super) fn open_ranges_of(&self, state: StateId) -> TokenStream {
        let fields = self.machine().fields_opened_by(state).into_iter();
        let fields = fields.filter(|field| is_observable(*field) && !self.appends_to(*field));
        let fields = fields.map(|name| {
            let register = field(name);
            match is_cleared_by(&self.list.actions, name) {
                true => quote! { #register.begin(base, pos); },
                false => quote! { #register.open(base, pos); },
            }
        });
        quote! { #(#fields)* }
    }

    /// Whether the field has a range after the row.
    pub(super) fn starts_range(&self, name: Field) -> bool {
        let opens = |state: StateId| self.machine().fields_opened_by(state).contains(&name);
        let is_opened = matches!(self.list.next, Transfer::To(state) if opens(state));
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

/// Whether an action clears the field, because it begins the token or the attribute that has the field. `Set` and
/// `Edit` replace the field's text instead.
fn clears(action: &Action, name: Field) -> bool {
    let effects = action.effects();
    if let Field::Declared(field) = name {
        effects.changes == ChangedValue::Declared(field.token)
    } else if name == Field::TagName {
        effects.changes == ChangedValue::Tag
    } else {
        name.register() == Register::Attribute && effects.creates == Some(Register::Attribute)
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
