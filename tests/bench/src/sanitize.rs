//! Sanitizers with their own defaults, which differ: that of tabulex follows the standard, and repeats parsing its
//! output until it is stable. Their results are not compared.

use crate::corpus::Corpus;
use crate::field::{Agreement, Contestant, Field, Work};
use tabulex::html::Html;
use tabulex::sanitize::Sanitizer;

/// The field of pages sanitized as the contents of an element.
pub const PAGES: Field = Field::new(
    "sanitize",
    Corpus::Pages,
    &[
        Contestant::new::<TabulexSanitizer>("tabulex", Agreement::Whole),
        Contestant::new::<Ammonia>("ammonia", Agreement::None).aim("5x"),
    ],
);

struct TabulexSanitizer;

impl Work for TabulexSanitizer {
    type Output<'a> = String;

    fn work(document: &str) -> String {
        Sanitizer::new().clean::<Html>(document).unwrap_or_else(|unstable| unstable.text)
    }
}

struct Ammonia;

impl Work for Ammonia {
    type Output<'a> = String;

    fn work(document: &str) -> String {
        ammonia::clean(document)
    }
}
