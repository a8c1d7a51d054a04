//! Translates sentences of tree construction, about tokens, elements and the stack, to the table language.

use super::{Antecedent, Rule, acts, one_character};
use crate::document::statement::{Ask, Declaration, Statement, Step, character, string};
use pest::iterators::Pair;
use tabulex_language::model::kebab_case;

/// Translates a sentence of tree construction that consists of more than actions.
pub(super) fn statement(pair: &Pair<'_, Rule>, antecedent: &mut Antecedent) -> Option<Statement> {
    let mut inner = pair.clone().into_inner();
    Some(match pair.as_rule() {
        Rule::tree_initial => {
            Statement::Declares(Declaration::TreeStart(kebab_case(inner.next()?.as_str())))
        }
        Rule::tree_merged => {
            Statement::Declares(Declaration::Item("text-nodes merged;".to_owned()))
        }
        Rule::tree_conditional => {
            let asks =
                inner.next()?.into_inner().map(|ask| question(&ask)).collect::<Option<_>>()?;
            Statement::If(asks, acts::acts(inner.next()?, antecedent)?)
        }
        _ => return None,
    })
}

/// Returns the steps of an action on a token.
pub(super) fn steps(pair: &Pair<'_, Rule>) -> Option<Vec<Step>> {
    let inner = || pair.clone().into_inner();
    let has = |rule| inner().any(|part| part.as_rule() == rule);
    let at_document = |action: &str| match has(Rule::to_document) {
        true => format!("{action} to document"),
        false => action.to_owned(),
    };
    let mode = || inner().find(|part| part.as_rule() == Rule::tree_mode);
    let action = match pair.as_rule() {
        Rule::append_token_element if has(Rule::tree_push) => at_document("insert-element"),
        Rule::append_token_element => at_document("append-element"),
        Rule::insert_token_element => "insert-element".to_owned(),
        Rule::append_comment_node => at_document("append-comment"),
        Rule::append_instruction_node => at_document("append-processing-instruction"),
        Rule::append_token_character => "append-text".to_owned(),
        Rule::switch_mode => format!("switch {}", kebab_case(mode()?.as_str())),
        Rule::reprocess_mode => match mode() {
            Some(mode) => format!("reprocess {}", kebab_case(mode.as_str())),
            None => "reprocess".to_owned(),
        },
        Rule::ignore_token => "ignore".to_owned(),
        Rule::pop_one => "pop".to_owned(),
        Rule::pop_until_name => "pop-until-token-name".to_owned(),
        Rule::make_text_node => "make append-text".to_owned(),
        Rule::make_element_node => "make append-element".to_owned(),
        Rule::append_node => "append made".to_owned(),
        Rule::notify_host => "call-host notify-token-stream".to_owned(),
        Rule::execute_host => "call-host execute-script".to_owned(),
        Rule::wait_host => "call-host pending-import-loads".to_owned(),
        Rule::end_host => {
            let acts = ["call-host load-event", "stop"];
            return Some(acts.map(|act| Step::Act(act.to_owned())).into());
        }
        _ => return None,
    };
    Some(vec![Step::Act(action)])
}

fn question(pair: &Pair<'_, Rule>) -> Option<Ask> {
    let mut inner = pair.clone().into_inner();
    Some(Ask::Plain(match pair.as_rule() {
        Rule::ask_name_of_current if inner.next()?.as_rule() == Rule::matches => {
            "current is token-name".to_owned()
        }
        Rule::ask_name_of_current => "not current is token-name".to_owned(),
        Rule::ask_open_name => "open token-name".to_owned(),
        Rule::ask_none => "not open token-name".to_owned(),
        Rule::ask_stack_empty => "stack-is-empty".to_owned(),
        Rule::ask_not_open => format!("not open {}", string(inner.next()?.as_str())),
        Rule::ask_above => format!("above token-name {}", string(inner.next()?.as_str())),
        Rule::ask_node_name => return Some(Ask::Name(inner.next()?.as_str().to_owned())),
        Rule::ask_kind => return Some(Ask::Token(kind(&inner.next()?)?)),
        Rule::ask_only_characters => {
            let characters: Option<Vec<String>> =
                inner.map(|part| one_character(&part).map(character)).collect();
            return Some(Ask::OnlyOf(characters?));
        }
        _ => return None,
    }))
}

/// Returns the pattern for tokens of a kind.
pub(super) fn kind(pair: &Pair<'_, Rule>) -> Option<String> {
    Some(match pair.as_str() {
        "start tag" => "start".to_owned(),
        "end tag" => "end".to_owned(),
        "empty tag" => "empty".to_owned(),
        "short end tag" => "short-end".to_owned(),
        "end-of-file" => "EOF".to_owned(),
        other => kebab_case(other),
    })
}
