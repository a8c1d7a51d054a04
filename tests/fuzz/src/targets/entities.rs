//! Entities that a document declares, and references to them: both executors agree, chunks have no effect, and the
//! output is bounded. The target `tokens` covers HTML's named characters. Every input begins inside a DOCTYPE.

use super::Target;
use super::tokens::{assert_ranges, panic_on_difference};
use crate::feedback::{note, note_pairs};
use crate::input_reader::InputReader;
use std::sync::LazyLock;
use tabulex::Dialect;
use tabulex_oracle::interpreter::Token;
use tabulex_tests::inputs::Alphabet;
use tabulex_tests::interpreted::table;
use tabulex_tests::layers::difference_from;
use tabulex_tests::random::Random;
use tabulex_tests::recording::Recording;
use tabulex_tests::setup::Setup;

pub(super) const TARGET: Target = Target {
    name: "entities",
    about: "declared entities and attributes: both executors, chunks, no growth without bound",
    choices: 2,
    piece,
    run,
};

/// Dialects whose rows insert text into the input.
static DIALECTS: LazyLock<Vec<(&Dialect, Alphabet)>> = LazyLock::new(|| {
    let dialects = tabulex::dialects().iter().copied();
    let inserting_dialects = dialects.filter(|dialect| table(dialect.id()).machine().inserts());
    inserting_dialects.map(|dialect| (dialect, Alphabet::new(table(dialect.id())))).collect()
});

fn piece(random: &mut Random) -> Vec<u8> {
    match random.below(4) {
        0 => random.pick(&DIALECTS).1.input(random, 3).into_bytes(),
        _ => random.piece("entities").into(),
    }
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let (dialect, _) = *reader.pick(&DIALECTS);
    let cut_seed = reader.byte();
    let text = format!("<!DOCTYPE a [{}", reader.into_text());
    let (setup, table) = (Setup::default(), table(dialect.id()));
    let mut rows = Vec::new();
    let expected = table.run_with_rows(&setup, &text, &mut |row| rows.push(row));
    note(rows.len().ilog2());
    note_pairs(dialect.id(), rows);
    assert_ranges(&expected, &text);
    // By default, declarations insert at most 1 MiB plus 5 bytes for each byte of input. The input itself contributes
    // one more byte, which makes 6 for each byte; the bound allows 3 times as many, because U+0000, one byte, can
    // become U+FFFD, three bytes.
    let (maximum, output_len) = (0x10_0000 + 18 * text.len(), text_len(&expected));
    assert!(
        output_len <= maximum,
        "{output_len} bytes of text from {} bytes of input, expected at most {maximum}",
        text.len()
    );
    let difference = difference_from(&expected, dialect, &setup, &text, cut_seed.into());
    panic_on_difference(difference, dialect.id(), &setup, &text);
}

/// Returns the length in bytes of a recording's text, including attribute values.
fn text_len(recording: &Recording) -> usize {
    let token_len = |token: &Token| match token {
        Token::Text { text, .. } => text.len(),
        Token::StartTag(tag) => tag.attributes.iter().map(|attribute| attribute.value.len()).sum(),
        Token::Declared { fields, .. } => fields.iter().map(|field| field.text.len()).sum(),
        Token::EndTag(_)
        | Token::Comment { .. }
        | Token::Doctype(_)
        | Token::ShortEndTag { .. }
        | Token::ProcessingInstruction { .. }
        | Token::EndOfFile { .. } => 0,
    };
    recording.tokens.iter().map(token_len).sum()
}
