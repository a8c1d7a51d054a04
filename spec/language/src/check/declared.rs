//! Checks declarations of tree construction: unused ones, recursive steps, and steps and conditions in places where
//! they have no meaning. Without modes, nothing is reported.

use crate::diagnostic::{
    Diagnostic, MISPLACED_STEP, MISSING_DECLARATION, MISSING_ELSE, STEPS_CYCLE, UNUSED_DECLARATION,
    UNUSED_NAMES, UNUSED_STEPS,
};
use crate::model::tree::{
    Construction, Elements, StepsId, TokenPattern, TreeAction, TreeCondition, TreeStep,
};
use crate::model::{FieldId, Row};
use crate::syntax::{Span, Spanned, Table};

pub(super) fn check_construction(construction: &Construction, table: &Table) -> Vec<Diagnostic> {
    let diagnostics = [check_unused(construction, table), check_cycles(construction)].concat();
    let mut checker =
        PlacementChecker { construction, patterns: None, in_reset: false, diagnostics };
    checker.check_rows();
    checker.diagnostics
}

/// Reports declarations of tree construction that nothing in the table uses.
fn check_unused(construction: &Construction, table: &Table) -> Vec<Diagnostic> {
    let used_names = super::unused::used_words(table, true);
    let mut diagnostics = Vec::new();
    let mut report = |check, name: &str, span, message: String, help: &str| {
        if !used_names.contains(name) {
            diagnostics.push(Diagnostic::new(check, span, message).help(help));
        }
    };
    for set in &construction.names {
        let message = format!("nothing uses the names `{}`", set.name);
        let help = "use the names in a row, or remove them";
        report(UNUSED_NAMES, &set.name, set.span, message, help);
    }
    for steps in &construction.steps {
        let message = format!("nothing runs the steps `{}`", steps.name);
        let help = "run the steps in a row, or remove them";
        report(UNUSED_STEPS, &steps.name, steps.span, message, help);
    }
    let flags = construction.flags.iter().map(|flag| ("flag", &flag.name, flag.span));
    let pointers = construction.pointers.iter().map(|it| ("pointer", &it.name, it.span));
    let scopes = construction.scopes.iter().map(|scope| ("scope", &scope.name, scope.span));
    let adjustments = construction.adjustments.iter().map(|it| ("adjustments", &it.name, it.span));
    let doctypes = construction.doctypes.iter().map(|it| ("doctypes", &it.name, it.span));
    let feedback = construction.feedback.iter().map(|it| ("tokenizer", &it.word, it.span));
    let conditions = table.items.iter().filter(|item| item.kind == "tree condition");
    let conditions = conditions.map(|item| ("condition", &item.name.value, item.name.span));
    let declarations =
        flags.chain(pointers).chain(scopes).chain(adjustments).chain(doctypes).chain(feedback);
    for (what, name, span) in declarations.chain(conditions) {
        let message = format!("nothing uses `{what} {name}`");
        let help = "use the declaration in a row, or remove it";
        report(UNUSED_DECLARATION, name, span, message, help);
    }
    diagnostics
}

/// Reports named steps that run themselves, directly or through others.
fn check_cycles(construction: &Construction) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (index, named) in construction.steps.iter().enumerate() {
        let mut actions = super::modes::all_actions(construction, &named.steps).into_iter();
        if actions.any(|action| action.named_steps() == Some(StepsId(index as u8))) {
            let message = format!("the steps `{}` run themselves", named.name);
            diagnostics.push(Diagnostic::new(STEPS_CYCLE, named.span, message).help(
                "remove the cycle; for a loop over the stack of open elements, use an action",
            ));
        }
    }
    diagnostics
}

/// A checker that reports steps and conditions in places where they have no meaning.
struct PlacementChecker<'c> {
    construction: &'c Construction,
    /// Patterns of the row being checked, none for a row that matches elements; `None` for named steps, which any row
    /// may run.
    patterns: Option<&'c [Spanned<TokenPattern>]>,
    /// Whether the row being checked belongs to `reset`.
    in_reset: bool,
    diagnostics: Vec<Diagnostic>,
}

impl PlacementChecker<'_> {
    fn check_rows(&mut self) {
        let construction = self.construction;
        for row in construction.rows() {
            self.patterns = Some(&row.patterns);
            self.check_row(row);
        }
        self.patterns = None;
        construction.steps.iter().for_each(|named| self.check_steps(&named.steps));
        self.patterns = Some(&[]);
        let fragment_rows = construction.fragment.iter().flat_map(|fragment| &fragment.rows);
        fragment_rows.for_each(|row| self.check_row(row));
        let Some(reset) = &construction.reset else { return };
        self.in_reset = true;
        reset.iter().for_each(|row| self.check_row(row));
        let is_total = reset.iter().any(|row| row.patterns.is_empty() && row.guard.is_none());
        if !is_total {
            let span = reset.first().map(|row| row.span).unwrap_or_default();
            let message = "`reset` has no row for all other elements";
            self.report(MISSING_ELSE, span, message, "add an `else` row");
        }
    }

    fn report(
        &mut self,
        check: &'static crate::diagnostic::Check,
        span: Span,
        message: &str,
        help: &str,
    ) {
        self.diagnostics.push(Diagnostic::new(check, span, message).help(help));
    }

    fn check_row<P>(&mut self, row: &Row<P, TreeAction, TreeCondition>) {
        row.guard.iter().for_each(|guard| self.check_condition(guard));
        self.check_steps(&row.steps);
    }

    fn check_steps(&mut self, steps: &[TreeStep]) {
        TreeStep::all(steps).into_iter().for_each(|step| match step {
            TreeStep::Action(action) => self.check_action(action),
            TreeStep::When { condition, .. } => self.check_condition(condition),
        });
    }

    fn check_action(&mut self, action: &Spanned<TreeAction>) {
        let (span, effects) = (action.span, action.value.effects());
        let is_switch = matches!(
            action.value,
            TreeAction::Switch(_) | TreeAction::SwitchTemplateMode | TreeAction::SwitchOriginal
        );
        if self.in_reset && !is_switch {
            let message = "a row of `reset` can only switch";
            self.report(MISPLACED_STEP, span, message, "write `switch MODE`");
        }
        if self.construction.elements != Elements::Html && effects.requires_html {
            let message = "this action requires `elements html`";
            let help = "declare `elements html`, or use another action";
            self.report(MISPLACED_STEP, span, message, help);
        }
        self.check_field(effects.field, span);
        if self.construction.elements == Elements::Xml
            && matches!(action.value, TreeAction::InsertElementOfField(_))
        {
            let message =
                "this action is not allowed with `elements xml`, whose names have prefixes";
            self.report(MISPLACED_STEP, span, message, "create a start tag, and emit it");
        }
        if action.value == TreeAction::ResetInsertionMode && self.construction.reset.is_none() {
            let message = "the table has no `reset { … }`";
            self.report(MISSING_DECLARATION, span, message, "declare it: `reset { … }`");
        }
        if let TreeAction::ProcessPending(id) = action.value {
            let mut rows = self.construction.mode(id).rows.iter();
            if !rows.any(|row| row.has_pattern(&TokenPattern::Else)) {
                let message = "the mode has no `else` row";
                self.report(MISSING_ELSE, span, message, "add one, or name another mode");
            }
        }
    }

    /// Reports a field that some tokens of the row lack.
    fn check_field(&mut self, field: Option<FieldId>, span: Span) {
        let Some(field) = field else { return };
        let declared = TokenPattern::Declared(field.token);
        let have_field = |patterns: &[Spanned<TokenPattern>]| {
            !patterns.is_empty() && patterns.iter().all(|pattern| pattern.value == declared)
        };
        if self.patterns.is_none_or(have_field) {
            return;
        }
        let name = &self.construction.tokens[usize::from(field.token.0)].name;
        let message = format!("the row matches tokens other than `{name}`, which lack this field");
        let help = format!("write a row that begins with `{name} =>`");
        self.report(MISPLACED_STEP, span, &message, &help);
    }

    fn check_condition(&mut self, condition: &Spanned<TreeCondition>) {
        let parts = condition.value.parts();
        parts.iter().for_each(|part| self.check_field(part.field(), condition.span));
        if !self.in_reset && parts.contains(&&TreeCondition::IsLast) {
            let message = "`last` is a condition on the elements that `reset` examines";
            self.report(MISPLACED_STEP, condition.span, message, "use it in a row of `reset`");
        }
    }
}
