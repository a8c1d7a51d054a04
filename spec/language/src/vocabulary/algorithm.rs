//! The closed vocabulary of algorithms that the oracle executes: the syntax of each step, condition and value, its form
//! in the model, and its meaning.
//!
//! In a syntax, a word in angle brackets is a slot, which takes a phrase of the named kind. A word in square brackets
//! is optional, and negates a condition.

use crate::model::tree::algorithm::{
    Call, Definition, DoctypePart, FragmentRows, PatchMark, PatchPart, Relation, RunStep,
    ScriptingMode, ValueKind, VariableId, WritingEffect, WritingQuestion,
};
use crate::model::tree::{DocumentMode, ElementName, Namespace, TreeFlagId};
use std::convert::identity;

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

/// Declares phrases of one kind, and enums of what they make.
///
/// A phrase consists of its syntax, the kind of its value, what it makes, and its meaning. In an `enum` it makes `=>` a
/// variant that it declares, with the values of its slots as fields, or `one` value of a variant that `variants` or
/// another phrase declares. The function after `by` turns that variant into the phrase's form in the model, which other
/// phrases make themselves. A `valued` enum gets a method that returns the kind of a variant's values; for a variant
/// among `variants`, the kind follows its fields.
macro_rules! phrases {
    (@make $target:ident, $wrap:path, $variant:ident) => { |_| $wrap($target::$variant) };
    (@make $target:ident, $wrap:path, $variant:ident $($slot:ident)+) => {
        |it| $wrap($target::$variant($(it.$slot()),+))
    };
    (@kinds ($target:ident) $pairs:tt) => {};
    (@kinds ($target:ident valued) [$(($($kind:ident)?) ($($variant:ident)?))*]) => {
        impl $target {
            /// Returns the kind of the value; `None` if its operands or the algorithm determine the kind.
            pub fn kind(&self) -> Option<ValueKind> {
                $(phrases!(@kind_of self $target ($($kind)?) ($($variant)?));)*
                None
            }
        }
    };
    (@kind_of $self:ident $target:ident ($kind:ident) ($variant:ident)) => {
        if matches!($self, $target::$variant { .. }) {
            return Some(ValueKind::$kind);
        }
    };
    (@kind_of $self:ident $target:ident $kind:tt $variant:tt) => {};
    (@kind) => { None };
    (@kind $kind:ident) => { Some(ValueKind::$kind) };
    (@phrase $syntax:literal, ($($kind:ident)?), [$make:expr], $meaning:literal) => {
        Phrase {
            syntax: $syntax,
            make: $make,
            kind: phrases!(@kind $($kind)?),
            meaning: $meaning,
        }
    };
    (
        $(#[$doc:meta])*
        $name:ident: $model:ident;
        $(
            $(#[$target_doc:meta])*
            enum $target:ident by $wrap:path $(, $valued:ident)? {
                $(variants {
                    $($(#[$other_doc:meta])* $other:ident $(($($fields:tt)*))? $(: $other_kind:ident)?,)*
                })?
                $($syntax:literal $(: $kind:ident)?
                    $(=> $variant:ident $(($($slot:ident: $type:ty),+))?,)?
                    $(one $make:expr,)?
                    $meaning:literal;
                )*
            }
        )*
        $($plain:literal $(: $plain_kind:ident)? => $plain_make:expr, $plain_meaning:literal;)*
    ) => {
        $(
            $(#[$target_doc])*
            #[derive(Clone, Debug, PartialEq)]
            pub enum $target {
                $($($(#[$other_doc])* $other $(($($fields)*))?,)*)?
                $($(#[doc = $meaning] $variant $(($($type),+))?,)?)*
            }

            phrases!(@kinds ($target $($valued)?) [
                $($(($($other_kind)?) ($other))*)?
                $(($($kind)?) ($($variant)?))*
            ]);
        )*

        $(#[$doc])*
        pub const $name: &[Phrase<$model>] = &[
            $($(phrases!(
                @phrase $syntax, ($($kind)?),
                [$(phrases!(@make $target, $wrap, $variant $($($slot)+)?))? $($make)?],
                $meaning
            ),)*)*
            $(phrases!(@phrase $plain, ($($plain_kind)?), [$plain_make], $plain_meaning),)*
        ];
    };
}

mod bytes;
mod flow;
mod names;
mod pieces;
mod writing;

pub use bytes::{BYTE_QUESTIONS, BYTE_STEPS, BYTE_VALUES, ByteEffect, ByteQuestion, ByteValue};
pub use flow::{COMMON_QUESTIONS, COMMON_VALUES, FLOW};
pub use names::{
    BYTE_DEFINITIONS, BYTE_ROUTINES, DEFINITIONS, INTRODUCED_PARAMETERS, KIND_BY_NAME,
    PLAIN_ROUTINES, ROUTINES, Routine, WRITING_DEFINITIONS, WRITING_ROUTINES, routine_of,
};
pub(crate) use pieces::KnownNames;
pub use pieces::{Piece, Pieces};
pub use writing::{WRITING_QUESTIONS, WRITING_STEPS, WRITING_VALUES, WritingValue};

/// The phrases that an algorithm can use, in order of precedence.
#[derive(Clone, Copy, Debug, Default)]
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
const TREE_VOCABULARY: Vocabulary = Vocabulary {
    steps: &[STEPS, FLOW],
    values: &[COMMON_VALUES, VALUES],
    questions: &[COMMON_QUESTIONS, QUESTIONS],
    definitions: DEFINITIONS,
};

/// Vocabulary of algorithms on bytes.
const BYTE_VOCABULARY: Vocabulary = Vocabulary {
    steps: &[BYTE_STEPS, FLOW],
    values: &[BYTE_VALUES, COMMON_VALUES],
    questions: &[BYTE_QUESTIONS, COMMON_QUESTIONS],
    definitions: BYTE_DEFINITIONS,
};

/// Vocabulary of algorithms that serialize trees.
const SERIALIZATION_VOCABULARY: Vocabulary = Vocabulary {
    steps: &[WRITING_STEPS, STEPS, FLOW],
    values: &[WRITING_VALUES, COMMON_VALUES, VALUES],
    questions: &[WRITING_QUESTIONS, COMMON_QUESTIONS, QUESTIONS],
    definitions: WRITING_DEFINITIONS,
};

impl Vocabulary {
    /// Returns the vocabulary for the algorithm of a routine.
    pub fn for_routine(routine: Routine) -> Self {
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
    /// <condition> { … }`, `for-each <new> <new> in attributes of <token> { … }`.
    STEPS: RunStep;

    /// A change to the parser.
    enum ParserEffect by parser_step {
        variants {
            /// Creates a parser for the document. The second expression is whether the parser allows declarative shadow
            /// roots, and becomes the value of the flag.
            NewParser(Expression, Expression, TreeFlagId),
            /// Sets the flag for whether the parser treats scripting as enabled, according to the scripting mode.
            SetScripting(Expression, TreeFlagId),
        }
        "let mode of <node> <document-mode>" => SetDocumentMode(value: Expression, document_mode: DocumentMode),
            "Sets the mode of the document.";
        "let parser html-parser of <node> with allow-declarative-shadow-roots <truth>" one |it| parser_step(ParserEffect::NewParser(it.value(), it.value(), it.flag("declarative-shadow-roots"))),
            "Creates a parser for the document, and sets its flag `declarative-shadow-roots`.";
        "let fragment-context-element of parser <node>" => SetContext(value: Expression),
            "Sets the context element of the fragment.";
        "let scripting-mode of parser <scripting>" one |it| parser_step(ParserEffect::SetScripting(it.value(), it.flag("scripting"))),
            "Sets the flag `scripting` according to the scripting mode.";
        "let open <node>" => SetOpen(value: Expression),
            "Makes this element the only one on the stack of open elements.";
        "let root-insertion-target of parser <node>" => SetRootTarget(value: Expression),
            "Sets the node into which the fragment is parsed.";
        "let start-tag of <node> <token>" => SetStartTag(value: Expression, value: Expression),
            "Makes the token the start tag of the element, which determines whether it is an integration point.";
        "let input-stream <text>" => SetInput(value: Expression), "Sets the input of the parser.";
    }

    /// A change to a template or a shadow root.
    enum TemplateEffect by template_step {
        variants {
            /// Sets a part of the template's patch.
            SetPatch(PatchPart, Expression, Expression),
        }
        "attach shadow-root <node> <text> <truth> <truth> <text> <truth> registry" => AttachShadowRoot(boxed_values: Box<[Expression; 6]>),
            "Attaches a shadow root to the element. The values are its mode, whether it delegates focus, whether it is \
                serializable, its slot assignment, and whether it is clonable. Throws an exception if the element cannot \
                have one.";
        "let template-contents of <node> <node>" => SetContents(value: Expression, value: Expression),
            "Makes the second node the contents of the template.";
        "let declarative of <node> <truth>" => SetDeclarative(value: Expression, value: Expression),
            "Sets whether the shadow root was declared by markup.";
        "let insertion-target of <node> <node>" one |it| template_step(TemplateEffect::SetPatch(PatchPart::Target, it.value(), it.value())),
            "Sets the node that the template patches.";
        "let insertion-start-marker of <node> <node>" one |it| template_step(TemplateEffect::SetPatch(PatchPart::Start, it.value(), it.value())),
            "Sets the processing instruction that starts the patched range.";
        "let insertion-end-marker of <node> <node>" one |it| template_step(TemplateEffect::SetPatch(PatchPart::End, it.value(), it.value())),
            "Sets the processing instruction that ends the patched range.";
    }

    /// A change of the tree, the parser or a variable by a step.
    enum Effect by RunStep::Effect {
        variants {
            /// Decrements a variable.
            Decrement(VariableId),
            /// A change to the parser.
            Parser(ParserEffect),
            /// A change to a template or a shadow root.
            Template(TemplateEffect),
            /// A change to the token, or to the elements created for it.
            Token(TokenEffect),
            /// A change to the position in the bytes, or to values read from them.
            Bytes(ByteEffect),
            /// A change to serialized text.
            Writing(WritingEffect),
        }
        "error" => Error,
            "Reports a parse error at the token, with the code that the action names.";
        "pop" => Pop, "Pops the current node off the stack of open elements.";
        "pop-until <node>" => PopUntil(value: Expression), "Pops nodes until this one has been popped.";
        "push <node>" => Push(value: Expression), "Pushes the element onto the stack.";
        "remove <node> from open" => RemoveFromOpen(value: Expression), "Removes the element from the stack.";
        "replace <node> by <node> in open" => ReplaceInOpen(value: Expression, value: Expression),
            "Replaces the first element on the stack by the second.";
        "insert <node> in open below <node>" => InsertBelow(value: Expression, value: Expression),
            "Inserts the first element into the stack immediately below the second.";
        "add <node> to formatting" => AddToFormatting(value: Expression),
            "Appends the element to the list of active formatting elements, with its token.";
        "remove <node> from formatting" => RemoveFromFormatting(value: Expression),
            "Removes the element from the list of active formatting elements.";
        "remove <entry> from formatting" one |it| RunStep::Effect(Effect::RemoveFromFormatting(it.value())),
            "Removes the entry from the list of active formatting elements.";
        "remove earliest alike from formatting" => RemoveEarliestAlike,
            "Removes the earliest of the elements found alike from the list of active formatting elements.";
        "replace <node> by <node> in formatting" => ReplaceInFormatting(value: Expression, value: Expression),
            "Replaces the first element by the second in the list of active formatting elements; the entry keeps its token.";
        "replace <entry> by <node> in formatting" one |it| RunStep::Effect(Effect::ReplaceInFormatting(it.value(), it.value())),
            "Sets the element of the entry, which keeps its token.";
        "insert <node> in formatting at <bookmark>" => InsertAtBookmark(value: Expression, value: Expression),
            "Inserts the element into the list of active formatting elements at this position, with the token for which it was created.";
        "remove <node> from its parent" => Detach(value: Expression), "Removes the node from its parent.";
        "append children of <node> to <node>" => AppendChildren(value: Expression, value: Expression),
            "Appends the children of the first node to the second.";
        "append <text> to data of <node>" => AppendData(value: Expression, value: Expression),
            "Appends the string to the data of the node.";
        "append <node> to <node>" => Append(value: Expression, value: Expression),
            "Moves the first node to the end of the second.";
        "insert <node> in <node> before <node>" => Insert(value: Expression, value: Expression, value: Expression),
            "Inserts the first node into the second, before the third; at the end if the third is none.";
        "add token-attributes to <node>" => AddTokenAttributes(value: Expression),
            "Adds the attributes of the token to the element, except those with names that it already has.";
    }

    /// A change to a token, or to the elements created for it.
    enum TokenEffect by token_step {
        "end <node>" => End(value: Expression),
            "Ends the range of the element with the end tag. With `elements html`, an end tag ends at most one element, \
                which must have its name.";
        "add attribute <text> <text> <text> <text> to <node>" => AddAttribute(boxed_values: Box<[Expression; 5]>),
            "Adds an attribute to the element, unless it has one with that name. The strings are the attribute's prefix, \
                local name, namespace and value.";
    }

    "let place <new> before <new> <location>" => |it| RunStep::LetPlace(it.variable(), it.variable(), it.value()),
        "Sets the variables to the node that contains the location, and to the child that follows it.";
    "let tokenizer by <node>" => |it| RunStep::TakeFragment(FragmentRows::Tokenizer, it.value()),
        "Runs the steps on the tokenizer in the rows of `fragment` that match the element.";
    "let template-modes by <node>" => |it| RunStep::TakeFragment(FragmentRows::TemplateModes, it.value()),
        "Runs the steps that push template insertion modes in the rows of `fragment` that match the element.";
    "let pointers by <node>" => |it| RunStep::TakeFragment(FragmentRows::Pointers, it.value()),
        "Runs the steps that point pointers to elements in the rows of `fragment` that match the element.";
    "run parser until input is consumed" => |_| RunStep::RunParser,
        "Runs the parser to the end of its input; must be one of the outermost steps.";
    "let current <node>" => |it| RunStep::Return(Some(it.value())), "The current node is this one.";
    "let adjusted-current <node>" => |it| RunStep::Return(Some(it.value())), "The adjusted current node is this one.";
    "return match" => |_| RunStep::Return(Some(Expression::Truth(true))), "Ends the algorithm in a match state.";
    "return failure" => |_| RunStep::Return(Some(Expression::Truth(false))), "Ends the algorithm in a failure state.";
    "return <steps>" => |it| RunStep::ReturnSteps(it.steps()), "Ends the algorithm, and runs the `steps` of this name.";
    "take row of reset for <node> and <truth>" => |it| RunStep::TakeReset(it.value(), it.value()),
        "Runs the first row of `reset` that matches the element, and ends the algorithm; the second value is the result \
            of the condition `last`.";
}

phrases! {
    /// Values of tree construction, except those common to all algorithms, variables, literals, `<value> when
    /// <condition> otherwise <value>`, and calls of algorithms.
    VALUES: Expression;

    /// A part of a token.
    #[derive(Copy, Eq)]
    enum TokenPart by Expression::OfToken {
        "token-name": Text => TagName, "The tag name of the token.";
        "token-data": Text => CommentData, "The data of the comment token.";
        "given characters or token-character": Text => Characters,
            "The character that the action names, or that of the token.";
        "target of processing-instruction": Text => InstructionTarget, "The target of the token.";
        "data of processing-instruction": Text => InstructionData, "The data of the token.";
    }

    /// A value, as written in a step.
    enum Expression by identity, valued {
        variants {
            /// No value.
            None,
            /// A truth value.
            Truth(bool): Truth,
            /// A number.
            Number(u32): Number,
            /// A string.
            Text(String): Text,
            /// A scripting mode.
            Scripting(ScriptingMode): Scripting,
            /// A list of element types.
            Names(Vec<ElementName>): Names,
            /// The value of a variable.
            Variable(VariableId),
            /// A namespace.
            Namespace(Namespace): Text,
            /// A value that depends on a name as written in the input.
            Named(NamedValue),
            /// The node in this relation to the given one, if any.
            Relative(Relation, Box<Expression>): Node,
            /// A part of the token.
            OfToken(TokenPart): Text,
            /// A new node.
            New(Box<NewNode>): Node,
            /// The first value if the condition holds, the second otherwise.
            Chosen(Box<(Expression, Question, Expression)>),
            /// The result of an algorithm.
            Call(Call),
            /// A value read from bytes.
            Bytes(Box<ByteValue>),
            /// A value for serialization.
            Writing(Box<WritingValue>),
        }
        "disabled": Scripting one |_| Expression::Scripting(ScriptingMode::Disabled), "Scripting is disabled.";
        "inert": Scripting one |_| Expression::Scripting(ScriptingMode::Inert), "Scripts never run.";
        "html": Text one |_| Expression::Namespace(Namespace::Own), "The namespace of the table.";
        "current": Node => Current, "The current node; the document if no element is open.";
        "first of open": Node => FirstOfOpen, "The first element of the stack.";
        "last of open": Node => LastOfOpen, "The last element of the stack.";
        "fragment-context-element of parser": Node => FragmentContext, "The context element of a fragment.";
        "adjusted-current": Node => AdjustedCurrent, "The adjusted current node.";
        "start-tag with name and attributes of <node>": Token => StartTagOf(boxed: Box<Expression>),
            "A start tag with the name and the attributes of the element.";
        "value of attribute <name> of <token>": Text => Attribute(name: String, boxed: Box<Expression>),
            "The value of the attribute of the token.";
        "integer of attribute <name> of <node> or <count>": Number => Integer(name: String, boxed: Box<Expression>, count: u32),
            "The value of the element's attribute, by the rules for parsing non-negative integers; the last argument if it \
                is not a number.";
        "patch-name of <node>": Text => PatchName(boxed: Box<Expression>),
            "The value of the attribute in which the template names the place that it patches; empty without the \
                attribute.";
        "following <node> in <node>": Node => Following(boxed: Box<Expression>, boxed: Box<Expression>),
            "The node that follows the first in tree order, if it is in the second.";
        "last <elements> of open": Node => LastOpen(elements: Vec<ElementName>),
            "The last of these elements in the stack.";
        "last <elements> of open or none": Node one |it| Expression::LastOpen(it.elements()),
            "The last of these elements in the stack, if there is one.";
        "context": Node one |_| Expression::FragmentContext, "The context element of a fragment.";
        "xml-namespace": Text one |_| Expression::Text("http://www.w3.org/XML/1998/namespace".to_owned()),
            "The namespace to which the prefix `xml` is bound.";
        "xmlns-namespace": Text one |_| Expression::Text("http://www.w3.org/2000/xmlns/".to_owned()),
            "The namespace to which the prefix `xmlns` is bound.";
        "above <node> even-if-removed": Node one |it| relative(Relation::AboveEvenIfRemoved, it),
            "The element above the given one on the stack; for an element that was removed, the one that was above it then.";
        "above <node>": Node one |it| relative(Relation::Above, it), "The element above the given one on the stack.";
        "topmost special below <node>": Node one |it| relative(Relation::FurthestBlock, it),
            "The topmost element below the given one on the stack that is in the action's category.";
        "parent of <node>": Node one |it| relative(Relation::Parent, it), "The parent of the node.";
        "previous-sibling of <node>": Node one |it| relative(Relation::PreviousSibling, it),
            "The previous sibling of the node.";
        "next-sibling of <node>": Node one |it| relative(Relation::NextSibling, it), "The next sibling of the node.";
        "shadow-root of <node>": Node one |it| relative(Relation::ShadowRoot, it), "The shadow root of the element.";
        "host of <node>": Node one |it| relative(Relation::Host, it),
            "The element of which the node is the shadow root or the template contents.";
        "insertion-start-marker of <node>": Node one |it| relative(Relation::InsertionStartMarker, it),
            "The processing instruction that starts the patched range.";
        "first-child of <node>": Node one |it| relative(Relation::FirstChild, it), "The first child of the node.";
        "last-child of <node>": Node one |it| relative(Relation::LastChild, it), "The last child of the node.";
        "node-document of <node>": Node one |it| relative(Relation::NodeDocument, it), "The document of the node.";
        "template-contents of <node>": Node one |it| relative(Relation::TemplateContents, it),
            "The fragment with the contents of the template.";
        "insertion-target of <node>": Node one |it| relative(Relation::InsertionTarget, it),
            "The node that the template patches.";
        "insertion-end-marker of <node>": Node one |it| relative(Relation::InsertionEndMarker, it),
            "The node before which the template inserts content.";
        "root-insertion-target of parser": Node => RootInsertionTarget, "The node into which a fragment is parsed.";
        "last of formatting": Entry => LastEntry, "The last entry of the list of active formatting elements.";
        "before <entry> in formatting": Entry => EntryBefore(boxed: Box<Expression>), "The entry before the given one.";
        "after <entry> in formatting": Entry => EntryAfter(boxed: Box<Expression>), "The entry after the given one.";
        "last of formatting after last-marker and named <text>": Node => LastNamed(boxed: Box<Expression>),
            "The last element with this name after the last marker of the list of active formatting elements.";
        "place of <node> in formatting": Bookmark => PlaceOf(boxed: Box<Expression>), "The position of the element.";
        "after <node> in formatting": Bookmark => PlaceAfter(boxed: Box<Expression>), "The position after the element.";
        "place <node> before <node>": Location => Place(boxed: Box<Expression>, boxed: Box<Expression>),
            "The location in the first node before the second, or at the end of the first if the second is none.";
        "node of <location>": Node => TargetParent(boxed: Box<Expression>), "The node that contains the location.";
        "target-parent of <location>": Node one |it| Expression::TargetParent(it.boxed()),
            "The node that contains the location.";
        "token": Token => Token, "The token being processed.";
        "data of <node>": Text => Data(boxed: Box<Expression>),
            "The data of the text node, the comment or the processing instruction.";
    }

    /// A new node.
    enum NewNode by new_node {
        "document": Node => Document, "The document of the parser.";
        "document \"html\"": Node one |_| new_node(NewNode::Document),
            "The document of the parser, as an HTML document.";
        "document-fragment <node>": Node => Fragment(value: Expression), "A new fragment with this document.";
        "element <node> <text> <text> none none false custom-element-registry <node>": Node => Element(value: Expression, value: Expression, value: Expression),
            "A new element with this document, local name and namespace; the other arguments matter only to browsers.";
        "element <node> <text> <text> none is will-execute-script registry": Node one |it| new_node(NewNode::Element(it.value(), it.value(), it.value())),
            "A new element with this document, local name and namespace; the other arguments matter only to browsers.";
        "new-element <text> <text> <text>": Node => Prefixed(values: [Expression; 3]),
            "A new element with this prefix, local name and namespace.";
        "text-node <node> <text>": Node => Text(value: Expression, value: Expression),
            "A new text node with this document and data.";
        "comment-node <node> <text>": Node => Comment(value: Expression, value: Expression),
            "A new comment with this document and data.";
        "processing-instruction-node <node> <text> <text>": Node => Instruction(value: Expression, value: Expression, value: Expression),
            "A new processing instruction with this document, target and data.";
        "doctype <node> <text> <text> <text>": Node => Doctype(values: [Expression; 4]),
            "A new DOCTYPE with this document, name, public identifier and system identifier.";
        "clone of <node> with subtree": Node => Clone(value: Expression),
            "A copy of the node with its descendants, including template contents.";
        "create-like <node> inside <node>": Node => Like(value: Expression, value: Expression),
            "A new element for the token for which the first was created; the second is the intended parent.";
        "insert-like <entry>": Node => InsertedLike(value: Expression),
            "A new element for the token of the entry, inserted at the appropriate place.";
    }

    /// A value that depends on a name as written in the input, or a part of such a name.
    enum NamedValue by Expression::Named, valued {
        variants {
            /// A part of the DOCTYPE token; the given string if it is missing.
            OfDoctype(DoctypePart, Box<Expression>): Text,
        }
        "last of open named <text>": Node => LastOpen(boxed: Box<Expression>),
            "The last element of the stack with this name as written.";
        "prefix of <text>": Text => Prefix(boxed: Box<Expression>),
            "The part of the name before its first colon; empty without a colon.";
        "local-part of <text>": Text => LocalPart(boxed: Box<Expression>), "The name without its prefix.";
        "joined <text> <text>": Text => Joined(boxed: Box<Expression>, boxed: Box<Expression>),
            "The concatenation of the two strings.";
        "value of attribute named <text> of <token>": Text => Attribute(boxed: Box<Expression>, boxed: Box<Expression>),
            "The value of the token's attribute with this name as written.";
        "value of attribute named <text> of <node>": Text one |it| Expression::Named(NamedValue::Attribute(it.boxed(), it.boxed())),
            "The value of the element's attribute with this name as written.";
        "name of doctype or <text>": Text one |it| Expression::Named(NamedValue::OfDoctype(DoctypePart::Name, it.boxed())),
            "The name of the DOCTYPE token, or the string if it is missing.";
        "public-identifier of doctype or <text>": Text one |it| Expression::Named(NamedValue::OfDoctype(DoctypePart::PublicIdentifier, it.boxed())),
            "The public identifier of the DOCTYPE token, or the string if it is missing.";
        "system-identifier of doctype or <text>": Text one |it| Expression::Named(NamedValue::OfDoctype(DoctypePart::SystemIdentifier, it.boxed())),
            "The system identifier of the DOCTYPE token, or the string if it is missing.";
    }
}

phrases! {
    /// Conditions of tree construction, except those common to all algorithms, `<condition> and <condition> …`,
    /// `<condition> or <condition> …`, and pairs in such a list after `both` or `either`.
    QUESTIONS: Question;

    /// A condition on a token, or on elements created for it.
    enum TokenQuestion by Question::Token {
        "attributes are left-out" => IsShortened,
            "Attributes of the token were removed because an earlier one has their name.";
        "token is start-tag" => IsStartTag, "The token is a start tag.";
        "self-closing-flag is set" => IsSelfClosing, "The token is a tag whose self-closing flag is set.";
        "token is any end-tag" => IsAnyEndTag, "The token is an end tag, with a name or without.";
        "<node> is [not] named-like token" => HasTokenName(value: Expression),
            "The local name of the element in lowercase is the name of the token.";
        "<node> is [not] foreign" => IsForeign(value: Expression), "The element is not in the table's own namespace.";
        "<node> is [not] integration-point" => IsIntegrationPoint(value: Expression),
            "The element is an integration point.";
        "<token> has [no] attribute named <text>" => HasNamed(value: Expression, value: Expression),
            "The token has an attribute with this name as written.";
        "<node> has [no] attribute named <text>" one |it| Question::Token(TokenQuestion::HasNamed(it.value(), it.value())),
            "The element has an attribute with this name as written.";
        "<node> has [no] attribute <text> in <text>" => HasInNamespace(boxed_values: Box<[Expression; 3]>),
            "The element has an attribute with this local name in this namespace, and the namespace is not empty.";
        "<node> has [no] doctype-child" => HasDoctypeChild(value: Expression), "The node has a DOCTYPE as a child.";
    }

    /// A condition on a template, its token or a shadow root.
    enum TemplateQuestion by Question::Template {
        variants {
            /// The node is a processing instruction with this mark, and with this name if one is given.
            IsPatchMark(Expression, PatchMark, Option<Expression>),
        }
        "exception is thrown" => IsThrown, "The shadow root could not be attached.";
        "attribute <name> of <token> is <name>" => AttributeIs(name: String, value: Expression, name: String),
            "The value of the token's attribute is this keyword, ignoring ASCII case.";
        "<token> has [no] attribute <name>" => HasAttribute(value: Expression, name: String),
            "The token has an attribute of this name.";
        "<node> has [no] attribute <name>" one |it| Question::Template(TemplateQuestion::HasAttribute(it.value(), it.name())),
            "The element has an attribute of this name.";
        "<node> is [not] shadow-host" => IsShadowHost(value: Expression), "The element has a shadow root.";
        "<node> is [not] body of its document" => IsBody(value: Expression), "The element is the body of a document.";
        "<node> is [not] patch-marker named <text>" one |it| Question::Template(TemplateQuestion::IsPatchMark(it.value(), PatchMark::Place, Some(it.value()))),
            "The node is a processing instruction that marks the place with this name.";
        "<node> is [not] patch-start named <text>" one |it| Question::Template(TemplateQuestion::IsPatchMark(it.value(), PatchMark::Start, Some(it.value()))),
            "The node is a processing instruction that starts the place with this name.";
        "<node> is [not] patch-start" one |it| Question::Template(TemplateQuestion::IsPatchMark(it.value(), PatchMark::Start, None)),
            "The node is a processing instruction that starts a place.";
        "<node> is [not] patch-end" one |it| Question::Template(TemplateQuestion::IsPatchMark(it.value(), PatchMark::End, None)),
            "The node is a processing instruction that ends a place.";
    }

    /// A condition on the parser.
    enum ParserQuestion by Question::Parser {
        variants {
            /// The scripting mode is one of these.
            IsScripting(Expression, &'static [ScriptingMode]),
            /// Scripting is disabled for the document, which is that of the context element: its flag is not set.
            ScriptingIsDisabled(Expression, TreeFlagId),
            /// The document, which is that of the context element, is in this mode.
            IsInDocumentMode(Expression, DocumentMode),
        }
        "fragment" => IsFragment, "A fragment is being parsed.";
        "open has one element" => HasOneOpen, "Exactly one element is open.";
        "scripting of <node> is disabled" one |it| Question::Parser(ParserQuestion::ScriptingIsDisabled(it.value(), it.flag("scripting"))),
            "Scripting is disabled in the document: the host has not set the flag `scripting`.";
        "<scripting> is inert or fragment" one |it| Question::Parser(ParserQuestion::IsScripting(it.value(), &[ScriptingMode::Inert, ScriptingMode::Fragment])),
            "The scripting mode is inert or fragment.";
        "<node> is [not] in quirks" one |it| Question::Parser(ParserQuestion::IsInDocumentMode(it.value(), DocumentMode::Quirks)),
            "The document is in quirks mode.";
        "<node> is [not] in limited-quirks" one |it| Question::Parser(ParserQuestion::IsInDocumentMode(it.value(), DocumentMode::LimitedQuirks)),
            "The document is in limited-quirks mode.";
    }

    /// A condition of a step.
    enum Question by identity {
        variants {
            /// The other condition does not hold.
            Not(Box<Question>),
            /// All conditions hold.
            All(Vec<Question>),
            /// At least one condition holds.
            Any(Vec<Question>),
            /// Both nodes, numbers, strings or bytes are equal, or both values are missing.
            Same(Expression, Expression),
            /// The value is missing.
            IsNone(Expression),
            /// The value is true.
            IsTrue(Expression),
            /// The number is at least this.
            AtLeast(Expression, u32),
            /// The number is more than this.
            MoreThan(Expression, u32),
            /// The string is empty.
            IsEmpty(Expression),
            /// A condition on the parser.
            Parser(ParserQuestion),
            /// A condition on a template, its token or a shadow root.
            Template(TemplateQuestion),
            /// A condition on the token, or on what is created for it.
            Token(TokenQuestion),
            /// A condition on bytes.
            Bytes(ByteQuestion),
            /// A condition on what is serialized.
            Writing(WritingQuestion),
        }
        "formatting is [not] empty" => FormattingIsEmpty, "The list of active formatting elements has no entries.";
        "foster-parenting is [not] enabled" => IsFostering, "Foster parenting is enabled.";
        "<limit> in formatting after last-marker are alike <node>" => AreAlike(limit: u32, value: Expression),
            "After its last marker, the list of active formatting elements has at least as many elements like this one as the limit.";
        "pre-insert-validity of <node> <node> <node>" => IsValid(boxed_values: Box<[Expression; 3]>),
            "The first node can be inserted into the second before the third.";
        "<node> is [not] element" => IsAnyElement(value: Expression), "The node is an element.";
        "<entry> is [not] marker" => IsMarker(value: Expression), "The entry is a marker.";
        "<entry> is [not] in open" one |it| Question::IsOpen(it.value()), "The element of the entry is open.";
        "<entry> is [not] in <names>" one |it| Question::IsInNames(it.value(), it.value()),
            "The element of the entry is one of these.";
        "<entry> is [not] first of formatting" => IsFirst(value: Expression),
            "The entry is the first one of the list of active formatting elements.";
        "<node> is [not] in open" => IsOpen(value: Expression), "The element is open.";
        "<node> is [not] in formatting" => IsFormatting(value: Expression),
            "The element is in the list of active formatting elements.";
        "<node> is [not] last of formatting" => IsLast(value: Expression),
            "The last entry of the list of active formatting elements is for the element.";
        "<node> is [not] in scope" => IsInScope(value: Expression),
            "The element is in the scope that the action names.";
        "<node> is [not] in <names>" => IsInNames(value: Expression, value: Expression),
            "The node is one of these elements.";
        "<node> is [not] named <text>" => IsNamed(value: Expression, value: Expression),
            "The node is an element of the table's own namespace with this name.";
        "<node> is [not] fostered" => IsFostered(value: Expression),
            "The node is one of the elements whose contents `foster` moves.";
        "<node> is [not] implied" => IsImplied(value: Expression),
            "The node is one of the elements for which the action generates end tags.";
        "<node> is [not] document-node" => IsDocument(value: Expression), "The node is a document.";
        "<node> is [not] text-node" => IsText(value: Expression), "The node is a text node.";
        "<node> is [not] host-including-ancestor of <node>" => IsAncestor(value: Expression, value: Expression),
            "The first node is the second, an ancestor of it, or a host-including ancestor of the host of its root.";
        "<node> has [no] element-child" => HasElementChild(value: Expression), "The node has an element as a child.";
        "<node> is [not] <elements>" => IsElement(value: Expression, elements: Vec<ElementName>),
            "The node is one of the elements.";
        "<node> is [not] <node>" one |it| Question::Same(it.value(), it.value()), "The two nodes are one node.";
    }
}
