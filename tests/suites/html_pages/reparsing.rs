//! Serializes a tree and parses the text again. The standard warns that this may give another tree; each such input is
//! listed with the rule that causes it.

use super::{PageFailure, end, fragment_lines, on_pages, options, suite_of_a_package};
use serde_json::Value;
use std::fs;
use tabulex::tree::{Namespace, NodeKind};
use tabulex::{Parsed, html};
use tabulex_tests::dat::inputs;
use tabulex_tests::known::Known;
use tabulex_tests::nodes::{self, Line};
use tabulex_tests::shared::{report, shared};

/// Returns the lines of the nodes of a document, with DOCTYPEs as serialized: without identifiers.
fn written_lines(parsed: &Parsed) -> Vec<Line> {
    let root = parsed.tree.root();
    let mut lines = nodes::lines(root);
    // Only comments and processing instructions can precede a DOCTYPE. Each has one line, so nodes and lines pair up.
    let top_level = root.children().zip(&mut lines);
    let prolog = top_level.take_while(|(node, _)| !node.is_element());
    for (node, line) in prolog.filter(|(node, _)| node.kind() == NodeKind::Doctype) {
        line.1 = nodes::doctype_line(node.doctype().map_or("", |doctype| doctype.name), "", "");
    }
    lines
}

/// Returns the difference between a document and its serialized and reparsed copy, if there is one.
fn document_failure(parsed: &Parsed, scripting: bool) -> Option<PageFailure> {
    let text = html::serializer().scripting(scripting).inner(parsed.tree.root());
    let reparsed = html::parse(&text, options().scripting(scripting));
    PageFailure::between(&written_lines(parsed), &written_lines(&reparsed))
}

/// Returns the difference between an element's contents and their serialized and reparsed copy, if there is one.
fn fragment_failure(markup: &str, context: &str, scripting: bool) -> Option<PageFailure> {
    let parse = |text: &str| html::parse_fragment(text, context, options().scripting(scripting));
    let mut parsed = parse(markup);
    let lines = fragment_lines(&parsed);
    let root = parsed.tree.document_element().expect("a fragment has a root");
    let children: Vec<_> = root.children().map(|child| child.id()).collect();
    let (namespace, local) = match context.split_once(' ') {
        Some(("svg", local)) => (Namespace::SVG, local),
        Some(("math", local)) => (Namespace::MATHML, local),
        _ => (Namespace::HTML, context),
    };
    let element = parsed.tree.create_element(namespace, local);
    for child in children {
        parsed.tree.append(element, child).expect("a node can be moved into a new element");
    }
    let text = html::serializer().scripting(scripting).inner(parsed.tree.node(element));
    PageFailure::between(&lines, &fragment_lines(&parse(&text)))
}

#[test]
fn reparsed_pages_are_stable() {
    on_pages("pages parsed again", "html-again-pages", &|parsed, _| {
        document_failure(parsed, false)
    });
}

#[test]
fn reparsed_payloads_are_stable() {
    let Some(file) = shared("testdata/mxss/payloads.json") else {
        return report("payloads parsed again: 0 runs, suite absent");
    };
    let list: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let mut known = Known::read("html-again-payloads");
    let (mut runs, mut passed, mut failed) = (0, 0, Vec::new());
    for payload in list.as_array().unwrap().iter().map(|entry| entry["payload"].as_str().unwrap()) {
        for scripting in [false, true] {
            let parsed = html::parse(payload, options().scripting(scripting));
            for failure in
                [document_failure(&parsed, scripting), fragment_failure(payload, "div", scripting)]
            {
                runs += 1;
                match failure {
                    None => passed += 1,
                    Some(_) if known.excuses(payload) => {}
                    Some(failure) => failed.push(format!("{payload:?}: {}", failure.full)),
                }
            }
        }
    }
    end("payloads parsed again", runs, passed, &known, &failed);
    assert!(runs >= 4 * 141, "only {runs} runs");
}

#[test]
fn reparsed_suite_inputs_are_stable() {
    let mut known = Known::read("html-again-inputs");
    let (mut runs, mut passed, mut failed) = (0, 0, Vec::new());
    for (_, case) in suite_of_a_package() {
        for input in inputs(&case) {
            runs += 1;
            let failure = match input.fragment {
                None => document_failure(
                    &html::parse(input.text, options().scripting(input.scripting)),
                    input.scripting,
                ),
                Some(context) => fragment_failure(input.text, context, input.scripting),
            };
            match failure {
                None => passed += 1,
                Some(_) if known.excuses(&input.written()) => {}
                Some(failure) => failed.push(format!("{:?}: {}", input.written(), failure.full)),
            }
        }
    }
    end("inputs parsed again", runs, passed, &known, &failed);
    assert!(runs >= 3_400, "only {runs} runs");
}
