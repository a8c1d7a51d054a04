//! Queries with the scalar function on columns of pages and with the table function on WARC files, compared with the
//! plan without DataFusion.

#[path = "../examples/links.rs"]
#[expect(dead_code, reason = "tests do not call its `main`")]
mod example;
mod warc;

use datafusion::arrow::array::{
    ArrayRef, BinaryArray, DictionaryArray, RecordBatch, StringArray, StringViewArray, StructArray,
};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::Int32Type;
use datafusion::assert_batches_eq;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;
use tabulex_arrow::{Errors, Pages, Plan, Text};
use tabulex_datafusion::{ReadWarc, Responses, SizeLimits, function};

fn plan() -> Plan {
    let plan = Plan::new().select("title", "title:first").unwrap();
    let plan = plan.select("links", "a[href]@href::url").unwrap();
    plan.text(Text::All).errors(Errors::Counts)
}

/// Creates a session with this number of threads and both functions.
fn session(threads: usize, sizes: SizeLimits) -> SessionContext {
    let context =
        SessionContext::new_with_config(SessionConfig::new().with_target_partitions(threads));
    context.register_udf(function("tabulex", plan()));
    context.register_udtf("read_warc", Arc::new(ReadWarc::new().sizes(sizes)));
    context
}

async fn rows(context: &SessionContext, query: &str) -> Vec<RecordBatch> {
    context.sql(query).await.unwrap().collect().await.unwrap()
}

/// Returns the error of a query.
async fn failure(context: &SessionContext, query: &str) -> String {
    match context.sql(query).await {
        Err(error) => error.to_string(),
        Ok(frame) => frame.collect().await.expect_err(query).to_string(),
    }
}

const PAGES: [Option<&[u8]>; 4] = [
    Some(b"<title>One</title><a href=/x>x</a><a href=y>y</a>"),
    None,
    Some(b"<title>caf\xe9</title>"),
    Some(b"<p>\xc3\xa9"),
];

fn with_pages(pages: ArrayRef) -> SessionContext {
    let context = session(2, SizeLimits::default());
    let content_types = [None, None, Some("text/html"), Some("text/html;charset=utf-8")];
    let urls = [Some("https://a.example/b/"), None, None, None];
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("number", Arc::new(StringArray::from(vec!["0", "1", "2", "3"])) as ArrayRef, false),
        ("page", pages, true),
        ("kind", Arc::new(StringArray::from(content_types.to_vec())), true),
        ("url", Arc::new(StringViewArray::from(urls.to_vec())), true),
    ]);
    context.register_batch("pages", batch.unwrap()).unwrap();
    context
}

#[tokio::test]
async fn extracts_from_a_column_of_pages() {
    let context = with_pages(Arc::new(BinaryArray::from(PAGES.to_vec())));
    let query = "SELECT number, found['title'] AS title, found['links'] AS links, found['text'] AS text, \
                 found['encoding'] AS encoding FROM (SELECT number, tabulex(page, kind, url) AS found FROM pages) \
                 ORDER BY number";
    assert_batches_eq!(
        [
            "+--------+-------+----------------------------------------------+-------+--------------+",
            "| number | title | links                                        | text  | encoding     |",
            "+--------+-------+----------------------------------------------+-------+--------------+",
            "| 0      | One   | [https://a.example/x, https://a.example/b/y] | Onexy | UTF-8        |",
            "| 1      |       |                                              |       |              |",
            "| 2      | café  | []                                           | café  | windows-1252 |",
            "| 3      |       | []                                           | é     | UTF-8        |",
            "+--------+-------+----------------------------------------------+-------+--------------+",
        ],
        &rows(&context, query).await
    );
}

#[tokio::test]
async fn accepts_all_kinds_of_pages() {
    let text = ["<title>a", "<title>b", "<title>a", "<title>c"];
    let dictionary: DictionaryArray<Int32Type> = text.into_iter().collect();
    let columns: [ArrayRef; 3] = [
        Arc::new(StringArray::from(text.to_vec())),
        Arc::new(StringViewArray::from(text.to_vec())),
        Arc::new(dictionary),
    ];
    for column in columns {
        let context = with_pages(column);
        let query = "SELECT tabulex(page)['title'] AS title FROM pages ORDER BY number";
        let expected = [
            "+-------+",
            "| title |",
            "+-------+",
            "| a     |",
            "| b     |",
            "| a     |",
            "| c     |",
            "+-------+",
        ];
        assert_batches_eq!(expected, &rows(&context, query).await);
        let grouped_query = "SELECT tabulex(page)['title'] AS title, count(*) AS n FROM pages GROUP BY 1 ORDER BY 1";
        let expected = [
            "+-------+---+",
            "| title | n |",
            "+-------+---+",
            "| a     | 2 |",
            "| b     | 1 |",
            "| c     | 1 |",
            "+-------+---+",
        ];
        assert_batches_eq!(expected, &rows(&context, grouped_query).await);
        // Constant arguments, including null, take a separate path: one page is parsed for all rows.
        let constant_query = "SELECT tabulex('<title>x')['title'] AS a, tabulex(NULL)['title'] AS b FROM pages LIMIT 1";
        let expected = ["+---+---+", "| a | b |", "+---+---+", "| x |   |", "+---+---+"];
        assert_batches_eq!(expected, &rows(&context, constant_query).await);
    }
}

#[tokio::test]
async fn reports_columns_that_are_not_pages() {
    let context = with_pages(Arc::new(BinaryArray::from(PAGES.to_vec())));
    for (query, expected) in [
        ("SELECT tabulex() FROM pages", "tabulex"),
        (
            "SELECT tabulex(1) FROM pages",
            "the page passed to `tabulex` must be text or bytes, not the type `Int64`",
        ),
        (
            "SELECT tabulex(page, page) FROM pages",
            "the content type passed to `tabulex` must be text, not the type `Binary`",
        ),
        ("SELECT * FROM read_warc()", "missing path of a WARC file"),
        ("SELECT * FROM read_warc(1)", "the path of a WARC file must be a string"),
        ("SELECT * FROM read_warc('absent.warc.gz')", "absent.warc.gz: "),
        ("SELECT * FROM read_warc('absent-*.warc.gz')", "no file matches"),
    ] {
        let message = failure(&context, query).await;
        assert!(message.contains(expected), "{query}: {message}");
    }
}

#[tokio::test]
async fn reads_warc_files() {
    let folder = tempfile::tempdir().unwrap();
    let pages = |file: usize| {
        (0..40).map(move |number| format!("<title>{file}-{number}</title><a href=/{number}>x</a>"))
    };
    for file in 0..3 {
        let records = pages(file).enumerate().map(|(number, page)| {
            warc::member(&warc::record(file * 100 + number, page.as_bytes(), warc::HTML))
        });
        let content: Vec<u8> = records.collect::<Vec<_>>().concat();
        std::fs::write(folder.path().join(format!("{file}.warc.gz")), content).unwrap();
    }
    // The expected columns are computed by the plan alone, without DataFusion.
    let files = (0..3).map(|file| folder.path().join(format!("{file}.warc.gz")));
    let batches: Vec<RecordBatch> = files
        .flat_map(|file| Responses::open(&file, SizeLimits::default()).unwrap())
        .map(Result::unwrap)
        .collect();
    let responses = concat_batches(&batches[0].schema(), &batches).unwrap();
    let expected = Pages::new(&responses["payload"])
        .content_types(&responses["content_type"])
        .urls(&responses["url"]);
    let expected = plan().batch(&expected).unwrap();
    assert_eq!(expected.num_rows(), 120);
    for threads in [1, 2, 5] {
        for batch_rows in [7, 1024] {
            let context = session(threads, SizeLimits { batch_rows, ..SizeLimits::default() });
            let query = format!(
                "SELECT url, tabulex(payload, content_type, url) AS found FROM read_warc('{}/*.warc.gz') ORDER BY url",
                folder.path().display()
            );
            let result = rows(&context, &query).await;
            let result = concat_batches(&result[0].schema(), &result).unwrap();
            assert_eq!(&result["url"], &expected["url"]);
            let columns: &StructArray = result["found"].as_any().downcast_ref().unwrap();
            for (name, column) in
                columns.fields().iter().map(|field| field.name()).zip(columns.columns())
            {
                assert_eq!(column, &expected[name], "{name}, {threads} threads");
            }
        }
    }
    let context = session(2, SizeLimits::default());
    let path = folder.path().join("1.warc.gz");
    let query = format!(
        "SELECT count(*) AS n, min(status) AS status, min(date) AS date, count(error) AS errors FROM read_warc('{0}', '{0}')",
        path.display()
    );
    assert_batches_eq!(
        [
            "+----+--------+----------------------+--------+",
            "| n  | status | date                 | errors |",
            "+----+--------+----------------------+--------+",
            "| 80 | 200    | 2026-01-02T03:04:05Z | 0      |",
            "+----+--------+----------------------+--------+",
        ],
        &rows(&context, &query).await
    );
    let limited_query = format!("SELECT url FROM read_warc('{}') LIMIT 3", path.display());
    assert_eq!(
        rows(&context, &limited_query).await.iter().map(RecordBatch::num_rows).sum::<usize>(),
        3
    );
}

#[tokio::test]
async fn runs_the_example() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let pages: [&[u8]; 3] = [
        b"<title>One</title><a href=/x>x</a><a href=y>y</a>",
        b"<p>without a title",
        b"<base href=//b.example><title>Two</title><a href=z>z</a><a>no link</a>",
    ];
    let records: Vec<u8> = (0..3)
        .flat_map(|number| warc::member(&warc::record(number, pages[number], warc::HTML)))
        .collect();
    std::fs::write(path("a.warc.gz"), records).unwrap();
    example::write_links(&path("*.warc.gz"), &path("links.json")).await.unwrap();
    assert_eq!(
        std::fs::read_to_string(path("links.json")).unwrap(),
        "{\"url\":\"https://a.example/000\",\"title\":\"One\",\"links\":[\"https://a.example/x\",\"https://a.example/y\"]}\n\
         {\"url\":\"https://a.example/002\",\"title\":\"Two\",\"links\":[\"https://b.example/z\"]}\n"
    );
    let source = include_str!("../examples/links.rs");
    assert!(source.lines().count() <= 40);
}
