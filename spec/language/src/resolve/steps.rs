//! Resolves the steps of rows: actions, conditions and branches. States and modes differ in the vocabulary, and in the
//! actions and conditions that a table can define. An invalid condition is reported once, where it is written.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, Diagnostic, UNKNOWN_ACTION, UNKNOWN_CONDITION};
use crate::model::tree::{TreeAction, TreeCondition};
use crate::model::{Action, Condition, Row, Step};
use crate::syntax::{self, Conditions, ItemBody, Note, Span, Spanned, Table, Words, only_name};
use crate::vocabulary::HasForms;

/// The steps of an action that the table defines, and their notes.
type DefinedSteps<A> = (Vec<Step<A, <A as ActionVocabulary>::Condition>>, Vec<Note>);

/// The actions of states or of modes.
pub(super) trait ActionVocabulary: HasForms {
    /// The conditions that occur in the same steps.
    type Condition: ConditionVocabulary;

    /// Returns the steps and notes of the action that the table defines with this name; `None` if there is none, as
    /// always in modes.
    fn defined(_resolver: &Resolver, _name: &str) -> Option<DefinedSteps<Self>> {
        None
    }

    /// Whether the action requires named character references.
    fn requires_references(&self) -> bool {
        false
    }
}

/// The conditions of states or of modes.
pub(super) trait ConditionVocabulary: HasForms + Clone {
    /// Returns the conditions that the table defines, with their names; `None` stands for an invalid one.
    fn defined(resolver: &Resolver) -> &[(String, Option<Self>)];

    /// Returns the negation of the condition.
    fn negated(self) -> Self;

    /// Returns the conjunction of the conditions.
    fn all(parts: Vec<Self>) -> Self;

    /// Whether the condition requires named character references.
    fn requires_references(&self) -> bool {
        false
    }
}

impl ActionVocabulary for Action {
    type Condition = Condition;

    fn defined(resolver: &Resolver, name: &str) -> Option<(Vec<Step>, Vec<Note>)> {
        let (_, steps, notes) = resolver.actions.iter().find(|(other, ..)| other == name)?;
        Some((steps.clone(), notes.clone()))
    }

    fn requires_references(&self) -> bool {
        matches!(self, Self::MatchReference(_))
    }
}

impl ActionVocabulary for TreeAction {
    type Condition = TreeCondition;
}

impl ConditionVocabulary for Condition {
    fn defined(resolver: &Resolver) -> &[(String, Option<Self>)] {
        &resolver.conditions
    }

    /// Returns the negation of the condition; the negation of a negation is the inner condition.
    fn negated(self) -> Self {
        if let Self::Not(inner) = self { *inner } else { Self::Not(Box::new(self)) }
    }

    fn all(parts: Vec<Self>) -> Self {
        Self::All(parts)
    }

    fn requires_references(&self) -> bool {
        matches!(self, Self::DataIsReference(_))
    }
}

impl ConditionVocabulary for TreeCondition {
    fn defined(resolver: &Resolver) -> &[(String, Option<Self>)] {
        &resolver.tree.conditions
    }

    fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    fn all(parts: Vec<Self>) -> Self {
        Self::All(parts)
    }
}

impl Resolver {
    /// Resolves the conditions that the table defines; they may refer to earlier ones.
    pub(super) fn define_conditions(&mut self, table: &Table) {
        for item in &table.items {
            let (name, ItemBody::Condition(conditions)) = (&item.name, &item.body) else {
                continue;
            };
            if item.is_of_trees() {
                self.declare_unique(name, "condition of tree construction");
                let condition = self.conditions(conditions).map(|condition| condition.value);
                self.tree.conditions.push((name.value.clone(), condition));
            } else {
                self.declare_unique(name, "condition");
                let condition = self.conditions(conditions).map(|condition| condition.value);
                self.conditions.push((name.value.clone(), condition));
            }
        }
    }

    /// Resolves the actions that the table defines; they may refer to earlier ones.
    pub(super) fn define_actions(&mut self, table: &Table) {
        for item in table.items.iter().filter(|item| !item.is_of_trees()) {
            if let ItemBody::Steps(steps) = &item.body {
                self.declare_unique(&item.name, "action");
                let mut notes = Vec::new();
                let steps = self.steps(steps, &mut notes);
                self.actions.push((item.name.value.clone(), steps, notes));
            }
        }
    }

    /// Resolves the steps and the guard of a row, and returns the row with the given patterns.
    pub(super) fn row_with<P, Q, A: ActionVocabulary>(
        &mut self,
        row: &syntax::ParsedRow<P>,
        patterns: Vec<Q>,
    ) -> Row<Q, A, A::Condition> {
        let mut notes = Vec::new();
        let steps = self.steps(&row.steps, &mut notes);
        let guard = row.guard.as_ref().and_then(|conditions| self.conditions(conditions));
        let (text, doc) = (row.text.clone(), String::new());
        Row { span: row.span, text, doc, patterns, guard, notes, steps }
    }

    /// Resolves the steps of a row, and collects their notes.
    pub(super) fn steps<A: ActionVocabulary>(
        &mut self,
        steps: &[syntax::ParsedStep],
        notes: &mut Vec<Note>,
    ) -> Vec<Step<A, A::Condition>> {
        let mut resolved = Vec::new();
        for step in steps {
            match step {
                syntax::ParsedStep::Note(note) => notes.push(note.clone()),
                syntax::ParsedStep::Action(words) => {
                    match only_name(&words.arguments).and_then(|name| A::defined(self, name)) {
                        Some((steps, action_notes)) => {
                            notes.extend(action_notes);
                            resolved.extend(steps);
                        }
                        None => resolved.extend(self.action(words).into_iter().map(Step::Action)),
                    }
                }
                syntax::ParsedStep::When { condition, then, otherwise } => {
                    let then = self.steps(then, notes);
                    let otherwise = self.steps(otherwise, notes);
                    if let Some(condition) = self.conditions(condition) {
                        resolved.push(Step::When { condition, then, otherwise });
                    }
                }
            }
        }
        resolved
    }

    /// Resolves an action of the vocabulary; a shorthand form gives several. Returns no action, after a report, if the
    /// words are invalid.
    pub(super) fn action<A: ActionVocabulary>(&mut self, words: &Words) -> Vec<Spanned<A>> {
        let span = words.span;
        let Some(actions) = self.build::<A>(words) else {
            self.report_unknown(A::FAMILY, words, UNKNOWN_ACTION);
            return Vec::new();
        };
        if actions.iter().any(A::requires_references) {
            self.require_references(span);
        }
        actions.into_iter().map(|value| Spanned { value, span }).collect()
    }

    /// Resolves a combination of conditions. Returns `None` if one of them is invalid.
    pub(super) fn conditions<C: ConditionVocabulary>(
        &mut self,
        words: &Conditions,
    ) -> Option<Spanned<C>> {
        let parts: Vec<Option<C>> = words.parts.iter().map(|part| self.condition(part)).collect();
        let mut parts: Vec<C> = parts.into_iter().collect::<Option<_>>()?;
        // The model has no disjunction, so it becomes the negation of the conjunction of all negations.
        let value = match (parts.len(), words.any) {
            (1, _) => parts.remove(0),
            (_, false) => C::all(parts),
            (_, true) => C::all(parts.into_iter().map(C::negated).collect()).negated(),
        };
        Some(Spanned { value, span: words.span })
    }

    fn condition<C: ConditionVocabulary>(&mut self, words: &Words) -> Option<C> {
        let value = match self.build::<C>(words) {
            Some(conditions) => conditions.into_iter().next()?,
            None => {
                let is_named =
                    |(name, _): &&(String, Option<C>)| only_name(&words.arguments) == Some(name);
                let Some((_, defined)) = C::defined(self).iter().find(is_named) else {
                    self.report_unknown(C::FAMILY, words, UNKNOWN_CONDITION);
                    return None;
                };
                defined.clone()?
            }
        };
        if value.requires_references() {
            self.require_references(words.span);
        }
        Some(if words.negated { value.negated() } else { value })
    }

    /// Reports a use of named character references, if the machine has none.
    pub(super) fn require_references(&mut self, span: Span) {
        if self.machine.references.is_none() {
            let message = "the machine has no named character references";
            self.report(
                Diagnostic::new(BAD_PATTERN, span, message)
                    .help("declare them with `references \"FILE\";`"),
            );
        }
    }
}
