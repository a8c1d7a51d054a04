//! What can be wrong with a plan or a batch, as opposed to a page: with a page nothing can. Invariant: no page makes one of these.

use arrow_schema::{ArrowError, DataType};
use std::fmt;
use tabulex::select::SelectorError;

/// A text does not say what is wanted of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// Its selector is none.
    Selector {
        /// The whole text.
        written: String,
        /// What is wrong.
        error: SelectorError,
    },
    /// What follows the selector is none of the forms.
    Form {
        /// The whole text.
        written: String,
        /// What is wrong.
        message: &'static str,
    },
    /// Two columns would have this name.
    Twice(String),
    /// There is no dialect of this id, or it builds no trees.
    Dialect(String),
}

impl fmt::Display for PlanError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Selector { written, error } => write!(formatter, "{written:?}: {error}"),
            Self::Form { written, message } => write!(formatter, "{written:?}: {message}"),
            Self::Twice(name) => write!(formatter, "two columns would have the name {name:?}"),
            Self::Dialect(id) => write!(formatter, "no dialect {id:?} that builds trees"),
        }
    }
}

impl std::error::Error for PlanError {}

/// Columns are none of pages.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchError {
    /// A column has a type that holds neither text nor bytes.
    Type {
        /// Which column.
        column: &'static str,
        /// Its type.
        found: DataType,
    },
    /// A column has another number of rows than that of the pages.
    Length {
        /// Which column.
        column: &'static str,
        /// How many it has.
        found: usize,
        /// How many pages there are.
        pages: usize,
    },
    /// Arrow could not put columns together.
    Arrow(ArrowError),
}

impl fmt::Display for BatchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { column, found } => {
                write!(formatter, "the column {column} holds neither text nor bytes: {found}")
            }
            Self::Length { column, found, pages } => {
                write!(formatter, "the column {column} has {found} rows beside {pages} pages")
            }
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
