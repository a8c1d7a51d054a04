//! Names in algorithms: the executable algorithms, kinds of values, parameters, and definitions of words.

use crate::model::tree::Elements;
use crate::model::tree::algorithm::{Definition, Expression, Routine, ValueKind};
use crate::vocabulary::find;

/// Returns the algorithms that the oracle executes for a kind of elements, by name.
const fn routines(elements: Elements) -> &'static [&'static [(&'static str, Routine)]] {
    match elements {
        Elements::Html => &[ROUTINES, BYTE_ROUTINES, WRITING_ROUTINES],
        Elements::Plain | Elements::Xml => &[PLAIN_ROUTINES],
    }
}

/// Returns the routine of the algorithm with this name, if the oracle executes it.
pub fn routine_of(elements: Elements, name: &str) -> Option<Routine> {
    routines(elements).iter().find_map(|routines| find(routines, name))
}

/// Returns the name of a routine's algorithm; `None` if this kind of elements lacks the algorithm.
pub fn routine_name(elements: Elements, routine: Routine) -> Option<&'static str> {
    let mut all = routines(elements).iter().copied().flatten();
    all.find(|(_, other)| *other == routine).map(|(name, _)| *name)
}

/// Names of algorithms on bytes: the prescan for an encoding.
pub const BYTE_ROUTINES: &[(&str, Routine)] = &[
    ("prescan-encoding", Routine::PrescanEncoding),
    ("get-attribute", Routine::GetAttribute),
    ("get-xml-encoding", Routine::GetXmlEncoding),
];

/// Names of algorithms that serialize trees.
pub const WRITING_ROUTINES: &[(&str, Routine)] = &[
    ("serialize", Routine::Serialize),
    ("serializes-as-void", Routine::SerializesAsVoid),
    ("serialized-name", Routine::SerializedName),
    ("escape", Routine::Escape),
];

/// Names of algorithms of `elements plain` and `elements xml`. The files beside `resolve/tree/standard.rs` define them
/// for tables that lack them.
pub const PLAIN_ROUTINES: &[(&str, Routine)] = &[
    ("current", Routine::Current),
    ("open", Routine::Open),
    ("open-node", Routine::OpenNode),
    ("emit", Routine::Emit),
    ("process-token", Routine::ProcessToken),
    ("token-cleanup", Routine::TokenCleanup),
    ("attribute-list", Routine::AttributeList),
    ("namespace-of", Routine::NamespaceOf),
    ("create-element", Routine::CreateElement),
    ("insert-element", Routine::InsertElement),
    ("append-element", Routine::AppendElement),
    ("append-text", Routine::AppendText),
    ("append-comment", Routine::AppendComment),
    ("append-processing-instruction", Routine::AppendProcessingInstruction),
    ("append-doctype", Routine::AppendDoctype),
    ("pop-element", Routine::PopElement),
    ("pop-until-token-name", Routine::PopUntilTokenName),
    ("trim-text", Routine::TrimText),
    ("wrap-unless-single-element", Routine::WrapUnlessSingleElement),
];

/// Names of algorithms of `elements html`. The files beside `resolve/tree/standard.rs` define some of them for tables
/// that lack them.
pub const ROUTINES: &[(&str, Routine)] = &[
    ("in-scope", Routine::InScope),
    ("push-formatting", Routine::PushFormatting),
    ("reconstruct-formatting", Routine::ReconstructFormatting),
    ("clear-formatting", Routine::ClearFormatting),
    ("appropriate-place", Routine::AppropriatePlace),
    ("create-element", Routine::CreateElement),
    ("adjusted-location", Routine::AdjustedLocation),
    ("insert-at-adjusted-location", Routine::InsertAtAdjustedLocation),
    ("insert-foreign-element", Routine::InsertForeignElement),
    ("insert-element", Routine::InsertElement),
    ("insert-character", Routine::InsertCharacter),
    ("insert-comment", Routine::InsertComment),
    ("insert-processing-instruction", Routine::InsertProcessingInstruction),
    ("generate-end-tags", Routine::GenerateEndTags),
    ("adoption-agency", Routine::AdoptionAgency),
    ("reset-insertion-mode", Routine::ResetInsertionMode),
    ("parse-fragment", Routine::ParseFragment),
    ("attach-shadow-root", Routine::AttachShadowRoot),
    ("patch-content", Routine::PatchContent),
    ("prepare-content-patching", Routine::PrepareContentPatching),
    ("finish-patching", Routine::FinishPatching),
    ("nearest-select", Routine::NearestSelect),
    ("option-is-selected", Routine::OptionIsSelected),
    ("enabled-selectedcontent", Routine::EnabledSelectedContent),
    ("clone-option", Routine::CloneOption),
    ("current", Routine::Current),
    ("adjusted-current", Routine::AdjustedCurrent),
    ("emit", Routine::Emit),
    ("process-token", Routine::ProcessToken),
    ("append-text", Routine::AppendText),
    ("append-comment", Routine::AppendComment),
    ("token-cleanup", Routine::TokenCleanup),
    ("append-processing-instruction", Routine::AppendProcessingInstruction),
    ("append-doctype", Routine::AppendDoctype),
    ("pop-element", Routine::PopElement),
    ("pop-until-token-name", Routine::PopUntilTokenName),
    ("trim-text", Routine::TrimText),
    ("wrap-unless-single-element", Routine::WrapUnlessSingleElement),
    ("last-formatting", Routine::LastFormatting),
    ("pop-until-one-of", Routine::PopUntilOneOf),
    ("pop-all", Routine::PopAll),
    ("clear-back-to", Routine::ClearBackTo),
    ("leave-foreign-content", Routine::LeaveForeignContent),
    ("pop-until-foreign-token-name", Routine::PopUntilForeignTokenName),
    ("remove-pointed", Routine::RemovePointed),
    ("mark-end-tag", Routine::MarkEndTag),
    ("merge-attributes", Routine::MergeAttributes),
];

/// Words for kinds of values, in the parameters and results of algorithms.
pub const KINDS: &[(&str, ValueKind)] = &[
    ("node", ValueKind::Node),
    ("node-object", ValueKind::Node),
    ("element", ValueKind::Node),
    ("element-or-fragment", ValueKind::Node),
    ("fragment", ValueKind::Node),
    ("insertion-location", ValueKind::Location),
    ("string", ValueKind::Text),
    ("token", ValueKind::Token),
    ("boolean", ValueKind::Truth),
    ("parser-scripting-mode", ValueKind::Scripting),
    ("document", ValueKind::Node),
    ("list", ValueKind::Nodes),
    ("encoding", ValueKind::Encoding),
];

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
    ("attributes have distinct names", Definition::AttributesAreDistinct),
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
