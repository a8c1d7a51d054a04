//! Splits command lines in test files into arguments, at spaces and apostrophes as a shell would.

use std::ffi::OsString;

/// Splits a command line into arguments; an argument in apostrophes may contain spaces.
pub(crate) fn arguments(line: &str) -> Vec<OsString> {
    let pieces = line.split('\'').enumerate();
    let pieces = pieces.flat_map(|(index, piece)| match index % 2 {
        0 => piece.split_whitespace().map(OsString::from).collect(),
        _ => vec![OsString::from(piece)],
    });
    pieces.collect()
}
