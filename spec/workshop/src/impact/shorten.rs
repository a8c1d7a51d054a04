//! Shortens inputs that reveal a change.

use super::{Pair, RevealingInput};
use crate::trial::Input;
use std::time::Instant;

/// Removes parts of the input that are not needed to reveal the change with the index `change`, until the time `until`.
pub(super) fn shorten(
    pair: &Pair<'_>,
    revealing_input: RevealingInput,
    change: usize,
    until: Instant,
) -> RevealingInput {
    let mut best = revealing_input;
    let mut removed_len = best.input.text.chars().count() / 2;
    while removed_len > 0 {
        let mut offset = 0;
        loop {
            let text: Vec<char> = best.input.text.chars().collect();
            if offset >= text.len() || Instant::now() >= until {
                break;
            }
            let end = (offset + removed_len).min(text.len());
            let remaining: String = text[..offset].iter().chain(&text[end..]).collect();
            let input = Input { text: remaining, mode: best.input.mode.clone() };
            match pair.compare(&input).1.filter(|it| reveals(it, &best, change)) {
                Some(shorter) => best = shorter,
                None => offset += removed_len,
            }
        }
        removed_len /= 2;
    }
    best
}

/// Whether the input reveals the change, and takes no more changed rows than `before`.
fn reveals(revealing_input: &RevealingInput, before: &RevealingInput, change: usize) -> bool {
    let shows_change = revealing_input.rows.contains(&change) || before.rows.is_empty();
    shows_change && revealing_input.rows.len() <= before.rows.len()
}
