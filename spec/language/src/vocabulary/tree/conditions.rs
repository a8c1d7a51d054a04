//! The conditions of tree construction.

use crate::model::tree::{Target, TreeCondition};
use crate::vocabulary::forms;

forms! {
    /// All conditions that `when` can contain in a mode.
    TREE_CONDITIONS: "condition" of TreeCondition, TreeConditions;
    joined: TreeCondition::Not(_) | TreeCondition::All(_),
    list "tree-conditions" {
        "current is <names>" {
            is: TreeCondition::CurrentIs(_),
            make: |slots| TreeCondition::CurrentIs(slots.names()),
            meaning: "The current node is an element with one of these names.",
            wordings: ["the current node is a {names} element"],
        }
        "current is token-name" {
            just: TreeCondition::CurrentIsTokenName,
            meaning: "The current node is an element with the token's name.",
            wordings: ["the tag name of the current node matches the tag name of the token"],
        }
        "open <names>" {
            is: TreeCondition::Open(_),
            make: |slots| TreeCondition::Open(slots.names()),
            meaning: "An element with one of these names is on the stack of open elements.",
            wordings: ["there is a {names} element on the stack of open elements"],
        }
        "open token-name" {
            just: TreeCondition::OpenTokenName,
            meaning: "An element with the token's name is on the stack of open elements.",
            wordings: ["there is an element in scope with the same tag name as that of the token"],
        }
        "above token-name <names>" {
            is: TreeCondition::AboveTokenName(_),
            make: |slots| TreeCondition::AboveTokenName(slots.names()),
            meaning: "One of these elements was added to the stack of open elements after the last one with the \
                token's name.",
            wordings: ["there's a {names} element in the stack of open elements above node"],
        }
        "<declared-field> is <string>" {
            is: TreeCondition::FieldIs(..),
            make: |slots| TreeCondition::FieldIs(slots.declared_field(), slots.string()),
            meaning: "The token is of the field's kind, and the field has this text.",
        }
        "stack-is-empty" {
            just: TreeCondition::StackIsEmpty,
            meaning: "There are no open elements.",
            wordings: ["there are no more elements on the stack of open elements"],
        }
    }
    list "html-tree-conditions" {
        "in-scope <scope> <names>" {
            is: TreeCondition::InScope(_, Target::Names(_)),
            make: |slots| TreeCondition::InScope(slots.scope(), Target::Names(slots.names())),
            meaning: "A walk up the stack from the current node reaches an element with one of these names not later \
                than one of the scope.",
            wordings: ["the stack of open elements has a {names} element in {scope} scope"],
        }
        "in-scope <scope> token-name" {
            is: TreeCondition::InScope(_, Target::TokenName),
            make: |slots| TreeCondition::InScope(slots.scope(), Target::TokenName),
            meaning: "An element of the table's own namespace with the token's name is in this scope.",
            wordings: [
                "have an element in scope that is an html element with the same tag name as that of the token",
            ],
        }
        "in-scope <scope> pointed <pointer>" {
            is: TreeCondition::InScope(_, Target::Pointed(_)),
            make: |slots| TreeCondition::InScope(slots.scope(), Target::Pointed(slots.pointer())),
            meaning: "The element that the pointer points to is in this scope.",
            wordings: ["the stack of open elements has node in scope"],
        }
        "current is pointed <pointer>" {
            is: TreeCondition::CurrentIsPointed(_),
            make: |slots| TreeCondition::CurrentIsPointed(slots.pointer()),
            meaning: "The current node is the element that the pointer points to.",
            wordings: ["the current node is node"],
        }
        "current is token-name-ignoring-case" {
            just: TreeCondition::CurrentIsTokenNameIgnoringCase,
            meaning: "The local name of the current node, in lowercase if it is a foreign element, is the token's \
                name.",
            wordings: ["node's tag name, converted to ascii lowercase, is the same as the tag name of the token"],
        }
        "second is <names>" {
            is: TreeCondition::SecondIs(_),
            make: |slots| TreeCondition::SecondIs(slots.names()),
            meaning: "There is a second element on the stack, and it has one of these names.",
            wordings: ["the second element on the stack of open elements is a {names} element"],
        }
        "open-other-than <names>" {
            is: TreeCondition::OpenOtherThan(_),
            make: |slots| TreeCondition::OpenOtherThan(slots.names()),
            meaning: "An element with none of these names is on the stack of open elements.",
            wordings: ["there is a node in the stack of open elements that is not either a {names} element"],
        }
        "foreign-open token-name" {
            just: TreeCondition::ForeignOpenTokenName,
            meaning: "A walk up the stack from the current node reaches an element whose local name in lowercase is \
                the token's name, before any element of the table's own namespace.",
            wordings: ["node is not an element in the html namespace"],
        }
        "adjusted-current is <names>" {
            is: TreeCondition::AdjustedCurrentIs(_),
            make: |slots| TreeCondition::AdjustedCurrentIs(slots.names()),
            meaning: "The adjusted current node has one of these names.",
            wordings: ["the adjusted current node is a {names} element"],
        }
        "adjusted-current in <namespace>" {
            is: TreeCondition::AdjustedCurrentIn(_),
            make: |slots| TreeCondition::AdjustedCurrentIn(slots.namespace()),
            meaning: "The adjusted current node is in the namespace `svg` or `math`.",
            wordings: ["the adjusted current node is an element in the {namespace}"],
        }
        "adjusted-current is-foreign" {
            just: TreeCondition::AdjustedCurrentIsForeign,
            meaning: "There is an adjusted current node, and it is not in the table's own namespace.",
            wordings: ["there is an adjusted current node and it is not an element in the html namespace"],
        }
        "adjusted-current is-integration-point" {
            just: TreeCondition::AdjustedCurrentIsIntegrationPoint,
            meaning: "The adjusted current node is one of the declared integration points.",
            wordings: ["the adjusted current node is an html integration point"],
        }
        "adjusted-current is-root" {
            just: TreeCondition::AdjustedCurrentIsRoot,
            meaning: "The adjusted current node is the first element of the stack.",
            wordings: ["the adjusted current node is the topmost element in the stack of open elements"],
        }
        "fragment" {
            just: TreeCondition::IsFragment,
            meaning: "A fragment is being parsed.",
            wordings: ["the parser's fragment context element is non-null"],
        }
        "context is <names>" {
            is: TreeCondition::ContextIs(_),
            make: |slots| TreeCondition::ContextIs(slots.names()),
            meaning: "A fragment is being parsed, and its context element has one of these names.",
            wordings: ["the parser's fragment context element is a {names} element"],
        }
        "last" {
            just: TreeCondition::IsLast,
            meaning: "In a row of `reset`: the element is the first one of the stack, or the context element that is \
                tested instead.",
            wordings: ["last is true"],
        }
        "token-attribute <string>" {
            is: TreeCondition::TokenAttribute(_),
            make: |slots| TreeCondition::TokenAttribute(slots.string()),
            meaning: "The token has an attribute of this name.",
            wordings: ["the token has an attribute with the name {string}"],
        }
        "token-attribute <string> is <string>" {
            is: TreeCondition::TokenAttributeIs(..),
            make: |slots| TreeCondition::TokenAttributeIs(slots.string(), slots.string()),
            meaning: "The token has an attribute of this name with this value, ignoring ASCII case.",
            wordings: ["that attribute's value is an ascii case-insensitive match for {string}"],
        }
        "self-closing" {
            just: TreeCondition::SelfClosing,
            meaning: "The token's self-closing flag is set.",
            wordings: ["the token has its self-closing flag set"],
        }
        "is-set <pointer>" {
            is: TreeCondition::IsSet(_),
            make: |slots| TreeCondition::IsSet(slots.pointer()),
            meaning: "The pointer is set.",
            wordings: ["the {pointer} element pointer is not null"],
        }
        "formatting-has <names>" {
            is: TreeCondition::FormattingHas(_),
            make: |slots| TreeCondition::FormattingHas(slots.names()),
            meaning: "The list of active formatting elements has an element with one of these names after its last \
                marker.",
            wordings: [
                "the list of active formatting elements contains a {names} element between the end of the list and \
                    the last marker on the list",
            ],
        }
        "<tree-flag> is <value>" {
            is: TreeCondition::FlagIs(..),
            make: |slots| TreeCondition::FlagIs(slots.tree_flag(), slots.value()),
            meaning: "The flag of tree construction has this value.",
            wordings: ["the {tree-flag} flag is set to {value}"],
        }
        "document-mode is <document-mode>" {
            is: TreeCondition::DocumentModeIs(_),
            make: |slots| TreeCondition::DocumentModeIs(slots.document_mode()),
            meaning: "The document is in this mode.",
            wordings: ["the document is set to {document-mode} mode"],
        }
        "doctype in <doctypes>" {
            is: TreeCondition::DoctypeIs(_),
            make: |slots| TreeCondition::DoctypeIs(slots.doctypes()),
            meaning: "The token is a DOCTYPE of the set.",
            wordings: ["the doctype token matches one of the conditions in the following list"],
        }
        "has-template-mode" {
            just: TreeCondition::HasTemplateMode,
            meaning: "The stack of template insertion modes is not empty.",
            wordings: ["the stack of template insertion modes is not empty"],
        }
        "pending-other-than <class>" {
            is: TreeCondition::PendingOtherThan(_),
            make: |slots| TreeCondition::PendingOtherThan(slots.class()),
            meaning: "One of the pending table character tokens is not of the class.",
            wordings: [
                "any of the tokens in the pending table character tokens list are character tokens that are not \
                    {class}",
            ],
        }
        "<condition>" {
            makes: Defined,
            meaning: "The condition that the table declares with this name holds.",
        }
    }
}
