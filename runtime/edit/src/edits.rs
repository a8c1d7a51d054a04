//! The edits of one page, collected and then written at once. Invariant: each is a change of the text and a step on the
//! tree, which say the same.

use crate::changes::{Changes, Side};
use crate::error::EditError;
use crate::places::{self, Ends};
use crate::steps::{Reader, Step, Typed};
use std::collections::HashSet;
use std::marker::PhantomData;
use std::ops::Range;
use tabulex_core::__private::escape;
use tabulex_core::tree::{Namespace, NodeRef, Tree};
use tabulex_core::{Adjacent, Construction, Dialect, Options, Span};

/// Edits of a page. Nodes are those of the tree as it was parsed, whatever was edited before; an edit of what another edit
/// replaces is an error of [`apply`](Self::apply).
#[derive(Clone, Debug)]
pub struct Edits<'a> {
    tree: &'a Tree,
    input: &'a str,
    changes: Changes,
    steps: Vec<Step>,
    /// Nodes whose end tags are written where they were left out, if they have end tags: places, nodes.
    ends: Vec<(usize, NodeRef<'a>)>,
    /// Where what is inside of elements ends, once one of them was asked about.
    inside: Ends,
}

impl<'a> Edits<'a> {
    /// Edits of a text, and the tree that was parsed from it, with positions.
    pub fn new(tree: &'a Tree, input: &'a str) -> Self {
        let (changes, inside) = (Changes::default(), Ends::default());
        Self { tree, input, changes, steps: Vec::new(), ends: Vec::new(), inside }
    }

    /// Gives an element an attribute, or the one of this name another value. The name stays as it was written, the value is
    /// put between quotation marks and escaped.
    ///
    /// # Errors
    ///
    /// If the node is no element, its tag is not in the text, or the name is none.
    pub fn set_attribute(
        &mut self,
        element: NodeRef<'a>,
        name: &str,
        value: &str,
    ) -> Result<(), EditError> {
        self.check_element(element)?;
        let is_bad = |byte: u8| byte.is_ascii_whitespace() || b"/>=\"'<\0".contains(&byte);
        if name.is_empty() || name.bytes().any(|byte| is_bad(byte) || byte.is_ascii_uppercase()) {
            return Err(EditError::BadName);
        }
        let written = format!("=\"{}\"", escape(value, true));
        match element.attribute_ref(name) {
            Some(found) => {
                places::written(element, self.input)?;
                let mut range = places::attribute(found, self.input)?;
                range.start = found.name_span().map_or(range.start, |span| span.end);
                self.changes.replace(range, written);
            }
            None => {
                let at = places::after_attributes(element, self.input)?;
                // After an equals sign without a value the next attribute would be one.
                let is_cut = self.input[..at].ends_with('=');
                let value = if is_cut { "\"\"" } else { "" };
                self.changes.insert(at, format!("{value} {name}{written}"), Side::Last);
            }
        }
        let (name, value) = (name.to_owned(), value.to_owned());
        self.steps.push(Step::SetAttribute(element.id(), name, value));
        Ok(())
    }

    /// Removes an attribute, with the white space before it. Does nothing if there is none of this name.
    ///
    /// # Errors
    ///
    /// If the node is no element, or the attribute or its tag is not in the text.
    pub fn remove_attribute(&mut self, element: NodeRef<'a>, name: &str) -> Result<(), EditError> {
        self.check_element(element)?;
        let Some(found) = element.attribute_ref(name) else { return Ok(()) };
        places::written(element, self.input)?;
        let mut range = places::attribute(found, self.input)?;
        let before = self.input.get(..range.start).ok_or(EditError::NotWritten)?;
        range.start = before.trim_end_matches(|one: char| one.is_ascii_whitespace()).len();
        self.changes.replace(range, String::new());
        self.steps.push(Step::RemoveAttribute(element.id(), name.to_owned()));
        Ok(())
    }

    /// Removes a node, with all that is inside.
    ///
    /// # Errors
    ///
    /// If the node is not in the text.
    pub fn remove(&mut self, node: NodeRef<'a>) -> Result<(), EditError> {
        let range = self.outer(node)?;
        self.end_before(node, range.start);
        self.changes.replace(range, String::new());
        self.steps.push(Step::Remove(node.id()));
        Ok(())
    }

    /// Puts markup in the place of a node, which is removed with all that is inside.
    ///
    /// # Errors
    ///
    /// If the node is not in the text.
    pub fn replace(&mut self, node: NodeRef<'a>, markup: &str) -> Result<(), EditError> {
        let range = self.outer(node)?;
        self.end_before(node, range.start);
        self.changes.replace(range, markup.to_owned());
        self.steps.push(Step::Replace(node.id(), markup.to_owned()));
        Ok(())
    }

    /// Puts markup in the place of all that is inside of an element.
    ///
    /// # Errors
    ///
    /// If the node is no element, its start tag is not in the text, or it can have no contents.
    pub fn set_inner(&mut self, element: NodeRef<'a>, markup: &str) -> Result<(), EditError> {
        let range = self.contents(element)?;
        self.changes.replace(range, markup.to_owned());
        self.steps.push(Step::SetInner(element.id(), markup.to_owned()));
        Ok(())
    }

    /// Puts text in the place of all that is inside of an element.
    ///
    /// # Errors
    ///
    /// As [`set_inner`](Self::set_inner).
    pub fn set_text(&mut self, element: NodeRef<'a>, text: &str) -> Result<(), EditError> {
        let range = self.contents(element)?;
        self.changes.replace(range, escape(text, false).into_owned());
        self.steps.push(Step::SetText(element.id(), text.to_owned()));
        Ok(())
    }

    /// Puts markup beside an element or into it.
    ///
    /// # Errors
    ///
    /// If the element is not in the text, or can have no contents.
    pub fn insert(
        &mut self,
        element: NodeRef<'a>,
        place: Adjacent,
        markup: &str,
    ) -> Result<(), EditError> {
        let (at, side) = match place {
            Adjacent::BeforeBegin => {
                let at = self.outer(element)?.start;
                self.end_before(element, at);
                (at, Side::Last)
            }
            Adjacent::AfterBegin => (self.contents(element)?.start, Side::First),
            Adjacent::BeforeEnd => {
                let at = self.contents(element)?.end;
                self.ends.extend(element.last_child().map(|last| (at, last)));
                (at, Side::Last)
            }
            Adjacent::AfterEnd => {
                let at = self.outer(element)?.end;
                self.ends.push((at, element));
                (at, Side::First)
            }
        };
        self.changes.insert(at, markup.to_owned(), side);
        self.steps.push(Step::Insert(element.id(), place, markup.to_owned()));
        Ok(())
    }

    /// Gives an HTML element another name. Its attributes stay.
    ///
    /// # Errors
    ///
    /// If the node is no HTML element, its start tag is not in the text, or the name is none.
    pub fn rename(&mut self, element: NodeRef<'a>, name: &str) -> Result<(), EditError> {
        check_tag_name(name)?;
        self.check(element)?;
        if element.namespace() != Some(Namespace::HTML) {
            return Err(EditError::NotAnElement);
        }
        let tag_name = |tag: Span, before: &str| {
            places::tag_name(tag.start + before.len(), tag.end, self.input)
        };
        let start = tag_name(places::written(element, self.input)?, "<")?;
        // Nothing is changed before all places are known.
        let end = element.end_tag_span().map(|tag| tag_name(tag, "</")).transpose()?;
        for place in [start].into_iter().chain(end) {
            self.changes.replace(place, name.to_owned());
        }
        self.steps.push(Step::Rename(element.id(), name.to_owned()));
        Ok(())
    }

    /// Puts a new HTML element of this name around a node.
    ///
    /// # Errors
    ///
    /// If the node is not in the text, or the name is none.
    pub fn wrap(&mut self, node: NodeRef<'a>, name: &str) -> Result<(), EditError> {
        check_tag_name(name)?;
        let range = self.outer(node)?;
        self.end_before(node, range.start);
        self.ends.push((range.end, node));
        self.changes.insert(range.start, format!("<{name}>"), Side::Last);
        self.changes.insert(range.end, format!("</{name}>"), Side::First);
        self.steps.push(Step::Wrap(node.id(), name.to_owned()));
        Ok(())
    }

    /// Removes an element's tags; what is inside stays.
    ///
    /// # Errors
    ///
    /// If the node is no element, or its start tag is not in the text.
    pub fn unwrap(&mut self, element: NodeRef<'a>) -> Result<(), EditError> {
        self.check_element(element)?;
        let start = places::written(element, self.input)?;
        self.end_before(element, start.start);
        self.changes.replace(start.range(), String::new());
        if let Some(end) = element.end_tag_span() {
            self.changes.replace(end.range(), String::new());
        }
        match self.steps.last_mut() {
            Some(Step::Unwrap(elements)) => elements.push(element.id()),
            _ => self.steps.push(Step::Unwrap(vec![element.id()])),
        }
        Ok(())
    }

    /// The edited text. It is parsed once more, with the options of the first time, and compared with the edited tree.
    ///
    /// # Errors
    ///
    /// If two edits change the same bytes, or the text would be read as another tree than the edited one.
    pub fn apply<D: Construction>(&self, options: &Options) -> Result<String, EditError> {
        self.apply_with(&Typed::<D>(PhantomData), options)
    }

    /// The edited text, as [`apply`](Self::apply) returns it, in a dialect that is chosen at run time.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply), and if the dialect builds no trees.
    pub fn apply_in(&self, dialect: &Dialect, options: &Options) -> Result<String, EditError> {
        self.apply_with(dialect, options)
    }

    fn apply_with(&self, reader: &impl Reader, options: &Options) -> Result<String, EditError> {
        let text = self.with_ends(reader.void()).apply(self.input)?;
        let mut wanted = self.tree.clone();
        for step in &self.steps {
            step.take(reader, &mut wanted, options)?;
        }
        let mut found = reader.parse(&text, options).ok_or(EditError::ReadsOtherwise)?.tree;
        for tree in [&mut wanted, &mut found] {
            let root = tree.root().id();
            tree.merge_texts(root);
        }
        let is_same = wanted.mode() == found.mode() && wanted.root().is_like(&found.root());
        if is_same { Ok(text) } else { Err(EditError::ReadsOtherwise) }
    }

    /// The edited text, for those who know that it is read as they want it; it is not parsed.
    ///
    /// # Errors
    ///
    /// If two edits change the same bytes.
    pub fn apply_unchecked(&self) -> Result<String, EditError> {
        self.changes.apply(self.input)
    }

    /// Refuses nodes of other trees, whose places are those of another text.
    fn check(&self, node: NodeRef<'a>) -> Result<(), EditError> {
        if std::ptr::eq(node.tree(), self.tree) { Ok(()) } else { Err(EditError::NotWritten) }
    }

    fn check_element(&self, node: NodeRef<'a>) -> Result<(), EditError> {
        self.check(node)?;
        if node.is_element() { Ok(()) } else { Err(EditError::NotAnElement) }
    }

    /// All of a node.
    fn outer(&mut self, node: NodeRef<'a>) -> Result<Range<usize>, EditError> {
        self.check(node)?;
        self.inside.outer(node, self.input)
    }

    fn contents(&mut self, element: NodeRef<'a>) -> Result<Range<usize>, EditError> {
        self.check_element(element)?;
        let is_closed = |tag: &str| tag.ends_with("/>");
        let tag = element.span().and_then(|span| span.get(self.input));
        if element.end_tag_span().is_none()
            && element.first_child().is_none()
            && tag.is_some_and(is_closed)
        {
            return Err(EditError::NoContents);
        }
        self.inside.inner(element, self.input)
    }

    /// What stands before a node may end only because the node begins.
    fn end_before(&mut self, node: NodeRef<'a>, at: usize) {
        self.ends.extend(node.previous_sibling().map(|before| (at, before)));
    }

    /// The changes, and the end tags that were left out where it matters now.
    fn with_ends(&self, void: &[&str]) -> Changes {
        let mut changes = self.changes.clone();
        let mut seen = HashSet::new();
        for (at, node) in &self.ends {
            if places::is_open(*node, self.input, void) && seen.insert(node.id()) {
                let name = node.name().map(|name| name.to_string()).unwrap_or_default();
                // Nothing that is put there comes before it.
                changes.insert(*at, format!("</{name}>"), Side::First);
            }
        }
        changes
    }
}

fn check_tag_name(name: &str) -> Result<(), EditError> {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_name = name.starts_with(|first: char| first.is_ascii_lowercase());
    if is_name && name.bytes().all(is_part) { Ok(()) } else { Err(EditError::BadName) }
}
