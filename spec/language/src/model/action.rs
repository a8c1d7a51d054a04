//! Actions and conditions of states. Their syntax is declared in `vocabulary`.

use super::{CharacterSet, EntityList, ErrorId, FieldId, FlagId, LexemeId, StateId, TokenId};

/// An action of a row. Its syntax and effects are declared in [`crate::vocabulary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Switches to a state, which reads the next input.
    Switch(StateId),
    /// Switches to the return state.
    SwitchReturnState,
    /// Pops the stack of states and switches to the popped state; with an empty stack, switches to the start state.
    SwitchPushedState,
    /// Pushes a state to return to. If the stack is full, its error is reported and the state is only counted.
    PushState(StateId),
    /// Consumes the current input character again, in the next state.
    Reconsume,
    /// Does nothing.
    Ignore,
    /// Runs the steps of the `else` row.
    AsElse,
    /// Reports a parse error.
    Error(ErrorId),
    /// Reports a parse error at the end of the row's match.
    ErrorAfter(ErrorId),
    /// Creates a token and makes it the current one of its kind.
    Create(TokenKind),
    /// Adds a new attribute to the current tag and makes it the current attribute.
    StartAttribute,
    /// Reports and drops the current attribute if an earlier attribute of the tag has the same name.
    DropDuplicateAttribute(ErrorId),
    /// Appends text to a field.
    Append(Text, Field),
    /// Sets a field to a string.
    Set(Field, String),
    /// Edits the text of a field.
    Edit(Field, Edit),
    /// Remembers the position up to which the row has consumed the input.
    RememberPlace,
    /// Moves the input back to the remembered position and forgets it; does nothing if that position is not after the
    /// last one returned to.
    GoBack,
    /// Sets a flag of the current token.
    SetTokenFlag(TokenFlag),
    /// Sets a declared flag to the value with this index.
    SetFlag(FlagId, u8),
    /// Increments a counter, or reports its error if it is full.
    Increase(FlagId),
    /// Decrements a counter that is not zero.
    Decrease(FlagId),
    /// Sets the return state.
    SetReturnState(StateId),
    /// Sets or clears the additional allowed character.
    SetAdditionalAllowedCharacter(Option<char>),
    /// Sets the character reference code.
    SetNumber(u32),
    /// Multiplies the character reference code by the base and adds the current character as a digit, saturating at
    /// `u32::MAX`.
    AddDigit(u8),
    /// Sets the character reference code to the data with this index, read as a number in the base.
    SetNumberToData(u8, u8),
    /// Looks up the data with this index as the name of a character reference, and records that reference as the one
    /// matched last. An unknown name changes nothing.
    MatchReference(u8),
    /// Emits text.
    EmitText(Text),
    /// Emits the current token of a register.
    EmitToken(Register),
    /// Emits the current token of this kind as part of the token being created.
    EmitInside(TokenId),
    /// Emits the end-of-file token at the current position and stops the machine.
    EmitEndOfFile,
    /// Stops the machine without an end-of-file token.
    Stop,
    /// Returns nothing from the procedure, and unconsumes everything that it consumed.
    ReturnNothing,
    /// Returns characters from the procedure.
    Return(Text),
    /// Emits a short end tag.
    EmitShortEndTag,
    /// Starts the range of the next token at the start of the row's match.
    BeginToken,
    /// Starts the range of a field at the start of the row's match, unless it has already started.
    BeginField(FieldId),
    /// If the two halves of the character reference code are a surrogate pair, replaces the code by the pair's code
    /// point.
    JoinSurrogates,
    /// Creates an attribute declaration and makes it the current one.
    StartDeclaration,
    /// Marks the current attribute declaration: in values of its attribute, spaces are stripped and collapsed.
    CollapseDeclaredValues,
    /// Appends the current attribute declaration to those of its tag name, unless its attribute is already declared.
    AppendDeclaration,
    /// Appends the current entity to a list, unless its name is already declared.
    AppendEntity(EntityList),
    /// Inserts into the input the value of the entity whose name follows the first character of the temporary buffer.
    /// Characters of the value that occur in the string are inserted as numeric character references.
    Insert(EntityList, String),
}

/// An edit of a field's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Strips characters of the set from both ends, and collapses each run of them within the text to a space.
    StripAndCollapse(CharacterSet),
    /// Replaces each character of the set by its bytes in UTF-8, each written as the given escape character and two
    /// uppercase hexadecimal digits.
    Escape(CharacterSet, char),
    /// Replaces each occurrence of this character with two hexadecimal digits after it by the byte that the digits
    /// encode, and decodes all bytes as UTF-8; malformed sequences become U+FFFD.
    Unescape(char),
    /// Drops the text from the last occurrence of the character to the end; all of it if the character does not occur.
    CutFromLast(char),
    /// Replaces the first occurrence of the first string by the second.
    ReplaceFirst(String, String),
    /// Replaces the text by the first field of the first declared token that the machine emits when it runs over the
    /// text from this state; the field becomes missing if no such token is emitted.
    Run(StateId),
    /// Replaces the text by the result of the host's function of this name; the field becomes missing if that fails.
    ByHost(String),
    /// Converts ASCII letters to lower case.
    Lowercase,
    /// Makes the field missing.
    Unset,
}

/// Destination to which an action transfers control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transfer {
    /// No transfer.
    #[default]
    Nowhere,
    /// A state.
    To(StateId),
    /// The return state.
    ToReturnState,
    /// The state pushed last.
    ToPushedState,
    /// The caller of the procedure, to which nothing is returned.
    ReturnNothing,
    /// The caller of the procedure, to which characters are returned.
    ReturnText,
    /// The end of the run: the machine stops.
    Ends,
}

/// A source of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// The current input character.
    Current,
    /// The lowercase version of the current input character, an ASCII letter.
    Lower,
    /// Literal characters.
    Literal(String),
    /// The contents of the temporary buffer.
    TemporaryBuffer,
    /// The characters that the procedure returned.
    Returned,
    /// The character whose code point is the character reference code, or U+FFFD if there is none.
    Number,
    /// The character reference code in decimal digits.
    Decimal,
    /// The character reference code in lowercase hexadecimal digits.
    Hexadecimal,
    /// A byte of the character reference code, in decimal digits; byte 0 is the lowest.
    Byte(u8),
    /// A field of the current token of a declared kind.
    Field(FieldId),
    /// The characters of the named character reference matched last.
    Reference,
    /// The name of the last start tag emitted.
    LastStartTag,
    /// The lexical token that the row consumed.
    Lexeme,
    /// The string or named character reference that the row consumed.
    Matched,
    /// The data with this index of the lexical token that the row consumed.
    Data(u8),
}

/// A kind of token that can be created.
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
    /// An entity, which is not emitted.
    Entity,
    /// Attribute declarations of a tag name, which are not emitted.
    AttributeList,
    /// A kind that the table declares.
    Declared(TokenId),
}

/// A register: the current token of a kind, or another value that must exist before it is used.
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
    /// The named character reference matched last.
    Reference,
    /// The result of the procedure.
    Returned,
    /// The current processing instruction token.
    ProcessingInstruction,
    /// The current entity.
    Entity,
    /// The tag name whose attributes are declared.
    AttributeList,
    /// The current attribute declaration.
    Declaration,
    /// The current token of a declared kind.
    Declared(TokenId),
}

/// A text to which actions append.
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
    /// The tag name whose attributes are declared.
    AttributeListName,
    /// The attribute name of the current declaration.
    DeclarationName,
    /// The type of the current declaration.
    DeclarationType,
    /// The default value of the current declaration.
    DeclarationDefault,
    /// A field of the current token of a declared kind.
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

/// A condition of a row or step, apart from the row's pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Negation.
    Not(Box<Condition>),
    /// Conjunction.
    All(Vec<Condition>),
    /// The current tag is an end tag with the name of the last start tag emitted.
    AppropriateEndTag,
    /// The temporary buffer is this string.
    TemporaryBufferIs(String),
    /// The temporary buffer is this string, ASCII case-insensitively.
    TemporaryBufferIsIgnoringCase(String),
    /// The current tag is of this kind.
    TagIs(TokenKind),
    /// The name of the current tag is this string.
    TagNameIs(String),
    /// The return state is this one.
    ReturnStateIs(StateId),
    /// The character reference code has this value.
    NumberIs(u32),
    /// This field of the current token of a declared kind is this string.
    FieldIs(FieldId, String),
    /// This field of the current token of a declared kind is missing: no text was set or appended, and its range was
    /// not started.
    FieldMissing(FieldId),
    /// The lexeme matches the whole text of the field.
    Matches(Field, LexemeId),
    /// The lexeme matches the beginning of the input after the row's match.
    Ahead(LexemeId),
    /// The flag has the value with this index.
    FlagIs(FlagId, u8),
    /// The procedure was called by this state.
    CalledBy(StateId),
    /// The named character reference matched last ends with this character.
    ReferenceEndsWith(char),
    /// The name of the current tag is one of these.
    TagNameIn(Vec<String>),
    /// This string precedes the input that the row matches.
    PrecededBy(String),
    /// One of these characters precedes the input that the row matches.
    PrecededByOne(CharacterSet),
    /// One of these characters follows the input that the row consumes.
    FollowedBy(CharacterSet),
    /// The input ahead is the name of the last start tag emitted, ASCII case-insensitively, followed by one of these
    /// characters or the end of the input.
    LastStartTagAhead(CharacterSet),
    /// The data with this index is the name of a named character reference.
    DataIsReference(u8),
    /// The data with this index, read as a number in the base, is at most `most`.
    DataIsAtMost {
        /// Index of the data.
        data: u8,
        /// Base of the digits.
        base: u8,
        /// Greatest number for which the condition holds.
        most: u32,
    },
    /// The list contains the entity whose name follows the first character of the temporary buffer.
    EntityDeclared(EntityList),
    /// The limits allow inserting the entity whose name follows the first character of the temporary buffer.
    EntityInsertable(EntityList),
}
