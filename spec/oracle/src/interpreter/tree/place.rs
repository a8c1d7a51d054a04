//! Insertion points, and calls of the table's algorithms that insert nodes.

use super::algorithm::{Invocation, TagToken, Value};
use super::{NodeId, TokenView, TreeBuilder};
use crate::interpreter::{Span, Token};
use tabulex_language::model::tree::Insertion;
use tabulex_language::model::tree::algorithm::Routine;

/// A location at which to insert a node: in `parent`, before its child `before`, or at the end if that is `None`.
#[derive(Clone, Copy, Debug)]
pub(super) struct InsertionPoint {
    pub(super) parent: NodeId,
    pub(super) before: Option<NodeId>,
}

fn end_location(parent: NodeId) -> Value {
    Value::Location(InsertionPoint { parent, before: None })
}

impl TreeBuilder<'_> {
    /// Returns a copy of the current tag, if the token is a tag.
    pub(super) fn tag_token(&self) -> Option<TagToken> {
        let tag = self.tag.as_ref()?;
        let (name, attributes, span) = (tag.name.clone(), tag.attributes.clone(), tag.span);
        Some(TagToken { name, attributes, span })
    }

    /// Inserts an implied element with this name, and pushes it onto the stack of open elements.
    pub(super) fn insert_named(&mut self, local: &str, view: &TokenView<'_>) {
        let (name, attributes, span) = (local.to_owned(), Vec::new(), Span::default());
        let arguments = vec![Value::Token(TagToken { name, attributes, span })];
        self.run_routine(Routine::InsertElement, arguments, &Invocation::new(view));
    }

    pub(super) fn insert_character(&mut self, character: char, span: Span, view: &TokenView<'_>) {
        let invocation = Invocation { character: Some(character), span, ..Invocation::new(view) };
        self.run_routine(Routine::InsertCharacter, Vec::new(), &invocation);
    }

    /// Inserts a comment or processing instruction for the token; ignores other tokens.
    pub(super) fn insert_comment_or_instruction(
        &mut self,
        view: &TokenView<'_>,
        insertion: Insertion,
    ) {
        let routine = match view {
            TokenView::Token(Token::Comment { .. }) => Routine::InsertComment,
            TokenView::Token(Token::ProcessingInstruction { .. }) => {
                Routine::InsertProcessingInstruction
            }
            TokenView::Token(_) | TokenView::Character(..) | TokenView::Text(..) => return,
        };
        let location = match insertion {
            Insertion::Appropriate => None,
            Insertion::Document => Some(end_location(0)),
            Insertion::Root => Some(end_location(self.open.first().copied().unwrap_or(0))),
        };
        self.run_routine(routine, location.into_iter().collect(), &Invocation::new(view));
    }
}
