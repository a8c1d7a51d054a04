//! Converts byte offsets to JavaScript's offsets, which count UTF-16 units. An offset within a character maps to the
//! end of the character, and one past the end of the text to the end.

/// The UTF-16 offset of each byte offset of a text.
pub(crate) struct Offsets {
    units: Vec<u32>,
}

impl Offsets {
    pub(crate) fn new(text: &str) -> Self {
        let mut units = Vec::with_capacity(text.len() + 1);
        let mut unit = 0;
        for character in text.chars() {
            units.push(unit);
            unit += character.len_utf16() as u32;
            units.extend(std::iter::repeat_n(unit, character.len_utf8() - 1));
        }
        units.push(unit);
        Self { units }
    }

    /// Converts a byte offset to an offset in UTF-16 units.
    pub(crate) fn unit(&self, byte: usize) -> u32 {
        let last = self.units.last().copied().unwrap_or(0);
        self.units.get(byte).copied().unwrap_or(last)
    }

    /// Converts the ends of a byte range to offsets in UTF-16 units.
    pub(crate) fn range(&self, start: usize, end: usize) -> [u32; 2] {
        [self.unit(start), self.unit(end)]
    }
}

#[cfg(test)]
mod tests {
    use super::Offsets;

    #[test]
    fn maps_every_byte_to_an_offset() {
        let offsets = Offsets::new("aé😀b");
        let units: Vec<u32> = (0..10).map(|byte| offsets.unit(byte)).collect();
        assert_eq!(units, [0, 1, 2, 2, 4, 4, 4, 4, 5, 5]);
    }
}
