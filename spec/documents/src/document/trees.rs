//! Reads tree construction: sections become modes, labels rows, and sentences and numbered steps the steps of a row.
//! Each sentence is read, is a remark, describes an action of the runtime, or is listed as unread.
//!
//! The pipeline: text → outline (`outline`) → sentences (`english`) → steps (`fold`), with each walk up the stack turned
//! into one condition (`walk`) → modes and declarations (`modes`, `rows`, `elements`).

mod algorithms;
mod elements;
mod english;
mod fold;
mod modes;
mod rows;
mod walk;
mod written;

use super::outline;
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
    let parts = outline::parts_within(text, &profile.sections);
    modes::read(&parts, profile, reading);
}
