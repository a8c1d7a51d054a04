//! The closed vocabulary of actions and conditions: the syntax of each, its value in the model, its meaning, and the
//! wording of the documents. Tables can use nothing else: `resolve` parses them by these forms, from which [`manual`]
//! also generates the manual's lists. An action or condition of the model without a form does not compile.
//!
//! In `syntax`, a word in angle brackets is a [`Slot`]; in `wordings`, a word in braces is one.

pub mod algorithm;
pub mod manual;
pub mod slot;
pub mod token_steps;
pub mod tree;

mod actions;
mod clauses;
mod conditions;
mod keywords;
mod synonyms;

pub use actions::ACTIONS;
pub use clauses::{Clause, ClauseArguments, ENCODINGS, SELECTED_CONTENT};
pub use conditions::CONDITIONS;
pub(crate) use keywords::example;
pub use keywords::keywords;
pub use slot::{Slot, Value, Values};
pub use synonyms::{PATTERN_SYNONYMS, SYNONYMS, VALUE_SYNONYMS};

use crate::model::{EntityList, Excess, Field, Limit, Register, Text, TokenFlag, TokenKind};

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

    /// Returns the syntax of the value's form; `None` for combinations by the grammar (`not`, `and`, `or`).
    fn syntax(&self) -> Option<&'static str>;

    /// Returns the value's form; `None` for combinations by the grammar.
    fn form(&self) -> Option<&'static Form<Self>> {
        let syntax = self.syntax()?;
        Self::FORMS.iter().find(|form| form.syntax == syntax)
    }
}

/// A part of a form's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormPart {
    /// A fixed word.
    Word(&'static str),
    /// A slot.
    Slot(Slot),
}

impl<M> Form<M> {
    /// Returns the parts of the syntax in order.
    ///
    /// # Panics
    ///
    /// Panics if the form uses an undeclared slot, which is a bug in the vocabulary; no table can cause it.
    pub fn parts(&self) -> impl Iterator<Item = FormPart> {
        self.syntax.split(' ').map(|word| {
            match word.strip_prefix('<').and_then(|word| word.strip_suffix('>')) {
                Some(name) => FormPart::Slot(Slot::named(name).expect("the slot is declared")),
                None => FormPart::Word(word),
            }
        })
    }

    /// Returns the first word of the form, unless it begins with a slot.
    pub fn first_word(&self) -> Option<&'static str> {
        self.syntax.split(' ').next().filter(|word| !word.starts_with('<'))
    }
}

/// Declares all forms of one kind: the list, and an exhaustive `match` from the model to the forms.
///
/// A form consists of its syntax and its construction: `just` a variant without values; a function from the slots'
/// values (`make`) and a pattern of the values that have the form (`is`); the several forms that it is `short_for`; or
/// a name that the table defines (`makes: Defined`). The forms are grouped by the lists of the manual.
macro_rules! forms {
    (
        $(#[$doc:meta])*
        $forms:ident: $kind:literal of $model:ident, $family:ident;
        $(joined: $joined:pat,)?
        $(list $list:literal {
            $($syntax:literal {
                $(just: $just:path,)?
                $(is: $is:pat $(if $guard:expr)?, make: $make:expr,)?
                $(short_for: $several:expr,)?
                $(makes: $defined:ident,)?
                meaning: $meaning:literal,
                $(wordings: [$($wording:literal),* $(,)?],)?
            })*
        })*
    ) => {
        $(#[$doc])*
        pub const $forms: &[$crate::vocabulary::Form<$model>] = &[$($(
            $crate::vocabulary::Form {
                syntax: $syntax,
                makes: $crate::vocabulary::Product::
                    $(One(|_| $just))? $(One($make))? $(Several($several))? $($defined)?,
                meaning: $meaning,
                wordings: &[$($($wording),*)?],
                list: $list,
            },
        )*)*];

        impl $crate::vocabulary::HasForms for $model {
            const KIND: &'static str = $kind;
            const FAMILY: $crate::vocabulary::Family = $crate::vocabulary::Family::$family;
            const FORMS: &'static [$crate::vocabulary::Form<Self>] = $forms;

            fn syntax(&self) -> Option<&'static str> {
                match self {
                    $($(
                        $($just => Some($syntax),)?
                        $($is $(if $guard)? => Some($syntax),)?
                    )*)*
                    $($joined => None,)?
                }
            }
        }
    };
}
pub(crate) use forms;

/// Words for texts other than literals.
pub const TEXTS: &[(&str, Text)] = &[
    ("current", Text::Current),
    ("lower", Text::Lower),
    ("temporary-buffer", Text::TemporaryBuffer),
    ("returned", Text::Returned),
    ("character-reference-code", Text::Number),
    ("decimal", Text::Decimal),
    ("hexadecimal", Text::Hexadecimal),
    ("lowest-byte", Text::Byte(0)),
    ("second-byte", Text::Byte(1)),
    ("third-byte", Text::Byte(2)),
    ("highest-byte", Text::Byte(3)),
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

/// Words for kinds of tags.
pub const TAG_KINDS: &[(&str, TokenKind)] =
    &[("start-tag", TokenKind::StartTag), ("end-tag", TokenKind::EndTag)];

/// Words for lists of entities.
pub const ENTITY_LISTS: &[(&str, EntityList)] =
    &[("entities", EntityList::Entities), ("parameter-entities", EntityList::ParameterEntities)];

/// Words for registers whose tokens can be emitted.
pub const EMITTED: &[(&str, Register)] = &[
    ("tag", Register::Tag),
    ("comment", Register::Comment),
    ("doctype", Register::Doctype),
    ("processing-instruction", Register::ProcessingInstruction),
];

/// Words for flags of tokens. Older documents express the force-quirks flag as incorrectness.
pub const TOKEN_FLAGS: &[(&str, TokenFlag)] = &[
    ("self-closing", TokenFlag::SelfClosing),
    ("force-quirks", TokenFlag::ForceQuirks),
    ("incorrect", TokenFlag::ForceQuirks),
];

/// Words for limits of replacement text.
pub const LIMITS: &[(&str, Limit)] = &[
    ("replacement-nesting", Limit::ReplacementNesting),
    ("replacement-bytes", Limit::ReplacementBytes),
    ("replacement-bytes-per-input-byte", Limit::ReplacementBytesPerInputByte),
];

/// Words for the parts that a token should not have.
pub const EXCESSES: &[(&str, Excess)] = &[
    ("attributes", Excess::Attributes),
    ("self-closing", Excess::SelfClosing),
    ("too-many-declared-attributes", Excess::DeclaredAttributes),
];

/// Returns the value of a word, if the list has the word.
pub fn find<T: Clone>(words: &[(&str, T)], word: &str) -> Option<T> {
    words.iter().find(|(name, _)| *name == word).map(|(_, value)| value.clone())
}

/// Returns the word for a value, or `?` if the list has none.
pub fn word<T: PartialEq>(words: &'static [(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, meaning)| meaning == value).map_or("?", |(name, _)| name)
}
