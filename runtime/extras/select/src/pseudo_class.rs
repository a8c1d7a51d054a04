//! Non-structural pseudo-classes: links, controls, languages, directions and texts, evaluated on the source of a page.
//! Those that depend on a user or a script never match.

use crate::direction::{declares_direction, is_right_to_left};
use crate::form::{self, ControlGroups};
use crate::lists::LISTS;
use crate::texts::Texts;
use cssparser::{ToCss, serialize_identifier, serialize_string};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use tabulex_core::tree::{Namespace, NodeId, NodeKind, NodeRef};

/// A non-structural pseudo-class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PseudoClass {
    /// `:link` or `:any-link`. No link counts as visited.
    Link,
    /// A pseudo-class without arguments, as an index into `STATES`.
    State(usize),
    /// A pseudo-class that depends on a user or a script, such as `:hover`; no element matches.
    Never(&'static str),
    /// `:lang()`, with its language ranges.
    Lang(Box<[Box<str>]>),
    /// `:dir()`, with its argument; other arguments than `ltr` and `rtl` match nothing.
    Dir(Box<str>),
    /// `:contains()`, with the text.
    Contains(Box<str>),
}

/// A function that tests whether an element is in a state.
type StateTest = fn(NodeRef<'_>, &mut MatchCache) -> bool;

/// The non-structural pseudo-classes without arguments that elements can match, apart from those of links.
const STATES: [(&str, StateTest); 15] = [
    ("heading", |element, _| form::is_html(element, LISTS.heading)),
    ("open", |element, _| {
        form::is_html(element, LISTS.openable) && form::has_attribute(element, "open")
    }),
    ("defined", |element, _| form::is_defined(element)),
    ("checked", |element, cache| form::is_checked(element, &mut cache.control_groups)),
    ("default", |element, cache| form::is_default(element, &mut cache.control_groups)),
    ("indeterminate", |element, cache| form::is_indeterminate(element, &mut cache.control_groups)),
    ("disabled", |element, cache| form::is_disabled(element, &mut cache.control_groups)),
    ("enabled", |element, cache| {
        form::can_be_disabled(element) && !form::is_disabled(element, &mut cache.control_groups)
    }),
    ("required", |element, _| form::is_required(element)),
    ("optional", |element, _| form::can_be_required(element) && !form::is_required(element)),
    ("read-only", |element, cache| {
        element.namespace() == Some(Namespace::HTML) && !is_read_write(element, cache)
    }),
    ("read-write", is_read_write),
    ("placeholder-shown", |element, _| form::shows_placeholder(element)),
    ("in-range", |element, cache| form::in_range(element, &mut cache.control_groups) == Some(true)),
    ("out-of-range", |element, cache| {
        form::in_range(element, &mut cache.control_groups) == Some(false)
    }),
];

/// The pseudo-classes that depend on a user or a script, and therefore match no element.
#[rustfmt::skip]
const NEVER_MATCHING: [&str; 14] = [
    "visited", "hover", "active", "focus", "focus-visible", "focus-within", "target", "target-within", "autofill",
    "fullscreen", "modal", "popover-open", "user-valid", "user-invalid",
];

/// Cached results that several elements share. Valid while the tree does not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatchCache {
    pub(crate) control_groups: ControlGroups,
    languages: AncestorCache,
    /// The language of a document's elements without a declared one; empty if there is none.
    default_language: Option<Box<str>>,
    directions: AncestorCache,
    /// Whether each element that declares its direction is written from right to left.
    right_to_left: BTreeMap<NodeId, bool>,
    editing: AncestorCache,
    /// Whether the language of an element is in a list of ranges, by the element that declares the language and the
    /// address of the list. Cached, as many elements may share one long language tag.
    in_ranges: BTreeMap<(NodeId, usize), bool>,
    texts: Option<Texts>,
}

/// Cache of the nearest inclusive ancestor that declares a property, for each ancestor searched so far.
#[derive(Clone, Debug, Default)]
struct AncestorCache(HashMap<NodeId, Option<NodeId>>);

impl AncestorCache {
    /// Returns the nearest inclusive ancestor for which `declares` holds, or `None` if there is none. Each ancestor is
    /// tested once.
    fn of<'a>(
        &mut self,
        element: NodeRef<'a>,
        declares: impl Fn(NodeRef<'_>) -> bool,
    ) -> Option<NodeRef<'a>> {
        if declares(element) {
            return Some(element);
        }
        let mut visited = Vec::new();
        let mut declaring_id = None;
        for node in element.ancestors() {
            if let Some(cached) = self.0.get(&node.id()) {
                declaring_id = *cached;
                break;
            }
            visited.push(node.id());
            if declares(node) {
                declaring_id = Some(node.id());
                break;
            }
        }
        self.0.extend(visited.into_iter().map(|node| (node, declaring_id)));
        declaring_id.map(|node| element.tree().node(node))
    }
}

impl MatchCache {
    /// Returns the direction of an element: `rtl` or `ltr`.
    pub(crate) fn direction(&mut self, element: NodeRef<'_>) -> &'static str {
        let is_rtl = self.directions.of(element, declares_direction).is_some_and(|node| {
            *self.right_to_left.entry(node.id()).or_insert_with(|| is_right_to_left(node))
        });
        if is_rtl { "rtl" } else { "ltr" }
    }
}

impl PseudoClass {
    /// Returns the pseudo-class without arguments of this name, if it is known. ASCII case is ignored.
    pub(crate) fn named(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("link") || name.eq_ignore_ascii_case("any-link") {
            return Some(Self::Link);
        }
        let state = STATES.iter().position(|(known, _)| known.eq_ignore_ascii_case(name));
        let find_never_matching =
            || NEVER_MATCHING.iter().find(|known| known.eq_ignore_ascii_case(name));
        state.map(Self::State).or_else(|| find_never_matching().map(|name| Self::Never(name)))
    }

    /// Whether an element matches the pseudo-class.
    pub(crate) fn matches(&self, element: NodeRef<'_>, cache: &mut MatchCache) -> bool {
        match self {
            Self::Link => form::is_link(element),
            Self::State(index) => STATES[*index].1(element, cache),
            Self::Never(_) => false,
            Self::Lang(ranges) => {
                let default = cache.default_language.get_or_insert_with(|| {
                    default_language(element.tree().root()).unwrap_or_default().into()
                });
                let declares = |node: NodeRef<'_>| declared_language(node, default).is_some();
                let Some(declaring_node) = cache.languages.of(element, declares) else {
                    return false;
                };
                let is_in_any_range = || {
                    let tag = declared_language(declaring_node, default).unwrap_or_default();
                    ranges.iter().any(|range| is_in_language_range(tag, range))
                };
                let key = (declaring_node.id(), ranges.as_ptr().addr());
                *cache.in_ranges.entry(key).or_insert_with(is_in_any_range)
            }
            Self::Dir(direction) => direction.eq_ignore_ascii_case(cache.direction(element)),
            Self::Contains(text) => {
                let texts = cache.texts.get_or_insert_with(|| Texts::of(element.tree()));
                texts.contains(element, text)
            }
        }
    }
}

/// Whether `:read-write` matches: a control that users can edit, or an editable element.
fn is_read_write(element: NodeRef<'_>, cache: &mut MatchCache) -> bool {
    if form::is_text_control(element) {
        return form::is_writable(element, &mut cache.control_groups);
    }
    let declares = |node: NodeRef<'_>| content_editable(node).is_some();
    element.namespace() == Some(Namespace::HTML)
        && cache.editing.of(element, declares).and_then(content_editable) == Some(true)
}

/// Whether an element's own `contenteditable` makes it editable; `None` if the attribute is missing or invalid.
fn content_editable(node: NodeRef<'_>) -> Option<bool> {
    if node.namespace() != Some(Namespace::HTML) {
        return None;
    }
    let value = node.attribute_in(Namespace::NONE, "contenteditable")?;
    let equals = |word: &str| value.eq_ignore_ascii_case(word);
    let is_editable = value.is_empty() || equals("true") || equals("plaintext-only");
    (is_editable || equals("false")).then_some(is_editable)
}

impl ToCss for PseudoClass {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        out.write_char(':')?;
        match self {
            Self::Link => out.write_str("any-link"),
            Self::State(index) => out.write_str(STATES[*index].0),
            Self::Never(name) => out.write_str(name),
            Self::Lang(ranges) => {
                out.write_str("lang(")?;
                for (index, range) in ranges.iter().enumerate() {
                    if index > 0 {
                        out.write_str(", ")?;
                    }
                    serialize_string(range, out)?;
                }
                out.write_char(')')
            }
            Self::Dir(direction) => {
                out.write_str("dir(")?;
                serialize_identifier(direction, out)?;
                out.write_char(')')
            }
            Self::Contains(text) => {
                out.write_str("contains(")?;
                serialize_string(text, out)?;
                out.write_char(')')
            }
        }
    }
}

/// Returns the language that an element itself declares (HTML, 3.2.6.2 "The lang and xml:lang attributes"), or for a
/// document `default`, unless that is empty.
fn declared_language<'a>(node: NodeRef<'a>, default: &'a str) -> Option<&'a str> {
    if node.kind() == NodeKind::Document {
        return Some(default).filter(|language| !language.is_empty());
    }
    let xml = node.attribute_in(Namespace::XML, "lang");
    xml.or_else(|| match node.namespace() {
        Some(Namespace::HTML | Namespace::SVG) => node.attribute_in(Namespace::NONE, "lang"),
        _ => None,
    })
}

/// Returns the pragma-set default language of a document (HTML, 4.2.5.3 "Content language"): the last one wins. `None`
/// if it has none.
fn default_language(root: NodeRef<'_>) -> Option<&str> {
    let is_pragma = |node: &NodeRef<'_>| {
        form::is_html(*node, LISTS.pragma)
            && node.attribute_in(Namespace::NONE, "http-equiv").is_some_and(|value| {
                LISTS.language_pragma.iter().any(|known| known.eq_ignore_ascii_case(value))
            })
    };
    let pragmas = root.descendants().filter(is_pragma);
    let contents = pragmas.filter_map(|node| node.attribute_in(Namespace::NONE, "content"));
    let languages = contents.filter(|value| !value.contains(','));
    languages.filter_map(|value| value.split_ascii_whitespace().next()).last()
}

/// Whether a language tag is in a range: extended filtering of RFC 4647, section 3.3.2.
fn is_in_language_range(tag: &str, range: &str) -> bool {
    if range.is_empty() || tag.is_empty() {
        return range.is_empty() && tag.is_empty();
    }
    let mut subtags = tag.split('-');
    let mut range_subtags = range.split('-');
    let (first_subtag, expected) =
        (subtags.next().unwrap_or(""), range_subtags.next().unwrap_or(""));
    if expected != "*" && !expected.eq_ignore_ascii_case(first_subtag) {
        return false;
    }
    range_subtags.filter(|expected| *expected != "*").all(|expected| {
        // A single-character subtag begins an extension, where the search stops unless that subtag is expected.
        let mut searched_subtags = subtags
            .by_ref()
            .take_while(|subtag| subtag.len() > 1 || subtag.eq_ignore_ascii_case(expected));
        searched_subtags.any(|subtag| subtag.eq_ignore_ascii_case(expected))
    })
}
