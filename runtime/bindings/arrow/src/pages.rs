//! Columns of pages: text or bytes in any of Arrow's layouts, accessed without copying.

use crate::error::BatchError;
use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use tabulex::__private::setters;

/// A column of pages, and columns with further information about them.
#[derive(Clone, Copy, Debug)]
pub struct Pages<'a> {
    pub(crate) pages: &'a dyn Array,
    pub(crate) content_types: Option<&'a dyn Array>,
    pub(crate) urls: Option<&'a ArrayRef>,
    pub(crate) threads: NonZeroUsize,
    pub(crate) cancelled: Option<&'a AtomicBool>,
}

impl<'a> Pages<'a> {
    /// Wraps a column of pages: text, or bytes whose encodings are detected.
    pub fn new(pages: &'a dyn Array) -> Self {
        Self { pages, content_types: None, urls: None, threads: NonZeroUsize::MIN, cancelled: None }
    }

    /// Whether the flag that ends the batch is set.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }

    /// Checks that the columns have equal lengths, and that pages and Content-Types are text, bytes or all null.
    pub(crate) fn check(&self) -> Result<(), BatchError> {
        let pages = self.pages.len();
        let further_columns =
            [("content_type", self.content_types), ("url", self.urls.map(|urls| &**urls as _))];
        for (column, array) in further_columns {
            let rows = array.map_or(pages, |array| array.len());
            if rows != pages {
                return Err(BatchError::Length { column, found: rows, pages });
            }
        }
        for (column, array) in [("pages", Some(self.pages)), ("content_type", self.content_types)] {
            let Some(array) = array else { continue };
            if array.data_type() != &DataType::Null && Cells::of(array).is_none() {
                return Err(BatchError::Type { column, found: array.data_type().clone() });
            }
        }
        Ok(())
    }
}

setters! {
    Pages<'a>;

    /// Sets the Content-Type of each page as received; null for a page without one. Pages whose type is not markup are
    /// not parsed. The `charset` has no effect on pages given as text.
    content_types(content_types: &'a dyn Array) => content_types = Some(content_types);

    /// Sets the URL of each page. The column of URLs becomes the first column of the batch. Links in the column `links`
    /// and in outputs with `::url` are resolved against these URLs.
    urls(urls: &'a ArrayRef) => urls = Some(urls);

    /// Sets the number of threads, which does not affect the result.
    threads(threads: NonZeroUsize) => threads = threads;

    /// Sets a flag that ends the batch with [`BatchError::Cancelled`]. It is read before each page.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use tabulex_arrow::{BatchError, Pages, Plan};
    ///
    /// let (column, cancelled) = (arrow_array::StringArray::from(vec!["<p>x"]), AtomicBool::new(true));
    /// let batch = Plan::new().batch(&Pages::new(&column).cancelled(&cancelled));
    /// assert!(matches!(batch, Err(BatchError::Cancelled)));
    /// ```
    cancelled(cancelled: &'a AtomicBool) => cancelled = Some(cancelled);
}

/// A page as given: text, or bytes in an encoding to detect.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PageData<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl<'a> PageData<'a> {
    /// Returns the text, or `None` for bytes that are not valid UTF-8.
    pub(crate) fn text(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        }
    }
}

/// A column of text or bytes.
pub(crate) struct Cells<'a> {
    array: &'a dyn Array,
    get: fn(&dyn Array, usize) -> PageData<'_>,
}

impl<'a> Cells<'a> {
    /// Wraps a column, or returns `None` if its type is neither text nor bytes.
    pub(crate) fn of(array: &'a dyn Array) -> Option<Self> {
        let get: fn(&dyn Array, usize) -> PageData<'_> = match array.data_type() {
            DataType::Utf8 => |array, row| PageData::Text(array.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => |array, row| PageData::Text(array.as_string::<i64>().value(row)),
            DataType::Utf8View => |array, row| PageData::Text(array.as_string_view().value(row)),
            DataType::Binary => |array, row| PageData::Bytes(array.as_binary::<i32>().value(row)),
            DataType::LargeBinary => {
                |array, row| PageData::Bytes(array.as_binary::<i64>().value(row))
            }
            DataType::BinaryView => |array, row| PageData::Bytes(array.as_binary_view().value(row)),
            DataType::FixedSizeBinary(_) => {
                |array, row| PageData::Bytes(array.as_fixed_size_binary().value(row))
            }
            _ => return None,
        };
        Some(Self { array, get })
    }

    /// Returns the text or bytes in a row, or `None` if the row is null.
    pub(crate) fn get(&self, row: usize) -> Option<PageData<'a>> {
        (!self.array.is_null(row)).then(|| (self.get)(self.array, row))
    }

    /// Returns the length in bytes of the text or bytes in a row, 0 for null.
    pub(crate) fn length(&self, row: usize) -> usize {
        match self.get(row) {
            Some(PageData::Text(text)) => text.len(),
            Some(PageData::Bytes(bytes)) => bytes.len(),
            None => 0,
        }
    }
}
