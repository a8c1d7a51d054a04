//! Reports uses of the current character where there is none, or where it may be of the wrong kind. Each path through
//! each row is checked, including the actions on leaving and entering states; one unsuitable character in a row is
//! enough.

use super::path::Path;
use super::{CheckContext, words};
use crate::diagnostic::{Diagnostic, NO_CURRENT_CHARACTER};
use crate::model::{self, Action, CharacterSet, Machine, Pattern, Row, Spanned, StateId, Transfer};
use crate::syntax::Span;
use std::collections::{BTreeSet, HashSet};

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let mut diagnostics = Vec::new();
    let mut reported = HashSet::new();
    for state in machine.state_ids() {
        for (index, row) in machine.state(state).rows.iter().enumerate() {
            for path in context.paths.of_row(state, index) {
                for action in actions(context, state, path) {
                    if let Some(mistake) = check_action(machine, state, row, action)
                        && reported.insert(action.span)
                    {
                        let is_in_row = row.span.contains_start_of(action.span);
                        diagnostics.push(match is_in_row {
                            true => mistake,
                            false => mistake.and(row.span, "the row that runs this step"),
                        });
                    }
                }
            }
        }
    }
    diagnostics
}

/// Returns the actions of the path, including those on leaving its state and on entering each state that it may lead
/// to.
fn actions<'m>(
    context: &CheckContext<'m>,
    state: StateId,
    path: &Path<'m>,
) -> Vec<&'m Spanned<Action>> {
    let machine = context.machine;
    match path.end() {
        Transfer::To(target) => path.all_actions(machine, state, Some(target)),
        Transfer::ToReturnState => {
            let targets =
                context.flow.situations.iter().filter_map(|situation| situation.return_state);
            let targets: BTreeSet<StateId> = targets.collect();
            targets
                .into_iter()
                .flat_map(|target| path.all_actions(machine, state, Some(target)))
                .chain(path.all_actions(machine, state, None))
                .collect()
        }
        Transfer::ToPushedState => {
            let targets = machine.pushed_targets().into_iter();
            targets.flat_map(|target| path.all_actions(machine, state, Some(target))).collect()
        }
        Transfer::Nowhere | Transfer::ReturnNothing | Transfer::ReturnText | Transfer::Ends => {
            path.all_actions(machine, state, None)
        }
    }
}

/// Checks that the action suits each pattern of the row that runs it, and returns the first mistake, if there is one.
fn check_action(
    machine: &Machine,
    state: StateId,
    row: &Row,
    action: &Spanned<Action>,
) -> Option<Diagnostic> {
    let word = words::current_character_word(&action.value)?;
    let is_lexical_mode = matches!(machine.state(state).subject, model::Subject::Lexemes(_));
    for pattern in &row.patterns {
        let pattern = &pattern.value;
        let is_multi_character = matches!(pattern, Pattern::Text { .. } | Pattern::Reference);
        let is_lexeme = matches!(pattern, Pattern::Lexeme(_) | Pattern::Else) && is_lexical_mode;
        if word == "lexeme" && is_lexeme || word == "matched" && is_multi_character {
            continue;
        }
        let characters = if word == "lexeme" || word == "matched" {
            None
        } else if let Pattern::Lexeme(id) = pattern {
            machine.lexeme(*id).single_character().cloned()
        } else if matches!(pattern, Pattern::Else | Pattern::AdditionalAllowedCharacter) {
            Some(CharacterSet::range('\0', char::MAX))
        } else if let Pattern::Characters(set) = pattern {
            Some(set.clone())
        } else {
            None
        };
        let Some(characters) = characters else {
            return Some(no_character(word, pattern, action.span));
        };
        let unsuitable_characters = characters.difference(&accepted_characters(&action.value));
        if !unsuitable_characters.is_empty() {
            return Some(unsuitable_character(action, &unsuitable_characters));
        }
    }
    None
}

/// Returns the characters that the action accepts as the current character.
fn accepted_characters(action: &Action) -> CharacterSet {
    let mut set = CharacterSet::default();
    match (words::current_character_word(action), action) {
        (_, Action::AddDigit(base)) => {
            for digit in 0..u32::from(*base) {
                let digit = char::from_digit(digit, 36).unwrap_or_default();
                set.insert(digit, digit);
                set.insert(digit.to_ascii_uppercase(), digit.to_ascii_uppercase());
            }
        }
        (Some("lower"), _) => {
            set.insert('A', 'Z');
            set.insert('a', 'z');
        }
        _ => set.insert('\0', char::MAX),
    }
    set
}

fn no_character(word: &str, pattern: &Pattern, span: Span) -> Diagnostic {
    let (message, help) = if word == "lexeme" {
        let message = "`lexeme` requires that the row consumed a lexical token".to_owned();
        (message, "use it in the rows of a lexical mode, but not at `EOF`")
    } else if word == "matched" {
        let message = "`matched` requires that the row consumed a string or a reference".to_owned();
        let help = "use it in rows of look-ahead strings and of `reference`; for a character, use `current`";
        (message, help)
    } else {
        let reason = if *pattern == Pattern::EndOfFile {
            "no character is consumed at the end of the input".to_owned()
        } else if let Pattern::Lexeme(_) = pattern {
            "this lexeme can consume several characters".to_owned()
        } else if let Pattern::Text { .. } | Pattern::Reference = pattern {
            format!("{} consumes several characters", words::pattern(pattern))
        } else {
            format!("the row of {} consumes no character", words::pattern(pattern))
        };
        let message = format!("`{word}` requires that the row consumed one character: {reason}");
        (message, "give this input a row of its own, or write the characters as a literal")
    };
    Diagnostic::new(NO_CURRENT_CHARACTER, span, message).help(help)
}

fn unsuitable_character(
    action: &Spanned<Action>,
    unsuitable_characters: &CharacterSet,
) -> Diagnostic {
    let requirement = if let Action::AddDigit(base) = action.value {
        format!("`add-digit {base}` requires a digit of that base")
    } else {
        "`lower` requires an ASCII letter".to_owned()
    };
    let message =
        format!("{requirement}: the row also matches {}", words::characters(unsuitable_characters));
    Diagnostic::new(NO_CURRENT_CHARACTER, action.span, message)
        .help("give these characters a row of their own")
}
