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
struct Case {
    bytes: Vec<u8>,
    encoding: String,
}

/// Reads a file of html5lib: `#data`, the page up to `#encoding`, and a line with the encoding.
fn cases(path: &Path) -> Vec<Case> {
    let bytes = fs::read(path).unwrap();
    let mut cases = Vec::new();
    let mut data: Option<Vec<u8>> = None;
    let mut is_encoding = false;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match line.trim_ascii() {
            b"#data" => data = Some(Vec::new()),
            b"#encoding" => is_encoding = true,
            label if is_encoding => {
                let encoding = String::from_utf8(label.to_vec()).unwrap();
                let mut bytes = data.take().unwrap();
                assert_eq!(bytes.pop(), Some(b'\n'));
                cases.push(Case { bytes, encoding });
                is_encoding = false;
            }
            _ => data.iter_mut().for_each(|data| data.extend_from_slice(line)),
        }
    }
    cases
}

fn label(text: &str) -> Encoding {
    Encoding::for_label(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the choice of encoding and the text, with the bytes fed in chunks of this size.
fn streamed(clues: &'static Clues, hints: &Hints, bytes: &[u8], size: usize) -> (Choice, String) {
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
        assert!(parsed.tree == whole.tree, "in chunks of {size}: {page}");
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
        for (index, case) in cases(&folder.join(file)).iter().enumerate() {
            let expected = label(&case.encoding);
            // The suite is for browsers, which do not sniff undeclared bytes.
            let hints = Hints::new().autodetect(false);
            let found = parse_declared(&case.bytes, &hints).encoding;
            let page = String::from_utf8_lossy(&case.bytes);
            if file == SCRIPTED {
                assert_ne!(found.encoding, expected, "{file}: {index} passes without a script");
                excused += 1;
                continue;
            }
            assert_eq!(found.encoding, expected, "{file}: {index}\n{page}");
            let sniffed = Choice::sniff(&case.bytes, Html::CLUES, &hints);
            let (_, text) = streamed(Html::CLUES, &hints, &case.bytes, 7);
            assert_eq!(text, decode(&case.bytes, sniffed.encoding), "{file}: {index}");
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
        // The encoding was in the HTTP headers, and the pages do not declare it.
        let hints = Hints::new().transport(label(&stem));
        let (choice, text) = streamed(Html::CLUES, &hints, &bytes, 1000);
        assert_eq!(choice, Choice::certain(label(&stem)), "{}", path.display());
        assert!(!text.contains(char::REPLACEMENT_CHARACTER), "{}", path.display());
        assert_eq!(text, decode(&bytes, choice.encoding), "{}", path.display());
        check_offsets(&bytes, choice.encoding);
        report(&format!("{}: {}, {} bytes", path.display(), choice.encoding, bytes.len()));
    }
    assert!(paths.len() >= 7, "{} pages", paths.len());
}

/// Checks that the bytes at the offsets of each character decode to that character. Stateful encodings are not covered.
fn check_offsets(bytes: &[u8], encoding: Encoding) {
    let text = decode(bytes, encoding);
    let offsets = Offsets::new(bytes, encoding);
    let mut before = 0;
    for (offset, character) in text.char_indices() {
        let span = Span::new(offset, offset + character.len_utf8());
        let Span { start, end, .. } = offsets.original(span);
        assert!(
            before <= start && start < end,
            "{encoding}: {offset} {character:?}: {start}..{end}"
        );
        before = end;
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
        let written = string("bytes").unwrap();
        let bytes: Vec<u8> = written.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        let clues = clues_of(string("dialect").unwrap_or("html"));
        let mut hints = Hints::new();
        hints.override_with = string("override").map(label);
        hints.transport = string("transport").map(label);
        hints.parent = string("parent").map(label);
        hints.likely = string("likely").map(label);
        hints.fallback = string("fallback").map(label);
        hints.locale = string("locale").map(str::to_owned);
        hints.autodetect = case["autodetect"] == true;
        let found = Choice::sniff(&bytes, clues, &hints);
        let encoding = label(string("encoding").unwrap());
        let expected = match case["certain"] == true {
            true => Choice::certain(encoding),
            false => Choice::tentative(encoding),
        };
        assert_eq!(found, expected, "{case}");
        let text = string("text")
            .map_or_else(|| decode(&bytes, found.encoding).into_owned(), str::to_owned);
        for size in 1..=bytes.len().max(1) {
            assert_eq!(
                streamed(clues, &hints, &bytes, size),
                (expected, text.clone()),
                "{size}: {case}"
            );
        }
    }
    report(&format!("encodings: {} cases of our own", cases.len()));
}

/// The names of all encodings of the standard, each with a label other than its name.
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
        let encoding = label(name);
        assert_eq!(encoding.name(), *name);
        assert_eq!(label(&format!(" \t{}\n", other.to_uppercase())), encoding, "{other}");
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
        assert!(error.to_string().contains("cannot be decoded"), "{error}");
    }
}

/// Every label in a table is a known label.
#[test]
fn labels_of_tables_are_known() {
    for clues in [Html::CLUES, XmlEr::CLUES] {
        for (_, named) in clues.locales {
            label(named);
        }
        for (declared, used) in clues.read_as {
            label(declared);
            label(used);
        }
        label(clues.otherwise);
    }
}

#[test]
fn offsets_lead_to_the_bytes() {
    check_offsets("\u{FEFF}aé\u{20AC}\u{1F600}".as_bytes(), Encoding::UTF_8);
    check_offsets(b"a\x80\xE2\x82b\xFF\xC3\xA9", Encoding::UTF_8);
    check_offsets(b"caf\xE9 \x80", label("windows-1252"));
    check_offsets(b"\x93\xFA\x96{\x8C\xEA abc", label("shift_jis"));
    check_offsets(b"\xFF\xFEa\0\x3D\xD8\x00\xDE", label("utf-16le"));
    check_offsets(b"\x81\x30\x81\x30a\xC4\xE3", label("gb18030"));
    let offsets = Offsets::new(b"\xEF\xBB\xBFa\xFFb", Encoding::UTF_8);
    let spans = [(3, 4), (4, 7), (7, 8), (8, 8)].map(|(from, to)| Span::new(from, to));
    let original = spans.map(|span| offsets.original(span)).map(|span| (span.start, span.end));
    assert_eq!(original, [(3, 4), (4, 5), (5, 6), (6, 6)]);
}

#[test]
fn the_document_changes_a_tentative_encoding() {
    let clues = Html::CLUES;
    let tentative = || Choice::tentative(label("windows-1252"));
    let change = |mut choice: Choice, new: &str, same: bool| {
        let change = choice.change(label(new), clues, same);
        (change, choice)
    };
    let certain = |name: &str| Choice::certain(label(name));
    let utf_8 = label("utf-8");
    assert_eq!(change(tentative(), "utf-8", true), (Change::Switched, certain("utf-8")));
    assert_eq!(change(tentative(), "utf-8", false), (Change::Restart(utf_8), certain("utf-8")));
    assert_eq!(change(tentative(), "latin1", false), (Change::Kept, certain("latin1")));
    assert_eq!(change(tentative(), "x-user-defined", false), (Change::Kept, certain("latin1")));
    assert_eq!(change(tentative(), "utf-16be", false), (Change::Restart(utf_8), certain("utf-8")));
    let utf_16 = Choice::tentative(label("utf-16le"));
    assert_eq!(change(utf_16, "utf-8", false), (Change::Kept, certain("utf-16le")));
    assert_eq!(change(certain("koi8-r"), "utf-8", false), (Change::Kept, certain("koi8-r")));

    let mut stream = ByteStream::of::<Html>(Hints::new());
    let mut text = String::new();
    stream.feed(&[b' '; 1024], |piece| text.push_str(piece));
    assert_eq!(stream.change(label("euc-jp")), Change::Switched);
    stream.feed(b"\xC6\xFC", |piece| text.push_str(piece));
    assert_eq!(stream.finish(|piece| text.push_str(piece)), certain("euc-jp"));
    assert_eq!(text.trim_start(), "日");
    let mut stream = ByteStream::of::<Html>(Hints::new());
    assert_eq!(stream.feed(&[0xE9; 1024], |_| {}), Change::Kept);
    assert_eq!(stream.change(label("euc-jp")), Change::Restart(label("euc-jp")));
}

/// Pages that declare their encoding after the prescanned bytes: the text so far is parsed again, or kept if it decodes
/// equally.
#[test]
fn late_encoding_declarations_take_effect() {
    let late = |declaration: &str, before: &[u8], text: &[u8]| {
        let comment = format!("<!--{}-->", " ".repeat(1100));
        [comment.as_bytes(), before, declaration.as_bytes(), b"<p>", text].concat()
    };
    let meta = "<meta charset=utf-8>";
    let summary = |bytes: &[u8], hints: Hints| {
        let parsed = parse_declared(bytes, &hints);
        (parsed.tree.root().text(), parsed.encoding)
    };
    let certain = |name: &str| Choice::certain(label(name));
    let naive = "na\u{EF}ve".as_bytes();
    assert_eq!(
        summary(&late(meta, b"", naive), Hints::new()),
        ("na\u{EF}ve".into(), certain("utf-8"))
    );
    let title = "<title>\u{20AC}</title>".as_bytes();
    let both = "\u{20AC}na\u{EF}ve".to_owned();
    assert_eq!(summary(&late(meta, title, naive), Hints::new()), (both, certain("utf-8")));
    assert_eq!(
        summary(&late(meta, b"", b"plain"), Hints::new()),
        ("plain".into(), certain("utf-8"))
    );
    // External information is certain, likelihood is not.
    let transport = Hints::new().transport(label("windows-1252"));
    let found = summary(&late(meta, b"", b"na\xEFve"), transport);
    assert_eq!(found, ("na\u{EF}ve".into(), certain("windows-1252")));
    let likely = Hints::new().likely(label("koi8-r"));
    assert_eq!(summary(&late(meta, b"", naive), likely.clone()).1, certain("utf-8"));
    let none = summary(&late("<meta name=x>", b"", b"\xC1"), likely);
    assert_eq!(none, ("\u{430}".into(), Choice::tentative(label("koi8-r"))));
    // The first of two declarations counts; text that is not an element declares nothing.
    let two = late("<meta charset=koi8-r><meta charset=utf-8>", b"", b"\xC1");
    assert_eq!(summary(&two, Hints::new()), ("\u{430}".into(), certain("koi8-r")));
    let hidden = late("<title><meta charset=koi8-r></title>", b"", b"\xE9");
    assert_eq!(summary(&hidden, Hints::new()).1, Choice::tentative(label("windows-1252")));
    let http = "<meta http-equiv=content-type content='text/html; charset=koi8-r'>";
    assert_eq!(summary(&late(http, b"", b"\xC1"), Hints::new()).1, certain("koi8-r"));
    // The second of two byte order marks is a character.
    let marks = summary(b"\xEF\xBB\xBF\xEF\xBB\xBFx", Hints::new());
    assert_eq!(marks, ("\u{FEFF}x".into(), certain("utf-8")));
    // Also when the input is parsed in pieces, because it exceeds the token limit.
    let limits = Limits::new().token(1200);
    let long = "na\u{EF}ve".repeat(50);
    let page = late(meta, b"", long.as_bytes());
    let parsed = html::parse_bytes(&page, Options::new().limits(limits));
    assert_eq!((parsed.tree.root().text(), parsed.encoding), (long, certain("utf-8")));
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
    let tentative = |name: &str| Choice::tentative(label(name));
    let padding = padding.as_bytes();
    let new = Hints::new;
    for (parts, hints, text, choice) in [
        (vec![&b"<p>\xC3\xA9"[..], padding, b"\xC3\xA9"], new(), "\u{E9}", tentative("utf-8")),
        (vec![b"<p>x", padding, b"\xE9y"], new(), "x", tentative("windows-1252")),
        (vec![b"<p>\xC3\xA9", padding, b"\xE9y"], new(), "\u{C3}\u{A9}", tentative("windows-1252")),
        (
            vec![b"<p>\xC3\xA9", padding, b"\xE9y"],
            new().locale("ru"),
            "\u{413}\u{A9}",
            tentative("windows-1251"),
        ),
        (vec![b"<p>\xC3\xA9", padding, b"\xC3"], new(), "\u{E9}", tentative("utf-8")),
        (vec![b"<p>x", padding, b"\xC3"], new(), "x", tentative("windows-1252")),
        (
            vec![b"<p>\xC3\xA9", padding, b"\xE9<meta charset=koi8-r>"],
            new(),
            "\u{446}\u{2558}",
            Choice::certain(label("koi8-r")),
        ),
        (
            vec![b"<p>\xC3\xA9", padding, b"<meta charset=utf-8>\xE9y"],
            new(),
            "\u{E9}",
            Choice::certain(label("utf-8")),
        ),
        (
            vec![b"<p>\xC3\xA9", padding],
            new().autodetect(false),
            "\u{C3}\u{A9}",
            tentative("windows-1252"),
        ),
    ] {
        let found = summary(&parts, hints);
        assert!(found.0.starts_with(text), "{found:?}");
        assert_eq!(found.1, choice, "{found:?}");
    }
    // A caller that cannot restart continues in UTF-8.
    let mut stream = ByteStream::of::<Html>(Hints::new());
    let mut text = String::new();
    let first = [&b"\xC3\xA9"[..], padding].concat();
    assert_eq!(stream.feed(&first, |piece| text.push_str(piece)), Change::Kept);
    let change = stream.feed(b"a\xE9b", |piece| text.push_str(piece));
    assert_eq!(change, Change::Restart(label("windows-1252")));
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
    assert_eq!(parsed.encoding, Choice::certain(label("utf-8")));
    let text = html::parse("x", Options::new());
    assert_eq!(text.encoding, Choice::irrelevant());
}

#[test]
fn an_element_declares_its_encoding() {
    let of = |name: &str, attributes: &[(&str, &'static str)]| {
        let value = |expected: &str| {
            attributes.iter().find(|(name, _)| *name == expected).map(|(_, value)| *value)
        };
        Html::CLUES.of_element(name, value).map(Encoding::name)
    };
    let content = ("content", "text/html; CharSet = 'euc-jp'");
    assert_eq!(of("meta", &[("charset", "utf8")]), Some("UTF-8"));
    assert_eq!(of("link", &[("charset", "utf8")]), None);
    assert_eq!(of("meta", &[("http-equiv", "Content-Type"), content]), Some("EUC-JP"));
    assert_eq!(of("meta", &[content]), None);
    assert_eq!(
        of("meta", &[("charset", "x"), ("http-equiv", "content-type"), content]),
        Some("EUC-JP")
    );
    assert_eq!(of("meta", &[("http-equiv", "refresh"), content]), None);
}
