//! Errors of plans and batches. A page never causes such an error, as its problems are reported in its row.

use arrow_schema::{ArrowError, DataType};
use std::fmt;
use tabulex::select::SelectorError;

/// The error of an output that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// The selector of the output is invalid.
    Selector {
        /// The whole output as written.
        written: String,
        /// The error in the selector.
        error: SelectorError,
    },
    /// The text after the selector is invalid.
    Form {
        /// The whole output as written.
        written: String,
        /// A description of the error.
        message: &'static str,
    },
    /// Two columns or fields would have this name.
    Twice(String),
    /// There is no dialect with this id, or it builds no trees.
    Dialect(String),
}

impl fmt::Display for PlanError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Selector { written, error } => write!(formatter, "`{written}`: {error}"),
            Self::Form { written, message } => write!(formatter, "`{written}`: {message}"),
            Self::Twice(name) => write!(formatter, "two columns would have the name `{name}`"),
            Self::Dialect(id) => {
                write!(formatter, "no dialect that builds trees has the id `{id}`")
            }
        }
    }
}

impl std::error::Error for PlanError {}

/// The error of columns that cannot be processed.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchError {
    /// The type of a column is neither text nor bytes.
    Type {
        /// The name of the column.
        column: &'static str,
        /// The type of the column.
        found: DataType,
    },
    /// A column differs in length from that of the pages.
    Length {
        /// The name of the column.
        column: &'static str,
        /// The length of the column.
        found: usize,
        /// The number of pages.
        pages: usize,
    },
    /// Two columns of the plan have this name.
    Twice(String),
    /// The batch was cancelled by [`Pages::cancelled`](crate::Pages::cancelled).
    Cancelled,
    /// An error of Arrow.
    Arrow(ArrowError),
}

impl fmt::Display for BatchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { column, found } => {
                write!(
                    formatter,
                    "the column `{column}` must have text or bytes, not the type `{found}`"
                )
            }
            Self::Length { column, found, pages } => {
                write!(formatter, "the column `{column}` has {found} rows for {pages} pages")
            }
            Self::Twice(name) => write!(formatter, "two columns have the name `{name}`"),
            Self::Cancelled => formatter.write_str("the batch was cancelled"),
            Self::Arrow(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for BatchError {}

impl From<ArrowError> for BatchError {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}
