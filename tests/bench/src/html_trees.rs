//! Builders of trees of HTML. They measure nothing. Invariant: each parses the whole document, and what it made is freed
//! within the measured time.

use crate::digest::Digest;
use crate::field::{Agreement, Contestant, Field, Work};
use crate::rcdom;
use crate::reader::Trees;
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::RcDom;
use tabulex::html::Html;

pub const FIELD: Field = Field {
    name: "html-trees",
    folder: "html/pages",
    contestants: &[
        Contestant::new::<Trees<Html, false, true>>("tabulex html tree", Agreement::Whole),
        Contestant::new::<Trees<Html, true, true>>("tabulex html tree, errors", Agreement::Whole),
        Contestant::new::<Trees<Html, false, false>>(
            "tabulex, without positions",
            Agreement::Whole,
        ),
        Contestant::new::<Ever>("html5ever with rcdom", Agreement::Part(0.9)),
        Contestant::new::<Scraper>("scraper", Agreement::Part(0.9)),
        Contestant::new::<Tl>("astral-tl", Agreement::None),
    ],
};

/// As parsers of pages are used: without scripting, as ours.
fn html5ever_options() -> html5ever::ParseOpts {
    let tree_builder =
        html5ever::tree_builder::TreeBuilderOpts { scripting_enabled: false, ..Default::default() };
    html5ever::ParseOpts { tree_builder, ..Default::default() }
}

struct Ever;

impl Work for Ever {
    type Output<'a> = RcDom;

    fn work(document: &str) -> RcDom {
        html5ever::parse_document(RcDom::default(), html5ever_options()).one(document)
    }

    fn digest(output: &RcDom) -> Digest {
        rcdom::digest(output)
    }
}

struct Scraper;

impl Work for Scraper {
    type Output<'a> = scraper::Html;

    fn work(document: &str) -> scraper::Html {
        let sink = scraper::HtmlTreeSink::new(scraper::Html::new_document());
        html5ever::parse_document(sink, html5ever_options()).one(document)
    }

    fn digest(output: &scraper::Html) -> Digest {
        let mut digest = Digest::default();
        for node in output.tree.root().descendants() {
            if let Some(element) = node.value().as_element() {
                digest.element(element.name());
                element.attrs().for_each(|(name, value)| digest.attribute(name, value));
            } else if let Some(text) = node.value().as_text() {
                digest.text(text);
            }
        }
        digest
    }
}

struct Tl;

impl Work for Tl {
    type Output<'a> = tl::VDom<'a>;

    fn work(document: &str) -> tl::VDom<'_> {
        tl::parse(document, tl::ParserOptions::default())
            .expect("it parses everything shorter than 4 GiB")
    }

    fn digest(output: &tl::VDom<'_>) -> Digest {
        let tags = output.nodes().iter().filter(|node| node.as_tag().is_some());
        Digest { elements: tags.count(), ..Digest::default() }
    }
}
