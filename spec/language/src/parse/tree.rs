//! Parsing of tree construction declarations.

use super::{Node, Rule, SyntaxReader, children, span, word};
use crate::syntax::{
    AlgorithmStep, ElementSet, Item, ParsedAdjustment, ParsedElementName, ParsedElementRow,
    ParsedIntegrationPoint, ParsedTokenPattern, Spanned, StepChange, StepEffect, Word,
};

impl SyntaxReader {
    /// Parses a declaration of tree construction; returns `None` for other rules.
    pub(super) fn tree_item(&mut self, rule: Rule, parts: Vec<Node<'_>>) -> Option<Item> {
        let mut inner = parts.into_iter();
        let mut next_part = || inner.next().expect("the declaration has another part");
        Some(match rule {
            Rule::dispatch => {
                let mode = word(next_part());
                Item::Dispatch { mode, condition: self.guard(next_part()) }
            }
            Rule::scope => Item::Scope(self.element_set(inner.collect())),
            Rule::name_set => Item::Names(self.element_set(inner.collect())),
            Rule::pointers => Item::Pointers(inner.map(word).collect()),
            Rule::integration_points => {
                Item::IntegrationPoints(inner.map(|part| self.integration_point(part)).collect())
            }
            Rule::adjustments => {
                let name = word(next_part());
                let entries = inner.map(|part| self.adjustment(part)).collect();
                Item::Adjustments { name, entries }
            }
            Rule::doctypes => {
                let name = word(next_part());
                let mut parts = inner.peekable();
                let is_ignoring_case = |part: &Node<'_>| part.as_rule() == Rule::ignoring_case;
                let ignoring_case = parts.next_if(is_ignoring_case).is_some();
                let parse_test =
                    |it: &mut Self, test| children(test).map(|part| it.words(part)).collect();
                let (tests, notes) = self.noted(parts, parse_test);
                Item::Doctypes { name, ignoring_case, tests, notes }
            }
            Rule::unacknowledged => {
                let (part, error) = (word(next_part()), word(next_part()));
                Item::Unacknowledged { part, error, notes: self.notes(inner) }
            }
            Rule::reset => {
                let (section, rows) = self.sectioned(inner, Self::element_row);
                Item::Reset { section, rows }
            }
            Rule::fragment => {
                let root = self.string_word(next_part());
                let (section, rows) = self.sectioned(inner, Self::element_row);
                Item::Fragment { root, section, rows }
            }
            Rule::selected_content => {
                let (mut pairs, mut notes) = (Vec::new(), Vec::new());
                while let Some(part) = inner.next() {
                    match part.as_rule() {
                        Rule::note => notes.push(self.note(part)),
                        _ => pairs
                            .extend(inner.next().map(|text| (word(part), self.string_word(text)))),
                    }
                }
                Item::SelectedContent(pairs, notes)
            }
            Rule::fostering => {
                let mut nodes: Vec<Node<'_>> = inner.collect();
                let beside =
                    self.string_word(nodes.pop().expect("`foster` has a string at its end"));
                let names = nodes.into_iter().map(|part| self.element_name(part)).collect();
                Item::Fostering { names, beside }
            }
            Rule::feedback => {
                let (word, action) = (word(next_part()), self.words(next_part()));
                Item::Feedback { word, action, notes: self.notes(inner) }
            }
            Rule::answer => {
                let (flag, value) = (word(next_part()), word(next_part()));
                Item::Answer { flag, value, condition: self.guard(next_part()) }
            }
            Rule::algorithm => {
                let name = word(next_part());
                let (section, steps) = self.sectioned(inner, Self::algorithm_step);
                Item::Algorithm { name, section, steps }
            }
            _ => return None,
        })
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

    fn element_set(&mut self, parts: Vec<Node<'_>>) -> ElementSet {
        let mut parts = parts.into_iter();
        let name = word(parts.next().expect("a set has a name"));
        let (mut members, mut except, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match part.as_rule() {
                Rule::note => notes.push(self.note(part)),
                Rule::except => {
                    except.extend(children(part).map(|part| self.element_name(part)));
                }
                _ => members.push(self.element_name(part)),
            }
        }
        ElementSet { name, members, except, notes }
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

    fn element_row(&mut self, pair: Node<'_>) -> ParsedElementRow {
        self.row(pair, Self::element_name)
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
