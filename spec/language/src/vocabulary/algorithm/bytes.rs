//! Phrases of algorithms on the bytes of the input: the prescan for an encoding.

use super::{Phrase, Piece, Pieces};
use crate::model::tree::algorithm::{
    ByteEffect, ByteQuestion, ByteSet, ByteValue, Effect, Expression, Kind, Pointer, Question,
    RunStep, Sequence,
};

fn effect(effect: ByteEffect) -> RunStep {
    RunStep::Effect(Effect::Bytes(effect))
}

fn value(value: ByteValue) -> Expression {
    Expression::Bytes(Box::new(value))
}

fn ask(question: ByteQuestion) -> Question {
    Question::Bytes(question)
}

phrases! {
    /// All steps on bytes except those that contain others: `while <condition> { … }`, and `choose at <position> { … }`
    /// and `choose byte at <position> { … }`, in which each `when` continues with a test of the bytes or the byte.
    BYTE_STEPS: RunStep;
    "let position <position>" => |it| effect(ByteEffect::SetPosition(it.value())),
        "The place to which the prescan has come, in all its algorithms.";
    "let <encoding-variable> <encoding>" => |it| RunStep::Let(it.variable(), it.value()),
        "The variable is the encoding; a string is the name of one.";
    "advance <pointer>" => |it| effect(ByteEffect::Advance(it.pointer())), "The next place.";
    "advance <pointer> past <bytes>" => |it| effect(ByteEffect::AdvancePast(it.pointer(), it.bytes())),
        "The place after the next of these bytes.";
    "advance <pointer> to next <bytes>" => |it| effect(ByteEffect::AdvanceTo(it.pointer(), it.bytes(), Vec::new())),
        "The place of the next of these bytes, which may be that at the place.";
    "advance <pointer> to next <bytes> after <sequence>" => |it| effect(ByteEffect::AdvanceTo(it.pointer(), it.bytes(), it.sets())),
        "The same, where the bytes before it, from the place on, are these.";
    "append <byte> lower to <text-variable>" => |it| effect(ByteEffect::AppendLower(it.value(), it.variable())),
        "The lower-case letter of the byte is appended to the string.";
    "append <byte> to <text-variable>" => |it| effect(ByteEffect::Append(it.value(), it.variable())),
        "The byte is appended to the string.";
    "add <text> to <list-variable>" => |it| effect(ByteEffect::Add(it.value(), it.variable())),
        "The string is added to the list.";
    "repeat <value> until none" => |it| RunStep::RepeatWhile(Question::Not(Box::new(Question::IsNone(it.value()))), Vec::new()),
        "The value is asked for, which runs an algorithm, until it is none.";
    "return <encoding>" => |it| RunStep::Return(Some(it.value())),
        "The algorithm ends with the encoding; a string is the name of one.";
}

phrases! {
    /// All values about bytes.
    BYTE_VALUES: Expression;
    "position": Position => |_| value(ByteValue::Position), "The place to which the prescan has come.";
    "first": Position => |_| value(ByteValue::First), "The place of the first byte.";
    "next <bytes>": Position => |it| value(ByteValue::FirstOf(it.bytes())),
        "The place of the first byte of all that is one of these.";
    "next <byte> at-or-after <position>": Position => |it| value(ByteValue::NextOf(it.value(), it.value())),
        "The place of the next byte like this one, from the place on.";
    "first <name> at-or-after <position> before <position>": Position => |it| value(ByteValue::FirstText(it.name(), it.value(), it.value())),
        "The place of the first such bytes between the two.";
    "byte at <position>": Byte => |it| value(ByteValue::Byte(it.value())), "The byte there.";
    "bytes from <position> until <position>": Text => |it| value(ByteValue::Between(it.value(), it.value())),
        "The bytes from the first place on and before the second.";
    "isomorphic-decoded <text>": Text => |it| it.value(), "The characters with the numbers of the bytes.";
    "empty": List => |_| value(ByteValue::Empty), "The list without strings.";
    "name of <attribute>": Text => |it| value(ByteValue::NameOf(it.value())), "The name of the attribute.";
    "value of <attribute>": Text => |it| value(ByteValue::ValueOf(it.value())), "The value of the attribute.";
    "encoding-of <text>": Encoding => |it| value(ByteValue::Encoding(it.value())),
        "The encoding that has this label, or failure.";
    "extract-encoding <text>": Encoding => |it| value(ByteValue::Extracted(it.value())),
        "The encoding whose label stands in the string after `charset` and `=`, or failure.";
    "failure": Encoding => |_| value(ByteValue::Failure), "No encoding.";
    "<text> with <text>": Attribute => |it| value(ByteValue::Attribute(it.value(), it.value())),
        "An attribute with this name and this value.";
}

phrases! {
    /// All conditions about bytes.
    BYTE_QUESTIONS: Question;
    "bytes end" => |_| ask(ByteQuestion::HaveEnded),
        "A byte was wanted where there are no more. The prescan begins again then, and this is so.";
    "at <position> is <sequences>" => |it| ask(ByteQuestion::AreAt(it.value(), it.sequences())),
        "The bytes from the place on begin with one of these sequences.";
    "<position> [not] at <sequences>" => |it| it.unless(|it, place| ask(ByteQuestion::AreAt(place, it.sequences()))),
        "The same.";
    "<byte> is [not] <bytes>" => |it| it.unless(|it, byte| ask(ByteQuestion::IsOneOf(byte, it.bytes()))),
        "The byte is one of these.";
    "<byte> is [not] <byte>" => |it| it.unless(|it, one| Question::Same(one, it.value())), "Both bytes are the same.";
    "<byte> at-most <most>" => |it| ask(ByteQuestion::IsOneOf(it.value(), it.bytes())),
        "The number of the byte is that of this one, or less.";
    "<text> has at-most <most>" => |it| ask(ByteQuestion::HasOneOf(it.value(), it.bytes())),
        "One of the bytes is at most this one.";
    "<text> is [not] in <list>" => |it| it.unless(|it, text| ask(ByteQuestion::IsInList(text, it.value()))),
        "The string is one of the list.";
    "<encoding> is [not] encoding" => |it| it.unless(|_, it| ask(ByteQuestion::IsEncoding(it))), "It is neither failure nor none.";
    "<encoding> is [not] failure" => |it| it.unless(|_, it| ask(ByteQuestion::IsFailure(it))), "No encoding has the label.";
    "<encoding> is [not] utf-16" => |it| it.unless(|_, it| ask(ByteQuestion::IsUtf16(it))), "It is UTF-16BE or UTF-16LE.";
    "<encoding> is [not] <name>" => |it| it.unless(|it, encoding| ask(ByteQuestion::IsNamed(encoding, it.name()))),
        "It is the encoding of this name.";
}

impl Pieces<'_> {
    fn pointer(&mut self) -> Pointer {
        let Some(Piece::Pointer(pointer)) = self.pieces.next() else {
            unreachable!("a slot for a pointer")
        };
        pointer
    }

    fn sequences(&mut self) -> Vec<Sequence> {
        let Some(Piece::Sequences(sequences)) = self.pieces.next() else {
            unreachable!("a slot for sequences of bytes")
        };
        sequences
    }

    /// Returns the set of bytes at each position of a fixed-length sequence.
    fn sets(&mut self) -> Vec<ByteSet> {
        self.sequences().into_iter().flatten().map(|place| place.bytes).collect()
    }

    /// Returns the set of bytes at a single position.
    fn bytes(&mut self) -> ByteSet {
        self.sets().into_iter().next().unwrap_or(ByteSet(Vec::new()))
    }
}
