//! How often nodes and attributes of trees are read, counted where debug assertions are on, so that tests can hold work
//! to bounds without a clock.

use std::cell::Cell;

thread_local! {
    static READS: Cell<u64> = const { Cell::new(0) };
}

/// Counts reads of this thread.
#[inline(always)]
pub(crate) fn count_reads(number: usize) {
    if cfg!(debug_assertions) {
        READS.with(|reads| reads.set(reads.get() + number as u64));
    }
}

/// Counts the bytes of a text that is handed out, 64 of them as one read.
#[inline(always)]
pub(crate) fn count_bytes(text: &str) {
    count_reads(text.len() / 64);
}

/// The reads of this thread so far; 0 without debug assertions.
pub fn reads() -> u64 {
    READS.get()
}
