//! The effect of a row under given answers, normalized: errors in order, output and tree actions in order, settings in
//! any order, and the next state or mode. Actions are identified by their leading words only, so that new actions need
//! no code here.

use super::index::{Index, NamedRows};
use std::collections::BTreeMap;

/// Code of an error that the document does not name.
pub(super) const UNNAMED: &str = "unnamed";

/// The normalized effect of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    errors: Vec<String>,
    actions: Vec<String>,
    settings: BTreeMap<String, String>,
    next: String,
    /// Verb with which the input is processed again; empty if it is not.
    again: String,
    /// Errors with their codes and positions, and recorded source positions: documents do not specify these.
    details: Vec<String>,
}

/// Whether two words are equal; an unnamed error equals any error.
pub(super) fn are_equal_words(one: &str, other: &str) -> bool {
    one == other || one == UNNAMED || other == UNNAMED
}

impl Effect {
    /// Whether two effects are equal, apart from details.
    pub(super) fn equals(&self, other: &Self) -> bool {
        let words = |effect: &Self| -> Vec<String> {
            let actions = effect.actions.iter().flat_map(|action| action.split(' '));
            actions.map(str::to_owned).collect()
        };
        let are_same = |one: &[String], other: &[String]| {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, two)| are_equal_words(one, two))
        };
        are_same(&self.errors, &other.errors)
            && self.actions.len() == other.actions.len()
            && are_same(&words(self), &words(other))
            && self.settings == other.settings
            && self.next == other.next
            && self.again == other.again
    }

    /// Returns the effect for the accepted file, including error positions where they are given.
    pub(super) fn accepted_text(&self) -> String {
        let is_plain =
            |detail: &String| self.errors.iter().any(|code| *detail == format!("error {code}"));
        let more = self.details.iter().filter(|detail| !is_plain(detail)).cloned();
        match &more.collect::<Vec<_>>()[..] {
            [] => self.text(),
            more => format!("{} [{}]", self.text(), more.join("; ")),
        }
    }

    /// Returns the details in which equal effects may differ: codes, positions and times of errors.
    pub(super) fn details(&self) -> String {
        self.details.join("; ")
    }

    /// Returns the effect in the table language.
    pub(super) fn text(&self) -> String {
        let errors = self.errors.iter().map(|code| format!("error {code}"));
        let settings = self.settings.iter().map(|(what, value)| format!("{what} {value}"));
        let parts = errors.chain(self.actions.iter().cloned());
        let parts = parts.chain(settings.map(|part| part.trim_end().to_owned()));
        let ends = [&self.next, &self.again].into_iter().filter(|part| !part.is_empty());
        let parts: Vec<String> = parts.chain(ends.cloned()).collect();
        if parts.is_empty() { "ignore".to_owned() } else { parts.join("; ") }
    }

    /// Whether the input is processed again.
    pub(super) fn is_reprocessed(&self) -> bool {
        !self.again.is_empty()
    }

    /// Returns the effect at the end of the input, which the next state meets whether or not it is reconsumed.
    pub(super) fn at_end_of_input(mut self) -> Self {
        if !self.next.is_empty() {
            self.again.clear();
        }
        self
    }

    /// Returns the state in which the input is reconsumed, if the row does nothing else.
    pub(super) fn only_reconsumes(&self) -> Option<&str> {
        let does_more =
            !self.errors.is_empty() || !self.actions.is_empty() || !self.settings.is_empty();
        self.next.strip_prefix("switch ").filter(|_| self.is_reprocessed() && !does_more)
    }

    /// Returns this effect, taken in the state `through`, as an effect of `state`.
    pub(super) fn via_state(mut self, state: &str, through: &str) -> Self {
        if self.next.is_empty() {
            self.next = format!("switch {through}");
        } else if self.next == format!("switch {state}") {
            self.next.clear();
        }
        self
    }

    /// Normalizes the actions of a row; `one` is the matched text, if it is known.
    pub(super) fn new(
        actions: &[Vec<String>],
        index: &Index<'_>,
        block: &NamedRows<'_>,
        one: Option<&str>,
    ) -> Self {
        let mut effect = Self::default();
        let mut pieces = ActionList::default();
        for action in actions {
            effect.add(action, &mut pieces, block, one);
        }
        effect.actions = pieces.into_actions(&effect.next);
        effect.drop_unobservable(index, block);
        effect
    }

    fn add(
        &mut self,
        action: &[String],
        pieces: &mut ActionList,
        block: &NamedRows<'_>,
        one: Option<&str>,
    ) {
        let words: Vec<&str> = action.iter().map(String::as_str).collect();
        let whole = || words.join(" ");
        match words[..] {
            ["ignore", ..] => {}
            ["error", code, ..] => {
                self.errors.push(code.to_owned());
                self.details.push(pieces.detail(&whole()));
            }
            ["drop-duplicate-attribute", code] => {
                self.errors.push(code.to_owned());
                self.details.push(pieces.detail(&whole()));
                pieces.push(words[0], None);
            }
            // The source positions that a node records are not part of the tree.
            ["mark-end-tag"] => self.details.push(pieces.detail(words[0])),
            // A state that switches to itself stays; a mode may run within another.
            ["switch" | "reconsume" | "reprocess", target] => {
                let stays = !block.is_mode && target == block.name;
                self.next = if stays { String::new() } else { format!("switch {target}") };
                if words[0] != "switch" {
                    words[0].clone_into(&mut self.again);
                }
            }
            ["reconsume" | "reprocess"] => words[0].clone_into(&mut self.again),
            ["emit", "end-of-file"] | ["return" | "stop", ..] => {
                (self.next, pieces.end) = (whole(), Some(pieces.all.len()));
            }
            ["unset", what] if !block.is_mode => {
                self.settings.insert(format!("set {what}"), "nothing".to_owned());
            }
            ["set", what, value] if block.is_mode => {
                self.settings.insert(pieces.setting(what), value.to_owned());
            }
            // A new attribute or tag is empty, so clearing its fields has no effect.
            ["set", field, "\"\""]
                if creating_action(field).is_some_and(|register| pieces.has(register)) => {}
            ["set", what, value] if is_setting(what) => {
                self.settings.insert(format!("set {what}"), value.to_owned());
            }
            ["set", "temporary-buffer", value] => {
                pieces.push("set temporary-buffer", Some(value.to_owned()));
            }
            ["tokenizer", word] => {
                self.settings.insert("tokenizer".to_owned(), word.to_owned());
            }
            ["acknowledge-self-closing"] => {
                self.settings.insert(words[0].to_owned(), String::new());
            }
            ["emit", value] if is_text(value) => pieces.append("emit", text_literal(value, one)),
            ["append", value, "to", field] => {
                pieces.append(&format!("append to {field}"), text_literal(value, one));
            }
            // The current mode depends on preceding switches.
            ["set-original-mode"] if !self.next.is_empty() => {
                pieces.push(&format!("set-original-mode {}", self.next), None);
            }
            // The adoption agency is the only action of trees that reports an error itself.
            ["adoption-agency", ..] => {
                self.details.push(pieces.detail(&whole()));
                pieces.push(&whole(), None);
            }
            _ => pieces.push(&whole(), None),
        }
    }

    /// Drops unobservable effects: settings when the machine stops, and writes to a buffer that is no longer read.
    fn drop_unobservable(&mut self, index: &Index<'_>, block: &NamedRows<'_>) {
        let stops = self.next == "emit end-of-file" || self.next == "stop";
        if stops {
            self.settings.clear();
        }
        if block.is_mode {
            return;
        }
        if stops {
            // Actions after the last emitted token are unobservable.
            let last = self.actions.iter().rposition(|action| action.starts_with("emit "));
            self.actions.truncate(last.map_or(0, |last| last + 1));
        }
        let target = self.next.strip_prefix("switch ").unwrap_or(block.name);
        if stops || !index.reads_buffer(target) {
            let last = self.actions.iter().rposition(|action| reads_buffer(action));
            let mut at = 0;
            self.actions.retain(|action| {
                at += 1;
                !writes_buffer(action) || last.is_some_and(|last| at <= last)
            });
        }
    }
}

/// The actions of a row, with adjacent writes of text joined.
#[derive(Default)]
struct ActionList {
    /// Actions, each with the texts that it writes.
    all: Vec<(String, Vec<String>)>,
    /// Number of actions before the end of the input or of a procedure.
    end: Option<usize>,
}

impl ActionList {
    fn push(&mut self, what: &str, text: Option<String>) {
        self.all.push((what.to_owned(), text.into_iter().collect()));
    }

    /// Appends text to the preceding write of the same kind, or to a `set` of the field.
    fn append(&mut self, what: &str, text: String) {
        let begun = what.strip_prefix("append to ").map(|field| format!("set {field}"));
        match self.all.last_mut() {
            Some((last, texts)) if last == what || Some(&*last) == begun.as_ref() => {
                match texts.last_mut() {
                    // Adjacent literals are merged.
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

    fn has(&self, verb: &str) -> bool {
        self.all.iter().any(|(what, _)| what.starts_with(verb))
    }

    /// Returns the key of a setting; settings before and after `using` another mode are distinct.
    fn setting(&self, what: &str) -> String {
        match self.all.iter().filter(|(what, _)| what.starts_with("using ")).count() {
            0 => format!("set {what}"),
            used => format!("set {what} after {used} using"),
        }
    }

    /// Returns an action as written, with its position among the others.
    fn detail(&self, what: &str) -> String {
        match self.all.last() {
            _ if self.end.is_some() => format!("{what}, following the end"),
            None => what.to_owned(),
            Some((last, texts)) => {
                let count: usize = self.all.iter().map(|(_, texts)| texts.len().max(1)).sum();
                let last = format!("{last} {}", texts.join(" + "));
                format!("{what}, following {count}: {}", last.trim_end())
            }
        }
    }

    /// Returns the actions, including the end itself if others follow it.
    fn into_actions(mut self, end: &str) -> Vec<String> {
        if let Some(at) = self.end.filter(|at| *at < self.all.len()) {
            self.all.insert(at, (end.to_owned(), Vec::new()));
        }
        let one = |(what, texts): (String, Vec<String>)| match texts.is_empty() {
            true => what,
            false => format!("{what} {}", texts.join(" + ")),
        };
        self.all.into_iter().map(one).collect()
    }
}

fn writes_buffer(action: &str) -> bool {
    action.starts_with("append to temporary-buffer") || action.starts_with("set temporary-buffer")
}

fn reads_buffer(action: &str) -> bool {
    action.contains("temporary-buffer") && !writes_buffer(action)
}

/// Whether a register is independent of other actions, so that the order of writes does not matter.
fn is_setting(what: &str) -> bool {
    matches!(what, "return-state" | "additional-allowed-character") || what.ends_with("-flag")
}

/// Returns the prefix of the actions that reset the field.
fn creating_action(field: &str) -> Option<&'static str> {
    match field {
        "attribute-name" | "attribute-value" => Some("start-attribute"),
        "tag-name" => Some("create "),
        "comment" => Some("create comment"),
        _ => None,
    }
}

fn is_text(value: &str) -> bool {
    value.starts_with('"')
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

/// Returns the text to write; a single known character as a literal.
fn text_literal(value: &str, one: Option<&str>) -> String {
    match (value, one) {
        ("current" | "matched", Some(one)) => format!("{one:?}"),
        ("lower", Some(one)) => format!("{:?}", one.to_ascii_lowercase()),
        _ => value.to_owned(),
    }
}
