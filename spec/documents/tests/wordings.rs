//! Checks that the grammar of the standards' English reads each wording of the vocabulary as the wording's action. The
//! exceptions are listed with reasons; a listed wording that is read fails the test, so that the list can only shrink.

use tabulex_documents::document::{meaning, meaning_in_trees};
use tabulex_language::vocabulary::ACTIONS;
use tabulex_language::vocabulary::tree::TREE_ACTIONS;

/// Wordings that are not read as sentences by themselves, by reason.
const NOT_READ_ALONE: &[(&str, &[&str])] = &[
    (
        "the state or character that it means follows from the rows that lead there",
        &[
            "switch back to the {state} that switched into this state",
            "attempt to consume a character reference, with no additional allowed character",
        ],
    ),
    ("another sentence names the list", &["append an entity"]),
    (
        "one of several sentences that together make a row",
        &["interpret the string of characters as a number"],
    ),
    (
        "in no document: the draft breaks off before it",
        &[
            "start a new attribute in the current attribute declaration",
            "append an attribute declaration",
            "put the value of the entity at the front of the input",
            "put the value of the entity at the front of the input, with {string} escaped",
        ],
    ),
    ("only in a revision that is not read", &["leading and trailing white space is removed"]),
    (
        "one of several steps that the action combines",
        &[
            "attach a shadow root",
            "prepare content patching",
            "set template's insertion target to null",
        ],
    ),
    (
        "occurs once, where a gloss gives its meaning",
        &[
            "the associated number",
            "the associated string is a valid character name",
            "ensuring that the sequence corresponds to a single element",
            "change the tag name to the name given in the corresponding cell in the second column",
            "while the current node is not a mathml text integration point, an html integration point, or an element in the \
             html namespace, pop elements from the stack of open elements",
            "for each attribute on the token, check to see if the attribute is already present on the top element of the \
             stack of open elements; if it is not, add the attribute and its corresponding value to that element",
        ],
    ),
    (
        "refers to a preceding sentence",
        &["remove node from the stack of open elements", "that element"],
    ),
];

/// Returns a wording with its slots filled by words that documents use.
fn fill_slots(syntax: &str, wording: &str) -> String {
    let mode = match syntax {
        "switch <mode>" | "reprocess <mode>" => "main phase",
        _ => "\"in body\"",
    };
    [
        ("its {field}", "its tag name"),
        ("its {token-flag}", "its force-quirks flag"),
        ("a {text} character token", "a U+0026 AMPERSAND (&) character token"),
        ("a {result} character token", "a U+0026 AMPERSAND (&) character token"),
        ("{state}", "data state"),
        ("{mode}", mode),
        ("{error}", "eof-in-tag"),
        ("{token-flag}", "self-closing flag"),
        ("{token}", "start tag"),
        ("{text}", "the current input character"),
        ("{field}", "the current tag token's tag name"),
        ("{register}", "tag"),
        ("{flag}", "escape flag"),
        ("{tree-flag} flag to {value}", "frameset-ok flag to \"not ok\""),
        ("{value}", "true"),
        ("{number}", "0"),
        ("{base}", "16"),
        ("{string}", "\"tr\""),
        ("{names}", "table"),
        ("{pointer}", "form"),
        ("{document-mode}", "quirks"),
        ("{inserted-namespace}", "SVG namespace"),
        ("{tokenizer-word}", "RCDATA"),
        ("{character}", "U+003E GREATER-THAN SIGN"),
    ]
    .iter()
    .fold(wording.to_owned(), |text, (slot, words)| text.replace(slot, words))
}

#[test]
fn reads_wordings_as_their_actions() {
    let listed: Vec<&str> =
        NOT_READ_ALONE.iter().flat_map(|(_, wordings)| wordings.iter().copied()).collect();
    let (mut read, mut wrong) = (0, Vec::new());
    let state_actions = ACTIONS.iter().map(|form| (form.syntax, form.wordings, false));
    let tree_actions = TREE_ACTIONS.iter().map(|form| (form.syntax, form.wordings, true));
    for (syntax, wordings, is_of_trees) in state_actions.chain(tree_actions) {
        let verb = syntax.split(' ').next().unwrap();
        for wording in wordings {
            let words = fill_slots(syntax, wording);
            let meaning = if is_of_trees { meaning_in_trees(&words) } else { meaning(&words) };
            let is_read = meaning
                .as_ref()
                .is_some_and(|said| said.split([' ', ';']).any(|word| word == verb));
            if is_read == listed.contains(wording) {
                wrong.push(format!("{syntax}: {wording}: {meaning:?}"));
            }
            read += usize::from(is_read);
        }
    }
    println!("{read} wordings are read alone, {} are listed as not read alone", listed.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Sentences on declared tokens, counters and flags, each with its meaning.
const DECLARED: &[(&str, &str)] = &[
    (
        "Create a new pair token, set its name to the current input character, and switch to the name state.",
        "create pair; append current to pair-name; switch name;",
    ),
    ("A new pair token is created.", "create pair;"),
    (
        "Append the current input character to the current pair token's name.",
        "append current to pair-name;",
    ),
    ("Append the character to the value of the pair token.", "append current to pair-value;"),
    (
        "The current character is appended to the pair token's value.",
        "append current to pair-value;",
    ),
    (
        "Emit the current pair token, then reconsume in the line state.",
        "emit pair; switch line; reconsume;",
    ),
    ("The current pair token is emitted.", "emit pair;"),
    ("Discard the current pair token.", ""),
    ("Skip the current input character.", "ignore;"),
    ("The character is ignored.", "ignore;"),
    ("Return to the value state.", "switch value;"),
    ("Report a missing-value error.", "error missing-value;"),
    (
        "If the current pair token's name is the empty string, report a missing-name parse error.",
        "when pair-name is \"\" { error missing-name; }",
    ),
    (
        "If the name of the pair token is not empty, emit the pair token.",
        "when not pair-name is \"\" { emit pair; }",
    ),
    ("Increment the depth counter.", "increase depth;"),
    ("If the depth counter is zero, switch to the text state.", "when depth is 0 { switch text; }"),
    ("Set the quoted flag to true.", "set quoted-flag true;"),
    ("Parse error (missing-value).", "error missing-value;"),
    (
        "Append the contents of the temporary buffer to the pair token's value.",
        "append temporary-buffer to pair-value;",
    ),
    ("Start a new filter in the current output token.", "create filter;"),
    (
        "Set that filter's name and argument to the empty string.",
        "set filter-name \"\"; set filter-argument \"\";",
    ),
    (
        "If the current filter's name is the empty string, then this is a missing-name parse error.",
        "when filter-name is \"\" { error missing-name; }",
    ),
    (
        "Set |quoted| to true, set |token state| to the name state, and jump to the step labeled next.",
        "set quoted true; switch name;",
    ),
    (
        "Append the lowercase version of |c| to |buffer|, set |token state| to the value state, and jump to the step \
         labeled loop.",
        "append lower to temporary-buffer; switch value; reconsume;",
    ),
    ("Jump to the step labeled loop.", "reconsume;"),
    (
        "If |quoted| is true, then set |token state| to the value state.",
        "when quoted is true { switch value; }",
    ),
];

#[test]
fn reads_sentences_on_declared_tokens() {
    for (sentence, expected) in DECLARED {
        assert_eq!(meaning(sentence).as_deref(), Some(*expected), "{sentence}");
    }
}
