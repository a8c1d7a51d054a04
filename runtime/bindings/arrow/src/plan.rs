//! Plans, which describe the data to extract from pages. The schema depends only on the plan, so all batches of a plan
//! have one schema.

use crate::error::PlanError;
use crate::output::{Output, span_fields};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use std::sync::Arc;
use tabulex::__private::setters;
use tabulex::encoding::Hints;
use tabulex::select::Syntax;
use tabulex::tree::Positions;
use tabulex::{Dialect, Limits, Options};

/// The form of the column `errors`, which reports parse errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Errors {
    /// No column; errors are not collected.
    #[default]
    No,
    /// A list of all errors, as structs with `code`, the range from `start` to `end` in bytes of the page, `line` and
    /// `column`.
    Each,
    /// A list of error counts, as structs with `code` and `count`, sorted by code.
    Counts,
}

/// Contents of the column `text`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Text {
    /// No column.
    #[default]
    No,
    /// The [rendered text](tabulex::text::rendered_text): line breaks between blocks, and nothing that is hidden.
    Rendered,
    /// All text except that of scripts, styles and other elements whose contents are not markup, concatenated.
    All,
}

/// A description of the data to extract from pages.
#[derive(Clone)]
pub struct Plan {
    pub(crate) dialect: &'static Dialect,
    pub(crate) outputs: Vec<Output>,
    /// The syntax of the selectors of outputs.
    pub(crate) syntax: Syntax<'static>,
    pub(crate) text: Text,
    pub(crate) markdown: bool,
    pub(crate) links: bool,
    pub(crate) tables: bool,
    pub(crate) errors: Errors,
    pub(crate) limits: Limits,
    pub(crate) scripting: bool,
    pub(crate) hints: Hints,
    pub(crate) row_limit: usize,
}

/// Names that no selected column can have, as the plan may have its own columns with these names.
const RESERVED_NAMES: [&str; 7] =
    ["url", "text", "errors", "mime_type", "encoding", "events", "error"];

impl std::fmt::Debug for Plan {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let outputs = self.outputs.iter().map(|output| (&output.name, &output.written));
        formatter.debug_map().entries(outputs).finish()
    }
}

impl Plan {
    /// Default limit on the bytes of one page in one column. Without a limit, nested elements that match a selector
    /// would repeat a text once for each of them.
    pub const ROW_LIMIT: usize = 0x400_0000;

    /// Creates a plan for HTML pages that has only the columns that are always present.
    pub fn new() -> Self {
        Self {
            dialect: tabulex::dialects()[0],
            outputs: Vec::new(),
            syntax: Syntax::new(),
            text: Text::No,
            markdown: false,
            links: false,
            tables: false,
            errors: Errors::No,
            limits: Limits::new(),
            scripting: false,
            hints: Hints::new(),
            row_limit: Self::ROW_LIMIT,
        }
    }

    /// Adds a column called `name` with the output `written`; see the [documentation of the crate](crate#outputs).
    ///
    /// # Errors
    ///
    /// If the output is invalid, or there is already a column of this name. A column of Markdown, links or tables that
    /// is requested later makes `batch` fail instead.
    pub fn select(mut self, name: &str, written: &str) -> Result<Self, PlanError> {
        let is_taken = self.schema().fields().iter().any(|field| field.name() == name);
        if RESERVED_NAMES.contains(&name) || is_taken {
            return Err(PlanError::duplicate(name));
        }
        self.outputs.push(Output::parse(name, written, &self.syntax)?);
        Ok(self)
    }

    /// Sets the options for detecting the encodings of pages.
    #[must_use]
    pub fn encoding(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// Sets the dialect of the pages by its id.
    ///
    /// # Errors
    ///
    /// If there is no such dialect, or it does not build trees.
    pub fn dialect(mut self, id: &str) -> Result<Self, PlanError> {
        let dialect =
            tabulex::dialects().iter().find(|it| it.id() == id && it.elements().is_some());
        let unknown_id =
            || PlanError::new(format!("no dialect that builds trees has the id `{id}`"));
        self.dialect = dialect.ok_or_else(unknown_id)?;
        Ok(self)
    }

    /// Returns a name that two columns have, if any.
    pub(crate) fn duplicate(&self) -> Option<String> {
        let schema = self.schema();
        let is_duplicate = |output: &&Output| {
            schema.fields().iter().filter(|field| *field.name() == output.name).count() > 1
        };
        self.outputs.iter().find(is_duplicate).map(|output| output.name.clone())
    }

    /// Returns the schema of all batches, without the column of URLs.
    pub fn schema(&self) -> SchemaRef {
        let mut fields: Vec<Field> = self.outputs.iter().map(Output::field).collect();
        let list_of = |item| DataType::List(Arc::new(Field::new_list_field(item, true)));
        if self.text != Text::No {
            fields.push(Field::new("text", DataType::Utf8, true));
        }
        if self.markdown {
            fields.push(Field::new("markdown", DataType::Utf8, true));
        }
        if self.links {
            fields.push(Field::new("links", list_of(DataType::Utf8), true));
        }
        if self.tables {
            let tables = list_of(list_of(list_of(DataType::Utf8)));
            fields.push(Field::new("tables", tables, true));
        }
        if let Some(item) = error_fields(self.errors) {
            fields.push(Field::new("errors", list_of(DataType::Struct(item)), true));
        }
        fields.push(Field::new("mime_type", DataType::Utf8, true));
        fields.push(Field::new("encoding", DataType::Utf8, true));
        fields.push(Field::new("events", list_of(DataType::Utf8), true));
        fields.push(Field::new("error", DataType::Utf8, true));
        Arc::new(Schema::new(fields))
    }

    /// Returns the options for parsing a page with these hints.
    pub(crate) fn options(&self, hints: Hints) -> Options {
        let has_spans =
            self.outputs.iter().any(|output| output.values.contains(&crate::output::Value::Span));
        let positions = if has_spans { Positions::Nodes } else { Positions::None };
        Options::new()
            .errors(self.errors != Errors::No)
            .positions(positions)
            .scripting(self.scripting)
            .limits(self.limits)
            .encoding(hints)
    }
}

setters! {
    Plan: Default = new;

    /// Sets whether outputs added later may use `:contains()`; see [`Syntax::contains`]. Off by default.
    contains(is_allowed: bool) => syntax = Syntax::new().contains(is_allowed);

    /// Sets the contents of the column `text`.
    text(text: Text) => text = text;

    /// Sets whether there is a column `markdown`, with each page as [Markdown](tabulex::text::markdown).
    markdown(enabled: bool) => markdown = enabled;

    /// Sets whether there is a column `links`, with the [links](tabulex::text::links) of each page: a list of URLs,
    /// resolved against the base of the page. Relative links of a page without a URL are dropped.
    links(enabled: bool) => links = enabled;

    /// Sets whether there is a column `tables`, with the [tables](tabulex::text::tables) of each page: for each table a
    /// list of rows, and for each row a list of the texts of its cells.
    tables(enabled: bool) => tables = enabled;

    /// Sets how parse errors are reported.
    errors(errors: Errors) => errors = errors;

    /// Sets the limits for parsing each page.
    limits(limits: Limits) => limits = limits;

    /// Sets the limit on the bytes of one page in one column; a page that exceeds it becomes a row with an error.
    row_limit(bytes: usize) => row_limit = bytes;

    /// Sets whether scripting is enabled; see [`Options::scripting`].
    scripting(scripting: bool) => scripting = scripting;
}

/// Returns the fields of the structs in the column of errors, if there is one.
fn error_fields(errors: Errors) -> Option<Fields> {
    let code = Field::new("code", DataType::Utf8, false);
    let number_field = |name: &str| Field::new(name, DataType::Int64, false);
    match errors {
        Errors::No => None,
        Errors::Each => {
            let span = span_fields();
            let span = span.iter().map(|field| (**field).clone());
            let position = [number_field("line"), number_field("column")];
            Some(std::iter::once(code).chain(span).chain(position).collect())
        }
        Errors::Counts => Some(vec![code, number_field("count")].into()),
    }
}
