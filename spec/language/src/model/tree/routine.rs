//! The roles of algorithms: those of actions and conditions of rows, of fragment parsing, of the prescan for an
//! encoding, and of serialization.

use super::Construction;
use super::algorithm::{Algorithm, AlgorithmId};

/// The role of an algorithm, which determines where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Routine {
    /// Testing whether an element is in a scope.
    InScope,
    /// Pushing onto the list of active formatting elements.
    PushFormatting,
    /// Reconstructing the active formatting elements.
    ReconstructFormatting,
    /// Clearing the list of active formatting elements up to the last marker.
    ClearFormatting,
    /// Finding the appropriate place for inserting a node.
    AppropriatePlace,
    /// Creating an element for a token.
    CreateElement,
    /// Adjusting an insertion location.
    AdjustedLocation,
    /// Inserting an element at the adjusted insertion location.
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
    /// Opening a template whose contents become a shadow root.
    AttachShadowRoot,
    /// Opening a template that patches contents elsewhere.
    PatchContent,
    /// Finding the range that a template patches.
    PrepareContentPatching,
    /// Closing a template that patches contents elsewhere.
    FinishPatching,
    /// Finding the element in which an option is selected.
    NearestSelect,
    /// Testing whether an option is selected.
    OptionIsSelected,
    /// Finding the element that mirrors the selected option.
    EnabledSelectedContent,
    /// Mirroring an option that was popped.
    CloneOption,
    /// Finding the current node.
    Current,
    /// Finding the adjusted current node.
    AdjustedCurrent,
    /// Testing whether an element is open.
    Open,
    /// Finding the open element with the token's name.
    OpenNode,
    /// Preparing a token before rows match it.
    TokenCleanup,
    /// Processing an emitted token.
    Emit,
    /// Choosing the rows that process a token.
    ProcessToken,
    /// Choosing the attributes of a token that are kept.
    AttributeList,
    /// Finding the namespace to which a prefix is bound.
    NamespaceOf,
    /// Appending an element that is not pushed.
    AppendElement,
    /// Appending characters.
    AppendText,
    /// Appending a comment.
    AppendComment,
    /// Appending a processing instruction.
    AppendProcessingInstruction,
    /// Appending a DOCTYPE.
    AppendDoctype,
    /// Finding the last element of a set among the active formatting elements after the last marker.
    LastFormatting,
    /// Popping the current node.
    PopElement,
    /// Popping elements up to and including one with the token's name.
    PopUntilTokenName,
    /// Popping elements up to and including one of a set.
    PopUntilOneOf,
    /// Popping all elements.
    PopAll,
    /// Popping elements until the current node is in a set.
    ClearBackTo,
    /// Popping foreign elements.
    LeaveForeignContent,
    /// Popping elements up to and including a foreign one with the token's name.
    PopUntilForeignTokenName,
    /// Removing an element from the stack and from the list of active formatting elements.
    RemovePointed,
    /// Recording the end tag of an element that stays open.
    MarkEndTag,
    /// Adding to an element the token's attributes that the element lacks.
    MergeAttributes,
    /// Trimming characters from the ends of the document's text.
    TrimText,
    /// Moving the document's children into one element.
    WrapUnlessSingleElement,
    /// The prescan of the input's bytes for an encoding.
    PrescanEncoding,
    /// Reading an attribute in the prescan.
    GetAttribute,
    /// Reading the encoding of an XML declaration.
    GetXmlEncoding,
    /// Serializing the contents of a node.
    Serialize,
    /// Testing whether an element is serialized without contents.
    SerializesAsVoid,
    /// Finding the serialized name of an attribute.
    SerializedName,
    /// Escaping the characters that are markup.
    Escape,
}

impl Routine {
    /// Returns the name of the variable whose value the algorithm returns at its end without a `return` step, if any.
    pub fn returned_variable(self) -> Option<&'static str> {
        (self == Self::Escape).then_some("string")
    }

    /// Returns the name of the algorithm whose steps precede its own and whose variables it shares, if any.
    pub fn prefix_algorithm(self) -> Option<&'static str> {
        matches!(self, Self::AttachShadowRoot | Self::PatchContent).then_some("template-in-head")
    }
}

impl Construction {
    /// Returns the id of the algorithm in this role; `None` if the table has none.
    pub fn routine(&self, routine: Routine) -> Option<AlgorithmId> {
        let name = crate::vocabulary::algorithm::routine_name(self.elements, routine)?;
        let index = self.algorithms.iter().position(|algorithm| algorithm.name == name)?;
        u8::try_from(index).ok().map(AlgorithmId)
    }

    /// Returns the algorithm with this id.
    pub fn algorithm(&self, id: AlgorithmId) -> &Algorithm {
        &self.algorithms[usize::from(id.0)]
    }
}
