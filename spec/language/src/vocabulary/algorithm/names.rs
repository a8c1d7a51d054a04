//! Names in algorithms: the executable algorithms, kinds of values, parameters, and definitions of words.

use crate::model::tree::Elements;
use crate::model::tree::algorithm::{Definition, Expression, ValueKind};
use crate::vocabulary::find;

/// Returns the routine of the algorithm with this name, if the oracle executes it for this kind of elements.
pub fn routine_of(elements: Elements, name: &str) -> Option<Routine> {
    let lists: &[&[(&str, Routine)]] = match elements {
        Elements::Html => &[ROUTINES, BYTE_ROUTINES, WRITING_ROUTINES],
        Elements::Plain | Elements::Xml => &[PLAIN_ROUTINES],
    };
    lists.iter().find_map(|routines| find(routines, name))
}

/// Declares the roles of algorithms, and the lists of their names.
macro_rules! routines {
    (
        shared { $($shared_name:literal $shared:ident $shared_doc:literal;)* }
        html { $($html_name:literal $html:ident $html_doc:literal;)* }
        plain { $($plain_name:literal $plain:ident $plain_doc:literal;)* }
        bytes { $($byte_name:literal $byte:ident $byte_doc:literal;)* }
        writing { $($writing_name:literal $writing:ident $writing_doc:literal;)* }
    ) => {
        /// The role of an algorithm, which determines where it runs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Routine {
            $(#[doc = $shared_doc] $shared,)*
            $(#[doc = $html_doc] $html,)*
            $(#[doc = $plain_doc] $plain,)*
            $(#[doc = $byte_doc] $byte,)*
            $(#[doc = $writing_doc] $writing,)*
        }

        /// Names of algorithms of `elements html`. The files beside `resolve/tree/standard.rs` define some of them for
        /// tables that lack them.
        pub const ROUTINES: &[(&str, Routine)] =
            &[$(($shared_name, Routine::$shared),)* $(($html_name, Routine::$html),)*];

        /// Names of algorithms of `elements plain` and `elements xml`. The files beside `resolve/tree/standard.rs`
        /// define them for tables that lack them.
        pub const PLAIN_ROUTINES: &[(&str, Routine)] =
            &[$(($shared_name, Routine::$shared),)* $(($plain_name, Routine::$plain),)*];

        /// Names of algorithms on bytes: the prescan for an encoding.
        pub const BYTE_ROUTINES: &[(&str, Routine)] = &[$(($byte_name, Routine::$byte),)*];

        /// Names of algorithms that serialize trees.
        pub const WRITING_ROUTINES: &[(&str, Routine)] = &[$(($writing_name, Routine::$writing),)*];
    };
}

routines! {
    shared {
        "create-element" CreateElement "Creating an element for a token.";
        "insert-element" InsertElement "Inserting an element of the table's own namespace.";
        "current" Current "Finding the current node.";
        "append-comment" AppendComment "Appending a comment.";
        "append-processing-instruction" AppendProcessingInstruction "Appending a processing instruction.";
        "append-doctype" AppendDoctype "Appending a DOCTYPE.";
        "pop-element" PopElement "Popping the current node.";
        "pop-until-token-name" PopUntilTokenName "Popping elements up to and including one with the token's name.";
    }
    html {
        "in-scope" InScope "Testing whether an element is in a scope.";
        "push-formatting" PushFormatting "Pushing onto the list of active formatting elements.";
        "reconstruct-formatting" ReconstructFormatting "Reconstructing the active formatting elements.";
        "clear-formatting" ClearFormatting "Clearing the list of active formatting elements up to the last marker.";
        "appropriate-place" AppropriatePlace "Finding the appropriate place for inserting a node.";
        "adjusted-location" AdjustedLocation "Adjusting an insertion location.";
        "insert-at-adjusted-location" InsertAtAdjustedLocation
            "Inserting an element at the adjusted insertion location.";
        "insert-foreign-element" InsertForeignElement "Inserting an element of any namespace.";
        "insert-character" InsertCharacter "Inserting a character.";
        "insert-comment" InsertComment "Inserting a comment.";
        "insert-processing-instruction" InsertProcessingInstruction "Inserting a processing instruction.";
        "generate-end-tags" GenerateEndTags "Generating implied end tags.";
        "adoption-agency" AdoptionAgency "The adoption agency.";
        "reset-insertion-mode" ResetInsertionMode "Resetting the insertion mode.";
        "parse-fragment" ParseFragment "Parsing a fragment.";
        "attach-shadow-root" AttachShadowRoot "Opening a template whose contents become a shadow root.";
        "patch-content" PatchContent "Opening a template that patches contents elsewhere.";
        "prepare-content-patching" PrepareContentPatching "Finding the range that a template patches.";
        "finish-patching" FinishPatching "Closing a template that patches contents elsewhere.";
        "nearest-select" NearestSelect "Finding the element in which an option is selected.";
        "option-is-selected" OptionIsSelected "Testing whether an option is selected.";
        "enabled-selectedcontent" EnabledSelectedContent "Finding the element that mirrors the selected option.";
        "clone-option" CloneOption "Mirroring an option that was popped.";
        "adjusted-current" AdjustedCurrent "Finding the adjusted current node.";
        "last-formatting" LastFormatting
            "Finding the last element of a set among the active formatting elements after the last marker.";
        "pop-until-one-of" PopUntilOneOf "Popping elements up to and including one of a set.";
        "pop-all" PopAll "Popping all elements.";
        "clear-back-to" ClearBackTo "Popping elements until the current node is in a set.";
        "leave-foreign-content" LeaveForeignContent "Popping foreign elements.";
        "pop-until-foreign-token-name" PopUntilForeignTokenName
            "Popping elements up to and including a foreign one with the token's name.";
        "remove-pointed" RemovePointed
            "Removing an element from the stack and from the list of active formatting elements.";
        "mark-end-tag" MarkEndTag "Recording the end tag of an element that stays open.";
        "merge-attributes" MergeAttributes "Adding to an element the token's attributes that the element lacks.";
    }
    plain {
        "open" Open "Testing whether an element is open.";
        "open-node" OpenNode "Finding the open element with the token's name.";
        "namespace-of" NamespaceOf "Finding the namespace to which a prefix is bound.";
        "append-element" AppendElement "Appending an element that is not pushed.";
    }
    bytes {
        "prescan-encoding" PrescanEncoding "The prescan of the input's bytes for an encoding.";
        "get-attribute" GetAttribute "Reading an attribute in the prescan.";
        "get-xml-encoding" GetXmlEncoding "Reading the encoding of an XML declaration.";
    }
    writing {
        "serialize" Serialize "Serializing the contents of a node.";
        "serializes-as-void" SerializesAsVoid "Testing whether an element is serialized without contents.";
        "serialized-name" SerializedName "Finding the serialized name of an attribute.";
        "escape" Escape "Escaping the characters that are markup.";
    }
}

/// Parameters whose names determine their kinds.
pub const KIND_BY_NAME: &[(&str, ValueKind)] = &[
    ("target-node", ValueKind::Node),
    ("target-element", ValueKind::Node),
    ("list", ValueKind::Names),
];

/// Parameters that the document introduces before the steps of an algorithm: name, kind, and default value.
pub const INTRODUCED_PARAMETERS: &[(Routine, &str, ValueKind, Option<Expression>)] = &[
    (Routine::SerializesAsVoid, "element", ValueKind::Node, None),
    (Routine::SerializedName, "attribute", ValueKind::Attribute, None),
    (Routine::Escape, "string", ValueKind::Text, None),
    (Routine::Escape, "attribute-mode", ValueKind::Truth, Some(Expression::Truth(false))),
];

/// Definitions of words that hold throughout an algorithm of tree construction.
pub const DEFINITIONS: &[(&str, Definition)] = &[
    (
        "alike by names namespaces values of parsed attributes in any order",
        Definition::AlikeByTokens,
    ),
    ("excepted are not implied", Definition::ExceptedAreNotImplied),
    ("let confidence irrelevant", Definition::ConfidenceIsIrrelevant),
    ("report error or leave it", Definition::ErrorMayBeReported),
];

/// Statements that follow from other steps, in algorithms on bytes.
pub const BYTE_DEFINITIONS: &[(&str, Definition)] = &[
    ("assert no other result", Definition::FollowsFromOthers),
    ("skip", Definition::FollowsFromOthers),
    ("advance overlaps '-' then '-'", Definition::FollowsFromOthers),
    ("attribute-name begins at position", Definition::FollowsFromOthers),
    ("to lower-case", Definition::FollowsFromOthers),
    ("others as-they-are", Definition::FollowsFromOthers),
];

/// Statements that follow from other steps, in algorithms that serialize trees.
pub const WRITING_DEFINITIONS: &[(&str, Definition)] =
    &[("assert order of attributes is stable", Definition::FollowsFromOthers)];
