//! Parsing of the expressions that lexemes consist of.

use super::grammar::Rule;
use super::{Node, SyntaxReader, children, span};
use crate::syntax::{ParsedLexemeExpression, Spanned};

impl SyntaxReader {
    pub(super) fn expression(&mut self, pair: Node<'_>) -> Spanned<ParsedLexemeExpression> {
        let span = span(&pair);
        let mut parts: Vec<Spanned<ParsedLexemeExpression>> =
            children(pair).map(|sequence| self.sequence(sequence)).collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => Spanned { value: ParsedLexemeExpression::Alternatives(parts), span },
        }
    }

    fn sequence(&mut self, pair: Node<'_>) -> Spanned<ParsedLexemeExpression> {
        let span = span(&pair);
        let mut parts: Vec<Spanned<ParsedLexemeExpression>> =
            children(pair).map(|part| self.repeated(part)).collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => Spanned { value: ParsedLexemeExpression::Sequence(parts), span },
        }
    }

    fn repeated(&mut self, pair: Node<'_>) -> Spanned<ParsedLexemeExpression> {
        let span_with_repetition = span(&pair);
        let mut parts = children(pair);
        let operand = parts.next().expect("a repetition has an operand");
        let span = span(&operand);
        let inner = match operand.as_rule() {
            Rule::group => {
                self.expression(children(operand).next().expect("a group has an expression"))
            }
            Rule::data => {
                let inner =
                    self.expression(children(operand).next().expect("data have an expression"));
                Spanned { value: ParsedLexemeExpression::Data(Box::new(inner)), span }
            }
            Rule::string => {
                Spanned { value: ParsedLexemeExpression::Text(self.string(operand)), span }
            }
            Rule::name => {
                Spanned { value: ParsedLexemeExpression::Name(operand.as_str().to_owned()), span }
            }
            _ => {
                let (first, last) = self.characters(operand);
                Spanned { value: ParsedLexemeExpression::Characters(first, last), span }
            }
        };
        let Some(repetition) = parts.next() else { return inner };
        let (at_least_once, many) = match repetition.as_str() {
            "+" => (true, true),
            "*" => (false, true),
            _ => (false, false),
        };
        let inner = Box::new(inner);
        Spanned {
            value: ParsedLexemeExpression::Repeated { inner, at_least_once, many },
            span: span_with_repetition,
        }
    }
}
