//! Encodings: sniffing the first bytes of a page, and decoding in chunks. Each case of a suite is counted, and a
//! missing suite is reported.

use serde_json::Value;
use std::fs;
use std::path::Path;
use tabulex::encoding::{ByteStream, Change, Choice, Clues, Encoding, Hints, Offsets, decode};
use tabulex::html::{self, Html};
use tabulex::xml_er::XmlEr;
use tabulex::{FragmentContext, Limits, Machine, Options, Parsed, Span};
use tabulex_tests::shared::{report, shared, workspace};

/// The bytes of a page, and its encoding.
struct EncodingCase {
    bytes: Vec<u8>,
    encoding: String,
}

/// Reads the cases of a file of html5lib: `#data`, the page up to `#encoding`, and a line with the encoding.
fn read_cases(path: &Path) -> Vec<EncodingCase> {
    let bytes = fs::read(path).unwrap();
    let mut cases = Vec::new();
    let mut data: Option<Vec<u8>> = None;
    let mut expects_encoding = false;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match line.trim_ascii() {
            b"#data" => data = Some(Vec::new()),
            b"#encoding" => expects_encoding = true,
            label if expects_encoding => {
                let encoding = String::from_utf8(label.to_vec()).unwrap();
                let mut bytes = data.take().unwrap();
                assert_eq!(bytes.pop(), Some(b'\n'));
                cases.push(EncodingCase { bytes, encoding });
                expects_encoding = false;
            }
            _ => data.iter_mut().for_each(|data| data.extend_from_slice(line)),
        }
    }
    cases
}

fn encoding_for(text: &str) -> Encoding {
    Encoding::for_label(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Decodes bytes in chunks of `size` bytes, and returns the choice of the encoding and the text.
fn decode_in_chunks(
    clues: &'static Clues,
    hints: &Hints,
    bytes: &[u8],
    size: usize,
) -> (Choice, String) {
    let mut text = String::new();
    let mut stream = ByteStream::new(clues, hints.clone());
    for chunk in bytes.chunks(size) {
        stream.feed(chunk, |piece| {
            assert!(!piece.is_empty());
            text.push_str(piece);
        });
    }
    let choice = stream.finish(|piece| text.push_str(piece));
    (choice, text)
}

/// Parses a page with its declared encoding, and checks that chunks give the same result. The whole page is parsed, as
/// some pages declare their encoding after the prescanned bytes.
fn parse_declared(bytes: &[u8], hints: &Hints) -> Parsed {
    let options = || Options::new().encoding(hints.clone());
    let whole = html::parse_bytes(bytes, options());
    for size in [1, 7, 1000] {
        let mut parser = html::parser(options());
        bytes.chunks(size).for_each(|chunk| parser.feed_bytes(chunk));
        let parsed = parser.finish();
        let page = String::from_utf8_lossy(bytes);
        assert_eq!(parsed.encoding, whole.encoding, "in chunks of {size}: {page}");
        assert!(parsed.tree == whole.tree, "the tree differs in chunks of {size}: {page}");
        assert_eq!(parsed.errors, whole.errors, "in chunks of {size}: {page}");
    }
    whole
}

/// A file with a single case, in which a script writes the declaration in two halves.
const SCRIPTED: &str = "scripted/tests1.dat";

#[test]
fn html5lib() {
    let folder = match tabulex_tests::shared::html5lib("html5lib/encoding") {
        Ok(folder) => folder,
        Err(reason) => return report(&format!("encodings: 0 cases, suite absent: {reason}")),
    };
    let files = ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat", SCRIPTED];
    let (mut passed, mut excused) = (0, 0);
    for file in files {
        for (index, case) in read_cases(&folder.join(file)).iter().enumerate() {
            let expected = encoding_for(&case.encoding);
            // The suite expects the default encoding if none is declared, so undeclared bytes must not be analyzed.
            let hints = Hints::new().autodetect(false);
            let choice = parse_declared(&case.bytes, &hints).encoding;
            let page = String::from_utf8_lossy(&case.bytes);
            if file == SCRIPTED {
                assert_ne!(
                    choice.encoding, expected,
                    "{file}: case {index} passes without a script"
                );
                excused += 1;
                continue;
            }
            assert_eq!(choice.encoding, expected, "{file}: case {index}\n{page}");
            let sniffed_choice = Choice::sniff(&case.bytes, Html::CLUES, &hints);
            let (_, text) = decode_in_chunks(Html::CLUES, &hints, &case.bytes, 7);
            assert_eq!(text, decode(&case.bytes, sniffed_choice.encoding), "{file}: case {index}");
            passed += 1;
        }
    }
    report(&format!("encodings: {passed} passed, {excused} need a script"));
    assert_eq!((passed, excused), (82, 1), "the number of cases has changed");
}

#[test]
fn pages_in_other_encodings_decode() {
    let Some(folder) = shared("corpus/html/encodings") else {
        report("encodings: 0 pages, corpus absent");
        return;
    };
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    for path in &paths {
        let bytes = fs::read(path).unwrap();
        let stem = path.file_stem().unwrap().to_string_lossy().replace("-arabic", "");
        // The pages do not declare their encoding; it was in the HTTP headers, and the files are named after it.
        let hints = Hints::new().transport(encoding_for(&stem));
        let (choice, text) = decode_in_chunks(Html::CLUES, &hints, &bytes, 1000);
        assert_eq!(choice, Choice::certain(encoding_for(&stem)), "{}", path.display());
        assert!(!text.contains(char::REPLACEMENT_CHARACTER), "{}", path.display());
        assert_eq!(text, decode(&bytes, choice.encoding), "{}", path.display());
        check_offsets(&bytes, choice.encoding);
        report(&format!("{}: {}, {} bytes", path.display(), choice.encoding, bytes.len()));
    }
    assert!(paths.len() >= 7, "{} pages", paths.len());
}

/// Checks that the byte ranges of characters ascend, and that the bytes of each range decode to its character.
/// Stateful encodings are not covered.
fn check_offsets(bytes: &[u8], encoding: Encoding) {
    let text = decode(bytes, encoding);
    let offsets = Offsets::new(bytes, encoding);
    let mut previous_end = 0;
    for (offset, character) in text.char_indices() {
        let span = Span::new(offset, offset + character.len_utf8());
        let Span { start, end, .. } = offsets.original(span);
        assert!(
            previous_end <= start && start < end,
            "{encoding}: {offset} {character:?}: {start}..{end}"
        );
        previous_end = end;
        if character != char::REPLACEMENT_CHARACTER {
            assert_eq!(
                decode(&bytes[start..end], encoding),
                character.to_string(),
                "{encoding} {offset}"
            );
        }
    }
    assert_eq!(offsets.offset(text.len()), bytes.len());
}

fn clues_of(id: &str) -> &'static Clues {
    let dialect = tabulex::dialects().iter().find(|dialect| dialect.id() == id);
    dialect.unwrap_or_else(|| panic!("no dialect `{id}`")).clues()
}

/// Cases of this repository: `bytes`, each as a character below U+0100, the dialect, hints, and the results.
#[test]
fn own_cases() {
    let path = workspace().join("tests/cases/encodings.json");
    let cases: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let cases = cases.as_array().unwrap();
    assert!(cases.len() >= 60, "{} cases", cases.len());
    for case in cases {
        let string = |key: &str| case[key].as_str();
        let byte_text = string("bytes").unwrap();
        let bytes: Vec<u8> =
            byte_text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        let clues = clues_of(string("dialect").unwrap_or("html"));
        let mut hints = Hints::new();
        hints.override_with = string("override").map(encoding_for);
        hints.transport = string("transport").map(encoding_for);
        hints.parent = string("parent").map(encoding_for);
        hints.likely = string("likely").map(encoding_for);
        hints.fallback = string("fallback").map(encoding_for);
        hints.locale = string("locale").map(str::to_owned);
        hints.autodetect = case["autodetect"] == true;
        let choice = Choice::sniff(&bytes, clues, &hints);
        let encoding = encoding_for(string("encoding").unwrap());
        let expected = match case["certain"] == true {
            true => Choice::certain(encoding),
            false => Choice::tentative(encoding),
        };
        assert_eq!(choice, expected, "{case}");
        let text = string("text")
            .map_or_else(|| decode(&bytes, choice.encoding).into_owned(), str::to_owned);
        for size in 1..=bytes.len().max(1) {
            assert_eq!(
                decode_in_chunks(clues, &hints, &bytes, size),
                (expected, text.clone()),
                "{size}: {case}"
            );
        }
    }
    report(&format!("encodings: {} cases of our own", cases.len()));
}

/// The names of all encodings of the standard, each with another of its labels, if it has one.
const LABELS: &[(&str, &str)] = &[
    ("UTF-8", "unicode-1-1-utf-8"),
    ("IBM866", "cp866"),
    ("ISO-8859-2", "latin2"),
    ("ISO-8859-3", "l3"),
    ("ISO-8859-4", "iso-ir-110"),
    ("ISO-8859-5", "cyrillic"),
    ("ISO-8859-6", "asmo-708"),
    ("ISO-8859-7", "sun_eu_greek"),
    ("ISO-8859-8", "visual"),
    ("ISO-8859-8-I", "logical"),
    ("ISO-8859-10", "latin6"),
    ("ISO-8859-13", "iso885913"),
    ("ISO-8859-14", "iso8859-14"),
    ("ISO-8859-15", "l9"),
    ("ISO-8859-16", "iso-8859-16"),
    ("KOI8-R", "koi"),
    ("KOI8-U", "koi8-ru"),
    ("macintosh", "x-mac-roman"),
    ("windows-874", "tis-620"),
    ("windows-1250", "x-cp1250"),
    ("windows-1251", "cp1251"),
    ("windows-1252", "ascii"),
    ("windows-1253", "cp1253"),
    ("windows-1254", "latin5"),
    ("windows-1255", "cp1255"),
    ("windows-1256", "x-cp1256"),
    ("windows-1257", "cp1257"),
    ("windows-1258", "x-cp1258"),
    ("x-mac-cyrillic", "x-mac-ukrainian"),
    ("GBK", "gb2312"),
    ("gb18030", "gb18030"),
    ("Big5", "big5-hkscs"),
    ("EUC-JP", "x-euc-jp"),
    ("ISO-2022-JP", "csiso2022jp"),
    ("Shift_JIS", "windows-31j"),
    ("EUC-KR", "ks_c_5601-1987"),
    ("replacement", "iso-2022-kr"),
    ("UTF-16BE", "unicodefffe"),
    ("UTF-16LE", "utf-16"),
    ("x-user-defined", "x-user-defined"),
];

#[test]
fn every_encoding_has_its_labels_and_decodes_in_chunks() {
    let bytes: Vec<u8> = (0..=255).chain((0..=255).rev()).chain([0x1B, 0x24, 0x42, 0x30]).collect();
    for (name, other) in LABELS {
        let encoding = encoding_for(name);
        assert_eq!(encoding.name(), *name);
        assert_eq!(encoding_for(&format!(" \t{}\n", other.to_uppercase())), encoding, "{other}");
        let whole = decode(&bytes, encoding);
        for size in [1, 2, 3, 7, 64] {
            let mut text = String::new();
            let mut decoder = tabulex::encoding::Decoder::new(encoding);
            bytes
                .chunks(size)
                .for_each(|chunk| decoder.decode(chunk, |piece| text.push_str(piece)));
            decoder.finish(|piece| text.push_str(piece));
            assert_eq!(text, whole, "{name} in chunks of {size}");
        }
        let offsets = Offsets::new(&bytes, encoding);
        let all: Vec<usize> = (0..=whole.len()).map(|offset| offsets.offset(offset)).collect();
        assert!(all.is_sorted() && all.last() == Some(&bytes.len()), "{name}");
    }
    for wrong in ["", "utf 8", "latin-1-1", "utf-32", "utf-7", "x"] {
        let error = Encoding::for_label(wrong).unwrap_err();
        assert!(error.to_string().contains("unknown encoding"), "{error}");
    }
}

/// Every label in the tables of HTML and XML-ER is known.
#[test]
fn labels_of_tables_are_known() {
    for clues in [Html::CLUES, XmlEr::CLUES] {
        for (_, named) in clues.locales {
            encoding_for(named);
        }
        for (declared, used) in clues.read_as {
            encoding_for(declared);
            encoding_for(used);
        }
        encoding_for(clues.otherwise);
    }
}

#[test]
fn offsets_lead_to_the_bytes() {
    check_offsets("\u{FEFF}aé\u{20AC}\u{1F600}".as_bytes(), Encoding::UTF_8);
    check_offsets(b"a\x80\xE2\x82b\xFF\xC3\xA9", Encoding::UTF_8);
    check_offsets(b"caf\xE9 \x80", encoding_for("windows-1252"));
    check_offsets(b"\x93\xFA\x96{\x8C\xEA abc", encoding_for("shift_jis"));
    check_offsets(b"\xFF\xFEa\0\x3D\xD8\x00\xDE", encoding_for("utf-16le"));
    check_offsets(b"\x81\x30\x81\x30a\xC4\xE3", encoding_for("gb18030"));
    let offsets = Offsets::new(b"\xEF\xBB\xBFa\xFFb", Encoding::UTF_8);
    let spans = [(3, 4), (4, 7), (7, 8), (8, 8)].map(|(from, to)| Span::new(from, to));
    let original_ranges =
        spans.map(|span| offsets.original(span)).map(|span| (span.start, span.end));
    assert_eq!(original_ranges, [(3, 4), (4, 5), (5, 6), (6, 6)]);
}

#[test]
fn the_document_changes_a_tentative_encoding() {
    let clues = Html::CLUES;
    let tentative = || Choice::tentative(encoding_for("windows-1252"));
    let change = |mut choice: Choice, new: &str, same: bool| {
        let change = choice.change(encoding_for(new), clues, same);
        (change, choice)
    };
    let certain = |name: &str| Choice::certain(encoding_for(name));
    let utf_8 = encoding_for("utf-8");
    assert_eq!(change(tentative(), "utf-8", true), (Change::Switched, certain("utf-8")));
    assert_eq!(change(tentative(), "utf-8", false), (Change::Restart(utf_8), certain("utf-8")));
    assert_eq!(change(tentative(), "latin1", false), (Change::Kept, certain("latin1")));
    assert_eq!(change(tentative(), "x-user-defined", false), (Change::Kept, certain("latin1")));
    assert_eq!(change(tentative(), "utf-16be", false), (Change::Restart(utf_8), certain("utf-8")));
    let utf_16 = Choice::tentative(encoding_for("utf-16le"));
    assert_eq!(change(utf_16, "utf-8", false), (Change::Kept, certain("utf-16le")));
    assert_eq!(change(certain("koi8-r"), "utf-8", false), (Change::Kept, certain("koi8-r")));

    let mut stream = ByteStream::of::<Html>(Hints::new());
    let mut text = String::new();
    stream.feed(&[b' '; 1024], |piece| text.push_str(piece));
    assert_eq!(stream.change(encoding_for("euc-jp")), Change::Switched);
    stream.feed(b"\xC6\xFC", |piece| text.push_str(piece));
    assert_eq!(stream.finish(|piece| text.push_str(piece)), certain("euc-jp"));
    assert_eq!(text.trim_start(), "日");
    let mut stream = ByteStream::of::<Html>(Hints::new());
    assert_eq!(stream.feed(&[0xE9; 1024], |_| {}), Change::Kept);
    assert_eq!(stream.change(encoding_for("euc-jp")), Change::Restart(encoding_for("euc-jp")));
}

/// Pages that declare their encoding after the prescanned bytes: the text so far is parsed again, or kept if it decodes
/// equally.
#[test]
fn late_encoding_declarations_take_effect() {
    let late_page = |declaration: &str, before: &[u8], text: &[u8]| {
        let comment = format!("<!--{}-->", " ".repeat(1100));
        [comment.as_bytes(), before, declaration.as_bytes(), b"<p>", text].concat()
    };
    let meta = "<meta charset=utf-8>";
    let summary = |bytes: &[u8], hints: Hints| {
        let parsed = parse_declared(bytes, &hints);
        (parsed.tree.root().text(), parsed.encoding)
    };
    let certain = |name: &str| Choice::certain(encoding_for(name));
    let naive = "na\u{EF}ve".as_bytes();
    assert_eq!(
        summary(&late_page(meta, b"", naive), Hints::new()),
        ("na\u{EF}ve".into(), certain("utf-8"))
    );
    let title = "<title>\u{20AC}</title>".as_bytes();
    let title_and_text = "\u{20AC}na\u{EF}ve".to_owned();
    assert_eq!(
        summary(&late_page(meta, title, naive), Hints::new()),
        (title_and_text, certain("utf-8"))
    );
    assert_eq!(
        summary(&late_page(meta, b"", b"plain"), Hints::new()),
        ("plain".into(), certain("utf-8"))
    );
    // An encoding from the transport layer is certain; a likely one is not.
    let transport = Hints::new().transport(encoding_for("windows-1252"));
    let text_and_choice = summary(&late_page(meta, b"", b"na\xEFve"), transport);
    assert_eq!(text_and_choice, ("na\u{EF}ve".into(), certain("windows-1252")));
    let likely = Hints::new().likely(encoding_for("koi8-r"));
    assert_eq!(summary(&late_page(meta, b"", naive), likely.clone()).1, certain("utf-8"));
    let undeclared = summary(&late_page("<meta name=x>", b"", b"\xC1"), likely);
    assert_eq!(undeclared, ("\u{430}".into(), Choice::tentative(encoding_for("koi8-r"))));
    // The first of two declarations counts; a tag `meta` in the text of a `title` declares nothing.
    let two_declarations = late_page("<meta charset=koi8-r><meta charset=utf-8>", b"", b"\xC1");
    assert_eq!(summary(&two_declarations, Hints::new()), ("\u{430}".into(), certain("koi8-r")));
    let hidden_declaration = late_page("<title><meta charset=koi8-r></title>", b"", b"\xE9");
    assert_eq!(
        summary(&hidden_declaration, Hints::new()).1,
        Choice::tentative(encoding_for("windows-1252"))
    );
    let http_equiv = "<meta http-equiv=content-type content='text/html; charset=koi8-r'>";
    assert_eq!(summary(&late_page(http_equiv, b"", b"\xC1"), Hints::new()).1, certain("koi8-r"));
    // The second of two byte order marks is a character.
    let two_marks = summary(b"\xEF\xBB\xBF\xEF\xBB\xBFx", Hints::new());
    assert_eq!(two_marks, ("\u{FEFF}x".into(), certain("utf-8")));
    // A declaration also takes effect if the input is parsed in pieces because it exceeds the token limit.
    let limits = Limits::new().token(1200);
    let long_text = "na\u{EF}ve".repeat(50);
    let page = late_page(meta, b"", long_text.as_bytes());
    let parsed = html::parse_bytes(&page, Options::new().limits(limits));
    assert_eq!((parsed.tree.root().text(), parsed.encoding), (long_text, certain("utf-8")));
}

/// Undeclared bytes that turn out late to be invalid UTF-8 are parsed again in the default encoding, or continue in it
/// if all text so far was ASCII. A later declaration still counts.
#[test]
fn late_invalid_utf_8_falls_back_to_the_default_encoding() {
    let padding = " ".repeat(1100);
    let summary = |parts: &[&[u8]], hints: Hints| {
        let parsed = parse_declared(&parts.concat(), &hints);
        (parsed.tree.root().text().trim_start().to_owned(), parsed.encoding)
    };
    let tentative = |name: &str| Choice::tentative(encoding_for(name));
    let padding = padding.as_bytes();
    let no_hints = Hints::new;
    for (parts, hints, text, choice) in [
        (vec![&b"<p>\xC3\xA9"[..], padding, b"\xC3\xA9"], no_hints(), "\u{E9}", tentative("utf-8")),
        (vec![b"<p>x", padding, b"\xE9y"], no_hints(), "x", tentative("windows-1252")),
        (
            vec![b"<p>\xC3\xA9", padding, b"\xE9y"],
            no_hints(),
            "\u{C3}\u{A9}",
            tentative("windows-1252"),
        ),
        (
            vec![b"<p>\xC3\xA9", padding, b"\xE9y"],
            no_hints().locale("ru"),
            "\u{413}\u{A9}",
            tentative("windows-1251"),
        ),
        (vec![b"<p>\xC3\xA9", padding, b"\xC3"], no_hints(), "\u{E9}", tentative("utf-8")),
        (vec![b"<p>x", padding, b"\xC3"], no_hints(), "x", tentative("windows-1252")),
        (
            vec![b"<p>\xC3\xA9", padding, b"\xE9<meta charset=koi8-r>"],
            no_hints(),
            "\u{446}\u{2558}",
            Choice::certain(encoding_for("koi8-r")),
        ),
        (
            vec![b"<p>\xC3\xA9", padding, b"<meta charset=utf-8>\xE9y"],
            no_hints(),
            "\u{E9}",
            Choice::certain(encoding_for("utf-8")),
        ),
        (
            vec![b"<p>\xC3\xA9", padding],
            no_hints().autodetect(false),
            "\u{C3}\u{A9}",
            tentative("windows-1252"),
        ),
    ] {
        let text_and_choice = summary(&parts, hints);
        assert!(text_and_choice.0.starts_with(text), "{text_and_choice:?}");
        assert_eq!(text_and_choice.1, choice, "{text_and_choice:?}");
    }
    // A caller that does not restart can continue, and the stream keeps UTF-8.
    let mut stream = ByteStream::of::<Html>(Hints::new());
    let mut text = String::new();
    let first_chunk = [&b"\xC3\xA9"[..], padding].concat();
    assert_eq!(stream.feed(&first_chunk, |piece| text.push_str(piece)), Change::Kept);
    let change = stream.feed(b"a\xE9b", |piece| text.push_str(piece));
    assert_eq!(change, Change::Restart(encoding_for("windows-1252")));
    assert_eq!(stream.finish(|piece| text.push_str(piece)), tentative("utf-8"));
    assert_eq!(text.split_ascii_whitespace().collect::<Vec<_>>(), ["\u{E9}", "a\u{FFFD}b"]);
}

/// A fragment that is decoded again keeps its context.
#[test]
fn redecoded_fragments_keep_their_context() {
    let context = FragmentContext::from("tr");
    let mut parser = html::Parser::new_fragment(&context, &Options::new());
    let comment = format!("<!--{}-->", " ".repeat(1100));
    for part in [comment.as_bytes(), b"<td>\xC3\xAF<meta charset=utf-8>", b"\xC3\xA9"] {
        parser.feed_bytes(part);
    }
    let parsed = parser.finish();
    let cell = parsed.tree.document_element().unwrap().last_child().unwrap();
    assert_eq!((cell.local_name(), &cell.text()[..]), (Some("td"), "\u{EF}\u{E9}"));
    assert_eq!(parsed.encoding, Choice::certain(encoding_for("utf-8")));
    let text = html::parse("x", Options::new());
    assert_eq!(text.encoding, Choice::irrelevant());
}

#[test]
fn an_element_declares_its_encoding() {
    let declared_encoding = |name: &str, attributes: &[(&str, &'static str)]| {
        let value = |expected: &str| {
            attributes.iter().find(|(name, _)| *name == expected).map(|(_, value)| *value)
        };
        Html::CLUES.of_element(name, value).map(Encoding::name)
    };
    let content = ("content", "text/html; CharSet = 'euc-jp'");
    assert_eq!(declared_encoding("meta", &[("charset", "utf8")]), Some("UTF-8"));
    assert_eq!(declared_encoding("link", &[("charset", "utf8")]), None);
    assert_eq!(
        declared_encoding("meta", &[("http-equiv", "Content-Type"), content]),
        Some("EUC-JP")
    );
    assert_eq!(declared_encoding("meta", &[content]), None);
    assert_eq!(
        declared_encoding("meta", &[("charset", "x"), ("http-equiv", "content-type"), content]),
        Some("EUC-JP")
    );
    assert_eq!(declared_encoding("meta", &[("http-equiv", "refresh"), content]), None);
}
