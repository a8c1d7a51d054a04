//! Whole programs, each written with tabulex (in the folder `examples`) and with a library commonly used for the task.
//! Results are compared where both programs define them alike.

mod here;
mod peers;

use crate::corpus::Corpus;
use crate::digest::{Comparable, Digest};
use crate::field::{Agreement, Contestant, Field, Work};
use std::fmt::Debug;

/// A program that processes one document.
pub trait Program {
    type Output: Debug;

    fn run(document: &str) -> Self::Output;
}

/// The output of a program, which is compared as printed for debugging.
pub struct Output<T>(T);

impl<T: Debug> Comparable for Output<T> {
    fn digest(&self) -> Digest {
        format!("{:?}", self.0).digest()
    }
}

impl<P: Program> Work for P {
    type Output<'a> = Output<P::Output>;

    fn work(document: &str) -> Output<P::Output> {
        Output(P::run(document))
    }
}

/// Returns the contestants of a task: tabulex and one peer.
const fn pair<O: Program, P: Program>(
    peer: &'static str,
    agreement: Agreement,
    aim: &'static str,
) -> [Contestant; 2] {
    [
        Contestant::new::<O>("tabulex", Agreement::Whole),
        Contestant::new::<P>(peer, agreement).aim(aim),
    ]
}

macro_rules! fields {
    ($($field:ident $name:literal $corpus:ident $program:ident $peer:literal $agreement:expr, $aim:literal;)*) => {
        $(pub const $field: Field = {
            const PAIR: &[Contestant] =
                &pair::<here::$program, peers::$program>($peer, $agreement, $aim);
            Field::new($name, Corpus::$corpus, PAIR)
        };)*
    };
}

/// Required agreement with scraper, which stores template contents as children.
const MOST_PAGES: Agreement = Agreement::Part(0.85);
/// Required agreement with scraper on links. Half of the pages have links in `noscript`, whose contents are text in
/// scraper.
const HALF_OF_PAGES: Agreement = Agreement::Part(0.45);

fields! {
    LINKS "program-links" Pages Links "scraper" HALF_OF_PAGES, "3x";
    METADATA "program-metadata" Pages Metadata "scraper" MOST_PAGES, "3x";
    SELECT "program-select" Pages Select "scraper" MOST_PAGES, "3x";
    TABLES "program-tables" Pages Tables "scraper" Agreement::None, "3x";
    SANITIZE "program-sanitize" Pages Sanitize "ammonia" Agreement::None, "3x";
    REWRITE "program-rewrite" Pages Rewrite "lol_html" Agreement::None, "1x";
    TEXT "program-text" Pages Text "html2text" Agreement::None, "3x";
    STREAM "program-stream" Pages Stream "encoding_rs and scraper" MOST_PAGES, "3x";
    FRAGMENT "program-fragment" Pages Fragment "dom_query" Agreement::None, "3x";
    LINT "program-lint" Pages Lint "html5gum" Agreement::None, "3x";
    MAP "program-osm" Xml Map "quick-xml" Agreement::Whole, "1x";
    SITEMAP "program-sitemap" Sitemap Sitemap "roxmltree" Agreement::Whole, "1x";
}
