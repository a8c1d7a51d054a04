//! Reads tree construction: sections become modes, labels rows, and sentences and numbered steps the steps of a row.
//! Each sentence is read, is a remark, describes an action of the runtime, or is listed as unread.
//!
//! The pipeline: text → outline (`outline`) → sentences (`english`) → steps (`fold`), with each walk up the stack turned
//! into one condition (`walk`) → modes and declarations (`modes`, `rows`, `elements`).

mod algorithms;
mod elements;
mod english;
mod fold;
mod lists;
mod modes;
mod rows;
mod walk;
mod written;

use super::outline::{self, OutlineSection};
use super::sections::is_same_heading;
use super::{Profile, Reading};
use english::{ModeStep, TreeStatement};

/// Returns the meaning of a sentence, if it does not depend on other sentences.
pub(super) fn meaning(words: &str) -> Option<String> {
    let steps = match english::sentence(&Reading::default(), words)?.statement {
        TreeStatement::Do(steps) => steps,
        TreeStatement::If(ask, steps) => vec![ModeStep::When(ask, steps, Vec::new())],
        _ => return None,
    };
    Some(written::steps(&steps, &mut written::Sets::default())).filter(|text| !text.is_empty())
}

/// Reads the profile's sections on tree construction.
pub(super) fn read(text: &str, profile: &Profile, reading: &mut Reading) {
    let mut inside: Option<&str> = None;
    let mut parts: Vec<OutlineSection> = Vec::new();
    for part in outline::parts(text) {
        let title = &part.heading.words;
        if inside.is_some_and(|to| is_same_heading(to, title)) {
            inside = None;
        }
        if let Some((_, to)) =
            profile.sections.iter().find(|(from, _)| is_same_heading(from, title))
        {
            inside = Some(to);
        }
        if inside.is_some() {
            parts.push(part);
        }
    }
    modes::read(&parts, profile, reading);
}
