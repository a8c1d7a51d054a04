//! Steps of algorithms for the bytes of the input before they are decoded: the prescan for an encoding. Labels of
//! encodings are not known here.

use super::algorithm::VariableId;
use std::ops::RangeInclusive;

/// A position that steps can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BytePosition {
    /// The position of the prescan, which its algorithms share.
    Position,
    /// The position that a variable holds.
    Variable(VariableId),
}

/// A set of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteSet(pub Vec<RangeInclusive<u8>>);

impl ByteSet {
    /// Whether the set contains the byte.
    pub fn contains(&self, byte: u8) -> bool {
        self.0.iter().any(|range| range.contains(&byte))
    }
}

/// A byte of a sequence of bytes to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequencePlace {
    /// Bytes that match.
    pub bytes: ByteSet,
    /// Whether the byte may be absent.
    pub is_optional: bool,
}

/// A sequence of bytes to look for.
pub type Sequence = Vec<SequencePlace>;
