//! Tables indexed by byte, built from ranges at compile time. A byte outside every range has the default: `false`, or
//! class 0.

use crate::scan::next_not_in_unrolled;

/// Returns a table that tells for each byte whether it is in one of the inclusive ranges.
pub const fn byte_set(ranges: &[(u8, u8)]) -> [bool; 256] {
    let mut set = [false; 256];
    let mut index = 0;
    while index < ranges.len() {
        let (first, last) = ranges[index];
        let mut byte = first as usize;
        while byte <= last as usize {
            set[byte] = true;
            byte += 1;
        }
        index += 1;
    }
    set
}

/// Returns a table of the classes of the ASCII bytes. Each triple is the first byte, the last byte and the class of an
/// inclusive range; bytes in no range have class 0.
pub const fn byte_classes(ranges: &[(u8, u8, u8)]) -> [u8; 128] {
    let mut classes = [0; 128];
    let mut index = 0;
    while index < ranges.len() {
        let (first, last, class) = ranges[index];
        let mut byte = first as usize;
        while byte <= last as usize {
            classes[byte] = class;
            byte += 1;
        }
        index += 1;
    }
    classes
}

/// A set of characters.
#[derive(Clone, Copy, Debug)]
pub struct CharacterSet {
    /// For each byte, whether no character of the set begins with it in UTF-8.
    pub begins_none: &'static [bool; 256],
    /// Whether a character is in the set.
    pub is_member: fn(char) -> bool,
}

impl CharacterSet {
    /// Returns the byte offset of the first character in `text` that is in the set; `None` if there is none.
    #[inline(never)]
    pub fn find(self, text: &str) -> Option<usize> {
        let offset = next_not_in_unrolled(text.as_bytes(), 0, self.begins_none);
        if offset < text.len() { self.find_member(text, offset) } else { None }
    }

    /// Finds the first member at or after `offset`, where a character may be one.
    #[cold]
    #[inline(never)]
    fn find_member(self, text: &str, mut offset: usize) -> Option<usize> {
        while let Some(character) = text[offset..].chars().next() {
            if (self.is_member)(character) {
                return Some(offset);
            }
            let next = offset + character.len_utf8();
            offset = next_not_in_unrolled(text.as_bytes(), next, self.begins_none);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        let set = byte_set(&[(0, 0), (b'a', b'c'), (0xFE, 0xFF)]);
        let members: Vec<usize> = (0..256).filter(|&byte| set[byte]).collect();
        assert_eq!(members, [0, 97, 98, 99, 0xFE, 0xFF]);
        let classes = byte_classes(&[(b'0', b'1', 2), (0x7F, 0x7F, 1)]);
        assert_eq!((classes[48], classes[49], classes[50], classes[127]), (2, 2, 0, 1));
    }
}
