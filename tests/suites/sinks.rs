//! Third-party trees filled through `tabulex-markup5ever` equal our own, for any markup, depth limit and splits. The
//! sink here keeps neither parents nor attributes, so that the parser's own records are tested.

use crate::html_pages::peer::lines_of;
use html5ever::tendril::TendrilSink;
use rcdom::RcDom;
use std::path::Path;
use tabulex::Options;
use tabulex::html::{self, Html};
use tabulex::xml_er::XmlEr;
use tabulex_markup5ever::{parse_document_with, parse_fragment_with};
use tabulex_tests::dat::{inputs, of_folder};
use tabulex_tests::host_calls;
use tabulex_tests::inputs::cut;
use tabulex_tests::markup::{markup, names};
use tabulex_tests::nodes::{self, Line};
use tabulex_tests::random::Random;
use tabulex_tests::sample;
use tabulex_tests::shapes;
use tabulex_tests::shared::{package_folder, report, workspace};
use tabulex_tests::trees::{Input, fragment_context};

/// Parses an input, in chunks, into our tree and into an `RcDom`. Returns the lines of both trees.
fn lines_of_both_trees(input: &Input<'_>, options: &Options, chunks: &[&str]) -> [Vec<Line>; 2] {
    let options = options.clone().scripting(input.scripting);
    let context = input.fragment.map(fragment_context);
    let ours = match &context {
        None => html::parse(input.text, options.clone()),
        Some(context) => html::parse_fragment(input.text, context.clone(), options.clone()),
    };
    let mut lines = Vec::new();
    let root = match context {
        None => {
            lines.push(nodes::mode_line(ours.tree.mode()));
            ours.tree.root()
        }
        Some(_) => ours.tree.document_element().expect("a fragment has a root"),
    };
    lines.extend(nodes::lines(root));
    let mut parser = match &context {
        None => parse_document_with(RcDom::default(), &options),
        Some(context) => parse_fragment_with(RcDom::default(), context, &options),
    };
    chunks.iter().for_each(|chunk| parser.process((*chunk).into()));
    let dom = parser.finish();
    let codes = ours.errors.iter().map(|error| error.code.to_owned());
    let messages: Vec<String> =
        codes.chain(ours.events.iter().map(|event| event.to_string())).collect();
    assert_eq!(*dom.errors.borrow(), messages, "{}", input.written());
    [lines, lines_of(&dom, context.is_some())]
}

/// Whether the text uses features that only tabulex's own tree supports: patches and mirrored options.
fn is_ours_alone(text: &str) -> bool {
    ["<template for", "<selectedcontent"].iter().any(|tag| text.contains(tag))
}

fn check(name: &str, input: &Input<'_>, options: &Options, random: &mut Random) {
    for chunks in [vec![input.text], cut(random, input.text, 5)] {
        let [ours, theirs] = lines_of_both_trees(input, options, &chunks);
        let difference = nodes::difference(&ours, &theirs);
        assert!(difference.is_none(), "{name}: {:?}: {}", input.written(), difference.unwrap());
    }
}

fn check_folder(folder: &Path, minimum: usize) {
    let (mut random, mut runs) = (Random::new(5), 0);
    for (id, case) in &of_folder(folder) {
        for input in inputs(case).iter().filter(|input| !is_ours_alone(input.text)) {
            check(id, input, &Options::new(), &mut random);
            check(id, input, &Options::new().depth_limit(5), &mut random);
            runs += 1;
        }
    }
    report(&format!("trees of other libraries: {runs} runs, {runs} passed"));
    assert!(runs >= minimum, "only {runs} runs, expected at least {minimum}");
}

#[test]
fn cases_fill_other_trees() {
    check_folder(&workspace().join("tests/cases"), 700);
    let folder = package_folder("markup5ever_rcdom", "html5lib-tests/tree-construction");
    check_folder(&folder.unwrap(), 1500);
}

#[test]
fn random_markup_fills_other_trees() {
    let names = names("html");
    for seed in sample::seeds("random markup for other trees", 0..20_000, 800) {
        let mut random = Random::new(seed);
        let text = markup(&mut random, &names, 60);
        if is_ours_alone(&text) {
            continue;
        }
        let input = Input { text: &text, ..Input::default() };
        let options = Options::new().depth_limit([4, 9, 513][random.below(3)]);
        check(&seed.to_string(), &input, &options, &mut random);
    }
}

#[test]
fn shapes_fill_other_trees() {
    let mut random = Random::new(9);
    let shapes = shapes::listed().into_iter().filter(|shape| shape.applies_to("html"));
    for shape in sample::of("shapes for other trees", shapes.collect(), 60) {
        let text = shape.input(30);
        let input = Input { text: &text, fragment: shape.context.as_deref(), ..Input::default() };
        if !is_ours_alone(&text) {
            check(&shape.to_string(), &input, &Options::new().depth_limit(12), &mut random);
        }
    }
}

/// Each element is reported as popped once, after which only moved nodes can be inserted into it. `head` is reported
/// again each time it is reopened.
#[test]
fn each_element_is_popped_once() {
    let are_popped_once = |elements: &[(String, usize)]| {
        elements.iter().all(|(name, count)| *count == 1 || name == "head" && *count > 0)
    };
    let names = names("html");
    for seed in sample::seeds("elements that are popped", 0..20_000, 1_500) {
        let mut random = Random::new(seed);
        let input = markup(&mut random, &names, 30);
        for options in [Options::new(), Options::new().depth_limit(5)] {
            let elements = host_calls::pop_counts::<Html>(&input, &options);
            assert!(are_popped_once(&elements), "seed {seed}: {input:?}: {elements:?}");
        }
        let elements = host_calls::pop_counts::<XmlEr>(&input, &Options::new());
        assert!(are_popped_once(&elements), "seed {seed}: {input:?}: {elements:?}");
    }
}
