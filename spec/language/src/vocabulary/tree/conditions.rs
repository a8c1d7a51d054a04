//! The conditions of tree construction.

use crate::model::tree::{
    DoctypesId, DocumentMode, ElementName, Namespace, PointerId, ScopeId, Target, TreeFlagId,
};
use crate::model::{CharacterSet, FieldId};
use crate::vocabulary::forms;

forms! {
    /// All conditions that `when` can contain in a mode.
    TREE_CONDITIONS: "condition";
    /// A condition of a row in a mode, apart from the row's pattern.
    TreeCondition: TreeConditions;
    variants {
        /// Negation.
        Not(Box<TreeCondition>),
        /// Conjunction.
        All(Vec<TreeCondition>),
        /// A walk up from the current node reaches the target before an element of the scope.
        InScope(ScopeId, Target),
    }
    list "tree-conditions" {
        "current is <names>" => CurrentIs(names: Vec<ElementName>),
            "The current node is an element with one of these names.",
            ["the current node is a {names} element"];
        "current is token-name" => CurrentIsTokenName,
            "The current node is an element with the token's name.",
            ["the tag name of the current node matches the tag name of the token"];
        "open <names>" => Open(names: Vec<ElementName>),
            "An element with one of these names is on the stack of open elements.",
            ["there is a {names} element on the stack of open elements"];
        "open token-name" => OpenTokenName,
            "An element with the token's name is on the stack of open elements.",
            ["there is an element in scope with the same tag name as that of the token"];
        "above token-name <names>" => AboveTokenName(names: Vec<ElementName>),
            "One of these elements was added to the stack of open elements after the last one with the \
                token's name.",
            ["there's a {names} element in the stack of open elements above node"];
        "<declared-field> is <string>" => FieldIs(declared_field: FieldId, string: String),
            "The token is of the field's kind, and the field has this text.";
        "stack-is-empty" => StackIsEmpty,
            "There are no open elements.",
            ["there are no more elements on the stack of open elements"];
    }
    list "html-tree-conditions" {
        "in-scope <scope> <names>" one |slots| TreeCondition::InScope(slots.scope(), Target::Names(slots.names())),
            "A walk up the stack from the current node reaches an element with one of these names not later \
                than one of the scope.",
            ["the stack of open elements has a {names} element in {scope} scope"];
        "in-scope <scope> token-name" one |slots| TreeCondition::InScope(slots.scope(), Target::TokenName),
            "An element of the table's own namespace with the token's name is in this scope.",
            [
                "have an element in scope that is an html element with the same tag name as that of the token",
            ];
        "in-scope <scope> pointed <pointer>" one
            |slots| TreeCondition::InScope(slots.scope(), Target::Pointed(slots.pointer())),
            "The element that the pointer points to is in this scope.",
            ["the stack of open elements has node in scope"];
        "current is pointed <pointer>" => CurrentIsPointed(pointer: PointerId),
            "The current node is the element that the pointer points to.",
            ["the current node is node"];
        "current is token-name-ignoring-case" => CurrentIsTokenNameIgnoringCase,
            "The local name of the current node, in lowercase if it is a foreign element, is the token's \
                name.",
            ["node's tag name, converted to ascii lowercase, is the same as the tag name of the token"];
        "second is <names>" => SecondIs(names: Vec<ElementName>),
            "There is a second element on the stack, and it has one of these names.",
            ["the second element on the stack of open elements is a {names} element"];
        "open-other-than <names>" => OpenOtherThan(names: Vec<ElementName>),
            "An element with none of these names is on the stack of open elements.",
            ["there is a node in the stack of open elements that is not either a {names} element"];
        "foreign-open token-name" => ForeignOpenTokenName,
            "A walk up the stack from the current node reaches an element whose local name in lowercase is \
                the token's name, before any element of the table's own namespace.",
            ["node is not an element in the html namespace"];
        "adjusted-current is <names>" => AdjustedCurrentIs(names: Vec<ElementName>),
            "The adjusted current node has one of these names.",
            ["the adjusted current node is a {names} element"];
        "adjusted-current in <namespace>" => AdjustedCurrentIn(namespace: Namespace),
            "The adjusted current node is in the namespace `svg` or `math`.",
            ["the adjusted current node is an element in the {namespace}"];
        "adjusted-current is-foreign" => AdjustedCurrentIsForeign,
            "There is an adjusted current node, and it is not in the table's own namespace.",
            ["there is an adjusted current node and it is not an element in the html namespace"];
        "adjusted-current is-integration-point" => AdjustedCurrentIsIntegrationPoint,
            "The adjusted current node is one of the declared integration points.",
            ["the adjusted current node is an html integration point"];
        "adjusted-current is-root" => AdjustedCurrentIsRoot,
            "The adjusted current node is the first element of the stack.",
            ["the adjusted current node is the topmost element in the stack of open elements"];
        "fragment" => IsFragment,
            "A fragment is being parsed.",
            ["the parser's fragment context element is non-null"];
        "context is <names>" => ContextIs(names: Vec<ElementName>),
            "A fragment is being parsed, and its context element has one of these names.",
            ["the parser's fragment context element is a {names} element"];
        "last" => IsLast,
            "In a row of `reset`: the element is the first one of the stack, or the context element that is \
                tested instead.",
            ["last is true"];
        "token-attribute <string>" => TokenAttribute(string: String),
            "The token has an attribute of this name.",
            ["the token has an attribute with the name {string}"];
        "token-attribute <string> is <string>" => TokenAttributeIs(string: String, string: String),
            "The token has an attribute of this name with this value, ignoring ASCII case.",
            ["that attribute's value is an ascii case-insensitive match for {string}"];
        "self-closing" => SelfClosing,
            "The token's self-closing flag is set.",
            ["the token has its self-closing flag set"];
        "is-set <pointer>" => IsSet(pointer: PointerId),
            "The pointer is set.",
            ["the {pointer} element pointer is not null"];
        "formatting-has <names>" => FormattingHas(names: Vec<ElementName>),
            "The list of active formatting elements has an element with one of these names after its last \
                marker.",
            [
                "the list of active formatting elements contains a {names} element between the end of the list and \
                    the last marker on the list",
            ];
        "<tree-flag> is <value>" => FlagIs(tree_flag: TreeFlagId, value: u8),
            "The flag of tree construction has this value.",
            ["the {tree-flag} flag is set to {value}"];
        "document-mode is <document-mode>" => DocumentModeIs(document_mode: DocumentMode),
            "The document is in this mode.",
            ["the document is set to {document-mode} mode"];
        "doctype in <doctypes>" => DoctypeIs(doctypes: DoctypesId),
            "The token is a DOCTYPE of the set.",
            ["the doctype token matches one of the conditions in the following list"];
        "has-template-mode" => HasTemplateMode,
            "The stack of template insertion modes is not empty.",
            ["the stack of template insertion modes is not empty"];
        "pending-other-than <class>" => PendingOtherThan(class: CharacterSet),
            "One of the pending table character tokens is not of the class.",
            [
                "any of the tokens in the pending table character tokens list are character tokens that are not \
                    {class}",
            ];
        "<condition>" is Defined,
            "The condition that the table declares with this name holds.";
    }
}
