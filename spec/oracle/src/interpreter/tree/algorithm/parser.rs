//! Conditions and changes for the parser: its flags, its context element, its stack, and its input.

use super::super::TreeBuilder;
use super::{Frame, Invocation, Value};
use tabulex_language::model::tree::algorithm::{ParserEffect, ParserQuestion, ScriptingMode};

impl<'m> TreeBuilder<'m> {
    /// Applies an effect on the parser; returns `None` if an operand is missing.
    pub(super) fn apply_parser_effect(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        effect: &'m ParserEffect,
    ) -> Option<()> {
        match effect {
            ParserEffect::SetDocumentMode(document, mode) => {
                if self.node(frame, invocation, document)? == 0 {
                    self.document_mode = *mode;
                }
            }
            ParserEffect::NewParser(_, allows, flag) => {
                let allows = matches!(self.value(frame, invocation, allows), Value::Truth(true));
                self.flags[usize::from(flag.0)] = u8::from(allows);
            }
            ParserEffect::SetContext(node) => self.context = self.node(frame, invocation, node),
            ParserEffect::SetScripting(mode, flag) => {
                let Value::Scripting(mode) = self.value(frame, invocation, mode) else {
                    return None;
                };
                self.flags[usize::from(flag.0)] = u8::from(mode != ScriptingMode::Disabled);
            }
            ParserEffect::SetOpen(node) => self.open = vec![self.node(frame, invocation, node)?],
            ParserEffect::SetRootTarget(node) => {
                self.root_target = self.node(frame, invocation, node)
            }
            ParserEffect::SetStartTag(node, token) => {
                let node = self.node(frame, invocation, node)?;
                let Value::Token(token) = self.value(frame, invocation, token) else { return None };
                self.record_integration_point(node, &token.attributes);
            }
            ParserEffect::SetInput(text) => {
                self.input_stream = Some(self.text_value(frame, invocation, text));
            }
        }
        Some(())
    }

    /// Whether the condition about the parser holds.
    pub(super) fn parser_condition_holds(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        question: &'m ParserQuestion,
    ) -> bool {
        match question {
            ParserQuestion::IsFragment => self.context.is_some(),
            ParserQuestion::HasOneOpen => self.open.len() == 1,
            ParserQuestion::IsScripting(mode, these) => {
                let mode = self.value(frame, invocation, mode);
                matches!(mode, Value::Scripting(mode) if these.contains(&mode))
            }
            ParserQuestion::ScriptingIsDisabled(document, flag) => {
                let document = self.node(frame, invocation, document);
                let mut ancestors = self.surroundings.iter();
                let is_set = |flags: &[u8]| flags[usize::from(flag.0)] != 0;
                ancestors.any(|it| Some(it.document) == document && !is_set(&it.flags))
            }
            ParserQuestion::IsInDocumentMode(document, mode) => {
                let document = self.node(frame, invocation, document);
                let mut ancestors = self.surroundings.iter();
                ancestors.any(|it| Some(it.document) == document && it.mode == *mode)
            }
        }
    }
}
