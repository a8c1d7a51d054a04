//! The HTML fragment serialization algorithm. The dialect gives the names of void elements and of elements with raw
//! text.

use super::steps::{SerializerSteps, WrittenNode};
use crate::names::{NameRef, Names, Namespace};
use crate::scan::find_any;
use crate::setters::setters;
use crate::tree::iterate::Edge;
use crate::tree::node::{NodeId, NodeKind};
use crate::tree::node_ref::{NodeRef, ShadowRootMode};
use std::borrow::Cow;
use std::fmt;

/// The sets of HTML elements that serialization depends on, given by a dialect.
#[derive(Clone, Copy, Debug, Default)]
pub struct SerializerNames<'a> {
    /// Elements written without children or an end tag.
    pub void: &'a [&'a str],
    /// Elements whose text is written unescaped.
    pub raw_text: &'a [&'a str],
    /// Elements whose text is written unescaped if scripting is enabled.
    pub raw_text_when_scripting: &'a [&'a str],
    /// The names that declare shadow roots, if the dialect has them.
    pub shadow_root: Option<ShadowRootDeclaration<'a>>,
    /// Serialization steps of the dialect's table, if they differ from those of the standard.
    pub steps: Option<SerializerSteps>,
}

/// A serializer of nodes as HTML.
///
/// ```
/// use tabulex::tree::{HtmlSerializer, Namespace, SerializerNames, Tree};
/// let names = SerializerNames { void: &["br"], raw_text: &["style"], ..SerializerNames::default() };
/// let mut tree = Tree::new();
/// let paragraph = tree.create_element(Namespace::HTML, "p");
/// tree.set_attribute(paragraph, "title", "a<b").unwrap();
/// tree.append_text(paragraph, "x & y");
/// let line_break = tree.create_element(Namespace::HTML, "br");
/// tree.append(paragraph, line_break)?;
/// let html = HtmlSerializer::new(&names);
/// assert_eq!(html.inner(tree.node(paragraph)), "x &amp; y<br>");
/// assert_eq!(html.outer(tree.node(paragraph)), "<p title=\"a&lt;b\">x &amp; y<br></p>");
/// # Ok::<(), tabulex::tree::HierarchyError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HtmlSerializer<'a> {
    pub(super) names: &'a SerializerNames<'a>,
    pub(super) is_scripting: bool,
    shadow_root_names: Option<&'a ShadowRootNames<'a>>,
    pub(super) writes_serializable_roots: bool,
    /// Shadow roots that are written even if they are not serializable.
    pub(super) shadow_roots: &'a [NodeId],
    /// The local name of an HTML element: the descendants of a node are written as contents of such an element. With
    /// `None`, they are written as contents of the node itself.
    pub(super) within: Option<&'a str>,
}

impl<'a> HtmlSerializer<'a> {
    /// Creates a serializer with scripting disabled that omits shadow roots.
    pub const fn new(names: &'a SerializerNames<'a>) -> Self {
        Self {
            names,
            is_scripting: false,
            shadow_root_names: None,
            writes_serializable_roots: false,
            shadow_roots: &[],
            within: None,
        }
    }

    /// Returns the sets of elements that the serialization depends on.
    pub const fn names(&self) -> &'a SerializerNames<'a> {
        self.names
    }

    /// Returns the descendants of a node as HTML, like `innerHTML`.
    #[doc(alias = "inner_html")]
    pub fn inner(&self, node: NodeRef<'_>) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_inner_to(node, &mut text);
        text
    }

    /// Returns a node and its descendants as HTML, like `outerHTML`. For a document or fragment, only the descendants.
    #[doc(alias = "outer_html")]
    #[doc(alias = "to_html")]
    #[doc(alias = "html")]
    pub fn outer(&self, node: NodeRef<'_>) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_outer_to(node, &mut text);
        text
    }

    /// Writes the descendants of a node; see [`inner`](Self::inner).
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write_inner(&self, node: NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
        self.write_inner_to(node, &mut { out })
    }

    fn write_inner_to<W: fmt::Write>(&self, node: NodeRef<'_>, out: &mut W) -> fmt::Result {
        if let Some(steps) = self.names.steps {
            return out.write_str(&self.write_by_steps(steps, WrittenNode::Node(node)));
        }
        let flags = self.element_flags(node);
        let is_void = match self.within {
            Some(name) => self.names.void.contains(&name),
            None => node.name().is_some_and(|name| flags.has_flag(name, VOID)),
        };
        if is_void { Ok(()) } else { flags.write(node, false, out) }
    }

    /// Writes a node and its descendants; see [`outer`](Self::outer).
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write_outer(&self, node: NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
        self.write_outer_to(node, &mut { out })
    }

    fn write_outer_to<W: fmt::Write>(&self, node: NodeRef<'_>, out: &mut W) -> fmt::Result {
        let Some(steps) = self.names.steps else {
            return self.element_flags(node).write(node, true, out);
        };
        let has_tags = !matches!(node.kind(), NodeKind::Document | NodeKind::Fragment);
        let to_written_node = if has_tags { WrittenNode::ParentOf } else { WrittenNode::Node };
        out.write_str(&self.write_by_steps(steps, to_written_node(node)))
    }

    /// Returns the flags of HTML elements, by the ids that their names have in the node's tree.
    fn element_flags(&self, node: NodeRef<'_>) -> ElementFlags<'_> {
        let names = node.tree().names();
        let raw_text_when_scripting =
            if self.is_scripting { self.names.raw_text_when_scripting } else { &[] };
        let raw_text_names = || self.names.raw_text.iter().chain(raw_text_when_scripting);
        let mut flags = ElementFlags { serializer: self, flags: Vec::new(), is_raw_within: None };
        flags.add_flag(names, self.names.void.iter(), VOID);
        flags.add_flag(names, self.names.raw_text.iter(), RAW);
        flags.add_flag(names, raw_text_when_scripting.iter(), RAW_WHEN_SCRIPTING);
        flags.is_raw_within = self.within.map(|name| raw_text_names().any(|other| *other == name));
        flags
    }
}

setters! {
    HtmlSerializer<'a>;

    /// Makes the serializer write the descendants of a node as the contents of an HTML element called `local_name`. Use
    /// it for nodes parsed with a context element, which are not inside such an element.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let parsed = html::parse_fragment("a < b", "script", Options::new());
    /// let root = parsed.tree.document_element().unwrap();
    /// assert_eq!(html::serializer().within("script").inner(root), "a < b");
    /// assert_eq!(html::serializer().within("br").inner(root), "");
    /// assert_eq!(html::serializer().inner(root), "a &lt; b");
    /// ```
    within(local_name: &'a str) => within = Some(local_name);

    /// Sets the names of the attributes with which templates declare shadow roots. Without them, all shadow roots are
    /// omitted.
    shadow_root_names(names: &'a ShadowRootNames<'a>) => shadow_root_names = Some(names);

    /// Sets whether serializable shadow roots are written as declarative ones, like the option
    /// `serializableShadowRoots` of `getHTML`.
    serializable_shadow_roots(written: bool) => writes_serializable_roots = written;

    /// Sets the shadow roots that are written even if they are not serializable.
    shadow_roots(roots: &'a [NodeId]) => shadow_roots = roots;

    /// Sets whether scripting is enabled for the nodes of the document. For template contents, which have a document
    /// without a browsing context, scripting is always disabled.
    scripting(scripting: bool) => is_scripting = scripting;
}

/// Flag of HTML elements that are written without contents.
const VOID: u8 = 1;
/// Flag of HTML elements with text that is written unescaped.
const RAW: u8 = 2;
/// Flag of HTML elements with text that is written unescaped if scripting is enabled.
const RAW_WHEN_SCRIPTING: u8 = 4;

/// Whether a node is in the contents of a template. For a node in a shadow root, the host decides.
pub(super) fn is_in_template(node: NodeRef<'_>) -> bool {
    let mut next = Some(node);
    while let Some(node) = next {
        let host = node.host();
        if host.is_some_and(|host| host.shadow_root().is_none()) {
            return true;
        }
        next = node.parent().or(host);
    }
    false
}

/// The flags of HTML elements, by the ids of names in one tree.
struct ElementFlags<'s> {
    serializer: &'s HtmlSerializer<'s>,
    /// The flags by the id of the local name, up to the last name with a flag.
    flags: Vec<u8>,
    /// Whether text directly inside the root is written unescaped; `None` if the text's parent decides.
    is_raw_within: Option<bool>,
}

impl ElementFlags<'_> {
    /// Sets a flag for the elements in `set`.
    fn add_flag<'a>(&mut self, names: &Names, set: impl Iterator<Item = &'a &'a str>, flag: u8) {
        for name in set.filter_map(|name| names.find_local(name)) {
            let index = name.id() as usize;
            self.flags.resize(self.flags.len().max(index + 1), 0);
            self.flags[index] |= flag;
        }
    }

    /// Whether elements with this name have the flag.
    #[inline]
    fn has_flag(&self, name: NameRef<'_>, flag: u8) -> bool {
        let flags = self.flags.get(name.id().local().id() as usize);
        flags.is_some_and(|flags| flags & flag != 0) && name.namespace() == Namespace::HTML
    }

    /// Writes the descendants of a node, and the node itself if `includes_root`.
    fn write<W: fmt::Write>(
        &self,
        root: NodeRef<'_>,
        includes_root: bool,
        out: &mut W,
    ) -> fmt::Result {
        let mut walk = root.walk_with_contents();
        // Whether the root is in a template is determined on demand, because it takes a walk up from the root.
        let mut is_root_in_template = None;
        // The number of templates below the root that the current node is inside.
        let mut template_depth = 0_usize;
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(node) | Edge::Close(node) if node == root && !includes_root => {}
                Edge::Open(node) if node.is_text() => {
                    let is_child = || !includes_root && node.parent() == Some(root);
                    let is_raw = self.is_raw_within.filter(|_| is_child());
                    let mut can_script = || {
                        let compute = || is_in_template(root);
                        template_depth == 0 && !*is_root_in_template.get_or_insert_with(compute)
                    };
                    self.write_text(node, is_raw, &mut can_script, out)?;
                    walk.skip_past(node);
                }
                Edge::Open(node) => {
                    if let Some(name) = node.name() {
                        write_start_tag(&node, name, out)?;
                        if self.has_flag(name, VOID) {
                            walk.skip_past(node);
                        }
                    } else if node.kind() == NodeKind::Fragment && node != root {
                        match self.serializer.shadow_root(node) {
                            ShadowRootTreatment::None => template_depth += 1,
                            ShadowRootTreatment::Written => {
                                self.serializer.open_shadow_root(node, out)?
                            }
                            ShadowRootTreatment::Omitted => walk.skip_past(node),
                        }
                    } else {
                        write_other(&node, out)?;
                    }
                }
                Edge::Close(node) => {
                    if let Some(name) = node.name() {
                        out.write_str("</")?;
                        write_tag_name(out, name)?;
                        out.write_str(">")?;
                    } else if node.kind() == NodeKind::Fragment && node != root {
                        match (self.serializer.shadow_root(node), node.host()) {
                            // The contents of a template are written instead of its children, which are skipped.
                            (ShadowRootTreatment::None, Some(host)) => {
                                template_depth -= 1;
                                walk.skip_inside(host);
                            }
                            (ShadowRootTreatment::Written, _) => {
                                self.serializer.close_shadow_root(out)?
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a text, unescaped if `is_raw`. If that is `None`, the flags of the parent decide; `can_script` returns
    /// whether scripting can be enabled for the text.
    #[inline]
    fn write_text<W: fmt::Write>(
        &self,
        node: NodeRef<'_>,
        is_raw: Option<bool>,
        can_script: &mut impl FnMut() -> bool,
        out: &mut W,
    ) -> fmt::Result {
        let data = node.data().unwrap_or_default();
        let parent = || node.parent().and_then(|parent| parent.name());
        let is_parent_raw = || {
            parent().is_some_and(|name| {
                self.has_flag(name, RAW) || self.has_flag(name, RAW_WHEN_SCRIPTING) && can_script()
            })
        };
        if is_raw.unwrap_or_else(is_parent_raw) {
            out.write_str(data)
        } else {
            write_escaped(out, data, false)
        }
    }
}

/// Writes a comment, processing instruction or document type; writes nothing for other nodes.
fn write_other<W: fmt::Write>(node: &NodeRef<'_>, out: &mut W) -> fmt::Result {
    let data = node.data().unwrap_or_default();
    match node.kind() {
        NodeKind::Comment => write!(out, "<!--{data}-->"),
        NodeKind::ProcessingInstruction => {
            write!(out, "<?{} {data}?>", node.target().unwrap_or_default())
        }
        NodeKind::Doctype => {
            write!(out, "<!DOCTYPE {}>", node.doctype().unwrap_or_default().name)
        }
        NodeKind::Element | NodeKind::Text | NodeKind::Document | NodeKind::Fragment => Ok(()),
    }
}

fn write_start_tag<W: fmt::Write>(
    node: &NodeRef<'_>,
    name: NameRef<'_>,
    out: &mut W,
) -> fmt::Result {
    out.write_str("<")?;
    write_tag_name(out, name)?;
    for attribute in node.attributes() {
        out.write_str(" ")?;
        write_attribute_name(out, attribute.name())?;
        out.write_str("=\"")?;
        write_escaped(out, attribute.value(), true)?;
        out.write_str("\"")?;
    }
    out.write_str(">")
}

fn write_tag_name<W: fmt::Write>(out: &mut W, name: NameRef<'_>) -> fmt::Result {
    match name.namespace() {
        Namespace::HTML | Namespace::MATHML | Namespace::SVG => out.write_str(name.local()),
        _ => write!(out, "{name}"),
    }
}

fn write_attribute_name<W: fmt::Write>(out: &mut W, name: NameRef<'_>) -> fmt::Result {
    let local = name.local();
    match name.namespace() {
        Namespace::NONE => out.write_str(local),
        Namespace::XML => write!(out, "xml:{local}"),
        Namespace::XMLNS if local == "xmlns" => out.write_str(local),
        Namespace::XMLNS => write!(out, "xmlns:{local}"),
        Namespace::XLINK => write!(out, "xlink:{local}"),
        _ => write!(out, "{name}"),
    }
}

/// The names that declare a shadow root, as given by the rows of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadowRootDeclaration<'a> {
    /// The name of the template element.
    pub template: &'a str,
    /// The attribute with the mode of the root.
    pub mode: &'a str,
}

/// The attributes of a declaration of a shadow root that do not affect parsing and therefore occur in no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadowRootNames<'a> {
    /// The attribute that makes a shadow root serializable.
    pub serializable: &'a str,
    /// The attributes that are written after the mode, in this order, if the declaration has them. An attribute listed
    /// with a value is written only if the declaration has that value, ignoring ASCII case.
    pub attributes: &'a [(&'a str, Option<&'a str>)],
}

impl HtmlSerializer<'_> {
    /// Determines whether a fragment is a shadow root, and whether to write it.
    fn shadow_root(&self, fragment: NodeRef<'_>) -> ShadowRootTreatment {
        let Some(host) = fragment.host().filter(|host| host.shadow_root().is_some()) else {
            return ShadowRootTreatment::None;
        };
        let (Some(_), Some(names)) = (self.names.shadow_root, self.shadow_root_names) else {
            return ShadowRootTreatment::Omitted;
        };
        let is_serializable = self.writes_serializable_roots
            && host
                .shadow_root_template()
                .is_some_and(|template| template.attribute(names.serializable).is_some());
        if is_serializable || self.shadow_roots.contains(&fragment.id()) {
            ShadowRootTreatment::Written
        } else {
            ShadowRootTreatment::Omitted
        }
    }

    /// Writes the start tag of the template that declares a shadow root.
    fn open_shadow_root(&self, fragment: NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
        let (Some(declaration), Some(names), Some(host)) =
            (self.names.shadow_root, self.shadow_root_names, fragment.host())
        else {
            return Ok(());
        };
        let mode = host.shadow_root_mode().unwrap_or(ShadowRootMode::Open).as_str();
        write!(out, "<{} {}=\"{mode}\"", declaration.template, declaration.mode)?;
        let declared_value =
            |name| host.shadow_root_template().and_then(|template| template.attribute(name));
        for &(name, expected) in names.attributes {
            let Some(value) = declared_value(name) else { continue };
            if expected.is_none_or(|expected| expected.eq_ignore_ascii_case(value)) {
                write!(out, " {name}=\"{}\"", expected.unwrap_or_default())?;
            }
        }
        out.write_str(">")
    }

    /// Writes the end tag of the template that declares a shadow root.
    fn close_shadow_root(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        self.names.shadow_root.map_or(Ok(()), |names| write!(out, "</{}>", names.template))
    }
}

/// The way in which a fragment that may be a shadow root is serialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShadowRootTreatment {
    /// The fragment is not a shadow root.
    None,
    /// The fragment is a shadow root, and is written as a template that declares it.
    Written,
    /// The fragment is a shadow root, and is omitted.
    Omitted,
}

// The HTML standard's "escaping a string". Parsing the result gives the original text, except for U+0000 and line ends,
// which parsing changes.

/// Escapes text for HTML content, or for an attribute value in double quotes.
pub fn escape(text: &str, is_in_attribute: bool) -> Cow<'_, str> {
    if find_special(text.as_bytes(), is_in_attribute).is_none() {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    // Writing to a string cannot fail.
    let _ = write_escaped(&mut escaped, text, is_in_attribute);
    escaped.into()
}

/// Escapes a text and writes it; see [`escape`].
#[inline]
fn write_escaped<W: fmt::Write>(out: &mut W, text: &str, is_in_attribute: bool) -> fmt::Result {
    match find_special(text.as_bytes(), is_in_attribute) {
        None => out.write_str(text),
        Some(first) => write_escaped_slow(out, text, first, is_in_attribute),
    }
}

/// Slow path of `write_escaped`; `first` is the offset of the first byte that may begin a replaced character.
fn write_escaped_slow<W: fmt::Write>(
    out: &mut W,
    text: &str,
    first: usize,
    is_in_attribute: bool,
) -> fmt::Result {
    let bytes = text.as_bytes();
    let (mut written_end, mut found) = (0, Some(first));
    while let Some(start) = found {
        let (replacement, length) = match &bytes[start..] {
            [b'&', ..] => ("&amp;", 1),
            [b'<', ..] => ("&lt;", 1),
            [b'>', ..] => ("&gt;", 1),
            [b'"', ..] => ("&quot;", 1),
            // U+00A0 is the only replaced character that is not a single byte.
            [0xC2, 0xA0, ..] => ("&nbsp;", 2),
            _ => ("", 0),
        };
        if length != 0 {
            out.write_str(&text[written_end..start])?;
            out.write_str(replacement)?;
            written_end = start + length;
        }
        let next = start + length.max(1);
        found = find_special(&bytes[next..], is_in_attribute).map(|offset| next + offset);
    }
    out.write_str(&text[written_end..])
}

/// Returns the offset of the first byte that may begin a replaced character, or `None` if there is none.
#[inline]
fn find_special(bytes: &[u8], is_in_attribute: bool) -> Option<usize> {
    match is_in_attribute {
        true => find_any([b'&', b'<', b'>', 0xC2, b'"'], bytes),
        false => find_any([b'&', b'<', b'>', 0xC2], bytes),
    }
}
