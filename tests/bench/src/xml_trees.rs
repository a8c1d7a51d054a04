//! XML tree builders: each parses the whole document, and drops the tree within the measured time.

use crate::corpus::Corpus;
use crate::digest::{Comparable, Digest};
use crate::field::{Agreement, Contestant, Field, Work};
use crate::reader::{OneParser, Trees};
use crate::xml_tokens::TWO_THIRDS;
use markup5ever_rcdom::RcDom;
use tabulex::xml_er::XmlEr;
use xml5ever::tendril::TendrilSink;

pub const FIELD: Field = Field::new(
    "xml-trees",
    Corpus::Xml,
    &[
        Contestant::new::<Trees<XmlEr, false, true>>("tabulex xml-er tree", Agreement::Whole),
        Contestant::new::<Trees<XmlEr, true, true>>(
            "tabulex xml-er tree, errors",
            Agreement::Whole,
        ),
        Contestant::new::<Trees<XmlEr, false, false>>(
            "tabulex, without positions",
            Agreement::Whole,
        ),
        Contestant::new::<OneParser<XmlEr>>("tabulex, one parser for all", Agreement::Whole)
            .with_work(OneParser::<XmlEr>::work_all),
        Contestant::new::<Roxmltree>("roxmltree", TWO_THIRDS).aim("2x"),
        Contestant::new::<XmlRcDomTree>("xml5ever with rcdom", TWO_THIRDS).aim("12x"),
    ],
);

struct Roxmltree;

impl Work for Roxmltree {
    type Output<'a> = roxmltree::Document<'a>;

    fn work(document: &str) -> roxmltree::Document<'_> {
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        roxmltree::Document::parse_with_options(document, options)
            .expect("the document is well-formed")
    }
}

impl Comparable for roxmltree::Document<'_> {
    fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        for node in self.descendants() {
            if node.is_element() {
                digest.add_element(node.tag_name().name());
                node.attributes().for_each(|attribute| {
                    digest.add_attribute(attribute.name(), attribute.value());
                });
            } else if node.is_text() {
                digest.add_text(node.text().unwrap_or_default());
            }
        }
        digest
    }
}

struct XmlRcDomTree;

impl Work for XmlRcDomTree {
    type Output<'a> = RcDom;

    fn work(document: &str) -> RcDom {
        xml5ever::driver::parse_document(RcDom::default(), Default::default()).one(document)
    }
}
