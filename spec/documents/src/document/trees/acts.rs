//! Translates the actions of a sentence on tree construction. An action is one of the table language, a part of a walk,
//! or a part of creating an element over several sentences.

use super::asks;
use super::english::{Rule, Step, Walk, mode, names, quoted, set};
use crate::document::english::code_point;
use crate::document::statement::character;
use pest::iterators::Pair;

/// The error action for an error that the document does not name.
const ERROR: &str = "error unnamed";

/// Returns the actions of a sentence, without those of its condition.
pub(super) fn all(pair: &Pair<'_, Rule>) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in pair.clone().into_inner() {
        match part.as_rule() {
            Rule::acts => {
                for act in part.into_inner() {
                    steps.extend(one(&act)?);
                }
            }
            Rule::line_feed | Rule::change_encoding => steps.extend(one(&part)?),
            _ => {}
        }
    }
    Some(steps)
}

/// Translates one action, which may take several steps.
fn one(pair: &Pair<'_, Rule>) -> Option<Vec<Step>> {
    let find = |rule| pair.clone().into_inner().find(|part| part.as_rule() == rule);
    let said = || quoted(pair);
    Some(match pair.as_rule() {
        Rule::act_condition => {
            let mut inner = pair.clone().into_inner();
            let ask = asks::condition(inner.next()?)?;
            vec![Step::When(ask, one(&inner.next()?)?, Vec::new())]
        }
        Rule::ignore => vec![Step::Act("ignore".to_owned()), Step::End],
        Rule::return_now => vec![Step::End],
        Rule::stop => vec![Step::Act("stop".to_owned()), Step::End],
        Rule::as_else => vec![Step::Act("as else".to_owned()), Step::End],
        Rule::as_end_of => vec![Step::AsEndOf(said()?)],
        Rule::as_next => vec![Step::AsNext(said()?)],
        // "Pop an element, and then keep popping more": the first pop is unconditional.
        Rule::leave_foreign if find(Rule::leave_after_one).is_some() => {
            let acts = ["pop", fixed(Rule::leave_foreign)?];
            acts.into_iter().map(|act| Step::Act(act.to_owned())).collect()
        }
        Rule::create_element => {
            vec![Step::Created(find(Rule::name).map(|part| part.as_str().to_owned()))]
        }
        Rule::insert_whatever | Rule::merge_add | Rule::create_doctype => Vec::new(),
        Rule::put_element => vec![Step::Put],
        Rule::change_name => {
            vec![Step::Act("adjust-tag-name svg-tag-names".to_owned()), Step::Adjusts]
        }
        Rule::walk_begin => vec![Step::Walk(Walk::Begin)],
        Rule::walk_previous => vec![Step::Walk(Walk::Previous)],
        Rule::walk_again => vec![Step::Walk(Walk::Again)],
        Rule::walk_done => vec![Step::Walk(Walk::ToDone)],
        rule => match fixed(rule) {
            Some(text) => vec![Step::Act(text.to_owned())],
            None => vec![Step::Act(filled(pair).or_else(|| pointing(pair))?)],
        },
    })
}

/// Returns an action with its parameters.
fn filled(pair: &Pair<'_, Rule>) -> Option<String> {
    let find = |rule| pair.clone().into_inner().find(|part| part.as_rule() == rule);
    let word = |rule| find(rule).map(|part| mode(part.as_str()));
    let said = || quoted(pair);
    Some(match pair.as_rule() {
        Rule::using => format!("using {}", mode(&said()?)),
        Rule::switch_mode => format!("switch {}", mode(&said()?)),
        Rule::insert_given => {
            format!("insert-character {}", character(code_point(find(Rule::code)?.as_str())?))
        }
        Rule::insert_comment | Rule::insert_instruction => {
            let is_comment = pair.as_rule() == Rule::insert_comment;
            let what = if is_comment { "comment" } else { "processing-instruction" };
            match (find(Rule::to_document), find(Rule::to_root)) {
                (Some(_), _) => format!("insert-{what} to document"),
                (_, Some(_)) => format!("insert-{what} to root"),
                _ => format!("insert-{what}"),
            }
        }
        Rule::insert_nameless => format!("insert-element {:?}", said()?),
        Rule::insert_foreign => {
            let namespace = find(Rule::namespace).and_then(|part| asks::namespace(part.as_str()));
            format!("insert-foreign-element {}", namespace.unwrap_or("adjusted-current"))
        }
        Rule::pop_until => {
            let what = pair.clone().into_inner().next()?;
            match what.as_rule() {
                Rule::same_name => "pop-until-token-name".to_owned(),
                Rule::node_word => "pop-until NODE".to_owned(),
                _ => format!("pop-until {}", set(&names(&what))),
            }
        }
        Rule::generate => match (find(Rule::except_same), find(Rule::except_names)) {
            (Some(_), _) => "generate-end-tags implied except token-name".to_owned(),
            (_, Some(some)) => format!("generate-end-tags implied except {}", set(&names(&some))),
            _ => "generate-end-tags implied".to_owned(),
        },
        Rule::clear_back => {
            format!("clear-back-to {}", context(find(Rule::table_context)?.as_str()))
        }
        Rule::set_frameset => format!("set frameset-ok {}", mode(&said()?)),
        Rule::push_template => format!("push-template-mode {}", mode(&said()?)),
        Rule::tokenizer => format!("tokenizer {}", word(Rule::tokenizer_state)?),
        Rule::raw_text if word(Rule::raw_kind)? == "rcdata" => "rcdata".to_owned(),
        Rule::raw_text => "raw-text".to_owned(),
        Rule::line_feed if code_point(find(Rule::code)?.as_str())? == '\n' => {
            "ignore-next-line-feed".to_owned()
        }
        Rule::process_pending => format!("process-pending {}", mode(&said()?)),
        Rule::adjust => format!("adjust-attributes {}-attributes", word(Rule::adjusted)?),
        Rule::rename => format!("rename {:?}", said()?),
        Rule::set_mode => format!("set document-mode {}", word(Rule::document_mode)?),
        _ => return None,
    })
}

/// Returns an action on an element pointer.
fn pointing(pair: &Pair<'_, Rule>) -> Option<String> {
    let verb = match pair.as_rule() {
        Rule::set_pointer => "point",
        Rule::null_pointer => "unset",
        Rule::push_pointed => "push-pointed",
        Rule::remove_pointed => "remove-pointed",
        Rule::let_node => "NODE",
        _ => return None,
    };
    let pointer = pair.clone().into_inner().find(|part| part.as_rule() == Rule::pointer)?;
    Some(format!("{verb} {}", pointer.as_str()))
}

/// Returns the name of the set that ends a context.
pub(super) fn context(words: &str) -> &'static str {
    match words {
        "table body context" => "table-body-context",
        "table row context" => "table-row-context",
        _ => "table-context",
    }
}

/// Translates actions without parameters.
fn fixed(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::error => ERROR,
        Rule::using_current => "using insertion-mode",
        Rule::using_foreign => "using in-foreign-content",
        Rule::as_other_end => "any-other-end-tag",
        Rule::switch_original => "switch original-mode",
        Rule::switch_template => "switch template-mode",
        Rule::reprocess => "reprocess",
        Rule::insert_character_of => "insert-character",
        Rule::append_doctype => "append-doctype",
        Rule::insert_element => "insert-element",
        Rule::insert_marker => "insert-marker",
        Rule::insert_pending => "insert-pending",
        Rule::pop => "pop",
        Rule::pop_to_html => "clear-back-to \"html\"",
        Rule::pop_to_node => "pop-until NODE",
        Rule::generate_all => "generate-end-tags thoroughly-implied",
        Rule::acknowledge => "acknowledge-self-closing",
        Rule::remove_that => "remove-that",
        Rule::remove_node => "remove NODE",
        Rule::clear_formatting => "clear-formatting",
        Rule::push_formatting => "push-formatting",
        Rule::reconstruct => "reconstruct-formatting",
        Rule::adoption => "adoption-agency default special unnamed any-other-end-tag",
        Rule::pop_template => "pop-template-mode",
        Rule::reset => "reset-insertion-mode",
        Rule::keep_mode => "set-original-mode",
        Rule::merge_root => "merge-attributes root",
        Rule::merge_second => "merge-attributes second",
        Rule::detach_second => "detach-second",
        Rule::clear_pending => "clear-pending",
        Rule::append_pending => "append-to-pending",
        Rule::close_p => "close-p",
        Rule::close_cell => "close-cell",
        Rule::enable_fostering => "enable foster-parenting",
        Rule::disable_fostering => "disable foster-parenting",
        Rule::leave_foreign => "leave-foreign-content mathml-text-integration-point",
        Rule::prepare_script => "call-host script",
        Rule::change_encoding => "call-host encoding-declaration",
        _ => return None,
    })
}
