//! Streaming rewriting of pages, with a handler that changes a few elements and with one that reads all of them. The
//! numbers of elements handled are compared.

use crate::corpus::Corpus;
use crate::digest::Digest;
use crate::field::{Agreement, Contestant, Field, Work};
use tabulex::encoding::{Encoding, Hints};
use tabulex::html::Html;
use tabulex::rewrite::{Rewriter, Rules};

/// Required agreement with lol_html, which treats the contents of `noscript` as text, as with scripting. Scripting is
/// therefore enabled for tabulex.
const LOL_HTML: Agreement = Agreement::StartTags(0.95);

/// The field of a handler that sets an attribute of each image.
pub const IMAGE_HANDLER: Field = Field::new(
    "rewrite",
    Corpus::Pages,
    &[
        Contestant::new::<TabulexRewriter<true>>("tabulex, images", Agreement::Whole),
        Contestant::new::<LolHtmlRewriter<true>>("lol_html, images", LOL_HTML).aim("1x"),
    ],
);

/// The field of a handler that reads all elements and changes nothing.
pub const UNIVERSAL_HANDLER: Field = Field::new(
    "rewrite-all",
    Corpus::Pages,
    &[
        Contestant::new::<TabulexRewriter<false>>("tabulex, * handler", Agreement::Whole),
        Contestant::new::<LolHtmlRewriter<false>>("lol_html, * handler", LOL_HTML).aim("2x"),
    ],
);

struct TabulexRewriter<const IMAGES: bool>;

impl<const IMAGES: bool> Work for TabulexRewriter<IMAGES> {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let mut digest = Digest::default();
        // lol_html assumes UTF-8 and ignores declarations, so tabulex is set to do the same; the pages are in UTF-8.
        let encoding = Hints::new().override_with(Encoding::UTF_8);
        let rules = Rules::new().scripting(true).encoding(encoding);
        let rules = match IMAGES {
            true => rules.element("img[src]", |image| {
                digest.start_tags += 1;
                image.set_attribute("loading", "lazy")?;
                Ok(())
            }),
            false => rules.element("*", |element| {
                digest.start_tags += 1;
                digest.attributes += element.attributes().count();
                Ok(())
            }),
        };
        let rules = rules.expect("the selector is valid");
        let mut rewriter =
            Rewriter::<Html, _>::new(rules, std::io::sink()).expect("the rules are valid");
        rewriter.write(document.as_bytes()).expect("the handlers succeed");
        rewriter.finish().expect("the handlers succeed");
        digest
    }
}

struct LolHtmlRewriter<const IMAGES: bool>;

impl<const IMAGES: bool> Work for LolHtmlRewriter<IMAGES> {
    type Output<'a> = Digest;

    fn work(document: &str) -> Digest {
        let mut digest = Digest::default();
        let handler = match IMAGES {
            true => lol_html::element!("img[src]", |element| {
                digest.start_tags += 1;
                element.set_attribute("loading", "lazy")?;
                Ok(())
            }),
            false => lol_html::element!("*", |element| {
                digest.start_tags += 1;
                digest.attributes += element.attributes().len();
                Ok(())
            }),
        };
        let settings = lol_html::Settings::new().append_element_content_handler(handler);
        let mut rewriter = lol_html::HtmlRewriter::new(settings.with_strict(false), |_: &[u8]| {});
        rewriter.write(document.as_bytes()).expect("no memory limit is set");
        rewriter.end().expect("no memory limit is set");
        digest
    }
}
