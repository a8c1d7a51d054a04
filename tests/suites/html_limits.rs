//! HTML trees at their limits: depth, memory, and the length of the output. `linear` covers the growth of work.

use std::fs;
use tabulex::html;
use tabulex::tree::Edge;
use tabulex::{Event, Options, Parsed, WriteNode as _};
use tabulex_tests::random::Random;
use tabulex_tests::shared::workspace;

fn options_without_depth_limit() -> Options {
    Options::new().depth_limit(usize::MAX).errors(false)
}

/// Returns the maximum nesting depth of elements, and the number of letters `t` in texts. The contents of templates
/// count.
fn depth_and_letters(parsed: &Parsed) -> (usize, usize) {
    let (mut depth, mut deepest, mut letters) = (0, 0, 0);
    for edge in parsed.tree.root().walk_with_contents() {
        match edge {
            Edge::Open(node) if node.is_element() => depth += 1,
            Edge::Close(node) if node.is_element() => depth -= 1,
            Edge::Open(node) if node.is_text() => {
                letters += node.data().map_or(0, |text| text.matches('t').count());
            }
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    (deepest, letters)
}

#[test]
fn nesting_is_flattened_and_text_is_kept() {
    let shapes: &[&str] = &[
        "<div>t",
        "<b>t",
        "<table><td>t",
        "<svg><g>t",
        "<dl><dd>t",
        "<ul><li>t",
        "<form><div></form>t",
        "<template>t",
        "<template for=x>t",
        "<template shadowrootmode=open>t",
        "<b><div></b>t",
    ];
    for unit in shapes {
        let input = unit.repeat(3_000);
        let parsed = html::parse(&input, Options::new().declarative_shadow_roots(true));
        let (depth, letters) = depth_and_letters(&parsed);
        assert!(depth <= 513 && letters == 3_000, "{unit}: {depth}, {letters} letters");
        let is_flattened =
            parsed.events.iter().any(|event| matches!(event, Event::Flattened { .. }));
        assert!(is_flattened, "{unit}: {:?}", parsed.events);
        let unlimited = html::parse(&input, options_without_depth_limit());
        let (depth, letters) = depth_and_letters(&unlimited);
        assert!(
            unlimited.events.is_empty() && depth > 2_000 && letters == 3_000,
            "{unit}: {depth}"
        );
    }
}

/// Pieces of random markup that nests beyond a depth limit.
const PIECES: &[&str] = &[
    "<a>",
    "<b>",
    "<i>",
    "<u>",
    "<p>",
    "<div>",
    "<ul><li>",
    "<table>",
    "<td>",
    "<svg><desc>",
    "<template>",
    "</a>",
    "</b>",
    "</i>",
    "</p>",
    "</div>",
    "</table>",
    "</template>",
    "x",
    "y",
];

/// Elements beyond the depth limit, as recorded in `snapshots/flattened.expect`: each depth, input and tree. The limit
/// does not prescribe exactly these trees, but users see them, so that a change is a change of behavior.
/// `UPDATE_EXPECT=1` updates the record.
#[test]
fn elements_beyond_the_depth_limit_match_the_snapshot() {
    let mut random = Random::new(3);
    let lines = (0..200).map(|index| {
        let depth = 3 + index % 5;
        let input: String = (0..14).map(|_| *random.pick(PIECES)).collect();
        let parsed = html::parse(&input, Options::new().depth_limit(depth));
        let events: String = parsed.events.iter().map(|event| format!(" {event:?}")).collect();
        let serialized = html::serializer().inner(parsed.tree.root());
        format!("{depth} {input}{events}\n{serialized}\n")
    });
    let found: String = lines.collect();
    let path = workspace().join("tests/suites/snapshots/flattened.expect");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

/// Where nesting is flattened, the contents of a template stay in a template, so that they are not rendered.
#[test]
fn template_contents_stay_in_templates_when_flattened() {
    let input =
        "<body><div><template><p>x<b>y<template><i>z<table><td>1</table></template>2</template>";
    for depth in 2..14 {
        let parsed = html::parse(input, Options::new().depth_limit(depth));
        assert_eq!(parsed.tree.root().text(), "", "{depth}: {}", parsed.tree.root().to_dump());
        assert_eq!(parsed.events.is_empty(), depth >= 12, "{depth}");
    }
}

#[test]
fn memory_is_limited() {
    let input = "<p class=x>text ".repeat(200_000);
    let parsed = html::parse(&input, Options::new().errors(false).memory_limit(1_000_000));
    assert!(parsed.events.iter().any(|event| matches!(event, Event::OutOfMemory { .. })));
    assert!(parsed.tree.heap_size() < 4_000_000, "{}", parsed.tree.heap_size());
    let parsed = html::parse(&input, Options::new().memory_limit(1_000_000_000));
    assert!(parsed.events.is_empty());
}

/// The length of serialized output is bounded, although it repeats the attributes of reconstructed elements.
#[test]
fn serialized_output_is_bounded() {
    let value = "v".repeat(50_000);
    let many: String = (0..5_000).map(|number| format!(" a{number}=b")).collect();
    for tag in [format!("<b a={value}>"), format!("<a href={value}>"), format!("<i{many}>")] {
        let input = format!("<p>{tag}{}", "<p>x".repeat(12_000));
        let parsed = html::parse(&input, Options::new());
        let is_dropped = |event: &Event| matches!(event, Event::FormattingDropped { .. });
        assert!(parsed.events.iter().any(is_dropped), "{:?}", parsed.events);
        let serialized = html::serializer().inner(parsed.tree.root());
        // Reconstruction may add 10,000 elements and one more per 4 bytes of input, each of 64 bytes when serialized;
        // the rest of the output takes at most twice the length of the input.
        let maximum = (10_000 + input.len() / 4) * 64 + 2 * input.len();
        assert!(serialized.len() < maximum, "{} of {maximum}", serialized.len());
        assert_eq!(parsed.tree.root().text(), "x".repeat(12_000));
    }
}

/// Pieces of markup that nest deeply when combined: misnested formatting, blocks, tables, foreign content, templates.
const SOUP: &[&str] = &[
    "<b>t",
    "<i>t",
    "<u>t",
    "<a>t",
    "<nobr>t",
    "</b>t",
    "</i>t",
    "</u>t",
    "</a>t",
    "<div>t",
    "<div>t",
    "<div>t",
    "<p>t",
    "<button>t",
    "<ul>t",
    "<li>t",
    "<table>t",
    "<td>t",
    "<tr>t",
    "</table>t",
    "</div>t",
    "</p>t",
    "</button>t",
    "<form>t",
    "</form>t",
    "<svg>t",
    "<g>t",
    "<foreignObject>t",
    "</svg>t",
    "<span>t",
];

#[test]
fn random_markup_stays_within_the_depth_limit() {
    const LIMIT: usize = 12;
    for seed in 1..=2_000 {
        let mut random = Random::new(seed);
        let piece_count = 40 + random.below(200);
        let input: String = (0..piece_count).map(|_| SOUP[random.below(SOUP.len())]).collect();
        let parsed = html::parse(&input, Options::new().depth_limit(LIMIT));
        let (depth, letters) = depth_and_letters(&parsed);
        assert!(depth <= LIMIT, "{depth} levels: {input}");
        let (unlimited_depth, unlimited_letters) =
            depth_and_letters(&html::parse(&input, options_without_depth_limit()));
        assert_eq!((letters, unlimited_letters), (piece_count, piece_count), "{input}");
        assert!(unlimited_depth <= LIMIT || !parsed.events.is_empty(), "{input}");
    }
}
