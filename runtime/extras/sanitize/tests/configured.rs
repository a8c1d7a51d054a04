//! Configured sanitizers: the markup that they leave, and when they give up.

use std::cell::Cell;
use tabulex::Options;
use tabulex::html::{self, Html};
use tabulex::sanitize::{Sanitizer, UnknownElements};
use tabulex::tree::{Name, Namespace, Tree};

/// Creates the sanitizer that a line of `configured.txt` describes.
fn sanitizer(line: &str) -> Sanitizer {
    let mut steps = line.split("; ");
    let initial = match steps.next() {
        Some("default") => Sanitizer::new(),
        Some("permissive") => Sanitizer::permissive(),
        other => panic!("unknown initial configuration {other:?} in `{line}`"),
    };
    steps.fold(initial, |sanitizer, step| {
        let (command, name) = step.match_indices(' ').nth(1).map_or((step, ""), |(offset, _)| {
            let (command, name) = step.split_at(offset);
            (command, name.trim_start())
        });
        let names: Vec<String> = name.split(' ').map(|name| name.replace(',', " ")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match command {
            "allow element" => match name.split_once(" with ") {
                Some((name, attributes)) => {
                    sanitizer.allow_element_with(name, &attributes.split(' ').collect::<Vec<_>>())
                }
                None => sanitizer.allow_element(name),
            },
            "only elements" => sanitizer.only_elements(&names),
            "only attributes" => sanitizer.only_attributes(&names),
            "remove element" => sanitizer.remove_element(name),
            "replace element" => sanitizer.replace_element(name).unwrap(),
            "allow attribute" => sanitizer.allow_attribute(name),
            "remove attribute" => sanitizer.remove_attribute(name),
            "allow instruction" => sanitizer.processing_instruction(name, true),
            "remove instruction" => sanitizer.processing_instruction(name, false),
            "comments" => sanitizer.comments(true),
            "no comments" => sanitizer.comments(false),
            "data attributes" => sanitizer.data_attributes(true),
            "no data" => sanitizer.data_attributes(false),
            "javascript URLs" => sanitizer.javascript_urls(true),
            "keep contents" => sanitizer.unknown_elements(UnknownElements::KeepContents),
            "escape" => sanitizer.unknown_elements(UnknownElements::Escape),
            "no relative" => sanitizer.relative_urls(false),
            "unsafe" => sanitizer.allow_unsafe(),
            _ if command.starts_with("schemes") => {
                sanitizer.url_schemes(&step.split(' ').skip(1).collect::<Vec<_>>())
            }
            _ if command.starts_with("rel ") => sanitizer.link_rel(&step["rel ".len()..]),
            "classes of" => sanitizer.allow_classes(Some(names[0]), &names[1..]),
            _ if command.starts_with("classes") => {
                sanitizer.allow_classes(None, &step.split(' ').skip(1).collect::<Vec<_>>())
            }
            _ => panic!("unknown step `{step}` in `{line}`"),
        }
    })
}

fn fragment(markup: &str) -> Tree {
    html::parse_fragment(markup, "div", Options::new()).tree
}

#[test]
fn applies_configurations_as_the_cases_say() {
    let lines: Vec<&str> =
        include_str!("configured.txt").lines().filter(|line| !line.starts_with('#')).collect();
    let (cases, incomplete_case) = lines.as_chunks::<3>();
    assert!(incomplete_case.is_empty() && cases.len() > 30, "{} {incomplete_case:?}", cases.len());
    let mut failures = Vec::new();
    for [steps, markup, expected] in cases {
        let mut tree = fragment(markup);
        let root = tree.document_element().unwrap().id();
        let removed_count = sanitizer(steps).sanitize(&mut tree, root);
        let actual = format!("= {removed_count} {}", html::serializer().inner(tree.node(root)));
        if actual != *expected {
            failures.push(format!("{steps}\n{markup}\n{actual}\nbut {expected}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A `data-` attribute in a namespace is no custom data attribute. It is created by hand, as no parser produces one.
#[test]
fn data_attributes_have_no_namespace() {
    let mut tree = fragment("<svg id=x></svg>");
    let (root, svg) = (tree.root().id(), tree.element_by_id("x").unwrap().id());
    for namespace in [Namespace::XLINK, Namespace::NONE] {
        let name = tree.names_mut().name(namespace, "", "data-a");
        tree.set_named_attribute(svg, name, "1");
    }
    Sanitizer::new().data_attributes(true).sanitize(&mut tree, root);
    let names: Vec<Name> =
        tree.node(svg).attributes().map(|attribute| attribute.name().id()).collect();
    assert_eq!(names.len(), 1);
    assert_eq!(tree.node(svg).attributes().next().unwrap().name().namespace(), Namespace::NONE);
}

#[test]
fn sets_contents_of_scripts_only_if_unsafe() {
    let page = "<script id=html></script><svg><script id=svg></script></svg>\
        <math><script id=math></script></math><p id=p>0</p>";
    let set_markup = |sanitizer: &Sanitizer, id: &str| {
        let mut tree = html::parse(page, Options::new()).tree;
        let element = tree.element_by_id(id).unwrap().id();
        let markup = "1<b onclick=x()>2</b>";
        let result = sanitizer.set_html::<Html>(&mut tree, element, markup, &Options::new());
        let is_set = result.unwrap().is_some();
        (is_set, html::serializer().inner(tree.node(element)))
    };
    let (safe, unrestricted) = (Sanitizer::new(), Sanitizer::permissive().allow_unsafe());
    for id in ["html", "svg"] {
        assert_eq!(set_markup(&safe, id), (false, String::new()), "{id}");
        assert!(set_markup(&unrestricted, id).0, "{id}");
    }
    for id in ["math", "p"] {
        assert_eq!(set_markup(&safe, id), (true, "1<b>2</b>".to_owned()), "{id}");
        assert_eq!(
            set_markup(&unrestricted, id),
            (true, "1<b onclick=\"x()\">2</b>".to_owned()),
            "{id}"
        );
    }
    assert_eq!(set_markup(&unrestricted, "html").1, "1<b onclick=x()>2</b>");
    for script in ["script", "svg script"] {
        assert_eq!(safe.clean_in::<Html>("alert(1)", script).as_deref(), Ok(""));
        assert_eq!(unrestricted.clean_in::<Html>("alert(1)", script).as_deref(), Ok("alert(1)"));
    }
    assert_eq!(safe.clean_in::<Html>("alert(1)", "math script").as_deref(), Ok("alert(1)"));
}

/// Returns a parser that ignores its input and returns trees with texts of these lengths in turn.
fn parser_returning(lengths: &[usize], calls: &Cell<usize>) -> impl FnMut(&str) -> Tree {
    move |_| {
        let length = lengths[calls.get().min(lengths.len() - 1)];
        calls.set(calls.get() + 1);
        fragment(&"x".repeat(length))
    }
}

#[test]
fn gives_up_on_text_that_doubles_and_grows_by_64_kib() {
    let clean = |lengths: &[usize]| {
        let calls = Cell::new(0);
        let text = Sanitizer::new().clean_by(
            "",
            &"div".into(),
            parser_returning(lengths, &calls),
            &html::serializer(),
        );
        text.map(|text| text.len()).map_err(|unstable| unstable.text.len())
    };
    let longest = 2 * 100 + 0x1_0000;
    assert_eq!(clean(&[100, longest]), Ok(longest));
    assert_eq!(clean(&[100, longest + 1]), Err(longest + 1));
    // Text that shrinks may grow again.
    assert_eq!(clean(&[100, 1, 100, 1]), Ok(1));
}

#[test]
fn gives_up_on_unstable_text_after_five_rounds() {
    let calls = Cell::new(0);
    let lengths = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    let text = Sanitizer::new().clean_by(
        "",
        &"div".into(),
        parser_returning(&lengths, &calls),
        &html::serializer(),
    );
    assert_eq!(text.unwrap_err().text.len(), 5);
    assert_eq!(calls.get(), 6);
}
