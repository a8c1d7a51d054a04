//! Folds sentences into steps: the steps after "otherwise" become the alternative of the condition before, and the
//! steps of a list belong to the sentence before. Steps keep the document's order.

use super::super::statement::ORPHANED;
use super::english::{ModeStep, ParsedSentence, TreeStatement};

/// Converts the sentences and lists of a row to steps.
pub(super) fn fold(sentences: &[ParsedSentence]) -> Vec<ModeStep> {
    let mut steps = Vec::new();
    let mut at = 0;
    while at < sentences.len() {
        let (more, next) = fold_sentence(sentences, at);
        match sentences[at].statement {
            // No condition precedes, so the steps are reported as a difference instead of run always.
            TreeStatement::Otherwise(_)
            | TreeStatement::OtherwiseIf(..)
            | TreeStatement::Instead(_) => {
                steps.push(ModeStep::Act(ORPHANED.to_owned()));
            }
            _ => steps.extend(more),
        }
        at = next;
    }
    steps
}

/// Converts the sentences of a list to steps. Unlike in a row, `ignore` does not end the steps if others follow.
pub(super) fn fold_list(sentences: &[ParsedSentence]) -> Vec<ModeStep> {
    let mut steps = fold(sentences);
    let is_ignore_and_end = |pair: &[ModeStep]| {
        pair[0] == ModeStep::Act("ignore".to_owned()) && pair[1] == ModeStep::End
    };
    let ignore_index = steps.windows(2).position(is_ignore_and_end);
    if let Some(at) =
        ignore_index.filter(|at| steps[at + 2..].iter().any(|step| *step != ModeStep::End))
    {
        steps.remove(at + 1);
    }
    steps
}

/// Returns the steps of the list at the index `at`, or `None` if a sentence or nothing is there.
fn inner_steps(sentences: &[ParsedSentence], at: usize) -> Option<&Vec<ModeStep>> {
    match &sentences.get(at)?.statement {
        TreeStatement::Block(steps) => Some(steps),
        _ => None,
    }
}

/// Converts a sentence, with the list and the "otherwise" that belong to it. Returns the steps and the index of the
/// next sentence.
fn fold_sentence(sentences: &[ParsedSentence], at: usize) -> (Vec<ModeStep>, usize) {
    let mut next = at + 1;
    let sentence = &sentences[at];
    let mut steps = Vec::new();
    match &sentence.statement {
        TreeStatement::Do(acts) | TreeStatement::Otherwise(acts) | TreeStatement::Block(acts) => {
            steps.extend(acts.iter().cloned())
        }
        TreeStatement::Now(ask, acts) => {
            steps.push(ModeStep::When(ask.clone(), acts.clone(), Vec::new()))
        }
        TreeStatement::If(ask, acts) | TreeStatement::OtherwiseIf(ask, acts) => {
            let mut then = acts.clone();
            if let Some(list) = inner_steps(sentences, next).filter(|_| sentence.opens_list) {
                then.extend(list.iter().cloned());
                next += 1;
            }
            if let Some(ParsedSentence {
                statement: TreeStatement::Now(ask, acts), paragraph, ..
            }) = sentences.get(next)
                && *paragraph == sentence.paragraph
            {
                then.push(ModeStep::When(ask.clone(), acts.clone(), Vec::new()));
                next += 1;
            }
            let (otherwise, after) = fold_alternative(sentences, next);
            next = after;
            steps.push(ModeStep::When(ask.clone(), then, otherwise));
        }
        TreeStatement::Instead(_)
        | TreeStatement::Transfer
        | TreeStatement::Defines(_)
        | TreeStatement::Begins(_) => {}
    }
    (steps, next)
}

/// Returns the steps for the case that the preceding condition does not hold, and the index of the next sentence.
fn fold_alternative(sentences: &[ParsedSentence], at: usize) -> (Vec<ModeStep>, usize) {
    let Some(ParsedSentence { statement, opens_list, .. }) = sentences.get(at) else {
        return (Vec::new(), at);
    };
    match statement {
        TreeStatement::Otherwise(acts) => {
            let mut steps = acts.clone();
            match inner_steps(sentences, at + 1) {
                Some(list) if *opens_list => {
                    steps.extend(list.iter().cloned());
                    (steps, at + 2)
                }
                // The alternative extends over the following paragraphs to the end of the row.
                _ if *opens_list => {
                    steps.extend(fold(&sentences[at + 1..]));
                    (steps, sentences.len())
                }
                _ => (steps, at + 1),
            }
        }
        TreeStatement::OtherwiseIf(..) => fold_sentence(sentences, at),
        TreeStatement::Instead(_) => {
            (inner_steps(sentences, at + 1).cloned().unwrap_or_default(), at + 2)
        }
        _ => (Vec::new(), at),
    }
}

/// Eliminates [`ModeStep::End`] by moving the steps after a condition into the branches that do not end the row.
pub(super) fn eliminate_ends(steps: &[ModeStep]) -> Vec<ModeStep> {
    append_where_open(steps, Vec::new())
}

/// Returns the steps, with `rest` after each path that does not end the row.
fn append_where_open(steps: &[ModeStep], rest: Vec<ModeStep>) -> Vec<ModeStep> {
    let Some((first, tail)) = steps.split_first() else { return rest };
    match first {
        ModeStep::End => Vec::new(),
        ModeStep::When(ask, then, otherwise) if ends(then) || ends(otherwise) => {
            let rest = append_where_open(tail, rest);
            vec![ModeStep::When(
                ask.clone(),
                append_where_open(then, rest.clone()),
                append_where_open(otherwise, rest),
            )]
        }
        ModeStep::Finally(action) => {
            let mut steps = append_where_open(tail, rest);
            steps.push(ModeStep::Act(action.clone()));
            steps
        }
        other => {
            let mut steps = vec![other.clone()];
            steps.extend(append_where_open(tail, rest));
            steps
        }
    }
}

/// Whether any path through the steps ends the row.
fn ends(steps: &[ModeStep]) -> bool {
    steps.iter().any(|step| match step {
        ModeStep::End => true,
        ModeStep::When(_, then, otherwise) => ends(then) || ends(otherwise),
        _ => false,
    })
}

/// Merges steps of several sentences: the creation and insertion of an element become one action, and repeated host
/// calls become one.
pub(super) fn merge_shared_steps(steps: Vec<ModeStep>) -> Vec<ModeStep> {
    let mut merged: Vec<ModeStep> = Vec::new();
    let mut created = None;
    for step in steps {
        match step {
            ModeStep::Created(name) => created = Some(name),
            ModeStep::Put => {
                let created_action = created.take().map_or("insert-nothing".to_owned(), |name| {
                    name.map_or("insert-element".to_owned(), |name| {
                        format!("insert-element {name:?}")
                    })
                });
                merged.push(ModeStep::Act(created_action));
            }
            ModeStep::When(ask, then, otherwise) => {
                let then = merge_shared_steps(then);
                merged.push(ModeStep::When(ask, then, merge_shared_steps(otherwise)));
            }
            // Two sentences describe one host call for two cases that only the host distinguishes, so the second is
            // dropped.
            ModeStep::Act(text)
                if text.starts_with("call-host")
                    && merged.last() == Some(&ModeStep::Act(text.clone())) => {}
            other => merged.push(other),
        }
    }
    merged
}
