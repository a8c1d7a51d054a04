//! The contestants: each tokenizes a page with raw text recognised naively, looks at all that it is given, and sums it
//! up. They measure nothing. Invariant: each delivers names, attributes, decoded references and text.

use std::iter::Sum;

/// What a contestant has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    pub tags: usize,
    pub attributes: usize,
    pub names: usize,
    pub values: usize,
    pub text: usize,
    pub comments: usize,
    pub spans: usize,
}

impl Sum for Sums {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            tags: a.tags + b.tags,
            attributes: a.attributes + b.attributes,
            names: a.names + b.names,
            values: a.values + b.values,
            text: a.text + b.text,
            comments: a.comments + b.comments,
            spans: a.spans.wrapping_add(b.spans),
        })
    }
}

pub type Contestant = (&'static str, fn(&str) -> Sums);

pub const CONTESTANTS: &[Contestant] = &[
    ("tabulex html-2013", tabulex_no_errors),
    ("tabulex html-2013, errors", tabulex_errors),
    ("html5gum callback", html5gum_callback),
    ("html5ever", html5ever),
    ("memchr visits of '<'", memchr_visits),
];

struct Reader<const ERRORS: bool>(Sums, usize);

impl<const ERRORS: bool> tabulex::Sink<tabulex::html_2013::Html2013> for Reader<ERRORS> {
    const ERRORS: bool = ERRORS;

    fn text(&mut self, text: tabulex::Text<'_>) -> tabulex::Control<tabulex::html_2013::State> {
        self.0.text += text.text.len();
        self.0.spans = self.0.spans.wrapping_add(text.span.start);
        tabulex::Control::Continue
    }

    fn start_tag(&mut self, tag: tabulex::Tag<'_>) -> tabulex::Control<tabulex::html_2013::State> {
        use tabulex::html_2013::State;
        self.tag(&tag);
        let state = match tag.name() {
            "title" | "textarea" => State::Rcdata,
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => State::Rawtext,
            "script" => State::ScriptData,
            "plaintext" => State::Plaintext,
            _ => return tabulex::Control::Continue,
        };
        tabulex::Control::Switch(state)
    }

    fn end_tag(&mut self, tag: tabulex::Tag<'_>) -> tabulex::Control<tabulex::html_2013::State> {
        self.tag(&tag);
        tabulex::Control::Continue
    }

    fn comment(&mut self, comment: tabulex::Comment<'_>) -> tabulex::Control<tabulex::html_2013::State> {
        self.0.comments += comment.data.len();
        tabulex::Control::Continue
    }

    fn error(&mut self, error: tabulex::Error<tabulex::html_2013::ErrorCode>) {
        self.1 += error.span.start;
    }
}

impl<const ERRORS: bool> Reader<ERRORS> {
    #[inline]
    fn tag(&mut self, tag: &tabulex::Tag<'_>) {
        self.0.tags += 1;
        self.0.names += tag.name().len();
        self.0.spans = self.0.spans.wrapping_add(tag.span().start + tag.name_span().end);
        for attribute in tag.attributes() {
            self.0.attributes += 1;
            self.0.names += attribute.name.len();
            self.0.values += attribute.value.len();
            self.0.spans = self.0.spans.wrapping_add(attribute.name_span.start + attribute.value_span.end);
        }
    }
}

fn tabulex_no_errors(page: &str) -> Sums {
    let mut reader = Reader::<false>(Sums::default(), 0);
    tabulex::tokenize(page, &mut reader);
    reader.0
}

fn tabulex_errors(page: &str) -> Sums {
    let mut reader = Reader::<true>(Sums::default(), 0);
    tabulex::tokenize(page, &mut reader);
    std::hint::black_box(reader.1);
    reader.0
}

fn html5gum_callback(page: &str) -> Sums {
    use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
    let mut sums = Sums::default();
    let callback = |event: CallbackEvent<'_>, span: html5gum::Span<usize>| -> Option<()> {
        sums.spans = sums.spans.wrapping_add(span.start);
        match event {
            CallbackEvent::OpenStartTag { name } | CallbackEvent::EndTag { name } => {
                sums.tags += 1;
                sums.names += name.len();
            }
            CallbackEvent::AttributeName { name } => {
                sums.attributes += 1;
                sums.names += name.len();
            }
            CallbackEvent::AttributeValue { value } => sums.values += value.len(),
            CallbackEvent::String { value } => sums.text += value.len(),
            CallbackEvent::Comment { value } => sums.comments += value.len(),
            _ => {}
        }
        None
    };
    let mut emitter = CallbackEmitter::<_, (), usize>::new(callback);
    emitter.naively_switch_states(true);
    for _ in html5gum::Tokenizer::new_with_emitter(page, emitter) {}
    sums
}

struct Ever(std::cell::RefCell<Sums>);

impl html5ever::tokenizer::TokenSink for Ever {
    type Handle = ();

    fn process_token(&self, token: html5ever::tokenizer::Token, _line: u64) -> html5ever::tokenizer::TokenSinkResult<()> {
        use html5ever::tokenizer::states::RawKind;
        use html5ever::tokenizer::{TagKind, Token, TokenSinkResult};
        let mut sums = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => {
                sums.tags += 1;
                sums.names += tag.name.len();
                for attribute in &tag.attrs {
                    sums.attributes += 1;
                    sums.names += attribute.name.local.len();
                    sums.values += attribute.value.len();
                }
                if tag.kind == TagKind::StartTag {
                    return match &*tag.name {
                        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                        "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
                        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                        "plaintext" => TokenSinkResult::Plaintext,
                        _ => TokenSinkResult::Continue,
                    };
                }
            }
            Token::CharacterTokens(text) => sums.text += text.len(),
            Token::NullCharacterToken => sums.text += 1,
            Token::CommentToken(comment) => sums.comments += comment.len(),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn html5ever(page: &str) -> Sums {
    use html5ever::tendril::StrTendril;
    use html5ever::tokenizer::{BufferQueue, Tokenizer};
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(page));
    let tokenizer = Tokenizer::new(Ever(Default::default()), Default::default());
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.0.take()
}

fn memchr_visits(page: &str) -> Sums {
    let visits = memchr::memchr_iter(b'<', page.as_bytes());
    Sums { tags: visits.count(), ..Sums::default() }
}
