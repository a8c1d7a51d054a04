//! Phrases of algorithms on the bytes of the input: the prescan for an encoding.

use super::{Phrase, Pieces};
use crate::model::tree::algorithm::{
    ByteEffect, ByteQuestion, ByteSet, ByteValue, Effect, Expression, Question, RunStep, ValueKind,
};

fn effect(effect: ByteEffect) -> RunStep {
    RunStep::Effect(Effect::Bytes(effect))
}

fn value(value: ByteValue) -> Expression {
    Expression::Bytes(Box::new(value))
}

fn condition(question: ByteQuestion) -> Question {
    Question::Bytes(question)
}

phrases! {
    /// All steps on bytes except those that contain others: `while <condition> { … }`, and `choose at <position> { … }`
    /// and `choose byte at <position> { … }`, in which each `when` continues with a test of the bytes or the byte.
    BYTE_STEPS: RunStep;
    "let position <position>" => |it| effect(ByteEffect::SetPosition(it.value())),
        "Sets the position of the prescan, which all its algorithms share.";
    "let <encoding-variable> <encoding>" => |it| RunStep::Let(it.variable(), it.value()),
        "Sets the variable to the encoding; a string is the name of an encoding.";
    "advance <pointer>" => |it| effect(ByteEffect::Advance(it.pointer())), "Moves the pointer to the next byte.";
    "advance <pointer> past <bytes>" => |it| effect(ByteEffect::AdvancePast(it.pointer(), it.bytes())),
        "Moves the pointer past the next of these bytes.";
    "advance <pointer> to next <bytes>" => |it| effect(ByteEffect::AdvanceTo(it.pointer(), it.bytes(), Vec::new())),
        "Moves the pointer to the next of these bytes, which may be the current one.";
    "advance <pointer> to next <bytes> after <sequence>" => |it| effect(ByteEffect::AdvanceTo(it.pointer(), it.bytes(), it.sets())),
        "Moves the pointer to the next of these bytes that directly follows this sequence.";
    "append <byte> lower to <text-variable>" => |it| effect(ByteEffect::AppendLower(it.value(), it.variable())),
        "Appends the byte in lowercase to the string.";
    "append <byte> to <text-variable>" => |it| effect(ByteEffect::Append(it.value(), it.variable())),
        "Appends the byte to the string.";
    "add <text> to <list-variable>" => |it| effect(ByteEffect::Add(it.value(), it.variable())),
        "Adds the string to the list.";
    "repeat <value> until none" => |it| RunStep::RepeatWhile(Question::Not(Box::new(Question::IsNone(it.value()))), Vec::new()),
        "Evaluates the value, which runs an algorithm, until it is none.";
    "return <encoding>" => |it| RunStep::Return(Some(it.value())),
        "Ends the algorithm with the encoding; a string is the name of an encoding.";
}

phrases! {
    /// All values about bytes.
    BYTE_VALUES: Expression;
    "position": Position => |_| value(ByteValue::Position), "The position of the prescan.";
    "first": Position => |_| value(ByteValue::First), "The position of the first byte.";
    "next <bytes>": Position => |it| value(ByteValue::FirstOf(it.bytes())),
        "The position of the first of these bytes in the whole input.";
    "next <byte> at-or-after <position>": Position => |it| value(ByteValue::NextOf(it.value(), it.value())),
        "The position of the first byte at or after the position that equals the given byte.";
    "first <name> at-or-after <position> before <position>": Position => |it| value(ByteValue::FirstText(it.name(), it.value(), it.value())),
        "The position of the first occurrence of these bytes between the two positions.";
    "byte at <position>": Byte => |it| value(ByteValue::Byte(it.value())), "The byte at the position.";
    "bytes from <position> until <position>": Text => |it| value(ByteValue::Between(it.value(), it.value())),
        "The bytes from the first position up to the second.";
    "isomorphic-decoded <text>": Text => |it| it.value(), "The characters with the values of the bytes.";
    "empty": List => |_| value(ByteValue::Empty), "The empty list.";
    "name of <attribute>": Text => |it| value(ByteValue::NameOf(it.value())), "The name of the attribute.";
    "value of <attribute>": Text => |it| value(ByteValue::ValueOf(it.value())), "The value of the attribute.";
    "encoding-of <text>": Encoding => |it| value(ByteValue::Encoding(it.value())),
        "The encoding with this label, or failure.";
    "extract-encoding <text>": Encoding => |it| value(ByteValue::Extracted(it.value())),
        "The encoding whose label follows `charset` and `=` in the string, or failure.";
    "failure": Encoding => |_| value(ByteValue::Failure), "No encoding.";
    "<text> with <text>": Attribute => |it| value(ByteValue::Attribute(it.value(), it.value())),
        "An attribute with this name and value.";
}

phrases! {
    /// All conditions about bytes.
    BYTE_QUESTIONS: Question;
    "bytes end" => |_| condition(ByteQuestion::HaveEnded),
        "A byte was requested after the last one. The prescan then starts again, with this condition true.";
    "at <position> is <sequences>" => |it| condition(ByteQuestion::AreAt(it.value(), it.sequences())),
        "The bytes from the position begin with one of these sequences.";
    "<position> [not] at <sequences>" => |it| it.negated_if_present(|it, place| condition(ByteQuestion::AreAt(place, it.sequences()))),
        "The bytes from the position begin with one of these sequences.";
    "<byte> is [not] <bytes>" => |it| it.negated_if_present(|it, byte| condition(ByteQuestion::IsOneOf(byte, it.bytes()))),
        "The byte is one of these.";
    "<byte> is [not] <byte>" => |it| it.negated_if_present(|it, one| Question::Same(one, it.value())), "The bytes are equal.";
    "<byte> at-most <most>" => |it| condition(ByteQuestion::IsOneOf(it.value(), it.bytes())),
        "The byte is at most this one.";
    "<text> has at-most <most>" => |it| condition(ByteQuestion::HasOneOf(it.value(), it.bytes())),
        "The string contains a byte that is at most this one.";
    "<text> is [not] in <list>" => |it| it.negated_if_present(|it, text| condition(ByteQuestion::IsInList(text, it.value()))),
        "The list contains the string.";
    "<encoding> is [not] encoding" => |it| it.negated_if_present(|_, it| condition(ByteQuestion::IsEncoding(it))),
        "The value is neither failure nor none.";
    "<encoding> is [not] failure" => |it| it.negated_if_present(|_, it| condition(ByteQuestion::IsFailure(it))),
        "The value is failure: no encoding has the label.";
    "<encoding> is [not] utf-16" => |it| it.negated_if_present(|_, it| condition(ByteQuestion::IsUtf16(it))),
        "The encoding is UTF-16BE or UTF-16LE.";
    "<encoding> is [not] <name>" => |it| it.negated_if_present(|it, encoding| condition(ByteQuestion::IsNamed(encoding, it.name()))),
        "The encoding has this name.";
}

impl Pieces<'_> {
    /// Returns the set of bytes at each position of a fixed-length sequence.
    fn sets(&mut self) -> Vec<ByteSet> {
        self.sequences().into_iter().flatten().map(|place| place.bytes).collect()
    }

    /// Returns the set of bytes at a single position.
    fn bytes(&mut self) -> ByteSet {
        self.sets().into_iter().next().unwrap_or(ByteSet(Vec::new()))
    }
}
