//! Streaming rewriting of pages: handlers change elements that CSS selectors match, texts, comments and DOCTYPEs.
//!
//! All other bytes are copied unchanged, in the page's encoding. No tree is built, and memory use is bounded. Without changes
//! the output equals the input, and the result does not depend on how the input is split into chunks.
//!
//! ```
//! use tabulex::html::Html;
//! use tabulex::rewrite::{Content, Rules, rewrite_str};
//!
//! let mut images = 0;
//! let rules = Rules::new()
//!     .element("figure > img", |image| {
//!         images += 1;
//!         image.set_attribute("loading", "lazy")?;
//!         image.after(Content::Markup("<br>"));
//!         Ok(())
//!     })?;
//! let page = "<figure><IMG SRC='a.png'></figure><img>";
//! let page = rewrite_str::<Html>(page, rules)?;
//! assert_eq!(page, "<figure><IMG SRC='a.png' loading=\"lazy\"><br></figure><img>");
//! assert_eq!(images, 1);
//! # Ok::<(), tabulex::rewrite::RewriteError>(())
//! ```
//!
//! # What selectors can match
//!
//! Selectors may use everything known at a start tag: names, ids, classes, attributes, `:not()`, `:is()`, `:where()`, `:root`,
//! `:first-child`, `:nth-child()`, `:nth-of-type()` and all combinators. Selectors that depend on later input, such as
//! `:last-child` or `:has()`, are an error when a [`Rewriter`] is created.
//!
//! Elements are derived from tags, not from a tree:
//!
//! - An end tag ends the elements that it ends in a parser, usually the innermost open element of its name with everything
//!   inside; an end tag that a parser ignores ends none. A short end tag, which has no name, ends the innermost element.
//!   Elements open at the end of the page end there. If an end tag reaches through more than 64 elements, only its name is
//!   compared. An end tag whose element has already ended at a start tag inside ends no element of another name, although a
//!   parser lets the end tag of a heading end a heading of another level.
//! - Void elements have no contents, with or without a self-closing tag; foreign elements have none if the tag is self-closing.
//! - Selectors see no implied tags, and an element that ends before one inside it still counts as its ancestor: in `<p>1<p>2`
//!   the second paragraph is inside the first, and `:root` is the first element in the page, whatever it is. Content inserted
//!   at the end of an element, and removal, respect implied ends: `after` inserts content between these paragraphs, preceded
//!   by the missing end tag.
//! - Scripts, styles, titles and similar elements contain only text, as the dialect's table says; inside SVG and MathML other
//!   rules apply, as in a parser. As no tree is known, a tag that a parser would ignore at its position still counts.
//! - Handlers see the replacement text of a page's own entities. As it is not in the page, changing it, or inserting content
//!   within it, fails with [`RewriteError::Inserted`]; a text can be changed if it consists of whole references.
//!
//! Changes apply to tags, even where a parser moves or copies the element or ignores the tag: around tables, in formatting
//! elements that stay open when an enclosing element ends, and in overlapping elements. Inserted content is parsed as if it
//! had been in the page, for example as text in a reconstructed formatting element.
//! Where the changed tree cannot be written as HTML, as with text between the rows of a table, the output parses like the
//! serialization of that tree, or like the page with nothing but these tags changed.
//! A removed tag no longer implies others: without the `<p>` of `<title>x</title><p><style>y</style>` nothing begins the
//! body before the style sheet, so a parser puts that into the head. A removed comment no longer separates texts: those of
//! `<table> <!---->b` become one, which a parser moves in front of the table.
//!
//! # Bytes
//!
//! The encoding comes from a byte order mark, from [`Rules::encoding`], or from a declaration in the first 1,024 bytes;
//! otherwise it is UTF-8 if the first non-ASCII character is valid UTF-8. Bytes that cannot be decoded are copied unchanged.
//! Inserted characters that the encoding lacks are written as character references; where none are possible, in names,
//! comments and scripts, they are an error. UTF-16 and ISO-2022-JP are not supported.
//!
//! # Changes and adjacent markup
//!
//! The changed page is parsed as the page with the change: attributes stay separated; `<` and `&` before removed markup are
//! escaped if they would begin a tag or a reference with what follows; an element that had no contents gets an end tag under
//! its new name if that needs one; an ignored end tag after which a parser would ignore an inserted one is moved to the end
//! of the element; a start tag that a parser ignores is skipped if an inserted end tag would give it an effect. Text that
//! would end the script or style sheet that it is inserted into is [`RewriteError::BadText`].

// On docs.rs each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod content;
mod element;
mod end_tag;
mod error;
mod foreign;
mod implied;
mod input;
mod markup;
mod names;
mod open;
mod output;
mod pass;
mod pieces;
mod rewriter;
mod rules;
mod state;

pub use content::{Content, ContentStream};
pub use element::Element;
pub use end_tag::EndTag;
pub use error::{Outcome, RewriteError};
pub use pieces::{Comment, Doctype, Instruction, Text};
pub use rewriter::{Rewriter, rewrite_bytes, rewrite_str};
pub use rules::Rules;
pub use tabulex_select::SelectorError;
