//! The insertion mode, the original insertion mode, and the template insertion modes.

use super::{Builder, Construction, TokenView};
use crate::tree::TreeSink;

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Switches to the mode.
    #[inline]
    pub fn switch(&mut self, mode: C::Mode) {
        self.mode = mode;
    }

    /// Returns the insertion mode.
    #[inline]
    pub fn mode(&self) -> C::Mode {
        self.mode
    }

    /// Stops tree construction: all elements are closed, and further tokens are ignored.
    pub fn stop(&mut self) {
        self.flush_document_text();
        while let Some(open) = self.open.pop() {
            self.leave(&open);
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

    /// Stores the insertion mode as the original one.
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

    /// Whether there is a template insertion mode.
    pub fn has_template_mode(&self) -> bool {
        !self.template_modes.is_empty()
    }

    /// Resets the insertion mode to the one that the open elements determine.
    pub fn reset_insertion_mode(&mut self, token: &TokenView<'_>) {
        let mut ends = std::mem::take(&mut self.ends);
        self.reset_by_ends(token, &mut ends);
        self.ends = ends;
    }

    /// Resets the insertion mode, with a list to fill.
    fn reset_by_ends(&mut self, token: &TokenView<'_>, ends: &mut Vec<u32>) {
        let Some(first) = self.open.first() else { return };
        // The last scope ends at the elements that rows name; others determine no mode.
        self.open.find_ends(C::SCOPES.len() - 1, ends);
        while let Some(slot) = self.open.next_end(ends) {
            self.steps += 1;
            let name = match self.open.get(slot) {
                Some(open) if slot != first => open.name,
                _ => break,
            };
            if C::reset(self, token, name, false) {
                return;
            }
        }
        let root = self.open.get(first).map(|open| open.name);
        let name = self.context.as_ref().map(|context| context.name).or(root);
        if let Some(name) = name {
            C::reset(self, token, name, true);
        }
    }
}
