//! A start tag as handlers have changed it. Invariant: what no handler has changed is written as it was, unless an attribute
//! is there twice: then all of them are written anew, so that none comes to count that did not.

use crate::element::Changes;
use std::fmt::Write;
use std::ops::Range;
use tabulex_core::__private::escape;
use tabulex_core::{Attribute, Tag};

/// The tag, which is written so.
pub(crate) fn edited(tag: &Tag<'_>, written: &str, changes: &Changes<'_>) -> String {
    if tag.had_duplicate_attributes() && !changes.attributes.is_empty() {
        return anew(tag, changes);
    }
    let base = tag.span().start;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let name = tag.name_span();
    if let Some(new) = &changes.name {
        edits.push((name.start - base..name.end - base, new.clone()));
    }
    let ends = attributes(tag).map(|it| (end(&it, written, base), it));
    let last_attribute = ends.max_by_key(|(end, _)| *end);
    let last = last_attribute.as_ref().map_or(0, |(end, _)| *end).max(name.end - base);
    let mut added = String::new();
    for (name, value) in &changes.attributes {
        let found = attributes(tag).find(|attribute| attribute.name == *name);
        match (found, value) {
            (Some(attribute), Some(value)) => {
                let range = attribute.name_span.end - base..end(&attribute, written, base);
                edits.push((range, format!("=\"{}\"", escape(value, true))));
            }
            (Some(attribute), None) => {
                let start = attribute.name_span.start - base;
                let before = written.as_bytes()[start - 1];
                let start = start - usize::from(before.is_ascii_whitespace());
                edits.push((start..end(&attribute, written, base), String::new()));
            }
            (None, Some(value)) => put(&mut added, name, value),
            (None, None) => {}
        }
    }
    // What is written anew or left out is complete.
    let is_kept = |it: &Attribute<'_>| !changes.attributes.iter().any(|(name, _)| name == it.name);
    if let Some((_, attribute)) = last_attribute.filter(|(_, it)| is_kept(it) && !added.is_empty())
    {
        added.insert_str(0, missing(&attribute, written, base));
    }
    edits.push((last..last, added));
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut text, mut copied) = (String::with_capacity(written.len() + 32), 0);
    for (range, new) in edits {
        text += &written[copied..range.start];
        text += &new;
        copied = range.end;
    }
    text + &written[copied..]
}

/// The attributes that are written in the tag. One that has its value from a declaration is in no place of it.
fn attributes<'t>(tag: &Tag<'t>) -> impl Iterator<Item = Attribute<'t>> {
    tag.attributes().filter(|attribute| !attribute.name_span.is_empty())
}

/// All of the tag written anew.
fn anew(tag: &Tag<'_>, changes: &Changes<'_>) -> String {
    let mut text = format!("<{}", changes.name.as_deref().unwrap_or(tag.name()));
    let is_left = |name: &str| !changes.attributes.iter().any(|(changed, _)| changed == name);
    for attribute in attributes(tag).filter(|attribute| is_left(attribute.name)) {
        put(&mut text, attribute.name, attribute.value);
    }
    for (name, value) in &changes.attributes {
        if let Some(value) = value {
            put(&mut text, name, value);
        }
    }
    text + if tag.self_closing() { "/>" } else { ">" }
}

fn put(into: &mut String, name: &str, value: &str) {
    // A string takes all that is written.
    let _ = write!(into, " {name}=\"{}\"", escape(value, true));
}

/// Where an attribute ends in the text of its tag: its value, quotation marks included.
fn end(attribute: &Attribute<'_>, written: &str, base: usize) -> usize {
    let name_end = attribute.name_span.end - base;
    let (start, end) = (attribute.value_span.start - base, attribute.value_span.end - base);
    let bytes = written.as_bytes();
    if start > name_end {
        let quote = bytes.get(start - 1).filter(|byte| matches!(byte, b'"' | b'\''));
        return end + usize::from(quote.is_some() && bytes.get(end) == quote);
    }
    // An equals sign that no value follows belongs to it.
    let rest = written[name_end..].trim_ascii_start();
    if rest.starts_with('=') { written.len() - rest.len() + 1 } else { name_end }
}

/// What the text of an attribute lacks for another one to stand after it: a value after the equals sign, or, where the input
/// ends in the tag, the closing quotation mark.
fn missing<'w>(attribute: &Attribute<'_>, written: &'w str, base: usize) -> &'w str {
    let name_end = attribute.name_span.end - base;
    let (start, end) = (attribute.value_span.start - base, attribute.value_span.end - base);
    if start <= name_end {
        let has_sign = written[name_end..].trim_ascii_start().starts_with('=');
        return if has_sign { "\"\"" } else { "" };
    }
    let quote = &written.as_bytes()[start - 1..start];
    let is_open = matches!(quote, b"\"" | b"'") && !written.as_bytes()[end..].starts_with(quote);
    if is_open { &written[start - 1..start] } else { "" }
}
