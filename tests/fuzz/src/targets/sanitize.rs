//! Sanitized markup: sanitizing is idempotent with any configuration, the output runs no scripts, and it parses equally
//! with and without scripting. Dangerous contents are searched for in the tree parsed from the output. The package's
//! own tests check which elements are kept by default.

use super::Target;
use crate::feedback::note;
use crate::input_reader::InputReader;
use tabulex::html::{self, Html};
use tabulex::sanitize::Sanitizer;
use tabulex::tree::{Edge, Namespace, NodeRef};
use tabulex::{FragmentContext, Options};
use tabulex_tests::random::Random;

pub(super) const TARGET: Target = Target {
    name: "sanitize",
    about: "sanitized markup: unchanged if sanitized again, and nothing in it runs",
    choices: 4,
    piece,
    run,
};

/// Context elements for parsing.
const CONTEXTS: &[&str] =
    &["div", "template", "td", "select", "svg svg", "svg title", "math mi", "p", "table"];

/// Names of elements to allow, remove or replace.
const ELEMENTS: &[&str] = &[
    "form",
    "style",
    "noscript",
    "svg title",
    "svg a",
    "svg foreignObject",
    "math mi",
    "a",
    "p",
    "script",
    "template",
    "table",
    "td",
    "select",
    "title",
    "math annotation-xml",
];

fn piece(random: &mut Random) -> Vec<u8> {
    match random.one_in(2) {
        true => random.piece("sanitize").into(),
        false => super::trees::piece(random),
    }
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let (flags, context) = (reader.byte(), FragmentContext::from(*reader.pick(CONTEXTS)));
    let (allowed, changed) = (*reader.pick(ELEMENTS), *reader.pick(ELEMENTS));
    let markup = reader.into_text();
    let sanitizer = sanitizer(flags, allowed, changed);
    note((flags % 32, allowed, changed));
    let mut tree = html::parse_fragment(&markup, context.clone(), Options::new()).tree;
    let root = tree.document_element().unwrap().id();
    note(sanitizer.sanitize(&mut tree, root).min(9));
    assert_eq!(sanitizer.sanitize(&mut tree, root), 0, "sanitized a second time");
    // `dangers` skips the root, which is not sanitized: it may have attributes from an `<html>` tag in the markup.
    let tree_dangers = dangers(tree.node(root));
    assert!(
        tree_dangers.is_empty(),
        "the sanitized tree of {markup:?} has dangerous contents: {tree_dangers:?}"
    );
    let clean_markup = match sanitizer.clean_in::<Html>(&markup, context.clone()) {
        Ok(clean_markup) => clean_markup,
        // An error is allowed: the sanitizer reports that its output does not stabilize.
        Err(unstable) => return note(("unstable", unstable.text.len() % 8)),
    };
    assert_eq!(
        sanitizer.clean_in::<Html>(&clean_markup, context.clone()).as_ref(),
        Ok(&clean_markup)
    );
    let mut parsed_trees = Vec::new();
    for scripting in [true, false] {
        let options = Options::new().scripting(scripting);
        let tree = html::parse_fragment(&clean_markup, context.clone(), options).tree;
        let output_dangers = dangers(tree.root());
        assert!(output_dangers.is_empty(), "{clean_markup:?}: {output_dangers:?}");
        tree.root().descendants().for_each(|node| note((flags % 32, node.local_name())));
        parsed_trees.push(tree);
    }
    let [with, without] = &parsed_trees[..] else { return };
    assert!(
        with.root().is_like(&without.root()),
        "the tree of {clean_markup:?} depends on scripting"
    );
}

/// Returns a sanitizer with the configuration that `flags` selects.
fn sanitizer(flags: u8, allowed: &str, changed: &str) -> Sanitizer {
    let mut sanitizer = match flags % 2 {
        0 => Sanitizer::new().allow_element(allowed),
        _ => Sanitizer::permissive(),
    };
    sanitizer = match flags / 2 % 4 {
        0 => sanitizer.remove_element(changed),
        1 => sanitizer.replace_element(changed).unwrap_or_default(),
        2 => sanitizer.allow_element_with(changed, &["href", "onclick", "title"]),
        _ => sanitizer,
    };
    if flags / 32 % 2 == 1 {
        sanitizer =
            sanitizer.allow_attribute("onerror").allow_attribute("title").allow_attribute("href");
    }
    sanitizer.comments(flags / 8 % 2 == 1).data_attributes(flags / 16 % 2 == 1)
}

/// Returns the dangerous contents of a node: scripts, embedded pages, event handlers, and links to scripts.
fn dangers(root: NodeRef<'_>) -> Vec<String> {
    let mut dangers = Vec::new();
    for edge in root.walk_with_contents() {
        let Edge::Open(node) = edge else { continue };
        if node == root {
            continue;
        }
        let (Some(name), Some(namespace)) = (node.local_name(), node.namespace()) else { continue };
        let is_dangerous = match namespace {
            Namespace::HTML => {
                matches!(name, "base" | "script" | "iframe" | "object" | "embed" | "frame")
            }
            Namespace::SVG => matches!(name, "script" | "use"),
            _ => false,
        };
        if is_dangerous {
            dangers.push(name.to_owned());
        }
        for attribute in node.attributes() {
            let (local, value) = (attribute.name().local(), attribute.value());
            if local.starts_with("on")
                || is_navigation_url(namespace, name, local) && has_script_scheme(value)
            {
                dangers.push(format!("{name} {local}={value}"));
            }
        }
    }
    dangers
}

/// Whether an attribute contains a URL to navigate to.
fn is_navigation_url(namespace: Namespace, name: &str, local: &str) -> bool {
    match (namespace, local) {
        (Namespace::HTML, "href") => matches!(name, "a" | "area" | "base"),
        (Namespace::HTML, "action") => name == "form",
        (Namespace::HTML, "formaction") => matches!(name, "button" | "input"),
        (Namespace::SVG, "href") => name == "a",
        (namespace, local) => namespace == Namespace::MATHML && local == "href",
    }
}

/// Whether a URL has the scheme `javascript`.
fn has_script_scheme(url: &str) -> bool {
    let url =
        url.trim_start_matches(|character: char| character <= ' ').replace(['\t', '\n', '\r'], "");
    url.to_ascii_lowercase().starts_with("javascript:")
}
