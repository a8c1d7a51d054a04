//! Translates sentences to statements by means of the grammar `sentences.pest`. Sentences are translated one at a time,
//! whole or not at all; pronouns such as "its name" are resolved by [`Antecedent`].

use super::statement::{Ask, Declaration, Piece, Statement, Step, character, string};
use pest::Parser;
use pest::iterators::Pair;
use tabulex_language::model::kebab_case;

#[derive(pest_derive::Parser)]
#[grammar = "document/sentences.pest"]
#[grammar = "document/trees.pest"]
pub(super) struct English;

mod acts;
mod asks;
mod labels;
mod pieces;
mod trees;

pub(super) use labels::{Label, heading, item_labels, labels, table_row, token_labels};

/// Condition, defined in the document, that a character reference is part of an attribute.
const IN_ATTRIBUTE: &str = "consumed-as-part-of-an-attribute";
/// Action, defined in the document, that turns a reference's characters into text.
const FLUSH: &str = "flush-code-points-consumed-as-a-character-reference";
/// Action, defined in the document, that turns an invalid processing instruction into a comment.
const CONVERT: &str = "convert-the-temporary-buffer-to-a-comment";
/// Action, defined in the document, that adds an entity to a list.
const APPEND_ENTITY: &str = "append-an-entity";

/// Referent of "its": the object created last in the row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Antecedent {
    #[default]
    Nothing,
    Tag,
    Attribute,
    Doctype,
    ProcessingInstruction,
}

/// Parses a sentence.
pub(super) fn read(sentence: &str, antecedent: &mut Antecedent) -> Option<Statement> {
    let pair = English::parse(Rule::sentence, sentence).ok()?.next()?;
    statement(pair.into_inner().next()?, antecedent)
}

/// Returns the rule that matched the sentence, followed by its nested rules.
pub(super) fn rules(sentence: &str) -> Option<Vec<String>> {
    let pair = English::parse(Rule::sentence, sentence).ok()?.next()?;
    Some(pair.into_inner().flatten().map(|pair| format!("{:?}", pair.as_rule())).collect())
}

fn statement(pair: Pair<'_, Rule>, antecedent: &mut Antecedent) -> Option<Statement> {
    let rule = pair.as_rule();
    let inner = || pair.clone().into_inner();
    Some(match rule {
        Rule::gap => Statement::Gap,
        Rule::table_head => Statement::Remark,
        Rule::close_tag_if => {
            let mut words = inner().map(|part| kebab_case(part.as_str()));
            let flag = words.next()?;
            let values = inner().filter(|part| part.as_rule() == Rule::flag_value);
            let values =
                values.map(|part| format!("{flag} is {}", kebab_case(part.as_str()))).collect();
            Statement::Piece(Piece::UnlessEndTag(values))
        }
        Rule::consume_next => Statement::ConsumeNext,
        Rule::current_is => Statement::CurrentIs,
        Rule::check_number => Statement::CheckNumber,
        Rule::next_are => Statement::NextAre,
        Rule::call => {
            let procedure = format!("consume-a-{}", kebab_case(inner().next()?.as_str()));
            let procedure = procedure.replace("-a-entity", "-an-entity");
            Statement::Call(
                procedure,
                inner().any(|part| part.as_rule() == Rule::with_no_additional),
            )
        }
        Rule::leaves => {
            let duplicate = inner().find(|part| part.as_rule() == Rule::duplicate)?;
            Statement::Leaves(vec![acts::duplicate(duplicate)])
        }
        Rule::bulk_characters => {
            let characters = inner().filter(|part| part.as_rule() == Rule::character);
            Statement::BulkCharacters(
                characters.map(|part| one_character(&part)).collect::<Option<_>>()?,
            )
        }
        Rule::bulk_comment => {
            let replaced =
                inner().find(|part| part.as_rule() == Rule::bulk_replaced).and_then(|part| {
                    let mut two = part.into_inner();
                    Some((one_character(&two.next()?)?, one_character(&two.next()?)?))
                });
            let from_cause = inner().any(|part| part.as_rule() == Rule::bulk_from_cause);
            Statement::BulkComment(from_cause, replaced)
        }
        Rule::emit_bulk => Statement::BulkEmit,
        Rule::end_reached => Statement::EndReached(inner().find_map(|part| state(&part))),
        Rule::branch_if => Statement::Piece(Piece::BranchIf(asks::branch(inner().next()?)?)),
        Rule::conditional => {
            let otherwise = inner().nth(2);
            let (asks, then) = asks_and_acts(pair, antecedent)?;
            if let Some(otherwise) = otherwise {
                let otherwise = acts::acts(otherwise, antecedent)?;
                return Some(Statement::Acts(vec![Step::When(asks, then, otherwise)]));
            }
            Statement::If(asks, then)
        }
        Rule::otherwise_conditional => {
            let (asks, then) = asks_and_acts(pair, antecedent)?;
            Statement::OtherwiseIf(asks, then)
        }
        Rule::otherwise => Statement::Otherwise(acts::acts(inner().next()?, antecedent)?),
        Rule::regardless => Statement::Regardless(acts::acts(inner().next()?, antecedent)?),
        Rule::unless => {
            let error = acts::error(&inner().next()?);
            Statement::Acts(vec![Step::When(
                vec![Ask::Plain("not permitted-slash".to_owned())],
                vec![error],
                Vec::new(),
            )])
        }
        Rule::it_is => {
            let current = one_character(&inner().next()?)?;
            Statement::If(vec![Ask::Current(current)], acts::acts(inner().nth(1)?, antecedent)?)
        }
        Rule::then_fragment => Statement::Regardless(acts::acts(inner().next()?, antecedent)?),
        Rule::acts => Statement::Acts(acts::acts(pair, antecedent)?),
        _ => return other(&pair, antecedent),
    })
}

/// Parses statements that depend on other sentences, or declare something.
fn other(pair: &Pair<'_, Rule>, antecedent: &mut Antecedent) -> Option<Statement> {
    declaration(pair).or_else(|| pieces::piece(pair)).or_else(|| trees::statement(pair, antecedent))
}

/// Returns the condition and the actions of a conditional sentence.
fn asks_and_acts(
    pair: Pair<'_, Rule>,
    antecedent: &mut Antecedent,
) -> Option<(Vec<Ask>, Vec<Step>)> {
    let mut inner = pair.into_inner();
    let asks = asks::condition(inner.next()?)?;
    Some((asks, acts::acts(inner.next()?, antecedent)?))
}

fn declaration(pair: &Pair<'_, Rule>) -> Option<Statement> {
    let mut inner = pair.clone().into_inner();
    let declared = match pair.as_rule() {
        Rule::starts_in => Declaration::Start(state(&inner.next()?)?),
        Rule::ends_at_last => Declaration::EndsAtLast,
        Rule::end_tag_excess => {
            let excess = match inner.next()?.as_rule() {
                Rule::with_attributes => "attributes",
                _ => "self-closing",
            };
            let error = acts::error_code(&inner.next()?);
            Declaration::Item(format!("emitting end-tag with {excess} => error {error};"))
        }
        Rule::end_tag_flag => {
            let (flag, value) =
                (kebab_case(inner.next()?.as_str()), kebab_case(inner.next()?.as_str()));
            Declaration::Item(format!("emitting end-tag => set {flag} {value};"))
        }
        Rule::permitted_slash_is => {
            let mut characters = inner.clone().filter(|part| part.as_rule() == Rule::character);
            let after = character(one_character(&characters.nth(1)?)?);
            let kind =
                kebab_case(inner.clone().find(|part| part.as_rule() == Rule::token_kind)?.as_str());
            let names: Vec<String> = inner
                .filter(|part| part.as_rule() == Rule::element)
                .map(|part| string(part.as_str()))
                .collect();
            Declaration::Item(format!(
                "names without-end-tag = {};\n    condition permitted-slash = followed-by {after} and tag is {kind} and \
                 tag-name in without-end-tag;",
                names.join(" | "),
            ))
        }
        Rule::flag_values | Rule::escape_values => {
            let mut values: Vec<String> = inner.map(|part| kebab_case(part.as_str())).collect();
            if pair.as_rule() == Rule::escape_values {
                let initial = values.pop()?;
                values.retain(|value| *value != initial);
                values.insert(0, initial);
            }
            let name = if values.len() > 2 { "content-model-flag" } else { "escape-flag" };
            if let Some(last) = values.last_mut().filter(|_| name == "content-model-flag") {
                // Tree construction sets it, too.
                last.push_str(" by host and rows");
            }
            Declaration::Flag(Some(name.to_owned()), values)
        }
        Rule::entity_flag_values => Declaration::Flag(
            Some("entity-flag".to_owned()),
            inner.map(|part| kebab_case(part.as_str())).collect(),
        ),
        Rule::removed_character => Declaration::Item("newlines normalized;".to_owned()),
        Rule::converted_character => {
            let from = one_character(&inner.next()?)?;
            let item = if from == '\0' { "nulls replaced;" } else { "newlines normalized;" };
            Declaration::Item(item.to_owned())
        }
        _ => meaning(pair)?,
    };
    Some(Statement::Declares(declared))
}

/// Definitions of terms in rows, and the values of flags.
fn meaning(pair: &Pair<'_, Rule>) -> Option<Declaration> {
    let mut inner = pair.clone().into_inner();
    Some(match pair.as_rule() {
        Rule::in_attribute_is => {
            let states: Vec<String> = inner
                .map(|part| Some(format!("return-state is {}", state(&part)?)))
                .collect::<Option<_>>()?;
            Declaration::Item(format!("condition {IN_ATTRIBUTE} = {};", states.join(" or ")))
        }
        Rule::flush_is => Declaration::Item(format!(
            "action {FLUSH} {{ when {IN_ATTRIBUTE} {{ append temporary-buffer to attribute-value; }} otherwise {{ emit \
             temporary-buffer; }} }}"
        )),
        Rule::convert_is => {
            let before = string(&asks::quoted(&inner.next()?)?).replace('"', "'");
            Declaration::Item(format!(
                "action {CONVERT} {{ create comment; append {before} to comment; append temporary-buffer to comment; }}"
            ))
        }
        Rule::entity_goes => {
            let list =
                |part: Pair<'_, Rule>| part.as_str().strip_prefix("list of ").map(kebab_case);
            let (other, value, one) = (list(inner.next()?)?, inner.next()?, list(inner.next()?)?);
            Declaration::Item(format!(
                "action {APPEND_ENTITY} {{ when entity-flag is {} {{ append-entity {one}; }} otherwise {{ append-entity \
                 {other}; }} }}",
                kebab_case(value.as_str()),
            ))
        }
        Rule::initial_value => Declaration::Initial(kebab_case(inner.next()?.as_str())),
        Rule::reset_value => {
            let step = format!("set entity-flag {};", kebab_case(inner.next()?.as_str()));
            Declaration::AppendToAction(APPEND_ENTITY, step)
        }
        _ => return None,
    })
}

/// Returns the name of a state, in kebab case.
fn state(pair: &Pair<'_, Rule>) -> Option<String> {
    (pair.as_rule() == Rule::state).then(|| kebab_case(pair.as_str()))
}

/// Returns the character that the words denote.
fn one_character(pair: &Pair<'_, Rule>) -> Option<char> {
    if pair.as_rule() != Rule::character {
        return None;
    }
    let inner = pair.clone().into_inner().next()?;
    let text = inner.as_str();
    match inner.as_rule() {
        Rule::code => code_point(text),
        _ => {
            let text = text.strip_suffix('’')?;
            text.strip_prefix('‘').filter(|rest| !rest.is_empty()).unwrap_or(text).chars().next()
        }
    }
}

/// Parses a code point, such as `U+003C`.
pub(super) fn code_point(text: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(text.strip_prefix("U+")?, 16).ok()?)
}

/// Parses a decimal or hexadecimal number, such as `10` or `0x10`.
fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
