//! The Web Platform's tests of `querySelectorAll` (dom/nodes/selectors.js), in the form that the package cssselect2
//! ships. Known differences are listed with reasons.

use std::collections::BTreeSet;
use std::path::PathBuf;
use tabulex::Options;
use tabulex::html;
use tabulex::select::{Query, Selector};
use tabulex::tree::{Namespace, NodeId, NodeRef, Tree};

/// Known differences and their reasons: a selector, or a part of selectors that begins with a colon.
const KNOWN_DIFFERENCES: &[(&str, &str)] = &[
    ("::", "a pseudo-element is an error here: it selects no element of any tree"),
    (":first-l", "a pseudo-element with one colon, as well"),
    (":before", "a pseudo-element with one colon, as well"),
    (":after", "a pseudo-element with one colon, as well"),
    ("*", "the list is what is in one place; the tests themselves compare with all elements"),
    (
        "#attr-presence [*|TiTlE]",
        "an element of the list is not in the package's copy of the document",
    ),
    (":target", "no tree has a URL, so that nobody can have gone to a part of it"),
];

/// A value of the file, which is Python source.
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
        if let Self::Text(text) = self { text } else { panic!("{self:?} is no text") }
    }

    fn list(&self) -> &[PythonValue] {
        if let Self::List(list) = self { list } else { panic!("{self:?} is not a list") }
    }
}

/// Parses lists, dictionaries, strings (some in adjacent parts) and numbers.
fn value(rest: &mut &str) -> PythonValue {
    space(rest);
    let first = rest.chars().next().expect("a value");
    match first {
        '[' | '{' => {
            *rest = &rest[1..];
            let (mut list, mut fields) = (Vec::new(), Vec::new());
            loop {
                space(rest);
                if take(rest, if first == '[' { "]" } else { "}" }) {
                    break;
                }
                let item = value(rest);
                space(rest);
                if take(rest, ":") {
                    fields.push((item.text().to_owned(), value(rest)));
                } else {
                    list.push(item);
                }
                space(rest);
                take(rest, ",");
            }
            if first == '[' { PythonValue::List(list) } else { PythonValue::Fields(fields) }
        }
        '\'' | '"' => {
            let mut text = String::new();
            while let Some(quote) = rest.chars().next().filter(|it| matches!(it, '\'' | '"')) {
                *rest = &rest[1..];
                part(rest, quote, &mut text);
                space(rest);
            }
            PythonValue::Text(text)
        }
        _ => {
            let end = rest.find(|it: char| !it.is_ascii_digit()).expect("more");
            assert!(end > 0, "{}", &rest[..20]);
            let number = &rest[..end];
            *rest = &rest[end..];
            PythonValue::Text(number.to_owned())
        }
    }
}

/// Parses the rest of a string after its opening quote.
fn part(rest: &mut &str, quote: char, text: &mut String) {
    let mut characters = rest.chars();
    loop {
        match characters.next().expect("the end of a text") {
            '\\' => match characters.next().expect("a character") {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                escaped @ ('x' | 'u') => {
                    let length = if escaped == 'x' { 2 } else { 4 };
                    let digits: String = characters.by_ref().take(length).collect();
                    let number = u32::from_str_radix(&digits, 16).expect("digits");
                    text.push(char::from_u32(number).expect("a character"));
                }
                itself => text.push(itself),
            },
            character if character == quote => break,
            character => text.push(character),
        }
    }
    *rest = characters.as_str();
}

fn space(rest: &mut &str) {
    *rest = rest.trim_start();
}

fn take(rest: &mut &str, sign: &str) -> bool {
    let after = rest.strip_prefix(sign);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

/// Sets up a document as the tests do, and returns the nodes to query: the document, an element, a detached copy of
/// that element, and a fragment with another copy.
fn document(page: &str) -> (Tree, [(&'static str, NodeId); 4]) {
    let mut tree = html::parse(page, Options::new()).tree;
    let root = tree.element_by_id("root").expect("the root of the tests").id();
    for id in ["any-namespace", "no-namespace"] {
        let parent = tree.create_element(Namespace::HTML, "div");
        tree.set_attribute(parent, "id", id).unwrap();
        tree.append(root, parent).unwrap();
        let example = tree.names_mut().namespace("http://www.example.org/ns");
        let namespaces = [Namespace::HTML, Namespace::HTML, Namespace::NONE, example];
        for (namespace, number) in namespaces.into_iter().zip(1..) {
            let child = tree.create_element(namespace, "div");
            tree.set_attribute(child, "id", &format!("{id}-div{number}")).unwrap();
            tree.append(parent, child).unwrap();
        }
    }
    let detached = tree.clone_node(root);
    let (fragment, inside) = (tree.create_fragment(), tree.clone_node(root));
    tree.append(fragment, inside).unwrap();
    let all = [("element", root), ("detached", detached), ("fragment", fragment)];
    let [element, detached, fragment] = all;
    let document = ("document", tree.root().id());
    (tree, [document, element, detached, fragment])
}

fn selected<'t>(root: NodeRef<'t>, selector: &str) -> Result<Vec<&'t str>, String> {
    let selector = Selector::parse(selector).map_err(|error| error.to_string())?;
    Ok(root.select(&selector).map(|node| node.attribute("id").unwrap_or("")).collect())
}

#[test]
fn selects_as_the_web_platform_does() {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::var_os("TABULEX_SHARED");
    let folder = folder.map_or_else(|| here.join("../../../../shared"), PathBuf::from);
    let folder = folder.join("testdata/selectors");
    let Ok(file) = std::fs::read_to_string(folder.join("w3_selectors.py")) else {
        let how =
            "pip download cssselect2==0.10.1 --no-binary cssselect2; it is the folder `tests`";
        return eprintln!("suite absent: testdata/selectors; to get it: {how}");
    };
    let page = std::fs::read_to_string(folder.join("content.xhtml")).expect("the document");
    let after = |name: &str| file.split_once(name).expect("the list").1;
    let invalid = value(&mut after("invalid_selectors ="));
    let valid = value(&mut after("\nvalid_selectors ="));
    let (tree, places) = document(&page);
    let (mut runs, mut wrong, mut excused) = (0, Vec::new(), BTreeSet::new());
    let mut excuses = |selector: &str| {
        let is_target =
            |part: &str| selector == part || part.starts_with(':') && selector.contains(part);
        let known = KNOWN_DIFFERENCES.iter().find(|(part, _)| is_target(part));
        excused.extend(known.map(|(part, _)| *part));
        known.is_some()
    };
    for case in invalid.list() {
        let selector = case.field("selector").expect("a selector").text();
        runs += 1;
        if Selector::parse(selector).is_ok() && !excuses(selector) {
            wrong.push(format!("{selector:?} is no error"));
        }
    }
    for case in valid.list() {
        let selector = case.field("selector").expect("a selector").text();
        let expect: Vec<_> =
            case.field("expect").unwrap().list().iter().map(PythonValue::text).collect();
        let exclude = case.field("exclude").map_or(&[][..], PythonValue::list);
        let is_excluded = |place: &str| exclude.iter().any(|it| it.text() == place);
        if is_excluded("html") {
            continue;
        }
        for (place, node) in places.iter().filter(|(place, _)| !is_excluded(place)) {
            runs += 1;
            let found = selected(tree.node(*node), selector);
            if found.as_ref() != Ok(&expect) && !excuses(selector) {
                wrong.push(format!("{selector:?} in {place}: {found:?}, not {expect:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {runs}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(runs > 800, "{runs} runs");
    let stale: Vec<_> =
        KNOWN_DIFFERENCES.iter().filter(|(part, _)| !excused.contains(part)).collect();
    assert!(stale.is_empty(), "these no longer differ: {stale:?}");
}
