//! The closed vocabulary of tree construction: its actions and conditions, how each is written, what it means, and in
//! which words the documents say it. It builds no tree. Invariant: as for the vocabulary of states.

mod conditions;

pub use conditions::TREE_CONDITIONS;

use super::Form;
use crate::model::tree::TreeLimit;

/// Words for what a table can limit about trees.
pub const TREE_LIMITS: &[(&str, TreeLimit)] = &[
    ("adoption-rounds", TreeLimit::AdoptionRounds),
    ("adoption-elements", TreeLimit::AdoptionElements),
    ("alike-formatting", TreeLimit::AlikeFormatting),
];

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
        wordings: &["process the token using the rules for the {mode} insertion mode"],
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
        wordings: &["ensuring that the sequence corresponds to a single element"],
    },
    Form {
        syntax: "call-host <word>",
        meaning: "The host is told, by this word, of the element that the row has popped last, or else of the current node.",
        wordings: &["execute the script given by the element's contents"],
    },
    Form {
        syntax: "switch original-mode",
        meaning: "The mode is the original insertion mode: the one that `set-original-mode` has kept.",
        wordings: &["switch the insertion mode to the original insertion mode"],
    },
    Form {
        syntax: "switch template-mode",
        meaning: "The mode is the current template insertion mode: the one that was pushed last.",
        wordings: &["switch the insertion mode to the current template insertion mode"],
    },
    Form {
        syntax: "set-original-mode",
        meaning: "The original insertion mode is the current mode.",
        wordings: &["let the original insertion mode be the current insertion mode"],
    },
    Form {
        syntax: "using insertion-mode",
        meaning: "The token is processed by the rules of the current mode, whatever it would be dispatched to.",
        wordings: &[
            "process the token according to the rules given in the section corresponding to the current insertion mode in HTML content",
        ],
    },
    Form {
        syntax: "push-template-mode <mode>",
        meaning: "The mode is pushed onto the stack of template insertion modes.",
        wordings: &[
            "push {mode} onto the stack of template insertion modes so that it is the new current template insertion mode",
        ],
    },
    Form {
        syntax: "pop-template-mode",
        meaning: "The current template insertion mode is popped off its stack.",
        wordings: &[
            "pop the current template insertion mode off the stack of template insertion modes",
        ],
    },
    Form {
        syntax: "reset-insertion-mode",
        meaning: "The steps of `reset` are taken for the open elements, from the current node upwards.",
        wordings: &["reset the insertion mode appropriately"],
    },
    Form {
        syntax: "insert-element <string>",
        meaning: "An element of this name in the table's own namespace, without attributes, is inserted and pushed; it is implied.",
        wordings: &["insert an html element for a {string} start tag token with no attributes"],
    },
    Form {
        syntax: "insert-foreign-element <inserted-namespace>",
        meaning: "An element is created for the token in the namespace `svg`, `math`, or that of the adjusted current node (`adjusted-current`), inserted at the appropriate place, and pushed.",
        wordings: &["insert a foreign element for the token, in the {inserted-namespace}"],
    },
    Form {
        syntax: "insert-character",
        meaning: "The token's character is inserted at the appropriate place: a text node right before that place takes it up; in a document it is dropped.",
        wordings: &["insert the token's character", "insert the character"],
    },
    Form {
        syntax: "insert-character <character>",
        meaning: "This character is inserted instead of the token's.",
        wordings: &["insert a {character} character"],
    },
    Form {
        syntax: "insert-comment",
        meaning: "A comment node for the token is inserted at the appropriate place.",
        wordings: &["insert a comment"],
    },
    Form {
        syntax: "insert-comment to document",
        meaning: "A comment node for the token is appended to the document.",
        wordings: &["insert a comment as the last child of the Document object"],
    },
    Form {
        syntax: "insert-comment to root",
        meaning: "A comment node for the token is appended to the first element of the stack.",
        wordings: &[
            "insert a comment as the last child of the first element in the stack of open elements (the html element)",
        ],
    },
    Form {
        syntax: "insert-processing-instruction",
        meaning: "A processing instruction node for the token is inserted at the appropriate place.",
        wordings: &["insert a processing instruction"],
    },
    Form {
        syntax: "insert-processing-instruction to document",
        meaning: "A processing instruction node for the token is appended to the document.",
        wordings: &["insert a processing instruction given (the document object, null)"],
    },
    Form {
        syntax: "insert-processing-instruction to root",
        meaning: "A processing instruction node for the token is appended to the first element of the stack.",
        wordings: &[
            "insert a processing instruction given (the first element in the stack of open elements (the html element), null)",
        ],
    },
    Form {
        syntax: "adjust-tag-name <adjustments>",
        meaning: "The token's tag name is replaced by the one that the table gives for it, if it gives one.",
        wordings: &[
            "change the tag name to the name given in the corresponding cell in the second column",
        ],
    },
    Form {
        syntax: "adjust-attributes <adjustments>",
        meaning: "The names of the token's attributes are replaced by those that the table gives for them.",
        wordings: &[
            "adjust SVG attributes for the token",
            "adjust MathML attributes for the token",
            "adjust foreign attributes for the token",
        ],
    },
    Form {
        syntax: "rename <string>",
        meaning: "The token's tag name is this one.",
        wordings: &["change the token's tag name to {string}"],
    },
    Form {
        syntax: "acknowledge-self-closing",
        meaning: "The token's self-closing flag is acknowledged, if it is set.",
        wordings: &["acknowledge the token's self-closing flag, if it is set"],
    },
    Form {
        syntax: "pop-until <names>",
        meaning: "Elements are popped off the stack until one with one of these names was popped.",
        wordings: &[
            "pop elements from the stack of open elements until a {names} element has been popped from the stack",
        ],
    },
    Form {
        syntax: "generate-end-tags <names>",
        meaning: "The current node is popped as long as it has one of these names.",
        wordings: &["generate implied end tags", "generate all implied end tags thoroughly"],
    },
    Form {
        syntax: "generate-end-tags <names> except <names>",
        meaning: "The same, as if the second names were not among the first.",
        wordings: &["generate implied end tags, except for {names} elements"],
    },
    Form {
        syntax: "generate-end-tags <names> except token-name",
        meaning: "The same, as if the token's name was not among these.",
        wordings: &[
            "generate implied end tags, except for HTML elements with the same tag name as the token",
        ],
    },
    Form {
        syntax: "clear-back-to <names>",
        meaning: "The current node is popped as long as it has none of these names.",
        wordings: &[
            "clear the stack back to a table context",
            "clear the stack back to a table body context",
            "clear the stack back to a table row context",
        ],
    },
    Form {
        syntax: "leave-foreign-content <names>",
        meaning: "The current node is popped as long as it is not in the table's own namespace, is no integration point, and has none of these names.",
        wordings: &[
            "while the current node is not a mathml text integration point, an html integration point, or an element in the html namespace, pop elements from the stack of open elements",
        ],
    },
    Form {
        syntax: "pop-until-foreign-token-name",
        meaning: "Elements are popped until the one was popped that `foreign-open token-name` finds.",
        wordings: &[
            "pop elements from the stack of open elements until node has been popped from the stack",
        ],
    },
    Form {
        syntax: "detach-second",
        meaning: "The second element of the stack is removed from its parent, if it has one.",
        wordings: &[
            "remove the second element on the stack of open elements from its parent node, if it has one",
        ],
    },
    Form {
        syntax: "merge-attributes <stack-place>",
        meaning: "Attributes of the token whose names the first (`root`) or `second` element of the stack has not are added to it.",
        wordings: &[
            "for each attribute on the token, check to see if the attribute is already present on the top element of the stack of open elements; if it is not, add the attribute and its corresponding value to that element",
        ],
    },
    Form {
        syntax: "enable foster-parenting",
        meaning: "Foster parenting is enabled.",
        wordings: &["enable foster parenting"],
    },
    Form {
        syntax: "disable foster-parenting",
        meaning: "Foster parenting is disabled.",
        wordings: &["disable foster parenting"],
    },
    Form {
        syntax: "reconstruct-formatting",
        meaning: "The active formatting elements are reconstructed.",
        wordings: &["reconstruct the active formatting elements, if any"],
    },
    Form {
        syntax: "push-formatting",
        meaning: "The current node is pushed onto the list of active formatting elements, of which at most three alike may stand behind the last marker.",
        wordings: &["push onto the list of active formatting elements that element"],
    },
    Form {
        syntax: "insert-marker",
        meaning: "A marker is inserted at the end of the list of active formatting elements.",
        wordings: &["insert a marker at the end of the list of active formatting elements"],
    },
    Form {
        syntax: "clear-formatting",
        meaning: "The list of active formatting elements is cleared up to the last marker.",
        wordings: &["clear the list of active formatting elements up to the last marker"],
    },
    Form {
        syntax: "adoption-agency <scope> <names> <error> <steps>",
        meaning: "The adoption agency algorithm for the token: the scope in which the formatting element must be, the category in which a furthest block is, the code of its errors, and the steps where there is no formatting element.",
        wordings: &["run the adoption agency algorithm for the token"],
    },
    Form {
        syntax: "point <pointer>",
        meaning: "The pointer points to the current node.",
        wordings: &["set the {pointer} element pointer to point to the element created"],
    },
    Form {
        syntax: "point <pointer> to-formatting <names>",
        meaning: "The pointer points to the last element with one of these names behind the last marker of the list of active formatting elements.",
        wordings: &["that element"],
    },
    Form {
        syntax: "point <pointer> to-context",
        meaning: "The pointer points to the context element.",
        wordings: &["set the parser's {pointer} element pointer to the nearest node to context"],
    },
    Form {
        syntax: "unset <pointer>",
        meaning: "The pointer points to nothing.",
        wordings: &["set the {pointer} element pointer to null"],
    },
    Form {
        syntax: "push-pointed <pointer>",
        meaning: "The element that the pointer points to is pushed onto the stack of open elements.",
        wordings: &[
            "push the node pointed to by the {pointer} element pointer onto the stack of open elements",
        ],
    },
    Form {
        syntax: "remove-pointed <pointer>",
        meaning: "The element that the pointer points to is removed from the stack of open elements and from the list of active formatting elements, if it is there.",
        wordings: &[
            "remove the node pointed to by the {pointer} element pointer from the stack of open elements",
            "remove node from the stack of open elements",
        ],
    },
    Form {
        syntax: "set <tree-flag> <value>",
        meaning: "The flag of tree construction has this value.",
        wordings: &["set the {tree-flag} flag to {value}"],
    },
    Form {
        syntax: "set document-mode <document-mode>",
        meaning: "The document is in `no-quirks`, `limited-quirks` or `quirks` mode.",
        wordings: &["set the document to {document-mode} mode"],
    },
    Form {
        syntax: "tokenizer <word>",
        meaning: "The tokenizer does what the machine declares for this word.",
        wordings: &["switch the tokenizer to the {word} state"],
    },
    Form {
        syntax: "ignore-next-line-feed",
        meaning: "The next token is ignored if it is a line feed character.",
        wordings: &[
            "if the next token is a U+000A LINE FEED (LF) character token, then ignore that token and move on to the next one",
        ],
    },
    Form {
        syntax: "clear-pending",
        meaning: "The list of pending table character tokens is emptied.",
        wordings: &["let the pending table character tokens be an empty list of tokens"],
    },
    Form {
        syntax: "append-to-pending",
        meaning: "The token's character is added to the pending table character tokens.",
        wordings: &["append the character token to the pending table character tokens list"],
    },
    Form {
        syntax: "insert-pending",
        meaning: "The pending table character tokens are inserted, each as `insert-character` does.",
        wordings: &["insert the characters given by the pending table character tokens list"],
    },
    Form {
        syntax: "process-pending <mode>",
        meaning: "Each of the pending table character tokens is processed by the `else` row of the mode.",
        wordings: &[
            "reprocess the character tokens in the pending table character tokens list using the rules given in the \"anything else\" entry in the {mode} insertion mode",
        ],
    },
    Form {
        syntax: "mark-end-tag",
        meaning: "The topmost open element of the table's own namespace with the token's name is ended by the token where the source says so, but stays open.",
        wordings: &[],
    },
    Form {
        syntax: "attach-shadow-root <string> <names> <names>",
        meaning: "A template element is created for the token and pushed without being inserted; a new shadow root of the adjusted current node is its contents, as open as the token's attribute of the first name says. Unless that can be a host (one of the first names, or a name valid for a custom element and none of the second ones) and is none yet, the template is inserted at the appropriate place instead.",
        wordings: &["attach a shadow root"],
    },
    Form {
        syntax: "patch-content <string> <string> <string> <string> <string> <string>",
        meaning: "A template element is created for the token and pushed; what is put into it goes to the place that the token's attribute names, if there is one, else the template is inserted. The strings are the attribute, the pseudo-attribute of the processing instructions that mark places, their targets for a place, its start and its end, and the element whose parent is searched instead of it.",
        wordings: &["prepare content patching"],
    },
    Form {
        syntax: "finish-patching <names>",
        meaning: "The instructions that mark the place of the topmost such element are removed, and it patches no longer.",
        wordings: &["set template's insertion target to null"],
    },
    Form { syntax: "<steps>", meaning: "The steps of this name are taken.", wordings: &[] },
];
