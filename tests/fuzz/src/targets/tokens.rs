//! Tokenizers: every layer of the compiled code is compared with the interpreter, and all reported ranges are checked.

use super::Target;
use crate::feedback::note_pairs;
use crate::input_reader::{InputReader, assert_span};
use std::sync::LazyLock;
use tabulex::Span;
use tabulex_oracle::interpreter as oracle;
use tabulex_oracle::interpreter::Token;
use tabulex_tests::inputs::Alphabet;
use tabulex_tests::interpreted::table;
use tabulex_tests::layers::difference_from;
use tabulex_tests::random::Random;
use tabulex_tests::recording::Recording;
use tabulex_tests::setup::Setup;

pub(super) const TARGET: Target = Target {
    name: "tokens",
    about: "tokens of every dialect in every state: all layers beside the interpreter, ranges",
    choices: 4,
    piece,
    run,
};

/// Characters and strings that rows match, for each dialect.
static ALPHABETS: LazyLock<Vec<Alphabet>> = LazyLock::new(|| {
    tabulex::dialects().iter().map(|dialect| Alphabet::new(table(dialect.id()))).collect()
});

/// Generates a few characters that rows of a dialect match.
pub(super) fn piece(random: &mut Random) -> Vec<u8> {
    random.pick(&ALPHABETS).input(random, 3).into_bytes()
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let index = usize::from(reader.byte()) % ALPHABETS.len();
    let (dialect, alphabet) = (tabulex::dialects()[index], &ALPHABETS[index]);
    let mut setup = alphabet.setup(&mut Random::new(reader.number()));
    let cut_seed = reader.byte();
    setup.switches = cut_seed % 2 == 1;
    let text = reader.into_text();
    let mut rows = Vec::new();
    let table = table(dialect.id());
    let expected = table.run_with_rows(&setup, &text, &mut |row| rows.push(row));
    note_pairs(dialect.id(), rows);
    assert_ranges(&expected, &text);
    let difference = difference_from(&expected, dialect, &setup, &text, cut_seed.into());
    panic_on_difference(difference, dialect.id(), &setup, &text);
}

/// Panics if there is a difference, and reports it with the dialect, setup and text.
pub(super) fn panic_on_difference(
    difference: Option<String>,
    dialect: &str,
    setup: &Setup,
    text: &str,
) {
    if let Some(difference) = difference {
        panic!("{dialect}: {setup:?}\n  {text:?}\n{difference}");
    }
}

/// Asserts that the ranges of tokens, their parts, and errors lie within the text and on character boundaries, and that
/// no token follows the end of the file.
pub(super) fn assert_ranges(recording: &Recording, text: &str) {
    let check = |span: &oracle::Span, label: &str| {
        assert_span(text, Span::new(span.start, span.end), label);
    };
    for token in &recording.tokens {
        match token {
            Token::StartTag(tag) | Token::EndTag(tag) => {
                check(&tag.span, "tag");
                let attribute_spans = tag
                    .attributes
                    .iter()
                    .flat_map(|attribute| [attribute.name_span, attribute.value_span]);
                for span in attribute_spans.chain([tag.name_span]) {
                    check(&span, "part of a tag");
                }
            }
            Token::Text { span, .. }
            | Token::Comment { span, .. }
            | Token::ShortEndTag { span }
            | Token::ProcessingInstruction { span, .. }
            | Token::EndOfFile { span } => check(span, "token"),
            Token::Doctype(doctype) => check(&doctype.span, "DOCTYPE"),
            Token::Declared { fields, span, .. } => {
                check(span, "token");
                fields.iter().for_each(|field| check(&field.span, "field"));
            }
        }
    }
    for (code, span) in &recording.errors {
        check(span, code);
    }
    // A row can stop the machine before the end-of-file token, so a recording contains at most one, as its last token.
    let is_end_of_file = |token: &&Token| matches!(token, Token::EndOfFile { .. });
    let (ends, last) =
        (recording.tokens.iter().filter(is_end_of_file).count(), recording.tokens.last());
    assert_eq!(
        ends,
        usize::from(last.as_ref().is_some_and(is_end_of_file)),
        "a token follows the end of the file"
    );
}
