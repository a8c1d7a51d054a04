//! Shortens inputs without losing the difference that they reveal.

use super::{Pair, RevealingInput};
use crate::trial::Input;
use std::time::Instant;

/// Removes the parts of the input that are not needed to reveal the change.
pub(super) fn shorten(
    pair: &Pair<'_>,
    shown: RevealingInput,
    change: usize,
    until: Instant,
) -> RevealingInput {
    let mut best = shown;
    let mut size = best.input.text.chars().count() / 2;
    while size > 0 {
        let mut offset = 0;
        loop {
            let text: Vec<char> = best.input.text.chars().collect();
            if offset >= text.len() || Instant::now() >= until {
                break;
            }
            let end = (offset + size).min(text.len());
            let rest: String = text[..offset].iter().chain(&text[end..]).collect();
            let input = Input { text: rest, mode: best.input.mode.clone() };
            match pair.compare(&input).1.filter(|it| reveals(it, &best, change)) {
                Some(shorter) => best = shorter,
                None => offset += size,
            }
        }
        size /= 2;
    }
    best
}

/// Whether the input reveals the change at least as specifically as `before`.
fn reveals(shown: &RevealingInput, before: &RevealingInput, change: usize) -> bool {
    let is_alike = shown.rows.contains(&change) || before.rows.is_empty();
    is_alike && shown.rows.len() <= before.rows.len()
}
