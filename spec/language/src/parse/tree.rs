//! Parsing of tree construction declarations.

use super::{Node, Parts, Rule, SyntaxReader, children, span, word};
use crate::syntax::{
    AlgorithmStep, ElementSet, ItemBody, ParsedAdjustment, ParsedElementName, ParsedElementRow,
    ParsedIntegrationPoint, ParsedTokenPattern, Spanned, StepChange, StepEffect, Word,
};

impl SyntaxReader {
    /// Parses what a declaration of tree construction declares, or the value of a declaration with one value.
    pub(super) fn tree_item(&mut self, rule: Rule, mut parts: Parts<'_>) -> ItemBody {
        let mut next_part =
            || parts.next().expect("a declaration has the parts that the grammar requires");
        match rule {
            Rule::dispatch => {
                let mode = word(next_part());
                ItemBody::Dispatch { mode, condition: self.guard(next_part()) }
            }
            Rule::scope => ItemBody::Scope(self.element_set(parts)),
            Rule::name_set => ItemBody::Names(self.element_set(parts)),
            Rule::pointers => ItemBody::Pointers(parts.map(word).collect()),
            Rule::integration_points => {
                let points = parts.map(|part| self.integration_point(part));
                ItemBody::IntegrationPoints(points.collect())
            }
            Rule::adjustments => {
                ItemBody::Adjustments(parts.map(|part| self.adjustment(part)).collect())
            }
            Rule::doctypes => {
                let is_ignoring_case = |part: &Node<'_>| part.as_rule() == Rule::ignoring_case;
                let ignoring_case = parts.next_if(is_ignoring_case).is_some();
                let parse_test = |test| children(test).map(|part| self.words(part)).collect();
                ItemBody::Doctypes { ignoring_case, tests: parts.map(parse_test).collect() }
            }
            Rule::unacknowledged => ItemBody::Unacknowledged(word(next_part())),
            Rule::reset => ItemBody::Reset(self.element_rows(parts)),
            Rule::fragment => {
                let root = self.string_word(next_part());
                ItemBody::Fragment { root, rows: self.element_rows(parts) }
            }
            Rule::selected_content => {
                ItemBody::SelectedContent(parts.map(|part| self.clause(part)).collect())
            }
            Rule::fostering => {
                let beside = parts.next_back().expect("`foster` has a string at its end");
                let beside = self.string_word(beside);
                let names = parts.map(|part| self.element_name(part)).collect();
                ItemBody::Fostering { names, beside }
            }
            Rule::feedback => ItemBody::Feedback(self.words(next_part())),
            Rule::answer => {
                let value = word(next_part());
                ItemBody::Answer { value, condition: self.guard(next_part()) }
            }
            Rule::algorithm => {
                ItemBody::Algorithm(parts.map(|step| self.algorithm_step(step)).collect())
            }
            _ => {
                let value = next_part();
                ItemBody::Setting(match value.as_rule() {
                    Rule::string => self.string_word(value),
                    _ => word(value),
                })
            }
        }
    }

    pub(super) fn step_change(&mut self, pair: Node<'_>) -> StepChange {
        let effect = match pair.as_rule() {
            Rule::preceding_steps => StepEffect::Preceded,
            Rule::following_steps => StepEffect::Followed,
            _ => StepEffect::Replaced,
        };
        let mut parts = children(pair);
        let words = self.words(parts.next().expect("a change names a step"));
        let steps = parts.next().map(|block| self.algorithm_steps(block)).unwrap_or_default();
        StepChange { effect, words, steps }
    }

    fn algorithm_steps(&mut self, block: Node<'_>) -> Vec<AlgorithmStep> {
        children(block).map(|step| self.algorithm_step(step)).collect()
    }

    fn algorithm_step(&mut self, pair: Node<'_>) -> AlgorithmStep {
        let mut parts = children(pair);
        let first = parts.next().expect("a step begins with words or a note");
        let head = match first.as_rule() {
            Rule::note => Err(self.note(first)),
            _ => Ok(self.words(first)),
        };
        let inner = parts.next().map(|block| self.algorithm_steps(block)).unwrap_or_default();
        match head {
            Ok(words) => AlgorithmStep::Step { words, inner },
            Err(note) => AlgorithmStep::Noted { note, inner },
        }
    }

    pub(super) fn guard(&mut self, pair: Node<'_>) -> crate::syntax::Conditions {
        self.conditions(children(pair).next().expect("a guard has conditions"))
    }

    fn element_set(&mut self, parts: Parts<'_>) -> ElementSet {
        let (mut members, mut except) = (Vec::new(), Vec::new());
        for part in parts {
            match part.as_rule() {
                Rule::except => {
                    except.extend(children(part).map(|part| self.element_name(part)));
                }
                _ => members.push(self.element_name(part)),
            }
        }
        ElementSet { members, except }
    }

    fn integration_point(&mut self, pair: Node<'_>) -> ParsedIntegrationPoint {
        let mut parts = children(pair);
        let name = self.element_name(parts.next().expect("an integration point has a name"));
        let attribute = match (parts.next(), parts.next()) {
            (Some(name), Some(value)) => Some((self.string(name), self.string(value))),
            _ => None,
        };
        ParsedIntegrationPoint { name, attribute }
    }

    fn adjustment(&mut self, pair: Node<'_>) -> ParsedAdjustment {
        let (mut strings, mut namespace): (Vec<Word>, _) = (Vec::new(), None);
        for part in children(pair) {
            match part.as_rule() {
                Rule::attribute_namespace => namespace = Some(part.as_str().to_owned()),
                _ => strings.push(self.string_word(part)),
            }
        }
        let to = strings.pop().expect("an adjustment has two strings");
        let from = strings.pop().expect("an adjustment has two strings");
        ParsedAdjustment { from, namespace, to }
    }

    fn element_rows(&mut self, parts: Parts<'_>) -> Vec<ParsedElementRow> {
        parts.map(|row| self.row(row, Self::element_name)).collect()
    }

    fn element_name(&mut self, pair: Node<'_>) -> Spanned<ParsedElementName> {
        let (span, mut namespace, mut value) =
            (span(&pair), None, ParsedElementName::Set(String::new()));
        for part in children(pair) {
            match part.as_rule() {
                Rule::namespace => namespace = Some(part.as_str().to_owned()),
                Rule::string => {
                    value = ParsedElementName::Local(namespace.take(), self.string(part))
                }
                _ => value = ParsedElementName::Set(part.as_str().to_owned()),
            }
        }
        Spanned { value, span }
    }

    pub(super) fn token_pattern(&mut self, pair: Node<'_>) -> Spanned<ParsedTokenPattern> {
        let span = span(&pair);
        let (mut kind, mut pattern) = (None, None);
        for part in children(pair) {
            match part.as_rule() {
                Rule::token_kind => kind = Some(part.as_str().to_owned()),
                _ => pattern = Some(self.pattern(part).value),
            }
        }
        Spanned { value: ParsedTokenPattern { kind, pattern }, span }
    }
}
