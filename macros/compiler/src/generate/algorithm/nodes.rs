//! Compiles the algorithms that only query and change nodes of the tree, if the runtime does not implement their steps:
//! those that mirror selected options, and the one that finds the range that a template patches.

use super::templates::part_index;
use super::{Domain, Function, name};
use crate::generate::optional;
use crate::natives;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use tabulex_language::model::tree::Construction;
use tabulex_language::model::tree::algorithm::{
    Call, Effect, Expression, NamedValue, NewNode, PatchMark, PatchPart, Question, Relation,
    Routine, RunStep, TemplateEffect, ValueKind,
};

/// The algorithms that are compiled to functions over the nodes of a tree.
pub(crate) const ROUTINES: &[Routine] = &[
    Routine::NearestSelect,
    Routine::OptionIsSelected,
    Routine::EnabledSelectedContent,
    Routine::CloneOption,
    Routine::PrepareContentPatching,
];

/// The algorithms of [`ROUTINES`] that the runtime calls itself.
const ENTRY_ROUTINES: &[Routine] = &[Routine::CloneOption, Routine::PrepareContentPatching];

/// Generates an `Option` of the compiled function that the runtime calls for the algorithm; `None` if the runtime
/// implements its steps, or if the table does not have the algorithm.
pub(crate) fn entry_function(construction: &Construction, routine: Routine) -> TokenStream {
    match construction.routine(routine).filter(|_| !natives::is_native(construction, routine)) {
        Some(id) => {
            let function = format_ident!("run_{}", name(construction.algorithm(id)));
            quote! { Some(#function as rt::NodeSteps) }
        }
        None => quote! { None },
    }
}

/// Generates the functions of the algorithms on nodes alone, and the entry functions that the runtime calls; nothing if
/// the runtime implements them all.
pub(crate) fn functions(construction: &Construction, is_for_display: bool) -> TokenStream {
    let is_native = |routine: &&Routine| natives::is_native(construction, **routine);
    let entry_routines: Vec<_> =
        ENTRY_ROUTINES.iter().filter(|routine| !is_native(routine)).collect();
    if entry_routines.is_empty() {
        return TokenStream::new();
    }
    let functions = super::functions(construction, ROUTINES.iter().copied(), is_for_display);
    let entry_functions = entry_routines.into_iter().filter_map(|&routine| {
        let function = Function::new(construction, routine)?;
        let name = name(function.algorithm);
        let entry_name = format_ident!("run_{name}");
        // The first parameter is the node. Any other is the patching template, for which a default suffices, because
        // the template's properties are read from the range in `tree`.
        let count = function.algorithm.parameters.len();
        let arguments = (0..count).map(|at| match at {
            0 => quote! { Some(node) },
            _ => quote! { Default::default() },
        });
        let returned = match function.result_kind() {
            Some(ValueKind::Truth) => TokenStream::new(),
            _ => quote! { ; None },
        };
        Some(quote! {
            fn #entry_name(tree: &mut rt::StepsTree<'_>, node: rt::NodeId) -> Option<bool> {
                #name(tree, #(#arguments),*) #returned
            }
        })
    });
    quote! { #functions #(#entry_functions)* }
}

impl Function<'_> {
    pub(super) fn is_about_nodes(&self) -> bool {
        self.domain == Domain::Nodes
    }

    /// Whether the value is the parameter that holds the patching template.
    pub(super) fn is_template(&self, value: &Expression) -> bool {
        let second = self.algorithm.parameters.get(1);
        self.routine == Routine::PrepareContentPatching
            && second.is_some_and(|second| *value == Expression::Variable(second.variable))
    }

    /// Generates the function of an algorithm that changes or serializes nodes.
    pub(super) fn node_function(&mut self) -> TokenStream {
        let name = name(self.algorithm);
        let return_type = match self.routine {
            Routine::Serialize => Some(quote! { rt::Pieces }),
            _ => self.result_kind().map(|kind| self.type_of(kind)),
        };
        let return_type = return_type.map(|of| quote! { -> #of });
        let (parameters, variables) = self.declare_variables();
        if self.routine == Routine::PrepareContentPatching {
            self.require_range();
        }
        let steps = self.steps(&self.algorithm.steps);
        let signature = if self.is_writer() {
            quote! { fn #name<'t>(writer: &mut rt::StepsWriter<'_, 't>, #(#parameters),*) }
        } else {
            quote! { fn #name(tree: &mut rt::StepsTree<'_>, #(#parameters),*) }
        };
        quote! {
            #signature #return_type {
                #(#variables)*
                #steps
                Default::default()
            }
        }
    }

    /// Refuses steps unless they set both the parent and the start of the range, without which nothing can be patched.
    fn require_range(&mut self) {
        let sets = |expected: PatchPart| {
            self.algorithm.steps.iter().any(|step| {
                matches!(
                    step,
                    RunStep::Effect(Effect::Template(TemplateEffect::SetPatch(part, _, value)))
                        if *part == expected && *value != Expression::None
                )
            })
        };
        if !sets(PatchPart::Target) || !sets(PatchPart::Start) {
            self.unsupported("a range without a parent or a start");
        }
    }

    /// Generates a change of the range that the template patches.
    pub(super) fn range_effect(&mut self, effect: &TemplateEffect) -> TokenStream {
        match effect {
            TemplateEffect::SetPatch(part, template, value) if self.is_template(template) => {
                let index = part_index(*part);
                let value = self.value(value, ValueKind::Node);
                quote! { let node = #value; tree.set_range(#index, node); }
            }
            _ => self.unsupported(effect),
        }
    }

    /// Generates a test of whether a node is a processing instruction that marks a range.
    pub(super) fn is_range_mark(
        &mut self,
        node: &Expression,
        mark: PatchMark,
        name: Option<&Expression>,
    ) -> TokenStream {
        let node = self.value(node, ValueKind::Node);
        let name = optional(name.map(|name| self.value(name, ValueKind::Text)));
        let mark = match mark {
            PatchMark::Place => quote! { Place },
            PatchMark::Start => quote! { Start },
            PatchMark::End => quote! { End },
        };
        quote! {
            { let (node, name) = (#node, #name); tree.is_range_mark(node, rt::RangeMark::#mark, name) }
        }
    }
}

/// Code of steps that query and change nodes, in algorithms that change nodes and in those that serialize them.
impl Function<'_> {
    /// Whether the algorithm changes or serializes nodes without a tree builder.
    pub(super) fn is_on_nodes_alone(&self) -> bool {
        matches!(self.domain, Domain::Nodes | Domain::Writer)
    }

    /// Generates the variable on which nodes are queried.
    pub(super) fn receiver(&self) -> TokenStream {
        match self.domain {
            Domain::Writer => quote! { writer },
            Domain::Nodes => quote! { tree },
            Domain::Tree | Domain::Bytes => quote! { builder },
        }
    }

    /// Returns the kind of the value that the algorithm returns, if there is one.
    pub(super) fn result_kind(&self) -> Option<ValueKind> {
        let mut returned = RunStep::all(&self.algorithm.steps).into_iter().filter_map(|step| {
            if let RunStep::Return(Some(value)) = step { self.kind(value) } else { None }
        });
        self.algorithm.returns.or_else(|| returned.next())
    }

    /// Generates a step of an algorithm without a tree builder; `step` generates the steps that all algorithms share.
    pub(super) fn node_step(&mut self, step: &RunStep) -> TokenStream {
        match step {
            RunStep::Return(None) => quote! { return Default::default(); },
            RunStep::Return(Some(value)) if self.routine == Routine::Serialize => {
                self.return_pieces(value)
            }
            RunStep::Return(Some(value)) => {
                let kind = self.kind(value);
                let returned = self.result_kind().filter(|_| kind == self.result_kind());
                let value = returned.map_or_else(
                    || quote! { Default::default() },
                    |returned| self.value(value, returned),
                );
                quote! { return #value; }
            }
            _ if self.is_writer() => self.writer_step(step),
            RunStep::Run(call) => {
                let returned = self.kind(&Expression::Call(call.clone()));
                let code = self.node_call(call);
                // If the last step is a call that returns a value of the algorithm's kind, this value is the
                // algorithm's result.
                let is_last = self.algorithm.steps.last() == Some(step);
                if is_last && returned.is_some() && returned == self.result_kind() {
                    return quote! { return #code; };
                }
                quote! { #code; }
            }
            RunStep::Effect(effect) => self.node_effect(effect),
            _ => self.unsupported(step),
        }
    }

    /// Generates code that counts a round of a loop, and ends the algorithm after too many rounds.
    pub(super) fn count_node_round(&self) -> TokenStream {
        let receiver = self.receiver();
        quote! { if !#receiver.count_round() { return Default::default(); } }
    }

    /// Generates the call of another algorithm.
    fn node_call(&mut self, call: &Call) -> TokenStream {
        let callee = self.construction.algorithm(call.algorithm);
        let values: Vec<_> = self.arguments(call).into_iter().map(|(_, value)| value).collect();
        let names: Vec<_> = (0..values.len()).map(|i| format_ident!("argument_{i}")).collect();
        let (name, receiver) = (name(callee), self.receiver());
        quote! { { #(let #names = #values;)* #name(#receiver, #(#names),*) } }
    }

    pub(super) fn node_value(&mut self, value: &Expression) -> TokenStream {
        let receiver = self.receiver();
        match value {
            Expression::Names(of) => super::serialize::names(of),
            Expression::Writing(value) if self.is_writer() => self.writing_value(value),
            Expression::Integer(name, node, otherwise) if self.is_about_nodes() => {
                let node = self.value(node, ValueKind::Node);
                quote! { { let node = #node; tree.integer(node, #name).unwrap_or(#otherwise) } }
            }
            Expression::PatchName(template) if self.is_template(template) => {
                quote! { tree.range_name() }
            }
            Expression::Variable(variable) if self.is_pieces(*variable) => self.unsupported(value),
            Expression::FragmentContext => quote! { Default::default() },
            Expression::Text(text) => quote! { Some(::std::string::String::from(#text)) },
            Expression::Variable(variable) => {
                let name = self.variable(*variable);
                quote! { #name.clone() }
            }
            Expression::Call(call) => self.node_call(call),
            Expression::Following(node, root) if self.is_about_nodes() => {
                let (node, root) =
                    (self.value(node, ValueKind::Node), self.value(root, ValueKind::Node));
                quote! { { let (node, root) = (#node, #root); #receiver.following(node, root) } }
            }
            Expression::Relative(relation, node) => self.node_relative(*relation, node),
            Expression::Data(node) => self.text_of_node(quote! { it.data() }, node),
            Expression::New(new) if self.is_about_nodes() => {
                let NewNode::Clone(node) = &**new else { return self.unsupported(new) };
                self.call_on_element("clone_with_subtree", node)
            }
            Expression::Named(named) => self.named_text(named),
            _ => self.unsupported(value),
        }
    }

    fn node_relative(&mut self, relation: Relation, node: &Expression) -> TokenStream {
        let receiver = self.receiver();
        let query = match relation {
            Relation::Parent => quote! { it.parent() },
            Relation::PreviousSibling => quote! { it.previous_sibling() },
            Relation::NextSibling => quote! { it.next_sibling() },
            Relation::FirstChild => quote! { it.first_child() },
            Relation::LastChild => quote! { it.last_child() },
            Relation::TemplateContents if self.is_writer() => quote! { it.template_contents() },
            Relation::ShadowRoot if self.is_writer() => quote! { it.shadow_root() },
            Relation::Host if self.is_writer() => quote! { it.host() },
            Relation::NodeDocument if !self.is_writer() => {
                let node = self.value(node, ValueKind::Node);
                return quote! { { let node = #node; node.and(#receiver.document()) } };
            }
            _ => return self.unsupported(relation),
        };
        let finds_child = matches!(relation, Relation::FirstChild | Relation::LastChild);
        let method = if finds_child && self.is_writer() { "child_of" } else { "node_of" };
        self.query_node(method, query, node)
    }

    /// Generates a text derived from other texts: a part of a name, or a concatenation.
    pub(super) fn named_text(&mut self, named: &NamedValue) -> TokenStream {
        match named {
            NamedValue::Prefix(name) | NamedValue::LocalPart(name) => {
                let part = usize::from(matches!(named, NamedValue::LocalPart(_)));
                let name = self.value(name, ValueKind::Text);
                quote! { { let [prefix, local] = rt::split_name(#name); [prefix, local][#part].take() } }
            }
            NamedValue::Joined(one, other) => {
                let (one, other) =
                    (self.value(one, ValueKind::Text), self.value(other, ValueKind::Text));
                quote! { Some([#one, #other].map(Option::unwrap_or_default).concat()) }
            }
            _ => self.unsupported(named),
        }
    }

    pub(super) fn node_question(&mut self, question: &Question) -> TokenStream {
        let receiver = self.receiver();
        match question {
            Question::IsNamed(..) | Question::IsAncestor(..) | Question::HasElementChild(_)
                if self.is_writer() =>
            {
                self.unsupported(question)
            }
            Question::Writing(question) if !self.is_writer() => self.unsupported(question),
            Question::Writing(question) => self.writing_question(question),
            Question::Template(question) => self.node_template_question(question),
            Question::Same(one, other) => match (self.kind(one), self.kind(other)) {
                (Some(kind @ (ValueKind::Node | ValueKind::Text | ValueKind::Number)), found)
                    if found == Some(kind) || *other == Expression::None =>
                {
                    let (one, other) = (self.value(one, kind), self.value(other, kind));
                    quote! { { let (one, other) = (#one, #other); one == other } }
                }
                _ => self.unsupported(question),
            },
            Question::IsEmpty(text) => {
                let text = self.value(text, ValueKind::Text);
                quote! { { let text = #text; text.is_none_or(|text| text.is_empty()) } }
            }
            Question::IsElement(node, of) => {
                let (node, of) = (self.value(node, ValueKind::Node), super::serialize::names(of));
                quote! { { let node = #node; #receiver.is_one_of(node, #of) } }
            }
            Question::IsInNames(node, of) => {
                let (node, of) =
                    (self.value(node, ValueKind::Node), self.value(of, ValueKind::Names));
                quote! { { let (node, names) = (#node, #of); #receiver.is_one_of(node, names) } }
            }
            Question::IsNamed(node, text) => {
                let (node, text) =
                    (self.value(node, ValueKind::Node), self.value(text, ValueKind::Text));
                quote! { { let (node, text) = (#node, #text); #receiver.is_named(node, text) } }
            }
            Question::IsAncestor(one, other) => {
                let (one, other) =
                    (self.value(one, ValueKind::Node), self.value(other, ValueKind::Node));
                quote! { { let (one, other) = (#one, #other); #receiver.is_ancestor(one, other) } }
            }
            Question::IsAnyElement(node) => self.test_node(quote! { it.is_element() }, node),
            Question::IsDocument(node) => {
                self.test_node(quote! { it.kind() == rt::NodeKind::Document }, node)
            }
            Question::IsText(node) => self.test_node(quote! { it.is_text() }, node),
            Question::HasElementChild(node) => {
                self.test_node(quote! { it.child_elements().next().is_some() }, node)
            }
            _ => self.unsupported(question),
        }
    }

    /// Generates a call of a method with a node, and a query of the node `it` for another node, as its arguments.
    pub(super) fn query_node(
        &mut self,
        method: &str,
        query: TokenStream,
        node: &Expression,
    ) -> TokenStream {
        let (method, receiver) = (format_ident!("{method}"), self.receiver());
        self.with_element(node, &quote! { #receiver.#method(node, |it| #query) })
    }

    /// Generates a test of the node `it`; false if there is no node.
    pub(super) fn test_node(&mut self, test: TokenStream, node: &Expression) -> TokenStream {
        let receiver = self.receiver();
        self.with_element(node, &quote! { #receiver.node_ref(node).is_some_and(|it| #test) })
    }

    /// Generates a query of the node `it` for a text; no text if there is no node.
    pub(super) fn text_of_node(&mut self, query: TokenStream, node: &Expression) -> TokenStream {
        let receiver = self.receiver();
        let text = quote! { #receiver.node_ref(node).and_then(|it| #query) };
        self.with_element(node, &quote! { #text.map(|text| text.to_string()) })
    }

    fn node_effect(&mut self, effect: &Effect) -> TokenStream {
        let mut call = |method: &str, nodes: &[&Expression]| {
            let method = format_ident!("{method}");
            let names: Vec<_> = (0..nodes.len()).map(|i| format_ident!("node_{i}")).collect();
            let nodes = nodes.iter().map(|node| self.value(node, ValueKind::Node));
            quote! { #(let #names = #nodes;)* tree.#method(#(#names),*); }
        };
        match effect {
            Effect::Template(effect) => self.range_effect(effect),
            Effect::Detach(node) => call("detach", &[node]),
            Effect::Append(node, parent) => call("insert", &[node, parent, &Expression::None]),
            Effect::Insert(node, parent, before) => call("insert", &[node, parent, before]),
            Effect::AppendChildren(node, parent) => call("append_children", &[node, parent]),
            _ => self.unsupported(effect),
        }
    }
}
