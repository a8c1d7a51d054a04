//! The paths through a row: one for each consistent combination of answers to its conditions, as a flat list of steps.
//! `as else` is expanded to the steps of the `else` row.

use crate::model::{
    Action, ChangedValue, Condition, EntityList, Field, FieldId, Machine, Pattern, Register, Row,
    Spanned, StateId, Step, TokenKind, Transfer,
};

/// Known answers to conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts(Vec<(Condition, bool)>);

/// A step of a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathStep<'m> {
    /// A condition is evaluated.
    Tested(&'m Spanned<Condition>),
    /// An action is executed.
    Executed(&'m Spanned<Action>),
    /// The steps of the `else` row follow, up to the next [`PathStep::EndOfElse`].
    AsElse(&'m Spanned<Action>),
    /// The steps of the `else` row end here.
    EndOfElse(&'m Spanned<Action>),
}

/// A path through a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Path<'m> {
    /// Answers to conditions that lead to the path.
    pub(super) facts: Facts,
    /// Steps of the path in order.
    pub(super) steps: Vec<PathStep<'m>>,
}

impl Facts {
    /// Returns the answer to the condition, if it follows from the known ones.
    pub(super) fn decide(&self, machine: &Machine, condition: &Condition) -> Option<bool> {
        if let Condition::Not(inner) = condition {
            return self.decide(machine, inner).map(|value| !value);
        }
        if let Condition::All(parts) = condition
            && let Some(answer) = conjunction(parts.iter().map(|it| self.decide(machine, it)))
        {
            return Some(answer);
        }
        if let Some((_, value)) = self.0.iter().find(|(other, _)| other == condition) {
            return Some(*value);
        }
        if self.0.iter().any(|(other, value)| *value && excludes(other, condition)) {
            return Some(false);
        }
        self.is_only_remaining_value(machine, condition).then_some(true)
    }

    /// Whether the condition tests a flag for the only value that the known answers do not exclude.
    fn is_only_remaining_value(&self, machine: &Machine, condition: &Condition) -> bool {
        let Condition::FlagIs(flag, _) = condition else { return false };
        let is_denied = |(other, value): &&(Condition, bool)| {
            !value && matches!(other, Condition::FlagIs(same, _) if same == flag)
        };
        let values = machine.flags[usize::from(flag.0)].values.len();
        self.0.iter().filter(is_denied).count() + 1 == values
    }

    /// Adds an answer. Returns false if it contradicts a known one.
    pub(super) fn assume(&mut self, machine: &Machine, condition: &Condition, value: bool) -> bool {
        if let Condition::Not(inner) = condition {
            return self.assume(machine, inner, !value);
        }
        if let Some(known) = self.decide(machine, condition) {
            return known == value;
        }
        if let (Condition::All(parts), true) = (condition, value) {
            return parts.iter().all(|part| self.assume(machine, part, true));
        }
        self.0.push((condition.clone(), value));
        true
    }

    /// Adds all answers of `others`. Returns false if one of them contradicts a known one.
    pub(super) fn assume_all(&mut self, machine: &Machine, others: &Self) -> bool {
        others.0.iter().all(|(condition, value)| self.assume(machine, condition, *value))
    }

    /// Removes answers that the action may change, and adds those that it implies.
    pub(super) fn apply_action(&mut self, machine: &Machine, action: &Action) {
        self.0.retain(|(condition, _)| !changes(machine, action, condition));
        if let Action::SetFlag(flag, value) = action {
            self.0.push((Condition::FlagIs(*flag, *value), true));
        } else if let Action::Set(Field::TemporaryBuffer, text) = action {
            self.0.push((Condition::TemporaryBufferIs(text.clone()), true));
        } else if let Action::Set(Field::Declared(field), text) = action {
            self.0.push((Condition::FieldIs(*field, text.clone()), true));
        } else if let Action::Create(TokenKind::Declared(token)) = action {
            let kind = machine.token(*token);
            for index in (kind.first..).take(kind.fields.len()) {
                let field = FieldId { token: *token, index };
                self.0.push((Condition::FieldIs(field, String::new()), true));
            }
        } else if let Action::SetReturnState(state) = action {
            self.0.push((Condition::ReturnStateIs(*state), true));
        } else if let Action::SetNumber(number) = action {
            self.0.push((Condition::NumberIs(*number), true));
        }
    }

    /// Whether the answers are possible if `caller` called the procedure and `return_state` is the return state; `None`
    /// stands for no caller and no return state.
    pub(super) fn allow(&self, caller: Option<StateId>, return_state: Option<StateId>) -> bool {
        let known = |condition: &Condition| {
            if let Condition::CalledBy(state) = condition {
                Some(caller == Some(*state))
            } else if let Condition::ReturnStateIs(state) = condition {
                Some(return_state == Some(*state))
            } else {
                None
            }
        };
        self.0.iter().all(|(condition, value)| answer(condition, &known) != Some(!value))
    }
}

/// Returns the answer to a condition, including negations and conjunctions, if enough is known.
fn answer(condition: &Condition, known: &dyn Fn(&Condition) -> Option<bool>) -> Option<bool> {
    if let Condition::Not(inner) = condition {
        return answer(inner, known).map(|value| !value);
    }
    let Condition::All(parts) = condition else { return known(condition) };
    conjunction(parts.iter().map(|part| answer(part, known)))
}

/// Returns the answer to a conjunction of conditions with these answers, if enough are known.
fn conjunction(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let answers: Vec<_> = answers.collect();
    match answers.contains(&Some(false)) {
        true => Some(false),
        false => answers.iter().all(Option::is_some).then_some(true),
    }
}

/// Whether the two conditions exclude each other.
fn excludes(one: &Condition, other: &Condition) -> bool {
    match (one, other) {
        (Condition::FlagIs(flag, a), Condition::FlagIs(same, b)) => flag == same && a != b,
        (Condition::TemporaryBufferIs(a), Condition::TemporaryBufferIs(b)) => a != b,
        (Condition::TagIs(a), Condition::TagIs(b)) => a != b,
        (Condition::TagNameIs(a), Condition::TagNameIs(b)) => a != b,
        (Condition::ReturnStateIs(a), Condition::ReturnStateIs(b)) => a != b,
        (Condition::NumberIs(a), Condition::NumberIs(b)) => a != b,
        (Condition::FieldIs(field, a), Condition::FieldIs(same, b)) => field == same && a != b,
        (Condition::ReferenceEndsWith(a), Condition::ReferenceEndsWith(b)) => a != b,
        _ => false,
    }
}

/// Whether the action may change the answer to the condition.
pub(super) fn changes(machine: &Machine, action: &Action, condition: &Condition) -> bool {
    let changed = action.effects().changes;
    let emits_tag = changed == ChangedValue::Emitted(Register::Tag);
    match condition {
        Condition::Not(inner) => changes(machine, action, inner),
        Condition::All(parts) => parts.iter().any(|part| changes(machine, action, part)),
        Condition::AppropriateEndTag | Condition::TagNameIs(_) | Condition::TagNameIn(_) => {
            emits_tag || matches!(changed, ChangedValue::Tag | ChangedValue::Field(Field::TagName))
        }
        Condition::TagIs(_) => emits_tag || changed == ChangedValue::Tag,
        Condition::ReturnStateIs(_) => changed == ChangedValue::ReturnState,
        Condition::NumberIs(_) => changed == ChangedValue::Number,
        Condition::FieldIs(field, _) | Condition::FieldMissing(field) => {
            changes_field(changed, Field::Declared(*field))
        }
        Condition::Matches(field, _) => emits_tag || changes_field(changed, *field),
        Condition::ReferenceEndsWith(_) => changed == ChangedValue::Reference,
        Condition::TemporaryBufferIs(_) | Condition::TemporaryBufferIsIgnoringCase(_) => {
            changed == ChangedValue::Field(Field::TemporaryBuffer)
        }
        Condition::FlagIs(flag, _) => {
            let may_change_on_emission = machine.flags[usize::from(flag.0)].by_host
                || machine.emission_flags.iter().any(|emission| emission.flag == *flag);
            changed == ChangedValue::Flag(*flag)
                || may_change_on_emission && matches!(changed, ChangedValue::Emitted(_))
        }
        Condition::LastStartTagAhead(_) => emits_tag,
        // The steps of a row change neither its caller nor the input, and the row's position in the input is fixed
        // before its first step.
        Condition::CalledBy(_)
        | Condition::PrecededBy(_)
        | Condition::PrecededByOne(_)
        | Condition::FollowedBy(_)
        | Condition::Ahead(_)
        | Condition::DataIsReference(_)
        | Condition::DataIsAtMost { .. } => false,
        Condition::EntityDeclared(list) => changes_entity(changed, *list),
        Condition::EntityInsertable(list) => {
            changes_entity(changed, *list) || emits_tag || changed == ChangedValue::Inserted
        }
    }
}

/// Whether the change may affect the text of the field.
fn changes_field(changed: ChangedValue, field: Field) -> bool {
    changed == ChangedValue::Field(field)
        || match (changed, field) {
            (ChangedValue::Declared(token), Field::Declared(field)) => token == field.token,
            (ChangedValue::Emitted(register), _) => register == field.register(),
            (ChangedValue::Tag, Field::TagName | Field::AttributeName | Field::AttributeValue) => {
                true
            }
            _ => false,
        }
}

/// Whether the change may affect which entity of the list the temporary buffer names.
fn changes_entity(changed: ChangedValue, list: EntityList) -> bool {
    changed == ChangedValue::Field(Field::TemporaryBuffer)
        || changed == ChangedValue::Entities(list)
}

/// Returns the paths through a row.
pub(super) fn expand_row<'m>(machine: &'m Machine, state: StateId, row: usize) -> Vec<Path<'m>> {
    let rows = &machine.state(state).rows;
    let mut path = Path::default();
    if let Some(guard) = &rows[row].guard {
        path.facts.assume(machine, &guard.value, true);
    }
    let else_rows: Vec<&Row> = match rows[row].has_pattern(&Pattern::Else) {
        true => Vec::new(),
        false => rows.iter().filter(|row| row.has_pattern(&Pattern::Else)).collect(),
    };
    PathExpander { machine, else_rows }.expand(&rows[row].steps, vec![path])
}

/// Expands the steps of a row to paths.
struct PathExpander<'m> {
    machine: &'m Machine,
    else_rows: Vec<&'m Row>,
}

impl<'m> PathExpander<'m> {
    fn expand(&self, steps: &'m [Step], mut paths: Vec<Path<'m>>) -> Vec<Path<'m>> {
        for step in steps {
            paths = match step {
                Step::Action(action) if action.value == Action::AsElse => {
                    paths.into_iter().flat_map(|path| self.expand_as_else(action, path)).collect()
                }
                Step::Action(action) => push_step(paths, PathStep::Executed(action)),
                Step::When { condition, then, otherwise } => {
                    let paths = push_step(paths, PathStep::Tested(condition));
                    let expand_branch = |value, steps| {
                        let mut assumed = paths.clone();
                        assumed.retain_mut(|path| {
                            path.facts.assume(self.machine, &condition.value, value)
                        });
                        self.expand(steps, assumed)
                    };
                    let mut branch_paths = expand_branch(true, then);
                    branch_paths.extend(expand_branch(false, otherwise));
                    branch_paths
                }
            };
        }
        paths
    }

    fn expand_as_else(&self, action: &'m Spanned<Action>, mut path: Path<'m>) -> Vec<Path<'m>> {
        path.steps.push(PathStep::AsElse(action));
        let mut paths = Vec::new();
        for row in &self.else_rows {
            let mut else_path = path.clone();
            let guard = row.guard.as_ref();
            if guard.is_none_or(|guard| else_path.facts.assume(self.machine, &guard.value, true)) {
                // An `as else` inside the `else` row would refer to itself, so it is not expanded.
                let expander = Self { machine: self.machine, else_rows: Vec::new() };
                paths.extend(expander.expand(&row.steps, vec![else_path]));
            }
            // A further `else` row applies only if the guard of this one does not hold.
            if !guard.is_some_and(|guard| path.facts.assume(self.machine, &guard.value, false)) {
                break;
            }
        }
        if self.else_rows.is_empty() {
            paths.push(path);
        }
        push_step(paths, PathStep::EndOfElse(action))
    }
}

fn push_step<'m>(mut paths: Vec<Path<'m>>, part: PathStep<'m>) -> Vec<Path<'m>> {
    paths.iter_mut().for_each(|path| path.steps.push(part));
    paths
}

impl<'m> Path<'m> {
    /// Returns the conditions that the path tests, other than the row's guard.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &'m Spanned<Condition>> + '_ {
        self.steps.iter().filter_map(|part| {
            if let PathStep::Tested(condition) = part { Some(*condition) } else { None }
        })
    }

    /// Returns the actions of the path in order, without those on leaving and entering states.
    pub(super) fn actions(&self) -> impl Iterator<Item = &'m Spanned<Action>> + '_ {
        self.steps.iter().filter_map(|part| {
            if let PathStep::Executed(action) = part { Some(*action) } else { None }
        })
    }

    /// Returns the transfer with which the path ends: the end of the run, or else the last return, or else the last
    /// switch.
    pub(super) fn end(&self) -> Transfer {
        let mut end = Transfer::Nowhere;
        for action in self.actions() {
            end = match (action.value.transfer(), end) {
                (Transfer::Nowhere, _) | (_, Transfer::Ends) => end,
                (next @ (Transfer::Ends | Transfer::ReturnNothing | Transfer::ReturnText), _) => {
                    next
                }
                // A return overrules every switch of the path.
                (_, Transfer::ReturnNothing | Transfer::ReturnText) => end,
                (next, _) => next,
            };
        }
        end
    }

    /// Returns the targets of all switches of the path to a named state except the last, which overrules the others.
    pub(super) fn overruled(&self) -> Vec<StateId> {
        let targets = self.actions().filter_map(|action| {
            if let Transfer::To(state) = action.value.transfer() { Some(state) } else { None }
        });
        let mut targets: Vec<StateId> = targets.collect();
        targets.pop();
        targets
    }

    /// Whether the path reconsumes the input.
    pub(super) fn reconsumes(&self) -> bool {
        self.actions().any(|action| action.value == Action::Reconsume)
    }

    /// Returns the actions of the path, including those on leaving the state `from`, if the path leaves it, and those
    /// on entering `to`, if that is another state.
    pub(super) fn all_actions(
        &self,
        machine: &'m Machine,
        from: StateId,
        to: Option<StateId>,
    ) -> Vec<&'m Spanned<Action>> {
        let leaves_state = match self.end() {
            Transfer::To(next) => next != from,
            Transfer::ToReturnState
            | Transfer::ToPushedState
            | Transfer::ReturnNothing
            | Transfer::ReturnText => true,
            Transfer::Nowhere | Transfer::Ends => false,
        };
        let entered = to.filter(|&to| to != from);
        let leave_actions = leaves_state.then(|| &machine.state(from).leave);
        let enter_actions = entered.map(|to| &machine.state(to).enter);
        leave_actions
            .into_iter()
            .flatten()
            .chain(self.actions())
            .chain(enter_actions.into_iter().flatten())
            .collect()
    }
}

/// The paths through each row of each state.
pub(super) struct Paths<'m>(Vec<Vec<Vec<Path<'m>>>>);

impl<'m> Paths<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        let paths_of_state = |state: StateId| {
            let rows = 0..machine.state(state).rows.len();
            rows.map(|row| expand_row(machine, state, row)).collect()
        };
        Self(machine.state_ids().map(paths_of_state).collect())
    }

    /// Returns the paths through a row.
    pub(super) fn of_row(&self, state: StateId, row: usize) -> &[Path<'m>] {
        &self.0[usize::from(state.0)][row]
    }
}
