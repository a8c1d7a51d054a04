//! Conditions and actions of modes on tokens of declared kinds. A missing field counts as empty.

use super::algorithm::{Invocation, TagToken, Value};
use super::{TokenView, TreeBuilder};
use crate::interpreter::{DeclaredField, Token};
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::{FieldId, TokenId};

impl TreeBuilder<'_> {
    /// Whether modes receive the token. Of tokens of a declared kind, modes receive those that some row matches and
    /// that are not part of another token.
    pub(super) fn is_passed_to_modes(&self, token: &Token) -> bool {
        let Token::Declared { name, is_inside, .. } = token else { return true };
        let kinds = self.construction.tokens.iter().zip(0..);
        let mut received_kinds = kinds.filter(|&(_, id)| self.construction.takes(TokenId(id)));
        !is_inside && received_kinds.any(|(kind, _)| kind.name == *name)
    }

    /// Whether the token has this field, with this text.
    pub(super) fn field_is(&self, view: &TokenView<'_>, field: FieldId, expected: &str) -> bool {
        self.field_of(view, field).is_some_and(|field| field.text == expected)
    }

    /// Returns the token's field, if the token is of the kind that declares the field.
    pub(super) fn field_of<'t>(
        &self,
        view: &TokenView<'t>,
        field: FieldId,
    ) -> Option<&'t DeclaredField> {
        let TokenView::Token(token) = view else { return None };
        let kind = &self.construction.tokens[usize::from(field.token.0)];
        let Token::Declared { name, fields, .. } = token else { return None };
        let field = fields.get(usize::from(field.index.checked_sub(kind.first)?));
        field.filter(|_| *name == kind.name)
    }

    pub(super) fn insert_element_of_field(&mut self, view: &TokenView<'_>, field: FieldId) {
        let Some(field) = self.field_of(view, field) else { return };
        let (name, attributes, span) = (field.text.clone(), Vec::new(), view.span());
        let arguments = vec![Value::Token(TagToken { name, attributes, span })];
        self.run_routine(Routine::InsertElement, arguments, &Invocation::new(view));
    }
}
