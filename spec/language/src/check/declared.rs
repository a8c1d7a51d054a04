//! Checks declarations of tree construction: unused ones, recursive steps, and steps and conditions in places where
//! they have no meaning. Without modes, nothing is reported.

use crate::diagnostic::{
    Diagnostic, MISPLACED_STEP, MISSING_DECLARATION, MISSING_ELSE, STEPS_CYCLE, UNUSED_DECLARATION,
    UNUSED_NAMES, UNUSED_STEPS,
};
use crate::model::tree::{
    Construction, Elements, ModeId, ModeRow, StepsId, TokenPattern, TreeAction, TreeCondition,
    TreeStep,
};
use crate::model::{FieldId, TokenId};
use crate::syntax::{Span, Spanned, Table};

pub(super) fn check_construction(construction: &Construction, table: &Table) -> Vec<Diagnostic> {
    let mut diagnostics = check_unused(construction, table);
    diagnostics.extend(check_cycles(construction));
    let mut checker =
        PlacementChecker { construction, row_tokens: RowTokens::Unknown, diagnostics: Vec::new() };
    checker.check_rows();
    diagnostics.extend(checker.diagnostics);
    diagnostics
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

/// The tokens that the row being checked matches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowTokens {
    /// Unknown: the steps are named, and any row may run them.
    Unknown,
    /// Only tokens of this declared kind.
    Only(TokenId),
    /// Tokens of predefined kinds, or of several kinds.
    Others,
}

impl RowTokens {
    fn new(row: &ModeRow) -> Self {
        let kind = |pattern: &Spanned<TokenPattern>| match pattern.value {
            TokenPattern::Declared(kind) => Self::Only(kind),
            TokenPattern::StartTag(_)
            | TokenPattern::EmptyTag(_)
            | TokenPattern::EndTag(_)
            | TokenPattern::ShortEndTag
            | TokenPattern::Character(_)
            | TokenPattern::Text(_)
            | TokenPattern::Comment
            | TokenPattern::Doctype
            | TokenPattern::ProcessingInstruction
            | TokenPattern::EndOfFile
            | TokenPattern::Else => Self::Others,
        };
        let mut kinds = row.patterns.iter().map(kind);
        let first = kinds.next().unwrap_or(Self::Others);
        if kinds.all(|other| other == first) { first } else { Self::Others }
    }
}

/// A checker that reports steps and conditions in places where they have no meaning.
struct PlacementChecker<'c> {
    construction: &'c Construction,
    row_tokens: RowTokens,
    diagnostics: Vec<Diagnostic>,
}

impl PlacementChecker<'_> {
    fn check_rows(&mut self) {
        let construction = self.construction;
        for mode in &construction.modes {
            for row in &mode.rows {
                self.row_tokens = RowTokens::new(row);
                self.check_guard(row.guard.as_ref(), false);
                self.check_steps(&row.steps, false);
            }
        }
        self.row_tokens = RowTokens::Unknown;
        construction.steps.iter().for_each(|named| self.check_steps(&named.steps, false));
        self.row_tokens = RowTokens::Others;
        let fragment_rows = construction.fragment.iter().flat_map(|fragment| &fragment.rows);
        for row in fragment_rows {
            self.check_guard(row.guard.as_ref(), false);
            self.check_steps(&row.steps, false);
        }
        let Some(reset) = &construction.reset else { return };
        for row in reset {
            self.check_guard(row.guard.as_ref(), true);
            self.check_steps(&row.steps, true);
        }
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

    fn check_guard(&mut self, guard: Option<&Spanned<TreeCondition>>, in_reset: bool) {
        if let Some(guard) = guard {
            self.check_condition(&guard.value, guard.span, in_reset);
        }
    }

    fn check_steps(&mut self, steps: &[TreeStep], in_reset: bool) {
        TreeStep::all(steps).into_iter().for_each(|step| match step {
            TreeStep::Action(action) => self.check_action(action, in_reset),
            TreeStep::When { condition, .. } => {
                self.check_condition(&condition.value, condition.span, in_reset);
            }
        });
    }

    fn check_action(&mut self, action: &Spanned<TreeAction>, in_reset: bool) {
        let span = action.span;
        let is_switch = matches!(
            action.value,
            TreeAction::Switch(_) | TreeAction::SwitchTemplateMode | TreeAction::SwitchOriginal
        );
        if in_reset && !is_switch {
            let message = "a row of `reset` can only switch";
            self.report(MISPLACED_STEP, span, message, "write `switch MODE`");
        }
        if self.construction.elements != Elements::Html && action.value.effects().requires_html {
            let message = "this action requires `elements html`";
            self.report(
                MISPLACED_STEP,
                span,
                message,
                "declare `elements html`, or use another action",
            );
        }
        self.check_field(action.value.effects().field, span);
        if self.construction.elements == Elements::Xml
            && matches!(action.value, TreeAction::InsertElementOfField(_))
        {
            let message =
                "this action is not allowed with `elements xml`, whose names have prefixes";
            self.report(MISPLACED_STEP, span, message, "create a start tag, and emit it");
        }
        let mode = |id: ModeId| self.construction.mode(id);
        if action.value == TreeAction::ResetInsertionMode && self.construction.reset.is_none() {
            let message = "the table has no `reset { … }`";
            self.report(MISSING_DECLARATION, span, message, "declare it: `reset { … }`");
        }
        if let TreeAction::ProcessPending(id) = action.value
            && !mode(id).rows.iter().any(|row| row.has_pattern(&TokenPattern::Else))
        {
            let message = "the mode has no `else` row";
            self.report(MISSING_ELSE, span, message, "add one, or name another mode");
        }
    }

    /// Reports a field that some tokens of the row lack.
    fn check_field(&mut self, field: Option<FieldId>, span: Span) {
        let Some(field) = field else { return };
        if self.row_tokens == RowTokens::Unknown || self.row_tokens == RowTokens::Only(field.token)
        {
            return;
        }
        let name = &self.construction.tokens[usize::from(field.token.0)].name;
        let message = format!("the row matches tokens other than `{name}`, which lack this field");
        let help = format!("write a row that begins with `{name} =>`");
        self.report(MISPLACED_STEP, span, &message, &help);
    }

    fn check_condition(&mut self, condition: &TreeCondition, span: Span, in_reset: bool) {
        for part in condition.parts() {
            self.check_field(part.field(), span);
        }
        if !in_reset && condition.parts().contains(&&TreeCondition::IsLast) {
            let message = "`last` is a condition on the elements that `reset` examines";
            self.report(MISPLACED_STEP, span, message, "use it in a row of `reset`");
        }
    }
}
