//! The elements that are open, as their tags say: an end tag ends the innermost element of its name, and those inside of
//! it. No end tag is implied. Invariant: finding an element takes a bounded number of steps, or as many as are closed.

use std::collections::HashMap;
use tabulex_core::tree::Namespace;

/// As many elements are searched one by one.
const FEW: usize = 64;

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Where its name begins.
    start: usize,
    pub(crate) namespace: Namespace,
    /// Whether it holds the dialect's own content, though it is foreign.
    pub(crate) is_point: bool,
}

/// The stack of open elements.
#[derive(Debug, Default)]
pub(crate) struct Open {
    entries: Vec<Entry>,
    /// The names, one after the other.
    names: String,
    /// How many there are of each name, above the first few.
    above: HashMap<Box<str>, usize>,
}

impl Open {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(crate) fn last(&self) -> Option<&Entry> {
        self.entries.last()
    }

    /// The name of the element at this index.
    pub(crate) fn name(&self, index: usize) -> &str {
        let start = self.entries[index].start;
        let end = self.entries.get(index + 1).map_or(self.names.len(), |next| next.start);
        &self.names[start..end]
    }

    #[inline]
    pub(crate) fn push(&mut self, name: &str, namespace: Namespace, is_point: bool) {
        if self.entries.len() >= FEW {
            *self.above.entry(name.into()).or_default() += 1;
        }
        self.entries.push(Entry { start: self.names.len(), namespace, is_point });
        self.names.push_str(name);
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        if self.entries.len() > FEW {
            self.count_down();
        }
        if let Some(entry) = self.entries.pop() {
            self.names.truncate(entry.start);
        }
    }

    fn count_down(&mut self) {
        let start = self.entries.last().map_or(0, |entry| entry.start);
        let name = &self.names[start..];
        if let Some(count) = self.above.get_mut(name) {
            *count -= 1;
            if *count == 0 {
                self.above.remove(name);
            }
        }
    }

    /// The innermost element of this name.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let is_above = self.entries.len() > FEW && self.above.contains_key(name);
        let from = if is_above { self.entries.len() } else { self.entries.len().min(FEW) };
        (0..from).rev().find(|index| self.name(*index) == name)
    }

    /// How many bytes are held.
    pub(crate) fn held(&self) -> usize {
        self.entries.len() * size_of::<Entry>() + self.names.len()
    }
}
