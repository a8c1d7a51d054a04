//! Execution of plans on columns, on one or several threads. The result does not depend on the number of threads, and a
//! panic of the library becomes the error of one row.

use crate::column::Columns;
use crate::error::BatchError;
use crate::mime;
use crate::pages::{Cells, Pages};
use crate::plan::Plan;
use crate::row::{RowTooLarge, Worker};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Field, Schema};
use arrow_select::concat::concat;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tabulex::many;

/// Number of parts per thread, large enough that no thread waits long for the last part to end.
const PARTS_PER_THREAD: usize = 16;

impl Plan {
    /// Extracts a row from each page.
    ///
    /// # Errors
    ///
    /// If the columns have the wrong type or length, if two columns of the batch would have the same name, or if the
    /// batch is cancelled. The content of a page never causes an error.
    pub fn batch(&self, pages: &Pages<'_>) -> Result<RecordBatch, BatchError> {
        pages.check()?;
        if let Some(name) = self.duplicate() {
            return Err(BatchError::Twice(name));
        }
        let mut schema: Vec<_> = self.schema().fields().iter().cloned().collect();
        let mut columns = self.columns(pages)?;
        if let Some(urls) = pages.urls {
            schema.insert(0, Arc::new(Field::new("url", urls.data_type().clone(), true)));
            columns.insert(0, Arc::clone(urls));
        }
        Ok(RecordBatch::try_new(Arc::new(Schema::new(schema)), columns)?)
    }

    /// Extracts the columns of the plan's schema from the pages.
    fn columns(&self, pages: &Pages<'_>) -> Result<Vec<ArrayRef>, BatchError> {
        let row_count = pages.pages.len();
        let cells = Cells::of(pages.pages);
        let content_types = pages.content_types.and_then(Cells::of);
        let urls = pages.urls.and_then(|urls| Cells::of(urls));
        let context_cells = [content_types.as_ref(), urls.as_ref()];
        let process_part = |worker: &mut Worker<'_>, rows| {
            self.process_part(worker, rows, cells.as_ref(), context_cells, pages)
        };
        let threads = many::limit_threads(pages.threads);
        if threads.get() == 1 || row_count < 2 {
            return process_part(&mut Worker::new(self), 0..row_count);
        }
        let parts = split_rows(row_count, threads.get() * PARTS_PER_THREAD, cells.as_ref());
        let part_columns = map_all(parts, threads, || Worker::new(self), process_part)?;
        match concatenate(&part_columns, threads) {
            // The concatenated columns would exceed Arrow's 32-bit offsets, so all rows are processed again, in order:
            // then each row that no longer fits gets an error.
            Err(ArrowError::OffsetOverflowError(_)) => {
                drop(part_columns);
                process_part(&mut Worker::new(self), 0..row_count)
            }
            result => Ok(result?),
        }
    }

    /// Returns the columns of a range of rows. `context_cells` has the content types and URLs.
    fn process_part(
        &self,
        worker: &mut Worker<'_>,
        rows: Range<usize>,
        cells: Option<&Cells<'_>>,
        context_cells: [Option<&Cells<'_>>; 2],
        pages: &Pages<'_>,
    ) -> Result<Vec<ArrayRef>, BatchError> {
        let mut columns = Columns::new(self);
        for row in rows {
            if pages.is_cancelled() {
                return Err(BatchError::Cancelled);
            }
            let Some(page) = cells.and_then(|cells| cells.get(row)) else {
                columns.push_nulls(None, None);
                continue;
            };
            let [content_type, url] = context_cells.map(|cells| cells?.get(row)?.text());
            let (mime_type, is_markup) = mime::compute_type(content_type, page);
            let mime_type = mime_type.as_deref();
            if !is_markup && self.hints.override_with.is_none() {
                columns.push_nulls(mime_type, None);
                continue;
            }
            // A panic leaves the row incomplete, which is safe: the row is not read, and it is cleared before the next
            // page.
            match catch_unwind(AssertUnwindSafe(|| worker.extract(page, content_type, url))) {
                Ok(Ok(())) => columns.push(mime_type, &worker.row),
                Ok(Err(RowTooLarge)) => {
                    let limit = self.row_limit;
                    let error =
                        format!("a column of this page exceeds the row limit of {limit} bytes");
                    columns.push_nulls(mime_type, Some(&error));
                }
                Err(panic) => columns.push_nulls(mime_type, Some(&panic_message(&*panic))),
            }
        }
        Ok(columns.finish())
    }
}

/// Concatenates the columns of all parts.
fn concatenate(
    parts: &[Vec<ArrayRef>],
    threads: NonZeroUsize,
) -> Result<Vec<ArrayRef>, ArrowError> {
    // The longest column takes most of the time, so the others are concatenated in parallel with it.
    let concatenate_column = |(): &mut (), index: usize| {
        let column: Vec<_> = parts.iter().map(|columns| &*columns[index]).collect();
        concat(&column)
    };
    let column_count = parts.first().map_or(0, Vec::len);
    map_all(0..column_count, threads, || (), concatenate_column)
}

/// Collects the results of [`many::in_order`], up to the first error.
fn map_all<I: Send, W, T: Send, E: Send>(
    inputs: impl IntoIterator<Item = I>,
    threads: NonZeroUsize,
    new_worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let mut results = Vec::new();
    let outcome = many::in_order(inputs, threads, new_worker, work, |result| {
        result.map_or_else(ControlFlow::Break, |result| {
            results.push(result);
            ControlFlow::Continue(())
        })
    });
    outcome.break_value().map_or(Ok(results), Err)
}

fn panic_message(panic: &dyn std::any::Any) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    format!(
        "a bug in this library caused a panic: {}",
        message.unwrap_or("the panic has no message")
    )
}

/// Divides the rows into parts of about equal length in bytes.
fn split_rows(row_count: usize, parts: usize, cells: Option<&Cells<'_>>) -> Vec<Range<usize>> {
    let length = |row| cells.map_or(0, |cells| cells.length(row)) + 1;
    let total: usize = (0..row_count).map(length).sum();
    let part_length = total.div_ceil(parts).max(1);
    let (mut ranges, mut start, mut bytes) = (Vec::new(), 0, 0);
    for row in 0..row_count {
        bytes += length(row);
        if bytes >= part_length {
            ranges.push(start..row + 1);
            (start, bytes) = (row + 1, 0);
        }
    }
    if start < row_count {
        ranges.push(start..row_count);
    }
    ranges
}
