//! The contestants of tabulex: token readers and tree parsers, which read names, attributes, decoded references, texts and
//! ranges.

use crate::digest::{Comparable, Digest};
use crate::field::Work;
use std::hint::black_box;
use std::marker::PhantomData;
use tabulex::tree::{NameRef, Namespace, Positions};
use tabulex::{
    Comment, Construction, Control, Entry, Machine, MachineSink, Options, ParseError, Parsed,
    Parser, ProcessingInstruction, Sink, Tag, TagRef, Text, Token, TokenReader, TokenRef,
};

/// A machine that can be switched to raw text without tree construction.
pub trait Naive: Machine {
    /// Returns the state for the contents of the element `name`, or `None` if they are not raw text.
    fn raw_text(name: &str) -> Option<Entry>;
}

/// Implements [`Naive`](crate::reader::Naive) for a machine whose states have HTML's names.
#[macro_export]
macro_rules! naive_html {
    ($machine:ty, $state:ty) => {
        impl $crate::reader::Naive for $machine {
            #[inline]
            fn raw_text(name: &str) -> Option<tabulex::Entry> {
                let state = match name {
                    "title" | "textarea" => Some(<$state>::Rcdata),
                    "style" | "xmp" | "iframe" | "noembed" | "noframes" => Some(<$state>::Rawtext),
                    "script" => Some(<$state>::ScriptData),
                    "plaintext" => Some(<$state>::Plaintext),
                    _ => None,
                };
                state.map(tabulex::Entry::state::<$machine>)
            }
        }
    };
}

/// A contestant that reads all tokens with a sink.
pub struct Tokens<M, const ERRORS: bool>(PhantomData<M>);

impl<M: Naive, const ERRORS: bool> Work for Tokens<M, ERRORS> {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let mut reader =
            DigestSink::<ERRORS> { digest: Digest::default(), checksum: 0, raw_text: M::raw_text };
        tabulex::tokenize::<M, _>(document, &mut reader);
        black_box(reader.checksum);
        reader.digest
    }
}

struct DigestSink<const ERRORS: bool> {
    digest: Digest,
    checksum: usize,
    raw_text: fn(&str) -> Option<Entry>,
}

impl<const ERRORS: bool> MachineSink for DigestSink<ERRORS> {
    const ERRORS: bool = ERRORS;
}

impl<const ERRORS: bool> Sink for DigestSink<ERRORS> {
    #[inline]
    fn text(&mut self, text: Text<'_>) -> Control {
        self.digest.text += text.text.len();
        self.checksum = self.checksum.wrapping_add(text.span.start);
        Control::Continue
    }

    #[inline]
    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        self.digest.start_tags += 1;
        self.digest_tag(&tag);
        (self.raw_text)(tag.name()).map_or(Control::Continue, Control::Enter)
    }

    #[inline]
    fn end_tag(&mut self, tag: Tag<'_>) -> Control {
        self.digest_tag(&tag);
        Control::Continue
    }

    fn comment(&mut self, comment: Comment<'_>) -> Control {
        self.checksum = self.checksum.wrapping_add(comment.data.len());
        Control::Continue
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<&str>) -> Control {
        self.checksum = self.checksum.wrapping_add(instruction.data.len());
        Control::Continue
    }

    fn error(&mut self, error: ParseError) {
        self.checksum = self.checksum.wrapping_add(error.span.start);
    }
}

impl<const ERRORS: bool> DigestSink<ERRORS> {
    #[inline]
    fn digest_tag(&mut self, tag: &Tag<'_>) {
        self.digest.elements += 1;
        self.digest.add_len(tag.name().len());
        self.checksum = self.checksum.wrapping_add(tag.span().start + tag.name_span().end);
        for attribute in tag.attributes() {
            self.digest.attributes += 1;
            self.digest.add_len(attribute.name.len() + attribute.value.len());
            self.checksum =
                self.checksum.wrapping_add(attribute.name_span.start + attribute.value_span.end);
        }
    }
}

/// A contestant that reads all tokens with the lending reader.
pub struct LentTokens<M, const ERRORS: bool>(PhantomData<M>);

impl<M: Machine, const ERRORS: bool> Work for LentTokens<M, ERRORS> {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let (mut digest, mut checksum) = (Digest::default(), 0_usize);
        let mut tokens = TokenReader::<M, ERRORS>::new(document);
        while let Some(token) = tokens.next_token() {
            let summand = match token {
                TokenRef::Text(text, span) => {
                    digest.text += text.len();
                    span.start
                }
                TokenRef::StartTag(tag) => {
                    digest.start_tags += 1;
                    digest_lent_tag(&tag, &mut digest)
                }
                TokenRef::EndTag(tag) => digest_lent_tag(&tag, &mut digest),
                TokenRef::Comment(comment) => comment.data.len(),
                TokenRef::ProcessingInstruction(instruction) => instruction.data.len(),
                _ => 0,
            };
            checksum = checksum.wrapping_add(summand);
        }
        black_box((checksum, tokens.take_errors().len()));
        digest
    }
}

#[inline]
fn digest_lent_tag(tag: &TagRef<'_>, digest: &mut Digest) -> usize {
    digest.elements += 1;
    digest.add_len(tag.name().len());
    let mut checksum = tag.span().start + tag.name_span().end;
    for attribute in tag.attributes() {
        digest.attributes += 1;
        digest.add_len(attribute.name.len() + attribute.value.len());
        checksum = checksum.wrapping_add(attribute.name_span.start + attribute.value_span.end);
    }
    checksum
}

/// A contestant that reads all tokens with the iterator, which yields owned tokens.
pub struct OwnedTokens<M>(PhantomData<M>);

impl<M: Machine> Work for OwnedTokens<M> {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let (mut digest, mut checksum) = (Digest::default(), 0_usize);
        for token in tabulex::Tokens::<M>::new(document) {
            let is_start = matches!(token, Token::StartTag(_));
            let summand = match token {
                Token::Text(text, span) => {
                    digest.text += text.len();
                    span.start
                }
                Token::StartTag(tag) | Token::EndTag(tag) => {
                    digest.start_tags += usize::from(is_start);
                    digest.elements += 1;
                    digest.add_len(tag.name.len());
                    for attribute in &tag.attributes {
                        digest.attributes += 1;
                        digest.add_len(attribute.name.len() + attribute.value.len());
                    }
                    tag.span.start
                }
                _ => 0,
            };
            checksum = checksum.wrapping_add(summand);
        }
        black_box(checksum);
        digest
    }
}

/// A contestant that builds each tree with a new parser.
pub struct Trees<M, const ERRORS: bool, const POSITIONS: bool>(PhantomData<M>);

impl<M: Construction, const ERRORS: bool, const POSITIONS: bool> Work
    for Trees<M, ERRORS, POSITIONS>
{
    type Output<'a> = Parsed;

    fn work(document: &str) -> Parsed {
        let positions = if POSITIONS { Positions::All } else { Positions::None };
        tabulex::parse::<M>(document, &Options::new().errors(ERRORS).positions(positions))
    }
}

/// A contestant that builds all trees with one parser, which reuses the memory of each tree.
pub struct OneParser<M>(PhantomData<M>);

impl<M: Construction> OneParser<M> {
    /// Parses the documents in turn, with one parser for all.
    pub fn work_all(documents: &[String]) {
        let mut parser = Self::parser();
        for document in documents {
            let parsed = black_box(parser.parse(black_box(document)));
            parser.recycle(parsed.tree);
        }
    }

    fn parser() -> Parser<M> {
        Parser::new(&Options::new().errors(false))
    }
}

impl<M: Construction> Work for OneParser<M> {
    type Output<'a> = Parsed;

    /// Parses a document with a parser that has parsed it before.
    fn work(document: &str) -> Parsed {
        let mut parser = Self::parser();
        let first_parsed = parser.parse(document);
        parser.recycle(first_parsed.tree);
        parser.parse(document)
    }
}

impl Comparable for Parsed {
    fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        let mut pending = vec![self.tree.root()];
        while let Some(node) = pending.pop() {
            if let Some(name) = node.local_name() {
                digest.add_element(name);
                let declares_namespace = |name: NameRef<'_>| name.namespace() == Namespace::XMLNS;
                for attribute in
                    node.attributes().filter(|attribute| !declares_namespace(attribute.name()))
                {
                    digest.add_attribute(attribute.name().local(), attribute.value());
                }
            } else if node.is_text() {
                digest.add_text(node.data().unwrap_or_default());
            }
            // Template contents are pushed first, so they are visited after the children, as in the digest of `RcDom`.
            pending.extend(node.template_contents());
            pending.extend(node.children().rev());
        }
        digest
    }
}
