//! Test cases in the format of the html5lib tree construction tests, with trees computed by the interpreter.

use crate::interpreter::Interpreter;
use crate::interpreter::tree::document::{self, Context, ParseOptions};
use crate::interpreter::tree::{Name, Node, NodeId, NodeKind, Tree};
use crate::search::TreeWitness;
use std::fmt::Write;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::Namespace;

/// Returns a case for each input that the interpreter can parse. Of the flags, the format supports only `scripting`.
pub fn cases<'c>(machine: &Machine, inputs: impl IntoIterator<Item = &'c TreeWitness>) -> String {
    let interpreter = Interpreter::new(machine);
    let mut out = String::new();
    for witness in inputs {
        let Ok(parsed) = document::parse(&interpreter, &witness.input, &witness.options) else {
            continue;
        };
        let _ = writeln!(out, "#data\n{}\n#errors", witness.input);
        let mut errors = parsed.error_codes(machine);
        // Sorting makes the order of errors at one position independent of the order in which they were reported.
        errors.sort_by_key(|(code, span)| (*span, code.clone()));
        for (code, line, column) in super::html5lib::places(&witness.input, &errors) {
            let _ = writeln!(out, "({line},{column}): {code}");
        }
        out += &context(&witness.options);
        let _ = writeln!(out, "#document\n{}", tree(&parsed.tree, &witness.options));
    }
    out
}

/// Returns the lines that declare a fragment's context element and enabled scripting, if any.
pub fn context(options: &ParseOptions) -> String {
    let mut out = String::new();
    if let Some(name) = context_name(options) {
        let _ = writeln!(out, "#document-fragment\n{name}");
    }
    if options.flags.iter().any(|(flag, value)| flag == "scripting" && *value == 1) {
        out += "#script-on\n";
    }
    out
}

/// Returns the name of a fragment's context element, with the prefix `svg` or `math` for these namespaces; `None` for a
/// whole document.
pub fn context_name(options: &ParseOptions) -> Option<String> {
    let Context { namespace, local, .. } = options.context.as_ref()?;
    Some(match namespace {
        Namespace::Own => local.clone(),
        Namespace::Svg => format!("svg {local}"),
        Namespace::Math => format!("math {local}"),
    })
}

/// Formats the tree as in a `#document` section: one line for each node below the root, and one for each attribute.
pub fn tree(tree: &Tree, options: &ParseOptions) -> String {
    let mut out = String::new();
    let document = &tree.nodes[0];
    // The nodes of a parsed fragment are children of the root element, which is not shown.
    let root = match options.context {
        Some(_) => document.children.first().map_or(document, |&root| &tree.nodes[root]),
        None => document,
    };
    let mut waiting: Vec<(NodeId, usize)> =
        root.children.iter().rev().map(|&child| (child, 0)).collect();
    while let Some((id, depth)) = waiting.pop() {
        let node = &tree.nodes[id];
        write_node(node, depth, &mut out);
        let subtrees = [node.contents, node.shadow_root].into_iter().flatten();
        let children = subtrees.chain(node.children.iter().copied()).collect::<Vec<_>>();
        waiting.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    out
}

fn write_node(node: &Node, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let mut write_line = |text: String| {
        let _ = writeln!(out, "| {indent}{text}");
    };
    match &node.kind {
        NodeKind::Document => {}
        NodeKind::Fragment(None) => write_line("content".to_owned()),
        NodeKind::Fragment(Some(shadow)) => {
            write_line(format!("<template shadowrootmode={}>", shadow.mode));
        }
        NodeKind::Element(name, attributes) => {
            write_line(format!("<{}>", short_name(name)));
            let mut attributes: Vec<String> = attributes
                .iter()
                .map(|(name, value)| format!("  {}=\"{value}\"", short_name(name)))
                .collect();
            attributes.sort();
            attributes.into_iter().for_each(write_line);
        }
        NodeKind::Text(text) => write_line(format!("\"{text}\"")),
        NodeKind::Comment(text) => write_line(format!("<!-- {text} -->")),
        NodeKind::ProcessingInstruction(target, data) => write_line(format!("<?{target} {data}?>")),
        NodeKind::Doctype(doctype) => {
            let name = doctype.name.as_deref().unwrap_or_default();
            let text_or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
            let (public, system) = (
                text_or_empty(&doctype.public_identifier),
                text_or_empty(&doctype.system_identifier),
            );
            let identifiers = match public.is_empty() && system.is_empty() {
                true => String::new(),
                false => format!(" \"{public}\" \"{system}\""),
            };
            write_line(format!("<!DOCTYPE {name}{identifiers}>"));
        }
    }
}

/// Formats a local name, preceded by the short form of its namespace if that is SVG, MathML, XLink or XML.
fn short_name(name: &Name) -> String {
    let prefix = match name.namespace.rsplit('/').next() {
        Some("svg") => "svg ",
        Some("MathML") => "math ",
        Some("xlink") => "xlink ",
        Some("namespace") => "xml ",
        _ => "",
    };
    format!("{prefix}{}", name.local)
}
