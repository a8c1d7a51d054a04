//! Executes the actions of modes. The `match` is exhaustive, so that code with a forgotten action does not compile.

use super::algorithm::{Invocation, Value};
use super::{Flow, NodeId, TokenView, TreeBuilder, node};
use crate::interpreter::Token;
use tabulex_language::model::tree::algorithm::{FragmentRows, Routine};
use tabulex_language::model::tree::{
    ElementRow, Elements, InsertedNamespace, ModeId, Parent, StackPlace, TreeAction, TreeStep,
};

impl TreeBuilder<'_> {
    pub(super) fn run_action(
        &mut self,
        mode: ModeId,
        action: &TreeAction,
        view: &TokenView<'_>,
    ) -> Flow {
        match action {
            TreeAction::Switch(mode) => self.mode = *mode,
            TreeAction::Reprocess => return Flow::Reprocess,
            TreeAction::Using(lender) => return Flow::Delegate(*lender),
            TreeAction::UsingInsertionMode => return Flow::Delegate(self.mode),
            TreeAction::Ignore => {}
            TreeAction::AsElse => return self.run_else_row(mode, view),
            TreeAction::Stop => {
                self.run_without_arguments(Routine::PopAll, view);
                self.has_stopped = true;
                return Flow::Done;
            }
            TreeAction::Error(error) => self.errors.push((*error, view.span())),
            TreeAction::InsertElement => self.insert_element(view),
            TreeAction::AppendElement => self.append_element(view),
            TreeAction::AppendText => self.append_characters(view),
            TreeAction::AppendField(field) => self.append_field(view, *field),
            TreeAction::AppendTextNode(field) => self.append_text_node(view, *field),
            TreeAction::InsertElementOfField(field) => self.insert_element_of_field(view, *field),
            TreeAction::AppendComment(parent) => {
                if let TokenView::Token(Token::Comment { .. }) = view {
                    self.append_to_parent(Routine::AppendComment, *parent, view);
                }
            }
            TreeAction::AppendProcessingInstruction(parent) => {
                if let TokenView::Token(Token::ProcessingInstruction { .. }) = view {
                    self.append_to_parent(Routine::AppendProcessingInstruction, *parent, view);
                }
            }
            TreeAction::AppendDoctype => {
                if let TokenView::Token(Token::Doctype(_)) = view {
                    self.run_without_arguments(Routine::AppendDoctype, view);
                }
            }
            TreeAction::Pop
            | TreeAction::PopUntilTokenName
            | TreeAction::PopUntilForeignTokenName
            | TreeAction::ResetInsertionMode
            | TreeAction::ReconstructFormatting
            | TreeAction::ClearFormatting
            | TreeAction::MarkEndTag
            | TreeAction::AttachShadowRoot { .. }
            | TreeAction::PatchContent(_)
            | TreeAction::GenerateEndTags(..)
            | TreeAction::FinishPatching(_) => {
                self.run_routine_of(action, Vec::new(), view);
            }
            TreeAction::PopUntil(names)
            | TreeAction::ClearBackTo(names)
            | TreeAction::LeaveForeignContent(names) => {
                self.run_routine_of(action, vec![Value::Names(names.clone())], view);
            }
            TreeAction::TrimText(set) => self.trim_text(set),
            TreeAction::WrapUnlessSingleElement(name) => self.wrap_unless_single_element(name),
            TreeAction::CallHost(word) => {
                let current = self.current_node(view).unwrap_or(0);
                let node = self.popped.unwrap_or(current);
                self.calls.push((word.clone(), node));
            }
            TreeAction::RunSteps(steps) => {
                let construction = self.construction;
                return self.run_row_steps(mode, &construction.named_steps(*steps).steps, view);
            }
            TreeAction::AdoptionAgency(_) => {
                let construction = self.construction;
                let result = self.run_routine_of(action, self.tag_argument(), view);
                if let Value::Steps(steps) = result {
                    return self.run_row_steps(mode, &construction.named_steps(steps).steps, view);
                }
            }
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
            TreeAction::InsertNamed(local) => self.insert_named(local, view),
            TreeAction::InsertForeign(namespace) => self.insert_foreign(*namespace, view),
            TreeAction::InsertCharacter(instead) => {
                if let TokenView::Character(character, span) = view {
                    self.insert_character(instead.unwrap_or(*character), *span, view);
                }
            }
            TreeAction::InsertComment(insertion)
            | TreeAction::InsertProcessingInstruction(insertion) => {
                self.insert_comment_or_instruction(view, *insertion);
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
                let index = usize::from(*place == StackPlace::Second);
                let element = self.open.get(index).map(|&node| Value::Node(node));
                self.run_with_argument(Routine::MergeAttributes, element, view);
            }
            TreeAction::FosterParenting(is_enabled) => self.is_fostering = *is_enabled,
            TreeAction::SetFlag(flag, value) => self.flags[usize::from(flag.0)] = *value,
            TreeAction::SetDocumentMode(mode) => self.document_mode = *mode,
            TreeAction::Tokenizer(word) => self.feedback = Some(*word),
            TreeAction::IgnoreNextLineFeed => self.ignores_line_feed = true,
            TreeAction::ClearPending => self.pending.clear(),
            TreeAction::AppendToPending => {
                if let TokenView::Character(character, span) = view {
                    self.pending.push((*character, *span));
                }
            }
            TreeAction::InsertPending => {
                for (character, span) in std::mem::take(&mut self.pending) {
                    self.insert_character(character, span, view);
                }
            }
            TreeAction::DetachSecond => {
                if let Some(&second) = self.open.get(1) {
                    self.tree.detach(second);
                }
            }
            TreeAction::PushFormatting => {
                let current = Value::Node(self.current_node(view).unwrap_or(0));
                self.run_routine(Routine::PushFormatting, vec![current], &Invocation::new(view));
            }
            TreeAction::InsertMarker => self.push_entry(None),
            TreeAction::Point(pointer) => {
                self.pointers[usize::from(pointer.0)] = self.open.last().copied();
            }
            TreeAction::PointToFormatting(pointer, names) => {
                self.pointers[usize::from(pointer.0)] = self.last_formatting(names, view);
            }
            TreeAction::PointToContext(pointer) => {
                self.pointers[usize::from(pointer.0)] = self.context;
            }
            TreeAction::Unset(pointer) => self.pointers[usize::from(pointer.0)] = None,
            TreeAction::PushPointed(pointer) => self.open.extend(self.pointer_target(*pointer)),
            TreeAction::RemovePointed(pointer) => {
                self.run_with_argument(
                    Routine::RemovePointed,
                    self.pointer_target(*pointer).map(Value::Node),
                    view,
                );
            }
        }
        Flow::Continue
    }

    fn insert_element(&mut self, view: &TokenView<'_>) {
        if self.construction.elements == Elements::Html {
            let arguments = self.tag_argument();
            self.run_routine(Routine::InsertElement, arguments, &Invocation::new(view));
        } else {
            self.run_for_tag(Routine::InsertElement, view);
        }
    }

    fn append_element(&mut self, view: &TokenView<'_>) {
        if self.construction.elements == Elements::Html {
            self.insert_element(view);
            self.open.pop();
        } else {
            self.run_for_tag(Routine::AppendElement, view);
        }
    }

    /// Runs an algorithm for a tag, with the error for duplicate attributes; does nothing for other tokens.
    fn run_for_tag(&mut self, routine: Routine, view: &TokenView<'_>) {
        if view.tag().is_some() {
            let error = self.construction.left_out;
            self.run_routine(routine, Vec::new(), &Invocation { error, ..Invocation::new(view) });
        }
    }

    fn append_to_parent(&mut self, routine: Routine, parent: Parent, view: &TokenView<'_>) {
        let parent = match parent {
            Parent::Current => self.current_node(view).unwrap_or(0),
            Parent::Document => 0,
        };
        self.run_routine(routine, vec![Value::Node(parent)], &Invocation::new(view));
    }

    /// Runs the algorithm of the action, with the operands of the action.
    fn run_routine_of(
        &mut self,
        action: &TreeAction,
        arguments: Vec<Value>,
        view: &TokenView<'_>,
    ) -> Value {
        let effects = action.effects();
        let Some(routine) = effects.routine else { return Value::None };
        let (action, error) = (Some(action), effects.error);
        self.run_routine(routine, arguments, &Invocation { action, error, ..Invocation::new(view) })
    }

    /// Runs an algorithm without arguments.
    fn run_without_arguments(&mut self, routine: Routine, view: &TokenView<'_>) {
        self.run_routine(routine, Vec::new(), &Invocation::new(view));
    }

    /// Runs an algorithm with one argument; does nothing if `value` is `None`.
    fn run_with_argument(&mut self, routine: Routine, value: Option<Value>, view: &TokenView<'_>) {
        if let Some(value) = value {
            self.run_routine(routine, vec![value], &Invocation::new(view));
        }
    }

    fn insert_foreign(&mut self, namespace: InsertedNamespace, view: &TokenView<'_>) {
        use tabulex_language::model::tree::Namespace;
        let adjusted_name = self.adjusted_current(view).and_then(|node| self.tree.name(node));
        let namespace = match namespace {
            InsertedNamespace::Svg => node::url(Namespace::Svg).to_owned(),
            InsertedNamespace::Math => node::url(Namespace::Math).to_owned(),
            InsertedNamespace::AdjustedCurrent => {
                adjusted_name.map(|name| name.namespace.clone()).unwrap_or_default()
            }
        };
        let mut arguments = self.tag_argument();
        arguments.extend([Value::Text(namespace), Value::Truth(false)]);
        self.run_routine(Routine::InsertForeignElement, arguments, &Invocation::new(view));
    }

    /// Removes all pending characters, and processes each by the `else` row of the mode.
    pub(super) fn process_pending(&mut self, mode: ModeId) {
        for (character, span) in std::mem::take(&mut self.pending) {
            self.run_else_row(mode, &TokenView::Character(character, span));
        }
    }

    /// Runs the rows of `fragment` of this kind that match the element or, if the row allows it, one of its ancestors.
    pub(super) fn run_fragment_rows(
        &mut self,
        kind: FragmentRows,
        node: NodeId,
        view: &TokenView<'_>,
    ) {
        let construction = self.construction;
        let Some(fragment) = &construction.fragment else { return };
        for row in &fragment.rows {
            if fragment_row_kind(row) != kind {
                continue;
            }
            let mut is_match = self.is_one_of(node, &row.patterns);
            let mut ancestor = self.node_at(node).parent.filter(|_| row.matches_ancestors());
            while let Some(node) = ancestor.filter(|_| !is_match) {
                is_match = self.is_one_of(node, &row.patterns);
                ancestor = self.node_at(node).parent;
            }
            if is_match && row.guard.as_ref().is_none_or(|guard| self.holds(&guard.value, view)) {
                self.run_row_steps(self.mode, &row.steps, view);
            }
        }
    }

    /// Runs the first row of `reset` that matches the element. Returns whether any row matches. `is_last` says
    /// whether the element is the first one of the stack, or the context element tested in its place.
    pub(super) fn run_reset_row(
        &mut self,
        node: NodeId,
        is_last: bool,
        view: &TokenView<'_>,
    ) -> bool {
        let construction = self.construction;
        let Some(reset) = &construction.reset else { return false };
        self.is_last = is_last;
        let is_match = |row: &&ElementRow| {
            let is_pattern_match = match &row.patterns[..] {
                [] => is_last,
                names => self.is_one_of(node, names),
            };
            is_pattern_match
                && row.guard.as_ref().is_none_or(|guard| self.holds(&guard.value, view))
        };
        let matching_row = reset.iter().find(is_match);
        self.is_last = false;
        if let Some(row) = matching_row {
            self.run_row_steps(self.mode, &row.steps, view);
        }
        matching_row.is_some()
    }
}

fn fragment_row_kind(row: &ElementRow) -> FragmentRows {
    let actions = TreeStep::actions(&row.steps);
    let pushes = |action: &&TreeAction| matches!(action, TreeAction::PushTemplateMode(_));
    match actions.iter().any(pushes) {
        _ if row.matches_ancestors() => FragmentRows::Pointers,
        true => FragmentRows::TemplateModes,
        false => FragmentRows::Tokenizer,
    }
}
