//! The conditions of states and lexical modes.

use super::forms;
use crate::model::{
    CharacterSet, EntityList, Field, FieldId, FlagId, LexemeId, StateId, TokenKind,
};

forms! {
    /// All conditions that `when` can contain in a state or lexical mode.
    CONDITIONS: "condition";
    /// A condition of a row or step, apart from the row's pattern.
    Condition: Conditions;
    variants {
        /// Negation.
        Not(Box<Condition>),
        /// Conjunction.
        All(Vec<Condition>),
        /// The data with this index, read as a number in the base, is at most `most`.
        DataIsAtMost {
            /// Index of the data.
            data: u8,
            /// Base of the digits.
            base: u8,
            /// Greatest number for which the condition holds.
            most: u32,
        },
    }
    list "conditions" {
        "appropriate-end-tag" => AppropriateEndTag,
            "The current tag is an end tag with the name of the last emitted start tag.",
            ["the current end tag token is an appropriate end tag token"];
        "temporary-buffer is <string>" => TemporaryBufferIs(string: String),
            "The temporary buffer is exactly this string.",
            ["the temporary buffer is the string {string}"];
        "temporary-buffer is <string> ignoring-case" => TemporaryBufferIsIgnoringCase(string: String),
            "The temporary buffer is this string, ignoring ASCII case.",
            ["the temporary buffer is an ASCII case-insensitive match for {string}"];
        "tag is <tag-kind>" => TagIs(tag_kind: TokenKind),
            "The current tag is of this kind.",
            [
                "the tag token is a {tag-kind} token",
                "the tag token was a {tag-kind} token",
                "the current token being processed is a {tag-kind} token",
            ];
        "tag-name is <string>" => TagNameIs(string: String),
            "The name of the current tag is exactly this string.",
            ["the tag name was {string}"];
        "return-state is <state>" => ReturnStateIs(state: StateId),
            "The return state is this one.",
            ["the return state is the {state}"];
        "character-reference-code is <number>" => NumberIs(number: u32),
            "The character reference code has this value.",
            ["the character reference code is {number}"];
        "<declared-field> is <string>" => FieldIs(declared_field: FieldId, string: String),
            "This field of the current token of its declared kind is exactly this string.";
        "missing <declared-field>" => FieldMissing(declared_field: FieldId),
            "Nothing was set or appended to the field since its token was created, or the field was unset. It \
                is no longer missing once a state that appends the current character to it is entered.";
        "<field> matches <lexeme>" => Matches(field: Field, lexeme: LexemeId),
            "The whole text of the field matches this lexeme.";
        "ahead <lexeme>" => Ahead(lexeme: LexemeId),
            "This lexeme directly follows what the row consumes.";
        "reference-ends-with <character>" => ReferenceEndsWith(character: char),
            "The named character reference matched last ends with this character.",
            ["the last character matched is a {character}"];
        "called-by <state>" => CalledBy(state: StateId),
            "The procedure was called by this state.",
            ["the character reference is being consumed as part of an attribute"];
        "<data> is-reference" => DataIsReference(data: u8),
            "The data of the lexical token is the name of a named character reference.",
            ["the associated string is a valid character name"];
        "<data> in-base <base> is-at-most <number>" one |slots| Condition::DataIsAtMost {
            data: slots.data(),
            base: slots.base(),
            most: slots.number(),
        },
            "The data of the lexical token, parsed as a number in the base, is at most this number.",
            ["the associated number is <= {number}"];
        "<flag> is <value>" => FlagIs(flag: FlagId, value: u8),
            "The declared flag has this value.",
            ["the {flag} is {value}", "the {flag} is set to the {value} state"];
        "tag-name in <tag-names>" => TagNameIn(tag_names: Vec<String>),
            "The name of the current tag is one of these.",
            ["a {tag-kind} token whose tag name is one of the following: {tag-names}"];
        "preceded-by <printable>" => PrecededBy(printable: String),
            "This string directly precedes what the row matches.",
            ["the last characters in the input stream, including this one, are {printable}"];
        "preceded-by <class>" => PrecededByOne(class: CharacterSet),
            "A character of the class directly precedes what the row matches. Never holds at the start of the \
                input.";
        "followed-by <class>" => FollowedBy(class: CharacterSet),
            "A character of the class directly follows what the row consumes. Only in a `when`, since guards \
                are evaluated before the row consumes anything.",
            [
                "a {character} that is immediately followed by a {character}",
                "the next character is in the range {class}",
            ];
        "last-start-tag-name-ahead before <class>" => LastStartTagAhead(class: CharacterSet),
            "From the start of the row's match, the input is the name of the last emitted start tag, ignoring \
                ASCII case, followed by a character of the class or the end of the input.",
            [
                "the next few characters match the tag name of the last start tag token emitted (case \
                    insensitively), and are immediately followed by one of the following characters",
            ];
        "declared <list>" => EntityDeclared(list: EntityList),
            "The list has an entity whose name is the temporary buffer without its first character.",
            ["there is an entity of this name in the {list}"];
        "insertable <list>" => EntityInsertable(list: EntityList),
            "The limits on replacement text allow inserting into the input the entity whose name is the temporary \
                buffer without its first character.",
            ["fewer than {number} replacement texts are pending"];
        "<condition>" is Defined,
            "The condition that the table declares with this name holds.";
    }
}
