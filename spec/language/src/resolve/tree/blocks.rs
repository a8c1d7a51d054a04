//! Resolves steps of algorithms with inner steps: branches, choices and repetitions. Variables and labels of inner
//! steps are visible only there, except variables that all branches set.

use super::super::Resolver;
use super::algorithm::{Body, Line, is_word, lines, word_of};
use super::phrase::Scope;
use crate::diagnostic::{DUPLICATE_NAME, Diagnostic};
use crate::model::tree::algorithm::{MemberKind, RunStep, ValueKind, VariableId};
use crate::syntax::{AlgorithmStep, Argument, Spanned, Words};

impl Resolver {
    /// Declares the labels among consecutive steps, which are visible in all of these steps and in their inner steps.
    fn declare_labels(&mut self, lines: &[Line<'_>], scope: &mut Scope) {
        for (words, _) in lines {
            let [first, label] = &words.arguments[..] else { continue };
            let (true, Argument::Name(label)) = (is_word(first, "at"), &label.value) else {
                continue;
            };
            let mut visible = scope.visible_labels.iter();
            if visible.any(|&other| scope.labels[usize::from(other)] == *label) {
                let message = format!("the label `{label}` is declared more than once");
                let help = "give one of them another name";
                self.report(Diagnostic::new(DUPLICATE_NAME, words.span, message).help(help));
            }
            scope.visible_labels.extend(u8::try_from(scope.labels.len()).ok());
            scope.labels.push(label.clone());
        }
    }

    /// Resolves consecutive steps; in a choice, conditions after the first are `otherwise` branches.
    pub(super) fn resolve_steps(
        &mut self,
        lines: &[Line<'_>],
        body: &mut Body,
        is_choice: bool,
    ) -> Vec<RunStep> {
        let labels = body.scope.visible_labels.len();
        self.declare_labels(lines, &mut body.scope);
        let mut steps: Vec<RunStep> = Vec::new();
        // `branches` holds the variables that all branches so far set. `before` tells whether these branches are valid;
        // `None` if no `otherwise` can follow.
        let (mut branches, mut before): (Vec<VariableId>, Option<bool>) = (Vec::new(), None);
        for (at, &(words, inner)) in lines.iter().enumerate() {
            let arguments = &words.arguments[..];
            let is_otherwise = is_word(&arguments[0], "otherwise") || is_choice && at > 0;
            let is_final_otherwise = is_word(&arguments[0], "otherwise") && arguments.len() == 1;
            let branch_variables = body.scope.branch_variables.len();
            body.inner_variables.clear();
            if is_otherwise {
                body.scope.branch_variables.extend(&branches);
            }
            let spans = body.spans.len();
            // A final `otherwise` and `choose` do not become steps of their own, so they get no span.
            if !is_final_otherwise && !is_word(&arguments[0], "choose") {
                body.spans.push(words.span);
            }
            let step = self.resolve_step(words, inner, body);
            if step.as_ref().is_none_or(Vec::is_empty) {
                body.spans.truncate(spans);
            }
            body.scope.branch_variables.truncate(branch_variables);
            let inner_variables = std::mem::take(&mut body.inner_variables);
            if !is_otherwise {
                let is_when = is_word(&arguments[0], "when");
                branches = if is_when { inner_variables } else { Vec::new() };
                before = is_when.then_some(step.is_some());
                steps.extend(step.into_iter().flatten());
                continue;
            }
            branches.retain(|id| inner_variables.contains(id));
            match before {
                None => {
                    let message = "`otherwise` without a `when` before it";
                    let help = "write it directly after the steps of a `when`: `when … { … } otherwise { … }`";
                    self.report_misplaced(words.span, message, help);
                }
                // An earlier branch has an error, which has been reported.
                Some(false) => {}
                Some(true) => {
                    let is_resolved = step.is_some();
                    let otherwise = steps.last_mut().and_then(last_otherwise);
                    if let (Some(otherwise), Some(step)) = (otherwise, step) {
                        *otherwise = step;
                    }
                    before = (!is_final_otherwise).then_some(is_resolved);
                }
            }
            if is_final_otherwise {
                body.scope.visible.append(&mut branches);
            }
        }
        body.scope.visible_labels.truncate(labels);
        steps
    }

    /// Resolves a `when` with its inner steps.
    pub(super) fn resolve_when(
        &mut self,
        condition: &[Spanned<Argument>],
        inner: &[AlgorithmStep],
        words: &Words,
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        let condition = self.parse_words(words, body, |parser| parser.condition(condition));
        let then = self.resolve_block(inner, body, false);
        let otherwise = Vec::new();
        condition.map(|condition| vec![RunStep::When { condition, then, otherwise }])
    }

    /// Resolves a `choose`: branches of which only the first with a true condition runs. The words after `choose`,
    /// followed by `is`, are put before each condition, unless there are none or the first is `for`.
    pub(super) fn resolve_choose(
        &mut self,
        words: &Words,
        subject: &[Spanned<Argument>],
        inner: &[AlgorithmStep],
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        let name = |word: &str, span| Spanned { value: Argument::Name(word.to_owned()), span };
        let prefix = match subject {
            [] => Vec::new(),
            [first, ..] if is_word(first, "for") => Vec::new(),
            _ => [subject, &[name("is", words.span)]].concat(),
        };
        let entries = lines(inner);
        let mut branches: Vec<Words> = Vec::new();
        for (entry, _) in &entries {
            let [first, rest @ ..] = &entry.arguments[..] else { continue };
            let mut entry = (*entry).clone();
            if is_word(first, "when") {
                entry.arguments = [std::slice::from_ref(first), &prefix, rest].concat();
            } else if !is_word(first, "otherwise") {
                self.report_misplaced(
                    entry.span,
                    "`choose` can contain only `when` and `otherwise`",
                    "write it before the `choose`, or in the braces of a `when`",
                );
                return None;
            }
            branches.push(entry);
        }
        let steps = entries.iter().map(|(_, steps)| *steps);
        let lines: Vec<Line<'_>> = branches.iter().zip(steps).collect();
        Some(self.resolve_steps(&lines, body, true))
    }

    /// Resolves a `for-each`: a loop over children or attributes.
    pub(super) fn resolve_for_each(
        &mut self,
        words: &Words,
        about: &[Spanned<Argument>],
        inner: &[AlgorithmStep],
        body: &mut Body,
    ) -> Option<Vec<RunStep>> {
        let about_words: Vec<&str> = about.iter().map(word_of).collect();
        let (names, of, kind, members) = match about_words[..] {
            [_, _, "in", "attributes", "of", _, ..] => {
                (&about_words[..2], &about[5..], ValueKind::Token, None)
            }
            ["child", "of", .., "in-tree-order"] if about_words.len() > 3 => (
                &about_words[..1],
                &about[2..about.len() - 1],
                ValueKind::Node,
                Some(MemberKind::Children),
            ),
            ["attribute", "of", _, ..] => {
                (&about_words[..1], &about[2..], ValueKind::Node, Some(MemberKind::Attributes))
            }
            _ => return self.report_unknown_step(words, body),
        };
        let of = self.parse_words(words, body, |it| it.value(of, Some(kind)))?.0;
        let kind = match members {
            None => ValueKind::Text,
            Some(MemberKind::Children) => ValueKind::Node,
            Some(MemberKind::Attributes) => ValueKind::Attribute,
        };
        let visible = body.scope.visible.len();
        let variables: Option<Vec<VariableId>> =
            names.iter().map(|name| body.create_variable((*name).to_owned(), kind)).collect();
        let steps = self.resolve_block(inner, body, true);
        body.scope.visible.truncate(visible);
        match (&variables?[..], members) {
            (&[name], Some(members)) => Some(vec![RunStep::ForEach(name, members, of, steps)]),
            (&[name, value], None) => Some(vec![RunStep::ForEachAttribute(name, value, of, steps)]),
            _ => None,
        }
    }

    /// Resolves the inner steps of a step. `is_repeated` tells whether they run in a loop.
    pub(super) fn resolve_block(
        &mut self,
        inner: &[AlgorithmStep],
        body: &mut Body,
        is_repeated: bool,
    ) -> Vec<RunStep> {
        let visible = body.scope.visible.len();
        body.repetitions += usize::from(is_repeated);
        body.depth += 1;
        let steps = self.resolve_steps(&lines(inner), body, false);
        body.depth -= 1;
        body.repetitions -= usize::from(is_repeated);
        body.inner_variables = body.scope.visible.split_off(visible);
        steps
    }
}

/// Returns the list that receives the steps of a following `otherwise`; `None` if no `otherwise` can follow.
fn last_otherwise(step: &mut RunStep) -> Option<&mut Vec<RunStep>> {
    let RunStep::When { otherwise, .. } = step else { return None };
    match &mut otherwise[..] {
        [RunStep::When { .. }] => last_otherwise(&mut otherwise[0]),
        [] => Some(otherwise),
        _ => None,
    }
}
