//! Sentences outside algorithms that describe a part of one: definitions of terms in rows, initial values, and the
//! handling of each token.

use super::{Declarations, Reader, Rule, Steps, find, list, variables};
use crate::document::StepRead;
use pest::Parser;
use pest::iterators::Pair;
use tabulex_language::model::kebab_case;

/// Parses such a sentence: the algorithm's name, and the steps.
pub(in crate::document::trees) fn stated(words: &str) -> Option<(&'static str, Vec<StepRead>)> {
    let pair = Steps::parse(Rule::stated, words).ok()?.next()?.into_inner().next()?;
    let mut reader = Reader { found: &mut Declarations::default(), about: "element".to_owned() };
    Some((algorithm(pair.as_rule())?, reader.stated(&pair)?))
}

/// Returns the algorithm that a sentence is part of.
fn algorithm(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::told_current => "current",
        Rule::told_open | Rule::told_stack => "open",
        Rule::told_node => "open-node",
        Rule::told_insert => "insert-element",
        Rule::told_cleanup => "token-cleanup",
        Rule::told_construction => "construct-tree",
        Rule::told_doctype => "create-doctype",
        Rule::told_tag => "create-tag",
        Rule::told_emit => "emit",
        Rule::told_appropriate => "appropriate-end-tag",
        Rule::told_step => "step",
        Rule::told_reconsume => "reconsume",
        Rule::told_duplicate => "drop-duplicate-attribute",
        Rule::told_normalise => "normalise",
        Rule::told_tokenise => "tokenise",
        Rule::told_expect => "expect-a-string",
        Rule::told_failure => "failed-signature",
        Rule::told_begin => "begin",
        Rule::told_using => "using",
        Rule::told_template_mode => "template-mode",
        Rule::told_adjusted => "adjusted-current",
        Rule::told_implied => "generate-end-tags",
        Rule::told_missing => "doctype",
        Rule::told_next => "next-token",
        Rule::told_events => "mutation-events",
        Rule::told_location => "insertion-location",
        Rule::told_target | Rule::told_context => "begin",
        Rule::told_mode | Rule::told_modes => "scripting-mode",
        Rule::told_removed => "pop",
        Rule::told_doctype_made | Rule::told_associated => "append-doctype",
        Rule::told_asserted => "asserted",
        _ => return None,
    })
}

impl Reader<'_> {
    fn stated(&mut self, pair: &Pair<'_, Rule>) -> Option<Vec<StepRead>> {
        let first = pair.clone().into_inner().next();
        Some(match pair.as_rule() {
            Rule::told_current => vec![self.is(pair)?],
            // The sentence defines the node that the others refer to.
            Rule::told_node => vec![self.is(pair)?, StepRead::step("return node")],
            Rule::told_open => {
                let holds = self.holds(&first?)?;
                let given = StepRead::step("given target-element".to_owned());
                vec![given, when(&holds, "return match")]
            }
            Rule::told_insert => self.acts(&first?)?,
            Rule::told_cleanup | Rule::told_construction => self.of_tokens(&first?)?,
            Rule::told_doctype | Rule::told_tag => created(pair)?,
            Rule::told_begin => initial_values(&first?)?,
            Rule::told_removed => {
                vec![StepRead::block(
                    "when current is removed from open",
                    self.one_action(&first?)?,
                )]
            }
            Rule::told_doctype_made => self.doctype_created(pair)?,
            Rule::told_asserted => {
                let names = find(pair, Rule::elements)?.into_inner().flatten();
                let names = names.filter(|part| part.as_rule() == Rule::name);
                let names: Vec<String> = names.map(|part| format!("{:?}", part.as_str())).collect();
                let scope = find(pair, Rule::scope_name)?;
                steps(&[&format!("assert in-scope {} {}", scope.as_str(), names.join(" or "))])
            }
            rule => fixed_sentence(rule).or_else(|| of_states(&first?))?,
        })
    }

    /// Returns a step that sets a variable to the value that follows.
    fn is(&mut self, pair: &Pair<'_, Rule>) -> Option<StepRead> {
        let mut inner = pair.clone().into_inner();
        let (name, value) = (variables(pair).next()?, inner.nth(1)?);
        Some(StepRead::step(format!("let {name} {}", self.value(&value)?)))
    }

    /// Translates one action.
    fn one_action(&mut self, pair: &Pair<'_, Rule>) -> Option<Vec<StepRead>> {
        Some(self.act(pair)?.into_iter().map(StepRead::step).collect())
    }

    /// Returns the creation of a DOCTYPE, and the condition for appending it.
    fn doctype_created(&mut self, pair: &Pair<'_, Rule>) -> Option<Vec<StepRead>> {
        let acts = pair.clone().into_inner().last()?;
        Some(match find(pair, Rule::holds) {
            Some(holds) => {
                let holds = format!("when {}", self.holds(&holds)?);
                vec![StepRead::block(holds, self.one_action(&acts)?)]
            }
            None => self.one_action(&acts)?,
        })
    }

    /// Returns the handling of each token, or of all of them.
    fn of_tokens(&mut self, pair: &Pair<'_, Rule>) -> Option<Vec<StepRead>> {
        let mut kinds = pair.clone().into_inner().map(|part| kebab_case(part.as_str()));
        Some(match pair.as_rule() {
            Rule::each_sequence => {
                let [each, one, of] = [kinds.next()?, kinds.next()?, kinds.next()?];
                let words = format!("replace sequence by {one}-token of all {of}-tokens");
                let words_of_all = format!("for-each sequence of {each}-tokens");
                vec![StepRead::block(words_of_all, vec![StepRead::step(words)])]
            }
            Rule::each_token => {
                let acts = self.acts(&find(pair, Rule::acts)?)?;
                vec![StepRead::block(format!("for-each {}-token", kinds.next()?), acts)]
            }
            Rule::consider_each => vec![StepRead::block("for-each token", Vec::new())],
            Rule::when => self.translate(pair)?,
            _ => self.act(pair)?.into_iter().map(StepRead::step).collect(),
        })
    }
}

fn steps(words: &[&str]) -> Vec<StepRead> {
    words.iter().map(|words| StepRead::step(*words)).collect()
}

fn when(holds: &str, words: &str) -> StepRead {
    StepRead::block(format!("when {holds}"), steps(&[words]))
}

/// Returns the initial fields of a token.
fn created(pair: &Pair<'_, Rule>) -> Option<Vec<StepRead>> {
    let fields = pair.clone().into_inner().filter(|part| part.as_rule() == Rule::field);
    let mut fields: Vec<String> = fields.map(|part| kebab_case(part.as_str())).collect();
    let flag = fields.pop()?;
    let Some(value) = find(pair, Rule::field_value) else {
        return Some(steps(&[&format!("let {flag}-flag unset"), "let attributes empty"]));
    };
    let missing = fields.iter().map(|field| format!("let {field} missing"));
    let all = missing.chain([format!("let {flag}-flag {}", value.as_str())]);
    Some(all.map(StepRead::step).collect())
}

/// Returns the initial values of a parser's variables.
fn initial_values(pair: &Pair<'_, Rule>) -> Option<Vec<StepRead>> {
    if pair.as_rule() == Rule::begin_templates {
        return Some(steps(&["let template-modes empty"]));
    }
    if let Some(list) = list(pair) {
        return Some(steps(&[&format!("let {list} empty")]));
    }
    let pointers = pair.clone().into_inner();
    Some(pointers.map(|name| StepRead::step(format!("let {} none", name.as_str()))).collect())
}

/// Translates sentences on states with parameters.
fn of_states(pair: &Pair<'_, Rule>) -> Option<Vec<StepRead>> {
    let count = || Some(find(pair, Rule::count)?.as_str().to_owned());
    Some(match pair.as_rule() {
        Rule::emit_at_once => steps(&["handle token by tree-construction at-once"]),
        Rule::emit_unacknowledged => {
            let code = find(pair, Rule::error_code);
            let error = code.map_or("error".to_owned(), |code| format!("error {}", code.as_str()));
            vec![when(
                "token is start-tag and self-closing-flag is set and not acknowledged",
                &error,
            )]
        }
        Rule::appropriate_name => vec![when("tag-name is name of last-start-tag", "return match")],
        Rule::appropriate_never => vec![when("last-start-tag is not set", "return failure")],
        Rule::step_pause => steps(&["check parser-pause-flag"]),
        Rule::step_abort => vec![when("parser-pause-flag is true", "return to-caller")],
        Rule::step_loaded => steps(&["check scripts-that-will-execute or leave it"]),
        Rule::step_execute => {
            let inner = steps(&["execute script", "remove script from its list"]);
            vec![StepRead::block("when script is loaded", inner)]
        }
        Rule::duplicate_unused => steps(&["discard attribute and its value"]),
        Rule::duplicate_stays => steps(&["keep attribute current"]),
        Rule::tokenise_each => vec![StepRead::block(
            "for-each character",
            steps(&["process character by state at this time"]),
        )],
        Rule::tokenise_when => steps(&["character is processed when consumed"]),
        Rule::tokenise_pass => steps(&["pass tokens to token-cleanup-stage"]),
        Rule::expect_string => steps(&["let expectation given string"]),
        Rule::expect_first => {
            steps(&[&format!("first character of expectation has index {}", count()?)])
        }
        Rule::expect_assertion => steps(&[
            "assert expectation begins-with current-character",
            "assert expectation has more than one character",
        ]),
        Rule::expect_current => steps(&["consume current-character"]),
        Rule::expect_index => steps(&[&format!("let index {}", count()?)]),
        Rule::expect_states => steps(&["let success given state", "let failure given state"]),
        Rule::expect_state => steps(&["switch expect-a-string"]),
        Rule::failure_empty => steps(&["emit no tokens"]),
        Rule::failure_other => steps(&["file is not sky"]),
        Rule::events_none => steps(&["fire no mutation-events"]),
        Rule::events_observed => steps(&["but mutation-observers"]),
        Rule::events_written => steps(&["nor for what scripts write"]),
        Rule::template_current => steps(&["let template-mode last of template-modes"]),
        Rule::template_changed => steps(&[
            "push-template-mode adds mode to template-modes",
            "pop-template-mode removes last of template-modes",
        ]),
        _ => return None,
    })
}

/// Translates sentences without parameters.
fn fixed_sentence(rule: Rule) -> Option<Vec<StepRead>> {
    Some(match rule {
        Rule::told_reconsume => steps(&["switch state", "let next-character current-character"]),
        Rule::told_normalise => steps(&["pass characters to tokenisation-stage"]),
        Rule::told_using => {
            steps(&["take rows of mode", "keep insertion-mode unless they switch it"])
        }
        Rule::told_stack => steps(&[
            "let topmost first of open",
            "let bottommost last of open but where nodes are moved in it",
        ]),
        Rule::told_adjusted => vec![
            when("fragment and open has one element", "let adjusted-current context"),
            StepRead::block("otherwise", steps(&["let adjusted-current current"])),
        ],
        Rule::told_implied => steps(&["excepted are not implied"]),
        Rule::told_missing => {
            vec![when("system-identifier is empty", "system-identifier is not missing")]
        }
        Rule::told_location => steps(&[
            "let target-parent node of location",
            "let reference-child node or none of location",
        ]),
        Rule::told_target => steps(&["let root-insertion-target none"]),
        Rule::told_context => steps(&["let fragment-context-element none"]),
        Rule::told_mode => steps(&["let scripting-mode parser-scripting-mode"]),
        Rule::told_modes => steps(&["parser-scripting-mode is one of"]),
        Rule::told_associated => steps(&["let doctype of document doctype"]),
        Rule::told_next => steps(&["let next-token the token of dispatcher even-if-ignored"]),
        _ => return None,
    })
}
