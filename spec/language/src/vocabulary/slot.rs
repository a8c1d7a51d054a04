//! Slots: the words in angle brackets in a form, and the values that they take.

use super::{EMITTED, ENTITY_LISTS, FIELDS, TAG_KINDS, TOKEN_FLAGS, TOKENS, tree};
use crate::model::tree::{
    AdjustmentsId, DoctypesId, DocumentMode, ElementName, FeedbackId, InsertedNamespace, ModeId,
    Namespace, PointerId, ScopeId, StackPlace, StepsId, TreeFlagId,
};
use crate::model::{
    CharacterSet, EntityList, ErrorId, Field, FieldId, FlagId, LexemeId, Register, StateId, Text,
    TokenFlag, TokenId, TokenKind,
};
use crate::syntax::Argument;

macro_rules! slots {
    ($($name:literal $slot:ident $read:ident $type:ty $(: $words:path)?, $takes:literal;)*) => {
        /// The declared slots.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Slot {
            $(#[doc = $takes] $slot,)*
        }

        /// The value of a slot.
        #[derive(Clone, Debug)]
        pub enum Value {
            $(#[doc = $takes] $slot($type),)*
        }

        impl Slot {
            /// All slots, in the order of the manual.
            pub const ALL: &[Self] = &[$(Self::$slot),*];

            /// Returns the name of the slot, which forms write in angle brackets.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$slot => $name,)*
                }
            }

            /// Returns the words that the slot takes; none if the vocabulary does not list them.
            pub fn words(self) -> Vec<&'static str> {
                match self {
                    $(Self::$slot => {
                        let lists: &[Vec<&'static str>] = &[$($words.iter().map(|(word, _)| *word).collect())?];
                        lists.concat()
                    })*
                }
            }

            /// Returns a description of the values that the slot takes, for the manual.
            pub fn takes(self) -> &'static str {
                match self {
                    $(Self::$slot => $takes,)*
                }
            }
        }

        impl Values {
            $(
                #[doc = $takes]
                pub fn $read(&mut self) -> $type {
                    match self.0.next() {
                        Some(Value::$slot(value)) => value,
                        other => unreachable!("expected a slot `{}`, got {other:?}", $name),
                    }
                }
            )*
        }
    };
}

/// The values of a form's slots, consumed in the order of its syntax by a method for each kind of slot.
#[derive(Debug)]
pub struct Values(std::vec::IntoIter<Value>);

impl Values {
    /// Creates the values of slots, in the order of the form's syntax.
    pub fn new(values: Vec<Value>) -> Self {
        Self(values.into_iter())
    }
}

slots! {
    "state" State state StateId, "The name of a state.";
    "error" Error error ErrorId, "A code that the table declares with `errors`.";
    "token" Token token TokenKind: TOKENS, "A kind of token that can be created";
    "tag-kind" TagKind tag_kind TokenKind: TAG_KINDS, "A kind of tag";
    "text" Text text Text, "A text; see Texts.";
    "result" Returned returned Text, "A text that a procedure can return: a literal, `current`, `character-reference-code`, \
        `reference` or `temporary-buffer`.";
    "field" Field field Field: FIELDS, "A field";
    "register" Register register Register: EMITTED, "A register with a token that can be emitted";
    "string" String string String, "A string literal.";
    "printable" Printable printable String, "A string literal of one or more printable ASCII characters.";
    "character" Character character char, "A character literal.";
    "number" Number number u32, "A number.";
    "base" Base base u8, "A number from 2 to 36; digits above 9 are letters in either case.";
    "token-flag" TokenFlag token_flag TokenFlag: TOKEN_FLAGS, "A flag of a token";
    "flag" Flag flag FlagId, "A flag that the table declares with `flag`.";
    "counter" Counter counter FlagId, "A counter that the table declares with `counter`.";
    "declared-token" DeclaredToken declared_token TokenId, "A kind of token that the table declares with `token`.";
    "declared-field" DeclaredField declared_field FieldId, "A field of a declared token: the name of the kind, a hyphen and the name of the field.";
    "lexeme" Lexeme lexeme LexemeId, "A lexical token that the table declares with `lexeme`.";
    "tree-flag" TreeFlag tree_flag TreeFlagId, "A flag that the table declares with `tree flag`.";
    "value" Value value u8, "A value of the flag; of a counter, a number.";
    "data" Data data u8, "A name that the row gives to data of the lexical token.";
    "list" List list EntityList: ENTITY_LISTS, "A list of entities";
    "tag-names" TagNames tag_names Vec<String>, "A set that the table declares with `names`; its namespaces are ignored.";
    "class" Class class CharacterSet, "A class, or a character literal.";
    "mode" Mode mode ModeId, "The name of a mode.";
    "names" Names names Vec<ElementName>, "An element name as a string, `svg` or `math` and a string, or a set that the \
        table declares with `names`.";
    "scope" Scope scope ScopeId, "A scope that the table declares with `scope`.";
    "pointer" Pointer pointer PointerId, "A pointer that the table declares with `pointers`.";
    "adjustments" Adjustments adjustments AdjustmentsId, "A list of replacements that the table declares with `adjust`.";
    "inserted-namespace" InsertedNamespace inserted_namespace InsertedNamespace: tree::INSERTED_NAMESPACES, "A namespace of inserted elements";
    "namespace" Namespace namespace Namespace: tree::NAMESPACES, "A namespace";
    "document-mode" DocumentMode document_mode DocumentMode: tree::DOCUMENT_MODES, "A mode of a document";
    "stack-place" StackPlace stack_place StackPlace: tree::STACK_PLACES, "The first or second element of the stack of open elements";
    "doctypes" Doctypes doctypes DoctypesId, "A set that the table declares with `doctypes`.";
    "steps" Steps steps StepsId, "The name of steps that the table declares with `steps`.";
    "word" Word word String, "Any word.";
    "tokenizer-word" TokenizerWord tokenizer_word FeedbackId, "A command that the machine declares with `tokenizer`.";
}

impl Slot {
    /// Whether the slot takes arguments of this kind. A slot that takes words may take only some of them.
    pub fn accepts(self, argument: &Argument) -> bool {
        use Slot::{
            Base, Character, Class, Names, Number, Printable, Returned, String, Text, Value,
        };
        match argument {
            // These slots take any argument; invalid ones are reported later.
            _ if matches!(self, Text | Returned | Class) => true,
            Argument::Text(_) => matches!(self, String | Printable | Names),
            Argument::Character(_) => self == Character,
            Argument::Number(_) => matches!(self, Number | Base | Value),
            Argument::Name(_) => !matches!(self, String | Printable | Character | Number | Base),
        }
    }

    /// Returns the slot with this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|slot| slot.name() == name)
    }
}
