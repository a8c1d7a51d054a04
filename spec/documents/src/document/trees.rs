//! Tree construction in documents: sections become modes, labels rows, sentences and numbered steps the steps of a row.
//! It judges nothing, and keeps no sentence. Invariant: a sentence is read, is a remark, is the meaning of an action that
//! the runtime supplies, or is listed as unread; rows are in the document's order.
//!
//! The way is: text → outline (`outline`) → sentences (`english`, with its grammar beside it) → steps (`fold`), walks up
//! the stack being one condition each (`walk`) → modes and declarations (`modes`, `rows`, `lists`).

mod acts;
mod algorithms;
mod asks;
mod elements;
mod english;
mod fold;
mod initial;
mod labels;
mod lists;
mod modes;
mod rows;
mod walk;
mod written;

pub(super) use algorithms::{shape as shape_of_stated, stated};

use super::outline::{self, Part};
use super::sections::is_same_heading;
use super::{Profile, Reading};
use english::{Say, Step};

/// What a sentence says, if that does not depend on other sentences.
pub(super) fn said(words: &str) -> Option<String> {
    let steps = match english::sentence(words)?.say {
        Say::Do(steps) => steps,
        Say::If(ask, steps) => vec![Step::When(ask, steps, Vec::new())],
        _ => return None,
    };
    Some(written::steps(&steps, &mut written::Sets::default())).filter(|text| !text.is_empty())
}

/// Reads the sections of the profile that describe tree construction.
pub(super) fn read(text: &str, profile: &Profile, reading: &mut Reading) {
    let mut inside: Option<&str> = None;
    let mut parts: Vec<Part> = Vec::new();
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
