//! CSS selectors on HTML trees: many selectors on parsed pages, and one selector including the parse. The selected
//! elements and their attributes are compared for each selector.

use crate::corpus::Corpus;
use crate::digest::{Comparable, Digest};
use crate::field::{Agreement, Contestant, Field, Work};
use html5ever::tendril::TendrilSink;
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::hint::black_box;
use std::marker::PhantomData;
use tabulex::select::{Index, Query};
use tabulex::tree::Tree;

/// The CSS selectors to measure, one per line.
const SELECTORS: &str = include_str!("selectors.txt");
/// The selector for the field with a single selection.
const SINGLE_SELECTOR: &str = "div.article > h2 a[href], li > a[href^=http]";

/// Required agreement with scraper, which stores template contents as children, so that selectors match
/// elements in them.
const MOST_PAGES: Agreement = Agreement::Part(0.97);

/// The field of many selections on pages that are parsed once.
pub const SELECT: Field = Field::new(
    "css",
    Corpus::Pages,
    &[
        Contestant::new::<SelectOnPage<TabulexSelect>>(
            "tabulex select by an index",
            Agreement::Whole,
        )
        .with_work(work_with_index),
        Contestant::new::<SelectOnPage<TabulexSelect>>("tabulex select", Agreement::Whole)
            .with_work(SelectOnPage::<TabulexSelect>::work_all),
        Contestant::new::<SelectOnPage<ScraperSelect>>("scraper", MOST_PAGES)
            .with_work(SelectOnPage::<ScraperSelect>::work_all)
            .aim("5x"),
        Contestant::new::<SelectOnPage<DomQuery>>("dom_query", Agreement::Whole)
            .with_work(SelectOnPage::<DomQuery>::work_all),
    ],
);

/// The field of parsing followed by a single selection.
pub const PAGES: Field = Field::new(
    "css-pages",
    Corpus::Pages,
    &[
        Contestant::new::<ParseAndSelect<TabulexSelect>>(
            "tabulex parse and select",
            Agreement::Whole,
        ),
        Contestant::new::<ParseAndSelect<ScraperSelect>>("scraper", MOST_PAGES).aim("5x"),
        Contestant::new::<ParseAndSelect<DomQuery>>("dom_query", Agreement::Whole),
    ],
);

/// A library that selects elements by CSS selectors.
trait Css: 'static {
    type Page: 'static;
    type Selector;

    fn parse_page(document: &str) -> Self::Page;

    fn parse_selector(text: &str) -> Self::Selector;

    fn count_matches(page: &Self::Page, selector: &Self::Selector) -> usize;

    /// Adds the selected elements and their attributes to the digest.
    fn report(page: &Self::Page, selector: &Self::Selector, digest: &mut Digest);
}

struct SelectOnPage<L>(PhantomData<L>);

/// A page on which all selectors are compared.
struct Page<L: Css>(L::Page);

impl<L: Css> Comparable for Page<L> {
    fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        for text in SELECTORS.lines() {
            digest.add_text(text);
            L::report(&self.0, &L::parse_selector(text), &mut digest);
        }
        digest
    }
}

impl<L: Css> Work for SelectOnPage<L> {
    type Output<'a> = Page<L>;

    fn work(document: &str) -> Page<L> {
        Page(L::parse_page(document))
    }
}

thread_local! {
    /// The parsed pages of each library, with the type that implements [`Css`] for the library.
    static PARSED: RefCell<Vec<(TypeId, &'static dyn Any)>> = const { RefCell::new(Vec::new()) };
}

/// Returns a library's parsed pages, which are parsed on first use and leaked.
fn parsed_pages<L: Css>(documents: &[String]) -> &'static [L::Page] {
    PARSED.with_borrow_mut(|all| {
        let entry = all.iter().find(|(library, _)| *library == TypeId::of::<L>());
        let parsed = entry.map(|(_, pages)| *pages).unwrap_or_else(|| {
            let pages: Vec<L::Page> =
                documents.iter().map(|document| L::parse_page(document)).collect();
            let pages: &'static dyn Any = Box::leak(Box::new(pages));
            all.push((TypeId::of::<L>(), pages));
            pages
        });
        parsed
            .downcast_ref::<Vec<L::Page>>()
            .expect("pages are stored under the type of their library")
    })
}

impl<L: Css> SelectOnPage<L> {
    /// Applies all selectors to all pages, which are parsed in the first round.
    fn work_all(documents: &[String]) {
        let selectors: Vec<L::Selector> = SELECTORS.lines().map(L::parse_selector).collect();
        for page in parsed_pages::<L>(documents) {
            for selector in &selectors {
                black_box(L::count_matches(black_box(page), selector));
            }
        }
    }
}

/// Applies all selectors to all pages through an index, which is built for each page in every round.
fn work_with_index(documents: &[String]) {
    let selectors: Vec<_> = SELECTORS.lines().map(TabulexSelect::parse_selector).collect();
    for page in parsed_pages::<TabulexSelect>(documents) {
        let page = black_box(page);
        let index = Index::new(page.root());
        for selector in &selectors {
            black_box(index.select(page, selector).count());
        }
    }
}

struct ParseAndSelect<L>(PhantomData<L>);

/// A page on which one selector is compared, and the number of its matches.
struct SinglePage<L: Css>(
    L::Page,
    #[expect(dead_code, reason = "stored so that counting is not optimized away")] usize,
);

impl<L: Css> Comparable for SinglePage<L> {
    fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        L::report(&self.0, &L::parse_selector(SINGLE_SELECTOR), &mut digest);
        digest
    }
}

impl<L: Css> Work for ParseAndSelect<L> {
    type Output<'a> = SinglePage<L>;

    fn work(document: &str) -> SinglePage<L> {
        let page = L::parse_page(document);
        let count = L::count_matches(&page, &L::parse_selector(SINGLE_SELECTOR));
        SinglePage(page, count)
    }
}

struct TabulexSelect;

impl Css for TabulexSelect {
    type Page = Tree;
    type Selector = tabulex::select::Selector;

    fn parse_page(document: &str) -> Tree {
        tabulex::html::parse(document, tabulex::Options::new()).tree
    }

    fn parse_selector(text: &str) -> Self::Selector {
        text.parse().expect("the selectors of the benchmark are valid")
    }

    fn count_matches(page: &Tree, selector: &Self::Selector) -> usize {
        page.root().select(selector).count()
    }

    fn report(page: &Tree, selector: &Self::Selector, digest: &mut Digest) {
        for element in page.root().select(selector) {
            digest.add_element(element.local_name().unwrap_or(""));
            for attribute in element.attributes() {
                digest.add_attribute(attribute.name().local(), attribute.value());
            }
        }
    }
}

struct ScraperSelect;

impl Css for ScraperSelect {
    type Page = scraper::Html;
    type Selector = scraper::Selector;

    fn parse_page(document: &str) -> scraper::Html {
        let sink = scraper::HtmlTreeSink::new(scraper::Html::new_document());
        html5ever::parse_document(sink, crate::html_trees::html5ever_options()).one(document)
    }

    fn parse_selector(text: &str) -> scraper::Selector {
        scraper::Selector::parse(text).expect("the selectors of the benchmark are valid")
    }

    fn count_matches(page: &scraper::Html, selector: &scraper::Selector) -> usize {
        page.select(selector).count()
    }

    fn report(page: &scraper::Html, selector: &scraper::Selector, digest: &mut Digest) {
        for element in page.select(selector) {
            digest.add_element(element.value().name());
            element.value().attrs().for_each(|(name, value)| digest.add_attribute(name, value));
        }
    }
}

struct DomQuery;

impl Css for DomQuery {
    type Page = dom_query::Document;
    type Selector = dom_query::Matcher;

    fn parse_page(document: &str) -> dom_query::Document {
        dom_query::Document::from(document)
    }

    fn parse_selector(text: &str) -> dom_query::Matcher {
        dom_query::Matcher::new(text).expect("the selectors of the benchmark are valid")
    }

    fn count_matches(page: &dom_query::Document, selector: &dom_query::Matcher) -> usize {
        page.select_matcher(selector).length()
    }

    fn report(page: &dom_query::Document, selector: &dom_query::Matcher, digest: &mut Digest) {
        for element in page.select_matcher(selector).nodes() {
            digest.add_element(&element.node_name().unwrap_or_default());
            for attribute in element.attrs() {
                digest.add_attribute(&attribute.name.local, &attribute.value);
            }
        }
    }
}
