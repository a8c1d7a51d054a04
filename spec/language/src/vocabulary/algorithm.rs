//! The closed vocabulary of algorithms that the oracle executes: the syntax of each step, condition and value, its form
//! in the model, and its meaning.
//!
//! In a syntax, a word in angle brackets is a slot, which takes a phrase of the named kind. A word in square brackets
//! is optional.

use crate::model::token_steps::DoctypePart;
use crate::model::tree::algorithm::{
    Definition, Effect, Expression, FragmentRows, NamedValue, NewNode, ParserEffect,
    ParserQuestion, PatchMark, PatchPart, Question, Relation, RowsOf, RunStep, ScriptingMode, Side,
    TemplateEffect, TemplateQuestion, TokenEffect, TokenPart, TokenQuestion, ValueKind,
};
use crate::model::tree::{DocumentMode, Namespace};

/// The declaration of a step, condition or value.
#[derive(Debug)]
pub struct Phrase<M: 'static> {
    /// Syntax of the phrase.
    pub syntax: &'static str,
    /// Function that builds the phrase's form in the model from the values of its slots.
    pub make: fn(&mut Pieces<'_>) -> M,
    /// Kind of a value; `None` for steps and conditions.
    pub kind: Option<ValueKind>,
    /// Meaning of the phrase, for the manual.
    pub meaning: &'static str,
}

fn parser_step(effect: ParserEffect) -> RunStep {
    RunStep::Effect(Effect::Parser(effect))
}

fn template_step(effect: TemplateEffect) -> RunStep {
    RunStep::Effect(Effect::Template(effect))
}

fn token_step(effect: TokenEffect) -> RunStep {
    RunStep::Effect(Effect::Token(effect))
}

fn relative(relation: Relation, pieces: &mut Pieces<'_>) -> Expression {
    Expression::Relative(relation, pieces.boxed())
}

fn new_node(node: NewNode) -> Expression {
    Expression::New(Box::new(node))
}

/// Declares phrases of one kind.
macro_rules! phrases {
    ($(#[$doc:meta])* $name:ident: $model:ident; $($syntax:literal $(: $kind:ident)? => $make:expr, $meaning:literal;)*) => {
        $(#[$doc])*
        pub const $name: &[Phrase<$model>] = &[$(Phrase {
            syntax: $syntax,
            make: $make,
            kind: phrases!(@kind $($kind)?),
            meaning: $meaning,
        }),*];
    };
    (@kind) => { None };
    (@kind $kind:ident) => { Some(ValueKind::$kind) };
}

mod bytes;
mod flow;
mod names;
mod pieces;
mod writing;

pub use bytes::{BYTE_QUESTIONS, BYTE_STEPS, BYTE_VALUES};
pub use flow::{COMMON_QUESTIONS, COMMON_VALUES, FLOW};
pub use names::{
    BYTE_DEFINITIONS, BYTE_ROUTINES, DEFINITIONS, INTRODUCED_PARAMETERS, KIND_BY_NAME,
    PLAIN_ROUTINES, ROUTINES, Routine, WRITING_DEFINITIONS, WRITING_ROUTINES, routine_name,
    routine_of,
};
pub(crate) use pieces::KnownNames;
pub use pieces::{Piece, Pieces};
pub use writing::{WRITING_QUESTIONS, WRITING_STEPS, WRITING_VALUES};

/// The phrases that an algorithm can use, in order of precedence.
#[derive(Debug)]
pub struct Vocabulary {
    /// Lists of steps.
    pub steps: &'static [&'static [Phrase<RunStep>]],
    /// Lists of values.
    pub values: &'static [&'static [Phrase<Expression>]],
    /// Lists of conditions.
    pub questions: &'static [&'static [Phrase<Question>]],
    /// Definitions of words.
    pub definitions: &'static [(&'static str, Definition)],
}

/// Vocabulary of algorithms of tree construction.
const TREE_VOCABULARY: &Vocabulary = &Vocabulary {
    steps: &[STEPS, FLOW],
    values: &[COMMON_VALUES, VALUES],
    questions: &[COMMON_QUESTIONS, QUESTIONS],
    definitions: DEFINITIONS,
};

/// Vocabulary of algorithms on bytes.
const BYTE_VOCABULARY: &Vocabulary = &Vocabulary {
    steps: &[BYTE_STEPS, FLOW],
    values: &[BYTE_VALUES, COMMON_VALUES],
    questions: &[BYTE_QUESTIONS, COMMON_QUESTIONS],
    definitions: BYTE_DEFINITIONS,
};

/// Vocabulary of algorithms that serialize trees.
const SERIALIZATION_VOCABULARY: &Vocabulary = &Vocabulary {
    steps: &[WRITING_STEPS, STEPS, FLOW],
    values: &[WRITING_VALUES, COMMON_VALUES, VALUES],
    questions: &[WRITING_QUESTIONS, COMMON_QUESTIONS, QUESTIONS],
    definitions: WRITING_DEFINITIONS,
};

impl Vocabulary {
    /// Returns the vocabulary for the algorithm of a routine.
    pub fn for_routine(routine: Routine) -> &'static Self {
        let is_among = |routines: &[(&str, Routine)]| routines.iter().any(|it| it.1 == routine);
        match (is_among(BYTE_ROUTINES), is_among(WRITING_ROUTINES)) {
            (true, _) => BYTE_VOCABULARY,
            (_, true) => SERIALIZATION_VOCABULARY,
            _ => TREE_VOCABULARY,
        }
    }
}

phrases! {
    /// Steps of tree construction, except those common to all algorithms and those that contain others: `when
    /// <condition> { … }`, `otherwise { … }`, `otherwise when <condition> { … }`, `repeat { … }`, `repeat while
    /// <condition> { … }`, `for-each <new> <new> in attributes of <token> { … }`, and branches for a kind of token:
    /// `for-each start-tag-token { … }`, `for-each end-tag-token { … }`, `for-each sequence of character-tokens { … }`.
    STEPS: RunStep;
    "let next line-feed kept" => |_| token_step(TokenEffect::KeepLineFeed), "Stops ignoring a line feed that comes next.";
    "let place <new> before <new> <location>" => |it| RunStep::LetPlace(it.variable(), it.variable(), it.value()),
        "Sets the variables to the node that contains the location, and to the child that follows it.";
    "let mode of <node> <document-mode>" => |it| parser_step(ParserEffect::SetDocumentMode(it.value(), it.document_mode())),
        "Sets the mode of the document.";
    "let parser html-parser of <node> with allow-declarative-shadow-roots <truth>" => |it| parser_step(ParserEffect::NewParser(it.value(), it.value(), it.flag("declarative-shadow-roots"))),
        "Creates a parser for the document, and sets its flag `declarative-shadow-roots`.";
    "let fragment-context-element of parser <node>" => |it| parser_step(ParserEffect::SetContext(it.value())),
        "Sets the context element of the fragment.";
    "let scripting-mode of parser <scripting>" => |it| parser_step(ParserEffect::SetScripting(it.value(), it.flag("scripting"))),
        "Sets the flag `scripting` according to the scripting mode.";
    "let tokenizer by <node>" => |it| RunStep::TakeFragment(FragmentRows::Tokenizer, it.value()),
        "Runs the steps on the tokenizer in the rows of `fragment` that match the element.";
    "let template-modes by <node>" => |it| RunStep::TakeFragment(FragmentRows::TemplateModes, it.value()),
        "Runs the steps that push template insertion modes in the rows of `fragment` that match the element.";
    "let pointers by <node>" => |it| RunStep::TakeFragment(FragmentRows::Pointers, it.value()),
        "Runs the steps that point pointers to elements in the rows of `fragment` that match the element.";
    "let open <node>" => |it| parser_step(ParserEffect::SetOpen(it.value())),
        "Makes this element the only one on the stack of open elements.";
    "let root-insertion-target of parser <node>" => |it| parser_step(ParserEffect::SetRootTarget(it.value())),
        "Sets the node into which the fragment is parsed.";
    "let start-tag of <node> <token>" => |it| parser_step(ParserEffect::SetStartTag(it.value(), it.value())),
        "Makes the token the start tag of the element, which determines whether it is an integration point.";
    "let input-stream <text>" => |it| parser_step(ParserEffect::SetInput(it.value())),
        "Sets the input of the parser.";
    "run parser until input is consumed" => |_| RunStep::RunParser,
        "Runs the parser to the end of its input; must be one of the outermost steps.";
    "attach shadow-root <node> <text> <truth> <truth> <text> <truth> registry" => |it| template_step(TemplateEffect::AttachShadowRoot(Box::new(it.values()))),
        "Attaches a shadow root to the element. The values are its mode, whether it delegates focus, whether it is \
            serializable, its slot assignment, and whether it is clonable. Throws an exception if the element cannot \
            have one.";
    "let template-contents of <node> <node>" => |it| template_step(TemplateEffect::SetContents(it.value(), it.value())),
        "Makes the second node the contents of the template.";
    "let declarative of <node> <truth>" => |it| template_step(TemplateEffect::SetDeclarative(it.value(), it.value())),
        "Sets whether the shadow root was declared by markup.";
    "let insertion-target of <node> <node>" => |it| template_step(TemplateEffect::SetPatch(PatchPart::Target, it.value(), it.value())),
        "Sets the node that the template patches.";
    "let insertion-start-marker of <node> <node>" => |it| template_step(TemplateEffect::SetPatch(PatchPart::Start, it.value(), it.value())),
        "Sets the processing instruction that starts the patched range.";
    "let insertion-end-marker of <node> <node>" => |it| template_step(TemplateEffect::SetPatch(PatchPart::End, it.value(), it.value())),
        "Sets the processing instruction that ends the patched range.";
    "let current <node>" => |it| RunStep::Return(Some(it.value())),
        "The current node is this one.";
    "let adjusted-current <node>" => |it| RunStep::Return(Some(it.value())),
        "The adjusted current node is this one.";
    "return match" => |_| RunStep::Return(Some(Expression::Truth(true))),
        "Ends the algorithm in a match state.";
    "return failure" => |_| RunStep::Return(Some(Expression::Truth(false))),
        "Ends the algorithm in a failure state.";
    "return <steps>" => |it| RunStep::ReturnSteps(it.steps()),
        "Ends the algorithm, and runs the `steps` of this name.";
    "take row of reset for <node> and <truth>" => |it| RunStep::TakeReset(it.value(), it.value()),
        "Runs the first row of `reset` that matches the element, and ends the algorithm; the second value is the result \
            of the condition `last`.";
    "error" => |_| RunStep::Effect(Effect::Error),
        "Reports a parse error at the token, with the code that the action names; in `emit`, with that of \
            `unacknowledged self-closing`.";
    "error <error>" => |it| token_step(TokenEffect::Error(it.error())),
        "Reports a parse error at the token, with this code.";
    "pop" => |_| RunStep::Effect(Effect::Pop), "Pops the current node off the stack of open elements.";
    "pop-until <node>" => |it| RunStep::Effect(Effect::PopUntil(it.value())),
        "Pops nodes until this one has been popped.";
    "end <node>" => |it| token_step(TokenEffect::End(it.value())),
        "Ends the range of the element with the end tag. With `elements html`, an end tag ends at most one element, \
            which must have its name.";
    "push <node>" => |it| RunStep::Effect(Effect::Push(it.value())), "Pushes the element onto the stack.";
    "remove <node> from open" => |it| RunStep::Effect(Effect::RemoveFromOpen(it.value())),
        "Removes the element from the stack.";
    "replace <node> by <node> in open" => |it| RunStep::Effect(Effect::ReplaceInOpen(it.value(), it.value())),
        "Replaces the first element on the stack by the second.";
    "insert <node> in open below <node>" => |it| RunStep::Effect(Effect::InsertBelow(it.value(), it.value())),
        "Inserts the first element into the stack immediately below the second.";
    "add <node> to formatting" => |it| RunStep::Effect(Effect::AddToFormatting(it.value())),
        "Appends the element to the list of active formatting elements, with its token.";
    "remove <node> from formatting" => |it| RunStep::Effect(Effect::RemoveFromFormatting(it.value())),
        "Removes the element from the list of active formatting elements.";
    "remove <entry> from formatting" => |it| RunStep::Effect(Effect::RemoveFromFormatting(it.value())),
        "Removes the entry from the list of active formatting elements.";
    "remove earliest alike from formatting" => |_| RunStep::Effect(Effect::RemoveEarliestAlike),
        "Removes the earliest of the elements found alike from the list of active formatting elements.";
    "replace <node> by <node> in formatting" => |it| RunStep::Effect(Effect::ReplaceInFormatting(it.value(), it.value())),
        "Replaces the first element by the second in the list of active formatting elements; the entry keeps its token.";
    "replace <entry> by <node> in formatting" => |it| RunStep::Effect(Effect::ReplaceInFormatting(it.value(), it.value())),
        "Sets the element of the entry, which keeps its token.";
    "insert <node> in formatting at <bookmark>" => |it| RunStep::Effect(Effect::InsertAtBookmark(it.value(), it.value())),
        "Inserts the element into the list of active formatting elements at this position, with the token for which it was created.";
    "remove <node> from its parent" => |it| RunStep::Effect(Effect::Detach(it.value())),
        "Removes the node from its parent.";
    "append children of <node> to <node>" => |it| RunStep::Effect(Effect::AppendChildren(it.value(), it.value())),
        "Appends the children of the first node to the second.";
    "append <text> to data of <node>" => |it| RunStep::Effect(Effect::AppendData(it.value(), it.value())),
        "Appends the string to the data of the node.";
    "trim start of data of <node>" => |it| token_step(TokenEffect::Trim(Side::Start, it.value())),
        "Removes the characters that the action names from the start of the node's data.";
    "trim end of data of <node>" => |it| token_step(TokenEffect::Trim(Side::End, it.value())),
        "Removes the characters that the action names from the end of the node's data.";
    "append <node> to <node>" => |it| RunStep::Effect(Effect::Append(it.value(), it.value())),
        "Moves the first node to the end of the second.";
    "insert <node> in <node> before <node>" => |it| RunStep::Effect(Effect::Insert(it.value(), it.value(), it.value())),
        "Inserts the first node into the second, before the third; at the end if the third is none.";
    "add token-attributes to <node>" => |it| RunStep::Effect(Effect::AddTokenAttributes(it.value())),
        "Adds the attributes of the token to the element.";
    "add attribute <text> <text> <text> <text> to <node>" => |it| token_step(TokenEffect::AddAttribute(Box::new(it.values()))),
        "Adds an attribute to the element. The strings are its prefix, local name, namespace and value.";
    "remove attributes but first of each name" => |_| token_step(TokenEffect::KeepFirstAttributes),
        "Removes each attribute of the token that has the name of an earlier one.";
    "remove attributes" => |_| token_step(TokenEffect::DropAttributes), "Removes all attributes of the token.";
    "replace sequence by string-token of all character-tokens" => |_| token_step(TokenEffect::JoinCharacters),
        "Combines adjacent characters into one `string`.";
    "pass tokens to tree-construction-stage" => |_| token_step(TokenEffect::Pass), "Passes the token to the rows.";
    "handle token by tree-construction at-once" => |_| token_step(TokenEffect::Handle),
        "Runs `process-token` for the token before the next one is created.";
    "take row of mode" => |_| token_step(TokenEffect::TakeRow(RowsOf::Mode)),
        "Runs the row of the mode that matches the token.";
    "take row of dispatcher" => |_| token_step(TokenEffect::TakeRow(RowsOf::Dispatcher)),
        "Runs the row that matches the token in the mode of `tree dispatch`.";
}

phrases! {
    /// Values of tree construction, except those common to all algorithms, variables, literals, `<value> when
    /// <condition> otherwise <value>`, and calls of algorithms.
    VALUES: Expression;
    "disabled": Scripting => |_| Expression::Scripting(ScriptingMode::Disabled), "Scripting is disabled.";
    "inert": Scripting => |_| Expression::Scripting(ScriptingMode::Inert), "Scripts never run.";
    "html": Text => |_| Expression::Namespace(Namespace::Own), "The namespace of the table.";
    "current": Node => |_| Expression::Current, "The current node; the document if no element is open.";
    "first of open": Node => |_| Expression::FirstOfOpen, "The first element of the stack.";
    "last of open": Node => |_| Expression::LastOfOpen, "The last element of the stack.";
    "fragment-context-element of parser": Node => |_| Expression::FragmentContext,
        "The context element of a fragment.";
    "adjusted-current": Node => |_| Expression::AdjustedCurrent, "The adjusted current node.";
    "start-tag with name and attributes of <node>": Token => |it| Expression::StartTagOf(it.boxed()),
        "A start tag with the name and the attributes of the element.";
    "value of attribute <name> of <token>": Text => |it| Expression::Attribute(it.name(), it.boxed()),
        "The value of the attribute of the token.";
    "integer of attribute <name> of <node> or <count>": Number => |it| Expression::Integer(it.name(), it.boxed(), it.count()),
        "The value of the element's attribute, by the rules for parsing non-negative integers; the last argument if it \
            is not a number.";
    "patch-name of <node>": Text => |it| Expression::PatchName(it.boxed()),
        "The value of the attribute in which the template names the place that it patches; empty without the \
            attribute.";
    "following <node> in <node>": Node => |it| Expression::Following(it.boxed(), it.boxed()),
        "The node that follows the first in tree order, if it is in the second.";
    "last <elements> of open": Node => |it| Expression::LastOpen(it.elements()),
        "The last of these elements in the stack.";
    "last <elements> of open or none": Node => |it| Expression::LastOpen(it.elements()),
        "The last of these elements in the stack, if there is one.";
    "last of open named <text>": Node => |it| Expression::Named(NamedValue::LastOpen(it.boxed())),
        "The last element of the stack with this name as written.";
    "context": Node => |_| Expression::FragmentContext, "The context element of a fragment.";
    "prefix of <text>": Text => |it| Expression::Named(NamedValue::Prefix(it.boxed())),
        "The part of the name before its first colon; empty without a colon.";
    "local-part of <text>": Text => |it| Expression::Named(NamedValue::LocalPart(it.boxed())), "The name without its prefix.";
    "joined <text> <text>": Text => |it| Expression::Named(NamedValue::Joined(it.boxed(), it.boxed())),
        "The concatenation of the two strings.";
    "xml-namespace": Text => |_| Expression::Text("http://www.w3.org/XML/1998/namespace".to_owned()),
        "The namespace to which the prefix `xml` is bound.";
    "xmlns-namespace": Text => |_| Expression::Text("http://www.w3.org/2000/xmlns/".to_owned()),
        "The namespace to which the prefix `xmlns` is bound.";
    "value of attribute named <text> of <token>": Text => |it| Expression::Named(NamedValue::Attribute(it.boxed(), it.boxed())),
        "The value of the token's attribute with this name as written.";
    "value of attribute named <text> of <node>": Text => |it| Expression::Named(NamedValue::Attribute(it.boxed(), it.boxed())),
        "The value of the element's attribute with this name as written.";
    "above <node> even-if-removed": Node => |it| relative(Relation::AboveEvenIfRemoved, it),
        "The element above the given one on the stack; for an element that was removed, the one that was above it then.";
    "above <node>": Node => |it| relative(Relation::Above, it), "The element above the given one on the stack.";
    "topmost special below <node>": Node => |it| relative(Relation::FurthestBlock, it),
        "The topmost element below the given one on the stack that is in the action's category.";
    "parent of <node>": Node => |it| relative(Relation::Parent, it), "The parent of the node.";
    "previous-sibling of <node>": Node => |it| relative(Relation::PreviousSibling, it), "The previous sibling of the node.";
    "next-sibling of <node>": Node => |it| relative(Relation::NextSibling, it), "The next sibling of the node.";
    "shadow-root of <node>": Node => |it| relative(Relation::ShadowRoot, it), "The shadow root of the element.";
    "host of <node>": Node => |it| relative(Relation::Host, it),
        "The element of which the node is the shadow root or the template contents.";
    "insertion-start-marker of <node>": Node => |it| relative(Relation::InsertionStartMarker, it),
        "The processing instruction that starts the patched range.";
    "first-child of <node>": Node => |it| relative(Relation::FirstChild, it), "The first child of the node.";
    "last-child of <node>": Node => |it| relative(Relation::LastChild, it), "The last child of the node.";
    "node-document of <node>": Node => |it| relative(Relation::NodeDocument, it), "The document of the node.";
    "template-contents of <node>": Node => |it| relative(Relation::TemplateContents, it),
        "The fragment with the contents of the template.";
    "insertion-target of <node>": Node => |it| relative(Relation::InsertionTarget, it),
        "The node that the template patches.";
    "insertion-end-marker of <node>": Node => |it| relative(Relation::InsertionEndMarker, it),
        "The node before which the template inserts content.";
    "root-insertion-target of parser": Node => |_| Expression::RootInsertionTarget,
        "The node into which a fragment is parsed.";
    "last of formatting": Entry => |_| Expression::LastEntry, "The last entry of the list of active formatting elements.";
    "before <entry> in formatting": Entry => |it| Expression::EntryBefore(it.boxed()), "The entry before the given one.";
    "after <entry> in formatting": Entry => |it| Expression::EntryAfter(it.boxed()), "The entry after the given one.";
    "last of formatting after last-marker and named <text>": Node => |it| Expression::LastNamed(it.boxed()),
        "The last element with this name after the last marker of the list of active formatting elements.";
    "place of <node> in formatting": Bookmark => |it| Expression::PlaceOf(it.boxed()), "The position of the element.";
    "after <node> in formatting": Bookmark => |it| Expression::PlaceAfter(it.boxed()),
        "The position after the element.";
    "place <node> before <node>": Location => |it| Expression::Place(it.boxed(), it.boxed()),
        "The location in the first node before the second, or at the end of the first if the second is none.";
    "node of <location>": Node => |it| Expression::TargetParent(it.boxed()),
        "The node that contains the location.";
    "target-parent of <location>": Node => |it| Expression::TargetParent(it.boxed()),
        "The node that contains the location.";
    "token": Token => |_| Expression::Token, "The token being processed.";
    "token-name": Text => |_| Expression::OfToken(TokenPart::TagName), "The tag name of the token.";
    "token-data": Text => |_| Expression::OfToken(TokenPart::CommentData), "The data of the comment token.";
    "given characters or token-character": Text => |_| Expression::OfToken(TokenPart::Characters),
        "The character that the action names, or that of the token.";
    "token-characters": Text => |_| Expression::OfToken(TokenPart::Characters), "The characters of the token.";
    "target of processing-instruction": Text => |_| Expression::OfToken(TokenPart::InstructionTarget), "The target of the token.";
    "data of processing-instruction": Text => |_| Expression::OfToken(TokenPart::InstructionData), "The data of the token.";
    "data of <node>": Text => |it| Expression::Data(it.boxed()), "The data of the text node, the comment or the processing instruction.";
    "name of doctype or <text>": Text => |it| Expression::Named(NamedValue::OfDoctype(DoctypePart::Name, it.boxed())),
        "The name of the DOCTYPE token, or the string if it is missing.";
    "public-identifier of doctype or <text>": Text => |it| Expression::Named(NamedValue::OfDoctype(DoctypePart::PublicIdentifier, it.boxed())),
        "The public identifier of the DOCTYPE token, or the string if it is missing.";
    "system-identifier of doctype or <text>": Text => |it| Expression::Named(NamedValue::OfDoctype(DoctypePart::SystemIdentifier, it.boxed())),
        "The system identifier of the DOCTYPE token, or the string if it is missing.";
    "document": Node => |_| new_node(NewNode::Document), "The document of the parser.";
    "document \"html\"": Node => |_| new_node(NewNode::Document), "The document of the parser, as an HTML document.";
    "document-fragment <node>": Node => |it| new_node(NewNode::Fragment(it.value())), "A new fragment with this document.";
    "element <node> <text> <text> none none false custom-element-registry <node>": Node => |it| new_node(NewNode::Element(it.value(), it.value(), it.value())),
        "A new element with this document, local name and namespace; the other arguments matter only to browsers.";
    "element <node> <text> <text> none is will-execute-script registry": Node => |it| new_node(NewNode::Element(it.value(), it.value(), it.value())),
        "A new element with this document, local name and namespace; the other arguments matter only to browsers.";
    "new-element <text> <text> <text>": Node => |it| new_node(NewNode::Prefixed(it.values())),
        "A new element with this prefix, local name and namespace.";
    "text-node <node> <text>": Node => |it| new_node(NewNode::Text(it.value(), it.value())),
        "A new text node with this document and data.";
    "comment-node <node> <text>": Node => |it| new_node(NewNode::Comment(it.value(), it.value())),
        "A new comment with this document and data.";
    "processing-instruction-node <node> <text> <text>": Node => |it| new_node(NewNode::Instruction(it.value(), it.value(), it.value())),
        "A new processing instruction with this document, target and data.";
    "doctype <node> <text> <text> <text>": Node => |it| new_node(NewNode::Doctype(it.values())),
        "A new DOCTYPE with this document, name, public identifier and system identifier.";
    "clone of <node> with subtree": Node => |it| new_node(NewNode::Clone(it.value())),
        "A copy of the node with its descendants, including template contents.";
    "create-like <node> inside <node>": Node => |it| new_node(NewNode::Like(it.value(), it.value())),
        "A new element for the token for which the first was created; the second is the intended parent.";
    "insert-like <entry>": Node => |it| new_node(NewNode::InsertedLike(it.value())),
        "A new element for the token of the entry, inserted at the appropriate place.";
}

phrases! {
    /// Conditions of tree construction, except those common to all algorithms, `<condition> and <condition> …`,
    /// `<condition> or <condition> …`, and pairs in such a list after `both` or `either`.
    QUESTIONS: Question;
    "formatting is [not] empty" => |it| it.negatable(Question::FormattingIsEmpty),
        "The list of active formatting elements has no entries.";
    "foster-parenting is [not] enabled" => |it| it.negatable(Question::IsFostering),
        "Foster parenting is enabled.";
    "<limit> in formatting after last-marker are alike <node>" => |it| Question::AreAlike(it.limit(), it.value()),
        "After its last marker, the list of active formatting elements has at least as many elements like this one as the limit.";
    "pre-insert-validity of <node> <node> <node>" => |it| Question::IsValid(Box::new(it.values())),
        "The first node can be inserted into the second before the third.";
    "fragment" => |_| Question::Parser(ParserQuestion::IsFragment), "A fragment is being parsed.";
    "open has one element" => |_| Question::Parser(ParserQuestion::HasOneOpen), "Exactly one element is open.";
    "attributes are left-out" => |_| Question::Token(TokenQuestion::IsShortened),
        "Attributes of the token were removed because an earlier one has their name.";
    "next line-feed is ignored" => |_| Question::Token(TokenQuestion::IgnoresLineFeed),
        "A row has requested that the next token be ignored if it is a line feed.";
    "token is line-feed" => |_| Question::Token(TokenQuestion::IsLineFeed), "The token is a line feed character.";
    "token is [not] dispatched" => |it| it.negatable(Question::Token(TokenQuestion::IsDispatched)),
        "The condition of `tree dispatch` holds.";
    "token is [not] reprocessed" => |it| it.negatable(Question::Token(TokenQuestion::IsReprocessed)),
        "The row taken last contains `reprocess`.";
    "token is start-tag" => |_| Question::Token(TokenQuestion::IsStartTag), "The token is a start tag.";
    "self-closing-flag is set" => |_| Question::Token(TokenQuestion::IsSelfClosing), "The token is a tag whose self-closing flag is set.";
    "[not] acknowledged" => |it| it.negatable(Question::Token(TokenQuestion::IsAcknowledged)),
        "A row has acknowledged the self-closing flag of the tag.";
    "token is any end-tag" => |_| Question::Token(TokenQuestion::IsAnyEndTag), "The token is an end tag, with a name or without.";
    "<node> is [not] named-like token" => |it| it.negated_if_present(|_, it| Question::Token(TokenQuestion::HasTokenName(it))),
        "The local name of the element in lowercase is the name of the token.";
    "<node> is [not] foreign" => |it| it.negated_if_present(|_, it| Question::Token(TokenQuestion::IsForeign(it))),
        "The element is not in the table's own namespace.";
    "<node> is [not] integration-point" => |it| it.negated_if_present(|_, it| Question::Token(TokenQuestion::IsIntegrationPoint(it))),
        "The element is an integration point.";
    "<token> has [no] attribute named <text>" => |it| it.negated_if_present(|it, token| Question::Token(TokenQuestion::HasNamed(token, it.value()))),
        "The token has an attribute with this name as written.";
    "<node> has [no] attribute named <text>" => |it| it.negated_if_present(|it, node| Question::Token(TokenQuestion::HasNamed(node, it.value()))),
        "The element has an attribute with this name as written.";
    "<node> has [no] attribute <text> in <text>" => |it| it.negated_if_present(|it, node| Question::Token(TokenQuestion::HasInNamespace(Box::new([node, it.value(), it.value()])))),
        "The element has an attribute with this local name in this namespace, and the namespace is not empty.";
    "exception is thrown" => |_| Question::Template(TemplateQuestion::IsThrown), "The shadow root could not be attached.";
    "scripting of <node> is disabled" => |it| Question::Parser(ParserQuestion::ScriptingIsDisabled(it.value(), it.flag("scripting"))),
        "Scripting is disabled in the document: the host has not set the flag `scripting`.";
    "<scripting> is inert or fragment" => |it| Question::Parser(ParserQuestion::IsScripting(it.value(), &[ScriptingMode::Inert, ScriptingMode::Fragment])),
        "The scripting mode is inert or fragment.";
    "attribute <name> of <token> is <name>" => |it| Question::Template(TemplateQuestion::AttributeIs(it.name(), it.value(), it.name())),
        "The value of the token's attribute is this keyword, ignoring ASCII case.";
    "<token> has [no] attribute <name>" => |it| it.negated_if_present(|it, token| Question::Template(TemplateQuestion::HasAttribute(token, it.name()))),
        "The token has an attribute of this name.";
    "<node> has [no] attribute <name>" => |it| it.negated_if_present(|it, node| Question::Template(TemplateQuestion::HasAttribute(node, it.name()))),
        "The element has an attribute of this name.";
    "<node> is [not] in quirks" => |it| it.negated_if_present(|_, it| Question::Parser(ParserQuestion::IsInDocumentMode(it, DocumentMode::Quirks))),
        "The document is in quirks mode.";
    "<node> is [not] in limited-quirks" => |it| it.negated_if_present(|_, it| Question::Parser(ParserQuestion::IsInDocumentMode(it, DocumentMode::LimitedQuirks))),
        "The document is in limited-quirks mode.";
    "<node> is [not] element" => |it| it.negated_if_present(|_, it| Question::IsAnyElement(it)), "The node is an element.";
    "<node> is [not] shadow-host" => |it| it.negated_if_present(|_, it| Question::Template(TemplateQuestion::IsShadowHost(it))), "The element has a shadow root.";
    "<node> is [not] body of its document" => |it| it.negated_if_present(|_, it| Question::Template(TemplateQuestion::IsBody(it))),
        "The element is the body of a document.";
    "<node> is [not] patch-marker named <text>" => |it| it.negated_if_present(|it, node| Question::Template(TemplateQuestion::IsPatchMark(node, PatchMark::Place, Some(it.value())))),
        "The node is a processing instruction that marks the place with this name.";
    "<node> is [not] patch-start named <text>" => |it| it.negated_if_present(|it, node| Question::Template(TemplateQuestion::IsPatchMark(node, PatchMark::Start, Some(it.value())))),
        "The node is a processing instruction that starts the place with this name.";
    "<node> is [not] patch-start" => |it| it.negated_if_present(|_, node| Question::Template(TemplateQuestion::IsPatchMark(node, PatchMark::Start, None))),
        "The node is a processing instruction that starts a place.";
    "<node> is [not] patch-end" => |it| it.negated_if_present(|_, node| Question::Template(TemplateQuestion::IsPatchMark(node, PatchMark::End, None))),
        "The node is a processing instruction that ends a place.";
    "<entry> is [not] marker" => |it| it.negated_if_present(|_, it| Question::IsMarker(it)), "The entry is a marker.";
    "<entry> is [not] in open" => |it| it.negated_if_present(|_, it| Question::IsOpen(it)), "The element of the entry is open.";
    "<entry> is [not] in <names>" => |it| it.negated_if_present(|it, entry| Question::IsInNames(entry, it.value())),
        "The element of the entry is one of these.";
    "<entry> is [not] first of formatting" => |it| it.negated_if_present(|_, it| Question::IsFirst(it)),
        "The entry is the first one of the list of active formatting elements.";
    "<node> is [not] in open" => |it| it.negated_if_present(|_, it| Question::IsOpen(it)), "The element is open.";
    "<node> is [not] in formatting" => |it| it.negated_if_present(|_, it| Question::IsFormatting(it)),
        "The element is in the list of active formatting elements.";
    "<node> is [not] last of formatting" => |it| it.negated_if_present(|_, it| Question::IsLast(it)),
        "The last entry of the list of active formatting elements is for the element.";
    "<node> is [not] in scope" => |it| it.negated_if_present(|_, it| Question::IsInScope(it)),
        "The element is in the scope that the action names.";
    "<node> is [not] in <names>" => |it| it.negated_if_present(|it, node| Question::IsInNames(node, it.value())),
        "The node is one of these elements.";
    "<node> is [not] named <text>" => |it| it.negated_if_present(|it, node| Question::IsNamed(node, it.value())),
        "The node is an element of the table's own namespace with this name.";
    "<node> is [not] fostered" => |it| it.negated_if_present(|_, it| Question::IsFostered(it)),
        "The node is one of the elements whose contents `foster` moves.";
    "<node> is [not] implied" => |it| it.negated_if_present(|_, it| Question::IsImplied(it)),
        "The node is one of the elements for which the action generates end tags.";
    "<node> is [not] document-node" => |it| it.negated_if_present(|_, it| Question::IsDocument(it)), "The node is a document.";
    "<node> is [not] text-node" => |it| it.negated_if_present(|_, it| Question::IsText(it)), "The node is a text node.";
    "<node> is [not] host-including-ancestor of <node>" => |it| it.negated_if_present(|it, node| Question::IsAncestor(node, it.value())),
        "The first node is the second, an ancestor of it, or a host-including ancestor of the host of its root.";
    "<node> has [no] doctype-child" => |it| it.negated_if_present(|_, it| Question::Token(TokenQuestion::HasDoctypeChild(it))),
        "The node has a DOCTYPE as a child.";
    "<node> has [no] element-child" => |it| it.negated_if_present(|_, it| Question::HasElementChild(it)),
        "The node has an element as a child.";
    "<node> is [not] <elements>" => |it| it.negated_if_present(|it, node| Question::IsElement(node, it.elements())),
        "The node is one of the elements.";
    "<node> is [not] <node>" => |it| it.negated_if_present(|it, node| Question::Same(node, it.value())),
        "The two nodes are one node.";
}
