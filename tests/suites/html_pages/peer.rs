//! The tree that html5ever builds from a text and options, in the form of `tabulex_tests::nodes`.

use html5ever::interface::QuirksMode;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, Namespace, ParseOpts, QualName, ns};
use rcdom::{Handle, NodeData, RcDom};
use tabulex::tree::DocumentMode;
use tabulex_tests::nodes::{
    CONTENTS, Line, attribute_line, comment_line, doctype_line, format_name, instruction_line,
    mode_line, text_line,
};
use tabulex_tests::trees::Input;

/// Parses the input with html5ever, and returns its tree as lines; see [`lines_of`].
pub(crate) fn lines(input: &Input<'_>) -> Vec<Line> {
    let tree_builder =
        TreeBuilderOpts { scripting_enabled: input.scripting, ..TreeBuilderOpts::default() };
    // The input is text without a byte order mark, so a leading U+FEFF is a character.
    let tokenizer =
        html5ever::tokenizer::TokenizerOpts { discard_bom: false, ..Default::default() };
    let options = ParseOpts { tree_builder, tokenizer };
    let text = StrTendril::from(input.text);
    let Some(context) = input.fragment else {
        return lines_of(&html5ever::parse_document(RcDom::default(), options).one(text), false);
    };
    let (namespace, local): (Namespace, &str) = match context.split_once(' ') {
        Some(("svg", local)) => (ns!(svg), local),
        Some(("math", local)) => (ns!(mathml), local),
        _ => (ns!(html), context),
    };
    let name = QualName::new(None, namespace, local.into());
    let (dom, scripting) = (RcDom::default(), input.scripting);
    let dom = html5ever::parse_fragment(dom, options, name, Vec::new(), scripting).one(text);
    lines_of(&dom, true)
}

/// Returns the lines of a document's mode and nodes, or of a fragment's nodes.
pub(crate) fn lines_of(dom: &RcDom, is_fragment: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    if !is_fragment {
        lines.push(mode_line(convert_mode(dom.quirks_mode.get())));
        push_descendants(&mut lines, &dom.document);
        return lines;
    }
    let root = dom.document.children.borrow()[0].clone();
    push_descendants(&mut lines, &root);
    lines
}

fn convert_mode(mode: QuirksMode) -> DocumentMode {
    match mode {
        QuirksMode::Quirks => DocumentMode::Quirks,
        QuirksMode::LimitedQuirks => DocumentMode::LimitedQuirks,
        QuirksMode::NoQuirks => DocumentMode::NoQuirks,
    }
}

/// A node, or the contents of a template, that the traversal has yet to visit, with its depth.
enum PendingNode {
    Node(usize, Handle),
    Contents(usize, Handle),
}

fn push_descendants(lines: &mut Vec<Line>, root: &Handle) {
    let mut pending: Vec<PendingNode> = Vec::new();
    push_children(&mut pending, 0, root);
    while let Some(next) = pending.pop() {
        match next {
            PendingNode::Node(depth, node) => {
                push_node(lines, depth, &node);
                push_children(&mut pending, depth + 1, &node);
            }
            PendingNode::Contents(depth, node) => {
                lines.push((depth, CONTENTS.to_owned()));
                push_children(&mut pending, depth + 1, &node);
            }
        }
    }
}

/// Adds the children of a node to the stack, and its template contents, which are visited first.
fn push_children(pending: &mut Vec<PendingNode>, depth: usize, node: &Handle) {
    let children = node.children.borrow();
    pending.extend(children.iter().rev().map(|child| PendingNode::Node(depth, child.clone())));
    if let NodeData::Element { template_contents, .. } = &node.data
        && let Some(contents) = &*template_contents.borrow()
    {
        pending.push(PendingNode::Contents(depth, contents.clone()));
    }
}

fn push_node(lines: &mut Vec<Line>, depth: usize, node: &Handle) {
    let full_name = |name: &QualName| {
        format_name(&name.ns, name.prefix.as_deref().unwrap_or_default(), &name.local)
    };
    match &node.data {
        NodeData::Document => lines.push((depth, "document".to_owned())),
        NodeData::Doctype { name, public_id, system_id } => {
            lines.push((depth, doctype_line(name, public_id, system_id)));
        }
        NodeData::Text { contents } => lines.push((depth, text_line(&contents.borrow()))),
        NodeData::Comment { contents } => lines.push((depth, comment_line(contents))),
        NodeData::ProcessingInstruction { target, contents } => {
            lines.push((depth, instruction_line(target, contents)));
        }
        NodeData::Element { name, attrs, .. } => {
            lines.push((depth, format!("<{}", full_name(name))));
            let line = |attribute: &Attribute| {
                (depth + 1, attribute_line(&full_name(&attribute.name), &attribute.value))
            };
            lines.extend(attrs.borrow().iter().map(line));
        }
    }
}
