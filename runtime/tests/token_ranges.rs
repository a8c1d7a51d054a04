//! Tests of the input ranges of tokens, however the input is chunked. The suite `differential` compares ranges with
//! those of the interpreter.

#![cfg(feature = "html")]

use tabulex::html::Html;
use tabulex::{
    Attribute, Comment, Control, MachineSink, Progress, Sink, Span, Tag, Text, Tokenizer,
};

/// Inputs, each with the texts at the ranges of its tokens: for a tag, those of the whole tag, of its name, and of the
/// name and value of each attribute.
const CASES: &[(&str, &[&str])] = &[
    ("<a>", &["<a>", "a"]),
    ("<a\r\n>", &["<a\r\n>", "a"]),
    ("<a\r>", &["<a\r>", "a"]),
    ("<a\n>", &["<a\n>", "a"]),
    ("</A\r\n\r\n>x", &["</A\r\n\r\n>", "A", "x"]),
    ("<a\r\nb\r\n=\r\n'c\r\nd'\r\n>", &["<a\r\nb\r\n=\r\n'c\r\nd'\r\n>", "a", "b", "c\r\nd"]),
    ("<a b=c\r\nd>", &["<a b=c\r\nd>", "a", "b", "c", "d", ""]),
    ("<a b\0=\0>", &["<a b\0=\0>", "a", "b\0", "\0"]),
    ("<ä>", &["<ä>"]),
    ("<aä ö='&amp;ü'>", &["<aä ö='&amp;ü'>", "aä", "ö", "&amp;ü"]),
    ("<a b='' b=\"c\" d>e", &["<a b='' b=\"c\" d>", "a", "b", "", "d", "", "e"]),
    ("a&lt;b\r\n", &["a&lt;b\r\n"]),
    ("a<!--b\r\n-->c", &["a", "<!--b\r\n-->", "c"]),
];

#[derive(Default)]
struct Ranges {
    ranges: Vec<Span>,
    /// Whether the last range is of a text, which may continue in the next chunk.
    is_in_text: bool,
}

impl Ranges {
    fn add_tag(&mut self, tag: &Tag<'_>) -> Control {
        self.add_token(tag.span());
        self.ranges.push(tag.name_span());
        for Attribute { name_span, value_span, .. } in tag.attributes() {
            self.ranges.extend([name_span, value_span]);
        }
        Control::Continue
    }

    fn add_token(&mut self, span: Span) {
        self.ranges.push(span);
        self.is_in_text = false;
    }
}

impl MachineSink for Ranges {}

impl Sink for Ranges {
    fn text(&mut self, text: Text<'_>) -> Control {
        match self.ranges.last_mut() {
            Some(last) if self.is_in_text => {
                assert!(last.end <= text.span.start);
                last.end = text.span.end;
            }
            _ => self.ranges.push(text.span),
        }
        self.is_in_text = true;
        Control::Continue
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        self.add_tag(&tag)
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> Control {
        self.add_tag(&tag)
    }

    fn comment(&mut self, comment: Comment<'_>) -> Control {
        self.add_token(comment.span);
        Control::Continue
    }
}

/// Returns the text at each range of the tokens of the input, which is fed in chunks.
fn texts_at_ranges<'a>(input: &'a str, chunks: &[&str]) -> Vec<&'a str> {
    let (mut tokenizer, mut ranges) = (Tokenizer::<Html>::new(), Ranges::default());
    for chunk in chunks {
        assert_ne!(tokenizer.feed(chunk, &mut ranges), Progress::Paused);
    }
    assert_ne!(tokenizer.finish(&mut ranges), Progress::Paused);
    ranges.ranges.iter().map(|span| &input[span.start..span.end]).collect()
}

#[test]
fn ranges_enclose_the_tokens() {
    for &(input, expected) in CASES {
        assert_eq!(texts_at_ranges(input, &[input]), expected, "{input:?}");
        for (at, _) in input.char_indices() {
            let (before, after) = input.split_at(at);
            let texts = texts_at_ranges(input, &[before, after]);
            assert_eq!(texts, expected, "{input:?} cut at {at}");
        }
    }
}
