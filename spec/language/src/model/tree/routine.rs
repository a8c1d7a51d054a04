//! What runs algorithms: actions and conditions of rows, and what comes before a fragment is parsed. It knows no steps.
//! Invariant: an action of modes either is done by an algorithm, or is listed here as one that is not.

use super::Construction;
use super::algorithm::{Algorithm, AlgorithmId};

/// What runs an algorithm: actions and conditions of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Routine {
    /// Whether an element is in a scope.
    InScope,
    /// Pushing onto the list of active formatting elements.
    PushFormatting,
    /// Reconstructing the active formatting elements.
    ReconstructFormatting,
    /// Clearing the list up to the last marker.
    ClearFormatting,
    /// The appropriate place for inserting a node.
    AppropriatePlace,
    /// Creating an element for a token.
    CreateElement,
    /// The adjusted insertion location.
    AdjustedLocation,
    /// Inserting an element there.
    InsertAtAdjustedLocation,
    /// Inserting an element of any namespace.
    InsertForeignElement,
    /// Inserting an element of the table's own namespace.
    InsertElement,
    /// Inserting a character.
    InsertCharacter,
    /// Inserting a comment.
    InsertComment,
    /// Inserting a processing instruction.
    InsertProcessingInstruction,
    /// Generating implied end tags.
    GenerateEndTags,
    /// The adoption agency.
    AdoptionAgency,
    /// Resetting the insertion mode.
    ResetInsertionMode,
    /// Parsing a fragment.
    ParseFragment,
    /// Opening a template whose contents are a shadow root.
    AttachShadowRoot,
    /// Opening a template that patches.
    PatchContent,
    /// Finding what a template patches.
    PrepareContentPatching,
    /// Closing a template that patches.
    FinishPatching,
    /// Finding the element that an option is chosen in.
    NearestSelect,
    /// Whether an option is chosen.
    OptionIsSelected,
    /// Finding the element that shows what is chosen.
    EnabledSelectedContent,
    /// What happens to an option that was popped.
    CloneOption,
    /// Finding the current node.
    Current,
    /// Finding the adjusted current node.
    AdjustedCurrent,
    /// Whether an element is open.
    Open,
    /// Finding the open element that has the name of the token.
    OpenNode,
    /// What is done with a token before rows see it.
    TokenCleanup,
    /// What is done with a token when it is emitted.
    Emit,
    /// Which rows a token is led through.
    ProcessToken,
    /// Which attributes of a token stay.
    AttributeList,
    /// The namespace that a prefix is bound to.
    NamespaceOf,
    /// Appending an element that does not stay open.
    AppendElement,
    /// Appending characters.
    AppendText,
    /// Appending a comment.
    AppendComment,
    /// Appending a processing instruction.
    AppendProcessingInstruction,
    /// Appending a DOCTYPE.
    AppendDoctype,
    /// Finding the last element of a list among the active formatting elements after the last marker.
    LastFormatting,
    /// Popping the current node.
    PopElement,
    /// Popping elements until one of the token's name was popped.
    PopUntilTokenName,
    /// Popping elements until one of a list was popped.
    PopUntilOneOf,
    /// Popping all elements.
    PopAll,
    /// Popping elements until the current node is one of a list.
    ClearBackTo,
    /// Popping foreign elements.
    LeaveForeignContent,
    /// Popping elements until the foreign one of the token's name was popped.
    PopUntilForeignTokenName,
    /// Removing an element from the stack and from the list of active formatting elements.
    RemovePointed,
    /// Ending an element that stays open.
    MarkEndTag,
    /// Giving an element the attributes of the token that it lacks.
    MergeAttributes,
    /// Removing white space around what the document holds.
    TrimText,
    /// Putting what the document holds into one element.
    WrapUnlessSingleElement,
    /// The prescan of bytes for an encoding.
    PrescanEncoding,
    /// Getting an attribute, in the prescan.
    GetAttribute,
    /// Getting an encoding from an XML declaration.
    GetXmlEncoding,
    /// Writing what is inside of a node.
    Serialize,
    /// Whether an element is written without what is inside of it.
    SerializesAsVoid,
    /// The name that is written of an attribute.
    SerializedName,
    /// Replacing characters that markup would be.
    Escape,
}

impl Routine {
    /// The variable that it returns when its steps have ended.
    pub fn ends_with(self) -> Option<&'static str> {
        (self == Self::Escape).then_some("string")
    }

    /// The algorithm whose steps come before its own: what both let stands there.
    pub fn begins_with(self) -> Option<&'static str> {
        matches!(self, Self::AttachShadowRoot | Self::PatchContent).then_some("template-in-head")
    }
}

impl super::TreeAction {
    /// The algorithm that it runs, with `elements html`.
    pub fn runs(&self) -> Option<Routine> {
        match self {
            Self::InsertElement | Self::InsertNamed(..) | Self::InsertElementOfField(..) => {
                Some(Routine::InsertElement)
            }
            Self::InsertForeign(..) => Some(Routine::InsertForeignElement),
            Self::InsertCharacter(..) | Self::InsertPending => Some(Routine::InsertCharacter),
            Self::InsertComment(..) => Some(Routine::InsertComment),
            Self::InsertProcessingInstruction(..) => Some(Routine::InsertProcessingInstruction),
            Self::GenerateEndTags(..) => Some(Routine::GenerateEndTags),
            Self::ReconstructFormatting => Some(Routine::ReconstructFormatting),
            Self::PushFormatting => Some(Routine::PushFormatting),
            Self::ClearFormatting => Some(Routine::ClearFormatting),
            Self::PointToFormatting(..) => Some(Routine::LastFormatting),
            Self::AdoptionAgency(..) => Some(Routine::AdoptionAgency),
            Self::ResetInsertionMode => Some(Routine::ResetInsertionMode),
            Self::AttachShadowRoot { .. } => Some(Routine::AttachShadowRoot),
            Self::PatchContent(..) => Some(Routine::PatchContent),
            Self::FinishPatching(..) => Some(Routine::FinishPatching),
            Self::Stop => Some(Routine::PopAll),
            Self::AppendDoctype => Some(Routine::AppendDoctype),
            Self::Pop => Some(Routine::PopElement),
            Self::PopUntilTokenName => Some(Routine::PopUntilTokenName),
            Self::PopUntil(..) => Some(Routine::PopUntilOneOf),
            Self::ClearBackTo(..) => Some(Routine::ClearBackTo),
            Self::LeaveForeignContent(..) => Some(Routine::LeaveForeignContent),
            Self::PopUntilForeignTokenName => Some(Routine::PopUntilForeignTokenName),
            Self::RemovePointed(..) => Some(Routine::RemovePointed),
            Self::MarkEndTag => Some(Routine::MarkEndTag),
            Self::MergeAttributes(..) => Some(Routine::MergeAttributes),
            Self::TrimText(..) => Some(Routine::TrimText),
            Self::WrapUnlessSingleElement(..) => Some(Routine::WrapUnlessSingleElement),
            Self::Switch(..)
            | Self::Reprocess
            | Self::Using(..)
            | Self::Ignore
            | Self::AsElse
            | Self::Error(..)
            | Self::AppendElement
            | Self::AppendField(..)
            | Self::AppendTextNode(..)
            | Self::AppendText
            | Self::AppendComment(..)
            | Self::AppendProcessingInstruction(..)
            | Self::CallHost(..)
            | Self::Take(..)
            | Self::SwitchOriginal
            | Self::SwitchTemplateMode
            | Self::SetOriginalMode
            | Self::UsingInsertionMode
            | Self::PushTemplateMode(..)
            | Self::PopTemplateMode
            | Self::AdjustTagName(..)
            | Self::AdjustAttributes(..)
            | Self::Rename(..)
            | Self::AcknowledgeSelfClosing
            | Self::DetachSecond
            | Self::FosterParenting(..)
            | Self::InsertMarker
            | Self::Point(..)
            | Self::PointToContext(..)
            | Self::Unset(..)
            | Self::PushPointed(..)
            | Self::SetFlag(..)
            | Self::SetDocumentMode(..)
            | Self::Tokenizer(..)
            | Self::IgnoreNextLineFeed
            | Self::ClearPending
            | Self::AppendToPending
            | Self::ProcessPending(..) => None,
        }
    }
}

impl Construction {
    /// The algorithm that is run so; `None` if the table has none of its name.
    pub fn routine(&self, routine: Routine) -> Option<AlgorithmId> {
        let name = crate::vocabulary::algorithm::routine_name(self.elements, routine)?;
        let found = self.algorithms.iter().position(|algorithm| algorithm.name == name)?;
        u8::try_from(found).ok().map(AlgorithmId)
    }

    /// The algorithm of this id.
    pub fn algorithm(&self, id: AlgorithmId) -> &Algorithm {
        &self.algorithms[usize::from(id.0)]
    }
}
