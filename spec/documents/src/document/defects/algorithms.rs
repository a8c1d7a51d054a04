//! Finds defects of algorithms: jumps to missing steps, and uses of a variable before the step that sets it. Variables
//! that an algorithm never sets are not reported.

use super::Defect;
use crate::document::{DocumentStep, Reading};
use std::collections::BTreeSet;

pub(super) fn defects(reading: &Reading, defects: &mut Vec<Defect>) {
    for algorithm in &reading.algorithms {
        let mut report = |message: String, line: usize| {
            defects.push(Defect { place: algorithm.name.clone(), message, line });
        };
        let mut lines = Vec::new();
        flatten(&algorithm.steps, algorithm.line, &mut lines);
        let labels: BTreeSet<&str> =
            lines.iter().filter_map(|(step, _)| step.strip_prefix("at ")).collect();
        for (step, line) in &lines {
            if let Some(label) = step.strip_prefix("go ").filter(|label| !labels.contains(label)) {
                report(format!("undefined: there is no step `{label}`"), *line);
            }
        }
        // In an algorithm with jumps or loops, the order of the steps does not determine which of them runs first.
        let has_jump = lines.iter().any(|(step, _)| step.starts_with("go "));
        let has_loop = lines.iter().any(|(step, _)| step.starts_with("repeat"));
        if has_jump || has_loop {
            continue;
        }
        let assignments: Vec<(usize, &str)> = lines
            .iter()
            .enumerate()
            .filter_map(|(at, (step, _))| Some((at, variable(step)?)))
            .collect();
        let mut reported = BTreeSet::new();
        for &(first, name) in &assignments {
            let is_first = assignments.iter().all(|&(other, same)| same != name || other >= first);
            let is_given = lines[..first]
                .iter()
                .any(|(step, _)| step.starts_with("given") && words(step).any(|word| word == name));
            let reads_variables = |step: &str| {
                let prefixes =
                    ["when ", "otherwise when ", "return ", "let ", "append ", "insert "];
                prefixes.iter().any(|word| step.starts_with(word))
            };
            let earlier_use = lines[..first]
                .iter()
                .find(|(step, _)| reads_variables(step) && words(step).any(|word| word == name));
            if let (true, false, Some((_, line))) =
                (is_first && reported.insert(name), is_given, earlier_use)
            {
                report(format!("used before: `{name}` is set only by a later step"), *line);
            }
        }
    }
}

fn words(step: &str) -> impl Iterator<Item = &str> {
    step.split(' ')
}

/// Returns the variable that a step sets; `None` if the step sets a property, a part of the parser's state, or nothing.
fn variable(step: &str) -> Option<&str> {
    let name = step.strip_prefix("let ")?.split(' ').next()?;
    let after_name = step.split(' ').nth(2);
    const NOT_VARIABLES: [&str; 7] =
        ["confidence", "encoding", "new-encoding", "insertion-point", "current", "token", "is"];
    (after_name != Some("of") && !NOT_VARIABLES.contains(&name)).then_some(name)
}

fn flatten<'s>(steps: &'s [DocumentStep], line: usize, lines: &mut Vec<(&'s str, usize)>) {
    let mut line = line;
    for step in steps {
        line = step.origin.map_or(line, |(line, _)| line);
        lines.push((&step.words, line));
        flatten(&step.inner, line, lines);
    }
}
