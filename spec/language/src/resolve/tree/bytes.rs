//! Parses byte patterns in algorithms: `'a' or from '0' to '9'` for one position, `'<' then optional '/' then 'a'` for
//! several.

use super::algorithm::is_word;
use super::phrase::ArgumentSlice;
use crate::model::tree::algorithm::{ByteSet, Sequence, SequencePlace};
use crate::syntax::{Argument, Spanned};
use std::ops::RangeInclusive;

fn byte(word: &Spanned<Argument>) -> Option<u8> {
    if let Argument::Character(one) = word.value { u8::try_from(one).ok() } else { None }
}

/// Parses a byte or a range of bytes; `None` if the words are neither.
fn range(words: &ArgumentSlice) -> Option<RangeInclusive<u8>> {
    match words {
        [one] => byte(one).map(|one| one..=one),
        [from, low, to, high] if is_word(from, "from") && is_word(to, "to") => {
            Some(byte(low)?..=byte(high)?)
        }
        _ => None,
    }
}

fn place(words: &ArgumentSlice) -> Option<SequencePlace> {
    let is_optional = words.first().is_some_and(|first| is_word(first, "optional"));
    let wanted = &words[usize::from(is_optional)..];
    let ranges: Option<Vec<_>> = wanted.split(|word| is_word(word, "or")).map(range).collect();
    Some(SequencePlace { bytes: ByteSet(ranges?), is_optional })
}

fn sequence_of(words: &ArgumentSlice) -> Option<Sequence> {
    words.split(|word| is_word(word, "then")).map(place).collect()
}

/// Parses the alternatives for a single byte that is not optional.
pub(super) fn byte_alternatives(words: &ArgumentSlice) -> Option<Vec<Sequence>> {
    let place = place(words).filter(|place| !place.is_optional)?;
    Some(vec![vec![place]])
}

/// Parses a single byte, and returns a sequence that matches any one byte from 0 to that one; `None` for other words.
pub(super) fn at_most(words: &ArgumentSlice) -> Option<Vec<Sequence>> {
    let [most] = words else { return None };
    let bytes = ByteSet(vec![0..=byte(most)?]);
    Some(vec![vec![SequencePlace { bytes, is_optional: false }]])
}

/// Parses a sequence of bytes, none of which is optional.
pub(super) fn one_sequence(words: &ArgumentSlice) -> Option<Vec<Sequence>> {
    let places = sequence_of(words)?;
    places.iter().all(|place| !place.is_optional).then(|| vec![places])
}

/// Parses alternative texts or, if the words are not such, a sequence of bytes.
pub(super) fn sequences(words: &ArgumentSlice) -> Option<Vec<Sequence>> {
    let texts: Option<Vec<_>> = words.split(|word| is_word(word, "or")).map(text).collect();
    texts.or_else(|| sequence_of(words).map(|places| vec![places]))
}

fn text(words: &ArgumentSlice) -> Option<Sequence> {
    let [Spanned { value: Argument::Text(text), .. }] = words else { return None };
    let place = |byte| SequencePlace { bytes: ByteSet(vec![byte..=byte]), is_optional: false };
    Some(text.bytes().map(place).collect())
}
