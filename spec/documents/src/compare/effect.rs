//! Normalizes the effect of a row for given values of its conditions: errors in order, output and tree actions in
//! order, settings in any order, and the next state or mode. Actions that this file does not mention are compared as
//! text, so that a new action needs no code here.

use super::index::{Index, NamedRows};
use std::collections::BTreeMap;
use tabulex_language::model::ErrorCode;

/// The normalized effect of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    errors: Vec<String>,
    actions: Vec<String>,
    settings: BTreeMap<String, String>,
    /// Switch to the next state or mode, or the action that ends the run; empty if the row does neither.
    transition: String,
    /// Verb with which the row processes the input again (`reconsume` or `reprocess`), or an empty string.
    reprocess_verb: String,
    /// Errors, each with the action before it, and recorded source positions. Effects that differ only in details count
    /// as equal.
    details: Vec<String>,
}

/// Whether two words are equal; the code of an unnamed error equals any word.
pub(super) fn are_equal_words(one: &str, other: &str) -> bool {
    one == other || [one, other].contains(&ErrorCode::UNNAMED)
}

impl Effect {
    /// Whether two effects are equal except for their details.
    pub(super) fn equals(&self, other: &Self) -> bool {
        let words = |effect: &Self| -> Vec<String> {
            let actions = effect.actions.iter().flat_map(|action| action.split(' '));
            actions.map(str::to_owned).collect()
        };
        let are_equal = |one: &[String], other: &[String]| {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, two)| are_equal_words(one, two))
        };
        are_equal(&self.errors, &other.errors)
            && self.actions.len() == other.actions.len()
            && are_equal(&words(self), &words(other))
            && self.settings == other.settings
            && self.transition == other.transition
            && self.reprocess_verb == other.reprocess_verb
    }

    /// Formats the effect for the `.accepted` file, with the details that are more than an error's code.
    pub(super) fn accepted_text(&self) -> String {
        let is_plain =
            |detail: &String| self.errors.iter().any(|code| *detail == format!("error {code}"));
        let extra_details = self.details.iter().filter(|detail| !is_plain(detail)).cloned();
        match &extra_details.collect::<Vec<_>>()[..] {
            [] => self.text(),
            extra_details => format!("{} [{}]", self.text(), extra_details.join("; ")),
        }
    }

    /// Formats the details, in which equal effects may differ.
    pub(super) fn details(&self) -> String {
        self.details.join("; ")
    }

    /// Formats the effect in the table language.
    pub(super) fn text(&self) -> String {
        let errors = self.errors.iter().map(|code| format!("error {code}"));
        let settings = self.settings.iter().map(|(what, value)| format!("{what} {value}"));
        let parts = errors.chain(self.actions.iter().cloned());
        let parts = parts.chain(settings.map(|part| part.trim_end().to_owned()));
        let last_parts =
            [&self.transition, &self.reprocess_verb].into_iter().filter(|part| !part.is_empty());
        let parts: Vec<String> = parts.chain(last_parts.cloned()).collect();
        if parts.is_empty() { "ignore".to_owned() } else { parts.join("; ") }
    }

    /// Whether the input is processed again.
    pub(super) fn is_reprocessed(&self) -> bool {
        !self.reprocess_verb.is_empty()
    }

    /// Returns the effect for a row at the end of the input. Before a switch, reconsuming makes no difference there,
    /// because the next state also reads the end.
    pub(super) fn at_end_of_input(mut self) -> Self {
        if !self.transition.is_empty() {
            self.reprocess_verb.clear();
        }
        self
    }

    /// Returns the state in which the input is reconsumed, if the row does nothing else.
    pub(super) fn only_reconsumes(&self) -> Option<&str> {
        let does_more =
            !self.errors.is_empty() || !self.actions.is_empty() || !self.settings.is_empty();
        self.transition.strip_prefix("switch ").filter(|_| self.is_reprocessed() && !does_more)
    }

    /// Converts an effect of a row of the state `through` to the equal effect of a row of `state`.
    pub(super) fn via_state(mut self, state: &str, through: &str) -> Self {
        if self.transition.is_empty() {
            self.transition = format!("switch {through}");
        } else if self.transition == format!("switch {state}") {
            self.transition.clear();
        }
        self
    }

    /// Normalizes the actions of a row. `matched_text` is the text that the row matches, if it is known; `tests_buffer`
    /// is whether a condition of the row's steps tests the temporary buffer.
    pub(super) fn new(
        actions: &[Vec<String>],
        index: &Index<'_>,
        block: &NamedRows<'_>,
        (matched_text, tests_buffer): (Option<&str>, bool),
    ) -> Self {
        let mut effect = Self::default();
        let mut list = ActionList::default();
        for action in actions {
            effect.add_action(action, &mut list, block, matched_text);
        }
        effect.actions = list.into_actions(&effect.transition);
        if !tests_buffer {
            effect.drop_replaced_writes();
        }
        effect.drop_unobservable(index, block);
        effect
    }

    fn add_action(
        &mut self,
        action: &[String],
        list: &mut ActionList,
        block: &NamedRows<'_>,
        matched_text: Option<&str>,
    ) {
        let words: Vec<&str> = action.iter().map(String::as_str).collect();
        let text = || words.join(" ");
        match words[..] {
            ["ignore", ..] => {}
            ["error", code, ..] => {
                self.errors.push(code.to_owned());
                self.details.push(list.action_detail(&text()));
            }
            ["drop-duplicate-attribute", code] => {
                self.errors.push(code.to_owned());
                self.details.push(list.action_detail(&text()));
                list.push(words[0], None);
            }
            // `mark-end-tag` records source positions, which documents do not specify, so it counts as a detail.
            ["mark-end-tag"] => self.details.push(list.action_detail(words[0])),
            // A switch to the current state changes nothing. In a mode, a switch to the row's own mode is kept, because
            // it changes the mode if another mode runs the row with `using`.
            ["switch" | "reconsume" | "reprocess", target] => {
                let stays = !block.is_mode && target == block.name;
                self.transition = if stays { String::new() } else { format!("switch {target}") };
                if words[0] != "switch" {
                    words[0].clone_into(&mut self.reprocess_verb);
                }
            }
            ["reconsume" | "reprocess"] => words[0].clone_into(&mut self.reprocess_verb),
            ["emit", "end-of-file"] | ["return" | "stop", ..] => {
                (self.transition, list.end) = (text(), Some(list.all.len()));
            }
            ["unset", what] if !block.is_mode && is_setting(what) => {
                self.settings.insert(format!("set {what}"), "nothing".to_owned());
            }
            ["set", what, value] if block.is_mode => {
                self.settings.insert(list.setting_key(what), value.to_owned());
            }
            ["set", what, value] if is_setting(what) => {
                self.settings.insert(format!("set {what}"), value.to_owned());
            }
            ["set", field, value] if value.starts_with('"') => list.set(field, value),
            ["tokenizer", word] => {
                self.settings.insert("tokenizer".to_owned(), word.to_owned());
            }
            ["acknowledge-self-closing"] => {
                self.settings.insert(words[0].to_owned(), String::new());
            }
            ["emit", value] if is_text_of_row(value) => {
                list.append("emit", text_literal(value, matched_text))
            }
            ["append", value, "to", field] => {
                list.append(&format!("append to {field}"), text_literal(value, matched_text));
            }
            // After a switch, `set-original-mode` stores the new mode, so the switch is part of the action.
            ["set-original-mode"] if !self.transition.is_empty() => {
                list.push(&format!("set-original-mode {}", self.transition), None);
            }
            // The adoption agency algorithm reports an error itself, and the positions of errors count as details.
            ["adoption-agency", ..] => {
                self.details.push(list.action_detail(&text()));
                list.push(&text(), None);
            }
            _ => list.push(&text(), None),
        }
    }

    /// Drops writes to the temporary buffer that a later one replaces, without a read in between.
    fn drop_replaced_writes(&mut self) {
        let mut is_replaced = false;
        let mut actions = std::mem::take(&mut self.actions);
        actions.reverse();
        actions.retain(|action| {
            let is_kept = !writes_buffer(action) || !is_replaced;
            is_replaced &= !reads_buffer(action);
            is_replaced |= action.starts_with("set temporary-buffer");
            is_kept
        });
        actions.reverse();
        self.actions = actions;
    }

    /// Drops effects that cannot be observed: if the machine stops, settings and, in states, the actions after the last
    /// emission; and writes to a buffer that is no longer read.
    fn drop_unobservable(&mut self, index: &Index<'_>, block: &NamedRows<'_>) {
        let stops = self.transition == "emit end-of-file" || self.transition == "stop";
        if stops {
            self.settings.clear();
        }
        if block.is_mode {
            return;
        }
        if stops {
            // If the machine stops, no further row runs, so actions after the last emission have no observable effect.
            let last_emit = self.actions.iter().rposition(|action| action.starts_with("emit "));
            self.actions.truncate(last_emit.map_or(0, |last| last + 1));
        }
        let target = self.transition.strip_prefix("switch ").unwrap_or(block.name);
        if stops || !index.reads_buffer(target) {
            let last_read = self.actions.iter().rposition(|action| reads_buffer(action));
            let mut at = 0;
            self.actions.retain(|action| {
                at += 1;
                !writes_buffer(action) || last_read.is_some_and(|last| at <= last)
            });
        }
    }
}

/// The actions of a row, with adjacent texts for one target joined.
#[derive(Default)]
struct ActionList {
    /// Actions, each with the texts that it writes.
    all: Vec<(String, Vec<String>)>,
    /// Number of actions before the one that ends the run or the procedure; `None` if no action does.
    end: Option<usize>,
}

impl ActionList {
    fn push(&mut self, what: &str, text: Option<String>) {
        self.all.push((what.to_owned(), text.into_iter().collect()));
    }

    /// Adds an action that sets a field or, if the field is empty, appends to it.
    fn set(&mut self, field: &str, value: &str) {
        let is_empty = self.is_new_and_empty(field);
        match value {
            // Setting an empty field to `""` has an effect only if the field may be missing.
            "\"\"" if is_empty && is_never_missing(field) => {}
            "\"\"" => self.push(&format!("set {field}"), Some(value.to_owned())),
            _ if is_empty => self.append(&format!("append to {field}"), value.to_owned()),
            _ => self.push(&format!("set {field}"), Some(value.to_owned())),
        }
    }

    /// Whether the actions created the field's token, and have not written to the field since.
    fn is_new_and_empty(&self, field: &str) -> bool {
        let names_field = |what: &str| what.split(' ').skip(1).any(|word| word == field);
        let last =
            self.all.iter().rev().find(|(what, _)| creates_field(what, field) || names_field(what));
        last.is_some_and(|(what, _)| creates_field(what, field))
    }

    /// Joins a text to the preceding action if that appends to the same target or sets the field; else adds an action.
    fn append(&mut self, what: &str, text: String) {
        let field = what.strip_prefix("append to ");
        if let Some(field) = field {
            let clears = [format!("set {field} \"\""), format!("unset {field}")];
            let clear = self.all.pop_if(|(last, texts)| {
                clears.contains(&format!("{last} {}", texts.join(" + ")).trim_end().to_owned())
            });
            // A new field is empty already. Only another field, which may be missing, can leave the field missing.
            match clear {
                Some(_) if self.is_new_and_empty(field) => {}
                Some(_) if is_text_of_row(&text) => {
                    self.push(&format!("set {field}"), Some("\"\"".to_owned()));
                }
                clear => self.all.extend(clear),
            }
        }
        let set_action = field.map(|field| format!("set {field}"));
        match self.all.last_mut() {
            Some((last, texts)) if last == what || Some(&*last) == set_action.as_ref() => {
                match texts.last_mut() {
                    // Adjacent literals are joined, because documents may divide a text differently.
                    Some(last) if last.starts_with('"') && text.starts_with('"') => {
                        last.pop();
                        last.push_str(&text[1..]);
                    }
                    _ => texts.push(text),
                }
            }
            _ => self.push(what, Some(text)),
        }
    }

    /// Returns the key of a setting. Settings before and after `using` have different keys, as the other mode may read
    /// the value.
    fn setting_key(&self, what: &str) -> String {
        match self.all.iter().filter(|(what, _)| what.starts_with("using ")).count() {
            0 => format!("set {what}"),
            used => format!("set {what} after {used} using"),
        }
    }

    /// Formats an action with its position: after the end of the run, or else the number of actions before it and the
    /// last of these.
    fn action_detail(&self, what: &str) -> String {
        match self.all.last() {
            _ if self.end.is_some() => format!("{what}, following the end"),
            None => what.to_owned(),
            Some((last, texts)) => {
                let count: usize = self.all.iter().map(|(_, texts)| texts.len().max(1)).sum();
                let last_text = format!("{last} {}", texts.join(" + "));
                format!("{what}, following {count}: {}", last_text.trim_end())
            }
        }
    }

    /// Formats the actions. The action `end`, which ends the run or the procedure, is included only if other actions
    /// follow it.
    fn into_actions(mut self, end: &str) -> Vec<String> {
        if let Some(at) = self.end.filter(|at| *at < self.all.len()) {
            self.all.insert(at, (end.to_owned(), Vec::new()));
        }
        let action_text = |(what, texts): (String, Vec<String>)| match texts.is_empty() {
            true => what,
            false => format!("{what} {}", texts.join(" + ")),
        };
        self.all.into_iter().map(action_text).collect()
    }
}

fn writes_buffer(action: &str) -> bool {
    action.starts_with("append to temporary-buffer") || action.starts_with("set temporary-buffer")
}

fn reads_buffer(action: &str) -> bool {
    action.contains("temporary-buffer") && !writes_buffer(action)
}

/// Whether only later rows read a register, so that the position of a write within the row does not matter.
fn is_setting(what: &str) -> bool {
    matches!(what, "return-state" | "additional-allowed-character") || what.ends_with("-flag")
}

/// Whether an action creates the token or attribute of a field, and thus empties the field.
pub(crate) fn creates_field(action: &str, field: &str) -> bool {
    let kind = action.strip_prefix("create ");
    match field {
        "attribute-name" | "attribute-value" => action == "start-attribute",
        "tag-name" => kind.is_some_and(|kind| kind.ends_with("-tag")),
        "comment" => kind == Some("comment"),
        "public-identifier" | "system-identifier" => kind == Some("doctype"),
        "data" | "target" => kind == Some("processing-instruction"),
        _ => kind
            .is_some_and(|kind| field.strip_prefix(kind).is_some_and(|part| part.starts_with('-'))),
    }
}

/// Whether a field is empty, but not missing, when its token is created, so that setting it to `""` then has no effect.
pub(crate) fn is_never_missing(field: &str) -> bool {
    matches!(field, "attribute-name" | "attribute-value" | "tag-name" | "comment")
}

/// Whether a text is a literal or is read from the input or a register, in contrast to a field, which may be missing.
pub(crate) fn is_text_of_row(value: &str) -> bool {
    value.starts_with(['"', '\''])
        || matches!(
            value,
            "current"
                | "lower"
                | "temporary-buffer"
                | "returned"
                | "reference"
                | "character-reference-code"
                | "last-start-tag"
                | "matched"
                | "lexeme"
        )
}

/// Returns a text as written; `current`, `matched` and `lower` become literals if the matched text is known.
fn text_literal(value: &str, matched_text: Option<&str>) -> String {
    match (value, matched_text) {
        ("current" | "matched", Some(matched_text)) => format!("{matched_text:?}"),
        ("lower", Some(matched_text)) => format!("{:?}", matched_text.to_ascii_lowercase()),
        _ => value.to_owned(),
    }
}
