//! Translates clauses to actions of the table language, in sentence order.

use super::{Antecedent, Rule, number, one_character, state};
use crate::document::statement::{Step, character, string};
use pest::iterators::Pair;
use tabulex_language::model::kebab_case;

/// Code of errors that the document does not name.
pub(in crate::document) const UNNAMED: &str = "unnamed";

/// Translates a sequence of actions.
pub(super) fn acts(pair: Pair<'_, Rule>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for act in pair.into_inner() {
        steps.extend(one(&act, antecedent)?);
    }
    Some(steps)
}

/// Returns the action `error CODE`, for "this is a CODE parse error".
pub(super) fn error(pair: &Pair<'_, Rule>) -> Step {
    Step::act(format!("error {}", error_code(pair)))
}

/// Returns the code of the error, or [`UNNAMED`].
pub(super) fn error_code(pair: &Pair<'_, Rule>) -> String {
    let code = pair.clone().into_inner().find(|part| part.as_rule() == Rule::error_code);
    code.map_or(UNNAMED.to_owned(), |code| code.as_str().to_owned())
}

/// Returns the action `drop-duplicate-attribute CODE`.
pub(super) fn duplicate(pair: Pair<'_, Rule>) -> Step {
    let error = pair.into_inner().find(|part| part.as_rule() == Rule::error);
    let code = error.map_or(UNNAMED.to_owned(), |error| error_code(&error));
    Step::act(format!("drop-duplicate-attribute {code}"))
}

fn one(pair: &Pair<'_, Rule>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    let inner = || pair.clone().into_inner();
    let first_state = || inner().find_map(|part| state(&part));
    let act = |text: String| Some(vec![Step::Act(text)]);
    match pair.as_rule() {
        Rule::error => Some(vec![error(pair)]),
        Rule::switch | Rule::switch_fragment => act(format!("switch {}", first_state()?)),
        Rule::switch_without => {
            Some(vec![Step::act(format!("switch {}", first_state()?)), Step::Reconsume])
        }
        Rule::switch_return if pair.as_str().contains("switched into") => {
            Some(vec![Step::SwitchBack])
        }
        Rule::switch_return => {
            let mut steps = vec![Step::act("switch return-state")];
            steps.extend(
                inner().any(|part| part.as_rule() == Rule::without).then_some(Step::Reconsume),
            );
            Some(steps)
        }
        Rule::switch_additional => {
            let allowed = character(one_character(&inner().nth(1)?)?);
            let allowed = Step::act(format!("set additional-allowed-character {allowed}"));
            Some(vec![allowed, Step::act(format!("switch {}", first_state()?))])
        }
        Rule::reconsume_in => {
            Some(vec![Step::act(format!("switch {}", first_state()?)), Step::Reconsume])
        }
        Rule::reconsume_return => Some(vec![Step::act("switch return-state"), Step::Reconsume]),
        Rule::reconsume => Some(vec![Step::Reconsume]),
        Rule::consume => Some(vec![Step::Consume]),
        Rule::stay => act(inner()
            .find_map(|part| state(&part))
            .map_or("ignore".to_owned(), |name| format!("switch {name}"))),
        Rule::ignore => act("ignore".to_owned()),
        Rule::as_else => act("as else".to_owned()),
        Rule::stop => act("stop".to_owned()),
        Rule::return_nothing => act("return nothing".to_owned()),
        Rule::append_entity => act(super::APPEND_ENTITY.to_owned()),
        Rule::drop_attribute => Some(vec![duplicate(inner().next()?)]),
        _ => made(pair, antecedent)
            .or_else(|| numbers(pair))
            .or_else(|| written(pair, *antecedent))
            .or_else(|| super::trees::steps(pair)),
    }
}

/// Translates actions that create something that "its" can refer to.
fn made(pair: &Pair<'_, Rule>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    let mut inner = pair.clone().into_inner();
    match pair.as_rule() {
        Rule::create => {
            let words = inner.next()?.as_str();
            let kind = if words == "tag" { "start-tag".to_owned() } else { kebab_case(words) };
            *antecedent = match &kind[..] {
                "doctype" => Antecedent::Doctype,
                "start-tag" | "end-tag" => Antecedent::Tag,
                "processing-instruction" => Antecedent::ProcessingInstruction,
                _ => Antecedent::Nothing,
            };
            let mut steps = vec![Step::act(format!("create {kind}"))];
            for part in inner {
                let inside = part.clone().into_inner().next();
                match (part.as_rule(), inside) {
                    (Rule::created_entity, Some(text)) => {
                        steps.extend(
                            texts(&text)?
                                .into_iter()
                                .map(|text| Step::act(format!("append {text} to entity-name"))),
                        );
                        steps.push(Step::act("set entity-value \"\""));
                    }
                    (Rule::created_target, _) => {
                        steps.push(Step::act("append temporary-buffer to target"))
                    }
                    (Rule::created_data, Some(text)) if text.as_rule() == Rule::quoted => {
                        let text = super::asks::quoted(&text)?;
                        steps.push(Step::act(format!("append {} to comment", string(&text))));
                    }
                    _ => {}
                }
            }
            Some(steps)
        }
        Rule::start_attribute => {
            *antecedent = Antecedent::Attribute;
            Some(vec![Step::act("start-attribute")])
        }
        _ => None,
    }
}

/// Translates actions on numbers, flags and references.
fn numbers(pair: &Pair<'_, Rule>) -> Option<Vec<Step>> {
    let inner = || pair.clone().into_inner();
    let act = |text: String| Some(vec![Step::Act(text)]);
    match pair.as_rule() {
        Rule::set_flag => {
            let mut words = inner().map(|part| kebab_case(part.as_str()));
            act(format!("set {} {}", words.next()?, words.next()?))
        }
        Rule::set_token_flag => act(match inner().next()?.as_rule() {
            Rule::self_closing => "set self-closing".to_owned(),
            Rule::incorrect => "set incorrect".to_owned(),
            _ => "set force-quirks".to_owned(),
        }),
        Rule::set_return_state => {
            act(format!("set return-state {}", inner().find_map(|part| state(&part))?))
        }
        Rule::set_number => {
            let value = inner().next().and_then(|part| number(part.as_str())).unwrap_or(0);
            act(format!("set character-reference-code {value}"))
        }
        // The table has one action, `add-digit`, for what two sentences say.
        Rule::multiply => act(format!("add-digit {}", number(inner().next()?.as_str())?)),
        Rule::add_digit => Some(Vec::new()),
        Rule::digit_value => {
            let base = if pair.as_str().contains("hexadecimal") { 16 } else { 10 };
            let begins = !inner().any(|part| part.as_rule() == Rule::times);
            let mut steps: Vec<Step> =
                begins.then(|| Step::act("set character-reference-code 0")).into_iter().collect();
            steps.push(Step::act(format!("add-digit {base}")));
            Some(steps)
        }
        Rule::operation_setup => {
            let mut states = inner().filter_map(|part| state(&part));
            Some(vec![Step::Setup {
                state: states.next()?,
                back: states.next()?,
                emits: inner().any(|part| part.as_rule() == Rule::operation_emit),
                additional: inner().find_map(|part| one_character(&part)),
            }])
        }
        Rule::run_operation => {
            let what = inner().next()?;
            Some(vec![match what.as_rule() {
                Rule::all_but_last => Step::AllButLast,
                _ => {
                    Step::Operation(match what.into_inner().find_map(|part| one_character(&part)) {
                        Some(one) => character(one),
                        None => "character-reference-code".to_owned(),
                    })
                }
            }])
        }
        Rule::flush => Some(vec![Step::act(super::FLUSH)]),
        Rule::convert => Some(vec![Step::act(super::CONVERT)]),
        // The temporary buffer holds the target while it is called that.
        Rule::let_target => Some(Vec::new()),
        _ => None,
    }
}

/// Translates actions that write text.
fn written(pair: &Pair<'_, Rule>, antecedent: Antecedent) -> Option<Vec<Step>> {
    let inner = || pair.clone().into_inner();
    match pair.as_rule() {
        Rule::set_all_empty => Some(Vec::new()),
        Rule::set_fields => {
            let mut steps = Vec::new();
            for assignment in inner() {
                let mut parts = assignment.into_inner();
                let (to, text) = (parts.next()?, parts.next()?);
                steps.extend(assigned(field(&to, antecedent)?, &text, antecedent)?);
            }
            Some(steps)
        }
        Rule::append => {
            let mut parts: Vec<_> = inner().collect();
            let to = field(&parts.pop()?, antecedent)?;
            let mut steps = Vec::new();
            for part in &parts {
                steps.extend(
                    texts(part)?
                        .into_iter()
                        .map(|text| Step::act(format!("append {text} to {to}"))),
                );
            }
            Some(steps)
        }
        Rule::emit => {
            let mut steps = Vec::new();
            for part in inner() {
                steps.extend(emitted(&part, antecedent)?);
            }
            Some(steps)
        }
        _ => None,
    }
}

/// Assigns text to a field. Initial values of a new token or attribute are omitted.
fn assigned(field: &str, text: &Pair<'_, Rule>, antecedent: Antecedent) -> Option<Vec<Step>> {
    let is_empty = text.as_rule() == Rule::empty;
    let is_new = matches!(
        (field, antecedent),
        ("tag-name", Antecedent::Tag)
            | ("attribute-name" | "attribute-value", Antecedent::Attribute)
    );
    let texts = texts(text)?;
    if field == "character-reference-code" {
        let code = super::super::statement::character;
        let of = (0u32..0x80)
            .filter_map(char::from_u32)
            .find(|one| texts.first() == Some(&code(*one)))?;
        return Some(vec![Step::act(format!("set character-reference-code {}", of as u32))]);
    }
    if is_empty {
        return Some(if is_new {
            Vec::new()
        } else {
            vec![Step::act(format!("set {field} \"\""))]
        });
    }
    let mut steps = Vec::new();
    if field == "temporary-buffer" {
        steps.push(Step::act("set temporary-buffer \"\""));
    }
    steps.extend(texts.into_iter().map(|text| Step::act(format!("append {text} to {field}"))));
    Some(steps)
}

fn emitted(pair: &Pair<'_, Rule>, antecedent: Antecedent) -> Option<Vec<Step>> {
    let mut inner = pair.clone().into_inner();
    Some(match pair.as_rule() {
        Rule::emit_end => vec![Step::act("emit end-of-file")],
        Rule::emit_short_end => vec![Step::act("emit short-end-tag")],
        Rule::emit_same_name => ["create end-tag", "append last-start-tag to tag-name", "emit tag"]
            .map(Step::act)
            .to_vec(),
        Rule::emit_token => {
            let mut steps = Vec::new();
            let mut kind =
                if pair.as_str() == "the comment" { "comment".to_owned() } else { String::new() };
            for part in inner {
                match part.as_rule() {
                    Rule::emitted_kind => kind = kebab_case(part.as_str()),
                    _ => {
                        kind = "tag".to_owned();
                        if part.as_str().contains("empty") {
                            steps.push(Step::act("set self-closing"));
                        }
                    }
                }
            }
            if kind.is_empty() {
                kind = match antecedent {
                    Antecedent::Doctype => "doctype".to_owned(),
                    _ => "token".to_owned(),
                };
            }
            steps.push(Step::act(format!("emit {kind}")));
            steps
        }
        _ => texts(&inner.next()?)?
            .into_iter()
            .map(|text| Step::act(format!("emit {text}")))
            .collect(),
    })
}

/// Returns the texts that the words denote.
fn texts(pair: &Pair<'_, Rule>) -> Option<Vec<String>> {
    let inner = || pair.clone().into_inner();
    let word = |word: &str| Some(vec![word.to_owned()]);
    match pair.as_rule() {
        Rule::current => word("current"),
        Rule::lower => word("lower"),
        Rule::empty => Some(Vec::new()),
        Rule::buffer => word("temporary-buffer"),
        Rule::returned => word("returned"),
        Rule::references => word("reference"),
        Rule::number_character => word("character-reference-code"),
        Rule::characters => {
            let twice =
                inner().any(|part| part.as_rule() == Rule::count_word && part.as_str() == "two");
            let one = character(inner().find_map(|part| one_character(&part))?);
            Some(vec![one; if twice { 2 } else { 1 }])
        }
        Rule::strings => {
            let quoted = inner().next()?.into_inner().next()?;
            Some(vec![string(quoted.as_str())])
        }
        _ => None,
    }
}

/// Returns the field in the table language.
fn field(pair: &Pair<'_, Rule>, antecedent: Antecedent) -> Option<&'static str> {
    Some(match (pair.as_rule(), antecedent) {
        (Rule::tag_name, _) | (Rule::its_name, Antecedent::Tag) => "tag-name",
        (Rule::attribute_name, _) | (Rule::its_name, Antecedent::Attribute) => "attribute-name",
        (Rule::attribute_value, _) | (Rule::its_value, Antecedent::Attribute) => "attribute-value",
        (Rule::comment_data, _) => "comment",
        (Rule::doctype_name, _) | (Rule::its_name, Antecedent::Doctype) => "doctype-name",
        (Rule::public_identifier, _) => "public-identifier",
        (Rule::system_identifier, _) => "system-identifier",
        (Rule::temporary_buffer, _) => "temporary-buffer",
        (Rule::entity_name, _) => "entity-name",
        (Rule::entity_value, _) => "entity-value",
        (Rule::pi_data, _) => "data",
        (Rule::pi_target, _) => "target",
        (Rule::character_of_reference, _) => "character-reference-code",
        _ => return None,
    })
}
