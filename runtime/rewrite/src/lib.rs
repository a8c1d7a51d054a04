//! Pages rewritten as they come: handlers are called for the elements that CSS selectors match, for texts, comments and
//! DOCTYPEs, and change them; every other byte is passed on as it is, in the encoding of the page. No tree is built, and
//! what is held is bounded. Without changes the output is the input, and however the input is cut, handlers see the same.
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
//! # What a stream knows
//!
//! Selectors may ask for names, ids, classes, attributes, `:not()`, `:is()`, `:where()`, `:root`, `:first-child`,
//! `:nth-child()`, `:nth-of-type()` and all combinators: whatever is known at a start tag. What comes later, such as
//! `:last-child` or `:has()`, is an error when a [`Rewriter`] is made.
//!
//! Elements are those that tags say, not those of a tree:
//!
//! - An end tag ends what it ends in a parser, which mostly is the innermost open element of its name with all that are inside;
//!   one that a parser ignores ends none. A short one, which has no name, ends the innermost element. What is still open at
//!   the end of the page ends there. If an end tag reaches through more than 64 elements, only its name is compared.
//! - Void elements have no contents, whether their tag closes itself or not; foreign ones have none if it does.
//! - To selectors no tag is implied, and an element that ends before one inside of it is still around that: in `<p>1<p>2`
//!   the second paragraph is inside of the first, and `:root` is the first element that is written, whatever it is. What is
//!   put at the end of an element, or is removed with it, ends where its end is implied: `after` puts something between these
//!   paragraphs, with the end tag that is missing.
//! - Scripts, styles, titles and the like hold text, as the dialect's rows say, and so does what is inside of SVG and MathML,
//!   with the exceptions that these have. As no tree is known, a tag that a parser would leave out where it stands counts
//!   like others.
//! - What a page's own entities stand for is seen like the rest. It is not in the page, so that a change of it, or at a
//!   place within it, ends the rewriting with [`RewriteError::Inserted`]; a text is changed together with whole references.
//!
//! A change is one of tags, also where a parser moves or copies elements or makes none of a tag: out of tables, in formatting
//! elements that are open where an element around them ends, or in elements that overlap. What is put there is read as if the
//! page had it there, such as a text in a formatting element that is opened again.
//!
//! # Bytes
//!
//! The encoding is that of a byte order mark, what [`Rules::encoding`] says, what the first 1,024 bytes declare, or UTF-8 if
//! the first character beyond ASCII is. Bytes that cannot be decoded are passed on as well. What is put into a page and its
//! encoding does not have, is written as a character reference; in names, comments and scripts, which have none, it is an error.
//! ISO-2022-JP is refused.
//!
//! # Changes and what is beside them
//!
//! The changed page is read as the page with the change: attributes stay apart, `<` and `&` before something that was removed
//! are escaped if they would begin a tag or a reference with what follows, an element that could have no contents gets an end
//! tag with another name. Text that would end the script or the style sheet that it is put into is
//! [`RewriteError::BadText`].

// On docs.rs each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod attributes;
mod content;
mod element;
mod end_tag;
mod error;
mod foreign;
mod implied;
mod input;
mod markup;
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
