//! Replaces walks up the stack of open elements ("initialize node …, loop: if node is …, otherwise set node to the
//! previous entry …") by a condition on the first element that one of the tests matches. A walk of another form stays
//! as it is, and so becomes a step that no table has.

use super::english::{ModeCondition, ModeStep, NodeCondition, Walk, set};

/// A test in a walk, with its steps.
struct WalkTest {
    ask: NodeCondition,
    steps: Vec<ModeStep>,
}

/// Resolves walks, and nodes that come from a pointer.
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
    let again = steps.iter().position(|step| *step == ModeStep::Walk(Walk::Loop));
    let (Some(begin), Some(again)) = (begin, again) else { return steps };
    let done =
        steps.iter().position(|step| *step == ModeStep::Walk(Walk::Done)).unwrap_or(steps.len());
    let walk = resolve_to_condition(&steps[again + 1..done])
        .or_else(|| resolve_foreign(&steps[again + 1..done]));
    let Some(walk) = walk else { return steps };
    let before: Vec<ModeStep> = steps[begin + 1..again].iter().map(concern_current_node).collect();
    let mut resolved = steps[..begin].to_vec();
    resolved.extend(before);
    resolved.extend(walk);
    resolved.extend(steps.iter().skip(done + 1).cloned());
    resolved
}

/// Resolves "let node be the element that the form element pointer is set to" to the pointer itself. Resetting the
/// pointer moves to the end, since the table language has no other name for the node.
fn resolve_pointer(steps: &mut Vec<ModeStep>) {
    let is_let = |step: &ModeStep| match step {
        ModeStep::Act(action) => action.strip_prefix("NODE ").map(str::to_owned),
        _ => None,
    };
    let Some((at, pointer)) =
        steps.iter().enumerate().find_map(|(at, step)| Some((at, is_let(step)?)))
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

/// Returns the steps, with their text changed.
fn map_text(steps: &[ModeStep], change: &dyn Fn(&str) -> String) -> Vec<ModeStep> {
    let changed = |step: &ModeStep| match step {
        ModeStep::Act(action) => ModeStep::Act(change(action)),
        ModeStep::When(ask, then, otherwise) => ModeStep::When(
            map_condition_text(ask, change),
            map_text(then, change),
            map_text(otherwise, change),
        ),
        other => other.clone(),
    };
    steps.iter().map(changed).collect()
}

fn map_condition_text(ask: &ModeCondition, change: &dyn Fn(&str) -> String) -> ModeCondition {
    let all =
        |asks: &[ModeCondition]| asks.iter().map(|ask| map_condition_text(ask, change)).collect();
    match ask {
        ModeCondition::Is(text) => ModeCondition::Is(change(text)),
        ModeCondition::Not(ask) => ModeCondition::Not(Box::new(map_condition_text(ask, change))),
        ModeCondition::All(asks) => ModeCondition::All(all(asks)),
        ModeCondition::Any(asks) => ModeCondition::Any(all(asks)),
        other => other.clone(),
    }
}

/// Makes conditions before the walk concern the current node.
fn concern_current_node(step: &ModeStep) -> ModeStep {
    match step {
        ModeStep::When(ModeCondition::Not(ask), then, otherwise)
            if **ask == ModeCondition::Node(NodeCondition::Lower) =>
        {
            ModeStep::When(
                ModeCondition::Not(Box::new(ModeCondition::Is(
                    "current is token-name-ignoring-case".to_owned(),
                ))),
                then.clone(),
                otherwise.clone(),
            )
        }
        other => other.clone(),
    }
}

/// Collects the tests of a walk in order; `None` if it contains anything else.
fn cases(steps: &[ModeStep], cases_so_far: &mut Vec<WalkTest>) -> Option<()> {
    let mut is_open = true;
    for step in steps {
        match step {
            ModeStep::When(ModeCondition::Node(ask), then, otherwise) if is_open => {
                let mut then = then.clone();
                let ended = then.pop();
                if !matches!(ended, Some(ModeStep::End | ModeStep::Walk(Walk::ToDone))) {
                    return None;
                }
                then.retain(|step| *step != ModeStep::End);
                cases_so_far.push(WalkTest { ask: ask.clone(), steps: then });
                cases(otherwise, cases_so_far)?;
            }
            ModeStep::Walk(Walk::Previous | Walk::Again) => is_open = false,
            _ => return None,
        }
    }
    Some(())
}

/// Resolves a walk to an element with certain names, or to a special one.
fn resolve_to_condition(steps: &[ModeStep]) -> Option<Vec<ModeStep>> {
    let mut found = Vec::new();
    cases(steps, &mut found)?;
    let last = found.pop()?;
    let NodeCondition::Special(except) = &last.ask else { return None };
    let scope = if except.is_empty() {
        "special-element".to_owned()
    } else {
        let names: Vec<&str> = except.iter().map(|name| name.trim_matches('"')).collect();
        format!("special-but-{}", names.join("-"))
    };
    let mut otherwise = last.steps;
    for case in found.into_iter().rev() {
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

/// Resolves a walk through foreign elements to one with the token's name: at the topmost element nothing happens, a
/// match is popped, and an HTML element gets the remaining steps.
fn resolve_foreign(steps: &[ModeStep]) -> Option<Vec<ModeStep>> {
    let [
        ModeStep::When(ModeCondition::Node(NodeCondition::Topmost), out, none),
        ModeStep::When(ModeCondition::Node(NodeCondition::Lower), found, no_other),
        rest @ ..,
    ] = steps
    else {
        return None;
    };
    let is_plain = out[..] == [ModeStep::End]
        && none.is_empty()
        && no_other.is_empty()
        && found[..] == [ModeStep::Act("pop-until NODE".to_owned()), ModeStep::End];
    let [
        ModeStep::Walk(Walk::Previous),
        ModeStep::When(ModeCondition::Node(NodeCondition::Foreign), goes_on, last),
    ] = rest
    else {
        return None;
    };
    if !is_plain || goes_on[..] != [ModeStep::Walk(Walk::Again)] {
        return None;
    }
    // The first element of the stack is always the html element.
    let inner = ModeStep::When(
        ModeCondition::Is("foreign-open token-name".to_owned()),
        vec![ModeStep::Act("pop-until-foreign-token-name".to_owned())],
        last.clone(),
    );
    Some(vec![ModeStep::When(
        ModeCondition::Not(Box::new(ModeCondition::Is("current is \"html\"".to_owned()))),
        vec![inner],
        Vec::new(),
    )])
}
