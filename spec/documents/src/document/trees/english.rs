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
pub(super) enum ModeCondition {
    /// Always true: not a condition on the tree.
    Always,
    /// A condition of the table language.
    Is(String),
    /// Negation.
    Not(Box<ModeCondition>),
    /// Conjunction.
    All(Vec<ModeCondition>),
    /// Disjunction.
    Any(Vec<ModeCondition>),
    /// The stack has no second element.
    OneNode,
    /// The DOCTYPE is in the list that follows.
    DoctypeList,
    /// A condition on the node of a walk.
    Node(NodeCondition),
}

/// A condition on the node of a walk.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NodeCondition {
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
pub(super) enum ModeStep {
    /// An action of the table language.
    Act(String),
    /// Steps under a condition.
    When(ModeCondition, Vec<ModeStep>, Vec<ModeStep>),
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
    Do(Vec<ModeStep>),
    /// Steps under a condition.
    If(ModeCondition, Vec<ModeStep>),
    /// Steps of the following list replace the preceding ones under this condition.
    Instead(ModeCondition),
    /// A condition that refines the preceding sentence's condition.
    Now(ModeCondition, Vec<ModeStep>),
    /// Steps if the preceding condition did not hold and this one does.
    OtherwiseIf(ModeCondition, Vec<ModeStep>),
    /// Steps if the preceding conditions did not hold.
    Otherwise(Vec<ModeStep>),
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
fn acts(steps: &[DocumentStep]) -> Option<Vec<ModeStep>> {
    let mut all = Vec::new();
    for DocumentStep { words, inner, is_block, .. } in steps {
        let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
        let name = rest.trim_matches('"').to_owned();
        all.push(match (verb, rest) {
            ("when", _) if *is_block => ModeStep::When(condition(rest)?, acts(inner)?, Vec::new()),
            ("return", "") => ModeStep::End,
            ("create", _) => ModeStep::Created(Some(name).filter(|name| !name.is_empty())),
            ("put", "") => ModeStep::Put,
            ("adjusts", "") => ModeStep::Adjusts,
            ("as-end-of", _) => ModeStep::AsEndOf(name),
            ("as-next", _) => ModeStep::AsNext(name),
            ("walk", "begin") => ModeStep::Walk(Walk::Begin),
            ("walk", "previous") => ModeStep::Walk(Walk::Previous),
            ("walk", "again") => ModeStep::Walk(Walk::Again),
            ("walk", "done") => ModeStep::Walk(Walk::ToDone),
            _ => ModeStep::Act(words.clone()),
        });
        // These actions end the row.
        if matches!(&words[..], "ignore" | "stop" | "as else") {
            all.push(ModeStep::End);
        }
    }
    Some(all)
}

/// Returns a condition: alternatives of conjunctions.
pub(super) fn condition(words: &str) -> Option<ModeCondition> {
    let mut ways: Vec<ModeCondition> = Vec::new();
    for way in words.split(" or ") {
        let asks =
            way.split(" and ").map(ask).filter(|ask| *ask != ModeCondition::Always).collect();
        ways.push(join_conditions(asks, ModeCondition::All));
    }
    // "There is one node" only means that there is no second node with any name.
    if words.contains("not second is ") {
        ways.retain(|ask| *ask != ModeCondition::OneNode);
    }
    if ways.contains(&ModeCondition::OneNode) {
        None
    } else {
        Some(join_conditions(ways, ModeCondition::Any))
    }
}

/// Joins conditions; none are always true.
pub(super) fn join_conditions(
    mut asks: Vec<ModeCondition>,
    many: fn(Vec<ModeCondition>) -> ModeCondition,
) -> ModeCondition {
    match asks.len() {
        0 => ModeCondition::Always,
        1 => asks.remove(0),
        _ => many(asks),
    }
}

fn ask(words: &str) -> ModeCondition {
    if let Some(words) = words.strip_prefix("not ") {
        return ModeCondition::Not(Box::new(ask(words)));
    }
    let names = |names: &str| names.split(" | ").map(str::to_owned).collect();
    let Some(of_node) = words.strip_prefix("node ") else {
        return match words {
            "always" => ModeCondition::Always,
            "one-node" => ModeCondition::OneNode,
            "doctype-list" => ModeCondition::DoctypeList,
            _ => ModeCondition::Is(words.to_owned()),
        };
    };
    ModeCondition::Node(match of_node.split_once(' ').unwrap_or((of_node, "")) {
        ("named", "") => NodeCondition::Named(None),
        ("named", list) => NodeCondition::Named(Some(names(list))),
        ("special", "") => NodeCondition::Special(Vec::new()),
        ("special", list) => NodeCondition::Special(names(list)),
        ("lower", _) => NodeCondition::Lower,
        ("topmost", _) => NodeCondition::Topmost,
        _ => NodeCondition::Foreign,
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
pub(super) fn label(
    reading: &Reading,
    words: &str,
) -> Option<Vec<(String, Option<ModeCondition>)>> {
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
