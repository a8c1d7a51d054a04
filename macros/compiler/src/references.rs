//! Compilation of named character references to a compact automaton (a DAWG): nodes with equal continuations are
//! shared, and names are numbered in byte order.

use std::collections::HashMap;

/// The automaton as arrays, in the format of the runtime's `References`.
#[derive(Debug)]
pub struct Automaton {
    /// The index of the root's edge for each first byte; `u16::MAX` if there is none.
    pub first: Vec<u16>,
    /// The edges, packed as the runtime's `References` describes.
    pub edges: Vec<u32>,
    /// For each edge, the number of names reached through the earlier edges of its node.
    pub counts: Vec<u16>,
    /// For each name, the byte offset in `characters` at which the characters that it stands for end.
    pub ends: Vec<u16>,
    /// The concatenated characters that the names stand for.
    pub characters: String,
    /// The last byte of each name.
    pub last_bytes: Vec<u8>,
}

/// An edge under construction: its byte, whether a name ends with it, its target node, and the number of names reached
/// through it.
type Edge = (u8, bool, usize, u16);

#[derive(Default)]
struct Builder {
    /// The edges of each node. Node 0 has none.
    nodes: Vec<Vec<Edge>>,
    /// The indices of the nodes by their edges.
    indices: HashMap<Vec<Edge>, usize>,
}

/// Builds the automaton of sorted, distinct ASCII names.
pub fn build(entries: &[(String, String)]) -> Automaton {
    let mut builder = Builder::default();
    builder.node_with(Vec::new());
    let names: Vec<&[u8]> = entries.iter().map(|(name, _)| name.as_bytes()).collect();
    let root = builder.add(&names, 0);
    let (mut characters, mut ends) = (String::new(), Vec::new());
    for (_, text) in entries {
        characters.push_str(text);
        ends.push(
            u16::try_from(characters.len())
                .expect("the characters of all references fit in 64 KiB"),
        );
    }
    let last_bytes = names.iter().map(|name| name[name.len() - 1]).collect();
    let (edges, counts, starts) = builder.lay_out();
    let mut first = vec![u16::MAX; 128];
    for (index, edge) in builder.nodes[root].iter().enumerate() {
        first[usize::from(edge.0)] =
            u16::try_from(starts[root] + index).expect("there are fewer than 65,535 edges");
    }
    Automaton { first, edges, counts, ends, characters, last_bytes }
}

impl Builder {
    /// Returns the node with these edges, creating it if it does not exist.
    fn node_with(&mut self, edges: Vec<Edge>) -> usize {
        if let Some(&node) = self.indices.get(&edges) {
            return node;
        }
        self.nodes.push(edges.clone());
        self.indices.insert(edges, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Returns the node that spells the suffixes of the names after `depth` bytes, creating it and its descendants if
    /// they do not exist.
    fn add(&mut self, names: &[&[u8]], depth: usize) -> usize {
        let mut edges = Vec::new();
        let mut rest = names;
        while let Some(name) = rest.first() {
            let byte = name[depth];
            let group_len = rest.iter().take_while(|name| name[depth] == byte).count();
            let (group, after) = rest.split_at(group_len);
            rest = after;
            let is_name = group[0].len() == depth + 1;
            let longer_names = &group[usize::from(is_name)..];
            let node = if longer_names.is_empty() { 0 } else { self.add(longer_names, depth + 1) };
            edges.push((byte, is_name, node, group_len as u16));
        }
        self.node_with(edges)
    }

    /// Returns the packed edges, the number of names before each edge in its node, and the index of each node's first
    /// edge.
    fn lay_out(&self) -> (Vec<u32>, Vec<u16>, Vec<usize>) {
        // Index 0 means "no target", so no node begins there.
        let mut starts = vec![0; self.nodes.len()];
        let mut next_index = 1;
        for (node, edges) in self.nodes.iter().enumerate() {
            starts[node] = if edges.is_empty() { 0 } else { next_index };
            next_index += edges.len();
        }
        let (mut packed, mut counts) = (vec![0x80], vec![0]);
        for edges in &self.nodes {
            let mut names_before = 0;
            for (index, &(byte, is_name, node, name_count)) in edges.iter().enumerate() {
                let is_last = index + 1 == edges.len();
                let target = (starts[node] as u32) << 16;
                packed.push(
                    target | u32::from(is_name) << 8 | u32::from(is_last) << 7 | u32::from(byte),
                );
                counts.push(names_before);
                names_before += name_count;
            }
        }
        (packed, counts, starts)
    }
}
