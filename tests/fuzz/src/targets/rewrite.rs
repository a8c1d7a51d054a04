//! Streaming rewriting in several encodings: without changes every byte is kept; chunks affect neither the handlers nor
//! the output; values set are read back; and no selector, name or text causes more than an error. The package's own
//! tests compare complete results.

use super::Target;
use crate::feedback::note;
use crate::input_reader::InputReader;
use std::sync::Mutex;
use tabulex::encoding::{Encoding, Hints};
use tabulex::rewrite::{Content, RewriteError, Rewriter, Rules, rewrite_bytes};
use tabulex::{Construction, html, html_2013, xml_er};
use tabulex_tests::random::Random;

pub(super) const TARGET: Target = Target {
    name: "rewrite",
    about: "pages rewritten as a stream: unchanged bytes, chunks, names and texts",
    choices: 7,
    piece,
    run,
};

/// Labels of encodings in which pages are read. The empty one leaves the choice to the page.
const LABELS: &[&str] = &[
    "utf-8",
    "windows-1252",
    "shift_jis",
    "gb18030",
    "big5",
    "euc-kr",
    "euc-jp",
    "utf-16le",
    "iso-2022-jp",
    "",
];

/// Selectors of elements to change: suitable for streams, unsuitable, and invalid.
const SELECTORS: &[&str] = &[
    "*",
    "b",
    "p > a",
    "title + *",
    "svg *",
    "[a]",
    "[class=x] ~ b",
    ":not(p)",
    ":nth-child(2)",
    ":root",
    "script, style",
    ":has(b)",
    ":last-child",
    "b[",
    "",
    ">",
];

/// Names of tags and attributes, and contents of comments, valid and invalid.
const TEXTS: &[&str] = &[
    "n", "N-x", "é", "a=b", "", " ", "on<", "a/b", ">", "->", "-->", "--!>", "<!--", "--", "a-",
    "<!-", "x\0", "\r\n", "☃", "\"'", "&amp;", "&lt", "&",
];

/// Bytes that rewriting could damage: multi-byte characters, complete and truncated, a byte order mark, a declaration
/// of the encoding, `&` and a carriage return.
const FRAGILE_BYTES: &[&[u8]] = &[
    b"\xE9",
    b"\xC3\xA9",
    b"\x83\x5C",
    b"\x81\x30\x81",
    b"\xFF",
    b"\xEF\xBB\xBF",
    b"<meta charset=shift_jis>",
    b"&",
    b"\r",
];

fn piece(random: &mut Random) -> Vec<u8> {
    match random.one_in(6) {
        true => random.pick(FRAGILE_BYTES).to_vec(),
        false => super::trees::piece(random),
    }
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    match reader.byte() % 4 {
        0 | 1 => check_rewriting::<html::Html>(reader),
        2 => check_rewriting::<html_2013::Html2013>(reader),
        _ => check_rewriting::<xml_er::XmlEr>(reader),
    }
}

fn check_rewriting<D: Construction>(mut reader: InputReader<'_>) {
    let label = *reader.pick(LABELS);
    let hints = match Encoding::for_label(label) {
        Ok(encoding) => Hints::new().override_with(encoding),
        Err(_) => Hints::new(),
    };
    let seed = reader.byte();
    let selector = *reader.pick(SELECTORS);
    let (name, text) = (*reader.pick(TEXTS), *reader.pick(TEXTS));
    let kind = reader.byte();
    let page = reader.into_bytes();
    let sizes = Random::new(seed.into());
    let whole_events = handler_events::<D>(&hints, page, None);
    assert_eq!(
        whole_events,
        handler_events::<D>(&hints, page, Some(sizes.clone())),
        "the events depend on chunks"
    );
    let rewrite =
        |sizes| rewrite_with_changes::<D>(&hints, page, sizes, selector, kind, [name, text]);
    match (rewrite(None), rewrite(Some(sizes))) {
        (Ok(whole), Ok(cut)) => assert_bytes(&whole, &cut, "the output depends on chunks"),
        (Err(whole), Err(cut)) => {
            assert_eq!(whole.to_string(), cut.to_string());
            note((label, kind % 8, std::mem::discriminant(&whole)));
        }
        (whole, cut) => {
            panic!("the outcome depends on chunks: {whole:?} for the whole page, {cut:?} in chunks")
        }
    }
    if whole_events.is_some() {
        check_values_read_back::<D>(&hints, page, [name, text]);
    }
}

fn rules_with_hints<'h>(hints: &Hints) -> Rules<'h> {
    Rules::new().encoding(hints.clone())
}

/// Rewrites a page in chunks of random `sizes`, or whole without `sizes`.
fn rewrite_in_chunks<D: Construction>(
    rules: Rules<'_>,
    page: &[u8],
    sizes: Option<Random>,
) -> Result<Vec<u8>, RewriteError> {
    let Some(mut sizes) = sizes else { return rewrite_bytes::<D>(page, rules) };
    let mut rewriter = Rewriter::<D, _>::new(rules, Vec::new())?;
    let mut remaining = page;
    while !remaining.is_empty() {
        let (piece, after) = remaining.split_at((1 + sizes.below(7)).min(remaining.len()));
        rewriter.write(piece)?;
        remaining = after;
    }
    rewriter.finish()
}

fn assert_bytes(expected: &[u8], found: &[u8], label: &str) {
    assert!(
        expected == found,
        "{label}: expected b\"{}\", found b\"{}\"",
        expected.escape_ascii(),
        found.escape_ascii()
    );
}

/// Returns the events of handlers that change nothing, and asserts that the page is unchanged; `None` if the encoding
/// is rejected.
fn handler_events<D: Construction>(
    hints: &Hints,
    page: &[u8],
    sizes: Option<Random>,
) -> Option<Vec<String>> {
    let events = Mutex::new(Vec::new());
    let record = |event: String| events.lock().unwrap().push(event);
    let rules = rules_with_hints(hints)
        .element("*", |it| {
            let attributes: Vec<_> = it.attributes().collect();
            record(format!("<{} {attributes:?}> {:?}", it.name(), it.span()));
            it.on_end(|end| {
                record(format!("</{}>", end.name()));
                Ok(())
            });
            Ok(())
        })
        .unwrap()
        .all_text(|text| {
            record(format!("{:?} {:?}", text.as_str(), text.span()));
            Ok(())
        })
        .all_comments(|it| {
            record(format!("<!--{}--> {:?}", it.data(), it.span()));
            Ok(())
        })
        .doctype(|it| {
            record(format!("<!DOCTYPE {:?}>", it.name()));
            Ok(())
        });
    let result = rewrite_in_chunks::<D>(rules, page, sizes.clone());
    match result {
        Ok(out) => assert_bytes(page, &out, "handlers without changes"),
        Err(RewriteError::Encoding(name)) => {
            note(name);
            return None;
        }
        Err(error) => panic!("handlers without changes fail: {error}"),
    }
    let output = rewrite_in_chunks::<D>(rules_with_hints(hints), page, sizes).unwrap();
    assert_bytes(page, &output, "no handler");
    let events = events.into_inner().unwrap();
    for pair in events.windows(2) {
        // The first four characters of an event identify its kind. Positions and the rest of the text would make nearly
        // every input count as new coverage.
        note(pair.iter().map(|it| it.chars().take(4).collect()).collect::<Vec<String>>());
    }
    Some(events)
}

/// Rewrites the page with changes that `kind` selects.
fn rewrite_with_changes<D: Construction>(
    hints: &Hints,
    page: &[u8],
    sizes: Option<Random>,
    selector: &str,
    kind: u8,
    [name, text]: [&str; 2],
) -> Result<Vec<u8>, RewriteError> {
    let rules = rules_with_hints(hints)
        .element(selector, |it| {
            match kind % 8 {
                0 => it.set_name(name)?,
                1 => it.remove(),
                2 => it.remove_tags(),
                3 => it.replace(Content::Text(text)),
                4 => it.set_inner(Content::Markup(text))?,
                5 => {
                    it.before(Content::Text(name));
                    it.after(Content::Markup(text));
                }
                6 => {
                    it.prepend(Content::Markup(name))?;
                    it.append(Content::Text(text))?;
                    it.on_end(|end| {
                        end.after(Content::Text("é"));
                        Ok(())
                    });
                }
                _ => {
                    it.set_attribute(name, text)?;
                    it.remove_attribute("a");
                }
            }
            Ok(())
        })?
        .text(selector, |it| {
            match kind / 8 % 4 {
                0 => it.remove(),
                1 => it.replace(Content::Text(&it.as_str().len().to_string()))?,
                2 => it.before(Content::Markup("<i>"))?,
                _ => {}
            }
            Ok(())
        })?
        .comment(selector, |it| {
            match kind / 32 % 4 {
                0 => it.remove(),
                1 => it.set_data(text)?,
                2 => it.after(Content::Text("é")),
                _ => {}
            }
            Ok(())
        })?;
    rewrite_in_chunks::<D>(rules, page, sizes)
}

/// Sets an attribute of each element, and asserts that it is read back from the output. Values that newline normalization
/// changes, or that are not ASCII, are not compared.
fn check_values_read_back<D: Construction>(hints: &Hints, page: &[u8], [name, text]: [&str; 2]) {
    let set_values = Mutex::new(Vec::new());
    let rules = rules_with_hints(hints).element("*", |it| {
        if it.set_attribute("n", text).is_ok() {
            set_values.lock().unwrap().push(text.to_owned());
        }
        // The rewriter refuses an invalid name, a name that the encoding cannot represent, and any change to an element
        // that comes from the replacement text of an entity.
        note((name, it.set_attribute(name, "v").is_ok()));
        Ok(())
    });
    let Ok(out) = rewrite_in_chunks::<D>(rules.unwrap(), page, None) else {
        return;
    };
    let read_values = Mutex::new(Vec::new());
    let rules = rules_with_hints(hints).element("*", |it| {
        // Elements that come from the replacement text of an entity are skipped: the rewriter refused to change them,
        // so no value was set.
        if !it.is_inserted() {
            let value = it.attribute("n").unwrap_or("absent").to_owned();
            read_values.lock().unwrap().push(value);
        }
        Ok(())
    });
    let second_result = rewrite_in_chunks::<D>(rules.unwrap(), &out, None);
    second_result.expect("the rewritten page can be rewritten again");
    if text.contains(['\r', '\0']) || name == "n" || !text.is_ascii() {
        return;
    }
    let (set_values, read_values) =
        (set_values.into_inner().unwrap(), read_values.into_inner().unwrap());
    assert_eq!(set_values, read_values, "b\"{}\"", out.escape_ascii());
}
