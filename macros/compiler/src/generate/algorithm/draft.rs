//! Compiles algorithms of tables without the rules of HTML. If the runtime does not implement one of them for its steps,
//! all of them are compiled, and build a draft of the tree, of which steps can query and change any node.

use super::{Domain, Function, for_each_step, name};
use crate::generate::names::{steps_label, variant};
use crate::print;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use tabulex_language::model::token_steps::DoctypePart;
use tabulex_language::model::tree::algorithm::{
    Call, Effect, Expression, Kind, NamedValue, NewNode, Question, Relation, Routine, RowsOf,
    RunStep, Side, TokenEffect, TokenPart, TokenQuestion, VariableId,
};
use tabulex_language::model::tree::{Construction, ElementName, Namespace};
use tabulex_language::vocabulary::algorithm::routine_of;

/// Generates the functions of all algorithms.
pub(crate) fn functions(
    machine: &Ident,
    construction: &Construction,
    error: &dyn Fn(tabulex_language::model::ErrorId) -> TokenStream,
    printed: bool,
) -> TokenStream {
    let names = construction.algorithms.iter().map(|algorithm| &algorithm.name);
    let routines = names.filter_map(|name| routine_of(construction.elements, name));
    let functions = routines.filter_map(|routine| {
        let id = construction.routine(routine)?;
        let domain = Domain::Draft { machine, error };
        Function::new(construction, id, domain)?.of_draft(printed).ok()
    });
    quote! { #(#functions)* }
}

/// Generates the call of an algorithm by a row for its token. `given` are arguments of the action; `arguments` are those
/// of the algorithm, if it has parameters.
pub(crate) fn entry(
    construction: &Construction,
    routine: Routine,
    given: &TokenStream,
    arguments: &[TokenStream],
) -> TokenStream {
    let Some(id) = construction.routine(routine) else { return quote! { () } };
    let algorithm = construction.algorithm(id);
    let (machine, error) = (format_ident!("Machine"), |_| TokenStream::new());
    let domain = Domain::Draft { machine: &machine, error: &error };
    let Some(mut function) = Function::new(construction, id, domain) else {
        return TokenStream::new();
    };
    let values: Vec<_> = algorithm
        .parameters
        .iter()
        .enumerate()
        .map(|(at, parameter)| match (arguments.get(at), &parameter.default) {
            (Some(argument), _) => argument.clone(),
            (None, Some(default)) => function.value(default, function.kind_of(parameter.variable)),
            (None, None) => quote! { Default::default() },
        })
        .collect();
    let names: Vec<_> = (0..values.len()).map(|at| format_ident!("argument_{at}")).collect();
    let name = name(algorithm);
    quote! {
        {
            let tag = builder.draft().tag();
            #(let #names = #values;)*
            #name(builder, &rt::Invocation { #given ..rt::Invocation::new(token) }, tag, #(#names),*)
        }
    }
}

/// Generates the node that an algorithm without arguments returns; `None` if its steps return something else.
pub(crate) fn node_of(construction: &Construction, routine: Routine) -> TokenStream {
    let call = entry(construction, routine, &TokenStream::new(), &[]);
    match returned(construction, routine) {
        Some(Kind::Node) => quote! { { let node: Option<u32> = #call; node } },
        _ => quote! { { #call; None } },
    }
}

/// Generates a list of the names of the table's own elements.
pub(crate) fn names(names: &[ElementName]) -> TokenStream {
    let own = names.iter().filter(|name| name.namespace == Namespace::Own);
    let locals = own.map(|name| &name.local);
    quote! { { const NAMES: &[&str] = &[#(#locals),*]; NAMES } }
}

/// Returns the kind of the value that the algorithm returns, if there is one.
pub(crate) fn returned(construction: &Construction, routine: Routine) -> Option<Kind> {
    let (machine, error) = (format_ident!("Machine"), |_| TokenStream::new());
    let domain = Domain::Draft { machine: &machine, error: &error };
    Function::new(construction, construction.routine(routine)?, domain)?.result_kind()
}

impl Function<'_> {
    fn is_draft(&self) -> bool {
        matches!(self.domain, Domain::Draft { .. })
    }

    /// Whether the algorithm works on nodes of any kind.
    pub(super) fn is_of_nodes(&self) -> bool {
        matches!(self.domain, Domain::Draft { .. } | Domain::Nodes | Domain::Writer)
    }

    /// Generates what queries nodes.
    pub(super) fn nodes(&self) -> TokenStream {
        match self.domain {
            Domain::Writer => quote! { writer },
            Domain::Nodes => quote! { tree },
            _ => quote! { builder.draft() },
        }
    }

    /// Generates a list of element names.
    fn names(&self, of: &[ElementName]) -> TokenStream {
        match self.domain {
            Domain::Nodes | Domain::Writer => super::serialize::names(of),
            _ => names(of),
        }
    }

    /// Generates the function of the algorithm.
    pub(super) fn of_draft(mut self, printed: bool) -> Result<TokenStream, String> {
        let Domain::Draft { machine, .. } = self.domain else { return Ok(TokenStream::new()) };
        let name = name(self.algorithm);
        let returned = self.result_kind().map(|kind| self.type_of(kind));
        let returned = returned.map(|of| quote! { -> #of });
        let (parameters, variables) = self.declared();
        let tags = self.algorithm.parameters.iter().map(|parameter| parameter.variable);
        let tags: Vec<_> = tags
            .filter(|&variable| self.kind_of(variable) == Kind::Token)
            .map(|variable| self.variable(variable))
            .collect();
        let steps = self.steps(&self.algorithm.steps);
        let comment = printed.then(|| print::row(&self.algorithm.written));
        let code = quote! {
            #comment
            #[cold]
            #[inline(never)]
            fn #name<S: rt::TreeSink>(
                builder: &mut rt::Builder<#machine, S>,
                given: &rt::Invocation<'_, <#machine as rt::Machine>::Error>,
                mut tag: Option<::std::sync::Arc<rt::DraftTag>>,
                #(#parameters),*
            ) #returned {
                let token = given.token;
                #(if #tags.is_some() { tag = #tags.clone(); })*
                #(#variables)*
                #steps
                Default::default()
            }
        };
        self.unless_refused(code)
    }

    /// Returns the kind of the value that the algorithm returns, if there is one.
    pub(super) fn result_kind(&self) -> Option<Kind> {
        let mut found = self.algorithm.returns;
        for_each_step(&self.algorithm.steps, &mut |step| {
            if let RunStep::Return(Some(value)) = step {
                found = found.or(self.kind(value));
            }
        });
        found
    }

    /// Generates the Rust type of variables of this kind.
    pub(super) fn draft_type(&self, kind: Kind) -> TokenStream {
        match kind {
            Kind::Node => quote! { Option<u32> },
            Kind::Text => quote! { Option<::std::string::String> },
            Kind::Truth => quote! { Option<bool> },
            Kind::Number => quote! { u32 },
            Kind::Token => quote! { Option<::std::sync::Arc<rt::DraftTag>> },
            Kind::Names => quote! { &'static [&'static str] },
            _ => self.unsupported(kind),
        }
    }

    /// Generates a step that is not one of those that all algorithms share.
    pub(super) fn draft_step(&mut self, step: &RunStep) -> TokenStream {
        match step {
            RunStep::ForEachAttribute(name, value, tag, steps) => {
                self.for_each_of_tag((*name, *value), tag, steps)
            }
            _ if self.is_writer() => self.writer_step(step),
            RunStep::Return(None) => quote! { return Default::default(); },
            RunStep::Return(Some(value)) => {
                let kind = self.kind(value);
                let returned = self.result_kind().filter(|_| kind == self.result_kind());
                let value = returned.map_or_else(
                    || quote! { Default::default() },
                    |returned| self.value(value, returned),
                );
                quote! { return #value; }
            }
            RunStep::Run(call) => {
                let returned = self.kind(&Expression::Call(call.clone()));
                let code = self.draft_call(call);
                // A call in the last step passes its result on.
                let is_last = self.algorithm.steps.last() == Some(step);
                if is_last && returned.is_some() && returned == self.result_kind() {
                    return quote! { return #code; };
                }
                quote! { #code; }
            }
            RunStep::Assert(_) => TokenStream::new(),
            RunStep::Effect(effect) => self.draft_effect(effect),
            _ => self.unsupported(step),
        }
    }

    fn for_each_of_tag(
        &mut self,
        (name, value): (VariableId, VariableId),
        tag: &Expression,
        steps: &[RunStep],
    ) -> TokenStream {
        let number = self.next_loop();
        let label = steps_label(number);
        let (name, value) = (self.variable(name), self.variable(value));
        let tag = self.value(tag, Kind::Token);
        self.repetitions.push(number);
        let steps = self.steps(steps);
        self.repetitions.pop();
        quote! {
            let attributes = (#tag).map(|tag| tag.attributes.clone()).unwrap_or_default();
            #label: for (name, value) in attributes {
                (#name, #value) = (Some(name), Some(value));
                #steps
            }
        }
    }

    /// Generates the end of a round of a loop whose steps do not terminate.
    pub(super) fn draft_counted(&self) -> TokenStream {
        let nodes = self.nodes();
        quote! { if !#nodes.count_round() { return Default::default(); } }
    }

    /// Generates the call of another algorithm, which has the same invocation.
    pub(super) fn draft_call(&mut self, call: &Call) -> TokenStream {
        let callee = self.construction.algorithm(call.algorithm);
        let routine = routine_of(self.construction.elements, &callee.name);
        let mut given = call.arguments.iter();
        let values: Vec<_> = callee
            .parameters
            .iter()
            .map(|parameter| {
                let kind = callee.variables[usize::from(parameter.variable.0)].kind;
                let value = given.next().or(parameter.default.as_ref());
                let value = value
                    .map_or_else(|| quote! { Default::default() }, |value| self.value(value, kind));
                let is_target = routine == Some(Routine::Open) && kind == Kind::Node;
                if is_target {
                    quote! { rt::DraftTarget::Node(#value) }
                } else {
                    value
                }
            })
            .collect();
        let names: Vec<_> = (0..values.len()).map(|at| format_ident!("argument_{at}")).collect();
        let name = name(callee);
        if !self.is_draft() {
            let nodes = self.nodes();
            return quote! { { #(let #names = #values;)* #name(#nodes, #(#names),*) } };
        }
        quote! { { #(let #names = #values;)* #name(builder, given, tag.clone(), #(#names),*) } }
    }

    pub(super) fn draft_value(&mut self, value: &Expression, wanted: Kind) -> TokenStream {
        let nodes = self.nodes();
        let none = || quote! { Default::default() };
        match value {
            // These are about tokens and open elements, which only a draft has.
            Expression::Current
            | Expression::AdjustedCurrent
            | Expression::LastOfOpen
            | Expression::FirstOfOpen
            | Expression::LastOpen(_)
            | Expression::Attribute(..)
            | Expression::Token
            | Expression::OfToken(_)
            | Expression::Named(
                NamedValue::LastOpen(_) | NamedValue::Attribute(..) | NamedValue::OfDoctype(..),
            ) if !self.is_draft() => self.unsupported(value),
            Expression::Following(..) | Expression::New(_) if self.is_writer() => {
                self.unsupported(value)
            }
            Expression::New(new)
                if self.is_about_nodes() && !matches!(**new, NewNode::Clone(_)) =>
            {
                self.unsupported(value)
            }
            Expression::Names(of) => self.names(of),
            Expression::Writing(value) if self.is_writer() => self.writing_value(value),
            Expression::Integer(name, node, otherwise) if self.is_about_nodes() => {
                let node = self.value(node, Kind::Node);
                quote! { { let node = #node; tree.integer(node, #name).unwrap_or(#otherwise) } }
            }
            Expression::PatchName(template) if self.is_template(template) => {
                quote! { tree.range_name() }
            }
            Expression::Variable(variable) if self.is_pieces(*variable) => self.unsupported(value),
            Expression::None | Expression::FragmentContext => none(),
            Expression::Truth(truth) => quote! { Some(#truth) },
            Expression::Number(number) => quote! { #number },
            Expression::Text(text) => quote! { Some(::std::string::String::from(#text)) },
            Expression::Variable(variable) => {
                let name = self.variable(*variable);
                if self.is_target(*variable) {
                    return quote! { #name.node() };
                }
                quote! { #name.clone() }
            }
            Expression::Chosen(parts) => {
                let (one, condition, other) = &**parts;
                let condition = self.question(condition);
                let (one, other) = (self.value(one, wanted), self.value(other, wanted));
                quote! { if #condition { #one } else { #other } }
            }
            Expression::Call(call) => self.draft_call(call),
            Expression::Current => {
                let current = node_of(self.construction, Routine::Current);
                quote! { { let current = #current; current.or(#nodes.document()) } }
            }
            Expression::AdjustedCurrent => node_of(self.construction, Routine::Current),
            Expression::LastOfOpen => quote! { #nodes.last_open() },
            Expression::FirstOfOpen => quote! { #nodes.first_open() },
            Expression::LastOpen(of) => {
                let of = names(of);
                quote! { #nodes.last_open_of(#of) }
            }
            Expression::Following(node, root) => {
                let (node, root) = (self.value(node, Kind::Node), self.value(root, Kind::Node));
                quote! { { let (node, root) = (#node, #root); #nodes.following(node, root) } }
            }
            Expression::Attribute(name, tag) => {
                let tag = self.value(tag, Kind::Token);
                quote! { (#tag).and_then(|tag| tag.attribute(#name)) }
            }
            Expression::Relative(relation, node) => self.draft_relative(*relation, node),
            Expression::Token => quote! { tag.clone().or_else(|| #nodes.tag()) },
            Expression::OfToken(part) => match part {
                TokenPart::TagName => {
                    quote! { Some(tag.as_ref().map(|tag| tag.name.clone()).unwrap_or_default()) }
                }
                TokenPart::CommentData | TokenPart::InstructionData => quote! { token.data() },
                TokenPart::Characters => quote! { token.characters() },
                TokenPart::InstructionTarget => quote! { token.target() },
            },
            Expression::Data(node) => {
                let node = self.value(node, Kind::Node);
                quote! { { let node = #node; #nodes.data(node) } }
            }
            Expression::New(new) => self.draft_new(new),
            Expression::Named(named) => self.draft_named(named),
            _ => self.unsupported(value),
        }
    }

    fn draft_relative(&mut self, relation: Relation, node: &Expression) -> TokenStream {
        let nodes = self.nodes();
        let method = match relation {
            Relation::Above if self.is_draft() => "above",
            Relation::Parent => "parent",
            Relation::PreviousSibling => "previous_sibling",
            Relation::NextSibling => "next_sibling",
            Relation::FirstChild => "first_child",
            Relation::LastChild => "last_child",
            Relation::TemplateContents if self.is_writer() => "template_contents",
            Relation::ShadowRoot if self.is_writer() => "shadow_root",
            Relation::Host if self.is_writer() => "host",
            Relation::NodeDocument if !self.is_writer() => {
                let node = self.value(node, Kind::Node);
                return quote! { { let node = #node; node.and(#nodes.document()) } };
            }
            _ => return self.unsupported(relation),
        };
        let (method, node) = (format_ident!("{method}"), self.value(node, Kind::Node));
        quote! { { let node = #node; #nodes.#method(node) } }
    }

    fn draft_texts<'e>(&mut self, texts: impl IntoIterator<Item = &'e Expression>) -> TokenStream {
        let texts: Vec<_> = texts.into_iter().map(|text| self.value(text, Kind::Text)).collect();
        quote! { [#(#texts),*] }
    }

    fn draft_new(&mut self, new: &NewNode) -> TokenStream {
        let nodes = self.nodes();
        match new {
            NewNode::Document => quote! { #nodes.document() },
            NewNode::Element(_, local, namespace) => {
                let none = Expression::None;
                let parts = self.draft_texts([&none, local, namespace]);
                quote! { { let parts = #parts; #nodes.new_element(parts, tag.as_deref()) } }
            }
            NewNode::Prefixed(parts) => {
                let parts = self.draft_texts(parts);
                quote! { { let parts = #parts; #nodes.new_element(parts, tag.as_deref()) } }
            }
            NewNode::Text(_, data) => {
                let data = self.value(data, Kind::Text);
                quote! { { let data = #data; #nodes.new_text(data, given.span) } }
            }
            NewNode::Comment(_, data) => {
                let data = self.value(data, Kind::Text);
                quote! { { let data = #data; #nodes.new_comment(data, given.span) } }
            }
            NewNode::Instruction(_, target, data) => {
                let (target, data) = (self.value(target, Kind::Text), self.value(data, Kind::Text));
                quote! {
                    {
                        let (target, data) = (#target, #data);
                        #nodes.new_instruction(target, data, given.span)
                    }
                }
            }
            NewNode::Doctype([_, parts @ ..]) => {
                let parts = self.draft_texts(parts);
                quote! { { let parts = #parts; #nodes.new_doctype(parts, given.span) } }
            }
            NewNode::Clone(node) => {
                let node = self.value(node, Kind::Node);
                quote! { { let node = #node; #nodes.clone_with_subtree(node) } }
            }
            NewNode::Fragment(_) | NewNode::Like(..) | NewNode::InsertedLike(_) => {
                self.unsupported(new)
            }
        }
    }

    fn draft_named(&mut self, named: &NamedValue) -> TokenStream {
        let nodes = self.nodes();
        match named {
            NamedValue::LastOpen(name) => {
                let name = self.value(name, Kind::Text);
                quote! {
                    {
                        let name = (#name).unwrap_or_default();
                        #nodes.last_open_of(&[&name])
                    }
                }
            }
            NamedValue::Prefix(name) | NamedValue::LocalPart(name) => {
                let part = usize::from(matches!(named, NamedValue::LocalPart(_)));
                let name = self.value(name, Kind::Text);
                quote! { { let [prefix, local] = rt::split_name(#name); [prefix, local][#part].take() } }
            }
            NamedValue::Joined(one, other) => {
                let texts = self.draft_texts([&**one, &**other]);
                quote! { Some(#texts.map(Option::unwrap_or_default).concat()) }
            }
            NamedValue::Attribute(name, of) => {
                let name = self.value(name, Kind::Text);
                let found = self.draft_attribute(of);
                quote! { { let name = (#name).unwrap_or_default(); Some((#found).unwrap_or_default()) } }
            }
            NamedValue::OfDoctype(part, otherwise) => {
                let at = match part {
                    DoctypePart::Name => 0usize,
                    DoctypePart::PublicIdentifier => 1,
                    DoctypePart::SystemIdentifier => 2,
                };
                let otherwise = self.value(otherwise, Kind::Text);
                quote! { { let otherwise = #otherwise; token.doctype_parts()[#at].take().or(otherwise) } }
            }
        }
    }

    /// Generates the value of the attribute called `name` of a token or an element, if it has one.
    fn draft_attribute(&mut self, of: &Expression) -> TokenStream {
        let nodes = self.nodes();
        if self.kind(of) == Some(Kind::Token) {
            let tag = self.value(of, Kind::Token);
            return quote! { (#tag).and_then(|tag| tag.attribute(&name)) };
        }
        let node = self.value(of, Kind::Node);
        quote! { { let node = #node; #nodes.attribute(node, &name) } }
    }

    pub(super) fn draft_question(&mut self, question: &Question) -> TokenStream {
        let nodes = self.nodes();
        match question {
            Question::IsOpen(_) | Question::Token(_) if !self.is_draft() => {
                self.unsupported(question)
            }
            Question::IsNamed(..) | Question::IsAncestor(..) | Question::HasElementChild(_)
                if self.is_writer() =>
            {
                self.unsupported(question)
            }
            Question::Writing(question) if !self.is_writer() => self.unsupported(question),
            Question::Writing(question) => self.writing_question(question),
            Question::Template(question) => self.written_template_question(question),
            Question::Same(node, Expression::Variable(target)) if self.is_target(*target) => {
                let (node, target) = (self.value(node, Kind::Node), self.variable(*target));
                quote! { { let node = #node; node.is_some() && #nodes.is_target(node, #target) } }
            }
            Question::Same(one, other) => match (self.kind(one), self.kind(other)) {
                (Some(kind @ (Kind::Node | Kind::Text | Kind::Number)), found)
                    if found == Some(kind) || *other == Expression::None =>
                {
                    let (one, other) = (self.value(one, kind), self.value(other, kind));
                    quote! { { let (one, other) = (#one, #other); one == other } }
                }
                _ => self.unsupported(question),
            },
            Question::IsNone(value) => match self.kind(value) {
                Some(kind @ (Kind::Node | Kind::Text | Kind::Truth | Kind::Token)) => {
                    let value = self.value(value, kind);
                    quote! { (#value).is_none() }
                }
                _ => self.unsupported(question),
            },
            Question::IsTrue(value) => {
                let value = self.value(value, Kind::Truth);
                quote! { { let truth = #value; truth == Some(true) } }
            }
            Question::AtLeast(value, limit) => {
                let value = self.value(value, Kind::Number);
                quote! { (#value) >= #limit }
            }
            Question::MoreThan(value, limit) => {
                let value = self.value(value, Kind::Number);
                quote! { (#value) > #limit }
            }
            Question::IsEmpty(text) => {
                let text = self.value(text, Kind::Text);
                quote! { { let text = #text; text.is_none_or(|text| text.is_empty()) } }
            }
            Question::IsElement(node, of) => {
                let (node, of) = (self.value(node, Kind::Node), self.names(of));
                quote! { { let node = #node; #nodes.is_one_of(node, #of) } }
            }
            Question::IsInNames(node, of) => {
                let (node, of) = (self.value(node, Kind::Node), self.value(of, Kind::Names));
                quote! { { let (node, names) = (#node, #of); #nodes.is_one_of(node, names) } }
            }
            Question::IsNamed(node, text) => {
                let (node, text) = (self.value(node, Kind::Node), self.value(text, Kind::Text));
                quote! { { let (node, text) = (#node, #text); #nodes.is_named(node, text) } }
            }
            Question::IsAncestor(one, other) => {
                let (one, other) = (self.value(one, Kind::Node), self.value(other, Kind::Node));
                quote! {
                    {
                        let (one, other) = (#one, #other);
                        one.is_some() && #nodes.is_ancestor(one, other)
                    }
                }
            }
            Question::IsOpen(Expression::Variable(target)) if self.is_target(*target) => {
                let target = self.variable(*target);
                quote! { #nodes.is_open(#target) }
            }
            Question::IsOpen(node) => {
                let node = self.value(node, Kind::Node);
                quote! { { let node = #node; #nodes.is_open(rt::DraftTarget::Node(node)) } }
            }
            Question::IsAnyElement(node) => self.draft_ask("is_element", node),
            Question::IsDocument(node) => self.draft_ask("is_document", node),
            Question::IsText(node) => self.draft_ask("is_text", node),
            Question::HasElementChild(node) => self.draft_ask("has_element_child", node),
            Question::Token(question) => self.draft_token_question(question),
            _ => self.unsupported(question),
        }
    }

    fn draft_ask(&mut self, method: &str, node: &Expression) -> TokenStream {
        let nodes = self.nodes();
        let (method, node) = (format_ident!("{method}"), self.value(node, Kind::Node));
        quote! { { let node = #node; #nodes.#method(node) } }
    }

    fn draft_token_question(&mut self, question: &TokenQuestion) -> TokenStream {
        match question {
            TokenQuestion::IsStartTag => quote! { token.is_start_tag() },
            TokenQuestion::IsEndTag => quote! { token.is_end_tag() },
            TokenQuestion::IsAnyEndTag => quote! { token.is_any_end_tag() },
            TokenQuestion::IsCharacters => quote! { token.is_text() },
            TokenQuestion::IsDispatched => {
                let Domain::Draft { machine, .. } = self.domain else {
                    return self.unsupported(question);
                };
                quote! { <#machine as rt::Construction>::dispatch(builder, token).is_some() }
            }
            TokenQuestion::IsReprocessed => quote! { builder.draft().is_reprocessed() },
            TokenQuestion::IsSelfClosing => quote! { builder.draft().is_self_closing() },
            TokenQuestion::IsAcknowledged => quote! { builder.draft().is_acknowledged() },
            TokenQuestion::IsShortened => quote! { builder.draft().is_shortened() },
            TokenQuestion::HasNamed(of, name) => {
                let name = self.value(name, Kind::Text);
                let found = self.draft_attribute(of);
                quote! { { let name = (#name).unwrap_or_default(); (#found).is_some() } }
            }
            TokenQuestion::HasInNamespace(parts) => {
                let [node, local, namespace] = &**parts;
                let (node, texts) =
                    (self.value(node, Kind::Node), self.draft_texts([local, namespace]));
                quote! {
                    {
                        let (node, texts) = (#node, #texts);
                        let [local, namespace] = texts.map(Option::unwrap_or_default);
                        builder.draft().has_attribute_in(node, &local, &namespace)
                    }
                }
            }
            TokenQuestion::HasDoctypeChild(node) => self.draft_ask("has_doctype_child", node),
            TokenQuestion::IsLineFeed
            | TokenQuestion::IgnoresLineFeed
            | TokenQuestion::HasTokenName(_)
            | TokenQuestion::IsForeign(_)
            | TokenQuestion::IsIntegrationPoint(_) => self.unsupported(question),
        }
    }

    fn draft_effect(&mut self, effect: &Effect) -> TokenStream {
        let is_of_tree = matches!(
            effect,
            Effect::Detach(_)
                | Effect::Append(..)
                | Effect::Insert(..)
                | Effect::AppendChildren(..)
                | Effect::Decrement(_)
                | Effect::Template(_)
        );
        if !is_of_tree && !self.is_draft() {
            return self.unsupported(effect);
        }
        let accessor = self.nodes();
        let mut nodes = |method: &str, nodes: &[&Expression]| {
            let method = format_ident!("{method}");
            let names: Vec<_> = (0..nodes.len()).map(|at| format_ident!("node_{at}")).collect();
            let nodes = nodes.iter().map(|node| self.value(node, Kind::Node));
            quote! { #(let #names = #nodes;)* #accessor.#method(#(#names),*); }
        };
        match effect {
            Effect::Template(effect) => self.range_effect(effect),
            Effect::Error => quote! { builder.invocation_error(given); },
            Effect::Pop => nodes("pop", &[]),
            Effect::PopUntil(node) => nodes("pop_until", &[node]),
            Effect::Push(node) => nodes("push", &[node]),
            Effect::RemoveFromOpen(node) => nodes("remove_from_open", &[node]),
            Effect::ReplaceInOpen(node, new) => nodes("replace_in_open", &[node, new]),
            Effect::InsertBelow(new, node) => nodes("insert_below", &[new, node]),
            Effect::Detach(node) => nodes("detach", &[node]),
            Effect::Append(node, parent) => nodes("insert", &[node, parent, &Expression::None]),
            Effect::Insert(node, parent, before) => nodes("insert", &[node, parent, before]),
            Effect::AppendChildren(node, parent) => nodes("append_children", &[node, parent]),
            Effect::AppendData(data, node) => {
                let (data, node) = (self.value(data, Kind::Text), self.value(node, Kind::Node));
                quote! { let (data, node) = (#data, #node); builder.draft().append_data(data, node, given.span); }
            }
            Effect::AddTokenAttributes(node) => {
                let node = self.value(node, Kind::Node);
                quote! { let node = #node; builder.draft().set_attributes(node, tag.as_deref()); }
            }
            Effect::Decrement(variable) => {
                let name = self.variable(*variable);
                quote! { #name = #name.saturating_sub(1); }
            }
            Effect::Token(effect) => self.draft_token_effect(effect),
            _ => self.unsupported(effect),
        }
    }

    fn draft_token_effect(&mut self, effect: &TokenEffect) -> TokenStream {
        let Domain::Draft { error: error_code, .. } = self.domain else {
            return self.unsupported(effect);
        };
        match effect {
            TokenEffect::KeepFirstAttributes => quote! { builder.draft().keep_first_attributes(); },
            TokenEffect::DropAttributes => quote! { builder.draft().drop_attributes(); },
            TokenEffect::JoinCharacters => quote! { builder.draft().join(); },
            TokenEffect::Pass => quote! { builder.draft().pass(); },
            TokenEffect::Handle => {
                let handled =
                    entry(self.construction, Routine::ProcessToken, &TokenStream::new(), &[]);
                quote! { builder.nested(|builder| { #handled; }); }
            }
            TokenEffect::TakeRow(RowsOf::Mode) => {
                quote! { let mode = builder.mode(); builder.take_row(mode, token); }
            }
            TokenEffect::TakeRow(RowsOf::Dispatcher) => {
                let dispatch = self.construction.dispatch.as_ref();
                let mode = dispatch.map(|it| variant(&self.construction.mode(it.mode).name));
                let mode = mode.into_iter();
                quote! { #(builder.take_row(Mode::#mode, token);)* }
            }
            TokenEffect::Error(code) => {
                let code = error_code(*code);
                quote! { builder.error(#code, token); }
            }
            TokenEffect::End(node) => {
                let node = self.value(node, Kind::Node);
                quote! { let node = #node; builder.draft().end(node, token); }
            }
            TokenEffect::Trim(side, node) => {
                let (node, at_start) = (self.value(node, Kind::Node), *side == Side::Start);
                quote! { let node = #node; builder.draft().trim(node, #at_start, given.trims); }
            }
            TokenEffect::AddAttribute(parts) => {
                let [prefix, local, namespace, value, element] = &**parts;
                let texts = self.draft_texts([prefix, local, namespace, value]);
                let element = self.value(element, Kind::Node);
                quote! { let (texts, node) = (#texts, #element); builder.draft().add_attribute(node, texts); }
            }
            TokenEffect::KeepLineFeed => self.unsupported(effect),
        }
    }
}
