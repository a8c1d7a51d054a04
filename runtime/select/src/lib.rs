//! CSS selectors on trees: a [`Selector`] is parsed once and matched against any tree, of any dialect, on any thread.
//! The rules are those of Selectors Level 4, parsed by the crate of the Servo project; nothing here styles anything.
//! Invariant: what a selector selects is what the standard's algorithm selects, and no text makes it panic.
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
//! Each `select` walks the tree below a node once. For many questions to one page an [`Index`] is made by one walk, and
//! answers from lists.
//!
//! Where there is no tree, [`descent`] matches elements as they are opened, as far as that is known by then.
//!
//! # What can be asked
//!
//! - Names, `*`, `#id`, `.class`, and attributes with all operators and the flags `i` and `s`.
//! - All combinators, lists, `:is()`, `:where()`, `:not()`, `:has()`.
//! - `:root`, `:scope`, `:empty`, and all of `:nth-child()`, with `of`, to `:only-of-type`.
//! - Of the states of a page, those that its source decides: `:link`, `:any-link`, `:checked`, `:disabled`, `:enabled`,
//!   `:required`, `:optional`, `:lang()`. What only a user does, such as `:hover`, is read and never holds. All others are
//!   errors: `:dir()`, `:read-only`, `:default`, `:placeholder-shown` and other states of forms, and pseudo-elements.
//! - Namespaces, `svg|a`, with the prefixes of [`Selector::with_namespaces`].
//!
//! Names of HTML elements and of their attributes are compared without regard to ASCII case, those of others exactly;
//! classes and ids without regard to it in documents in quirks mode. Contents of templates, which no child leads to, are
//! searched when they are the node that is asked.

mod chain;
mod compound;
pub mod descent;
mod element;
mod error;
mod form;
mod grammar;
mod index;
#[cfg(test)]
mod library;
mod limits;
mod places;
mod pseudo_class;
mod query;
mod selector;

pub use error::SelectorError;
pub use index::Index;
pub use query::{Query, Selected};
pub use selector::{Matcher, Selector, Specificity};
