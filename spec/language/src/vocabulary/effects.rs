//! Effects of actions, texts and conditions on registers, for the data-flow checks. Each `match` is exhaustive, so that
//! no action or condition lacks an effect by oversight.

use crate::model::{Action, Condition, ErrorId, Field, Register, Text, TokenFlag, TokenKind};

impl Action {
    /// Returns the registers that must exist before the action.
    pub fn reads(&self) -> Vec<Register> {
        match self {
            Self::Append(text, field) => {
                text.reads().into_iter().chain(Self::written_register(*field)).collect()
            }
            Self::Set(field, _) | Self::Edit(field, _) => {
                Self::written_register(*field).into_iter().collect()
            }
            Self::EmitText(text) | Self::Return(text) => text.reads().into_iter().collect(),
            Self::SetTokenFlag(TokenFlag::SelfClosing) | Self::StartAttribute => {
                vec![Register::Tag]
            }
            Self::SetTokenFlag(TokenFlag::ForceQuirks) => vec![Register::Doctype],
            Self::DropDuplicateAttribute(_) => vec![Register::Attribute],
            Self::EmitToken(register) => vec![*register],
            Self::EmitInside(token) => vec![Register::Declared(*token)],
            Self::BeginField(field) => vec![Register::Declared(field.token)],
            Self::SwitchReturnState => vec![Register::ReturnState],
            Self::AddDigit(_) | Self::JoinSurrogates => vec![Register::Number],
            Self::StartDeclaration => vec![Register::AttributeList],
            Self::AppendDeclaration => vec![Register::AttributeList, Register::Declaration],
            Self::AppendEntity(_) => vec![Register::Entity],
            Self::Insert(..) => vec![Register::TemporaryBuffer],
            Self::Switch(_)
            | Self::Reconsume
            | Self::Ignore
            | Self::AsElse
            | Self::Error(_)
            | Self::ErrorAfter(_)
            | Self::Create(_)
            | Self::SetFlag(..)
            | Self::SetReturnState(_)
            | Self::SwitchPushedState
            | Self::PushState(_)
            | Self::Increase(_)
            | Self::Decrease(_)
            | Self::SetAdditionalAllowedCharacter(_)
            | Self::SetNumber(_)
            | Self::SetNumberToData(..)
            | Self::MatchReference(_)
            | Self::EmitEndOfFile
            | Self::Stop
            | Self::ReturnNothing
            | Self::BeginToken
            | Self::RememberPlace
            | Self::GoBack
            | Self::EmitShortEndTag => Vec::new(),
        }
    }

    /// Returns the register that must exist before the field is written; the temporary buffer always exists.
    fn written_register(field: Field) -> Option<Register> {
        (field != Field::TemporaryBuffer).then(|| field.register())
    }

    /// Returns the register that the action creates, so that later actions can read it.
    pub fn created_register(&self) -> Option<Register> {
        match self {
            Self::Create(kind) => Some(kind.register()),
            Self::StartAttribute => Some(Register::Attribute),
            Self::StartDeclaration => Some(Register::Declaration),
            Self::Set(field, _) => {
                (*field == Field::TemporaryBuffer).then_some(Register::TemporaryBuffer)
            }
            Self::SetReturnState(_) => Some(Register::ReturnState),
            Self::SetAdditionalAllowedCharacter(_) => Some(Register::AdditionalAllowedCharacter),
            Self::SetNumber(_) | Self::SetNumberToData(..) => Some(Register::Number),
            Self::MatchReference(_) => Some(Register::Reference),
            Self::Return(_) => Some(Register::Returned),
            Self::Switch(_)
            | Self::SwitchReturnState
            | Self::SwitchPushedState
            | Self::PushState(_)
            | Self::Increase(_)
            | Self::Decrease(_)
            | Self::EmitInside(_)
            | Self::Reconsume
            | Self::Ignore
            | Self::AsElse
            | Self::Error(_)
            | Self::ErrorAfter(_)
            | Self::DropDuplicateAttribute(_)
            | Self::Append(..)
            | Self::SetTokenFlag(_)
            | Self::SetFlag(..)
            | Self::AddDigit(_)
            | Self::EmitText(_)
            | Self::EmitToken(_)
            | Self::EmitEndOfFile
            | Self::Stop
            | Self::ReturnNothing
            | Self::EmitShortEndTag
            | Self::BeginToken
            | Self::BeginField(_)
            | Self::JoinSurrogates
            | Self::Edit(..)
            | Self::RememberPlace
            | Self::GoBack
            | Self::AppendDeclaration
            | Self::AppendEntity(_)
            | Self::Insert(..) => None,
        }
    }

    /// Returns the registers that the action ends: an emitted token is no longer the current one.
    pub fn ends(&self) -> Vec<Register> {
        match self {
            Self::EmitToken(register) => match register {
                Register::Tag => vec![Register::Tag, Register::Attribute],
                Register::Comment => vec![Register::Comment],
                Register::Doctype => vec![Register::Doctype],
                Register::ProcessingInstruction => vec![Register::ProcessingInstruction],
                Register::Declared(token) => vec![Register::Declared(*token)],
                Register::Attribute
                | Register::TemporaryBuffer
                | Register::ReturnState
                | Register::AdditionalAllowedCharacter
                | Register::Number
                | Register::Reference
                | Register::Returned
                | Register::Entity
                | Register::AttributeList
                | Register::Declaration => Vec::new(),
            },
            Self::Create(kind) => match kind {
                TokenKind::StartTag | TokenKind::EndTag => vec![Register::Attribute],
                TokenKind::AttributeList => vec![Register::Declaration],
                TokenKind::Comment
                | TokenKind::Doctype
                | TokenKind::ProcessingInstruction
                | TokenKind::Entity
                | TokenKind::Declared(_) => Vec::new(),
            },
            Self::EmitInside(token) => vec![Register::Declared(*token)],
            Self::AppendEntity(_) => vec![Register::Entity],
            Self::AppendDeclaration => vec![Register::Declaration],
            Self::Switch(_)
            | Self::SwitchReturnState
            | Self::Reconsume
            | Self::Ignore
            | Self::AsElse
            | Self::Error(_)
            | Self::ErrorAfter(_)
            | Self::StartAttribute
            | Self::DropDuplicateAttribute(_)
            | Self::Append(..)
            | Self::Set(..)
            | Self::SetTokenFlag(_)
            | Self::SetFlag(..)
            | Self::SetReturnState(_)
            | Self::SwitchPushedState
            | Self::PushState(_)
            | Self::Increase(_)
            | Self::Decrease(_)
            | Self::SetAdditionalAllowedCharacter(_)
            | Self::SetNumber(_)
            | Self::AddDigit(_)
            | Self::SetNumberToData(..)
            | Self::MatchReference(_)
            | Self::EmitText(_)
            | Self::EmitEndOfFile
            | Self::Stop
            | Self::ReturnNothing
            | Self::Return(_)
            | Self::EmitShortEndTag
            | Self::BeginToken
            | Self::BeginField(_)
            | Self::JoinSurrogates
            | Self::Edit(..)
            | Self::RememberPlace
            | Self::GoBack
            | Self::StartDeclaration
            | Self::Insert(..) => Vec::new(),
        }
    }

    /// Returns the error that the action itself reports. The errors of a full counter or stack belong to their
    /// declarations.
    pub fn error(&self) -> Option<ErrorId> {
        match self {
            Self::Error(error) | Self::ErrorAfter(error) | Self::DropDuplicateAttribute(error) => {
                Some(*error)
            }
            Self::Switch(_)
            | Self::SwitchReturnState
            | Self::Reconsume
            | Self::Ignore
            | Self::AsElse
            | Self::Create(_)
            | Self::StartAttribute
            | Self::Append(..)
            | Self::Set(..)
            | Self::SetTokenFlag(_)
            | Self::SetFlag(..)
            | Self::SetReturnState(_)
            | Self::PushState(_)
            | Self::Increase(_)
            | Self::SwitchPushedState
            | Self::Decrease(_)
            | Self::EmitInside(_)
            | Self::SetAdditionalAllowedCharacter(_)
            | Self::SetNumber(_)
            | Self::AddDigit(_)
            | Self::SetNumberToData(..)
            | Self::MatchReference(_)
            | Self::EmitText(_)
            | Self::EmitToken(_)
            | Self::EmitEndOfFile
            | Self::Stop
            | Self::ReturnNothing
            | Self::Return(_)
            | Self::EmitShortEndTag
            | Self::BeginToken
            | Self::BeginField(_)
            | Self::JoinSurrogates
            | Self::Edit(..)
            | Self::RememberPlace
            | Self::GoBack
            | Self::StartDeclaration
            | Self::AppendDeclaration
            | Self::AppendEntity(_)
            | Self::Insert(..) => None,
        }
    }
}

impl Text {
    /// Returns the register that must exist before the text is used.
    pub fn reads(&self) -> Option<Register> {
        match self {
            // Texts that need no register; the name of the last start tag is empty before the first one.
            Self::Current
            | Self::Lower
            | Self::Literal(_)
            | Self::LastStartTag
            | Self::Lexeme
            | Self::Matched
            | Self::Data(_) => None,
            Self::TemporaryBuffer => Some(Register::TemporaryBuffer),
            Self::Returned => Some(Register::Returned),
            Self::Number | Self::Decimal | Self::Hexadecimal | Self::Byte(_) => {
                Some(Register::Number)
            }
            Self::Field(field) => Some(Register::Declared(field.token)),
            Self::Reference => Some(Register::Reference),
        }
    }
}

impl Condition {
    /// Returns the registers that must exist before the condition is evaluated.
    pub fn reads(&self) -> Vec<Register> {
        let of_part = |part: &Self| match part {
            Self::AppropriateEndTag | Self::TagIs(_) | Self::TagNameIs(_) | Self::TagNameIn(_) => {
                Some(Register::Tag)
            }
            Self::ReturnStateIs(_) => Some(Register::ReturnState),
            Self::NumberIs(_) => Some(Register::Number),
            Self::FieldIs(field, _) | Self::FieldMissing(field) => {
                Some(Register::Declared(field.token))
            }
            Self::Matches(field, _) => Some(field.register()),
            Self::TemporaryBufferIs(_)
            | Self::TemporaryBufferIsIgnoringCase(_)
            | Self::EntityDeclared(_)
            | Self::EntityInsertable(_) => Some(Register::TemporaryBuffer),
            Self::ReferenceEndsWith(_) => Some(Register::Reference),
            // The operands are visited separately.
            Self::Not(_) | Self::All(_) => None,
            Self::FlagIs(..)
            | Self::CalledBy(_)
            | Self::PrecededBy(_)
            | Self::PrecededByOne(_)
            | Self::FollowedBy(_)
            | Self::LastStartTagAhead(_)
            | Self::Ahead(_)
            | Self::DataIsReference(_)
            | Self::DataIsAtMost { .. } => None,
        };
        self.parts().into_iter().filter_map(of_part).collect()
    }
}
