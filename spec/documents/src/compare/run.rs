//! Runs a row with given values of its conditions. A condition without a known value ends the run with a question.

use super::answers::{Answers, Names, Question, set_text};
use super::effect::Effect;
use super::index::{ComparedRow, Index, NamedRows};
use super::text;
use std::collections::BTreeMap;
use tabulex_language::syntax::{Argument, Conditions, ParsedStep, Words};

/// Maximum nesting depth of branches and named steps; deeper steps are ignored.
const MAX_DEPTH: usize = 16;

/// Declarations of both sides that apply to the rows of either.
#[derive(Debug, Default)]
pub(super) struct SharedDeclarations {
    /// Values of flags that either side declares.
    flags: BTreeMap<String, Names>,
    /// Names of sets that both sides declare. Their members are compared separately, so rows are compared by name.
    set_names: Names,
}

impl SharedDeclarations {
    /// Collects the flags of both sides, and the sets that both declare.
    pub(super) fn new(left: &Index<'_>, right: &Index<'_>) -> Self {
        let mut shared = Self::default();
        for (name, values) in left.flags.iter().chain(&right.flags) {
            let all_values = shared.flags.entry((*name).to_owned()).or_default();
            all_values.extend(values.iter().cloned());
        }
        let common_sets =
            left.element_sets.keys().filter(|name| right.element_sets.contains_key(*name));
        shared.set_names = common_sets.map(|name| (*name).to_owned()).collect();
        shared
    }
}

/// A run of a row on one side.
pub(super) struct Run<'r, 't> {
    pub(super) index: &'r Index<'t>,
    pub(super) block: &'r NamedRows<'t>,
    pub(super) shared: &'r SharedDeclarations,
    /// The token's name, or a placeholder for all names that no row mentions.
    pub(super) token_name: &'r str,
    /// The matched text, if the inputs under comparison have only one.
    pub(super) matched_text: Option<&'r str>,
    pub(super) answers: &'r Answers,
    /// The actions so far, each as a list of words.
    pub(super) actions: Vec<Vec<String>>,
}

impl<'t> Run<'_, 't> {
    /// Runs a row and returns its effect, or the first question without an answer.
    pub(super) fn run(mut self, row: &ComparedRow<'t>) -> Result<Effect, Question> {
        let (index, block) = (self.index, self.block);
        if block.is_pass_through {
            self.run_steps(block.enter(), false, 0)?;
        }
        self.run_steps(row.steps, false, 0)?;
        let target = self.actions.iter().rev().find_map(|words| match &words[..] {
            [verb, target, ..] if verb == "switch" || verb == "reconsume" => Some(&target[..]),
            [verb, ..] if verb == "return" || verb == "stop" => Some(""),
            _ => None,
        });
        if let Some(target) = target.filter(|target| !block.is_mode && *target != block.name) {
            let entered_block = index.find(target, false).map(|at| &index.blocks[at]);
            let row_actions = std::mem::take(&mut self.actions);
            self.run_steps(block.leave(), false, 0)?;
            self.actions.extend(row_actions);
            if let Some(entered_block) =
                entered_block.filter(|entered_block| !entered_block.is_pass_through)
            {
                self.run_steps(entered_block.enter(), false, 0)?;
            }
        }
        let tests_buffer = index.have_buffer_test(row.steps);
        Ok(Effect::new(&self.actions, index, block, (self.matched_text, tests_buffer)))
    }

    /// Runs steps. `as else` within the `else` row cannot be expanded, and is kept as an action.
    fn run_steps(
        &mut self,
        steps: &[ParsedStep],
        is_else: bool,
        depth: usize,
    ) -> Result<(), Question> {
        for step in steps.iter().filter(|_| depth < MAX_DEPTH) {
            if self.block.is_mode && self.actions.last().is_some_and(|words| ends_run(words)) {
                return Ok(());
            }
            match step {
                ParsedStep::Note(_) => {}
                ParsedStep::Action(words) => {
                    let action = text::arguments(words);
                    if let Some(steps) = self.index.definitions.get(&action[..]) {
                        self.run_steps(steps, is_else, depth + 1)?;
                    } else if action == "as else" && !is_else {
                        if let Some(row) = self.block.rows.iter().find(|row| row.is_else()) {
                            self.run_steps(row.steps, true, depth + 1)?;
                        }
                    } else {
                        let words = self.action_words(words);
                        self.actions.push(words);
                    }
                }
                ParsedStep::When { condition, then, otherwise } => {
                    let branch = if self.holds(condition)? { then } else { otherwise };
                    self.run_steps(branch, is_else, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the words of an action. In modes, sets of names are replaced by their members.
    fn action_words(&self, words: &Words) -> Vec<String> {
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
            ("adoption-agency", _) => {
                arguments.iter().map(|argument| self.set_word(argument)).collect()
            }
            _ => arguments.iter().map(|argument| self.word(argument)).collect(),
        }
    }

    /// Returns a set by name if both sides declare it, and else by its members.
    fn set_word(&self, argument: &Argument) -> String {
        match argument {
            Argument::Name(name) if self.shared.set_names.contains(name) => name.clone(),
            other => self.word(other),
        }
    }

    fn word(&self, argument: &Argument) -> String {
        match argument {
            Argument::Name(name) if self.index.element_sets.contains_key(&name[..]) => {
                set_text(&self.index.element_sets[&name[..]])
            }
            other => text::argument(other),
        }
    }

    /// Whether the conditions hold. Returns the first question without an answer as an error.
    pub(super) fn holds(&self, conditions: &Conditions) -> Result<bool, Question> {
        for words in &conditions.parts {
            let arguments: Vec<&Argument> = words.arguments.iter().map(|it| &it.value).collect();
            let definition = match arguments[..] {
                [Argument::Name(name)] => self.index.conditions.get(&name[..]),
                _ => None,
            };
            let holds = match definition {
                Some(definition) => self.holds(definition)?,
                None if self.block.is_mode => self.answer(self.tree_question(&arguments))?,
                None => self.answer(self.question(&arguments))?,
            };
            if (holds != words.negated) == conditions.any {
                return Ok(conditions.any);
            }
        }
        Ok(!conditions.any)
    }

    /// Returns the answer to a question, or the question as an error if the answer is not known.
    pub(super) fn answer(&self, question: Question) -> Result<bool, Question> {
        self.answers.implied(&question).ok_or(question)
    }

    /// Returns the question that a state's condition asks, with classes replaced by their characters.
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
        let condition = arguments.iter().map(word).collect::<Vec<_>>().join(" ");
        match condition.split_once(" is ") {
            Some((what, value)) => {
                let values = self.shared.flags.get(what).cloned();
                Question::One(what.to_owned(), Names::from([value.to_owned()]), values)
            }
            None => Question::Plain(condition),
        }
    }

    /// Returns the question that a mode's condition asks, with sets replaced by their members. Questions about the tree
    /// depend on the actions before them.
    fn tree_question(&self, arguments: &[&Argument]) -> Question {
        let words: Vec<&str> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Name(name) => &name[..],
                _ => "",
            })
            .collect();
        let names_from =
            |from: usize| self.index.elements_named(&arguments[from..], self.token_name);
        let question_on = |what: String, from: usize| {
            Question::One(self.qualified_question(&what), names_from(from), None)
        };
        match words[..] {
            [_, "is", "pointed" | "token-name-ignoring-case", ..]
            | ["in-scope", _, "pointed", _] => {
                Question::Plain(self.qualified_question(&words.join(" ")))
            }
            [what @ ("current" | "second" | "adjusted-current"), "is", ..] => {
                question_on(what.to_owned(), 2)
            }
            ["adjusted-current", "in", namespace] => {
                let what = self.qualified_question("adjusted-current in");
                Question::One(what, Names::from([namespace.to_owned()]), None)
            }
            ["context", "is", ..] => Question::One("context".to_owned(), names_from(2), None),
            ["token-attribute", _, "is", _] => {
                Question::One(self.word(arguments[1]), Names::from([self.word(arguments[3])]), None)
            }
            [flag, "is", value] => {
                let sets_flag = |words: &&Vec<String>| {
                    words.len() == 3 && words[0] == "set" && words[1] == flag
                };
                let set_count = self.actions.iter().filter(sets_flag).count();
                let values = self.shared.flags.get(flag).cloned();
                let flag_after_sets = format!("{flag} after {set_count}");
                Question::One(flag_after_sets, Names::from([value.to_owned()]), values)
            }
            ["open" | "formatting-has", ..] => {
                Question::Some(self.qualified_question(words[0]), names_from(1))
            }
            ["above", "token-name", ..] => {
                Question::Some(self.qualified_question("above token-name"), names_from(2))
            }
            ["in-scope", ..] => {
                let scope = format!("in-scope {}", self.set_word(arguments[1]));
                Question::Some(self.qualified_question(&scope), names_from(2))
            }
            ["open-other-than", ..] => Question::Plain(
                self.qualified_question(&format!("open-other-than {}", set_text(&names_from(1)))),
            ),
            ["fragment" | "self-closing" | "last" | "token-attribute" | "doctype", ..] => {
                Question::Plain(self.joined_words(arguments))
            }
            _ => Question::Plain(self.qualified_question(&self.joined_words(arguments))),
        }
    }

    fn joined_words(&self, arguments: &[&Argument]) -> String {
        arguments.iter().map(|argument| self.word(argument)).collect::<Vec<_>>().join(" ")
    }

    /// Adds to a question the tree actions before it, so that an answer from before these actions does not apply.
    fn qualified_question(&self, what: &str) -> String {
        let actions = self.actions.iter().filter(|words| changes_answers(&words[0]));
        let actions: Vec<String> = actions.map(|words| words.join(" ")).collect();
        format!("{what} after {}", actions.join("; "))
    }
}

/// Whether no action of a mode's row runs after this one.
fn ends_run(words: &[String]) -> bool {
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
