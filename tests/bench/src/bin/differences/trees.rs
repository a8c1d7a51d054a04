//! Trees of peers in the dump format of the html5lib tests. For a fragment, the contents of the root element are
//! dumped.

use html5ever::tendril::TendrilSink as _;
use html5ever::tree_builder::{TreeBuilderOpts, TreeSink};
use html5ever::{Attribute, LocalName, ParseOpts, QualName, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Parses a case into a sink; returns `None` if the case has no input.
fn parse<S: TreeSink>(case: &Value, sink: S) -> Option<S::Output> {
    let scripting_enabled = case["scripting"] == true;
    let tree_builder = TreeBuilderOpts { scripting_enabled, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let input = case["input"].as_str()?;
    let Some(context) = case["fragment"].as_str() else {
        return Some(html5ever::parse_document(sink, options).one(input));
    };
    let (namespace, local) = match context.split_once(' ') {
        Some(("svg", local)) => (ns!(svg), local),
        Some(("math", local)) => (ns!(mathml), local),
        _ => (ns!(html), context),
    };
    let name = QualName::new(None, namespace, LocalName::from(local));
    let parser = html5ever::parse_fragment(sink, options, name, Vec::new(), scripting_enabled);
    Some(parser.one(input))
}

/// Returns a dump of the tree that html5ever builds as an `RcDom`.
pub(super) fn html5ever(case: &Value) -> Option<Value> {
    let dom = parse(case, RcDom::default())?;
    let mut out = String::new();
    let roots = dom.document.children.borrow().clone();
    let top_nodes = match (case["fragment"].is_string(), roots.first()) {
        (true, Some(root)) => root.children.borrow().clone(),
        _ => roots,
    };
    top_nodes.iter().for_each(|node| dump_rcdom_node(node, 0, &mut out));
    Some(json!({"tree": out}))
}

fn dump_rcdom_node(node: &Handle, depth: usize, out: &mut String) {
    match &node.data {
        NodeData::Document => {}
        NodeData::Doctype { name, public_id, system_id } => {
            write_doctype(depth, [name, public_id, system_id], out);
        }
        NodeData::Text { contents } => {
            write_line(depth, &format!("\"{}\"", contents.borrow()), out);
        }
        NodeData::Comment { contents } => write_line(depth, &format!("<!-- {contents} -->"), out),
        NodeData::ProcessingInstruction { target, contents } => {
            write_line(depth, &format!("<?{target} {contents}?>"), out);
        }
        NodeData::Element { name, attrs, template_contents, .. } => {
            let attributes = attrs.borrow();
            let pairs = attributes.iter().map(|Attribute { name, value }| (name, &**value));
            write_element(depth, name, pairs, out);
            if let Some(contents) = &*template_contents.borrow() {
                write_line(depth + 1, "content", out);
                let children = contents.children.borrow();
                children.iter().for_each(|child| dump_rcdom_node(child, depth + 2, out));
            }
        }
    }
    node.children.borrow().iter().for_each(|child| dump_rcdom_node(child, depth + 1, out));
}

/// Returns a dump of the tree that scraper builds, where the contents of a template are its children.
pub(super) fn scraper(case: &Value) -> Option<Value> {
    let html = match case["fragment"].is_string() {
        true => scraper::Html::new_fragment(),
        false => scraper::Html::new_document(),
    };
    let html = parse(case, scraper::HtmlTreeSink::new(html))?;
    let mut out = String::new();
    let root = html.tree.root();
    let parent = if case["fragment"].is_string() { root.first_child()? } else { root };
    parent.children().for_each(|node| dump_scraper_node(node, 0, &mut out));
    Some(json!({"tree": out}))
}

fn dump_scraper_node(node: ego_tree::NodeRef<'_, scraper::Node>, depth: usize, out: &mut String) {
    match node.value() {
        scraper::Node::Document | scraper::Node::Fragment => {}
        scraper::Node::Doctype(it) => {
            write_doctype(depth, [&it.name, &it.public_id, &it.system_id], out);
        }
        scraper::Node::Comment(it) => write_line(depth, &format!("<!-- {} -->", &**it), out),
        scraper::Node::Text(it) => write_line(depth, &format!("\"{}\"", &**it), out),
        scraper::Node::ProcessingInstruction(it) => {
            write_line(depth, &format!("<?{} {}?>", it.target, it.data), out);
        }
        scraper::Node::Element(it) => {
            write_element(
                depth,
                &it.name,
                it.attrs.iter().map(|(name, value)| (name, &**value)),
                out,
            );
        }
    }
    node.children().for_each(|child| dump_scraper_node(child, depth + 1, out));
}

fn write_line(depth: usize, text: &str, out: &mut String) {
    let _ = writeln!(out, "| {:1$}{text}", "", 2 * depth);
}

fn write_doctype(depth: usize, [name, public, system]: [&str; 3], out: &mut String) {
    let identifiers = match public.is_empty() && system.is_empty() {
        true => String::new(),
        false => format!(" \"{public}\" \"{system}\""),
    };
    write_line(depth, &format!("<!DOCTYPE {name}{identifiers}>"), out);
}

fn write_element<'n>(
    depth: usize,
    name: &QualName,
    attributes: impl Iterator<Item = (&'n QualName, &'n str)>,
    out: &mut String,
) {
    write_line(depth, &format!("<{}>", qualified_name(name)), out);
    let mut lines: Vec<String> =
        attributes.map(|(name, value)| format!("{}=\"{value}\"", qualified_name(name))).collect();
    lines.sort();
    lines.iter().for_each(|text| write_line(depth + 1, text, out));
}

/// Formats a name, prefixed with the short form of its namespace if that is not HTML.
fn qualified_name(name: &QualName) -> String {
    let prefix = match &*name.ns {
        "http://www.w3.org/2000/svg" => "svg ",
        "http://www.w3.org/1998/Math/MathML" => "math ",
        "http://www.w3.org/1999/xlink" => "xlink ",
        "http://www.w3.org/XML/1998/namespace" => "xml ",
        "http://www.w3.org/2000/xmlns/" => "xmlns ",
        _ => "",
    };
    format!("{prefix}{}", name.local)
}
