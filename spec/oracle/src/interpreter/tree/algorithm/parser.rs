//! Conditions and effects of algorithms on the parser: flags, context element, stack of open elements, and input.

use super::{Execution, Value};
use tabulex_language::model::tree::algorithm::{ParserEffect, ParserQuestion, ScriptingMode};

impl<'m> Execution<'_, 'm> {
    /// Applies an effect on the parser; returns `None` if an operand is missing.
    pub(super) fn apply_parser_effect(&mut self, effect: &'m ParserEffect) -> Option<()> {
        match effect {
            ParserEffect::SetDocumentMode(document, mode) => {
                if self.node(document)? == 0 {
                    self.builder.document_mode = *mode;
                }
            }
            ParserEffect::NewParser(_, value, flag) => {
                let is_set = matches!(self.value(value), Value::Truth(true));
                self.builder.flags[usize::from(flag.0)] = u8::from(is_set);
            }
            ParserEffect::SetContext(node) => self.builder.context = self.node(node),
            ParserEffect::SetScripting(mode, flag) => {
                let Value::Scripting(mode) = self.value(mode) else {
                    return None;
                };
                self.builder.flags[usize::from(flag.0)] = u8::from(mode != ScriptingMode::Disabled);
            }
            ParserEffect::SetOpen(node) => self.builder.open = vec![self.node(node)?],
            ParserEffect::SetRootTarget(node) => self.builder.root_target = self.node(node),
            ParserEffect::SetStartTag(node, token) => {
                let node = self.node(node)?;
                let Value::Token(token) = self.value(token) else { return None };
                self.builder.record_integration_point(node, &token.attributes);
            }
            ParserEffect::SetInput(text) => {
                self.builder.input_stream = Some(self.text_value(text));
            }
        }
        Some(())
    }

    /// Whether a condition about the parser holds.
    pub(super) fn parser_condition_holds(&mut self, question: &'m ParserQuestion) -> bool {
        match question {
            ParserQuestion::IsFragment => self.builder.context.is_some(),
            ParserQuestion::HasOneOpen => self.builder.open.len() == 1,
            ParserQuestion::IsScripting(mode, these) => {
                let mode = self.value(mode);
                matches!(mode, Value::Scripting(mode) if these.contains(&mode))
            }
            ParserQuestion::ScriptingIsDisabled(document, flag) => {
                let document = self.node(document);
                let mut surroundings = self.builder.surroundings.iter();
                let is_set = |flags: &[u8]| flags[usize::from(flag.0)] != 0;
                surroundings.any(|it| Some(it.document) == document && !is_set(&it.flags))
            }
            ParserQuestion::IsInDocumentMode(document, mode) => {
                let document = self.node(document);
                let mut surroundings = self.builder.surroundings.iter();
                surroundings.any(|it| Some(it.document) == document && it.mode == *mode)
            }
        }
    }
}
