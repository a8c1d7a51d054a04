//! XML trees in the formats of their suites: canonical XML, and the dump of the successors of XML-ER; and a parser of
//! files with such dumps.

use std::fmt::Write as _;
use tabulex::WriteNode as _;
use tabulex::tree::{Edge, NameRef, NodeKind, NodeRef, Tree};

/// A test of a tree: the input and the expected dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpedTree {
    /// The input.
    pub input: String,
    /// The dump.
    pub dump: String,
}

/// Parses tests in the form `#data`, `#errors`, `#document`; errors are skipped.
pub fn read_dumped_trees(text: &str) -> Vec<DumpedTree> {
    let mut tests = Vec::new();
    for test in format!("\n{text}").split("\n#data\n").skip(1) {
        let (input, document) = test.split_once("\n#document").unwrap_or((test, ""));
        let input = input.split_once("\n#errors").map_or(input, |(input, _)| input);
        let dump = format!("{}\n", document.trim_matches('\n'));
        tests.push(DumpedTree { input: input.to_owned(), dump });
    }
    tests
}

/// Dumps a tree as the successors' tests do: names with their namespaces in braces, attributes sorted by local name.
pub fn braced_dump(tree: &Tree) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for edge in tree.root().walk() {
        match edge {
            Edge::Open(node) if node.is_element() => {
                let indent = "  ".repeat(depth);
                let name = node.name().map(|name| braced(&name)).unwrap_or_default();
                let _ = writeln!(out, "| {indent}<{name}>");
                let mut attributes: Vec<_> = node.attributes().collect();
                attributes.sort_by_key(|attribute| attribute.name().local());
                for attribute in attributes {
                    let name = braced(&attribute.name());
                    let _ = writeln!(out, "| {indent}  {name}=\"{}\"", attribute.value());
                }
                depth += 1;
            }
            Edge::Close(node) if node.is_element() => depth -= 1,
            Edge::Open(node) if node.kind() != NodeKind::Document => {
                let dump = node.to_dump();
                let _ = writeln!(out, "| {}{}", "  ".repeat(depth), &dump[2..dump.len() - 1]);
            }
            _ => {}
        }
    }
    out
}

fn braced(name: &NameRef<'_>) -> String {
    match name.namespace_str() {
        "" => name.to_string(),
        namespace => format!("{{{namespace}}}{name}"),
    }
}

/// Returns the tree as canonical XML, as in the suites of the W3C: without comments and the XML declaration, which is a
/// processing instruction here, and with attributes sorted.
pub fn canonical(tree: &Tree) -> String {
    let mut out = String::new();
    for edge in tree.root().walk() {
        match edge {
            Edge::Open(node) => write_start(&node, &mut out),
            Edge::Close(node) => {
                if let Some(name) = node.name() {
                    let _ = write!(out, "</{name}>");
                }
            }
        }
    }
    out
}

fn write_start(node: &NodeRef<'_>, out: &mut String) {
    let data = node.data().unwrap_or_default();
    match node.kind() {
        NodeKind::Element => {
            let Some(name) = node.name() else { return };
            let _ = write!(out, "<{name}");
            let mut attributes: Vec<_> = node
                .attributes()
                .map(|attribute| (attribute.name().to_string(), attribute.value()))
                .collect();
            attributes.sort();
            for (name, value) in attributes {
                let _ = write!(out, " {name}=\"{}\"", escaped(value));
            }
            out.push('>');
        }
        NodeKind::Text => out.push_str(&escaped(data)),
        NodeKind::ProcessingInstruction if node.target() != Some("xml") => {
            let _ = write!(out, "<?{} {data}?>", node.target().unwrap_or_default());
        }
        _ => {}
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            other => out.push(other),
        }
    }
    out
}
