//! The effects of actions, and the registers that texts and conditions read, for analyses that do not execute a table.
//! Each `match` over actions, texts or conditions is exhaustive, so that a new one is not overlooked.

use super::{
    Action, Condition, Edit, EntityList, ErrorId, Field, FlagId, Register, StateId, Text,
    TokenFlag, TokenId, TokenKind, Transfer,
};

/// The effects of an action, and the operands that checks need.
#[derive(Debug, Default)]
pub struct ActionEffects<'a> {
    /// Registers that must exist before the action.
    pub reads: [Option<Register>; 2],
    /// Register that the action creates, if any, so that later actions can read it.
    pub creates: Option<Register>,
    /// Registers that the action ends: an emitted token is no longer the current one.
    pub ends: [Option<Register>; 2],
    /// Value that the action changes.
    pub changes: ChangedValue,
    /// Destination to which the action transfers control.
    pub transfer: Transfer,
    /// State that the action names, if any.
    pub state: Option<StateId>,
    /// Error that the action itself reports, if any. The errors of a full counter or stack belong to their
    /// declarations.
    pub error: Option<ErrorId>,
    /// Text that the action emits, appends or returns, if any.
    pub text: Option<&'a Text>,
}

/// A value that an action changes and conditions test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChangedValue {
    /// No value that a condition tests.
    #[default]
    Nothing,
    /// The current tag, which is replaced by a new one.
    Tag,
    /// The current token of a declared kind, which is replaced by a new one.
    Declared(TokenId),
    /// A field.
    Field(Field),
    /// The return state.
    ReturnState,
    /// The character reference code.
    Number,
    /// The named character reference matched last.
    Reference,
    /// A flag.
    Flag(FlagId),
    /// The current token of a register, which ends because it is emitted; the emission may set flags.
    Emitted(Register),
    /// The entities of a list.
    Entities(EntityList),
    /// The amount of text inserted into the input.
    Inserted,
}

impl Action {
    /// Returns the destination to which the action transfers control.
    pub fn transfer(&self) -> Transfer {
        self.effects().transfer
    }

    /// Whether the action emits anything other than the end-of-file token.
    pub fn emits(&self) -> bool {
        matches!(
            self,
            Self::EmitToken(_) | Self::EmitInside(_) | Self::EmitText(_) | Self::EmitShortEndTag
        )
    }

    /// Returns the effects of the action.
    pub fn effects(&self) -> ActionEffects<'_> {
        let no_effects = ActionEffects::default();
        match self {
            Self::Switch(state) => {
                ActionEffects { transfer: Transfer::To(*state), state: Some(*state), ..no_effects }
            }
            Self::PushState(state) => ActionEffects { state: Some(*state), ..no_effects },
            Self::SwitchReturnState => ActionEffects {
                transfer: Transfer::ToReturnState,
                reads: [Some(Register::ReturnState), None],
                ..no_effects
            },
            Self::SwitchPushedState => {
                ActionEffects { transfer: Transfer::ToPushedState, ..no_effects }
            }
            Self::ReturnNothing => {
                ActionEffects { transfer: Transfer::ReturnNothing, ..no_effects }
            }
            Self::Return(text) => ActionEffects {
                transfer: Transfer::ReturnText,
                reads: [text.reads(), None],
                creates: Some(Register::Returned),
                text: Some(text),
                ..no_effects
            },
            Self::EmitEndOfFile | Self::Stop => {
                ActionEffects { transfer: Transfer::Ends, ..no_effects }
            }
            Self::Error(error) | Self::ErrorAfter(error) => {
                ActionEffects { error: Some(*error), ..no_effects }
            }
            Self::DropDuplicateAttribute(error) => ActionEffects {
                error: Some(*error),
                reads: [Some(Register::Attribute), None],
                ..no_effects
            },
            Self::Create(kind) => {
                let (ends, changes) = match kind {
                    TokenKind::StartTag | TokenKind::EndTag => {
                        (Some(Register::Attribute), ChangedValue::Tag)
                    }
                    TokenKind::AttributeList => {
                        (Some(Register::Declaration), ChangedValue::Nothing)
                    }
                    TokenKind::Declared(token) => (None, ChangedValue::Declared(*token)),
                    TokenKind::Comment
                    | TokenKind::Doctype
                    | TokenKind::ProcessingInstruction
                    | TokenKind::Entity => (None, ChangedValue::Nothing),
                };
                let creates = Some(kind.register());
                ActionEffects { creates, ends: [ends, None], changes, ..no_effects }
            }
            Self::StartAttribute => ActionEffects {
                reads: [Some(Register::Tag), None],
                creates: Some(Register::Attribute),
                ..no_effects
            },
            Self::Append(text, field) => ActionEffects {
                reads: [text.reads(), field.written_register()],
                changes: ChangedValue::Field(*field),
                text: Some(text),
                ..no_effects
            },
            Self::Set(field, _) => {
                let is_buffer = *field == Field::TemporaryBuffer;
                ActionEffects {
                    reads: [field.written_register(), None],
                    creates: is_buffer.then_some(Register::TemporaryBuffer),
                    changes: ChangedValue::Field(*field),
                    ..no_effects
                }
            }
            Self::Edit(field, edit) => ActionEffects {
                reads: [field.written_register(), None],
                changes: ChangedValue::Field(*field),
                state: if let Edit::Run(state) = edit { Some(*state) } else { None },
                ..no_effects
            },
            Self::SetTokenFlag(TokenFlag::SelfClosing) => {
                ActionEffects { reads: [Some(Register::Tag), None], ..no_effects }
            }
            Self::SetTokenFlag(TokenFlag::ForceQuirks) => {
                ActionEffects { reads: [Some(Register::Doctype), None], ..no_effects }
            }
            Self::SetFlag(flag, _) | Self::Increase(flag) | Self::Decrease(flag) => {
                ActionEffects { changes: ChangedValue::Flag(*flag), ..no_effects }
            }
            Self::SetReturnState(state) => ActionEffects {
                state: Some(*state),
                creates: Some(Register::ReturnState),
                changes: ChangedValue::ReturnState,
                ..no_effects
            },
            Self::SetAdditionalAllowedCharacter(_) => {
                ActionEffects { creates: Some(Register::AdditionalAllowedCharacter), ..no_effects }
            }
            Self::SetNumber(_) | Self::SetNumberToData(..) => ActionEffects {
                creates: Some(Register::Number),
                changes: ChangedValue::Number,
                ..no_effects
            },
            Self::AddDigit(_) | Self::JoinSurrogates => ActionEffects {
                reads: [Some(Register::Number), None],
                changes: ChangedValue::Number,
                ..no_effects
            },
            Self::MatchReference(_) => ActionEffects {
                creates: Some(Register::Reference),
                changes: ChangedValue::Reference,
                ..no_effects
            },
            Self::EmitText(text) => {
                ActionEffects { reads: [text.reads(), None], text: Some(text), ..no_effects }
            }
            Self::EmitToken(register) => {
                let attribute = (*register == Register::Tag).then_some(Register::Attribute);
                ActionEffects {
                    reads: [Some(*register), None],
                    ends: [Some(*register), attribute],
                    changes: ChangedValue::Emitted(*register),
                    ..no_effects
                }
            }
            Self::EmitInside(token) => {
                let register = Register::Declared(*token);
                ActionEffects {
                    reads: [Some(register), None],
                    ends: [Some(register), None],
                    changes: ChangedValue::Emitted(register),
                    ..no_effects
                }
            }
            Self::BeginField(field) => {
                ActionEffects { reads: [Some(Register::Declared(field.token)), None], ..no_effects }
            }
            Self::StartDeclaration => ActionEffects {
                reads: [Some(Register::AttributeList), None],
                creates: Some(Register::Declaration),
                ..no_effects
            },
            Self::CollapseDeclaredValues => {
                ActionEffects { reads: [Some(Register::Declaration), None], ..no_effects }
            }
            Self::AppendDeclaration => ActionEffects {
                reads: [Some(Register::AttributeList), Some(Register::Declaration)],
                ends: [Some(Register::Declaration), None],
                ..no_effects
            },
            Self::AppendEntity(list) => ActionEffects {
                reads: [Some(Register::Entity), None],
                ends: [Some(Register::Entity), None],
                changes: ChangedValue::Entities(*list),
                ..no_effects
            },
            Self::Insert(..) => ActionEffects {
                reads: [Some(Register::TemporaryBuffer), None],
                changes: ChangedValue::Inserted,
                ..no_effects
            },
            Self::Reconsume
            | Self::Ignore
            | Self::AsElse
            | Self::EmitShortEndTag
            | Self::BeginToken
            | Self::RememberPlace
            | Self::GoBack => no_effects,
        }
    }
}

impl Text {
    /// Returns the register that must exist before the text is used; `None` if the text needs no register.
    pub fn reads(&self) -> Option<Register> {
        match self {
            // The name of the last start tag needs no register: before the first start tag, it is empty.
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
        let register_of_part = |part: &Self| match part {
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
            // `parts` never returns these conditions, only their operands.
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
        self.parts().into_iter().filter_map(register_of_part).collect()
    }
}

impl Field {
    /// Returns the register that must exist before the field is written; `None` for the temporary buffer, which can
    /// always be written.
    fn written_register(self) -> Option<Register> {
        (self != Self::TemporaryBuffer).then(|| self.register())
    }

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
