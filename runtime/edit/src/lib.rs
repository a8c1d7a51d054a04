//! Edits of a page that leave every other byte as it is written. Positions come from the tree, which must have been parsed
//! from that text; nothing is serialized again. What [`Edits::apply`] returns parses to the tree on which the same edits were
//! made.
//!
//! ```
//! use tabulex::edit::Edits;
//! use tabulex::{Options, html};
//!
//! let page = "<P CLASS=x>See <a href=/x  >this</a>, <b>or <i>not</i></b>.";
//! let tree = html::parse(page, Options::new()).tree;
//! let find = |name| tree.root().descendants().find(|node| node.is_html(name)).unwrap();
//!
//! let mut edits = Edits::new(&tree, page);
//! edits.set_attribute(find("a"), "href", "/y?a&b")?;
//! edits.set_attribute(find("a"), "rel", "next")?;
//! edits.remove(find("i"))?;
//! assert_eq!(
//!     edits.apply::<html::Html>(&Options::new())?,
//!     "<P CLASS=x>See <a href=\"/y?a&amp;b\" rel=\"next\"  >this</a>, <b>or </b>.",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Edits that are refused
//!
//! An element may be written nowhere (`<tbody>` that is implied), twice in the tree and once in the text (a formatting
//! element that is opened again), or in other places than it stands in (what is moved out of a table). A value may be an
//! attribute's only because an earlier one of its name hides it. Such an edit is an error, of the call or of `apply`, which
//! parses the text again and compares: it never writes another page than the one that was asked for.
//! [`apply_possible`](Edits::apply_possible) makes the other edits.
//!
//! White space after the end tags of a document is a child of its last element in the tree. What is appended to that element
//! is written before its end tag, and stands before the white space.

mod changes;
mod edits;
mod error;
mod places;
#[doc(hidden)]
pub mod seam;
mod steps;

pub use edits::Edits;
pub use error::{Applied, EditError, RefusedEdit};
