//! Output of trees in other formats than HTML, one file per format. Nothing here recurses.

mod dump;
mod json;
mod xml;
mod xml_names;

#[doc(hidden)]
pub use json::write_escaped as write_json_text;

use std::fmt;
use tabulex_core::tree::{NodeRef, Tree};
use tabulex_core::{Dialect, Elements};

/// Writes nodes as XML, as JSON, and as dumps in the formats of test suites.
pub trait WriteNode {
    /// Returns the node and its descendants as XML. The contents of a template are written in place of its children.
    ///
    /// A document is written as a well-formed and namespace-well-formed XML 1.0 document (fifth edition). Unless it has
    /// exactly one element and no text outside of it, all nodes from the first element or text on are written in an
    /// element `document`. An element is also written as a well-formed document, other nodes as they can occur in an
    /// element.
    ///
    /// Prefixes and namespaces, including the default namespace, are declared where the tree does not declare them. A
    /// prefix without a namespace is declared with `urn:x-unbound:` and itself, as a URI. Declarations that contradict
    /// names of the tree, or that XML forbids, are dropped.
    ///
    /// Names and texts that XML cannot represent are coerced as the HTML standard proposes for XML tools: a character
    /// that is not allowed in a name becomes `U` and its number (`U00003C`), as does a colon that is not between a
    /// prefix and a local name; two hyphens in a comment are separated by a space, a form feed becomes a space, and any
    /// other character that XML forbids becomes U+FFFD. An attribute whose name would be a duplicate gets an underscore
    /// appended. In the data of a processing instruction, `?>` is broken by a space. A document type without a name,
    /// after another one, or after the element is dropped. A processing instruction `xml` with a version as the first
    /// node of a document is its XML declaration, written without an encoding; any other one is renamed `_xml`, as XML
    /// reserves the name.
    ///
    /// ```
    /// use tabulex::WriteNode;
    /// use tabulex::tree::{Namespace, Tree};
    /// let mut tree = Tree::new();
    /// let element = tree.create_element(Namespace::NONE, "a<b");
    /// tree.set_attribute(element, "title", "\"1\n2\"").unwrap();
    /// tree.append_text(element, "x ]]> y");
    /// let xml = "<aU00003Cb title=\"&quot;1&#xA;2&quot;\">x ]]&gt; y</aU00003Cb>";
    /// assert_eq!(tree.node(element).to_xml(), xml);
    ///
    /// let svg = tree.create_element(Namespace::SVG, "svg");
    /// assert_eq!(tree.node(svg).to_xml(), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    /// ```
    fn to_xml(&self) -> String {
        to_string(|out| self.write_xml(out))
    }

    /// Writes the XML to `out`; see [`to_xml`](Self::to_xml).
    ///
    /// # Errors
    ///
    /// If `out` fails.
    fn write_xml(&self, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Returns the node as JSON: an element as `[name, {attributes}, [children]]`, and a text as a string. Comments,
    /// processing instructions and document types are omitted, and texts that become adjacent are joined. A document
    /// becomes its element, or `null`; a fragment becomes the list of its children.
    ///
    /// Each level of the tree becomes two levels of lists. A reader with a limit on depth, such as the default of 127
    /// levels in `serde_json`, rejects trees deeper than about half that limit.
    ///
    /// ```
    /// use tabulex::WriteNode;
    /// use tabulex::tree::{Namespace, Tree};
    /// let mut tree = Tree::new();
    /// let element = tree.create_element(Namespace::NONE, "p");
    /// tree.set_attribute(element, "id", "x").unwrap();
    /// tree.append_text(element, "a\n\"b\"");
    /// assert_eq!(tree.node(element).to_json(), r#"["p",{"id":"x"},["a\n\"b\""]]"#);
    /// ```
    fn to_json(&self) -> String {
        to_string(|out| self.write_json(out))
    }

    /// Returns the children that are elements or texts as a list in JSON; see [`to_json`](Self::to_json).
    fn children_to_json(&self) -> String;

    /// Writes the JSON to `out`; see [`to_json`](Self::to_json).
    ///
    /// # Errors
    ///
    /// If `out` fails.
    fn write_json(&self, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Returns the tree in the dump format of the html5lib tree-construction tests; every line ends with a line feed.
    /// For a document or fragment, its descendants are dumped. The length is quadratic in the depth because of
    /// indentation.
    ///
    /// ```
    /// use tabulex::WriteNode;
    /// use tabulex::tree::{Namespace, Tree};
    /// let mut tree = Tree::new();
    /// let image = tree.create_element(Namespace::SVG, "image");
    /// tree.set_attribute(image, "x", "1").unwrap();
    /// tree.append_text(image, "pixels");
    /// assert_eq!(tree.node(image).to_dump(), "| <svg image>\n|   x=\"1\"\n|   \"pixels\"\n");
    /// ```
    fn to_dump(&self) -> String {
        to_string(|out| self.write_dump(out))
    }

    /// Writes the dump to `out`; see [`to_dump`](Self::to_dump).
    ///
    /// # Errors
    ///
    /// If `out` fails.
    fn write_dump(&self, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Returns the tree in the dump format of the tests for XML with error recovery; every line ends with a line feed.
    /// Unlike in [`to_dump`](Self::to_dump), each name is followed by its prefix, local name and namespace, and
    /// attributes are in the order of the tree. For a document or fragment, its descendants are dumped. The length is
    /// quadratic in the depth because of indentation.
    ///
    /// ```
    /// use tabulex::WriteNode;
    /// use tabulex::tree::Tree;
    /// let mut tree = Tree::new();
    /// let namespace = tree.names_mut().namespace("y");
    /// let name = tree.names_mut().name(namespace, "x", "z");
    /// let element = tree.create_named_element(name);
    /// tree.set_attribute(element, "a", "1").unwrap();
    /// assert_eq!(tree.node(element).to_qualified_dump(), "| <x:z> (x, z, y)\n|   a=\"1\" (, a, )\n");
    /// ```
    fn to_qualified_dump(&self) -> String {
        to_string(|out| self.write_qualified_dump(out))
    }

    /// Writes the dump to `out`; see [`to_qualified_dump`](Self::to_qualified_dump).
    ///
    /// # Errors
    ///
    /// If `out` fails.
    fn write_qualified_dump(&self, out: &mut dyn fmt::Write) -> fmt::Result;
}

impl WriteNode for NodeRef<'_> {
    fn write_xml(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        xml::write(self, out)
    }

    fn children_to_json(&self) -> String {
        let children = self.children().filter(|child| child.is_element() || child.is_text());
        let children: Vec<String> = children.map(|child| child.to_json()).collect();
        format!("[{}]", children.join(","))
    }

    fn write_json(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        json::write(self, out)
    }

    fn write_dump(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        dump::write_lines(self, out, dump::write_node)
    }

    fn write_qualified_dump(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        dump::write_lines(self, out, dump::write_qualified_node)
    }
}

/// Writes the dump of a tree of a dialect in the format of html5lib-tests; for XML trees, with qualified names.
///
/// # Errors
///
/// If `out` fails.
pub fn write_dump(dialect: &Dialect, tree: &Tree, out: &mut dyn fmt::Write) -> fmt::Result {
    match dialect.elements() {
        Some(Elements::Xml) => tree.root().write_qualified_dump(out),
        Some(Elements::Plain | Elements::Html) | None => tree.root().write_dump(out),
    }
}

/// Returns what a function writes as a string.
fn to_string(write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail, so the result is ignored.
    let _ = write(&mut text);
    text
}
