//! The effect of a mode's row under given answers, normalized: errors, tree actions in order, settings in any order,
//! and the next mode.

use super::answers::{Answers, Names, Question, listed};
use super::gather::{Mode, Row, Tokens, Trees};
use crate::compare::index::text;
use std::collections::BTreeMap;
use tabulex_language::syntax::{Argument, Conditions, Step, Words};

/// Code of an error that the document does not name.
const UNNAMED: &str = "unnamed";

/// Maximum nesting depth of named steps.
const MAX_DEPTH: usize = 16;

/// The normalized effect of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    errors: Vec<String>,
    /// Tree actions, each as its words.
    actions: Vec<Vec<String>>,
    settings: BTreeMap<String, String>,
    next: String,
    is_again: bool,
    /// Errors with their codes and positions, and recorded source positions: documents do not specify these.
    details: Vec<String>,
}

impl Effect {
    /// Whether two effects are equal; an unnamed error equals any error, at any position.
    pub(super) fn equals(&self, other: &Self) -> bool {
        let same = |(one, two): (&String, &String)| one == two || one == UNNAMED || two == UNNAMED;
        let all = |(one, two): (&Vec<String>, &Vec<String>)| {
            one.len() == two.len() && one.iter().zip(two).all(same)
        };
        self.errors.len() == other.errors.len()
            && self.errors.iter().zip(&other.errors).all(same)
            && self.actions.len() == other.actions.len()
            && self.actions.iter().zip(&other.actions).all(all)
            && self.settings == other.settings
            && self.next == other.next
            && self.is_again == other.is_again
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

    /// Details in which equal effects may differ.
    pub(super) fn details(&self) -> String {
        self.details.join("; ")
    }

    /// Returns the effect in the table language.
    pub(super) fn text(&self) -> String {
        let mut parts: Vec<String> =
            self.errors.iter().map(|code| format!("error {code}")).collect();
        parts.extend(self.actions.iter().map(|words| words.join(" ")));
        let settings = self.settings.iter().map(|(what, value)| format!("{what} {value}"));
        parts.extend(settings.map(|part| part.trim_end().to_owned()));
        if !self.next.is_empty() {
            parts.push(self.next.clone());
        }
        if self.is_again {
            parts.push("reprocess".to_owned());
        }
        if parts.is_empty() { "ignore".to_owned() } else { parts.join("; ") }
    }
}

/// The execution of a row on one side.
pub(super) struct Run<'r, 't> {
    pub(super) trees: &'r Trees<'t>,
    pub(super) mode: &'r Mode<'t>,
    /// The values of flags that either side declares.
    pub(super) flags: &'r BTreeMap<String, Names>,
    /// Names of sets that both sides declare, which are compared by themselves.
    pub(super) shared: &'r Names,
    /// The token's name, or the placeholder for any other name.
    pub(super) token_name: &'r str,
    pub(super) answers: &'r Answers,
    effect: Effect,
    /// Actions so far that may change an answer.
    done: Vec<String>,
    has_ended: bool,
}

impl<'r, 't> Run<'r, 't> {
    /// Creates a run without effects.
    pub(super) fn new(
        (trees, mode): (&'r Trees<'t>, &'r Mode<'t>),
        (flags, shared): (&'r BTreeMap<String, Names>, &'r Names),
        token_name: &'r str,
        answers: &'r Answers,
    ) -> Self {
        let (effect, done) = (Effect::default(), Vec::new());
        Self { trees, mode, flags, shared, token_name, answers, effect, done, has_ended: false }
    }

    /// Runs the row; fails with the first question that lacks an answer.
    pub(super) fn take(mut self, row: &Row<'t>) -> Result<Effect, Question> {
        self.steps(row.steps, 0)?;
        if self.effect.next == "stop" {
            self.effect.settings.clear();
        }
        Ok(self.effect)
    }

    fn steps(&mut self, steps: &[Step], depth: usize) -> Result<(), Question> {
        for step in steps.iter().filter(|_| depth < MAX_DEPTH) {
            if self.has_ended {
                return Ok(());
            }
            match step {
                Step::Note(_) => {}
                Step::Action(words) => self.action(words, depth)?,
                Step::When { condition, then, otherwise } => {
                    let branch = if self.holds(condition)? { then } else { otherwise };
                    self.steps(branch, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    fn action(&mut self, words: &Words, depth: usize) -> Result<(), Question> {
        if let Some(steps) = self.trees.steps.get(&text(words)[..]) {
            return self.steps(steps, depth + 1);
        }
        let action = self.words(&words.arguments.iter().map(|it| &it.value).collect::<Vec<_>>());
        let texts: Vec<&str> = action.iter().map(String::as_str).collect();
        match texts[..] {
            // The source positions that a node records are not part of the tree.
            ["ignore"] => {}
            ["mark-end-tag"] => self.detail(texts[0]),
            ["as", "else"] => {
                let is_else = |row: &&Row<'t>| row.tokens.contains(&Tokens::Else);
                if let Some(row) = self.mode.rows.iter().find(is_else) {
                    return self.steps(row.steps, depth + 1);
                }
            }
            ["error", code] => {
                self.effect.errors.push(code.to_owned());
                self.detail(&texts.join(" "));
            }
            ["switch", mode] => self.effect.next = format!("switch {mode}"),
            ["reprocess", ref mode @ ..] => {
                if let [mode] = mode {
                    self.effect.next = format!("switch {mode}");
                }
                self.effect.is_again = true;
                self.has_ended = true;
            }
            ["stop"] => {
                self.effect.next = "stop".to_owned();
                self.has_ended = true;
            }
            ["set", what, value] => {
                self.done.push(format!("set {what}"));
                self.effect.settings.insert(self.setting(&format!("set {what}")), value.to_owned());
            }
            ["tokenizer", word] => {
                self.effect.settings.insert("tokenizer".to_owned(), word.to_owned());
            }
            ["acknowledge-self-closing"] => {
                self.effect.settings.insert(texts[0].to_owned(), String::new());
            }
            // The current mode depends on preceding switches.
            ["set-original-mode"] if !self.effect.next.is_empty() => {
                self.effect.actions.push(vec![texts[0].to_owned(), self.effect.next.clone()]);
            }
            _ => {
                // The adoption agency is the only action that reports an error itself.
                if texts[0] == "adoption-agency" {
                    self.detail(&texts.join(" "));
                }
                if changes_answers(texts[0]) {
                    self.done.push(texts.join(" "));
                }
                self.effect.actions.push(action);
            }
        }
        Ok(())
    }

    fn detail(&mut self, what: &str) {
        let Effect { actions, details, .. } = &mut self.effect;
        details.push(match &actions[..] {
            [] => what.to_owned(),
            [.., last] => format!("{what}, following {}: {}", actions.len(), last.join(" ")),
        });
    }

    /// Returns the key of a setting; settings before and after `using` another mode are distinct.
    fn setting(&self, what: &str) -> String {
        let used = self.effect.actions.iter().filter(|words| words[0] == "using").count();
        if used == 0 { what.to_owned() } else { format!("{what} after {used} using") }
    }

    /// Returns the words of an action, with sets of names expanded.
    fn words(&self, arguments: &[&Argument]) -> Vec<String> {
        if let [Argument::Name(verb)] = arguments
            && verb == "pop-until-token-name"
        {
            return vec!["pop-until".to_owned(), self.token_name.to_owned()];
        }
        let name = |at: usize| match arguments.get(at) {
            Some(Argument::Name(name)) => &name[..],
            _ => "",
        };
        let set = |arguments: &[&Argument]| self.trees.named(arguments, self.token_name);
        match (name(0), name(2)) {
            ("generate-end-tags", "except") => {
                let except = set(&arguments[3..]);
                let names = set(&arguments[1..2]).difference(&except).cloned().collect();
                vec![name(0).to_owned(), listed(&names)]
            }
            (
                "pop-until"
                | "clear-back-to"
                | "generate-end-tags"
                | "leave-foreign-content"
                | "finish-patching",
                _,
            ) => vec![name(0).to_owned(), listed(&set(&arguments[1..]))],
            ("adoption-agency", _) => arguments.iter().map(|argument| self.set(argument)).collect(),
            _ => arguments.iter().map(|argument| self.word(argument)).collect(),
        }
    }

    /// Returns a scope or a category, by name if both sides declare it.
    fn set(&self, argument: &Argument) -> String {
        match argument {
            Argument::Name(name) if self.shared.contains(name) => name.clone(),
            other => self.word(other),
        }
    }

    fn word(&self, argument: &Argument) -> String {
        match argument {
            Argument::Name(name) => match self.trees.names.get(&name[..]) {
                Some(names) => listed(names),
                None => name.clone(),
            },
            Argument::Character(character) => format!("{character:?}"),
            Argument::Text(text) => format!("{text:?}"),
            Argument::Number(number) => number.to_string(),
        }
    }

    /// Whether the conditions hold; fails with the first undecided question.
    pub(super) fn holds(&self, conditions: &Conditions) -> Result<bool, Question> {
        for words in &conditions.parts {
            let arguments: Vec<&Argument> = words.arguments.iter().map(|it| &it.value).collect();
            let defined = match arguments[..] {
                [Argument::Name(name)] => self.trees.conditions.get(&name[..]),
                _ => None,
            };
            let held = match defined {
                Some(defined) => self.holds(defined)?,
                None => {
                    let question = self.question(&arguments);
                    self.answers.to(&question).ok_or(question)?
                }
            };
            if (held != words.negated) == conditions.any {
                return Ok(conditions.any);
            }
        }
        Ok(!conditions.any)
    }

    fn question(&self, arguments: &[&Argument]) -> Question {
        let words: Vec<&str> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Name(name) => &name[..],
                _ => "",
            })
            .collect();
        let named = |from: usize| self.trees.named(&arguments[from..], self.token_name);
        let one = |what: String, from: usize| Question::One(self.now(&what), named(from), None);
        match words[..] {
            [_, "is", "pointed" | "token-name-ignoring-case", ..]
            | ["in-scope", _, "pointed", _] => Question::Plain(self.now(&words.join(" "))),
            [what @ ("current" | "second" | "adjusted-current"), "is", ..] => {
                one(what.to_owned(), 2)
            }
            ["adjusted-current", "in", namespace] => {
                let what = self.now("adjusted-current in");
                Question::One(what, Names::from([namespace.to_owned()]), None)
            }
            ["context", "is", ..] => Question::One("context".to_owned(), named(2), None),
            ["token-attribute", _, "is", _] => {
                Question::One(self.word(arguments[1]), Names::from([self.word(arguments[3])]), None)
            }
            [flag, "is", value] => {
                let set = format!("set {flag}");
                let before = self.done.iter().filter(|done| **done == set).count();
                let what = format!("{flag} after {before}");
                Question::One(what, Names::from([value.to_owned()]), self.flags.get(flag).cloned())
            }
            ["open" | "formatting-has", ..] => Question::Some(self.now(words[0]), named(1)),
            ["above", "token-name", ..] => Question::Some(self.now("above token-name"), named(2)),
            ["in-scope", ..] => {
                let scope = format!("in-scope {}", self.set(arguments[1]));
                Question::Some(self.now(&scope), named(2))
            }
            ["open-other-than", ..] => {
                Question::Plain(self.now(&format!("open-other-than {}", listed(&named(1)))))
            }
            ["fragment" | "self-closing" | "last" | "token-attribute" | "doctype", ..] => {
                Question::Plain(self.all(arguments))
            }
            _ => Question::Plain(self.now(&self.all(arguments))),
        }
    }

    fn all(&self, arguments: &[&Argument]) -> String {
        arguments.iter().map(|argument| self.word(argument)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the question, qualified by the tree actions before it, which invalidate earlier answers.
    fn now(&self, what: &str) -> String {
        let done: Vec<&str> = self
            .done
            .iter()
            .filter(|done| !done.starts_with("set "))
            .map(|done| &done[..])
            .collect();
        format!("{what} after {}", done.join("; "))
    }
}

/// Whether an action can change the answer to a later question.
fn changes_answers(verb: &str) -> bool {
    !matches!(
        verb,
        "call-host"
            | "append-text"
            | "append-comment"
            | "append-processing-instruction"
            | "insert-character"
            | "insert-comment"
            | "insert-processing-instruction"
            | "ignore-next-line-feed"
            | "adjust-attributes"
            | "adjust-tag-name"
            | "set-original-mode"
            | "rename"
    )
}
