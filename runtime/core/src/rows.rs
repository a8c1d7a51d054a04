//! What generated code reports to sinks that want rows and the bytes looked at; for others it is nothing. It is no search
//! itself (`scan` is). Invariant: each function is one call in the code of a machine, whose compile time grows with the
//! square of what is in it, and none is left of it where rows are not wanted.

use crate::machine::Machine;
use crate::scan;
use crate::sink::Sink;

/// A row is taken: it consumes `length` bytes from `from` on. Returns where they end.
#[inline(always)]
pub fn row<M: Machine, K: Sink<M>>(sink: &mut K, row: u16, from: usize, length: usize) -> usize {
    if K::ROWS {
        sink.row(row);
    }
    from + length
}

/// A row takes a run of characters, `from..to` of the chunk.
#[inline(always)]
pub fn run<M: Machine, K: Sink<M>>(sink: &mut K, row: u16, from: usize, to: usize) {
    if K::ROWS {
        sink.row(row);
        sink.looked_at(to - from);
    }
}

/// What is at `from..to` of the chunk was looked at; nothing if that is no range.
#[inline(always)]
pub fn looked_at<M: Machine, K: Sink<M>>(sink: &mut K, from: usize, to: usize) {
    if K::ROWS {
        sink.looked_at(to.saturating_sub(from));
    }
}

/// The input up to the next byte after `from` that is `A`, or as far as is searched at once.
#[inline(always)]
pub fn window_of_1<'i, M: Machine, K: Sink<M>, const A: u8>(
    sink: &mut K,
    input: &'i str,
    from: usize,
) -> &'i [u8] {
    window(sink, input, from, scan::window_of_1::<A>(input, from))
}

/// The input up to the next byte after `from` that is `A` or `B`, as [`window_of_1`].
#[inline(always)]
pub fn window_of_2<'i, M: Machine, K: Sink<M>, const A: u8, const B: u8>(
    sink: &mut K,
    input: &'i str,
    from: usize,
) -> &'i [u8] {
    window(sink, input, from, scan::window_of_2::<A, B>(input, from))
}

#[inline(always)]
fn window<'i, M: Machine, K: Sink<M>>(
    sink: &mut K,
    input: &'i str,
    from: usize,
    end: usize,
) -> &'i [u8] {
    looked_at::<M, K>(sink, from, end);
    &input.as_bytes()[..end]
}
