//! The kinds of elements: membership in the standard's lists, as bit sets indexed by interned name.

use crate::lists::LISTS;
use std::collections::HashMap;
use tabulex_core::tree::{Namespace, NodeId, NodeRef, Tree};

/// A set of kinds of elements, with one bit per list of the standard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ElementKind(u64);

macro_rules! kinds {
    ($($name:ident: $list:ident = $bit:literal,)+) => {
        impl ElementKind {
            $(pub(crate) const $name: Self = Self(1 << $bit);)+
        }

        /// Each kind of element, with the names that the standard lists for it.
        const ALL: &[(ElementKind, &[&str])] = &[$((ElementKind::$name, LISTS.$list),)+];
    };
}

kinds! {
    HIDDEN: hidden = 0,
    HIDDEN_WITH_SCRIPTING: hidden_with_scripting = 1,
    HIDDEN_IN_SVG: hidden_in_svg = 2,
    BLOCK: block = 3,
    PARAGRAPH: paragraph = 4,
    PRESERVED: preserved = 5,
    REPLACED: replaced = 6,
    LINE_BREAK: line_break = 7,
    TABLE: table = 8,
    ROW_GROUP: row_group = 9,
    ROW: row = 10,
    CELL: cell = 11,
    CLOSED: closed = 12,
    DISCLOSURE: disclosure = 13,
    DISCLOSED: disclosed = 14,
    BASE: base = 15,
    HEADING: heading = 16,
    QUOTE: quote = 17,
    LIST: list = 18,
    ORDERED: ordered_list = 19,
    ITEM: item = 20,
    RULE: rule = 21,
    HEADER_CELL: header_cell = 22,
    EMPHASIS: emphasis = 23,
    STRONG: strong = 24,
    STRUCK: struck = 25,
    CODE: code = 26,
    LINK: link = 27,
    IMAGE: image = 28,
    WITHOUT_TEXT: without_text = 29,
    DOCUMENT: document = 30,
    SCRIPT: raised_or_lowered = 31,
    BLOCK_IN_SVG: block_in_svg = 32,
    INLINE_BLOCK: inline_block = 33,
    INLINE_BLOCK_IN_SVG: inline_block_in_svg = 34,
    HIDDEN_IN_MATHML: hidden_in_mathml = 35,
    REPLACED_WITH_SCRIPTING: replaced_with_scripting = 36,
    REPLACED_BY_ATTRIBUTE: replaced_by_attribute = 37,
    FOOTER: footer = 38,
    HEADER_GROUP: header_group = 39,
    CHECKBOX: checkbox = 40,
}

#[cfg(feature = "markdown")]
impl ElementKind {
    /// Kinds of elements that are written as inline marks.
    pub(crate) const INLINE_MARKS: Self =
        Self::EMPHASIS.or(Self::STRONG).or(Self::STRUCK).or(Self::SCRIPT).or(Self::LINK);
    /// Kinds of elements whose contents begin and end a line.
    pub(crate) const BLOCK_CONTAINERS: Self =
        Self::BLOCK.or(Self::TABLE).or(Self::ROW).or(Self::CELL);
}

impl ElementKind {
    /// Kinds of elements that the style sheets of HTML, SVG and MathML do not render.
    const NEVER_RENDERED: Self = Self::HIDDEN.or(Self::HIDDEN_IN_SVG).or(Self::HIDDEN_IN_MATHML);
    const OF_SVG: Self = Self::HIDDEN_IN_SVG.or(Self::BLOCK_IN_SVG).or(Self::INLINE_BLOCK_IN_SVG);

    /// Returns the union of two sets of kinds.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether two sets of kinds have one in common.
    #[inline]
    pub(crate) const fn is_any_of(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A table of the kinds of each local name, indexed by the name's id in the tree.
#[derive(Clone, Debug)]
pub(crate) struct KindTable(Vec<ElementKind>);

impl KindTable {
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut kinds = Vec::new();
        for (kind, names) in ALL {
            let names = names.iter().filter_map(|entry| entry.split(' ').next());
            for local in names.filter_map(|name| tree.names().find_local(name)) {
                let index = local.id() as usize;
                if kinds.len() <= index {
                    kinds.resize(index + 1, ElementKind::default());
                }
                kinds[index].0 |= kind.0;
            }
        }
        Self(kinds)
    }

    /// Returns the kinds of an element.
    #[inline]
    pub(crate) fn kind(&self, node: NodeRef<'_>) -> ElementKind {
        let Some(name) = node.name() else { return ElementKind::default() };
        let kind = self.0.get(name.id().local().id() as usize).copied().unwrap_or_default();
        let mask = match node.namespace() {
            Some(Namespace::HTML) => !(ElementKind::OF_SVG.or(ElementKind::HIDDEN_IN_MATHML)).0,
            Some(Namespace::SVG) => ElementKind::OF_SVG.0,
            Some(Namespace::MATHML) => ElementKind::HIDDEN_IN_MATHML.0,
            _ => 0,
        };
        ElementKind(kind.0 & mask)
    }
}

/// Whether the contents of an element are not rendered.
pub(crate) fn is_hidden(node: NodeRef<'_>, kind: ElementKind, scripting: bool) -> bool {
    kind.is_any_of(ElementKind::NEVER_RENDERED)
        || scripting && kind.is_any_of(ElementKind::HIDDEN_WITH_SCRIPTING)
        || is_replaced(node, kind, scripting)
        || kind.is_any_of(ElementKind::CLOSED) && !has_listed_attribute(node, LISTS.closed)
        || is_hidden_by_attribute(node)
}

/// Whether an element is a replaced element, whose contents are not rendered.
fn is_replaced(node: NodeRef<'_>, kind: ElementKind, scripting: bool) -> bool {
    kind.is_any_of(ElementKind::REPLACED)
        && (scripting || !kind.is_any_of(ElementKind::REPLACED_WITH_SCRIPTING))
        && (!kind.is_any_of(ElementKind::REPLACED_BY_ATTRIBUTE)
            || has_listed_attribute(node, LISTS.replaced_by_attribute))
}

/// Whether a hidden element is nevertheless rendered itself, as a replaced element.
pub(crate) fn is_box_without_text(node: NodeRef<'_>, kind: ElementKind) -> bool {
    kind.is_any_of(ElementKind::REPLACED)
        && (!kind.is_any_of(ElementKind::CLOSED) || has_listed_attribute(node, LISTS.closed))
        && !is_hidden_by_attribute(node)
        && !has_listed_value(node, LISTS.hidden_by_type)
}

/// Whether an element is a checkbox.
#[cfg(feature = "markdown")]
pub(crate) fn is_checkbox(node: NodeRef<'_>, kind: ElementKind) -> bool {
    kind.is_any_of(ElementKind::CHECKBOX) && has_listed_value(node, LISTS.checkbox_by_type)
}

/// Whether an element has one of the attributes with the value that `entries` lists for it.
fn has_listed_value(node: NodeRef<'_>, entries: &[&str]) -> bool {
    entries.iter().filter_map(|entry| entry.split_once(' ')).any(|(name, expected)| {
        let value = node.attribute_in(Namespace::NONE, name);
        value.is_some_and(|value| value.eq_ignore_ascii_case(expected))
    })
}

/// The open `svg` elements, in which only some elements render text.
#[derive(Debug, Default)]
pub(crate) struct SvgText {
    /// For each open `svg`, the number of open elements in it whose text is rendered.
    depths: Vec<usize>,
}

impl SvgText {
    pub(crate) fn open(&mut self, kind: ElementKind) {
        if kind.is_any_of(ElementKind::INLINE_BLOCK_IN_SVG) {
            self.depths.push(0);
        } else if kind.is_any_of(ElementKind::BLOCK_IN_SVG)
            && let Some(depth) = self.depths.last_mut()
        {
            *depth += 1;
        }
    }

    pub(crate) fn close(&mut self, kind: ElementKind) {
        if kind.is_any_of(ElementKind::INLINE_BLOCK_IN_SVG) {
            self.depths.pop();
        } else if kind.is_any_of(ElementKind::BLOCK_IN_SVG)
            && let Some(depth) = self.depths.last_mut()
        {
            *depth -= 1;
        }
    }

    /// Whether a text is not rendered, as it is in SVG but in no element for text.
    pub(crate) fn hides(&self, text: NodeRef<'_>) -> bool {
        let is_in_svg = |parent: NodeRef<'_>| parent.namespace() == Some(Namespace::SVG);
        self.depths.last() == Some(&0) && text.parent().is_some_and(is_in_svg)
    }
}

/// Whether an element has the attribute that `entries` lists for its name.
fn has_listed_attribute(node: NodeRef<'_>, entries: &[&str]) -> bool {
    let is_of_node = |entry: &&&str| entry.split(' ').next() == node.local_name();
    let attribute = entries.iter().find(is_of_node).and_then(|entry| entry.split(' ').nth(1));
    attribute.is_some_and(|name| node.attribute_in(Namespace::NONE, name).is_some())
}

/// Whether an element is hidden by one of its attributes.
pub(crate) fn is_hidden_by_attribute(node: NodeRef<'_>) -> bool {
    let has_attribute = |name: &str| node.attribute_in(Namespace::NONE, name).is_some();
    node.namespace() == Some(Namespace::HTML)
        && node.attributes().next().is_some()
        && LISTS.hidden_by_attribute.iter().any(|name| has_attribute(name))
}

/// Hidden children of closed `details` and similar elements, cached by parent, so that testing many siblings takes
/// linear time.
#[derive(Debug, Default)]
pub(crate) struct Undisclosed {
    /// For each parent: `None` if it is open, otherwise the only child that is rendered, if any.
    rendered_children: HashMap<NodeId, Option<Option<NodeId>>>,
}

impl Undisclosed {
    pub(crate) fn contains(&mut self, child: NodeRef<'_>, kinds: &KindTable) -> bool {
        let Some(parent) = child.parent() else { return false };
        if !kinds.kind(parent).is_any_of(ElementKind::DISCLOSURE) {
            return false;
        }
        let find_rendered = || {
            let mut rendered = parent
                .children()
                .filter(|node| kinds.kind(*node).is_any_of(ElementKind::DISCLOSED));
            rendered.next().map(|child| child.id())
        };
        let entry = self.rendered_children.entry(parent.id());
        let rendered_child =
            entry.or_insert_with(|| parent.attribute("open").is_none().then(find_rendered));
        rendered_child.is_some_and(|rendered| rendered != Some(child.id()))
    }
}
