//! A counter of node and attribute reads in debug builds, with which tests check complexity without a clock.

use std::cell::Cell;

thread_local! {
    static READS: Cell<u64> = const { Cell::new(0) };
}

/// Adds `number` to the current thread's count of reads in debug builds.
#[inline(always)]
pub(crate) fn count_reads(number: usize) {
    if cfg!(debug_assertions) {
        READS.with(|reads| reads.set(reads.get() + number as u64));
    }
}

/// Counts one read for every 64 bytes of a text that is returned or moved.
#[inline(always)]
pub fn count_bytes(text: &str) {
    count_reads(text.len() / 64);
}

/// Returns the number of reads on the current thread; 0 without debug assertions.
pub fn reads() -> u64 {
    READS.get()
}
