//! Translates conditions of tree construction to conditions of the table language, or to ones that walks and lists
//! later resolve.

use super::english::{Ask, NodeAsk, Rule, mode, names, quoted, set};
use pest::iterators::Pair;

/// Translates a condition.
pub(super) fn condition(pair: Pair<'_, Rule>) -> Option<Ask> {
    let mut ways = Vec::new();
    for way in pair.into_inner() {
        let mut asks = Vec::new();
        for part in way.into_inner() {
            asks.push(ask(&part)?);
        }
        asks.retain(|ask| !matches!(ask, Ask::Always | Ask::InColumn));
        ways.push(joined(asks, Ask::All));
    }
    // "There is one node" only means that there is no second node with any name.
    let has_second = ways.iter().any(|ask| matches!(ask, Ask::Not(inner) if matches!(&**inner, Ask::Is(text) if text.starts_with("second "))));
    if has_second {
        ways.retain(|ask| *ask != Ask::OneNode);
    }
    if ways.contains(&Ask::OneNode) { None } else { Some(joined(ways, Ask::Any)) }
}

fn joined(mut asks: Vec<Ask>, many: fn(Vec<Ask>) -> Ask) -> Ask {
    match asks.len() {
        0 => Ask::Always,
        1 => asks.remove(0),
        _ => many(asks),
    }
}

fn is(text: impl Into<String>) -> Ask {
    Ask::Is(text.into())
}

/// Returns the condition, negated if `not` is set.
fn negated(not: bool, ask: Ask) -> Ask {
    if not { Ask::Not(Box::new(ask)) } else { ask }
}

fn any(asks: Vec<Ask>) -> Ask {
    joined(asks, Ask::Any)
}

/// Translates conditions without parameters.
fn fixed(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::ask_self_closing => "self-closing",
        Rule::ask_change_of_mode => "change-of-mode is allowed",
        Rule::ask_srcdoc => "iframe-srcdoc is no",
        Rule::ask_template_modes => "has-template-mode",
        Rule::ask_pending => "pending-other-than ascii-whitespace",
        Rule::ask_head_pointer => "is-set head",
        Rule::ask_adjusted_root => "adjusted-current is-root",
        Rule::ask_doctype_bad => "doctype in nonconforming",
        Rule::ask_script_in_svg => "current is ⟨svg \"script\"⟩",
        _ => return None,
    })
}

fn ask(pair: &Pair<'_, Rule>) -> Option<Ask> {
    let find = |rule| pair.clone().into_inner().find(|part| part.as_rule() == rule);
    let has_not = find(Rule::is_not).is_some();
    if let Some(text) = fixed(pair.as_rule()) {
        return Some(is(text));
    }
    Some(match pair.as_rule() {
        Rule::ask_formatting => is(format!("formatting-has {}", set(&names(pair)))),
        Rule::ask_no_template => negated(true, is(format!("open {}", set(&names(pair))))),
        Rule::ask_open => is(format!("open {}", set(&names(pair)))),
        Rule::ask_open_other => is(format!("open-other-than {}", set(&names(pair)))),
        Rule::ask_one_node => Ask::OneNode,
        Rule::ask_scope => scope(pair)?,
        Rule::ask_second => negated(has_not, is(format!("second is {}", set(&names(pair))))),
        Rule::ask_above_current => any(names(pair)
            .iter()
            .map(|name| is(format!("above-current is {}", name.trim_matches('"'))))
            .collect()),
        Rule::ask_current => current(pair)?,
        Rule::ask_current_no_longer => {
            negated(true, is(format!("current is {}", set(&names(pair)))))
        }
        Rule::ask_pointer => {
            negated(!has_not, is(format!("is-set {}", find(Rule::pointer)?.as_str())))
        }
        Rule::ask_attribute_not => {
            let [name, value] = <[String; 2]>::try_from(names(pair)).ok()?;
            negated(true, is(format!("token-attribute {name} is {value}")))
        }
        Rule::ask_attributes => {
            any(names(pair).iter().map(|name| is(format!("token-attribute {name}"))).collect())
        }
        Rule::ask_frameset => is(format!("frameset-ok is {}", mode(&quoted(pair)?))),
        Rule::ask_scripting => {
            let is_off = find(Rule::flag_value)?.as_str().eq_ignore_ascii_case("disabled");
            is(if is_off != has_not { "scripting is disabled" } else { "scripting is enabled" })
        }
        Rule::ask_parsing_contents => negated(has_not, is("parsing-template-contents")),
        Rule::ask_context => match find(Rule::elements) {
            Some(elements) => is(format!("context is {}", set(&names(&elements)))),
            None => negated(find(Rule::null).is_some(), is("fragment")),
        },
        Rule::ask_allowed_roots => {
            let value = if find(Rule::last_false).is_some() { "forbidden" } else { "allowed" };
            is(format!("declarative-shadow-roots is {value}"))
        }
        // The keywords without a state are listed at the attribute.
        Rule::ask_none_state => {
            negated(has_not, is(format!("{}-is-in-none-state", find(Rule::name)?.as_str())))
        }
        Rule::ask_specified => is(format!("token-attribute {:?}", find(Rule::name)?.as_str())),
        Rule::ask_not_quirks => negated(true, is("document-mode is quirks")),
        Rule::ask_doctype_list => Ask::DoctypeList,
        Rule::ask_fragment => negated(has_not, is("fragment")),
        Rule::ask_adjusted_in => {
            let name = find(Rule::namespace)?;
            is(format!("adjusted-current in {}", namespace(name.as_str())?))
        }
        Rule::ask_in_column => Ask::InColumn,
        Rule::ask_speculative | Rule::ask_childless => Ask::Always,
        Rule::ask_mode_is => any(names(pair)
            .iter()
            .map(|name| is(format!("insertion-mode is {}", mode(name))))
            .collect()),
        Rule::ask_last => negated(find(Rule::last_false).is_some(), is("last")),
        Rule::node_null => negated(true, is("is-set NODE")),
        Rule::node_special => Ask::Node(NodeAsk::Special(names(pair))),
        Rule::node_not_current => negated(true, is("current is NODE")),
        Rule::node_lower => negated(has_not, Ask::Node(NodeAsk::Lower)),
        Rule::node_topmost => Ask::Node(NodeAsk::Topmost),
        Rule::node_not_html => Ask::Node(NodeAsk::Foreign),
        Rule::node_is => Ask::Node(NodeAsk::Named(find(Rule::elements).map(|part| names(&part)))),
        _ => return None,
    })
}

/// Returns the namespace's name in the table language.
pub(super) fn namespace(words: &str) -> Option<&'static str> {
    match words {
        "MathML" => Some("math"),
        "SVG" => Some("svg"),
        _ => None,
    }
}

/// Returns a condition on the current node.
pub(super) fn current(pair: &Pair<'_, Rule>) -> Option<Ask> {
    let mut inner = pair.clone().into_inner();
    let not = inner.clone().any(|part| part.as_rule() == Rule::is_not);
    let what = inner.find(|part| !matches!(part.as_rule(), Rule::is_not | Rule::is_now))?;
    let text = match what.as_rule() {
        Rule::same_name => "current is token-name".to_owned(),
        Rule::root_html => "current is \"html\"".to_owned(),
        Rule::svg_script => "current is ⟨svg \"script\"⟩".to_owned(),
        Rule::node_word => "current is NODE".to_owned(),
        _ => format!("current is {}", set(&names(&what))),
    };
    Some(negated(not, is(text)))
}

fn scope(pair: &Pair<'_, Rule>) -> Option<Ask> {
    let mut inner = pair.clone().into_inner();
    let not = inner.next()?.as_rule() == Rule::scope_has_not;
    let what = inner.next()?;
    let parts = || what.clone().into_inner();
    let scope = scope_name(&parts().find(|part| part.as_rule() == Rule::scope)?);
    let target = parts().find(|part| part.as_rule() != Rule::scope)?;
    let target = match target.as_rule() {
        Rule::same_name => "token-name".to_owned(),
        Rule::node_word => "NODE".to_owned(),
        _ => set(&names(&target)),
    };
    Some(negated(not, is(format!("in-scope {scope} {target}"))))
}

/// Returns the name of a scope.
pub(super) fn scope_name(pair: &Pair<'_, Rule>) -> &'static str {
    match pair.clone().into_inner().next().map(|word| word.as_str()) {
        Some("button") => "button",
        Some("list item") => "list-item",
        Some("table") => "table",
        Some("select") => "select",
        _ => "default",
    }
}
