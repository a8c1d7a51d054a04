//! Phrases of algorithms in the style of recent standards: properties, pairs, conditional values, lists of conditions,
//! and heads with parameters.

use super::{AlgorithmSentence, Reader, Rule, Steps, find, variable};
use crate::document::StepRead;
use pest::Parser;
use pest::iterators::Pair;
use tabulex_language::model::kebab_case;

/// Returns the head of an algorithm: its name, its parameters, and whether it contains all steps itself.
pub(in crate::document::trees) fn head(words: &str) -> Option<(&'static str, Vec<StepRead>, bool)> {
    let head = Steps::parse(Rule::head, words).ok()?.next()?.into_inner().next()?;
    let mut found = super::Declarations::default();
    let mut reader = Reader { found: &mut found, about: String::new() };
    let mut steps = Vec::new();
    // A parameter may have a type, or a name alone.
    for part in head.clone().into_inner().flatten() {
        let given = match part.as_rule() {
            Rule::parameter => reader.parameter(&part)?,
            Rule::head_list | Rule::head_parent => {
                format!("given {}", kebab_case(part.as_str()))
            }
            Rule::head_namespace => "given namespace".to_owned(),
            Rule::head_position => "given optional position".to_owned(),
            Rule::variable if head.as_rule() == Rule::head_target => {
                format!("given {}", variable(part.into_inner().next()?.as_str()))
            }
            _ => continue,
        };
        steps.push(StepRead::step(given));
    }
    let acts = find(&head, Rule::acts);
    if let Some(acts) = &acts {
        steps.extend(reader.acts(acts)?);
    }
    Some((headed(&head)?, steps, acts.is_some()))
}

/// Returns the name of the algorithm with this head.
fn headed(head: &Pair<'_, Rule>) -> Option<&'static str> {
    let what = match head.as_rule() {
        Rule::head_to => find(head, Rule::head_name)?,
        Rule::head_when => head.clone().into_inner().next()?,
        _ => head.clone(),
    };
    Some(match what.as_rule() {
        Rule::head_fragment => "parse-fragment",
        Rule::head_adoption => "adoption-agency",
        Rule::head_target => "in-scope",
        Rule::head_push => "push-formatting",
        Rule::head_reconstruct => "reconstruct-formatting",
        Rule::head_clear => "clear-formatting",
        Rule::head_create => "create-element",
        Rule::head_foreign => "insert-foreign-element",
        Rule::head_character => "insert-character",
        Rule::head_node if find(&what, Rule::head_kind)?.as_str() == "comment" => "insert-comment",
        Rule::head_node => "insert-processing-instruction",
        _ => match what.as_str() {
            "find the appropriate place for inserting a node" => "appropriate-place",
            "create an element for a token" => "create-element",
            "compute the adjusted insertion location" => "adjusted-location",
            "insert an element at the adjusted insertion location" => "insert-at-adjusted-location",
            "insert a foreign element" => "insert-foreign-element",
            "insert an HTML element" => "insert-element",
            _ => return None,
        },
    })
}

/// Returns the return type of an algorithm.
pub(in crate::document::trees) fn returned(words: &str) -> Option<Vec<StepRead>> {
    let pair = Steps::parse(Rule::head_returns, words).ok()?.next()?;
    if find(&pair, Rule::head_context).is_some() {
        let given = ["given element context", "given string input", "returns list"];
        return Some(given.map(StepRead::step).into());
    }
    let what = find(&pair, Rule::returned)?;
    let what = what.as_str().replace("DocumentFragment", "fragment");
    Some(vec![StepRead::step(format!("returns {}", kebab_case(&what)))])
}

/// Returns an item of a list of conditions.
pub(in crate::document::trees) fn condition(words: &str) -> Option<String> {
    let pair = Steps::parse(Rule::hold_item, words).ok()?.next()?;
    let mut found = super::Declarations::default();
    let mut reader = Reader { found: &mut found, about: String::new() };
    reader.holds(&find(&pair, Rule::holds)?)
}

/// Returns the head of the block for a list of conditions, by its quantifier.
pub(super) fn list(pair: &Pair<'_, Rule>) -> Option<&'static str> {
    let quantity = find(pair, Rule::list_quantity)?;
    Some(if quantity.as_str() == "all" { "when all" } else { "when any" })
}

/// Returns the sentence after a list of conditions.
pub(super) fn after_list(
    reader: &mut Reader<'_>,
    pair: &Pair<'_, Rule>,
) -> Option<AlgorithmSentence> {
    let acts = find(pair, Rule::acts);
    Some(AlgorithmSentence::Then(acts.map_or(Some(Vec::new()), |acts| reader.acts(&acts))?))
}

impl Reader<'_> {
    fn parameter(&mut self, pair: &Pair<'_, Rule>) -> Option<String> {
        let word = |rule| find(pair, rule);
        let optional = word(Rule::optional).map_or("", |_| "optional ");
        let of_type = word(Rule::parameter_type)?.as_str().replace("DocumentFragment", "fragment");
        let of_type = kebab_case(&of_type);
        let name = variable(word(Rule::variable)?.as_str());
        let default = match word(Rule::thing) {
            Some(value) => format!(" default {}", self.noun(&value)?),
            None => String::new(),
        };
        Some(format!("given {optional}{of_type} {name}{default}"))
    }

    /// Returns a value, which may be chosen by a condition.
    pub(super) fn chosen(&mut self, pair: &Pair<'_, Rule>) -> Option<String> {
        let parts: Vec<Pair<'_, Rule>> = pair.clone().into_inner().collect();
        let [value, holds, otherwise] = &parts[..] else { return None };
        let value = self.noun(value)?;
        self.about.clone_from(&value);
        let holds = match holds.as_rule() {
            Rule::exists => format!("{value} is set"),
            _ => self.holds(holds)?,
        };
        Some(format!("{value} when {holds} otherwise {}", self.noun(otherwise)?))
    }

    fn nouns(&mut self, pair: &Pair<'_, Rule>) -> Option<String> {
        let all: Option<Vec<String>> = find(pair, Rule::things)?
            .into_inner()
            .map(|part| match part.as_rule() {
                Rule::value_name => Some("token-name".to_owned()),
                Rule::value_is => Some("is".to_owned()),
                _ => self.noun(&part),
            })
            .collect();
        Some(all?.join(" "))
    }

    /// Returns an object, or a property of one.
    pub(super) fn noun(&mut self, pair: &Pair<'_, Rule>) -> Option<String> {
        let mut parts = pair.clone().into_inner();
        let mut value = self.base(&parts.next()?)?;
        for part in parts {
            value = format!("{} of {value}", property(&part)?);
        }
        Some(value)
    }

    fn base(&mut self, pair: &Pair<'_, Rule>) -> Option<String> {
        let one = |rule| find(pair, rule);
        let given = |reader: &mut Self, word: &str| match one(Rule::thing) {
            Some(noun) => Some(format!("{word} {}", reader.noun(&noun)?)),
            None => Some(word.to_owned()),
        };
        Some(match pair.as_rule() {
            Rule::noun_result => self.result(&pair.clone().into_inner().next()?, pair)?,
            Rule::noun_parser => "parser".to_owned(),
            Rule::noun_first => "first of open".to_owned(),
            Rule::noun_last => {
                let names = names(&one(Rule::elements)?);
                self.found.last.push((String::new(), names.clone()));
                let none = one(Rule::noun_or_none).map_or("", |_| " or none");
                format!("last {} of open{none}", quoted(&names).join(" or "))
            }
            Rule::noun_above => format!("above {}", variable(one(Rule::variable)?.as_str())),
            Rule::noun_contains => "node of adjusted-location".to_owned(),
            Rule::noun_attribute => {
                format!("attribute {} of token", one(Rule::quoted)?.as_str())
            }
            Rule::noun_place => given(self, "appropriate-place")?,
            Rule::noun_adjusted => given(self, "adjusted-location")?,
            Rule::noun_adjusted_node => "adjusted-current".to_owned(),
            Rule::noun_pointed if pair.as_str().contains("pointed to") => {
                format!("pointed {}", one(Rule::name)?.as_str())
            }
            Rule::noun_pointed => format!("pointer {}", one(Rule::name)?.as_str()),
            Rule::noun_document => "document".to_owned(),
            Rule::noun_new_document => format!("document {}", one(Rule::quoted)?.as_str()),
            Rule::noun_start_tag => "token".to_owned(),
            Rule::noun_namespace => match one(Rule::namespace_word)?.as_str() {
                "MathML" => "math".to_owned(),
                other => other.to_lowercase(),
            },
            Rule::noun_given_namespace => "namespace".to_owned(),
            Rule::noun_none => "none".to_owned(),
            Rule::noun_truth | Rule::noun_mode => pair.as_str().to_lowercase(),
            Rule::noun_tuple => {
                let parts: Option<Vec<String>> =
                    pair.clone().into_inner().map(|part| self.noun(&part)).collect();
                format!("place {}", parts?.join(" before "))
            }
            Rule::noun_text => pair.as_str().to_owned(),
            Rule::noun_characters => {
                let field = kebab_case(one(Rule::noun_field)?.as_str());
                let token = kebab_case(one(Rule::noun_token)?.as_str());
                let empty = one(Rule::noun_or_empty).map_or("", |_| " or \"\"");
                format!("{field} of {token}{empty}")
            }
            Rule::its => format!("{} of {}", property(&one(Rule::property)?)?, self.about),
            Rule::it_word => self.about.clone(),
            Rule::variable => {
                let name = pair.clone().into_inner().next()?;
                variable(name.as_str())
            }
            _ => return None,
        })
    }

    /// Returns the result of a step.
    fn result(&mut self, result: &Pair<'_, Rule>, of: &Pair<'_, Rule>) -> Option<String> {
        Some(match result.as_rule() {
            Rule::result_foreign => {
                let token = self.noun(&find(result, Rule::thing)?)?;
                format!("insert-foreign-element {token} {}", self.nouns(result)?)
            }
            Rule::result_popping => {
                format!("popped from {}", self.noun(&find(result, Rule::thing)?)?)
            }
            _ => {
                let made = match result.as_str() {
                    "creating an element for the token" => "create-element".to_owned(),
                    words => {
                        let bare = words
                            .trim_start_matches("creating ")
                            .trim_start_matches("looking up ")
                            .trim_start_matches("an ")
                            .trim_start_matches("a ");
                        kebab_case(bare)
                    }
                };
                format!("{made} {}", self.nouns(of)?)
            }
        })
    }

    /// Translates one condition.
    pub(super) fn phrase(&mut self, pair: &Pair<'_, Rule>) -> Option<String> {
        let find = |rule| find(pair, rule);
        let is_not = find(Rule::is_not).map_or("", |_| "not ");
        let has = find(Rule::lacks).map_or("has", |_| "has no");
        let about = match find(Rule::thing) {
            Some(thing) => self.noun(&thing)?,
            None => self.about.clone(),
        };
        // "Its parent" keeps the referent of "it".
        let is_its = |part: Pair<'_, Rule>| part.as_rule() == Rule::its;
        if !find(Rule::thing).is_some_and(|thing| thing.into_inner().any(is_its)) {
            self.about.clone_from(&about);
        }
        Some(match pair.as_rule() {
            Rule::hold_thrown => "exception is thrown".to_owned(),
            Rule::hold_contents => format!("{is_not}parsing-template-contents"),
            Rule::hold_child if find(Rule::has).is_none() && find(Rule::lacks).is_none() => {
                format!("{about} has no doctype-child and {about} has no element-child")
            }
            Rule::hold_child => format!("{about} {has} element-child"),
            Rule::hold_has => {
                format!("{about} {has} attribute {:?}", find(Rule::name)?.as_str())
            }
            Rule::hold_not_either => {
                let name = find(Rule::name)?;
                let name = name.as_str();
                format!("either {about} is not listed or {about} has no attribute {name:?}")
            }
            Rule::hold_state => {
                let state = find(Rule::state_word)?.as_str().to_lowercase();
                format!("{about} is {is_not}{state:?}")
            }
            _ => {
                let what = pair.clone().into_inner().last()?;
                let (not, what) = self.predicate(&what, &about)?;
                let not = if not == is_not.is_empty() { "not " } else { "" };
                format!("{about} is {not}{what}")
            }
        })
    }

    /// Returns the predicate of a condition, and whether it is negated.
    fn predicate(&mut self, pair: &Pair<'_, Rule>, about: &str) -> Option<(bool, String)> {
        let noun = |reader: &mut Self| reader.noun(&find(pair, Rule::thing)?);
        let kind = || Some(kebab_case(find(pair, Rule::kind_word)?.as_str()));
        let what = match pair.as_rule() {
            Rule::is_some => return Some((true, "none".to_owned())),
            Rule::is_either => {
                let both: Option<Vec<String>> =
                    pair.clone().into_inner().map(|part| self.noun(&part)).collect();
                both?.join(" or ")
            }
            Rule::is_child_kind => format!("{} and {about} has element-child", kind()?),
            Rule::is_kind => kind()?,
            Rule::is_ancestor => format!("host-including-ancestor of {}", noun(self)?),
            Rule::is_body => "body of its document".to_owned(),
            Rule::is_same_tree => format!("in tree of {}", noun(self)?),
            Rule::is_quirks => format!("in {}", find(pair, Rule::quirks_word)?.as_str()),
            Rule::is_switched => pair.as_str().to_owned(),
            Rule::is_elements => {
                let names = names(&find(pair, Rule::elements)?);
                self.found.asked.push(names.clone());
                match &names[..] {
                    [one] => format!("{one:?}"),
                    _ => "fostered".to_owned(),
                }
            }
            _ => self.noun(pair)?,
        };
        Some((false, what))
    }

    /// Translates one action.
    pub(super) fn phrase_act(&mut self, pair: &Pair<'_, Rule>) -> Option<Vec<String>> {
        let find = |rule| find(pair, rule);
        let mut nouns = Vec::new();
        for part in pair.clone().into_inner() {
            match part.as_rule() {
                Rule::thing | Rule::possessive => nouns.push(self.noun(&part)?),
                Rule::chosen => nouns.push(self.chosen(&part)?),
                Rule::variable => {
                    nouns.push(variable(part.into_inner().next()?.as_str()));
                }
                _ => {}
            }
        }
        let (one, other) = (nouns.first().cloned(), nouns.get(1).cloned());
        let (first, second) = (|| one.clone(), || other.clone());
        Some(vec![match pair.as_rule() {
            Rule::act_assert => format!("assert {}", self.holds(&find(Rule::holds)?)?),
            Rule::act_assert_valid => {
                format!("assert pre-insert-validity of {}", self.nouns(pair)?)
            }
            Rule::act_let_place => {
                format!("let place {} before {} {}", first()?, second()?, nouns.get(2)?)
            }
            Rule::act_let_is => format!("let is {}", first()?),
            Rule::act_set => match second() {
                Some(value) => format!("let {} {value}", first()?),
                None => format!("let {} true", first()?),
            },
            Rule::act_return_noun => format!("return {}", first()?),
            Rule::act_insert_into => {
                format!("insert {} in {} before {}", first()?, second()?, nouns.get(2)?)
            }
            Rule::act_insert_adjusted => {
                format!("insert-at-adjusted-location {}", self.nouns(pair)?)
            }
            Rule::act_append_to => format!("append {} to {}", first()?, second()?),
            Rule::act_append_doctype => format!("append {} to document", first()?),
            Rule::act_push_plain => format!("push {}", first()?),
            Rule::act_push_queue => format!("push element-queue to {}", first()?),
            Rule::act_pop_queue => format!("pop element-queue from {}", first()?),
            Rule::act_react => "invoke custom-element-reactions in queue".to_owned(),
            Rule::act_count if find(Rule::act_more).is_some() => format!("increment {}", first()?),
            Rule::act_count => format!("decrement {}", first()?),
            Rule::act_reset => format!("reset {}", self.about),
            Rule::act_associate => format!("associate {} with {}", first()?, second()?),
            Rule::act_attach => format!("attach shadow-root {}", self.nouns(pair)?),
            Rule::act_report => "report error or leave it".to_owned(),
            Rule::act_catch => return Some(Vec::new()),
            Rule::act_links => format!("process internal-resource-links of {}", first()?),
            Rule::act_mock => format!("speculate {} or leave it", self.nouns(pair)?),
            Rule::act_follow => format!("insert-foreign-element {}", self.nouns(pair)?),
            Rule::act_parser => {
                let property = property(&find(Rule::property)?)?;
                format!("let parser html-parser of {} with {property} {}", second()?, first()?)
            }
            Rule::act_only_root => format!("let open {}", first()?),
            Rule::act_token_made => {
                format!("let token start-tag with name and attributes of {}", first()?)
            }
            Rule::act_token_of => format!("let start-tag of {} token", first()?),
            Rule::act_reset_mode => "reset-insertion-mode".to_owned(),
            Rule::act_input => "let input-stream input".to_owned(),
            Rule::act_no_matter => "let confidence irrelevant".to_owned(),
            Rule::act_run => "run parser until input is consumed".to_owned(),
            Rule::act_choose_state => format!("let tokenizer by {}", first()?),
            _ => return None,
        }])
    }
}

fn property(pair: &Pair<'_, Rule>) -> Option<String> {
    let part = pair.clone().into_inner().next()?;
    Some(match part.as_rule() {
        Rule::property_attribute => format!("attribute {:?}", find(&part, Rule::name)?.as_str()),
        _ => kebab_case(part.as_str()),
    })
}

fn names(pair: &Pair<'_, Rule>) -> Vec<String> {
    let parts = pair.clone().into_inner().flatten();
    parts.filter(|part| part.as_rule() == Rule::name).map(|part| part.as_str().to_owned()).collect()
}

fn quoted(names: &[String]) -> Vec<String> {
    names.iter().map(|name| format!("{name:?}")).collect()
}
