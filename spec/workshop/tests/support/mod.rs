//! How command lines stand in files of tests. It runs nothing. Invariant: a line has the arguments that a shell would make of
//! it, as far as blanks and apostrophes go.

use std::ffi::OsString;

/// One argument between two apostrophes, others between blanks.
pub(crate) fn arguments(line: &str) -> Vec<OsString> {
    let pieces = line.split('\'').enumerate();
    let pieces = pieces.flat_map(|(index, piece)| match index % 2 {
        0 => piece.split_whitespace().map(OsString::from).collect(),
        _ => vec![OsString::from(piece)],
    });
    pieces.collect()
}
