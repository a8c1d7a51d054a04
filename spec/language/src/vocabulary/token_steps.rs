//! The closed vocabulary of algorithms that process tokens outside of rows.

use super::words;
use crate::model::TokenFlag;
use crate::model::token_steps::{DoctypePart, TokenCondition, TokenStep};

words! {
    derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord);
    TOKEN_ROUTINES "Names of the algorithms on tokens."
    TokenRoutine "An occasion on which token steps run." {
        "create-doctype" CreateDoctype "A DOCTYPE token is created.";
        "create-tag" CreateTag "A tag token is created.";
        "appropriate-end-tag" AppropriateEndTag "A condition asks whether an end tag is appropriate.";
        "drop-duplicate-attribute" DropDuplicateAttribute "The current attribute has the name of an earlier one.";
        "reconsume" Reconsume "A row reconsumes the current character.";
    }
}

/// All steps of algorithms on tokens except `when CONDITION { … }`.
pub const TOKEN_STEPS: &[(&str, TokenStep)] = &[
    ("let name missing", TokenStep::Missing(DoctypePart::Name)),
    ("let public-identifier missing", TokenStep::Missing(DoctypePart::PublicIdentifier)),
    ("let system-identifier missing", TokenStep::Missing(DoctypePart::SystemIdentifier)),
    ("let force-quirks-flag off", TokenStep::Unset(TokenFlag::ForceQuirks)),
    // The HTML document of 2007 has a correctness flag, the opposite of the force-quirks flag.
    ("let correctness-flag correct", TokenStep::Unset(TokenFlag::ForceQuirks)),
    ("let self-closing-flag unset", TokenStep::Unset(TokenFlag::SelfClosing)),
    ("let attributes empty", TokenStep::NoAttributes),
    ("return match", TokenStep::Return(true)),
    ("return failure", TokenStep::Return(false)),
    ("discard attribute and its value", TokenStep::DiscardAttribute),
    ("keep attribute current", TokenStep::KeepAttribute),
    ("switch state", TokenStep::SwitchState),
    ("let next-character current-character", TokenStep::GiveBack),
];

/// All conditions of algorithms on tokens.
pub const TOKEN_CONDITIONS: &[(&str, TokenCondition)] = &[
    ("tag-name is name of last-start-tag", TokenCondition::HasNameOfLastStartTag),
    ("last-start-tag is not set", TokenCondition::NoStartTag),
];
