//! Parses definitions that all modes share: names, scopes, adjusted names, sets of DOCTYPEs. An item of a list is read
//! whole or not at all.

use super::acts::context;
use super::asks::{namespace, scope_name};
use super::english::{Definition, English, Rule, mode, names, quoted};
use pest::Parser;
use pest::iterators::Pair;

/// Returns the definition in the sentence.
pub(super) fn definition(pair: &Pair<'_, Rule>) -> Option<Definition> {
    let inner = || pair.clone().into_inner();
    let find = |rule| inner().find(|part| part.as_rule() == rule);
    Some(match pair.as_rule() {
        Rule::defines_close if pair.as_str().contains(" p element") => Definition::Steps("close-p"),
        Rule::defines_close => Definition::Steps("close-cell"),
        Rule::defines_context => Definition::Names(
            context(find(Rule::table_context)?.as_str()),
            names(&find(Rule::elements)?),
        ),
        Rule::defines_implied => {
            let name =
                if find(Rule::implied_all).is_some() { "thoroughly-implied" } else { "implied" };
            Definition::Names(name, names(&find(Rule::elements)?))
        }
        Rule::defines_raw => Definition::RawText,
        Rule::defines_adjust_one => {
            let words: Vec<String> = inner().map(|part| part.as_str().to_owned()).collect();
            let [from, to] = <[String; 2]>::try_from(words).ok()?;
            Definition::Adjust("mathml-attributes", Some((from, to)))
        }
        Rule::defines_adjust => match find(Rule::adjusted)?.as_str() {
            "SVG" => Definition::Adjust("svg-attributes", None),
            "foreign" => Definition::Adjust("foreign-attributes", None),
            _ => return None,
        },
        Rule::defines_points => Definition::Points(find(Rule::dispatch_text_point).is_some()),
        Rule::defines_scope => {
            Definition::Scope(scope_name(&find(Rule::scope)?), find(Rule::all_but).is_some())
        }
        Rule::defines_special => {
            let elements = inner().flatten().filter(|part| part.as_rule() == Rule::special_element);
            Definition::Names(
                "special",
                elements.map(|part| element(&part)).collect::<Option<_>>()?,
            )
        }
        Rule::defines_formatting => Definition::Names(
            "formatting",
            inner().map(|part| format!("{:?}", part.as_str())).collect(),
        ),
        Rule::defines_reset => Definition::Reset,
        Rule::defines_fragment => Definition::Fragment,
        Rule::defines_primitive => Definition::Primitive("appropriate-place".to_owned()),
        _ => return None,
    })
}

/// Returns an element name with its namespace.
fn element(pair: &Pair<'_, Rule>) -> Option<String> {
    let mut space = "";
    let mut word = None;
    for part in pair.clone().into_inner() {
        match part.as_rule() {
            Rule::namespace => space = namespace(part.as_str()).unwrap_or(""),
            Rule::element_word | Rule::name => word = Some(part.as_str().to_owned()),
            _ => {}
        }
    }
    Some(format!("{space} {:?}", word?).trim_start().to_owned())
}

/// Returns an item of a list of elements.
pub(super) fn item(words: &str) -> Option<String> {
    let pair = English::parse(Rule::element_item, words).ok()?.next()?.into_inner().next()?;
    match pair.as_rule() {
        Rule::element_all => Some("default".to_owned()),
        Rule::element_with => {
            let values: Vec<String> = pair
                .clone()
                .into_inner()
                .filter(|part| part.as_rule() == Rule::quoted)
                .filter_map(|part| quoted(&part))
                .collect();
            let [attribute, value] = <[String; 2]>::try_from(values).ok()?;
            Some(format!("{} with {attribute:?} = {value:?}", element(&pair)?))
        }
        _ => element(&pair),
    }
}

/// Returns an item of a list of DOCTYPEs: one test, or a disjunction of two.
pub(super) fn doctype(words: &str) -> Option<String> {
    let pair = English::parse(Rule::doctype_item, words).ok()?.next()?.into_inner().next()?;
    let mut tests = Vec::new();
    let mut either: Option<[String; 2]> = None;
    for part in pair.into_inner() {
        let find = |rule| part.clone().into_inner().find(|inner| inner.as_rule() == rule);
        let which = find(Rule::doctype_which).map(|which| which.as_str().to_owned());
        let value = quoted(&part);
        tests.push(match part.as_rule() {
            Rule::doctype_force => "force-quirks".to_owned(),
            Rule::doctype_name => format!("not name {:?}", value?),
            Rule::doctype_missing => {
                let not = if find(Rule::doctype_not).is_some() { "not " } else { "" };
                format!("{not}{} missing", which?)
            }
            Rule::doctype_empty => {
                let which = which?;
                either = Some([format!("{which} missing"), format!("{which} \"\"")]);
                continue;
            }
            Rule::doctype_filled => {
                let which = which?;
                format!("not {which} missing and not {which} \"\"")
            }
            Rule::doctype_begins => format!("{}-begins {:?}", which?, value?),
            _ => format!("{} {:?}", which?, value?),
        });
    }
    let all = tests.join(" and ");
    Some(match either {
        Some(either) => either.map(|one| format!("{one} and {all}")).join(" | "),
        None => all,
    })
}

/// Returns the DOCTYPEs that are an error: those without this name, or with other identifiers than this one.
pub(super) fn nonconforming(words: &str) -> Option<String> {
    let pair = English::parse(Rule::sentence, words).ok()?.next()?;
    let bad = pair.into_inner().flatten().find(|part| part.as_rule() == Rule::ask_doctype_bad)?;
    let [name, system] = <[String; 2]>::try_from(names(&bad)).ok()?;
    Some(format!(
        "doctypes nonconforming = not name {name} | not public missing | not system missing and not system {system};"
    ))
}

/// Returns a row of a table of names; `None` for its heading.
pub(super) fn adjusted(cells: &[&str]) -> Option<String> {
    match cells {
        [from, to] => Some(format!("{from:?} => {to:?}")),
        [from, prefix, local, space] => {
            let space = mode(space.strip_suffix("namespace")?);
            let to =
                if *prefix == "(none)" { (*local).to_owned() } else { format!("{prefix}:{local}") };
            Some(format!("{from:?} => {space} {to:?}"))
        }
        _ => None,
    }
}
