//! URLs, some relative to another one: the compiled parser, whole and in chunks, is compared with the interpreter, and
//! what it serializes is parsed again.

use super::Target;
use crate::feedback::note;
use crate::input_reader::{InputReader, assert_span};
use std::sync::LazyLock;
use tabulex_tests::inputs::Alphabet;
use tabulex_tests::interpreted::table;
use tabulex_tests::random::Random;
use tabulex_tests::urls::{fields_and_errors, interpret, read};

pub(super) const TARGET: Target = Target {
    name: "urls",
    about: "URLs and relative ones: all fields and errors beside the interpreter, chunks, serialization",
    choices: 2,
    piece,
    run,
};

/// Characters and strings that rows match.
static ALPHABET: LazyLock<Alphabet> = LazyLock::new(|| Alphabet::new(table("url")));

fn piece(random: &mut Random) -> Vec<u8> {
    match random.below(4) {
        0 => ALPHABET.input(random, 2).into_bytes(),
        _ => random.piece("url").into(),
    }
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let choice = usize::from(reader.byte());
    let base = (choice % 2 == 1).then(|| reader.short_text(30));
    let (base, text) = (base.as_deref(), reader.into_text());
    let record = read(&text, base, None);
    note(record.errors.iter().map(|error| error.code).collect::<Vec<_>>());
    for error in &record.errors {
        assert_span(&text, error.span, error.code);
    }
    assert_eq!(read(&text, base, Some(1 + choice / 2 % 8)), record, "{text:?} {base:?}, in chunks");
    assert_eq!(fields_and_errors(&record), interpret(&text, base), "{text:?} {base:?}");
    if let Some(fields) = record.fields {
        let (_, href) = &fields[0];
        assert_eq!(read(href, None, None).fields.as_ref(), Some(&fields), "{text:?} {base:?}");
    }
}
