//! Builders of columns, filled row by row. A row that would exceed Arrow's 32-bit offsets becomes a row with an error.

use crate::plan::Plan;
use crate::row::{Cell, Row};
use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, Int64Builder, ListBuilder, StringBuilder, StructBuilder, make_builder,
};
use std::sync::Arc;

/// Maximum number of bytes or items in a column of a batch, the greatest of Arrow's 32-bit offsets.
const MAX_OFFSET: usize = i32::MAX as usize;

/// The builders of all columns of a plan.
pub(crate) struct Columns {
    /// The columns of a row's cells, in their order, each with an upper bound of its bytes and items.
    contents: Vec<(Box<dyn ArrayBuilder>, usize)>,
    mime_type: StringBuilder,
    error: StringBuilder,
}

impl Columns {
    pub(crate) fn new(plan: &Plan) -> Self {
        let schema = plan.schema();
        let fields = schema.fields().iter();
        let contents = fields.filter(|field| !matches!(&field.name()[..], "mime_type" | "error"));
        Self {
            contents: contents.map(|field| (make_builder(field.data_type(), 0), 0)).collect(),
            mime_type: StringBuilder::new(),
            error: StringBuilder::new(),
        }
    }

    /// Pushes the row of a page with this MIME type, or a row with an error if a column is full.
    pub(crate) fn push(&mut self, mime_type: Option<&str>, row: &Row) {
        let mut columns = self.contents.iter().zip(&row.cells);
        if !columns.all(|((_, size), cell)| size + cell.size() < MAX_OFFSET) {
            let error = "the columns of this batch are full; use batches of fewer pages";
            return self.push_nulls(mime_type, Some(error));
        }
        self.push_cells(&row.cells, &row.buffer);
        self.mime_type.append_option(mime_type);
        self.error.append_null();
    }

    /// Pushes a row of nulls except for the MIME type and error.
    pub(crate) fn push_nulls(&mut self, mime_type: Option<&str>, error: Option<&str>) {
        self.push_cells(&[], "");
        self.mime_type.append_option(mime_type);
        self.error.append_option(error);
    }

    /// Pushes cells whose texts are in `buffer`, and nulls in further columns.
    fn push_cells(&mut self, cells: &[Cell], buffer: &str) {
        let cells = cells.iter().chain(std::iter::repeat(&Cell::Null));
        for ((builder, size), cell) in self.contents.iter_mut().zip(cells) {
            *size += cell.size();
            append(&mut **builder, cell, buffer);
        }
    }

    /// Finishes the builders, and returns the columns of the plan's schema.
    pub(crate) fn finish(mut self) -> Vec<ArrayRef> {
        let contents = self.contents.iter_mut();
        let mut columns: Vec<ArrayRef> = contents.map(|(builder, _)| builder.finish()).collect();
        // The columns `encoding` and `events` follow that of the MIME types.
        columns.insert(columns.len() - 2, Arc::new(self.mime_type.finish()));
        columns.push(Arc::new(self.error.finish()));
        columns
    }
}

/// Appends a cell to a builder of its type, or a null.
fn append(builder: &mut dyn ArrayBuilder, cell: &Cell, buffer: &str) {
    let builder = builder.as_any_mut();
    if let Some(texts) = builder.downcast_mut::<StringBuilder>() {
        let range = if let Cell::Text(range) = cell { Some(range.clone()) } else { None };
        texts.append_option(range.map(|range| &buffer[range]));
    } else if let Some(numbers) = builder.downcast_mut::<Int64Builder>() {
        // Numbers cannot be null, and those of a null struct have no meaning.
        numbers.append_value(if let Cell::Number(number) = cell { *number } else { 0 });
    } else if let Some(list) = builder.downcast_mut::<ListBuilder<Box<dyn ArrayBuilder>>>() {
        let items = if let Cell::List(items) = cell { Some(items) } else { None };
        for item in items.into_iter().flatten() {
            append(&mut **list.values(), item, buffer);
        }
        list.append(items.is_some());
    } else if let Some(fields) = builder.downcast_mut::<StructBuilder>() {
        let cells = if let Cell::Struct(cells) = cell { Some(cells) } else { None };
        for (index, field) in fields.field_builders_mut().iter_mut().enumerate() {
            let cell = cells.and_then(|cells| cells.get(index)).unwrap_or(&Cell::Null);
            append(&mut **field, cell, buffer);
        }
        fields.append(cells.is_some());
    }
}
