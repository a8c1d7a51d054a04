//! The functions of DataFusion in queries: that their rows are those of the plan without it, in any number of partitions, and that
//! what is no page and no file is said.

#![cfg(all(feature = "datafusion", feature = "url"))]

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch, StringArray, StructArray};
use datafusion::error::Result;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use tabulex_arrow::datafusion::{scalar_function, table_function};
use tabulex_arrow::{Errors, Pages, Plan};

fn plan() -> Plan {
    let plan = Plan::new().select("title", "title:first");
    let plan = plan.and_then(|plan| plan.select("links", "a[href]@{href::url, ::text}"));
    plan.unwrap_or_else(|error| panic!("{error}")).text(true).errors(Errors::Counts)
}

/// Pages that differ; some are no text in UTF-8.
fn pages() -> Vec<Vec<u8>> {
    let page = |number: usize| {
        let base = if number % 3 == 0 { "<base href=/b/>" } else { "" };
        let text =
            format!("{base}<title>Page {number}</title><a href=x{number}>li\u{e9}n</a><p></b>");
        match number % 2 {
            0 => text.into_bytes(),
            _ => text.chars().map(|c| u32::from(c) as u8).collect(),
        }
    };
    (0..150).map(page).collect()
}

fn run(context: &SessionContext, query: &str) -> Result<RecordBatch> {
    let runtime = tokio::runtime::Runtime::new()?;
    let batches = runtime.block_on(async { context.sql(query).await?.collect().await })?;
    let schema = batches[0].schema();
    Ok(arrow_select::concat::concat_batches(&schema, &batches)?)
}

fn context(partitions: usize) -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(partitions).with_batch_size(16);
    let context = SessionContext::new_with_config(config);
    context.register_udf(scalar_function("page", plan()));
    context.register_udtf("pages", table_function(plan()));
    context
}

#[test]
fn a_scalar_function_makes_the_rows_of_the_plan() -> Result<()> {
    let pages = BinaryArray::from_iter_values(pages());
    let kind = |row| (row % 2 == 0).then_some("text/html; charset=utf-8");
    let kinds: StringArray = (0..pages.len()).map(kind).collect();
    let url = |row| Some(format!("https://a.example/{row}/"));
    let urls = Arc::new((0..pages.len()).map(url).collect::<StringArray>()) as ArrayRef;
    let wanted = plan().batch(&Pages::new(&pages).content_types(&kinds).urls(&urls));
    let wanted = wanted.unwrap_or_else(|error| panic!("{error}"));
    let columns: Vec<(&str, ArrayRef)> =
        vec![("payload", Arc::new(pages)), ("kind", Arc::new(kinds)), ("url", urls)];
    for partitions in [1, 3] {
        let context = context(partitions);
        context.register_batch("crawl", RecordBatch::try_from_iter(columns.clone())?)?;
        let made =
            run(&context, "SELECT url, page(payload, kind, url) AS made FROM crawl ORDER BY url")?;
        // In the order of the URLs as well.
        let sorted = arrow_select::take::take_record_batch(&wanted, &order(&wanted))?;
        assert_eq!(made["url"].as_ref(), sorted["url"].as_ref());
        let rest: Vec<usize> = (1..sorted.num_columns()).collect();
        assert_eq!(made["made"].as_struct(), &StructArray::from(sorted.project(&rest)?));
    }
    let links = wanted["links"].as_list::<i32>().value(3);
    assert_eq!(links.as_struct()["href"].as_string::<i32>().value(0), "https://a.example/b/x3");
    Ok(())
}

/// The rows by their URLs.
fn order(batch: &RecordBatch) -> arrow_array::UInt32Array {
    let urls = batch["url"].as_string::<i32>();
    let mut rows: Vec<u32> = (0..batch.num_rows() as u32).collect();
    rows.sort_by_key(|row| urls.value(*row as usize));
    rows.into()
}

#[test]
fn constants_and_nulls_are_pages() -> Result<()> {
    let context = context(2);
    let made = run(
        &context,
        "SELECT page('<title>A</title>')['title'] AS a, page(NULL)['title'] AS b, page(X'3c703e')['error'] AS c",
    )?;
    assert_eq!(made["a"].as_string::<i32>().value(0), "A");
    assert!(made["b"].is_null(0) && made["c"].is_null(0));
    let refused = run(&context, "SELECT page(1)").err().map(|error| error.to_string());
    assert!(refused.is_some_and(|it| it.contains("page takes text or bytes, not Int64")));
    Ok(())
}

/// A folder of its own, which is removed.
struct Folder(PathBuf);

impl Folder {
    fn of_pages(name: &str) -> std::io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("tabulex-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        for (number, page) in pages().iter().enumerate() {
            fs::write(folder.join(format!("{number:03}.html")), page)?;
        }
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_table_function_makes_a_row_of_each_file() -> Result<()> {
    let folder = Folder::of_pages("files")?;
    let name = folder.0.display().to_string();
    let wanted = plan().batch(&Pages::new(&BinaryArray::from_iter_values(pages())));
    let wanted = wanted.unwrap_or_else(|error| panic!("{error}"));
    for partitions in [1, 4] {
        let context = context(partitions);
        let made = run(&context, &format!("SELECT * FROM pages('{name}') ORDER BY path"))?;
        let rest: Vec<usize> = (1..made.num_columns()).collect();
        assert_eq!(made.project(&rest)?, wanted);
        assert_eq!(made["path"].as_string::<i32>().value(7), format!("{name}/007.html"));
        let one = run(
            &context,
            &format!("SELECT title FROM pages('{name}/008.html', '{name}/009.html')"),
        )?;
        assert_eq!((one.num_columns(), one.num_rows()), (1, 2));
    }
    let context = context(2);
    for (query, said) in [
        ("SELECT * FROM pages(3)", "is no path of files"),
        ("SELECT * FROM pages('nowhere-at-all')", "cannot read nowhere-at-all"),
    ] {
        let error = run(&context, query).err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains(said)), "{query}");
    }
    Ok(())
}

#[test]
fn a_file_that_goes_away_is_a_row_with_its_error() -> Result<()> {
    let folder = Folder::of_pages("gone")?;
    let context = context(1);
    let query =
        format!("SELECT path, title, error FROM pages('{}') ORDER BY path", folder.0.display());
    let runtime = tokio::runtime::Runtime::new()?;
    let planned = runtime.block_on(context.sql(&query))?;
    fs::remove_file(folder.0.join("002.html"))?;
    let batches = runtime.block_on(planned.collect())?;
    let made = arrow_select::concat::concat_batches(&batches[0].schema(), &batches)?;
    let errors = made["error"].as_string::<i32>();
    assert!(errors.value(2).starts_with("cannot be read: ") && made["title"].is_null(2));
    assert_eq!((made.num_rows(), errors.null_count()), (150, 149));
    Ok(())
}
