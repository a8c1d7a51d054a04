//! Text extraction from trees of HTML: rendered text, words, tables as rows, links, Markdown, and indented source.
//!
//! Visibility and layout follow the default style sheet of the standard; styles and scripts of the page are not
//! evaluated.
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
//! - [`rendered_text`] returns what `innerText` returns in a browser that applies no style of the page: line breaks between
//!   blocks, tabs between cells, the white space of `pre`, and nothing hidden (scripts, elements with the attribute
//!   `hidden`, the contents of a closed `details`).
//! - [`pretty`] writes indented HTML; [`indent`] indents a tree in place.
//! - [`tables`] lays out the cells of tables in rows and columns, spans included.
//! - `markdown` (feature `markdown`) writes a page as CommonMark.
//! - `links` (feature `url`) returns the URLs of a page, resolved against its base URL.

// docs.rs shows the feature that each item requires.
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
pub use links::{Link, base, links, links_of, resolve};
#[cfg(feature = "markdown")]
pub use markdown::{MarkdownWriter, markdown};
pub use rendered::TextReader;
pub use table::{Table, tables};

use tabulex_core::tree::NodeRef;

/// Returns the rendered text of a node, with scripting disabled. A [`TextReader`] can enable it.
pub fn rendered_text(node: NodeRef<'_>) -> String {
    TextReader::new().text(node)
}

/// Returns the words of [`rendered_text`], split at white space.
pub fn words(node: NodeRef<'_>) -> Vec<String> {
    rendered_text(node).split_whitespace().map(str::to_owned).collect()
}
