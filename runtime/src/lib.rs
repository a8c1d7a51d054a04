#![doc = include_str!("../README.md")]
//!
//! # Which part for what
//!
//! | to | use |
//! | --- | --- |
//! | read tokens | [`html::tokens`](fn@html::tokens), an iterator; [`TokenReader`], which lends tokens and is faster; a [`Tokenizer`], which takes chunks and calls a [`Sink`] |
//! | build trees | [`html::parse`](fn@html::parse), [`html::parse_fragment`](fn@html::parse_fragment), and a [`Parser`] for chunks, bytes, or many inputs with one allocation; [`tree`] has the nodes, and [`tree::TreeSink`] builds other trees |
//! | write trees | [`tree::HtmlSerializer`], and [`WriteNode`] for XML, JSON and dumps |
//! | find elements | [`select`], by CSS selectors |
//! | change a page | [`edit`], which keeps every other byte; [`rewrite`], as the page streams; or the tree itself |
//! | make markup safe | [`sanitize`] |
//! | extract text | [`text`]: rendered text, words, tables, links, Markdown |
//! | read XML | [`xml`](mod@xml), and serde by the package `tabulex-serde` |
//! | know where something is | [`Span`]s, byte ranges of the input, and [`Lines`] for lines and columns |
//! | parse many inputs | [`many`], on all cores |
//! | compile a table of your own | [`machine!`] |
//!
//! Each dialect is a module like [`html`](mod@html), with the same functions.
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `html` (default) | the dialect of the Living Standard |
//! | `html-2013`, `html-2007`, `url`, `webvtt`, `webvtt-file`, `xml`, `xml-er`, `sky`, `microxml`, `microxml-2012-12` | one dialect each; `all-dialects` is all of them |
//! | `encoding` (default) | all encodings of the Encoding Standard; without it, UTF-8 |
//! | `threads` | `many`: many inputs on several threads |
//! | `miette` | errors as diagnostics of that crate |
//! | `tokio` | `parse_async`: trees from tokio's readers |
//! | `edit` | [`edit`]: edits that keep every other byte of a page; brings `values` |
//! | `rewrite` | [`rewrite`]: streaming rewriting with CSS selectors, in bounded memory; brings `select` |
//! | `sanitize` | [`sanitize`]: the Sanitizer API of the standard; with `sanitize-json`, its configurations as JSON |
//! | `select` | [`select`]: CSS selectors on trees; brings selectors, cssparser, cssparser-macros and dtoa-short, which are under MPL-2.0 |
//! | `text` | [`text`]: rendered text and tables; with `links`, links; with `markdown`, Markdown |
//! | `values` | `dialects()`: the dialects as values, for programs that choose one at run time |
//! | `machine` | `machine!`: tables of your own; compiles the table compiler, with pest |
//! | `compact` | one machine for each dialect instead of several: builds in less time, slower trees |

// On docs.rs, rustdoc's feature `doc_cfg` shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(doc, doctest))]
pub mod guides;
#[cfg(feature = "threads")]
pub mod many;
mod streams;
mod write;

/// The manual of the table language.
///
#[cfg(doc)]
#[doc = include_str!("../guides/manual.md")]
pub mod manual {}

/// The reference of the table language.
///
#[cfg(doc)]
#[doc = include_str!("../guides/reference.md")]
pub mod reference {}

/// A tutorial that writes two tables step by step.
///
#[cfg(doc)]
#[doc = include_str!("../guides/tutorial.md")]
pub mod tutorial {}

#[cfg(feature = "tokio")]
pub use streams::parse_async;
pub use streams::write_to;
#[doc(inline)]
pub use tabulex_core::*;
#[cfg(feature = "edit")]
#[doc(inline)]
pub use tabulex_edit as edit;
#[cfg(feature = "html")]
#[doc(inline)]
pub use tabulex_html as html;
#[cfg(feature = "html-2007")]
#[doc(inline)]
pub use tabulex_html_2007 as html_2007;
#[cfg(feature = "html-2013")]
#[doc(inline)]
pub use tabulex_html_2013 as html_2013;
#[cfg(feature = "machine")]
#[cfg_attr(doc, doc = include_str!("../guides/machine.md"))]
#[doc(inline)]
pub use tabulex_macros::machine;
#[cfg(feature = "microxml")]
#[doc(inline)]
pub use tabulex_microxml as microxml;
#[cfg(feature = "microxml-2012-12")]
#[doc(inline)]
pub use tabulex_microxml_2012_12 as microxml_2012_12;
#[cfg(feature = "rewrite")]
#[doc(inline)]
pub use tabulex_rewrite as rewrite;
#[cfg(feature = "sanitize")]
#[doc(inline)]
pub use tabulex_sanitize as sanitize;
#[cfg(feature = "select")]
#[doc(inline)]
pub use tabulex_select as select;
#[cfg(feature = "sky")]
#[doc(inline)]
pub use tabulex_sky as sky;
#[cfg(feature = "text")]
#[doc(inline)]
pub use tabulex_text as text;
#[cfg(feature = "url")]
#[doc(inline)]
pub use tabulex_url as url;
#[cfg(feature = "webvtt")]
#[doc(inline)]
pub use tabulex_webvtt as webvtt;
#[cfg(feature = "webvtt-file")]
#[doc(inline)]
pub use tabulex_webvtt_file as webvtt_file;
#[cfg(feature = "xml")]
#[doc(inline)]
pub use tabulex_xml as xml;
#[cfg(feature = "xml-er")]
#[doc(inline)]
pub use tabulex_xml_er as xml_er;
#[doc(hidden)]
pub use write::write_json_text;
pub use write::{WriteNode, write_dump};

/// Returns the dialects of this build as values. HTML (the Living Standard), if included, is the first.
#[cfg(feature = "values")]
pub fn dialects() -> &'static [&'static Dialect] {
    static DIALECTS: &[&Dialect] = &[
        #[cfg(feature = "html")]
        &tabulex_html::DIALECT,
        #[cfg(feature = "html-2013")]
        &tabulex_html_2013::DIALECT,
        #[cfg(feature = "html-2007")]
        &tabulex_html_2007::DIALECT,
        #[cfg(feature = "sky")]
        &tabulex_sky::DIALECT,
        #[cfg(feature = "microxml")]
        &tabulex_microxml::DIALECT,
        #[cfg(feature = "microxml-2012-12")]
        &tabulex_microxml_2012_12::DIALECT,
        #[cfg(feature = "webvtt")]
        &tabulex_webvtt::DIALECT,
        #[cfg(feature = "webvtt-file")]
        &tabulex_webvtt_file::DIALECT,
        #[cfg(feature = "xml")]
        &tabulex_xml::DIALECT,
        #[cfg(feature = "xml-er")]
        &tabulex_xml_er::DIALECT,
    ];
    DIALECTS
}

/// Returns the dialects of this build that read inputs into records, as values.
#[cfg(feature = "values")]
#[doc(hidden)]
pub fn record_dialects() -> &'static [&'static record::RecordDialect] {
    static DIALECTS: &[&record::RecordDialect] = &[
        #[cfg(feature = "url")]
        &tabulex_url::RECORD_DIALECT,
    ];
    DIALECTS
}
