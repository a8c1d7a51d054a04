//! Properties of actions and conditions of modes, for analyses that do not execute a table. Each `match` is exhaustive,
//! so that no new variant is overlooked.

use super::{ElementName, Except, ModeId, StepsId, Target, TreeAction, TreeCondition};
use crate::model::{ErrorId, FieldId};

/// The effect of an action on the steps after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeFlow {
    /// The following steps run.
    Continue,
    /// The following steps run; the action changes neither the token nor the tree.
    NoEffect,
    /// The following steps do not run: the token is done, or is reprocessed.
    End,
    /// The steps of the `else` row run instead of the following ones.
    Else,
    /// Another mode, or the insertion mode if `None`, processes the token before the following steps run; then the token
    /// is done.
    Delegate(Option<ModeId>),
    /// The steps of this name run before the following ones, unless they end the row.
    RunSteps(StepsId),
    /// The steps of this name may run before the following ones, unless they end the row.
    MayRunSteps(StepsId),
}

/// The operands of an action that checks need.
#[derive(Debug, Default)]
pub struct Operands<'a> {
    /// Error that the action reports.
    pub error: Option<ErrorId>,
    /// Mode that the action names.
    pub mode: Option<ModeId>,
    /// Local name of elements of the table's own namespace.
    pub name: Option<&'a str>,
    /// Sets of element names.
    pub sets: Vec<&'a [ElementName]>,
}

impl TreeAction {
    /// Returns the effect of the action on the steps after it.
    pub fn flow(&self) -> TreeFlow {
        match self {
            Self::Reprocess | Self::Stop => TreeFlow::End,
            Self::AsElse => TreeFlow::Else,
            Self::Using(mode) => TreeFlow::Delegate(Some(*mode)),
            Self::UsingInsertionMode => TreeFlow::Delegate(None),
            Self::RunSteps(steps) => TreeFlow::RunSteps(*steps),
            Self::AdoptionAgency(agency) => TreeFlow::MayRunSteps(agency.otherwise),
            Self::Switch(_) | Self::Ignore | Self::Error(_) => TreeFlow::NoEffect,
            Self::InsertElement
            | Self::AppendElement
            | Self::AppendText
            | Self::InsertElementOfField(_)
            | Self::AppendField(_)
            | Self::AppendTextNode(_)
            | Self::AppendComment(_)
            | Self::AppendProcessingInstruction(_)
            | Self::AppendDoctype
            | Self::Pop
            | Self::PopUntilTokenName
            | Self::TrimText(_)
            | Self::WrapUnlessSingleElement(_)
            | Self::CallHost(_)
            | Self::SwitchOriginal
            | Self::SwitchTemplateMode
            | Self::SetOriginalMode
            | Self::PushTemplateMode(_)
            | Self::PopTemplateMode
            | Self::ResetInsertionMode
            | Self::InsertNamed(_)
            | Self::InsertForeign(_)
            | Self::InsertCharacter(_)
            | Self::InsertComment(_)
            | Self::InsertProcessingInstruction(_)
            | Self::AdjustTagName(_)
            | Self::AdjustAttributes(_)
            | Self::Rename(_)
            | Self::AcknowledgeSelfClosing
            | Self::PopUntil(_)
            | Self::GenerateEndTags(..)
            | Self::ClearBackTo(_)
            | Self::LeaveForeignContent(_)
            | Self::PopUntilForeignTokenName
            | Self::DetachSecond
            | Self::MergeAttributes(_)
            | Self::FosterParenting(_)
            | Self::ReconstructFormatting
            | Self::PushFormatting
            | Self::InsertMarker
            | Self::ClearFormatting
            | Self::Point(_)
            | Self::PointToFormatting(..)
            | Self::PointToContext(_)
            | Self::Unset(_)
            | Self::PushPointed(_)
            | Self::RemovePointed(_)
            | Self::SetFlag(..)
            | Self::SetDocumentMode(_)
            | Self::Tokenizer(_)
            | Self::IgnoreNextLineFeed
            | Self::ClearPending
            | Self::AppendToPending
            | Self::InsertPending
            | Self::ProcessPending(_)
            | Self::MarkEndTag
            | Self::AttachShadowRoot { .. }
            | Self::PatchContent(_)
            | Self::FinishPatching(_) => TreeFlow::Continue,
        }
    }

    /// Returns the steps that the action runs by name.
    pub fn named_steps(&self) -> Option<StepsId> {
        match self.flow() {
            TreeFlow::RunSteps(steps) | TreeFlow::MayRunSteps(steps) => Some(steps),
            TreeFlow::Continue
            | TreeFlow::NoEffect
            | TreeFlow::End
            | TreeFlow::Else
            | TreeFlow::Delegate(_) => None,
        }
    }

    /// Whether the action requires `elements html`.
    pub fn requires_html(&self) -> bool {
        match self {
            Self::InsertNamed(_)
            | Self::InsertForeign(_)
            | Self::InsertCharacter(_)
            | Self::InsertComment(_)
            | Self::InsertProcessingInstruction(_)
            | Self::AdjustTagName(_)
            | Self::AdjustAttributes(_)
            | Self::PopUntil(_)
            | Self::GenerateEndTags(..)
            | Self::ClearBackTo(_)
            | Self::LeaveForeignContent(_)
            | Self::PopUntilForeignTokenName
            | Self::DetachSecond
            | Self::MergeAttributes(_)
            | Self::FosterParenting(_)
            | Self::ReconstructFormatting
            | Self::PushFormatting
            | Self::AdoptionAgency(_)
            | Self::InsertPending
            | Self::MarkEndTag
            | Self::AttachShadowRoot { .. }
            | Self::PatchContent(_)
            | Self::FinishPatching(_) => true,
            Self::Switch(_)
            | Self::Reprocess
            | Self::Using(_)
            | Self::Ignore
            | Self::AsElse
            | Self::Stop
            | Self::Error(_)
            | Self::InsertElement
            | Self::AppendElement
            | Self::AppendText
            | Self::InsertElementOfField(_)
            | Self::AppendField(_)
            | Self::AppendTextNode(_)
            | Self::AppendComment(_)
            | Self::AppendProcessingInstruction(_)
            | Self::AppendDoctype
            | Self::Pop
            | Self::PopUntilTokenName
            | Self::TrimText(_)
            | Self::WrapUnlessSingleElement(_)
            | Self::CallHost(_)
            | Self::RunSteps(_)
            | Self::SwitchOriginal
            | Self::SwitchTemplateMode
            | Self::SetOriginalMode
            | Self::UsingInsertionMode
            | Self::PushTemplateMode(_)
            | Self::PopTemplateMode
            | Self::ResetInsertionMode
            | Self::Rename(_)
            | Self::AcknowledgeSelfClosing
            | Self::InsertMarker
            | Self::ClearFormatting
            | Self::Point(_)
            | Self::PointToFormatting(..)
            | Self::PointToContext(_)
            | Self::Unset(_)
            | Self::PushPointed(_)
            | Self::RemovePointed(_)
            | Self::SetFlag(..)
            | Self::SetDocumentMode(_)
            | Self::Tokenizer(_)
            | Self::IgnoreNextLineFeed
            | Self::ClearPending
            | Self::AppendToPending
            | Self::ProcessPending(_) => false,
        }
    }

    /// Returns the operands of the action.
    pub fn operands(&self) -> Operands<'_> {
        fn with_sets(sets: Vec<&[ElementName]>) -> Operands<'_> {
            Operands { sets, ..Operands::default() }
        }
        let none = Operands::default();
        match self {
            Self::Error(error) => Operands { error: Some(*error), ..none },
            Self::Switch(mode)
            | Self::Using(mode)
            | Self::PushTemplateMode(mode)
            | Self::ProcessPending(mode) => Operands { mode: Some(*mode), ..none },
            Self::WrapUnlessSingleElement(name) | Self::InsertNamed(name) | Self::Rename(name) => {
                Operands { name: Some(name), ..none }
            }
            Self::PatchContent(words) => Operands { name: Some(&words.body), ..none },
            Self::PopUntil(names)
            | Self::ClearBackTo(names)
            | Self::LeaveForeignContent(names)
            | Self::PointToFormatting(_, names)
            | Self::FinishPatching(names)
            | Self::GenerateEndTags(names, Except::Nothing | Except::TokenName) => {
                with_sets(vec![names])
            }
            Self::GenerateEndTags(names, Except::Names(except)) => with_sets(vec![names, except]),
            Self::AdoptionAgency(agency) => {
                Operands { error: Some(agency.error), sets: vec![&agency.special], ..none }
            }
            Self::AttachShadowRoot { hosts, reserved, .. } => with_sets(vec![hosts, reserved]),
            Self::Reprocess
            | Self::Ignore
            | Self::AsElse
            | Self::Stop
            | Self::InsertElement
            | Self::AppendElement
            | Self::AppendText
            | Self::InsertElementOfField(_)
            | Self::AppendField(_)
            | Self::AppendTextNode(_)
            | Self::AppendComment(_)
            | Self::AppendProcessingInstruction(_)
            | Self::AppendDoctype
            | Self::Pop
            | Self::PopUntilTokenName
            | Self::TrimText(_)
            | Self::CallHost(_)
            | Self::RunSteps(_)
            | Self::SwitchOriginal
            | Self::SwitchTemplateMode
            | Self::SetOriginalMode
            | Self::UsingInsertionMode
            | Self::PopTemplateMode
            | Self::ResetInsertionMode
            | Self::InsertForeign(_)
            | Self::InsertCharacter(_)
            | Self::InsertComment(_)
            | Self::InsertProcessingInstruction(_)
            | Self::AdjustTagName(_)
            | Self::AdjustAttributes(_)
            | Self::AcknowledgeSelfClosing
            | Self::PopUntilForeignTokenName
            | Self::DetachSecond
            | Self::MergeAttributes(_)
            | Self::FosterParenting(_)
            | Self::ReconstructFormatting
            | Self::PushFormatting
            | Self::InsertMarker
            | Self::ClearFormatting
            | Self::Point(_)
            | Self::PointToContext(_)
            | Self::Unset(_)
            | Self::PushPointed(_)
            | Self::RemovePointed(_)
            | Self::SetFlag(..)
            | Self::SetDocumentMode(_)
            | Self::Tokenizer(_)
            | Self::IgnoreNextLineFeed
            | Self::ClearPending
            | Self::AppendToPending
            | Self::InsertPending
            | Self::MarkEndTag => none,
        }
    }

    /// Returns the field of a token that the action reads.
    pub fn field(&self) -> Option<FieldId> {
        if let Self::InsertElementOfField(field)
        | Self::AppendField(field)
        | Self::AppendTextNode(field) = self
        {
            Some(*field)
        } else {
            None
        }
    }

    /// Returns the error that the action reports.
    pub fn error(&self) -> Option<ErrorId> {
        self.operands().error
    }

    /// Returns the modes that the action names.
    pub fn modes(&self) -> impl Iterator<Item = ModeId> {
        self.operands().mode.into_iter()
    }

    /// Returns the local name of elements of the table's own namespace that the action names, and its sets of element
    /// names.
    pub fn elements(&self) -> (Option<&str>, Vec<&[ElementName]>) {
        let Operands { name, sets, .. } = self.operands();
        (name, sets)
    }
}

impl TreeCondition {
    /// Returns the simple conditions that the condition consists of.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Not(inner) => inner.parts(),
            Self::All(parts) => parts.iter().flat_map(Self::parts).collect(),
            Self::CurrentIs(_)
            | Self::CurrentIsTokenName
            | Self::Open(_)
            | Self::OpenTokenName
            | Self::AboveTokenName(_)
            | Self::StackIsEmpty
            | Self::InScope(..)
            | Self::CurrentIsPointed(_)
            | Self::CurrentIsTokenNameIgnoringCase
            | Self::SecondIs(_)
            | Self::OpenOtherThan(_)
            | Self::ForeignOpenTokenName
            | Self::AdjustedCurrentIs(_)
            | Self::AdjustedCurrentIn(_)
            | Self::AdjustedCurrentIsForeign
            | Self::AdjustedCurrentIsIntegrationPoint
            | Self::AdjustedCurrentIsRoot
            | Self::IsFragment
            | Self::ContextIs(_)
            | Self::IsLast
            | Self::TokenAttribute(_)
            | Self::TokenAttributeIs(..)
            | Self::SelfClosing
            | Self::FieldIs(..)
            | Self::IsSet(_)
            | Self::FormattingHas(_)
            | Self::FlagIs(..)
            | Self::DocumentModeIs(_)
            | Self::DoctypeIs(_)
            | Self::HasTemplateMode
            | Self::PendingOtherThan(_) => vec![self],
        }
    }

    /// Returns the field that a simple condition tests.
    pub fn field(&self) -> Option<FieldId> {
        if let Self::FieldIs(field, _) = self { Some(*field) } else { None }
    }

    /// Returns the set of element names of a simple condition.
    pub fn elements(&self) -> Option<&[ElementName]> {
        match self {
            Self::CurrentIs(names)
            | Self::Open(names)
            | Self::AboveTokenName(names)
            | Self::InScope(_, Target::Names(names))
            | Self::SecondIs(names)
            | Self::OpenOtherThan(names)
            | Self::AdjustedCurrentIs(names)
            | Self::ContextIs(names)
            | Self::FormattingHas(names) => Some(names),
            Self::InScope(_, Target::TokenName | Target::Pointed(_)) => None,
            // The conditions inside have sets of their own.
            Self::Not(_) | Self::All(_) => None,
            Self::CurrentIsTokenName
            | Self::OpenTokenName
            | Self::StackIsEmpty
            | Self::CurrentIsPointed(_)
            | Self::CurrentIsTokenNameIgnoringCase
            | Self::ForeignOpenTokenName
            | Self::AdjustedCurrentIn(_)
            | Self::AdjustedCurrentIsForeign
            | Self::AdjustedCurrentIsIntegrationPoint
            | Self::AdjustedCurrentIsRoot
            | Self::IsFragment
            | Self::IsLast
            | Self::TokenAttribute(_)
            | Self::TokenAttributeIs(..)
            | Self::SelfClosing
            | Self::FieldIs(..)
            | Self::IsSet(_)
            | Self::FlagIs(..)
            | Self::DocumentModeIs(_)
            | Self::DoctypeIs(_)
            | Self::HasTemplateMode
            | Self::PendingOtherThan(_) => None,
        }
    }
}
