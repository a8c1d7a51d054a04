//! The effect of a row under given answers, normalized: errors in order, output, settings, and the next state. Actions
//! are identified by their leading words only, so that new actions need no code here.

use super::index::{Index, State};
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::syntax::{Argument, Conditions, Step, Words};

/// Answers to conditions: the subject of the condition and its value.
pub(super) type Answers = BTreeMap<String, String>;

/// The normalized effect of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) errors: Vec<String>,
    actions: Vec<String>,
    settings: BTreeMap<String, String>,
    next: String,
    pub(super) reconsumes: bool,
    /// Errors with their positions in the input and among the actions, which documents do not specify.
    details: Vec<String>,
}

/// Code of an error that the document does not name.
const UNNAMED: &str = "unnamed";

impl Effect {
    /// Whether two effects are equal; an unnamed error equals any error.
    pub(super) fn equals(&self, other: &Self) -> bool {
        let same = |(one, two): (&String, &String)| one == two || one == UNNAMED || two == UNNAMED;
        self.errors.len() == other.errors.len()
            && self.errors.iter().zip(&other.errors).all(same)
            && self.actions == other.actions
            && self.settings == other.settings
            && self.next == other.next
            && self.reconsumes == other.reconsumes
    }

    /// Returns the effect for the accepted file, including error positions where they are given.
    pub(super) fn accepted_text(&self) -> String {
        let is_plain =
            |detail: &String| self.errors.iter().any(|code| *detail == format!("error {code}"));
        let more: Vec<&String> = self.details.iter().filter(|detail| !is_plain(detail)).collect();
        match &more[..] {
            [] => self.text(),
            more => {
                let more: Vec<&str> = more.iter().map(|detail| &detail[..]).collect();
                format!("{} [{}]", self.text(), more.join("; "))
            }
        }
    }

    /// Details in which equal effects may differ: codes, positions and times of errors.
    pub(super) fn details(&self) -> String {
        self.details.join("; ")
    }

    /// Whether the machine changes its state.
    pub(super) fn switches(&self) -> bool {
        !self.next.is_empty()
    }

    /// Returns the state in which the input is reconsumed, if the row does nothing else.
    pub(super) fn only_reconsumes(&self) -> Option<&str> {
        let does_more =
            !self.errors.is_empty() || !self.actions.is_empty() || !self.settings.is_empty();
        self.next.strip_prefix("switch ").filter(|_| self.reconsumes && !does_more)
    }

    /// Returns this effect, taken in the state `through`, as an effect of `state`.
    pub(super) fn come_from(mut self, state: &str, through: &str) -> Self {
        if self.next.is_empty() {
            self.next = format!("switch {through}");
        } else if self.next == format!("switch {state}") {
            self.next.clear();
        }
        self
    }

    /// Drops unobservable effects: settings when the machine stops, and writes to a buffer that is no longer read.
    fn forget(&mut self, index: &Index<'_>, state: &State<'_>) {
        let stops = self.next == "emit end-of-file" || self.next == "stop";
        if stops {
            // Actions after the last emitted token are unobservable.
            let last = self.actions.iter().rposition(|action| action.starts_with("emit "));
            self.actions.truncate(last.map_or(0, |last| last + 1));
            self.settings.clear();
        }
        let target = self.next.strip_prefix("switch ").unwrap_or(&state.name);
        if stops || !index.reads_buffer(target) {
            while self.actions.last().is_some_and(|last| writes_buffer(last)) {
                self.actions.pop();
            }
            let read_after =
                |at: usize| self.actions[at + 1..].iter().any(|action| reads_buffer(action));
            let dead: Vec<usize> = (0..self.actions.len())
                .filter(|&at| writes_buffer(&self.actions[at]) && !read_after(at))
                .collect();
            for at in dead.into_iter().rev() {
                self.actions.remove(at);
            }
        }
    }

    /// Returns the effect in the table language.
    pub(super) fn text(&self) -> String {
        let mut parts: Vec<String> =
            self.errors.iter().map(|code| format!("error {code}")).collect();
        parts.extend(self.actions.iter().cloned());
        parts.extend(
            self.settings
                .iter()
                .map(|(what, value)| format!("{what} {value}").trim_end().to_owned()),
        );
        if !self.next.is_empty() {
            parts.push(self.next.clone());
        }
        if self.reconsumes {
            parts.push("reconsume".to_owned());
        }
        if parts.is_empty() { "ignore".to_owned() } else { parts.join("; ") }
    }
}

fn writes_buffer(action: &str) -> bool {
    action.starts_with("append to temporary-buffer") || action.starts_with("set temporary-buffer")
}

fn reads_buffer(action: &str) -> bool {
    action.contains("temporary-buffer") && !writes_buffer(action)
}

/// Returns the effect of a row, given the answers and, if it is known, the matched text `one`.
pub(super) fn of_row(
    index: &Index<'_>,
    state: &State<'_>,
    row: usize,
    answers: &Answers,
    one: Option<&str>,
) -> Effect {
    let mut words = Vec::new();
    if state.is_passed {
        flatten(index, state, state.enter, answers, &mut words);
    }
    flatten(index, state, state.rows[row].steps, answers, &mut words);
    let target = words.iter().rev().find_map(|words| target(words));
    if target.as_deref().is_some_and(|target| target != state.name) {
        let mut leaving = Vec::new();
        flatten(index, state, state.leave, answers, &mut leaving);
        words.splice(0..0, leaving);
        let entered =
            target.as_deref().and_then(|target| index.find(target)).map(|at| &index.states[at]);
        if let Some(entered) = entered.filter(|entered| !entered.is_passed) {
            flatten(index, entered, entered.enter, answers, &mut words);
        }
    }
    let mut effect = canonical(&words, &state.name, one);
    effect.forget(index, state);
    effect
}

/// Returns the state that the action switches to.
fn target(words: &[String]) -> Option<String> {
    match words {
        [verb, target, ..] if verb == "switch" || verb == "reconsume" => Some(target.clone()),
        [verb, ..] if verb == "return" || verb == "stop" => Some(words.join(" ")),
        _ => None,
    }
}

/// Appends the actions that are taken, each as its words.
fn flatten(
    index: &Index<'_>,
    state: &State<'_>,
    steps: &[Step],
    answers: &Answers,
    out: &mut Vec<Vec<String>>,
) {
    flatten_in(index, state, steps, answers, false, out);
}

/// Like [`flatten`], with `is_else` set for steps of the `else` row. An "anything else" that refers to itself cannot be
/// expanded and is kept as an action.
fn flatten_in(
    index: &Index<'_>,
    state: &State<'_>,
    steps: &[Step],
    answers: &Answers,
    is_else: bool,
    out: &mut Vec<Vec<String>>,
) {
    for step in steps {
        match step {
            Step::Note(_) => {}
            Step::Action(words) => {
                let texts: Vec<String> = arguments(words);
                if let Some(defined) = texts.first().and_then(|name| index.actions.get(&name[..])) {
                    flatten_in(index, state, defined, answers, is_else, out);
                } else if texts == ["as", "else"] && !is_else {
                    let other =
                        state.rows.iter().find(|row| row.words.iter().any(|word| word == "else"));
                    if let Some(other) = other {
                        flatten_in(index, state, other.steps, answers, true, out);
                    }
                } else {
                    out.push(texts);
                }
            }
            Step::When { condition, then, otherwise } => {
                let branch = if holds(index, condition, answers) { then } else { otherwise };
                flatten_in(index, state, branch, answers, is_else, out);
            }
        }
    }
}

fn arguments(words: &Words) -> Vec<String> {
    let one = |argument: &Argument| match argument {
        Argument::Name(name) => name.clone(),
        Argument::Character(character) => format!("{:?}", character.to_string()),
        Argument::Text(text) => format!("{text:?}"),
        Argument::Number(number) => number.to_string(),
    };
    words.arguments.iter().map(|argument| one(&argument.value)).collect()
}

/// Whether the condition holds.
pub(super) fn holds(index: &Index<'_>, conditions: &Conditions, answers: &Answers) -> bool {
    let one = |words: &Words| {
        let (what, value) = index.question(words);
        let held = match index.conditions.get(&what[..]) {
            Some(named) => holds(index, named, answers),
            None => answers.get(&what) == Some(&value),
        };
        held != words.negated
    };
    if conditions.any { conditions.parts.iter().any(one) } else { conditions.parts.iter().all(one) }
}

/// Adds the subjects of the conditions, each with the values that are compared.
pub(super) fn questions(
    index: &Index<'_>,
    conditions: &Conditions,
    out: &mut BTreeMap<String, BTreeSet<String>>,
) {
    for words in &conditions.parts {
        let (what, value) = index.question(words);
        match index.conditions.get(&what[..]) {
            Some(named) => questions(index, named, out),
            None => {
                let values = out.entry(what.clone()).or_default();
                values.insert(value);
                match index.flags.get(&what[..]) {
                    Some(all) => values.extend(all.iter().map(|value| (*value).to_owned())),
                    None => {
                        values.insert("another".to_owned());
                    }
                }
            }
        }
    }
}

/// Adds the subjects of the conditions in the steps.
pub(super) fn questions_of(
    index: &Index<'_>,
    steps: &[Step],
    out: &mut BTreeMap<String, BTreeSet<String>>,
) {
    for step in steps {
        if let Step::Action(words) = step
            && let Some(name) = arguments(words).first()
            && let Some(defined) = index.actions.get(&name[..])
        {
            questions_of(index, defined, out);
        }
        if let Step::When { condition, then, otherwise } = step {
            questions(index, condition, out);
            questions_of(index, then, out);
            questions_of(index, otherwise, out);
        }
    }
}

/// Normalizes the actions of a row.
fn canonical(words: &[Vec<String>], state: &str, one: Option<&str>) -> Effect {
    let mut effect = Effect::default();
    let mut pieces: Vec<(String, Vec<String>)> = Vec::new();
    let mut ended = None;
    for action in words {
        let verb = action[0].as_str();
        match (verb, &action[1..]) {
            ("ignore", _) => {}
            // Documents do not specify the position of an error.
            ("error", [code, ..]) => {
                effect.errors.push(code.clone());
                effect.details.push(detail(action, &pieces, ended.is_some()));
            }
            ("drop-duplicate-attribute", [code]) => {
                effect.errors.push(code.clone());
                effect.details.push(detail(action, &pieces, ended.is_some()));
                pieces.push((verb.to_owned(), Vec::new()));
            }
            ("switch", [target]) => effect.next = goes(target, state),
            ("reconsume", []) => effect.reconsumes = true,
            ("reconsume", [target]) => {
                effect.reconsumes = true;
                effect.next = goes(target, state);
            }
            ("emit", [what]) if what == "end-of-file" => {
                (effect.next, ended) = (action.join(" "), Some(pieces.len()));
            }
            ("return" | "stop", _) => (effect.next, ended) = (action.join(" "), Some(pieces.len())),
            ("unset", [what]) => {
                effect.settings.insert(format!("set {what}"), "nothing".to_owned());
            }
            // A new attribute or tag is empty, so clearing its fields has no effect.
            ("set", [field, value])
                if value == "\"\""
                    && made_by(field).is_some_and(|made| {
                        pieces.iter().any(|(what, _)| what.starts_with(made))
                    }) => {}
            ("set", [what, value]) if is_setting(what) => {
                effect.settings.insert(format!("set {what}"), value.clone());
            }
            ("set", [field, value]) if field == "temporary-buffer" => {
                pieces.push((action[..2].join(" "), vec![value.clone()]));
            }
            ("emit", [value]) if is_text(value) => {
                append(&mut pieces, "emit", text_literal(value, one))
            }
            ("append", [value, to, field]) if to == "to" => {
                append(&mut pieces, &format!("append to {field}"), text_literal(value, one))
            }
            _ => pieces.push((action.join(" "), Vec::new())),
        }
    }
    if let Some(at) = ended.filter(|at| *at < pieces.len()) {
        pieces.insert(at, (effect.next.clone(), Vec::new()));
    }
    effect.actions = pieces
        .into_iter()
        .map(
            |(what, texts)| {
                if texts.is_empty() { what } else { format!("{what} {}", texts.join(" + ")) }
            },
        )
        .collect();
    effect
}

/// Returns an error as written, with its position among the actions.
fn detail(action: &[String], before: &[(String, Vec<String>)], has_ended: bool) -> String {
    match before {
        _ if has_ended => format!("{}, following the end", action.join(" ")),
        [] => action.join(" "),
        [.., (what, texts)] => {
            let count: usize = before.iter().map(|(_, texts)| texts.len().max(1)).sum();
            let last = format!("{what} {}", texts.join(" + "));
            format!("{}, following {count}: {}", action.join(" "), last.trim_end())
        }
    }
}

fn goes(target: &str, state: &str) -> String {
    if target == state { String::new() } else { format!("switch {target}") }
}

/// Whether a register is independent of other actions, so that the order of writes does not matter.
fn is_setting(what: &str) -> bool {
    matches!(what, "return-state" | "additional-allowed-character") || what.ends_with("-flag")
}

/// Returns the prefix of the actions that reset the field.
fn made_by(field: &str) -> Option<&'static str> {
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

/// Appends text to the preceding write of the same kind, or to a `set` of the field.
fn append(pieces: &mut Vec<(String, Vec<String>)>, what: &str, text: String) {
    let begun = what.strip_prefix("append to ").map(|field| format!("set {field}"));
    let place = match pieces.last_mut() {
        Some((last, texts)) if last == what || Some(&*last) == begun.as_ref() => texts,
        _ => {
            pieces.push((what.to_owned(), Vec::new()));
            let Some((_, texts)) = pieces.last_mut() else { return };
            texts
        }
    };
    match place.last_mut() {
        // Adjacent literals are merged.
        Some(last) if last.starts_with('"') && text.starts_with('"') => {
            last.pop();
            last.push_str(&text[1..]);
        }
        _ => place.push(text),
    }
}
