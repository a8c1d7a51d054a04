//! Trees without the rules of HTML: nodes go to the current node, names are plain or have prefixes. Invariant: as for
//! the rest of the builder.

use super::{Name, Node, NodeId, NodeKind, TokenView, TreeBuilder};
use crate::interpreter::{Attribute, Span, Tag, Token};
use tabulex_language::model::CharacterSet;
use tabulex_language::model::tree::{Elements, Parent};

/// The namespace to which the prefix `xml` is bound.
pub(super) const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace to which the prefix `xmlns` is bound.
pub(super) const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

impl TreeBuilder<'_> {
    pub(super) fn append(&mut self, parent: Parent, kind: NodeKind, span: Span) -> NodeId {
        let parent = match parent {
            Parent::Current => self.current(),
            Parent::Document => 0,
        };
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node::new(kind, span));
        self.tree.nodes[node].parent = Some(parent);
        self.tree.nodes[parent].children.push(node);
        node
    }

    pub(super) fn append_element(&mut self, seen: &TokenView<'_>) -> Option<NodeId> {
        if self.construction.elements == Elements::Html {
            return self.insert_for_tag(seen);
        }
        let tag = seen.tag()?;
        let kind = match self.construction.elements {
            Elements::Plain | Elements::Html => plain_element(tag),
            Elements::Xml => self.xml_element(tag),
        };
        if let (Some(error), NodeKind::Element(_, attributes)) = (self.construction.left_out, &kind)
            && attributes.len() < tag.attributes.len()
        {
            self.errors.push((error, tag.span));
        }
        Some(self.append(Parent::Current, kind, tag.span))
    }

    /// Splits names at their first colon and looks prefixes up in the tag's own attributes, then in those of the open
    /// elements.
    fn xml_element(&self, tag: &Tag) -> NodeKind {
        let mut attributes: Vec<(Name, String)> = Vec::new();
        for Attribute { name, value, .. } in &tag.attributes {
            let (prefix, local) = split(name).unwrap_or(("", name));
            let namespace = match (prefix, local) {
                ("", "xmlns") => XMLNS.to_owned(),
                ("", _) => String::new(),
                _ => self.namespace(prefix, tag),
            };
            // A prefix that is bound to nothing is a part of the name.
            let is_same = |other: &Name| match (&namespace[..], &other.namespace[..]) {
                ("", "") => other.qualified == *name,
                (namespace, of_other) => other.local == local && of_other == namespace,
            };
            if attributes.iter().any(|(other, _)| is_same(other)) {
                continue;
            }
            let (prefix, local) = (prefix.to_owned(), local.to_owned());
            attributes
                .push((Name { qualified: name.clone(), prefix, local, namespace }, value.clone()));
        }
        let (prefix, local) = split(&tag.name).unwrap_or(("", &tag.name));
        let namespace = self.namespace(prefix, tag);
        let (prefix, local) = (prefix.to_owned(), local.to_owned());
        NodeKind::Element(
            Name { qualified: tag.name.clone(), prefix, local, namespace },
            attributes,
        )
    }

    fn namespace(&self, prefix: &str, tag: &Tag) -> String {
        match prefix {
            "xml" => return XML.to_owned(),
            "xmlns" => return XMLNS.to_owned(),
            _ => {}
        }
        let declares = |name: &str| match split(name) {
            None => prefix.is_empty() && name == "xmlns",
            Some((before, local)) => before == "xmlns" && local == prefix && !prefix.is_empty(),
        };
        if let Some(attribute) = tag.attributes.iter().find(|attribute| declares(&attribute.name)) {
            return attribute.value.clone();
        }
        for &node in self.open.iter().rev() {
            if let NodeKind::Element(_, attributes) = &self.tree.nodes[node].kind
                && let Some((_, value)) =
                    attributes.iter().find(|(name, _)| declares(&name.qualified))
            {
                return value.clone();
            }
        }
        String::new()
    }

    pub(super) fn append_text(&mut self, seen: &TokenView<'_>) {
        let (text, span) = match seen {
            TokenView::Character(character, span) => (character.to_string(), *span),
            TokenView::Text(text, span) => ((*text).to_owned(), *span),
            TokenView::Token(_) => return,
        };
        let last = self.tree.nodes[self.current()].children.last().copied();
        if let Some(last) = last
            && let NodeKind::Text(before) = &mut self.tree.nodes[last].kind
        {
            before.push_str(&text);
            self.tree.nodes[last].span.end = span.end;
            return;
        }
        self.append(Parent::Current, NodeKind::Text(text), span);
    }

    pub(super) fn pop(&mut self, seen: &TokenView<'_>) {
        if self.construction.elements == Elements::Html {
            self.pop_html(seen);
            return;
        }
        let popped = self.open.pop();
        self.popped = popped.or(self.popped);
        if let Some(node) = popped
            && let TokenView::Token(Token::EndTag(_) | Token::ShortEndTag { .. }) = seen
        {
            self.tree.nodes[node].end_span = written(seen.span());
        }
    }

    pub(super) fn pop_until_token_name(&mut self, seen: &TokenView<'_>) {
        if self.construction.elements == Elements::Html {
            return self.pop_html_until(seen, |builder, node| builder.has_name_of(node, seen));
        }
        while let Some(node) = self.open.pop() {
            self.popped = Some(node);
            if self.has_name_of(node, seen) {
                self.tree.nodes[node].end_span = written(seen.span());
                return;
            }
        }
    }

    pub(super) fn trim_text(&mut self, set: &CharacterSet) {
        let inside = |character: char| set.contains(character);
        let children = self.tree.nodes[0].children.clone();
        for (node, at_start) in [(children.first(), true), (children.last(), false)] {
            let Some(&node) = node else { return };
            let NodeKind::Text(text) = &mut self.tree.nodes[node].kind else { continue };
            *text = if at_start {
                text.trim_start_matches(inside)
            } else {
                text.trim_end_matches(inside)
            }
            .to_owned();
            if text.is_empty() {
                self.tree.nodes[0].children.retain(|&child| child != node);
            }
        }
    }

    pub(super) fn wrap_unless_single_element(&mut self, name: &str) {
        let children = &self.tree.nodes[0].children;
        if let [only] = children[..]
            && matches!(self.tree.nodes[only].kind, NodeKind::Element(..))
        {
            return;
        }
        let children = std::mem::take(&mut self.tree.nodes[0].children);
        let name = Name { qualified: name.to_owned(), local: name.to_owned(), ..Name::default() };
        let node =
            self.append(Parent::Document, NodeKind::Element(name, Vec::new()), Span::default());
        children.iter().for_each(|&child| self.tree.nodes[child].parent = Some(node));
        self.tree.nodes[node].children = children;
    }
}

/// The range of an end tag, unless it is none that was written but what a machine makes of a start tag.
fn written(span: Span) -> Option<Span> {
    (span.start < span.end).then_some(span)
}

/// What is before and after the first colon; none if nothing is before it.
fn split(name: &str) -> Option<(&str, &str)> {
    name.split_once(':').filter(|(prefix, _)| !prefix.is_empty())
}

fn plain_element(tag: &Tag) -> NodeKind {
    let plain =
        |name: &str| Name { qualified: name.to_owned(), local: name.to_owned(), ..Name::default() };
    let mut attributes: Vec<(Name, String)> = Vec::new();
    for attribute in &tag.attributes {
        if !attributes.iter().any(|(name, _)| name.qualified == attribute.name) {
            attributes.push((plain(&attribute.name), attribute.value.clone()));
        }
    }
    NodeKind::Element(plain(&tag.name), attributes)
}
