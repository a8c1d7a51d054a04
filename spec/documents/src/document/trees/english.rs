//! Translates sentences of tree construction to statements, one at a time, by means of the grammars next to this file.
//! A sentence is read whole or not at all.

use super::{acts, asks};
use pest::Parser;
use pest::iterators::Pair;

#[derive(pest_derive::Parser)]
#[grammar = "document/trees/words.pest"]
#[grammar = "document/trees/labels.pest"]
#[grammar = "document/trees/asks.pest"]
#[grammar = "document/trees/acts.pest"]
#[grammar = "document/trees/sentences.pest"]
#[grammar = "document/trees/reset.pest"]
#[grammar = "document/trees/fragment.pest"]
pub(super) struct English;

/// A condition. In `Is`, sets of element names stand between `⟨` and `⟩`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ask {
    /// Always true: not a condition on the tree.
    Always,
    /// A condition of the table language.
    Is(String),
    /// Negation.
    Not(Box<Ask>),
    /// Conjunction.
    All(Vec<Ask>),
    /// Disjunction.
    Any(Vec<Ask>),
    /// The stack has no second element.
    OneNode,
    /// The DOCTYPE is in the list that follows.
    DoctypeList,
    /// The token's name is in the table that follows.
    InColumn,
    /// A condition on the node of a walk.
    Node(NodeAsk),
}

/// A condition on the node of a walk.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NodeAsk {
    /// The node has one of these names, or the token's name if there are none.
    Named(Option<Vec<String>>),
    /// The node is special, but none of these.
    Special(Vec<String>),
    /// The node's name in lower case equals the token's.
    Lower,
    /// The node is the first element of the stack.
    Topmost,
    /// The node is not in the HTML namespace.
    Foreign,
}

/// A step of tree construction.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// An action of the table language.
    Act(String),
    /// Steps under a condition.
    When(Ask, Vec<Step>, Vec<Step>),
    /// Ends the row.
    End,
    /// An action after all others.
    Finally(String),
    /// Creates an element of this name, or one for the token; a later sentence inserts it.
    Created(Option<String>),
    /// Inserts the created element.
    Put,
    /// The steps of the row for the end tag of this name.
    AsEndOf(String),
    /// The steps of the next row, for an element of this name.
    AsNext(String),
    /// A part of a walk.
    Walk(Walk),
    /// Replaces names by the table that follows.
    Adjusts,
}

/// A part of a walk up the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walk {
    /// Starts at the current node.
    Begin,
    /// The label of the loop.
    Loop,
    /// The label after the loop.
    Done,
    /// Moves to the next element.
    Previous,
    /// Jumps to the loop label.
    Again,
    /// Jumps to the label after the loop.
    ToDone,
}

/// Meaning of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Say {
    /// Unconditional steps.
    Do(Vec<Step>),
    /// Steps under a condition.
    If(Ask, Vec<Step>),
    /// Steps of the following list replace the preceding ones under this condition.
    Instead(Ask),
    /// A condition that refines the preceding sentence's condition.
    Now(Ask, Vec<Step>),
    /// Steps if the preceding condition did not hold and this one does.
    OtherwiseIf(Ask, Vec<Step>),
    /// Steps if the preceding conditions did not hold.
    Otherwise(Vec<Step>),
    /// No steps of its own: it belongs to another sentence, or states the only possible insertion point.
    Transfer,
    Defines(Definition),
    /// Scripts are mentioned, possibly also in the list that follows.
    Scripts,
    /// The start of steps that this action of the table language performs at once, as the algorithm of its name.
    Begins(&'static str),
}

/// A definition in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Definition {
    /// The name of a list of steps.
    Steps(&'static str),
    /// The two algorithms for text elements.
    RawText,
    /// A named set of element names.
    Names(&'static str, Vec<String>),
    /// Elements of the scope with this name; whether they are those that do not end it.
    Scope(&'static str, bool),
    /// Integration points; whether for text only.
    Points(bool),
    /// Attribute names to replace; `None` for the table that follows.
    Adjust(&'static str, Option<(String, String)>),
    /// The algorithm that resets the insertion mode.
    Reset,
    /// The algorithm that prepares a fragment parser.
    Fragment,
    /// The action whose meaning the sentence defines.
    Primitive(String),
}

/// A parsed sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ParsedSentence {
    pub(super) say: Say,
    /// Whether a list follows the sentence.
    pub(super) opens: bool,
    /// Label of the step that the sentence begins.
    pub(super) label: Option<Walk>,
}

/// Parses a sentence on tree construction.
pub(super) fn sentence(words: &str) -> Option<ParsedSentence> {
    let pairs = English::parse(Rule::sentence, words).ok()?.next()?.into_inner();
    let mut parsed = ParsedSentence { say: Say::Transfer, opens: false, label: None };
    for pair in pairs {
        match pair.as_rule() {
            Rule::opens => parsed.opens = true,
            Rule::beside => {
                parsed.opens = words.ends_with(':');
                parsed.say = say(pair)?;
            }
            Rule::EOI => {}
            Rule::labelled => {
                let mut inner = pair.into_inner();
                let is_loop = inner.next()?.as_str().to_lowercase().starts_with("loop");
                parsed.label = Some(if is_loop { Walk::Loop } else { Walk::Done });
                parsed.say = say(inner.next()?)?;
            }
            _ => parsed.say = say(pair)?,
        }
    }
    Some(parsed)
}

/// Returns the rule that matched the sentence, followed by its nested rules.
pub(super) fn shape(words: &str) -> String {
    let Some(pair) = English::parse(Rule::sentence, words).ok().and_then(|mut pairs| pairs.next())
    else {
        return String::new();
    };
    let rules = pair.into_inner().flatten().map(|pair| format!("{:?}", pair.as_rule()));
    rules.filter(|rule| rule != "EOI").collect::<Vec<_>>().join(" ")
}

fn say(pair: Pair<'_, Rule>) -> Option<Say> {
    let rule = pair.as_rule();
    let mut inner = pair.clone().into_inner();
    Some(match rule {
        Rule::beside => match inner.flatten().find_map(|part| started_action(part.as_rule())) {
            Some(action) => Say::Begins(action),
            None => Say::Scripts,
        },
        Rule::introduced | Rule::define_html_element => Say::Transfer,
        Rule::raw_switch => {
            let states: Vec<String> = inner.map(|part| mode(part.as_str())).collect();
            Say::Do(vec![Step::Act(format!("tokenizer {}", states.join(" or ")))])
        }
        Rule::run_steps => Say::Do(Vec::new()),
        Rule::acting | Rule::acting_line_feed => Say::Do(acts::all(&pair)?),
        Rule::meta_charset | Rule::meta_content => Say::Do(acts::all(&pair)?),
        Rule::conditional => {
            let ask = asks::condition(inner.next()?)?;
            if pair.clone().into_inner().flatten().any(|part| part.as_rule() == Rule::instead) {
                return Some(Say::Instead(ask));
            }
            Say::If(ask, acts::all(&pair)?)
        }
        Rule::now_if => Say::Now(asks::current(&pair)?, acts::all(&pair)?),
        Rule::otherwise_condition => {
            Say::OtherwiseIf(asks::condition(inner.next()?)?, acts::all(&pair)?)
        }
        Rule::otherwise => Say::Otherwise(acts::all(&pair)?),
        _ => Say::Defines(super::lists::definition(&pair)?),
    })
}

/// Returns the action whose steps begin here. Names that other chapters define are granted by the profile.
fn started_action(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::begins_root => "attach-shadow-root \"shadowrootmode\" shadow-host reserved-name",
        Rule::begins_patch => {
            "patch-content \"for\" \"name\" \"marker\" \"start\" \"end\" \"body\""
        }
        Rule::begins_end => "finish-patching \"template\"",
        _ => return None,
    })
}

/// Returns the text between quotation marks.
pub(super) fn quoted(pair: &Pair<'_, Rule>) -> Option<String> {
    match pair.as_rule() {
        Rule::quoted => Some(pair.clone().into_inner().next()?.as_str().to_owned()),
        _ => pair
            .clone()
            .into_inner()
            .flatten()
            .find(|part| part.as_rule() == Rule::inner)
            .map(|part| part.as_str().to_owned()),
    }
}

/// Returns the element names in the words in the table language.
pub(super) fn names(pair: &Pair<'_, Rule>) -> Vec<String> {
    let parts = std::iter::once(pair.clone()).chain(pair.clone().into_inner().flatten());
    let words = parts.filter(|part| matches!(part.as_rule(), Rule::name | Rule::inner));
    words.map(|part| format!("{:?}", part.as_str())).collect()
}

/// Returns a set of element names within a step or condition.
pub(super) fn set(names: &[String]) -> String {
    format!("⟨{}⟩", names.join(" | "))
}

/// Returns the name of a mode in kebab case.
pub(super) fn mode(words: &str) -> String {
    tabulex_language::model::kebab_case(words)
}
