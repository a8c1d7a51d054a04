//! Extracts columns of data from columns of pages, on Arrow. A [`Plan`] describes the data; it is parsed once and run
//! on any number of batches, on one or several threads. Each page gives a row, in order; errors of a page are reported
//! in its row.
//!
//! ```
//! use arrow_array::{Array, StringArray, cast::AsArray};
//! use tabulex_arrow::{Pages, Plan, Text};
//!
//! let plan = Plan::new()
//!     .select("title", "title:first")?
//!     .select("links", "a[href]@href")?
//!     .text(Text::Rendered);
//! let column = StringArray::from(vec!["<title>One</title><a href=/x>x</a><a href=/y>y</a>", "<p>Two"]);
//! let batch = plan.batch(&Pages::new(&column))?;
//! assert_eq!(batch["title"].as_string::<i32>().iter().collect::<Vec<_>>(), [Some("One"), None]);
//! let links = batch["links"].as_list::<i32>().value(0);
//! assert_eq!(links.as_string::<i32>().iter().flatten().collect::<Vec<_>>(), ["/x", "/y"]);
//! assert_eq!(batch["text"].as_string::<i32>().value(1), "Two");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Outputs
//!
//! | output | column |
//! | --- | --- |
//! | `SELECTOR` | texts of the matching elements, a list of strings |
//! | `SELECTOR@NAME` | values of an attribute, a list of strings; elements without it are skipped |
//! | `SELECTOR@NAME::url` | those values as URLs, resolved against the page's `base` element or its own URL; null if invalid |
//! | `SELECTOR::text`, `::html`, `::span` | texts; markup; ranges of the start tags, as `{start, end}` |
//! | `SELECTOR@{NAME, ::text, …}` | a list of structs with these fields; missing attributes are null |
//! | `SELECTOR:first…` | the value of the first matching element, not a list; null if there is none |
//!
//! Selectors are those of [`tabulex::select`]. Further columns are optional: `text` (rendered, or all text except that
//! of scripts and styles), `markdown`, `links`, `tables` and `errors`. The following are always present: `mime_type` (by the MIME Sniffing Standard,
//! from the Content-Type and the first bytes; if it is not markup, all other columns are null), `encoding`, `events`
//! (of [limits](tabulex::Limits) reached) and `error` (the reason why the other columns are null). `tabulex-datafusion`
//! provides plans as SQL functions.

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
pub use plan::{Errors, Plan, Text};
