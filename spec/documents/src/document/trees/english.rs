//! Translates single sentences on tree construction to statements, by the grammar `rows.rules`, the wordings that the
//! vocabulary declares, and the profile's glosses. A sentence is either translated completely or not at all.

use crate::document::rules::{Rules, parse_steps};
use crate::document::steps::split_declarations;
use crate::document::{DocumentStep, Reading};
use std::sync::LazyLock;
use tabulex_language::vocabulary::tree::TREE_ACTIONS;

/// The grammar in `rows.rules`, with the wordings of actions.
pub(super) static GRAMMAR: LazyLock<Rules> =
    LazyLock::new(|| Rules::parse(include_str!("rows.rules")).with_wordings("act", TREE_ACTIONS));

/// Returns the meaning of a text in the table language, by its gloss or by a rule of the category; `None` if it has
/// neither.
pub(super) fn meaning_of(reading: &Reading, category: &str, words: &str) -> Option<String> {
    reading.meaning_of(&GRAMMAR, category, words)
}

/// A step of tree construction. In actions and conditions, sets of element names are enclosed in `⟨` and `⟩`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ModeStep {
    /// An action of the table language.
    Act(String),
    /// A condition, the steps if it holds, and the steps if it does not. An empty condition always holds.
    When(String, Vec<ModeStep>, Vec<ModeStep>),
    /// End of the row: no later step runs.
    End,
    /// An action that runs after all other steps.
    Finally(String),
    /// Creation of an element with this name, or for the token; a later sentence inserts the element.
    Created(Option<String>),
    /// Insertion of the created element.
    Put,
}

/// Meaning of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TreeStatement {
    /// Unconditional steps.
    Do(Vec<ModeStep>),
    /// Steps under a condition.
    If(String, Vec<ModeStep>),
    /// If the condition holds, the steps of the list after the sentence replace the preceding ones.
    Instead(String),
    /// Steps if this condition and that of the preceding sentence hold.
    Now(String, Vec<ModeStep>),
    /// Steps if the preceding conditions did not hold and this one does.
    OtherwiseIf(String, Vec<ModeStep>),
    /// Steps if the preceding conditions did not hold.
    Otherwise(Vec<ModeStep>),
    /// No steps: the sentence only introduces another one, or states the only possible insertion point.
    Transfer,
    Defines(Definition),
    /// The start of steps that this action of the table language performs, read as the algorithm with its name.
    Begins(String),
    /// The steps of a list, in place of a sentence.
    Block(Vec<ModeStep>),
}

/// A definition in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Definition {
    /// Named steps, in the list after the sentence. Of several names joined by `or`, each takes its alternative of the
    /// steps.
    Steps(String),
    /// A declaration that begins with these words, and goes on with the elements in the list after the sentence.
    List(String),
    /// Names to adjust, in the table after the sentence: the name of the list.
    Adjust(String),
    /// The algorithm that resets the insertion mode.
    Reset,
    /// The algorithm that parses a fragment.
    Fragment,
    /// The algorithm with this name, in the list after the sentence.
    Primitive(String),
}

/// The meaning of a sentence or list of a row, with its relation to the list after it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ParsedSentence {
    pub(super) statement: TreeStatement,
    /// Whether the sentence ends with a colon, so that a list belongs to it.
    pub(super) opens_list: bool,
    /// Index of the sentence's paragraph.
    pub(super) paragraph: usize,
    /// Declarations in the meaning, without `declare`. One that begins with `algorithm` contains steps.
    pub(super) declarations: Vec<DocumentStep>,
}

impl ParsedSentence {
    /// Creates a sentence without declarations, or a list, which has no words.
    pub(super) fn new(statement: TreeStatement, words: &str) -> Self {
        let opens_list = words.ends_with(':');
        Self { statement, opens_list, paragraph: 0, declarations: Vec::new() }
    }
}

/// Parses a sentence of a row, or one with a definition that rows use; returns `None` if no gloss or rule translates
/// it.
pub(super) fn sentence(reading: &Reading, words: &str) -> Option<ParsedSentence> {
    if let Some(gloss) = reading.gloss(words, |place| place == "begins") {
        return Some(ParsedSentence::new(TreeStatement::Begins(gloss.meaning.clone()), words));
    }
    parsed_sentence(&meaning_of(reading, "sentence", words)?, words)
}

/// Converts the meaning of a sentence to a statement; returns `None` if it is malformed.
pub(super) fn parsed_sentence(meaning: &str, words: &str) -> Option<ParsedSentence> {
    let (declarations, steps) = split_declarations(parse_steps(meaning));
    let statement = match &steps[..] {
        [one] => statement(one)?,
        steps => TreeStatement::Do(acts(steps)),
    };
    Some(ParsedSentence { declarations, ..ParsedSentence::new(statement, words) })
}

fn statement(step: &DocumentStep) -> Option<TreeStatement> {
    let inner_steps = || acts(&step.inner);
    let (verb, rest) = step.words.split_once(' ').unwrap_or((&step.words, ""));
    Some(match (verb, rest.strip_prefix("if ")) {
        ("if", _) => TreeStatement::If(condition(rest), inner_steps()),
        ("now", _) => TreeStatement::Now(condition(rest), inner_steps()),
        ("instead", _) => TreeStatement::Instead(condition(rest)),
        ("otherwise", Some(condition_text)) => {
            TreeStatement::OtherwiseIf(condition(condition_text), inner_steps())
        }
        ("otherwise", None) => TreeStatement::Otherwise(inner_steps()),
        ("transfer", _) => TreeStatement::Transfer,
        ("define", _) => TreeStatement::Defines(definition(rest)?),
        _ => TreeStatement::Do(acts(std::slice::from_ref(step))),
    })
}

/// Converts steps of a meaning to steps of a mode.
fn acts(steps: &[DocumentStep]) -> Vec<ModeStep> {
    let mut mode_steps = Vec::new();
    for DocumentStep { words, inner, is_block, .. } in steps {
        let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
        let name = rest.trim_matches('"').to_owned();
        mode_steps.push(match (verb, rest) {
            ("when", _) if *is_block => ModeStep::When(condition(rest), acts(inner), Vec::new()),
            ("return", "") => ModeStep::End,
            ("create", _) => ModeStep::Created(Some(name).filter(|name| !name.is_empty())),
            ("put", "") => ModeStep::Put,
            ("finally", _) => ModeStep::Finally(rest.to_owned()),
            _ => ModeStep::Act(words.clone()),
        });
        // These actions end the row, so no later step runs.
        if matches!(&words[..], "ignore" | "stop" | "as else") {
            mode_steps.push(ModeStep::End);
        }
    }
    mode_steps
}

/// Returns a condition of the table language, a disjunction of conjunctions, without its terms `always`, which stand
/// for words that are no condition on the tree. The condition is empty if one of the conjunctions has no other terms.
pub(super) fn condition(words: &str) -> String {
    let conjunction = |words: &str| {
        let terms: Vec<&str> = words.split(" and ").filter(|term| *term != "always").collect();
        terms.join(" and ")
    };
    let conjunctions: Vec<String> = words.split(" or ").map(conjunction).collect();
    match conjunctions.iter().any(String::is_empty) {
        true => String::new(),
        false => conjunctions.join(" or "),
    }
}

fn definition(words: &str) -> Option<Definition> {
    let (kind, rest) = words.split_once(' ').unwrap_or((words, ""));
    let rest = rest.to_owned();
    Some(match kind {
        "steps" => Definition::Steps(rest),
        "list" => Definition::List(rest),
        "adjust" => Definition::Adjust(rest),
        "reset" => Definition::Reset,
        _ => return None,
    })
}

/// Returns the patterns of a label, each with the label's condition, if it has one; `None` if no rule translates the
/// label.
pub(super) fn label(reading: &Reading, words: &str) -> Option<Vec<(String, Option<String>)>> {
    let meaning = meaning_of(reading, "label", words)?;
    let (patterns, guard) = meaning.split_once(" if ").unwrap_or((&meaning, ""));
    let guard = (!guard.is_empty()).then(|| condition(guard));
    if patterns.starts_with("neither ") {
        return Some(vec![(patterns.to_owned(), guard)]);
    }
    Some(patterns.split(" | ").map(|pattern| (pattern.to_owned(), guard.clone())).collect())
}
