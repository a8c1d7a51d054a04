//! Reads tree construction: sections become modes, labels become rows, and sentences and numbered steps become the
//! steps of rows. Each sentence is read, is a remark, describes an action of the runtime, or is listed as unread.
//!
//! The stages are: text → outline (`outline`) → sentences (`english`) → steps (`fold`) → modes and
//! declarations (`modes`, `rows`, `elements`).

mod algorithms;
mod elements;
mod english;
mod fold;
mod modes;
mod rows;
mod written;

use super::Reading;
use super::outline;
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

/// Reads the sections on tree construction that the profile names.
pub(super) fn read(text: &str, reading: &mut Reading) {
    let sections = outline::sections_within(text, &reading.profile.sections);
    modes::read(&sections, reading);
}
