//! What a lexeme is made of. Invariant: as for the rest of the reader.

use super::grammar::Rule;
use super::{Node, Reader, children, place};
use crate::syntax::{Expression, Placed};

impl Reader {
    pub(super) fn expression(&mut self, pair: Node<'_>) -> Placed<Expression> {
        let place = place(&pair);
        let mut parts: Vec<Placed<Expression>> =
            children(pair).map(|sequence| self.sequence(sequence)).collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => Placed { value: Expression::Alternatives(parts), place },
        }
    }

    fn sequence(&mut self, pair: Node<'_>) -> Placed<Expression> {
        let place = place(&pair);
        let mut parts: Vec<Placed<Expression>> =
            children(pair).map(|part| self.repeated(part)).collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => Placed { value: Expression::Sequence(parts), place },
        }
    }

    fn repeated(&mut self, pair: Node<'_>) -> Placed<Expression> {
        let whole = place(&pair);
        let mut parts = children(pair);
        let part = parts.next().expect("the grammar says so");
        let place = place(&part);
        let inner = match part.as_rule() {
            Rule::group => self.expression(children(part).next().expect("the grammar says so")),
            Rule::data => {
                let inner = self.expression(children(part).next().expect("the grammar says so"));
                Placed { value: Expression::Data(Box::new(inner)), place }
            }
            Rule::string => Placed { value: Expression::Text(self.string(part)), place },
            Rule::name => Placed { value: Expression::Name(part.as_str().to_owned()), place },
            _ => {
                let mut ends: Vec<char> = match part.as_rule() {
                    Rule::character => vec![self.character(part)],
                    _ => children(part).map(|end| self.character(end)).collect(),
                };
                let last = ends.pop().unwrap_or_default();
                let first = ends.pop().unwrap_or(last);
                if first > last {
                    self.bad_literal(
                        place,
                        "the range is empty: its first character comes behind its last".to_owned(),
                    );
                }
                Placed { value: Expression::Characters(first, last), place }
            }
        };
        let Some(repetition) = parts.next() else { return inner };
        let (at_least_once, many) = match repetition.as_str() {
            "+" => (true, true),
            "*" => (false, true),
            _ => (false, false),
        };
        let inner = Box::new(inner);
        Placed { value: Expression::Repeated { inner, at_least_once, many }, place: whole }
    }
}
