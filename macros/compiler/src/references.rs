//! Compilation of named character references to a compact automaton (a DAWG): nodes with equal continuations are
//! shared, and words are numbered in the byte order of their names.

use std::collections::HashMap;

/// The automaton as arrays, in the format of the runtime's `References`.
#[derive(Debug)]
pub struct Automaton {
    /// Index of the root's edge for each first byte.
    pub first: Vec<u16>,
    /// Edges, packed as in the runtime.
    pub edges: Vec<u32>,
    /// For each edge, the number of words that precede it in its node.
    pub counts: Vec<u16>,
    /// End offset of each word's characters.
    pub ends: Vec<u16>,
    /// Concatenated characters of all words.
    pub characters: String,
    /// The last byte of each name.
    pub last_bytes: Vec<u8>,
}

/// An edge under construction: byte, whether a word ends, target node, and number of words below it.
type Edge = (u8, bool, usize, u16);

#[derive(Default)]
struct Builder {
    /// Nodes by their edges. Node 0 has none.
    nodes: Vec<Vec<Edge>>,
    known: HashMap<Vec<Edge>, usize>,
}

/// Builds the automaton of sorted, distinct ASCII names.
pub fn build(entries: &[(String, String)]) -> Automaton {
    let mut builder = Builder::default();
    builder.node(Vec::new());
    let names: Vec<&[u8]> = entries.iter().map(|(name, _)| name.as_bytes()).collect();
    let root = builder.add(&names, 0);
    let (mut characters, mut ends) = (String::new(), Vec::new());
    for (_, text) in entries {
        characters.push_str(text);
        ends.push(
            u16::try_from(characters.len()).expect("all references together fit into 64 KiB"),
        );
    }
    let last_bytes = names.iter().map(|name| name[name.len() - 1]).collect();
    let (edges, counts, starts) = builder.lay_out();
    let mut first = vec![u16::MAX; 128];
    for (index, edge) in builder.nodes[root].iter().enumerate() {
        first[usize::from(edge.0)] =
            u16::try_from(starts[root] + index).expect("fewer than 65,535 edges");
    }
    Automaton { first, edges, counts, ends, characters, last_bytes }
}

impl Builder {
    /// Returns the node with these edges, creating it if necessary.
    fn node(&mut self, edges: Vec<Edge>) -> usize {
        if let Some(&node) = self.known.get(&edges) {
            return node;
        }
        self.nodes.push(edges.clone());
        self.known.insert(edges, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Returns the node that spells the suffixes of the names after `depth` bytes.
    fn add(&mut self, names: &[&[u8]], depth: usize) -> usize {
        let mut edges = Vec::new();
        let mut rest = names;
        while let Some(name) = rest.first() {
            let byte = name[depth];
            let sharing = rest.iter().take_while(|name| name[depth] == byte).count();
            let (group, after) = rest.split_at(sharing);
            rest = after;
            let ends = group[0].len() == depth + 1;
            let longer = &group[usize::from(ends)..];
            let node = if longer.is_empty() { 0 } else { self.add(longer, depth + 1) };
            edges.push((byte, ends, node, sharing as u16));
        }
        self.node(edges)
    }

    /// Returns the packed edges, the word counts before each, and the start index of each node.
    fn lay_out(&self) -> (Vec<u32>, Vec<u16>, Vec<usize>) {
        // Index 0 means "no target", so no node begins there.
        let mut starts = vec![0; self.nodes.len()];
        let mut next = 1;
        for (node, edges) in self.nodes.iter().enumerate() {
            starts[node] = if edges.is_empty() { 0 } else { next };
            next += edges.len();
        }
        let (mut laid, mut counts) = (vec![0x80], vec![0]);
        for edges in &self.nodes {
            let mut before = 0;
            for (index, &(byte, ends, node, words)) in edges.iter().enumerate() {
                let last = index + 1 == edges.len();
                let target = (starts[node] as u32) << 16;
                laid.push(target | u32::from(ends) << 8 | u32::from(last) << 7 | u32::from(byte));
                counts.push(before);
                before += words;
            }
        }
        (laid, counts, starts)
    }
}
