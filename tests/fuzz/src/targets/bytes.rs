//! Encoded input: sniffing, decoding in chunks, late changes of the encoding, and ranges in the original bytes. The
//! choice of the encoding is not checked.

use super::Target;
use super::trees::DIALECTS;
use crate::feedback::note;
use crate::input_reader::{InputReader, assert_tree};
use tabulex::encoding::{ByteStream, Change, Choice, Encoding, Hints, Offsets, decode};
use tabulex::{Dialect, Options, Span};
use tabulex_tests::random::Random;

pub(super) const TARGET: Target = Target {
    name: "bytes",
    about: "bytes and their encodings: sniffed, in chunks, declared late, with ranges of the bytes",
    choices: 4,
    piece,
    run,
};

/// Labels of encodings, including each kind of decoder.
const LABELS: &[&str] = &[
    "utf-8",
    "utf-16le",
    "utf-16be",
    "windows-1252",
    "shift_jis",
    "euc-jp",
    "iso-2022-jp",
    "gb18030",
    "gbk",
    "big5",
    "euc-kr",
    "koi8-r",
    "macintosh",
    "x-user-defined",
    "replacement",
    "windows-1251",
];

fn piece(random: &mut Random) -> Vec<u8> {
    match random.below(8) {
        0 => random.pick::<&str>(LABELS).as_bytes().to_vec(),
        // Filler can move later pieces beyond the bytes that are searched for a declaration before parsing begins.
        1 => b"x".repeat(1 << random.below(11)),
        2 => super::trees::piece(random),
        _ => {
            // Not all of these pieces are UTF-8, so each character of a listed piece stands for a byte.
            let to_byte = |character| {
                u8::try_from(character)
                    .expect("the pieces in `bytes` have only characters below U+0100")
            };
            random.piece("bytes").chars().map(to_byte).collect()
        }
    }
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let dialect = *reader.pick(&DIALECTS);
    let label = *reader.pick(LABELS);
    let encoding = Encoding::for_label(label).unwrap();
    let hints = match reader.byte() % 8 {
        0 => Hints::new().override_with(encoding),
        1 => Hints::new().transport(encoding),
        2 => Hints::new().parent(encoding),
        3 => Hints::new().likely(encoding),
        4 => Hints::new().fallback(encoding),
        5 => Hints::new().locale("ru"),
        6 => Hints::new().autodetect(false),
        _ => Hints::new(),
    };
    let size = 1 + usize::from(reader.byte()) % 64;
    let bytes = reader.into_bytes();
    assert_decoding(dialect, &hints, bytes, size);
    assert_trees(dialect, &hints, bytes, size);
}

/// Asserts that decoding in chunks equals decoding as a whole, and that text offsets map to ascending byte offsets.
fn assert_decoding(dialect: &Dialect, hints: &Hints, bytes: &[u8], size: usize) {
    let sniffed_choice = Choice::sniff(bytes, dialect.clues(), hints);
    let whole_text = decode(bytes, sniffed_choice.encoding);
    note((
        dialect.id(),
        sniffed_choice.encoding.name(),
        sniffed_choice.confidence,
        whole_text.contains('\u{FFFD}'),
    ));
    for size in [1, size, bytes.len().max(1)] {
        let mut text = String::new();
        let mut stream = ByteStream::new(dialect.clues(), hints.clone());
        for chunk in bytes.chunks(size) {
            let change = stream.feed(chunk, |piece| text.push_str(piece));
            if matches!(change, Change::Restart(_)) {
                text.clear();
                stream = ByteStream::new(dialect.clues(), hints.clone().autodetect(false));
                stream.feed(bytes, |piece| text.push_str(piece));
                break;
            }
        }
        let choice = stream.finish(|piece| text.push_str(piece));
        assert_eq!(choice, sniffed_choice, "the encoding in chunks of {size}");
        assert_eq!(
            text,
            whole_text,
            "the text in chunks of {size}, {}",
            sniffed_choice.encoding.name()
        );
    }
    let offsets = Offsets::new(bytes, sniffed_choice.encoding);
    let mut previous_offset = 0;
    for (text_offset, _) in whole_text.char_indices().chain([(whole_text.len(), ' ')]) {
        let offset = offsets.offset(text_offset);
        assert!(
            previous_offset <= offset && offset <= bytes.len(),
            "text offset {text_offset} maps to byte offset {offset}"
        );
        previous_offset = offset;
    }
}

/// Asserts that trees of bytes, whole and in chunks, equal that of the decoded text.
fn assert_trees(dialect: &Dialect, hints: &Hints, bytes: &[u8], size: usize) {
    let options = Options::new().encoding(hints.clone());
    let parser = || dialect.parser(&options).unwrap();
    let whole = parser().parse_bytes(bytes);
    note((dialect.id(), whole.encoding.encoding.name(), whole.encoding.confidence));
    whole.errors.iter().for_each(|error| note(error.code));
    let text = decode(bytes, whole.encoding.encoding);
    super::trees::assert_parsed(&whole, &text);
    // The parser is reused, which must not affect the second result.
    let mut reused_parser = parser();
    for size in [1, size] {
        // If `bytes` is empty, this chunk alone tells the parser that its input consists of bytes rather than text.
        reused_parser.feed_bytes(&[]);
        bytes.chunks(size).for_each(|chunk| reused_parser.feed_bytes(chunk));
        let parsed = reused_parser.finish_and_reset();
        assert_eq!(parsed.encoding, whole.encoding, "in chunks of {size}");
        assert!(
            parsed.tree == whole.tree,
            "the tree in chunks of {size} differs from that of the whole input: {:?}",
            whole.tree.root()
        );
        assert_eq!(parsed.errors, whole.errors, "in chunks of {size}");
        assert_eq!(parsed.events, whole.events, "in chunks of {size}");
        assert_tree(&parsed.tree, Some(&text));
    }
    // If the bytes have no byte order mark, a leading U+FEFF in the decoded text is a character of the document, but a
    // parser of text would drop it as a mark.
    if !text.starts_with('\u{FEFF}') || Encoding::for_mark(bytes).is_some() {
        let parsed_text = parser().parse(&text);
        assert!(
            parsed_text.tree == whole.tree,
            "the tree of the decoded text differs from that of the bytes: {:?}",
            parsed_text.tree.root()
        );
        assert_eq!(parsed_text.errors, whole.errors, "errors of the text");
    }
    let offsets = Offsets::new(bytes, whole.encoding.encoding);
    for error in &whole.errors {
        let Span { start, end } = offsets.original(error.span);
        assert!(
            start <= end && end <= bytes.len(),
            "the error `{}` has the range {start}..{end} of {} bytes",
            error.code,
            bytes.len()
        );
    }
}
