//! Trees of documents: the compiled builder is compared with the interpreter, whole and in chunks; links and ranges of
//! the tree are checked.

use super::Target;
use crate::feedback::note_pairs;
use crate::input_reader::{InputReader, assert_span, assert_tree};
use std::sync::LazyLock;
use tabulex::{Dialect, Parsed};
use tabulex_tests::inputs::{characters, cut};
use tabulex_tests::markup::{markup, names};
use tabulex_tests::random::Random;
use tabulex_tests::trees::{Input, difference_from, interpreted, is_html, parse, tree_dialects};

pub(super) const TARGET: Target = Target {
    name: "trees",
    about: "trees of documents of every dialect: both executors, chunks, links, ranges",
    choices: 3,
    piece,
    run,
};

/// Dialects that build trees.
pub(super) static DIALECTS: LazyLock<Vec<&Dialect>> = LazyLock::new(|| tree_dialects().collect());

/// Dialects of HTML, the only ones that parse fragments.
pub(super) static HTML: LazyLock<Vec<&Dialect>> =
    LazyLock::new(|| tree_dialects().filter(|dialect| is_html(dialect)).collect());

/// Element names that rows of modes match, in all dialects of HTML.
pub(super) static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut all: Vec<String> = HTML.iter().flat_map(|dialect| names(dialect.id())).collect();
    all.sort();
    all.dedup();
    all
});

/// Generates tags and texts, or characters that rows of a tokenizer match.
pub(super) fn piece(random: &mut Random) -> Vec<u8> {
    match random.one_in(5) {
        true => super::tokens::piece(random),
        false => markup(random, &NAMES, 5).into_bytes(),
    }
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let dialect = *reader.pick(&DIALECTS);
    let (flags, cuts) = (reader.byte(), reader.byte());
    let text = reader.into_text();
    let input = Input {
        text: &text,
        fragment: None,
        scripting: flags % 2 == 1,
        shadow_roots: flags / 2 % 2 == 1,
        // The flag `parsing-context`, which only some dialects have, gets its first or second value.
        parsing_context: flags / 4 % 2,
        ..Input::default()
    };
    check(dialect, &input, cuts.into());
}

/// Asserts that both executors agree, for the whole input and in two ways of chunking, and that the tree is consistent.
pub(super) fn check(dialect: &Dialect, input: &Input<'_>, seed: u64) {
    let (expected, rows) = interpreted(dialect.id(), input);
    note_pairs(dialect.id(), rows);
    let cuts = [cut(&mut Random::new(seed), input.text, 6), characters(input.text)];
    if let Some(difference) = difference_from(&expected, dialect, input, &cuts) {
        panic!("{}: {input:?}\n{difference}", dialect.id());
    }
    assert_parsed(&parse(dialect, input, None), input.text);
}

/// Asserts that the tree is consistent, and that all ranges are in the text.
pub(super) fn assert_parsed(parsed: &Parsed, text: &str) {
    assert_tree(&parsed.tree, Some(text));
    for error in &parsed.errors {
        assert_span(text, error.span, error.code);
    }
}
