//! Flags, element pointers and the document's mode, which rows set and test.

use super::builder::Pointer;
use super::{Builder, Construction, ElementSet};
use crate::tree::{DocumentMode, TreeSink};

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Sets a flag of tree construction.
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

    /// Points the pointer to the current node.
    pub fn point(&mut self, pointer: usize) {
        if let Some(open) = self.open.last() {
            self.pointers[pointer] = Pointer::Element(open.node, open.name);
        }
    }

    /// Points the pointer to the last of these elements in the list of active formatting elements after its last
    /// marker.
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

    /// Tells the sink which nodes are created while a pointer is set, whether it is set now to the current node or unset.
    /// In fragments nothing is associated.
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

    /// Ignores the next token if it is a line feed.
    pub fn ignore_next_line_feed(&mut self) {
        self.ignores_line_feed = true;
    }

    /// Sends the feedback for a word of the modes to the tokenizer.
    pub fn send_feedback(&mut self, word: u8) {
        self.set_feedback(C::feedback(word));
    }
}
