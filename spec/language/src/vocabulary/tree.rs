//! The closed vocabulary of tree construction: the syntax of each action and condition, its value in the model, its
//! meaning, and the wording of the documents.

mod actions;
mod conditions;
mod doctypes;

pub use actions::{TREE_ACTIONS, TreeAction};
pub use conditions::{TREE_CONDITIONS, TreeCondition};
pub use doctypes::{DOCTYPE_TESTS, DoctypeQuestion};

use super::words;
use crate::model::tree::TokenPattern;

/// Words for patterns that match all tokens of a kind, or any token (`else`).
pub const TOKEN_PATTERNS: &[(&str, TokenPattern)] = &[
    ("comment", TokenPattern::Comment),
    ("doctype", TokenPattern::Doctype),
    ("processing-instruction", TokenPattern::ProcessingInstruction),
    ("short-end", TokenPattern::ShortEndTag),
    ("EOF", TokenPattern::EndOfFile),
    ("else", TokenPattern::Else),
];

words! {
    derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord);
    TREE_LIMITS "Words for limits of tree construction."
    TreeLimit "A limit that a table can declare." {
        "adoption-rounds" AdoptionRounds "Rounds of the adoption agency's outer loop per token.";
        "adoption-elements" AdoptionElements
            "Elements that the adoption agency keeps in the list of active formatting elements.";
        "alike-formatting" AlikeFormatting "Equal elements among the active formatting elements.";
    }

    DOCUMENT_MODES "Words for the modes of a document."
    DocumentMode "The rendering mode of a document." {
        "no-quirks" NoQuirks "No-quirks mode.";
        "limited-quirks" LimitedQuirks "Limited-quirks mode.";
        "quirks" Quirks "Quirks mode.";
    }

    NAMESPACES "Words for namespaces other than the table's own."
    Namespace "A namespace that a table can name." {
        Own "The namespace of the table's own elements.";
        "svg" Svg "The namespace of SVG.";
        "math" Math "The namespace of MathML.";
    }

    ATTRIBUTE_NAMESPACES "Words for the namespaces of attributes."
    AttributeNamespace "The namespace of an adjusted attribute." {
        "xlink" XLink "The XLink namespace.";
        "xml" Xml "The XML namespace.";
        "xmlns" Xmlns "The XMLNS namespace.";
    }

    INSERTED_NAMESPACES "Words for the namespaces of inserted elements."
    InsertedNamespace "The namespace of an inserted element." {
        "svg" Svg "The namespace of SVG.";
        "math" Math "The namespace of MathML.";
        "adjusted-current" AdjustedCurrent "The namespace of the adjusted current node.";
    }

    STACK_PLACES "Words for elements by their position on the stack."
    StackPlace "An element of the stack, by its position." {
        "root" Root "The first element of the stack.";
        "second" Second "The second element of the stack.";
    }
}
