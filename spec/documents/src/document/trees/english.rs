//! Sentences of tree construction to statements: the words of the grammar beside this file become steps. It sees one
//! sentence at a time. Invariant: a sentence is read whole or not at all.

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

/// A question; `Is` is one of the table language, element names of it between `⟨` and `⟩`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ask {
    /// It holds always: what it asks is not about the tree.
    Always,
    /// A condition of the table language.
    Is(String),
    /// It does not hold.
    Not(Box<Ask>),
    /// All of these hold.
    All(Vec<Ask>),
    /// One of these holds.
    Any(Vec<Ask>),
    /// There is no second element on the stack.
    OneNode,
    /// The DOCTYPE is one of the list that follows.
    DoctypeList,
    /// The token's name is in the table that follows.
    InColumn,
    /// About the node of a walk.
    Node(NodeAsk),
}

/// A question about the node of a walk.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NodeAsk {
    /// It has one of these names; none is the token's name.
    Named(Option<Vec<String>>),
    /// It is special, but none of these.
    Special(Vec<String>),
    /// Its name in lower case is the token's.
    Lower,
    /// It is the first element of the stack.
    Topmost,
    /// It is in another namespace than HTML's.
    Foreign,
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// An action of the table language.
    Act(String),
    /// Steps under a condition.
    When(Ask, Vec<Step>, Vec<Step>),
    /// The row ends here.
    End,
    /// This is done after all others.
    Finally(String),
    /// An element of this name is created, or one for the token, and where it is put is said later.
    Created(Option<String>),
    /// It is put there.
    Put,
    /// The steps of the row for the end tag of this name.
    AsEndOf(String),
    /// The steps of the next row, for an element of this name.
    AsNext(String),
    /// A part of a walk.
    Walk(Walk),
    /// Which names the table that follows replaces.
    Adjusts,
}

/// A part of a walk up the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walk {
    /// It begins at the current node.
    Begin,
    /// The step that it returns to.
    Loop,
    /// The step after it.
    Done,
    /// To the next element.
    Previous,
    /// To the step that it returns to.
    Again,
    /// To the step after it.
    ToDone,
}

/// What a sentence says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Say {
    /// Steps.
    Do(Vec<Step>),
    /// Steps under a condition.
    If(Ask, Vec<Step>),
    /// Under a condition, the steps of the list after it, instead of what was said before.
    Instead(Ask),
    /// A condition that belongs to what the sentence before asks.
    Now(Ask, Vec<Step>),
    /// Steps where the condition before did not hold, and this one does.
    OtherwiseIf(Ask, Vec<Step>),
    /// Steps where the conditions before did not hold.
    Otherwise(Vec<Step>),
    /// It goes with another sentence, or says where something is put that can only be there.
    Goes,
    /// Something is defined.
    Defines(Definition),
    /// Scripts are mentioned, also in what is listed below.
    Scripts,
    /// Here steps begin that this action of the table language does at once: the algorithm of its name.
    Begins(&'static str),
}

/// What a sentence defines.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Definition {
    /// Steps with this name.
    Steps(&'static str),
    /// The two algorithms for elements of text.
    RawText,
    /// Names.
    Names(&'static str, Vec<String>),
    /// Elements in a scope of this name; whether they are those at which it does not end.
    Scope(&'static str, bool),
    /// Where text, or all of it, is HTML again.
    Points(bool),
    /// Names of attributes that are replaced; none is the table that follows.
    Adjust(&'static str, Option<(String, String)>),
    /// How the mode is reset.
    Reset,
    /// What is done before a fragment is parsed.
    Fragment,
    /// The meaning of an action.
    Primitive(&'static str),
}

/// A sentence as it was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heard {
    pub(super) say: Say,
    /// Whether a list follows.
    pub(super) opens: bool,
    /// The label of a step before it.
    pub(super) label: Option<Walk>,
}

/// Reads a sentence.
pub(super) fn sentence(words: &str) -> Option<Heard> {
    let pairs = English::parse(Rule::sentence, words).ok()?.next()?.into_inner();
    let mut heard = Heard { say: Say::Goes, opens: false, label: None };
    for pair in pairs {
        match pair.as_rule() {
            Rule::opens => heard.opens = true,
            Rule::beside => {
                heard.opens = words.ends_with(':');
                heard.say = say(pair)?;
            }
            Rule::EOI => {}
            Rule::labelled => {
                let mut inner = pair.into_inner();
                let is_loop = inner.next()?.as_str().to_lowercase().starts_with("loop");
                heard.label = Some(if is_loop { Walk::Loop } else { Walk::Done });
                heard.say = say(inner.next()?)?;
            }
            _ => heard.say = say(pair)?,
        }
    }
    Some(heard)
}

/// The rule by which a sentence is read, and the rules within.
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
        Rule::beside => match inner.flatten().find_map(|part| begun(part.as_rule())) {
            Some(action) => Say::Begins(action),
            None => Say::Scripts,
        },
        Rule::introduced | Rule::define_html_element => Say::Goes,
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

/// The action whose steps begin here. What other chapters define stands in it by name, and is granted by the profile.
fn begun(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::begins_root => "attach-shadow-root \"shadowrootmode\" shadow-host reserved-name",
        Rule::begins_patch => {
            "patch-content \"for\" \"name\" \"marker\" \"start\" \"end\" \"body\""
        }
        Rule::begins_end => "finish-patching \"template\"",
        _ => return None,
    })
}

/// What is between quotation marks.
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

/// The names of elements in the words, as the table language writes them.
pub(super) fn names(pair: &Pair<'_, Rule>) -> Vec<String> {
    let parts = std::iter::once(pair.clone()).chain(pair.clone().into_inner().flatten());
    let words = parts.filter(|part| matches!(part.as_rule(), Rule::name | Rule::inner));
    words.map(|part| format!("{:?}", part.as_str())).collect()
}

/// Element names within a step or a condition.
pub(super) fn set(names: &[String]) -> String {
    format!("⟨{}⟩", names.join(" | "))
}

/// The name of a mode.
pub(super) fn mode(words: &str) -> String {
    tabulex_language::model::kebab_case(words)
}
