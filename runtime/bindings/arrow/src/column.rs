//! Builders of columns, filled row by row. A row that would exceed Arrow's 32-bit offsets becomes a row with an error.

use crate::output::{Output, Value, span_fields};
use crate::plan::{Errors, Plan, Text, error_fields};
use crate::row::{Cell, ErrorItem, Row};
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Int64Array, ListArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};
use arrow_schema::{ArrowError, FieldRef, Fields};
use std::sync::Arc;

/// Maximum number of bytes or items in a column of a batch, the greatest of Arrow's 32-bit offsets.
const MAX_OFFSET: usize = i32::MAX as usize;

/// The builders of all columns of a plan.
pub(crate) struct Columns<'p> {
    plan: &'p Plan,
    outputs: Vec<OutputColumn>,
    text: StringBuilder,
    markdown: StringBuilder,
    links: ListBuilder<StringBuilder>,
    tables: ListBuilder<ListBuilder<ListBuilder<StringBuilder>>>,
    errors: ErrorColumn,
    mime_type: StringBuilder,
    encoding: StringBuilder,
    events: ListBuilder<StringBuilder>,
    error: StringBuilder,
}

impl<'p> Columns<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            outputs: plan.outputs.iter().map(OutputColumn::new).collect(),
            text: StringBuilder::new(),
            markdown: StringBuilder::new(),
            links: ListBuilder::new(StringBuilder::new()),
            tables: ListBuilder::new(ListBuilder::new(ListBuilder::new(StringBuilder::new()))),
            errors: ErrorColumn::default(),
            mime_type: StringBuilder::new(),
            encoding: StringBuilder::new(),
            events: ListBuilder::new(StringBuilder::new()),
            error: StringBuilder::new(),
        }
    }

    /// Pushes the row of a page with this MIME type, or a row with an error if a column is full.
    pub(crate) fn push(&mut self, mime_type: Option<&str>, row: &Row) {
        if !self.can_fit(row) {
            let error = "the columns of this batch are full; use batches of fewer pages";
            return self.push_nulls(mime_type, Some(error));
        }
        for (column, cells) in self.outputs.iter_mut().zip(&row.cells) {
            column.push(&row.buffer, Some(cells));
        }
        self.text.append_value(&row.buffer[row.text.clone()]);
        self.markdown.append_value(&row.buffer[row.markdown.clone()]);
        self.links.append_value(row.links.iter().map(|link| Some(&row.buffer[link.clone()])));
        for table in &row.tables {
            for cells in table {
                let texts = cells.iter().map(|cell| Some(&row.buffer[cell.clone()]));
                self.tables.values().values().append_value(texts);
            }
            self.tables.values().append(true);
        }
        self.tables.append(true);
        self.errors.push(Some(&row.errors));
        self.mime_type.append_option(mime_type);
        self.encoding.append_option(row.encoding);
        self.events.append_value(row.events.iter().map(Some));
        self.error.append_null();
    }

    /// Pushes a row of nulls except for the MIME type and error.
    pub(crate) fn push_nulls(&mut self, mime_type: Option<&str>, error: Option<&str>) {
        for column in &mut self.outputs {
            column.push("", None);
        }
        self.text.append_null();
        self.markdown.append_null();
        self.links.append_null();
        self.tables.append_null();
        self.errors.push(None);
        self.mime_type.append_option(mime_type);
        self.encoding.append_null();
        self.events.append_null();
        self.error.append_option(error);
    }

    fn can_fit(&self, row: &Row) -> bool {
        let bytes = row.buffer.len();
        let text_builders = [
            &self.text,
            &self.markdown,
            self.links.values_ref(),
            self.tables.values_ref().values_ref().values_ref(),
        ];
        let texts_fit =
            text_builders.iter().all(|column| column.values_slice().len() + bytes <= MAX_OFFSET);
        let mut outputs = self.outputs.iter().zip(&row.cells);
        texts_fit
            && outputs.all(|(column, cells)| column.can_fit(bytes, cells.len()))
            && self.errors.can_fit(row.errors.len())
    }

    /// Finishes the builders, and returns the columns of the plan's schema.
    pub(crate) fn finish(mut self) -> Result<Vec<ArrayRef>, ArrowError> {
        let mut columns = Vec::new();
        for (column, output) in self.outputs.into_iter().zip(&self.plan.outputs) {
            columns.push(column.finish(output)?);
        }
        if self.plan.text != Text::No {
            columns.push(Arc::new(self.text.finish()));
        }
        if self.plan.markdown {
            columns.push(Arc::new(self.markdown.finish()));
        }
        if self.plan.links {
            columns.push(Arc::new(self.links.finish()));
        }
        if self.plan.tables {
            columns.push(Arc::new(self.tables.finish()));
        }
        if let Some(fields) = error_fields(self.plan.errors) {
            columns.push(self.errors.finish(fields, self.plan.errors)?);
        }
        columns.push(Arc::new(self.mime_type.finish()));
        columns.push(Arc::new(self.encoding.finish()));
        columns.push(Arc::new(self.events.finish()));
        columns.push(Arc::new(self.error.finish()));
        Ok(columns)
    }
}

/// The builder of an output's column.
struct OutputColumn {
    takes_first: bool,
    values: Vec<ValueColumn>,
    /// The index in the items at which each row's items end, preceded by 0.
    offsets: Vec<i32>,
    /// The validity of each row.
    nulls: NullBufferBuilder,
    /// The number of items.
    items: usize,
}

/// The builder of a column with one value per item.
enum ValueColumn {
    Text(StringBuilder),
    Span([Vec<i64>; 2], NullBufferBuilder),
}

impl ValueColumn {
    fn push(&mut self, buffer: &str, cell: &Cell) {
        match (self, cell) {
            (Self::Text(values), Cell::Text(range)) => values.append_value(&buffer[range.clone()]),
            (Self::Text(values), Cell::Null | Cell::Span(_)) => values.append_null(),
            (Self::Span(numbers, nulls), cell) => {
                let span = if let Cell::Span(span) = cell { Some(span) } else { None };
                nulls.append(span.is_some());
                let span = span.copied().unwrap_or_default();
                numbers[0].push(span.start as i64);
                numbers[1].push(span.end as i64);
            }
        }
    }

    fn byte_len(&self) -> usize {
        match self {
            Self::Text(values) => values.values_slice().len(),
            Self::Span(..) => 0,
        }
    }

    fn finish(self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Text(mut values) => Arc::new(values.finish()),
            Self::Span(numbers, mut nulls) => {
                let columns =
                    numbers.map(|numbers| Arc::new(Int64Array::from(numbers)) as ArrayRef);
                Arc::new(StructArray::try_new(span_fields(), columns.to_vec(), nulls.finish())?)
            }
        })
    }
}

impl OutputColumn {
    fn new(output: &Output) -> Self {
        let column = |value: &Value| match value {
            Value::Span => ValueColumn::Span(Default::default(), NullBufferBuilder::new(0)),
            Value::Text | Value::Html | Value::Attribute(_) | Value::Url(_) => {
                ValueColumn::Text(StringBuilder::new())
            }
        };
        Self {
            takes_first: output.takes_first,
            values: output.values.iter().map(column).collect(),
            offsets: vec![0],
            nulls: NullBufferBuilder::new(0),
            items: 0,
        }
    }

    fn can_fit(&self, bytes: usize, items: usize) -> bool {
        self.items + items < MAX_OFFSET
            && self.values.iter().all(|value| value.byte_len() + bytes <= MAX_OFFSET)
    }

    /// Pushes the items of a row, or a null.
    fn push(&mut self, buffer: &str, cells: Option<&Vec<Cell>>) {
        let width = self.values.len();
        let cells = cells.map(|cells| &cells[..]);
        for item in cells.unwrap_or_default().chunks_exact(width) {
            self.items += 1;
            self.values.iter_mut().zip(item).for_each(|(column, cell)| column.push(buffer, cell));
        }
        let is_valid = cells.is_some_and(|cells| !self.takes_first || !cells.is_empty());
        if self.takes_first && !is_valid {
            self.items += 1;
            self.values.iter_mut().for_each(|column| column.push("", &Cell::Null));
        }
        self.nulls.append(is_valid);
        // The caller has checked `can_fit`, so the number of items fits into an `i32`.
        self.offsets.push(self.items as i32);
    }

    fn finish(mut self, output: &Output) -> Result<ArrayRef, ArrowError> {
        let nulls = self.nulls.finish();
        let values = self.values.into_iter().map(ValueColumn::finish);
        let mut values = values.collect::<Result<Vec<_>, _>>()?;
        let items = match output.is_struct {
            true => {
                let nulls = nulls.clone().filter(|_| self.takes_first);
                Arc::new(StructArray::try_new(output.fields(), values, nulls)?)
            }
            false => values.swap_remove(0),
        };
        if self.takes_first {
            return Ok(items);
        }
        list_array(output.item(), self.offsets, items, nulls)
    }
}

fn list_array(
    item: FieldRef,
    offsets: Vec<i32>,
    items: ArrayRef,
    nulls: Option<arrow_buffer::NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let offsets = OffsetBuffer::new(offsets.into());
    Ok(Arc::new(ListArray::try_new(item, offsets, items, nulls)?))
}

/// The builder of the column of errors.
#[derive(Default)]
struct ErrorColumn {
    codes: StringBuilder,
    numbers: [Vec<i64>; 4],
    offsets: Vec<i32>,
    validity: Vec<bool>,
}

impl ErrorColumn {
    fn can_fit(&self, items: usize) -> bool {
        /// Maximum length of an error code in bytes.
        const MAX_CODE_LEN: usize = 256;
        self.codes.values_slice().len() + items * MAX_CODE_LEN < MAX_OFFSET
    }

    fn push(&mut self, errors: Option<&Vec<ErrorItem>>) {
        for error in errors.into_iter().flatten() {
            self.codes.append_value(error.code);
            self.numbers
                .iter_mut()
                .zip(error.numbers)
                .for_each(|(column, number)| column.push(number));
        }
        self.validity.push(errors.is_some());
        self.offsets.push(self.numbers[0].len() as i32);
    }

    fn finish(mut self, fields: Fields, mode: Errors) -> Result<ArrayRef, ArrowError> {
        let numbers = self.numbers.into_iter().take(if mode == Errors::Counts { 1 } else { 4 });
        let codes: ArrayRef = Arc::new(self.codes.finish());
        let columns = std::iter::once(codes)
            .chain(numbers.map(|numbers| Arc::new(Int64Array::from(numbers)) as ArrayRef));
        let item = arrow_schema::Field::new_list_field(
            arrow_schema::DataType::Struct(fields.clone()),
            true,
        );
        let items = Arc::new(StructArray::try_new(fields, columns.collect(), None)?);
        self.offsets.insert(0, 0);
        list_array(Arc::new(item), self.offsets, items, Some(self.validity.into()))
    }
}
