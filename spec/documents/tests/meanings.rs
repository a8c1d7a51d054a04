//! Tests that edits of sentences are reported which define terms of rows, initial values, or actions around rows. A
//! test for which a document is missing says so and passes.

#[expect(dead_code, reason = "other tests use the remaining helpers")]
mod support;

use std::collections::BTreeSet;
use support::{compared, document, profile, read_facts, table};

/// The parts of long documents that are read, by dialect: for each part, the markup with which it begins, and the
/// markup before which it ends.
const PARTS: &[(&str, &[(&str, &str)])] = &[
    ("html", &[("<h4 id=tokenization>", "<h4 id=tree-construction>")]),
    (
        "html-modes",
        &[
            ("<h4 id=parse-state>", "<h4 id=tokenization>"),
            ("<h5 id=closing-elements-that-have", "<h5 id=parsing-main-inhtml>"),
            ("<h6 id=the-initial-insertion-mode>", "<h6 id=the-before-html-insertion-mode>"),
        ],
    ),
];

/// Edits of sentences: the dialect, the old text, and the new text.
const EDITS: &[(&str, &str, &str)] = &[
    ("xml-er", "The current element is the bottommost node", "The current element is the top node"),
    (
        "xml-er",
        "if the target element is in the stack",
        "if the target element is not in the stack",
    ),
    ("xml-er", "and then append it to the current element and push it into", "and push it into"),
    ("xml-er", "has been set to \"parameter\" in which", "has been set to \"normal\" in which"),
    ("xml-er", "Its default value is \"normal\".", "Its default value is \"parameter\"."),
    ("xml-er", "It is set to \"normal\" after an entity has been appended.", ""),
    ("sky", "with a single string token", "with a single comment token"),
    ("sky", "For each start tag token, remove", "For each end tag token, remove"),
    (
        "sky",
        "remove the attributes entirely",
        "remove all but the first name/value pair for each name",
    ),
    ("sky", "Then, pass the tokens to the tree construction stage.", ""),
    ("sky", "of open nodes to be document", "of open nodes to be node"),
    ("sky", "in the sequence of tokens in turn, as follows.", "of your choice."),
    (
        "sky",
        "without doing any more work with the skipped token",
        "with the skipped token put back",
    ),
    ("sky", "Let node be the topmost node", "Let element be the topmost node"),
    ("sky", "Let node be the topmost node", "Let node be the bottommost node"),
    ("sky", "Let index be 1.", "Let index be 2."),
    ("microxml", "COMMENT_CLOSE - switch to Main", "COMMENT_CLOSE - switch to Comment"),
    ("microxml", "COMMENT_CLOSE = \"-->\"", "COMMENT_CLOSE = \"->\""),
    ("microxml", "END_TAG - emit an EndTag token", "END_TAG - do nothing"),
    ("microxml", "emit a DataChar token", "emit two DataChar tokens"),
    ("microxml", "attribute-list EmptyElementTagClose", "attribute-list EndTag"),
    ("microxml", "attribute-list have distinct names", "attribute-list have names"),
    ("microxml", "+ all attributes in an attribute-list have distinct names", ""),
    (
        "html-2013",
        "must be set to off (its other state is on)",
        "must be set to on (its other state is off)",
    ),
    ("html-2013", "its self-closing flag must be unset", "its force-quirks flag must be unset"),
    (
        "html-2013",
        "When a token is emitted, it must immediately be handled by the tree construction stage.",
        "",
    ),
    (
        "html-2013",
        "the tree construction stage, that is a parse error.",
        "the tree construction stage, so be it.",
    ),
    (
        "html-2013",
        "then no end tag token is appropriate",
        "then every end tag token is appropriate",
    ),
    (
        "html-2013",
        "the user agent must first check the parser pause flag",
        "the user agent must first wait",
    ),
    ("html-2007", "Initially it must be in the PCDATA", "Initially it must be in the RCDATA"),
    ("html-2007", "removed from its list.</li>", "kept.</li>"),
    (
        "html",
        "state id=tokenization:attribute-value-(unquoted)-state>attribute value (unquoted)",
        "state>data",
    ),
    (
        "html",
        "the current attribute's value if the character",
        "the comment token's data if the character",
    ),
    ("html", "Append each\n  character", "Note each\n  character"),
    ("html-modes", "id=the-insertion-mode:the-initial-insertion-mode>initial<", ">before head<"),
    (
        "html-modes",
        "most recently added insertion mode must be removed from the",
        "first insertion mode must be removed from the",
    ),
    (
        "html-modes",
        "topmost node on the stack is the first one added",
        "topmost node on the stack is the last one added",
    ),
    ("html-modes", "has only one element in it", "has two elements in it"),
    ("html-modes", "</dfn> are both null.", "</dfn> are the document."),
    (
        "html-modes",
        "is set to \"ok\" when the parser is created",
        "is set to \"not ok\" when the parser is created",
    ),
    ("html-modes", "It is initially false.", "It is initially true."),
    ("html-modes", "roots</dfn> (initially false)", "roots</dfn> (initially true)"),
    (
        "html-modes",
        "parsing template contents</dfn> if there is a",
        "parsing template contents</dfn> if there is no",
    ),
    ("html-modes", "<dfn id=scripting-mode-inert>Inert", "<dfn>Tame"),
    ("html-modes", "neither missing nor the empty string", "not missing"),
    (
        "html-modes",
        "the lists above in an <a id=the-initial-insertion-mode:ascii-case-insensitive",
        "the lists above in a <a id=it",
    ),
    (
        "html-modes",
        "is the empty string is not considered missing",
        "is the empty string is considered missing",
    ),
];

/// Returns the parts of a document that are read.
fn parts_to_read(dialect: &str, text: &str) -> String {
    let Some((_, parts)) = PARTS.iter().find(|(of, _)| *of == dialect) else {
        return text.to_owned();
    };
    let mut text_to_read = String::new();
    for (from, to) in *parts {
        let start =
            text.find(from).unwrap_or_else(|| panic!("the document does not contain `{from}`"));
        let from_start = &text[start..];
        let end =
            from_start.find(to).unwrap_or_else(|| panic!("the document does not contain `{to}`"));
        text_to_read += &from_start[..end];
    }
    text_to_read
}

#[test]
fn reports_edits_of_definitions() {
    let dialects: BTreeSet<&str> = EDITS.iter().map(|(dialect, ..)| *dialect).collect();
    for dialect in dialects {
        let Some(text) = document(dialect) else { continue };
        let (text, profile, table) =
            (parts_to_read(dialect, &text), profile(dialect), table(dialect).1);
        // The text is only a part of the document, so what it omits is a difference even before an edit. Only
        // differences that an edit adds count.
        let reports = |text: &str| -> BTreeSet<String> {
            let facts = read_facts(text, &profile);
            let comparison = compared(&facts, &table);
            let differences = comparison
                .undeclared()
                .map(|one| format!("{} {} {:?} {:?}", one.state, one.input, one.left, one.right));
            let unread = facts.unread.iter().map(ToString::to_string);
            differences.chain(unread).chain(facts.stale_errata).collect()
        };
        let before = reports(&text);
        for (_, instead_of, read) in EDITS.iter().filter(|(of, ..)| *of == dialect) {
            assert!(
                text.contains(instead_of),
                "{dialect}: the document does not contain `{instead_of}`"
            );
            let after = reports(&text.replacen(instead_of, read, 1));
            assert!(
                after.difference(&before).next().is_some(),
                "{dialect}: the edit of `{instead_of}` is not reported"
            );
        }
    }
}
