//! The execution of a row under given answers. A condition without an answer ends the run with a question.

use super::answers::{Answers, Names, Question, set_text};
use super::effect::Effect;
use super::index::{ComparedRow, Index, NamedRows};
use super::text;
use std::collections::BTreeMap;
use tabulex_language::syntax::{Argument, Conditions, Step, Words};

/// Maximum nesting depth of named steps.
const MAX_DEPTH: usize = 16;

/// Declarations that rows of both sides use.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The values of flags that either side declares.
    flags: BTreeMap<String, Names>,
    /// Names of sets that both sides declare, which are compared by themselves.
    sets: Names,
}

impl Shared {
    /// Collects the declarations of both sides.
    pub(super) fn new(left: &Index<'_>, right: &Index<'_>) -> Self {
        let mut shared = Self::default();
        for (name, values) in left.flags.iter().chain(&right.flags) {
            let all = shared.flags.entry((*name).to_owned()).or_default();
            all.extend(values.iter().cloned());
        }
        let both = left.names.keys().filter(|name| right.names.contains_key(*name));
        shared.sets = both.map(|name| (*name).to_owned()).collect();
        shared
    }
}

/// The execution of a row on one side.
pub(super) struct Run<'r, 't> {
    pub(super) index: &'r Index<'t>,
    pub(super) block: &'r NamedRows<'t>,
    pub(super) shared: &'r Shared,
    /// The token's name, or a placeholder for any other name.
    pub(super) token_name: &'r str,
    /// The matched text, if it is known.
    pub(super) one: Option<&'r str>,
    pub(super) answers: &'r Answers,
    /// The actions so far, each as its words.
    pub(super) taken: Vec<Vec<String>>,
}

impl<'t> Run<'_, 't> {
    /// Runs the row; fails with the first question that lacks an answer.
    pub(super) fn take(mut self, row: &ComparedRow<'t>) -> Result<Effect, Question> {
        let (index, block) = (self.index, self.block);
        if block.is_passed {
            self.steps(block.enter(), false, 0)?;
        }
        self.steps(row.steps, false, 0)?;
        let target = self.taken.iter().rev().find_map(|words| match &words[..] {
            [verb, target, ..] if verb == "switch" || verb == "reconsume" => Some(&target[..]),
            [verb, ..] if verb == "return" || verb == "stop" => Some(""),
            _ => None,
        });
        if let Some(target) = target.filter(|target| !block.is_mode && *target != block.name) {
            let entered = index.find(target, false).map(|at| &index.blocks[at]);
            let of_row = std::mem::take(&mut self.taken);
            self.steps(block.leave(), false, 0)?;
            self.taken.extend(of_row);
            if let Some(entered) = entered.filter(|entered| !entered.is_passed) {
                self.steps(entered.enter(), false, 0)?;
            }
        }
        Ok(Effect::new(&self.taken, index, block, self.one))
    }

    /// Takes the steps. An `as else` in the `else` row itself cannot be expanded and is kept as an action.
    fn steps(&mut self, steps: &[Step], is_else: bool, depth: usize) -> Result<(), Question> {
        for step in steps.iter().filter(|_| depth < MAX_DEPTH) {
            if self.block.is_mode && self.taken.last().is_some_and(|words| ends(words)) {
                return Ok(());
            }
            match step {
                Step::Note(_) => {}
                Step::Action(words) => {
                    let written = text::arguments(words);
                    if let Some(steps) = self.index.defined.get(&written[..]) {
                        self.steps(steps, is_else, depth + 1)?;
                    } else if written == "as else" && !is_else {
                        if let Some(row) = self.block.rows.iter().find(|row| row.is_else()) {
                            self.steps(row.steps, true, depth + 1)?;
                        }
                    } else {
                        let words = self.words(words);
                        self.taken.push(words);
                    }
                }
                Step::When { condition, then, otherwise } => {
                    let branch = if self.holds(condition)? { then } else { otherwise };
                    self.steps(branch, is_else, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the words of an action; those of trees with sets of names expanded.
    fn words(&self, words: &Words) -> Vec<String> {
        let arguments: Vec<&Argument> = words.arguments.iter().map(|it| &it.value).collect();
        let name = |at: usize| match arguments.get(at) {
            Some(Argument::Name(name)) => &name[..],
            _ => "",
        };
        let set = |arguments: &[&Argument]| self.index.elements_named(arguments, self.token_name);
        match (name(0), name(2)) {
            _ if !self.block.is_mode => arguments.into_iter().map(text::argument).collect(),
            ("pop-until-token-name", _) if arguments.len() == 1 => {
                vec!["pop-until".to_owned(), self.token_name.to_owned()]
            }
            ("generate-end-tags", "except") => {
                let except = set(&arguments[3..]);
                let names = set(&arguments[1..2]).difference(&except).cloned().collect();
                vec![name(0).to_owned(), set_text(&names)]
            }
            (
                "pop-until"
                | "clear-back-to"
                | "generate-end-tags"
                | "leave-foreign-content"
                | "finish-patching",
                _,
            ) => vec![name(0).to_owned(), set_text(&set(&arguments[1..]))],
            ("adoption-agency", _) => arguments.iter().map(|argument| self.set(argument)).collect(),
            _ => arguments.iter().map(|argument| self.word(argument)).collect(),
        }
    }

    /// Returns a scope or a category, by name if both sides declare it.
    fn set(&self, argument: &Argument) -> String {
        match argument {
            Argument::Name(name) if self.shared.sets.contains(name) => name.clone(),
            other => self.word(other),
        }
    }

    fn word(&self, argument: &Argument) -> String {
        match argument {
            Argument::Name(name) if self.index.names.contains_key(&name[..]) => {
                set_text(&self.index.names[&name[..]])
            }
            other => text::argument(other),
        }
    }

    /// Whether the conditions hold; fails with the first undecided question.
    pub(super) fn holds(&self, conditions: &Conditions) -> Result<bool, Question> {
        for words in &conditions.parts {
            let arguments: Vec<&Argument> = words.arguments.iter().map(|it| &it.value).collect();
            let defined = match arguments[..] {
                [Argument::Name(name)] => self.index.conditions.get(&name[..]),
                _ => None,
            };
            let held = match defined {
                Some(defined) => self.holds(defined)?,
                None if self.block.is_mode => self.answer(self.tree_question(&arguments))?,
                None => self.answer(self.question(&arguments))?,
            };
            if (held != words.negated) == conditions.any {
                return Ok(conditions.any);
            }
        }
        Ok(!conditions.any)
    }

    /// Returns the answer to the question, or the question itself.
    pub(super) fn answer(&self, question: Question) -> Result<bool, Question> {
        self.answers.implied(&question).ok_or(question)
    }

    /// Returns the question of a state's condition, with classes replaced by their characters.
    fn question(&self, arguments: &[&Argument]) -> Question {
        let word = |argument: &&Argument| match argument {
            Argument::Name(name) if arguments.len() > 1 => {
                match self.index.classes.get(&name[..]) {
                    Some(class) => text::characters(class),
                    None => name.clone(),
                }
            }
            other => text::argument(other),
        };
        let all = arguments.iter().map(word).collect::<Vec<_>>().join(" ");
        match all.split_once(" is ") {
            Some((what, value)) => {
                let values = self.shared.flags.get(what).cloned();
                Question::One(what.to_owned(), Names::from([value.to_owned()]), values)
            }
            None => Question::Plain(all),
        }
    }

    /// Returns the question of a mode's condition.
    fn tree_question(&self, arguments: &[&Argument]) -> Question {
        let words: Vec<&str> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Name(name) => &name[..],
                _ => "",
            })
            .collect();
        let named = |from: usize| self.index.elements_named(&arguments[from..], self.token_name);
        let one = |what: String, from: usize| {
            Question::One(self.qualified_question(&what), named(from), None)
        };
        match words[..] {
            [_, "is", "pointed" | "token-name-ignoring-case", ..]
            | ["in-scope", _, "pointed", _] => {
                Question::Plain(self.qualified_question(&words.join(" ")))
            }
            [what @ ("current" | "second" | "adjusted-current"), "is", ..] => {
                one(what.to_owned(), 2)
            }
            ["adjusted-current", "in", namespace] => {
                let what = self.qualified_question("adjusted-current in");
                Question::One(what, Names::from([namespace.to_owned()]), None)
            }
            ["context", "is", ..] => Question::One("context".to_owned(), named(2), None),
            ["token-attribute", _, "is", _] => {
                Question::One(self.word(arguments[1]), Names::from([self.word(arguments[3])]), None)
            }
            [flag, "is", value] => {
                let sets = |words: &&Vec<String>| {
                    words.len() == 3 && words[0] == "set" && words[1] == flag
                };
                let before = self.taken.iter().filter(sets).count();
                let values = self.shared.flags.get(flag).cloned();
                let flag_after = format!("{flag} after {before}");
                Question::One(flag_after, Names::from([value.to_owned()]), values)
            }
            ["open" | "formatting-has", ..] => {
                Question::Some(self.qualified_question(words[0]), named(1))
            }
            ["above", "token-name", ..] => {
                Question::Some(self.qualified_question("above token-name"), named(2))
            }
            ["in-scope", ..] => {
                let scope = format!("in-scope {}", self.set(arguments[1]));
                Question::Some(self.qualified_question(&scope), named(2))
            }
            ["open-other-than", ..] => Question::Plain(
                self.qualified_question(&format!("open-other-than {}", set_text(&named(1)))),
            ),
            ["fragment" | "self-closing" | "last" | "token-attribute" | "doctype", ..] => {
                Question::Plain(self.all(arguments))
            }
            _ => Question::Plain(self.qualified_question(&self.all(arguments))),
        }
    }

    fn all(&self, arguments: &[&Argument]) -> String {
        arguments.iter().map(|argument| self.word(argument)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the question, qualified by the tree actions before it, which invalidate earlier answers.
    fn qualified_question(&self, what: &str) -> String {
        let done = self.taken.iter().filter(|words| changes_answers(&words[0]));
        let done: Vec<String> = done.map(|words| words.join(" ")).collect();
        format!("{what} after {}", done.join("; "))
    }
}

/// Whether a mode's action is its last.
fn ends(words: &[String]) -> bool {
    matches!(&words[0][..], "reprocess" | "stop")
}

/// Whether an action can change the answer to a later question about the tree.
fn changes_answers(verb: &str) -> bool {
    !matches!(
        verb,
        "acknowledge-self-closing"
            | "adjust-attributes"
            | "adjust-tag-name"
            | "append-comment"
            | "append-processing-instruction"
            | "append-text"
            | "call-host"
            | "error"
            | "ignore"
            | "ignore-next-line-feed"
            | "insert-character"
            | "insert-comment"
            | "insert-processing-instruction"
            | "mark-end-tag"
            | "rename"
            | "set"
            | "set-original-mode"
            | "switch"
            | "tokenizer"
    )
}
