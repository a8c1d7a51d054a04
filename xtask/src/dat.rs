//! Inputs and the trees that come of them in the format of the html5lib tree construction tests. It parses nothing but
//! through the interpreter. Invariant: every case that is written can be read by those who read that format.

use std::fmt::Write;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::Namespace;
use tabulex_oracle::interpreter::Interpreter;
use tabulex_oracle::interpreter::tree::document::{self, ParseOptions};
use tabulex_oracle::interpreter::tree::{Name, Node, NodeId, NodeKind, Tree};
use tabulex_oracle::search::TreeWitnesses;

/// A case for each row.
pub(crate) fn cases(machine: &Machine, found: &TreeWitnesses) -> String {
    let interpreter = Interpreter::new(machine);
    let mut out = String::new();
    for witness in found.rows.values() {
        let Ok(parsed) = document::parse(&interpreter, &witness.input, &witness.options) else {
            continue;
        };
        let _ = writeln!(out, "#data\n{}\n#errors", witness.input);
        for (error, _) in &parsed.errors {
            let _ = writeln!(out, "{}", machine.errors[usize::from(error.0)].name);
        }
        out += &context(&witness.options);
        let _ = writeln!(out, "#document\n{}", tree(&parsed.tree, &witness.options));
    }
    out
}

/// The context of a fragment, and whether scripting is wanted.
pub(crate) fn context(options: &ParseOptions) -> String {
    let mut out = String::new();
    if let Some(context) = &options.context {
        let _ = writeln!(out, "#document-fragment\n{}", name(context.namespace, &context.local));
    }
    if options.flags.iter().any(|(flag, value)| flag == "scripting" && *value == 1) {
        out += "#script-on\n";
    }
    out
}

fn name(namespace: Namespace, local: &str) -> String {
    match namespace {
        Namespace::Own => local.to_owned(),
        Namespace::Svg => format!("svg {local}"),
        Namespace::Math => format!("math {local}"),
    }
}

/// The tree, a line a node.
pub(crate) fn tree(tree: &Tree, options: &ParseOptions) -> String {
    let mut out = String::new();
    let document = &tree.nodes[0];
    // Of a fragment, what was parsed is in the document's element.
    let root = match options.context {
        Some(_) => document.children.first().map_or(document, |&root| &tree.nodes[root]),
        None => document,
    };
    let mut waiting: Vec<(NodeId, usize)> =
        root.children.iter().rev().map(|&child| (child, 0)).collect();
    while let Some((id, depth)) = waiting.pop() {
        let node = &tree.nodes[id];
        line(node, depth, &mut out);
        let inside = [node.contents, node.shadow_root].into_iter().flatten();
        let children = inside.chain(node.children.iter().copied()).collect::<Vec<_>>();
        waiting.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    out
}

fn line(node: &Node, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let mut say = |text: String| {
        let _ = writeln!(out, "| {indent}{text}");
    };
    match &node.kind {
        NodeKind::Document => {}
        NodeKind::Fragment(None) => say("content".to_owned()),
        NodeKind::Fragment(Some(mode)) => say(format!("<template shadowrootmode={mode}>")),
        NodeKind::Element(name, attributes) => {
            say(format!("<{}>", shown(name)));
            let mut attributes: Vec<String> = attributes
                .iter()
                .map(|(name, value)| format!("  {}=\"{value}\"", shown(name)))
                .collect();
            attributes.sort();
            attributes.into_iter().for_each(say);
        }
        NodeKind::Text(text) => say(format!("\"{text}\"")),
        NodeKind::Comment(text) => say(format!("<!-- {text} -->")),
        NodeKind::ProcessingInstruction(target, data) => say(format!("<?{target} {data}?>")),
        NodeKind::Doctype(doctype) => {
            let name = doctype.name.as_deref().unwrap_or_default();
            let identifiers = match (&doctype.public_identifier, &doctype.system_identifier) {
                (None, None) => String::new(),
                (public, system) => format!(
                    " \"{}\" \"{}\"",
                    public.as_deref().unwrap_or_default(),
                    system.as_deref().unwrap_or_default()
                ),
            };
            say(format!("<!DOCTYPE {name}{identifiers}>"));
        }
    }
}

/// A name with the short form of its namespace, if it is another one than that of HTML.
fn shown(name: &Name) -> String {
    let prefix = match name.namespace.rsplit('/').next() {
        Some("svg") => "svg ",
        Some("MathML") => "math ",
        Some("xlink") => "xlink ",
        Some("namespace") => "xml ",
        _ => "",
    };
    format!("{prefix}{}", name.local)
}
