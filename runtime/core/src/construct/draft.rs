//! The tree that algorithms compiled from their steps build, without the rules of HTML. Their steps query and change
//! any node, which a sink does not provide, so the sink receives the nodes at the end of the input.

use super::{Builder, Construction, TokenView};
use crate::attribute::SinkAttribute;
use crate::span::Span;
use crate::tree::TreeSink;
use std::sync::Arc;

/// The index of the document.
const DOCUMENT: u32 = 0;

/// Namespace of elements that a condition on a plain name accepts.
const HTML: &str = "http://www.w3.org/1999/xhtml";

/// Nesting depth of rows that process a token again, beyond which tree construction stops.
const MAX_NESTING: u8 = 8;

/// The token for which an algorithm runs, and arguments of the action that runs it.
#[derive(Clone, Copy, Debug)]
pub struct Invocation<'t, E> {
    /// The token.
    pub token: &'t TokenView<'t>,
    /// Range of nodes created for the token.
    pub span: Option<Span>,
    /// Code of the error to report.
    pub error: Option<E>,
    /// Whether the action trims a character.
    pub trims: fn(char) -> bool,
}

impl<'t, E> Invocation<'t, E> {
    /// Creates an invocation by an action without arguments.
    pub fn new(token: &'t TokenView<'t>) -> Self {
        Self { token, span: Some(token.span()), error: None, trims: |_| false }
    }
}

/// A tag for which elements are created.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftTag {
    /// The name.
    pub name: String,
    /// Names as written, and values.
    pub attributes: Vec<(String, String)>,
    span: Span,
    self_closing: bool,
    is_acknowledged: bool,
    /// Whether attributes were dropped because an earlier one has their name.
    is_shortened: bool,
}

impl DraftTag {
    /// Creates a tag without attributes.
    pub fn new(name: String, span: Span) -> Arc<Self> {
        let (self_closing, is_acknowledged, is_shortened) = (false, false, false);
        let attributes = Vec::new();
        Arc::new(Self { name, attributes, span, self_closing, is_acknowledged, is_shortened })
    }

    /// Returns the value of the attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<String> {
        let found = self.attributes.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.clone())
    }
}

/// The target of a walk over open elements.
#[derive(Clone, Copy, Debug)]
pub enum DraftTarget<'a> {
    /// A node.
    Node(Option<u32>),
    /// Any element with one of these names as written.
    In(&'a [&'a str]),
}

impl DraftTarget<'_> {
    /// Returns the node, if there is one.
    pub fn node(self) -> Option<u32> {
        if let Self::Node(node) = self { node } else { None }
    }
}

/// A name in parts.
#[derive(Clone, Debug)]
struct PartedName {
    prefix: String,
    local: String,
    /// URL of the namespace; empty if there is none.
    namespace: String,
}

impl PartedName {
    /// Whether this is the name as written.
    fn is(&self, qualified: &str) -> bool {
        match qualified.strip_prefix(&*self.prefix) {
            Some(rest) if !self.prefix.is_empty() => rest.strip_prefix(':') == Some(&self.local),
            rest => rest == Some(&self.local),
        }
    }

    fn size(&self) -> usize {
        self.prefix.len() + self.local.len() + self.namespace.len()
    }
}

/// The kind of a node, with its properties.
#[derive(Clone, Debug)]
enum Content {
    Document,
    Element(PartedName, Vec<(PartedName, String)>),
    Text(String),
    Comment(String),
    Instruction(String, String),
    /// Name, public identifier and system identifier.
    Doctype([String; 3]),
}

/// A node, linked by indices.
#[derive(Clone, Debug)]
struct DraftNode {
    content: Content,
    span: Option<Span>,
    end_span: Option<Span>,
    parent: Option<u32>,
    previous: Option<u32>,
    next: Option<u32>,
    first: Option<u32>,
    last: Option<u32>,
}

impl DraftNode {
    fn new(content: Content, span: Option<Span>) -> Self {
        let (parent, previous, next, first, last) = (None, None, None, None, None);
        Self { content, span, end_span: None, parent, previous, next, first, last }
    }
}

/// The tree, the stack of open elements, and the token. Steps with a missing node have no effect.
#[derive(Debug)]
pub struct Draft {
    nodes: Vec<DraftNode>,
    open: Vec<u32>,
    tag: Option<Arc<DraftTag>>,
    popped: Option<u32>,
    /// Notifications of the host, each with its node.
    calls: Vec<(&'static str, u32)>,
    /// Whether the algorithm before the rows has passed the token on.
    is_passed: bool,
    /// Whether the characters of a text are matched as a whole.
    is_joined: bool,
    /// Whether the last row requested that the token be reprocessed.
    is_reprocessed: bool,
    nesting: u8,
    /// Number of loop rounds left for the token.
    rounds: usize,
    /// Bytes of names and texts.
    bytes: usize,
    /// Whether steps made the tree cyclic, or do not terminate.
    is_broken: bool,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            nodes: vec![DraftNode::new(Content::Document, None)],
            open: Vec::new(),
            tag: None,
            popped: None,
            calls: Vec::new(),
            is_passed: false,
            is_joined: false,
            is_reprocessed: false,
            nesting: 0,
            rounds: 0,
            bytes: 0,
            is_broken: false,
        }
    }
}

/// The token.
impl Draft {
    fn begin(&mut self, token: &TokenView<'_>) {
        (self.popped, self.is_passed, self.is_joined) = (None, false, false);
        self.tag = token.tag().map(|tag| {
            let attribute =
                |it: crate::token::Attribute<'_>| (it.name.to_owned(), it.value.to_owned());
            let attributes = tag.attributes().map(attribute).collect();
            let (is_acknowledged, is_shortened) = (false, false);
            let (name, span, self_closing) =
                (tag.name().to_owned(), tag.span(), tag.self_closing());
            Arc::new(DraftTag {
                name,
                attributes,
                span,
                self_closing,
                is_acknowledged,
                is_shortened,
            })
        });
        let attributes = self.tag.as_ref().map_or(0, |tag| tag.attributes.len());
        self.rounds =
            10_000 + 1_000 * (1 + attributes) * (1 + self.open.len()) + 100 * self.nodes.len();
    }

    /// Counts a round of a loop. Returns false if the algorithm is to end, because its steps do not terminate.
    pub fn count_round(&mut self) -> bool {
        self.rounds = self.rounds.saturating_sub(1);
        self.is_broken |= self.rounds == 0;
        !self.is_broken
    }

    /// Returns the tag that is processed.
    pub fn tag(&self) -> Option<Arc<DraftTag>> {
        self.tag.clone()
    }

    fn edit_tag(&mut self, edit: impl FnOnce(&mut DraftTag)) {
        if let Some(tag) = &mut self.tag {
            edit(Arc::make_mut(tag));
        }
    }

    /// Drops each attribute of the tag whose name an earlier one has.
    pub fn keep_first_attributes(&mut self) {
        self.edit_tag(|tag| {
            let (count, mut names) = (tag.attributes.len(), std::collections::HashSet::new());
            tag.attributes.retain(|(name, _)| names.insert(name.clone()));
            tag.is_shortened = tag.attributes.len() < count;
        });
    }

    /// Drops the attributes of the tag.
    pub fn drop_attributes(&mut self) {
        self.edit_tag(|tag| tag.attributes.clear());
    }

    /// Acknowledges the self-closing flag of the tag.
    pub fn acknowledge(&mut self) {
        self.edit_tag(|tag| tag.is_acknowledged = true);
    }

    /// Passes the token to the rows.
    pub fn pass(&mut self) {
        self.is_passed = true;
    }

    /// Joins the characters of a text.
    pub fn join(&mut self) {
        self.is_joined = true;
    }

    /// Whether a row of the mode requested that the token be reprocessed.
    pub fn is_reprocessed(&self) -> bool {
        self.is_reprocessed
    }

    /// Whether the self-closing flag of the tag is set.
    pub fn is_self_closing(&self) -> bool {
        self.tag.as_ref().is_some_and(|tag| tag.self_closing)
    }

    /// Whether a row acknowledged the self-closing flag of the tag.
    pub fn is_acknowledged(&self) -> bool {
        self.tag.as_ref().is_some_and(|tag| tag.is_acknowledged)
    }

    /// Whether attributes of the tag were dropped because an earlier one has their name.
    pub fn is_shortened(&self) -> bool {
        self.tag.as_ref().is_some_and(|tag| tag.is_shortened)
    }

    /// Whether the tag has an attribute with this name and an accepted value.
    pub fn tag_has(&self, name: &str, accepts: impl Fn(&str) -> bool) -> bool {
        let mut all = self.tag.iter().flat_map(|tag| &tag.attributes);
        all.any(|(other, value)| other == name && accepts(value))
    }

    /// Replaces the tag that is processed, and returns the former one.
    pub fn replace_tag(&mut self, tag: Option<Arc<DraftTag>>) -> Option<Arc<DraftTag>> {
        std::mem::replace(&mut self.tag, tag)
    }

    /// Whether the node is an element with the tag's name.
    pub fn has_tag_name(&self, node: Option<u32>) -> bool {
        self.tag.as_ref().is_some_and(|tag| self.is_one_of(node, &[&tag.name]))
    }

    /// Records a call of the host with the element popped last for the token, or else with `current`.
    pub fn call_host(&mut self, word: &'static str, current: Option<u32>) {
        self.calls.push((word, self.popped.or(current).unwrap_or(DOCUMENT)));
    }
}

/// Queries of nodes.
impl Draft {
    fn at(&self, node: Option<u32>) -> Option<&DraftNode> {
        self.nodes.get(node? as usize)
    }

    fn at_mut(&mut self, node: u32) -> &mut DraftNode {
        &mut self.nodes[node as usize]
    }

    fn name(&self, node: Option<u32>) -> Option<&PartedName> {
        if let Content::Element(name, _) = &self.at(node)?.content { Some(name) } else { None }
    }

    fn attributes(&self, node: Option<u32>) -> &[(PartedName, String)] {
        match self.at(node).map(|node| &node.content) {
            Some(Content::Element(_, attributes)) => attributes,
            _ => &[],
        }
    }

    /// Returns the document.
    pub fn document(&self) -> Option<u32> {
        Some(DOCUMENT)
    }

    /// Returns the parent of a node.
    pub fn parent(&self, node: Option<u32>) -> Option<u32> {
        self.at(node)?.parent
    }

    /// Returns the previous sibling of a node.
    pub fn previous_sibling(&self, node: Option<u32>) -> Option<u32> {
        self.at(node)?.previous
    }

    /// Returns the next sibling of a node.
    pub fn next_sibling(&self, node: Option<u32>) -> Option<u32> {
        self.at(node)?.next
    }

    /// Returns the first child of a node.
    pub fn first_child(&self, node: Option<u32>) -> Option<u32> {
        self.at(node)?.first
    }

    /// Returns the last child of a node.
    pub fn last_child(&self, node: Option<u32>) -> Option<u32> {
        self.at(node)?.last
    }

    /// Returns the node after `node` in tree order within `root`.
    pub fn following(&self, node: Option<u32>, root: Option<u32>) -> Option<u32> {
        let mut at = self.at(node).map(|_| node)?;
        if let Some(first) = self.first_child(at) {
            return root.map(|_| first);
        }
        while at != root {
            if let Some(next) = self.next_sibling(at) {
                return root.map(|_| next);
            }
            at = Some(self.parent(at)?);
        }
        None
    }

    /// Returns the data of a text, comment or processing instruction.
    pub fn data(&self, node: Option<u32>) -> Option<String> {
        match &self.at(node)?.content {
            Content::Text(data) | Content::Comment(data) | Content::Instruction(_, data) => {
                Some(data.clone())
            }
            Content::Document | Content::Element(..) | Content::Doctype(_) => None,
        }
    }

    /// Returns the value of the element's attribute with this name as written.
    pub fn attribute(&self, node: Option<u32>, name: &str) -> Option<String> {
        let found = self.attributes(node).iter().find(|(other, _)| other.is(name));
        found.map(|(_, value)| value.clone())
    }

    /// Whether the element has an attribute with this local name in this namespace, which is not empty.
    pub fn has_attribute_in(&self, node: Option<u32>, local: &str, namespace: &str) -> bool {
        let is_it = |name: &PartedName| name.local == local && name.namespace == namespace;
        !namespace.is_empty() && self.attributes(node).iter().any(|(name, _)| is_it(name))
    }

    /// Whether the node is an element.
    pub fn is_element(&self, node: Option<u32>) -> bool {
        self.name(node).is_some()
    }

    /// Whether the node is an element with one of these names as written.
    pub fn is_one_of(&self, node: Option<u32>, names: &[&str]) -> bool {
        self.name(node).is_some_and(|name| names.iter().any(|other| name.is(other)))
    }

    /// Whether the node is an HTML element with this name.
    pub fn is_named(&self, node: Option<u32>, local: Option<String>) -> bool {
        let local = local.unwrap_or_default();
        self.name(node).is_some_and(|name| name.namespace == HTML && name.local == local)
    }

    /// Whether the node is a text.
    pub fn is_text(&self, node: Option<u32>) -> bool {
        self.at(node).is_some_and(|node| matches!(node.content, Content::Text(_)))
    }

    /// Whether the node is the document.
    pub fn is_document(&self, node: Option<u32>) -> bool {
        node == Some(DOCUMENT)
    }

    /// Whether the first node is the second one or contains it.
    pub fn is_ancestor(&self, ancestor: Option<u32>, node: Option<u32>) -> bool {
        let mut at = node;
        while at.is_some() && at != ancestor {
            at = self.parent(at);
        }
        at.is_some()
    }

    fn has_child(&self, node: Option<u32>, is_it: impl Fn(&Content) -> bool) -> bool {
        let mut child = self.first_child(node);
        while let Some(at) = self.at(child) {
            if is_it(&at.content) {
                return true;
            }
            child = at.next;
        }
        false
    }

    /// Whether a child of the node is an element.
    pub fn has_element_child(&self, node: Option<u32>) -> bool {
        self.has_child(node, |content| matches!(content, Content::Element(..)))
    }

    /// Whether a child of the node is a DOCTYPE.
    pub fn has_doctype_child(&self, node: Option<u32>) -> bool {
        self.has_child(node, |content| matches!(content, Content::Doctype(_)))
    }
}

/// Changes of nodes.
impl Draft {
    fn add(&mut self, content: Content, span: Option<Span>) -> Option<u32> {
        self.bytes += match &content {
            Content::Document => 0,
            Content::Element(name, _) => name.size(),
            Content::Text(data) | Content::Comment(data) => data.len(),
            Content::Instruction(target, data) => target.len() + data.len(),
            Content::Doctype(parts) => parts.iter().map(String::len).sum(),
        };
        let index = u32::try_from(self.nodes.len()).ok();
        self.is_broken |= index.is_none();
        index.inspect(|_| self.nodes.push(DraftNode::new(content, span)))
    }

    /// Creates an element.
    pub fn new_element(
        &mut self,
        [prefix, local, namespace]: [Option<String>; 3],
        tag: Option<&DraftTag>,
    ) -> Option<u32> {
        let name = parted(prefix, local, namespace);
        self.add(Content::Element(name, Vec::new()), tag.map(|tag| tag.span))
    }

    /// Creates a text.
    pub fn new_text(&mut self, data: Option<String>, span: Option<Span>) -> Option<u32> {
        self.add(Content::Text(data.unwrap_or_default()), span)
    }

    /// Creates a comment.
    pub fn new_comment(&mut self, data: Option<String>, span: Option<Span>) -> Option<u32> {
        self.add(Content::Comment(data.unwrap_or_default()), span)
    }

    /// Creates a processing instruction.
    pub fn new_instruction(
        &mut self,
        target: Option<String>,
        data: Option<String>,
        span: Option<Span>,
    ) -> Option<u32> {
        let (target, data) = (target.unwrap_or_default(), data.unwrap_or_default());
        self.add(Content::Instruction(target, data), span)
    }

    /// Creates a DOCTYPE with a name, a public identifier and a system identifier.
    pub fn new_doctype(&mut self, parts: [Option<String>; 3], span: Option<Span>) -> Option<u32> {
        self.add(Content::Doctype(parts.map(Option::unwrap_or_default)), span)
    }

    /// Clones a node with its descendants.
    pub fn clone_with_subtree(&mut self, node: Option<u32>) -> Option<u32> {
        let root = node?;
        let clone = self.clone_alone(root)?;
        let (mut at, mut to) = (root, clone);
        loop {
            if let Some(first) = self.first_child(Some(at)) {
                let child = self.clone_alone(first)?;
                self.link(to, None, child);
                (at, to) = (first, child);
                continue;
            }
            loop {
                if at == root {
                    return Some(clone);
                }
                let parent = self.parent(Some(to));
                if let (Some(next), Some(parent)) = (self.next_sibling(Some(at)), parent) {
                    let child = self.clone_alone(next)?;
                    self.link(parent, None, child);
                    (at, to) = (next, child);
                    break;
                }
                (at, to) = (self.parent(Some(at))?, parent?);
            }
        }
    }

    fn clone_alone(&mut self, node: u32) -> Option<u32> {
        let DraftNode { content, span, .. } = self.at(Some(node))?;
        let (content, span) = (content.clone(), *span);
        self.add(content, span)
    }

    /// Adds an attribute to the element: its prefix, local name, namespace and value.
    pub fn add_attribute(&mut self, node: Option<u32>, parts: [Option<String>; 4]) {
        let [prefix, local, namespace, value] = parts;
        let (name, value) = (parted(prefix, local, namespace), value.unwrap_or_default());
        let size = name.size() + value.len();
        if let Some(node) = node
            && let Content::Element(_, attributes) = &mut self.at_mut(node).content
        {
            attributes.push((name, value));
            self.bytes += size + size_of::<(PartedName, String)>();
        }
    }

    /// Gives the element the attributes of the tag.
    pub fn set_attributes(&mut self, node: Option<u32>, tag: Option<&DraftTag>) {
        let (Some(node), Some(tag)) = (node, tag) else { return };
        if let Content::Element(_, attributes) = &mut self.at_mut(node).content {
            attributes.clear();
        }
        for (name, value) in &tag.attributes {
            let name = Some(name.clone());
            self.add_attribute(Some(node), [None, name, None, Some(value.clone())]);
        }
    }

    /// Removes the node from its parent.
    pub fn detach(&mut self, node: Option<u32>) {
        let Some(node) = node else { return };
        let DraftNode { parent, previous, next, .. } = self.nodes[node as usize];
        let Some(parent) = parent else { return };
        match previous {
            Some(previous) => self.at_mut(previous).next = next,
            None => self.at_mut(parent).first = next,
        }
        match next {
            Some(next) => self.at_mut(next).previous = previous,
            None => self.at_mut(parent).last = previous,
        }
        let node = self.at_mut(node);
        (node.parent, node.previous, node.next) = (None, None, None);
    }

    /// Links a node without parent before `before`, or at the end if that is no child of `parent`.
    fn link(&mut self, parent: u32, before: Option<u32>, node: u32) {
        let next = before.filter(|&before| self.parent(Some(before)) == Some(parent));
        let previous = match next {
            Some(next) => self.nodes[next as usize].previous,
            None => self.nodes[parent as usize].last,
        };
        match previous {
            Some(previous) => self.at_mut(previous).next = Some(node),
            None => self.at_mut(parent).first = Some(node),
        }
        match next {
            Some(next) => self.at_mut(next).previous = Some(node),
            None => self.at_mut(parent).last = Some(node),
        }
        let node = self.at_mut(node);
        (node.parent, node.previous, node.next) = (Some(parent), previous, next);
    }

    /// Moves the node into `parent` before `before`, or to the end. Tree construction ends if the node would contain
    /// itself.
    pub fn insert(&mut self, node: Option<u32>, parent: Option<u32>, before: Option<u32>) {
        let (Some(child), Some(into)) = (node, parent) else { return };
        if self.is_ancestor(node, parent) {
            self.is_broken = true;
            return;
        }
        self.detach(node);
        self.link(into, before, child);
    }

    /// Moves the children of a node to the end of another one.
    pub fn append_children(&mut self, from: Option<u32>, to: Option<u32>) {
        if to.is_none() {
            return;
        }
        let (mut child, last) = (self.first_child(from), self.last_child(from));
        while child.is_some() && !self.is_broken {
            let next = self.next_sibling(child).filter(|_| child != last);
            self.insert(child, to, None);
            child = next;
        }
    }

    /// Appends a string to the data of a text, whose range then ends where `span` ends.
    pub fn append_data(&mut self, data: Option<String>, node: Option<u32>, span: Option<Span>) {
        let data = data.unwrap_or_default();
        if let Some(node) = node
            && let node = self.at_mut(node)
            && let Content::Text(text) = &mut node.content
        {
            text.push_str(&data);
            let start = node.span.map_or(0, |span| span.start);
            node.span = span.map(|span| Span::new(start, span.end));
            self.bytes += data.len();
        }
    }

    /// Trims characters from the start of a text, or from its end.
    pub fn trim(&mut self, node: Option<u32>, at_start: bool, trims: fn(char) -> bool) {
        if let Some(node) = node
            && let Content::Text(text) = &mut self.at_mut(node).content
        {
            let trimmed = if at_start {
                text.trim_start_matches(trims)
            } else {
                text.trim_end_matches(trims)
            };
            *text = trimmed.to_owned();
        }
    }

    /// Sets the range of the element's end tag.
    pub fn end(&mut self, node: Option<u32>, token: &TokenView<'_>) {
        if let Some(node) = node {
            // A tag that the tokenizer derives from another one has an empty range.
            self.at_mut(node).end_span = Some(token.span()).filter(|span| !span.is_empty());
        }
    }
}

/// The stack of open elements.
impl Draft {
    fn place(&self, node: Option<u32>) -> Option<usize> {
        let node = node?;
        self.open.iter().rposition(|&open| open == node)
    }

    /// Returns the first element of the stack.
    pub fn first_open(&self) -> Option<u32> {
        self.open.first().copied()
    }

    /// Returns the last element of the stack.
    pub fn last_open(&self) -> Option<u32> {
        self.open.last().copied()
    }

    /// Returns the last element of the stack with one of these names as written.
    pub fn last_open_of(&self, names: &[&str]) -> Option<u32> {
        self.open.iter().rev().copied().find(|&node| self.is_one_of(Some(node), names))
    }

    /// Returns the element above this one on the stack.
    pub fn above(&self, node: Option<u32>) -> Option<u32> {
        Some(self.open[self.place(node)?.checked_sub(1)?])
    }

    /// Whether the target is open.
    pub fn is_open(&self, target: DraftTarget<'_>) -> bool {
        match target {
            DraftTarget::Node(node) => self.place(node).is_some(),
            DraftTarget::In(names) => self.last_open_of(names).is_some(),
        }
    }

    /// Whether the node is the target.
    pub fn is_target(&self, node: Option<u32>, target: DraftTarget<'_>) -> bool {
        match target {
            DraftTarget::Node(target) => node == target,
            DraftTarget::In(names) => self.is_one_of(node, names),
        }
    }

    /// Whether one of these elements is open above `found`.
    pub fn has_above(&self, found: Option<u32>, names: &[&str]) -> bool {
        let mut above = self.open.iter().rev().take_while(|&&node| Some(node) != found);
        found.is_some() && above.any(|&node| self.is_one_of(Some(node), names))
    }

    /// Whether the second element of the stack has one of these names.
    pub fn second_is(&self, names: &[&str]) -> bool {
        self.is_one_of(self.open.get(1).copied(), names)
    }

    /// Whether an element with none of these names is open.
    pub fn has_open_other_than(&self, names: &[&str]) -> bool {
        self.open.iter().any(|&node| !self.is_one_of(Some(node), names))
    }

    /// Pushes the element.
    pub fn push(&mut self, node: Option<u32>) {
        self.open.extend(node);
    }

    /// Pops the last element.
    pub fn pop(&mut self) {
        if let Some(node) = self.open.pop() {
            self.popped = Some(node);
        }
    }

    /// Pops elements up to and including this one.
    pub fn pop_until(&mut self, node: Option<u32>) {
        while let Some(last) = self.last_open().filter(|_| node.is_some()) {
            self.pop();
            if Some(last) == node {
                return;
            }
        }
    }

    /// Removes the element from the stack.
    pub fn remove_from_open(&mut self, node: Option<u32>) {
        if let Some(at) = self.place(node) {
            self.open.remove(at);
        }
    }

    /// Replaces the element on the stack.
    pub fn replace_in_open(&mut self, node: Option<u32>, new: Option<u32>) {
        let at = self.open.iter().position(|&open| Some(open) == node);
        if let (Some(at), Some(new)) = (at, new) {
            self.open[at] = new;
        }
    }

    /// Inserts an element below another one on the stack.
    pub fn insert_below(&mut self, new: Option<u32>, node: Option<u32>) {
        if let (Some(new), Some(at)) = (new, self.place(node)) {
            self.open.insert(at + 1, new);
        }
    }
}

fn parted(prefix: Option<String>, local: Option<String>, namespace: Option<String>) -> PartedName {
    let [prefix, local, namespace] = [prefix, local, namespace].map(Option::unwrap_or_default);
    PartedName { prefix, local, namespace }
}

/// Splits a name as written at its first colon, unless that is its first character. Returns the prefix, which may be
/// empty, and the local part.
pub fn split_name(name: Option<String>) -> [Option<String>; 2] {
    let name = name.unwrap_or_default();
    match name.split_once(':').filter(|(prefix, _)| !prefix.is_empty()) {
        Some((prefix, local)) => [prefix.to_owned(), local.to_owned()].map(Some),
        None => [String::new(), name].map(Some),
    }
}

/// The token's parts, as values of variables.
impl TokenView<'_> {
    /// Whether the token is a start tag.
    pub fn is_start_tag(&self) -> bool {
        matches!(self, Self::StartTag(..))
    }

    /// Whether the token is an end tag with a name.
    pub fn is_end_tag(&self) -> bool {
        matches!(self, Self::EndTag(..))
    }

    /// Whether the token is a text.
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    /// Whether the token is an end tag, with or without a name.
    pub fn is_any_end_tag(&self) -> bool {
        matches!(self, Self::EndTag(..) | Self::ShortEndTag(_))
    }

    /// Returns the characters of a text; empty for other tokens.
    pub fn characters(&self) -> Option<String> {
        let Self::Text(text) = self else { return Some(String::new()) };
        Some(text.text.to_owned())
    }

    /// Returns the data of a comment or of a processing instruction; empty for other tokens.
    pub fn data(&self) -> Option<String> {
        Some(match self {
            Self::Comment(comment) => comment.data.to_owned(),
            Self::ProcessingInstruction(_, data, _) => (*data).to_owned(),
            _ => String::new(),
        })
    }

    /// Returns the target of a processing instruction; empty for other tokens.
    pub fn target(&self) -> Option<String> {
        let Self::ProcessingInstruction(target, ..) = self else { return Some(String::new()) };
        Some((*target).to_owned())
    }

    /// Returns the name, public identifier and system identifier of a DOCTYPE.
    pub fn doctype_parts(&self) -> [Option<String>; 3] {
        let Self::Doctype(doctype) = self else { return [None, None, None] };
        [doctype.name(), doctype.public_identifier(), doctype.system_identifier()]
            .map(|part| part.map(str::to_owned))
    }
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the draft, which is empty at first.
    pub fn draft(&mut self) -> &mut Draft {
        self.draft.get_or_insert_default()
    }

    /// Processes a token by the algorithms of the table.
    pub(super) fn process_by_steps(&mut self, token: &TokenView<'_>) {
        if self.has_stopped {
            return;
        }
        self.steps += 1;
        self.draft().begin(token);
        C::clean_token(self, token);
        if !self.draft().is_passed {
            return;
        }
        match token {
            TokenView::Text(text) if !(C::TAKES_TEXTS && self.draft().is_joined) => {
                for (at, character) in text.text.char_indices() {
                    let part = text.part(at, at + character.len_utf8());
                    let token = TokenView::Text(part);
                    if !self.has_stopped {
                        self.draft().begin(&token);
                        self.emit_by_steps(&token);
                    }
                }
            }
            _ => self.emit_by_steps(token),
        }
    }

    fn emit_by_steps(&mut self, token: &TokenView<'_>) {
        C::emit_token(self, token);
        if self.draft().is_broken {
            self.has_stopped = true;
            self.limits.stop();
        }
    }

    /// Whether the characters of a text were joined, so that rows match the whole text.
    pub fn is_joined(&mut self) -> bool {
        self.draft().is_joined
    }

    /// Runs something that may process the token again, unless that is nested too deeply.
    pub fn nested(&mut self, run: impl FnOnce(&mut Self)) {
        if self.draft().nesting < MAX_NESTING && !self.draft().is_broken {
            self.draft().nesting += 1;
            run(self);
            self.draft().nesting -= 1;
        } else {
            self.draft().is_broken = true;
        }
    }

    /// Runs the row of a mode that matches the token.
    pub fn take_row(&mut self, mode: C::Mode, token: &TokenView<'_>) {
        self.nested(|builder| {
            builder.steps += 1;
            C::rules(mode, builder, token);
            let is_again = builder.take_reprocess();
            let has_stopped = builder.has_stopped;
            builder.draft().is_reprocessed = is_again && !has_stopped;
        });
    }

    /// Reports the error, if the action has one.
    pub fn invocation_error(&mut self, given: &Invocation<'_, C::Error>)
    where
        C::Error: Copy,
    {
        if let Some(code) = given.error {
            self.error(code, given.token);
        }
    }

    /// Passes the nodes of the draft to the sink.
    pub(super) fn finish_draft(&mut self) {
        let Some(draft) = self.draft.take() else { return };
        let mut made = vec![None; draft.nodes.len()];
        made[DOCUMENT as usize] = Some(self.document);
        // The nodes of the sink that contain the current node; below the depth limit, the last one that may.
        let mut targets = vec![self.document];
        let mut at = draft.first_child(Some(DOCUMENT));
        while let Some(index) = at {
            let node = &draft.nodes[index as usize];
            let depth = targets.len();
            let is_element = matches!(node.content, Content::Element(..));
            if is_element && depth > self.limits.max_parent_depth() + 1 {
                self.limits.reached = node.span.map_or(self.limits.reached, |span| span.start);
                self.report_flattened();
                targets[depth - 1] = targets[depth - 2];
            }
            made[index as usize] = self.pass_node(&draft, index, targets[depth - 1]);
            if let (Some(first), Some(parent)) = (node.first, made[index as usize]) {
                targets.push(parent);
                at = Some(first);
                continue;
            }
            self.pass_end(node, made[index as usize]);
            at = node.next;
            let mut parent = node.parent;
            while let (None, Some(inner)) = (at, parent.filter(|&it| it != DOCUMENT)) {
                targets.pop();
                self.pass_end(&draft.nodes[inner as usize], made[inner as usize]);
                (at, parent) = (draft.next_sibling(Some(inner)), draft.parent(Some(inner)));
            }
        }
        for (word, node) in draft.calls {
            // Nodes that steps have removed are not in the tree.
            self.sink.call_host(word, made[node as usize].unwrap_or(self.document));
        }
    }

    /// Creates the node in the sink, as the last child of `parent`. Returns it if it is an element.
    fn pass_node(&mut self, draft: &Draft, index: u32, parent: S::Node) -> Option<S::Node> {
        let node = &draft.nodes[index as usize];
        let span = node.span.unwrap_or_default();
        let made = match &node.content {
            Content::Document => return None,
            Content::Text(text) if text.is_empty() || draft.is_text(node.previous) => {
                self.sink.append_text_node(parent, text, span);
                return None;
            }
            Content::Text(text) => {
                self.sink.append_characters(parent, text, span);
                return None;
            }
            Content::Element(name, attributes) => {
                let names = self.sink.names();
                let mut named = |name: &PartedName| {
                    let namespace = names.namespace(&name.namespace);
                    names.name(namespace, &name.prefix, &name.local)
                };
                let name = named(name);
                let attributes: Vec<_> = attributes
                    .iter()
                    .map(|(name, value)| SinkAttribute::implied(named(name), value))
                    .collect();
                let made = self.sink.make_element(name, attributes.into_iter(), node.span);
                self.link_last(parent, made);
                return Some(made);
            }
            Content::Comment(data) => self.sink.make_comment(data, span),
            Content::Instruction(target, data) => {
                self.sink.make_processing_instruction(target, data, span)
            }
            Content::Doctype(parts) => {
                let [name, public, system] = parts.each_ref().map(|part| &part[..]);
                let identifiers =
                    [public, system].map(|part| Some(part).filter(|it| !it.is_empty()));
                self.sink.make_doctype(name, identifiers[0], identifiers[1], span)
            }
        };
        self.link_last(parent, made);
        None
    }

    fn pass_end(&mut self, node: &DraftNode, made: Option<S::Node>) {
        let Some(made) = made else { return };
        if let Some(span) = node.end_span {
            self.sink.end_tag(made, span);
        }
        self.sink.popped(made);
    }
}

impl Draft {
    /// Returns the heap size in bytes.
    pub(super) fn memory_usage(&self) -> usize {
        self.nodes.capacity() * size_of::<DraftNode>() + self.open.capacity() * 4 + self.bytes
    }
}
