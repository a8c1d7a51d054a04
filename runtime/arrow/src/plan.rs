//! What is wanted of pages: read once, run over any number of batches by any number of threads. It parses nothing itself.
//! Invariant: the schema follows from the plan alone, so that every batch has the same.

use crate::error::PlanError;
use crate::output::{Output, span_fields};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use std::sync::Arc;
use tabulex::encoding::Hints;
use tabulex::tree::Positions;
use tabulex::{Dialect, Limits, Options};

/// What is wanted of parse errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Errors {
    /// Nothing: no column, and no time is spent on them.
    #[default]
    No,
    /// Each: a list of structs with `code`, the range `start` to `end` in bytes of the page, `line` and `column`.
    Each,
    /// How many of each code there are: a list of structs with `code` and `count`, by code.
    Counts,
}

/// What is wanted of pages.
#[derive(Clone)]
pub struct Plan {
    pub(crate) dialect: &'static Dialect,
    pub(crate) outputs: Vec<Output>,
    pub(crate) text: bool,
    pub(crate) errors: Errors,
    pub(crate) limits: Limits,
    pub(crate) scripting: bool,
    pub(crate) hints: Hints,
    pub(crate) row_limit: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Plan {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_map().entries(self.selections()).finish()
    }
}

impl Plan {
    /// How much of one page may go into one column, in bytes, unless something else is said. A selector can select a text
    /// as often as elements are nested.
    pub const ROW_LIMIT: usize = 0x400_0000;

    /// Nothing is wanted yet but the columns that are always there. Pages are HTML.
    pub fn new() -> Self {
        Self {
            dialect: tabulex::dialects()[0],
            outputs: Vec::new(),
            text: false,
            errors: Errors::No,
            limits: Limits::new(),
            scripting: false,
            hints: Hints::new(),
            row_limit: Self::ROW_LIMIT,
        }
    }

    /// A column of what a selector selects: see the [documentation of the crate](crate#what-can-be-wanted).
    ///
    /// # Errors
    ///
    /// If the text says nothing that can be wanted, or there is a column of this name.
    pub fn select(mut self, name: &str, written: &str) -> Result<Self, PlanError> {
        let own = ["url", "text", "errors", "mime_type", "encoding", "events", "error"];
        if own.contains(&name) || self.outputs.iter().any(|output| output.name == name) {
            return Err(PlanError::Twice(name.to_owned()));
        }
        self.outputs.push(Output::read(name, written)?);
        Ok(self)
    }

    /// Whether there is a column of all text, but that of scripts, styles and the like.
    #[must_use]
    pub fn text(mut self, wanted: bool) -> Self {
        self.text = wanted;
        self
    }

    /// What is wanted of parse errors.
    #[must_use]
    pub fn errors(mut self, wanted: Errors) -> Self {
        self.errors = wanted;
        self
    }

    /// How much may be held and made of each page.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How many bytes of one page may go into one column; a page with more is a row with an error.
    #[must_use]
    pub fn row_limit(mut self, bytes: usize) -> Self {
        self.row_limit = bytes;
        self
    }

    /// Whether scripting is enabled, as [`Options::scripting`] has it.
    #[must_use]
    pub fn scripting(mut self, scripting: bool) -> Self {
        self.scripting = scripting;
        self
    }

    /// What is known of the encoding of all pages.
    #[must_use]
    pub fn encoding(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// The dialect of the pages, by its id.
    ///
    /// # Errors
    ///
    /// If there is none that builds trees.
    pub fn dialect(mut self, id: &str) -> Result<Self, PlanError> {
        let found = tabulex::dialects().iter().find(|it| it.id() == id && it.elements().is_some());
        self.dialect = found.ok_or_else(|| PlanError::Dialect(id.to_owned()))?;
        Ok(self)
    }

    /// What is selected: names and texts, as they were given.
    pub fn selections(&self) -> impl Iterator<Item = (&str, &str)> {
        self.outputs.iter().map(|output| (&output.name[..], &output.written[..]))
    }

    /// The columns of every batch, without the one of URLs.
    pub fn schema(&self) -> SchemaRef {
        let mut fields: Vec<Field> = self.outputs.iter().map(Output::field).collect();
        if self.text {
            fields.push(Field::new("text", DataType::Utf8, true));
        }
        if let Some(item) = error_fields(self.errors) {
            let item = Field::new_list_field(DataType::Struct(item), true);
            fields.push(Field::new("errors", DataType::List(Arc::new(item)), true));
        }
        fields.push(Field::new("mime_type", DataType::Utf8, true));
        fields.push(Field::new("encoding", DataType::Utf8, true));
        let event = Field::new_list_field(DataType::Utf8, true);
        fields.push(Field::new("events", DataType::List(Arc::new(event)), true));
        fields.push(Field::new("error", DataType::Utf8, true));
        Arc::new(Schema::new(fields))
    }

    /// How a page is parsed, with one more thing known of its encoding.
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

/// The fields of the structs in the column of errors, if there is one.
pub(crate) fn error_fields(errors: Errors) -> Option<Fields> {
    let code = Field::new("code", DataType::Utf8, false);
    let number = |name: &str| Field::new(name, DataType::Int64, false);
    match errors {
        Errors::No => None,
        Errors::Each => {
            let span = span_fields();
            let span = span.iter().map(|field| (**field).clone());
            let place = [number("line"), number("column")];
            Some(std::iter::once(code).chain(span).chain(place).collect())
        }
        Errors::Counts => Some(vec![code, number("count")].into()),
    }
}
