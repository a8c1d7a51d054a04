//! The actions of tree construction.

use crate::model::tree::{AdoptionAgency, Except, Insertion, Parent, Patching, TreeAction};
use crate::vocabulary::forms;

forms! {
    /// All actions that a row of a mode can contain.
    TREE_ACTIONS: "action" of TreeAction, TreeActions;
    list "tree-actions" {
        "switch <mode>" {
            is: TreeAction::Switch(_),
            make: |slots| TreeAction::Switch(slots.mode()),
            meaning: "Switches to the mode, for the next token.",
            wordings: ["switch to the {mode}", "then switch to the {mode}"],
        }
        "reprocess" {
            just: TreeAction::Reprocess,
            meaning: "Processes the token again, in the mode that was switched to.",
            wordings: ["reprocess the token", "reprocess the current token"],
        }
        "reprocess <mode>" {
            short_for: |slots| vec![TreeAction::Switch(slots.mode()), TreeAction::Reprocess],
            meaning: "Switches to the mode, and processes the token again in it.",
            wordings: ["reprocess the token in the {mode}"],
        }
        "using <mode>" {
            is: TreeAction::Using(_),
            make: |slots| TreeAction::Using(slots.mode()),
            meaning: "Processes the token by the rules of the mode, without switching to it.",
            wordings: ["process the token using the rules for the {mode} insertion mode"],
        }
        "ignore" {
            just: TreeAction::Ignore,
            meaning: "Ignores the token.",
            wordings: ["ignore the token", "skip this token", "skip the token"],
        }
        "as else" {
            just: TreeAction::AsElse,
            meaning: "Runs the steps of the `else` row.",
            wordings: ["act as described in the \"anything else\" entry below"],
        }
        "stop" {
            just: TreeAction::Stop,
            meaning: "Ends tree construction.",
            wordings: ["stop parsing"],
        }
        "error <error>" {
            is: TreeAction::Error(_),
            make: |slots| TreeAction::Error(slots.error()),
            meaning: "Reports a parse error with this code, at the token.",
            wordings: ["parse error"],
        }
        "insert-element" {
            just: TreeAction::InsertElement,
            meaning: "Creates an element for the token, appends it to the current node (to the document if no element \
                is open), and pushes it onto the stack of open elements, so that it becomes the current node.",
            wordings: ["insert an element for the token"],
        }
        "append-element" {
            just: TreeAction::AppendElement,
            meaning: "Creates an element for the token and appends it to the current node without pushing it. In HTML, \
                inserts it and pops it immediately.",
            wordings: ["create an element for the token and append it to the current element"],
        }
        "append-text" {
            just: TreeAction::AppendText,
            meaning: "Appends the characters of the token to the current node; if its last child is a text node, they \
                become part of it. A token without characters appends nothing.",
            wordings: [
                "append a character to the current element",
                "create a text node whose character data is the value of the token",
            ],
        }
        "insert-element <declared-field>" {
            is: TreeAction::InsertElementOfField(_),
            make: |slots| TreeAction::InsertElementOfField(slots.declared_field()),
            meaning: "Creates an element for the token, which is of a declared kind: the text of the field is its \
                name, and it has no attributes. It is inserted and pushed like an element for a tag.",
        }
        "append-text <declared-field>" {
            is: TreeAction::AppendField(_),
            make: |slots| TreeAction::AppendField(slots.declared_field()),
            meaning: "Appends the text of the field to the current node; with `elements html`, inserts it at the \
                appropriate place.",
        }
        "append-text-node <declared-field>" {
            is: TreeAction::AppendTextNode(_),
            make: |slots| TreeAction::AppendTextNode(slots.declared_field()),
            meaning: "Appends a text node with the text of the field to the current node. A preceding text node \
                remains separate.",
        }
        "append-comment" {
            is: TreeAction::AppendComment(Parent::Current),
            make: |_| TreeAction::AppendComment(Parent::Current),
            meaning: "Appends a comment node with the token's data to the current node.",
            wordings: [
                "append a comment node to the current element with the data attribute set to the data given in the \
                    token",
            ],
        }
        "append-comment to document" {
            is: TreeAction::AppendComment(Parent::Document),
            make: |_| TreeAction::AppendComment(Parent::Document),
            meaning: "Appends a comment node with the token's data to the document.",
            wordings: [
                "append a comment node to the document node with the data attribute set to the data given in the \
                    token",
            ],
        }
        "append-processing-instruction" {
            is: TreeAction::AppendProcessingInstruction(Parent::Current),
            make: |_| TreeAction::AppendProcessingInstruction(Parent::Current),
            meaning: "Appends a processing instruction node with the token's target and data to the current node.",
            wordings: ["append a processing instruction node to the current element"],
        }
        "append-processing-instruction to document" {
            is: TreeAction::AppendProcessingInstruction(Parent::Document),
            make: |_| TreeAction::AppendProcessingInstruction(Parent::Document),
            meaning: "Appends a processing instruction node with the token's target and data to the document.",
            wordings: ["append a processing instruction node to the document node"],
        }
        "append-doctype" {
            just: TreeAction::AppendDoctype,
            meaning: "Appends a DOCTYPE node with the token's name and identifiers to the document.",
            wordings: ["append a doctype node to the document node"],
        }
        "pop" {
            just: TreeAction::Pop,
            meaning: "Pops the current node off the stack of open elements.",
            wordings: ["pop an element from the stack of open elements"],
        }
        "pop-until-token-name" {
            just: TreeAction::PopUntilTokenName,
            meaning: "Pops elements off the stack until one with the token's name has been popped.",
            wordings: [
                "pop nodes from the stack of open elements until the first such element has been popped from the \
                    stack",
            ],
        }
        "trim-text <class>" {
            is: TreeAction::TrimText(_),
            make: |slots| TreeAction::TrimText(slots.class()),
            meaning: "Removes characters of the class from the start of the document's first text, if no element \
                precedes it, and from the end of its last text, if no element follows it. A text that becomes empty is \
                removed. Only texts that are children of the document count.",
            wordings: ["leading and trailing white space is removed"],
        }
        "wrap-unless-single-element <string>" {
            is: TreeAction::WrapUnlessSingleElement(_),
            make: |slots| TreeAction::WrapUnlessSingleElement(slots.string()),
            meaning: "Unless the document has exactly one child, which is an element, moves all its children into a \
                new element of this name.",
            wordings: ["ensuring that the sequence corresponds to a single element"],
        }
        "call-host <word>" {
            is: TreeAction::CallHost(_),
            make: |slots| TreeAction::CallHost(slots.word()),
            meaning: "Notifies the host, with this word, of the element that the row popped last, or else of the \
                current node.",
            wordings: ["execute the script given by the element's contents"],
        }
        "<steps>" {
            is: TreeAction::RunSteps(_),
            make: |slots| TreeAction::RunSteps(slots.steps()),
            meaning: "Runs the steps of this name.",
        }
    }
    list "html-tree-actions" {
        "switch original-mode" {
            just: TreeAction::SwitchOriginal,
            meaning: "Switches to the original insertion mode, which `set-original-mode` has stored.",
            wordings: ["switch the insertion mode to the original insertion mode"],
        }
        "switch template-mode" {
            just: TreeAction::SwitchTemplateMode,
            meaning: "Switches to the current template insertion mode, which was pushed last.",
            wordings: ["switch the insertion mode to the current template insertion mode"],
        }
        "set-original-mode" {
            just: TreeAction::SetOriginalMode,
            meaning: "Stores the current mode as the original insertion mode.",
            wordings: ["let the original insertion mode be the current insertion mode"],
        }
        "using insertion-mode" {
            just: TreeAction::UsingInsertionMode,
            meaning: "Processes the token by the rules of the current mode, regardless of `tree dispatch`.",
            wordings: [
                "process the token according to the rules given in the section corresponding to the current \
                    insertion mode in HTML content",
            ],
        }
        "push-template-mode <mode>" {
            is: TreeAction::PushTemplateMode(_),
            make: |slots| TreeAction::PushTemplateMode(slots.mode()),
            meaning: "Pushes the mode onto the stack of template insertion modes.",
            wordings: [
                "push {mode} onto the stack of template insertion modes so that it is the new current template \
                    insertion mode",
            ],
        }
        "pop-template-mode" {
            just: TreeAction::PopTemplateMode,
            meaning: "Pops the current template insertion mode off its stack.",
            wordings: ["pop the current template insertion mode off the stack of template insertion modes"],
        }
        "reset-insertion-mode" {
            just: TreeAction::ResetInsertionMode,
            meaning: "Runs the steps of `reset` for the open elements, from the current node upward.",
            wordings: ["reset the insertion mode appropriately"],
        }
        "insert-element <string>" {
            is: TreeAction::InsertNamed(_),
            make: |slots| TreeAction::InsertNamed(slots.string()),
            meaning: "Inserts and pushes an element of this name in the table's own namespace, without attributes. The \
                element is implied.",
            wordings: ["insert an html element for a {string} start tag token with no attributes"],
        }
        "insert-foreign-element <inserted-namespace>" {
            is: TreeAction::InsertForeign(_),
            make: |slots| TreeAction::InsertForeign(slots.inserted_namespace()),
            meaning: "Creates an element for the token in the namespace `svg`, `math`, or that of the adjusted current \
                node (`adjusted-current`), inserts it at the appropriate place, and pushes it.",
            wordings: ["insert a foreign element for the token, in the {inserted-namespace}"],
        }
        "insert-character" {
            is: TreeAction::InsertCharacter(None),
            make: |_| TreeAction::InsertCharacter(None),
            meaning: "Inserts the token's character at the appropriate place: it becomes part of a text node directly \
                before that place. In a document it is dropped.",
            wordings: ["insert the token's character", "insert the character"],
        }
        "insert-character <character>" {
            is: TreeAction::InsertCharacter(Some(_)),
            make: |slots| TreeAction::InsertCharacter(Some(slots.character())),
            meaning: "Inserts this character instead of the token's.",
            wordings: ["insert a {character} character"],
        }
        "insert-comment" {
            is: TreeAction::InsertComment(Insertion::Appropriate),
            make: |_| TreeAction::InsertComment(Insertion::Appropriate),
            meaning: "Inserts a comment node for the token at the appropriate place.",
            wordings: ["insert a comment"],
        }
        "insert-comment to document" {
            is: TreeAction::InsertComment(Insertion::Document),
            make: |_| TreeAction::InsertComment(Insertion::Document),
            meaning: "Appends a comment node for the token to the document.",
            wordings: ["insert a comment as the last child of the Document object"],
        }
        "insert-comment to root" {
            is: TreeAction::InsertComment(Insertion::Root),
            make: |_| TreeAction::InsertComment(Insertion::Root),
            meaning: "Appends a comment node for the token to the first element of the stack.",
            wordings: [
                "insert a comment as the last child of the first element in the stack of open elements (the html \
                    element)",
            ],
        }
        "insert-processing-instruction" {
            is: TreeAction::InsertProcessingInstruction(Insertion::Appropriate),
            make: |_| TreeAction::InsertProcessingInstruction(Insertion::Appropriate),
            meaning: "Inserts a processing instruction node for the token at the appropriate place.",
            wordings: ["insert a processing instruction"],
        }
        "insert-processing-instruction to document" {
            is: TreeAction::InsertProcessingInstruction(Insertion::Document),
            make: |_| TreeAction::InsertProcessingInstruction(Insertion::Document),
            meaning: "Appends a processing instruction node for the token to the document.",
            wordings: ["insert a processing instruction given (the document object, null)"],
        }
        "insert-processing-instruction to root" {
            is: TreeAction::InsertProcessingInstruction(Insertion::Root),
            make: |_| TreeAction::InsertProcessingInstruction(Insertion::Root),
            meaning: "Appends a processing instruction node for the token to the first element of the stack.",
            wordings: [
                "insert a processing instruction given (the first element in the stack of open elements (the html \
                    element), null)",
            ],
        }
        "adjust-tag-name <adjustments>" {
            is: TreeAction::AdjustTagName(_),
            make: |slots| TreeAction::AdjustTagName(slots.adjustments()),
            meaning: "Replaces the token's tag name according to the table's list, if the list contains it.",
            wordings: ["change the tag name to the name given in the corresponding cell in the second column"],
        }
        "adjust-attributes <adjustments>" {
            is: TreeAction::AdjustAttributes(_),
            make: |slots| TreeAction::AdjustAttributes(slots.adjustments()),
            meaning: "Replaces the names of the token's attributes according to the table's list.",
            wordings: [
                "adjust SVG attributes for the token",
                "adjust MathML attributes for the token",
                "adjust foreign attributes for the token",
            ],
        }
        "rename <string>" {
            is: TreeAction::Rename(_),
            make: |slots| TreeAction::Rename(slots.string()),
            meaning: "Sets the token's tag name.",
            wordings: ["change the token's tag name to {string}"],
        }
        "acknowledge-self-closing" {
            just: TreeAction::AcknowledgeSelfClosing,
            meaning: "Acknowledges the token's self-closing flag, if it is set.",
            wordings: ["acknowledge the token's self-closing flag, if it is set"],
        }
        "pop-until <names>" {
            is: TreeAction::PopUntil(_),
            make: |slots| TreeAction::PopUntil(slots.names()),
            meaning: "Pops elements off the stack until one with one of these names has been popped.",
            wordings: [
                "pop elements from the stack of open elements until a {names} element has been popped from the stack",
            ],
        }
        "generate-end-tags <names>" {
            is: TreeAction::GenerateEndTags(_, Except::Nothing),
            make: |slots| TreeAction::GenerateEndTags(slots.names(), Except::Nothing),
            meaning: "Pops the current node as long as it has one of these names.",
            wordings: ["generate implied end tags", "generate all implied end tags thoroughly"],
        }
        "generate-end-tags <names> except <names>" {
            is: TreeAction::GenerateEndTags(_, Except::Names(_)),
            make: |slots| TreeAction::GenerateEndTags(slots.names(), Except::Names(slots.names())),
            meaning: "Pops the current node as long as it has one of the first names and none of the second.",
            wordings: ["generate implied end tags, except for {names} elements"],
        }
        "generate-end-tags <names> except token-name" {
            is: TreeAction::GenerateEndTags(_, Except::TokenName),
            make: |slots| TreeAction::GenerateEndTags(slots.names(), Except::TokenName),
            meaning: "Pops the current node as long as it has one of these names, but not that of the token.",
            wordings: ["generate implied end tags, except for HTML elements with the same tag name as the token"],
        }
        "clear-back-to <names>" {
            is: TreeAction::ClearBackTo(_),
            make: |slots| TreeAction::ClearBackTo(slots.names()),
            meaning: "Pops the current node as long as it has none of these names.",
            wordings: [
                "clear the stack back to a table context",
                "clear the stack back to a table body context",
                "clear the stack back to a table row context",
            ],
        }
        "leave-foreign-content <names>" {
            is: TreeAction::LeaveForeignContent(_),
            make: |slots| TreeAction::LeaveForeignContent(slots.names()),
            meaning: "Pops the current node as long as it is not in the table's own namespace, is not an integration \
                point, and has none of these names.",
            wordings: [
                "while the current node is not a mathml text integration point, an html integration point, or an \
                    element in the html namespace, pop elements from the stack of open elements",
            ],
        }
        "pop-until-foreign-token-name" {
            just: TreeAction::PopUntilForeignTokenName,
            meaning: "Pops elements until the one that `foreign-open token-name` finds has been popped.",
            wordings: ["pop elements from the stack of open elements until node has been popped from the stack"],
        }
        "detach-second" {
            just: TreeAction::DetachSecond,
            meaning: "Removes the second element of the stack from its parent, if it has one.",
            wordings: ["remove the second element on the stack of open elements from its parent node, if it has one"],
        }
        "merge-attributes <stack-place>" {
            is: TreeAction::MergeAttributes(_),
            make: |slots| TreeAction::MergeAttributes(slots.stack_place()),
            meaning: "Adds the token's attributes to the first (`root`) or `second` element of the stack, except those \
                whose names it already has.",
            wordings: [
                "for each attribute on the token, check to see if the attribute is already present on the top \
                    element of the stack of open elements; if it is not, add the attribute and its corresponding \
                    value to that element",
            ],
        }
        "enable foster-parenting" {
            is: TreeAction::FosterParenting(true),
            make: |_| TreeAction::FosterParenting(true),
            meaning: "Enables foster parenting.",
            wordings: ["enable foster parenting"],
        }
        "disable foster-parenting" {
            is: TreeAction::FosterParenting(false),
            make: |_| TreeAction::FosterParenting(false),
            meaning: "Disables foster parenting.",
            wordings: ["disable foster parenting"],
        }
        "reconstruct-formatting" {
            just: TreeAction::ReconstructFormatting,
            meaning: "Reconstructs the active formatting elements.",
            wordings: ["reconstruct the active formatting elements, if any"],
        }
        "push-formatting" {
            just: TreeAction::PushFormatting,
            meaning: "Pushes the current node onto the list of active formatting elements, of which at most three \
                equal ones may follow the last marker.",
            wordings: ["push onto the list of active formatting elements that element"],
        }
        "insert-marker" {
            just: TreeAction::InsertMarker,
            meaning: "Inserts a marker at the end of the list of active formatting elements.",
            wordings: ["insert a marker at the end of the list of active formatting elements"],
        }
        "clear-formatting" {
            just: TreeAction::ClearFormatting,
            meaning: "Clears the list of active formatting elements up to the last marker.",
            wordings: ["clear the list of active formatting elements up to the last marker"],
        }
        "adoption-agency <scope> <names> <error> <steps>" {
            is: TreeAction::AdoptionAgency(_),
            make: |slots| TreeAction::AdoptionAgency(AdoptionAgency {
                    scope: slots.scope(),
                    special: slots.names(),
                    error: slots.error(),
                    otherwise: slots.steps(),
                }),
            meaning: "Runs the adoption agency algorithm for the token. The arguments are the scope in which the \
                formatting element must be, the category of furthest blocks, the code of its errors, and the steps to \
                run without a formatting element.",
            wordings: ["run the adoption agency algorithm for the token"],
        }
        "point <pointer>" {
            is: TreeAction::Point(_),
            make: |slots| TreeAction::Point(slots.pointer()),
            meaning: "Points the pointer to the current node.",
            wordings: ["set the {pointer} element pointer to point to the element created"],
        }
        "point <pointer> to-formatting <names>" {
            is: TreeAction::PointToFormatting(..),
            make: |slots| TreeAction::PointToFormatting(slots.pointer(), slots.names()),
            meaning: "Points the pointer to the last element with one of these names after the last marker of the list \
                of active formatting elements.",
            wordings: ["that element"],
        }
        "point <pointer> to-context" {
            is: TreeAction::PointToContext(_),
            make: |slots| TreeAction::PointToContext(slots.pointer()),
            meaning: "Points the pointer to the context element; a row of a fragment with this action also matches an \
                ancestor of it.",
            wordings: ["set the parser's {pointer} element pointer to the nearest node to context"],
        }
        "unset <pointer>" {
            is: TreeAction::Unset(_),
            make: |slots| TreeAction::Unset(slots.pointer()),
            meaning: "Unsets the pointer.",
            wordings: ["set the {pointer} element pointer to null"],
        }
        "push-pointed <pointer>" {
            is: TreeAction::PushPointed(_),
            make: |slots| TreeAction::PushPointed(slots.pointer()),
            meaning: "Pushes the element that the pointer points to onto the stack of open elements.",
            wordings: ["push the node pointed to by the {pointer} element pointer onto the stack of open elements"],
        }
        "remove-pointed <pointer>" {
            is: TreeAction::RemovePointed(_),
            make: |slots| TreeAction::RemovePointed(slots.pointer()),
            meaning: "Removes the element that the pointer points to from the stack of open elements and from the list \
                of active formatting elements, if it is there.",
            wordings: [
                "remove the node pointed to by the {pointer} element pointer from the stack of open elements",
                "remove node from the stack of open elements",
            ],
        }
        "set <tree-flag> <value>" {
            is: TreeAction::SetFlag(..),
            make: |slots| TreeAction::SetFlag(slots.tree_flag(), slots.value()),
            meaning: "Sets the flag of tree construction to this value.",
            wordings: ["set the {tree-flag} flag to {value}"],
        }
        "set document-mode <document-mode>" {
            is: TreeAction::SetDocumentMode(_),
            make: |slots| TreeAction::SetDocumentMode(slots.document_mode()),
            meaning: "Sets the mode of the document: `no-quirks`, `limited-quirks` or `quirks`.",
            wordings: ["set the document to {document-mode} mode"],
        }
        "tokenizer <tokenizer-word>" {
            is: TreeAction::Tokenizer(_),
            make: |slots| TreeAction::Tokenizer(slots.tokenizer_word()),
            meaning: "Sends this command to the tokenizer. The machine declares its effect.",
            wordings: ["switch the tokenizer to the {tokenizer-word} state"],
        }
        "ignore-next-line-feed" {
            just: TreeAction::IgnoreNextLineFeed,
            meaning: "Ignores the next token if it is a line feed character.",
            wordings: [
                "if the next token is a U+000A LINE FEED (LF) character token, then ignore that token and move on to \
                    the next one",
            ],
        }
        "clear-pending" {
            just: TreeAction::ClearPending,
            meaning: "Empties the list of pending table character tokens.",
            wordings: ["let the pending table character tokens be an empty list of tokens"],
        }
        "append-to-pending" {
            just: TreeAction::AppendToPending,
            meaning: "Adds the token's character to the pending table character tokens.",
            wordings: ["append the character token to the pending table character tokens list"],
        }
        "insert-pending" {
            just: TreeAction::InsertPending,
            meaning: "Inserts the pending table character tokens, each as `insert-character` does.",
            wordings: ["insert the characters given by the pending table character tokens list"],
        }
        "process-pending <mode>" {
            is: TreeAction::ProcessPending(_),
            make: |slots| TreeAction::ProcessPending(slots.mode()),
            meaning: "Processes each of the pending table character tokens by the `else` row of the mode.",
            wordings: [
                "reprocess the character tokens in the pending table character tokens list using the rules given in \
                    the \"anything else\" entry in the {mode} insertion mode",
            ],
        }
        "mark-end-tag" {
            just: TreeAction::MarkEndTag,
            meaning: "Marks the topmost open element of the table's own namespace with the token's name as ended by \
                the token, as far as positions are concerned; it stays open.",
        }
        "attach-shadow-root <string> <names> <names>" {
            is: TreeAction::AttachShadowRoot { .. },
            make: |slots| TreeAction::AttachShadowRoot {
                    mode: slots.string(),
                    hosts: slots.names(),
                    reserved: slots.names(),
                },
            meaning: "Creates a template element for the token and pushes it without inserting it; its contents become \
                a new shadow root of the adjusted current node, whose mode is the token's attribute of the first name. \
                If that node already has a shadow root or cannot have one (it must have one of the first names, or a \
                valid custom element name that is none of the second names), inserts the template at the appropriate \
                place instead.",
            wordings: ["attach a shadow root"],
        }
        "patch-content <string> <string> <string> <string> <string> <string>" {
            is: TreeAction::PatchContent(_),
            make: |slots| TreeAction::PatchContent(Patching {
                    attribute: slots.string(),
                    name: slots.string(),
                    marker: slots.string(),
                    start: slots.string(),
                    end: slots.string(),
                    body: slots.string(),
                }),
            meaning: "Creates a template element for the token and pushes it. Its contents are inserted at the place \
                that the token's attribute names; if there is none, the template is inserted instead. The strings are \
                the attribute, the pseudo-attribute of the processing instructions that mark places, their targets for \
                a place, its start and its end, and the element whose parent is searched instead of it.",
            wordings: ["prepare content patching"],
        }
        "finish-patching <names>" {
            is: TreeAction::FinishPatching(_),
            make: |slots| TreeAction::FinishPatching(slots.names()),
            meaning: "Removes the instructions that mark the place of the topmost of these elements, which then no \
                longer patches.",
            wordings: ["set template's insertion target to null"],
        }
    }
}
