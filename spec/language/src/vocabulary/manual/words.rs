//! Descriptions of the words for texts and fields, for the manual.

use crate::model::{Field, Text};

/// Returns the description of a text.
pub(super) fn describe_text(text: &Text) -> &'static str {
    match text {
        Text::Literal(_) => "These characters.",
        Text::Current => "The current input character.",
        Text::Lower => {
            "The lowercase version of the current input character, which must be an ASCII letter."
        }
        Text::TemporaryBuffer => "The contents of the temporary buffer.",
        Text::Returned => "The result of the procedure, in the `returned` row.",
        Text::Number => "The character with this code point; U+FFFD if there is none.",
        Text::Decimal => "The character reference code in decimal digits.",
        Text::Hexadecimal => "The character reference code in lowercase hexadecimal digits.",
        Text::Byte(_) => "This byte of the 32-bit character reference code, in decimal digits.",
        Text::Field(_) => "The text of the field of a declared token; empty if it is missing.",
        Text::Reference => "The characters of the named character reference matched last.",
        Text::LastStartTag => "The name of the last emitted start tag; empty before the first one.",
        Text::Lexeme => "The characters of the lexical token that the row consumed.",
        Text::Matched => {
            "The characters that the row consumed: a string or a named character reference."
        }
        Text::Data(_) => "The characters of these data of the lexical token.",
    }
}

/// Returns the description of a field.
pub(super) fn describe_field(field: &Field) -> &'static str {
    match field {
        Field::TagName => "the current tag",
        Field::AttributeName | Field::AttributeValue => "the current attribute",
        Field::Comment => "the current comment",
        Field::DoctypeName | Field::PublicIdentifier | Field::SystemIdentifier => {
            "the current DOCTYPE; missing until something is set or appended"
        }
        Field::TemporaryBuffer => "the machine",
        Field::ProcessingInstructionTarget | Field::ProcessingInstructionData => {
            "the current processing instruction"
        }
        Field::EntityName | Field::EntityValue => "the current entity",
        Field::AttributeListName => "the current attribute list",
        Field::DeclarationName | Field::DeclarationType | Field::DeclarationDefault => {
            "the current attribute declaration"
        }
        Field::Declared(_) => "the current token of a kind that the table declares",
    }
}
