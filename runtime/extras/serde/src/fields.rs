//! Deserialization of an element as fields: its attributes, its children grouped by name, and its text.
//!
//! Each child belongs to at most one field, and each field is visited once.

use crate::children::{Children, text_of};
use crate::error::Error;
use crate::value::Value;
use serde::de::{DeserializeSeed, MapAccess};
use std::borrow::Cow;
use std::collections::HashMap;
use tabulex_core::Span;
use tabulex_core::tree::{Namespace, NodeRef};

/// The contents of a field; a text has the range of the attribute's value or of the element.
enum Content<'a> {
    Text(Cow<'a, str>, Option<Span>),
    Children(Children<'a>),
}

/// The fields of an element, which serde visits as a map.
pub(crate) struct Fields<'a> {
    span: Option<Span>,
    fields: std::vec::IntoIter<(String, Content<'a>)>,
    /// The contents of the field whose name was visited last, until they are visited, too.
    pending_content: Option<Content<'a>>,
}

impl<'a> Fields<'a> {
    /// Collects the fields of an element. `declared` lists the fields that the type declares, if known: an attribute or
    /// a child then matches by its name as written, or else by its local name. Children with a prefix are ignored if
    /// others with the local name have none.
    pub(crate) fn new(element: NodeRef<'a>, declared: Option<&[&str]>) -> Self {
        let is_declared = |name: &str| declared.is_some_and(|declared| declared.contains(&name));
        let mut fields = Vec::new();
        for attribute in element.attributes() {
            let name = attribute.name();
            if name.namespace() == Namespace::XMLNS {
                continue;
            }
            let qualified_name = format!("@{name}");
            let is_local = declared.is_some() && !is_declared(&qualified_name);
            let field = if is_local { format!("@{}", name.local()) } else { qualified_name };
            let content = Content::Text(attribute.value().into(), attribute.value_span());
            fields.push((field, content));
        }
        let has_value_field = is_declared("$value");
        let (mut by_name, mut names_in_order, mut remaining) =
            (HashMap::new(), Vec::new(), Vec::new());
        let has_prefix =
            |child: &NodeRef<'_>| child.name().is_some_and(|name| !name.prefix().is_empty());
        for child in element.children() {
            let is_blank = || child.data().unwrap_or_default().trim_ascii().is_empty();
            let qualified_name =
                child.name().map(|name| name.to_string()).filter(|name| is_declared(name));
            let name = qualified_name.or_else(|| child.local_name().map(str::to_owned));
            match name {
                Some(name) if !has_value_field || is_declared(&name) => {
                    let list: &mut Vec<_> = by_name.entry(name.clone()).or_insert_with(|| {
                        names_in_order.push(name);
                        Vec::new()
                    });
                    list.push(child);
                }
                Some(_) => remaining.push(child),
                None if has_value_field && child.is_text() && !is_blank() => remaining.push(child),
                None => {}
            }
        }
        for name in names_in_order {
            let mut children: Vec<NodeRef<'_>> = by_name.remove(&name).unwrap_or_default();
            if declared.is_some() && !name.contains(':') && !children.iter().all(has_prefix) {
                children.retain(|child| !has_prefix(child));
            }
            fields.push((name, Content::Children(Children::named(children))));
        }
        if !remaining.is_empty() {
            fields.push(("$value".to_owned(), Content::Children(Children::variants(remaining))));
        }
        let text = text_of(element);
        if is_declared("$text") || declared.is_none() && !text.trim_ascii().is_empty() {
            fields.push(("$text".to_owned(), Content::Text(text, element.span())));
        }
        Self { span: element.span(), fields: fields.into_iter(), pending_content: None }
    }
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some((name, content)) = self.fields.next() else { return Ok(None) };
        self.pending_content = Some(content);
        seed.deserialize(Value { text: &name, span: self.span }).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        match self.pending_content.take() {
            Some(Content::Text(text, span)) => seed.deserialize(Value { text: &text, span }),
            Some(Content::Children(children)) => seed.deserialize(children),
            None => Err(Error::new("`next_value` was called before `next_key`")),
        }
    }
}
