//! Chunks and reuse: a reused parser, even after an abandoned parse, gives the results of a new one, including errors,
//! ranges and events. Each layer is also fed byte by byte.

use super::Target;
use super::trees::DIALECTS;
use crate::feedback::note;
use crate::input_reader::InputReader;
use tabulex::encoding::{Decoder, Encoding};
use tabulex::tree::Positions;
use tabulex::{Options, Parsed};
use tabulex_tests::inputs::{characters, cut};
use tabulex_tests::random::Random;
use tabulex_tests::trees::{compiled, is_html};

pub(super) const TARGET: Target = Target {
    name: "streaming",
    about: "chunks, bytes and reuse of a parser against one whole parse, limits included",
    choices: 4,
    piece: super::trees::piece,
    run,
};

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let dialect = *reader.pick(&DIALECTS);
    let (flags, seed) = (reader.byte(), reader.number());
    let text = reader.into_text();
    let mut random = Random::new(seed);
    let mut options = Options::new().scripting(flags % 2 == 1);
    if flags / 2 % 4 == 0 && is_html(dialect) {
        options = options.depth_limit(4 + usize::from(flags / 16));
    }
    if flags / 8 % 2 == 1 {
        options = options.positions(Positions::Nodes);
    }
    let parser = || dialect.parser(&options).unwrap();
    let whole = parser().parse(&text);
    super::trees::assert_parsed(&whole, &text);
    note((dialect.id(), whole.steps.ilog2(), whole.events.len().min(3)));
    whole.errors.iter().for_each(|error| note((dialect.id(), error.code, error.span.start % 4)));
    let check = |found: &Parsed, label: &str| assert_same(&whole, found, label);
    let mut parser = parser();
    // An abandoned parse must leave no state in the reused parser.
    let abandon_offset = text.floor_char_boundary(random.below(text.len() + 1));
    parser.feed(&text[..abandon_offset]);
    let abandoned_parse = parser.finish_and_reset();
    parser.recycle(abandoned_parse.tree);
    for chunks in [cut(&mut random, &text, 6), characters(&text), vec![&text[..]]] {
        chunks.iter().for_each(|chunk| parser.feed(chunk));
        let parsed = parser.finish_and_reset();
        check(&parsed, &format!("{chunks:?}"));
        parser.recycle(parsed.tree);
    }
    check(&parser.parse(&text), "whole, with a reused parser");
    // Chunks of bytes may split characters, which the decoder must complete.
    let mut decoder = Decoder::new(Encoding::UTF_8);
    for chunk in text.as_bytes().chunks(1 + random.below(5)) {
        decoder.decode(chunk, |piece| parser.feed(piece));
    }
    check(&parser.finish_and_reset(), "cut within characters");
}

fn assert_same(whole: &Parsed, found: &Parsed, label: &str) {
    let (expected, found_lines) = (compiled(whole).lines, compiled(found).lines);
    if let Some((a, b)) = expected.iter().zip(&found_lines).find(|(a, b)| a != b) {
        panic!("{label}:\n- {a}\n+ {b}");
    }
    assert_eq!(expected.len(), found_lines.len(), "nodes, {label}");
    assert!(whole.tree == found.tree, "the trees differ although their lines are equal, {label}");
    assert_eq!(sorted_errors(whole), sorted_errors(found), "errors, {label}");
    assert_eq!(whole.events, found.events, "events, {label}");
}

/// Returns the start, end and code of each error, and asserts that they are sorted.
fn sorted_errors(parsed: &Parsed) -> Vec<(usize, usize, &str)> {
    let errors = parsed.errors.iter().map(|error| (error.span.start, error.span.end, error.code));
    let errors: Vec<_> = errors.collect();
    assert!(errors.is_sorted(), "errors are not sorted by position: {errors:?}");
    errors
}
