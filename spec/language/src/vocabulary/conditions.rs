//! The conditions of states and lexical modes.

use super::forms;
use crate::model::Condition;

forms! {
    /// All conditions that `when` can contain in a state or lexical mode.
    CONDITIONS: "condition" of Condition, Conditions;
    joined: Condition::Not(_) | Condition::All(_),
    list "conditions" {
        "appropriate-end-tag" {
            just: Condition::AppropriateEndTag,
            meaning: "The current tag is an end tag with the name of the last emitted start tag.",
            wordings: ["the current end tag token is an appropriate end tag token"],
        }
        "temporary-buffer is <string>" {
            is: Condition::TemporaryBufferIs(_),
            make: |slots| Condition::TemporaryBufferIs(slots.string()),
            meaning: "The temporary buffer is exactly this string.",
            wordings: ["the temporary buffer is the string {string}"],
        }
        "temporary-buffer is <string> ignoring-case" {
            is: Condition::TemporaryBufferIsIgnoringCase(_),
            make: |slots| Condition::TemporaryBufferIsIgnoringCase(slots.string()),
            meaning: "The temporary buffer is this string, ignoring ASCII case.",
            wordings: ["the temporary buffer is an ASCII case-insensitive match for {string}"],
        }
        "tag is <tag-kind>" {
            is: Condition::TagIs(_),
            make: |slots| Condition::TagIs(slots.tag_kind()),
            meaning: "The current tag is of this kind.",
            wordings: [
                "the tag token is a {tag-kind} token",
                "the tag token was a {tag-kind} token",
                "the current token being processed is a {tag-kind} token",
            ],
        }
        "tag-name is <string>" {
            is: Condition::TagNameIs(_),
            make: |slots| Condition::TagNameIs(slots.string()),
            meaning: "The name of the current tag is exactly this string.",
            wordings: ["the tag name was {string}"],
        }
        "return-state is <state>" {
            is: Condition::ReturnStateIs(_),
            make: |slots| Condition::ReturnStateIs(slots.state()),
            meaning: "The return state is this one.",
            wordings: ["the return state is the {state}"],
        }
        "character-reference-code is <number>" {
            is: Condition::NumberIs(_),
            make: |slots| Condition::NumberIs(slots.number()),
            meaning: "The character reference code has this value.",
            wordings: ["the character reference code is {number}"],
        }
        "<declared-field> is <string>" {
            is: Condition::FieldIs(..),
            make: |slots| Condition::FieldIs(slots.declared_field(), slots.string()),
            meaning: "This field of the current token of its declared kind is exactly this string.",
        }
        "missing <declared-field>" {
            is: Condition::FieldMissing(_),
            make: |slots| Condition::FieldMissing(slots.declared_field()),
            meaning: "Nothing was set or appended to the field since its token was created, or the field was unset. It \
                is no longer missing once a state that appends the current character to it is entered.",
        }
        "<field> matches <lexeme>" {
            is: Condition::Matches(..),
            make: |slots| {
                let field = slots.field();
                Condition::Matches(field, slots.lexeme())
            },
            meaning: "The whole text of the field matches this lexeme.",
        }
        "ahead <lexeme>" {
            is: Condition::Ahead(_),
            make: |slots| Condition::Ahead(slots.lexeme()),
            meaning: "This lexeme directly follows what the row consumes.",
        }
        "reference-ends-with <character>" {
            is: Condition::ReferenceEndsWith(_),
            make: |slots| Condition::ReferenceEndsWith(slots.character()),
            meaning: "The named character reference matched last ends with this character.",
            wordings: ["the last character matched is a {character}"],
        }
        "called-by <state>" {
            is: Condition::CalledBy(_),
            make: |slots| Condition::CalledBy(slots.state()),
            meaning: "The procedure was called by this state.",
            wordings: ["the character reference is being consumed as part of an attribute"],
        }
        "<data> is-reference" {
            is: Condition::DataIsReference(_),
            make: |slots| Condition::DataIsReference(slots.data()),
            meaning: "The data of the lexical token is the name of a named character reference.",
            wordings: ["the associated string is a valid character name"],
        }
        "<data> in-base <base> is-at-most <number>" {
            is: Condition::DataIsAtMost { .. },
            make: |slots| Condition::DataIsAtMost {
                    data: slots.data(),
                    base: slots.base(),
                    most: slots.number(),
                },
            meaning: "The data of the lexical token, parsed as a number in the base, is at most this number.",
            wordings: ["the associated number is <= {number}"],
        }
        "<flag> is <value>" {
            is: Condition::FlagIs(..),
            make: |slots| Condition::FlagIs(slots.flag(), slots.value()),
            meaning: "The declared flag has this value.",
            wordings: ["the {flag} is {value}", "the {flag} is set to the {value} state"],
        }
        "tag-name in <tag-names>" {
            is: Condition::TagNameIn(_),
            make: |slots| Condition::TagNameIn(slots.tag_names()),
            meaning: "The name of the current tag is one of these.",
            wordings: ["a {tag-kind} token whose tag name is one of the following: {tag-names}"],
        }
        "preceded-by <printable>" {
            is: Condition::PrecededBy(_),
            make: |slots| Condition::PrecededBy(slots.printable()),
            meaning: "This string directly precedes what the row matches.",
            wordings: ["the last characters in the input stream, including this one, are {printable}"],
        }
        "preceded-by <class>" {
            is: Condition::PrecededByOne(_),
            make: |slots| Condition::PrecededByOne(slots.class()),
            meaning: "A character of the class directly precedes what the row matches. Never holds at the start of the \
                input.",
        }
        "followed-by <class>" {
            is: Condition::FollowedBy(_),
            make: |slots| Condition::FollowedBy(slots.class()),
            meaning: "A character of the class directly follows what the row consumes. Only in a `when`, since guards \
                are evaluated before the row consumes anything.",
            wordings: [
                "a {character} that is immediately followed by a {character}",
                "the next character is in the range {class}",
            ],
        }
        "last-start-tag-name-ahead before <class>" {
            is: Condition::LastStartTagAhead(_),
            make: |slots| Condition::LastStartTagAhead(slots.class()),
            meaning: "From the start of the row's match, the input is the name of the last emitted start tag, ignoring \
                ASCII case, followed by a character of the class or the end of the input.",
            wordings: [
                "the next few characters match the tag name of the last start tag token emitted (case \
                    insensitively), and are immediately followed by one of the following characters",
            ],
        }
        "declared <list>" {
            is: Condition::EntityDeclared(_),
            make: |slots| Condition::EntityDeclared(slots.list()),
            meaning: "The list has an entity whose name is the temporary buffer without its first character.",
            wordings: ["there is an entity of this name in the {list}"],
        }
        "insertable <list>" {
            is: Condition::EntityInsertable(_),
            make: |slots| Condition::EntityInsertable(slots.list()),
            meaning: "The limits on replacement text allow inserting the entity of this name into the input.",
            wordings: ["fewer than {number} replacement texts are pending"],
        }
        "<condition>" {
            makes: Defined,
            meaning: "The condition that the table declares with this name holds.",
        }
    }
}
