//! HTML tree builders: each parses the whole document, and drops the tree within the measured time.

use crate::corpus::Corpus;
use crate::digest::{Comparable, Digest};
use crate::field::{Agreement, Contestant, Field, Work};
use crate::reader::{OneParser, Trees};
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::RcDom;
use tabulex::html::Html;

const OURS: Contestant =
    Contestant::new::<Trees<Html, false, true>>("tabulex html tree", Agreement::Whole);
const OURS_ERRORS: Contestant =
    Contestant::new::<Trees<Html, true, true>>("tabulex html tree, errors", Agreement::Whole);
const OURS_BARE: Contestant =
    Contestant::new::<Trees<Html, false, false>>("tabulex, without positions", Agreement::Whole);
const OURS_REUSED: Contestant =
    Contestant::new::<OneParser<Html>>("tabulex, one parser for all", Agreement::Whole)
        .with_work(OneParser::<Html>::work_all);
const HTML5EVER: Contestant =
    Contestant::new::<RcDomTree>("html5ever with rcdom", Agreement::Part(0.9));
const SCRAPER: Contestant = Contestant::new::<ScraperTree>("scraper", Agreement::Part(0.9));
const ASTRAL_TL: Contestant = Contestant::new::<AstralTl>("astral-tl", Agreement::None);
const TL: Contestant = Contestant::new::<Tl>("tl", Agreement::None);

pub const PAGES: Field = Field::new(
    "html-trees",
    Corpus::Pages,
    &[
        OURS,
        OURS_ERRORS,
        OURS_BARE,
        OURS_REUSED,
        HTML5EVER.aim("8x"),
        SCRAPER.aim("7x"),
        ASTRAL_TL.aim("1x"),
        TL,
    ],
);

pub const DENSE: Field = Field::new(
    "dense-trees",
    Corpus::Dense,
    &[OURS, OURS_ERRORS, OURS_BARE, OURS_REUSED, HTML5EVER.aim("6x"), SCRAPER, ASTRAL_TL, TL],
);

/// The field of other libraries' trees, built by tabulex or by html5ever.
pub const OTHER_LIBRARIES: Field = Field::new(
    "others-trees",
    Corpus::Pages,
    &[
        Contestant::new::<ScraperTreeByTabulex>("tabulex, scraper's tree", Agreement::Whole),
        SCRAPER.aim("2x"),
        Contestant::new::<RcDomByTabulex>("tabulex, rcdom", Agreement::Whole),
        HTML5EVER,
    ],
);

struct ScraperTreeByTabulex;

impl Work for ScraperTreeByTabulex {
    type Output<'a> = scraper::Html;

    fn work(document: &str) -> scraper::Html {
        let sink = scraper::HtmlTreeSink::new(scraper::Html::new_document());
        tabulex_markup5ever::parse_document(sink, html5ever_options()).one(document)
    }
}

struct RcDomByTabulex;

impl Work for RcDomByTabulex {
    type Output<'a> = RcDom;

    fn work(document: &str) -> RcDom {
        tabulex_markup5ever::parse_document(RcDom::default(), html5ever_options()).one(document)
    }
}

/// Returns options of html5ever with scripting disabled, as in tabulex by default.
pub fn html5ever_options() -> html5ever::ParseOpts {
    let tree_builder =
        html5ever::tree_builder::TreeBuilderOpts { scripting_enabled: false, ..Default::default() };
    html5ever::ParseOpts { tree_builder, ..Default::default() }
}

struct RcDomTree;

impl Work for RcDomTree {
    type Output<'a> = RcDom;

    fn work(document: &str) -> RcDom {
        html5ever::parse_document(RcDom::default(), html5ever_options()).one(document)
    }
}

struct ScraperTree;

impl Work for ScraperTree {
    type Output<'a> = scraper::Html;

    fn work(document: &str) -> scraper::Html {
        let sink = scraper::HtmlTreeSink::new(scraper::Html::new_document());
        html5ever::parse_document(sink, html5ever_options()).one(document)
    }
}

impl Comparable for scraper::Html {
    fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        for node in self.tree.root().descendants() {
            if let Some(element) = node.value().as_element() {
                digest.add_element(element.name());
                element.attrs().for_each(|(name, value)| digest.add_attribute(name, value));
            } else if let Some(text) = node.value().as_text() {
                digest.add_text(text);
            }
        }
        digest
    }
}

/// Defines a contestant for the parser `tl` or a fork of it, which follow no standard.
macro_rules! fork {
    ($name:ident, $fork:ident) => {
        struct $name;

        impl Work for $name {
            type Output<'a> = $fork::VDom<'a>;

            fn work(document: &str) -> $fork::VDom<'_> {
                $fork::parse(document, $fork::ParserOptions::default())
                    .expect("documents are shorter than 4 GiB")
            }
        }

        impl Comparable for $fork::VDom<'_> {
            fn digest(&self) -> Digest {
                let tags = self.nodes().iter().filter(|node| node.as_tag().is_some());
                Digest { elements: tags.count(), ..Digest::default() }
            }
        }
    };
}

fork!(AstralTl, astral_tl);
fork!(Tl, tl);
