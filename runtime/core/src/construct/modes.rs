//! Primitives that set and test insertion modes, flags, element pointers and the document's mode.

use super::builder::Pointer;
use super::{Builder, Construction, ElementSet, TokenView};
use crate::tree::{DocumentMode, TreeSink};

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Switches to an insertion mode.
    #[inline]
    pub fn switch(&mut self, mode: C::Mode) {
        self.mode = mode;
    }

    /// Returns the current insertion mode.
    #[inline]
    pub fn mode(&self) -> C::Mode {
        self.mode
    }

    /// Stops tree construction: all elements are closed, and further tokens are ignored.
    pub fn stop(&mut self) {
        self.flush_document_text();
        while let Some(open) = self.open.pop() {
            self.report_closed(&open);
        }
        self.halt();
    }

    /// Stops tree construction, and leaves elements open.
    pub fn halt(&mut self) {
        self.flush_document_text();
        self.has_stopped = true;
    }

    /// Switches to the original insertion mode.
    pub fn switch_original(&mut self) {
        self.mode = self.original_mode;
    }

    /// Stores the current insertion mode as the original one.
    pub fn set_original_mode(&mut self) {
        self.original_mode = self.mode;
    }

    /// Switches to the current template insertion mode.
    pub fn switch_template_mode(&mut self) {
        if let Some(&mode) = self.template_modes.last() {
            self.mode = mode;
        }
    }

    /// Pushes a template insertion mode.
    pub fn push_template_mode(&mut self, mode: C::Mode) {
        self.template_modes.push(mode);
    }

    /// Pops the current template insertion mode.
    pub fn pop_template_mode(&mut self) {
        self.template_modes.pop();
    }

    /// Whether the stack of template insertion modes is not empty.
    pub fn has_template_mode(&self) -> bool {
        !self.template_modes.is_empty()
    }

    /// Resets the insertion mode to the one that the open elements determine.
    pub fn reset_insertion_mode(&mut self, token: &TokenView<'_>) {
        let mut ends = std::mem::take(&mut self.scope_ends);
        self.reset_by_ends(token, &mut ends);
        self.scope_ends = ends;
    }

    /// Resets the insertion mode to the one that the open elements determine. `ends` is a buffer for slots.
    fn reset_by_ends(&mut self, token: &TokenView<'_>, ends: &mut Vec<u32>) {
        let Some(first_slot) = self.open.first_slot() else { return };
        // The last scope ends at the elements for which the table has a mode, so all others can be skipped.
        self.open.find_scope_ends(C::SCOPES.len() - 1, ends);
        while let Some(slot) = self.open.next_scope_end(ends) {
            self.steps += 1;
            let name = match self.open.get(slot) {
                Some(open) if slot != first_slot => open.name,
                _ => break,
            };
            if C::reset(self, token, name, false) {
                return;
            }
        }
        let root_name = self.open.get(first_slot).map(|open| open.name);
        let name = self.context.as_ref().map(|context| context.name).or(root_name);
        if let Some(name) = name {
            C::reset(self, token, name, true);
        }
    }

    /// Sets a flag of tree construction, given by its index.
    #[inline]
    pub fn set_tree_flag(&mut self, flag: usize, value: u8) {
        self.tree_flags[flag] = value;
    }

    /// Returns the value of a flag of tree construction, as an index into its values in the table.
    #[inline]
    pub fn tree_flag(&self, flag: usize) -> u8 {
        self.tree_flags[flag]
    }

    /// Sets the document's mode.
    pub fn set_document_mode(&mut self, mode: DocumentMode) {
        self.document_mode = mode;
        self.sink.set_document_mode(mode);
    }

    /// Returns the document's mode.
    pub fn document_mode(&self) -> DocumentMode {
        self.document_mode
    }

    /// Enables or disables foster parenting.
    pub fn set_foster_parenting(&mut self, is_fostering: bool) {
        self.is_fostering = is_fostering;
    }

    /// Points the pointer to the current node, if that is an element.
    pub fn point_to_current(&mut self, pointer: usize) {
        if let Some(open) = self.open.last() {
            self.pointers[pointer] = Pointer::Element(open.node, open.name);
        }
    }

    /// Points the pointer to the last element with one of these names in the list of active formatting elements, if
    /// that element follows the last marker.
    pub fn point_to_formatting(&mut self, pointer: usize, set: &ElementSet) {
        if let Some(index) = self.last_formatting(set) {
            let entry = self.formatting.get(index);
            if let Some(node) = entry.node {
                self.pointers[pointer] = Pointer::Element(node, entry.name);
            }
        }
    }

    /// Points the pointer to the context element.
    pub fn point_to_context(&mut self, pointer: usize) {
        self.pointers[pointer] = Pointer::Context;
    }

    /// Clears the pointer.
    pub fn unset(&mut self, pointer: usize) {
        self.pointers[pointer] = Pointer::None;
    }

    /// Tells the sink that a pointer was set to the current node, or unset if `is_set` is false. The sink associates
    /// the nodes created in between with that element. No effect in fragments.
    #[cold]
    pub fn associate(&mut self, is_set: bool) {
        if self.context.is_none() {
            let open = self.open.last().filter(|_| is_set);
            self.sink.associate(open.map(|open| open.node));
        }
    }

    /// Whether the pointer points to an element.
    pub fn is_set(&self, pointer: usize) -> bool {
        self.pointers[pointer] != Pointer::None
    }

    /// Makes the builder ignore a line feed at the start of the next token.
    pub fn ignore_next_line_feed(&mut self) {
        self.ignores_line_feed = true;
    }

    /// Sets the feedback that the tokenizer gets after the current tag to that of the table's word with the index
    /// `word`.
    pub fn send_feedback(&mut self, word: u8) {
        self.set_feedback(C::feedback(word));
    }
}
