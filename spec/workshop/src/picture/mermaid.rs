//! Formats a graph for Mermaid, which code hosts render. Edges with the same ends are merged, except that rare edges
//! are separate and dotted.

use super::{EdgeTarget, StateGraph};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Formats the graph as a Mermaid flowchart.
pub fn write(graph: &StateGraph) -> String {
    let mut out = String::from("flowchart LR\n");
    for (at, node) in graph.nodes.iter().enumerate() {
        let label = format!("{}\n{}", node.name, node.section);
        let _ = writeln!(out, "  s{at}[{}]", quoted(label.trim_end()));
    }
    let bundles = graph.bundles();
    let targets: BTreeMap<EdgeTarget, &str> =
        bundles.iter().filter_map(|(_, to, ..)| Some((*to, to.name()?))).collect();
    for (number, name) in targets.values().enumerate() {
        let _ = writeln!(out, "  e{number}([{}])", quoted(name));
    }
    for (from, to, is_rare, labels) in &bundles {
        let Some(from) = graph.index(*from) else { continue };
        let target = match to {
            EdgeTarget::State(state) => graph.index(*state).map(|to| format!("s{to}")),
            _ => targets.keys().position(|target| target == to).map(|number| format!("e{number}")),
        };
        let Some(target) = target else { continue };
        let arrow = if *is_rare { "-.->" } else { "-->" };
        let label = match labels.join("\n") {
            label if label.is_empty() => String::new(),
            label => format!("|{}|", quoted(&label)),
        };
        let _ = writeln!(out, "  s{from} {arrow}{label} {target}");
    }
    out
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '\n' => out += "<br>",
            '"' | '#' | '&' | '<' | '>' | ';' | '|' | '\\' | '`' => {
                let _ = write!(out, "#{};", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out + "\""
}
