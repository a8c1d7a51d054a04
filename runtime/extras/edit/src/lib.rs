//! Edits of a page that keep every other byte as written. Positions come from a tree parsed from that text; nothing is
//! reserialized. The result of [`Edits::apply`] parses to the tree with the same edits.
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
//!     edits.apply(&html::DIALECT, &Options::new())?,
//!     "<P CLASS=x>See <a href=\"/y?a&amp;b\" rel=\"next\"  >this</a>, <b>or </b>.",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Edits that are refused
//!
//! An element may not be in the text (an implied `<tbody>`), may occur twice in the tree but once in the text (a
//! reconstructed formatting element), or may be at another position in the tree (content moved out of a table). A
//! duplicate attribute may be hidden by an earlier one. Such an edit is an error, of the call or of `apply`, which
//! parses the edited text and compares it with the edited tree, so that it never returns a page other than the
//! requested one. [`apply_possible`](Edits::apply_possible) applies the other edits.
//!
//! White space after the end tags of a document is a child of its last element in the tree. Markup appended to that
//! element is written before its end tag, and therefore before the white space.

mod changes;
mod edits;
mod error;
mod places;
#[doc(hidden)]
pub mod seam;
mod steps;

#[doc(hidden)]
pub use edits::EditList;
pub use edits::Edits;
pub use error::{Applied, EditError, RefusedEdit};
#[doc(hidden)]
pub use steps::EditKind;
