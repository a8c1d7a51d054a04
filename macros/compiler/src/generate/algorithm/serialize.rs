//! Compiles the algorithms that serialize trees, if the runtime does not implement them for their steps. The generated
//! functions do not recurse: the text that a step writes for another node is a piece that is computed later.

use super::{Domain, Function, name};
use crate::generate::tree::namespace;
use crate::natives;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::tree::algorithm::{
    Effect, Expression, MemberKind, Question, Routine, RunStep, ShadowPart, TemplateEffect,
    TemplateQuestion, ValueKind, VariableId, WritingEffect, WritingQuestion, WritingValue,
    WrittenKind,
};
use tabulex_language::model::tree::{AttributeNamespace, Construction, ElementName};
use tabulex_language::vocabulary::algorithm::WRITING_ROUTINES;

/// Whether the serializer is compiled from the table's steps.
pub(crate) fn is_compiled(construction: &Construction) -> bool {
    construction.routine(Routine::Serialize).is_some()
        && !natives::is_native(construction, Routine::Serialize)
}

/// Generates the functions of the serializing algorithms, and the entry function that the runtime calls; nothing if the
/// runtime implements their steps.
pub(crate) fn functions(construction: &Construction, is_for_display: bool) -> TokenStream {
    let Some(id) = construction.routine(Routine::Serialize).filter(|_| is_compiled(construction))
    else {
        return TokenStream::new();
    };
    let routines = WRITING_ROUTINES.iter().map(|(_, routine)| *routine);
    let functions = super::functions(construction, routines, is_for_display);
    let algorithm = construction.algorithm(id);
    let arguments = algorithm.parameters.iter().map(|parameter| {
        match algorithm.variables[usize::from(parameter.variable.0)].kind {
            ValueKind::Node => quote! { Some(node) },
            ValueKind::Truth => quote! { serializable },
            ValueKind::Nodes => quote! { listed },
            _ => quote! { Default::default() },
        }
    });
    let name = name(algorithm);
    quote! {
        #functions
        fn serialize_steps<'t>(
            writer: &mut rt::StepsWriter<'_, 't>,
            node: rt::WrittenNode<'t>,
            serializable: Option<bool>,
            listed: bool,
        ) -> rt::Pieces {
            #name(writer, #(#arguments),*)
        }
    }
}

/// Generates a list of element names.
pub(super) fn names(elements: &[ElementName]) -> TokenStream {
    let names = elements.iter().map(|name| {
        let (namespace, local) = (namespace(name.namespace), &name.local);
        quote! { (#namespace, #local) }
    });
    quote! { { const NAMES: &[(rt::Namespace, &str)] = &[#(#names),*]; NAMES } }
}

impl Function<'_> {
    pub(super) fn is_writer(&self) -> bool {
        self.domain == Domain::Writer
    }

    /// Whether the variable is a text to which pieces are appended.
    pub(super) fn is_pieces(&self, variable: VariableId) -> bool {
        let appends = |step: &RunStep| matches!(step, RunStep::Effect(Effect::Writing(WritingEffect::Append(to, _))) if *to == variable);
        self.is_writer()
            && self.routine == Routine::Serialize
            && RunStep::all(&self.algorithm.steps).into_iter().any(appends)
    }

    /// Generates the Rust type of variables of the kind `kind`.
    pub(super) fn writer_type(&self, kind: ValueKind) -> TokenStream {
        match kind {
            ValueKind::Node => quote! { Option<rt::WrittenNode<'t>> },
            ValueKind::Attribute => quote! { Option<rt::AttributeRef<'t>> },
            ValueKind::Nodes => quote! { bool },
            ValueKind::Names => quote! { &'static [(rt::Namespace, &'static str)] },
            ValueKind::Text => quote! { Option<::std::string::String> },
            ValueKind::Truth => quote! { Option<bool> },
            ValueKind::Number => quote! { u32 },
            _ => self.unsupported(kind),
        }
    }

    /// Generates the end of the algorithm that serializes nodes.
    pub(super) fn return_pieces(&mut self, value: &Expression) -> TokenStream {
        match value {
            Expression::Variable(variable) if self.is_pieces(*variable) => {
                let name = self.variable(*variable);
                quote! { return #name; }
            }
            value if self.kind(value) == Some(ValueKind::Text) => {
                let value = self.value(value, ValueKind::Text);
                quote! { return rt::Pieces::from(#value); }
            }
            _ => quote! { return Default::default(); },
        }
    }

    /// Generates a step of a serializing algorithm; `step` and `node_step` generate the steps that others share.
    pub(super) fn writer_step(&mut self, step: &RunStep) -> TokenStream {
        match step {
            RunStep::ForEach(variable, members, node, steps) => {
                let variable = self.variable(*variable);
                let method = match members {
                    MemberKind::Children => quote! { children },
                    MemberKind::Attributes => quote! { attributes },
                };
                let node = self.value(node, ValueKind::Node);
                let (label, steps) = self.loop_body(steps);
                quote! {
                    let node = #node;
                    #label: for member in writer.#method(node) {
                        #variable = Some(member);
                        #steps
                    }
                }
            }
            RunStep::Effect(Effect::Writing(WritingEffect::Append(to, text))) => {
                self.append(*to, text)
            }
            RunStep::Effect(Effect::Writing(WritingEffect::Replace(of, from, to))) => {
                if self.is_pieces(*of) {
                    return self.unsupported(step);
                }
                let name = self.variable(*of);
                let (from, to) =
                    (self.value(from, ValueKind::Text), self.value(to, ValueKind::Text));
                quote! {
                    let (from, to) = ((#from).unwrap_or_default(), (#to).unwrap_or_default());
                    #name = #name.map(|text| text.replace(&from, &to));
                }
            }
            _ => self.unsupported(step),
        }
    }

    fn append(&mut self, to: VariableId, text: &Expression) -> TokenStream {
        let name = self.variable(to);
        if !self.is_pieces(to) {
            let text = self.value(text, ValueKind::Text);
            return quote! {
                let more = (#text).unwrap_or_default();
                #name = #name.map(|text| text + &more);
            };
        }
        if let Expression::Writing(value) = text
            && let WritingValue::Serialized([node, serializable, listed]) = &**value
        {
            let node = self.value(node, ValueKind::Node);
            let serializable = self.value(serializable, ValueKind::Truth);
            let listed = self.value(listed, ValueKind::Nodes);
            return quote! {
                let (node, serializable, listed) = (#node, #serializable, #listed);
                #name.push_result(writer.write_later(node, serializable, listed));
            };
        }
        let text = self.value(text, ValueKind::Text);
        quote! { let text = #text; #name.push(text); }
    }

    pub(super) fn writing_value(&mut self, value: &WritingValue) -> TokenStream {
        let (query, operand) = match value {
            WritingValue::LocalName(operand) => (quote! { it.local_name() }, operand),
            WritingValue::QualifiedName(operand) => (quote! { it.name() }, operand),
            WritingValue::DoctypeName(operand) => {
                (quote! { it.doctype().map(|doctype| doctype.name) }, operand)
            }
            WritingValue::Target(operand) => (quote! { it.target() }, operand),
            WritingValue::OfShadow(ShadowPart::Mode, operand) => {
                (quote! { it.host()?.shadow_root_mode().map(|mode| mode.as_str()) }, operand)
            }
            WritingValue::OfShadow(part, root) => return self.shadow_property(*part, root),
            WritingValue::ValueOf(attribute) => {
                let attribute = self.value(attribute, ValueKind::Attribute);
                return quote! { (#attribute).map(|it| it.value().to_owned()) };
            }
            WritingValue::Serialized(_) => return self.unsupported(value),
        };
        if self.kind(operand) == Some(ValueKind::Attribute) {
            let attribute = self.value(operand, ValueKind::Attribute);
            return match value {
                WritingValue::LocalName(_) => {
                    quote! { (#attribute).map(|it| it.name().local().to_owned()) }
                }
                _ => quote! { (#attribute).map(|it| it.name().to_string()) },
            };
        }
        self.text_of_node(query, operand)
    }

    /// Generates the value of a property of a shadow root, which is read from an attribute of the template that
    /// declared the root. The algorithm that attaches shadow roots determines which attribute.
    fn shadow_property(&mut self, part: ShadowPart, root: &Expression) -> TokenStream {
        let Some(attribute) = shadow_attribute(self.construction, part) else {
            return self.unsupported(part);
        };
        let (name, value) = attribute;
        let root = self.value(root, ValueKind::Node);
        match value {
            None => {
                quote! { { let root = #root; Some(writer.is_declared_with(root, #name, None)) } }
            }
            Some((wanted, otherwise)) => quote! {
                {
                    let root = #root;
                    let is_declared = writer.is_declared_with(root, #name, Some(#wanted));
                    Some(::std::string::String::from(if is_declared { #wanted } else { #otherwise }))
                }
            },
        }
    }

    pub(super) fn writing_question(&mut self, question: &WritingQuestion) -> TokenStream {
        match question {
            WritingQuestion::IsKind(node, kind) => {
                let kind = match kind {
                    WrittenKind::Comment => quote! { Comment },
                    WrittenKind::ProcessingInstruction => quote! { ProcessingInstruction },
                    WrittenKind::DocumentType => quote! { Doctype },
                };
                self.test_node(quote! { it.kind() == rt::NodeKind::#kind }, node)
            }
            WritingQuestion::IsInNamespace(node, of) => {
                let of = of.iter().map(|&one| namespace(one));
                self.test_node(
                    quote! { it.namespace().is_some_and(|one| [#(#of),*].contains(&one)) },
                    node,
                )
            }
            WritingQuestion::HasNamespace(attribute, namespace) => {
                let attribute = self.value(attribute, ValueKind::Attribute);
                let namespace = match namespace {
                    None => quote! { NONE },
                    Some(AttributeNamespace::XLink) => quote! { XLINK },
                    Some(AttributeNamespace::Xml) => quote! { XML },
                    Some(AttributeNamespace::Xmlns) => quote! { XMLNS },
                };
                quote! {
                    (#attribute).is_some_and(|it| it.name().namespace() == rt::Namespace::#namespace)
                }
            }
            WritingQuestion::Contains(listed, node) => {
                let (listed, node) =
                    (self.value(listed, ValueKind::Nodes), self.value(node, ValueKind::Node));
                quote! { { let (listed, node) = (#listed, #node); listed && writer.is_given_root(node) } }
            }
            WritingQuestion::ScriptingIsEnabled(_, node) => {
                self.call_on_element("is_scripting", node)
            }
        }
    }

    pub(super) fn node_template_question(&mut self, question: &TemplateQuestion) -> TokenStream {
        match question {
            TemplateQuestion::HasAttribute(node, name)
                if self.kind(node) == Some(ValueKind::Node) =>
            {
                self.test_node(quote! { it.attribute(#name).is_some() }, node)
            }
            TemplateQuestion::IsPatchMark(node, mark, name) if self.is_about_nodes() => {
                self.is_range_mark(node, *mark, name.as_ref())
            }
            TemplateQuestion::IsShadowHost(node) if self.is_writer() => {
                self.test_node(quote! { it.shadow_root().is_some() }, node)
            }
            _ => self.unsupported(question),
        }
    }
}

/// The attribute that declares a property of a shadow root. For a property with keywords as values, also the keyword
/// for which the attribute is tested, and the value of the property if the attribute does not have this keyword.
type ShadowAttribute = (String, Option<(String, String)>);

/// Returns the attribute from which the algorithm that attaches shadow roots takes the property, if there is one.
fn shadow_attribute(construction: &Construction, part: ShadowPart) -> Option<ShadowAttribute> {
    let attachment = construction.algorithm(construction.routine(Routine::AttachShadowRoot)?);
    let (mut parts, mut values, mut keyword) = (None, Vec::new(), None);
    RunStep::all(&attachment.steps).into_iter().for_each(|step| match step {
        RunStep::Effect(Effect::Template(TemplateEffect::AttachShadowRoot(all))) => {
            parts = Some(all);
        }
        RunStep::Let(variable, value) => values.push((*variable, value)),
        RunStep::When { condition, then, .. } => {
            if let Question::Template(TemplateQuestion::AttributeIs(name, _, value)) = condition
                && let [RunStep::Let(variable, _)] = &then[..]
            {
                keyword = Some((*variable, name.clone(), value.clone()));
            }
        }
        _ => {}
    });
    let [_, _, delegates, serializable, slots, clonable] = &**parts?;
    let variable = |value: &Expression| {
        if let Expression::Variable(variable) = value { Some(*variable) } else { None }
    };
    let flag = |value: &Expression| {
        let variable = variable(value)?;
        let (_, value) = values.iter().find(|(other, _)| *other == variable)?;
        let Expression::Chosen(chosen) = value else { return None };
        match &**chosen {
            (
                Expression::Truth(true),
                Question::Template(TemplateQuestion::HasAttribute(_, name)),
                Expression::Truth(false),
            ) => Some((name.clone(), None)),
            _ => None,
        }
    };
    match part {
        ShadowPart::Mode => None,
        ShadowPart::DelegatesFocus => flag(delegates),
        ShadowPart::IsSerializable => flag(serializable),
        ShadowPart::IsClonable => flag(clonable),
        ShadowPart::SlotAssignment => {
            let variable = variable(slots)?;
            let (other, name, expected) = keyword?;
            let (_, Expression::Text(otherwise)) =
                values.iter().find(|(other, _)| *other == variable)?
            else {
                return None;
            };
            (other == variable).then(|| (name, Some((expected, otherwise.clone()))))
        }
    }
}
