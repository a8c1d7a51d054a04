//! What survived, as a text. It runs nothing. Invariant: what was not tried is not counted.

use super::build;
use super::trial::{End, Score};
use crate::{Outcome, step};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

/// Writes the report, and says the scores.
pub(super) fn write(results: &[Score]) -> Outcome {
    let mut text = String::new();
    for result in results {
        let noticed = result.tried.iter().filter(|(_, end)| matches!(end, End::Noticed(_))).count();
        let tried = result.tried.len();
        let share = 100.0 * noticed as f64 / tried.max(1) as f64;
        let _ = writeln!(
            text,
            "## {}: {noticed} of {tried} noticed, {share:.1} %\n\n{} changes in all; {} more do not compile.\n",
            result.package, result.all, result.refused
        );
        let mut files: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (point, end) in &result.tried {
            let counts = files.entry(&point.file).or_default();
            counts.0 += usize::from(matches!(end, End::Noticed(_)));
            counts.1 += 1;
        }
        text += "| file | noticed | tried |\n| --- | --: | --: |\n";
        for (file, (noticed, tried)) in files {
            let _ = writeln!(text, "| {file} | {noticed} | {tried} |");
        }
        text += "\nSurvivors:\n\n";
        for (point, end) in &result.tried {
            if let End::Survived(count) = end {
                let how = if *count == 0 {
                    "no test reaches it".to_owned()
                } else {
                    format!("{count} tests pass")
                };
                let _ = writeln!(
                    text,
                    "- {}:{} {}: {how} ({})",
                    point.file, point.line, point.about, point.id
                );
            }
        }
        text += "\n";
    }
    let file = build::folder().join("report.md");
    fs::write(&file, &text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    step::say(&format!("\n{text}{}\n", file.display()));
    Ok(true)
}
