//! Replaces walks up the stack of open elements ("initialize node …, loop: if node is …, otherwise set node to the
//! previous entry …") by a condition on the first element that one of the tests matches. A walk of another form stays
//! as it is, and so becomes a step that no table has.

use super::english::{Ask, NodeAsk, Step, Walk, set};

/// A test in a walk, with its steps.
struct WalkTest {
    ask: NodeAsk,
    steps: Vec<Step>,
}

/// Resolves walks, and nodes that come from a pointer.
pub(super) fn resolve(steps: Vec<Step>) -> Vec<Step> {
    let mut steps: Vec<Step> = steps
        .into_iter()
        .map(|step| match step {
            Step::When(ask, then, otherwise) => Step::When(ask, resolve(then), resolve(otherwise)),
            other => other,
        })
        .collect();
    resolve_pointer(&mut steps);
    let begin = steps.iter().position(|step| *step == Step::Walk(Walk::Begin));
    let again = steps.iter().position(|step| *step == Step::Walk(Walk::Loop));
    let (Some(begin), Some(again)) = (begin, again) else { return steps };
    let done = steps.iter().position(|step| *step == Step::Walk(Walk::Done)).unwrap_or(steps.len());
    let walk = resolve_to_condition(&steps[again + 1..done])
        .or_else(|| resolve_foreign(&steps[again + 1..done]));
    let Some(walk) = walk else { return steps };
    let before: Vec<Step> = steps[begin + 1..again].iter().map(concern_current_node).collect();
    let mut resolved = steps[..begin].to_vec();
    resolved.extend(before);
    resolved.extend(walk);
    resolved.extend(steps.iter().skip(done + 1).cloned());
    resolved
}

/// Resolves "let node be the element that the form element pointer is set to" to the pointer itself. Resetting the
/// pointer moves to the end, since the table language has no other name for the node.
fn resolve_pointer(steps: &mut Vec<Step>) {
    let is_let = |step: &Step| match step {
        Step::Act(action) => action.strip_prefix("NODE ").map(str::to_owned),
        _ => None,
    };
    let Some((at, pointer)) =
        steps.iter().enumerate().find_map(|(at, step)| Some((at, is_let(step)?)))
    else {
        return;
    };
    steps.remove(at);
    let unset = format!("unset {pointer}");
    if let Some(at) = steps.iter().position(|step| *step == Step::Act(unset.clone())) {
        steps[at] = Step::Finally(unset);
    }
    *steps = map_text(steps, &|text| {
        text.replace("is-set NODE", &format!("is-set {pointer}"))
            .replace("remove NODE", &format!("remove-pointed {pointer}"))
            .replace("NODE", &format!("pointed {pointer}"))
    });
}

/// Returns the steps, with their text changed.
fn map_text(steps: &[Step], change: &dyn Fn(&str) -> String) -> Vec<Step> {
    let changed = |step: &Step| match step {
        Step::Act(action) => Step::Act(change(action)),
        Step::When(ask, then, otherwise) => Step::When(
            map_condition_text(ask, change),
            map_text(then, change),
            map_text(otherwise, change),
        ),
        other => other.clone(),
    };
    steps.iter().map(changed).collect()
}

fn map_condition_text(ask: &Ask, change: &dyn Fn(&str) -> String) -> Ask {
    let all = |asks: &[Ask]| asks.iter().map(|ask| map_condition_text(ask, change)).collect();
    match ask {
        Ask::Is(text) => Ask::Is(change(text)),
        Ask::Not(ask) => Ask::Not(Box::new(map_condition_text(ask, change))),
        Ask::All(asks) => Ask::All(all(asks)),
        Ask::Any(asks) => Ask::Any(all(asks)),
        other => other.clone(),
    }
}

/// Makes conditions before the walk concern the current node.
fn concern_current_node(step: &Step) -> Step {
    match step {
        Step::When(Ask::Not(ask), then, otherwise) if **ask == Ask::Node(NodeAsk::Lower) => {
            Step::When(
                Ask::Not(Box::new(Ask::Is("current is token-name-ignoring-case".to_owned()))),
                then.clone(),
                otherwise.clone(),
            )
        }
        other => other.clone(),
    }
}

/// Collects the tests of a walk in order; `None` if it contains anything else.
fn cases(steps: &[Step], cases_so_far: &mut Vec<WalkTest>) -> Option<()> {
    let mut is_open = true;
    for step in steps {
        match step {
            Step::When(Ask::Node(ask), then, otherwise) if is_open => {
                let mut then = then.clone();
                let ended = then.pop();
                if !matches!(ended, Some(Step::End | Step::Walk(Walk::ToDone))) {
                    return None;
                }
                then.retain(|step| *step != Step::End);
                cases_so_far.push(WalkTest { ask: ask.clone(), steps: then });
                cases(otherwise, cases_so_far)?;
            }
            Step::Walk(Walk::Previous | Walk::Again) => is_open = false,
            _ => return None,
        }
    }
    Some(())
}

/// Resolves a walk to an element with certain names, or to a special one.
fn resolve_to_condition(steps: &[Step]) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    cases(steps, &mut found)?;
    let last = found.pop()?;
    let NodeAsk::Special(except) = &last.ask else { return None };
    let scope = if except.is_empty() {
        "special-element".to_owned()
    } else {
        let names: Vec<&str> = except.iter().map(|name| name.trim_matches('"')).collect();
        format!("special-but-{}", names.join("-"))
    };
    let mut otherwise = last.steps;
    for case in found.into_iter().rev() {
        let NodeAsk::Named(names) = &case.ask else { return None };
        let target = names.as_ref().map_or("token-name".to_owned(), |names| set(names));
        let until = names
            .as_ref()
            .map_or("pop-until-token-name".to_owned(), |_| format!("pop-until {target}"));
        let then = map_text(&case.steps, &|text| {
            if text == "pop-until NODE" { until.clone() } else { text.replace("NODE", &target) }
        });
        otherwise =
            vec![Step::When(Ask::Is(format!("in-scope {scope} {target}")), then, otherwise)];
    }
    Some(otherwise)
}

/// Resolves a walk through foreign elements to one with the token's name: at the topmost element nothing happens, a
/// match is popped, and an HTML element gets the remaining steps.
fn resolve_foreign(steps: &[Step]) -> Option<Vec<Step>> {
    let [
        Step::When(Ask::Node(NodeAsk::Topmost), out, none),
        Step::When(Ask::Node(NodeAsk::Lower), found, no_other),
        rest @ ..,
    ] = steps
    else {
        return None;
    };
    let is_plain = out[..] == [Step::End]
        && none.is_empty()
        && no_other.is_empty()
        && found[..] == [Step::Act("pop-until NODE".to_owned()), Step::End];
    let [Step::Walk(Walk::Previous), Step::When(Ask::Node(NodeAsk::Foreign), goes_on, last)] = rest
    else {
        return None;
    };
    if !is_plain || goes_on[..] != [Step::Walk(Walk::Again)] {
        return None;
    }
    // The first element of the stack is always the html element.
    let inner = Step::When(
        Ask::Is("foreign-open token-name".to_owned()),
        vec![Step::Act("pop-until-foreign-token-name".to_owned())],
        last.clone(),
    );
    Some(vec![Step::When(
        Ask::Not(Box::new(Ask::Is("current is \"html\"".to_owned()))),
        vec![inner],
        Vec::new(),
    )])
}
