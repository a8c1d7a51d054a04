//! Rewritten pages parse to the tree of the original page with the same changes applied.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use tabulex::encoding::{Encoding, Hints};
use tabulex::html::Html;
use tabulex::rewrite::{Content, RewriteError, Rewriter, Rules};
use tabulex::tree::{DocumentMode, NodeId, NodeKind, NodeRef, Tree};
use tabulex::{Adjacent, Construction, Options, Span, html};
use tabulex_edit::{Edits, seam};

/// A change of all elements with a given name, or for `RemoveAttribute` of all elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    RemoveAttribute,
    SetAttribute,
    Rename,
    Remove,
    Unwrap,
    Before,
    After,
    Prepend,
    Append,
    SetInner,
}

const CHANGES: [Change; 10] = [
    Change::RemoveAttribute,
    Change::SetAttribute,
    Change::Rename,
    Change::Remove,
    Change::Unwrap,
    Change::Before,
    Change::After,
    Change::Prepend,
    Change::Append,
    Change::SetInner,
];

/// The text that changes insert.
const INSERTED: &str = "<&\n";

fn rules<'h>(change: Change, name: &'h str, attribute: &'h str) -> Result<Rules<'h>, RewriteError> {
    let selector = if change == Change::RemoveAttribute { "*" } else { name };
    Rules::new().element(selector, move |it| {
        let text = Content::Text(INSERTED);
        match change {
            Change::RemoveAttribute => it.remove_attribute(attribute),
            Change::SetAttribute => it.set_attribute("class", INSERTED)?,
            Change::Rename => it.set_name("x-n")?,
            Change::Remove => it.remove(),
            Change::Unwrap => it.remove_tags(),
            Change::Before => it.before(text),
            Change::After => it.after(text),
            Change::Prepend => it.prepend(text)?,
            Change::Append => it.append(text)?,
            Change::SetInner => it.set_inner(text)?,
        }
        Ok(())
    })
}

/// Returns the elements that a change applies to: those with start tags and, except for `RemoveAttribute`, the given
/// name.
fn changed_elements(tree: &Tree, change: Change, name: &str) -> Vec<NodeId> {
    let is_target = |node: &NodeRef<'_>| {
        node.is_element()
            && node.span().is_some()
            // The rewriter also matches SVG names in lower case, so the case of names is ignored.
            && (change == Change::RemoveAttribute
                || node.local_name().is_some_and(|local| local.eq_ignore_ascii_case(name)))
    };
    let elements = tree.root().descendants_with_contents().filter(is_target);
    elements.map(|node| node.id()).collect()
}

/// Applies the change to a tree.
fn change_tree(tree: &mut Tree, page: &str, change: Change, [name, attribute]: [&str; 2]) {
    for node in changed_elements(tree, change, name) {
        let create_text = |tree: &mut Tree| tree.create_text(INSERTED);
        let can_have_contents = can_have_contents(tree.node(node), page);
        match change {
            Change::RemoveAttribute => {
                tree.remove_attribute(node, attribute);
            }
            Change::SetAttribute => tree.set_attribute(node, "class", INSERTED).unwrap(),
            Change::Rename => {
                let name = tree.names_mut().name(tabulex::tree::Namespace::HTML, "", "x-n");
                tree.set_name(node, name);
            }
            Change::Remove => tree.detach(node),
            Change::Unwrap => tree.unwrap(node),
            Change::Before => {
                let text = create_text(tree);
                let _ = tree.insert_before(node, text);
            }
            Change::After => {
                let text = create_text(tree);
                let _ = tree.insert_after(node, text);
            }
            Change::Prepend | Change::Append | Change::SetInner => {
                if !can_have_contents {
                    continue;
                }
                let contents = tree.node(node).template_contents().map(|contents| contents.id());
                let target = contents.unwrap_or(node);
                if change == Change::SetInner {
                    tree.remove_children(target);
                }
                let text = create_text(tree);
                let _ = match change {
                    Change::Prepend => tree.prepend(target, text),
                    _ => tree.append(target, text),
                };
            }
        }
    }
}

/// Whether an element can have contents: it is neither void nor a foreign element with a self-closing tag.
fn can_have_contents(node: NodeRef<'_>, page: &str) -> bool {
    let name = node.local_name().unwrap_or_default();
    let tag = node.span().and_then(|span| span.get(page)).unwrap_or_default();
    if node.is_html(name) {
        !Html::SERIALIZATION.void.contains(&name)
    } else {
        !tag.ends_with("/>")
    }
}

/// Whether `actual` is the tree to which the serialization of `expected` parses.
fn is_serialized_like(expected: &Tree, actual: &Tree) -> bool {
    let [expected, actual] = [expected, actual].map(|tree| {
        let mut tree = tree.clone();
        let doctype = tree.root().children().find(|node| node.kind() == NodeKind::Doctype);
        if let Some(doctype) = doctype.map(|node| node.id()) {
            tree.detach(doctype);
        }
        tree
    });
    let serialized = html::serializer().outer(expected.root());
    parse_as(expected.mode(), &serialized).root().is_like_normalized(&actual.root())
}

fn parse(page: &str) -> Tree {
    html::parse(page, Options::new().errors(false)).tree
}

/// Parses markup without a DOCTYPE in the mode of a tree.
fn parse_as(mode: DocumentMode, markup: &str) -> Tree {
    let options = Options::new().errors(false).iframe_srcdoc(mode != DocumentMode::Quirks);
    html::parse(markup, options).tree
}

/// A page: its name, if any, its text and tree, and its bytes with their encoding.
struct Page {
    name: String,
    text: String,
    tree: Tree,
    bytes: Vec<u8>,
    encoding: Encoding,
}

/// A spelling of a page: a variant of its markup with an equal tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    AsIs,
    /// Line ends are CR LF.
    CrLf,
    /// Optional white space between attributes is removed.
    Unspaced,
    /// End tags are omitted where that leaves the tree unchanged.
    OmittedEndTags,
    Windows1252,
    ShiftJis,
}

const SPELLINGS: [Spelling; 6] = [
    Spelling::AsIs,
    Spelling::CrLf,
    Spelling::Unspaced,
    Spelling::OmittedEndTags,
    Spelling::Windows1252,
    Spelling::ShiftJis,
];

/// Removes ranges, given in order, from a text.
fn remove_ranges(text: &str, ranges: &[Span]) -> String {
    let (mut remaining, mut offset) = (String::new(), 0);
    for range in ranges {
        remaining += &text[offset..range.start];
        offset = range.end;
    }
    remaining + &text[offset..]
}

/// Returns the ranges of white space between a quotation mark and an attribute.
fn optional_space(tree: &Tree, text: &str) -> Vec<Span> {
    let mut ranges = Vec::new();
    for node in tree.root().descendants_with_contents().filter(NodeRef::is_element) {
        let spans = node.attributes().filter_map(|it| it.name_span().zip(it.value_span()));
        let mut spans: Vec<(Span, Span)> = spans.collect();
        spans.sort_by_key(|(name, _)| name.start);
        for pair in spans.windows(2) {
            let (before, after) = (pair[0].1.end + 1, pair[1].0.start);
            let gap = text.get(before..after).unwrap_or_default();
            let is_quoted = text[..before].ends_with(['"', '\'']);
            if is_quoted && !gap.is_empty() && gap.bytes().all(|byte| byte.is_ascii_whitespace()) {
                ranges.push(Span::new(before, after));
            }
        }
    }
    ranges.sort_by_key(|range| range.start);
    // Reconstructed elements share the attributes of one tag, so their ranges are equal.
    ranges.dedup();
    ranges
}

/// Removes end tags without which the text has an equal tree, as far as at most 100 attempts find them.
fn omit_end_tags(tree: &Tree, text: &str) -> String {
    let mut tags: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for node in tree.root().descendants_with_contents() {
        let name = node.local_name().zip(node.end_tag_span());
        name.into_iter().for_each(|(name, tag)| tags.entry(name).or_default().push(tag));
    }
    let mut removed = Vec::new();
    let mut groups: Vec<Vec<Span>> = tags.into_values().collect();
    let mut checks = 0;
    while let Some(mut group) = groups.pop().filter(|_| checks < 100) {
        checks += 1;
        group.sort_by_key(|tag| tag.start);
        group.dedup();
        let mut candidates = [&removed[..], &group[..]].concat();
        candidates.sort_by_key(|tag: &Span| tag.start);
        candidates.dedup();
        if parse(&remove_ranges(text, &candidates)).root().is_like_normalized(&tree.root()) {
            removed = candidates;
        } else if group.len() > 1 {
            let second_half = group.split_off(group.len() / 2);
            groups.extend([group, second_half]);
        }
    }
    remove_ranges(text, &removed)
}

fn decode(bytes: &[u8], encoding: Encoding) -> String {
    let mut text = String::new();
    let mut decoder = tabulex::encoding::Decoder::new(encoding);
    decoder.decode(bytes, |part| text.push_str(part));
    decoder.finish(|part| text.push_str(part));
    text
}

impl Page {
    fn new(bytes: Vec<u8>, encoding: Encoding) -> Self {
        let text = decode(&bytes, encoding);
        Self { name: String::new(), tree: parse(&text), text, bytes, encoding }
    }

    /// Returns the page in another spelling, which its name mentions.
    fn spelled(&self, spelling: Spelling) -> Self {
        let encoding = match spelling {
            Spelling::Windows1252 => Encoding::for_label(ENCODINGS[1].0).unwrap(),
            Spelling::ShiftJis => Encoding::for_label(ENCODINGS[2].0).unwrap(),
            _ => self.encoding,
        };
        let bytes = match spelling {
            Spelling::AsIs => self.bytes.clone(),
            Spelling::CrLf => {
                let text = self.text.replace("\r\n", "\n").replace('\r', "\n");
                text.replace('\n', "\r\n").into_bytes()
            }
            Spelling::Unspaced => {
                remove_ranges(&self.text, &optional_space(&self.tree, &self.text)).into_bytes()
            }
            Spelling::OmittedEndTags => omit_end_tags(&self.tree, &self.text).into_bytes(),
            Spelling::Windows1252 | Spelling::ShiftJis => {
                let entry = ENCODINGS.iter().find(|it| Encoding::for_label(it.0) == Ok(encoding));
                let letter = entry.expect("`ENCODINGS` contains the encoding of each spelling").1;
                let mut bytes = Vec::new();
                for character in self.text.chars() {
                    match character.is_ascii() {
                        true => bytes.push(character as u8),
                        false => bytes.extend_from_slice(letter),
                    }
                }
                bytes
            }
        };
        Self { name: format!("{} {spelling:?}", self.name), ..Self::new(bytes, encoding) }
    }

    fn rewritten(&self, rules: Rules<'_>, size: usize) -> Result<Vec<u8>, RewriteError> {
        let rules = rules.encoding(Hints::new().override_with(self.encoding)).scripting(false);
        let mut rewriter = Rewriter::<Html, _>::new(rules, Vec::new())?;
        for chunk in self.bytes.chunks(size) {
            rewriter.write(chunk)?;
        }
        rewriter.finish()
    }

    /// Applies the change to the tags in the text, and to nothing else; returns `None` if the change needs the end tag of
    /// an element without one, or affects attributes.
    fn text_with_changed_tags(&self, change: Change, name: &str) -> Option<String> {
        let inserted = "&lt;&amp;\n";
        let mut replacements = Vec::new();
        for node in changed_elements(&self.tree, change, name) {
            let node = self.tree.node(node);
            let Span { start, end, .. } = node.span()?;
            let is_empty = !can_have_contents(node, &self.text);
            let end_tag = || match is_empty {
                true => Some(Span::new(end, end)),
                false => node.end_tag_span(),
            };
            let (range, new) = match change {
                Change::RemoveAttribute | Change::SetAttribute => return None,
                Change::Prepend | Change::Append | Change::SetInner if is_empty => continue,
                Change::Rename => {
                    match end_tag() {
                        Some(tag) if is_empty => replacements.push((tag.range(), "</x-n>")),
                        Some(tag) => {
                            let tag_name = tag.start + "</".len();
                            replacements.push((tag_name..tag_name + name.len(), "x-n"));
                        }
                        None => {}
                    }
                    (start + 1..start + 1 + name.len(), "x-n")
                }
                Change::Unwrap => {
                    replacements.extend(end_tag().map(|tag| (tag.range(), "")));
                    (start..end, "")
                }
                Change::Remove => (start..end_tag()?.end, ""),
                Change::Before => (start..start, inserted),
                Change::Prepend => (end..end, inserted),
                Change::SetInner => (end..end_tag()?.start, inserted),
                Change::Append => (end_tag()?.start..end_tag()?.start, inserted),
                Change::After => (end_tag()?.end..end_tag()?.end, inserted),
            };
            replacements.push((range, new));
        }
        replacements.sort_by_key(|(range, _)| (range.start, range.end));
        // Reconstructed elements share the tags of one element.
        replacements.dedup();
        let (mut text, mut offset) = (String::new(), 0);
        for (range, new) in replacements {
            // Changes inside removed contents have no effect.
            if range.start >= offset {
                text = text + &self.text[offset..range.start] + new;
                offset = range.end.max(range.start);
            }
        }
        Some(text + &self.text[offset..])
    }

    /// Whether the page's text can be edited so that it parses to the changed tree.
    fn can_be_edited(&self, change: Change, name: &str, attribute: &str) -> bool {
        let mut edits = Edits::new(&self.tree, &self.text);
        let text = "&lt;&amp;\n";
        let all_requested = changed_elements(&self.tree, change, name).into_iter().all(|node| {
            let node = self.tree.node(node);
            let request = match change {
                Change::RemoveAttribute => edits.remove_attribute(node, attribute),
                Change::SetAttribute => edits.set_attribute(node, "class", INSERTED),
                Change::Rename => edits.rename(node, "x-n"),
                Change::Remove => edits.remove(node),
                Change::Unwrap => edits.unwrap(node),
                Change::Before => edits.insert(node, Adjacent::BeforeBegin, text),
                Change::After => edits.insert(node, Adjacent::AfterEnd, text),
                Change::Prepend => edits.insert(node, Adjacent::AfterBegin, text),
                Change::Append => edits.insert(node, Adjacent::BeforeEnd, text),
                Change::SetInner => edits.set_inner(node, text),
            };
            request.is_ok()
        });
        all_requested && edits.apply(&html::DIALECT, &Options::new()).is_ok()
    }

    /// Applies a change and compares the parsed output with the changed tree.
    fn check(&self, change: Change, name: &str, attribute: &str, sizes: &[usize]) -> Outcome {
        let rewritten = |size| self.rewritten(rules(change, name, attribute).unwrap(), size);
        let output = match rewritten(usize::MAX) {
            Ok(output) => output,
            // Some elements cannot have the inserted contents or the new name, or contents after them.
            Err(
                RewriteError::BadText(_)
                | RewriteError::OtherContents(_)
                | RewriteError::UnclosedText,
            ) => {
                return Outcome::Refused;
            }
            Err(error) => panic!("{change:?} of `{name}`: {error}"),
        };
        for &size in sizes {
            let chunked = rewritten(size).unwrap();
            assert!(
                chunked == output,
                "{change:?} of `{name}` in pieces of {size} bytes: {}",
                if self.text.len() < 300 { &self.text } else { &self.name }
            );
        }
        let output = decode(&output, self.encoding);
        let whole = parse(&output);
        let mut actual = whole.clone();
        let parse = |markup: &str| parse_as(self.tree.mode(), markup);
        let mut expected = self.tree.clone();
        change_tree(&mut expected, &self.text, change, [name, attribute]);
        let is_equal = expected.root().is_like_normalized(&actual.root()) || {
            // White space after the last end tags is inserted into the element that is still open there, which the
            // change may affect, so the trees are compared without it.
            expected = self.tree.clone();
            seam::remove_trailing_space(&mut expected, &self.text, &parse);
            change_tree(&mut expected, &self.text, change, [name, attribute]);
            seam::remove_trailing_space(&mut actual, &output, &parse);
            expected.root().is_like_normalized(&actual.root())
        };
        if is_equal {
            Outcome::Equal
        } else if is_serialized_like(&expected, &actual) {
            Outcome::Serialized
        } else if self
            .text_with_changed_tags(change, name)
            .is_some_and(|text| self::parse(&text).root().is_like_normalized(&whole.root()))
        {
            Outcome::AsWritten
        } else if !self.can_be_edited(change, name, attribute) {
            // No text that differs from the page only by the change parses to the changed tree.
            Outcome::Impossible
        } else if let Some(reason) = self.displacement_cause(self.end_of_changes(change, name)) {
            Outcome::Displaced(reason)
        } else {
            Outcome::Wrong(output)
        }
    }

    /// Returns the offset at which the last changed element or tag ends.
    fn end_of_changes(&self, change: Change, name: &str) -> usize {
        let changed_elements = changed_elements(&self.tree, change, name);
        let ends = changed_elements.into_iter().map(|node| {
            let node = self.tree.node(node);
            let name = node.local_name().unwrap_or_default();
            let inside = node.descendants_with_contents().chain([node]);
            let written_end = inside.filter_map(|it| it.span().max(it.end_tag_span())).max();
            let written_end = written_end.map_or(0, |span| span.end);
            if node.end_tag_span().is_some() || Html::SERIALIZATION.void.contains(&name) {
                return written_end;
            }
            // The element has no end tag, so the next start tag may have ended it.
            let nodes = self.tree.root().descendants_with_contents();
            let tag_ends = nodes.filter_map(|it| it.span()).map(|span| span.end);
            tag_ends.filter(|end| *end > written_end).min().unwrap_or(self.text.len())
        });
        // The rewriter also changes tags that the parser ignores, so their ends count, too.
        let mut last_tag_end = 0;
        let selector = if change == Change::RemoveAttribute { "*" } else { name };
        let rules = Rules::new().element(selector, |it| {
            last_tag_end = it.span().end;
            Ok(())
        });
        self.rewritten(rules.unwrap(), usize::MAX)
            .expect("a handler that changes nothing cannot fail");
        ends.max().unwrap_or_default().max(last_tag_end)
    }

    /// Returns the reason why the tree does not follow the order of the tags, or `None` if none was found. Only causes
    /// before offset `end` are considered, since later ones cannot affect a stream.
    fn displacement_cause(&self, end: usize) -> Option<&'static str> {
        let parse = |markup: &str| parse_as(self.tree.mode(), markup);
        let all = || self.tree.root().descendants_with_contents();
        let begins_after =
            move |node: &NodeRef<'_>| node.span().is_some_and(|span| span.start >= end);
        let nodes = || all().filter(|node| !begins_after(node));
        let mut cache = HashMap::new();
        let mut is_reconstructed = |name: &str| {
            let probe = || seam::is_reconstructed(name, &parse);
            *cache.entry(name.to_owned()).or_insert_with(probe)
        };
        let is_left_open = |node: NodeRef<'_>| {
            node.local_name().is_some_and(&mut is_reconstructed) && node.end_tag_span().is_none()
        };
        let mut last_end = 0;
        let is_moved = |node: NodeRef<'_>| {
            let Some(span) = node.span() else { return false };
            let outer_end_tags = node.ancestors().filter_map(|around| around.end_tag_span());
            span.start < std::mem::replace(&mut last_end, span.end)
                || node.is_element() && outer_end_tags.into_iter().any(|tag| tag.start < span.start)
        };
        if nodes().any(is_left_open) {
            return Some("formatting elements are open at the ends of others");
        }
        if nodes().any(is_moved) {
            return Some("nodes are moved");
        }
        let comes_from_end_tag =
            |node: NodeRef<'_>| node.span().is_none() && (node.is_html("p") || node.is_html("br"));
        if nodes().any(comes_from_end_tag) {
            return Some("end tags create elements");
        }
        let mut cache = HashMap::new();
        let mut stays_open_after_end_tag = |name: &str| {
            let probe = || {
                let tree = parse(&format!("<x-y>x<{name}><x-y></{name}><x-y m>"));
                let mut nodes = tree.root().descendants();
                let mark = nodes.find(|node| node.attribute("m").is_some());
                mark.is_some_and(|mark| {
                    mark.ancestors().any(|node| node.local_name() == Some(name))
                })
            };
            *cache.entry(name.to_owned()).or_insert_with(probe)
        };
        let is_open = |node: NodeRef<'_>| {
            let name = node.local_name().unwrap_or_default();
            node.is_element()
                && node.end_tag_span().is_none()
                && !Html::SERIALIZATION.void.contains(&name)
        };
        let is_kept_open = |node: NodeRef<'_>| {
            node.end_tag_span().is_some()
                && !node.is_html("body")
                && !node.is_html("html")
                && node.local_name().is_some_and(&mut stays_open_after_end_tag)
                && node.descendants().any(|inside| inside.id() != node.id() && is_open(inside))
        };
        if nodes().any(is_kept_open) {
            return Some("elements stay open after their end tags");
        }
        let mut tag_starts = BTreeSet::new();
        let rules = Rules::new().element("*", |it| {
            tag_starts.insert(it.span().start);
            Ok(())
        });
        self.rewritten(rules.unwrap(), usize::MAX)
            .expect("a handler that changes nothing cannot fail");
        for span in all().filter_map(|node| node.span()) {
            tag_starts.remove(&span.start);
        }
        tag_starts.retain(|tag| *tag < end);
        if !tag_starts.is_empty() {
            return Some("tags create no elements");
        }
        // The insertion mode of a template depends on its earlier contents, so a change may affect how later parts of
        // tables in it are parsed.
        let table_parts = ["caption", "col", "colgroup", "tbody", "td", "th", "tr"];
        let is_table_part = |node: NodeRef<'_>| {
            node.host().is_none()
                && table_parts.iter().any(|name| node.is_html(name))
                && node.parent().is_some_and(|parent| parent.host().is_some())
        };
        nodes().any(is_table_part).then_some("templates contain parts of tables")
    }
}

#[derive(Debug)]
enum Outcome {
    Equal,
    /// The output parses to the tree to which the serialization of the changed tree parses.
    Serialized,
    /// The output parses to the tree of the page with only the tags changed.
    AsWritten,
    /// The trees differ because elements are displaced from their tags, for this reason.
    Displaced(&'static str),
    Refused,
    Impossible,
    Wrong(String),
}

/// The number of changes with each outcome.
#[derive(Debug, Default)]
struct OutcomeCounts {
    equal: usize,
    serialized: usize,
    as_written: usize,
    refused: usize,
    impossible: usize,
    displaced_by_cause: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl OutcomeCounts {
    fn print(&self) {
        let Self { equal, serialized, as_written, refused, impossible, displaced_by_cause, wrong } =
            self;
        println!(
            "changed pages: {equal} equal, {serialized} serialized, {as_written} as written, {refused} refused, {impossible} impossible, displaced {displaced_by_cause:?}, {} wrong",
            wrong.len()
        );
    }

    fn add(&mut self, page: &Page, change: Change, name: &str, sizes: &[usize]) {
        match page.check(change, name, name, sizes) {
            Outcome::Equal => self.equal += 1,
            Outcome::AsWritten => self.as_written += 1,
            Outcome::Serialized => self.serialized += 1,
            Outcome::Refused => self.refused += 1,
            Outcome::Displaced(reason) => *self.displaced_by_cause.entry(reason).or_default() += 1,
            Outcome::Impossible => self.impossible += 1,
            Outcome::Wrong(output) => {
                let text = if page.text.len() < 300 { &page.text } else { &page.name };
                let output = if output.len() < 300 { &output } else { "" };
                let report = format!("{change:?} of `{name}`: {text:?} became {output:?}");
                println!("{report}");
                self.wrong.push(report);
            }
        }
    }
}

/// Returns the names of elements and of attributes in a page. Without `has_outermost`, the names of the outermost elements
/// are excluded: on random pages, their positions in the tree rarely depend on where their tags are.
fn names(tree: &Tree, has_outermost: bool) -> [Vec<String>; 2] {
    let (mut names, mut attributes) = (BTreeSet::new(), BTreeSet::new());
    for node in tree.root().descendants() {
        let name = node.local_name().unwrap_or_default();
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        if node.is_element()
            && node.span().is_some()
            && name.bytes().all(is_plain)
            && (has_outermost || !matches!(name, "html" | "head" | "body" | "frameset"))
        {
            names.insert(name.to_owned());
        }
        attributes.extend(node.attributes().map(|it| it.name().to_string()));
    }
    [names, attributes].map(|set| set.into_iter().collect())
}

/// Pieces from which random pages are built.
const PAGE_PARTS: &[&[u8]] = &[
    b"<p>",
    b"</p>",
    b"<P a=\"1\"b='2'c>",
    b"<div a=1>",
    b"</div>",
    b"<b a=1 b>",
    b"</b>",
    b"<ul>",
    b"</ul>",
    b"<li>",
    b"<li>",
    b"</li>",
    b"<dl><dt>",
    b"<dd>",
    b"</dl>",
    b"<table>",
    b"<tr><td>",
    b"<td>",
    b"</table>",
    b"<img src=x a=\"y\"b=z>",
    b"<br/>",
    b"<svg>",
    b"<g/a>",
    b"<path a='1'/>",
    b"</svg>",
    b"<a href=1 href=2>",
    b"</a>",
    b"<pre>",
    b"</pre>",
    b"<option>",
    b"<button>",
    b"</button>",
    b"<h1>",
    b"</h1>",
    b"<script>x<y</script>",
    b"<title>",
    b"</title>",
    b"\r\n",
    b"\n",
    b"text",
    b"&am",
    b"<",
    b"<!--c-->",
    b"&amp;",
    b"<select>",
    b"</select>",
    b"<optgroup>",
    b"<template>",
    b"</template>",
    b"<ruby><rb>",
    b"<rt>",
    b"</ruby>",
    b"<math><mi>",
    b"<annotation-xml encoding=text/html>",
    b"</math>",
    b"<foreignObject>",
    b"<desc>",
    b"<caption>",
    b"<colgroup><col>",
    b"<tbody>",
    b"<th>",
    b"</tr>",
    b"<textarea>\nx</textarea>",
    b"<noscript>",
    b"</noscript>",
    b"<iframe>x</iframe>",
    b"<form>",
    b"</form>",
    b"<i x=y>",
    b"</i>",
    b"<h2>",
    b"</h2>",
    b"<object>",
    b"</object>",
    b"<section>",
    b"<span a=1 b=2>",
    b"</span>",
    b"<hr>",
    b"<input a>",
    b"</body>",
    b"</html>",
    b"<?x y?>",
    b"<frameset>",
    b"<font color=x>",
    b"<nobr>",
    b"<dialog>",
    b"<style>x</style>",
    b"<meta a=b>",
    b"</br>",
    b"&#0",
    b"</x>",
];

/// Encodings, each with the bytes of a letter outside ASCII.
const ENCODINGS: [(&str, &[u8]); 3] =
    [("utf-8", b"\xC3\xA9"), ("windows-1252", b"\xE9"), ("shift_jis", b"\x83\x5C")];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % bound as u64) as usize
    }
}

/// Tests a random sample of pages and changes; `TABULEX_CHANGES=N` sets its size, and `TABULEX_SEED=N` selects another
/// sample.
#[test]
fn rewritten_random_pages_parse_to_the_changed_trees() {
    let number_from_env = |name| std::env::var(name).ok().map(|text| text.parse().unwrap());
    let page_count = number_from_env("TABULEX_CHANGES").unwrap_or(1500);
    let mut random =
        Random(0x2545_F491_4F6C_DD1D ^ number_from_env("TABULEX_SEED").unwrap_or(0) as u64);
    let mut counts = OutcomeCounts::default();
    for round in 0..page_count {
        let (label, letter) = ENCODINGS[round % ENCODINGS.len()];
        let piece_count = 2 + random.below(9);
        let doctype: &[u8] = if random.below(5) == 0 { b"" } else { b"<!DOCTYPE html>" };
        // Half of the pages are built from few parts, which then meet in more ways.
        let part_count = if round % 2 == 0 { 6 } else { PAGE_PARTS.len() };
        let parts: Vec<&[u8]> =
            (0..part_count).map(|_| PAGE_PARTS[random.below(PAGE_PARTS.len())]).collect();
        let pieces = (0..piece_count).map(|_| match random.below(12) {
            0 => letter,
            _ => parts[random.below(parts.len())],
        });
        let mut bytes = [doctype, b"<body>"].concat();
        pieces.for_each(|piece| bytes.extend_from_slice(piece));
        let page = Page::new(bytes, Encoding::for_label(label).unwrap());
        let [names, attributes] = names(&page.tree, false);
        let change = CHANGES[random.below(CHANGES.len())];
        let names_to_change = if change == Change::RemoveAttribute { attributes } else { names };
        if !names_to_change.is_empty() {
            counts.add(
                &page,
                change,
                &names_to_change[random.below(names_to_change.len())],
                &[1, 7],
            );
        }
    }
    counts.print();
    let OutcomeCounts { equal, wrong, .. } = &counts;
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(*equal > page_count / 2, "only {equal} of {page_count} changed pages have equal trees");
}

/// Returns the pages of the corpus, and prints a message if it is absent.
fn corpus() -> Vec<PathBuf> {
    let shared = std::env::var_os("TABULEX_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared")),
        PathBuf::from,
    );
    let folder = std::fs::read_dir(shared.join("corpus/html/pages"));
    let mut pages: Vec<_> = folder.into_iter().flatten().flatten().map(|it| it.path()).collect();
    pages.sort();
    if pages.is_empty() {
        println!(
            "suite absent: corpus/html/pages; set `TABULEX_SHARED` to the folder that contains it"
        );
    }
    pages
}

/// Tests some pages of the corpus, or all with `TABULEX_FULL=1`.
#[test]
fn rewritten_corpus_pages_parse_to_the_changed_trees() {
    let pages = corpus();
    if pages.is_empty() {
        return;
    }
    let is_full = std::env::var_os("TABULEX_FULL").is_some_and(|value| value == "1");
    let mut counts = OutcomeCounts::default();
    // Unless `TABULEX_FULL` is 1, only short pages are used, because each page is changed hundreds of times.
    let is_short =
        |path: &PathBuf| std::fs::metadata(path).is_ok_and(|metadata| metadata.len() < 25_000);
    let pages = pages.into_iter().filter(|path| is_full || is_short(path));
    let page_count = if is_full { usize::MAX } else { SPELLINGS.len() };
    for (number, path) in pages.take(page_count).enumerate() {
        let page = Page::new(std::fs::read(&path).unwrap(), Encoding::UTF_8);
        let page = Page { name: path.display().to_string(), ..page };
        let spellings = if is_full { &SPELLINGS[..] } else { &SPELLINGS[number..=number] };
        for &spelling in spellings {
            let page = page.spelled(spelling);
            let [names, attributes] = names(&page.tree, true);
            for change in CHANGES {
                let names_to_change =
                    if change == Change::RemoveAttribute { &attributes } else { &names };
                for (number, name) in names_to_change.iter().enumerate() {
                    let sizes = [1, 7, 4096];
                    counts.add(&page, change, name, if number == 0 { &sizes } else { &sizes[2..] });
                }
            }
        }
    }
    counts.print();
    assert!(counts.equal > 0, "no changed page of the corpus has an equal tree");
    assert!(counts.wrong.is_empty(), "{:#?}", counts.wrong);
}

#[test]
fn edits_append_to_bodies_of_corpus_pages() {
    let (mut page_count, mut refused) = (0, Vec::new());
    for path in corpus() {
        let page = Page::new(std::fs::read(&path).unwrap(), Encoding::UTF_8);
        let Some(body) = page.tree.root().descendants().find(|node| node.is_html("body")) else {
            continue;
        };
        let mut edits = Edits::new(&page.tree, &page.text);
        edits.insert(body, Adjacent::BeforeEnd, "<p>y</p>").unwrap();
        page_count += 1;
        let edited = edits.apply(&html::DIALECT, &Options::new());
        refused.extend(edited.err().map(|error| format!("{}: {error}", path.display())));
    }
    println!("{} of {page_count} bodies appended to", page_count - refused.len());
    assert!(refused.is_empty(), "{refused:#?}");
}
