//! What a row of a state does, and what it asks first. It is not how that is written (`vocabulary`). Invariant: each variant
//! has a form in the vocabulary.

use super::{CharacterSet, EntityList, ErrorId, FieldId, FlagId, StateId, TokenId};

/// What a row can do. Declared, with wordings and effects, in [`crate::vocabulary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// The state is the next one.
    Switch(StateId),
    /// The return state is the next one.
    SwitchReturnState,
    /// The state that was pushed last is the next one, and is popped.
    SwitchPushedState,
    /// A state is pushed, to come back to; where the stack is full there is its error, and the state is only counted.
    PushState(StateId),
    /// The current input character is consumed again, in the next state.
    Reconsume,
    /// Nothing is done.
    Ignore,
    /// The steps of the `else` row are taken here.
    AsElse,
    /// A parse error.
    Error(ErrorId),
    /// A parse error after what the row consumed.
    ErrorAfter(ErrorId),
    /// A new token becomes the current one of its kind.
    Create(TokenKind),
    /// A new attribute becomes the current one of the current tag.
    StartAttribute,
    /// An attribute is reported and left out of the tag if an earlier one of the tag has its name.
    DropDuplicateAttribute(ErrorId),
    /// Text is added to a field.
    Append(Text, Field),
    /// A field becomes the string.
    Set(Field, String),
    /// A flag of the current token is set.
    SetTokenFlag(TokenFlag),
    /// A declared flag gets the value of this index.
    SetFlag(FlagId, u8),
    /// A counter grows by one; where it cannot there is its error.
    Increase(FlagId),
    /// A counter that is not zero shrinks by one.
    Decrease(FlagId),
    /// The return state is remembered.
    SetReturnState(StateId),
    /// The additional allowed character is set or unset.
    SetAdditionalAllowedCharacter(Option<char>),
    /// The character reference code gets this value.
    SetNumber(u32),
    /// The character reference code times the base, plus the current character as a digit; it stops growing at
    /// `u32::MAX`.
    AddDigit(u8),
    /// The data of this index, read as a number in the base, becomes the character reference code.
    SetNumberToData(u8, u8),
    /// The named character reference whose name is the data of this index becomes the one that was matched last.
    MatchReference(u8),
    /// Text goes to the output.
    EmitText(Text),
    /// The current token of the register goes to the output.
    EmitToken(Register),
    /// The current token of this kind goes to the output, as part of what is being made.
    EmitInside(TokenId),
    /// The end-of-file token goes to the output, and the machine stops. Its place is where it stops.
    EmitEndOfFile,
    /// The machine stops, without an end-of-file token.
    Stop,
    /// The procedure returns nothing, and everything that it consumed is unconsumed.
    ReturnNothing,
    /// The procedure returns characters.
    Return(Text),
    /// A short end tag goes to the output.
    EmitShortEndTag,
    /// The range of the next token begins with what the row consumes.
    BeginToken,
    /// The range of a field begins with what the row consumes, if it has not begun.
    BeginField(FieldId),
    /// A high and a low surrogate that were read as one number become the character that they stand for.
    JoinSurrogates,
    /// A new attribute declaration becomes the current one.
    StartDeclaration,
    /// The current attribute declaration is appended to those of its tag name, unless its attribute has one.
    AppendDeclaration,
    /// The current entity is appended to the list, unless the list has one of its name.
    AppendEntity(EntityList),
    /// The value of the entity that the temporary buffer names is put into the input; characters of the string are put
    /// as numeric character references.
    Insert(EntityList, String),
}

/// Where the machine goes because of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goes {
    /// Nowhere else.
    Nowhere,
    /// To the state.
    To(StateId),
    /// To the return state.
    ToReturnState,
    /// To the state that was pushed last.
    ToPushedState,
    /// Back to the caller, with nothing.
    Back,
    /// Back to the caller, with characters.
    BackWith,
    /// To its end.
    Ends,
}

impl Action {
    /// Whether something goes to the output that is not the end of the file.
    pub fn emits(&self) -> bool {
        matches!(
            self,
            Self::EmitToken(_) | Self::EmitInside(_) | Self::EmitText(_) | Self::EmitShortEndTag
        )
    }

    /// Where the machine goes because of the action.
    pub fn goes(&self) -> Goes {
        match self {
            Self::Switch(state) => Goes::To(*state),
            Self::SwitchReturnState => Goes::ToReturnState,
            Self::SwitchPushedState => Goes::ToPushedState,
            Self::ReturnNothing => Goes::Back,
            Self::Return(_) => Goes::BackWith,
            Self::EmitEndOfFile | Self::Stop => Goes::Ends,
            Self::Reconsume
            | Self::Ignore
            | Self::AsElse
            | Self::Error(_)
            | Self::ErrorAfter(_)
            | Self::Create(_)
            | Self::StartAttribute
            | Self::DropDuplicateAttribute(_)
            | Self::Append(..)
            | Self::Set(..)
            | Self::SetTokenFlag(_)
            | Self::SetFlag(..)
            | Self::Increase(_)
            | Self::Decrease(_)
            | Self::PushState(_)
            | Self::EmitInside(_)
            | Self::SetReturnState(_)
            | Self::SetAdditionalAllowedCharacter(_)
            | Self::SetNumber(_)
            | Self::AddDigit(_)
            | Self::SetNumberToData(..)
            | Self::MatchReference(_)
            | Self::EmitText(_)
            | Self::EmitToken(_)
            | Self::EmitShortEndTag
            | Self::BeginToken
            | Self::BeginField(_)
            | Self::JoinSurrogates
            | Self::StartDeclaration
            | Self::AppendDeclaration
            | Self::AppendEntity(_)
            | Self::Insert(..) => Goes::Nowhere,
        }
    }
}

/// Where text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// The current input character.
    Current,
    /// The lowercase version of the current input character, an ASCII letter.
    Lower,
    /// These characters.
    Literal(String),
    /// What the temporary buffer holds.
    TemporaryBuffer,
    /// What the procedure returned.
    Returned,
    /// The character whose code point is the character reference code; U+FFFD if there is none.
    Number,
    /// What the named character reference stands for that was matched last.
    Reference,
    /// The name of the last start tag that was emitted.
    LastStartTag,
    /// The characters of the lexical token that the row consumed.
    Lexeme,
    /// The characters that the row consumed: a string or a named character reference that stood ahead.
    Matched,
    /// The data of this index of the lexical token that the row consumed.
    Data(u8),
}

/// Kinds of tokens that can be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKind {
    /// A start tag.
    StartTag,
    /// An end tag.
    EndTag,
    /// A comment.
    Comment,
    /// A DOCTYPE.
    Doctype,
    /// A processing instruction.
    ProcessingInstruction,
    /// An entity, which is no token of the output.
    Entity,
    /// Declarations of the attributes of a tag name, no token of the output.
    AttributeList,
    /// A kind that the table declares.
    Declared(TokenId),
}

/// What holds the current token of a kind, or another value that must be made before it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Register {
    /// The current tag token.
    Tag,
    /// The current attribute.
    Attribute,
    /// The current comment token.
    Comment,
    /// The current DOCTYPE token.
    Doctype,
    /// The temporary buffer.
    TemporaryBuffer,
    /// The return state.
    ReturnState,
    /// The additional allowed character.
    AdditionalAllowedCharacter,
    /// The character reference code.
    Number,
    /// The named character reference that was matched last.
    Reference,
    /// What the procedure returned.
    Returned,
    /// The current processing instruction token.
    ProcessingInstruction,
    /// The current entity.
    Entity,
    /// The tag name whose attributes are being declared.
    AttributeList,
    /// The current attribute declaration.
    Declaration,
    /// The current token of a kind that the table declares.
    Declared(TokenId),
}

/// A text that grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// The tag name of the current tag.
    TagName,
    /// The name of the current attribute.
    AttributeName,
    /// The value of the current attribute.
    AttributeValue,
    /// The data of the current comment.
    Comment,
    /// The name of the current DOCTYPE.
    DoctypeName,
    /// The public identifier of the current DOCTYPE.
    PublicIdentifier,
    /// The system identifier of the current DOCTYPE.
    SystemIdentifier,
    /// The temporary buffer.
    TemporaryBuffer,
    /// The target of the current processing instruction.
    ProcessingInstructionTarget,
    /// The data of the current processing instruction.
    ProcessingInstructionData,
    /// The name of the current entity.
    EntityName,
    /// The value of the current entity.
    EntityValue,
    /// The tag name whose attributes are being declared.
    AttributeListName,
    /// The attribute name of the current declaration.
    DeclarationName,
    /// The type of the current declaration.
    DeclarationType,
    /// The default value of the current declaration.
    DeclarationDefault,
    /// A field of the current token of a kind that the table declares.
    Declared(FieldId),
}

/// A flag of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenFlag {
    /// The self-closing flag of the current tag.
    SelfClosing,
    /// The force-quirks flag of the current DOCTYPE.
    ForceQuirks,
}

/// What a row may depend on besides its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The other condition does not hold.
    Not(Box<Condition>),
    /// All of them hold.
    All(Vec<Condition>),
    /// The current tag is an end tag with the name of the last start tag that was emitted.
    AppropriateEndTag,
    /// The temporary buffer is this string.
    TemporaryBufferIs(String),
    /// The temporary buffer holds this string, ASCII letters in either case.
    TemporaryBufferIsIgnoringCase(String),
    /// The current tag is of this kind.
    TagIs(TokenKind),
    /// The name of the current tag is this string.
    TagNameIs(String),
    /// The return state is this one.
    ReturnStateIs(StateId),
    /// The character reference code has this value.
    NumberIs(u32),
    /// The flag has the value of this index.
    FlagIs(FlagId, u8),
    /// The procedure was called by this state.
    CalledBy(StateId),
    /// The named character reference that was matched last ends with this character.
    ReferenceEndsWith(char),
    /// The name of the current tag is one of these.
    TagNameIn(Vec<String>),
    /// Before what the row looks at, the input holds this string.
    PrecededBy(String),
    /// The character before what the row looks at is one of these.
    PrecededByOne(CharacterSet),
    /// After what the row consumes stands one of these characters.
    FollowedBy(CharacterSet),
    /// Where the row looks stands the name of the last start tag that was emitted, ASCII letters in either case, and
    /// after it one of these characters or the end of the input.
    LastStartTagAhead(CharacterSet),
    /// The data of this index is the name of a named character reference.
    DataIsReference(u8),
    /// The data of this index is, read as a number in the base, not above the number.
    DataIsAtMost {
        /// The index of the data.
        data: u8,
        /// The base of its digits.
        base: u8,
        /// The highest number for which the condition holds.
        most: u32,
    },
    /// The list has an entity of the name that is in the temporary buffer after its first character.
    EntityDeclared(EntityList),
    /// The limits allow that the entity of this name is put into the input.
    EntityInsertable(EntityList),
}
