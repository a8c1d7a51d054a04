//! Compiles expressions, conditions and effects on insertion locations, and on nodes that are created for tokens.

use super::templates::part_index;
use super::{Function, name};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use tabulex_language::model::tree::Namespace;
use tabulex_language::model::tree::algorithm::{
    DoctypePart, Effect, Expression, NamedValue, NewNode, ParserQuestion, PatchPart, Question,
    Relation, Routine, RunStep, TokenEffect, TokenPart, TokenQuestion, ValueKind, VariableId,
};

impl Function<'_> {
    /// Whether the variable only ever holds new text nodes, which are created when they are inserted.
    pub(super) fn is_text(&self, variable: VariableId) -> bool {
        let (mut is_assigned, mut is_text) = (false, true);
        RunStep::all(&self.algorithm.steps).into_iter().for_each(|step| match step {
            RunStep::Let(other, value) if *other == variable => {
                is_assigned = true;
                is_text &= new_text(value).is_some();
            }
            RunStep::LetPlace(one, other, _) if [*one, *other].contains(&variable) => {
                is_text = false;
            }
            _ => {}
        });
        is_assigned && is_text
    }

    /// Generates the data of a new text node; `None` if the value is not a new text node.
    pub(super) fn text_of(&mut self, value: &Expression) -> Option<TokenStream> {
        if let Expression::Variable(variable) = value
            && self.is_text(*variable)
        {
            let name = self.variable(*variable);
            return Some(quote! { #name.clone() });
        }
        Some(self.value(new_text(value)?, ValueKind::Text))
    }

    /// Whether the steps find the adjusted insertion location, but do not redirect locations in the root element to the
    /// parsed fragment. Such steps cannot be compiled, as the runtime's fragments are the contents of their root
    /// elements.
    pub(super) fn is_beyond_fragments(&self) -> bool {
        let Some(RunStep::Return(Some(location))) = self.algorithm.steps.last() else {
            return self.routine == Routine::AdjustedLocation;
        };
        let (root, target) = (Expression::FirstOfOpen, Expression::RootInsertionTarget);
        let is_root = Question::Same(Expression::TargetParent(Box::new(location.clone())), root);
        let has_target = Question::Not(Box::new(Question::IsNone(target.clone())));
        let place = Expression::Place(Box::new(target), Box::new(Expression::None));
        let is_redirection = |step: &RunStep| {
            matches!(
                step,
                RunStep::When { condition: Question::All(all), then, otherwise }
                    if otherwise.is_empty()
                        && all[..] == [is_root.clone(), has_target.clone()]
                        && matches!(&then[..], [RunStep::Let(variable, value)]
                            if *value == place && Expression::Variable(*variable) == *location)
            )
        };
        self.routine == Routine::AdjustedLocation
            && !self.algorithm.steps.iter().any(is_redirection)
    }

    pub(super) fn insertion_value(&mut self, value: &Expression) -> TokenStream {
        match value {
            Expression::Namespace(namespace) => {
                let namespace = crate::generate::tree::namespace(*namespace);
                quote! { Some(#namespace.known_name().to_owned()) }
            }
            Expression::AdjustedCurrent => {
                let routine = Routine::AdjustedCurrent;
                match self.construction.routine(routine) {
                    Some(id) => self.tree_call(id, &[]),
                    None => self.current_node(),
                }
            }
            Expression::RootInsertionTarget => quote! { builder.root_insertion_target() },
            Expression::LastOpen(names) => {
                let set = self.set(names);
                quote! { builder.last_open_in(#set) }
            }
            Expression::Relative(relation, node) if *relation != Relation::ShadowRoot => {
                self.relative(*relation, node)
            }
            Expression::OfToken(part) => match part {
                TokenPart::Characters => quote! { builder.characters_text(frame, token) },
                TokenPart::CommentData | TokenPart::InstructionData => {
                    quote! { builder.data_text(token) }
                }
                TokenPart::InstructionTarget => quote! { builder.target_text(token) },
                TokenPart::TagName => self.unsupported(value),
            },
            Expression::Named(NamedValue::OfDoctype(part, otherwise)) => {
                let index = match part {
                    DoctypePart::Name => 0usize,
                    DoctypePart::PublicIdentifier => 1,
                    DoctypePart::SystemIdentifier => 2,
                };
                let otherwise = self.value(otherwise, ValueKind::Text);
                quote! { builder.doctype_text(token, #index).or_else(|| #otherwise) }
            }
            Expression::Named(NamedValue::LastOpen(name))
                if **name == Expression::OfToken(TokenPart::TagName)
                    && self.has_current_token() =>
            {
                quote! { builder.open_node(token) }
            }
            Expression::Named(NamedValue::LastOpen(name)) => {
                let name = self.value(name, ValueKind::Text);
                quote! { { let name = #name; builder.last_open_named(name) } }
            }
            Expression::Named(NamedValue::Attribute(name, of)) => {
                let attribute = self.attribute(name, of);
                quote! { Some(#attribute.unwrap_or_default()) }
            }
            Expression::Named(named) => self.named_text(named),
            Expression::Data(node) => self.text_of_node(quote! { it.data() }, node),
            Expression::New(new) => self.new_node(new),
            _ => self.template_value(value),
        }
    }

    fn relative(&mut self, relation: Relation, node: &Expression) -> TokenStream {
        let method = match relation {
            Relation::NodeDocument => return quote! { builder.document_value() },
            Relation::PreviousSibling => return self.relative_of("previous_sibling", node),
            Relation::NextSibling => return self.relative_of("next_sibling", node),
            Relation::FirstChild => return self.relative_of("first_child", node),
            Relation::LastChild => return self.relative_of("last_child", node),
            Relation::TemplateContents => "contents_value",
            Relation::InsertionTarget => return self.patch_part(PatchPart::Target, node),
            Relation::InsertionStartMarker => return self.patch_part(PatchPart::Start, node),
            Relation::InsertionEndMarker => return self.patch_part(PatchPart::End, node),
            _ => return self.unsupported(relation),
        };
        self.call_on_element(method, node)
    }

    fn patch_part(&mut self, part: PatchPart, node: &Expression) -> TokenStream {
        let part = part_index(part);
        self.with_element(node, &quote! { builder.patch_part(node, #part) })
    }

    /// Generates a query of the tree.
    fn relative_of(&mut self, query: &str, node: &Expression) -> TokenStream {
        let query = format_ident!("{query}");
        self.query_node("node_of", quote! { it.#query() }, node)
    }

    fn new_node(&mut self, new: &NewNode) -> TokenStream {
        match new {
            NewNode::Document => quote! { builder.document_value() },
            NewNode::Element(_, local, namespace) => {
                self.new_element([&Expression::None, local, namespace])
            }
            NewNode::Prefixed([prefix, local, namespace]) => {
                self.new_element([prefix, local, namespace])
            }
            NewNode::Comment(_, data) => {
                let data = self.borrowable(data);
                quote! {
                    { let data: &Option<String> = &#data; builder.create_comment(frame, token, data) }
                }
            }
            NewNode::Instruction(_, target, data) => {
                let (target, data) =
                    (self.value(target, ValueKind::Text), self.value(data, ValueKind::Text));
                quote! {
                    {
                        let (target, data) = (#target, #data);
                        builder.create_instruction(frame, token, target, data)
                    }
                }
            }
            NewNode::Doctype([_, name, public, system]) => {
                let [name, public, system] =
                    [name, public, system].map(|part| self.value(part, ValueKind::Text));
                quote! {
                    {
                        let (name, identifiers) = (#name, [#public, #system]);
                        builder.create_doctype(frame, token, name, identifiers)
                    }
                }
            }
            NewNode::Like(entry, parent) => {
                let own = self.value(&Expression::Namespace(Namespace::Own), ValueKind::Text);
                let parent = self.value(parent, ValueKind::Node);
                let token = quote! { frame.tag };
                let arguments =
                    [(ValueKind::Token, token), (ValueKind::Text, own), (ValueKind::Node, parent)];
                self.create_like(Routine::CreateElement, entry, &arguments)
            }
            NewNode::InsertedLike(entry) => {
                let arguments = [(ValueKind::Token, quote! { frame.tag })];
                self.create_like(Routine::InsertElement, entry, &arguments)
            }
            _ => self.unsupported(new),
        }
    }

    fn new_element(&mut self, parts: [&Expression; 3]) -> TokenStream {
        let parts = parts.map(|part| self.value(part, ValueKind::Text));
        quote! { { let parts = [#(#parts),*]; builder.create_named(frame, token, parts) } }
    }

    /// Generates an expression for the value of an attribute of a token or an element, given the attribute's name.
    fn attribute(&mut self, name: &Expression, of: &Expression) -> TokenStream {
        let name = self.value(name, ValueKind::Text);
        let value = if self.kind(of) == Some(ValueKind::Token) {
            let tag = self.value(of, ValueKind::Token);
            quote! { builder.tag_attribute(#tag, token, &name) }
        } else {
            self.with_element(of, &quote! { builder.attribute_of(node, &name) })
        };
        quote! { { let name = (#name).unwrap_or_default(); #value } }
    }

    /// Generates the call, with `arguments`, of an algorithm that creates an element for the token of `entry`.
    fn create_like(
        &mut self,
        routine: Routine,
        entry: &Expression,
        arguments: &[(ValueKind, TokenStream)],
    ) -> TokenStream {
        let Some(id) = self.construction.routine(routine) else { return self.unsupported(entry) };
        let callee = self.construction.algorithm(id);
        let kinds = callee.parameters.iter().map(|parameter| {
            let variable = usize::from(parameter.variable.0);
            callee.variables[variable].kind
        });
        let kinds: Vec<_> = kinds.collect();
        let fits =
            kinds.len() <= arguments.len() && kinds.iter().zip(arguments).all(|(a, (b, _))| a == b);
        if !fits || callee.returns != Some(ValueKind::Node) {
            return self.unsupported(name(callee));
        }
        let entry = self.in_list(entry);
        let call = self.tree_call(id, &arguments[..kinds.len()]);
        quote! {
            {
                let listed = #entry;
                let outer = frame.tag;
                let made = if builder.begin_recreation(frame, listed) { #call } else { None };
                builder.end_recreation(frame, made);
                frame.tag = outer;
                made
            }
        }
    }

    pub(super) fn insertion_question(&mut self, question: &Question) -> TokenStream {
        match question {
            Question::IsEmpty(text) => {
                let text = self.value(text, ValueKind::Text);
                quote! { #text.unwrap_or_default().is_empty() }
            }
            Question::IsFostering => quote! { builder.is_fostering },
            Question::IsFostered(node) => self.call_on_element("is_fostered", node),
            Question::IsText(node) => self.test_node(quote! { it.is_text() }, node),
            Question::Parser(ParserQuestion::HasOneOpen) => quote! { builder.has_one_open() },
            Question::Token(TokenQuestion::HasDoctypeChild(Expression::New(node)))
                if **node == NewNode::Document =>
            {
                quote! { builder.document_has_doctype }
            }
            Question::IsAnyElement(node) => self.call_on_element("is_element", node),
            Question::Token(TokenQuestion::HasNamed(of, name)) => {
                let attribute = self.attribute(name, of);
                quote! { #attribute.is_some() }
            }
            Question::Token(TokenQuestion::HasInNamespace(parts)) => {
                let [node, local, namespace] = &**parts;
                let node = self.element(node);
                let texts = [local, namespace].map(|text| self.value(text, ValueKind::Text));
                quote! {
                    {
                        let (node, texts) = (#node, [#(#texts),*]);
                        builder.has_attribute_in(node, texts)
                    }
                }
            }
            Question::Token(TokenQuestion::IsStartTag) => {
                quote! { matches!(token, rt::TokenView::StartTag(..)) }
            }
            Question::Token(TokenQuestion::IsAnyEndTag) => {
                quote! { matches!(token, rt::TokenView::EndTag(..) | rt::TokenView::ShortEndTag(_)) }
            }
            Question::Token(TokenQuestion::IsSelfClosing) => {
                quote! { builder.is_self_closing(token) }
            }
            Question::Token(TokenQuestion::IsShortened) => {
                quote! { builder.has_dropped_attributes(token) }
            }
            Question::HasElementChild(Expression::New(node)) if **node == NewNode::Document => {
                quote! { builder.document_has_element }
            }
            Question::Template(question) => self.template_question(question),
            _ => self.unsupported(question),
        }
    }

    pub(super) fn insertion_effect(&mut self, effect: &Effect) -> TokenStream {
        match effect {
            Effect::AddTokenAttributes(node) => self
                .with_element(node, &quote! { builder.add_token_attributes(frame, token, node); }),
            Effect::Token(TokenEffect::AddAttribute(parts)) => {
                let [prefix, local, namespace, value, node] = &**parts;
                let texts =
                    [prefix, local, namespace, value].map(|text| self.value(text, ValueKind::Text));
                let node = self.element(node);
                quote! {
                    let (texts, node) = ([#(#texts),*], #node);
                    builder.add_attribute(texts, node);
                }
            }
            Effect::AppendData(text, node) => {
                let (text, node) = (self.value(text, ValueKind::Text), self.element(node));
                quote! { let (text, node) = (#text, #node); builder.append_data(token, text, node); }
            }
            Effect::Template(effect) => self.template_effect(effect),
            _ => self.unsupported(effect),
        }
    }

    /// Generates the insertion of a node into a parent, before a child or at the end.
    pub(super) fn insert(&mut self, [node, parent, before]: [&Expression; 3]) -> TokenStream {
        let text = self.text_of(node);
        let method = if text.is_some() {
            quote! { insert_text }
        } else {
            quote! { insert_value }
        };
        let token = text.is_some().then(|| quote! { token, });
        let node = text.unwrap_or_else(|| self.value(node, ValueKind::Node));
        let (parent, before) = (self.element(parent), self.element(before));
        quote! {
            let (node, parent, before) = (#node, #parent, #before);
            builder.#method(frame, #token node, parent, before);
        }
    }
}

/// Returns the data of a new text node; `None` if the value is not a new text node.
fn new_text(value: &Expression) -> Option<&Expression> {
    let Expression::New(new) = value else { return None };
    let NewNode::Text(_, data) = &**new else { return None };
    Some(data)
}
