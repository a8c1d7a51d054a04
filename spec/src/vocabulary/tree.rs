//! The closed vocabulary of tree construction: its actions and conditions, how each is written, what it means, and in
//! which words the documents say it. It builds no tree. Invariant: as for the vocabulary of states.

use super::Form;

/// Every action that a row of a mode can contain.
pub const TREE_ACTIONS: &[Form] = &[
    Form {
        syntax: "switch <mode>",
        meaning: "The mode is the one for the next token.",
        wordings: &["switch to the {mode}", "then switch to the {mode}"],
    },
    Form {
        syntax: "reprocess",
        meaning: "The token is processed again, in the mode that was switched to.",
        wordings: &["reprocess the token", "reprocess the current token"],
    },
    Form {
        syntax: "reprocess <mode>",
        meaning: "The mode is the next one, and the token is processed again in it.",
        wordings: &["reprocess the token in the {mode}"],
    },
    Form {
        syntax: "using <mode>",
        meaning: "The token is processed by the rules of the mode, without a switch.",
        wordings: &["process the token using the rules for the {mode}"],
    },
    Form {
        syntax: "ignore",
        meaning: "Nothing is done with the token.",
        wordings: &["ignore the token", "skip this token", "skip the token"],
    },
    Form {
        syntax: "as else",
        meaning: "The steps of the `else` row are taken.",
        wordings: &["act as described in the \"anything else\" entry below"],
    },
    Form { syntax: "stop", meaning: "Tree construction ends.", wordings: &["stop parsing"] },
    Form {
        syntax: "error <error>",
        meaning: "A parse error with this code, at the token.",
        wordings: &["parse error"],
    },
    Form {
        syntax: "insert-element",
        meaning: "An element is created for the token, appended to the current node (the document if no element is \
                  open), and pushed onto the stack of open elements, so that it is the current node.",
        wordings: &["insert an element for the token"],
    },
    Form {
        syntax: "append-element",
        meaning: "An element is created for the token and appended to the current node, but not pushed.",
        wordings: &["create an element for the token and append it to the current element"],
    },
    Form {
        syntax: "append-text",
        meaning: "The characters of the token are appended to the current node; a text node that is its last child \
                  takes them up.",
        wordings: &[
            "append a character to the current element",
            "create a text node whose character data is the value of the token",
        ],
    },
    Form {
        syntax: "append-comment",
        meaning: "A comment node with the token's data is appended to the current node.",
        wordings: &[
            "append a comment node to the current element with the data attribute set to the data given in the token",
        ],
    },
    Form {
        syntax: "append-comment to document",
        meaning: "A comment node with the token's data is appended to the document.",
        wordings: &[
            "append a comment node to the document node with the data attribute set to the data given in the token",
        ],
    },
    Form {
        syntax: "append-processing-instruction",
        meaning: "A processing instruction node with the token's target and data is appended to the current node.",
        wordings: &["append a processing instruction node to the current element"],
    },
    Form {
        syntax: "append-processing-instruction to document",
        meaning: "A processing instruction node with the token's target and data is appended to the document.",
        wordings: &["append a processing instruction node to the document node"],
    },
    Form {
        syntax: "append-doctype",
        meaning: "A DOCTYPE node with the token's name and identifiers is appended to the document.",
        wordings: &["append a doctype node to the document node"],
    },
    Form {
        syntax: "pop",
        meaning: "The current node is popped off the stack of open elements.",
        wordings: &["pop an element from the stack of open elements"],
    },
    Form {
        syntax: "pop-until-token-name",
        meaning: "Elements are popped off the stack until one with the token's name was popped.",
        wordings: &[
            "pop nodes from the stack of open elements until the first such element has been popped from the stack",
        ],
    },
    Form {
        syntax: "trim-text <class>",
        meaning: "Characters of the class are removed from the beginning of the document's first text, if no element \
                  comes before it, and from the end of its last text, if none comes behind it; a text that becomes \
                  empty is removed. Only texts that are children of the document count.",
        wordings: &["leading and trailing white space is removed"],
    },
    Form {
        syntax: "wrap-unless-single-element <string>",
        meaning: "Unless the document has exactly one child and that is an element, all its children become those of a \
                  new element of this name.",
        wordings: &["the sequence corresponds to a single element"],
    },
    Form {
        syntax: "call-host <word>",
        meaning: "The host is told, by this word, of the element that the row has popped last, or else of the current node.",
        wordings: &["execute the script given by the element's contents"],
    },
    Form { syntax: "<steps>", meaning: "The steps of this name are taken.", wordings: &[] },
];

/// Every condition that `when` can name in a mode.
pub const TREE_CONDITIONS: &[Form] = &[
    Form {
        syntax: "current is <names>",
        meaning: "The current node is an element with one of these names.",
        wordings: &["the current node is a {names} element"],
    },
    Form {
        syntax: "current is token-name",
        meaning: "The current node is an element with the token's name.",
        wordings: &["the tag name of the current node matches the tag name of the token"],
    },
    Form {
        syntax: "open <names>",
        meaning: "An element with one of these names is on the stack of open elements.",
        wordings: &["there is a {names} element on the stack of open elements"],
    },
    Form {
        syntax: "open token-name",
        meaning: "An element with the token's name is on the stack of open elements.",
        wordings: &["there is an element in scope with the same tag name as that of the token"],
    },
    Form {
        syntax: "above token-name <names>",
        meaning: "One of these elements is on the stack of open elements above the topmost one with the token's name.",
        wordings: &["there's a {names} element in the stack of open elements above node"],
    },
    Form {
        syntax: "stack-is-empty",
        meaning: "No element is on the stack of open elements.",
        wordings: &["there are no more elements on the stack of open elements"],
    },
];
