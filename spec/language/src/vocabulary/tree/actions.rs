//! The actions of tree construction.

use crate::model::tree::{
    AdjustmentsId, AdoptionAgency, DocumentMode, ElementName, Except, FeedbackId,
    InsertedNamespace, Insertion, ModeId, Parent, Patching, PointerId, StackPlace, StepsId,
    TreeFlagId,
};
use crate::model::{CharacterSet, ErrorId, FieldId};
use crate::vocabulary::forms;

forms! {
    /// All actions that a row of a mode can contain.
    TREE_ACTIONS: "action";
    /// An action of a row in a mode.
    TreeAction: TreeActions;
    variants {
        /// Appends a comment node.
        AppendComment(Parent),
        /// Appends a processing instruction node.
        AppendProcessingInstruction(Parent),
        /// Inserts the token's character, or the given one.
        InsertCharacter(Option<char>),
        /// Inserts a comment node.
        InsertComment(Insertion),
        /// Inserts a processing instruction node.
        InsertProcessingInstruction(Insertion),
        /// Pops the current node while it has one of these names and is not excepted.
        GenerateEndTags(Vec<ElementName>, Except),
        /// Enables or disables foster parenting.
        FosterParenting(bool),
        /// Runs the adoption agency algorithm.
        AdoptionAgency(AdoptionAgency),
        /// Creates a template element for the token and pushes it, with a shadow root of the adjusted current node as
        /// its contents.
        AttachShadowRoot {
            /// Name of the token's attribute whose value is the mode of the shadow root.
            mode: String,
            /// Elements that can be hosts, in addition to those with valid custom element names.
            hosts: Vec<ElementName>,
            /// Names that are not valid custom element names despite their form.
            reserved: Vec<ElementName>,
        },
        /// Creates a template element for the token and pushes it. Its contents are inserted at the target that the
        /// token names.
        PatchContent(Patching),
    }
    list "tree-actions" {
        "switch <mode>" => Switch(mode: ModeId),
            "Switches to the mode, for the next token.",
            ["switch to the {mode}", "then switch to the {mode}"];
        "reprocess" => Reprocess,
            "Processes the token again, in the mode that was switched to.",
            ["reprocess the token", "reprocess the current token"];
        "reprocess <mode>" several |slots| vec![TreeAction::Switch(slots.mode()), TreeAction::Reprocess],
            "Switches to the mode, and processes the token again in it.",
            ["reprocess the token in the {mode}"];
        "using <mode>" => Using(mode: ModeId),
            "Processes the token by the rules of the mode, without switching to it.",
            ["process the token using the rules for the {mode} insertion mode"];
        "ignore" => Ignore,
            "Ignores the token.",
            ["ignore the token", "skip this token", "skip the token"];
        "as else" => AsElse,
            "Runs the steps of the `else` row.",
            ["act as described in the \"anything else\" entry below"];
        "stop" => Stop,
            "Ends tree construction.",
            ["stop parsing"];
        "error <error>" => Error(error: ErrorId),
            "Reports a parse error with this code, at the token.",
            ["parse error"];
        "insert-element" => InsertElement,
            "Creates an element for the token, appends it to the current node (to the document if no element \
                is open), and pushes it onto the stack of open elements, so that it becomes the current node.",
            ["insert an element for the token"];
        "append-element" => AppendElement,
            "Creates an element for the token and appends it to the current node without pushing it. In HTML, \
                inserts it and pops it immediately.",
            ["create an element for the token and append it to the current element"];
        "append-text" => AppendText,
            "Appends the characters of the token to the current node; if its last child is a text node, they \
                become part of it. With `elements html`, inserts them at the appropriate place.",
            [
                "append a character to the current element",
                "create a text node whose character data is the value of the token",
            ];
        "insert-element <declared-field>" => InsertElementOfField(declared_field: FieldId),
            "Creates an element for the token, which is of a declared kind: the text of the field is its \
                name, and it has no attributes. It is inserted and pushed like an element for a tag.";
        "append-text <declared-field>" => AppendField(declared_field: FieldId),
            "Appends the text of the field to the current node; with `elements html`, inserts it at the \
                appropriate place.";
        "append-text-node <declared-field>" => AppendTextNode(declared_field: FieldId),
            "Appends a text node with the text of the field to the current node. A preceding text node \
                remains separate.";
        "append-comment" one |_| TreeAction::AppendComment(Parent::Current),
            "Appends a comment node with the token's data to the current node.",
            [
                "append a comment node to the current element with the data attribute set to the data given in the \
                    token",
            ];
        "append-comment to document" one |_| TreeAction::AppendComment(Parent::Document),
            "Appends a comment node with the token's data to the document.",
            [
                "append a comment node to the document node with the data attribute set to the data given in the \
                    token",
            ];
        "append-processing-instruction" one |_| TreeAction::AppendProcessingInstruction(Parent::Current),
            "Appends a processing instruction node with the token's target and data to the current node.",
            ["append a processing instruction node to the current element"];
        "append-processing-instruction to document" one |_| TreeAction::AppendProcessingInstruction(Parent::Document),
            "Appends a processing instruction node with the token's target and data to the document.",
            ["append a processing instruction node to the document node"];
        "append-doctype" => AppendDoctype,
            "Appends a DOCTYPE node with the token's name and identifiers to the document.",
            ["append a doctype node to the document node"];
        "pop" => Pop,
            "Pops the current node off the stack of open elements.",
            ["pop an element from the stack of open elements"];
        "pop-until-token-name" => PopUntilTokenName,
            "Pops elements off the stack until one with the token's name has been popped.",
            [
                "pop nodes from the stack of open elements until the first such element has been popped from the \
                    stack",
            ];
        "trim-text <class>" => TrimText(class: CharacterSet),
            "Removes characters of the class from the start of the document's first text, if no element \
                precedes it, and from the end of its last text, if no element follows it. A text that becomes empty is \
                removed. Only texts that are children of the document count.",
            ["leading and trailing white space is removed"];
        "wrap-unless-single-element <string>" => WrapUnlessSingleElement(string: String),
            "Unless the document has exactly one child, which is an element, moves all its children into a \
                new element of this name.",
            ["ensuring that the sequence corresponds to a single element"];
        "call-host <word>" => CallHost(word: String),
            "Notifies the host, with this word, of the element that the row popped last, or else of the \
                current node.",
            ["execute the script given by the element's contents"];
        "<steps>" => RunSteps(steps: StepsId),
            "Runs the steps of this name.";
    }
    list "html-tree-actions" {
        "switch original-mode" => SwitchOriginal,
            "Switches to the original insertion mode, which `set-original-mode` has stored.",
            ["switch the insertion mode to the original insertion mode"];
        "switch template-mode" => SwitchTemplateMode,
            "Switches to the current template insertion mode, which was pushed last.",
            ["switch the insertion mode to the current template insertion mode"];
        "set-original-mode" => SetOriginalMode,
            "Stores the current mode as the original insertion mode.",
            ["let the original insertion mode be the current insertion mode"];
        "using insertion-mode" => UsingInsertionMode,
            "Processes the token by the rules of the current mode, regardless of `tree dispatch`.",
            [
                "process the token according to the rules given in the section corresponding to the current \
                    insertion mode in HTML content",
            ];
        "push-template-mode <mode>" => PushTemplateMode(mode: ModeId),
            "Pushes the mode onto the stack of template insertion modes.",
            [
                "push {mode} onto the stack of template insertion modes so that it is the new current template \
                    insertion mode",
            ];
        "pop-template-mode" => PopTemplateMode,
            "Pops the current template insertion mode off its stack.",
            ["pop the current template insertion mode off the stack of template insertion modes"];
        "reset-insertion-mode" => ResetInsertionMode,
            "Runs the steps of `reset` for the open elements, from the current node upward.",
            ["reset the insertion mode appropriately"];
        "insert-element <string>" => InsertNamed(string: String),
            "Inserts and pushes an element of this name in the table's own namespace, without attributes. The \
                element is implied.",
            ["insert an html element for a {string} start tag token with no attributes"];
        "insert-foreign-element <inserted-namespace>" => InsertForeign(inserted_namespace: InsertedNamespace),
            "Creates an element for the token in the namespace `svg`, `math`, or that of the adjusted current \
                node (`adjusted-current`), inserts it at the appropriate place, and pushes it.",
            ["insert a foreign element for the token, in the {inserted-namespace}"];
        "insert-character" one |_| TreeAction::InsertCharacter(None),
            "Inserts the token's character at the appropriate place: it becomes part of a text node directly \
                before that place. In a document it is dropped.",
            ["insert the token's character", "insert the character"];
        "insert-character <character>" one |slots| TreeAction::InsertCharacter(Some(slots.character())),
            "Inserts this character instead of the token's.",
            ["insert a {character} character"];
        "insert-comment" one |_| TreeAction::InsertComment(Insertion::Appropriate),
            "Inserts a comment node for the token at the appropriate place.",
            ["insert a comment"];
        "insert-comment to document" one |_| TreeAction::InsertComment(Insertion::Document),
            "Appends a comment node for the token to the document.",
            ["insert a comment as the last child of the Document object"];
        "insert-comment to root" one |_| TreeAction::InsertComment(Insertion::Root),
            "Appends a comment node for the token to the first element of the stack.",
            [
                "insert a comment as the last child of the first element in the stack of open elements (the html \
                    element)",
            ];
        "insert-processing-instruction" one |_| TreeAction::InsertProcessingInstruction(Insertion::Appropriate),
            "Inserts a processing instruction node for the token at the appropriate place.",
            ["insert a processing instruction"];
        "insert-processing-instruction to document" one
            |_| TreeAction::InsertProcessingInstruction(Insertion::Document),
            "Appends a processing instruction node for the token to the document.",
            ["insert a processing instruction given (the document object, null)"];
        "insert-processing-instruction to root" one |_| TreeAction::InsertProcessingInstruction(Insertion::Root),
            "Appends a processing instruction node for the token to the first element of the stack.",
            [
                "insert a processing instruction given (the first element in the stack of open elements (the html \
                    element), null)",
            ];
        "adjust-tag-name <adjustments>" => AdjustTagName(adjustments: AdjustmentsId),
            "Replaces the token's tag name according to the table's list, if the list contains it.",
            ["change the tag name to the name given in the corresponding cell in the second column"];
        "adjust-attributes <adjustments>" => AdjustAttributes(adjustments: AdjustmentsId),
            "Replaces the names of the token's attributes according to the table's list.",
            [
                "adjust SVG attributes for the token",
                "adjust MathML attributes for the token",
                "adjust foreign attributes for the token",
            ];
        "rename <string>" => Rename(string: String),
            "Sets the token's tag name.",
            ["change the token's tag name to {string}"];
        "acknowledge-self-closing" => AcknowledgeSelfClosing,
            "Acknowledges the token's self-closing flag, if it is set.",
            ["acknowledge the token's self-closing flag, if it is set"];
        "pop-until <names>" => PopUntil(names: Vec<ElementName>),
            "Pops elements off the stack until one with one of these names has been popped.",
            [
                "pop elements from the stack of open elements until a {names} element has been popped from the stack",
            ];
        "generate-end-tags <names>" one |slots| TreeAction::GenerateEndTags(slots.names(), Except::Nothing),
            "Pops the current node as long as it has one of these names.",
            ["generate implied end tags", "generate all implied end tags thoroughly"];
        "generate-end-tags <names> except <names>" one
            |slots| TreeAction::GenerateEndTags(slots.names(), Except::Names(slots.names())),
            "Pops the current node as long as it has one of the first names and none of the second.",
            ["generate implied end tags, except for {names} elements"];
        "generate-end-tags <names> except token-name" one
            |slots| TreeAction::GenerateEndTags(slots.names(), Except::TokenName),
            "Pops the current node as long as it has one of these names, but not that of the token.",
            ["generate implied end tags, except for HTML elements with the same tag name as the token"];
        "clear-back-to <names>" => ClearBackTo(names: Vec<ElementName>),
            "Pops the current node as long as it has none of these names.",
            [
                "clear the stack back to a table context",
                "clear the stack back to a table body context",
                "clear the stack back to a table row context",
            ];
        "leave-foreign-content <names>" => LeaveForeignContent(names: Vec<ElementName>),
            "Pops the current node as long as it is not in the table's own namespace, is not an integration \
                point, and has none of these names.",
            [
                "while the current node is not a mathml text integration point, an html integration point, or an \
                    element in the html namespace, pop elements from the stack of open elements",
            ];
        "pop-until-foreign-token-name" => PopUntilForeignTokenName,
            "Pops elements until the one that `foreign-open token-name` finds has been popped.",
            ["pop elements from the stack of open elements until node has been popped from the stack"];
        "detach-second" => DetachSecond,
            "Removes the second element of the stack from its parent, if it has one.",
            ["remove the second element on the stack of open elements from its parent node, if it has one"];
        "merge-attributes <stack-place>" => MergeAttributes(stack_place: StackPlace),
            "Adds the token's attributes to the first (`root`) or `second` element of the stack, except those \
                whose names it already has.",
            [
                "for each attribute on the token, check to see if the attribute is already present on the top \
                    element of the stack of open elements; if it is not, add the attribute and its corresponding \
                    value to that element",
            ];
        "enable foster-parenting" one |_| TreeAction::FosterParenting(true),
            "Enables foster parenting.",
            ["enable foster parenting"];
        "disable foster-parenting" one |_| TreeAction::FosterParenting(false),
            "Disables foster parenting.",
            ["disable foster parenting"];
        "reconstruct-formatting" => ReconstructFormatting,
            "Reconstructs the active formatting elements.",
            ["reconstruct the active formatting elements, if any"];
        "push-formatting" => PushFormatting,
            "Pushes the current node onto the list of active formatting elements, of which at most three \
                equal ones may follow the last marker.",
            ["push onto the list of active formatting elements that element"];
        "insert-marker" => InsertMarker,
            "Inserts a marker at the end of the list of active formatting elements.",
            ["insert a marker at the end of the list of active formatting elements"];
        "clear-formatting" => ClearFormatting,
            "Clears the list of active formatting elements up to the last marker.",
            ["clear the list of active formatting elements up to the last marker"];
        "adoption-agency <scope> <names> <error> <steps>" one |slots| TreeAction::AdoptionAgency(AdoptionAgency {
            scope: slots.scope(),
            special: slots.names(),
            error: slots.error(),
            otherwise: slots.steps(),
        }),
            "Runs the adoption agency algorithm for the token. The arguments are the scope in which the \
                formatting element must be, the category of furthest blocks, the code of its errors, and the steps to \
                run without a formatting element.",
            ["run the adoption agency algorithm for the token"];
        "point <pointer>" => Point(pointer: PointerId),
            "Points the pointer to the current node.",
            ["set the {pointer} element pointer to point to the element created"];
        "point <pointer> to-formatting <names>" => PointToFormatting(pointer: PointerId, names: Vec<ElementName>),
            "Points the pointer to the last element with one of these names after the last marker of the list \
                of active formatting elements.",
            ["that element"];
        "point <pointer> to-context" => PointToContext(pointer: PointerId),
            "Points the pointer to the context element; a row of a fragment with this action also matches an \
                ancestor of it.",
            ["set the parser's {pointer} element pointer to the nearest node to context"];
        "unset <pointer>" => Unset(pointer: PointerId),
            "Unsets the pointer.",
            ["set the {pointer} element pointer to null"];
        "push-pointed <pointer>" => PushPointed(pointer: PointerId),
            "Pushes the element that the pointer points to onto the stack of open elements.",
            ["push the node pointed to by the {pointer} element pointer onto the stack of open elements"];
        "remove-pointed <pointer>" => RemovePointed(pointer: PointerId),
            "Removes the element that the pointer points to from the stack of open elements and from the list \
                of active formatting elements, if it is there.",
            [
                "remove the node pointed to by the {pointer} element pointer from the stack of open elements",
                "remove node from the stack of open elements",
            ];
        "set <tree-flag> <value>" => SetFlag(tree_flag: TreeFlagId, value: u8),
            "Sets the flag of tree construction to this value.",
            ["set the {tree-flag} flag to {value}"];
        "set document-mode <document-mode>" => SetDocumentMode(document_mode: DocumentMode),
            "Sets the mode of the document: `no-quirks`, `limited-quirks` or `quirks`.",
            ["set the document to {document-mode} mode"];
        "tokenizer <tokenizer-word>" => Tokenizer(tokenizer_word: FeedbackId),
            "Sends this command to the tokenizer. The machine declares its effect.",
            ["switch the tokenizer to the {tokenizer-word} state"];
        "ignore-next-line-feed" => IgnoreNextLineFeed,
            "Ignores the next token if it is a line feed character.",
            [
                "if the next token is a U+000A LINE FEED (LF) character token, then ignore that token and move on to \
                    the next one",
            ];
        "clear-pending" => ClearPending,
            "Empties the list of pending table character tokens.",
            ["let the pending table character tokens be an empty list of tokens"];
        "append-to-pending" => AppendToPending,
            "Adds the token's character to the pending table character tokens.",
            ["append the character token to the pending table character tokens list"];
        "insert-pending" => InsertPending,
            "Inserts the pending table character tokens, each as `insert-character` does.",
            ["insert the characters given by the pending table character tokens list"];
        "process-pending <mode>" => ProcessPending(mode: ModeId),
            "Processes each of the pending table character tokens by the `else` row of the mode.",
            [
                "reprocess the character tokens in the pending table character tokens list using the rules given in \
                    the \"anything else\" entry in the {mode} insertion mode",
            ];
        "mark-end-tag" => MarkEndTag,
            "Marks the topmost open element of the table's own namespace with the token's name as ended by \
                the token, as far as positions are concerned; it stays open.";
        "attach-shadow-root <string> <names> <names>" one |slots| TreeAction::AttachShadowRoot {
            mode: slots.string(),
            hosts: slots.names(),
            reserved: slots.names(),
        },
            "Creates a template element for the token and pushes it without inserting it; its contents become \
                a new shadow root of the adjusted current node, whose mode is the token's attribute of the first name. \
                If that node already has a shadow root or cannot have one (it must have one of the first names, or a \
                valid custom element name that is none of the second names), inserts the template at the appropriate \
                place instead.",
            ["attach a shadow root"];
        "patch-content <string> <string> <string> <string> <string> <string>" one
        |slots| TreeAction::PatchContent(Patching {
            attribute: slots.string(),
            name: slots.string(),
            marker: slots.string(),
            start: slots.string(),
            end: slots.string(),
            body: slots.string(),
        }),
            "Creates a template element for the token and pushes it. Its contents are inserted at the place \
                that the token's attribute names; if there is none, the template is inserted instead. The strings are \
                the attribute, the pseudo-attribute of the processing instructions that mark places, their targets for \
                a place, its start and its end, and the element whose parent is searched instead of it.",
            ["prepare content patching"];
        "finish-patching <names>" => FinishPatching(names: Vec<ElementName>),
            "Removes the instructions that mark the place of the topmost of these elements, which then no \
                longer patches.",
            ["set template's insertion target to null"];
    }
}
