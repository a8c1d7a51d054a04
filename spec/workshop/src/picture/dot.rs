//! Formats a graph for Graphviz. Edges with the same ends are merged, except that rare edges are separate and pale.

use super::{EdgeTarget, StateGraph};
use std::fmt::Write as _;

/// Formats the graph in the DOT language.
pub fn write(graph: &StateGraph) -> String {
    let mut out = format!(
        "digraph {} {{\n  rankdir=LR;\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace, fontsize=10];\n",
        quoted(&graph.name)
    );
    for node in &graph.nodes {
        let label = format!("{}\n{}", node.name, node.section);
        let start_style = if node.is_start { ", penwidth=2" } else { "" };
        let _ = writeln!(
            out,
            "  {} [label={}{start_style}];",
            quoted(&node.name),
            quoted(label.trim_end())
        );
    }
    for (from, to, is_rare, labels) in graph.bundles() {
        let Some(from) = graph.index(from) else { continue };
        let target = match to {
            EdgeTarget::State(state) => graph.index(state).map(|to| graph.nodes[to].name.clone()),
            other => other.name().map(|name| format!("({name})")),
        };
        let Some(target) = target else { continue };
        let rare_style = if is_rare { ", color=gray75, fontcolor=gray60" } else { "" };
        let (from, label) = (quoted(&graph.nodes[from].name), quoted(&labels.join("\n")));
        let _ = writeln!(out, "  {from} -> {} [label={label}{rare_style}];", quoted(&target));
    }
    out + "}\n"
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
