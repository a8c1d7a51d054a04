//! Pseudo-classes beside those of the tree's structure: what the source of a page decides about its links, controls and
//! language. Invariant: what depends on a user or on scripts never holds.

use crate::form::{self, Groups};
use cssparser::{ToCss, serialize_identifier, serialize_string};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use tabulex_core::tree::{Namespace, NodeId, NodeRef};

/// A pseudo-class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PseudoClass {
    /// `:link` and `:any-link`: nothing is known to have been visited.
    Link,
    /// `:checked`
    Checked,
    /// `:disabled`
    Disabled,
    /// `:enabled`
    Enabled,
    /// `:required`
    Required,
    /// `:optional`
    Optional,
    /// `:lang()`, with its ranges of languages.
    Lang(Box<[Box<str>]>),
    /// What only a user does, such as `:hover`.
    Never,
}

/// The names; several may mean the same.
const NAMES: [(&str, PseudoClass); 14] = [
    ("any-link", PseudoClass::Link),
    ("link", PseudoClass::Link),
    ("checked", PseudoClass::Checked),
    ("disabled", PseudoClass::Disabled),
    ("enabled", PseudoClass::Enabled),
    ("required", PseudoClass::Required),
    ("optional", PseudoClass::Optional),
    ("visited", PseudoClass::Never),
    ("hover", PseudoClass::Never),
    ("active", PseudoClass::Never),
    ("focus", PseudoClass::Never),
    ("focus-visible", PseudoClass::Never),
    ("focus-within", PseudoClass::Never),
    ("target", PseudoClass::Never),
];

/// What was found out about elements that others are asked about as well. It is of use as long as the tree stays as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    groups: Groups,
    /// The nearest element that says a language, of each that has elements inside which were asked about.
    says: HashMap<NodeId, Option<NodeId>>,
    /// Whether the language that an element says is in a list of ranges, by where the list is: many elements may have the
    /// language of one, and it may be long.
    languages: BTreeMap<(NodeId, usize), bool>,
}

impl Known {
    /// The nearest element that says a language. What is around is looked at once, as it may be deep and have many
    /// attributes.
    fn says<'a>(&mut self, element: NodeRef<'a>) -> Option<NodeRef<'a>> {
        if own_language(element).is_some() {
            return Some(element);
        }
        let mut passed = Vec::new();
        let mut found = None;
        for node in element.ancestors() {
            if let Some(known) = self.says.get(&node.id()) {
                found = *known;
                break;
            }
            passed.push(node.id());
            if own_language(node).is_some() {
                found = Some(node.id());
                break;
            }
        }
        self.says.extend(passed.into_iter().map(|node| (node, found)));
        found.map(|says| element.tree().node(says))
    }
}

impl PseudoClass {
    /// The one of this name, in any case.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, class)| class.clone())
    }

    /// Whether it holds for an element.
    pub(crate) fn holds(&self, element: NodeRef<'_>, known: &mut Known) -> bool {
        match self {
            Self::Link => form::is_link(element),
            Self::Checked => form::is_checked(element),
            Self::Disabled => form::is_disabled(element, &mut known.groups),
            Self::Enabled => {
                form::can_be_disabled(element) && !form::is_disabled(element, &mut known.groups)
            }
            Self::Required => form::is_required(element),
            Self::Optional => form::can_be_required(element) && !form::is_required(element),
            Self::Lang(ranges) => {
                let Some(says) = known.says(element) else { return false };
                let is_in = || {
                    let tag = own_language(says).unwrap_or_default();
                    ranges.iter().any(|range| in_range(tag, range))
                };
                *known.languages.entry((says.id(), ranges.as_ptr().addr())).or_insert_with(is_in)
            }
            Self::Never => false,
        }
    }
}

impl ToCss for PseudoClass {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        out.write_char(':')?;
        if let Self::Lang(ranges) = self {
            out.write_str("lang(")?;
            for (index, range) in ranges.iter().enumerate() {
                if index > 0 {
                    out.write_str(", ")?;
                }
                serialize_string(range, out)?;
            }
            return out.write_char(')');
        }
        let found = NAMES.iter().find(|(_, class)| class == self);
        found.map_or(Ok(()), |(name, _)| serialize_identifier(name, out))
    }
}

/// The language that an element itself says (HTML, "the lang and xml:lang attributes").
fn own_language(node: NodeRef<'_>) -> Option<&str> {
    let xml = node.attribute_in(Namespace::XML, "lang");
    xml.or_else(|| node.attribute_in(Namespace::NONE, "lang"))
}

/// Whether a language is in a range: extended filtering of RFC 4647, section 3.3.2.
fn in_range(tag: &str, range: &str) -> bool {
    if range.is_empty() || tag.is_empty() {
        return range.is_empty() && tag.is_empty();
    }
    let mut tags = tag.split('-');
    let mut ranges = range.split('-');
    let (first, wanted) = (tags.next().unwrap_or(""), ranges.next().unwrap_or(""));
    if wanted != "*" && !wanted.eq_ignore_ascii_case(first) {
        return false;
    }
    ranges.filter(|wanted| *wanted != "*").all(|wanted| {
        // A subtag of one character begins an extension, which nothing is looked for behind.
        let mut before = tags
            .by_ref()
            .take_while(|subtag| subtag.len() > 1 || subtag.eq_ignore_ascii_case(wanted));
        before.any(|subtag| subtag.eq_ignore_ascii_case(wanted))
    })
}
