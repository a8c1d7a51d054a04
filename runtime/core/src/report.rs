//! Reports of errors, rows and inspected bytes to sinks. The errors of rows, and those of characters that are errors
//! wherever they occur, are reported in input order; the input is searched for such characters only if errors are
//! wanted. Each report is a single call in generated code, because a machine's compile time grows with the square of
//! its size; for sinks that do not want rows, the call compiles to nothing.

use crate::error::ParseError;
use crate::machine::{Machine, Registers};
use crate::named::Named as _;
use crate::scan;
use crate::scan::SearchableTable;
use crate::sink::MachineSink;
use crate::span::Span;

/// The search table, as an associated constant, of the bytes with which no character of
/// [`INPUT_ERRORS`](Machine::INPUT_ERRORS) begins.
struct InputErrorSearch<M>(M);

impl<M: Machine> InputErrorSearch<M> {
    const HARMLESS: SearchableTable = SearchableTable::new(M::HARMLESS);
}

impl<M: Machine> Registers<M> {
    /// Reports an error at the range `from..to` of the chunk, if errors are wanted; errors of earlier characters are
    /// reported first.
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

    /// Slow path of [`error`](Self::error), out of line so that the hot loop of a machine stays small.
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
        // In a replacement text there is nothing to search, because the input up to the reference was searched before
        // the text was entered.
        if !self.is_replacing() {
            self.search_input(sink, input, to);
        } else if !self.replacements.record_error(code.name()) {
            return;
        }
        sink.error(ParseError::of(code, self.original(span)));
    }

    /// Reports the characters before offset `to` of the chunk that are errors wherever they occur, unless already
    /// reported.
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
            offset = InputErrorSearch::<M>::HARMLESS.next_not_in(bytes, offset);
            let Some(character) = input.get(offset..to).and_then(|rest| rest.chars().next()) else {
                return;
            };
            let index = M::INPUT_ERRORS.partition_point(|&(_, last, _)| last < character);
            let end = offset + character.len_utf8();
            if let Some(&(first, _, code)) = M::INPUT_ERRORS.get(index)
                && first <= character
            {
                sink.error(ParseError::of(code, Span::new(self.base + offset, self.base + end)));
            }
            offset = end;
        }
    }

    /// Reports a row that consumes `length` bytes at offset `from`, and returns the offset after those bytes.
    #[inline(always)]
    pub fn row<K: MachineSink + ?Sized>(
        &self,
        sink: &mut K,
        row: u16,
        from: usize,
        length: usize,
    ) -> usize {
        if K::ROWS && self.reports_rows {
            sink.row(row);
        }
        from + length
    }

    /// Reports a row that consumes the run of characters `from..to` of the chunk, and the length of the run.
    #[inline(always)]
    pub fn run<K: MachineSink + ?Sized>(&self, sink: &mut K, row: u16, from: usize, to: usize) {
        if K::ROWS && self.reports_rows {
            sink.row(row);
            sink.inspected(to - from);
        }
    }

    /// Reports that `from..to` of the chunk was inspected; 0 bytes if `to` is less than `from`.
    #[inline(always)]
    pub fn inspected<K: MachineSink + ?Sized>(&self, sink: &mut K, from: usize, to: usize) {
        if K::ROWS && self.reports_rows {
            sink.inspected(to.saturating_sub(from));
        }
    }

    /// Returns the input up to the next of the `needles` at or after `from`, or up to the end of the search window;
    /// reports the bytes searched.
    #[inline(always)]
    pub fn window_of<'i, K: MachineSink + ?Sized, const N: usize>(
        &self,
        sink: &mut K,
        input: &'i str,
        from: usize,
        needles: [u8; N],
    ) -> &'i [u8] {
        let end = scan::window_of(needles, input, from);
        self.inspected(sink, from, end);
        &input.as_bytes()[..end]
    }
}
