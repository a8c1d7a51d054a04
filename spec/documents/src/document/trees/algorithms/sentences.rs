//! Translates the sentences of algorithms that the runtime supplies to steps, one at a time. A sentence is read whole,
//! concerns only parsers that run scripts, or is unread.

mod phrases;
mod scripts;
mod stated;

pub(in crate::document::trees) use phrases::{condition, head, returned};
pub(in crate::document::trees) use stated::stated;

use crate::document::StepRead;
use pest::Parser;
use pest::iterators::Pair;
use tabulex_language::model::kebab_case;

#[derive(pest_derive::Parser)]
#[grammar = "document/trees/words.pest"]
#[grammar = "document/trees/algorithms.pest"]
#[grammar = "document/trees/phrases.pest"]
struct Steps;

/// Meaning of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::document::trees) enum AlgorithmSentence {
    /// Steps. If the last one is an empty block, the steps that follow belong to it.
    Steps(Vec<StepRead>),
    /// Steps under the preceding list of conditions.
    Then(Vec<StepRead>),
    /// The sentence is not compared, for this reason.
    NotCompared(&'static str),
}

/// Declarations that follow from the steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::document::trees) struct Declarations {
    /// Limits by name.
    pub(in crate::document::trees) limits: Vec<(&'static str, u32)>,
    /// Names of elements in conditions.
    pub(in crate::document::trees) asked: Vec<Vec<String>>,
    /// Variables that are the last open element with one of these names.
    pub(in crate::document::trees) last: Vec<(String, Vec<String>)>,
}

/// Translates a sentence; its declarations are added to `found`.
pub(in crate::document::trees) fn sentence(
    words: &str,
    found: &mut Declarations,
) -> Option<AlgorithmSentence> {
    let pairs = Steps::parse(Rule::algorithm_sentence, words).ok()?.next()?.into_inner();
    let mut reader = Reader { found, about: String::new() };
    let mut lines = Vec::new();
    for pair in pairs {
        match pair.as_rule() {
            Rule::not_compared => return Some(AlgorithmSentence::NotCompared(reason(&pair))),
            Rule::EOI => {}
            Rule::after_list => return phrases::after_list(&mut reader, &pair),
            Rule::step_label => {
                let label = kebab_case(&pair.as_str().trim_end_matches(':').to_lowercase());
                lines.push(StepRead::step(format!("at {label}")));
            }
            _ => lines.extend(reader.translate(&pair)?),
        }
    }
    Some(AlgorithmSentence::Steps(lines))
}

/// Returns the head of the block for the label of a choice.
pub(in crate::document::trees) fn label(words: &str, found: &mut Declarations) -> Option<String> {
    let pair = Steps::parse(Rule::algorithm_label, words).ok()?.next()?.into_inner().next()?;
    let mut reader = Reader { found, about: String::new() };
    match pair.as_rule() {
        Rule::holds => Some(format!("when {}", reader.holds(&pair)?)),
        _ => Some("otherwise".to_owned()),
    }
}

/// Returns the condition on an entry, from an item of a list.
pub(in crate::document::trees) fn item(words: &str) -> Option<String> {
    let pair = Steps::parse(Rule::algorithm_item, words).ok()?.next()?.into_inner().next()?;
    match pair.as_rule() {
        Rule::is_after_marker => Some("after last-marker".to_owned()),
        _ => Some(format!("named {}", variables(&pair).next()?)),
    }
}

/// Returns the rule that matched the sentence, followed by its nested rules.
pub(in crate::document) fn shape(words: &str) -> String {
    let read = |rule| Steps::parse(rule, words).ok()?.next();
    let rules =
        [Rule::algorithm_sentence, Rule::stated, Rule::head, Rule::head_returns, Rule::hold_item];
    let Some(pair) = rules.into_iter().find_map(read) else {
        return String::new();
    };
    let rules = pair.into_inner().flatten().map(|pair| format!("{:?}", pair.as_rule()));
    rules.filter(|rule| rule != "EOI").collect::<Vec<_>>().join(" ")
}

/// Returns the reason for leaving out the sentence.
fn reason(pair: &Pair<'_, Rule>) -> &'static str {
    match pair.clone().into_inner().next().map(|part| part.as_rule()) {
        Some(Rule::of_caches) => "nothing is kept for browsing without a network",
        Some(Rule::of_speculation) => "no speculative parser goes ahead",
        Some(Rule::of_custom_elements) => "no script defines custom elements",
        Some(Rule::of_pop_ups) => "nothing pops up; the standard has dropped it since",
        _ => "controls have no state and no form owner",
    }
}

/// Returns the variables in the words, in order.
fn variables<'p>(pair: &Pair<'p, Rule>) -> impl Iterator<Item = String> + use<'p> {
    let parts = pair.clone().into_inner().flatten();
    parts.filter(|part| part.as_rule() == Rule::variable_name).map(|part| variable(part.as_str()))
}

/// Returns the name of a variable in the table language.
fn variable(words: &str) -> String {
    match words {
        "adjusted insertion location" => "location".to_owned(),
        "new node" => "node".to_owned(),
        "element created in the last step" => "new-element".to_owned(),
        "adjustedInsertionLocation" => "location".to_owned(),
        other if other.starts_with("current ") => "current".to_owned(),
        other => {
            let mut name = String::new();
            for part in other.trim_start_matches("the ").chars() {
                if part.is_ascii_uppercase() {
                    name.push('-');
                }
                name.push(if part == ' ' { '-' } else { part.to_ascii_lowercase() });
            }
            name
        }
    }
}

/// Returns the list that the words name.
fn list(pair: &Pair<'_, Rule>) -> Option<&'static str> {
    let mut parts = pair.clone().into_inner().flatten();
    parts.find_map(|part| match part.as_rule() {
        Rule::list_formatting => Some("formatting"),
        Rule::list_open => Some("open"),
        _ => None,
    })
}

fn find<'p>(pair: &Pair<'p, Rule>, rule: Rule) -> Option<Pair<'p, Rule>> {
    pair.clone().into_inner().find(|part| part.as_rule() == rule)
}

/// State of translating a sentence.
struct Reader<'f> {
    found: &'f mut Declarations,
    /// Referent of "it": the variable named last in a condition.
    about: String,
}

impl Reader<'_> {
    fn translate(&mut self, pair: &Pair<'_, Rule>) -> Option<Vec<StepRead>> {
        let then = |reader: &mut Self| match find(pair, Rule::acts) {
            Some(acts) => reader.acts(&acts),
            None => Some(Vec::new()),
        };
        Some(match pair.as_rule() {
            Rule::when_list => vec![StepRead::block(phrases::list(pair)?, Vec::new())],
            Rule::repeat => vec![StepRead::block("repeat", Vec::new())],
            Rule::while_holds => {
                let holds = self.holds(&find(pair, Rule::holds)?)?;
                vec![StepRead::block(format!("repeat while {holds}"), Vec::new())]
            }
            Rule::run_substeps => vec![StepRead::block("substeps", Vec::new())],
            Rule::first_matching => Vec::new(),
            Rule::alike_attributes => {
                vec![StepRead::step(
                    "alike by names namespaces values of parsed attributes in any order",
                )]
            }
            Rule::when => {
                let holds = self.holds(&find(pair, Rule::holds)?)?;
                vec![StepRead::block(format!("when {holds}"), then(self)?)]
            }
            Rule::otherwise_when => {
                let holds = self.holds(&find(pair, Rule::holds)?)?;
                vec![StepRead::block(format!("otherwise when {holds}"), then(self)?)]
            }
            Rule::otherwise_acts => vec![StepRead::block("otherwise", then(self)?)],
            _ => self.acts(pair)?,
        })
    }

    fn holds(&mut self, pair: &Pair<'_, Rule>) -> Option<String> {
        let mut either = Vec::new();
        for all in pair.clone().into_inner() {
            let holds: Option<Vec<String>> =
                all.into_inner().map(|one| self.translate_condition(&one)).collect();
            either.push(holds?);
        }
        let is_mixed = either.len() > 1 && either.iter().any(|all| all.len() > 1);
        let both = |all: Vec<String>| {
            let joined = all.join(" and ");
            if is_mixed && all.len() > 1 { format!("both {joined}") } else { joined }
        };
        Some(either.into_iter().map(both).collect::<Vec<_>>().join(" or "))
    }

    /// Translates one condition.
    fn translate_condition(&mut self, pair: &Pair<'_, Rule>) -> Option<String> {
        let mut names = variables(pair);
        let (one, other) = (names.next(), names.next());
        if let Some(one) = &one
            && pair.as_rule() != Rule::hold_either
            && find(pair, Rule::thing).is_none()
        {
            self.about.clone_from(one);
        }
        let first = || one.clone();
        let is_not = find(pair, Rule::is_not).map_or("", |_| "not ");
        Some(match pair.as_rule() {
            Rule::hold_either => format!("either {}", self.holds(&find(pair, Rule::holds)?)?),
            Rule::hold_alike => {
                let most = number(find(pair, Rule::number_word)?.as_str())?;
                self.found.limits.push(("alike-formatting", most));
                format!(
                    "alike-formatting in {} after last-marker are alike {}",
                    list(pair)?,
                    first()?
                )
            }
            Rule::hold_override => "override-target is set".to_owned(),
            Rule::hold_position => "position is set".to_owned(),
            Rule::hold_no_such => "formatting-element is not set".to_owned(),
            Rule::hold_unset => format!("{} is not set", first()?),
            Rule::hold_one => format!("{} is set", self.about),
            Rule::hold_set => format!("{} is set", first()?),
            Rule::hold_text_before => "text is before location".to_owned(),
            Rule::hold_no_entries => format!("{} is empty", list(pair)?),
            Rule::hold_none_before => format!("{} is first of {}", first()?, list(pair)?),
            Rule::hold_possible => format!("{} can be inserted at location", first()?),
            Rule::hold_fostering => "foster-parenting is enabled".to_owned(),
            Rule::hold_inside_template => "location is inside template".to_owned(),
            Rule::hold_inside_document => "location is inside document".to_owned(),
            Rule::hold_current_named => format!("current is named {}", first()?),
            Rule::hold_lower => format!("{} is below {}", first()?, other?),
            Rule::hold_parent => format!("{} has parent", first()?),
            Rule::hold_neither => {
                let entry = first()?;
                format!("{entry} is not marker and {entry} is not in {}", list(pair)?)
            }
            Rule::hold_is_marker => format!("{} is marker", self.subject(pair)?),
            Rule::hold_not_last => format!("{} is not last of {}", first()?, list(pair)?),
            Rule::script_hold => scripts::translate_condition(pair)?,
            Rule::hold_skipped => "token is skipped".to_owned(),
            Rule::hold_in_list => format!("{} is in list", first()?),
            Rule::hold_at_least | Rule::hold_more => self.counted(pair, &first()?)?,
            Rule::hold_not_in_scope => format!("{} is not in scope", self.about),
            Rule::hold_in => format!("{} is {is_not}in {}", self.subject(pair)?, list(pair)?),
            Rule::hold_xmlns => format!("attribute \"xmlns\" of {} is not namespace", first()?),
            Rule::hold_xlink => format!("attribute \"xmlns:xlink\" of {} is not xlink", first()?),
            _ => self.phrase(pair)?,
        })
    }

    /// Returns a condition on a counter, whose number is a limit of the table.
    fn counted(&mut self, pair: &Pair<'_, Rule>, counter: &str) -> Option<String> {
        let limit = match counter {
            "outer-loop-counter" => "adoption-rounds",
            "inner-loop-counter" => "adoption-elements",
            _ => return None,
        };
        self.found.limits.push((limit, counting(find(pair, Rule::count)?.as_str())?));
        let how = if pair.as_rule() == Rule::hold_more { "more than" } else { "at least" };
        Some(format!("{counter} is {how} {limit}"))
    }

    /// Returns the subject of a condition.
    fn subject(&mut self, pair: &Pair<'_, Rule>) -> Option<String> {
        let part = find(pair, Rule::subject)?.into_inner().next()?;
        match part.as_rule() {
            Rule::value_last_entry => self.about = format!("last of {}", list(&part)?),
            Rule::variable => self.about = variables(pair).next()?,
            _ => {}
        }
        Some(self.about.clone())
    }

    fn acts(&mut self, pair: &Pair<'_, Rule>) -> Option<Vec<StepRead>> {
        let mut lines = Vec::new();
        for act in pair.clone().into_inner() {
            for words in self.act(&act)? {
                lines.push(StepRead::step(words));
            }
        }
        Some(lines)
    }

    /// Returns the variable that an action is about; the sentence's subject if it names none.
    fn stated_variable(&self, pair: &Pair<'_, Rule>) -> Option<String> {
        let is_told = |rule| find(pair, rule).is_some();
        match is_told(Rule::such_element) || is_told(Rule::it) {
            true => Some(self.about.clone()),
            false => variables(pair).next(),
        }
    }

    /// Translates an action, which may take several steps or none.
    fn act(&mut self, pair: &Pair<'_, Rule>) -> Option<Vec<String>> {
        let mut names = variables(pair);
        let (one, other) = (names.next(), names.next());
        let (first, second) = (|| one.clone(), || other.clone());
        Some(vec![match pair.as_rule() {
            Rule::act_nothing => return Some(Vec::new()),
            Rule::act_create_text => "let new-node text data".to_owned(),
            Rule::act_create_comment => "let new-node comment data".to_owned(),
            Rule::act_let_both => {
                let value = self.value(&pair.clone().into_inner().nth(2)?)?;
                return Some(vec![
                    format!("let {} {value}", first()?),
                    format!("let {} {value}", second()?),
                ]);
            }
            Rule::act_let => {
                let (name, value) = (first()?, pair.clone().into_inner().nth(1)?);
                if value.as_rule() == Rule::value_previous {
                    format!("let {name} above {name}")
                } else {
                    let known = self.found.last.len();
                    let value = self.value(&value)?;
                    for (of, _) in &mut self.found.last[known..] {
                        of.clone_from(&name);
                    }
                    format!("let {name} {value}")
                }
            }
            Rule::act_go => match find(pair, Rule::place_word) {
                Some(place) => format!("go {}", kebab_case(place.as_str())),
                None => format!("go step-{}", counting(find(pair, Rule::count)?.as_str())?),
            },
            Rule::act_remove => {
                format!("remove {} from {}", self.stated_variable(pair)?, list(pair)?)
            }
            Rule::act_detach => format!("remove {} from its parent", first()?),
            Rule::act_return_value => format!("return {}", first()?),
            Rule::act_let_bookmark => {
                format!("let bookmark place of {} in {}", first()?, list(pair)?)
            }
            Rule::act_increment => format!("increment {}", first()?),
            Rule::act_pop_to => format!("pop-until {}", first()?),
            Rule::act_remove_earliest => format!("remove earliest alike from {}", list(pair)?),
            Rule::act_replace => {
                format!("replace {} by {} in {}", first()?, second()?, list(pair)?)
            }
            Rule::act_move_bookmark => {
                format!("let bookmark after {} in {}", first()?, list(pair)?)
            }
            Rule::act_add => format!("add {} to {}", first()?, list(pair)?),
            Rule::act_push => format!("push {}", self.stated_variable(pair)?),
            Rule::act_append_it => format!("append {} to {}", self.about, first()?),
            Rule::act_initialize => format!("let {} {}", list(pair)?, first()?),
            Rule::act_attributes => format!("add token-attributes to {}", first()?),
            Rule::act_append => format!("append {} to {}", first()?, second()?),
            Rule::act_create if pair.as_str().to_lowercase().starts_with("insert") => {
                format!("let {} insert-like {}", second()?, first()?)
            }
            Rule::act_create => {
                format!("let new-element create-like {} inside {}", first()?, second()?)
            }
            Rule::act_insert_bookmark => {
                format!("insert {} in {} at bookmark", first()?, list(pair)?)
            }
            Rule::act_insert_below => {
                format!("insert {} in {} below {}", first()?, list(pair)?, second()?)
            }
            Rule::act_insert_last => {
                format!("insert {} at appropriate-place instead-of {}", first()?, second()?)
            }
            Rule::act_insert => format!("insert {} at location", first()?),
            Rule::act_children => format!("append children of {} to {}", first()?, second()?),
            Rule::script_act => scripts::act(pair)?,
            rule => match fixed(rule) {
                Some(words) => words.to_owned(),
                None => return self.phrase_act(pair),
            },
        }])
    }

    /// Translates a value in an action or a condition.
    fn value(&mut self, pair: &Pair<'_, Rule>) -> Option<String> {
        match pair.as_rule() {
            Rule::thing => return self.noun(pair),
            Rule::chosen => return self.chosen(pair),
            _ => {}
        }
        let mut names = variables(pair);
        let (first, second) = (names.next(), list(pair));
        Some(match pair.as_rule() {
            Rule::variable => first?,
            Rule::count => counting(pair.as_str())?.to_string(),
            Rule::value_last_such | Rule::value_last_entry | Rule::value_bottommost => {
                format!("last of {}", second?)
            }
            Rule::value_named => format!("last of {} named token-name", second?),
            Rule::value_earlier => format!("before {} in {}", first?, second?),
            Rule::value_later => format!("after {} in {}", first?, second?),
            Rule::value_was_above => format!("above {} even-if-removed", first?),
            Rule::value_above => format!("above {}", first?),
            Rule::value_block => format!("topmost special below {}", first?),
            Rule::value_contents => format!("end of contents of {}", first?),
            Rule::value_before => format!("before {}", first?),
            Rule::value_root => "end of first of open".to_owned(),
            Rule::value_inside => format!("end of {}", first?),
            Rule::value_characters => "given characters or token-character".to_owned(),
            Rule::value_comment => "token-data".to_owned(),
            Rule::value_document => "document of intended-parent".to_owned(),
            Rule::value_name => "token-name".to_owned(),
            Rule::value_created => "element local-name in namespace".to_owned(),
            Rule::value_for_token => "create-element inside location".to_owned(),
            _ => return None,
        })
    }
}

/// Translates actions without parameters.
fn fixed(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::act_end_tag => "return any-other-end-tag",
        Rule::act_match => "return match",
        Rule::act_failure => "return failure",
        Rule::act_return => "return",
        Rule::act_leave => "leave",
        Rule::act_break => "break",
        Rule::act_continue => "continue",
        Rule::act_error => "error",
        Rule::act_pop => "pop",
        Rule::act_append_data => "append data to text",
        Rule::act_insert_new => "insert new-node at location",
        Rule::act_create_plain => "let element create-element",
        Rule::act_keep_first => "remove attributes but first of each name",
        Rule::act_keep_none => "remove attributes",
        Rule::act_next => "continue",
        Rule::act_pass => "pass tokens to tree-construction-stage",
        Rule::act_instead => "let location end of contents of template",
        _ => return None,
    })
}

/// Returns a count in digits or words, as used in steps.
fn counting(words: &str) -> Option<u32> {
    Some(match words {
        "zero" => 0,
        "one" => 1,
        "three" => 3,
        "eight" => 8,
        digits => digits.parse().ok()?,
    })
}

/// Parses a number word from `two` to `five`.
fn number(words: &str) -> Option<u32> {
    let numbers = ["two", "three", "four", "five"];
    let at = numbers.iter().position(|number| *number == words)?;
    u32::try_from(at + 2).ok()
}
