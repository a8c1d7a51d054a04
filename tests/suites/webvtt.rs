//! Runs public test cases for WebVTT cue text, whose expected trees are HTML documents. Interpreter and compiled parser
//! run every case, chunked at every position if it is short; cases with a different tree are listed with a reason.

use serde_json::Value;
use std::fs;
use tabulex::tree::{NodeKind, NodeRef};
use tabulex::{Options, Token, webvtt, webvtt_file};
use tabulex_tests::inputs::all_cuts;
use tabulex_tests::known::Known;
use tabulex_tests::results;
use tabulex_tests::shared::{report, shared};
use tabulex_tests::trees::{Input, difference, tree_dialect};

/// Formats a line of a dump, indented by the depth of its node.
fn line(depth: usize, text: &str) -> String {
    format!("| {}{text}", "  ".repeat(depth))
}

/// Appends the dump of the HTML nodes that the section "WebVTT cue text DOM construction rules" creates from a node's
/// children.
fn dump(parent: NodeRef<'_>, depth: usize, lines: &mut Vec<String>) {
    for node in parent.children() {
        if node.kind() == NodeKind::Text {
            lines.push(line(depth, &format!("\"{}\"", node.data().unwrap_or_default())));
            continue;
        }
        let name = node.local_name().unwrap_or_default();
        let is_span = ["c", "v", "lang"].contains(&name);
        lines.push(line(depth, &format!("<{}>", if is_span { "span" } else { name })));
        let annotation = if name == "v" { "title" } else { "lang" };
        for (attribute, html_name) in [("class", "class"), ("annotation", annotation)] {
            // The expected trees, made by other programs, do not distinguish an empty value from a missing one.
            if let Some(value) = node.attribute(attribute).filter(|value| !value.is_empty()) {
                lines.push(line(depth + 1, &format!("{html_name}=\"{value}\"")));
            }
        }
        dump(node, depth + 1, lines);
    }
}

/// Appends the dump of the children of a node, given as JSON that another program has written.
fn dump_json(parent: &Value, depth: usize, lines: &mut Vec<String>) {
    for node in parent["childNodes"].as_array().into_iter().flatten() {
        let Some(name) = node["localName"].as_str().filter(|name| !name.is_empty()) else {
            lines.push(line(depth, &format!("\"{}\"", node["data"].as_str().unwrap_or_default())));
            continue;
        };
        lines.push(line(depth, &format!("<{name}>")));
        for (property, html_name) in [("className", "class"), ("title", "title"), ("lang", "lang")]
        {
            if let Some(value) = node[property].as_str().filter(|value| !value.is_empty()) {
                lines.push(line(depth + 1, &format!("{html_name}=\"{value}\"")));
            }
        }
        dump_json(node, depth + 1, lines);
    }
}

/// Returns the texts of the cues of a file.
fn cue_texts(file: &str) -> Vec<String> {
    let texts = webvtt_file::tokens(file).filter_map(|token| match token {
        Token::Declared(cue) if cue.name == "cue" => cue.fields.into_iter().last(),
        _ => None,
    });
    texts.map(|field| field.text.into_owned()).collect()
}

/// Returns the cases of `cuetext.json` and `entities.dat`: each cue text, and its tree where there is one.
fn cases(folder: &std::path::Path) -> Vec<(String, Option<Vec<String>>)> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    let mut cases = Vec::new();
    let files: Vec<Value> =
        serde_json::from_str(&read("cuetext.json")).expect("`cuetext.json` is JSON");
    for file in &files {
        let texts =
            cue_texts(file["vtt"].as_str().expect("each case has the text of a file in `vtt`"));
        for (index, text) in texts.into_iter().enumerate() {
            // The cue's outer box contains an inner box, whose children are the nodes of the cue text.
            let inner_box = &file["processed"][index]["childNodes"][0];
            let tree = inner_box.is_object().then(|| {
                let mut lines = Vec::new();
                dump_json(inner_box, 0, &mut lines);
                lines
            });
            cases.push((text, tree));
        }
    }
    for case in read("entities.dat").split("#data\n").skip(1) {
        let (text, expected) = case.split_once("\n#errors\n").unwrap();
        let (_, tree) = expected.split_once("#document-fragment\n").unwrap();
        let tree = tree.trim_end().replace("\\u200E", "\u{200E}").replace("\\u200F", "\u{200F}");
        let tree = tree.replace("\\u00A0", "\u{A0}").lines().map(str::to_owned).collect();
        cases.push((text.to_owned(), Some(tree)));
    }
    cases
}

#[test]
fn cue_texts_of_others() {
    let Some(folder) = shared("testdata/webvtt") else {
        report("webvtt: 0 cases, suite absent");
        return;
    };
    let mut known = Known::read("webvtt");
    let (mut passed, mut excused, mut without_tree, mut failures) = (0, 0, 0, Vec::new());
    for (text, tree) in cases(&folder) {
        let input = Input { text: &text, ..Input::default() };
        let cuts = if text.len() < 100 { all_cuts(&text) } else { Vec::new() };
        assert_eq!(difference(tree_dialect("webvtt"), &input, &cuts), None, "{text:?}");
        let Some(tree) = tree else {
            without_tree += 1;
            continue;
        };
        let mut dumped = Vec::new();
        dump(webvtt::parse(&text, Options::new()).tree.root(), 0, &mut dumped);
        if dumped == tree {
            passed += 1;
        } else if known.excuses(&text) {
            excused += 1;
        } else {
            failures.push(format!("{text:?}\n- {tree:#?}\n+ {dumped:#?}"));
        }
    }
    report(&format!(
        "webvtt: {passed} trees as expected, {excused} differ as listed, {without_tree} have none"
    ));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let stale = known.stale();
    assert!(stale.is_empty(), "known differences that did not occur as listed: {stale:?}");
    results::check_result("webvtt", passed + excused, passed);
}
