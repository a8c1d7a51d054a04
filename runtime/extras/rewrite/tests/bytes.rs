//! Bytes in, bytes out: encodings, chunk boundaries, when output is written, and how much is buffered.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::Mutex;
use tabulex::Options;
use tabulex::encoding::{Encoding, Hints};
use tabulex::html::{self, Html};
use tabulex::rewrite::{Content, RewriteError, Rewriter, Rules, rewrite_bytes, rewrite_str};
use tabulex::tree::NodeKind;

/// A writer whose output can be inspected while it is written.
#[derive(Clone, Default)]
struct SharedOutput(Rc<RefCell<Vec<u8>>>);

impl io::Write for SharedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn encoding(label: &str) -> Encoding {
    Encoding::for_label(label).unwrap()
}

fn hints_for(label: &str) -> Hints {
    Hints::new().override_with(encoding(label))
}

/// Rewrites the page in pieces of several sizes, and asserts that the results are equal.
fn rewrite_in_pieces<'h>(page: &[u8], rules: impl Fn() -> Rules<'h>) -> Vec<u8> {
    let whole = rewrite_bytes::<Html>(page, rules()).unwrap();
    for size in 1..8 {
        let mut rewriter = Rewriter::<Html, _>::new(rules(), Vec::new()).unwrap();
        for piece in page.chunks(size) {
            rewriter.write(piece).unwrap();
        }
        let output = rewriter.finish().unwrap();
        assert!(
            output == whole,
            "different output in pieces of {size} bytes: {}",
            page.escape_ascii()
        );
    }
    whole
}

/// Returns the texts of a page, and asserts that they do not depend on the pieces in which it is rewritten.
fn texts(page: &[u8], hints: &Hints) -> String {
    let log = Mutex::new(String::new());
    let rules = || {
        Rules::new().encoding(hints.clone()).all_text(|text| {
            *log.lock().unwrap() += &format!("[{}]", text.as_str());
            Ok(())
        })
    };
    assert_eq!(rewrite_in_pieces(page, rules), page);
    let all_runs = log.into_inner().unwrap();
    let one_run = &all_runs[..all_runs.len() / 8];
    assert_eq!(one_run.repeat(8), all_runs, "texts depend on the pieces");
    one_run.to_owned()
}

#[test]
fn decodes_legacy_encodings_however_they_are_split() {
    for (label, page, expected) in [
        ("utf-8", &b"\xC3\xA9<p>\xE2\x82\xAC\xF0\x9F\x98\x80"[..], "[é][€\u{1F600}]"),
        ("utf-8", b"\xE2\x82<p>\xFFx\xF0\x9F", "[\u{FFFD}][\u{FFFD}x\u{FFFD}]"),
        ("windows-1252", b"\xE9<p>\x80x\xE9\xE9y", "[é][€xééy]"),
        ("shift_jis", b"\x83\x5C<p>\x83\x41\x83<p>\x83", "[ソ][ア\u{FFFD}][\u{FFFD}]"),
        ("gb18030", b"\x81\x30\x81\x30<p>\x81\x30x", "[\u{80}][\u{FFFD}0x]"),
    ] {
        assert_eq!(texts(page, &hints_for(label)), expected, "{label}");
    }
    // A byte order mark takes precedence over the encoding that the transport declares.
    let transport = Hints::new().transport(encoding("windows-1252"));
    assert_eq!(texts(b"\xEF\xBB\xBF<p>\xC3\xA9", &transport), "[é]");
}

/// Bytes that cannot be decoded are kept beside changes, and where the output of a piece ends between them.
#[test]
fn keeps_undecodable_bytes_however_they_are_split() {
    // In Shift_JIS, the last 32 bytes of the style sheet's text are the U+FFFD for `A0` and the 29 bytes after it. They
    // are held back until the element ends, so the output is split after the character for `C2`.
    let sheet = [b"<style>\xC2\xA0", &b"x".repeat(29)[..], b"</style>"].concat();
    for (label, page, expected) in [
        ("shift_jis", &sheet[..], &[&sheet[..], b"y"].concat()[..]),
        ("utf-8", b"&\xFF<!----> x", b"&\xFF x"),
    ] {
        let rules = || {
            let rules = Rules::new().encoding(hints_for(label)).element("style", |style| {
                style.after(Content::Text("y"));
                Ok(())
            });
            rules.unwrap().all_comments(|comment| {
                comment.remove();
                Ok(())
            })
        };
        let output = rewrite_in_pieces(page, rules);
        assert!(output == expected, "{label}: {}", output.escape_ascii());
    }
}

/// Insertions and long unchanged parts next to them are written in the page's encoding.
#[test]
fn writes_long_parts_and_insertions_in_one_encoding() {
    let long = "é".repeat(5000);
    let page = format!("{long}<p>{long}<p>{long}");
    let expected = format!("{long}<p>é{long}<p>é{long}");
    let insert_e = |hints: &Hints| {
        let hints = hints.clone();
        let rules = Rules::new().encoding(hints).element("p", |p| {
            p.prepend(Content::Text("é"))?;
            Ok(())
        });
        rules.unwrap()
    };
    let to_latin_1 =
        |text: &str| text.chars().map(|it| u8::try_from(it).unwrap()).collect::<Vec<_>>();
    type Encode<'e> = &'e dyn Fn(&str) -> Vec<u8>;
    let encodings: [(&str, Encode<'_>); 2] =
        [("utf-8", &|text| text.as_bytes().to_owned()), ("windows-1252", &to_latin_1)];
    for (label, encode) in encodings {
        for hints in [hints_for(label), Hints::new().transport(encoding(label))] {
            let mut rewriter = Rewriter::<Html, _>::new(insert_e(&hints), Vec::new()).unwrap();
            let page = encode(&page);
            for piece in page.chunks(page.len() / 2 + 1) {
                rewriter.write(piece).unwrap();
            }
            assert!(rewriter.finish().unwrap() == encode(&expected), "{label}");
        }
    }
}

/// Without a hint the rewriter waits for a declaration in the first 1,024 bytes; with one only for a byte order mark.
#[test]
fn writes_once_the_encoding_is_known() {
    let utf_8 = || encoding("utf-8");
    for (hints, count) in [
        (Hints::new(), 1024),
        (Hints::new().override_with(utf_8()), 3),
        (Hints::new().transport(utf_8()), 3),
    ] {
        let rules = || Rules::new().encoding(hints.clone());
        let page = b"<p>".repeat(1024);
        let page = &page[..count / 3 * 3];
        let (first, last_byte) = page.split_at(page.len() - 1);
        let output = SharedOutput::default();
        let mut rewriter = Rewriter::<Html, _>::new(rules(), output.clone()).unwrap();
        rewriter.write(first).unwrap();
        assert!(output.0.borrow().is_empty());
        rewriter.write(last_byte).unwrap();
        rewriter.write(&b"\n"[..count % 3]).unwrap();
        assert!(output.0.borrow().starts_with(page));
        assert_eq!(rewriter.finish().unwrap().0.borrow().len(), count);
    }
}

/// Bytes that may begin a character are buffered; invalid ones are not.
#[test]
fn buffers_only_incomplete_characters() {
    for (label, page, incomplete_len) in [
        ("utf-8", &b"x\xE2\x82"[..], 2),
        ("utf-8", b"x\xFF", 0),
        ("utf-8", b"x\xE2y", 0),
        ("shift_jis", b"xx\x83", 1),
    ] {
        let output = SharedOutput::default();
        let rules = Rules::new().encoding(hints_for(label));
        let mut rewriter = Rewriter::<Html, _>::new(rules, output.clone()).unwrap();
        let spaces = &b"   "[..];
        for piece in [spaces, page] {
            rewriter.write(piece).unwrap();
        }
        let (now, _) = page.split_at(page.len() - incomplete_len);
        assert_eq!(*output.0.borrow(), [spaces, now].concat(), "{label} {}", page.escape_ascii());
        assert_eq!(*rewriter.finish().unwrap().0.borrow(), [spaces, page].concat());
    }
}

/// A text is buffered only if a handler is active for it.
#[test]
fn buffers_only_texts_with_handlers() {
    let long = "x".repeat(20_000);
    let outcome = |page: String, limit: usize| {
        let rules = Rules::new().memory_limit(limit).text("p", |_| Ok(()));
        rewrite_str::<Html>(&page, rules.unwrap())
    };
    for page in [format!("{long}<p>y</p>{long}"), format!("<p>y</p><b>{long}</b><p>")] {
        assert_eq!(outcome(page.clone(), 10_000).unwrap(), page);
    }
    for limit in [10_000, 19_999] {
        let result = outcome(format!("<p>{long}</p>"), limit);
        assert!(
            matches!(result, Err(RewriteError::Memory { limit: it }) if it == limit),
            "{result:?}"
        );
    }
    assert!(outcome(format!("<p>{long}</p>"), 20_000).is_ok());
}

/// Memory for ends of elements is checked as it grows, even within one large write.
#[test]
fn enforces_memory_limit_within_one_write() {
    let page = "<div>".repeat(200_000);
    for change in 0..3 {
        let rules = || {
            let rules = Rules::new().memory_limit(1 << 20).encoding(hints_for("utf-8"));
            let rules = rules.element("*", move |it| {
                match change {
                    0 => it.after(Content::Text("x")),
                    1 => it.on_end(|_| Ok(())),
                    _ => it.append(Content::Text("x"))?,
                }
                Ok(())
            });
            rules.unwrap()
        };
        for size in [page.len(), 4096] {
            let mut rewriter = Rewriter::<Html, _>::new(rules(), io::sink()).unwrap();
            let result = page.as_bytes().chunks(size).try_for_each(|it| rewriter.write(it));
            assert!(matches!(result, Err(RewriteError::Memory { limit: 0x10_0000 })), "{result:?}");
        }
    }
}

/// A comment or an instruction without a handler is written as it is read.
#[test]
fn streams_comments_without_handlers() {
    let long = "-x".repeat(50_000);
    let page = |begin: &str, end: &str| format!("<p>text{begin}{long}{end}");
    let rewrite = |page: &str, rules: Rules<'_>, size: usize| {
        let rules = rules.memory_limit(1000).encoding(hints_for("utf-8"));
        let mut rewriter = Rewriter::<Html, _>::new(rules, Vec::new())?;
        page.as_bytes().chunks(size).try_for_each(|chunk| rewriter.write(chunk))?;
        rewriter.finish().map(|page| String::from_utf8(page).unwrap())
    };
    for (begin, end) in
        [("<!--", ""), ("<!--", "--><b>"), ("<!x", ">"), ("<?t ", ""), ("<?t ", ">")]
    {
        let page = page(begin, end);
        for size in [1, 4096, usize::MAX] {
            assert_eq!(rewrite(&page, Rules::new(), size).unwrap(), page);
            // A handler for comments in another element is not called, and texts end where the page's comment or
            // instruction begins.
            let mut texts = Vec::new();
            let rules = Rules::new()
                .comment("q", |_| panic!("the handler for comments in `q` was called"))
                .unwrap();
            let rules = rules.text("p", |text| {
                texts.push(text.as_str().to_owned());
                text.after(Content::Markup("<i>"))?;
                Ok(())
            });
            let output = rewrite(&page, rules.unwrap(), size).unwrap();
            assert_eq!(output, page.replacen("text", "text<i>", 1));
            assert_eq!(texts, ["text"]);
        }
    }
    // Content inserted at the end of the page follows the comment.
    for end in ["", "-", "--", "--!", "-->"] {
        let page = page("<!--", end);
        for size in [1, 4096, usize::MAX] {
            let rules = Rules::new().end(|| "<b>".to_owned());
            let output = rewrite(&page, rules, size).unwrap();
            let comment = |page: &str| {
                let tree = html::parse(page, Options::new()).tree;
                let mut nodes = tree.root().descendants();
                nodes
                    .find(|node| node.kind() == NodeKind::Comment)
                    .and_then(|node| node.data().map(str::to_owned))
            };
            assert_eq!(comment(&output), comment(&page), "`{end}` in pieces of {size} bytes");
            assert!(
                output.ends_with("><b>"),
                "`{end}` in pieces of {size} bytes: no `><b>` at the end of {output}"
            );
        }
    }
    let rules_with_handlers =
        [Rules::new().all_comments(|_| Ok(())), Rules::new().comment("p", |_| Ok(())).unwrap()];
    for rules in rules_with_handlers {
        let result = rewrite(&page("<!--", "-->"), rules, 4096);
        assert!(matches!(result, Err(RewriteError::Memory { limit: 1000 })), "{result:?}");
    }
}
