//! Joining of UTF-16 surrogate pairs, for formats that escape a character as two code units.

use crate::machine::{Machine, Registers};

impl<M: Machine> Registers<M> {
    /// Replaces a high surrogate and a low surrogate in the two halves of the number with their character; any other
    /// pair stays.
    pub fn join_surrogates(&mut self) {
        let units = [(self.number >> 16) as u16, self.number as u16];
        if let (0xD800..=0xDBFF, Some(Ok(character))) = (units[0], char::decode_utf16(units).next())
        {
            self.number = u32::from(character);
        }
    }
}
