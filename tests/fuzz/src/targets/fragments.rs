//! Trees of fragments, in every context that a row can distinguish.

use super::Target;
use super::trees::{HTML, NAMES, check};
use crate::input_reader::InputReader;
use tabulex_tests::random::pieces;
use tabulex_tests::trees::Input;

pub(super) const TARGET: Target = Target {
    name: "fragments",
    about: "trees of fragments in every context: both executors, chunks, links, ranges",
    choices: 6,
    piece: super::trees::piece,
    run,
};

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let dialect = *reader.pick(&HTML);
    let context = match reader.byte() % 6 {
        0 => format!("svg {}", reader.pick(&NAMES)),
        1 => format!("math {}", reader.pick(&NAMES)),
        2 | 3 => reader.pick(&NAMES).clone(),
        _ => reader.pick(pieces("contexts")).clone(),
    };
    let (flags, cuts) = (reader.byte(), reader.byte());
    let text = reader.into_text();
    let input = Input {
        text: &text,
        fragment: Some(&context),
        scripting: flags % 2 == 1,
        shadow_roots: flags / 2 % 2 == 1,
        ..Input::default()
    };
    check(dialect, &input, cuts.into());
}
