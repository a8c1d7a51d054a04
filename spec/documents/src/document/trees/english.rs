//! Translates sentences of tree construction to statements, one at a time, by means of the grammar `rows.rules`, the
//! wordings that the vocabulary declares, and the profile's glosses. A sentence is read whole or not at all.

use crate::document::rules::{Rules, parse_steps};
use crate::document::{DocumentStep, Reading};
use std::sync::OnceLock;
use tabulex_language::vocabulary::tree::TREE_ACTIONS;

/// Returns the grammar in `rows.rules`, with the wordings of actions.
fn grammar() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES
        .get_or_init(|| Rules::parse(include_str!("rows.rules")).with_wordings("act", TREE_ACTIONS))
}

/// Returns the meaning of a text, by its gloss or by a rule of the category.
pub(super) fn meaning_of(reading: &Reading, category: &str, words: &str) -> Option<String> {
    reading.meaning_of(grammar(), category, words)
}

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
pub(super) enum TreeStatement {
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
    /// Steps of an algorithm beside the row, possibly also in the list that follows.
    BesideRow,
    /// The start of steps that this action of the table language performs at once, as the algorithm of its name.
    Begins(String),
}

/// A definition in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Definition {
    /// The name of a list of steps.
    Steps(String),
    /// The two algorithms for text elements.
    RawText,
    /// A named set of element names.
    Names(String, Vec<String>),
    /// Elements of the scope with this name; whether they are those that do not end it.
    Scope(String, bool),
    /// Integration points; whether for text only.
    Points(bool),
    /// Attribute names to replace; `None` for the table that follows.
    Adjust(String, Option<String>),
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
    pub(super) statement: TreeStatement,
    /// Whether a list follows the sentence.
    pub(super) opens: bool,
    /// Label of the step that the sentence begins.
    pub(super) label: Option<Walk>,
}

/// Reads a sentence of a row, or one that defines what rows mean.
pub(super) fn sentence(reading: &Reading, words: &str) -> Option<ParsedSentence> {
    let opens = words.ends_with(':');
    let is_beside = |place: &str| matches!(place, "begins" | "not-compared");
    if let Some(gloss) = reading.gloss(words, is_beside) {
        let statement = match &gloss.place[..] {
            "begins" => TreeStatement::Begins(gloss.meaning.clone()),
            _ => TreeStatement::BesideRow,
        };
        return Some(ParsedSentence { statement, opens, label: None });
    }
    parsed_sentence(&parse_steps(&meaning_of(reading, "sentence", words)?), opens)
}

/// Returns the statement that a meaning is.
pub(super) fn parsed_sentence(steps: &[DocumentStep], opens: bool) -> Option<ParsedSentence> {
    let mut label = None;
    let mut rest = steps;
    if let Some((first, after)) = steps.split_first() {
        label = match &first.words[..] {
            "at loop" => Some(Walk::Loop),
            "at done" => Some(Walk::Done),
            _ => None,
        };
        rest = if label.is_some() { after } else { steps };
    }
    let statement = match rest {
        [one] => statement(one)?,
        _ => TreeStatement::Do(acts(rest)?),
    };
    Some(ParsedSentence { statement, opens, label })
}

fn statement(step: &DocumentStep) -> Option<TreeStatement> {
    let inner = || acts(&step.inner);
    let (verb, rest) = step.words.split_once(' ').unwrap_or((&step.words, ""));
    Some(match (verb, rest.strip_prefix("if ")) {
        ("if", _) => TreeStatement::If(condition(rest)?, inner()?),
        ("now", _) => TreeStatement::Now(condition(rest)?, inner()?),
        ("instead", _) => TreeStatement::Instead(condition(rest)?),
        ("otherwise", Some(asked)) => TreeStatement::OtherwiseIf(condition(asked)?, inner()?),
        ("otherwise", None) => TreeStatement::Otherwise(inner()?),
        ("transfer", _) => TreeStatement::Transfer,
        ("define", _) => TreeStatement::Defines(definition(rest)?),
        _ => TreeStatement::Do(acts(std::slice::from_ref(step))?),
    })
}

/// Returns the actions in steps.
fn acts(steps: &[DocumentStep]) -> Option<Vec<Step>> {
    let mut all = Vec::new();
    for DocumentStep { words, inner, is_block, .. } in steps {
        let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
        let name = rest.trim_matches('"').to_owned();
        all.push(match (verb, rest) {
            ("when", _) if *is_block => Step::When(condition(rest)?, acts(inner)?, Vec::new()),
            ("return", "") => Step::End,
            ("create", _) => Step::Created(Some(name).filter(|name| !name.is_empty())),
            ("put", "") => Step::Put,
            ("adjusts", "") => Step::Adjusts,
            ("as-end-of", _) => Step::AsEndOf(name),
            ("as-next", _) => Step::AsNext(name),
            ("walk", "begin") => Step::Walk(Walk::Begin),
            ("walk", "previous") => Step::Walk(Walk::Previous),
            ("walk", "again") => Step::Walk(Walk::Again),
            ("walk", "done") => Step::Walk(Walk::ToDone),
            _ => Step::Act(words.clone()),
        });
        // These actions end the row.
        if matches!(&words[..], "ignore" | "stop" | "as else") {
            all.push(Step::End);
        }
    }
    Some(all)
}

/// Returns a condition: alternatives of conjunctions.
pub(super) fn condition(words: &str) -> Option<Ask> {
    let mut ways: Vec<Ask> = Vec::new();
    for way in words.split(" or ") {
        let asks = way.split(" and ").map(ask).filter(|ask| *ask != Ask::Always).collect();
        ways.push(join_conditions(asks, Ask::All));
    }
    // "There is one node" only means that there is no second node with any name.
    if words.contains("not second is ") {
        ways.retain(|ask| *ask != Ask::OneNode);
    }
    if ways.contains(&Ask::OneNode) { None } else { Some(join_conditions(ways, Ask::Any)) }
}

fn join_conditions(mut asks: Vec<Ask>, many: fn(Vec<Ask>) -> Ask) -> Ask {
    match asks.len() {
        0 => Ask::Always,
        1 => asks.remove(0),
        _ => many(asks),
    }
}

fn ask(words: &str) -> Ask {
    if let Some(words) = words.strip_prefix("not ") {
        return Ask::Not(Box::new(ask(words)));
    }
    let names = |names: &str| names.split(" | ").map(str::to_owned).collect();
    let Some(of_node) = words.strip_prefix("node ") else {
        return match words {
            "always" => Ask::Always,
            "one-node" => Ask::OneNode,
            "doctype-list" => Ask::DoctypeList,
            _ => Ask::Is(words.to_owned()),
        };
    };
    Ask::Node(match of_node.split_once(' ').unwrap_or((of_node, "")) {
        ("named", "") => NodeAsk::Named(None),
        ("named", list) => NodeAsk::Named(Some(names(list))),
        ("special", "") => NodeAsk::Special(Vec::new()),
        ("special", list) => NodeAsk::Special(names(list)),
        ("lower", _) => NodeAsk::Lower,
        ("topmost", _) => NodeAsk::Topmost,
        _ => NodeAsk::Foreign,
    })
}

fn definition(words: &str) -> Option<Definition> {
    let (kind, rest) = words.split_once(' ').unwrap_or((words, ""));
    let (name, list) = rest.split_once(" = ").unwrap_or((rest, ""));
    let name = name.to_owned();
    Some(match kind {
        "steps" => Definition::Steps(name),
        "raw-text" => Definition::RawText,
        "names" => Definition::Names(name, list.split(" | ").map(str::to_owned).collect()),
        "scope" => match name.strip_suffix(" but") {
            Some(name) => Definition::Scope(name.to_owned(), true),
            None => Definition::Scope(name, false),
        },
        "points" => Definition::Points(name == "text"),
        "adjust" => Definition::Adjust(name, (!list.is_empty()).then(|| list.to_owned())),
        "reset" => Definition::Reset,
        _ => return None,
    })
}

/// Returns the patterns of a label, each with its condition.
pub(super) fn label(reading: &Reading, words: &str) -> Option<Vec<(String, Option<Ask>)>> {
    let means = meaning_of(reading, "label", words)?;
    let (patterns, asked) = means.split_once(" if ").unwrap_or((&means, ""));
    let asked = if asked.is_empty() { None } else { Some(condition(asked)?) };
    if patterns.starts_with("neither ") {
        return Some(vec![(patterns.to_owned(), asked)]);
    }
    Some(patterns.split(" | ").map(|pattern| (pattern.to_owned(), asked.clone())).collect())
}

/// Returns a set of element names within a step or condition.
pub(super) fn set(names: &[String]) -> String {
    format!("⟨{}⟩", names.join(" | "))
}

/// Returns the mode that a heading without its number names.
pub(super) fn mode(words: &str) -> Option<String> {
    grammar().read("heading", words)
}
