//! Titles and numbers of links of the pages in a folder, by a query of DataFusion: `sql FOLDER`. Links are resolved as if each
//! page came from the address that its base element says.

use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use tabulex_arrow::{Plan, datafusion::table_function};

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let plan = Plan::new()
        .select("title", "title:first")
        .and_then(|plan| plan.select("links", "a[href]@href::url"));
    let context = SessionContext::new();
    context.register_udtf(
        "pages",
        table_function(
            plan.map_err(|error| datafusion::error::DataFusionError::External(error.into()))?,
        ),
    );
    let query = format!(
        "SELECT path, title, links[1] AS first, error FROM pages('{folder}') ORDER BY path"
    );
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async { context.sql(&query).await?.show().await })
}
