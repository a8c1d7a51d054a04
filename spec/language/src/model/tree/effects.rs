//! The effects of actions and conditions of modes, for analyses that do not execute a table. Each `match` over actions
//! is exhaustive, so that no new one is overlooked.

use super::algorithm::Routine;
use super::{ElementName, Except, ModeId, StepsId, Target, TreeAction, TreeCondition};
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

/// Returns the effects of an action that runs an algorithm.
fn routine_effects<'a>(routine: Routine) -> TreeActionEffects<'a> {
    TreeActionEffects { routine: Some(routine), ..TreeActionEffects::default() }
}

/// Returns the effects of an action for `elements html` that runs an algorithm.
fn html_routine_effects<'a>(routine: Routine) -> TreeActionEffects<'a> {
    TreeActionEffects { requires_html: true, ..routine_effects(routine) }
}

impl TreeAction {
    /// Returns the effects of the action.
    pub fn effects(&self) -> TreeActionEffects<'_> {
        let no_effects = TreeActionEffects::default();
        match self {
            Self::Switch(mode) => {
                TreeActionEffects { flow: TreeFlow::NoEffect, mode: Some(*mode), ..no_effects }
            }
            Self::Ignore => TreeActionEffects { flow: TreeFlow::NoEffect, ..no_effects },
            Self::Error(error) => {
                TreeActionEffects { flow: TreeFlow::NoEffect, error: Some(*error), ..no_effects }
            }
            Self::Reprocess => TreeActionEffects { flow: TreeFlow::End, ..no_effects },
            Self::Stop => {
                TreeActionEffects { flow: TreeFlow::End, ..routine_effects(Routine::PopAll) }
            }
            Self::AsElse => TreeActionEffects { flow: TreeFlow::Else, ..no_effects },
            Self::Using(mode) => TreeActionEffects {
                flow: TreeFlow::Delegate(Some(*mode)),
                mode: Some(*mode),
                ..no_effects
            },
            Self::UsingInsertionMode => {
                TreeActionEffects { flow: TreeFlow::Delegate(None), ..no_effects }
            }
            Self::RunSteps(steps) => {
                TreeActionEffects { flow: TreeFlow::RunSteps(*steps), ..no_effects }
            }
            Self::AdoptionAgency(agency) => TreeActionEffects {
                flow: TreeFlow::MayRunSteps(agency.otherwise),
                error: Some(agency.error),
                sets: vec![&agency.special],
                ..html_routine_effects(Routine::AdoptionAgency)
            },
            Self::PushTemplateMode(mode) | Self::ProcessPending(mode) => {
                TreeActionEffects { mode: Some(*mode), ..no_effects }
            }
            Self::InsertElement => routine_effects(Routine::InsertElement),
            Self::InsertElementOfField(field) => {
                TreeActionEffects { field: Some(*field), ..routine_effects(Routine::InsertElement) }
            }
            Self::AppendField(field) | Self::AppendTextNode(field) => {
                TreeActionEffects { field: Some(*field), ..no_effects }
            }
            Self::AppendDoctype => routine_effects(Routine::AppendDoctype),
            Self::Pop => routine_effects(Routine::PopElement),
            Self::PopUntilTokenName => routine_effects(Routine::PopUntilTokenName),
            Self::TrimText(_) => routine_effects(Routine::TrimText),
            Self::WrapUnlessSingleElement(name) => TreeActionEffects {
                name: Some(name),
                ..routine_effects(Routine::WrapUnlessSingleElement)
            },
            Self::ResetInsertionMode => routine_effects(Routine::ResetInsertionMode),
            Self::InsertNamed(name) => TreeActionEffects {
                name: Some(name),
                ..html_routine_effects(Routine::InsertElement)
            },
            Self::InsertForeign(_) => html_routine_effects(Routine::InsertForeignElement),
            Self::InsertCharacter(_) | Self::InsertPending => {
                html_routine_effects(Routine::InsertCharacter)
            }
            Self::InsertComment(_) => html_routine_effects(Routine::InsertComment),
            Self::InsertProcessingInstruction(_) => {
                html_routine_effects(Routine::InsertProcessingInstruction)
            }
            Self::AdjustTagName(_)
            | Self::AdjustAttributes(_)
            | Self::DetachSecond
            | Self::FosterParenting(_) => TreeActionEffects { requires_html: true, ..no_effects },
            Self::Rename(name) => TreeActionEffects { name: Some(name), ..no_effects },
            Self::PopUntil(names) => TreeActionEffects {
                sets: vec![names],
                ..html_routine_effects(Routine::PopUntilOneOf)
            },
            Self::GenerateEndTags(names, except) => {
                let except =
                    if let Except::Names(except) = except { Some(&except[..]) } else { None };
                let sets = std::iter::once(&names[..]).chain(except).collect();
                TreeActionEffects { sets, ..html_routine_effects(Routine::GenerateEndTags) }
            }
            Self::ClearBackTo(names) => TreeActionEffects {
                sets: vec![names],
                ..html_routine_effects(Routine::ClearBackTo)
            },
            Self::LeaveForeignContent(names) => TreeActionEffects {
                sets: vec![names],
                ..html_routine_effects(Routine::LeaveForeignContent)
            },
            Self::PopUntilForeignTokenName => {
                html_routine_effects(Routine::PopUntilForeignTokenName)
            }
            Self::MergeAttributes(_) => html_routine_effects(Routine::MergeAttributes),
            Self::ReconstructFormatting => html_routine_effects(Routine::ReconstructFormatting),
            Self::PushFormatting => html_routine_effects(Routine::PushFormatting),
            Self::ClearFormatting => routine_effects(Routine::ClearFormatting),
            Self::PointToFormatting(_, names) => {
                TreeActionEffects { sets: vec![names], ..routine_effects(Routine::LastFormatting) }
            }
            Self::RemovePointed(_) => routine_effects(Routine::RemovePointed),
            Self::MarkEndTag => html_routine_effects(Routine::MarkEndTag),
            Self::AttachShadowRoot { hosts, reserved, .. } => TreeActionEffects {
                sets: vec![hosts, reserved],
                ..html_routine_effects(Routine::AttachShadowRoot)
            },
            Self::PatchContent(words) => TreeActionEffects {
                name: Some(&words.body),
                ..html_routine_effects(Routine::PatchContent)
            },
            Self::FinishPatching(names) => TreeActionEffects {
                sets: vec![names],
                ..html_routine_effects(Routine::FinishPatching)
            },
            Self::AppendElement
            | Self::AppendText
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
            | Self::AppendToPending => no_effects,
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
