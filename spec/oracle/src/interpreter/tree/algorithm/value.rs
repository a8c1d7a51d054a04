//! Evaluates the expressions of algorithms, including those that create nodes.

use super::super::formatting::Entry;
use super::super::place::InsertionPoint;
use super::super::{Name, Node, NodeId, NodeKind, TokenView, TreeBuilder, node};
use super::tokens::prefixed;
use super::{Execution, Invocation, TagToken, Value};
use crate::interpreter::{Doctype, Span, Token};
use tabulex_language::model::tree::algorithm::{Expression, NewNode, Relation, Routine, TokenPart};
use tabulex_language::model::tree::{Namespace, TreeAction};

fn value_or_none(value: Option<Value>) -> Value {
    value.unwrap_or(Value::None)
}

fn node_or_none(node: Option<NodeId>) -> Value {
    value_or_none(node.map(Value::Node))
}

/// Parses a number by HTML's rules for non-negative integers, saturating at `u32::MAX`. Returns `None` if these rules
/// return an error.
fn parse_integer(text: &str) -> Option<u32> {
    let text = text.trim_start_matches(['\t', '\n', '\x0C', '\r', ' ']);
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = text.chars().map_while(|it| it.to_digit(10));
    let value = digits.fold(None, |value: Option<u32>, digit| {
        Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit))
    })?;
    (!is_negative || value == 0).then_some(value)
}

impl<'m> Execution<'_, 'm> {
    /// Evaluates an expression.
    pub(super) fn value(&mut self, value: &'m Expression) -> Value {
        match value {
            Expression::None => Value::None,
            Expression::Truth(truth) => Value::Truth(*truth),
            Expression::Number(number) => Value::Number(*number),
            Expression::Text(text) => Value::Text(text.clone()),
            Expression::Scripting(mode) => Value::Scripting(*mode),
            Expression::Names(names) => Value::Names(names.clone()),
            Expression::Bytes(value) => value_or_none(self.byte_value(value)),
            Expression::Writing(value) => value_or_none(self.writing_value(value)),
            Expression::Variable(variable) => self.frame.values[usize::from(variable.0)].clone(),
            Expression::Namespace(namespace) => Value::Text(node::url(*namespace).to_owned()),
            Expression::Current => {
                Value::Node(self.builder.current_node(self.invocation.view).unwrap_or(0))
            }
            Expression::FirstOfOpen => node_or_none(self.builder.open.first().copied()),
            Expression::AdjustedCurrent => {
                node_or_none(self.builder.adjusted_current(self.invocation.view))
            }
            Expression::Token => self.creation_tag().map_or(Value::None, Value::Token),
            Expression::StartTagOf(node) => {
                let tag = self.node(node).and_then(|node| self.builder.start_tag_of(node));
                value_or_none(tag.map(Value::Token))
            }
            Expression::Attribute(name, token) => {
                let token = self.value(token);
                let text = self.builder.named_attribute(&token, name);
                value_or_none(text.map(|it| Value::Text(it.to_owned())))
            }
            Expression::Integer(name, node, otherwise) => {
                let text = self.node(node).and_then(|it| self.builder.tree.attribute(it, name));
                Value::Number(text.and_then(parse_integer).unwrap_or(*otherwise))
            }
            Expression::PatchName(template) => {
                let name = self.invocation.patching().map_or("", |patching| &patching.attribute);
                let template = self.node(template);
                let value = template.and_then(|it| self.builder.tree.attribute(it, name));
                Value::Text(value.unwrap_or_default().to_owned())
            }
            Expression::Following(node, within) => {
                let nodes = self.two_nodes(node, within);
                node_or_none(
                    nodes.and_then(|(node, within)| self.builder.tree.following(node, within)),
                )
            }
            Expression::LastOfOpen => node_or_none(self.builder.open.last().copied()),
            Expression::FragmentContext => node_or_none(self.builder.context),
            Expression::LastOpen(names) => {
                let mut open = self.builder.open.iter().rev().copied();
                node_or_none(open.find(|&node| self.builder.is_one_of(node, names)))
            }
            Expression::Named(named) => self.named_value(named),
            Expression::RootInsertionTarget => node_or_none(self.builder.root_target),
            Expression::LastEntry => {
                self.builder.entry_value(self.builder.formatting.len().checked_sub(1))
            }
            Expression::Place(parent, before) => {
                let (parent, before) = (self.node(parent), self.node(before));
                value_or_none(
                    parent.map(|parent| Value::Location(InsertionPoint { parent, before })),
                )
            }
            Expression::TargetParent(location) => {
                let Value::Location(place) = self.value(location) else { return Value::None };
                Value::Node(place.parent)
            }
            Expression::OfToken(part) => Value::Text(self.token_part(*part)),
            Expression::Data(node) => self.node_data(node),
            Expression::EntryBefore(entry) | Expression::EntryAfter(entry) => {
                let index = self.entry_at(entry);
                let is_before = matches!(value, Expression::EntryBefore(_));
                let neighbor = |at: usize| if is_before { at.checked_sub(1) } else { Some(at + 1) };
                self.builder.entry_value(index.and_then(neighbor))
            }
            Expression::LastNamed(name) => {
                let Value::Text(name) = self.value(name) else {
                    return Value::None;
                };
                self.frame.found_by_name = self.builder.last_named(&name);
                node_or_none(self.frame.found_by_name)
            }
            Expression::PlaceOf(node) | Expression::PlaceAfter(node) => {
                let offset = usize::from(matches!(value, Expression::PlaceAfter(_)));
                let index = self.node(node).and_then(|node| self.builder.formatting_index(node));
                index.map_or(Value::None, |index| Value::Bookmark(index + offset))
            }
            Expression::Chosen(parts) => {
                let (one, condition, other) = &**parts;
                let branch = if self.condition_holds(condition) { one } else { other };
                self.value(branch)
            }
            Expression::Call(call) => self.run_call(call),
            Expression::Relative(relation, node) => {
                let node = self.node(node);
                node_or_none(node.and_then(|node| self.relative(*relation, node)))
            }
            Expression::New(what) => self.new_node(what),
        }
    }

    /// Evaluates an expression to a node, or to the node of an entry; `None` for any other value.
    pub(super) fn node(&mut self, value: &'m Expression) -> Option<NodeId> {
        let value = self.value(value);
        if let Value::Entry(entry) = value {
            return entry.node();
        }
        let Value::Node(node) = value else { return None };
        Some(node)
    }

    /// Evaluates an expression to an attribute; `None` for any other value.
    pub(super) fn attribute(&mut self, value: &'m Expression) -> Option<(Name, String)> {
        let Value::Attribute(attribute) = self.value(value) else { return None };
        Some(*attribute)
    }

    pub(super) fn text_value(&mut self, value: &'m Expression) -> String {
        let Value::Text(text) = self.value(value) else { return String::new() };
        text
    }

    /// Returns the node that is in this relation to `node`, if there is one.
    fn relative(&self, relation: Relation, node: NodeId) -> Option<NodeId> {
        let above =
            || self.builder.open_index(node)?.checked_sub(1).map(|index| self.builder.open[index]);
        let patch =
            || self.builder.patches.iter().find(|(template, _)| *template == node).map(|it| it.1);
        match relation {
            Relation::Above => above(),
            Relation::AboveEvenIfRemoved => above().or_else(|| {
                let mut removed = self.frame.removed_elements.iter().rev();
                removed.find(|(other, _)| *other == node).and_then(|(_, above)| *above)
            }),
            Relation::FurthestBlock => {
                let Some(TreeAction::AdoptionAgency(agency)) = self.invocation.action else {
                    return None;
                };
                let below = &self.builder.open[self.builder.open_index(node)? + 1..];
                let mut below = below.iter().copied();
                below.find(|&node| self.builder.is_one_of(node, &agency.special))
            }
            Relation::Parent => self.builder.node_at(node).parent,
            Relation::PreviousSibling => {
                let (siblings, index) = self.builder.siblings_and_index(node)?;
                Some(siblings[index.checked_sub(1)?])
            }
            Relation::NextSibling => {
                let (siblings, index) = self.builder.siblings_and_index(node)?;
                siblings.get(index + 1).copied()
            }
            Relation::FirstChild => self.builder.node_at(node).children.first().copied(),
            Relation::LastChild => self.builder.node_at(node).children.last().copied(),
            // All nodes belong to the parser's document, except those of the tree that surrounds a fragment.
            Relation::NodeDocument => {
                let surrounding_document = self.builder.surroundings.as_ref().map(|it| it.document);
                surrounding_document
                    .filter(|&document| self.builder.tree.is_inclusive_ancestor(document, node))
                    .or(Some(0))
            }
            Relation::TemplateContents => self.builder.node_at(node).contents,
            Relation::InsertionTarget => patch()?.target,
            Relation::InsertionStartMarker => patch()?.start,
            Relation::InsertionEndMarker => patch()?.end,
            Relation::ShadowRoot => self.builder.node_at(node).shadow_root,
            Relation::Host => self.builder.tree.host(node),
        }
    }

    /// Returns the data of a text, comment or processing instruction; `Value::None` for other nodes.
    fn node_data(&mut self, node: &'m Expression) -> Value {
        let kind = self.node(node).map(|node| &self.builder.node_at(node).kind);
        if let Some(
            NodeKind::Text(data)
            | NodeKind::Comment(data)
            | NodeKind::ProcessingInstruction(_, data),
        ) = kind
        {
            Value::Text(data.clone())
        } else {
            Value::None
        }
    }

    fn token_part(&self, part: TokenPart) -> String {
        let (target, data) = match self.invocation.view {
            TokenView::Token(Token::Comment { data, .. }) => ("", &data[..]),
            TokenView::Token(Token::ProcessingInstruction { target, data, .. }) => {
                (&target[..], &data[..])
            }
            TokenView::Token(_) | TokenView::Character(..) | TokenView::Text(..) => ("", ""),
        };
        match part {
            TokenPart::TagName => {
                self.frame.token.as_ref().map(|token| token.name.clone()).unwrap_or_default()
            }
            TokenPart::CommentData | TokenPart::InstructionData => data.to_owned(),
            TokenPart::InstructionTarget => target.to_owned(),
            TokenPart::Characters => match (self.invocation.character, self.invocation.view) {
                (Some(character), _) => character.to_string(),
                (None, TokenView::Character(character, _)) => character.to_string(),
                (None, TokenView::Text(text, _)) => (*text).to_owned(),
                (None, TokenView::Token(_)) => String::new(),
            },
        }
    }

    /// Evaluates an expression to an entry of the list of active formatting elements, or to an element that has one,
    /// and returns the index of the entry. `None` if the list contains no such entry.
    pub(super) fn entry_at(&mut self, value: &'m Expression) -> Option<usize> {
        let value = self.value(value);
        if let Value::Entry(Entry { id, .. }) = value {
            return self.builder.formatting.iter().position(|it| it.id == id);
        }
        let Value::Node(node) = value else { return None };
        self.builder.formatting_index(node)
    }

    /// Returns the tag that created the element of an entry; `None` for a marker, or if the list lacks the entry.
    fn token_of_entry(&mut self, entry: &'m Expression) -> Option<TagToken> {
        let index = self.entry_at(entry)?;
        self.builder.formatting[index].element.as_ref().map(|(_, token)| token.clone())
    }

    /// Creates a node without a parent. `InsertedLike` also inserts the node; `Document` denotes the existing document.
    fn new_node(&mut self, new_node: &'m NewNode) -> Value {
        let kind = match new_node {
            NewNode::Element(_, local, namespace) => {
                let local = self.text_value(local);
                let namespace = self.text_value(namespace);
                let span = self.frame.token.as_ref().map_or(Span::default(), |token| token.span);
                return Value::Node(self.builder.create_element(
                    &namespace,
                    &local,
                    Vec::new(),
                    span,
                ));
            }
            NewNode::Prefixed(parts) => {
                let [prefix, local, namespace] =
                    std::array::from_fn(|index| self.text_value(&parts[index]));
                let name = prefixed(prefix, local, namespace);
                let span = self.frame.token.as_ref().map_or(Span::default(), |token| token.span);
                let element = Node::new(NodeKind::Element(name, Vec::new()), span);
                self.builder.tree.nodes.push(element);
                return Value::Node(self.builder.tree.nodes.len() - 1);
            }
            NewNode::Like(entry, parent) => {
                let Some(token) = self.token_of_entry(entry) else { return Value::None };
                let namespace = Value::Text(node::url(Namespace::Own).to_owned());
                let parent = self.value(parent);
                let arguments = vec![Value::Token(token.clone()), namespace, parent];
                let element = self.builder.create_by_routine(
                    Routine::CreateElement,
                    arguments,
                    self.invocation,
                );
                self.frame.created_elements.extend(element.map(|node| (node, token)));
                return node_or_none(element);
            }
            NewNode::InsertedLike(entry) => {
                let Some(token) = self.token_of_entry(entry) else { return Value::None };
                let arguments = vec![Value::Token(token)];
                return node_or_none(self.builder.create_by_routine(
                    Routine::InsertElement,
                    arguments,
                    self.invocation,
                ));
            }
            NewNode::Clone(original) => {
                let original = self.node(original);
                return node_or_none(
                    original.map(|node| self.builder.tree.clone_with_subtree(node)),
                );
            }
            NewNode::Doctype([_, parts @ ..]) => {
                let mut evaluate = |index: usize| Some(self.text_value(&parts[index]));
                let (name, public_identifier, system_identifier) =
                    (evaluate(0), evaluate(1), evaluate(2));
                let (force_quirks, span) = (false, self.invocation.span);
                NodeKind::Doctype(Doctype {
                    name,
                    public_identifier,
                    system_identifier,
                    force_quirks,
                    span,
                })
            }
            NewNode::Document => return Value::Node(0),
            NewNode::Fragment(_) => NodeKind::Fragment(None),
            NewNode::Text(_, data) => NodeKind::Text(self.text_value(data)),
            NewNode::Comment(_, data) => NodeKind::Comment(self.text_value(data)),
            NewNode::Instruction(_, target, data) => {
                let target = self.text_value(target);
                let data = self.text_value(data);
                NodeKind::ProcessingInstruction(target, data)
            }
        };
        let span = if matches!(kind, NodeKind::Fragment(_)) {
            Span::default()
        } else {
            self.invocation.span
        };
        self.builder.tree.nodes.push(Node::new(kind, span));
        Value::Node(self.builder.tree.nodes.len() - 1)
    }
}

impl<'m> TreeBuilder<'m> {
    /// Returns the children of the node's parent, and the node's index in that list; `None` if the node has no parent.
    fn siblings_and_index(&self, node: NodeId) -> Option<(&[NodeId], usize)> {
        let siblings = &self.node_at(self.node_at(node).parent?).children;
        Some((siblings, siblings.iter().position(|&other| other == node)?))
    }

    /// Returns the entry at this index in the list of active formatting elements, or `Value::None`.
    fn entry_value(&self, index: Option<usize>) -> Value {
        let entry = index.and_then(|index| self.formatting.get(index));
        entry.map_or(Value::None, |entry| Value::Entry(entry.clone()))
    }

    fn last_named(&self, name: &str) -> Option<NodeId> {
        let entries = self.formatting[self.first_after_marker()..].iter().rev();
        entries.filter_map(Entry::node).find(|&node| self.tree.is_own_element(node, name))
    }

    /// Returns a start tag with the local name and the current attributes of an element; `None` for other nodes.
    fn start_tag_of(&self, node: NodeId) -> Option<TagToken> {
        let NodeKind::Element(name, attributes) = &self.node_at(node).kind else { return None };
        let (name, attributes, span) = (name.local.clone(), attributes.clone(), Span::default());
        Some(TagToken { name, attributes, span })
    }

    fn create_by_routine(
        &mut self,
        routine: Routine,
        arguments: Vec<Value>,
        invocation: &Invocation<'_, '_>,
    ) -> Option<NodeId> {
        let algorithm = self.construction.routine(routine)?;
        let Value::Node(node) = self.run(algorithm, arguments, None, invocation) else {
            return None;
        };
        Some(node)
    }
}
