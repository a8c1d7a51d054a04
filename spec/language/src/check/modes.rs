//! Checks modes of tree construction: each token has a row, rows do not overlap, each mode is reachable, and no token
//! is passed around forever. Without modes, nothing is reported.

use super::CheckContext;
use crate::diagnostic::{
    DANGLING_END, Diagnostic, MISSING_ELSE, OVERLAPPING_ROWS, REPROCESS_CYCLE, UNREACHABLE_MODE,
};
use crate::model::tree::{
    Construction, Mode, ModeId, TagNames, TokenPattern, TreeAction, TreeFlow, TreeStep,
};
use crate::model::{Action, CharacterSet, Machine, Register, Step, TokenId};
use crate::syntax::{Span, Spanned, Table};
use std::collections::HashSet;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    check_modes(context.machine, context.table)
}

/// Checks the modes of a table, which may have no states.
pub(super) fn check_modes(machine: &Machine, table: &Table) -> Vec<Diagnostic> {
    let Some(construction) = &machine.construction else { return Vec::new() };
    let mut diagnostics = check_reachability(construction);
    for mode in &construction.modes {
        diagnostics.extend(check_missing_rows(machine, mode));
        diagnostics.extend(check_overlaps(mode));
        for row in &mode.rows {
            check_dangling_ends(&row.steps, &mut diagnostics);
        }
    }
    for named in &construction.steps {
        check_dangling_ends(&named.steps, &mut diagnostics);
    }
    diagnostics.extend(check_cycles(construction));
    diagnostics.extend(super::declared::check_construction(construction, table));
    diagnostics.extend(super::algorithms::check(construction));
    diagnostics
}

/// Returns each action of the steps, of all their branches, and of the named steps that they run.
pub(super) fn all_actions<'c>(
    construction: &'c Construction,
    steps: &'c [TreeStep],
) -> Vec<&'c TreeAction> {
    let mut actions = TreeStep::actions(steps);
    let (mut index, mut visited) = (0, HashSet::new());
    while let Some(action) = actions.get(index) {
        if let Some(named) = action.named_steps()
            && visited.insert(named)
        {
            actions.extend(TreeStep::actions(&construction.named_steps(named).steps));
        }
        index += 1;
    }
    actions
}

fn check_reachability(construction: &Construction) -> Vec<Diagnostic> {
    let mut reached = HashSet::from([construction.start]);
    reached.extend(construction.dispatch.iter().map(|dispatch| dispatch.mode));
    for row in construction.element_rows() {
        let actions = all_actions(construction, &row.steps).into_iter();
        reached.extend(actions.filter_map(|action| action.effects().mode));
    }
    let mut waiting: Vec<ModeId> = reached.iter().copied().collect();
    while let Some(mode) = waiting.pop() {
        for row in &construction.mode(mode).rows {
            let actions = all_actions(construction, &row.steps).into_iter();
            let modes = actions.filter_map(|action| action.effects().mode);
            waiting.extend(modes.filter(|next| reached.insert(*next)));
        }
    }
    let modes =
        construction.modes.iter().zip(0..).filter(|&(_, index)| !reached.contains(&ModeId(index)));
    let diagnostic = |(mode, _): (&Mode, u8)| {
        let message = format!("mode `{}` is unreachable", mode.name);
        let help = "switch to the mode, or remove it";
        Diagnostic::new(UNREACHABLE_MODE, mode.span, message).help(help)
    };
    modes.map(diagnostic).collect()
}

/// Reports the kinds of tokens for which the mode has no row without a guard.
fn check_missing_rows(machine: &Machine, mode: &Mode) -> Option<Diagnostic> {
    let takes = |pattern: TokenPattern| {
        mode.rows.iter().any(|row| row.guard.is_none() && row.has_pattern(&pattern))
    };
    if takes(TokenPattern::Else) {
        return None;
    }
    let kinds: [(&str, bool); 7] = [
        ("start", takes(TokenPattern::StartTag(TagNames::Any))),
        ("end", takes(TokenPattern::EndTag(TagNames::Any))),
        ("character", takes(TokenPattern::Character(None)) || takes(TokenPattern::Text(None))),
        ("comment", takes(TokenPattern::Comment) || !emits(machine, Register::Comment)),
        ("doctype", takes(TokenPattern::Doctype) || !emits(machine, Register::Doctype)),
        (
            "processing-instruction",
            takes(TokenPattern::ProcessingInstruction)
                || machine.states.is_empty()
                || !emits(machine, Register::ProcessingInstruction),
        ),
        ("EOF", takes(TokenPattern::EndOfFile)),
    ];
    let missing_declared = machine.tokens.iter().zip(0..).filter(|&(_, id)| {
        machine.construction.as_ref().is_some_and(|it| it.takes(TokenId(id)))
            && emits(machine, Register::Declared(TokenId(id)))
            && !takes(TokenPattern::Declared(TokenId(id)))
    });
    let missing_kinds = kinds.iter().filter(|(_, has_row)| !has_row).map(|(kind, _)| *kind);
    let missing_kinds = missing_kinds.chain(missing_declared.map(|(token, _)| &token.name[..]));
    let missing_kinds: Vec<String> = missing_kinds.map(|kind| format!("`{kind}`")).collect();
    (!missing_kinds.is_empty()).then(|| {
        let message = format!("mode `{}` has no row for {}", mode.name, missing_kinds.join(", "));
        Diagnostic::new(MISSING_ELSE, mode.span, message)
            .help("add rows for these tokens, or an `else` row")
    })
}

/// Whether tokens of the register can reach the modes: the machine emits them, or the table has no states, so that
/// another machine may emit them.
fn emits(machine: &Machine, register: Register) -> bool {
    let rows = machine.states.iter().flat_map(|state| &state.rows);
    let mut actions = rows.flat_map(|row| Step::actions(&row.steps));
    machine.states.is_empty() || actions.any(|action| *action == Action::EmitToken(register))
}

/// Reports pairs of rows without guards that match a token in common.
fn check_overlaps(mode: &Mode) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut earlier_patterns: Vec<&Spanned<TokenPattern>> = Vec::new();
    for row in mode.rows.iter().filter(|row| row.guard.is_none()) {
        for pattern in &row.patterns {
            let overlap = earlier_patterns.iter().find_map(|other| {
                Some((other.span, describe_overlap(&other.value, &pattern.value)?))
            });
            if let Some((span, what)) = overlap {
                let message = format!("two rows match {what}");
                let diagnostic = Diagnostic::new(OVERLAPPING_ROWS, pattern.span, message);
                diagnostics.push(diagnostic.and(span, "the first row").help("remove the pattern from one of the rows, or put a guard (`when …`) before `=>` of the first"));
            }
            earlier_patterns.push(pattern);
        }
    }
    diagnostics
}

/// Describes the tokens that both patterns match, if any.
fn describe_overlap(one: &TokenPattern, other: &TokenPattern) -> Option<String> {
    match (one, other) {
        (TokenPattern::StartTag(one), TokenPattern::StartTag(other)) => {
            describe_shared_names("start", one, other)
        }
        (TokenPattern::EndTag(one), TokenPattern::EndTag(other)) => {
            describe_shared_names("end", one, other)
        }
        (TokenPattern::EmptyTag(one), TokenPattern::EmptyTag(other)) => {
            describe_shared_names("empty", one, other)
        }
        (TokenPattern::Character(Some(one)), TokenPattern::Character(Some(other)))
        | (TokenPattern::Text(Some(one)), TokenPattern::Text(Some(other))) => {
            describe_shared_characters(one, other)
        }
        _ if one == other => Some("the same token".to_owned()),
        _ => None,
    }
}

fn describe_shared_names(kind: &str, one: &TagNames, other: &TagNames) -> Option<String> {
    match (one, other) {
        (TagNames::These(one), TagNames::These(other)) => {
            one.iter().find(|name| other.contains(name)).map(|name| format!("`{kind} \"{name}\"`"))
        }
        _ => (one == other).then(|| format!("`{kind}`")),
    }
}

fn describe_shared_characters(one: &CharacterSet, other: &CharacterSet) -> Option<String> {
    let shared = one.intersection(other);
    let &(first, _) = shared.ranges().first()?;
    Some(format!("the character {first:?}"))
}

/// Reports steps after one that ends the row. Returns whether the steps end it on every branch.
fn check_dangling_ends(steps: &[TreeStep], diagnostics: &mut Vec<Diagnostic>) -> bool {
    for (index, step) in steps.iter().enumerate() {
        let (ends_here, span) = match step {
            TreeStep::When { condition, then, otherwise } => {
                let branch_ends = [
                    check_dangling_ends(then, diagnostics),
                    check_dangling_ends(otherwise, diagnostics),
                ];
                (branch_ends == [true, true], condition.span)
            }
            TreeStep::Action(action) => {
                (matches!(action.value.flow(), TreeFlow::End | TreeFlow::Else), action.span)
            }
        };
        if ends_here {
            if index + 1 < steps.len() {
                diagnostics.push(
                    Diagnostic::new(DANGLING_END, span, "the steps after this one never run")
                        .help("move the later steps before this one, or remove them"),
                );
            }
            return true;
        }
    }
    false
}

/// Reports modes that do nothing but pass a token to each other.
fn check_cycles(construction: &Construction) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (mode, start) in construction.modes.iter().zip(0..) {
        for row in mode.rows.iter().filter(|row| row.guard.is_none()) {
            for pattern in &row.patterns {
                let mut path = vec![ModeId(start)];
                let mut next_mode = reprocess_target(ModeId(start), &row.steps);
                while let Some(mode) = next_mode {
                    if mode == ModeId(start) {
                        diagnostics.push(cycle(construction, pattern.span, &path));
                        break;
                    }
                    if path.contains(&mode) {
                        break;
                    }
                    path.push(mode);
                    let rows = construction.mode(mode).rows.iter();
                    let mut matching_rows = rows.filter(|row| {
                        row.patterns.iter().any(|other| includes(&other.value, &pattern.value))
                    });
                    next_mode = matching_rows
                        .next()
                        .filter(|row| row.guard.is_none())
                        .and_then(|row| reprocess_target(mode, &row.steps));
                }
            }
        }
    }
    diagnostics
}

/// Returns the mode in which the steps reprocess the token, if they do nothing else.
fn reprocess_target(mode: ModeId, steps: &[TreeStep]) -> Option<ModeId> {
    let mut next_mode = mode;
    for step in steps {
        let TreeStep::Action(action) = step else { return None };
        match action.value.flow() {
            TreeFlow::NoEffect => next_mode = action.value.effects().mode.unwrap_or(next_mode),
            TreeFlow::Delegate(mode) => return mode,
            TreeFlow::End => return (action.value == TreeAction::Reprocess).then_some(next_mode),
            // These actions process the token or lead to a mode that is not known here, so no cycle is proved.
            TreeFlow::Continue
            | TreeFlow::Else
            | TreeFlow::RunSteps(_)
            | TreeFlow::MayRunSteps(_) => {
                return None;
            }
        }
    }
    None
}

/// Whether the pattern equals `other` or is `else`, so that its row may take every token that `other` matches.
fn includes(pattern: &TokenPattern, other: &TokenPattern) -> bool {
    pattern == other || *pattern == TokenPattern::Else
}

fn cycle(construction: &Construction, span: Span, path: &[ModeId]) -> Diagnostic {
    let names: Vec<String> =
        path.iter().map(|mode| format!("`{}`", construction.mode(*mode).name)).collect();
    let kind = if names.len() == 1 { "mode" } else { "modes" };
    let message =
        format!("this token is reprocessed endlessly by rows of {kind} {}", names.join(", "));
    Diagnostic::new(REPROCESS_CYCLE, span, message)
        .help("process the token in one of these rows instead of reprocessing it")
}
