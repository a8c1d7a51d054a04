//! Ranges of a document that processing instructions mark, to be filled with content that arrives later. The table
//! gives the names of the instructions.

use super::Tree;
use super::in_order::NodesInTreeOrder;
use super::node::NodeId;
use super::node_ref::NodeRef;
use super::steps::StepsTree;
use super::words::Patching;
use super::xml_characters::{is_char, is_name, is_name_start};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// An index by name of the instructions that mark ranges, so that finding a range needs no walk of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// Number of nodes indexed so far.
    indexed_nodes: usize,
    by_name: HashMap<String, NodesInTreeOrder>,
}

/// Returns the name of the range that the node marks or starts; `None` if it is not an instruction that does so.
fn mark_name<'t>(node: &NodeRef<'t>, names: &Patching) -> Option<Cow<'t, str>> {
    node.target().filter(|&target| target == names.marker || target == names.start)?;
    pseudo_attribute(node.data()?, names.name)
}

impl Tree {
    /// Returns the first instruction inside `scope` that marks or starts a range called `name`, and whether it starts
    /// one; `None` if there is no such instruction.
    fn find_mark(&mut self, scope: NodeId, name: &str, names: &Patching) -> Option<(NodeId, bool)> {
        if self.instructions.is_empty() {
            return None;
        }
        let mut marks = std::mem::take(&mut self.marks);
        self.steps += (self.nodes.len() - marks.indexed_nodes) as u64;
        for index in marks.indexed_nodes..self.nodes.len() {
            if let Some(name) = mark_name(&NodeRef::new(self, index as u32), names) {
                marks.by_name.entry(name.into_owned()).or_default().push(index as u32);
            }
        }
        marks.indexed_nodes = self.nodes.len();
        let nodes = marks.by_name.get_mut(name);
        let mark = nodes.and_then(|nodes| nodes.first_inside(self, scope.0)).map(NodeId);
        self.marks = marks;
        let is_start = self.node(mark?).target() == Some(names.start);
        mark.map(|mark| (mark, is_start))
    }

    /// Finds the first range called `name` inside `scope`, and removes its contents. Returns the parent, the
    /// instruction at the start, and the instruction at the end, if any; an empty range has one instruction for both.
    /// Returns `None` if there is no such range.
    pub(crate) fn open_range(
        &mut self,
        scope: NodeId,
        name: &str,
        names: &Patching,
    ) -> Option<[Option<NodeId>; 3]> {
        if let Some(steps) = names.steps {
            let mut steps_tree = StepsTree::new(self, Some((name, names)));
            let is_found = steps(&mut steps_tree, scope) == Some(true);
            let range = steps_tree.found_range;
            return Some(range)
                .filter(|[parent, start, _]| is_found && parent.is_some() && start.is_some());
        }
        let (mark, is_start) = self.find_mark(scope, name, names)?;
        let mark = self.node(mark);
        let (start, parent) = (mark.id(), mark.parent()?.id());
        if !is_start {
            return Some([parent, start, start].map(Some));
        }
        let (mut level, mut steps) = (0, 0);
        let end = mark.next_siblings().find(|node| {
            steps += 1;
            let target = node.target();
            if target == Some(names.start) {
                level += 1;
            } else if target == Some(names.end) {
                level -= 1;
            }
            level < 0
        });
        let end = end.map(|node| node.id());
        self.steps += steps;
        while let Some(next) = self.node(start).next_sibling().map(|node| node.id())
            && Some(next) != end
        {
            // Lists in tree order must be updated, but `unlink` does not record that the element moved.
            if self.nodes[next.index()].is_element() {
                self.moves.record(next.0);
            }
            self.unlink(next.0);
        }
        Some([Some(parent), Some(start), end])
    }
}

// Pseudo-attributes in the data of processing instructions, which DOM's "update attributes from data" parses: section 3
// of "Associating Style Sheets with XML documents" (second edition), with names, characters and references of XML 1.0.

/// White space of XML.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns the value of the pseudo-attribute called `wanted_name`, or `None` if the data has no such pseudo-attribute
/// or violates the production `PseudoAtts` anywhere.
pub(super) fn pseudo_attribute<'d>(data: &'d str, wanted_name: &str) -> Option<Cow<'d, str>> {
    let (mut rest, mut names, mut wanted_value) = (data, HashSet::new(), None);
    loop {
        let trimmed = rest.trim_start_matches(SPACE);
        if trimmed.is_empty() {
            return wanted_value;
        }
        let is_separated = names.is_empty() || trimmed.len() < rest.len();
        let name_end = trimmed.find(|character| !is_name(character)).unwrap_or(trimmed.len());
        let (name, following) = trimmed.split_at(name_end);
        if !is_separated || !name.starts_with(is_name_start) || !names.insert(name) {
            return None;
        }
        let following = following.trim_start_matches(SPACE).strip_prefix('=')?;
        let following = following.trim_start_matches(SPACE);
        let quote = following.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (raw, following) = following[1..].split_once(quote)?;
        let value = decode_value(raw)?;
        if name == wanted_name {
            wanted_value = Some(value);
        }
        rest = following;
    }
}

/// Replaces the references in a value; returns `None` if the value is not well-formed.
fn decode_value(raw: &str) -> Option<Cow<'_, str>> {
    if raw.contains(|character| character == '<' || !is_char(character)) {
        return None;
    }
    let mut parts = raw.split('&');
    let first = parts.next()?;
    if first.len() == raw.len() {
        return Some(Cow::Borrowed(raw));
    }
    let mut text = first.to_owned();
    for part in parts {
        let (reference, following) = part.split_once(';')?;
        text.push(resolve_reference(reference)?);
        text.push_str(following);
    }
    Some(Cow::Owned(text))
}

/// Returns the character that a reference to a predefined entity or to a character of XML stands for; `None` for any
/// other reference. `reference` is the text between `&` and `;`.
fn resolve_reference(reference: &str) -> Option<char> {
    let Some(number) = reference.strip_prefix('#') else {
        return Some(match reference {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => return None,
        });
    };
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
    // `from_str_radix` would also accept a sign.
    let is_number = digits.chars().all(|digit| digit.is_digit(radix));
    let code = u32::from_str_radix(digits, radix).ok().filter(|_| is_number)?;
    char::from_u32(code).filter(|&character| is_char(character))
}
