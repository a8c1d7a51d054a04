//! Replaces walks up the stack of open elements ("initialize node …, loop: if node is …, otherwise set node to the
//! previous entry …") by a condition on the first element that one of the tests matches. A walk of another form stays
//! as it is, and so becomes a step that no table has.

use super::english::{ConditionOnTree, NodeCondition, StepOnTree, Walk, set};

/// A test in a walk, with its steps.
struct WalkTest {
    ask: NodeCondition,
    steps: Vec<StepOnTree>,
}

/// Resolves walks, and nodes that come from a pointer.
pub(super) fn resolve(steps: Vec<StepOnTree>) -> Vec<StepOnTree> {
    let mut steps: Vec<StepOnTree> = steps
        .into_iter()
        .map(|step| match step {
            StepOnTree::When(ask, then, otherwise) => {
                StepOnTree::When(ask, resolve(then), resolve(otherwise))
            }
            other => other,
        })
        .collect();
    resolve_pointer(&mut steps);
    let begin = steps.iter().position(|step| *step == StepOnTree::Walk(Walk::Begin));
    let again = steps.iter().position(|step| *step == StepOnTree::Walk(Walk::Loop));
    let (Some(begin), Some(again)) = (begin, again) else { return steps };
    let done =
        steps.iter().position(|step| *step == StepOnTree::Walk(Walk::Done)).unwrap_or(steps.len());
    let walk = resolve_to_condition(&steps[again + 1..done])
        .or_else(|| resolve_foreign(&steps[again + 1..done]));
    let Some(walk) = walk else { return steps };
    let before: Vec<StepOnTree> =
        steps[begin + 1..again].iter().map(concern_current_node).collect();
    let mut resolved = steps[..begin].to_vec();
    resolved.extend(before);
    resolved.extend(walk);
    resolved.extend(steps.iter().skip(done + 1).cloned());
    resolved
}

/// Resolves "let node be the element that the form element pointer is set to" to the pointer itself. Resetting the
/// pointer moves to the end, since the table language has no other name for the node.
fn resolve_pointer(steps: &mut Vec<StepOnTree>) {
    let is_let = |step: &StepOnTree| match step {
        StepOnTree::Act(action) => action.strip_prefix("NODE ").map(str::to_owned),
        _ => None,
    };
    let Some((at, pointer)) =
        steps.iter().enumerate().find_map(|(at, step)| Some((at, is_let(step)?)))
    else {
        return;
    };
    steps.remove(at);
    let unset = format!("unset {pointer}");
    if let Some(at) = steps.iter().position(|step| *step == StepOnTree::Act(unset.clone())) {
        steps[at] = StepOnTree::Finally(unset);
    }
    *steps = map_text(steps, &|text| {
        text.replace("is-set NODE", &format!("is-set {pointer}"))
            .replace("remove NODE", &format!("remove-pointed {pointer}"))
            .replace("NODE", &format!("pointed {pointer}"))
    });
}

/// Returns the steps, with their text changed.
fn map_text(steps: &[StepOnTree], change: &dyn Fn(&str) -> String) -> Vec<StepOnTree> {
    let changed = |step: &StepOnTree| match step {
        StepOnTree::Act(action) => StepOnTree::Act(change(action)),
        StepOnTree::When(ask, then, otherwise) => StepOnTree::When(
            map_condition_text(ask, change),
            map_text(then, change),
            map_text(otherwise, change),
        ),
        other => other.clone(),
    };
    steps.iter().map(changed).collect()
}

fn map_condition_text(ask: &ConditionOnTree, change: &dyn Fn(&str) -> String) -> ConditionOnTree {
    let all =
        |asks: &[ConditionOnTree]| asks.iter().map(|ask| map_condition_text(ask, change)).collect();
    match ask {
        ConditionOnTree::Is(text) => ConditionOnTree::Is(change(text)),
        ConditionOnTree::Not(ask) => {
            ConditionOnTree::Not(Box::new(map_condition_text(ask, change)))
        }
        ConditionOnTree::All(asks) => ConditionOnTree::All(all(asks)),
        ConditionOnTree::Any(asks) => ConditionOnTree::Any(all(asks)),
        other => other.clone(),
    }
}

/// Makes conditions before the walk concern the current node.
fn concern_current_node(step: &StepOnTree) -> StepOnTree {
    match step {
        StepOnTree::When(ConditionOnTree::Not(ask), then, otherwise)
            if **ask == ConditionOnTree::Node(NodeCondition::Lower) =>
        {
            StepOnTree::When(
                ConditionOnTree::Not(Box::new(ConditionOnTree::Is(
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
fn cases(steps: &[StepOnTree], cases_so_far: &mut Vec<WalkTest>) -> Option<()> {
    let mut is_open = true;
    for step in steps {
        match step {
            StepOnTree::When(ConditionOnTree::Node(ask), then, otherwise) if is_open => {
                let mut then = then.clone();
                let ended = then.pop();
                if !matches!(ended, Some(StepOnTree::End | StepOnTree::Walk(Walk::ToDone))) {
                    return None;
                }
                then.retain(|step| *step != StepOnTree::End);
                cases_so_far.push(WalkTest { ask: ask.clone(), steps: then });
                cases(otherwise, cases_so_far)?;
            }
            StepOnTree::Walk(Walk::Previous | Walk::Again) => is_open = false,
            _ => return None,
        }
    }
    Some(())
}

/// Resolves a walk to an element with certain names, or to a special one.
fn resolve_to_condition(steps: &[StepOnTree]) -> Option<Vec<StepOnTree>> {
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
        otherwise = vec![StepOnTree::When(
            ConditionOnTree::Is(format!("in-scope {scope} {target}")),
            then,
            otherwise,
        )];
    }
    Some(otherwise)
}

/// Resolves a walk through foreign elements to one with the token's name: at the topmost element nothing happens, a
/// match is popped, and an HTML element gets the remaining steps.
fn resolve_foreign(steps: &[StepOnTree]) -> Option<Vec<StepOnTree>> {
    let [
        StepOnTree::When(ConditionOnTree::Node(NodeCondition::Topmost), out, none),
        StepOnTree::When(ConditionOnTree::Node(NodeCondition::Lower), found, no_other),
        rest @ ..,
    ] = steps
    else {
        return None;
    };
    let is_plain = out[..] == [StepOnTree::End]
        && none.is_empty()
        && no_other.is_empty()
        && found[..] == [StepOnTree::Act("pop-until NODE".to_owned()), StepOnTree::End];
    let [
        StepOnTree::Walk(Walk::Previous),
        StepOnTree::When(ConditionOnTree::Node(NodeCondition::Foreign), goes_on, last),
    ] = rest
    else {
        return None;
    };
    if !is_plain || goes_on[..] != [StepOnTree::Walk(Walk::Again)] {
        return None;
    }
    // The first element of the stack is always the html element.
    let inner = StepOnTree::When(
        ConditionOnTree::Is("foreign-open token-name".to_owned()),
        vec![StepOnTree::Act("pop-until-foreign-token-name".to_owned())],
        last.clone(),
    );
    Some(vec![StepOnTree::When(
        ConditionOnTree::Not(Box::new(ConditionOnTree::Is("current is \"html\"".to_owned()))),
        vec![inner],
        Vec::new(),
    )])
}
