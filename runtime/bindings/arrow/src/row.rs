//! Extraction of a page's data before it is added to columns: texts in one buffer, and the ranges of values in it. A
//! page that fails midway adds nothing to the columns.

use crate::output::{Output, Value};
use crate::pages::PageData;
use crate::plan::{Errors, Plan, Text};
use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write as _};
use std::ops::Range;
use tabulex::encoding::{Confidence, Encoding, Hints, Offsets, decode};
use tabulex::select::Query as _;
use tabulex::tree::{HtmlSerializer, LocalName, NodeRef, Tree};
use tabulex::{AnyParser, Lines, Parsed, Span, WriteNode as _};

/// A value in a column, or in a list or struct.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Null,
    /// A text, as a range of the row's buffer.
    Text(Range<usize>),
    Number(i64),
    List(Vec<Self>),
    Struct(Vec<Self>),
}

impl Cell {
    /// Returns an upper bound of the bytes and items that the cell adds to its column.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Null | Self::Number(_) => 1,
            Self::Text(range) => 1 + range.len(),
            Self::List(cells) | Self::Struct(cells) => {
                1 + cells.iter().map(Self::size).sum::<usize>()
            }
        }
    }

    /// Creates the struct of a range of the page.
    fn of_span(span: Span) -> Self {
        Self::Struct(vec![Self::Number(span.start as i64), Self::Number(span.end as i64)])
    }
}

/// The data of one page; reused for the next page.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) buffer: String,
    /// The cells of all columns of the plan's schema in order, except for `mime_type` and `error`.
    pub(crate) cells: Vec<Cell>,
    /// The maximum length of the buffer after the texts of the current column.
    max_len: usize,
}

/// The error that a column of the page exceeds the row limit of the plan.
#[derive(Debug)]
pub(crate) struct RowTooLarge;

impl Row {
    /// Begins a column, whose texts have at most `limit` bytes.
    fn begin_column(&mut self, limit: usize) {
        self.max_len = self.buffer.len().saturating_add(limit);
    }

    /// Adds a text to the buffer and returns its cell.
    fn add(&mut self, text: &str) -> Result<Cell, RowTooLarge> {
        let start = self.buffer.len();
        self.write_str(text).map_err(|_| RowTooLarge)?;
        Ok(Cell::Text(start..self.buffer.len()))
    }

    /// Adds a text of bounded length to the buffer and returns its cell.
    fn add_unlimited(&mut self, text: &str) -> Cell {
        let start = self.buffer.len();
        self.buffer.push_str(text);
        Cell::Text(start..self.buffer.len())
    }
}

impl fmt::Write for Row {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() > self.max_len.saturating_sub(self.buffer.len()) {
            return Err(fmt::Error);
        }
        self.buffer.push_str(text);
        Ok(())
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
        self.row.buffer.clear();
        self.row.cells.clear();
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
        let root = parsed.tree.root();
        let mut cells = Vec::new();
        for output in &plan.outputs {
            cells.push(extractor.extract_output(output, root)?);
        }
        match plan.text {
            Text::No => {}
            Text::All => cells.push(extractor.extract_text(&parsed.tree, plan.scripting)?),
            Text::Rendered => {
                let text = tabulex::text::TextReader::new().scripting(plan.scripting).text(root);
                extractor.row.begin_column(plan.row_limit);
                cells.push(extractor.row.add(&text)?);
            }
        }
        if plan.markdown {
            extractor.row.begin_column(plan.row_limit);
            cells.push(extractor.row.add(&tabulex::text::markdown(root))?);
        }
        if plan.links {
            cells.push(extractor.extract_links(root)?);
        }
        if plan.tables {
            cells.push(extractor.extract_tables(root)?);
        }
        match plan.errors {
            Errors::No => {}
            Errors::Each => cells.push(extractor.extract_errors(parsed)),
            Errors::Counts => cells.push(extractor.count_errors(parsed)),
        }
        cells.push(match parsed.encoding.confidence {
            Confidence::Irrelevant => Cell::Null,
            _ => row.add_unlimited(parsed.encoding.encoding.name()),
        });
        let events = parsed.events.iter().map(|event| row.add_unlimited(&event.to_string()));
        cells.push(Cell::List(events.collect()));
        row.cells = cells;
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
        tabulex::text::resolve(element.tree(), self.resolved.as_ref()?, value)
    }
}

impl Extractor<'_, '_> {
    fn extract_output(&mut self, output: &Output, root: NodeRef<'_>) -> Result<Cell, RowTooLarge> {
        self.row.begin_column(self.limit);
        let mut items = Vec::new();
        for element in root.select(&output.selector) {
            if let ([value], false, false) =
                (&output.values[..], output.is_struct, output.takes_first)
                && let Some(name) = value.attribute()
                && element.attribute(name).is_none()
            {
                continue;
            }
            let values = output.values.iter().map(|value| self.extract_value(value, element));
            let mut values = values.collect::<Result<Vec<_>, _>>()?;
            let item = if output.is_struct { Cell::Struct(values) } else { values.swap_remove(0) };
            if output.takes_first {
                return Ok(item);
            }
            items.push(item);
        }
        Ok(if output.takes_first { Cell::Null } else { Cell::List(items) })
    }

    fn extract_value(&mut self, value: &Value, element: NodeRef<'_>) -> Result<Cell, RowTooLarge> {
        let start = self.row.buffer.len();
        let result = match value {
            Value::Span => {
                let span = element.span().map(|span| self.positions.original(span));
                return Ok(span.map_or(Cell::Null, Cell::of_span));
            }
            Value::Text => element.write_text(self.row),
            Value::Html => match &self.serializer {
                Some(serializer) => serializer.write_outer(element, self.row),
                None => element.write_xml(self.row),
            },
            Value::Attribute(name) => {
                let Some(value) = element.attribute(name) else { return Ok(Cell::Null) };
                self.row.write_str(value)
            }
            Value::Url(name) => {
                let Some(value) = element.attribute(name) else { return Ok(Cell::Null) };
                let Some(url) = self.base.resolve(element, value) else { return Ok(Cell::Null) };
                self.row.write_str(url.as_str())
            }
        };
        result.map_err(|_| RowTooLarge)?;
        Ok(Cell::Text(start..self.row.buffer.len()))
    }

    fn extract_links(&mut self, root: NodeRef<'_>) -> Result<Cell, RowTooLarge> {
        self.row.begin_column(self.limit);
        let mut links = Vec::new();
        if let Some(document_url) = self.base.document_url() {
            for link in tabulex::text::links(root, &document_url) {
                links.push(self.row.add(link.url.as_str())?);
            }
        }
        Ok(Cell::List(links))
    }

    fn extract_tables(&mut self, root: NodeRef<'_>) -> Result<Cell, RowTooLarge> {
        self.row.begin_column(self.limit);
        let mut tables = Vec::new();
        for table in tabulex::text::tables(root) {
            let mut rows = Vec::new();
            for texts in table.texts() {
                let cells = texts.iter().map(|text| self.row.add(text));
                rows.push(Cell::List(cells.collect::<Result<_, _>>()?));
            }
            tables.push(Cell::List(rows));
        }
        Ok(Cell::List(tables))
    }

    /// Extracts all text except that of elements whose contents are raw text, such as scripts and styles.
    fn extract_text(&mut self, tree: &Tree, scripting: bool) -> Result<Cell, RowTooLarge> {
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
        self.row.begin_column(self.limit);
        let start = self.row.buffer.len();
        for text in tree.root().descendants().filter(NodeRef::is_text) {
            if !is_raw_text(&text) {
                self.row.add(text.data().unwrap_or_default())?;
            }
        }
        Ok(Cell::Text(start..self.row.buffer.len()))
    }

    fn extract_errors(&mut self, parsed: &Parsed) -> Cell {
        if parsed.errors.is_empty() {
            return Cell::List(Vec::new());
        }
        let text = match self.positions.page {
            PageData::Text(text) => text.into(),
            PageData::Bytes(bytes) => decode(bytes, self.positions.encoding),
        };
        let lines = Lines::new(&text);
        let mut errors = Vec::new();
        for error in &parsed.errors {
            let position = lines.position(error.span.start);
            let span = self.positions.original(error.span);
            let numbers = [span.start, span.end, position.line, position.column];
            let mut fields = vec![self.row.add_unlimited(error.code)];
            fields.extend(numbers.map(|number| Cell::Number(number as i64)));
            errors.push(Cell::Struct(fields));
        }
        Cell::List(errors)
    }

    fn count_errors(&mut self, parsed: &Parsed) -> Cell {
        let mut counts = BTreeMap::<&'static str, i64>::new();
        for error in &parsed.errors {
            *counts.entry(error.code).or_default() += 1;
        }
        let items = counts.into_iter().map(|(code, count)| {
            Cell::Struct(vec![self.row.add_unlimited(code), Cell::Number(count)])
        });
        Cell::List(items.collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Pages, Plan};
    use arrow_array::{Array as _, StringArray};

    #[test]
    fn all_values_of_a_column_share_the_row_limit() {
        let page = StringArray::from(vec!["<p title=1234>5678<p>90"]);
        for (output, length) in
            [("p", 6), ("p@title", 4), ("p@{title, ::text}", 10), ("p:first@{title, ::text}", 8)]
        {
            for (limit, fails) in [(length, false), (length - 1, true)] {
                let plan = Plan::new().select("p", output).unwrap().row_limit(limit);
                let batch = plan.batch(&Pages::new(&page)).unwrap();
                assert_eq!(batch["error"].is_valid(0), fails, "{output} {limit}");
            }
        }
    }
}
