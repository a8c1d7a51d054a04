//! Translates sentences and labels of a tokenizer's states, by the grammar `states.rules`, the wordings that the
//! vocabulary declares, and the profile's glosses. A sentence is either translated completely or not at all. Phrases
//! such as "its name" are resolved by [`Antecedent`].

mod labels;

pub(super) use labels::{
    Label, case_of_state, heading, item_labels, labels, row_labels, table_row, token_labels,
};

use super::DocumentStep;
use super::Reading;
use super::profile::split_place;
use super::rules::{Rules, literal, parse_steps};
use super::stated;
use super::statement::{Declaration, RowCondition, RowStep, Statement};
use crate::compare::{creates_field, is_never_missing, is_text_of_row};
use std::sync::LazyLock;
use tabulex_language::nearest;
use tabulex_language::vocabulary::tree::TREE_ACTIONS;
use tabulex_language::vocabulary::{ACTIONS, first_word};

/// The grammar in `states.rules`, with the wordings of actions of modes.
static GRAMMAR: LazyLock<Rules> =
    LazyLock::new(|| Rules::parse(include_str!("states.rules")).with_wordings("act", TREE_ACTIONS));

/// The token or attribute that a row created last, to which "its" refers, and the fields that the row wrote since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Antecedent {
    /// The creating action, `start-attribute` or `create` and a kind of token; empty if the row has created nothing.
    action: String,
    /// Whether the action runs on all paths up to here.
    is_certain: bool,
    /// Fields that have been written on some path since then.
    written: Vec<String>,
}

impl Antecedent {
    /// Returns the kind of the created token, `attribute` for an attribute, or an empty string.
    fn kind(&self) -> &str {
        match &self.action[..] {
            "start-attribute" => "attribute",
            action => action.strip_prefix("create ").unwrap_or_default(),
        }
    }

    /// Whether the field is empty because it belongs to what was just created.
    fn is_empty_field(&self, field: &str) -> bool {
        let is_written = self.written.iter().any(|other| other == field);
        self.is_certain && !is_written && creates_field(&self.action, field)
    }

    /// Continues after a branch. `before` is the antecedent before the branch, which may not have run.
    fn leave_branch(&mut self, before: Self) {
        self.is_certain &= before.is_certain && self.action == before.action;
        self.written.extend(before.written);
    }
}

/// Translates a sentence by its gloss or by a rule, and updates the antecedent. Returns `None` if neither applies.
pub(super) fn read(
    reading: &Reading,
    sentence: &str,
    antecedent: &mut Antecedent,
) -> Option<Statement> {
    let meaning = reading.meaning_of(&GRAMMAR, "sentence", sentence)?;
    Some(with_connective(sentence, statement(&meaning, antecedent).ok()?))
}

/// Returns the mistake in a gloss of a sentence in a state, with the word that has no meaning; `None` if there is none,
/// or if the gloss has a place. `actions` are the actions that the table declares, `states` the states and modes of the
/// table and the document.
pub fn mistake(gloss: &str, actions: &[&str], states: &[&str]) -> Option<String> {
    if !split_place(gloss).0.is_empty() {
        return None;
    }
    // Another sentence may create the token to which a pronoun refers, so this token has any field.
    let mut antecedent = Antecedent { action: "create token".to_owned(), ..Antecedent::default() };
    let statement = match statement(gloss, &mut antecedent) {
        Ok(Statement::Acts(steps)) if steps.is_empty() => {
            return Some("it has no steps".to_owned());
        }
        Ok(statement) => statement,
        Err(mistake) => return Some(mistake),
    };
    let mut known = actions.to_vec();
    known.extend(ACTIONS.iter().filter_map(|form| first_word(form.syntax)));
    known.extend(TREE_ACTIONS.iter().filter_map(|form| first_word(form.syntax)));
    let steps = RowStep::all(statement.parts().1);
    steps.into_iter().find_map(|step| unknown_word(step, &known, states))
}

/// Returns a message if a step is none of the actions, or names a state or mode that is not one of `states`.
fn unknown_word(step: &RowStep, actions: &[&str], states: &[&str]) -> Option<String> {
    let RowStep::Act(action) = step else { return None };
    let words: Vec<&str> = action.split(' ').collect();
    let is_literal = |slot: &&str| !slot.starts_with('<');
    let fits = |form: &&str| {
        let mut slots = form.split(' ');
        slots.clone().count() == words.len()
            && slots.by_ref().zip(&words).all(|(slot, word)| !is_literal(&slot) || slot == *word)
    };
    let forms = ACTIONS.iter().map(|it| it.syntax).chain(TREE_ACTIONS.iter().map(|it| it.syntax));
    // `set return-state <state>` is more specific than `set <field> <text>`.
    let form = forms.filter(fits).max_by_key(|form| form.split(' ').filter(is_literal).count());
    let slots = form.into_iter().flat_map(|form| form.split(' ')).zip(&words);
    let mut places = slots.filter(|(slot, _)| ["<state>", "<mode>"].contains(slot));
    let (kind, word, known) = match places.next() {
        Some((_, word)) => ("state", *word, states),
        None => ("action", words[0], actions),
    };
    if known.contains(&word) {
        return None;
    }
    let advice = nearest(word, known).map_or(String::new(), |it| format!("; {it}"));
    Some(format!("`{word}` is no {kind}{advice}"))
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

/// Converts the meaning of a sentence to a statement, or returns a message if it is malformed.
fn statement(meaning: &str, antecedent: &mut Antecedent) -> Result<Statement, String> {
    let (word, rest) = meaning.split_once(' ').unwrap_or((meaning, ""));
    let words = rest.to_owned();
    let malformed = || format!("the words after `{word}` are malformed");
    Ok(match word {
        "declare" => Statement::Declares(Declaration::Item(words)),
        "start" => Statement::Declares(Declaration::Start(words)),
        "tree-start" => Statement::Declares(Declaration::TreeStart(words)),
        "case" => Statement::Case(condition(rest)?),
        "append-to" => {
            let (action, step) = rest.split_once(' ').ok_or_else(malformed)?;
            Statement::Declares(Declaration::AppendToAction(action.to_owned(), step.to_owned()))
        }
        "class" | "procedure" | "state" | "lexical-mode" | "mode" => {
            Statement::Declares(Declaration::Rows(stated::parse(meaning).ok_or_else(malformed)?))
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

fn conditional_statement(
    all: &[DocumentStep],
    antecedent: &mut Antecedent,
) -> Result<Statement, String> {
    let [step] = all else { return Ok(Statement::Acts(steps(all, antecedent)?)) };
    let mut inner_steps = || branch(&step.inner, antecedent);
    Ok(match step.words.split_once(' ').unwrap_or((&step.words, "")) {
        ("if", condition_text) => Statement::If(condition(condition_text)?, inner_steps()?),
        ("otherwise", "") => Statement::Otherwise(inner_steps()?),
        ("otherwise", rest) => {
            Statement::OtherwiseIf(condition_of_otherwise(rest)?, inner_steps()?)
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

/// Converts the steps of a branch, which does not run on all paths.
fn branch(all: &[DocumentStep], antecedent: &mut Antecedent) -> Result<Vec<RowStep>, String> {
    let before = antecedent.clone();
    let row_steps = steps(all, antecedent)?;
    antecedent.leave_branch(before);
    Ok(row_steps)
}

/// Converts steps of a meaning to steps of a row, with pronouns resolved; returns a message if a step is malformed or a
/// pronoun refers to nothing.
fn steps(all: &[DocumentStep], antecedent: &mut Antecedent) -> Result<Vec<RowStep>, String> {
    let mut row_steps: Vec<RowStep> = Vec::new();
    for step in all {
        let (verb, rest) = step.words.split_once(' ').unwrap_or((&step.words, ""));
        if step.is_block {
            let inner = branch(&step.inner, antecedent)?;
            match (verb, open_branch(&mut row_steps)) {
                ("if" | "when", _) => {
                    row_steps.push(RowStep::When(condition(rest)?, inner, Vec::new()));
                }
                ("otherwise", Some(otherwise)) if rest.is_empty() => *otherwise = inner,
                ("otherwise", Some(otherwise)) => {
                    let asks = condition_of_otherwise(rest)?;
                    otherwise.push(RowStep::When(asks, inner, Vec::new()));
                }
                ("otherwise", None) => return Err("`otherwise` follows no condition".to_owned()),
                _ => {
                    return Err(format!(
                        "`{verb}` begins no block; `if CONDITION`, `when CONDITION`, `otherwise` and \
                         `otherwise if CONDITION` do"
                    ));
                }
            }
            continue;
        }
        let malformed = || format!("`{}` is malformed", step.words);
        match (verb, rest) {
            ("consume", "") => row_steps.push(RowStep::Consume),
            ("reconsume", "") => row_steps.push(RowStep::Reconsume),
            ("reconsume", state) => {
                row_steps.extend([RowStep::act(format!("switch {state}")), RowStep::Reconsume]);
            }
            ("all-but-last", "") => row_steps.push(RowStep::AllButLast),
            ("operation", text) => row_steps.push(RowStep::Operation(text.to_owned())),
            ("setup", _) => {
                let words: Vec<&str> = rest.splitn(4, ' ').collect();
                let [state, back, operation, additional] = words[..] else {
                    return Err(malformed());
                };
                row_steps.push(RowStep::Setup {
                    state: state.to_owned(),
                    back: back.to_owned(),
                    emits: operation == "emits",
                    additional: literal(additional).and_then(|text| text.chars().next()),
                });
            }
            _ => {
                let actions = resolve_pronouns(&step.words, antecedent).ok_or_else(malformed)?;
                row_steps.extend(actions.into_iter().map(RowStep::Act));
            }
        }
    }
    Ok(row_steps)
}

/// Returns the steps to which the `otherwise` after a branch belongs: those of the innermost branch that has none yet.
/// Returns `None` if there is no such branch.
fn open_branch(steps: &mut [RowStep]) -> Option<&mut Vec<RowStep>> {
    let Some(RowStep::When(.., otherwise)) = steps.last_mut() else { return None };
    if otherwise.is_empty() { Some(otherwise) } else { open_branch(otherwise) }
}

/// Converts a step to actions: pronouns become fields, several texts become several actions, and a field that is set is
/// emptied before the texts are appended, unless it is known to be empty. Returns `None` if a pronoun refers to no field.
fn resolve_pronouns(words: &str, antecedent: &mut Antecedent) -> Option<Vec<String>> {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    match (verb, rest) {
        ("create", _) | ("start-attribute", "") => {
            let action = words.to_owned();
            *antecedent = Antecedent { action, is_certain: true, written: Vec::new() };
        }
        ("emit", "token") if antecedent.kind() == "doctype" => {
            return Some(vec!["emit doctype".to_owned()]);
        }
        ("emit", texts) if texts.contains(" & ") => {
            return Some(texts.split(" & ").map(|text| format!("emit {text}")).collect());
        }
        ("set", _) if rest.ends_with(" \"\"") => {
            let name = field(rest.trim_end_matches(" \"\""), antecedent)?;
            let has_effect = !(is_never_missing(&name) && antecedent.is_empty_field(&name));
            return Some(has_effect.then(|| format!("set {name} \"\"")).into_iter().collect());
        }
        ("append" | "assign", _) if rest.contains(" to ") => {
            let (texts, name) = rest.rsplit_once(" to ")?;
            let name = field(name, antecedent)?;
            if name == "character-reference-code" {
                let code = u32::from(literal(texts)?.chars().next()?);
                return Some(vec![format!("set character-reference-code {code}")]);
            }
            let is_new = antecedent.is_empty_field(&name);
            antecedent.written.push(name.clone());
            let is_literal = texts.starts_with('"') && !texts.contains(" & ");
            if verb == "assign" && is_literal {
                return Some(vec![format!("set {name} {texts}")]);
            }
            // If the source is a field that is missing, the field that is set becomes missing, too.
            let clear_step = if is_text_of_row(texts) || texts.contains(" & ") {
                format!("set {name} \"\"")
            } else {
                format!("unset {name}")
            };
            let clear_step = Some(clear_step).filter(|_| verb == "assign" && !is_new);
            let texts = texts.split(" & ").map(|text| format!("append {text} to {name}"));
            return Some(clear_step.into_iter().chain(texts).collect());
        }
        _ => antecedent.written.extend(rest.split(' ').map(str::to_owned)),
    }
    Some(vec![words.to_owned()])
}

/// Returns the field that a name or pronoun refers to, or `None` if the antecedent lacks the field.
fn field(name: &str, antecedent: &Antecedent) -> Option<String> {
    let Some(part) = name.strip_prefix("its-") else { return Some(name.to_owned()) };
    Some(match (part, antecedent.kind()) {
        ("name", "start-tag" | "end-tag") => "tag-name".to_owned(),
        ("name" | "value", "attribute") | ("name", "doctype") => {
            format!("{}-{part}", antecedent.kind())
        }
        (_, "" | "start-tag" | "end-tag" | "attribute" | "doctype") => return None,
        ("data", "comment") => "comment".to_owned(),
        ("data" | "target", "processing-instruction") => part.to_owned(),
        (_, kind) => format!("{kind}-{part}"),
    })
}

/// Parses the condition after `otherwise`.
fn condition_of_otherwise(words: &str) -> Result<Vec<RowCondition>, String> {
    let words = ["if ", "when "].iter().find_map(|word| words.strip_prefix(word));
    condition(words.unwrap_or_default())
}

/// Parses a condition, a conjunction of disjunctions.
fn condition(words: &str) -> Result<Vec<RowCondition>, String> {
    let parsed = |part: &str| match part {
        "" => Err("a condition is missing".to_owned()),
        _ => row_condition(part).ok_or_else(|| format!("`{part}` is no condition")),
    };
    words.split(" and ").map(parsed).collect()
}

fn row_condition(words: &str) -> Option<RowCondition> {
    if words.contains(" or ") {
        return Some(RowCondition::Any(words.split(" or ").map(str::to_owned).collect()));
    }
    Some(match words.split_once(' ').unwrap_or((words, "")) {
        ("nothing", "") => RowCondition::Nothing,
        ("ahead", rest) if rest.starts_with(['"', '\'']) => {
            let (rest, case) = rest.rsplit_once(' ')?;
            let text = rest.strip_suffix(" here");
            RowCondition::Ahead {
                text: text.unwrap_or(rest).split(" & ").map(literal).collect::<Option<_>>()?,
                ignoring_case: case == "ignoring-case",
                from_current: text.is_some(),
            }
        }
        ("token", kind) => RowCondition::Token(kind.to_owned()),
        ("name", name) => RowCondition::Name(literal(name)?),
        ("only-of", characters) => {
            RowCondition::OnlyOf(characters.split(" | ").map(str::to_owned).collect())
        }
        _ => RowCondition::Plain(words.to_owned()),
    })
}
