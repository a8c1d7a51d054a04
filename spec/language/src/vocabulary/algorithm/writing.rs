//! Phrases of algorithms that serialize trees, in addition to those of other algorithms on trees.

use super::{Phrase, Pieces};
use crate::model::tree::algorithm::{
    Effect, Expression, NamedValue, Question, RunStep, ShadowPart, ValueKind, WritingEffect,
    WritingQuestion, WrittenKind,
};
use crate::model::tree::{AttributeNamespace, Namespace};

fn effect(effect: WritingEffect) -> RunStep {
    RunStep::Effect(Effect::Writing(effect))
}

fn value(value: WritingValue) -> Expression {
    Expression::Writing(Box::new(value))
}

fn condition(question: WritingQuestion) -> Question {
    Question::Writing(question)
}

fn shadow_root_property(part: ShadowPart, it: &mut Pieces<'_>) -> Expression {
    value(WritingValue::OfShadow(part, it.value()))
}

fn in_namespace(it: &mut Pieces<'_>, namespace: AttributeNamespace) -> Question {
    condition(WritingQuestion::HasNamespace(it.value(), Some(namespace)))
}

fn is_kind(it: &mut Pieces<'_>, kind: WrittenKind) -> Question {
    condition(WritingQuestion::IsKind(it.value(), kind))
}

phrases! {
    /// All steps of serialization except those that contain others: `choose { … }` and `choose for <text> { … }`, in
    /// which the first `when` that holds applies, `for-each child of <node> in-tree-order { … }` and `for-each
    /// attribute of <node> { … }`.
    WRITING_STEPS: RunStep;
    "append <text>" => |it| effect(WritingEffect::Append(it.implicit_variable("s"), it.value())),
        "Appends the string to the variable `s`.";
    "replace <text> by <text>" => |it| effect(WritingEffect::Replace(it.implicit_variable("string"), it.value(), it.value())),
        "Replaces the first string by the second in the parameter of `escape`, which is its result when its steps end.";
    "void <local-names>" => |it| RunStep::Let(it.create_variable("void"), Expression::Names(it.elements())),
        "Declares the variable `void`, a list of void elements.";
}

phrases! {
    /// All values of serialization.
    WRITING_VALUES: Expression;

    /// A value for serialization.
    enum WritingValue by value, valued {
        variants {
            /// A property of the shadow root.
            OfShadow(ShadowPart, Expression),
        }
        "<text> then <text>": Text one |it| Expression::Named(NamedValue::Joined(it.boxed(), it.boxed())),
            "The concatenation of the two strings.";
        "current-node": Node one |it| Expression::Variable(it.implicit_variable("the-node")),
            "The node whose contents are serialized, unless `let` changes it.";
        "local-name of <node>": Text => LocalName(value: Expression), "The local name of the element.";
        "local-name of <attribute>": Text one |it| value(WritingValue::LocalName(it.value())),
            "The local name of the attribute.";
        "qualified-name of <node>": Text => QualifiedName(value: Expression),
            "The name of the element with its prefix.";
        "qualified-name of <attribute>": Text one |it| value(WritingValue::QualifiedName(it.value())),
            "The name of the attribute with its prefix.";
        "value of <attribute>": Text => ValueOf(value: Expression), "The value of the attribute.";
        "target of <node>": Text => Target(value: Expression), "The target of the processing instruction.";
        "name of <node>": Text => DoctypeName(value: Expression), "The name of the document type.";
        "mode of <node>": Text one |it| shadow_root_property(ShadowPart::Mode, it), "The mode of the shadow root.";
        "slot-assignment of <node>": Text one |it| shadow_root_property(ShadowPart::SlotAssignment, it),
            "The slot assignment of the shadow root.";
        "delegates-focus of <node>": Truth one |it| shadow_root_property(ShadowPart::DelegatesFocus, it),
            "Whether the shadow root delegates focus.";
        "serializable of <node>": Truth one |it| shadow_root_property(ShadowPart::IsSerializable, it),
            "Whether the shadow root is serializable.";
        "clonable of <node>": Truth one |it| shadow_root_property(ShadowPart::IsClonable, it),
            "Whether the shadow root is clonable.";
        "serialize <node> <truth> <nodes>": Text => Serialized(values: [Expression; 3]),
            "The result of `serialize` for the node, whether to include serializable shadow roots, and a list of other \
                shadow roots to include.";
        "escape <text> in attribute-mode": Text one |it| it.call("escape", |it| vec![it.value(), Expression::Truth(true)]),
            "The result of `escape` for the value of an attribute; use `escape <text>` for other strings.";
    }
}

phrases! {
    /// All conditions of serialization.
    WRITING_QUESTIONS: Question;
    "<node> serializes-as-void" => |it| Question::IsTrue(it.call("serializes-as-void", |it| vec![it.value()])),
        "The algorithm `serializes-as-void` ends in a match state for the element.";
    "<node> is void or <html-elements>" => |it| {
        let (node, void) = (it.value(), Expression::Variable(it.implicit_variable("void")));
        Question::Any(vec![Question::IsInNames(node.clone(), void), Question::IsElement(node, it.elements())])
    },
        "The element is in the list `void`, or is one of these.";
    "<node> is [not] <html-elements>" => |it| Question::IsElement(it.value(), it.elements()),
        "The node is one of the elements: `html \"style\" or html \"script\"`.";
    "<node> is [not] text" => |it| Question::IsText(it.value()), "The node is a text node.";
    "<node> is comment" => |it| is_kind(it, WrittenKind::Comment), "The node is a comment.";
    "<node> is processing-instruction" => |it| is_kind(it, WrittenKind::ProcessingInstruction),
        "The node is a processing instruction.";
    "<node> is document-type" => |it| is_kind(it, WrittenKind::DocumentType), "The node is a document type.";
    "namespace of <node> is html or mathml or svg" => |it| condition(WritingQuestion::IsInNamespace(it.value(), &[Namespace::Own, Namespace::Math, Namespace::Svg])),
        "The element is in one of the three namespaces.";
    "namespace of <attribute> is none" => |it| condition(WritingQuestion::HasNamespace(it.value(), None)),
        "The attribute is in no namespace.";
    "namespace of <attribute> is xml" => |it| in_namespace(it, AttributeNamespace::Xml),
        "The attribute is in the XML namespace.";
    "namespace of <attribute> is xmlns" => |it| in_namespace(it, AttributeNamespace::Xmlns),
        "The attribute is in the namespace of namespace declarations.";
    "namespace of <attribute> is xlink" => |it| in_namespace(it, AttributeNamespace::XLink),
        "The attribute is in the XLink namespace.";
    "mode is attribute" => |it| Question::IsTrue(Expression::Variable(it.implicit_variable("attribute-mode"))),
        "The parameter of `escape` is the value of an attribute.";
    "<truth> is [not] set" => |it| Question::IsTrue(it.value()), "The value is true.";
    "<nodes> contains <node>" => |it| condition(WritingQuestion::Contains(it.value(), it.value())),
        "The list contains the node.";
    "scripting is enabled for <node>" => |it| condition(WritingQuestion::ScriptingIsEnabled(it.flag("scripting"), it.value())),
        "The host has set the flag `scripting`, and the node is not in template contents, whose document has no \
            scripting.";
}
