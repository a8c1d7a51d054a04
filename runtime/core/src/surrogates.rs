//! Characters that formats write as two code units of UTF-16. Invariant: what is no pair stays as it is.

use crate::machine::{Machine, Registers};

impl<M: Machine> Registers<M> {
    /// A high and a low surrogate that stand in the number, one after the other, become their character.
    pub fn join_surrogates(&mut self) {
        let units = [(self.number >> 16) as u16, self.number as u16];
        if let (0xD800..=0xDBFF, Some(Ok(character))) = (units[0], char::decode_utf16(units).next())
        {
            self.number = u32::from(character);
        }
    }
}
