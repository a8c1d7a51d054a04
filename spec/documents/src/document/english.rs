//! Translates sentences and labels of a tokenizer's states, by the grammar `states.rules`, the wordings that the
//! vocabulary declares, and the profile's glosses. A sentence is either translated completely or not at all. Phrases
//! such as "its name" are resolved by [`Antecedent`].

mod labels;

pub(super) use labels::{
    Label, case_of_state, heading, item_labels, labels, row_labels, table_row, token_labels,
};

use super::DocumentStep;
use super::Reading;
use super::rules::{Rules, literal, parse_steps};
use super::stated;
use super::statement::{Declaration, RowCondition, RowStep, Statement};
use std::sync::OnceLock;
use tabulex_language::vocabulary::tree::TREE_ACTIONS;

/// Returns the grammar in `states.rules`, with the wordings of actions of modes.
fn grammar() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| {
        Rules::parse(include_str!("states.rules")).with_wordings("act", TREE_ACTIONS)
    })
}

/// The object to which "its" refers: the most recently created one in the row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Antecedent {
    #[default]
    Nothing,
    Tag,
    Attribute,
    Doctype,
    /// A token of another kind, built-in or declared.
    Other(String),
}

/// Translates a sentence by its gloss or by a rule, and updates the antecedent. Returns `None` if neither applies.
pub(super) fn read(
    reading: &Reading,
    sentence: &str,
    antecedent: &mut Antecedent,
) -> Option<Statement> {
    let meaning = reading.meaning_of(grammar(), "sentence", sentence)?;
    Some(with_connective(sentence, statement(&meaning, antecedent)?))
}

/// Makes the steps of a gloss the branch that the sentence's first word announces: after "If" the first one, to which a
/// following "Otherwise" refers, and after "Otherwise" a further one.
fn with_connective(sentence: &str, statement: Statement) -> Statement {
    let Statement::Acts(mut steps) = statement else { return statement };
    let branch = match &mut steps[..] {
        [RowStep::When(asks, then, otherwise)] if otherwise.is_empty() => {
            Some((std::mem::take(asks), std::mem::take(then)))
        }
        _ => None,
    };
    let first_word = sentence.split(|letter: char| !letter.is_alphabetic()).next();
    match (first_word.map(str::to_ascii_lowercase).as_deref(), branch) {
        (Some("if"), Some((asks, then))) => Statement::If(asks, then),
        (Some("otherwise"), Some((asks, then))) => Statement::OtherwiseIf(asks, then),
        (Some("otherwise"), None) => Statement::Otherwise(steps),
        (_, Some((asks, then))) => Statement::Acts(vec![RowStep::When(asks, then, Vec::new())]),
        (_, None) => Statement::Acts(steps),
    }
}

/// Converts the meaning of a sentence to a statement, or returns `None` if it is malformed.
fn statement(meaning: &str, antecedent: &mut Antecedent) -> Option<Statement> {
    let (word, rest) = meaning.split_once(' ').unwrap_or((meaning, ""));
    let words = rest.to_owned();
    Some(match word {
        "declare" => Statement::Declares(Declaration::Item(words)),
        "start" => Statement::Declares(Declaration::Start(words)),
        "tree-start" => Statement::Declares(Declaration::TreeStart(words)),
        "initial" => Statement::Declares(Declaration::Initial(words)),
        "case" => Statement::Case(condition(rest)?),
        "append-to" => {
            let (action, step) = rest.split_once(' ')?;
            Statement::Declares(Declaration::AppendToAction(action.to_owned(), step.to_owned()))
        }
        "class" | "procedure" | "state" => {
            Statement::Declares(Declaration::Rows(stated::parse(meaning)?))
        }
        "unless-end-tag" => {
            Statement::UnlessEndTag(rest.split(" or ").map(str::to_owned).collect())
        }
        "branch-if" => Statement::BranchIf(condition(rest)?),
        "branch" => Statement::Branch,
        "covered" => Statement::Covered,
        "gap" => Statement::Gap,
        "remark" => Statement::Remark,
        "consume-next" => Statement::ConsumeNext,
        "current-is" => Statement::CurrentIs,
        "call" => match rest.split_once(" after ") {
            Some((name, step)) => Statement::Call(name.to_owned(), Some(step.to_owned())),
            None => Statement::Call(words, None),
        },
        _ => return conditional_statement(&parse_steps(meaning), antecedent),
    })
}

fn conditional_statement(all: &[DocumentStep], antecedent: &mut Antecedent) -> Option<Statement> {
    let [step] = all else { return Some(Statement::Acts(steps(all, antecedent)?)) };
    let mut inner_steps = || steps(&step.inner, antecedent);
    Some(match step.words.split_once(' ').unwrap_or((&step.words, "")) {
        ("if", condition_text) => Statement::If(condition(condition_text)?, inner_steps()?),
        ("otherwise", "") => Statement::Otherwise(inner_steps()?),
        ("otherwise", condition_text) => {
            Statement::OtherwiseIf(condition(condition_text.strip_prefix("if ")?)?, inner_steps()?)
        }
        ("regardless", _) => Statement::Regardless(inner_steps()?),
        ("then", _) => Statement::Then(inner_steps()?),
        ("at-end", _) => Statement::Declares(Declaration::AtEnd(inner_steps()?)),
        ("enters", state) => {
            Statement::Declares(Declaration::Enters(state.to_owned(), inner_steps()?))
        }
        ("leaves", _) => Statement::Leaves(inner_steps()?),
        _ => Statement::Acts(steps(all, antecedent)?),
    })
}

/// Converts steps of a meaning to steps of a row, with pronouns resolved; returns `None` if a step is malformed or a
/// pronoun refers to nothing.
fn steps(all: &[DocumentStep], antecedent: &mut Antecedent) -> Option<Vec<RowStep>> {
    let mut row_steps: Vec<RowStep> = Vec::new();
    for step in all {
        let (verb, rest) = step.words.split_once(' ').unwrap_or((&step.words, ""));
        if step.is_block {
            let inner = steps(&step.inner, antecedent)?;
            match (verb, row_steps.last_mut()) {
                ("when", _) => row_steps.push(RowStep::When(condition(rest)?, inner, Vec::new())),
                (_, Some(RowStep::When(.., otherwise))) => *otherwise = inner,
                _ => return None,
            }
            continue;
        }
        match (verb, rest) {
            ("consume", "") => row_steps.push(RowStep::Consume),
            ("reconsume", "") => row_steps.push(RowStep::Reconsume),
            ("reconsume", state) => {
                row_steps.extend([RowStep::act(format!("switch {state}")), RowStep::Reconsume]);
            }
            ("switch-back", "") => row_steps.push(RowStep::SwitchBack),
            ("all-but-last", "") => row_steps.push(RowStep::AllButLast),
            ("operation", text) => row_steps.push(RowStep::Operation(text.to_owned())),
            ("setup", _) => {
                let words: Vec<&str> = rest.splitn(4, ' ').collect();
                let [state, back, operation, additional] = words[..] else { return None };
                row_steps.push(RowStep::Setup {
                    state: state.to_owned(),
                    back: back.to_owned(),
                    emits: operation == "emits",
                    additional: literal(additional).and_then(|text| text.chars().next()),
                });
            }
            _ => row_steps
                .extend(resolve_pronouns(&step.words, antecedent)?.into_iter().map(RowStep::Act)),
        }
    }
    Some(row_steps)
}

/// Converts a step to actions: pronouns become fields, several texts become several actions, and settings of a new
/// token's fields to their initial values are dropped. Returns `None` if a pronoun refers to no field.
fn resolve_pronouns(words: &str, antecedent: &mut Antecedent) -> Option<Vec<String>> {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    match (verb, rest) {
        ("create", kind) => {
            *antecedent = match kind {
                "doctype" => Antecedent::Doctype,
                "start-tag" | "end-tag" => Antecedent::Tag,
                other => Antecedent::Other(other.to_owned()),
            };
        }
        ("start-attribute", "") => *antecedent = Antecedent::Attribute,
        ("emit", "token") if *antecedent == Antecedent::Doctype => {
            return Some(vec!["emit doctype".to_owned()]);
        }
        ("emit", texts) if texts.contains(" & ") => {
            return Some(texts.split(" & ").map(|text| format!("emit {text}")).collect());
        }
        ("set", _) => {
            let Some(name) = rest.strip_suffix(" \"\"") else {
                return Some(vec![words.to_owned()]);
            };
            let name = field(name, antecedent)?;
            // The name of a new tag, and the name and value of a new attribute, are empty already, so setting them to
            // `""` is dropped.
            let is_new = matches!(
                (&name[..], &*antecedent),
                ("tag-name", Antecedent::Tag)
                    | ("attribute-name" | "attribute-value", Antecedent::Attribute)
            );
            return Some(if is_new { Vec::new() } else { vec![format!("set {name} \"\"")] });
        }
        ("append" | "assign", _) if rest.contains(" to ") => {
            let (texts, name) = rest.rsplit_once(" to ")?;
            let name = field(name, antecedent)?;
            if name == "character-reference-code" {
                let code = u32::from(literal(texts)?.chars().next()?);
                return Some(vec![format!("set character-reference-code {code}")]);
            }
            let is_literal = texts.starts_with('"') && !texts.contains(" & ");
            let can_be_set = matches!(antecedent, Antecedent::Nothing | Antecedent::Other(_));
            if verb == "assign" && is_literal && can_be_set {
                return Some(vec![format!("set {name} {texts}")]);
            }
            let clears_buffer = verb == "assign" && name == "temporary-buffer";
            let clear_step = clears_buffer.then(|| "set temporary-buffer \"\"".to_owned());
            let texts = texts.split(" & ").map(|text| format!("append {text} to {name}"));
            return Some(clear_step.into_iter().chain(texts).collect());
        }
        _ => {}
    }
    Some(vec![words.to_owned()])
}

/// Returns the field that a name or pronoun refers to, or `None` if the antecedent lacks the field.
fn field(name: &str, antecedent: &Antecedent) -> Option<String> {
    let Some(part) = name.strip_prefix("its-") else { return Some(name.to_owned()) };
    let name = match (part, antecedent) {
        ("name", Antecedent::Tag) => "tag-name",
        ("name", Antecedent::Attribute) => "attribute-name",
        ("name", Antecedent::Doctype) => "doctype-name",
        ("value", Antecedent::Attribute) => "attribute-value",
        (part, Antecedent::Other(kind)) => match (&kind[..], part) {
            ("comment", "data") => "comment",
            ("processing-instruction", "data" | "target") => part,
            _ => return Some(format!("{kind}-{part}")),
        },
        _ => return None,
    };
    Some(name.to_owned())
}

/// Parses a condition, a conjunction of disjunctions.
fn condition(words: &str) -> Option<Vec<RowCondition>> {
    words.split(" and ").map(row_condition).collect()
}

fn row_condition(words: &str) -> Option<RowCondition> {
    if words.contains(" or ") {
        return Some(RowCondition::Any(words.split(" or ").map(str::to_owned).collect()));
    }
    Some(match words.split_once(' ').unwrap_or((words, "")) {
        ("nothing", "") => RowCondition::Nothing,
        ("ahead", rest) => {
            let (rest, case) = rest.rsplit_once(' ')?;
            let text = rest.strip_suffix(" here");
            RowCondition::Ahead {
                text: text.unwrap_or(rest).split(" & ").map(literal).collect::<Option<_>>()?,
                ignoring_case: case == "ignoring-case",
                from_current: text.is_some(),
            }
        }
        ("ahead-both", one) => {
            let text = literal(one)?.repeat(2);
            RowCondition::Ahead { text, ignoring_case: false, from_current: false }
        }
        ("it", rest) => RowCondition::Current(literal(rest.strip_prefix("is ")?)?.chars().next()?),
        ("token", kind) => RowCondition::Token(kind.to_owned()),
        ("name", name) => RowCondition::Name(literal(name)?),
        ("only-of", characters) => {
            RowCondition::OnlyOf(characters.split(" | ").map(str::to_owned).collect())
        }
        _ => RowCondition::Plain(words.to_owned()),
    })
}
