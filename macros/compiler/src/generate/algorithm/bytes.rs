//! Compiles expressions, conditions and effects on bytes to calls of the runtime's byte cursor.

use super::Function;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use tabulex_language::model::tree::algorithm::{
    ByteEffect, BytePosition, ByteQuestion, ByteSet, ByteValue, Effect, Expression, Question,
    RunStep, SequencePlace, ValueKind,
};

/// Generates the byte string literal for a string of code points up to U+00FF.
pub(super) fn literal(text: &str) -> TokenStream {
    let bytes: Vec<u8> = text.chars().filter_map(|one| u8::try_from(one).ok()).collect();
    let literal = Literal::byte_string(&bytes);
    quote! { #literal }
}

/// Generates the lookup of the encoding with the label `label`.
pub(super) fn encoding(label: &str) -> TokenStream {
    let label = literal(label);
    quote! { Some(rt::encoding_of(#label)) }
}

fn set(set: &ByteSet) -> TokenStream {
    let ranges = set.0.iter().map(|range| {
        let (first, last) = (range.start(), range.end());
        quote! { (#first, #last) }
    });
    quote! { &[#(#ranges),*] }
}

/// Generates a pattern that matches the bytes of the set.
fn pattern(set: &ByteSet) -> TokenStream {
    let ranges = set.0.iter().map(|range| {
        let (first, last) = (byte(*range.start()), byte(*range.end()));
        if first.to_string() == last.to_string() {
            quote! { #first }
        } else {
            quote! { #first..=#last }
        }
    });
    quote! { #(#ranges)|* }
}

fn byte(byte: u8) -> Literal {
    Literal::byte_character(byte)
}

/// Generates slice patterns that match the same bytes as the sequence. An optional element of the sequence takes any
/// byte that it matches, so it is skipped only before a byte that it does not match.
fn patterns(sequence: &[SequencePlace]) -> Vec<TokenStream> {
    let Some((place, rest)) = sequence.split_first() else { return vec![quote! { .. }] };
    let first = pattern(&place.bytes);
    let prepend = |bytes: TokenStream, rest: &[SequencePlace]| {
        patterns(rest).into_iter().map(move |rest| quote! { #bytes, #rest }).collect::<Vec<_>>()
    };
    let mut alternatives = prepend(quote! { (#first) }, rest);
    if place.is_optional {
        match rest.split_first() {
            None => alternatives.push(quote! { .. }),
            Some((next, _)) => {
                let is_next_only =
                    |byte: &u8| next.bytes.contains(*byte) && !place.bytes.contains(*byte);
                let next_only =
                    (0..=u8::MAX).filter(is_next_only).map(|byte| byte..=byte).collect();
                let next = SequencePlace { bytes: ByteSet(next_only), ..next.clone() };
                if !next.bytes.0.is_empty() {
                    alternatives.extend(patterns(&[&[next], &rest[1..]].concat()));
                }
            }
        }
    }
    alternatives
}

/// Collects the sequences of bytes that the steps must find before they return a value. Returns whether each return
/// depends on such a sequence, except for returns that require the bytes to have ended.
fn sequences_before_returns<'s>(
    steps: &'s [RunStep],
    sequences: &mut Vec<&'s [SequencePlace]>,
) -> bool {
    steps.iter().all(|step| match step {
        RunStep::Return(_) | RunStep::ReturnSteps(_) => false,
        RunStep::When { condition: Question::Bytes(condition), then, otherwise } => {
            let depends = match condition {
                ByteQuestion::HaveEnded => true,
                ByteQuestion::AreAt(_, expected) => {
                    if !sequences_before_returns(then, &mut Vec::new()) {
                        sequences.extend(expected.iter().map(Vec::as_slice));
                    }
                    true
                }
                _ => sequences_before_returns(then, sequences),
            };
            depends && sequences_before_returns(otherwise, sequences)
        }
        _ => step.inner().into_iter().all(|inner| sequences_before_returns(inner, sequences)),
    })
}

/// Generates a test that ends the algorithm at once if the bytes read so far contain none of the sequences that its
/// results depend on. `None` if there are no such sequences, if one of them begins with an optional byte, or if a
/// result depends on none, such as that of steps that end without a return.
pub(super) fn end_without_result(steps: &[RunStep]) -> Option<TokenStream> {
    let mut sequences = Vec::new();
    let last = steps.iter().rfind(|step| !matches!(step, RunStep::Assert(_)));
    let all_depend =
        matches!(last, Some(RunStep::Go(_))) && sequences_before_returns(steps, &mut sequences);
    let begins_optionally =
        |sequence: &&[SequencePlace]| sequence.first().is_none_or(|first| first.is_optional);
    if !all_depend || sequences.is_empty() || sequences.iter().any(begins_optionally) {
        return None;
    }
    sequences.sort_by_key(|sequence| sequence[0].bytes.0.first().map(|range| *range.start()));
    let searches = sequences.chunk_by(|one, other| one[0].bytes == other[0].bytes).map(|group| {
        let first = set(&group[0][0].bytes);
        let patterns = group.iter().flat_map(|sequence| patterns(sequence));
        quote! { bytes.contains(#first, |bytes| matches!(bytes, #([#patterns])|*)) }
    });
    Some(quote! {
        if !bytes.have_ended && !(#(#searches)||*) {
            return Err(rt::Ended);
        }
    })
}

impl Function<'_> {
    pub(super) fn byte_effect(&mut self, effect: &ByteEffect) -> TokenStream {
        match effect {
            ByteEffect::SetPosition(position) => {
                let position = self.value(position, ValueKind::Position);
                quote! { bytes.position = (#position).unwrap_or(bytes.position); }
            }
            ByteEffect::Advance(pointer) => self.set_position(*pointer, |pos| quote! { #pos + 1 }),
            ByteEffect::AdvancePast(pointer, ends) => {
                let ends = set(ends);
                self.set_position(*pointer, |pos| quote! { bytes.next_of(#pos, #ends)? + 1 })
            }
            ByteEffect::AdvanceTo(pointer, ends, before) => {
                let (ends, before) = (set(ends), before.iter().map(set).collect::<Vec<_>>());
                self.set_position(
                    *pointer,
                    |at| quote! { bytes.next_after(#at, #ends, &[#(#before),*])? },
                )
            }
            ByteEffect::Append(byte, text) | ByteEffect::AppendLower(byte, text) => {
                let (byte, text) = (self.value(byte, ValueKind::Byte), self.variable(*text));
                let is_lowercased = matches!(effect, ByteEffect::AppendLower(..));
                let pushed = if is_lowercased {
                    quote! { byte.wrapping_add(0x20) }
                } else {
                    quote! { byte }
                };
                quote! { if let Some(byte) = #byte { #text.push(#pushed); } }
            }
            ByteEffect::Add(text, list) => {
                let (text, list) = (self.value(text, ValueKind::Text), self.variable(*list));
                quote! { #list.push(#text); }
            }
        }
    }

    fn set_position(
        &self,
        pointer: BytePosition,
        new_position: impl Fn(TokenStream) -> TokenStream,
    ) -> TokenStream {
        match pointer {
            BytePosition::Position => {
                let new_position = new_position(quote! { bytes.position });
                quote! { bytes.position = #new_position; }
            }
            BytePosition::Variable(variable) => {
                let (name, new_position) = (self.variable(variable), new_position(quote! { at }));
                quote! { if let Some(at) = #name { #name = Some(#new_position); } }
            }
        }
    }

    pub(super) fn byte_value(&mut self, value: &ByteValue) -> TokenStream {
        match value {
            ByteValue::Position => quote! { Some(bytes.position) },
            ByteValue::First => quote! { Some(0) },
            ByteValue::FirstOf(bytes) => {
                let set = set(bytes);
                quote! { bytes.next_of(0, #set).ok() }
            }
            ByteValue::NextOf(byte, from) => {
                let byte = self.value(byte, ValueKind::Byte);
                let from = self.value(from, ValueKind::Position);
                quote! { bytes.next_like(#byte, #from) }
            }
            ByteValue::FirstText(text, from, before) => {
                let text = literal(text);
                let from = self.value(from, ValueKind::Position);
                let before = self.value(before, ValueKind::Position);
                quote! { bytes.text_between(#text, #from, #before) }
            }
            ByteValue::Byte(position) => {
                let position = self.value(position, ValueKind::Position);
                quote! { bytes.byte(#position)? }
            }
            ByteValue::Between(from, before) => {
                let from = self.value(from, ValueKind::Position);
                let before = self.value(before, ValueKind::Position);
                quote! { bytes.between(#from, #before) }
            }
            ByteValue::Empty => quote! { Vec::new() },
            ByteValue::Attribute(name, value) => {
                let (name, value) =
                    (self.value(name, ValueKind::Text), self.value(value, ValueKind::Text));
                quote! { Some((#name, #value)) }
            }
            ByteValue::NameOf(_) | ByteValue::ValueOf(_) => {
                let part = self.part_of_attribute(value);
                quote! { #part.to_vec() }
            }
            ByteValue::Encoding(label) => {
                let label = self.borrowable(label);
                quote! { Some(rt::encoding_of(&#label)) }
            }
            ByteValue::Extracted(text) => {
                let text = self.borrowable(text);
                quote! { Some(rt::encoding_in(&#text, "charset")) }
            }
            ByteValue::Failure => quote! { Some(None) },
        }
    }

    /// Generates a slice of an attribute's name or value; `None` for any other expression.
    pub(super) fn part_of_attribute(&mut self, value: &ByteValue) -> Option<TokenStream> {
        let (ByteValue::NameOf(attribute) | ByteValue::ValueOf(attribute)) = value else {
            return None;
        };
        let attribute = self.borrowable(attribute);
        let index = if matches!(value, ByteValue::NameOf(_)) {
            quote! { 0 }
        } else {
            quote! { 1 }
        };
        Some(quote! { #attribute.as_ref().map_or(&[][..], |it| &it.#index[..]) })
    }

    pub(super) fn byte_question(&mut self, question: &ByteQuestion) -> TokenStream {
        match question {
            ByteQuestion::HaveEnded => quote! { bytes.have_ended },
            ByteQuestion::AreAt(position, sequences) => {
                let position = self.value(position, ValueKind::Position);
                let patterns = sequences.iter().flat_map(|sequence| patterns(sequence));
                quote! { matches!(bytes.from(#position)?, #([#patterns])|*) }
            }
            ByteQuestion::IsOneOf(byte, members) => {
                let (byte, members) = (self.value(byte, ValueKind::Byte), pattern(members));
                quote! { matches!(#byte, Some(#members)) }
            }
            ByteQuestion::HasOneOf(text, members) => {
                let (text, members) = (self.borrowable(text), pattern(members));
                quote! { #text.iter().any(|byte| matches!(byte, #members)) }
            }
            ByteQuestion::IsInList(text, list) => {
                let (text, list) = (self.borrowable(text), self.borrowable(list));
                quote! { #list.iter().any(|one| one[..] == #text[..]) }
            }
            ByteQuestion::IsEncoding(value) => {
                let value = self.value(value, ValueKind::Encoding);
                quote! { matches!(#value, Some(Some(_))) }
            }
            ByteQuestion::IsFailure(value) => {
                let value = self.value(value, ValueKind::Encoding);
                quote! { matches!(#value, Some(None)) }
            }
            ByteQuestion::IsUtf16(value) => {
                let value = self.value(value, ValueKind::Encoding);
                quote! { matches!(#value, Some(Some(encoding)) if encoding.is_utf_16()) }
            }
            ByteQuestion::IsNamed(value, name) => {
                let value = self.value(value, ValueKind::Encoding);
                quote! { matches!(#value, Some(Some(encoding)) if encoding.name().eq_ignore_ascii_case(#name)) }
            }
        }
    }

    /// Generates a vectorized search for the next byte that begins one of the sequences that the arm at `index` tests
    /// for; `None` unless the arm only tests for sequences at the position, none of which begins with an optional byte,
    /// and the next arm advances by one byte and repeats the test.
    pub(super) fn skip(
        &self,
        arms: &[(Option<u8>, &[RunStep])],
        index: usize,
    ) -> Option<TokenStream> {
        let (label, [RunStep::At(_), first @ RunStep::When { .. }]) = arms[index] else {
            return None;
        };
        let [
            _,
            RunStep::Effect(Effect::Bytes(ByteEffect::Advance(BytePosition::Position))),
            RunStep::Go(back),
        ] = arms.get(index + 1)?.1
        else {
            return None;
        };
        let mut ranges = Vec::new();
        let mut remaining_tests = std::slice::from_ref(first);
        while let [RunStep::When { condition, otherwise, .. }] = remaining_tests {
            let Question::Bytes(ByteQuestion::AreAt(Expression::Bytes(position), sequences)) =
                condition
            else {
                return None;
            };
            let firsts = sequences
                .iter()
                .map(|sequence| sequence.first().filter(|place| !place.is_optional));
            let firsts: Option<Vec<_>> = firsts.collect();
            ranges.extend(firsts?.into_iter().flat_map(|place| place.bytes.0.iter().cloned()));
            if **position != ByteValue::Position {
                return None;
            }
            remaining_tests = otherwise;
        }
        ranges.sort_by_key(|range| *range.start());
        ranges.dedup();
        let set = set(&ByteSet(ranges));
        (remaining_tests.is_empty() && label == Some(*back))
            .then(|| quote! { bytes.position = bytes.next_of(bytes.position, #set)?; })
    }
}
