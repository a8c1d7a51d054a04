//! The Web Platform's tests of `querySelectorAll` (dom/nodes/selectors.js), in the form that the package cssselect2
//! ships. Known differences are listed with reasons.

use std::collections::BTreeSet;
use std::path::PathBuf;
use tabulex::Options;
use tabulex::html;
use tabulex::select::{Query, Selector};
use tabulex::tree::{Namespace, NodeId, NodeRef, Tree};

/// Known differences: a selector, or a part of selectors that begins with a colon, and the reason.
const KNOWN_DIFFERENCES: &[(&str, &str)] = &[
    ("::", "a pseudo-element is an error here: it selects no element of any tree"),
    (":first-l", "a pseudo-element, written with one colon"),
    (":before", "a pseudo-element, written with one colon"),
    (":after", "a pseudo-element, written with one colon"),
    ("*", "the list covers one queried node; the suite itself compares with all elements"),
    (
        "#attr-presence [*|TiTlE]",
        "an element of the list is not in the package's copy of the document",
    ),
    (":target", "a tree has no URL, so no element is the target"),
];

/// A Python value: the suite is Python source.
#[derive(Debug)]
enum PythonValue {
    Text(String),
    List(Vec<PythonValue>),
    Fields(Vec<(String, PythonValue)>),
}

impl PythonValue {
    fn field(&self, name: &str) -> Option<&PythonValue> {
        let Self::Fields(fields) = self else { return None };
        fields.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    fn text(&self) -> &str {
        if let Self::Text(text) = self { text } else { panic!("{self:?} is not a string") }
    }

    fn list(&self) -> &[PythonValue] {
        if let Self::List(list) = self { list } else { panic!("{self:?} is not a list") }
    }
}

/// Parses a list, a dictionary, a string (possibly of adjacent parts) or a number.
fn parse_value(input: &mut &str) -> PythonValue {
    skip_space(input);
    let first_character = input.chars().next().unwrap();
    match first_character {
        '[' | '{' => {
            *input = &input[1..];
            let (mut list, mut fields) = (Vec::new(), Vec::new());
            loop {
                skip_space(input);
                if consume(input, if first_character == '[' { "]" } else { "}" }) {
                    break;
                }
                let item = parse_value(input);
                skip_space(input);
                if consume(input, ":") {
                    fields.push((item.text().to_owned(), parse_value(input)));
                } else {
                    list.push(item);
                }
                skip_space(input);
                consume(input, ",");
            }
            if first_character == '[' {
                PythonValue::List(list)
            } else {
                PythonValue::Fields(fields)
            }
        }
        '\'' | '"' => {
            let mut text = String::new();
            while let Some(quote) = input.chars().next().filter(|quote| matches!(quote, '\'' | '"'))
            {
                *input = &input[1..];
                parse_string(input, quote, &mut text);
                skip_space(input);
            }
            PythonValue::Text(text)
        }
        _ => {
            let end = input.find(|character: char| !character.is_ascii_digit()).unwrap();
            assert!(end > 0, "expected a value at `{}`", &input[..20]);
            let number = &input[..end];
            *input = &input[end..];
            PythonValue::Text(number.to_owned())
        }
    }
}

/// Parses a string after its opening quote and appends it to `text`.
fn parse_string(input: &mut &str, quote: char, text: &mut String) {
    let mut characters = input.chars();
    loop {
        match characters.next().unwrap() {
            '\\' => match characters.next().unwrap() {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                escaped @ ('x' | 'u') => {
                    let length = if escaped == 'x' { 2 } else { 4 };
                    let digits: String = characters.by_ref().take(length).collect();
                    let number = u32::from_str_radix(&digits, 16).unwrap();
                    text.push(char::from_u32(number).unwrap());
                }
                literal => text.push(literal),
            },
            character if character == quote => break,
            character => text.push(character),
        }
    }
    *input = characters.as_str();
}

fn skip_space(input: &mut &str) {
    *input = input.trim_start();
}

fn consume(input: &mut &str, token: &str) -> bool {
    let after = input.strip_prefix(token);
    *input = after.unwrap_or(input);
    after.is_some()
}

/// Sets up a document as the suite does, and returns the nodes to query: the document, an element, a detached copy of
/// that element, and a fragment with another copy.
fn document(page: &str) -> (Tree, [(&'static str, NodeId); 4]) {
    let mut tree = html::parse(page, Options::new()).tree;
    let root = tree.element_by_id("root").unwrap().id();
    for id in ["any-namespace", "no-namespace"] {
        let parent = tree.create_element(Namespace::HTML, "div");
        tree.set_attribute(parent, "id", id).unwrap();
        tree.append(root, parent).unwrap();
        let example_namespace = tree.names_mut().namespace("http://www.example.org/ns");
        let namespaces = [Namespace::HTML, Namespace::HTML, Namespace::NONE, example_namespace];
        for (namespace, number) in namespaces.into_iter().zip(1..) {
            let child = tree.create_element(namespace, "div");
            tree.set_attribute(child, "id", &format!("{id}-div{number}")).unwrap();
            tree.append(parent, child).unwrap();
        }
    }
    let detached = tree.clone_node(root);
    let (fragment, inside) = (tree.create_fragment(), tree.clone_node(root));
    tree.append(fragment, inside).unwrap();
    let document = tree.root().id();
    let roots =
        [("document", document), ("element", root), ("detached", detached), ("fragment", fragment)];
    (tree, roots)
}

fn select_ids<'t>(root: NodeRef<'t>, selector: &str) -> Result<Vec<&'t str>, String> {
    let selector = Selector::parse(selector).map_err(|error| error.to_string())?;
    Ok(root.select(&selector).map(|node| node.attribute("id").unwrap_or("")).collect())
}

#[test]
fn selects_as_the_web_platform_does() {
    let manifest_folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::var_os("TABULEX_SHARED");
    let folder = folder.map_or_else(|| manifest_folder.join("../../../../shared"), PathBuf::from);
    let folder = folder.join("testdata/selectors");
    let Ok(file) = std::fs::read_to_string(folder.join("w3_selectors.py")) else {
        let instructions =
            "pip download cssselect2==0.10.1 --no-binary cssselect2; its folder `tests` goes there";
        return eprintln!("suite absent: testdata/selectors; to get it: {instructions}");
    };
    let page = std::fs::read_to_string(folder.join("content.xhtml")).unwrap();
    let after = |name: &str| file.split_once(name).unwrap().1;
    let invalid = parse_value(&mut after("invalid_selectors ="));
    let valid = parse_value(&mut after("\nvalid_selectors ="));
    let (tree, queried_nodes) = document(&page);
    let (mut runs, mut failures, mut found_differences) = (0, Vec::new(), BTreeSet::new());
    let mut is_known_difference = |selector: &str| {
        let applies =
            |part: &str| selector == part || part.starts_with(':') && selector.contains(part);
        let difference = KNOWN_DIFFERENCES.iter().find(|(part, _)| applies(part));
        found_differences.extend(difference.map(|(part, _)| *part));
        difference.is_some()
    };
    for case in invalid.list() {
        let selector = case.field("selector").unwrap().text();
        runs += 1;
        if Selector::parse(selector).is_ok() && !is_known_difference(selector) {
            failures.push(format!("{selector:?} is accepted"));
        }
    }
    for case in valid.list() {
        let selector = case.field("selector").unwrap().text();
        let expected: Vec<_> =
            case.field("expect").unwrap().list().iter().map(PythonValue::text).collect();
        let excluded = case.field("exclude").map_or(&[][..], PythonValue::list);
        let is_excluded = |node_name: &str| excluded.iter().any(|name| name.text() == node_name);
        if is_excluded("html") {
            continue;
        }
        for (node_name, node) in
            queried_nodes.iter().filter(|(node_name, _)| !is_excluded(node_name))
        {
            runs += 1;
            let actual = select_ids(tree.node(*node), selector);
            if actual.as_ref() != Ok(&expected) && !is_known_difference(selector) {
                failures.push(format!("{selector:?} in {node_name}: {actual:?}, not {expected:?}"));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {runs} runs differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(runs > 800, "only {runs} runs");
    let stale_differences: Vec<_> =
        KNOWN_DIFFERENCES.iter().filter(|(part, _)| !found_differences.contains(part)).collect();
    assert!(
        stale_differences.is_empty(),
        "known differences that no longer occur: {stale_differences:?}"
    );
}
