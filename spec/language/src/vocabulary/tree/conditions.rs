//! The conditions of tree construction. Invariant: as for its actions.

use crate::vocabulary::Form;

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
    Form {
        syntax: "in-scope <scope> <names>",
        meaning: "A walk up the stack from the current node comes to an element with one of these names, before or as it comes to one of the scope.",
        wordings: &["the stack of open elements has a {names} element in {scope} scope"],
    },
    Form {
        syntax: "in-scope <scope> token-name",
        meaning: "The same, for an element of the table's own namespace with the token's name.",
        wordings: &[
            "have an element in scope that is an html element with the same tag name as that of the token",
        ],
    },
    Form {
        syntax: "in-scope <scope> pointed <pointer>",
        meaning: "The same, for the element that the pointer points to.",
        wordings: &["the stack of open elements has node in scope"],
    },
    Form {
        syntax: "current is pointed <pointer>",
        meaning: "The current node is the element that the pointer points to.",
        wordings: &["the current node is node"],
    },
    Form {
        syntax: "current is token-name-ignoring-case",
        meaning: "The local name of the current node, in lower case, is the token's name, whatever its namespace.",
        wordings: &[
            "node's tag name, converted to ascii lowercase, is the same as the tag name of the token",
        ],
    },
    Form {
        syntax: "second is <names>",
        meaning: "There is a second element on the stack, and it has one of these names.",
        wordings: &["the second element on the stack of open elements is a {names} element"],
    },
    Form {
        syntax: "open-other-than <names>",
        meaning: "An element with none of these names is on the stack of open elements.",
        wordings: &[
            "there is a node in the stack of open elements that is not either a {names} element",
        ],
    },
    Form {
        syntax: "foreign-open token-name",
        meaning: "A walk up the stack from the current node comes, before it comes to an element of the table's own namespace, to one whose local name in lower case is the token's name.",
        wordings: &["node is not an element in the html namespace"],
    },
    Form {
        syntax: "adjusted-current is <names>",
        meaning: "The adjusted current node has one of these names.",
        wordings: &["the adjusted current node is a {names} element"],
    },
    Form {
        syntax: "adjusted-current in <namespace>",
        meaning: "The adjusted current node is in the namespace `svg` or `math`.",
        wordings: &["the adjusted current node is an element in the {namespace}"],
    },
    Form {
        syntax: "adjusted-current is-foreign",
        meaning: "There is an adjusted current node, and it is not in the table's own namespace.",
        wordings: &[
            "there is an adjusted current node and it is not an element in the html namespace",
        ],
    },
    Form {
        syntax: "adjusted-current is-integration-point",
        meaning: "The adjusted current node is one of the declared integration points.",
        wordings: &["the adjusted current node is an html integration point"],
    },
    Form {
        syntax: "adjusted-current is-root",
        meaning: "The adjusted current node is the first element of the stack.",
        wordings: &[
            "the adjusted current node is the topmost element in the stack of open elements",
        ],
    },
    Form {
        syntax: "fragment",
        meaning: "A fragment is parsed.",
        wordings: &["the parser's fragment context element is non-null"],
    },
    Form {
        syntax: "context is <names>",
        meaning: "A fragment is parsed, and its context element has one of these names.",
        wordings: &["the parser's fragment context element is a {names} element"],
    },
    Form {
        syntax: "last",
        meaning: "In a row of `reset`: the element is the first one of the stack, or the context element that is looked at instead.",
        wordings: &["last is true"],
    },
    Form {
        syntax: "token-attribute <string>",
        meaning: "The token has an attribute of this name.",
        wordings: &["the token has an attribute with the name {string}"],
    },
    Form {
        syntax: "token-attribute <string> is <string>",
        meaning: "The token has an attribute of this name, with this value in any case of ASCII letters.",
        wordings: &["that attribute's value is an ascii case-insensitive match for {string}"],
    },
    Form {
        syntax: "self-closing",
        meaning: "The token's self-closing flag is set.",
        wordings: &["the token has its self-closing flag set"],
    },
    Form {
        syntax: "is-set <pointer>",
        meaning: "The pointer points to an element.",
        wordings: &["the {pointer} element pointer is not null"],
    },
    Form {
        syntax: "formatting-has <names>",
        meaning: "The list of active formatting elements has such an element behind its last marker.",
        wordings: &[
            "the list of active formatting elements contains a {names} element between the end of the list and the last marker on the list",
        ],
    },
    Form {
        syntax: "<tree-flag> is <value>",
        meaning: "The flag of tree construction has this value.",
        wordings: &["the {tree-flag} flag is set to {value}"],
    },
    Form {
        syntax: "document-mode is <document-mode>",
        meaning: "The document is in this mode.",
        wordings: &["the document is set to {document-mode} mode"],
    },
    Form {
        syntax: "doctype in <doctypes>",
        meaning: "The token is a DOCTYPE of the set.",
        wordings: &["the doctype token matches one of the conditions in the following list"],
    },
    Form {
        syntax: "has-template-mode",
        meaning: "The stack of template insertion modes is not empty.",
        wordings: &["the stack of template insertion modes is not empty"],
    },
    Form {
        syntax: "pending-other-than <class>",
        meaning: "One of the pending table character tokens is not of the class.",
        wordings: &[
            "any of the tokens in the pending table character tokens list are character tokens that are not {class}",
        ],
    },
    Form {
        syntax: "<tree-condition>",
        meaning: "What the table defines by this name.",
        wordings: &[],
    },
];
