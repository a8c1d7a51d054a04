//! Tests of parsing a million nested elements in a thread with a small stack, in every dialect that constructs trees.
//! `tree_depth` tests deep trees that are not parsed.

mod support;

use support::{count, run_on_stack};
use tabulex::Options;

const LEVELS: usize = 1_000_000;

/// The size of the stack in bytes. Without optimization, the large function of a machine has a stack slot for every
/// value; `cargo xtask ci` also runs this file optimized.
const STACK: usize = if cfg!(debug_assertions) { 256 * 1024 } else { 64 * 1024 };

/// The depth of HTML documents, which need more memory. Without optimization, a fifth of the levels takes less time and
/// would still overflow the stack of a recursive function.
#[cfg(feature = "html")]
const HTML_LEVELS: usize = if cfg!(debug_assertions) { LEVELS / 5 } else { LEVELS };

/// Parses, clones, compares, drops, walks and serializes nested elements on a small stack.
#[cfg(any(
    feature = "sky",
    feature = "microxml",
    feature = "microxml-2012-12",
    feature = "xml",
    feature = "xml-er"
))]
fn check(parse: fn(&str, Options) -> tabulex::Parsed) {
    use tabulex::WriteNode as _;
    run_on_stack(STACK, move || {
        let input = "<a>".repeat(LEVELS) + "x" + &"</a>".repeat(LEVELS);
        let tree = parse(&input, Options::new().depth_limit(usize::MAX)).tree;
        let copy = tree.clone();
        assert!(copy == tree);
        drop(tree);
        assert_eq!(copy.root().descendants().count(), LEVELS + 1);
        assert_eq!(copy.root().text(), "x");
        assert_eq!(count(|out| copy.root().write_xml(out)), 7 * LEVELS + 1);
        assert_eq!(count(|out| copy.root().write_json(out)), 11 * LEVELS + 3);
        assert!(count(|out| write!(out, "{copy:?}")) > 20 * LEVELS);
    });
}

/// Checks an HTML document of `start_tag` and `HTML_LEVELS` repetitions of `unit`, each with `elements` elements and
/// `serialized_len` bytes when serialized with end tags.
#[cfg(feature = "html")]
fn check_html(
    start_tag: &'static str,
    unit: &'static str,
    (elements, serialized_len): (usize, usize),
) {
    use tabulex::html;
    run_on_stack(STACK, move || {
        let input = start_tag.to_owned() + &unit.repeat(HTML_LEVELS) + "x";
        let options = Options::new().depth_limit(usize::MAX).errors(false);
        let parsed = html::parse(&input, options.positions(tabulex::tree::Positions::None));
        drop(input);
        assert_eq!(parsed.events, []);
        let tree = parsed.tree;
        let copy = tree.clone();
        assert!(copy == tree);
        drop(tree);
        let last = copy.root().descendants().last().unwrap();
        assert_eq!(last.data(), Some("x"));
        let outer_levels = if start_tag.is_empty() { 3 } else { 4 };
        assert_eq!(last.ancestors().count(), elements * HTML_LEVELS + outer_levels);
        assert_eq!(copy.root().text(), "x");
        let outer_len = "<html><head></head><body></body></html>x".len()
            + if start_tag.is_empty() { 0 } else { 2 * start_tag.len() + 1 };
        let serializer = html::serializer();
        assert_eq!(
            count(|out| serializer.write_inner(copy.root(), out)),
            serialized_len * HTML_LEVELS + outer_len
        );
    });
}

#[cfg(feature = "sky")]
#[test]
fn sky() {
    check(|input, options| tabulex::sky::parse(input, tabulex::sky::ParsingContext::None, options));
}

#[cfg(feature = "microxml")]
#[test]
fn microxml() {
    check(tabulex::microxml::parse);
}

#[cfg(feature = "microxml-2012-12")]
#[test]
fn microxml_2012_12() {
    check(tabulex::microxml_2012_12::parse);
}

#[cfg(feature = "xml")]
#[test]
fn xml() {
    check(tabulex::xml::parse);
}

#[cfg(feature = "xml-er")]
#[test]
fn xml_er() {
    check(tabulex::xml_er::parse);
}

#[cfg(feature = "html")]
#[test]
fn html_div() {
    check_html("", "<div>", (1, 11));
}

#[cfg(feature = "html")]
#[test]
fn html_formatting() {
    check_html("", "<b>", (1, 7));
}

#[cfg(feature = "html")]
#[test]
fn html_table() {
    // Each level also has an implied `tbody` and `tr`, hence four elements.
    check_html("", "<table><td>", (4, 15 + 15 + 9 + 9));
}

#[cfg(feature = "html")]
#[test]
fn html_svg() {
    check_html("<svg>", "<g>", (1, 7));
}
