//! Arrow
