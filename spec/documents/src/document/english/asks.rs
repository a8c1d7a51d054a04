//! Translates conditions to conditions of the table language, or to ones that later become rows.

use super::{Rule, number, one_character};
use crate::document::statement::{Ask, string};
use pest::iterators::Pair;
use tabulex_language::model::kebab_case;

/// Translates a condition.
pub(super) fn condition(pair: Pair<'_, Rule>) -> Option<Vec<Ask>> {
    let mut asks = Vec::new();
    for part in pair.into_inner() {
        asks.extend(atom(&part)?);
    }
    Some(asks)
}

/// Translates the condition at the head of a branch that spans several paragraphs.
pub(super) fn branch(pair: Pair<'_, Rule>) -> Option<Vec<Ask>> {
    if pair.as_rule() == Rule::condition {
        return condition(pair);
    }
    let is = |part| Some(format!("temporary-buffer is {} ignoring-case", string(&quoted(&part)?)));
    Some(vec![Ask::Any(pair.into_inner().map(is).collect::<Option<_>>()?)])
}

fn atom(pair: &Pair<'_, Rule>) -> Option<Vec<Ask>> {
    let inner = || pair.clone().into_inner();
    let find = |rule| inner().find(|part| part.as_rule() == rule);
    Some(vec![match pair.as_rule() {
        Rule::ahead => Ask::Ahead {
            text: quoted(&find(Rule::quoted)?)?,
            ignoring_case: find(Rule::ignoring_case).is_some(),
            from_current: find(Rule::ahead_here).is_some(),
        },
        Rule::ahead_both => {
            let one = one_character(&inner().next()?)?;
            Ask::Ahead { text: format!("{one}{one}"), ignoring_case: false, from_current: false }
        }
        Rule::nothing_returned => Ask::Nothing,
        Rule::appropriate => Ask::Plain("appropriate-end-tag".to_owned()),
        Rule::buffer_is => {
            Ask::Plain(format!("temporary-buffer is {}", string(&quoted(&inner().next()?)?)))
        }
        Rule::adjusted => Ask::Plain("adjusted-current-node is foreign".to_owned()),
        Rule::in_attribute => Ask::Plain(super::IN_ATTRIBUTE.to_owned()),
        Rule::last_matched => {
            let last = crate::document::statement::character(one_character(&inner().next()?)?);
            Ask::Plain(format!("not reference-ends-with {last}"))
        }
        Rule::next_is_one_of => {
            let one = one_character(&inner().next()?)?;
            Ask::FollowedBy(vec![(one, one), ('0', '9'), ('A', 'Z'), ('a', 'z')])
        }
        Rule::flags | Rule::escape => {
            let mut words = inner().map(|part| kebab_case(part.as_str()));
            let flag = words.next()?;
            let values: Vec<String> = words.map(|value| format!("{flag} is {value}")).collect();
            if values.len() == 1 { Ask::Plain(values.concat()) } else { Ask::Any(values) }
        }
        Rule::preceded => {
            let characters = inner().filter(|part| part.as_rule() == Rule::character);
            let mut text: String =
                characters.map(|part| one_character(&part)).collect::<Option<_>>()?;
            // The last of them is the current character.
            text.pop();
            Ask::Plain(format!("preceded-by {}", string(&text)))
        }
        Rule::tag_was => {
            let kind = kebab_case(find(Rule::token_kind)?.as_str());
            let mut asks = vec![Ask::Plain(format!("tag is {kind}"))];
            if let Some(name) = find(Rule::single_quoted) {
                let name = name.into_inner().next()?;
                asks.push(Ask::Plain(format!("tag-name is {}", string(name.as_str()))));
            }
            return Some(asks);
        }
        Rule::value_between => {
            let numbers: Option<Vec<u32>> = inner().map(|part| number(part.as_str())).collect();
            // Numbers beyond the last code point and surrogates become U+FFFD without this condition.
            let [1, 0x10_FFFF, 0xD800, 0xDFFF] = numbers?[..] else { return None };
            Ask::Plain("not character-reference-code is 0".to_owned())
        }
        _ => return None,
    }])
}

/// Returns the text between quotation marks.
pub(super) fn quoted(pair: &Pair<'_, Rule>) -> Option<String> {
    Some(pair.clone().into_inner().next()?.as_str().to_owned())
}
