//! Line numbers of offsets, for the sink's `set_current_line`. The numbers do not depend on how the input is split
//! into chunks.

use std::collections::VecDeque;

/// The line ends of the input after the offset last passed to [`advance`](Self::advance).
#[derive(Debug)]
pub(crate) struct LineEnds {
    ends: VecDeque<usize>,
    /// Length in bytes of the input whose line ends have been recorded.
    length: usize,
    ends_with_return: bool,
    line: u64,
}

impl LineEnds {
    pub(crate) fn new() -> Self {
        Self { ends: VecDeque::new(), length: 0, ends_with_return: false, line: 1 }
    }

    /// Records the line ends of the next chunk.
    pub(crate) fn record(&mut self, chunk: &str) {
        let bytes = chunk.as_bytes();
        for index in memchr::memchr2_iter(b'\r', b'\n', bytes) {
            let follows_return = match index.checked_sub(1) {
                Some(previous) => bytes[previous] == b'\r',
                None => self.ends_with_return,
            };
            if bytes[index] == b'\r' || !follows_return {
                self.ends.push_back(self.length + index);
            }
        }
        self.ends_with_return = bytes.last().map_or(self.ends_with_return, |&last| last == b'\r');
        self.length += bytes.len();
    }

    /// Returns the heap bytes in use.
    pub(crate) fn heap_size(&self) -> usize {
        self.ends.capacity() * size_of::<usize>()
    }

    /// Returns the line number of an offset, counted from 1, if it differs from that of the previous offset.
    #[inline]
    pub(crate) fn advance(&mut self, offset: usize) -> Option<u64> {
        let previous_line = self.line;
        while self.ends.front().is_some_and(|&end| end < offset) {
            self.ends.pop_front();
            self.line += 1;
        }
        (self.line != previous_line).then_some(self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_do_not_depend_on_chunks() {
        let input = "a\nb\r\nc\rd\n\r\ne";
        for cut in 0..=input.len() {
            let mut ends = LineEnds::new();
            ends.record(&input[..cut]);
            ends.record(&input[cut..]);
            let lines = ["a", "b", "c", "d", "e"].map(|letter| {
                ends.advance(
                    input.find(letter).unwrap_or_else(|| panic!("no `{letter}` in {input:?}")),
                );
                ends.line
            });
            assert_eq!(lines, [1, 2, 3, 4, 6], "cut at {cut}");
        }
        assert_eq!(LineEnds::new().advance(5), None);
    }
}
