//! Tokenizers of XML: each looks at all that it is given. They measure nothing. Invariant: each delivers names,
//! attributes, decoded references and text.

use crate::digest::Digest;
use crate::field::{Agreement, Contestant, Field, Work};
use crate::reader::{Naive, Tokens};
use quick_xml::XmlVersion;
use quick_xml::events::Event;
use std::cell::RefCell;
use tabulex::xml_er::{State, XmlEr};
use xml5ever::buffer_queue::BufferQueue;
use xml5ever::tokenizer::{ProcessResult, Token, TokenSink, XmlTokenizer};

/// One of the three documents declares attributes with defaults, and entities, which not all look at.
pub const OTHERS: Agreement = Agreement::Part(2.0 / 3.0);

pub const FIELD: Field = Field {
    name: "xml-tokens",
    folder: "xml",
    contestants: &[
        Contestant::new::<Tokens<XmlEr, false>>("tabulex xml-er", Agreement::Whole),
        Contestant::new::<Tokens<XmlEr, true>>("tabulex xml-er, errors", Agreement::Whole),
        Contestant::new::<Quick>("quick-xml with attributes", Agreement::None),
        Contestant::new::<Ever>("xml5ever tokenizer", OTHERS),
    ],
};

impl Naive for XmlEr {
    fn raw_text(_: &str) -> Option<State> {
        None
    }
}

struct Quick;

impl Work for Quick {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let mut reader = quick_xml::Reader::from_str(document);
        let mut seen = Digest::default();
        loop {
            match reader.read_event().expect("well-formed") {
                Event::Start(tag) | Event::Empty(tag) => {
                    seen.elements += 1;
                    seen.add(tag.name().as_ref().len());
                    for attribute in tag.attributes() {
                        let attribute = attribute.expect("well-formed");
                        let value = attribute
                            .normalized_value(XmlVersion::Implicit1_0)
                            .expect("references");
                        seen.attributes += 1;
                        seen.add(attribute.key.as_ref().len() + value.len());
                    }
                }
                Event::End(tag) => {
                    seen.elements += 1;
                    seen.add(tag.name().as_ref().len());
                }
                Event::Text(text) => seen.text += text.xml10_content().len(),
                Event::CData(text) => seen.text += text.len(),
                Event::GeneralRef(_) => seen.text += 1,
                Event::Eof => return seen,
                _ => {}
            }
        }
    }

    fn digest(output: &Digest) -> Digest {
        *output
    }
}

#[derive(Default)]
struct Ever(RefCell<Digest>);

impl TokenSink for Ever {
    type Handle = ();

    fn process_token(&self, token: Token) -> ProcessResult<()> {
        let mut seen = self.0.borrow_mut();
        match token {
            Token::Tag(tag) => {
                seen.elements += 1;
                seen.add(tag.name.local.len());
                for attribute in &tag.attrs {
                    seen.attributes += 1;
                    seen.add(attribute.name.local.len() + attribute.value.len());
                }
            }
            Token::Characters(text) => seen.text += text.len(),
            Token::NullCharacter => seen.text += 1,
            _ => {}
        }
        ProcessResult::Continue
    }
}

impl Work for Ever {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let queue = BufferQueue::default();
        queue.push_back(document.into());
        let tokenizer = XmlTokenizer::new(Self::default(), Default::default());
        let _ = tokenizer.feed(&queue);
        tokenizer.end();
        tokenizer.sink.0.take()
    }

    fn digest(output: &Digest) -> Digest {
        *output
    }
}
