//! Phrases of algorithms on the bytes of the input: the prescan for an encoding.

use super::{Phrase, Pieces};
use crate::model::tree::algorithm::{
    BytePosition, ByteSet, Effect, Expression, Question, RunStep, Sequence, ValueKind, VariableId,
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

    /// A change to a position in the bytes, or to a value read from them.
    enum ByteEffect by effect {
        "let position <position>" => SetPosition(value: Expression),
            "Sets the position of the prescan, which all its algorithms share.";
        "advance <pointer>" => Advance(pointer: BytePosition), "Moves the pointer to the next byte.";
        "advance <pointer> past <bytes>" => AdvancePast(pointer: BytePosition, bytes: ByteSet),
            "Moves the pointer past the next of these bytes.";
        "advance <pointer> to next <bytes>" one |it| effect(ByteEffect::AdvanceTo(it.pointer(), it.bytes(), Vec::new())),
            "Moves the pointer to the next of these bytes, which may be the current one.";
        "advance <pointer> to next <bytes> after <sequence>" => AdvanceTo(pointer: BytePosition, bytes: ByteSet, sets: Vec<ByteSet>),
            "Moves the pointer to the next of these bytes that directly follows this sequence.";
        "append <byte> lower to <text-variable>" => AppendLower(value: Expression, variable: VariableId),
            "Appends the byte in lowercase to the string.";
        "append <byte> to <text-variable>" => Append(value: Expression, variable: VariableId),
            "Appends the byte to the string.";
        "add <text> to <list-variable>" => Add(value: Expression, variable: VariableId), "Adds the string to the list.";
    }

    "let <encoding-variable> <encoding>" => |it| RunStep::Let(it.variable(), it.value()),
        "Sets the variable to the encoding; a string is the name of an encoding.";
    "repeat <value> until none" => |it| RunStep::RepeatWhile(Question::Not(Box::new(Question::IsNone(it.value()))), Vec::new()),
        "Evaluates the value, which runs an algorithm, until it is none.";
    "return <encoding>" => |it| RunStep::Return(Some(it.value())),
        "Ends the algorithm with the encoding; a string is the name of an encoding.";
}

phrases! {
    /// All values about bytes.
    BYTE_VALUES: Expression;

    /// A position in the bytes, or a value read from them.
    enum ByteValue by value, valued {
        "position": Position => Position, "The position of the prescan.";
        "first": Position => First, "The position of the first byte.";
        "next <bytes>": Position => FirstOf(bytes: ByteSet),
            "The position of the first of these bytes in the whole input.";
        "next <byte> at-or-after <position>": Position => NextOf(value: Expression, value: Expression),
            "The position of the first byte at or after the position that equals the given byte.";
        "first <name> at-or-after <position> before <position>": Position => FirstText(name: String, value: Expression, value: Expression),
            "The position of the first occurrence of these bytes between the two positions.";
        "byte at <position>": Byte => Byte(value: Expression), "The byte at the position.";
        "bytes from <position> until <position>": Text => Between(value: Expression, value: Expression),
            "The bytes from the first position up to the second.";
        "empty": List => Empty, "The empty list.";
        "name of <attribute>": Text => NameOf(value: Expression), "The name of the attribute.";
        "value of <attribute>": Text => ValueOf(value: Expression), "The value of the attribute.";
        "encoding-of <text>": Encoding => Encoding(value: Expression), "The encoding with this label, or failure.";
        "extract-encoding <text>": Encoding => Extracted(value: Expression),
            "The encoding whose label follows `charset` and `=` in the string, or failure.";
        "failure": Encoding => Failure, "No encoding.";
        "<text> with <text>": Attribute => Attribute(value: Expression, value: Expression),
            "An attribute with this name and value.";
    }

    "isomorphic-decoded <text>": Text => |it| it.value(), "The characters with the values of the bytes.";
}

phrases! {
    /// All conditions about bytes.
    BYTE_QUESTIONS: Question;

    /// A condition on bytes, or on what was read from them.
    enum ByteQuestion by condition {
        "bytes end" => HaveEnded,
            "A byte was requested after the last one. The prescan then starts again, with this condition true.";
        "at <position> is <sequences>" => AreAt(value: Expression, sequences: Vec<Sequence>),
            "The bytes from the position begin with one of these sequences.";
        "<position> [not] at <sequences>" one |it| condition(ByteQuestion::AreAt(it.value(), it.sequences())),
            "The bytes from the position begin with one of these sequences.";
        "<byte> is [not] <bytes>" => IsOneOf(value: Expression, bytes: ByteSet), "The byte is one of these.";
        "<byte> is [not] <byte>" one |it| Question::Same(it.value(), it.value()), "The bytes are equal.";
        "<byte> at-most <most>" one |it| condition(ByteQuestion::IsOneOf(it.value(), it.bytes())),
            "The byte is at most this one.";
        "<text> has at-most <most>" => HasOneOf(value: Expression, bytes: ByteSet),
            "The string contains a byte that is at most this one.";
        "<text> is [not] in <list>" => IsInList(value: Expression, value: Expression), "The list contains the string.";
        "<encoding> is [not] encoding" => IsEncoding(value: Expression), "The value is neither failure nor none.";
        "<encoding> is [not] failure" => IsFailure(value: Expression),
            "The value is failure: no encoding has the label.";
        "<encoding> is [not] utf-16" => IsUtf16(value: Expression), "The encoding is UTF-16BE or UTF-16LE.";
        "<encoding> is [not] <name>" => IsNamed(value: Expression, name: String), "The encoding has this name.";
    }
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
