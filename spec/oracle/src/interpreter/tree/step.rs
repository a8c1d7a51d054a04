//! Execution of actions of modes. The `match` is exhaustive, so that no action lacks an effect by oversight.

use super::algorithm::{Invocation, Value};
use super::{Flow, NodeId, TokenView, TreeBuilder, node};
use crate::interpreter::{Span, Token};
use tabulex_language::model::tree::algorithm::{FragmentRows, Routine};
use tabulex_language::model::tree::{
    ElementRow, Elements, InsertedNamespace, ModeId, Parent, StackPlace, TreeAction, TreeStep,
};

impl TreeBuilder<'_> {
    /// Runs an action.
    pub(super) fn act(&mut self, mode: ModeId, action: &TreeAction, seen: &TokenView<'_>) -> Flow {
        match action {
            TreeAction::Switch(mode) => self.mode = *mode,
            TreeAction::Reprocess => return Flow::Again,
            TreeAction::Using(lender) => return Flow::Lent(*lender),
            TreeAction::UsingInsertionMode => return Flow::Lent(self.mode),
            // Ignoring has no effect.
            TreeAction::Ignore => {}
            TreeAction::AsElse => return self.as_else(mode, seen),
            TreeAction::Stop => {
                self.just(Routine::PopAll, seen);
                self.has_stopped = true;
                return Flow::Done;
            }
            TreeAction::Error(error) => self.errors.push((*error, seen.span())),
            TreeAction::InsertElement => self.insert_element(seen),
            TreeAction::AppendElement => self.append_element(seen),
            TreeAction::AppendText => self.just(Routine::AppendText, seen),
            TreeAction::AppendField(field) => self.append_field(seen, *field),
            TreeAction::AppendTextNode(field) => self.append_text_node(seen, *field),
            TreeAction::InsertElementOfField(field) => self.insert_element_of_field(seen, *field),
            TreeAction::AppendComment(parent) => {
                if let TokenView::Token(Token::Comment { .. }) = seen {
                    self.append_to(Routine::AppendComment, *parent, seen);
                }
            }
            TreeAction::AppendProcessingInstruction(parent) => {
                if let TokenView::Token(Token::ProcessingInstruction { .. }) = seen {
                    self.append_to(Routine::AppendProcessingInstruction, *parent, seen);
                }
            }
            TreeAction::AppendDoctype => {
                if let TokenView::Token(Token::Doctype(_)) = seen {
                    self.just(Routine::AppendDoctype, seen);
                }
            }
            TreeAction::Pop => self.just(Routine::PopElement, seen),
            TreeAction::PopUntilTokenName => self.just(Routine::PopUntilTokenName, seen),
            TreeAction::TrimText(set) => {
                let asked = Invocation { trimmed: Some(set), ..Invocation::of(seen) };
                self.routine(Routine::TrimText, Vec::new(), &asked);
            }
            TreeAction::WrapUnlessSingleElement(name) => {
                // The element is not created for a token.
                let nothing = TokenView::Character('\0', Span::default());
                let given = vec![Value::Text(name.clone())];
                self.untagged(Routine::WrapUnlessSingleElement, given, &Invocation::of(&nothing));
            }
            TreeAction::CallHost(word) => {
                let current = self.current_node(seen).unwrap_or(0);
                let node = self.popped.unwrap_or(current);
                self.calls.push((word.clone(), node));
            }
            TreeAction::Take(steps) => {
                let construction = self.construction;
                return self.take(mode, &construction.steps[usize::from(steps.0)].steps, seen);
            }
            TreeAction::AdoptionAgency(agency) => return self.adopt(mode, agency, seen),
            TreeAction::ResetInsertionMode => self.just(Routine::ResetInsertionMode, seen),
            TreeAction::ProcessPending(mode) => self.process_pending(*mode),
            TreeAction::SwitchOriginal => self.mode = self.original_mode.unwrap_or(self.mode),
            TreeAction::SwitchTemplateMode => {
                self.mode = self.template_modes.last().copied().unwrap_or(self.mode);
            }
            TreeAction::SetOriginalMode => self.original_mode = Some(self.mode),
            TreeAction::PushTemplateMode(mode) => self.template_modes.push(*mode),
            TreeAction::PopTemplateMode => {
                self.template_modes.pop();
            }
            TreeAction::InsertNamed(local) => self.insert_named(local, seen),
            TreeAction::InsertForeign(namespace) => self.insert_foreign(*namespace, seen),
            TreeAction::InsertCharacter(instead) => {
                if let TokenView::Character(character, span) = seen {
                    self.insert_character(instead.unwrap_or(*character), *span, seen);
                }
            }
            TreeAction::InsertComment(place) | TreeAction::InsertProcessingInstruction(place) => {
                self.insert_other(seen, *place);
            }
            TreeAction::AdjustTagName(table) => self.adjust_tag_name(*table),
            TreeAction::AdjustAttributes(table) => self.adjust_attributes(*table),
            TreeAction::Rename(name) => {
                if let Some(tag) = &mut self.tag {
                    tag.name.clone_from(name);
                }
            }
            TreeAction::AcknowledgeSelfClosing => {
                if let Some(tag) = &mut self.tag {
                    tag.is_acknowledged = true;
                }
            }
            TreeAction::MergeAttributes(place) => {
                let at = usize::from(*place == StackPlace::Second);
                let element = self.open.get(at).map(|&node| Value::Node(node));
                self.given(Routine::MergeAttributes, element, seen);
            }
            TreeAction::FosterParenting(is_enabled) => self.is_fostering = *is_enabled,
            TreeAction::SetFlag(flag, value) => self.flags[usize::from(flag.0)] = *value,
            TreeAction::SetDocumentMode(mode) => self.document_mode = *mode,
            TreeAction::Tokenizer(word) => self.feedback = Some(*word),
            TreeAction::IgnoreNextLineFeed => self.ignores_line_feed = true,
            TreeAction::ClearPending => self.pending.clear(),
            TreeAction::AppendToPending => {
                if let TokenView::Character(character, span) = seen {
                    self.pending.push((*character, *span));
                }
            }
            TreeAction::InsertPending => {
                for (character, span) in std::mem::take(&mut self.pending) {
                    self.insert_character(character, span, seen);
                }
            }
            TreeAction::AttachShadowRoot { hosts, reserved, .. } => {
                let asked = Invocation { hosts: [hosts, reserved], ..Invocation::of(seen) };
                self.routine(Routine::AttachShadowRoot, Vec::new(), &asked);
            }
            TreeAction::PatchContent(patching) => {
                let asked = Invocation { patching: Some(patching), ..Invocation::of(seen) };
                self.routine(Routine::PatchContent, Vec::new(), &asked);
            }
            TreeAction::FinishPatching(_) => self.just(Routine::FinishPatching, seen),
            TreeAction::PopUntil(names) => {
                self.given(Routine::PopUntilOneOf, Some(Value::Names(names.clone())), seen);
            }
            TreeAction::GenerateEndTags(names, except) => {
                self.generate_end_tags(names, except, seen);
            }
            TreeAction::ClearBackTo(names) => {
                self.given(Routine::ClearBackTo, Some(Value::Names(names.clone())), seen);
            }
            TreeAction::LeaveForeignContent(names) => {
                self.given(Routine::LeaveForeignContent, Some(Value::Names(names.clone())), seen);
            }
            TreeAction::PopUntilForeignTokenName => {
                self.just(Routine::PopUntilForeignTokenName, seen);
            }
            TreeAction::DetachSecond => {
                if let Some(&second) = self.open.get(1) {
                    self.tree.detach(second);
                }
            }
            TreeAction::ReconstructFormatting => self.just(Routine::ReconstructFormatting, seen),
            TreeAction::PushFormatting => {
                let current = Value::Node(self.current_node(seen).unwrap_or(0));
                self.routine(Routine::PushFormatting, vec![current], &Invocation::of(seen));
            }
            TreeAction::InsertMarker => self.push_entry(None),
            TreeAction::ClearFormatting => self.just(Routine::ClearFormatting, seen),
            TreeAction::Point(pointer) => {
                self.pointers[usize::from(pointer.0)] = self.open.last().copied();
            }
            TreeAction::PointToFormatting(pointer, names) => {
                self.pointers[usize::from(pointer.0)] = self.last_formatting(names, seen);
            }
            TreeAction::PointToContext(pointer) => {
                self.pointers[usize::from(pointer.0)] = self.context;
            }
            TreeAction::Unset(pointer) => self.pointers[usize::from(pointer.0)] = None,
            TreeAction::PushPointed(pointer) => self.open.extend(self.pointed(*pointer)),
            TreeAction::RemovePointed(pointer) => {
                self.given(Routine::RemovePointed, self.pointed(*pointer).map(Value::Node), seen);
            }
            TreeAction::MarkEndTag => self.just(Routine::MarkEndTag, seen),
        }
        Flow::On
    }

    fn insert_element(&mut self, seen: &TokenView<'_>) {
        if self.construction.elements == Elements::Html {
            self.insert_for_tag(seen);
        } else if seen.tag().is_some() {
            let asked = Invocation { error: self.construction.left_out, ..Invocation::of(seen) };
            self.routine(Routine::InsertElement, Vec::new(), &asked);
        }
    }

    fn append_element(&mut self, seen: &TokenView<'_>) {
        if self.construction.elements == Elements::Html {
            self.insert_for_tag(seen);
            self.open.pop();
        } else if seen.tag().is_some() {
            let asked = Invocation { error: self.construction.left_out, ..Invocation::of(seen) };
            self.routine(Routine::AppendElement, Vec::new(), &asked);
        }
    }

    fn append_to(&mut self, routine: Routine, parent: Parent, seen: &TokenView<'_>) {
        let parent = match parent {
            Parent::Current => self.current_node(seen).unwrap_or(0),
            Parent::Document => 0,
        };
        self.routine(routine, vec![Value::Node(parent)], &Invocation::of(seen));
    }

    /// Runs an algorithm without arguments.
    fn just(&mut self, routine: Routine, seen: &TokenView<'_>) {
        self.routine(routine, Vec::new(), &Invocation::of(seen));
    }

    /// Runs an algorithm with an argument, if that is there.
    fn given(&mut self, routine: Routine, value: Option<Value>, seen: &TokenView<'_>) {
        if let Some(value) = value {
            self.routine(routine, vec![value], &Invocation::of(seen));
        }
    }

    fn insert_foreign(&mut self, namespace: InsertedNamespace, seen: &TokenView<'_>) {
        use tabulex_language::model::tree::Namespace;
        let adjusted = self.adjusted_current(seen).and_then(|node| self.tree.name(node));
        let namespace = match namespace {
            InsertedNamespace::Svg => node::url(Namespace::Svg).to_owned(),
            InsertedNamespace::Math => node::url(Namespace::Math).to_owned(),
            InsertedNamespace::AdjustedCurrent => {
                adjusted.map(|name| name.namespace.clone()).unwrap_or_default()
            }
        };
        self.insert_foreign_for_tag(&namespace, seen);
    }

    /// Processes each pending character by the `else` row of the mode.
    pub(super) fn process_pending(&mut self, mode: ModeId) {
        for (character, span) in std::mem::take(&mut self.pending) {
            self.as_else(mode, &TokenView::Character(character, span));
        }
    }

    /// Runs the rows of `fragment` of one kind that match the element, or for the nearest match, one of its ancestors.
    pub(super) fn take_fragment(
        &mut self,
        wanted: FragmentRows,
        node: NodeId,
        seen: &TokenView<'_>,
    ) {
        let construction = self.construction;
        let Some(fragment) = &construction.fragment else { return };
        for row in &fragment.rows {
            if kind_of(row) != wanted {
                continue;
            }
            let mut takes = self.is_one_of(node, &row.names);
            let mut around = self.at(node).parent.filter(|_| row.is_of_nearest());
            while let Some(node) = around.filter(|_| !takes) {
                takes = self.is_one_of(node, &row.names);
                around = self.at(node).parent;
            }
            if takes && row.guard.as_ref().is_none_or(|guard| self.holds(&guard.value, seen)) {
                self.take(self.mode, &row.steps, seen);
            }
        }
    }

    /// Runs the first row of `reset` that matches the element. Returns whether there is one.
    pub(super) fn take_reset(&mut self, node: NodeId, is_last: bool, seen: &TokenView<'_>) -> bool {
        let construction = self.construction;
        let Some(reset) = &construction.reset else { return false };
        self.is_last = is_last;
        let takes = |row: &&ElementRow| {
            let is_named = match &row.names[..] {
                [] => is_last,
                names => self.is_one_of(node, names),
            };
            is_named && row.guard.as_ref().is_none_or(|guard| self.holds(&guard.value, seen))
        };
        let found = reset.rows.iter().find(takes);
        self.is_last = false;
        if let Some(row) = found {
            self.take(self.mode, &row.steps, seen);
        }
        found.is_some()
    }
}

/// Returns the kind of a row of `fragment`.
fn kind_of(row: &ElementRow) -> FragmentRows {
    let actions = TreeStep::actions(&row.steps);
    let pushes = |action: &&TreeAction| matches!(action, TreeAction::PushTemplateMode(_));
    match actions.iter().any(pushes) {
        _ if row.is_of_nearest() => FragmentRows::Pointers,
        true => FragmentRows::TemplateModes,
        false => FragmentRows::Tokenizer,
    }
}
