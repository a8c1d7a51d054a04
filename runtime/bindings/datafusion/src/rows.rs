//! Builders of the columns of documents, filled row by row.

use datafusion::arrow::array::builder::{
    BinaryBuilder, Int32Builder, Int64Builder, StringBuilder, TimestampMicrosecondBuilder,
};
use datafusion::arrow::array::{ArrayRef, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::arrow::error::ArrowError;
use std::sync::Arc;

/// The time zone of dates, as Arrow names it.
const TIME_ZONE: &str = "UTC";

/// Returns the schema of batches of documents.
pub(crate) fn schema() -> SchemaRef {
    let field = |(name, data_type)| Field::new(name, data_type, true);
    let columns = [
        ("url", DataType::Utf8),
        ("date", DataType::Timestamp(TimeUnit::Microsecond, Some(TIME_ZONE.into()))),
        ("status", DataType::Int32),
        ("content_type", DataType::Utf8),
        ("payload", DataType::Binary),
        ("offset", DataType::Int64),
        ("error", DataType::Utf8),
    ];
    Arc::new(Schema::new(columns.map(field).to_vec()))
}

/// The row of one document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) url: Option<String>,
    /// Date of the record, in microseconds since 1970-01-01.
    pub(crate) date: Option<i64>,
    pub(crate) status: Option<u16>,
    pub(crate) content_type: Option<String>,
    pub(crate) payload: Option<Vec<u8>>,
    /// Byte offset of the record in the file.
    pub(crate) offset: u64,
    pub(crate) error: Option<String>,
}

/// The rows of a batch, collected in columns.
#[derive(Default)]
pub(crate) struct Rows {
    url: StringBuilder,
    date: TimestampMicrosecondBuilder,
    status: Int32Builder,
    content_type: StringBuilder,
    payload: BinaryBuilder,
    offset: Int64Builder,
    error: StringBuilder,
    pub(crate) count: usize,
    /// Total length of the payloads in bytes.
    pub(crate) bytes: usize,
}

impl Rows {
    pub(crate) fn push(&mut self, row: &Row) {
        self.url.append_option(row.url.as_deref());
        self.date.append_option(row.date);
        self.status.append_option(row.status.map(i32::from));
        self.content_type.append_option(row.content_type.as_deref());
        self.payload.append_option(row.payload.as_deref());
        self.offset.append_value(i64::try_from(row.offset).unwrap_or(i64::MAX));
        self.error.append_option(row.error.as_deref());
        self.count += 1;
        self.bytes += row.payload.as_ref().map_or(0, Vec::len);
    }

    pub(crate) fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.url.finish()),
            Arc::new(self.date.finish().with_timezone(TIME_ZONE)),
            Arc::new(self.status.finish()),
            Arc::new(self.content_type.finish()),
            Arc::new(self.payload.finish()),
            Arc::new(self.offset.finish()),
            Arc::new(self.error.finish()),
        ];
        RecordBatch::try_new(schema(), columns)
    }
}
