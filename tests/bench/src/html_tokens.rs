//! Tokenizers of HTML: each tokenizes a page with raw text recognised naively, and looks at all that it is given. They
//! measure nothing. Invariant: each delivers names, attributes, decoded references and text, but for the limits at the end.

use crate::digest::Digest;
use crate::field::{Agreement, Contestant, Field, Work};
use crate::reader::Tokens;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};
use std::cell::RefCell;
use tabulex::{html, html_2013};

pub const FIELD: Field = Field {
    name: "html-tokens",
    folder: "html/pages",
    contestants: &[
        Contestant::new::<Tokens<html::Html, false>>("tabulex html", Agreement::Whole),
        Contestant::new::<Tokens<html::Html, true>>("tabulex html, errors", Agreement::Whole),
        Contestant::new::<Tokens<html_2013::Html2013, false>>(
            "tabulex html-2013",
            Agreement::Part(0.9),
        ),
        Contestant::new::<Gum>("html5gum callback", Agreement::Part(0.1)),
        Contestant::new::<Ever>("html5ever tokenizer", Agreement::Part(0.9)),
        Contestant::new::<Visits>("memchr visits of '<'", Agreement::None),
    ],
};

crate::naive_html!(html::Html, html::State);
crate::naive_html!(html_2013::Html2013, html_2013::State);

struct Gum;

impl Work for Gum {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
        let mut seen = Digest::default();
        let mut places = 0usize;
        let callback = |event: CallbackEvent<'_>, span: html5gum::Span<usize>| -> Option<()> {
            places = places.wrapping_add(span.start);
            match event {
                CallbackEvent::OpenStartTag { name } | CallbackEvent::EndTag { name } => {
                    seen.elements += 1;
                    seen.add(name.len());
                }
                CallbackEvent::AttributeName { name } => {
                    seen.attributes += 1;
                    seen.add(name.len());
                }
                CallbackEvent::AttributeValue { value } => seen.add(value.len()),
                CallbackEvent::String { value } => seen.text += value.len(),
                CallbackEvent::Comment { value } => places = places.wrapping_add(value.len()),
                _ => {}
            }
            None
        };
        let mut emitter = CallbackEmitter::<_, (), usize>::new(callback);
        emitter.naively_switch_states(true);
        for _ in html5gum::Tokenizer::new_with_emitter(document, emitter) {}
        std::hint::black_box(places);
        seen
    }

    fn digest(output: &Digest) -> Digest {
        *output
    }
}

#[derive(Default)]
struct Ever(RefCell<Digest>);

impl TokenSink for Ever {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut seen = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => {
                seen.elements += 1;
                seen.add(tag.name.len());
                for attribute in &tag.attrs {
                    seen.attributes += 1;
                    seen.add(attribute.name.local.len() + attribute.value.len());
                }
                if tag.kind == TagKind::StartTag {
                    return match &*tag.name {
                        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                        "style" | "xmp" | "iframe" | "noembed" | "noframes" => {
                            TokenSinkResult::RawData(RawKind::Rawtext)
                        }
                        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                        "plaintext" => TokenSinkResult::Plaintext,
                        _ => TokenSinkResult::Continue,
                    };
                }
            }
            Token::CharacterTokens(text) => seen.text += text.len(),
            Token::NullCharacterToken => seen.text += 1,
            Token::CommentToken(comment) => drop(std::hint::black_box(comment)),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl Work for Ever {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let queue = BufferQueue::default();
        queue.push_back(document.into());
        let tokenizer = Tokenizer::new(Self::default(), Default::default());
        while !queue.is_empty() {
            let _ = tokenizer.feed(&queue);
        }
        tokenizer.end();
        tokenizer.sink.0.take()
    }

    fn digest(output: &Digest) -> Digest {
        *output
    }
}

struct Visits;

impl Work for Visits {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        Digest {
            elements: memchr::memchr_iter(b'<', document.as_bytes()).count(),
            ..Digest::default()
        }
    }

    fn digest(output: &Digest) -> Digest {
        *output
    }
}
