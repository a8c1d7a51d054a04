//! Formats a graph for Mermaid, which code hosts render. Edges with the same ends are merged, except that rare edges
//! are separate and dotted.

use super::{EdgeTarget, StateGraph};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Formats the graph as a Mermaid flowchart.
pub fn write(picture: &StateGraph) -> String {
    let mut out = String::from("flowchart LR\n");
    for (at, node) in picture.nodes.iter().enumerate() {
        let label = format!("{}\n{}", node.name, node.section);
        let _ = writeln!(out, "  s{at}[{}]", quoted(label.trim_end()));
    }
    let bundles = picture.bundles();
    let ends: BTreeMap<EdgeTarget, &str> =
        bundles.iter().filter_map(|(_, to, ..)| Some((*to, to.name()?))).collect();
    for (number, name) in ends.values().enumerate() {
        let _ = writeln!(out, "  e{number}([{}])", quoted(name));
    }
    for (from, to, is_rare, labels) in &bundles {
        let Some(from) = picture.index(*from) else { continue };
        let end = match to {
            EdgeTarget::State(state) => picture.index(*state).map(|to| format!("s{to}")),
            _ => ends.keys().position(|end| end == to).map(|number| format!("e{number}")),
        };
        let Some(end) = end else { continue };
        let line = if *is_rare { "-.->" } else { "-->" };
        let label = match labels.join("\n") {
            label if label.is_empty() => String::new(),
            label => format!("|{}|", quoted(&label)),
        };
        let _ = writeln!(out, "  s{from} {line}{label} {end}");
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
