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

/// The nodes of a document as serialized: DOCTYPEs lose their identifiers, which may change the document's mode.
fn written_lines(parsed: &Parsed) -> Vec<Line> {
    let root = parsed.tree.root();
    let mut lines = nodes::lines(root);
    // Nodes before a DOCTYPE are comments and processing instructions, of one line each.
    let doctypes = root.children().zip(&mut lines);
    let doctype = doctypes.take_while(|(node, _)| !node.is_element());
    for (node, line) in doctype.filter(|(node, _)| node.kind() == NodeKind::Doctype) {
        line.1 = nodes::doctype_line(node.doctype().map_or("", |it| it.name), "", "");
    }
    lines
}

/// The difference after serializing and parsing the document.
fn of_document(parsed: &Parsed, scripting: bool) -> Option<PageFailure> {
    let text = html::serializer().scripting(scripting).inner(parsed.tree.root());
    let again = html::parse(&text, options().scripting(scripting));
    PageFailure::between(&written_lines(parsed), &written_lines(&again))
}

/// The difference after serializing and parsing the contents of an element.
fn of_fragment(markup: &str, context: &str, scripting: bool) -> Option<PageFailure> {
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
        parsed.tree.append(element, child).expect("it is no ancestor");
    }
    let text = html::serializer().scripting(scripting).inner(parsed.tree.node(element));
    PageFailure::between(&lines, &fragment_lines(&parse(&text)))
}

#[test]
fn reparsed_pages_are_stable() {
    on_pages("pages parsed again", "html-again-pages", &|parsed, _| of_document(parsed, false));
}

#[test]
fn reparsed_payloads_are_stable() {
    let Some(file) = shared("testdata/mxss/payloads.json") else {
        return report("payloads parsed again: 0 runs, suite absent");
    };
    let list: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let mut known = Known::read("html-again-payloads");
    let (mut runs, mut passed, mut failed) = (0, 0, Vec::new());
    for payload in list.as_array().unwrap().iter().map(|it| it["payload"].as_str().unwrap()) {
        for scripting in [false, true] {
            let parsed = html::parse(payload, options().scripting(scripting));
            for wrong in [of_document(&parsed, scripting), of_fragment(payload, "div", scripting)] {
                runs += 1;
                match wrong {
                    None => passed += 1,
                    Some(_) if known.excuses(payload) => {}
                    Some(wrong) => failed.push(format!("{payload:?}: {}", wrong.full)),
                }
            }
        }
    }
    end("payloads parsed again", runs, passed, &known, &failed);
    assert!(runs >= 4 * 141, "{runs} runs");
}

#[test]
fn reparsed_suite_inputs_are_stable() {
    let mut known = Known::read("html-again-inputs");
    let (mut runs, mut passed, mut failed) = (0, 0, Vec::new());
    for (_, case) in suite_of_a_package() {
        for input in inputs(&case) {
            runs += 1;
            let wrong = match input.fragment {
                None => of_document(
                    &html::parse(input.text, options().scripting(input.scripting)),
                    input.scripting,
                ),
                Some(context) => of_fragment(input.text, context, input.scripting),
            };
            match wrong {
                None => passed += 1,
                Some(_) if known.excuses(&input.written()) => {}
                Some(wrong) => failed.push(format!("{:?}: {}", input.written(), wrong.full)),
            }
        }
    }
    end("inputs parsed again", runs, passed, &known, &failed);
    assert!(runs >= 3_400, "{runs} runs");
}
