//! Longest-match lookup of named character references in an automaton compiled from a table; one pass over the bytes of
//! a name.

use crate::scan::Ahead;

/// An acyclic automaton that maps names to indices. A node is a run of edges. Names are numbered in byte order, and the
/// number of a name is derived from the counts along its path.
#[derive(Debug)]
pub struct References {
    /// For each first byte of a name, the index in `edges` of the root's edge; `u16::MAX` if there is none.
    pub first: &'static [u16; 128],
    /// The edges. Bits 0 to 6 of an edge are its byte, bit 7 is set if it is the last edge of its node, bit 8 if a name
    /// ends with it, and the bits from 16 on are the index of the first edge of the target node, 0 if there is none.
    pub edges: &'static [u32],
    /// For each edge, the number of names reached by the earlier edges of its node.
    pub counts: &'static [u16],
    /// For each name, the end in `characters` of the characters that it stands for.
    pub ends: &'static [u16],
    /// The concatenated characters that the names stand for.
    pub characters: &'static str,
    /// For each name, its last byte.
    pub last_bytes: &'static [u8],
}

/// The index used while no reference has been matched.
pub(crate) const NO_REFERENCE: u16 = u16::MAX;

impl References {
    /// Returns the length in bytes and the index of the longest name that begins at offset `from`. `is_last` means that
    /// no bytes follow.
    pub fn ahead(&self, bytes: &[u8], from: usize, is_last: bool) -> Ahead<(usize, u16)> {
        let mut result = Ahead::Other;
        let mut number = 0;
        let mut offset = from;
        let mut edge = usize::MAX;
        loop {
            let Some(&byte) = bytes.get(offset) else {
                return if is_last { result } else { Ahead::Unknown };
            };
            edge = match self.step(edge, byte) {
                Some(edge) => edge,
                None => return result,
            };
            offset += 1;
            number += self.counts[edge];
            if self.edges[edge] & 0x100 != 0 {
                result = Ahead::Found((offset - from, number));
                number += 1;
            }
            if self.edges[edge] >> 16 == 0 {
                return result;
            }
        }
    }

    /// Returns the index of `name`, or `None` if there is no such name.
    pub fn find(&self, name: &str) -> Option<u16> {
        match self.ahead(name.as_bytes(), 0, true) {
            Ahead::Found((length, index)) if length == name.len() => Some(index),
            _ => None,
        }
    }

    /// Returns the edge for `byte` out of the target node of `edge`, or `None` if there is none. For `edge`,
    /// `usize::MAX` stands for the edge to the root.
    #[inline]
    fn step(&self, edge: usize, byte: u8) -> Option<usize> {
        if edge == usize::MAX {
            let first = *self.first.get(usize::from(byte))?;
            return (first != u16::MAX).then_some(usize::from(first));
        }
        let mut index = (self.edges[edge] >> 16) as usize;
        loop {
            let candidate = self.edges[index];
            if (candidate & 0x7F) as u8 == byte {
                return Some(index);
            }
            if candidate & 0x80 != 0 {
                return None;
            }
            index += 1;
        }
    }

    /// Returns the characters that the name at `index` stands for; empty for [`NO_REFERENCE`].
    pub fn text(&self, index: u16) -> &'static str {
        let index = usize::from(index);
        let Some(&end) = self.ends.get(index) else { return "" };
        let start = index.checked_sub(1).map_or(0, |before| usize::from(self.ends[before]));
        &self.characters[start..usize::from(end)]
    }

    /// Whether there is a name at `index`, and it ends with `byte`.
    pub fn ends_with(&self, index: u16, byte: u8) -> bool {
        self.last_bytes.get(usize::from(index)) == Some(&byte)
    }
}
