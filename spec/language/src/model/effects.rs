//! The effects of actions, and the registers that texts and conditions read, for analyses that do not execute a table.
//! Each `match` over actions, texts or conditions is exhaustive, so that a new one is not overlooked.

use super::{
    Action, Condition, Edit, EntityList, ErrorId, Field, FlagId, Register, StateId, Text,
    TokenFlag, TokenId, TokenKind, Transfer,
};

/// Declares methods that set the fields of effects; those of the second list are optional.
macro_rules! setters {
    ($effects:ident<$life:lifetime> $($field:ident: $type:ty),*; $($optional:ident: $inner:ty,)*) => {
        impl<$life> $effects<$life> {
            $(fn $field(self, $field: $type) -> Self {
                Self { $field, ..self }
            })*

            $(fn $optional(self, $optional: $inner) -> Self {
                Self { $optional: Some($optional), ..self }
            })*
        }
    };
}
pub(super) use setters;

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
        let effects = ActionEffects::default();
        match self {
            Self::Switch(state) => effects.transfer(Transfer::To(*state)).state(*state),
            Self::PushState(state) => effects.state(*state),
            Self::SwitchReturnState => {
                effects.transfer(Transfer::ToReturnState).reads(Register::ReturnState)
            }
            Self::SwitchPushedState => effects.transfer(Transfer::ToPushedState),
            Self::ReturnNothing => effects.transfer(Transfer::ReturnNothing),
            Self::Return(text) => {
                effects.transfer(Transfer::ReturnText).uses(text).creates(Register::Returned)
            }
            Self::EmitEndOfFile | Self::Stop => effects.transfer(Transfer::Ends),
            Self::Error(error) | Self::ErrorAfter(error) => effects.error(*error),
            Self::DropDuplicateAttribute(error) => effects.error(*error).reads(Register::Attribute),
            Self::Create(kind) => {
                let effects = effects.creates(kind.register());
                match kind {
                    TokenKind::StartTag | TokenKind::EndTag => {
                        effects.ends(Register::Attribute).changes(ChangedValue::Tag)
                    }
                    TokenKind::AttributeList => effects.ends(Register::Declaration),
                    TokenKind::Declared(token) => effects.changes(ChangedValue::Declared(*token)),
                    TokenKind::Comment
                    | TokenKind::Doctype
                    | TokenKind::ProcessingInstruction
                    | TokenKind::Entity => effects,
                }
            }
            Self::StartAttribute => effects.reads(Register::Tag).creates(Register::Attribute),
            Self::Append(text, field) => effects.uses(text).writes(*field),
            Self::Set(field @ Field::TemporaryBuffer, _) => {
                effects.writes(*field).creates(Register::TemporaryBuffer)
            }
            Self::Set(field, _) => effects.writes(*field),
            Self::Edit(field, Edit::Run(state)) => effects.writes(*field).state(*state),
            Self::Edit(field, _) => effects.writes(*field),
            Self::SetTokenFlag(TokenFlag::SelfClosing) => effects.reads(Register::Tag),
            Self::SetTokenFlag(TokenFlag::ForceQuirks) => effects.reads(Register::Doctype),
            Self::SetFlag(flag, _) | Self::Increase(flag) | Self::Decrease(flag) => {
                effects.changes(ChangedValue::Flag(*flag))
            }
            Self::SetReturnState(state) => effects
                .state(*state)
                .creates(Register::ReturnState)
                .changes(ChangedValue::ReturnState),
            Self::SetAdditionalAllowedCharacter(_) => {
                effects.creates(Register::AdditionalAllowedCharacter)
            }
            Self::SetNumber(_) | Self::SetNumberToData(..) => {
                effects.creates(Register::Number).changes(ChangedValue::Number)
            }
            Self::AddDigit(_) | Self::JoinSurrogates => {
                effects.reads(Register::Number).changes(ChangedValue::Number)
            }
            Self::MatchReference(_) => {
                effects.creates(Register::Reference).changes(ChangedValue::Reference)
            }
            Self::EmitText(text) => effects.uses(text),
            Self::EmitToken(Register::Tag) => {
                effects.emits(Register::Tag).ends(Register::Attribute)
            }
            Self::EmitToken(register) => effects.emits(*register),
            Self::EmitInside(token) => effects.emits(Register::Declared(*token)),
            Self::BeginField(field) => effects.reads(Register::Declared(field.token)),
            Self::StartDeclaration => {
                effects.reads(Register::AttributeList).creates(Register::Declaration)
            }
            Self::CollapseDeclaredValues => effects.reads(Register::Declaration),
            Self::AppendDeclaration => effects
                .reads(Register::AttributeList)
                .reads(Register::Declaration)
                .ends(Register::Declaration),
            Self::AppendEntity(list) => effects
                .reads(Register::Entity)
                .ends(Register::Entity)
                .changes(ChangedValue::Entities(*list)),
            Self::Insert(..) => {
                effects.reads(Register::TemporaryBuffer).changes(ChangedValue::Inserted)
            }
            Self::Reconsume
            | Self::Ignore
            | Self::AsElse
            | Self::EmitShortEndTag
            | Self::BeginToken
            | Self::RememberPlace
            | Self::GoBack => effects,
        }
    }
}

setters! {
    ActionEffects<'a>
    changes: ChangedValue, transfer: Transfer;
    creates: Register, state: StateId, error: ErrorId, text: &'a Text,
}

impl<'a> ActionEffects<'a> {
    /// Adds a register that must exist, if there is one.
    fn reads(mut self, register: impl Into<Option<Register>>) -> Self {
        let [first, second] = &mut self.reads;
        *(if first.is_none() { first } else { second }) = register.into();
        self
    }

    /// Adds a register that the action ends.
    fn ends(mut self, register: Register) -> Self {
        let [first, second] = &mut self.ends;
        *(if first.is_none() { first } else { second }) = Some(register);
        self
    }

    fn uses(self, text: &'a Text) -> Self {
        self.reads(text.reads()).text(text)
    }

    fn writes(self, field: Field) -> Self {
        self.reads(field.written_register()).changes(ChangedValue::Field(field))
    }

    fn emits(self, register: Register) -> Self {
        self.reads(register).ends(register).changes(ChangedValue::Emitted(register))
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
