//! The actions of modes that are about the whole state of tree construction, each handed to the file of its subject.
//! Invariant: none of them takes a row, but for that which processes pending characters.

use super::formatting::Entry;
use super::{Seen, TreeBuilder, node};
use tabulex_language::model::tree::{
    ElementRow, InsertedNamespace, ModeId, StackPlace, TreeAction,
};

impl TreeBuilder<'_> {
    pub(super) fn act_on_tree(&mut self, action: &TreeAction, seen: &Seen<'_>) {
        match action {
            TreeAction::SwitchOriginal => self.mode = self.original_mode.unwrap_or(self.mode),
            TreeAction::SwitchTemplateMode => {
                self.mode = self.template_modes.last().copied().unwrap_or(self.mode);
            }
            TreeAction::SetOriginalMode => self.original_mode = Some(self.mode),
            TreeAction::PushTemplateMode(mode) => self.template_modes.push(*mode),
            TreeAction::PopTemplateMode => {
                self.template_modes.pop();
            }
            TreeAction::InsertNamed(local) => self.insert_named(local),
            TreeAction::InsertForeign(namespace) => self.insert_foreign(*namespace),
            TreeAction::InsertCharacter(instead) => {
                if let Seen::Character(character, span) = seen {
                    self.insert_character(instead.unwrap_or(*character), *span);
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
            TreeAction::MergeAttributes(StackPlace::Root) => {
                self.merge_attributes(self.open.first().copied());
            }
            TreeAction::MergeAttributes(StackPlace::Second) => {
                self.merge_attributes(self.open.get(1).copied());
            }
            TreeAction::FosterParenting(is_enabled) => self.is_fostering = *is_enabled,
            TreeAction::SetFlag(flag, value) => self.flags[usize::from(flag.0)] = *value,
            TreeAction::SetDocumentMode(mode) => self.document_mode = *mode,
            TreeAction::Tokenizer(word) => self.feedback = Some(*word),
            TreeAction::IgnoreNextLineFeed => self.ignores_line_feed = true,
            TreeAction::ClearPending => self.pending.clear(),
            TreeAction::AppendToPending => {
                if let Seen::Character(character, span) = seen {
                    self.pending.push((*character, *span));
                }
            }
            TreeAction::InsertPending => {
                for (character, span) in std::mem::take(&mut self.pending) {
                    self.insert_character(character, span);
                }
            }
            TreeAction::AttachShadowRoot { mode, hosts, reserved } => {
                self.attach_shadow_root(mode, hosts, reserved);
            }
            TreeAction::PatchContent(patching) => self.patch_content(patching),
            TreeAction::FinishPatching(names) => self.finish_patching(names),
            other => self.act_on_stack(other, seen),
        }
    }

    fn act_on_stack(&mut self, action: &TreeAction, seen: &Seen<'_>) {
        match action {
            TreeAction::PopUntil(names) => {
                self.pop_html_until(seen, |builder, node| builder.is_one_of(node, names));
            }
            TreeAction::GenerateEndTags(names, except) => {
                self.generate_end_tags(names, except, seen);
            }
            TreeAction::ClearBackTo(names) => {
                self.pop_html_while(seen, |builder, node| !builder.is_one_of(node, names));
            }
            TreeAction::LeaveForeignContent(names) => self.pop_html_while(seen, |builder, node| {
                let is_own = builder.tree.name(node).is_none_or(node::is_own);
                !is_own
                    && !builder.integration_points.contains(&node)
                    && !builder.is_one_of(node, names)
            }),
            TreeAction::PopUntilForeignTokenName => {
                let found = self.foreign_of_token_name();
                self.pop_html_until(seen, |_, node| found.is_none_or(|found| found == node));
            }
            TreeAction::DetachSecond => {
                if let Some(&second) = self.open.get(1) {
                    self.tree.detach(second);
                }
            }
            TreeAction::ReconstructFormatting => self.reconstruct_formatting(),
            TreeAction::PushFormatting => self.push_formatting(),
            TreeAction::InsertMarker => self.formatting.push(Entry::Marker),
            TreeAction::ClearFormatting => self.clear_formatting(),
            TreeAction::Point(pointer) => {
                self.pointers[usize::from(pointer.0)] = self.open.last().copied();
            }
            TreeAction::PointToFormatting(pointer, names) => {
                self.pointers[usize::from(pointer.0)] = self.last_formatting(names);
            }
            TreeAction::PointToContext(pointer) => {
                self.pointers[usize::from(pointer.0)] = self.context;
            }
            TreeAction::Unset(pointer) => self.pointers[usize::from(pointer.0)] = None,
            TreeAction::PushPointed(pointer) => self.open.extend(self.pointed(*pointer)),
            TreeAction::RemovePointed(pointer) => self.remove_pointed(*pointer, seen),
            TreeAction::MarkEndTag => self.mark_end_tag(seen),
            _ => {}
        }
    }

    fn insert_foreign(&mut self, namespace: InsertedNamespace) {
        use tabulex_language::model::tree::Namespace;
        let adjusted = || self.adjusted_current().and_then(|node| self.tree.name(node));
        let namespace = match namespace {
            InsertedNamespace::Svg => node::url(Namespace::Svg).to_owned(),
            InsertedNamespace::Math => node::url(Namespace::Math).to_owned(),
            InsertedNamespace::AdjustedCurrent => {
                adjusted().map(|name| name.namespace.clone()).unwrap_or_default()
            }
        };
        let node = self.insert_for_tag(&namespace);
        self.open.push(node);
    }

    /// Processes each pending character by the `else` row of the mode.
    pub(super) fn process_pending(&mut self, mode: ModeId) {
        for (character, span) in std::mem::take(&mut self.pending) {
            self.as_else(mode, &Seen::Character(character, span));
        }
    }

    /// Resets the insertion mode.
    pub(super) fn reset(&mut self, mode: ModeId, seen: &Seen<'_>) {
        let Some(reset) = &self.construction.reset else { return };
        for at in (0..self.open.len()).rev() {
            self.is_last = at == 0;
            let node = match self.context {
                Some(context) if at == 0 => context,
                _ => self.open[at],
            };
            let takes = |row: &&ElementRow| {
                let is_named = match &row.names[..] {
                    [] => self.is_last,
                    names => self.is_one_of(node, names),
                };
                is_named && row.guard.as_ref().is_none_or(|guard| self.holds(&guard.value, seen))
            };
            if let Some(row) = reset.rows.iter().find(takes) {
                self.is_last = false;
                self.take(mode, &row.steps, seen);
                return;
            }
        }
        self.is_last = false;
    }
}
