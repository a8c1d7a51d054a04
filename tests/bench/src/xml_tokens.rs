//! XML tokenizers: each reads names, attributes, decoded references and text of all tokens, unless noted.

use crate::corpus::Corpus;
use crate::digest::Digest;
use crate::field::{Agreement, Contestant, Field, Work};
use crate::limits;
use crate::reader::{LentTokens, Naive, OwnedTokens, Tokens};
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use std::cell::RefCell;
use tabulex::Entry;
use tabulex::xml_er::XmlEr;
use xml5ever::buffer_queue::BufferQueue;
use xml5ever::tokenizer::{ProcessResult, TagKind, Token, TokenSink, XmlTokenizer};

/// Required agreement with contestants that do not support the entities and default attribute values of one of three
/// documents.
pub const TWO_THIRDS: Agreement = Agreement::Part(2.0 / 3.0);

pub const FIELD: Field = Field::new(
    "xml-tokens",
    Corpus::Xml,
    &[
        Contestant::new::<Tokens<XmlEr, false>>("tabulex xml-er", Agreement::Whole),
        Contestant::new::<Tokens<XmlEr, true>>("tabulex xml-er, errors", Agreement::Whole),
        Contestant::new::<LentTokens<XmlEr, false>>("tabulex xml-er, lent", Agreement::Whole),
        Contestant::new::<OwnedTokens<XmlEr>>("tabulex xml-er, owned", Agreement::Whole),
        Contestant::new::<QuickXml<true>>("quick-xml with attributes", Agreement::None).aim("1.5x"),
        Contestant::new::<QuickXml<false>>("quick-xml, events only", Agreement::StartTags(1.0)),
        Contestant::new::<Xmlparser>("xmlparser", Agreement::StartTags(1.0)),
        Contestant::new::<Xml5everTokenizer>("xml5ever tokenizer", TWO_THIRDS).aim("8x"),
        limits::VISITS,
        limits::COPY,
    ],
);

impl Naive for XmlEr {
    fn raw_text(_: &str) -> Option<Entry> {
        None
    }
}

/// quick-xml; without `ATTRIBUTES`, attributes are not parsed, and references in them not decoded.
struct QuickXml<const ATTRIBUTES: bool>;

impl<const ATTRIBUTES: bool> Work for QuickXml<ATTRIBUTES> {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let mut reader = quick_xml::Reader::from_str(document);
        let mut digest = Digest::default();
        loop {
            match reader.read_event().expect("the document is well-formed") {
                Event::Start(tag) | Event::Empty(tag) => {
                    digest.start_tags += 1;
                    digest.elements += 1;
                    digest.add_len(tag.name().as_ref().len());
                    if ATTRIBUTES {
                        digest_attributes(&mut digest, &tag);
                    }
                }
                Event::End(tag) => {
                    digest.elements += 1;
                    digest.add_len(tag.name().as_ref().len());
                }
                Event::Text(text) if ATTRIBUTES => digest.text += text.xml10_content().len(),
                Event::Text(text) => digest.text += text.len(),
                Event::CData(text) => digest.text += text.len(),
                Event::GeneralRef(_) => digest.text += 1,
                Event::Eof => return digest,
                _ => {}
            }
        }
    }
}

fn digest_attributes(digest: &mut Digest, tag: &BytesStart<'_>) {
    for attribute in tag.attributes() {
        let attribute = attribute.expect("the document is well-formed");
        let value =
            attribute.normalized_value(XmlVersion::Implicit1_0).expect("references are valid");
        digest.attributes += 1;
        digest.add_len(attribute.key.as_ref().len() + value.len());
    }
}

/// xmlparser, which does not decode references.
struct Xmlparser;

impl Work for Xmlparser {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let mut digest = Digest::default();
        for token in xmlparser::Tokenizer::from(document) {
            match token.expect("the document is well-formed") {
                xmlparser::Token::ElementStart { local, .. } => {
                    digest.start_tags += 1;
                    digest.add_len(local.len());
                }
                xmlparser::Token::Attribute { local, value, .. } => {
                    digest.attributes += 1;
                    digest.add_len(local.len() + value.len());
                }
                xmlparser::Token::Text { text } | xmlparser::Token::Cdata { text, .. } => {
                    digest.text += text.len();
                }
                _ => {}
            }
        }
        digest
    }
}

#[derive(Default)]
struct Xml5everTokenizer(RefCell<Digest>);

impl TokenSink for Xml5everTokenizer {
    type Handle = ();

    fn process_token(&self, token: Token) -> ProcessResult<()> {
        let mut digest = self.0.borrow_mut();
        match token {
            Token::Tag(tag) => {
                let is_start = matches!(tag.kind, TagKind::StartTag | TagKind::EmptyTag);
                digest.start_tags += usize::from(is_start);
                digest.elements += 1;
                digest.add_len(tag.name.local.len());
                for attribute in &tag.attrs {
                    digest.attributes += 1;
                    digest.add_len(attribute.name.local.len() + attribute.value.len());
                }
            }
            Token::Characters(text) => digest.text += text.len(),
            Token::NullCharacter => digest.text += 1,
            _ => {}
        }
        ProcessResult::Continue
    }
}

impl Work for Xml5everTokenizer {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let queue = BufferQueue::default();
        queue.push_back(document.into());
        let tokenizer = XmlTokenizer::new(Self::default(), Default::default());
        let _ = tokenizer.feed(&queue);
        tokenizer.end();
        tokenizer.sink.0.take()
    }
}
