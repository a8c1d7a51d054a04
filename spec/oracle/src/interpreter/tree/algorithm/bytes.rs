//! Evaluates conditions and values of bytes, and applies their effects, for the prescan for an encoding. The caller
//! supplies the labels of encodings.

use super::super::{Name, TreeBuilder};
use super::{Execution, Invocation, TokenView, Value};
use std::fmt;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::algorithm::{
    ByteEffect, BytePosition, ByteQuestion, ByteSet, ByteValue, Expression, Routine, Sequence,
};

/// A function that maps the label of an encoding to the name of the encoding, or an unknown label to `None`.
pub type LabelLookup<'d> = &'d dyn Fn(&str) -> Option<String>;

/// Bytes that are scanned for an encoding.
pub(in crate::interpreter::tree) struct Bytes<'b> {
    all: &'b [u8],
    /// Position shared by all running algorithms.
    position: usize,
    lookup: LabelLookup<'b>,
    /// Whether a byte past the end was requested.
    has_run_out: bool,
    /// Answer to the condition "the bytes have ended", which holds only in the second run of the prescan.
    have_ended: bool,
}

impl fmt::Debug for Bytes<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut output = formatter.debug_struct("Bytes");
        output.field("position", &self.position).finish_non_exhaustive()
    }
}

/// Runs the table's prescan, and returns the name of the declared encoding. `None` if the bytes declare none, or end
/// before that is known. `lookup` maps labels to encodings.
///
/// # Errors
///
/// Returns a message if the table lacks the algorithm, or if the algorithm does not end or fails an assertion.
pub fn prescan(
    machine: &Machine,
    bytes: &[u8],
    lookup: LabelLookup<'_>,
) -> Result<Option<String>, String> {
    let construction = machine.construction.as_ref().ok_or("the table has no modes")?;
    let routine = construction.routine(Routine::PrescanEncoding);
    let routine = routine.ok_or("the table has no algorithm `prescan-encoding`")?;
    let mut builder = TreeBuilder::new(construction);
    for have_ended in [false, true] {
        let (all, position, has_run_out) = (bytes, 0, false);
        builder.bytes = Some(Bytes { all, position, lookup, has_run_out, have_ended });
        builder.steps_left = 10_000 + 100 * bytes.len();
        let result = builder.run(routine, Vec::new(), None, &Invocation::new(&TokenView::NONE));
        if builder.has_stopped {
            return Err("the algorithm `prescan-encoding` does not terminate, or one of its assertions fails".to_owned());
        }
        if !builder.has_run_out() {
            return Ok(if let Value::Encoding(name) = result { name } else { None });
        }
    }
    Ok(None)
}

/// Whether the bytes begin with a sequence of byte sets, some of which may be optional.
fn begin_with(mut bytes: &[u8], sequence: &Sequence) -> bool {
    for element in sequence {
        match bytes.split_first().filter(|(first, _)| element.bytes.contains(**first)) {
            Some((_, rest)) => bytes = rest,
            None if element.is_optional => {}
            None => return false,
        }
    }
    true
}

/// Converts each byte to the character with its value.
fn isomorphic(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Returns the encoding label after `word` and `=`, if there is one, as HTML's algorithm for extracting a character
/// encoding from a `meta` element finds it. Implemented here, because no table has the steps.
fn label_after(text: &str, word: &str) -> Option<String> {
    let is_space = |one: char| matches!(one, '\t' | '\n' | '\x0C' | '\r' | ' ');
    let lowercase = text.to_ascii_lowercase();
    let mut position = 0;
    loop {
        position += lowercase[position..].find(word)? + word.len();
        let Some(rest) = text[position..].trim_start_matches(is_space).strip_prefix('=') else {
            continue;
        };
        let rest = rest.trim_start_matches(is_space);
        let label = match rest.strip_prefix(['"', '\'']) {
            Some(quoted) => &quoted[..quoted.find(&rest[..1])?],
            None => rest.split(|one| is_space(one) || one == ';').next().unwrap_or_default(),
        };
        return (!rest.is_empty()).then(|| label.to_owned());
    }
}

impl Bytes<'_> {
    fn find_first(&self, from: usize, set: &ByteSet) -> Option<usize> {
        let rest = self.all.get(from..)?;
        rest.iter().position(|&byte| set.contains(byte)).map(|offset| from + offset)
    }

    /// Returns the position of the first byte of `set` that directly follows one byte of each set in `before`, in this
    /// order, with all of these bytes at `from` or later.
    fn find_after(&self, from: usize, set: &ByteSet, before: &[ByteSet]) -> Option<usize> {
        let is_match = |&to: &usize| {
            let pairs = self.all[..to].iter().rev().zip(before.iter().rev());
            to >= from + before.len() && pairs.fold(true, |all, (&it, set)| all && set.contains(it))
        };
        (from..self.all.len()).filter(|&to| set.contains(self.all[to])).find(is_match)
    }
}

impl<'m> Execution<'_, 'm> {
    /// Applies an effect on bytes. Returns `None` if an operand is missing.
    pub(super) fn apply_byte_effect(&mut self, effect: &'m ByteEffect) -> Option<()> {
        match effect {
            ByteEffect::SetPosition(expression) => {
                let position = self.position(expression)?;
                self.builder.bytes.as_mut()?.position = position;
            }
            ByteEffect::Advance(pointer) => self.advance(*pointer, |_, at| Some(at + 1))?,
            ByteEffect::AdvancePast(pointer, set) => {
                self.advance(*pointer, |bytes, at| bytes.find_first(at, set).map(|at| at + 1))?
            }
            ByteEffect::AdvanceTo(pointer, set, before) => {
                self.advance(*pointer, |bytes, at| bytes.find_after(at, set, before))?;
            }
            ByteEffect::Append(byte, text) | ByteEffect::AppendLower(byte, text) => {
                let Value::Byte(byte) = self.value(byte) else { return None };
                let Value::Text(text) = self.frame.value(*text) else { return None };
                let lowers_case = matches!(effect, ByteEffect::AppendLower(..));
                text.push(char::from(byte + if lowers_case { 0x20 } else { 0 }));
            }
            ByteEffect::Add(text, list) => {
                let text = self.text_value(text);
                let Value::List(list) = self.frame.value(*list) else { return None };
                list.push(text);
            }
        }
        Some(())
    }

    /// Moves a position to the result of `to`. If that is `None`, records that the bytes have run out, which ends the
    /// steps. Returns `None` if there are no bytes, or if the variable holds no position.
    fn advance(
        &mut self,
        pointer: BytePosition,
        to: impl Fn(&Bytes<'m>, usize) -> Option<usize>,
    ) -> Option<()> {
        let bytes = self.builder.bytes.as_mut()?;
        let at = match pointer {
            BytePosition::Position => &mut bytes.position,
            BytePosition::Variable(variable) => {
                let Value::Position(at) = self.frame.value(variable) else { return None };
                at
            }
        };
        let from = *at;
        match to(bytes, from) {
            Some(to) => match pointer {
                BytePosition::Position => bytes.position = to,
                BytePosition::Variable(variable) => self.frame.set(variable, Value::Position(to)),
            },
            None => bytes.has_run_out = true,
        }
        Some(())
    }

    /// Whether a condition about bytes holds.
    pub(super) fn byte_condition_holds(&mut self, question: &'m ByteQuestion) -> bool {
        match question {
            ByteQuestion::HaveEnded => {
                self.builder.bytes.as_ref().is_some_and(|bytes| bytes.have_ended)
            }
            ByteQuestion::AreAt(position, sequences) => {
                let offset = self.position(position);
                // Requesting the byte with `byte_at` ends the steps if the byte is missing.
                let Some(offset) = offset.filter(|&at| self.builder.byte_at(at).is_some()) else {
                    return false;
                };
                let rest =
                    self.builder.bytes.as_ref().map_or(&[][..], |bytes| &bytes.all[offset..]);
                sequences.iter().any(|sequence| begin_with(rest, sequence))
            }
            ByteQuestion::IsOneOf(byte, set) => {
                matches!(self.value(byte), Value::Byte(byte) if set.contains(byte))
            }
            ByteQuestion::HasOneOf(text, set) => {
                let text = self.text_value(text);
                let mut bytes = text.chars().filter_map(|one| u8::try_from(one).ok());
                bytes.any(|byte| set.contains(byte))
            }
            ByteQuestion::IsInList(text, list) => {
                let text = self.text_value(text);
                matches!(self.value(list), Value::List(list) if list.contains(&text))
            }
            ByteQuestion::IsEncoding(value) => self.encoding(value).is_some(),
            ByteQuestion::IsFailure(value) => {
                matches!(self.value(value), Value::Encoding(None))
            }
            ByteQuestion::IsUtf16(value) => {
                let name = self.encoding(value);
                let utf16_names = ["UTF-16BE", "UTF-16LE"];
                name.is_some_and(|name| {
                    utf16_names.iter().any(|one| name.eq_ignore_ascii_case(one))
                })
            }
            ByteQuestion::IsNamed(value, expected) => {
                let name = self.encoding(value);
                name.is_some_and(|name| name.eq_ignore_ascii_case(expected))
            }
        }
    }

    /// Evaluates an expression about bytes. Returns `None` if an operand is missing or nothing is found.
    pub(super) fn byte_value(&mut self, value: &'m ByteValue) -> Option<Value> {
        Some(match value {
            ByteValue::Position => Value::Position(self.builder.bytes.as_ref()?.position),
            ByteValue::First => Value::Position(0),
            ByteValue::FirstOf(set) => {
                Value::Position(self.builder.bytes.as_ref()?.find_first(0, set)?)
            }
            ByteValue::NextOf(byte, from) => {
                let Value::Byte(byte) = self.value(byte) else { return None };
                let from = self.position(from)?;
                let set = ByteSet(vec![byte..=byte]);
                Value::Position(self.builder.bytes.as_ref()?.find_first(from, &set)?)
            }
            ByteValue::FirstText(text, from, end) => {
                let from = self.position(from)?;
                let end = self.position(end)?;
                let searched = self.builder.bytes.as_ref()?.all.get(from..end)?;
                let mut windows = searched.windows(text.len());
                Value::Position(from + windows.position(|window| window == text.as_bytes())?)
            }
            ByteValue::Byte(position) => {
                let position = self.position(position)?;
                Value::Byte(self.builder.byte_at(position)?)
            }
            ByteValue::Between(from, end) => {
                let from = self.position(from)?;
                let end = self.position(end)?;
                Value::Text(isomorphic(self.builder.bytes.as_ref()?.all.get(from..end)?))
            }
            ByteValue::Empty => Value::List(Vec::new()),
            ByteValue::Attribute(name, value) => {
                let local = self.text_value(name);
                let value = self.text_value(value);
                Value::Attribute(Box::new((Name { local, ..Name::default() }, value)))
            }
            ByteValue::NameOf(attribute) => Value::Text(self.attribute(attribute)?.0.local),
            ByteValue::ValueOf(attribute) => Value::Text(self.attribute(attribute)?.1),
            ByteValue::Encoding(label) => {
                let label = self.text_value(label);
                Value::Encoding((self.builder.bytes.as_ref()?.lookup)(&label))
            }
            ByteValue::Extracted(text) => {
                let label = label_after(&self.text_value(text), "charset");
                let lookup = self.builder.bytes.as_ref()?.lookup;
                Value::Encoding(label.and_then(|label| lookup(&label)))
            }
            ByteValue::Failure => Value::Encoding(None),
        })
    }

    fn position(&mut self, expression: &'m Expression) -> Option<usize> {
        let Value::Position(at) = self.value(expression) else { return None };
        Some(at)
    }

    /// Evaluates an expression to the name of an encoding; `None` for failure and other values.
    fn encoding(&mut self, value: &'m Expression) -> Option<String> {
        let Value::Encoding(name) = self.value(value) else { return None };
        name
    }
}

impl<'m> TreeBuilder<'m> {
    /// Whether a byte past the end of the input was requested, which ends the steps.
    pub(super) fn has_run_out(&self) -> bool {
        self.bytes.as_ref().is_some_and(|bytes| bytes.has_run_out)
    }

    /// Returns the byte at a position. If there is none, records that the bytes have run out, which ends the steps.
    fn byte_at(&mut self, position: usize) -> Option<u8> {
        let bytes = self.bytes.as_mut()?;
        let byte = bytes.all.get(position).copied();
        bytes.has_run_out |= byte.is_none();
        byte
    }
}
