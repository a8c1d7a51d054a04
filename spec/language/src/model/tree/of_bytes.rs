//! What steps of algorithms ask and change about the bytes of the input before they are characters: the prescan for an encoding.
//! No label of an encoding is known here. Invariant: what is asked changes nothing.

use super::algorithm::{Expression, VariableId};
use std::ops::RangeInclusive;

/// What a step changes about a place in the bytes, or about what is made of bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum ByteEffect {
    /// The place to which the prescan has come.
    SetPosition(Expression),
    /// The place is that of the byte after it.
    Advance(Pointer),
    /// The place is after the next byte that is one of these.
    AdvancePast(Pointer, ByteSet),
    /// The place is that of the next byte that is one of these and comes after these bytes.
    AdvanceTo(Pointer, ByteSet, Vec<ByteSet>),
    /// The byte is appended to the string.
    Append(Expression, VariableId),
    /// The byte, an upper-case letter, is appended to the string as a lower-case one.
    AppendLower(Expression, VariableId),
    /// The string is added to the list.
    Add(Expression, VariableId),
}

/// What points to a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// The place to which the prescan has come, which its algorithms have in common.
    Position,
    /// A variable.
    Variable(VariableId),
}

/// Bytes of which one is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteSet(pub Vec<RangeInclusive<u8>>);

impl ByteSet {
    /// Whether it is one of them.
    pub fn contains(&self, byte: u8) -> bool {
        self.0.iter().any(|range| range.contains(&byte))
    }
}

/// A place of a sequence of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequencePlace {
    /// What may stand there.
    pub bytes: ByteSet,
    /// Whether it may be left out.
    pub is_optional: bool,
}

/// A sequence of bytes.
pub type Sequence = Vec<SequencePlace>;

/// What a step asks about bytes, or about what is made of them.
#[derive(Clone, Debug, PartialEq)]
pub enum ByteQuestion {
    /// A byte was wanted where there are no more.
    HaveEnded,
    /// The bytes from the place on begin with one of these.
    AreAt(Expression, Vec<Sequence>),
    /// The byte is one of these.
    IsOneOf(Expression, ByteSet),
    /// One of the bytes of the string is one of these.
    HasOneOf(Expression, ByteSet),
    /// The string is in the list.
    IsInList(Expression, Expression),
    /// It is an encoding, and no failure.
    IsEncoding(Expression),
    /// No encoding has the label.
    IsFailure(Expression),
    /// It is one of the two encodings UTF-16.
    IsUtf16(Expression),
    /// It is the encoding of this name, in any case of letters.
    IsNamed(Expression, String),
}

/// A place in the bytes, or what is made of bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum ByteValue {
    /// The place to which the prescan has come.
    Position,
    /// The place of the first byte.
    First,
    /// The place of the first byte that is one of these, or none.
    FirstOf(ByteSet),
    /// The place of the byte, from the place on, or none.
    NextOf(Expression, Expression),
    /// The place of this text, from the first place on and before the second, or none.
    FirstText(String, Expression, Expression),
    /// The byte at the place.
    Byte(Expression),
    /// The bytes from the first place on and before the second, as characters of the same numbers.
    Between(Expression, Expression),
    /// The list without strings.
    Empty,
    /// An attribute: its name and its value.
    Attribute(Expression, Expression),
    /// The name of the attribute.
    NameOf(Expression),
    /// The value of the attribute.
    ValueOf(Expression),
    /// The encoding with this label, or failure.
    Encoding(Expression),
    /// What is extracted from the value of `content`: an encoding, or failure.
    Extracted(Expression),
    /// No encoding.
    Failure,
}
