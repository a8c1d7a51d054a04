//! The closed vocabulary of actions and conditions: how each is written in a table, what that makes in the model, what
//! it means, and in which words the documents say it. It neither looks names up nor executes anything. Invariant: every
//! action and condition of the model has its form here, rustc refuses one that has none, and a table can say nothing
//! that is not declared here: `resolve` reads tables by these forms, and [`manual`] writes the manual's lists of them.
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
mod effects;
mod keywords;
mod synonyms;

pub use actions::ACTIONS;
pub use clauses::{Clause, ENCODINGS, SELECTED_CONTENT, Takes};
pub use conditions::CONDITIONS;
pub(crate) use keywords::example;
pub use keywords::keywords;
pub use slot::{Slot, Value, Values};
pub use synonyms::{PATTERN_SYNONYMS, SYNONYMS, VALUE_SYNONYMS};

use crate::model::{EntityList, Excess, Field, Limit, Register, Text, TokenFlag, TokenKind};

/// An action or a condition as the vocabulary declares it; `M` is what the model has for it.
#[derive(Debug)]
pub struct Form<M: 'static> {
    /// How it is written: words, and slots in angle brackets.
    pub syntax: &'static str,
    /// What it makes of the values of its slots.
    pub makes: Makes<M>,
    /// What it means.
    pub meaning: &'static str,
    /// The documents' English for it; slots stand in braces.
    pub wordings: &'static [&'static str],
    /// The list of the manual in which it is.
    pub list: &'static str,
}

/// What a form makes of the values of its slots.
#[derive(Debug)]
pub enum Makes<M> {
    /// One action or condition, whose form this is.
    One(fn(&mut Values) -> M),
    /// Several, each of which has a form of its own: the form is short for these.
    Several(fn(&mut Values) -> Vec<M>),
    /// What the table defines by the name that is there; `resolve` looks it up.
    Defined,
}

/// Which of the five vocabularies a form belongs to.
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

/// What has forms in the vocabulary: the actions or the conditions of states or modes.
pub trait Formed: Sized + 'static {
    /// What messages call it.
    const KIND: &'static str;
    /// Which vocabulary that is.
    const FAMILY: Family;
    /// Every form of its kind.
    const FORMS: &'static [Form<Self>];

    /// The syntax of its form; `None` for what the grammar joins of others (`not`, `and`, `or`).
    fn syntax(&self) -> Option<&'static str>;

    /// Its form.
    fn form(&self) -> Option<&'static Form<Self>> {
        let syntax = self.syntax()?;
        Self::FORMS.iter().find(|form| form.syntax == syntax)
    }
}

/// One part of a form's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A word that is there as it is.
    Word(&'static str),
    /// What differs.
    Slot(Slot),
}

impl<M> Form<M> {
    /// The parts of the syntax in their order.
    ///
    /// # Panics
    ///
    /// If the vocabulary does not declare a slot of the form; no table can bring that about.
    pub fn parts(&self) -> impl Iterator<Item = Part> {
        self.syntax.split(' ').map(|word| {
            match word.strip_prefix('<').and_then(|word| word.strip_suffix('>')) {
                Some(name) => Part::Slot(Slot::named(name).expect("the slot is declared")),
                None => Part::Word(word),
            }
        })
    }

    /// The word with which it begins, unless that is a slot.
    pub fn first_word(&self) -> Option<&'static str> {
        self.syntax.split(' ').next().filter(|word| !word.starts_with('<'))
    }
}

/// Declares all forms of one kind: the list, and by an exhaustive `match` the form of everything in the model.
///
/// A form has its syntax and then what it makes: `just` a variant without values; what its values are made into (`make`)
/// and which values of the model it is the form of (`is`); the several that it is `short_for`; or what the table defines
/// (`makes: Defined`). Forms are in the lists of the manual.
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
                wordings: [$($wording:literal),* $(,)?],
            })*
        })*
    ) => {
        $(#[$doc])*
        pub const $forms: &[$crate::vocabulary::Form<$model>] = &[$($(
            $crate::vocabulary::Form {
                syntax: $syntax,
                makes: $crate::vocabulary::Makes::
                    $(One(|_| $just))? $(One($make))? $(Several($several))? $($defined)?,
                meaning: $meaning,
                wordings: &[$($wording),*],
                list: $list,
            },
        )*)*];

        impl $crate::vocabulary::Formed for $model {
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

/// Words for tokens that are tags.
pub const TAG_KINDS: &[(&str, TokenKind)] =
    &[("start-tag", TokenKind::StartTag), ("end-tag", TokenKind::EndTag)];

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
