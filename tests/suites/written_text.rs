//! Text as written: a sink that requests it gets the text of the input, and otherwise the same tokens as other sinks.

use std::fmt::Debug;
use tabulex::__private::Machine;
use tabulex::{
    Comment, Control, DeclaredToken, Doctype, MachineSink, Named as _, ProcessingInstruction,
    ShortEndTag, Sink, Span, Tag, Text, Tokenizer,
};
use tabulex_tests::inputs::{Alphabet, characters, cut, shrink};
use tabulex_tests::interpreted::table;
use tabulex_tests::random::Random;
use tabulex_tests::sample;
use tabulex_tests::shared::report;

/// A token for comparison. Consecutive texts are joined, and only their range is compared.
#[derive(Debug, PartialEq)]
enum RecordedToken {
    Text(Span),
    Other(String),
}

/// A sink that records tokens, optionally with text as written.
struct TokenRecorder<'i, const WRITTEN: bool> {
    input: &'i str,
    recorded: Vec<RecordedToken>,
}

impl<const WRITTEN: bool> TokenRecorder<'_, WRITTEN> {
    fn record<C>(&mut self, token: &dyn Debug, result: C) -> C {
        self.recorded.push(RecordedToken::Other(format!("{token:?}")));
        result
    }
}

impl<const WRITTEN: bool> MachineSink for TokenRecorder<'_, WRITTEN> {
    const ERRORS: bool = false;
}

impl<const WRITTEN: bool> Sink for TokenRecorder<'_, WRITTEN> {
    fn text_as_written(&self) -> bool {
        WRITTEN
    }

    fn text(&mut self, text: Text<'_>) -> Control {
        let Span { start, end } = text.span;
        // Text counts as verbatim if its length is unchanged. The replacement of a character reference can also be as
        // long as the reference, so references are excluded.
        let is_verbatim =
            |written: &str| written.len() == text.text.len() && !written.starts_with('&');
        if WRITTEN && !text.is_inserted && is_verbatim(&self.input[start..end]) {
            // A row that takes a single character may deliver CR as LF, even if the sink requests text as written.
            let written = &self.input[start..end];
            assert!(
                written == text.text || written == "\r" && text.text == "\n",
                "{text:?} of {:?}",
                self.input
            );
        }
        match self.recorded.last_mut() {
            Some(RecordedToken::Text(span)) => span.end = text.span.end,
            _ => self.recorded.push(RecordedToken::Text(text.span)),
        }
        Control::Continue
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        self.record(&tag, Control::Continue)
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> Control {
        self.record(&tag, Control::Continue)
    }

    fn comment(&mut self, comment: Comment<'_>) -> Control {
        self.record(&comment, Control::Continue)
    }

    fn doctype(&mut self, doctype: Doctype<'_>) -> Control {
        self.record(&doctype, Control::Continue)
    }

    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control {
        self.record(&tag, Control::Continue)
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<&str>) -> Control {
        self.record(&instruction, Control::Continue)
    }

    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
        self.record(&token, Control::Continue)
    }

    fn end_of_file(&mut self, offset: usize) {
        self.record(&offset, ());
    }
}

fn record<M: Machine, const WRITTEN: bool>(
    input: &str,
    chunks: &[&str],
    state: Option<M::State>,
) -> Vec<RecordedToken> {
    let mut tokenizer = Tokenizer::<M>::new();
    state.into_iter().for_each(|state| tokenizer.set_state(state));
    let mut sink = TokenRecorder::<WRITTEN> { input, recorded: Vec::new() };
    for chunk in chunks {
        let _ = tokenizer.feed(chunk, &mut sink);
    }
    let _ = tokenizer.finish(&mut sink);
    sink.recorded
}

/// Whether the tokens with text as written, whole and split, equal those with text as parsed.
fn is_unchanged<M: Machine>(input: &str, state: Option<M::State>, seed: u64) -> bool {
    let expected = record::<M, false>(input, &[input], state);
    let chunks = [vec![input], characters(input), cut(&mut Random::new(seed), input, 5)];
    chunks.iter().all(|chunks| record::<M, true>(input, chunks, state) == expected)
}

fn check<M: Machine>(dialect: &str) {
    let alphabet = Alphabet::new(table(dialect));
    let seeds = sample::seeds(dialect, 1..60_000, 4_000);
    for &seed in &seeds {
        let mut random = Random::new(seed);
        let state = alphabet.setup(&mut random).state.and_then(|name| M::State::find(&name));
        let input = alphabet.input(&mut random, 24);
        if !is_unchanged::<M>(&input, state, seed) {
            let shortest = shrink(&input, &|input| !is_unchanged::<M>(input, state, seed));
            let expected = record::<M, false>(&shortest, &[&shortest], state);
            let found = record::<M, true>(&shortest, &[&shortest], state);
            panic!("{dialect}, {state:?}: {shortest:?}\n{expected:?}\n{found:?}");
        }
    }
    report(&format!("{dialect}: {} inputs, text as written", seeds.len()));
}

#[test]
fn text_as_written_matches_the_input() {
    use tabulex::{
        html, html_2007, html_2013, microxml, microxml_2012_12, sky, webvtt, webvtt_file, xml,
        xml_er,
    };
    type Check = (&'static str, fn(&str));
    let checks: [Check; 10] = [
        ("html", check::<html::Html>),
        ("html-2013", check::<html_2013::Html2013>),
        ("html-2007", check::<html_2007::Html2007>),
        ("sky", check::<sky::Sky>),
        ("microxml", check::<microxml::Microxml>),
        ("microxml-2012-12", check::<microxml_2012_12::Microxml201212>),
        ("webvtt", check::<webvtt::Webvtt>),
        ("webvtt-file", check::<webvtt_file::WebvttFile>),
        ("xml", check::<xml::Xml>),
        ("xml-er", check::<xml_er::XmlEr>),
    ];
    let names: Vec<&str> = tabulex::dialects().iter().map(|dialect| dialect.id()).collect();
    assert_eq!(names, checks.map(|(name, _)| name));
    checks.into_iter().for_each(|(name, check)| check(name));
}

/// Text as written has unchanged line ends and U+0000, and is not split at them.
#[test]
fn line_ends_do_not_split_text_as_written() {
    let pieces = |input: &str| {
        struct Pieces(Vec<String>);
        impl MachineSink for Pieces {
            const ERRORS: bool = false;
        }

        impl Sink for Pieces {
            fn text_as_written(&self) -> bool {
                true
            }
            fn text(&mut self, text: Text<'_>) -> Control {
                self.0.push(text.text.to_owned());
                Control::Continue
            }
        }
        let mut pieces = Pieces(Vec::new());
        tabulex::tokenize::<tabulex::html::Html, _>(input, &mut pieces);
        pieces.0
    };
    assert_eq!(pieces("a\r\nb\0\rc<p>\r"), ["a\r\nb\0\rc", "\r"]);
    assert_eq!(pieces("a\r&lt;\r\n"), ["a\r", "<", "\r\n"]);
}
