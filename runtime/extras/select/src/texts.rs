//! Substring search in all elements of a tree at once, for `:contains()`. All queries for one string together take time
//! linear in the tree.

use std::collections::HashMap;
use std::ops::Range;
use tabulex_core::tree::{Edge, NodeId, NodeRef, Tree};

/// The concatenated text of a tree, and the range of each element in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    text: String,
    ranges: HashMap<NodeId, Range<usize>>,
    /// Sorted start offsets, in bytes, of the occurrences of each string searched so far.
    occurrences_of: HashMap<Box<str>, Vec<usize>>,
}

impl Texts {
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut texts = Self::default();
        let mut roots = vec![tree.root()];
        while let Some(root) = roots.pop() {
            for edge in root.walk() {
                let offset = texts.text.len();
                match edge {
                    Edge::Open(node) if node.is_text() => {
                        texts.text.push_str(node.data().unwrap_or_default());
                    }
                    Edge::Open(node) => {
                        texts.ranges.insert(node.id(), offset..offset);
                        roots.extend(node.template_contents());
                    }
                    Edge::Close(node) => {
                        if let Some(range) = texts.ranges.get_mut(&node.id()) {
                            range.end = offset;
                        }
                    }
                }
            }
        }
        texts
    }

    /// Whether the text of an element contains `needle`.
    pub(crate) fn contains(&mut self, element: NodeRef<'_>, needle: &str) -> bool {
        if needle.is_empty() {
            return true;
        }
        // A node outside of the document is not part of the concatenated text.
        let Some(range) = self.ranges.get(&element.id()) else {
            return element.text().contains(needle);
        };
        if !self.occurrences_of.contains_key(needle) {
            let starts = occurrences(self.text.as_bytes(), needle.as_bytes());
            self.occurrences_of.insert(needle.into(), starts);
        }
        let starts = &self.occurrences_of[needle];
        let first_inside = starts.partition_point(|start| *start < range.start);
        starts.get(first_inside).is_some_and(|start| start + needle.len() <= range.end)
    }
}

/// Returns the start offsets, in bytes, of all occurrences of `needle` in `text`, overlapping ones included, in linear
/// time (Knuth, Morris and Pratt).
fn occurrences(text: &[u8], needle: &[u8]) -> Vec<usize> {
    // For each non-empty prefix of `needle`, the length of its longest border: a proper prefix that is also a suffix.
    let mut borders = vec![0];
    let next_length = |borders: &[usize], mut length: usize, byte: u8| {
        while length > 0 && (length == needle.len() || needle[length] != byte) {
            length = borders[length - 1];
        }
        length + usize::from(needle[length] == byte)
    };
    for &byte in &needle[1..] {
        let length = borders.last().copied().unwrap_or_default();
        borders.push(next_length(&borders, length, byte));
    }
    let (mut starts, mut length) = (Vec::new(), 0);
    for (index, &byte) in text.iter().enumerate() {
        length = next_length(&borders, length, byte);
        if length == needle.len() {
            starts.push(index + 1 - length);
        }
    }
    starts
}
