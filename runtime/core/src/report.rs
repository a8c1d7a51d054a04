//! Reports to sinks. Parse errors come in input order: those of rows, and those of characters that are errors wherever
//! they occur, for which the input is searched only if errors are wanted. Rows and bytes inspected are reported to sinks
//! that want them. Each report is a single call in generated code, because a machine's compile time grows with the square
//! of its size; for sinks that do not want rows, the call compiles to nothing.

use crate::error::ParseError;
use crate::machine::{Machine, Registers};
use crate::named::Named as _;
use crate::scan;
use crate::scan::Searchable;
use crate::sink::MachineSink;
use crate::span::Span;

/// The bytes with which no character of [`INPUT_ERRORS`](Machine::INPUT_ERRORS) begins.
struct Harmless<M>(M);

impl<M: Machine> Harmless<M> {
    const BYTES: Searchable = Searchable::new(M::HARMLESS);
}

impl<M: Machine> Registers<M> {
    /// Reports an error at the range `from..to` of the chunk, after those of earlier characters, if errors are wanted.
    #[inline(always)]
    pub fn error<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        code: M::Error,
        from: usize,
        to: usize,
    ) {
        if K::ERRORS {
            self.report(sink, input, code, from, to);
        }
    }

    /// Reports an error. Kept out of line, so that the hot loop of a machine stays small.
    #[cold]
    #[inline(never)]
    fn report<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        code: M::Error,
        from: usize,
        to: usize,
    ) {
        let span = Span::new(self.base + from, self.base + to);
        // Before a replacement text is entered, the input is searched up to its reference.
        if !self.is_replacing() {
            self.search_input(sink, input, to);
        } else if !self.replacements.is_first_error(code.name()) {
            return;
        }
        sink.error(ParseError::of(code, self.original(span)));
    }

    /// Reports the errors of single characters before offset `to` of the chunk.
    pub(crate) fn search_input<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        to: usize,
    ) {
        let mut offset = self.searched.saturating_sub(self.base);
        if M::INPUT_ERRORS.is_empty() || offset >= to {
            return;
        }
        self.searched = self.base + to;
        let bytes = &input.as_bytes()[..to];
        loop {
            offset = Harmless::<M>::BYTES.next_other(bytes, offset);
            let Some(character) = input.get(offset..to).and_then(|rest| rest.chars().next()) else {
                return;
            };
            let range = M::INPUT_ERRORS.partition_point(|&(_, last, _)| last < character);
            let end = offset + character.len_utf8();
            if let Some(&(first, _, code)) = M::INPUT_ERRORS.get(range)
                && first <= character
            {
                sink.error(ParseError::of(code, Span::new(self.base + offset, self.base + end)));
            }
            offset = end;
        }
    }

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

    /// Reports that `from..to` of the chunk was inspected; counts as 0 bytes if `to` is less than `from`.
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
