//! CSS on trees of HTML: what 200 selectors select on each page, and one selector on a page that has to be parsed first.
//! Invariant: what is compared are the elements that were selected, with their attributes, selector by selector.

use crate::corpus::Corpus;
use crate::digest::Digest;
use crate::field::{Agreement, Contestant, Field, Work};
use std::cell::OnceCell;
use std::hint::black_box;
use std::marker::PhantomData;
use tabulex::Options;
use tabulex::select::Query;
use tabulex::tree::Positions;

/// The selectors, one a line.
const SELECTORS: &str = include_str!("selectors.txt");
/// The selector of a program that wants one thing of a page.
const ONE: &str = "div.article > h2 a[href], li > a[href^=http]";

// html5ever's trees of some pages are those of older rules, and scraper's elements have the contents of templates.
const PART: Agreement = Agreement::Part(0.85);

/// Parsed pages, which are kept: selecting alone is measured.
pub const SELECT: Field = Field::new(
    "css",
    Corpus::Pages,
    &[
        Contestant::new::<Kept<Ours>>("tabulex select", Agreement::Whole)
            .with_work(Kept::<Ours>::work_all),
        Contestant::new::<Kept<Scraper>>("scraper", PART)
            .with_work(Kept::<Scraper>::work_all)
            .aim("5x"),
        Contestant::new::<Kept<DomQuery>>("dom_query", PART)
            .with_work(Kept::<DomQuery>::work_all),
    ],
);

/// Pages that are parsed, and asked once.
pub const PAGES: Field = Field::new(
    "css-pages",
    Corpus::Pages,
    &[
        Contestant::new::<Once<Ours>>("tabulex parse and select", Agreement::Whole),
        Contestant::new::<Once<Scraper>>("scraper", PART).aim("5x"),
        Contestant::new::<Once<DomQuery>>("dom_query", PART),
    ],
);

/// A library with selectors.
trait Css: 'static {
    type Page: 'static;
    type Selector;

    fn page(document: &str) -> Self::Page;

    fn selector(text: &str) -> Self::Selector;

    fn count(page: &Self::Page, selector: &Self::Selector) -> usize;

    /// Reports the elements that are selected.
    fn report(page: &Self::Page, selector: &Self::Selector, digest: &mut Digest);
}

struct Kept<L>(PhantomData<L>);

impl<L: Css> Work for Kept<L> {
    type Output<'a> = L::Page;

    fn work(document: &str) -> L::Page {
        L::page(document)
    }

    fn digest(page: &L::Page) -> Digest {
        let mut digest = Digest::default();
        for text in SELECTORS.lines() {
            digest.text(text);
            L::report(page, &L::selector(text), &mut digest);
        }
        digest
    }
}

thread_local! {
    static PARSED: OnceCell<Vec<Box<dyn std::any::Any>>> = const { OnceCell::new() };
}

impl<L: Css> Kept<L> {
    /// Selects on all pages, which the first round parses.
    fn work_all(documents: &[String]) {
        let kept = KEPT.with(|kept| kept.pages::<L>(documents));
        let selectors: Vec<L::Selector> = SELECTORS.lines().map(L::selector).collect();
        let mut count = 0;
        for page in kept.iter() {
            for selector in &selectors {
                count += L::count(black_box(page), selector);
            }
        }
        black_box(count);
    }
}
