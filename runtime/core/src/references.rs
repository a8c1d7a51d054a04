//! Named character references as an automaton that a table's compiler made: the longest name ahead, found
//! in one walk over its bytes. It holds no name of its own. Invariant: walking visits each byte once.

/// The automaton. Nodes are lists of edges, one after another; words are numbered in the order of their
/// bytes, and a word's number is the sum of the counts along its way.
#[derive(Debug)]
pub struct References {
    /// Edges of the root by first byte, as index into `edges`; `u16::MAX` where there is none.
    pub first: &'static [u16; 128],
    /// Edges: bits 0 to 6 the byte, bit 7 whether it is the last of its node, bit 8 whether a word ends with it, from
    /// bit 16 the index of the first edge of the node that it leads to, 0 if there is none.
    pub edges: &'static [u32],
    /// For each edge, how many words come before those after it among the words of its node.
    pub counts: &'static [u16],
    /// For each word, where its characters end in `characters`.
    pub ends: &'static [u16],
    /// The characters that the words stand for, one after another.
    pub characters: &'static str,
    /// For each word, the last byte of its name.
    pub last_bytes: &'static [u8],
}

/// The index of no word: none has been matched.
pub(crate) const NO_REFERENCE: u16 = u16::MAX;

/// What is ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameAhead {
    /// A name: its length in bytes, and its index.
    Found(usize, u16),
    /// No name.
    Other,
    /// The input ends before this is known.
    Unknown,
}

impl References {
    /// The longest name that is at `from`.
    pub fn ahead(&self, bytes: &[u8], from: usize, is_last: bool) -> NameAhead {
        let mut found = NameAhead::Other;
        let mut number = 0;
        let mut at = from;
        let mut edge = usize::MAX;
        loop {
            let Some(&byte) = bytes.get(at) else {
                return if is_last { found } else { NameAhead::Unknown };
            };
            edge = match self.step(edge, byte) {
                Some(edge) => edge,
                None => return found,
            };
            at += 1;
            number += self.counts[edge];
            if self.edges[edge] & 0x100 != 0 {
                found = NameAhead::Found(at - from, number);
                number += 1;
            }
            if self.edges[edge] >> 16 == 0 {
                return found;
            }
        }
    }

    /// The index of the name.
    pub fn find(&self, name: &str) -> Option<u16> {
        match self.ahead(name.as_bytes(), 0, true) {
            NameAhead::Found(length, index) if length == name.len() => Some(index),
            _ => None,
        }
    }

    /// The edge with this byte out of the node to which the edge leads; `usize::MAX` leads to the root.
    #[inline]
    fn step(&self, edge: usize, byte: u8) -> Option<usize> {
        if edge == usize::MAX {
            let first = *self.first.get(usize::from(byte))?;
            return (first != u16::MAX).then_some(usize::from(first));
        }
        let mut next = (self.edges[edge] >> 16) as usize;
        loop {
            let candidate = self.edges[next];
            if (candidate & 0x7F) as u8 == byte {
                return Some(next);
            }
            if candidate & 0x80 != 0 {
                return None;
            }
            next += 1;
        }
    }

    /// The characters that the word of this index stands for; none for [`NO_REFERENCE`].
    pub fn text(&self, index: u16) -> &'static str {
        let index = usize::from(index);
        let Some(&end) = self.ends.get(index) else { return "" };
        let start = index.checked_sub(1).map_or(0, |before| usize::from(self.ends[before]));
        &self.characters[start..usize::from(end)]
    }

    /// Whether there is a word of this index whose name ends with this byte.
    pub fn ends_with(&self, index: u16, byte: u8) -> bool {
        self.last_bytes.get(usize::from(index)) == Some(&byte)
    }
}
