//! Folds sentences into steps: a condition gets the steps after "otherwise", a list those before it, and a row ends
//! where one of its branches ends. Steps keep the document's order.

use super::english::{ModeCondition, ModeStep, TreeStatement, Walk};

/// A sentence or a list of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TreeSentence {
    Said {
        /// Meaning of the sentence.
        statement: TreeStatement,
        /// Whether a list follows the sentence.
        opens: bool,
        /// Label of the step that the sentence begins.
        label: Option<Walk>,
        /// Index of its paragraph.
        paragraph: usize,
    },
    /// The steps of a list.
    Block(Vec<ModeStep>),
}

/// Returns the steps of these sentences.
pub(super) fn fold(stated: &[TreeSentence]) -> Vec<ModeStep> {
    let mut steps = Vec::new();
    let mut at = 0;
    while at < stated.len() {
        let (more, next) = fold_sentence(stated, at);
        steps.extend(more);
        at = next;
    }
    steps
}

/// Returns the steps of a list: ignoring a token ends it only if no steps follow.
pub(super) fn fold_list(stated: &[TreeSentence]) -> Vec<ModeStep> {
    let mut steps = fold(stated);
    let is_ignored = |pair: &[ModeStep]| {
        pair[0] == ModeStep::Act("ignore".to_owned()) && pair[1] == ModeStep::End
    };
    let ignored = steps.windows(2).position(is_ignored);
    if let Some(at) = ignored.filter(|at| steps[at + 2..].iter().any(|step| *step != ModeStep::End))
    {
        steps.remove(at + 1);
    }
    steps
}

/// Returns the list at this index.
fn inner_steps(stated: &[TreeSentence], at: usize) -> Option<&Vec<ModeStep>> {
    match stated.get(at) {
        Some(TreeSentence::Block(steps)) => Some(steps),
        _ => None,
    }
}

/// Returns the steps of one sentence with its continuation, and the index of the next one.
fn fold_sentence(stated: &[TreeSentence], at: usize) -> (Vec<ModeStep>, usize) {
    let mut next = at + 1;
    let (statement, opens, label, paragraph) = match &stated[at] {
        TreeSentence::Block(steps) => return (steps.clone(), next),
        TreeSentence::Said { statement, opens, label, paragraph } => {
            (statement, *opens, *label, *paragraph)
        }
    };
    let mut steps: Vec<ModeStep> = label.map(ModeStep::Walk).into_iter().collect();
    match statement {
        TreeStatement::Do(acts) | TreeStatement::Otherwise(acts) => {
            steps.extend(acts.iter().cloned())
        }
        TreeStatement::Now(ask, acts) => {
            steps.push(ModeStep::When(ask.clone(), acts.clone(), Vec::new()))
        }
        TreeStatement::If(ask, acts) | TreeStatement::OtherwiseIf(ask, acts) => {
            let mut then = acts.clone();
            if let Some(list) = inner_steps(stated, next).filter(|_| opens) {
                then.extend(list.iter().cloned());
                next += 1;
            }
            if let Some(TreeSentence::Said {
                statement: TreeStatement::Now(ask, acts),
                paragraph: other,
                ..
            }) = stated.get(next)
                && *other == paragraph
            {
                then.push(ModeStep::When(ask.clone(), acts.clone(), Vec::new()));
                next += 1;
            }
            let (otherwise, after) = fold_alternative(stated, next);
            next = after;
            steps.push(ModeStep::When(ask.clone(), then, otherwise));
        }
        TreeStatement::Instead(ask) => {
            let list = inner_steps(stated, next).cloned().unwrap_or_default();
            next += 1;
            steps.push(ModeStep::When(ask.clone(), list, Vec::new()));
        }
        TreeStatement::Transfer
        | TreeStatement::Defines(_)
        | TreeStatement::BesideRow
        | TreeStatement::Begins(_) => {}
    }
    (steps, next)
}

/// Returns the steps if the preceding condition does not hold, and the index of the next sentence.
fn fold_alternative(stated: &[TreeSentence], at: usize) -> (Vec<ModeStep>, usize) {
    let Some(TreeSentence::Said { statement, opens, label: None, .. }) = stated.get(at) else {
        return (Vec::new(), at);
    };
    match statement {
        TreeStatement::Otherwise(acts) => {
            let mut steps = acts.clone();
            match inner_steps(stated, at + 1) {
                Some(list) if *opens => {
                    steps.extend(list.iter().cloned());
                    (steps, at + 2)
                }
                // The alternative extends over the following paragraphs to the end of the row.
                _ if *opens => {
                    steps.extend(fold(&stated[at + 1..]));
                    (steps, stated.len())
                }
                _ => (steps, at + 1),
            }
        }
        TreeStatement::OtherwiseIf(..) => fold_sentence(stated, at),
        TreeStatement::Instead(_) => {
            (inner_steps(stated, at + 1).cloned().unwrap_or_default(), at + 2)
        }
        _ => (Vec::new(), at),
    }
}

/// Eliminates [`ModeStep::End`]: the steps after a branch move into the alternative that does not end the row.
pub(super) fn eliminate_ends(steps: &[ModeStep]) -> Vec<ModeStep> {
    append_where_open(steps, Vec::new())
}

/// Returns the steps, followed by `rest` wherever they do not end the row.
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

/// Whether one of the steps ends the row.
fn ends(steps: &[ModeStep]) -> bool {
    steps.iter().any(|step| match step {
        ModeStep::End => true,
        ModeStep::When(_, then, otherwise) => ends(then) || ends(otherwise),
        _ => false,
    })
}

/// Merges steps that several sentences share: creating and inserting an element, steps on the element that a condition
/// found, and final steps.
pub(super) fn merge_shared_steps(steps: Vec<ModeStep>) -> Vec<ModeStep> {
    let mut joined: Vec<ModeStep> = Vec::new();
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
                joined.push(ModeStep::Act(created_action));
            }
            ModeStep::When(ask, then, otherwise) => {
                let mut then = self::merge_shared_steps(then);
                if let ModeCondition::Is(text) = &ask
                    && let Some(names) = text.strip_prefix("formatting-has ")
                {
                    point_to_that_element(names, &mut then);
                }
                joined.push(ModeStep::When(ask, then, self::merge_shared_steps(otherwise)));
            }
            // Repeated host calls are one call under two conditions of the host.
            ModeStep::Act(text)
                if text.starts_with("call-host")
                    && joined.last() == Some(&ModeStep::Act(text.clone())) => {}
            other => joined.push(other),
        }
    }
    joined
}

/// Points to "that element" before the adoption agency, and removes it afterwards.
fn point_to_that_element(names: &str, then: &mut Vec<ModeStep>) {
    let is = |text: &'static str| move |step: &ModeStep| matches!(step, ModeStep::Act(action) if action.starts_with(text));
    let (Some(agency), Some(remove)) =
        (then.iter().position(is("adoption-agency")), then.iter().position(is("remove-that")))
    else {
        return;
    };
    then.splice(
        remove..=remove,
        [
            ModeStep::Act("remove-pointed that-element".to_owned()),
            ModeStep::Act("unset that-element".to_owned()),
        ],
    );
    then.insert(agency, ModeStep::Act(format!("point that-element to-formatting {names}")));
}
