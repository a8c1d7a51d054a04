//! CSS selectors on trees: a [`Selector`] is parsed once and matched against trees of any dialect, on any thread. It
//! follows Selectors Level 4, and is parsed by Servo's crate `selectors`. Invalid selectors are errors, and parsing
//! never panics.
//!
//! ```
//! use tabulex::select::{Query, Selector};
//!
//! let tree = tabulex::html::parse("<ul><li class=new>One<li>Two</ul>", Default::default()).tree;
//! let new: Selector = "ul > li.new".parse()?;
//! assert_eq!(tree.root().select_first(&new).unwrap().text(), "One");
//!
//! let items: Selector = "li:not(.new)".parse()?;
//! let texts: Vec<String> = tree.root().select(&items).map(|item| item.text()).collect();
//! assert_eq!(texts, ["Two"]);
//! # Ok::<(), tabulex::select::SelectorError>(())
//! ```
//!
//! Each `select` walks the tree below a node once. For many queries on one page, build an [`Index`], which answers them
//! from lists.
//!
//! [`Forms`] returns the form of a control, and the fields that a form submits.
//!
//! Without a tree, [`descent`] matches elements of a stream as they are opened, for selectors that can be decided then.
//!
//! # Supported selectors
//!
//! - Names, `*`, `#id`, `.class`, and attributes with all operators and the flags `i` and `s`.
//! - All combinators, lists, `:is()`, `:where()`, `:not()`, `:has()`.
//! - `:root`, `:scope`, `:empty`, and all of `:nth-child()`, with `of`, to `:only-of-type`.
//! - The pseudo-classes that depend only on the source of a page: `:link`, `:any-link`, `:lang()`, `:dir()`, `:heading`,
//!   `:open`, `:defined`, `:checked`, `:default`, `:indeterminate`, `:disabled`, `:enabled`, `:required`, `:optional`,
//!   `:read-only`, `:read-write`, `:placeholder-shown`, `:in-range`, `:out-of-range`. Those that depend on a user, such
//!   as `:hover`, parse and never match. Others and pseudo-elements are errors.
//! - Namespaces, `svg|a`, and `:contains("text")`, if a [`Syntax`] allows them.
//!
//! Names of HTML elements and of their attributes are compared ignoring ASCII case, those of other elements exactly;
//! classes and ids ignoring it in documents in quirks mode. The contents of a template are not its children; query the
//! node of the contents to search them.

mod attribute;
mod chain;
mod compound;
pub mod descent;
mod direction;
mod element;
mod error;
mod form;
mod forms;
mod grammar;
mod index;
mod limits;
mod lists;
mod pseudo_class;
mod query;
mod range;
mod selector;
mod sibling_positions;
#[cfg(test)]
mod tests {
    mod oracle_tests;
}
mod texts;

pub use error::SelectorError;
pub use forms::Forms;
pub use index::Index;
pub use query::{Query, Selected};
pub use selector::{Matcher, Selector, Specificity, Syntax};
