//! Attacks, and the standard's text. Invariant: nothing runs that came through a sanitizer, however it is read after it.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use tabulex::html::{self, Html};
use tabulex::sanitize::Sanitizer;
use tabulex::tree::{Edge, Namespace, NodeRef, Tree};
use tabulex::{Options, Parsed};

/// A file of the documents and suites that are kept beside the repository; none, and a line about it, if it is not there.
fn shared(name: &str) -> Option<String> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::var_os("TABULEX_SHARED");
    let folder = folder.map_or_else(|| here.join("../../../shared"), PathBuf::from);
    let text = std::fs::read_to_string(folder.join(name));
    text.inspect_err(|_| eprintln!("shared/{name} is not there; TABULEX_SHARED names the folder"))
        .ok()
}

/// Whether a browser goes to the URL of this attribute when somebody follows it.
fn navigates(node: NodeRef<'_>, local: &str) -> bool {
    let name = node.local_name().unwrap_or_default().to_ascii_lowercase();
    match node.namespace() {
        Some(Namespace::MATHML) => local == "href",
        Some(Namespace::SVG) => name == "a" && local == "href",
        _ => match local {
            "href" => ["a", "area", "base"].contains(&&*name),
            "action" | "formaction" => ["form", "button", "input"].contains(&&*name),
            _ => false,
        },
    }
}

/// What of a tree would run. Where all attributes stay that no standard takes for a handler of events, `handlers` are those
/// that it does; elsewhere none may stay that looks like one.
fn dangers(tree: &Tree, handlers: Option<&[String]>) -> Vec<String> {
    let mut found = Vec::new();
    for edge in tree.root().walk_with_contents() {
        let Edge::Open(node) = edge else { continue };
        let Some(name) = node.local_name() else { continue };
        let name = name.to_ascii_lowercase();
        if ["script", "iframe", "object", "embed", "frame"].contains(&&*name)
            || name == "use" && node.namespace() == Some(Namespace::SVG)
        {
            found.push(name.clone());
        }
        for attribute in node.attributes() {
            let local = attribute.name().local();
            // As the parser of URLs leaves out characters.
            let value = attribute.value().trim_start_matches(|it: char| it <= ' ');
            let value = value.replace(['\t', '\n', '\r'], "");
            let is_script = value.to_ascii_lowercase().starts_with("javascript:");
            let is_animated = local == "attributeName" && value.ends_with("href");
            let is_handler = match handlers {
                Some(handlers) => handlers.iter().any(|handler| handler == local),
                None => local.starts_with("on"),
            };
            if is_handler || is_script && navigates(node, local) || is_animated {
                found.push(format!("{name} {local}={value}"));
            }
        }
    }
    found
}

/// The markup as it may be read.
fn readings(markup: &str) -> Vec<Parsed> {
    let contexts = ["div", "template", "td", "select", "svg svg", "svg title", "math mi", "p"];
    let mut all = Vec::new();
    for scripting in [false, true] {
        let options = || Options::new().scripting(scripting);
        all.push(html::parse(markup, options()));
        all.push(html::parse(&format!("<!DOCTYPE html><div>{markup}</div>"), options()));
        all.extend(contexts.map(|context| html::parse_fragment(markup, context, options())));
    }
    all
}

fn attacks() -> Vec<String> {
    let own = include_str!("cases.txt").lines().filter(|line| !line.starts_with('#'));
    let mut all: Vec<String> = own.map(str::to_owned).collect();
    if let Some(payloads) = shared("testdata/mxss/payloads.json") {
        let payloads: Value = serde_json::from_str(&payloads).unwrap();
        let payloads = payloads.as_array().unwrap();
        assert!(payloads.len() > 50, "the payloads are {}", payloads.len());
        all.extend(payloads.iter().map(|it| it["payload"].as_str().unwrap().to_owned()));
    }
    all
}

#[test]
fn nothing_runs_that_was_sanitized() {
    // What may hold scripts, so that the test can fail.
    let before = attacks()
        .iter()
        .filter(|attack| {
            readings(attack).iter().any(|reading| !dangers(&reading.tree, None).is_empty())
        })
        .count();
    assert!(before > 40, "{before}");
    let sanitizers = [
        Sanitizer::new(),
        Sanitizer::new()
            .comments(true)
            .data_attributes(true)
            .allow_element("style")
            .allow_element("noscript"),
        Sanitizer::permissive(),
        Sanitizer::permissive().comments(true),
        Sanitizer::permissive()
            .replace_element("form")
            .unwrap()
            .replace_element("svg title")
            .unwrap(),
    ];
    let handlers = shared("documents/sanitizer/event-handler-content-attributes.txt");
    let handlers: Option<Vec<String>> =
        handlers.map(|text| text.lines().map(str::to_owned).collect());
    // Without the standard's list nothing says which attributes may stay.
    let count = if handlers.is_some() { sanitizers.len() } else { 2 };
    let (mut bypasses, mut unstable) = (Vec::new(), 0);
    for attack in attacks() {
        for (number, sanitizer) in sanitizers[..count].iter().enumerate() {
            let Ok(clean) = sanitizer.clean::<Html>(&attack) else {
                unstable += 1;
                continue;
            };
            let again = sanitizer.clean::<Html>(&clean);
            assert_eq!(again.as_ref(), Ok(&clean), "{attack}");
            let reading = html::parse_fragment(&clean, "div", Options::new());
            let found = dangers(&reading.tree, handlers.as_deref().filter(|_| number > 1));
            if !found.is_empty() {
                bypasses.push(format!("{number}: {attack}\n  {clean}\n  {found:?}"));
            }
            // What stays by default is harmless wherever it is put.
            if number == 0 {
                for reading in readings(&clean) {
                    let found = dangers(&reading.tree, None);
                    if !found.is_empty() {
                        bypasses.push(format!("elsewhere: {attack}\n  {clean}\n  {found:?}"));
                    }
                }
            }
        }
    }
    assert!(bypasses.is_empty(), "{} bypasses:\n{}", bypasses.len(), bypasses.join("\n"));
    assert!(unstable <= 3, "{unstable}");
}

#[test]
fn trees_are_sanitized_with_what_templates_hold() {
    let page =
        "<template><b onclick=x()>1</b><script></script></template><p data-a=1 id=2>3<!--4--></p>";
    for (sanitizer, wanted) in [
        (Sanitizer::permissive(), "<template><b>1</b></template><p data-a=\"1\" id=\"2\">3</p>"),
        (
            Sanitizer::permissive().allow_unsafe().comments(true),
            "<template><b onclick=\"x()\">1</b><script></script></template><p data-a=\"1\" id=\"2\">3<!--4--></p>",
        ),
        (Sanitizer::new(), "<p>3</p>"),
        (Sanitizer::new().data_attributes(true), "<p data-a=\"1\">3</p>"),
        (Sanitizer::new().allow_element_with("p", &["id"]), "<p id=\"2\">3</p>"),
        (Sanitizer::new().allow_element("script").allow_attribute("onclick"), "<p>3</p>"),
        (Sanitizer::new().replace_element("p").unwrap(), "3"),
        (Sanitizer::new().remove_element("p"), ""),
        (
            Sanitizer::permissive().remove_attribute("id").remove_element("template"),
            "<p data-a=\"1\">3</p>",
        ),
    ] {
        let mut tree = html::parse_fragment(page, "div", Options::new()).tree;
        let root = tree.document_element().unwrap().id();
        sanitizer.sanitize(&mut tree, root);
        assert_eq!(html::serializer().inner(tree.node(root)), wanted, "{sanitizer:?}");
    }
    for fixed in ["html", "svg svg", "math math"] {
        assert!(Sanitizer::new().replace_element(fixed).is_err());
    }
    let mut tree = html::parse("<script id=s>1</script>", Options::new()).tree;
    let script = tree.element_by_id("s").unwrap().id();
    let set = Sanitizer::new().set_html::<Html>(&mut tree, script, "2", &Options::new());
    assert!(set.unwrap().is_none());
    assert_eq!(tree.node(script).text(), "1");
}

/// The lists of the standard, by the markup that stays: each element with each attribute.
#[test]
fn the_default_is_that_of_the_text() {
    let Some(text) = shared("documents/sanitizer/safe-default-configuration.json") else { return };
    let wanted: Value = serde_json::from_str(&text).unwrap();
    let pairs = |value: &Value| -> BTreeSet<String> {
        let names = value.as_array().unwrap().iter();
        names.map(|it| it["name"].as_str().unwrap().to_owned()).collect()
    };
    let global = pairs(&wanted["attributes"]);
    let mut names: BTreeSet<String> = global.clone();
    for element in wanted["elements"].as_array().unwrap() {
        names.extend(pairs(&element["attributes"]));
    }
    names.extend(["id", "class", "style", "src", "onclick", "name"].map(str::to_owned));
    let known = wanted["elements"].as_array().unwrap().iter().map(|element| {
        let namespace = match element["namespace"].as_str().unwrap() {
            "http://www.w3.org/1999/xhtml" => Namespace::HTML,
            "http://www.w3.org/2000/svg" => Namespace::SVG,
            _ => Namespace::MATHML,
        };
        let own = pairs(&element["attributes"]);
        (element["name"].as_str().unwrap(), namespace, Some(own))
    });
    let others = [
        ("form", Namespace::HTML, None),
        ("use", Namespace::SVG, None),
        ("maction", Namespace::MATHML, None),
        ("x", Namespace::HTML, None),
        ("mi", Namespace::SVG, None),
    ];
    let mut count = 0;
    for (name, namespace, own) in known.chain(others) {
        count += usize::from(own.is_some());
        let mut tree = Tree::new();
        let element = tree.create_element(namespace, name);
        for attribute in &names {
            tree.set_attribute(element, attribute, "x");
        }
        let root = tree.root().id();
        tree.append(root, element).unwrap();
        Sanitizer::new().sanitize(&mut tree, root);
        let left = tree.document_element().map(|element| -> BTreeSet<String> {
            element.attributes().map(|attribute| attribute.name().local().to_owned()).collect()
        });
        let own = own.map(|own| own.union(&global).cloned().collect::<BTreeSet<_>>());
        assert_eq!(left, own, "{name}");
    }
    assert_eq!(count, 121);
}

/// The lists of what is unsafe, by what goes where all else stays.
#[test]
fn the_baseline_is_that_of_the_text() {
    let name = "documents/sanitizer/safe-baseline-configuration-materialized.json";
    let Some(text) = shared(name) else { return };
    let wanted: Value = serde_json::from_str(&text).unwrap();
    let handlers: Vec<&str> = wanted["removeAttributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    let mut tree = Tree::new();
    let outer = tree.create_element(Namespace::HTML, "div");
    for attribute in handlers.iter().chain(&["id", "on", "onx"]) {
        tree.set_attribute(outer, attribute, "x");
    }
    let gone = wanted["removeElements"].as_array().unwrap();
    for element in gone {
        let namespace = match element["namespace"].as_str().unwrap() {
            "http://www.w3.org/1999/xhtml" => Namespace::HTML,
            _ => Namespace::SVG,
        };
        let inner = tree.create_element(namespace, element["name"].as_str().unwrap());
        tree.append(outer, inner).unwrap();
    }
    let kept = tree.create_element(Namespace::HTML, "use");
    tree.append(outer, kept).unwrap();
    let root = tree.root().id();
    tree.append(root, outer).unwrap();
    assert_eq!(Sanitizer::permissive().sanitize(&mut tree, root), gone.len() + handlers.len());
    assert_eq!(
        html::serializer().inner(tree.root()),
        "<div id=\"x\" on=\"x\" onx=\"x\"><use></use></div>"
    );
    assert!(gone.len() == 7 && handlers.len() == 88, "{} {}", gone.len(), handlers.len());
}

/// Links are closed by the next ones, in each block anew: the text would be longer each time that it is read.
#[test]
fn what_gets_longer_each_time_is_given_up() {
    let address = "a".repeat(20_000);
    let page = format!("<a href={address}>{}{}", "<div>".repeat(600), "<a>".repeat(600));
    let unstable = Sanitizer::new().clean::<Html>(&page).expect_err("it does not settle");
    assert!(unstable.text.len() < 200 * page.len(), "{}", unstable.text.len());
}
