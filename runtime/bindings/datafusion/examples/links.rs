//! Extracts links from WARC files with SQL: `links 'crawl/*.warc.gz' links.json` writes a line of JSON for each page
//! with a title: its URL, title and links.

use datafusion::prelude::SessionContext;
use std::error::Error;
use std::sync::Arc;
use tabulex_arrow::Plan;
use tabulex_datafusion::{ReadWarc, function};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(files), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: links FILES OUT".into());
    };
    write_links(&files, &out).await
}

/// Writes a line of JSON for each page with a title.
pub(crate) async fn write_links(files: &str, out: &str) -> Result<(), Box<dyn Error>> {
    let plan = Plan::new().select("title", "title:first")?.select("links", "a[href]@href::url")?;
    let context = SessionContext::new();
    context.register_udf(function("tabulex", plan));
    context.register_udtf("read_warc", Arc::new(ReadWarc::new()));
    let page_query = format!(
        "SELECT url, tabulex(payload, content_type, url) AS found FROM read_warc('{files}')"
    );
    let titled_query = format!(
        "SELECT url, found['title'] AS title, found['links'] AS links FROM ({page_query}) \
         WHERE found['title'] IS NOT NULL ORDER BY url"
    );
    let query = format!("COPY ({titled_query}) TO '{out}' STORED AS JSON");
    context.sql(&query).await?.collect().await?;
    Ok(())
}
