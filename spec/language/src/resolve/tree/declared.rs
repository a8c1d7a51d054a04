//! Resolves declarations of tree construction: scopes, flags, pointers, tables of names, and the links between modes
//! and a tokenizer.

use super::super::Resolver;
use crate::diagnostic::{BAD_PATTERN, DUPLICATE_NAME, Diagnostic, MISSING_DECLARATION};
use crate::model::Action;
use crate::model::tree::{
    Adjustment, Adjustments, Answer, Dispatch, DoctypeQuestion, DoctypeTest, Doctypes, ElementName,
    ElementRow, Feedback, FeedbackEffect, FeedbackId, Fostering, Fragment, IntegrationPoint,
    Pointer,
};
use crate::syntax::{self, Item, ItemBody, Span, Table, Word, Words};
use crate::vocabulary::tree::ATTRIBUTE_NAMESPACES;
use crate::vocabulary::{self, HasForms, SELECTED_CONTENT};

impl Resolver {
    /// Declares the names of tree construction (first pass).
    pub(super) fn declare_tree_item(&mut self, item: &Item) {
        let name = &item.name;
        match &item.body {
            ItemBody::Pointers(names) => {
                for name in names {
                    self.declare_unique(name, "pointer");
                    let (name, span) = (name.value.clone(), name.span);
                    self.tree.construction.pointers.push(Pointer { name, span });
                }
            }
            ItemBody::Scope(set) => {
                self.declare_unique(name, "scope");
                let set = self.resolve_set(name, set);
                self.tree.construction.scopes.push(set);
            }
            ItemBody::Adjustments(entries) => self.declare_adjustments(name, entries),
            ItemBody::Doctypes { ignoring_case, tests } => {
                self.declare_unique(name, "set of DOCTYPEs");
                let test = |resolver: &mut Self, parts: &Vec<Words>| {
                    parts.iter().filter_map(|part| resolver.resolve_doctype_test(part)).collect()
                };
                let tests = tests.iter().map(|parts| test(self, parts)).collect();
                self.tree.construction.doctypes.push(Doctypes {
                    name: name.value.clone(),
                    span: name.span,
                    ignoring_case: *ignoring_case,
                    tests,
                });
            }
            ItemBody::Feedback(_) => {
                self.declare_unique(name, "tokenizer command");
                let (word, span) = (name.value.clone(), name.span);
                self.tree.construction.feedback.push(Feedback { word, span, effect: None });
            }
            _ => {}
        }
    }

    fn declare_adjustments(&mut self, name: &Word, entries: &[syntax::ParsedAdjustment]) {
        self.declare_unique(name, "table of adjustments");
        let mut all: Vec<(Adjustment, Span)> = Vec::new();
        for entry in entries {
            if let Some((_, span)) = all.iter().find(|(other, _)| other.from == entry.from.value) {
                let message =
                    format!("the adjustment of `{}` is declared more than once", entry.from.value);
                let twice = Diagnostic::new(DUPLICATE_NAME, entry.from.span, message);
                self.report(twice.and(*span, "first declared here").help("remove one of them"));
                continue;
            }
            let namespace = entry.namespace.as_deref().map(|word| {
                vocabulary::find(ATTRIBUTE_NAMESPACES, word)
                    .expect("the grammar accepts only known namespaces")
            });
            let (from, to) = (entry.from.value.clone(), entry.to.value.clone());
            all.push((Adjustment { from, namespace, to }, entry.from.span));
        }
        let mut entries: Vec<Adjustment> = all.into_iter().map(|(entry, _)| entry).collect();
        entries.sort_by(|one, other| one.from.cmp(&other.from));
        let (name, span) = (name.value.clone(), name.span);
        self.tree.construction.adjustments.push(Adjustments { name, span, entries });
    }

    fn resolve_doctype_test(&mut self, words: &Words) -> Option<DoctypeTest> {
        let Some(questions) = self.build::<DoctypeQuestion>(words) else {
            self.report_unknown(DoctypeQuestion::FAMILY, words, BAD_PATTERN);
            return None;
        };
        let question = questions.into_iter().next()?;
        Some(DoctypeTest { negated: words.negated, question })
    }

    /// Resolves declarations that refer to modes, steps and states (second pass).
    pub(super) fn resolve_late_declarations(&mut self, table: &Table) {
        for item in &table.items {
            let name = &item.name;
            match &item.body {
                ItemBody::Dispatch { mode, condition } => {
                    let mode = self.mode_id(&mode.value, mode.span);
                    if let Some(condition) = self.conditions(condition) {
                        let condition = condition.value;
                        self.tree.construction.dispatch = Some(Dispatch { mode, condition });
                    }
                }
                ItemBody::IntegrationPoints(points) => {
                    for point in points {
                        let names = self.element_names(&point.name.value, point.name.span);
                        let point =
                            |name| IntegrationPoint { name, attribute: point.attribute.clone() };
                        let points = names.into_iter().map(point);
                        self.tree.construction.integration_points.extend(points);
                    }
                }
                ItemBody::Unacknowledged(error) => {
                    let parts = [("self-closing", true), ("attribute", false)];
                    let what = "a part of a tag that can be unacknowledged";
                    let is_flag = self.word_of(&parts, &name.value, name.span, what);
                    let error = Some(self.error_id(&error.value, error.span));
                    match is_flag {
                        Some(true) => self.tree.construction.unacknowledged = error,
                        Some(false) => self.tree.construction.left_out = error,
                        None => {}
                    }
                }
                ItemBody::Reset(rows) => {
                    let rows = rows.iter().map(|row| self.resolve_element_row(row)).collect();
                    self.tree.construction.reset = Some(rows);
                }
                ItemBody::Fragment { root, rows } => {
                    let root = root.value.clone();
                    // Every row of `fragment` that matches runs, independently of the other rows, so `else`, which
                    // depends on them, is rejected.
                    if let Some(row) = rows.iter().find(|row| row.patterns.is_empty()) {
                        let message = "`fragment` has no `else` rows";
                        let help = "name the context elements that need the steps";
                        self.report(Diagnostic::new(BAD_PATTERN, row.span, message).help(help));
                    }
                    let rows = rows.iter().map(|row| self.resolve_element_row(row)).collect();
                    self.tree.construction.fragment = Some(Fragment { root, rows });
                }
                ItemBody::SelectedContent(clauses) => {
                    let content =
                        self.resolve_clauses("selected-content", SELECTED_CONTENT, clauses);
                    self.tree.construction.selected_content = Some(content);
                }
                ItemBody::Fostering { names, beside } => {
                    let mut targets = Vec::new();
                    for name in names {
                        targets.extend(self.element_names(&name.value, name.span));
                    }
                    self.tree.construction.fostering =
                        Some(Fostering { targets, beside: beside.value.clone() });
                }
                ItemBody::Answer { value, condition } => {
                    let answer = self.resolve_answer(name, value, condition);
                    self.tree.construction.answers.extend(answer);
                }
                ItemBody::Feedback(action) => {
                    let effect = self.resolve_feedback_effect(action);
                    let words = &mut self.tree.construction.feedback;
                    if let Some(known) = words.iter_mut().find(|other| other.word == name.value) {
                        known.effect = effect;
                    }
                }
                _ => {}
            }
        }
    }

    fn resolve_element_row(&mut self, row: &syntax::ParsedElementRow) -> ElementRow {
        let mut names: Vec<ElementName> = Vec::new();
        for name in &row.patterns {
            names.extend(self.element_names(&name.value, name.span));
        }
        self.row_with(row, names)
    }

    fn resolve_answer(
        &mut self,
        flag: &Word,
        value: &Word,
        condition: &syntax::Conditions,
    ) -> Option<Answer> {
        let id = self.flag_id(&flag.value, flag.span)?;
        let index = self.flag_value(id, &value.value, value.span)?;
        let condition = self.conditions(condition)?.value;
        Some(Answer { flag: id, value: index, condition })
    }

    /// Resolves the effect of a command to the tokenizer: switching to a state or setting a flag. Returns `None`, after
    /// a report, for any other action.
    fn resolve_feedback_effect(&mut self, words: &Words) -> Option<FeedbackEffect> {
        let actions = self.action::<Action>(words);
        let action = &actions.first()?.value;
        if let Action::Switch(state) = action {
            return Some(FeedbackEffect::Switch(*state));
        }
        if let Action::SetFlag(flag, value) = action {
            return Some(FeedbackEffect::SetFlag(*flag, *value));
        }
        let message = "a `tokenizer` word can only switch to a state or set a flag";
        let help = "write `switch STATE`, or `set FLAG VALUE`";
        self.report(Diagnostic::new(BAD_PATTERN, words.span, message).help(help));
        None
    }

    /// Returns the id of a command to the tokenizer. An undeclared command is added to the model, and reported if the
    /// table has states.
    pub(in crate::resolve) fn feedback_id(&mut self, word: &str, span: Span) -> FeedbackId {
        let words = &mut self.tree.construction.feedback;
        if let Some(index) = words.iter().position(|other| other.word == word) {
            return FeedbackId(index as u8);
        }
        if !self.declared("state").is_empty() {
            let message = format!("the machine does not define `tokenizer {word}`");
            let help = format!("declare it: `tokenizer {word} => switch STATE;`");
            self.report(Diagnostic::new(MISSING_DECLARATION, span, message).help(help));
        }
        let words = &mut self.tree.construction.feedback;
        words.push(Feedback { word: word.to_owned(), span, effect: None });
        FeedbackId((words.len() - 1) as u8)
    }
}
