//! Errors of plans and batches. A page never causes such an error, as its problems are reported in its row.

use arrow_schema::{ArrowError, DataType};
use std::fmt;

/// An error in a plan: an invalid output, a duplicate name, or an unknown dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError(String);

impl PlanError {
    pub(crate) fn new(message: String) -> Self {
        Self(message)
    }

    /// Creates the error that two columns or fields would have this name, or that it is reserved for a column.
    pub(crate) fn duplicate(name: &str) -> Self {
        Self(format!("the name `{name}` is taken by another column or field, or reserved"))
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

/// An error that makes a whole batch fail.
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
                write!(
                    formatter,
                    "the column `{column}` has length {found}, but the number of pages is {pages}"
                )
            }
            Self::Twice(name) => {
                write!(
                    formatter,
                    "the selected column `{name}` has the name of another column; rename it"
                )
            }
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
