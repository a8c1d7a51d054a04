//! Trees of fragments, in every context that a row can distinguish.

use super::Target;
use super::trees::{HTML, NAMES, check};
use crate::parts::Parts;
use tabulex_tests::markup::CONTEXTS;
use tabulex_tests::trees::Input;

pub(super) const TARGET: Target = Target {
    name: "fragments",
    about: "trees of fragments in every context: both executors, chunks, links, ranges",
    choices: 6,
    piece: super::trees::piece,
    run,
};

fn run(input: &[u8]) {
    let mut parts = Parts::new(input);
    let dialect = *parts.pick(&HTML);
    let context = match parts.byte() % 6 {
        0 => format!("svg {}", parts.pick(&NAMES)),
        1 => format!("math {}", parts.pick(&NAMES)),
        2 | 3 => parts.pick(&NAMES).clone(),
        _ => (*parts.pick(CONTEXTS)).to_owned(),
    };
    let (flags, cuts) = (parts.byte(), parts.byte());
    let text = parts.text();
    let input = Input {
        text: &text,
        fragment: Some(&context),
        scripting: flags % 2 == 1,
        shadow_roots: flags / 2 % 2 == 1,
        ..Input::default()
    };
    check(dialect, &input, cuts.into());
}
