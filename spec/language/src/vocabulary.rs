//! The closed vocabulary of actions and conditions: the syntax of each, its value in the model, its meaning, and the
//! wording of the documents. Tables can use nothing else: `resolve` parses them by these forms, from which [`manual`]
//! also generates the manual's lists. The forms declare the model's actions and conditions, so that none lacks a form.
//!
//! In `syntax`, a word in angle brackets is a [`Slot`]; in `wordings`, a word in braces is one.

pub mod algorithm;
pub mod manual;
pub mod slot;
pub mod tree;

mod actions;
mod clauses;
mod conditions;
mod keywords;
mod synonyms;

pub use actions::{ACTIONS, Action};
pub use clauses::{Clause, ClauseArguments, ENCODINGS, SELECTED_CONTENT};
pub use conditions::{CONDITIONS, Condition};
pub use keywords::keywords;
pub(crate) use keywords::{DECLARATIONS, example};
pub use slot::{Slot, Value, Values};
pub use synonyms::{PATTERN_SYNONYMS, SYNONYMS, VALUE_SYNONYMS, equivalent};

use crate::model::{FieldId, TokenId};

/// The form of an action or condition. `M` is its type in the model.
#[derive(Debug)]
pub struct Form<M: 'static> {
    /// Syntax: words, and slots in angle brackets.
    pub syntax: &'static str,
    /// Construction of the model's value from the values of the slots.
    pub makes: Product<M>,
    /// Meaning of the form, for the manual.
    pub meaning: &'static str,
    /// Wordings of the documents, with slots in braces.
    pub wordings: &'static [&'static str],
    /// List of the manual that contains the form.
    pub list: &'static str,
}

/// The construction of model values from the values of a form's slots.
#[derive(Debug)]
pub enum Product<M> {
    /// A single action or condition.
    One(fn(&mut Values) -> M),
    /// Several actions or conditions with forms of their own, for which this form is a shorthand.
    Several(fn(&mut Values) -> Vec<M>),
    /// A name that the table defines, which `resolve` looks up.
    Defined,
}

/// The vocabulary to which a form belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Actions of states.
    Actions,
    /// Conditions of states.
    Conditions,
    /// Actions of modes.
    TreeActions,
    /// Conditions of modes.
    TreeConditions,
    /// Tests of DOCTYPEs.
    DoctypeTests,
}

/// A type whose values have forms: actions or conditions of states or modes, or tests of DOCTYPEs.
pub trait HasForms: Sized + 'static {
    /// Name of the type in messages.
    const KIND: &'static str;
    /// Vocabulary of the type.
    const FAMILY: Family;
    /// All forms of the type.
    const FORMS: &'static [Form<Self>];
}

/// A part of a form's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormPart {
    /// A fixed word.
    Word(&'static str),
    /// A slot.
    Slot(Slot),
}

/// Returns the parts of a form with this syntax, in order.
///
/// # Panics
///
/// Panics if the form uses an undeclared slot, which is a bug in the vocabulary; no table can cause it.
pub fn form_parts(syntax: &'static str) -> impl Iterator<Item = FormPart> {
    syntax.split(' ').map(|word| {
        match word.strip_prefix('<').and_then(|word| word.strip_suffix('>')) {
            Some(name) => FormPart::Slot(Slot::named(name).expect("the slot is declared")),
            None => FormPart::Word(word),
        }
    })
}

/// Returns the first word of a form with this syntax, unless it begins with a slot.
pub fn first_word(syntax: &'static str) -> Option<&'static str> {
    syntax.split(' ').next().filter(|word| !word.starts_with('<'))
}

/// Declares all forms of one kind, and the enum of the actions, conditions or tests that they make.
///
/// A form consists of its syntax, what it makes, its meaning and, if the documents word it, their wordings. It makes
/// `=>` a variant that it declares, with the values of its slots as fields; `one` value of a variant among `variants`,
/// which several forms make, or whose fields differ from the slots; `several` values; or it `is Defined` by the table.
/// The forms are grouped by the lists of the manual.
macro_rules! forms {
    (@variant $model:ident $variant:ident) => { |_| $model::$variant };
    (@variant $model:ident $variant:ident $($slot:ident)+) => {
        |slots| $model::$variant($(slots.$slot()),+)
    };
    (
        $(#[$doc:meta])*
        $forms:ident: $kind:literal;
        $(#[$model_doc:meta])*
        $model:ident: $family:ident;
        $(variants { $($(#[$other_doc:meta])* $other:ident $fields:tt,)* })?
        $(list $list:literal {
            $($syntax:literal
                $(=> $variant:ident $(($($slot:ident: $type:ty),+))?,)?
                $(one $make:expr,)?
                $(several $several:expr,)?
                $(is $defined:ident,)?
                $meaning:literal
                $(, [$($wording:literal),* $(,)?])?;
            )*
        })*
    ) => {
        $(#[$model_doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $model {
            $($($(#[$other_doc])* $other $fields,)*)?
            $($($(#[doc = $meaning] $variant $(($($type),+))?,)?)*)*
        }

        $(#[$doc])*
        pub const $forms: &[$crate::vocabulary::Form<$model>] = &[$($(
            $crate::vocabulary::Form {
                syntax: $syntax,
                makes: $crate::vocabulary::Product::
                    $(One($crate::vocabulary::forms!(@variant $model $variant $($($slot)+)?)))?
                    $(One($make))? $(Several($several))? $($defined)?,
                meaning: $meaning,
                wordings: &[$($($wording),*)?],
                list: $list,
            },
        )*)*];

        impl $crate::vocabulary::HasForms for $model {
            const KIND: &'static str = $kind;
            const FAMILY: $crate::vocabulary::Family = $crate::vocabulary::Family::$family;
            const FORMS: &'static [$crate::vocabulary::Form<Self>] = $forms;
        }
    };
}
pub(crate) use forms;

/// Declares enums, each after the list of the words for its values. Some values have no word, others several; a word
/// may stand for a variant with an operand. The manual takes the values' descriptions from here.
macro_rules! words {
    ($derives:meta; $(
        $list:ident $list_doc:literal
        $name:ident $doc:literal {
            $($($word:literal $(($operand:expr))?)|* $variant:ident $(($type:ty))? $variant_doc:literal;)*
        }
    )*) => {
        $(
            #[doc = $doc]
            #[$derives]
            pub enum $name {
                $(#[doc = $variant_doc] $variant $(($type))?,)*
            }

            impl $name {
                /// Returns the description of the value, for the manual.
                pub fn meaning(&self) -> &'static str {
                    match self {
                        $(Self::$variant { .. } => $variant_doc,)*
                    }
                }
            }

            #[doc = $list_doc]
            pub const $list: &[(&str, $name)] =
                &[$($(($word, $name::$variant $(($operand))?),)*)*];
        )*
    };
}
pub(crate) use words;

words! {
    derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord);
    FIELDS "Words for fields."
    Field "A text to which actions append." {
        "tag-name" TagName "The tag name of the current tag.";
        "attribute-name" AttributeName "The name of the current attribute.";
        "attribute-value" AttributeValue "The value of the current attribute.";
        "comment" Comment "The data of the current comment.";
        "doctype-name" DoctypeName "The name of the current DOCTYPE; missing until something is set or appended.";
        "public-identifier" PublicIdentifier
            "The public identifier of the current DOCTYPE; missing until something is set or appended.";
        "system-identifier" SystemIdentifier
            "The system identifier of the current DOCTYPE; missing until something is set or appended.";
        "temporary-buffer" TemporaryBuffer "The temporary buffer.";
        "target" ProcessingInstructionTarget "The target of the current processing instruction.";
        "data" ProcessingInstructionData "The data of the current processing instruction.";
        "entity-name" EntityName "The name of the current entity.";
        "entity-value" EntityValue "The value of the current entity.";
        "declared-tag-name" AttributeListName "The tag name whose attributes are declared.";
        "declared-name" DeclarationName "The attribute name of the current declaration.";
        "declared-type" DeclarationType "The type of the current declaration.";
        "declared-default" DeclarationDefault "The default value of the current declaration.";
        Declared(FieldId) "A field of the current token of a declared kind.";
    }

    TOKENS "Words for tokens that can be created."
    TokenKind "A kind of token that can be created." {
        "start-tag" StartTag "A start tag.";
        "end-tag" EndTag "An end tag.";
        "comment" Comment "A comment.";
        "doctype" Doctype "A DOCTYPE.";
        "processing-instruction" ProcessingInstruction "A processing instruction.";
        "entity" Entity "An entity, which is not emitted.";
        "attribute-list" AttributeList "Attribute declarations of a tag name, which are not emitted.";
        Declared(TokenId) "A kind that the table declares.";
    }

    ENTITY_LISTS "Words for lists of entities."
    EntityList "A list of entities." {
        "entities" Entities "Entities for content and attribute values.";
        "parameter-entities" ParameterEntities "Parameter entities, for declarations.";
    }

    EMITTED "Words for registers whose tokens can be emitted."
    Register "A register: the current token of a kind, or another value that must exist before it is used." {
        "tag" Tag "The current tag token.";
        Attribute "The current attribute.";
        "comment" Comment "The current comment token.";
        "doctype" Doctype "The current DOCTYPE token.";
        TemporaryBuffer "The temporary buffer.";
        ReturnState "The return state.";
        AdditionalAllowedCharacter "The additional allowed character.";
        Number "The character reference code.";
        Reference "The named character reference matched last.";
        Returned "The result of the procedure.";
        "processing-instruction" ProcessingInstruction "The current processing instruction token.";
        Entity "The current entity.";
        AttributeList "The tag name whose attributes are declared.";
        Declaration "The current attribute declaration.";
        Declared(TokenId) "The current token of a declared kind.";
    }

    TOKEN_FLAGS "Words for flags of tokens. Older documents express the force-quirks flag as incorrectness."
    TokenFlag "A flag of a token." {
        "self-closing" SelfClosing "The self-closing flag of the current tag.";
        "force-quirks" | "incorrect" ForceQuirks "The force-quirks flag of the current DOCTYPE.";
    }

    LIMITS "Words for limits of replacement text."
    Limit "A limit that a table can set." {
        "replacement-nesting" ReplacementNesting "Nesting of inserted texts.";
        "replacement-bytes" ReplacementBytes "Length of replacement text before any input is consumed.";
        "replacement-bytes-per-input-byte" ReplacementBytesPerInputByte "Growth of that length for each byte of input.";
    }

    EXCESSES "Words for the parts that a token should not have."
    Excess "A part that a token may have and should not have." {
        "attributes" Attributes "At least one attribute.";
        "self-closing" SelfClosing "The self-closing flag.";
        "too-many-declared-attributes" DeclaredAttributes
            "Declared attributes dropped because they would have exceeded the limit of replacement text.";
    }
}

words! {
    derive(Clone, Debug, PartialEq, Eq);
    TEXTS "Words for texts other than literals."
    Text "A source of text." {
        Literal(String) "These characters.";
        "current" Current "The current input character.";
        "lower" Lower "The lowercase version of the current input character, which must be an ASCII letter.";
        "temporary-buffer" TemporaryBuffer "The contents of the temporary buffer.";
        "returned" Returned "The result of the procedure, in the `returned` row.";
        "character-reference-code" Number
            "The character whose code point is the character reference code; U+FFFD if there is none.";
        "decimal" Decimal "The character reference code in decimal digits.";
        "hexadecimal" Hexadecimal "The character reference code in lowercase hexadecimal digits.";
        "lowest-byte"(0) | "second-byte"(1) | "third-byte"(2) | "highest-byte"(3) Byte(u8)
            "This byte of the 32-bit character reference code, in decimal digits.";
        Field(FieldId) "The text of the field of a declared token; empty if it is missing.";
        "reference" Reference "The characters of the named character reference matched last.";
        "last-start-tag" LastStartTag "The name of the last emitted start tag; empty before the first one.";
        "lexeme" Lexeme "The characters of the lexical token that the row consumed.";
        "matched" Matched "The characters that the row consumed: a string or a named character reference.";
        Data(u8) "The characters of these data of the lexical token.";
    }
}

/// Words for kinds of tags.
pub const TAG_KINDS: &[(&str, TokenKind)] =
    &[("start-tag", TokenKind::StartTag), ("end-tag", TokenKind::EndTag)];

/// Returns the value of a word, if the list has the word.
pub fn find<T: Clone>(words: &[(&str, T)], word: &str) -> Option<T> {
    words.iter().find(|(name, _)| *name == word).map(|(_, value)| value.clone())
}

/// Returns the word for a value, or `?` if the list has none.
pub fn word<T: PartialEq>(words: &'static [(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, meaning)| meaning == value).map_or("?", |(name, _)| name)
}
