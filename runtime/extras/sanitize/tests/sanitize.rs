//! Attacks, which must run nothing after sanitizing in any context, and comparisons with the standard's text.

use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use tabulex::html::{self, Html};
use tabulex::sanitize::{Sanitizer, UnknownElements};
use tabulex::tree::{Edge, Namespace, NodeRef, Tree};
use tabulex::{Options, Parsed};

/// Reads a file of the documents and suites next to the repository; prints a line and returns `None` if it is missing.
fn read_shared_file(name: &str) -> Option<String> {
    let manifest_folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::var_os("TABULEX_SHARED");
    let folder = folder.map_or_else(|| manifest_folder.join("../../../../shared"), PathBuf::from);
    let text = std::fs::read_to_string(folder.join(name)).ok();
    if text.is_none() {
        // `println!` is not used, because the test harness hides its output for passing tests.
        let notice =
            format!("suite absent: {name}; set `TABULEX_SHARED` to the folder that contains it");
        let _ = writeln!(std::io::stdout(), "{notice}");
    }
    text
}

/// Whether browsers navigate to the URL in this attribute.
fn is_followed_url(node: NodeRef<'_>, local: &str) -> bool {
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

/// Lists the elements and attributes of a tree that would run scripts.
fn find_dangers(tree: &Tree) -> Vec<String> {
    let mut dangers = Vec::new();
    for edge in tree.root().walk_with_contents() {
        let Edge::Open(node) = edge else { continue };
        let Some(name) = node.local_name() else { continue };
        let name = name.to_ascii_lowercase();
        if ["script", "iframe", "object", "embed", "frame", "base"].contains(&&*name)
            && node.namespace() != Some(Namespace::MATHML)
            || name == "use" && node.namespace() == Some(Namespace::SVG)
        {
            dangers.push(name.clone());
        }
        for attribute in node.attributes() {
            let local = attribute.name().local();
            // URL parsers ignore leading control characters and spaces, and all tabs and line breaks.
            let value = attribute.value().trim_start_matches(|it: char| it <= ' ');
            let value = value.replace(['\t', '\n', '\r'], "");
            let is_script_url = value.to_ascii_lowercase().starts_with("javascript:");
            let is_animated = local == "attributeName" && value.ends_with("href");
            let is_handler = local.to_ascii_lowercase().starts_with("on");
            if is_handler || is_script_url && is_followed_url(node, local) || is_animated {
                dangers.push(format!("{name} {local}={value}"));
            }
        }
    }
    dangers
}

/// Contexts in which to parse markup that was sanitized as the contents of a `div`.
const CONTEXTS: [&str; 5] = ["div", "template", "td", "select", "p"];
/// Foreign contexts, in which raw text is markup; sanitizing raw text for them requires `clean_in`.
const FOREIGN_CONTEXTS: [&str; 3] = ["svg svg", "svg title", "math mi"];

/// Parses markup as a document and in each context, with scripting enabled and disabled.
fn parse_in_contexts(markup: &str, contexts: &[&str]) -> Vec<Parsed> {
    let mut results = Vec::new();
    for scripting in [false, true] {
        let options = || Options::new().scripting(scripting);
        results.push(html::parse(markup, options()));
        results.push(html::parse(&format!("<!DOCTYPE html><div>{markup}</div>"), options()));
        let parse = |context: &&str| html::parse_fragment(markup, *context, options());
        results.extend(contexts.iter().map(parse));
    }
    results
}

fn attacks() -> Vec<String> {
    let cases = include_str!("cases.txt").lines().filter(|line| !line.starts_with('#'));
    let mut attacks: Vec<String> = cases.map(str::to_owned).collect();
    if let Some(payloads) = read_shared_file("testdata/mxss/payloads.json") {
        let payloads: Value = serde_json::from_str(&payloads).unwrap();
        let payloads = payloads.as_array().unwrap();
        assert!(payloads.len() > 50, "only {} payloads", payloads.len());
        attacks.extend(payloads.iter().map(|it| it["payload"].as_str().unwrap().to_owned()));
    }
    attacks
}

fn sanitizers() -> Vec<Sanitizer> {
    let everything = Sanitizer::permissive()
        .comments(true)
        .processing_instruction("x", true)
        .allow_attribute("onclick");
    vec![
        Sanitizer::new(),
        Sanitizer::new()
            .comments(true)
            .data_attributes(true)
            .allow_element("style")
            .allow_element("noscript")
            .allow_element("base"),
        Sanitizer::permissive(),
        everything,
        Sanitizer::permissive()
            .replace_element("form")
            .unwrap()
            .replace_element("svg title")
            .unwrap(),
        Sanitizer::new().unknown_elements(UnknownElements::KeepContents),
        Sanitizer::new().unknown_elements(UnknownElements::Escape),
    ]
}

#[test]
fn sanitized_attacks_run_nothing() {
    // The attacks that would run scripts if they were not sanitized are counted: without any, the test could not fail.
    let dangerous_count = attacks()
        .iter()
        .filter(|attack| {
            parse_in_contexts(attack, &CONTEXTS)
                .iter()
                .any(|parsed| !find_dangers(&parsed.tree).is_empty())
        })
        .count();
    assert!(dangerous_count > 40, "only {dangerous_count} attacks would run scripts unsanitized");
    let (mut bypasses, mut unstable) = (Vec::new(), 0);
    for attack in attacks() {
        for (index, sanitizer) in sanitizers().iter().enumerate() {
            let Ok(clean) = sanitizer.clean::<Html>(&attack) else {
                unstable += 1;
                continue;
            };
            let cleaned_again = sanitizer.clean::<Html>(&clean);
            assert_eq!(cleaned_again.as_ref(), Ok(&clean), "{attack}");
            // Sanitizers 0, 5 and 6 allow only the default elements, none of which contains raw text, so their output
            // must be safe in foreign contexts, too.
            let foreign_contexts =
                if [0, 5, 6].contains(&index) { &FOREIGN_CONTEXTS[..] } else { &[] };
            for parsed in parse_in_contexts(&clean, &[&CONTEXTS[..], foreign_contexts].concat()) {
                let dangers = find_dangers(&parsed.tree);
                if !dangers.is_empty() {
                    bypasses.push(format!("{index}: {attack}\n  {clean}\n  {dangers:?}"));
                }
            }
        }
    }
    assert!(bypasses.is_empty(), "{} bypasses:\n{}", bypasses.len(), bypasses.join("\n"));
    assert!(unstable <= 3, "{unstable} unstable results, expected at most 3");
}

/// Before 2025, `select` ended at `</select>` in the text of a style sheet, because its start tag was ignored.
#[test]
fn select_contains_nothing_that_parsers_with_earlier_rules_read_as_other_elements() {
    let clean = |sanitizer: &Sanitizer, markup: &str, context: &str| {
        sanitizer.clean_in::<Html>(markup, context).unwrap()
    };
    let permissive = Sanitizer::permissive();
    let image = "<img src=x onerror=y()>";
    for name in ["style", "xmp", "noembed", "noframes"] {
        let markup = format!("<option>1<b><{name}></select>{image}</{name}>2</b></option>");
        let page = format!("<select>{markup}</select>");
        let expected = "<option>1<b>2</b></option>";
        assert_eq!(clean(&permissive, &page, "div"), format!("<select>{expected}</select>"));
        assert_eq!(clean(&permissive, &markup, "select"), expected);
        assert!(clean(&permissive.clone().allow_unsafe(), &page, "div").contains(image));
        let outside = format!("<{name}>{image}</{name}>");
        assert_eq!(clean(&permissive, &outside, "div"), outside);
    }
    for name in ["svg", "math"] {
        let foreign = format!("<{name}><iframe srcdoc=\"1\"></iframe></{name}>");
        let page = format!("<select><option>1{foreign}</option></select>{foreign}");
        let expected = format!("<select><option>1</option></select>{foreign}");
        assert_eq!(clean(&permissive, &page, "div"), expected);
    }
}

/// Elements that contain only text.
const TEXT_CONTEXTS: [&str; 8] =
    ["style", "noscript", "xmp", "iframe", "noembed", "noframes", "title", "textarea"];

#[test]
fn sanitized_text_stays_in_elements_that_contain_only_text() {
    let more_attacks =
        ["a & b > c", "<p>1", "x</STYLE>", "x</noscript ><b>", "&lt;/xmp>", "a</style"];
    let (mut stable, mut rejected) = (0, 0);
    for attack in attacks().into_iter().chain(more_attacks.map(str::to_owned)) {
        for sanitizer in [Sanitizer::new(), Sanitizer::permissive().allow_unsafe()] {
            for context in TEXT_CONTEXTS {
                let result = sanitizer.clean_in::<Html>(&attack, context);
                let Ok(clean) = result else {
                    let end_tag = format!("</{context}");
                    assert!(
                        attack.to_ascii_lowercase().contains(&end_tag),
                        "{context}: {result:?}"
                    );
                    rejected += 1;
                    continue;
                };
                stable += 1;
                let cleaned_again = sanitizer.clean_in::<Html>(&clean, context);
                assert_eq!(cleaned_again.as_ref(), Ok(&clean), "{context}: {attack}");
                let page = format!("<!DOCTYPE html><{context}>{clean}</{context}><i>1</i>");
                let tree = html::parse(&page, Options::new().scripting(true)).tree;
                let element = tree.root().descendants().find(|it| it.is_html(context)).unwrap();
                let serialized = html::serializer().scripting(true).inner(element);
                assert_eq!(serialized, clean, "{context}: {attack}");
                assert!(element.children().all(|it| it.is_text()), "{context}: {attack}");
            }
        }
    }
    assert!(stable > 500 && rejected > 10, "{stable} stable, {rejected} rejected");
    let clean = |context: &str| Sanitizer::new().clean_in::<Html>("a & b > c", context).unwrap();
    for (context, expected) in
        [("style", "a & b > c"), ("title", "a &amp; b &gt; c"), ("noscript", ""), ("plaintext", "")]
    {
        assert_eq!(clean(context), expected, "{context}");
    }
}

/// Parses sanitized text in an element, in a template, within a page and as a page, with and without scripting, and
/// serializes each result.
fn serialize_in_contexts(clean: &str) -> Vec<String> {
    let serialize = |node: NodeRef<'_>| html::serializer().inner(node);
    let mut serializations = Vec::new();
    for scripting in [false, true] {
        let options = || Options::new().scripting(scripting).declarative_shadow_roots(true);
        for context in ["div", "template"] {
            let tree = html::parse_fragment(clean, context, options()).tree;
            serializations.push(serialize(tree.document_element().unwrap()));
        }
        let page = format!("<!DOCTYPE html><title>t</title><div id=sanitized>{clean}</div>1<p>2");
        let tree = html::parse(&page, options()).tree;
        let element = tree.root().descendants().find(|it| it.is_html("div")).unwrap();
        let body = serialize(element.parent().unwrap());
        assert!(body.ends_with("</div>1<p>2</p>"), "{clean}: {body}");
        serializations.push(serialize(element));
        let tree = html::parse(clean, options()).tree;
        let mut contents = String::new();
        for child in tree.root().children() {
            let parent = if child.is_element() { child } else { tree.root() };
            match child.is_element() {
                true => contents.extend(parent.children().map(serialize)),
                false => contents += &html::serializer().outer(child),
            }
        }
        serializations.push(contents);
    }
    serializations.iter().map(|text| without_space(text)).collect()
}

/// Removes all white space, because leading white space of a document is in no node.
fn without_space(text: &str) -> String {
    text.split_ascii_whitespace().collect()
}

/// The attacks in addition to the shared ones cover `noscript`, raw text and templates.
#[test]
fn sanitized_text_parses_alike_in_all_contexts() {
    let more_attacks = [
        "<noscript><style></noscript><img src=x onerror=alert(1)></style></noscript>",
        "<noscript><xmp></noscript><img src=x onerror=alert(1)></xmp></noscript>",
        "<noscript><noembed></noscript><img src=x onerror=alert(1)></noembed></noscript>",
        "<noscript><noframes></noscript><img src=x onerror=alert(1)></noframes></noscript>",
        "<noscript><!--</noscript><img src=x onerror=alert(1)>--></noscript>",
        "<noscript><?x </noscript><img src=x onerror=alert(1)>?></noscript>",
        "<noscript>a</noscript>b<plaintext>c",
        "<div><template shadowrootmode=open><b>a</b></template><template shadowrootmode=open>b</template></div>",
        "<svg><noscript><b></noscript><math><plaintext>a</math>",
        "<style>a</style><title>b</title><noframes>c</noframes><template>d</template> <meta name=e>f<link href=g>",
        "<!--a--> <style>b</style><!--c--> d<head><body>e",
        "<p>a<table>b<tr><td>c</table>d<form>e<div></form><form>f",
        "<select><option>a<select>b</select><hr><input><table></select><button><button>",
        "<pre>\n\na</pre><textarea>\n\nb</textarea><listing>\n\nc</listing>",
    ];
    let (mut differences, mut count) = (Vec::new(), 0);
    for attack in attacks().into_iter().chain(more_attacks.map(str::to_owned)) {
        for (index, sanitizer) in sanitizers().iter().enumerate() {
            let Ok(clean) = sanitizer.clean::<Html>(&attack) else { continue };
            count += 1;
            let serializations = serialize_in_contexts(&clean);
            if serializations.iter().any(|one| *one != without_space(&clean)) {
                differences.push(format!("{index}: {attack}\n  {clean}\n  {serializations:?}"));
            }
        }
    }
    assert!(
        differences.is_empty() && count > 500,
        "{count} results, of which differ:\n{}",
        differences.join("\n")
    );
}

/// Browsers that count only templates on the stack of open elements parse the contents of a template as those of a `div`.
#[test]
fn forms_do_not_nest_in_templates() {
    let attack = "<form><math><mtext><form><mglyph><style></math><img src onerror=x()></style></mglyph></form></mtext></math></form>";
    let clean = Sanitizer::permissive().clean_in::<Html>(attack, "template").unwrap();
    let tree = html::parse_fragment(&clean, "div", Options::new().scripting(true)).tree;
    assert!(find_dangers(&tree).is_empty(), "{clean}");
    assert_eq!(html::serializer().inner(tree.document_element().unwrap()), clean);
}

/// The elements removed for depending on scripting are those whose rows in `html.modes` have that condition.
#[test]
fn removes_elements_that_depend_on_scripting() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../spec/tables/html.modes");
    let table = std::fs::read_to_string(path).unwrap();
    let rows = table.lines().filter(|line| line.contains("when scripting is enabled =>"));
    let names: BTreeSet<&str> = rows.map(|row| row.split('"').nth(1).unwrap()).collect();
    let removed_names = html::serializer().names().raw_text_when_scripting;
    assert_eq!(names, removed_names.iter().copied().collect());
}

#[test]
fn sanitizes_template_contents() {
    let page =
        "<template><b onclick=x()>1</b><script></script></template><p data-a=1 id=2>3<!--4--></p>";
    for (sanitizer, expected) in [
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
        assert_eq!(html::serializer().inner(tree.node(root)), expected, "{sanitizer:?}");
    }
    for element in ["html", "svg svg", "math math"] {
        assert!(Sanitizer::new().replace_element(element).is_err(), "{element}");
    }
    let mut tree = html::parse("<script id=s>1</script>", Options::new()).tree;
    let script = tree.element_by_id("s").unwrap().id();
    let result = Sanitizer::new().set_html::<Html>(&mut tree, script, "2", &Options::new());
    assert!(result.unwrap().is_none());
    assert_eq!(tree.node(script).text(), "1");
}

/// Compares the standard's safe default configuration with what the default sanitizer keeps of each element with each
/// attribute.
#[test]
fn default_lists_match_the_standard() {
    let Some(text) = read_shared_file("documents/sanitizer/safe-default-configuration.json") else {
        return;
    };
    let configuration: Value = serde_json::from_str(&text).unwrap();
    let names_in = |value: &Value| -> BTreeSet<String> {
        let names = value.as_array().unwrap().iter();
        names.map(|it| it["name"].as_str().unwrap().to_owned()).collect()
    };
    let global_attributes = names_in(&configuration["attributes"]);
    let mut attribute_names: BTreeSet<String> = global_attributes.clone();
    for element in configuration["elements"].as_array().unwrap() {
        attribute_names.extend(names_in(&element["attributes"]));
    }
    attribute_names.extend(["id", "class", "style", "src", "onclick", "name"].map(str::to_owned));
    let listed_elements = configuration["elements"].as_array().unwrap().iter().map(|element| {
        let namespace = match element["namespace"].as_str().unwrap() {
            "http://www.w3.org/1999/xhtml" => Namespace::HTML,
            "http://www.w3.org/2000/svg" => Namespace::SVG,
            _ => Namespace::MATHML,
        };
        let own_attributes = names_in(&element["attributes"]);
        (element["name"].as_str().unwrap(), namespace, Some(own_attributes))
    });
    let unlisted_elements = [
        ("form", Namespace::HTML, None),
        ("use", Namespace::SVG, None),
        ("maction", Namespace::MATHML, None),
        ("x", Namespace::HTML, None),
        ("mi", Namespace::SVG, None),
    ];
    let mut count = 0;
    for (name, namespace, own_attributes) in listed_elements.chain(unlisted_elements) {
        count += usize::from(own_attributes.is_some());
        let mut tree = Tree::new();
        let element = tree.create_element(namespace, name);
        for attribute in &attribute_names {
            tree.set_attribute(element, attribute, "x").unwrap();
        }
        let root = tree.root().id();
        tree.append(root, element).unwrap();
        Sanitizer::new().sanitize(&mut tree, root);
        let kept_attributes = tree.document_element().map(|element| -> BTreeSet<String> {
            element.attributes().map(|attribute| attribute.name().local().to_owned()).collect()
        });
        let expected_attributes = own_attributes.map(|own_attributes| {
            own_attributes.union(&global_attributes).cloned().collect::<BTreeSet<_>>()
        });
        assert_eq!(kept_attributes, expected_attributes, "{name}");
    }
    assert_eq!(count, 121);
}

/// Compares the standard's lists of unsafe names, with later additions, with what a permissive sanitizer removes. It
/// removes event handlers by prefix, including those on no list.
#[test]
fn unsafe_lists_match_the_standard() {
    let path = "documents/sanitizer/safe-baseline-configuration-materialized.json";
    let Some(text) = read_shared_file(path) else { return };
    let expected: Value = serde_json::from_str(&text).unwrap();
    let handlers: Vec<&str> = expected["removeAttributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .chain(["on", "onx", "onpointerdown", "onbegin"])
        .collect();
    let mut tree = Tree::new();
    let outer = tree.create_element(Namespace::HTML, "div");
    for attribute in handlers.iter().chain(&["id", "no"]) {
        tree.set_attribute(outer, attribute, "x").unwrap();
    }
    let namespaced = tree.names_mut().name(Namespace::XLINK, "xlink", "onclick");
    tree.set_named_attribute(outer, namespaced, "x");
    let removed_elements = expected["removeElements"].as_array().unwrap();
    let removed_elements = removed_elements.iter().map(|element| {
        let namespace = match element["namespace"].as_str().unwrap() {
            "http://www.w3.org/1999/xhtml" => Namespace::HTML,
            _ => Namespace::SVG,
        };
        (namespace, element["name"].as_str().unwrap())
    });
    // The expected list lacks `base`, which the standard has removed from markup since
    // whatwg/html#12664.
    let removed_elements: Vec<_> = removed_elements.chain([(Namespace::HTML, "base")]).collect();
    for (namespace, name) in &removed_elements {
        let inner = tree.create_element(*namespace, name);
        tree.append(outer, inner).unwrap();
    }
    let use_element = tree.create_element(Namespace::HTML, "use");
    tree.append(outer, use_element).unwrap();
    let root = tree.root().id();
    tree.append(root, outer).unwrap();
    assert_eq!(
        Sanitizer::permissive().sanitize(&mut tree, root),
        removed_elements.len() + handlers.len()
    );
    assert_eq!(
        html::serializer().inner(tree.root()),
        "<div id=\"x\" no=\"x\" xlink:onclick=\"x\"><use></use></div>"
    );
    assert!(
        removed_elements.len() == 8 && handlers.len() == 92,
        "{} elements, {} handlers",
        removed_elements.len(),
        handlers.len()
    );
}

/// Each link is closed by the next one and reconstructed in each block, so that the text grows in every round.
#[test]
fn gives_up_on_text_that_grows_each_round() {
    let url = "a".repeat(20_000);
    let page = format!("<a href={url}>{}{}", "<div>".repeat(600), "<a>".repeat(600));
    let unstable = Sanitizer::new().clean::<Html>(&page).expect_err("the text should be unstable");
    assert!(unstable.text.len() < 200 * page.len(), "{} bytes", unstable.text.len());
}
