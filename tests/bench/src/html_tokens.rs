//! HTML tokenizers: each tokenizes a page, switches naively to raw text, and reads names, attributes, decoded
//! references and text of all tokens. The exception is lol_html, which delivers start tags as written, or nothing.

use crate::corpus::Corpus;
use crate::digest::Digest;
use crate::field::{Agreement, Contestant, Field, Work};
use crate::limits;
use crate::reader::{LentTokens, OwnedTokens, Tokens};
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};
use std::cell::RefCell;
use swc_common::BytePos;
use swc_common::input::StringInput;
use swc_html_ast::{AttributeToken, Token as SwcToken, TokenAndSpan};
use swc_html_parser::lexer::{Lexer, State};
use swc_html_parser::parser::input::ParserInput;
use tabulex::html::{self, Html};
use tabulex::html_2013::{self, Html2013};

const OURS: Contestant = Contestant::new::<Tokens<Html, false>>("tabulex html", Agreement::Whole);
const OURS_ERRORS: Contestant =
    Contestant::new::<Tokens<Html, true>>("tabulex html, errors", Agreement::Whole);
const OURS_LENT: Contestant =
    Contestant::new::<LentTokens<Html, false>>("tabulex html, lent", Agreement::Whole);
const OURS_OWNED: Contestant =
    Contestant::new::<OwnedTokens<Html>>("tabulex html, owned", Agreement::Whole);
const HTML5EVER: Contestant =
    Contestant::new::<Html5everTokenizer>("html5ever tokenizer", Agreement::Part(0.9));
const HTML5GUM: Contestant = Contestant::new::<Html5gum>("html5gum callback", Agreement::Part(0.1));
/// lol_html. Its results differ on most pages, as it treats the contents of `noscript` as text, as with scripting.
const LOL_HTML: Contestant =
    Contestant::new::<LolHtml>("lol_html, * handler", Agreement::StartTags(0.1));
const LOL_HTML_NO_HANDLER: Contestant =
    Contestant::new::<LolHtmlWithoutHandler>("lol_html, no handler", Agreement::None);
const SWC: Contestant = Contestant::new::<Swc>("swc lexer", Agreement::StartTags(0.9));

pub const PAGES: Field = Field::new(
    "html-tokens",
    Corpus::Pages,
    &[
        OURS,
        OURS_ERRORS,
        OURS_LENT.aim("1.15x"),
        OURS_OWNED,
        Contestant::new::<Tokens<Html2013, false>>("tabulex html-2013", Agreement::Part(0.9)),
        HTML5EVER.aim("8x"),
        HTML5GUM.aim("4x"),
        LOL_HTML.aim("2x"),
        LOL_HTML_NO_HANDLER.aim("0.8x"),
        SWC,
        limits::VISITS,
        limits::CLASSES,
        limits::COPY,
    ],
);

pub const DENSE: Field = Field::new(
    "dense-tokens",
    Corpus::Dense,
    &[
        OURS,
        OURS_ERRORS,
        OURS_LENT,
        OURS_OWNED,
        HTML5EVER.aim("6x"),
        HTML5GUM,
        LOL_HTML,
        LOL_HTML_NO_HANDLER,
        SWC,
        limits::VISITS,
        limits::COPY,
    ],
);

pub const PROSE: Field = Field::new("prose-tokens", Corpus::Prose, FEW_TAGS);

pub const PLAIN: Field = Field::new("plain-tokens", Corpus::Plain, FEW_TAGS);

/// The contestants on texts with few tags.
const FEW_TAGS: &[Contestant] = &[
    OURS,
    OURS_ERRORS,
    HTML5EVER,
    HTML5GUM,
    LOL_HTML,
    LOL_HTML_NO_HANDLER,
    SWC,
    limits::VISITS.aim("0.5x"),
    limits::COPY,
];

crate::naive_html!(Html, html::State);
crate::naive_html!(Html2013, html_2013::State);

struct Html5gum;

impl Work for Html5gum {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
        let mut digest = Digest::default();
        let mut checksum = 0usize;
        let callback = |event: CallbackEvent<'_>, span: html5gum::Span<usize>| -> Option<()> {
            checksum = checksum.wrapping_add(span.start);
            match event {
                CallbackEvent::OpenStartTag { name } => {
                    digest.start_tags += 1;
                    digest.elements += 1;
                    digest.add_len(name.len());
                }
                CallbackEvent::EndTag { name } => {
                    digest.elements += 1;
                    digest.add_len(name.len());
                }
                CallbackEvent::AttributeName { name } => {
                    digest.attributes += 1;
                    digest.add_len(name.len());
                }
                CallbackEvent::AttributeValue { value } => digest.add_len(value.len()),
                CallbackEvent::String { value } => digest.text += value.len(),
                CallbackEvent::Comment { value } => checksum = checksum.wrapping_add(value.len()),
                _ => {}
            }
            None
        };
        let mut emitter = CallbackEmitter::<_, (), usize>::new(callback);
        emitter.naively_switch_states(true);
        for _ in html5gum::Tokenizer::new_with_emitter(document, emitter) {}
        std::hint::black_box(checksum);
        digest
    }
}

#[derive(Default)]
struct Html5everTokenizer(RefCell<Digest>);

impl TokenSink for Html5everTokenizer {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut digest = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => {
                digest.elements += 1;
                digest.add_len(tag.name.len());
                for attribute in &tag.attrs {
                    digest.attributes += 1;
                    digest.add_len(attribute.name.local.len() + attribute.value.len());
                }
                if tag.kind == TagKind::StartTag {
                    digest.start_tags += 1;
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
            Token::CharacterTokens(text) => digest.text += text.len(),
            Token::NullCharacterToken => digest.text += 1,
            Token::CommentToken(comment) => drop(std::hint::black_box(comment)),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl Work for Html5everTokenizer {
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
}

struct LolHtml;

impl Work for LolHtml {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let mut digest = Digest::default();
        let handler = lol_html::element!("*", |element| {
            digest.start_tags += 1;
            digest.attributes += element.attributes().len();
            Ok(())
        });
        let settings = lol_html::Settings::new().append_element_content_handler(handler);
        let mut rewriter = lol_html::HtmlRewriter::new(settings.with_strict(false), |_: &[u8]| {});
        rewriter.write(document.as_bytes()).expect("no memory limit is set");
        rewriter.end().expect("no memory limit is set");
        digest
    }
}

/// lol_html without a handler: it finds the ends of tags and delivers nothing.
struct LolHtmlWithoutHandler;

impl Work for LolHtmlWithoutHandler {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let settings = lol_html::Settings::new().with_strict(false);
        let mut rewriter = lol_html::HtmlRewriter::new(settings, |_: &[u8]| {});
        rewriter.write(document.as_bytes()).expect("no memory limit is set");
        rewriter.end().expect("no memory limit is set");
        Digest::default()
    }
}

struct Swc;

impl Work for Swc {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let (start, end) = (BytePos(1), BytePos(document.len() as u32 + 1));
        let mut lexer = Lexer::new(StringInput::new(document, start, end));
        let mut digest = Digest::default();
        while let Some(TokenAndSpan { token, .. }) = lexer.next() {
            match token {
                SwcToken::StartTag { tag_name, attributes, .. } => {
                    digest.start_tags += 1;
                    digest_swc_tag(&mut digest, &tag_name, &attributes);
                    let state = match &*tag_name {
                        "title" | "textarea" => State::Rcdata,
                        "style" | "xmp" | "iframe" | "noembed" | "noframes" => State::Rawtext,
                        "script" => State::ScriptData,
                        "plaintext" => State::PlainText,
                        _ => continue,
                    };
                    lexer.set_last_start_tag_name(&tag_name);
                    lexer.set_input_state(state);
                }
                SwcToken::EndTag { tag_name, attributes, .. } => {
                    digest_swc_tag(&mut digest, &tag_name, &attributes);
                }
                SwcToken::Character { value, .. } => digest.text += value.len_utf8(),
                SwcToken::Comment { data, .. } => drop(std::hint::black_box(data)),
                SwcToken::Eof => break,
                _ => {}
            }
        }
        digest
    }
}

fn digest_swc_tag(digest: &mut Digest, name: &str, attributes: &[AttributeToken]) {
    digest.elements += 1;
    digest.add_len(name.len());
    for attribute in attributes {
        digest.attributes += 1;
        digest.add_len(
            attribute.name.len() + attribute.value.as_ref().map_or(0, |value| value.len()),
        );
    }
}
