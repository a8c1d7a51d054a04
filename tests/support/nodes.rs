//! Trees as a line per node or attribute, without positions, for comparing trees of different texts or parsers. Equal
//! lines mean trees that are equal in the DOM.

use tabulex::tree::{DocumentMode, Edge, NodeKind, NodeRef};

/// A line of a tree: depth and description of a node.
pub type Line = (usize, String);

/// Returns the lines of a node's descendants in tree order, template contents before children. Attributes keep their
/// order.
pub fn lines(root: NodeRef<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut depth = 0;
    for edge in root.walk_with_contents() {
        match edge {
            Edge::Open(node) if node == root => {}
            Edge::Close(node) if node == root => {}
            Edge::Open(node) => {
                push_node(&mut lines, depth, &node);
                depth += 1;
            }
            _ => depth -= 1,
        }
    }
    lines
}

/// Returns the line of a document's mode.
pub fn mode_line(mode: DocumentMode) -> Line {
    (0, format!("mode {mode:?}"))
}

fn push_node(lines: &mut Vec<Line>, depth: usize, node: &NodeRef<'_>) {
    let data = node.data().unwrap_or_default();
    lines.push((
        depth,
        match node.kind() {
            NodeKind::Element => {
                let name = node.name();
                let name =
                    name.map(|name| format_name(name.namespace_str(), name.prefix(), name.local()));
                format!("<{}", name.unwrap_or_default())
            }
            NodeKind::Text => text_line(data),
            NodeKind::Comment => comment_line(data),
            NodeKind::ProcessingInstruction => {
                instruction_line(node.target().unwrap_or_default(), data)
            }
            NodeKind::Doctype => {
                let doctype = node.doctype().unwrap_or_default();
                let [public, system] = [doctype.public_identifier, doctype.system_identifier];
                doctype_line(doctype.name, public.unwrap_or_default(), system.unwrap_or_default())
            }
            NodeKind::Fragment => CONTENTS.to_owned(),
            other => format!("{other:?}"),
        },
    ));
    for attribute in node.attributes() {
        let name = attribute.name();
        let name = format_name(name.namespace_str(), name.prefix(), name.local());
        lines.push((depth + 1, attribute_line(&name, attribute.value())));
    }
}

/// The line of template contents.
pub const CONTENTS: &str = "contents";

/// Formats a name: the namespace unless it is HTML's, the prefix if there is one, and the local name.
pub fn format_name(namespace: &str, prefix: &str, local: &str) -> String {
    let mut name = String::new();
    for part in
        [namespace, prefix].into_iter().filter(|&part| part != HTML_NAMESPACE && !part.is_empty())
    {
        name.push_str(part);
        name.push(' ');
    }
    name + local
}

const HTML_NAMESPACE: &str = "http://www.w3.org/1999/xhtml";

/// Returns the line of an attribute with this name.
pub fn attribute_line(name: &str, value: &str) -> String {
    format!("@{name}={value}")
}

/// Returns the line of a text.
pub fn text_line(data: &str) -> String {
    format!("\"{data}")
}

/// Returns the line of a comment.
pub fn comment_line(data: &str) -> String {
    format!("!--{data}")
}

/// Returns the line of a processing instruction.
pub fn instruction_line(target: &str, data: &str) -> String {
    format!("?{target} {data}")
}

/// Returns the line of a DOCTYPE; a missing identifier is empty, as in the DOM.
pub fn doctype_line(name: &str, public: &str, system: &str) -> String {
    format!("!DOCTYPE {name} {public:?} {system:?}")
}

/// Returns a message with the first differing line and its context, or `None` if the lines are equal.
pub fn difference(expected: &[Line], found: &[Line]) -> Option<String> {
    let line_count = expected.len().max(found.len());
    let line_index =
        (0..line_count).find(|&line_index| expected.get(line_index) != found.get(line_index))?;
    let excerpt = |lines: &[Line]| -> String {
        let nearby = lines.iter().skip(line_index.saturating_sub(4)).take(8);
        let formatted = nearby.map(|(depth, line)| {
            let shortened: String = line.chars().take(120).collect();
            format!("{depth:4} {shortened:?}\n")
        });
        formatted.collect()
    };
    let (expected_lines, found_lines) = (excerpt(expected), excerpt(found));
    Some(format!(
        "line {line_index} of {} and {}\nexpected\n{expected_lines}found\n{found_lines}",
        expected.len(),
        found.len()
    ))
}
