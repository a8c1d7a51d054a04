//! Reports of rows and of bytes inspected, which generated code makes to sinks that want them. Each is a single call in
//! the code of a machine, whose compile time grows with the square of its size, and compiles to nothing for other
//! sinks.

use crate::machine::{Machine, Registers};
use crate::scan;
use crate::sink::MachineSink;

impl<M: Machine> Registers<M> {
    /// Reports a row that consumes `length` bytes from `from` on, and returns the offset at which they end.
    #[inline(always)]
    pub fn row<K: MachineSink + ?Sized>(
        &self,
        sink: &mut K,
        row: u16,
        from: usize,
        length: usize,
    ) -> usize {
        if K::ROWS && self.wants_rows {
            sink.row(row);
        }
        from + length
    }

    /// Reports a row that takes the run of characters `from..to` of the chunk.
    #[inline(always)]
    pub fn run<K: MachineSink + ?Sized>(&self, sink: &mut K, row: u16, from: usize, to: usize) {
        if K::ROWS && self.wants_rows {
            sink.row(row);
            sink.inspected(to - from);
        }
    }

    /// Reports that `from..to` of the chunk was inspected; ignored if that is not a range.
    #[inline(always)]
    pub fn inspected<K: MachineSink + ?Sized>(&self, sink: &mut K, from: usize, to: usize) {
        if K::ROWS && self.wants_rows {
            sink.inspected(to.saturating_sub(from));
        }
    }

    /// Returns the input up to the next byte `A` at or after `from`, or up to the end of the search window.
    #[inline(always)]
    pub fn window_of_1<'i, K: MachineSink + ?Sized, const A: u8>(
        &self,
        sink: &mut K,
        input: &'i str,
        from: usize,
    ) -> &'i [u8] {
        self.window(sink, input, from, scan::window_of_1::<A>(input, from))
    }

    /// Returns the input up to the next byte `A` or `B`; see [`window_of_1`].
    #[inline(always)]
    pub fn window_of_2<'i, K: MachineSink + ?Sized, const A: u8, const B: u8>(
        &self,
        sink: &mut K,
        input: &'i str,
        from: usize,
    ) -> &'i [u8] {
        self.window(sink, input, from, scan::window_of_2::<A, B>(input, from))
    }

    #[inline(always)]
    fn window<'i, K: MachineSink + ?Sized>(
        &self,
        sink: &mut K,
        input: &'i str,
        from: usize,
        end: usize,
    ) -> &'i [u8] {
        self.inspected(sink, from, end);
        &input.as_bytes()[..end]
    }
}
