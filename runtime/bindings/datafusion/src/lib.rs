//! Pages in SQL: a plan of [`tabulex_arrow`] as a scalar function of DataFusion, and the documents of WARC files as a
//! table. Errors of a page or a damaged record are reported in its row, and do not end the query.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//! use std::sync::Arc;
//! use tabulex_arrow::Plan;
//! use tabulex_datafusion::{ReadWarc, function};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let plan = Plan::new().select("title", "title:first")?.select("links", "a[href]@href::url")?;
//! let context = SessionContext::new();
//! context.register_udf(function("tabulex", plan));
//! context.register_udtf("read_warc", Arc::new(ReadWarc::new()));
//! let query = "SELECT tabulex('<title>One</title>') AS found";
//! let batches = context.sql(&format!("SELECT found['title'] AS title FROM ({query})")).await?.collect().await?;
//! datafusion::assert_batches_eq!(["+-------+", "| title |", "+-------+", "| One   |", "+-------+"], &batches);
//! # Ok(())
//! # }
//! ```
//!
//! - `tabulex(page)`, `tabulex(page, content_type)`, `tabulex(page, content_type, url)`: see [`function()`].
//! - `read_warc('crawl/*.warc.gz')`: see [`ReadWarc`]; [`Responses`] provides the same rows without SQL.

mod decode;
mod function;
mod message;
mod responses;
mod rows;
mod table;

pub use function::function;
pub use responses::{Responses, SizeLimits};
pub use table::ReadWarc;
