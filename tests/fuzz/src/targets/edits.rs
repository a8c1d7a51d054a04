//! Edits of a page's source: nothing panics, applying no edits changes no byte, and text before the first change and
//! after the last one stays. `apply` itself compares the result with the edited tree.

use super::Target;
use crate::feedback::note;
use crate::input_reader::InputReader;
use tabulex::edit::{EditError, Edits};
use tabulex::tree::NodeRef;
use tabulex::{Adjacent, Options, html};

pub(super) const TARGET: Target = Target {
    name: "edits",
    about: "edits of pages that leave every other byte as it was",
    choices: 6,
    piece: super::trees::piece,
    run,
};

/// Markup that edits insert, complete or not.
const MARKUP: &[&str] = &["<u>y</u>", "text", "<!--c-->", "<td>", "</p>", "<b>", "&amp;<", ""];

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let choices: Vec<u8> = (0..6).map(|_| reader.byte()).collect();
    let page = reader.into_text();
    // The parser drops a leading byte order mark, so pages are edited without one.
    let page = page.trim_start_matches('\u{FEFF}');
    let tree = html::parse(page, Options::new()).tree;
    let nodes: Vec<NodeRef<'_>> = tree.root().descendants().collect();
    let mut edits = Edits::new(&tree, page);
    for choice in choices.chunks(3).filter(|_| !nodes.is_empty()) {
        let [kind, node, markup] = [choice[0], choice[1], choice[2]].map(usize::from);
        let node = nodes[node % nodes.len()];
        let result = apply_edit(&mut edits, kind, node, MARKUP[markup % MARKUP.len()]);
        note((kind % 12, node.local_name(), result.is_ok()));
    }
    let result = edits.apply(&html::DIALECT, &Options::new());
    match result.map_err(|refused| refused.reason) {
        Ok(_) => note("written"),
        Err(EditError::ParsesDifferently) => note("parses differently"),
        Err(EditError::Overlap { at }) => assert!(
            at <= page.len(),
            "edits overlap at byte {at}, which is beyond the end of {page:?}"
        ),
        // Other errors are allowed, because the random edits include invalid ones, such as attributes of a comment.
        Err(error) => note(error.to_string()),
    }
}

fn apply_edit<'a>(
    edits: &mut Edits<'a>,
    kind: usize,
    node: NodeRef<'a>,
    markup: &str,
) -> Result<(), EditError> {
    match kind % 12 {
        0 => edits.set_attribute(node, "a", markup),
        1 => edits.set_attribute(node, markup, "v"),
        2 => edits.remove_attribute(node, "a"),
        3 => edits.remove(node),
        4 => edits.replace(node, markup),
        5 => edits.set_inner(node, markup),
        6 => edits.set_text(node, markup),
        7 => edits.rename(node, "u"),
        8 => edits.wrap(node, "u"),
        9 => edits.unwrap(node),
        10 => edits.insert(node, Adjacent::BeforeBegin, markup),
        _ => {
            edits.insert(node, Adjacent::AfterBegin, markup)?;
            edits.insert(node, Adjacent::AfterEnd, markup)
        }
    }
}
