//! Mapping of fields and kinds of tokens to the registers that hold them.

use super::{Field, Register, TokenKind};

impl Field {
    /// Returns the register that must exist before the field is used.
    pub fn register(self) -> Register {
        match self {
            Self::TagName => Register::Tag,
            Self::AttributeName | Self::AttributeValue => Register::Attribute,
            Self::Comment => Register::Comment,
            Self::DoctypeName | Self::PublicIdentifier | Self::SystemIdentifier => {
                Register::Doctype
            }
            Self::TemporaryBuffer => Register::TemporaryBuffer,
            Self::ProcessingInstructionTarget | Self::ProcessingInstructionData => {
                Register::ProcessingInstruction
            }
            Self::EntityName | Self::EntityValue => Register::Entity,
            Self::AttributeListName => Register::AttributeList,
            Self::DeclarationName | Self::DeclarationType | Self::DeclarationDefault => {
                Register::Declaration
            }
            Self::Declared(field) => Register::Declared(field.token),
        }
    }
}

impl TokenKind {
    /// Returns the register that holds the current token of this kind.
    pub fn register(self) -> Register {
        match self {
            Self::StartTag | Self::EndTag => Register::Tag,
            Self::Comment => Register::Comment,
            Self::Doctype => Register::Doctype,
            Self::ProcessingInstruction => Register::ProcessingInstruction,
            Self::Entity => Register::Entity,
            Self::AttributeList => Register::AttributeList,
            Self::Declared(token) => Register::Declared(token),
        }
    }
}
