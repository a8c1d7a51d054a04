//! Replaces walks up the stack of open elements ("initialize node …, loop: if node is …, otherwise set node to the
//! previous entry …") by conditions of the table language, such as `in-scope`. A walk of any other form remains a step
//! that no table has, and is thus reported as a difference.

use super::english::{ModeCondition, ModeStep, NodeCondition, Walk, set};

/// A test of the node in a walk, with the steps if it succeeds.
struct WalkTest {
    ask: NodeCondition,
    steps: Vec<ModeStep>,
}

/// Replaces walks, and nodes that are the target of a pointer.
pub(super) fn resolve(steps: Vec<ModeStep>) -> Vec<ModeStep> {
    let mut steps: Vec<ModeStep> = steps
        .into_iter()
        .map(|step| match step {
            ModeStep::When(ask, then, otherwise) => {
                ModeStep::When(ask, resolve(then), resolve(otherwise))
            }
            other => other,
        })
        .collect();
    resolve_pointer(&mut steps);
    let begin = steps.iter().position(|step| *step == ModeStep::Walk(Walk::Begin));
    let loop_start = steps.iter().position(|step| *step == ModeStep::Walk(Walk::Loop));
    let (Some(begin), Some(loop_start)) = (begin, loop_start) else { return steps };
    let loop_end =
        steps.iter().position(|step| *step == ModeStep::Walk(Walk::Done)).unwrap_or(steps.len());
    let walk = resolve_to_condition(&steps[loop_start + 1..loop_end]);
    let Some(walk) = walk else { return steps };
    let after_loop = steps.get(loop_end + 1..).unwrap_or_default();
    [&steps[..begin], &steps[begin + 1..loop_start], &walk, after_loop].concat()
}

/// Replaces a node that is the target of a pointer ("let node be the element that the form element pointer is set to")
/// by the pointer. `unset` moves to the end, as the table language can name the node only by the pointer.
fn resolve_pointer(steps: &mut Vec<ModeStep>) {
    let pointer_of = |step: &ModeStep| match step {
        ModeStep::Act(action) => action.strip_prefix("NODE ").map(str::to_owned),
        _ => None,
    };
    let Some((at, pointer)) =
        steps.iter().enumerate().find_map(|(at, step)| Some((at, pointer_of(step)?)))
    else {
        return;
    };
    steps.remove(at);
    let unset = format!("unset {pointer}");
    if let Some(at) = steps.iter().position(|step| *step == ModeStep::Act(unset.clone())) {
        steps[at] = ModeStep::Finally(unset);
    }
    *steps = map_text(steps, &|text| {
        text.replace("is-set NODE", &format!("is-set {pointer}"))
            .replace("remove NODE", &format!("remove-pointed {pointer}"))
            .replace("NODE", &format!("pointed {pointer}"))
    });
}

/// Applies `change` to the text of all actions and conditions in the steps.
fn map_text(steps: &[ModeStep], change: &dyn Fn(&str) -> String) -> Vec<ModeStep> {
    let change_step = |step: &ModeStep| match step {
        ModeStep::Act(action) => ModeStep::Act(change(action)),
        ModeStep::When(ask, then, otherwise) => ModeStep::When(
            map_condition_text(ask, change),
            map_text(then, change),
            map_text(otherwise, change),
        ),
        other => other.clone(),
    };
    steps.iter().map(change_step).collect()
}

fn map_condition_text(ask: &ModeCondition, change: &dyn Fn(&str) -> String) -> ModeCondition {
    let map_all =
        |asks: &[ModeCondition]| asks.iter().map(|ask| map_condition_text(ask, change)).collect();
    match ask {
        ModeCondition::Is(text) => ModeCondition::Is(change(text)),
        ModeCondition::Not(ask) => ModeCondition::Not(Box::new(map_condition_text(ask, change))),
        ModeCondition::All(asks) => ModeCondition::All(map_all(asks)),
        ModeCondition::Any(asks) => ModeCondition::Any(map_all(asks)),
        other => other.clone(),
    }
}

/// Collects the tests of a walk in order. Returns `None` if the walk contains any other step.
fn collect_tests(steps: &[ModeStep], tests: &mut Vec<WalkTest>) -> Option<()> {
    let mut is_open = true;
    for step in steps {
        match step {
            ModeStep::When(ModeCondition::Node(ask), then, otherwise) if is_open => {
                let mut then = then.clone();
                let last_step = then.pop();
                if !matches!(last_step, Some(ModeStep::End | ModeStep::Walk(Walk::ToDone))) {
                    return None;
                }
                then.retain(|step| *step != ModeStep::End);
                tests.push(WalkTest { ask: ask.clone(), steps: then });
                collect_tests(otherwise, tests)?;
            }
            ModeStep::Walk(Walk::Previous | Walk::Again) => is_open = false,
            _ => return None,
        }
    }
    Some(())
}

/// Converts a walk to an element with certain names that stops at a special element: each test becomes a condition that
/// such an element is in the scope of special elements. Returns `None` for any other walk.
fn resolve_to_condition(steps: &[ModeStep]) -> Option<Vec<ModeStep>> {
    let mut tests = Vec::new();
    collect_tests(steps, &mut tests)?;
    let last_test = tests.pop()?;
    let NodeCondition::Special(except) = &last_test.ask else { return None };
    let scope = if except.is_empty() {
        "special-element".to_owned()
    } else {
        let names: Vec<&str> = except.iter().map(|name| name.trim_matches('"')).collect();
        format!("special-but-{}", names.join("-"))
    };
    let mut otherwise = last_test.steps;
    for case in tests.into_iter().rev() {
        let NodeCondition::Named(names) = &case.ask else { return None };
        let target = names.as_ref().map_or("token-name".to_owned(), |names| set(names));
        let until = names
            .as_ref()
            .map_or("pop-until-token-name".to_owned(), |_| format!("pop-until {target}"));
        let then = map_text(&case.steps, &|text| {
            if text == "pop-until NODE" { until.clone() } else { text.replace("NODE", &target) }
        });
        otherwise = vec![ModeStep::When(
            ModeCondition::Is(format!("in-scope {scope} {target}")),
            then,
            otherwise,
        )];
    }
    Some(otherwise)
}
