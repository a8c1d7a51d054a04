//! What a page says: its text as it is shown, its words, its tables as rows, its links. Trees are read, not changed; no style
//! of the page is known but that of the standard. Invariant: which elements are shown how is in the folder of the tables.
//!
//! ```
//! use tabulex::text::{rendered_text, words};
//!
//! let page = "<title>T</title><h1>Hello,\n world</h1><script>x()</script><ul><li>1<li><b>2</b>3</ul><pre> a\n  b</pre>";
//! let tree = tabulex::html::parse(page, Default::default()).tree;
//! assert_eq!(rendered_text(tree.root()), "Hello, world\n1\n23\n a\n  b");
//! assert_eq!(words(tree.root()), ["Hello,", "world", "1", "23", "a", "b"]);
//! ```
//!
//! - [`rendered_text`] is what `innerText` is in a browser, without the page's own styles: blocks and paragraphs are set
//!   apart, cells by tabs, `pre` stays as it is, and what is hidden is left out: scripts, what has the attribute `hidden`,
//!   the contents of a closed `details`.
//! - [`pretty`] writes a page for people to read, its boxes on lines of their own; [`indent`] makes the same of a tree.
//! - [`tables`] has a table's cells in rows and columns, with what spans several.
//! - With the feature `markdown`, `markdown` writes a page as CommonMark.
//! - With the feature `url`, `links` are resolved as the standard does, the element `base` included.

// On docs.rs each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod indent;
mod kinds;
#[cfg(feature = "url")]
mod links;
mod lists;
#[cfg(feature = "markdown")]
mod markdown;
mod rendered;
mod table;

pub use indent::{indent, pretty};
#[cfg(feature = "url")]
pub use links::{Link, base, links};
#[cfg(feature = "markdown")]
pub use markdown::markdown;
pub use rendered::Reader;
pub use table::{Table, tables};

use tabulex_core::tree::NodeRef;

/// The text of a node as it is shown, scripting disabled: see [`Reader`].
pub fn rendered_text(node: NodeRef<'_>) -> String {
    Reader::new().text(node)
}

/// The words of that text: what white space is between.
pub fn words(node: NodeRef<'_>) -> Vec<String> {
    rendered_text(node).split_whitespace().map(str::to_owned).collect()
}
