//! Completes words in tables: the next word of a form, names that fit a slot and, before the arrow of a row, patterns.

use super::names::NameKind;
use super::project::ServedFile;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tabulex_language::model::tree::{TreeAction, TreeCondition};
use tabulex_language::model::{Action, Condition};
use tabulex_language::vocabulary::{Form, FormPart, HasForms, Product, Slot, form_parts};

/// Returns the completion items at an offset, as the protocol represents them.
pub(super) fn complete(project: &ServedFile, text: &str, offset: usize) -> Value {
    let before = text.get(..offset).unwrap_or(text);
    let mut items = BTreeMap::new();
    let start = before.rfind([';', '{', '}', '>', '|', ',', '=']).map_or(0, |it| it + 1);
    let mut words: Vec<&str> = before[start..].split_whitespace().collect();
    if !before.ends_with(char::is_whitespace) {
        // The editor filters the items by the partial word at the cursor, so that word is ignored here.
        words.pop();
    }
    let in_modes = is_in_modes(before);
    let condition_keyword =
        words.iter().rposition(|it| matches!(*it, "when" | "and" | "or" | "not"));
    if let Some(last) = condition_keyword {
        let words = &words[last + 1..];
        match in_modes {
            true => add_next::<TreeCondition>(project, words, &mut items),
            false => add_next::<Condition>(project, words, &mut items),
        }
        add(&mut items, project.declared_names(NameKind::Condition), "condition");
    } else if before[..start].ends_with("=>") || may_begin_step(before) {
        match in_modes {
            true => add_next::<TreeAction>(project, &words, &mut items),
            false => add_next::<Action>(project, &words, &mut items),
        }
        if words.is_empty() {
            add(&mut items, project.declared_names(NameKind::Action), "action");
        }
    }
    if words.is_empty() && !before[..start].ends_with("=>") && !in_modes {
        add(&mut items, project.declared_names(NameKind::Class), "class");
        add(&mut items, vec!["EOF", "else"], "pattern");
    }
    if matches!(words[..], ["start" | "entry"]) {
        add(&mut items, project.declared_names(NameKind::State), "state");
    }
    items.into_iter().map(|(label, detail)| json!({ "label": label, "detail": detail })).collect()
}

/// Whether a step may begin after this text: after a row's arrow, or inside a block of the row.
fn may_begin_step(before: &str) -> bool {
    let block_start = before.rfind(['{', '}']).map_or(0, |it| it + 1);
    before[block_start..].contains("=>")
        || before[..block_start].trim_end().ends_with(['{', '}'])
            && before[..block_start].rfind("=>").is_some_and(|arrow| {
                before[..block_start].rfind("state ").is_none_or(|it| it < arrow)
            })
}

/// Whether the last declaration in this text belongs to tree construction.
fn is_in_modes(before: &str) -> bool {
    let mut words = before.lines().rev().filter_map(|line| {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        if first == "in" || first == "add" || first == "replace" {
            words.next()
        } else {
            Some(first)
        }
    });
    let state_keywords = ["state", "lexical-mode", "action", "procedure"];
    let mode_keywords = ["mode", "steps", "reset", "fragment"];
    let last_keyword = words.find(|it| state_keywords.contains(it) || mode_keywords.contains(it));
    last_keyword.is_some_and(|it| mode_keywords.contains(&it))
}

/// Adds the words that can follow `words` in the forms of the vocabulary `M`, such as actions.
fn add_next<M: HasForms>(
    project: &ServedFile,
    words: &[&str],
    items: &mut BTreeMap<String, String>,
) {
    for form in M::FORMS {
        let Some(part) = part_after(form, words) else { continue };
        match part {
            FormPart::Word(word) => {
                items.entry(word.to_owned()).or_insert_with(|| form.syntax.to_owned());
            }
            FormPart::Slot(slot) => {
                add(items, slot.words(), slot.name());
                let names = NameKind::of(slot.name())
                    .map(|kind| project.declared_names(kind))
                    .unwrap_or_default();
                add(items, names, slot.name());
                if slot == Slot::Flag {
                    add(items, project.declared_names(NameKind::Counter), "counter");
                }
            }
        }
    }
}

/// Returns the part of the form that follows `words`, if the form begins with them.
fn part_after<M>(form: &Form<M>, words: &[&str]) -> Option<FormPart> {
    if matches!(form.makes, Product::Defined) {
        return None;
    }
    let mut parts = form_parts(form.syntax);
    for word in words {
        match parts.next()? {
            FormPart::Word(other) if other != *word => return None,
            FormPart::Slot(slot) if is_closed(slot) && !slot.words().contains(word) => return None,
            FormPart::Word(_) | FormPart::Slot(_) => {}
        }
    }
    parts.next()
}

/// Whether the slot accepts only words of the vocabulary, and no declared names.
fn is_closed(slot: Slot) -> bool {
    !slot.words().is_empty() && NameKind::of(slot.name()).is_none()
}

fn add(items: &mut BTreeMap<String, String>, words: Vec<&str>, detail: &str) {
    for word in words {
        items.entry(word.to_owned()).or_insert_with(|| detail.to_owned());
    }
}
