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
            meaning: "The mode is the one for the next token.",
            wordings: ["switch to the {mode}", "then switch to the {mode}"],
        }
        "reprocess" {
            just: TreeAction::Reprocess,
            meaning: "The token is processed again, in the mode that was switched to.",
            wordings: ["reprocess the token", "reprocess the current token"],
        }
        "reprocess <mode>" {
            short_for: |slots| vec![TreeAction::Switch(slots.mode()), TreeAction::Reprocess],
            meaning: "The mode is the next one, and the token is processed again in it.",
            wordings: ["reprocess the token in the {mode}"],
        }
        "using <mode>" {
            is: TreeAction::Using(_),
            make: |slots| TreeAction::Using(slots.mode()),
            meaning: "The token is processed by the rules of the mode, without a switch.",
            wordings: ["process the token using the rules for the {mode} insertion mode"],
        }
        "ignore" {
            just: TreeAction::Ignore,
            meaning: "Nothing is done with the token.",
            wordings: ["ignore the token", "skip this token", "skip the token"],
        }
        "as else" {
            just: TreeAction::AsElse,
            meaning: "The steps of the `else` row are taken.",
            wordings: ["act as described in the \"anything else\" entry below"],
        }
        "stop" {
            just: TreeAction::Stop,
            meaning: "Tree construction ends.",
            wordings: ["stop parsing"],
        }
        "error <error>" {
            is: TreeAction::Error(_),
            make: |slots| TreeAction::Error(slots.error()),
            meaning: "A parse error with this code, at the token.",
            wordings: ["parse error"],
        }
        "insert-element" {
            just: TreeAction::InsertElement,
            meaning: "An element is created for the token, appended to the current node (the document if no element \
                is open), and pushed onto the stack of open elements, so that it is the current node.",
            wordings: ["insert an element for the token"],
        }
        "append-element" {
            just: TreeAction::AppendElement,
            meaning: "An element is created for the token and appended to the current node, but not pushed. In HTML it is inserted, and popped at once.",
            wordings: ["create an element for the token and append it to the current element"],
        }
        "append-text" {
            just: TreeAction::AppendText,
            meaning: "The characters of the token are appended to the current node; a text node that is its last \
                child takes them up. A token that has none appends nothing.",
            wordings: [
                "append a character to the current element",
                "create a text node whose character data is the value of the token",
            ],
        }
        "insert-element <declared-field>" {
            is: TreeAction::InsertElementOfField(_),
            make: |slots| TreeAction::InsertElementOfField(slots.declared_field()),
            meaning: "An element is created for the token, of a kind that the table declares: the text of the field is \
                its name, and it has no attributes. It is inserted as one for a tag is, and pushed.",
            wordings: [],
        }
        "append-text <declared-field>" {
            is: TreeAction::AppendField(_),
            make: |slots| TreeAction::AppendField(slots.declared_field()),
            meaning: "The text of the field is appended to the current node, with `elements html` inserted at the \
                appropriate place.",
            wordings: [],
        }
        "append-text-node <declared-field>" {
            is: TreeAction::AppendTextNode(_),
            make: |slots| TreeAction::AppendTextNode(slots.declared_field()),
            meaning: "A text node with the text of the field is appended to the current node; one that stands before \
                it stays as it is.",
            wordings: [],
        }
        "append-comment" {
            is: TreeAction::AppendComment(Parent::Current),
            make: |_| TreeAction::AppendComment(Parent::Current),
            meaning: "A comment node with the token's data is appended to the current node.",
            wordings: [
                "append a comment node to the current element with the data attribute set to the data given in the \
                    token",
            ],
        }
        "append-comment to document" {
            is: TreeAction::AppendComment(Parent::Document),
            make: |_| TreeAction::AppendComment(Parent::Document),
            meaning: "A comment node with the token's data is appended to the document.",
            wordings: [
                "append a comment node to the document node with the data attribute set to the data given in the \
                    token",
            ],
        }
        "append-processing-instruction" {
            is: TreeAction::AppendProcessingInstruction(Parent::Current),
            make: |_| TreeAction::AppendProcessingInstruction(Parent::Current),
            meaning: "A processing instruction node with the token's target and data is appended to the current \
                node.",
            wordings: ["append a processing instruction node to the current element"],
        }
        "append-processing-instruction to document" {
            is: TreeAction::AppendProcessingInstruction(Parent::Document),
            make: |_| TreeAction::AppendProcessingInstruction(Parent::Document),
            meaning: "A processing instruction node with the token's target and data is appended to the document.",
            wordings: ["append a processing instruction node to the document node"],
        }
        "append-doctype" {
            just: TreeAction::AppendDoctype,
            meaning: "A DOCTYPE node with the token's name and identifiers is appended to the document.",
            wordings: ["append a doctype node to the document node"],
        }
        "pop" {
            just: TreeAction::Pop,
            meaning: "The current node is popped off the stack of open elements.",
            wordings: ["pop an element from the stack of open elements"],
        }
        "pop-until-token-name" {
            just: TreeAction::PopUntilTokenName,
            meaning: "Elements are popped off the stack until one with the token's name was popped.",
            wordings: [
                "pop nodes from the stack of open elements until the first such element has been popped from the \
                    stack",
            ],
        }
        "trim-text <class>" {
            is: TreeAction::TrimText(_),
            make: |slots| TreeAction::TrimText(slots.class()),
            meaning: "Characters of the class are removed from the beginning of the document's first text, if no \
                element comes before it, and from the end of its last text, if none comes after it; a text that \
                becomes empty is removed. Only texts that are children of the document count.",
            wordings: ["leading and trailing white space is removed"],
        }
        "wrap-unless-single-element <string>" {
            is: TreeAction::WrapUnlessSingleElement(_),
            make: |slots| TreeAction::WrapUnlessSingleElement(slots.string()),
            meaning: "Unless the document has exactly one child and that is an element, all its children become \
                those of a new element of this name.",
            wordings: ["ensuring that the sequence corresponds to a single element"],
        }
        "call-host <word>" {
            is: TreeAction::CallHost(_),
            make: |slots| TreeAction::CallHost(slots.word()),
            meaning: "The host is notified, with this word, of the element that the row has popped last, or else of the \
                current node.",
            wordings: ["execute the script given by the element's contents"],
        }
        "<steps>" {
            is: TreeAction::Take(_),
            make: |slots| TreeAction::Take(slots.steps()),
            meaning: "The steps of this name are taken.",
            wordings: [],
        }
    }
    list "html-tree-actions" {
        "switch original-mode" {
            just: TreeAction::SwitchOriginal,
            meaning: "The mode is the original insertion mode: the one that `set-original-mode` has kept.",
            wordings: ["switch the insertion mode to the original insertion mode"],
        }
        "switch template-mode" {
            just: TreeAction::SwitchTemplateMode,
            meaning: "The mode is the current template insertion mode: the one that was pushed last.",
            wordings: ["switch the insertion mode to the current template insertion mode"],
        }
        "set-original-mode" {
            just: TreeAction::SetOriginalMode,
            meaning: "The original insertion mode is the current mode.",
            wordings: ["let the original insertion mode be the current insertion mode"],
        }
        "using insertion-mode" {
            just: TreeAction::UsingInsertionMode,
            meaning: "The token is processed by the rules of the current mode, whatever it would be dispatched to.",
            wordings: [
                "process the token according to the rules given in the section corresponding to the current \
                    insertion mode in HTML content",
            ],
        }
        "push-template-mode <mode>" {
            is: TreeAction::PushTemplateMode(_),
            make: |slots| TreeAction::PushTemplateMode(slots.mode()),
            meaning: "The mode is pushed onto the stack of template insertion modes.",
            wordings: [
                "push {mode} onto the stack of template insertion modes so that it is the new current template \
                    insertion mode",
            ],
        }
        "pop-template-mode" {
            just: TreeAction::PopTemplateMode,
            meaning: "The current template insertion mode is popped off its stack.",
            wordings: ["pop the current template insertion mode off the stack of template insertion modes"],
        }
        "reset-insertion-mode" {
            just: TreeAction::ResetInsertionMode,
            meaning: "The steps of `reset` are taken for the open elements, from the current node upwards.",
            wordings: ["reset the insertion mode appropriately"],
        }
        "insert-element <string>" {
            is: TreeAction::InsertNamed(_),
            make: |slots| TreeAction::InsertNamed(slots.string()),
            meaning: "An element of this name in the table's own namespace, without attributes, is inserted and \
                pushed; it is implied.",
            wordings: ["insert an html element for a {string} start tag token with no attributes"],
        }
        "insert-foreign-element <inserted-namespace>" {
            is: TreeAction::InsertForeign(_),
            make: |slots| TreeAction::InsertForeign(slots.inserted_namespace()),
            meaning: "An element is created for the token in the namespace `svg`, `math`, or that of the adjusted \
                current node (`adjusted-current`), inserted at the appropriate place, and pushed.",
            wordings: ["insert a foreign element for the token, in the {inserted-namespace}"],
        }
        "insert-character" {
            is: TreeAction::InsertCharacter(None),
            make: |_| TreeAction::InsertCharacter(None),
            meaning: "The token's character is inserted at the appropriate place: a text node right before that \
                place takes it up; in a document it is dropped.",
            wordings: ["insert the token's character", "insert the character"],
        }
        "insert-character <character>" {
            is: TreeAction::InsertCharacter(Some(_)),
            make: |slots| TreeAction::InsertCharacter(Some(slots.character())),
            meaning: "This character is inserted instead of the token's.",
            wordings: ["insert a {character} character"],
        }
        "insert-comment" {
            is: TreeAction::InsertComment(Insertion::Appropriate),
            make: |_| TreeAction::InsertComment(Insertion::Appropriate),
            meaning: "A comment node for the token is inserted at the appropriate place.",
            wordings: ["insert a comment"],
        }
        "insert-comment to document" {
            is: TreeAction::InsertComment(Insertion::Document),
            make: |_| TreeAction::InsertComment(Insertion::Document),
            meaning: "A comment node for the token is appended to the document.",
            wordings: ["insert a comment as the last child of the Document object"],
        }
        "insert-comment to root" {
            is: TreeAction::InsertComment(Insertion::Root),
            make: |_| TreeAction::InsertComment(Insertion::Root),
            meaning: "A comment node for the token is appended to the first element of the stack.",
            wordings: [
                "insert a comment as the last child of the first element in the stack of open elements (the html \
                    element)",
            ],
        }
        "insert-processing-instruction" {
            is: TreeAction::InsertProcessingInstruction(Insertion::Appropriate),
            make: |_| TreeAction::InsertProcessingInstruction(Insertion::Appropriate),
            meaning: "A processing instruction node for the token is inserted at the appropriate place.",
            wordings: ["insert a processing instruction"],
        }
        "insert-processing-instruction to document" {
            is: TreeAction::InsertProcessingInstruction(Insertion::Document),
            make: |_| TreeAction::InsertProcessingInstruction(Insertion::Document),
            meaning: "A processing instruction node for the token is appended to the document.",
            wordings: ["insert a processing instruction given (the document object, null)"],
        }
        "insert-processing-instruction to root" {
            is: TreeAction::InsertProcessingInstruction(Insertion::Root),
            make: |_| TreeAction::InsertProcessingInstruction(Insertion::Root),
            meaning: "A processing instruction node for the token is appended to the first element of the stack.",
            wordings: [
                "insert a processing instruction given (the first element in the stack of open elements (the html \
                    element), null)",
            ],
        }
        "adjust-tag-name <adjustments>" {
            is: TreeAction::AdjustTagName(_),
            make: |slots| TreeAction::AdjustTagName(slots.adjustments()),
            meaning: "The token's tag name is replaced by the one that the table gives for it, if it gives one.",
            wordings: ["change the tag name to the name given in the corresponding cell in the second column"],
        }
        "adjust-attributes <adjustments>" {
            is: TreeAction::AdjustAttributes(_),
            make: |slots| TreeAction::AdjustAttributes(slots.adjustments()),
            meaning: "The names of the token's attributes are replaced by those that the table gives for them.",
            wordings: [
                "adjust SVG attributes for the token",
                "adjust MathML attributes for the token",
                "adjust foreign attributes for the token",
            ],
        }
        "rename <string>" {
            is: TreeAction::Rename(_),
            make: |slots| TreeAction::Rename(slots.string()),
            meaning: "The token's tag name is this one.",
            wordings: ["change the token's tag name to {string}"],
        }
        "acknowledge-self-closing" {
            just: TreeAction::AcknowledgeSelfClosing,
            meaning: "The token's self-closing flag is acknowledged, if it is set.",
            wordings: ["acknowledge the token's self-closing flag, if it is set"],
        }
        "pop-until <names>" {
            is: TreeAction::PopUntil(_),
            make: |slots| TreeAction::PopUntil(slots.names()),
            meaning: "Elements are popped off the stack until one with one of these names was popped.",
            wordings: [
                "pop elements from the stack of open elements until a {names} element has been popped from the stack",
            ],
        }
        "generate-end-tags <names>" {
            is: TreeAction::GenerateEndTags(_, Except::Nothing),
            make: |slots| TreeAction::GenerateEndTags(slots.names(), Except::Nothing),
            meaning: "The current node is popped as long as it has one of these names.",
            wordings: ["generate implied end tags", "generate all implied end tags thoroughly"],
        }
        "generate-end-tags <names> except <names>" {
            is: TreeAction::GenerateEndTags(_, Except::Names(_)),
            make: |slots| TreeAction::GenerateEndTags(slots.names(), Except::Names(slots.names())),
            meaning: "The current node is popped as long as it has one of the first names and none of the second.",
            wordings: ["generate implied end tags, except for {names} elements"],
        }
        "generate-end-tags <names> except token-name" {
            is: TreeAction::GenerateEndTags(_, Except::TokenName),
            make: |slots| TreeAction::GenerateEndTags(slots.names(), Except::TokenName),
            meaning: "The current node is popped as long as it has one of these names, and another than the token.",
            wordings: ["generate implied end tags, except for HTML elements with the same tag name as the token"],
        }
        "clear-back-to <names>" {
            is: TreeAction::ClearBackTo(_),
            make: |slots| TreeAction::ClearBackTo(slots.names()),
            meaning: "The current node is popped as long as it has none of these names.",
            wordings: [
                "clear the stack back to a table context",
                "clear the stack back to a table body context",
                "clear the stack back to a table row context",
            ],
        }
        "leave-foreign-content <names>" {
            is: TreeAction::LeaveForeignContent(_),
            make: |slots| TreeAction::LeaveForeignContent(slots.names()),
            meaning: "The current node is popped as long as it is not in the table's own namespace, is no \
                integration point, and has none of these names.",
            wordings: [
                "while the current node is not a mathml text integration point, an html integration point, or an \
                    element in the html namespace, pop elements from the stack of open elements",
            ],
        }
        "pop-until-foreign-token-name" {
            just: TreeAction::PopUntilForeignTokenName,
            meaning: "Elements are popped until the one was popped that `foreign-open token-name` finds.",
            wordings: ["pop elements from the stack of open elements until node has been popped from the stack"],
        }
        "detach-second" {
            just: TreeAction::DetachSecond,
            meaning: "The second element of the stack is removed from its parent, if it has one.",
            wordings: ["remove the second element on the stack of open elements from its parent node, if it has one"],
        }
        "merge-attributes <stack-place>" {
            is: TreeAction::MergeAttributes(_),
            make: |slots| TreeAction::MergeAttributes(slots.stack_place()),
            meaning: "Attributes of the token whose names the first (`root`) or `second` element of the stack has \
                not are added to it.",
            wordings: [
                "for each attribute on the token, check to see if the attribute is already present on the top \
                    element of the stack of open elements; if it is not, add the attribute and its corresponding \
                    value to that element",
            ],
        }
        "enable foster-parenting" {
            is: TreeAction::FosterParenting(true),
            make: |_| TreeAction::FosterParenting(true),
            meaning: "Foster parenting is enabled.",
            wordings: ["enable foster parenting"],
        }
        "disable foster-parenting" {
            is: TreeAction::FosterParenting(false),
            make: |_| TreeAction::FosterParenting(false),
            meaning: "Foster parenting is disabled.",
            wordings: ["disable foster parenting"],
        }
        "reconstruct-formatting" {
            just: TreeAction::ReconstructFormatting,
            meaning: "The active formatting elements are reconstructed.",
            wordings: ["reconstruct the active formatting elements, if any"],
        }
        "push-formatting" {
            just: TreeAction::PushFormatting,
            meaning: "The current node is pushed onto the list of active formatting elements, of which at most three \
                alike may stand after the last marker.",
            wordings: ["push onto the list of active formatting elements that element"],
        }
        "insert-marker" {
            just: TreeAction::InsertMarker,
            meaning: "A marker is inserted at the end of the list of active formatting elements.",
            wordings: ["insert a marker at the end of the list of active formatting elements"],
        }
        "clear-formatting" {
            just: TreeAction::ClearFormatting,
            meaning: "The list of active formatting elements is cleared up to the last marker.",
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
            meaning: "The adoption agency algorithm for the token: the scope in which the formatting element must \
                be, the category in which a furthest block is, the code of its errors, and the steps where there is \
                no formatting element.",
            wordings: ["run the adoption agency algorithm for the token"],
        }
        "point <pointer>" {
            is: TreeAction::Point(_),
            make: |slots| TreeAction::Point(slots.pointer()),
            meaning: "The pointer points to the current node.",
            wordings: ["set the {pointer} element pointer to point to the element created"],
        }
        "point <pointer> to-formatting <names>" {
            is: TreeAction::PointToFormatting(..),
            make: |slots| TreeAction::PointToFormatting(slots.pointer(), slots.names()),
            meaning: "The pointer points to the last element with one of these names after the last marker of the \
                list of active formatting elements.",
            wordings: ["that element"],
        }
        "point <pointer> to-context" {
            is: TreeAction::PointToContext(_),
            make: |slots| TreeAction::PointToContext(slots.pointer()),
            meaning: "The pointer points to the context element; a row of a fragment with this action also takes an element \
                around it.",
            wordings: ["set the parser's {pointer} element pointer to the nearest node to context"],
        }
        "unset <pointer>" {
            is: TreeAction::Unset(_),
            make: |slots| TreeAction::Unset(slots.pointer()),
            meaning: "The pointer points to nothing.",
            wordings: ["set the {pointer} element pointer to null"],
        }
        "push-pointed <pointer>" {
            is: TreeAction::PushPointed(_),
            make: |slots| TreeAction::PushPointed(slots.pointer()),
            meaning: "The element that the pointer points to is pushed onto the stack of open elements.",
            wordings: ["push the node pointed to by the {pointer} element pointer onto the stack of open elements"],
        }
        "remove-pointed <pointer>" {
            is: TreeAction::RemovePointed(_),
            make: |slots| TreeAction::RemovePointed(slots.pointer()),
            meaning: "The element that the pointer points to is removed from the stack of open elements and from the \
                list of active formatting elements, if it is there.",
            wordings: [
                "remove the node pointed to by the {pointer} element pointer from the stack of open elements",
                "remove node from the stack of open elements",
            ],
        }
        "set <tree-flag> <value>" {
            is: TreeAction::SetFlag(..),
            make: |slots| TreeAction::SetFlag(slots.tree_flag(), slots.value()),
            meaning: "The flag of tree construction has this value.",
            wordings: ["set the {tree-flag} flag to {value}"],
        }
        "set document-mode <document-mode>" {
            is: TreeAction::SetDocumentMode(_),
            make: |slots| TreeAction::SetDocumentMode(slots.document_mode()),
            meaning: "The document is in `no-quirks`, `limited-quirks` or `quirks` mode.",
            wordings: ["set the document to {document-mode} mode"],
        }
        "tokenizer <tokenizer-word>" {
            is: TreeAction::Tokenizer(_),
            make: |slots| TreeAction::Tokenizer(slots.tokenizer_word()),
            meaning: "The tokenizer does what the machine declares for this word.",
            wordings: ["switch the tokenizer to the {tokenizer-word} state"],
        }
        "ignore-next-line-feed" {
            just: TreeAction::IgnoreNextLineFeed,
            meaning: "The next token is ignored if it is a line feed character.",
            wordings: [
                "if the next token is a U+000A LINE FEED (LF) character token, then ignore that token and move on to \
                    the next one",
            ],
        }
        "clear-pending" {
            just: TreeAction::ClearPending,
            meaning: "The list of pending table character tokens is emptied.",
            wordings: ["let the pending table character tokens be an empty list of tokens"],
        }
        "append-to-pending" {
            just: TreeAction::AppendToPending,
            meaning: "The token's character is added to the pending table character tokens.",
            wordings: ["append the character token to the pending table character tokens list"],
        }
        "insert-pending" {
            just: TreeAction::InsertPending,
            meaning: "The pending table character tokens are inserted, each as `insert-character` does.",
            wordings: ["insert the characters given by the pending table character tokens list"],
        }
        "process-pending <mode>" {
            is: TreeAction::ProcessPending(_),
            make: |slots| TreeAction::ProcessPending(slots.mode()),
            meaning: "Each of the pending table character tokens is processed by the `else` row of the mode.",
            wordings: [
                "reprocess the character tokens in the pending table character tokens list using the rules given in \
                    the \"anything else\" entry in the {mode} insertion mode",
            ],
        }
        "mark-end-tag" {
            just: TreeAction::MarkEndTag,
            meaning: "The topmost open element of the table's own namespace with the token's name is ended by the \
                token where the source says so, but stays open.",
            wordings: [],
        }
        "attach-shadow-root <string> <names> <names>" {
            is: TreeAction::AttachShadowRoot { .. },
            make: |slots| TreeAction::AttachShadowRoot {
                    mode: slots.string(),
                    hosts: slots.names(),
                    reserved: slots.names(),
                },
            meaning: "A template element is created for the token and pushed without being inserted; a new shadow \
                root of the adjusted current node is its contents, as open as the token's attribute of the first \
                name says. Unless that can be a host (one of the first names, or a name valid for a custom element \
                and none of the second ones) and is none yet, the template is inserted at the appropriate place \
                instead.",
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
            meaning: "A template element is created for the token and pushed; what is put into it goes to the place \
                that the token's attribute names, if there is one, else the template is inserted. The strings are \
                the attribute, the pseudo-attribute of the processing instructions that mark places, their targets \
                for a place, its start and its end, and the element whose parent is searched instead of it.",
            wordings: ["prepare content patching"],
        }
        "finish-patching <names>" {
            is: TreeAction::FinishPatching(_),
            make: |slots| TreeAction::FinishPatching(slots.names()),
            meaning: "The instructions that mark the place of the topmost such element are removed, and it patches \
                no longer.",
            wordings: ["set template's insertion target to null"],
        }
    }
}
