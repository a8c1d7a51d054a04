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
//! - The pseudo-classes that the source of a page decides: `:link`, `:any-link`, `:lang()`, `:heading`, `:open`, `:defined`,
//!   `:checked`, `:default`, `:indeterminate`, `:disabled`, `:enabled`, `:required`, `:optional`, `:read-only`, `:read-write`,
//!   `:placeholder-shown`, `:in-range`, `:out-of-range`. Those that depend on a user, such as `:hover`, parse and never
//!   match. Others, such as `:dir()`, and pseudo-elements are errors.
//! - Namespaces, `svg|a`, and `:contains("text")`, if a [`Syntax`] allows them.
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
mod lists;
mod places;
mod pseudo_class;
mod query;
mod range;
mod selector;
mod texts;

pub use error::SelectorError;
pub use index::Index;
pub use query::{Query, Selected};
pub use selector::{Matcher, Selector, Specificity, Syntax};
