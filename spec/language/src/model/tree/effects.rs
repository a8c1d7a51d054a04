//! The effects of actions and conditions of modes, for analyses that do not execute a table. Each `match` over actions
//! is exhaustive, so that no new one is overlooked.

use super::algorithm::Routine;
use super::{ElementName, Except, ModeId, StepsId, Target, TreeAction, TreeCondition};
use crate::model::effects::setters;
use crate::model::{ErrorId, FieldId};

/// The effect of an action on the steps after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeFlow {
    /// The following steps run.
    #[default]
    Continue,
    /// The following steps run; the action changes neither the token nor the tree.
    NoEffect,
    /// The following steps do not run: the token is done, or is reprocessed.
    End,
    /// The steps of the `else` row run instead of the following ones.
    Else,
    /// Another mode, or the insertion mode if `None`, processes the token before the following steps run; then the
    /// token is done, or is reprocessed.
    Delegate(Option<ModeId>),
    /// These named steps run first; unless they end the row, the following steps run next.
    RunSteps(StepsId),
    /// These named steps may run first; unless they end the row, the following steps run next.
    MayRunSteps(StepsId),
}

/// The effects of an action of a mode, and the operands that checks need.
#[derive(Debug, Default)]
pub struct TreeActionEffects<'a> {
    /// Effect on the steps after the action.
    pub flow: TreeFlow,
    /// Whether the action requires `elements html`.
    pub requires_html: bool,
    /// Algorithm that the action runs in a table with `elements html`, if any.
    pub routine: Option<Routine>,
    /// Error that the action reports, if any.
    pub error: Option<ErrorId>,
    /// Mode that the action names, if any.
    pub mode: Option<ModeId>,
    /// Field of a token that the action reads, if any.
    pub field: Option<FieldId>,
    /// Local name that the action gives to, or expects of, elements in the table's own namespace, if any.
    pub name: Option<&'a str>,
    /// Sets of element names that the action names.
    pub sets: Vec<&'a [ElementName]>,
}

setters! {
    TreeActionEffects<'a>
    flow: TreeFlow, requires_html: bool;
    routine: Routine, error: ErrorId, mode: ModeId, field: FieldId, name: &'a str,
}

impl<'a> TreeActionEffects<'a> {
    /// Sets the algorithm of an action for `elements html`.
    fn html_routine(self, routine: Routine) -> Self {
        self.requires_html(true).routine(routine)
    }

    /// Adds a set of element names.
    fn set(mut self, names: &'a [ElementName]) -> Self {
        self.sets.push(names);
        self
    }
}

impl TreeAction {
    /// Returns the effects of the action.
    pub fn effects(&self) -> TreeActionEffects<'_> {
        let effects = TreeActionEffects::default();
        match self {
            Self::Switch(mode) => effects.flow(TreeFlow::NoEffect).mode(*mode),
            Self::Ignore => effects.flow(TreeFlow::NoEffect),
            Self::Error(error) => effects.flow(TreeFlow::NoEffect).error(*error),
            Self::Reprocess => effects.flow(TreeFlow::End),
            Self::Stop => effects.flow(TreeFlow::End).routine(Routine::PopAll),
            Self::AsElse => effects.flow(TreeFlow::Else),
            Self::Using(mode) => effects.flow(TreeFlow::Delegate(Some(*mode))).mode(*mode),
            Self::UsingInsertionMode => effects.flow(TreeFlow::Delegate(None)),
            Self::RunSteps(steps) => effects.flow(TreeFlow::RunSteps(*steps)),
            Self::AdoptionAgency(agency) => effects
                .flow(TreeFlow::MayRunSteps(agency.otherwise))
                .error(agency.error)
                .set(&agency.special)
                .html_routine(Routine::AdoptionAgency),
            Self::PushTemplateMode(mode) | Self::ProcessPending(mode) => effects.mode(*mode),
            Self::InsertElement => effects.routine(Routine::InsertElement),
            Self::InsertElementOfField(field) => {
                effects.field(*field).routine(Routine::InsertElement)
            }
            Self::AppendField(field) | Self::AppendTextNode(field) => effects.field(*field),
            Self::AppendDoctype => effects.routine(Routine::AppendDoctype),
            Self::Pop => effects.routine(Routine::PopElement),
            Self::PopUntilTokenName => effects.routine(Routine::PopUntilTokenName),
            Self::ResetInsertionMode => effects.routine(Routine::ResetInsertionMode),
            Self::InsertNamed(name) => effects.name(name).html_routine(Routine::InsertElement),
            Self::InsertForeign(_) => effects.html_routine(Routine::InsertForeignElement),
            Self::InsertCharacter(_) | Self::InsertPending => {
                effects.html_routine(Routine::InsertCharacter)
            }
            Self::InsertComment(_) => effects.html_routine(Routine::InsertComment),
            Self::InsertProcessingInstruction(_) => {
                effects.html_routine(Routine::InsertProcessingInstruction)
            }
            Self::AdjustTagName(_)
            | Self::AdjustAttributes(_)
            | Self::DetachSecond
            | Self::FosterParenting(_) => effects.requires_html(true),
            Self::Rename(name) | Self::WrapUnlessSingleElement(name) => effects.name(name),
            Self::PopUntil(names) => effects.set(names).html_routine(Routine::PopUntilOneOf),
            Self::GenerateEndTags(names, except) => {
                let effects = effects.set(names).html_routine(Routine::GenerateEndTags);
                if let Except::Names(except) = except { effects.set(except) } else { effects }
            }
            Self::ClearBackTo(names) => effects.set(names).html_routine(Routine::ClearBackTo),
            Self::LeaveForeignContent(names) => {
                effects.set(names).html_routine(Routine::LeaveForeignContent)
            }
            Self::PopUntilForeignTokenName => {
                effects.html_routine(Routine::PopUntilForeignTokenName)
            }
            Self::MergeAttributes(_) => effects.html_routine(Routine::MergeAttributes),
            Self::ReconstructFormatting => effects.html_routine(Routine::ReconstructFormatting),
            Self::PushFormatting => effects.html_routine(Routine::PushFormatting),
            Self::ClearFormatting => effects.routine(Routine::ClearFormatting),
            Self::PointToFormatting(_, names) => {
                effects.set(names).routine(Routine::LastFormatting)
            }
            Self::RemovePointed(_) => effects.routine(Routine::RemovePointed),
            Self::MarkEndTag => effects.html_routine(Routine::MarkEndTag),
            Self::AttachShadowRoot { hosts, reserved, .. } => {
                effects.set(hosts).set(reserved).html_routine(Routine::AttachShadowRoot)
            }
            Self::PatchContent(words) => {
                effects.name(&words.body).html_routine(Routine::PatchContent)
            }
            Self::FinishPatching(names) => effects.set(names).html_routine(Routine::FinishPatching),
            Self::AppendElement
            | Self::AppendText
            | Self::TrimText(_)
            | Self::AppendComment(_)
            | Self::AppendProcessingInstruction(_)
            | Self::CallHost(_)
            | Self::SwitchOriginal
            | Self::SwitchTemplateMode
            | Self::SetOriginalMode
            | Self::PopTemplateMode
            | Self::AcknowledgeSelfClosing
            | Self::InsertMarker
            | Self::Point(_)
            | Self::PointToContext(_)
            | Self::Unset(_)
            | Self::PushPointed(_)
            | Self::SetFlag(..)
            | Self::SetDocumentMode(_)
            | Self::Tokenizer(_)
            | Self::IgnoreNextLineFeed
            | Self::ClearPending
            | Self::AppendToPending => effects,
        }
    }

    /// Returns the effect of the action on the steps after it.
    pub fn flow(&self) -> TreeFlow {
        self.effects().flow
    }

    /// Returns the named steps that the action runs or may run, if any.
    pub fn named_steps(&self) -> Option<StepsId> {
        if let TreeFlow::RunSteps(steps) | TreeFlow::MayRunSteps(steps) = self.flow() {
            Some(steps)
        } else {
            None
        }
    }
}

impl TreeCondition {
    /// Returns the conditions inside negations and conjunctions, at any depth; for any other condition, the condition
    /// itself.
    pub fn parts(&self) -> Vec<&Self> {
        if let Self::Not(inner) = self {
            inner.parts()
        } else if let Self::All(parts) = self {
            parts.iter().flat_map(Self::parts).collect()
        } else {
            vec![self]
        }
    }

    /// Returns the field that a simple condition tests, if any.
    pub fn field(&self) -> Option<FieldId> {
        if let Self::FieldIs(field, _) = self { Some(*field) } else { None }
    }

    /// Returns the set of element names that a simple condition tests, if any.
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
            // Negations and conjunctions test no set themselves; the conditions inside them may.
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
