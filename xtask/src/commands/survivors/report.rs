//! The scores and what survived, as a text. It runs nothing. Invariant: what was not tried is not counted, and what is
//! listed with a reason is counted apart.

use super::build;
use super::known::{Listed, key};
use super::trial::{End, Score};
use crate::{Outcome, step};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

/// The least share that tests have to notice, in percent.
const LEAST: f64 = 90.0;

/// How many changes were tried, noticed, and may survive.
#[derive(Clone, Copy, Default)]
struct Counts {
    tried: usize,
    noticed: usize,
    listed: usize,
}

impl Counts {
    fn add(&mut self, end: &End, is_listed: bool) {
        self.tried += 1;
        self.noticed += usize::from(matches!(end, End::Noticed(_)));
        self.listed += usize::from(matches!(end, End::Survived(_)) && is_listed);
    }

    /// The share of those noticed of all that can be.
    fn share(self) -> f64 {
        100.0 * self.noticed as f64 / (self.tried - self.listed).max(1) as f64
    }

    /// Between which shares that of all changes is, with a probability of 95 %, if these are a sample of them: the
    /// interval of Wilson.
    fn interval(self) -> [f64; 2] {
        let (count, deviation) = ((self.tried - self.listed).max(1) as f64, 1.96_f64);
        let (share, square) = (self.share() / 100.0, deviation * deviation / count);
        let spread = deviation * (share * (1.0 - share) / count + square / count / 4.0).sqrt();
        let middle = share + square / 2.0;
        [middle - spread, middle + spread].map(|bound| 100.0 * bound / (1.0 + square))
    }

    fn row(self, name: &str) -> String {
        let Self { tried, noticed, listed } = self;
        format!("| {name} | {tried} | {listed} | {noticed} | {:.1} % |\n", self.share())
    }
}

/// Writes the report, and says the scores. Whether each package has its share, and the list of survivors is right.
pub(super) fn write(results: &[Score], listed: &Listed, is_list: bool) -> Outcome {
    let (mut text, mut is_well) = (String::new(), true);
    for result in results {
        is_well &= listed.are_all_there(&result.points);
        let mut files: BTreeMap<&str, Counts> = BTreeMap::new();
        let mut all = Counts::default();
        let mut survivors = String::new();
        for (point, end) in &result.tried {
            let reason = listed.reason(point);
            all.add(end, reason.is_some());
            files.entry(&point.file).or_default().add(end, reason.is_some());
            let place = format!("{}:{} {}", point.file, point.line, point.about);
            match (end, reason) {
                (End::Noticed(test), Some(_)) => {
                    is_well = false;
                    step::say(&format!("listed, and noticed by {test}: {place}\n"));
                }
                (End::Survived(_), None) if is_list => {
                    let [file, line, change] = key(point);
                    let entry = json!({"file": file, "line": line, "change": change, "reason": ""});
                    let _ = writeln!(survivors, "    {entry},");
                }
                (End::Survived(count), None) => {
                    let _ = writeln!(survivors, "- {place}: {count} tests pass ({})", point.id);
                }
                _ => {}
            }
        }
        is_well &= all.share() >= LEAST;
        let (package, refused) = (result.package, result.refused);
        let within = result.points.iter().filter(|point| listed.is_within(point)).count();
        let count = result.points.len() - within;
        let _ = writeln!(
            text,
            "## {package}\n\n{count} changes, of which {} were tried; {refused} more do not compile, and {within} are in \
             functions that are listed as a whole.\n",
            all.tried
        );
        text += "| file | tried | listed | noticed | of the others |\n| --- | --: | --: | --: | --: |\n";
        files.iter().for_each(|(file, counts)| text += &counts.row(&format!("`{file}`")));
        text += &all.row("all");
        if all.tried < count {
            let [least, most] = all.interval();
            let _ = writeln!(
                text,
                "\nOf all changes {least:.1} % to {most:.1} %, with 95 % confidence."
            );
        }
        let _ = writeln!(text, "\nSurvivors that are not listed:\n\n{survivors}");
    }
    let file = build::folder().join("report.md");
    fs::write(&file, &text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    step::say(&format!("\n{text}{}\n", file.display()));
    Ok(is_well)
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn the_interval_is_that_of_the_books() {
        // 90 of 100: 82.6 % to 94.5 %.
        let [least, most] = Counts { tried: 110, noticed: 90, listed: 10 }.interval();
        assert!((least - 82.6).abs() < 0.06 && (most - 94.5).abs() < 0.06, "{least} {most}");
    }
}
