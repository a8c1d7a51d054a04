//! Extraction of a page's data before it is added to columns: texts in one buffer, and the ranges of values in it. A
//! page that fails midway adds nothing to the columns.

use crate::output::{Output, Value};
use crate::pages::PageData;
use crate::plan::{Errors, Plan, Text};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Range;
use tabulex::encoding::{Confidence, Encoding, Hints, Offsets, decode};
use tabulex::select::Query as _;
use tabulex::tree::{HtmlSerializer, LocalName, NodeRef, Tree};
use tabulex::{AnyParser, Lines, Parsed, Span, WriteNode as _};

/// A value of an element.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Null,
    /// A text, as a range of the row's buffer.
    Text(Range<usize>),
    Span(Span),
}

/// An error of a page, or an error code with its count.
#[derive(Clone, Debug)]
pub(crate) struct ErrorItem {
    pub(crate) code: &'static str,
    /// The range, line and column of the error; or the count, then zeros.
    pub(crate) numbers: [i64; 4],
}

/// The data of one page; reused for the next page.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) buffer: String,
    /// For each output, the values of its elements, concatenated.
    pub(crate) cells: Vec<Vec<Cell>>,
    pub(crate) text: Range<usize>,
    pub(crate) markdown: Range<usize>,
    pub(crate) links: Vec<Range<usize>>,
    /// For each table and each of its rows, the ranges of the cells in the buffer.
    pub(crate) tables: Vec<Vec<Vec<Range<usize>>>>,
    pub(crate) errors: Vec<ErrorItem>,
    pub(crate) encoding: Option<&'static str>,
    pub(crate) events: Vec<String>,
}

/// The error that a column of the page exceeds the row limit of the plan.
#[derive(Debug)]
pub(crate) struct RowTooLarge;

impl Row {
    fn clear(&mut self, outputs: usize) {
        self.buffer.clear();
        self.cells.resize_with(outputs, Vec::new);
        self.cells.iter_mut().for_each(Vec::clear);
        self.links.clear();
        self.tables.clear();
        self.errors.clear();
        self.events.clear();
        (self.text, self.markdown, self.encoding) = (0..0, 0..0, None);
    }

    /// Adds a text to the buffer and returns its range. The texts of its column begin at `start` and have at most
    /// `limit` bytes.
    fn add(&mut self, text: &str, start: usize, limit: usize) -> Result<Range<usize>, RowTooLarge> {
        let text_start = self.buffer.len();
        if text.len() > limit.saturating_sub(text_start - start) {
            return Err(RowTooLarge);
        }
        self.buffer.push_str(text);
        Ok(text_start..self.buffer.len())
    }
}

/// A worker that extracts rows from pages, one after the other, on one thread.
pub(crate) struct Worker<'p> {
    plan: &'p Plan,
    /// A parser for each encoding that a Content-Type declares, and one for pages without such a declaration.
    parsers: HashMap<Option<Encoding>, Box<dyn AnyParser>>,
    pub(crate) row: Row,
}

impl<'p> Worker<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Self { plan, parsers: HashMap::new(), row: Row::default() }
    }

    /// Extracts a page's data into `row`.
    pub(crate) fn extract(
        &mut self,
        page: PageData<'_>,
        content_type: Option<&str>,
        url: Option<&str>,
    ) -> Result<(), RowTooLarge> {
        let plan = self.plan;
        self.row.clear(plan.outputs.len());
        let plan_hints = || plan.hints.clone();
        let declared_encoding =
            content_type.and_then(|value| Hints::new().content_type(value).transport);
        let declared_encoding = declared_encoding.filter(|_| matches!(page, PageData::Bytes(_)));
        // The parser is removed from the map while it parses, so that it is not reused after a panic.
        let parser = self.parsers.remove(&declared_encoding).or_else(|| {
            let hints = declared_encoding
                .map_or_else(plan_hints, |encoding| plan_hints().transport(encoding));
            plan.dialect.parser(&plan.options(hints))
        });
        let Some(mut parser) = parser else { return Ok(()) };
        let parsed = match page {
            PageData::Text(text) => parser.parse(text),
            PageData::Bytes(bytes) => parser.parse_bytes(bytes),
        };
        let result = self.fill_row(page, url, &parsed);
        parser.recycle(parsed.tree);
        self.parsers.insert(declared_encoding, parser);
        result
    }

    fn fill_row(
        &mut self,
        page: PageData<'_>,
        url: Option<&str>,
        parsed: &Parsed,
    ) -> Result<(), RowTooLarge> {
        let (plan, row) = (self.plan, &mut self.row);
        let positions = PositionMap { page, encoding: parsed.encoding.encoding, offsets: None };
        let mut extractor = Extractor {
            row,
            limit: plan.row_limit,
            serializer: plan
                .dialect
                .serializer()
                .map(|serializer| serializer.scripting(plan.scripting)),
            positions,
            base: Base { document_url: url, resolved: None },
        };
        for (index, output) in plan.outputs.iter().enumerate() {
            extractor.extract_output(index, output, parsed.tree.root())?;
        }
        let root = parsed.tree.root();
        match plan.text {
            Text::No => {}
            Text::All => extractor.extract_text(&parsed.tree, plan.scripting)?,
            Text::Rendered => {
                let text = tabulex::text::TextReader::new().scripting(plan.scripting).text(root);
                extractor.row.text =
                    extractor.row.add(&text, extractor.row.buffer.len(), plan.row_limit)?;
            }
        }
        if plan.markdown {
            let text = tabulex::text::markdown(root);
            extractor.row.markdown =
                extractor.row.add(&text, extractor.row.buffer.len(), plan.row_limit)?;
        }
        if plan.links {
            extractor.extract_links(root)?;
        }
        if plan.tables {
            extractor.extract_tables(root)?;
        }
        match plan.errors {
            Errors::No => {}
            Errors::Each => extractor.extract_errors(parsed),
            Errors::Counts => extractor.count_errors(parsed),
        }
        if parsed.encoding.confidence != Confidence::Irrelevant {
            row.encoding = Some(parsed.encoding.encoding.name());
        }
        row.events.extend(parsed.events.iter().map(ToString::to_string));
        Ok(())
    }
}

/// A map from positions in the decoded text to positions in the page as given.
struct PositionMap<'a> {
    page: PageData<'a>,
    encoding: Encoding,
    /// The mapping, created on first use.
    offsets: Option<Offsets>,
}

impl PositionMap<'_> {
    fn original(&mut self, span: Span) -> Span {
        let PageData::Bytes(bytes) = self.page else { return span };
        let encoding = self.encoding;
        self.offsets.get_or_insert_with(|| Offsets::new(bytes, encoding)).original(span)
    }
}

/// An extractor that fills a row with the data of a tree.
struct Extractor<'r, 'a> {
    row: &'r mut Row,
    limit: usize,
    serializer: Option<HtmlSerializer<'static>>,
    positions: PositionMap<'a>,
    base: Base<'a>,
}

/// The URL of a page, and the base URL of its links.
struct Base<'a> {
    /// The page's own URL, if known.
    document_url: Option<&'a str>,
    /// The base URL, computed on first use.
    resolved: Option<url::Url>,
}

impl Base<'_> {
    /// Returns the URL of the page, or `about:blank`, against which no relative URL can be resolved.
    fn document_url(&self) -> Option<url::Url> {
        let document_url = self.document_url.and_then(|text| url::Url::parse(text).ok());
        document_url.or_else(|| url::Url::parse("about:blank").ok())
    }

    /// Resolves a URL; returns `None` if it is invalid, or relative on a page without a URL.
    fn resolve(&mut self, element: NodeRef<'_>, value: &str) -> Option<url::Url> {
        if self.resolved.is_none() {
            self.resolved = Some(tabulex::text::base(element.tree().root(), &self.document_url()?));
        }
        self.resolved.as_ref()?.join(value.trim_ascii()).ok()
    }
}

/// A buffer with a limit on the bytes added.
struct LimitedBuffer<'b> {
    buffer: &'b mut String,
    remaining: usize,
}

impl fmt::Write for LimitedBuffer<'_> {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.remaining = self.remaining.checked_sub(text.len()).ok_or(fmt::Error)?;
        self.buffer.push_str(text);
        Ok(())
    }
}

impl Extractor<'_, '_> {
    fn extract_output(
        &mut self,
        index: usize,
        output: &Output,
        root: NodeRef<'_>,
    ) -> Result<(), RowTooLarge> {
        let start = self.row.buffer.len();
        for element in root.select(&output.selector) {
            let remaining = self.limit.saturating_sub(self.row.buffer.len() - start);
            if let ([value], false, false) =
                (&output.values[..], output.is_struct, output.takes_first)
                && let Some(name) = value.attribute()
                && element.attribute(name).is_none()
            {
                continue;
            }
            for value in &output.values {
                let cell = self.extract_value(value, element, remaining)?;
                self.row.cells[index].push(cell);
            }
            if output.takes_first {
                break;
            }
        }
        Ok(())
    }

    fn extract_value(
        &mut self,
        value: &Value,
        element: NodeRef<'_>,
        remaining: usize,
    ) -> Result<Cell, RowTooLarge> {
        let start = self.row.buffer.len();
        let mut out = LimitedBuffer { buffer: &mut self.row.buffer, remaining };
        let result = match value {
            Value::Span => {
                let span = element.span().map(|span| self.positions.original(span));
                return Ok(span.map_or(Cell::Null, Cell::Span));
            }
            Value::Text => element.write_text(&mut out),
            Value::Html => match &self.serializer {
                Some(serializer) => serializer.write_outer(element, &mut out),
                None => element.write_xml(&mut out),
            },
            Value::Attribute(name) => {
                let Some(value) = element.attribute(name) else { return Ok(Cell::Null) };
                fmt::Write::write_str(&mut out, value)
            }
            Value::Url(name) => {
                let Some(value) = element.attribute(name) else { return Ok(Cell::Null) };
                let Some(url) = self.base.resolve(element, value) else { return Ok(Cell::Null) };
                fmt::Write::write_str(&mut out, url.as_str())
            }
        };
        result.map_err(|_| RowTooLarge)?;
        Ok(Cell::Text(start..self.row.buffer.len()))
    }

    fn extract_links(&mut self, root: NodeRef<'_>) -> Result<(), RowTooLarge> {
        let Some(document_url) = self.base.document_url() else { return Ok(()) };
        let start = self.row.buffer.len();
        for link in tabulex::text::links(root, &document_url) {
            let range = self.row.add(link.url.as_str(), start, self.limit)?;
            self.row.links.push(range);
        }
        Ok(())
    }

    fn extract_tables(&mut self, root: NodeRef<'_>) -> Result<(), RowTooLarge> {
        let start = self.row.buffer.len();
        for table in tabulex::text::tables(root) {
            let mut rows = Vec::new();
            for texts in table.texts() {
                let cells = texts.iter().map(|text| self.row.add(text, start, self.limit));
                rows.push(cells.collect::<Result<_, _>>()?);
            }
            self.row.tables.push(rows);
        }
        Ok(())
    }

    /// Extracts all text except that of elements whose contents are raw text, such as scripts and styles.
    fn extract_text(&mut self, tree: &Tree, scripting: bool) -> Result<(), RowTooLarge> {
        let raw_text_names: Vec<LocalName> = self
            .serializer
            .iter()
            .flat_map(|serializer| {
                let names = serializer.names();
                let when_scripting = if scripting { names.raw_text_when_scripting } else { &[] };
                names.raw_text.iter().chain(when_scripting)
            })
            .filter_map(|name| tree.names().find_local(name))
            .collect();
        let is_raw_text = |text: &NodeRef<'_>| {
            let name = text.parent().and_then(|parent| parent.name());
            name.is_some_and(|name| raw_text_names.contains(&name.id().local()))
        };
        let start = self.row.buffer.len();
        let mut out = LimitedBuffer { buffer: &mut self.row.buffer, remaining: self.limit };
        for text in tree.root().descendants().filter(NodeRef::is_text) {
            if !is_raw_text(&text) {
                let data = text.data().unwrap_or_default();
                fmt::Write::write_str(&mut out, data).map_err(|_| RowTooLarge)?;
            }
        }
        self.row.text = start..self.row.buffer.len();
        Ok(())
    }

    fn extract_errors(&mut self, parsed: &Parsed) {
        if parsed.errors.is_empty() {
            return;
        }
        let text = match self.positions.page {
            PageData::Text(text) => text.into(),
            PageData::Bytes(bytes) => decode(bytes, self.positions.encoding),
        };
        let lines = Lines::new(&text);
        for error in &parsed.errors {
            let position = lines.position(error.span.start);
            let span = self.positions.original(error.span);
            let numbers = [span.start, span.end, position.line, position.column];
            let numbers = numbers.map(|number| number as i64);
            self.row.errors.push(ErrorItem { code: error.code, numbers });
        }
    }

    fn count_errors(&mut self, parsed: &Parsed) {
        let mut counts = BTreeMap::<&'static str, i64>::new();
        for error in &parsed.errors {
            *counts.entry(error.code).or_default() += 1;
        }
        let items = counts.into_iter();
        self.row
            .errors
            .extend(items.map(|(code, count)| ErrorItem { code, numbers: [count, 0, 0, 0] }));
    }
}
