//! The closed vocabulary of actions and conditions: how each is written in a table, what it means, and in which words
//! the documents say it. It does not execute anything. Invariant: every action and condition of the model is declared
//! here exactly once, and a table can say nothing that is not declared here.
//!
//! In `syntax`, a word in angle brackets is a slot; in `wordings`, a word in braces is one.

pub mod tree;

use crate::model::{
    Action, Condition, EntityList, Excess, Field, Limit, Register, Text, TokenFlag, TokenKind,
};

/// An action or a condition as the vocabulary declares it.
#[derive(Debug)]
pub struct Form {
    /// How it is written: words, and slots in angle brackets.
    pub syntax: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The documents' English for it; slots stand in braces.
    pub wordings: &'static [&'static str],
}

/// Every action that a row can contain.
pub const ACTIONS: &[Form] = &[
    Form {
        syntax: "switch <state>",
        meaning: "The state is the next one.",
        wordings: &["switch to the {state}", "switch the tokenizer to the {state}"],
    },
    Form {
        syntax: "switch return-state",
        meaning: "The return state is the next one.",
        wordings: &[
            "switch to the return state",
            "switch back to the {state} that switched into this state",
        ],
    },
    Form {
        syntax: "reconsume",
        meaning: "What the row consumed is consumed again, in the next state.",
        wordings: &[
            "reconsume the current input character",
            "reconsume the character",
            "reconsume the EOF character",
        ],
    },
    Form {
        syntax: "reconsume <state>",
        meaning: "The state is the next one, and what the row consumed is consumed again in it.",
        wordings: &["reconsume in the {state}"],
    },
    Form {
        syntax: "ignore",
        meaning: "Nothing is done.",
        wordings: &["ignore the character", "stay in this state", "stay in the current state"],
    },
    Form {
        syntax: "as else",
        meaning: "The steps of the `else` row follow here.",
        wordings: &["treat it as per the \"anything else\" entry below"],
    },
    Form {
        syntax: "error <error>",
        meaning: "A parse error with this code, at the character that the row consumed, or the last of several.",
        wordings: &["parse error", "this is a parse error", "this is an {error} parse error"],
    },
    Form {
        syntax: "error <error> behind",
        meaning: "A parse error with this code, behind what the row consumed: something is missing there.",
        wordings: &["then this is an {error} parse error"],
    },
    Form {
        syntax: "create <token>",
        meaning: "A new, empty token becomes the current one of its kind.",
        wordings: &[
            "create a new {token} token",
            "create a {token} token",
            "create a {token} token whose data is the empty string",
        ],
    },
    Form {
        syntax: "start-attribute",
        meaning: "A new attribute with empty name and value becomes the current one of the current tag.",
        wordings: &[
            "start a new attribute in the current tag token",
            "create a new attribute in the tag token",
        ],
    },
    Form {
        syntax: "drop-duplicate-attribute <error>",
        meaning: "If an earlier attribute of the tag bears the name of the current one: a parse error with this code, and \
                  the current one will not be part of the tag, though it stays the current one.",
        wordings: &[
            "if there is already an attribute on the token with the exact same name, then this is a parse error and the \
             new attribute must be removed from the token",
        ],
    },
    Form {
        syntax: "append <text> to <field>",
        meaning: "The text is added at the end of the field.",
        wordings: &[
            "append {text} to {field}",
            "set its {field} to {text}",
            "set that attribute's name to {text}",
        ],
    },
    Form {
        syntax: "set <field> <string>",
        meaning: "The field holds this string; a field that was missing is no longer.",
        wordings: &[
            "set {field} to the empty string",
            "set {field} to the empty string (not missing)",
        ],
    },
    Form {
        syntax: "set <token-flag>",
        meaning: "The flag of the current token is set.",
        wordings: &["set the {token-flag} of the current tag token", "set its {token-flag} to on"],
    },
    Form {
        syntax: "set <flag> <value>",
        meaning: "The declared flag has this value.",
        wordings: &["set the {flag} to {value}"],
    },
    Form {
        syntax: "set return-state <state>",
        meaning: "The return state is remembered.",
        wordings: &["set the return state to the {state}"],
    },
    Form {
        syntax: "set additional-allowed-character <character>",
        meaning: "The additional allowed character is this one.",
        wordings: &[
            "switch to the {state}, with the additional allowed character being {character}",
        ],
    },
    Form {
        syntax: "unset additional-allowed-character",
        meaning: "There is no additional allowed character.",
        wordings: &[
            "attempt to consume a character reference, with no additional allowed character",
        ],
    },
    Form {
        syntax: "set character-reference-code <number>",
        meaning: "The character reference code has this value.",
        wordings: &["set the character reference code to zero ({number})"],
    },
    Form {
        syntax: "add-digit <base>",
        meaning: "The character reference code is multiplied by the base, 10 or 16, and the current character is added \
                  as a digit. It stops growing where 32 bits end.",
        wordings: &[
            "interpret the string of characters as a number",
            "multiply the character reference code by {base}",
        ],
    },
    Form {
        syntax: "set character-reference-code <data> in-base <base>",
        meaning: "The character reference code is the data of the lexical token, read as a number in the base, 10 or 16. \
                  It stops growing where 32 bits end.",
        wordings: &["the associated number"],
    },
    Form {
        syntax: "match-reference <data>",
        meaning: "The named character reference of this name counts as the one that was matched last.",
        wordings: &["the associated string is a valid character name"],
    },
    Form {
        syntax: "emit <text>",
        meaning: "The text goes to the output as character tokens.",
        wordings: &[
            "emit {text} as a character token",
            "emit a {text} character token",
            "emit the character tokens that were returned",
        ],
    },
    Form {
        syntax: "emit <register>",
        meaning: "The current token of the register goes to the output.",
        wordings: &[
            "emit the current {register} token",
            "emit the {register} token",
            "emit that {register} token",
            "emit the token",
        ],
    },
    Form {
        syntax: "emit end-of-file",
        meaning: "The end-of-file token goes to the output, and the machine stops.",
        wordings: &["emit an end-of-file token"],
    },
    Form {
        syntax: "stop",
        meaning: "The machine stops where it is, and there is no end-of-file token: the input is refused.",
        wordings: &["stop parsing"],
    },
    Form {
        syntax: "return nothing",
        meaning: "The procedure ends without a result; everything that it consumed is unconsumed.",
        wordings: &["no characters are consumed, and nothing is returned", "nothing is returned"],
    },
    Form {
        syntax: "return <text>",
        meaning: "The procedure ends with these characters as its result.",
        wordings: &[
            "return a {text} character token",
            "return one or two character tokens for the character(s) corresponding to the character reference name",
        ],
    },
    Form {
        syntax: "emit short-end-tag",
        meaning: "A short end tag, which has no name, goes to the output.",
        wordings: &["emit a short end tag token"],
    },
    Form {
        syntax: "start-declaration",
        meaning: "A new attribute declaration with empty attribute name, type and default value becomes the current one.",
        wordings: &["start a new attribute in the current attribute declaration"],
    },
    Form {
        syntax: "append-declaration",
        meaning: "The current attribute declaration is appended to those of the tag name: start tags of this name that \
                  lack the attribute get it with the default value, unless that is empty. The first one counts.",
        wordings: &["append an attribute declaration"],
    },
    Form {
        syntax: "append-entity <list>",
        meaning: "The current entity is appended to the list, unless the list has one of its name.",
        wordings: &["append an entity"],
    },
    Form {
        syntax: "insert <list>",
        meaning: "The value of the entity of the list that the temporary buffer names, behind its first character, is \
                  put into the input behind what was consumed.",
        wordings: &["put the value of the entity at the front of the input"],
    },
    Form {
        syntax: "insert <list> escaping <string>",
        meaning: "The same, with the characters of the string as numeric character references.",
        wordings: &["put the value of the entity at the front of the input, with {string} escaped"],
    },
];

/// Every condition that `when` can name.
pub const CONDITIONS: &[Form] = &[
    Form {
        syntax: "appropriate-end-tag",
        meaning: "The current tag is an end tag with the name of the last start tag that was emitted.",
        wordings: &["the current end tag token is an appropriate end tag token"],
    },
    Form {
        syntax: "temporary-buffer is <string>",
        meaning: "The temporary buffer holds exactly this string.",
        wordings: &["the temporary buffer is the string {string}"],
    },
    Form {
        syntax: "temporary-buffer is <string> ignoring-case",
        meaning: "The temporary buffer holds this string, ASCII letters in either case.",
        wordings: &["the temporary buffer is an ASCII case-insensitive match for {string}"],
    },
    Form {
        syntax: "tag is <token>",
        meaning: "The current tag is of this kind.",
        wordings: &[
            "the tag token is a {token} token",
            "the tag token was a {token} token",
            "the current token being processed is a {token} token",
        ],
    },
    Form {
        syntax: "tag-name is <string>",
        meaning: "The name of the current tag is exactly this string.",
        wordings: &["the tag name was {string}"],
    },
    Form {
        syntax: "return-state is <state>",
        meaning: "The return state is this one.",
        wordings: &["the return state is the {state}"],
    },
    Form {
        syntax: "character-reference-code is <number>",
        meaning: "The character reference code has this value.",
        wordings: &["the character reference code is {number}"],
    },
    Form {
        syntax: "reference-ends-with <character>",
        meaning: "The named character reference that was matched last ends with this character.",
        wordings: &["the last character matched is a {character}"],
    },
    Form {
        syntax: "called-by <state>",
        meaning: "The procedure was called by this state.",
        wordings: &["the character reference is being consumed as part of an attribute"],
    },
    Form {
        syntax: "<data> is-reference",
        meaning: "The data of the lexical token is the name of a named character reference.",
        wordings: &["the associated string is a valid character name"],
    },
    Form {
        syntax: "<data> in-base <base> is-at-most <number>",
        meaning: "The data of the lexical token, read as a number in the base, 10 or 16, is not above the number.",
        wordings: &["the associated number is <= {number}"],
    },
    Form {
        syntax: "<flag> is <value>",
        meaning: "The declared flag has this value.",
        wordings: &["the {flag} is {value}", "the {flag} is set to the {value} state"],
    },
    Form {
        syntax: "tag-name in <names>",
        meaning: "The name of the current tag is one of the declared names.",
        wordings: &["a {token} token whose tag name is one of the following: {names}"],
    },
    Form {
        syntax: "preceded-by <string>",
        meaning: "The input holds this string directly before what the row looks at: ASCII characters, and no newline.",
        wordings: &["the last characters in the input stream, including this one, are {string}"],
    },
    Form {
        syntax: "followed-by <class>",
        meaning: "Directly behind what the row consumes stands a character of the class, or this one.",
        wordings: &[
            "a {character} that is immediately followed by a {character}",
            "the next character is in the range {class}",
        ],
    },
    Form {
        syntax: "last-start-tag-name-ahead before <class>",
        meaning: "Where the row looks stands the name of the last start tag that was emitted, ASCII letters in either case, \
                  and behind it a character of the class or the end of the input.",
        wordings: &[
            "the next few characters match the tag name of the last start tag token emitted (case insensitively), and \
             are immediately followed by one of the following characters",
        ],
    },
    Form {
        syntax: "declared <list>",
        meaning: "The list has an entity of the name that stands in the temporary buffer behind its first character.",
        wordings: &["there is an entity of this name in the {list}"],
    },
    Form {
        syntax: "insertable <list>",
        meaning: "The limits of replacement text allow that the entity of this name is put into the input.",
        wordings: &["fewer than {number} replacement texts are pending"],
    },
];

/// Words for texts, apart from literals.
pub const TEXTS: &[(&str, Text)] = &[
    ("current", Text::Current),
    ("lower", Text::Lower),
    ("temporary-buffer", Text::TemporaryBuffer),
    ("returned", Text::Returned),
    ("character-reference-code", Text::Number),
    ("reference", Text::Reference),
    ("last-start-tag", Text::LastStartTag),
    ("lexeme", Text::Lexeme),
    ("matched", Text::Matched),
];

/// Words for fields.
pub const FIELDS: &[(&str, Field)] = &[
    ("tag-name", Field::TagName),
    ("attribute-name", Field::AttributeName),
    ("attribute-value", Field::AttributeValue),
    ("comment", Field::Comment),
    ("doctype-name", Field::DoctypeName),
    ("public-identifier", Field::PublicIdentifier),
    ("system-identifier", Field::SystemIdentifier),
    ("temporary-buffer", Field::TemporaryBuffer),
    ("target", Field::ProcessingInstructionTarget),
    ("data", Field::ProcessingInstructionData),
    ("entity-name", Field::EntityName),
    ("entity-value", Field::EntityValue),
    ("declared-tag-name", Field::AttributeListName),
    ("declared-name", Field::DeclarationName),
    ("declared-type", Field::DeclarationType),
    ("declared-default", Field::DeclarationDefault),
];

/// Words for tokens that can be created.
pub const TOKENS: &[(&str, TokenKind)] = &[
    ("start-tag", TokenKind::StartTag),
    ("end-tag", TokenKind::EndTag),
    ("comment", TokenKind::Comment),
    ("doctype", TokenKind::Doctype),
    ("processing-instruction", TokenKind::ProcessingInstruction),
    ("entity", TokenKind::Entity),
    ("attribute-list", TokenKind::AttributeList),
];

/// Words for lists of entities.
pub const ENTITY_LISTS: &[(&str, EntityList)] =
    &[("entities", EntityList::Entities), ("parameter-entities", EntityList::ParameterEntities)];

/// Words for registers whose token can be emitted.
pub const EMITTED: &[(&str, Register)] = &[
    ("tag", Register::Tag),
    ("comment", Register::Comment),
    ("doctype", Register::Doctype),
    ("processing-instruction", Register::ProcessingInstruction),
];

/// Words for flags of tokens. What is called incorrect in older documents has its force-quirks flag on in later ones.
pub const TOKEN_FLAGS: &[(&str, TokenFlag)] = &[
    ("self-closing", TokenFlag::SelfClosing),
    ("force-quirks", TokenFlag::ForceQuirks),
    ("incorrect", TokenFlag::ForceQuirks),
];

/// Words for what a table can limit.
pub const LIMITS: &[(&str, Limit)] = &[
    ("replacement-nesting", Limit::ReplacementNesting),
    ("replacement-bytes", Limit::ReplacementBytes),
    ("replacement-bytes-per-input-byte", Limit::ReplacementBytesPerInputByte),
];

/// Words for what a token may have and should not have.
pub const EXCESSES: &[(&str, Excess)] = &[
    ("attributes", Excess::Attributes),
    ("self-closing", Excess::SelfClosing),
    ("too-many-declared-attributes", Excess::DeclaredAttributes),
];

/// Finds the meaning of a word.
pub fn find<T: Clone>(words: &[(&str, T)], word: &str) -> Option<T> {
    words.iter().find(|(name, _)| *name == word).map(|(_, value)| value.clone())
}

/// Finds the word for a meaning; every meaning has one.
pub fn word<T: PartialEq>(words: &'static [(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, meaning)| meaning == value).map_or("?", |(name, _)| name)
}

impl Action {
    /// The registers that must have been made before the action can be taken.
    pub fn reads(&self) -> Vec<Register> {
        match self {
            Self::Append(text, field) => text
                .reads()
                .into_iter()
                .chain((*field != Field::TemporaryBuffer).then_some(field.register()))
                .collect(),
            Self::EmitText(text) | Self::Return(text) => text.reads().into_iter().collect(),
            Self::Set(field, _) if *field != Field::TemporaryBuffer => vec![field.register()],
            Self::SetTokenFlag(TokenFlag::SelfClosing) | Self::StartAttribute => {
                vec![Register::Tag]
            }
            Self::SetTokenFlag(TokenFlag::ForceQuirks) => vec![Register::Doctype],
            Self::DropDuplicateAttribute(_) => vec![Register::Attribute],
            Self::EmitToken(register) => vec![*register],
            Self::SwitchReturnState => vec![Register::ReturnState],
            Self::AddDigit(_) => vec![Register::Number],
            Self::StartDeclaration => vec![Register::AttributeList],
            Self::AppendDeclaration => vec![Register::AttributeList, Register::Declaration],
            Self::AppendEntity(_) => vec![Register::Entity],
            Self::Insert(..) => vec![Register::TemporaryBuffer],
            _ => Vec::new(),
        }
    }

    /// The register that the action makes, so that later actions can read it.
    pub fn makes(&self) -> Option<Register> {
        match self {
            Self::Create(kind) => Some(kind.register()),
            Self::StartAttribute => Some(Register::Attribute),
            Self::StartDeclaration => Some(Register::Declaration),
            Self::Set(Field::TemporaryBuffer, _) => Some(Register::TemporaryBuffer),
            Self::SetReturnState(_) => Some(Register::ReturnState),
            Self::SetAdditionalAllowedCharacter(_) => Some(Register::AdditionalAllowedCharacter),
            Self::SetNumber(_) | Self::SetNumberToData(..) => Some(Register::Number),
            Self::MatchReference(_) => Some(Register::Reference),
            Self::Return(_) => Some(Register::Returned),
            _ => None,
        }
    }

    /// The registers that the action ends: an emitted token is no longer the current one.
    pub fn ends(&self) -> &'static [Register] {
        match self {
            Self::EmitToken(Register::Tag) => &[Register::Tag, Register::Attribute],
            Self::EmitToken(Register::Comment) => &[Register::Comment],
            Self::EmitToken(Register::Doctype) => &[Register::Doctype],
            Self::Create(TokenKind::StartTag | TokenKind::EndTag) => &[Register::Attribute],
            Self::EmitToken(Register::ProcessingInstruction) => &[Register::ProcessingInstruction],
            Self::AppendEntity(_) => &[Register::Entity],
            Self::Create(TokenKind::AttributeList) | Self::AppendDeclaration => {
                &[Register::Declaration]
            }
            _ => &[],
        }
    }

    /// The error that the action reports, if any.
    pub fn error(&self) -> Option<crate::model::ErrorId> {
        match self {
            Self::Error(error) | Self::ErrorBehind(error) | Self::DropDuplicateAttribute(error) => {
                Some(*error)
            }
            _ => None,
        }
    }
}

impl Text {
    /// The register that must have been made before the text can be used.
    pub fn reads(&self) -> Option<Register> {
        match self {
            // Before the first start tag the name is empty.
            Self::Current
            | Self::Lower
            | Self::Literal(_)
            | Self::LastStartTag
            | Self::Lexeme
            | Self::Matched
            | Self::Data(_) => None,
            Self::TemporaryBuffer => Some(Register::TemporaryBuffer),
            Self::Returned => Some(Register::Returned),
            Self::Number => Some(Register::Number),
            Self::Reference => Some(Register::Reference),
        }
    }
}

impl Condition {
    /// The registers that must have been made before the condition can be asked.
    pub fn reads(&self) -> Vec<Register> {
        let of_part = |part: &Self| match part {
            Self::AppropriateEndTag | Self::TagIs(_) | Self::TagNameIs(_) | Self::TagNameIn(_) => {
                Some(Register::Tag)
            }
            Self::ReturnStateIs(_) => Some(Register::ReturnState),
            Self::NumberIs(_) => Some(Register::Number),
            Self::TemporaryBufferIs(_)
            | Self::TemporaryBufferIsIgnoringCase(_)
            | Self::EntityDeclared(_)
            | Self::EntityInsertable(_) => Some(Register::TemporaryBuffer),
            Self::ReferenceEndsWith(_) => Some(Register::Reference),
            _ => None,
        };
        self.parts().into_iter().filter_map(of_part).collect()
    }
}
