//! The contestants for XML: tokenizers, and builders of trees, which look at all that they made and sum it up. They measure
//! nothing. Invariant: each delivers names, attributes, decoded references and text; trees are walked as well.

use crate::contestants::{Contestant, Sums};
use tabulex::tree::Positions;
use tabulex::xml_er::{ErrorCode, State, XmlEr};
use tabulex::{Comment, Control, Error, Options, ProcessingInstruction, Sink, Tag, Text};

pub const TOKENIZERS: &[Contestant] = &[
    ("tabulex xml-er", tabulex_no_errors),
    ("tabulex xml-er, errors", tabulex_errors),
    ("quick-xml with attributes", quick_xml),
    ("xml5ever", xml5ever),
];

pub const TREES: &[Contestant] = &[
    ("tabulex xml-er tree", tabulex_tree),
    ("tabulex xml-er tree, errors", tabulex_tree_errors),
    ("tabulex, without positions", tabulex_tree_no_positions),
    ("roxmltree", roxmltree),
    ("xml5ever with rcdom", rcdom),
];

struct Reader<const ERRORS: bool>(Sums, usize);

impl<const ERRORS: bool> Sink<XmlEr> for Reader<ERRORS> {
    const ERRORS: bool = ERRORS;

    fn text(&mut self, text: Text<'_>) -> Control<State> {
        self.0.text += text.text.len();
        self.0.spans = self.0.spans.wrapping_add(text.span.start);
        Control::Continue
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> Control<State> {
        self.tag(&tag);
        Control::Continue
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> Control<State> {
        self.tag(&tag);
        Control::Continue
    }

    fn comment(&mut self, comment: Comment<'_>) -> Control<State> {
        self.0.comments += comment.data.len();
        Control::Continue
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<'_>) -> Control<State> {
        self.0.comments += instruction.data.len();
        Control::Continue
    }

    fn error(&mut self, error: Error<ErrorCode>) {
        self.1 += error.span.start;
    }
}

impl<const ERRORS: bool> Reader<ERRORS> {
    #[inline]
    fn tag(&mut self, tag: &Tag<'_>) {
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

fn quick_xml(page: &str) -> Sums {
    use quick_xml::XmlVersion;
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(page);
    let mut sums = Sums::default();
    loop {
        match reader.read_event().expect("well-formed") {
            event @ (Event::Start(_) | Event::Empty(_)) => {
                let (Event::Start(tag) | Event::Empty(tag)) = event else { continue };
                sums.tags += 1;
                sums.names += tag.name().as_ref().len();
                for attribute in tag.attributes() {
                    let attribute = attribute.expect("well-formed");
                    sums.attributes += 1;
                    sums.names += attribute.key.as_ref().len();
                    sums.values += attribute.normalized_value(XmlVersion::Implicit1_0).expect("references").len();
                }
            }
            Event::End(tag) => {
                sums.tags += 1;
                sums.names += tag.name().as_ref().len();
            }
            Event::Text(text) => sums.text += text.xml10_content().len(),
            Event::CData(text) => sums.text += text.len(),
            Event::GeneralRef(_) => sums.text += 1,
            Event::Comment(comment) => sums.comments += comment.len(),
            Event::Eof => return sums,
            _ => {}
        }
    }
}

struct Ever(std::cell::RefCell<Sums>);

impl xml5ever::tokenizer::TokenSink for Ever {
    type Handle = ();

    fn process_token(&self, token: xml5ever::tokenizer::Token) -> xml5ever::tokenizer::ProcessResult<()> {
        use xml5ever::tokenizer::{ProcessResult, Token};
        let mut sums = self.0.borrow_mut();
        match token {
            Token::Tag(tag) => {
                sums.tags += 1;
                sums.names += tag.name.local.len();
                for attribute in &tag.attrs {
                    sums.attributes += 1;
                    sums.names += attribute.name.local.len();
                    sums.values += attribute.value.len();
                }
            }
            Token::Characters(text) => sums.text += text.len(),
            Token::NullCharacter => sums.text += 1,
            Token::Comment(comment) => sums.comments += comment.len(),
            Token::ProcessingInstruction(instruction) => sums.comments += instruction.data.len(),
            _ => {}
        }
        ProcessResult::Continue
    }
}

fn xml5ever(page: &str) -> Sums {
    use xml5ever::buffer_queue::BufferQueue;
    use xml5ever::tendril::StrTendril;
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(page));
    let tokenizer = xml5ever::tokenizer::XmlTokenizer::new(Ever(Default::default()), Default::default());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink.0.take()
}

fn tree(page: &str, options: Options) -> Sums {
    let parsed = tabulex::xml_er::parse(page, options);
    let mut sums = Sums::default();
    for node in parsed.tree.root().descendants() {
        if let Some(name) = node.local_name() {
            sums.tags += 1;
            sums.names += name.len();
            for attribute in node.attributes() {
                sums.attributes += 1;
                sums.values += attribute.value().len();
            }
        } else if node.is_text() {
            sums.text += node.data().map_or(0, str::len);
        }
    }
    std::hint::black_box(parsed.errors.len());
    sums
}

fn tabulex_tree(page: &str) -> Sums {
    tree(page, Options::new().errors(false))
}

fn tabulex_tree_errors(page: &str) -> Sums {
    tree(page, Options::new())
}

fn tabulex_tree_no_positions(page: &str) -> Sums {
    tree(page, Options::new().errors(false).positions(Positions::None))
}

fn roxmltree(page: &str) -> Sums {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(page, options).expect("well-formed");
    let mut sums = Sums::default();
    for node in document.descendants() {
        if node.is_element() {
            sums.tags += 1;
            sums.names += node.tag_name().name().len();
            for attribute in node.attributes() {
                sums.attributes += 1;
                sums.values += attribute.value().len();
            }
        } else if node.is_text() {
            sums.text += node.text().map_or(0, str::len);
        }
    }
    sums
}

fn rcdom(page: &str) -> Sums {
    use markup5ever_rcdom::{NodeData, RcDom};
    use xml5ever::tendril::TendrilSink;
    let dom = xml5ever::driver::parse_document(RcDom::default(), Default::default()).one(page);
    let mut sums = Sums::default();
    let mut waiting = vec![dom.document.clone()];
    while let Some(node) = waiting.pop() {
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                sums.tags += 1;
                sums.names += name.local.len();
                for attribute in attrs.borrow().iter() {
                    sums.attributes += 1;
                    sums.values += attribute.value.len();
                }
            }
            NodeData::Text { contents } => sums.text += contents.borrow().len(),
            _ => {}
        }
        waiting.extend(node.children.borrow().iter().cloned());
    }
    sums
}
