//! Parsing of the expressions that lexemes consist of.

use super::grammar::Rule;
use super::{Node, SyntaxReader, children, span};
use crate::syntax::{LexemeExpression, Spanned};

impl SyntaxReader {
    pub(super) fn expression(&mut self, pair: Node<'_>) -> Spanned<LexemeExpression> {
        let span = span(&pair);
        let mut parts: Vec<Spanned<LexemeExpression>> =
            children(pair).map(|sequence| self.sequence(sequence)).collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => Spanned { value: LexemeExpression::Alternatives(parts), span },
        }
    }

    fn sequence(&mut self, pair: Node<'_>) -> Spanned<LexemeExpression> {
        let span = span(&pair);
        let mut parts: Vec<Spanned<LexemeExpression>> =
            children(pair).map(|part| self.repeated(part)).collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => Spanned { value: LexemeExpression::Sequence(parts), span },
        }
    }

    fn repeated(&mut self, pair: Node<'_>) -> Spanned<LexemeExpression> {
        let whole = span(&pair);
        let mut parts = children(pair);
        let part = parts.next().expect("the grammar requires this part");
        let span = span(&part);
        let inner = match part.as_rule() {
            Rule::group => {
                self.expression(children(part).next().expect("the grammar requires this part"))
            }
            Rule::data => {
                let inner =
                    self.expression(children(part).next().expect("the grammar requires this part"));
                Spanned { value: LexemeExpression::Data(Box::new(inner)), span }
            }
            Rule::string => Spanned { value: LexemeExpression::Text(self.string(part)), span },
            Rule::name => Spanned { value: LexemeExpression::Name(part.as_str().to_owned()), span },
            _ => {
                let mut ends: Vec<char> = match part.as_rule() {
                    Rule::character => vec![self.character(part)],
                    _ => children(part).map(|end| self.character(end)).collect(),
                };
                let last = ends.pop().unwrap_or_default();
                let first = ends.pop().unwrap_or(last);
                if first > last {
                    self.bad_literal(
                        span,
                        "the range is empty: its first character comes after its last".to_owned(),
                        "swap the ends: `FIRST..=LAST`",
                    );
                }
                Spanned { value: LexemeExpression::Characters(first, last), span }
            }
        };
        let Some(repetition) = parts.next() else { return inner };
        let (at_least_once, many) = match repetition.as_str() {
            "+" => (true, true),
            "*" => (false, true),
            _ => (false, false),
        };
        let inner = Box::new(inner);
        Spanned { value: LexemeExpression::Repeated { inner, at_least_once, many }, span: whole }
    }
}
