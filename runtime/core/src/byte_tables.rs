//! Tables indexed by byte, built from ranges at compile time. A byte outside every range has the default: `false`, or
//! class 0.

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
    /// For each byte, whether a character of the set begins with it in UTF-8.
    pub first_bytes: &'static [bool; 256],
    /// Whether a character is in the set.
    pub is_member: fn(char) -> bool,
}

impl CharacterSet {
    /// Returns the byte offset of the first character in `text` that is in the set; `None` if there is none.
    pub fn find(self, text: &str) -> Option<usize> {
        let mut start = 0;
        loop {
            let offset = start + self.find_first_byte(&text.as_bytes()[start..])?;
            let character = text[offset..].chars().next()?;
            if (self.is_member)(character) {
                return Some(offset);
            }
            start = offset + character.len_utf8();
        }
    }

    /// Returns the offset of the first byte with which a character of the set begins. Blocks of bytes are tested without
    /// a branch for each, because most texts have no such byte.
    fn find_first_byte(self, bytes: &[u8]) -> Option<usize> {
        let is_first = |&byte: &u8| self.first_bytes[usize::from(byte)];
        let (blocks, _) = bytes.as_chunks::<8>();
        let has_none =
            |block: &&[u8; 8]| !block.iter().fold(false, |found, byte| found | is_first(byte));
        let start = blocks.iter().take_while(has_none).count() * 8;
        bytes[start..].iter().position(is_first).map(|offset| start + offset)
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
