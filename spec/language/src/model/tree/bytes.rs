//! Steps of algorithms for the bytes of the input before they are decoded: the prescan for an encoding. Labels of
//! encodings are not known here.

use super::algorithm::{Expression, VariableId};
use std::ops::RangeInclusive;

/// A change to a position in the bytes, or to a value read from them.
#[derive(Clone, Debug, PartialEq)]
pub enum ByteEffect {
    /// Sets the position of the prescan.
    SetPosition(Expression),
    /// Moves the position to the next byte.
    Advance(BytePosition),
    /// Moves the position past the first byte of the set at or after it.
    AdvancePast(BytePosition, ByteSet),
    /// Moves the position to the next byte of the set that directly follows one byte of each set in the list, in the
    /// order of the list.
    AdvanceTo(BytePosition, ByteSet, Vec<ByteSet>),
    /// Appends the byte to the string.
    Append(Expression, VariableId),
    /// Appends the byte, an upper-case letter, to the string in lower case.
    AppendLower(Expression, VariableId),
    /// Adds the string to the list.
    Add(Expression, VariableId),
}

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

/// A condition on bytes, or on what was read from them.
#[derive(Clone, Debug, PartialEq)]
pub enum ByteQuestion {
    /// The end of the bytes was reached in an earlier run of the prescan.
    HaveEnded,
    /// The bytes at the position begin with one of these sequences.
    AreAt(Expression, Vec<Sequence>),
    /// The byte is in the set.
    IsOneOf(Expression, ByteSet),
    /// The string contains a byte in the set.
    HasOneOf(Expression, ByteSet),
    /// The string is in the list.
    IsInList(Expression, Expression),
    /// The value is an encoding, not failure.
    IsEncoding(Expression),
    /// The value is failure.
    IsFailure(Expression),
    /// The encoding is UTF-16, of either byte order.
    IsUtf16(Expression),
    /// The encoding has this name, ignoring ASCII case.
    IsNamed(Expression, String),
}

/// A position in the bytes, or a value read from them.
#[derive(Clone, Debug, PartialEq)]
pub enum ByteValue {
    /// The position of the prescan.
    Position,
    /// The position of the first byte.
    First,
    /// The position of the first byte in the set, if any.
    FirstOf(ByteSet),
    /// The position of the first byte at or after the given position that equals the given byte, if there is one.
    NextOf(Expression, Expression),
    /// The position of the first occurrence of the text between the positions, if any.
    FirstText(String, Expression, Expression),
    /// The byte at the position.
    Byte(Expression),
    /// The bytes between the positions, each as the character with its value.
    Between(Expression, Expression),
    /// An empty list of strings.
    Empty,
    /// An attribute, with its name and value.
    Attribute(Expression, Expression),
    /// The name of the attribute.
    NameOf(Expression),
    /// The value of the attribute.
    ValueOf(Expression),
    /// The encoding with this label, or failure.
    Encoding(Expression),
    /// The encoding that is extracted from the value of `content`, or failure.
    Extracted(Expression),
    /// Failure to find an encoding.
    Failure,
}
