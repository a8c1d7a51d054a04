//! Selectors, matched by a walk, by an index, element by element, and within `:is()`. All ways select equal elements, and
//! parsing never panics.

use super::Target;
use crate::feedback::note;
use crate::input_reader::InputReader;
use tabulex::select::{Index, Query, Selector};
use tabulex::tree::NodeId;
use tabulex::{Options, html};
use tabulex_tests::random::Random;

pub(super) const TARGET: Target = Target {
    name: "select",
    about: "CSS selectors: read, displayed, matched in four ways",
    choices: 1,
    piece,
    run,
};

/// Pages to select from.
const PAGES: &[&str] = &[
    "<div class='x y' id=i><p a=b class=x>1<p a='c b'><a id=j></a></div><ul><li><li class=y></ul>",
    "<!doctype html><div class='X' id=I lang=en-GB><p a=b><p A='B'><a id=j></a></div><svg><a a=b><LI class=x /></a></svg>",
    "<!doctype html><form><fieldset disabled><input checked type=radio><p></p></fieldset><div><div><div class=x><p></div></div></div>",
    "<!doctype html><template><p class=x></template><table><tr><td class=x><td><p>2</table><p class='x x'>",
];

fn piece(random: &mut Random) -> Vec<u8> {
    let pieces = (0..1 + random.below(5)).map(|_| random.piece("select"));
    pieces.collect::<String>().into_bytes()
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let page = *reader.pick(PAGES);
    let text = reader.into_text();
    let selector = match Selector::parse(&text) {
        Ok(selector) => selector,
        Err(error) => {
            assert!(
                text.get(error.range()).is_some(),
                "the range {:?} of the error is outside the selector {text:?}",
                error.range()
            );
            return note(error.message().to_owned());
        }
    };
    let tree = html::parse(page, Options::new()).tree;
    let root = tree.root();
    let found: Vec<NodeId> = root.select(&selector).map(|node| node.id()).collect();
    note((found.len(), selector.specificity()));
    let index = Index::new(root);
    // The index lists elements by attributes for the second selector that requires one.
    for _ in 0..2 {
        let indexed: Vec<NodeId> = index.select(&tree, &selector).map(|node| node.id()).collect();
        assert_eq!(found, indexed, "{text:?} by an index");
    }
    let elements = root.descendants().filter(|node| node.is_element());
    let matched: Vec<NodeId> = elements
        .filter(|node| selector.matches_within(*node, Some(root)))
        .map(|node| node.id())
        .collect();
    assert_eq!(found, matched, "{text:?} element by element");
    // Invalid parts, which `:is()` ignores, are displayed as written, so the displayed text may parse to another
    // selector or not at all.
    if Selector::parse(&selector.to_string()).as_ref() != Ok(&selector) {
        return note("displayed as another selector");
    }
    if let Ok(nested) = Selector::parse(&format!(":is({selector})")) {
        let selected_nested: Vec<NodeId> = root.select(&nested).map(|node| node.id()).collect();
        assert_eq!(found, selected_nested, "{text:?} within `:is()`");
    }
}
