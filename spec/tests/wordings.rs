//! The wordings that the vocabulary declares, against the grammar of the standards' English: each is read as its action,
//! or is listed below with the reason. Invariant: what is listed is not read, so that the list can only shrink.

use tabulex_spec::document::said;
use tabulex_spec::vocabulary::tree::TREE_ACTIONS;
use tabulex_spec::vocabulary::{ACTIONS, Form};

/// Wordings that no sentence of its own says, by reason.
const NOT_READ_ALONE: &[(&str, &[&str])] = &[
    (
        "where it goes back to, or what it unsets, is told by the rows that lead there",
        &[
            "switch back to the {state} that switched into this state",
            "attempt to consume a character reference, with no additional allowed character",
        ],
    ),
    (
        "one of several sentences that together make a row",
        &["interpret the string of characters as a number"],
    ),
    (
        "part of a sentence on lexical modes, whose other parts depend on the mode",
        &["the associated number", "the associated string is a valid character name"],
    ),
    (
        "no document says it: the draft breaks off where it is needed",
        &[
            "start a new attribute in the current attribute declaration",
            "append an attribute declaration",
            "put the value of the entity at the front of the input",
            "put the value of the entity at the front of the input, with {string} escaped",
        ],
    ),
    (
        "no document that is read says it: a later revision does",
        &[
            "append a doctype node to the document node",
            "leading and trailing white space is removed",
        ],
    ),
];

/// Actions that only HTML's tree construction says, whose sentences have a grammar of their own: the first words of each.
const OF_HTML: &[&str] = &[
    "using <mode>",
    "using insertion-mode",
    "as else",
    "switch original-mode",
    "switch template-mode",
    "set-original-mode",
    "push-template-mode",
    "pop-template-mode",
    "reset-insertion-mode",
    "insert-element <string>",
    "insert-foreign-element",
    "insert-character",
    "insert-comment",
    "insert-processing-instruction",
    "adjust-",
    "rename",
    "acknowledge-self-closing",
    "pop-until <names>",
    "generate-end-tags",
    "clear-back-to",
    "leave-foreign-content",
    "pop-until-foreign-token-name",
    "detach-second",
    "merge-attributes",
    "enable",
    "disable",
    "reconstruct-formatting",
    "push-formatting",
    "insert-marker",
    "clear-formatting",
    "adoption-agency",
    "point ",
    "unset <pointer>",
    "push-pointed",
    "remove-pointed",
    "set <tree-flag>",
    "set document-mode",
    "tokenizer",
    "ignore-next-line-feed",
    "clear-pending",
    "append-to-pending",
    "insert-pending",
    "process-pending",
    "attach-shadow-root",
    "patch-content",
    "finish-patching",
];

/// The words of a wording with its slots filled, as documents fill them.
fn filled(form: &Form, wording: &str) -> String {
    let mode = if form.syntax.contains("<mode>") { "main phase" } else { "initial" };
    [
        ("its {field}", "its tag name"),
        ("its {token-flag}", "its force-quirks flag"),
        ("a {text} character token", "a U+0026 AMPERSAND (&) character token"),
        ("{state}", "data state"),
        ("{mode}", mode),
        ("{error}", "eof-in-tag"),
        ("{token-flag}", "self-closing flag"),
        ("{token}", "start tag"),
        ("{text}", "the current input character"),
        ("{field}", "the current tag token's tag name"),
        ("{register}", "tag"),
        ("{flag}", "escape flag"),
        ("{value}", "true"),
        ("{number}", "0"),
        ("{base}", "16"),
        ("{character}", "U+003E GREATER-THAN SIGN (>)"),
    ]
    .iter()
    .fold(wording.to_owned(), |text, (slot, words)| text.replace(slot, words))
}

#[test]
fn wordings_are_read_as_their_actions() {
    let listed: Vec<&str> =
        NOT_READ_ALONE.iter().flat_map(|(_, wordings)| wordings.iter().copied()).collect();
    let (mut read, mut wrong) = (0, Vec::new());
    for form in ACTIONS.iter().chain(TREE_ACTIONS) {
        let verb = form.syntax.split(' ').next().unwrap();
        for wording in form.wordings {
            let said = said(&filled(form, wording));
            let is_right =
                said.as_ref().is_some_and(|said| said.split([' ', ';']).any(|word| word == verb));
            let is_of_html = TREE_ACTIONS.iter().any(|other| std::ptr::eq(other, form))
                && OF_HTML.iter().any(|begin| form.syntax.starts_with(begin));
            if is_right == (listed.contains(wording) || is_of_html) {
                wrong.push(format!("{}: {wording}: {said:?}", form.syntax));
            }
            read += usize::from(is_right);
        }
    }
    println!("{read} wordings are read, {} are listed", listed.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
