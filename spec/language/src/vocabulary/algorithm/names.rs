//! Names in algorithms: which algorithms are executed, kinds of values, what an algorithm is given, what holds of its words.
//! It has no steps. Invariant: no name has two meanings.

use crate::model::tree::Elements;
use crate::model::tree::algorithm::{Definition, Expression, Kind, Routine};
use crate::vocabulary::find;

/// Names of the algorithms that the oracle executes, by how elements are made.
const fn routines(elements: Elements) -> &'static [&'static [(&'static str, Routine)]] {
    match elements {
        Elements::Html => &[ROUTINES, BYTE_ROUTINES, WRITING_ROUTINES],
        Elements::Plain | Elements::Xml => &[PLAIN_ROUTINES],
    }
}

/// What runs the algorithm of this name, if the oracle executes it.
pub fn routine_of(elements: Elements, name: &str) -> Option<Routine> {
    routines(elements).iter().find_map(|routines| find(routines, name))
}

/// The name of the algorithm; none where elements are made otherwise.
pub fn routine_name(elements: Elements, routine: Routine) -> Option<&'static str> {
    let mut all = routines(elements).iter().copied().flatten();
    all.find(|(_, other)| *other == routine).map(|(name, _)| *name)
}

/// Words for what runs algorithms about bytes: the prescan for an encoding.
pub const BYTE_ROUTINES: &[(&str, Routine)] = &[
    ("prescan-encoding", Routine::PrescanEncoding),
    ("get-attribute", Routine::GetAttribute),
    ("get-xml-encoding", Routine::GetXmlEncoding),
];

/// Words for what runs algorithms by which trees are written.
pub const WRITING_ROUTINES: &[(&str, Routine)] = &[
    ("serialize", Routine::Serialize),
    ("serializes-as-void", Routine::SerializesAsVoid),
    ("serialized-name", Routine::SerializedName),
    ("escape", Routine::Escape),
];

/// Words for what runs algorithms without the rules of HTML. What a table does not write of them, the files
/// beside `resolve/tree/standard.rs` say.
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

/// Words for what runs algorithms of HTML. What is done by rows alone, the files beside `resolve/tree/standard.rs` say.
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

/// Words for kinds of values, where an algorithm says what it is given or returns.
pub const KINDS: &[(&str, Kind)] = &[
    ("node", Kind::Node),
    ("node-object", Kind::Node),
    ("element", Kind::Node),
    ("element-or-fragment", Kind::Node),
    ("fragment", Kind::Node),
    ("insertion-location", Kind::Location),
    ("string", Kind::Text),
    ("token", Kind::Token),
    ("boolean", Kind::Truth),
    ("parser-scripting-mode", Kind::Scripting),
    ("document", Kind::Node),
    ("list", Kind::Nodes),
    ("encoding", Kind::Encoding),
];

/// Things that algorithms are given by a name that says their kind.
pub const GIVEN: &[(&str, Kind)] =
    &[("target-node", Kind::Node), ("target-element", Kind::Node), ("list", Kind::Names)];

/// What an algorithm is given in the sentence of the document that comes before its steps: by which name, its kind, and what it
/// is where it is left out.
pub const GIVEN_BEFORE: &[(Routine, &str, Kind, Option<Expression>)] = &[
    (Routine::SerializesAsVoid, "element", Kind::Node, None),
    (Routine::SerializedName, "attribute", Kind::Attribute, None),
    (Routine::Escape, "string", Kind::Text, None),
    (Routine::Escape, "attribute-mode", Kind::Truth, Some(Expression::Truth(false))),
];

/// What holds of words of an algorithm of tree construction, wherever it stands in it.
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

/// What follows from other steps of algorithms about bytes.
pub const BYTE_DEFINITIONS: &[(&str, Definition)] = &[
    ("assert no other result", Definition::FollowsFromOthers),
    ("skip", Definition::FollowsFromOthers),
    ("advance overlaps '-' then '-'", Definition::FollowsFromOthers),
    ("attribute-name begins at position", Definition::FollowsFromOthers),
    ("to lower-case", Definition::FollowsFromOthers),
    ("others as-they-are", Definition::FollowsFromOthers),
];

/// What follows from other steps of algorithms by which trees are written.
pub const WRITING_DEFINITIONS: &[(&str, Definition)] =
    &[("assert order of attributes is stable", Definition::FollowsFromOthers)];
