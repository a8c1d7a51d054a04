//! Two dump formats for tests, not for storage, with one line per node, indented by depth: the format of the html5lib
//! tree-construction tests, and a format for XML with the prefix, local name and namespace of each name.

use std::fmt;
use tabulex_core::tree::{Edge, NameRef, Namespace, NodeKind, NodeRef, ShadowRootMode};

/// A function that writes the lines of one node, which is not a fragment, at a depth.
type WriteLines = fn(&NodeRef<'_>, usize, &mut dyn fmt::Write) -> fmt::Result;

/// Writes a node and its descendants, with template contents below a line `content`, and a shadow root below a line
/// with its mode.
pub(super) fn write_lines(
    root: &NodeRef<'_>,
    out: &mut dyn fmt::Write,
    write: WriteLines,
) -> fmt::Result {
    let mut depth = 0;
    for edge in root.walk_with_contents() {
        let node = match edge {
            Edge::Open(node) | Edge::Close(node) => node,
        };
        let has_no_line = node.kind() == NodeKind::Document
            || node.kind() == NodeKind::Fragment && (node == *root || node.host().is_none());
        match edge {
            _ if has_no_line => {}
            Edge::Close(_) => depth -= 1,
            Edge::Open(_) if node.kind() == NodeKind::Fragment => {
                write_margin(out, depth)?;
                out.write_str(match node.host().and_then(|host| host.shadow_root_mode()) {
                    None => "content\n",
                    Some(ShadowRootMode::Open) => "<template shadowrootmode=open>\n",
                    Some(ShadowRootMode::Closed) => "<template shadowrootmode=closed>\n",
                })?;
                depth += 1;
            }
            Edge::Open(_) => {
                write(&node, depth, out)?;
                depth += 1;
            }
        }
    }
    Ok(())
}

/// Writes the start of a line at a depth.
fn write_margin(out: &mut dyn fmt::Write, depth: usize) -> fmt::Result {
    // These spaces suffice to indent a line in one write up to the default depth limit.
    const SPACES: &str = match str::from_utf8(&[b' '; 2048]) {
        Ok(spaces) => spaces,
        Err(_) => "  ",
    };
    out.write_str("| ")?;
    let mut remaining = 2 * depth;
    while remaining > 0 {
        let count = remaining.min(SPACES.len());
        out.write_str(&SPACES[..count])?;
        remaining -= count;
    }
    Ok(())
}

pub(super) fn write_node(
    node: &NodeRef<'_>,
    depth: usize,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let Some(name) = node.name() else { return write_leaf(node, depth, out) };
    write_margin(out, depth)?;
    match name.namespace() {
        Namespace::HTML => writeln!(out, "<{}>", name.local())?,
        Namespace::SVG => writeln!(out, "<svg {}>", name.local())?,
        Namespace::MATHML => writeln!(out, "<math {}>", name.local())?,
        _ => writeln!(out, "<{name}>")?,
    }
    let mut attributes: Vec<_> = node
        .attributes()
        .map(|attribute| (attribute_name(attribute.name()), attribute.value()))
        .collect();
    attributes.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    for (name, value) in attributes {
        write_margin(out, depth + 1)?;
        writeln!(out, "{name}=\"{value}\"")?;
    }
    Ok(())
}

fn attribute_name(name: NameRef<'_>) -> String {
    match name.namespace() {
        Namespace::XLINK => format!("xlink {}", name.local()),
        Namespace::XML => format!("xml {}", name.local()),
        Namespace::XMLNS => format!("xmlns {}", name.local()),
        _ => name.to_string(),
    }
}

/// Writes a node that cannot have children.
fn write_leaf(node: &NodeRef<'_>, depth: usize, out: &mut dyn fmt::Write) -> fmt::Result {
    write_margin(out, depth)?;
    let data = node.data().unwrap_or_default();
    match node.kind() {
        NodeKind::Comment => writeln!(out, "<!-- {data} -->"),
        NodeKind::ProcessingInstruction => {
            writeln!(out, "<?{} {data}?>", node.target().unwrap_or_default())
        }
        NodeKind::Doctype => {
            let doctype = node.doctype().unwrap_or_default();
            write!(out, "<!DOCTYPE {}", doctype.name)?;
            let public_identifier = doctype.public_identifier.unwrap_or_default();
            let system_identifier = doctype.system_identifier.unwrap_or_default();
            if !public_identifier.is_empty() || !system_identifier.is_empty() {
                write!(out, " \"{public_identifier}\" \"{system_identifier}\"")?;
            }
            out.write_str(">\n")
        }
        _ => writeln!(out, "\"{data}\""),
    }
}

pub(super) fn write_qualified_node(
    node: &NodeRef<'_>,
    depth: usize,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let Some(name) = node.name() else { return write_leaf(node, depth, out) };
    write_margin(out, depth)?;
    write!(out, "<{name}>")?;
    write_name_parts(out, name)?;
    for attribute in node.attributes() {
        write_margin(out, depth + 1)?;
        write!(out, "{}=\"{}\"", attribute.name(), attribute.value())?;
        write_name_parts(out, attribute.name())?;
    }
    Ok(())
}

/// Writes the prefix, local name and namespace of a name, and ends the line.
fn write_name_parts(out: &mut dyn fmt::Write, name: NameRef<'_>) -> fmt::Result {
    writeln!(out, " ({}, {}, {})", name.prefix(), name.local(), name.namespace_str())
}
