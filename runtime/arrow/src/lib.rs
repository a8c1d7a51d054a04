//! Columns of pages in, columns of what is wanted of them out, on Arrow. What is wanted is a [`Plan`], which is read once and
//! then run over batch after batch, by one thread or by several. It fetches nothing and reads no files. Invariant: there is a row
//! for each page, in their order, whatever the pages are; what goes wrong with one is said in its row.
//!
//! ```
//! use arrow_array::{Array, StringArray, cast::AsArray};
//! use tabulex_arrow::{Pages, Plan};
//!
//! let plan = Plan::new()
//!     .select("title", "title:first")?
//!     .select("links", "a[href]@href")?
//!     .text(true);
//! let column = StringArray::from(vec!["<title>One</title><a href=/x>x</a><a href=/y>y</a>", "<p>Two"]);
//! let batch = plan.batch(&Pages::new(&column))?;
//! assert_eq!(batch["title"].as_string::<i32>().iter().collect::<Vec<_>>(), [Some("One"), None]);
//! let links = batch["links"].as_list::<i32>().value(0);
//! assert_eq!(links.as_string::<i32>().iter().flatten().collect::<Vec<_>>(), ["/x", "/y"]);
//! assert_eq!(batch["text"].as_string::<i32>().value(1), "Two");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What can be wanted
//!
//! | written | the column |
//! | --- | --- |
//! | `SELECTOR` | the texts of all elements that match: a list of strings |
//! | `SELECTOR@NAME` | the values of an attribute, of the elements that have it: a list of strings |
//! | `SELECTOR@NAME::url` | the same, as URLs that are resolved against the base of the page: the first `base` element, or the page's own URL; null is what says no URL. With the feature `url` |
//! | `SELECTOR::text`, `::html`, `::span` | texts; markup; where the start tags are, as `{start, end}` |
//! | `SELECTOR@{NAME, ::text, …}` | a list of structs with these fields; an attribute that is not there is null |
//! | `SELECTOR:first…` | of the first element that matches, not a list; null if there is none |
//!
//! `tabulex-datafusion` has plans as functions of SQL. Selectors are those of [`tabulex::select`]. Beside these columns there are, if wanted, `text`: all text but that of scripts,
//! styles and the like; and `errors`. Always there are `mime_type` (by the MIME Sniffing Standard, of the Content-Type and the first bytes;
//! where it is none of markup, all columns but this one are null), `encoding`, `events` (what was done to keep within
//! [limits](tabulex::Limits)) and `error`: why a row has nothing in its other columns.

mod batch;
mod column;
mod error;
mod mime;
mod output;
mod pages;
mod plan;
mod row;

pub use error::{BatchError, PlanError};
pub use pages::Pages;
pub use plan::{Errors, Plan};
