//! The standard's configuration object: the markup it leaves, invalid configurations, and its JSON form.

use tabulex::html::{self, Html};
use tabulex::sanitize::{Config, Element, Name, Sanitizer};
use tabulex::tree::NodeId;
use tabulex::{Options, sanitize};

fn sanitizer(line: &str) -> Result<Sanitizer, sanitize::ConfigError> {
    let (safety, config) = line.split_once(' ').unwrap();
    match (safety, config) {
        ("safe", "default") => Ok(Sanitizer::new()),
        ("safe", config) => Sanitizer::from_config(&Config::from_json(config)?),
        ("unsafe", config) => Sanitizer::unsafe_from_config(&Config::from_json(config)?),
        _ => panic!("expected `safe` or `unsafe` and a configuration, not `{line}`"),
    }
}

/// Sets markup as the contents of a `div`; returns the contents, and the number of shadow roots if there are any.
fn set_markup(sanitizer: &Sanitizer, markup: &str) -> String {
    let mut tree = html::parse("<div id=it>", Options::new()).tree;
    let element = tree.element_by_id("it").unwrap().id();
    let options = Options::new().scripting(true);
    sanitizer.set_html::<Html>(&mut tree, element, markup, &options).unwrap();
    let descendants = tree.node(element).descendants_with_contents();
    let roots: Vec<NodeId> =
        descendants.filter_map(|node| Some(node.shadow_root()?.id())).collect();
    let text = html::serializer().shadow_roots(&roots).inner(tree.node(element));
    if roots.is_empty() { text } else { format!("{text} ({})", roots.len()) }
}

#[test]
fn applies_configurations_as_the_standard_does() {
    let lines = include_str!("standard.txt").lines().filter(|line| !line.starts_with('#'));
    let lines: Vec<&str> = lines.collect();
    let (cases, incomplete_case) = lines.as_chunks::<3>();
    assert!(incomplete_case.is_empty() && cases.len() > 100, "{} {incomplete_case:?}", cases.len());
    let mut failures = Vec::new();
    for [config, markup, expected] in cases {
        let actual = match sanitizer(config) {
            Ok(sanitizer) => set_markup(&sanitizer, markup),
            Err(error) => format!("! {error}"),
        };
        let is_error = expected.strip_prefix("! ").is_some_and(|message| actual.contains(message));
        if actual != *expected && !(is_error && actual.starts_with("! ")) {
            failures.push(format!("{config}\n{markup}\n{actual}\nbut {expected}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A canonical configuration is not changed by writing it as JSON, nor by creating a sanitizer from it.
#[test]
fn configurations_round_trip_through_json() {
    let lines = include_str!("standard.txt").lines();
    let configs = lines.filter(|line| line.starts_with("safe ") || line.starts_with("unsafe "));
    let mut count = 0;
    for line in configs {
        let Ok(sanitizer) = sanitizer(line) else { continue };
        let config = sanitizer.config();
        let reparsed = Config::from_json(&config.to_json()).unwrap();
        assert_eq!(reparsed, config, "{line}");
        let unsafe_sanitizer = Sanitizer::unsafe_from_config(&reparsed).unwrap();
        assert_eq!(unsafe_sanitizer.config(), config, "{line}");
        count += 1;
    }
    assert!(count > 40, "only {count} configurations");
    assert_eq!(Sanitizer::from_config(&Sanitizer::new().config()), Ok(Sanitizer::new()));
    let json = Config::from_json(
        r#"{"elements": [{"name": "b", "namespace": "x"}, "a", {"namespace": null, "name": "c"}], "comments": true}"#,
    );
    let json = Sanitizer::from_config(&json.unwrap()).unwrap().config().to_json();
    assert_eq!(
        json,
        r#"{"elements":[{"name":"c","namespace":null,"removeAttributes":[]},{"name":"a","namespace":"http://www.w3.org/1999/xhtml","removeAttributes":[]},{"name":"b","namespace":"x","removeAttributes":[]}],"processingInstructions":[],"removeAttributes":[],"comments":true,"javascriptURLs":true}"#,
    );
}

#[test]
fn names_the_line_of_invalid_json() {
    let error = Config::from_json("{\n\"elements\": [\n}").unwrap_err().to_string();
    assert!(error.contains("line 3 "), "{error}");
}

type Change = fn(Sanitizer) -> Sanitizer;

/// Each case has a configuration, a modification from the standard, and the resulting configuration.
#[test]
fn modifications_keep_configurations_valid() {
    let config_of = |sanitizer: &Sanitizer| sanitizer.config();
    let sanitizer_of =
        |config: &str| Sanitizer::from_config(&Config::from_json(config).unwrap()).unwrap();
    let cases: [(&str, Change, &str); 15] = [
        (
            r#"{"elements": ["a"], "replaceWithChildrenElements": ["b"]}"#,
            |it| it.allow_element("b"),
            r#"{"elements": ["a", "b"]}"#,
        ),
        (
            r#"{"removeElements": ["a"], "replaceWithChildrenElements": ["b"]}"#,
            |it| it.allow_element("b"),
            r#"{"removeElements": ["a"]}"#,
        ),
        (
            r#"{"removeElements": ["p"]}"#,
            |it| it.allow_element_with("p", &["id"]),
            r#"{"removeElements": ["p"]}"#,
        ),
        (
            r#"{"elements": [], "attributes": ["id"]}"#,
            |it| it.allow_element_with("p", &["id", "title"]),
            r#"{"elements": [{"name": "p", "attributes": ["title"]}], "attributes": ["id"]}"#,
        ),
        (
            r#"{"elements": [], "removeAttributes": ["id"]}"#,
            |it| it.allow_element_with("p", &["id", "title"]),
            r#"{"elements": [{"name": "p", "attributes": ["title"]}], "removeAttributes": ["id"]}"#,
        ),
        (
            r#"{"elements": [], "attributes": [], "dataAttributes": true}"#,
            |it| it.allow_element_with("p", &["data-a", "b"]),
            r#"{"elements": [{"name": "p", "attributes": ["b"]}], "attributes": [], "dataAttributes": true}"#,
        ),
        (
            r#"{"elements": [{"name": "p", "attributes": ["a", "b"]}], "attributes": []}"#,
            |it| it.allow_attribute("a"),
            r#"{"elements": [{"name": "p", "attributes": ["b"]}], "attributes": ["a"]}"#,
        ),
        (
            r#"{"elements": [{"name": "p", "attributes": ["a"], "removeAttributes": ["b"]}], "attributes": ["b", "c"]}"#,
            |it| it.remove_attribute("b").remove_attribute("a"),
            r#"{"elements": [{"name": "p", "attributes": []}], "attributes": ["c"]}"#,
        ),
        (
            r#"{"elements": [{"name": "p", "attributes": ["a"]}, {"name": "b", "removeAttributes": ["a"]}], "removeAttributes": []}"#,
            |it| it.remove_attribute("a"),
            r#"{"elements": [{"name": "p", "attributes": []}, "b"], "removeAttributes": ["a"]}"#,
        ),
        (
            r#"{"elements": ["p", "b"]}"#,
            |it| it.replace_element("p").unwrap(),
            r#"{"elements": ["b"], "replaceWithChildrenElements": ["p"]}"#,
        ),
        (
            r#"{"removeElements": ["p", "b"]}"#,
            |it| it.replace_element("p").unwrap(),
            r#"{"removeElements": ["b"], "replaceWithChildrenElements": ["p"]}"#,
        ),
        (
            r#"{"removeElements": [], "replaceWithChildrenElements": ["p"]}"#,
            |it| it.remove_element("p"),
            r#"{"removeElements": ["p"]}"#,
        ),
        (
            r#"{"attributes": ["data-a", "b"], "elements": [{"name": "p", "attributes": ["data-c", "d"]}]}"#,
            |it| it.data_attributes(true),
            r#"{"attributes": ["b"], "elements": [{"name": "p", "attributes": ["d"]}], "dataAttributes": true}"#,
        ),
        (
            r#"{"removeProcessingInstructions": ["a", "b"]}"#,
            |it| it.processing_instruction("a", true).processing_instruction("c", false),
            r#"{"removeProcessingInstructions": ["b", "c"]}"#,
        ),
        (
            r#"{"processingInstructions": ["a", "b"]}"#,
            |it| it.processing_instruction("a", false).processing_instruction("c", true),
            r#"{"processingInstructions": ["b", "c"]}"#,
        ),
    ];
    for (before, change, after) in cases {
        let modified = change(sanitizer_of(before));
        assert_eq!(config_of(&modified), config_of(&sanitizer_of(after)), "{before}");
        assert!(Sanitizer::from_config(&config_of(&modified)).is_ok(), "{before}");
    }
}

#[test]
fn builds_configurations_in_rust() {
    let mut config = Config::default();
    config.elements = Some(vec![Element::new("p"), Element::new("svg a").with(&["xlink:href"])]);
    config.attributes = Some(vec![Name::attribute("id")]);
    let sanitizer = Sanitizer::from_config(&config).unwrap();
    assert_eq!(
        sanitizer.clean::<Html>("<p id=1 class=2>a<b>c</b>").as_deref(),
        Ok("<p id=\"1\">a</p>")
    );
    config.remove_elements = Some(Vec::new());
    let error = Sanitizer::from_config(&config).unwrap_err();
    assert_eq!(error.to_string(), "`elements` and `removeElements` are mutually exclusive");
}
