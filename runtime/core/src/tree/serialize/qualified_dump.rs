//! A dump of trees with namespaces, for tests: it differs from the other dump in the lines of elements and attributes,
//! which have prefix, local name and namespace, and in the order of attributes, which is that of the tree.

use super::dump::{write_leaf, write_lines, write_margin};
use crate::names::NameRef;
use crate::tree::node_ref::NodeRef;
use std::fmt;

impl NodeRef<'_> {
    /// Returns the tree in the dump format of the tests for XML with error recovery; every line ends with a line feed.
    /// For a document or fragment, its descendants are dumped. The length is quadratic in the depth because of
    /// indentation.
    ///
    /// ```
    /// use tabulex::tree::Tree;
    /// let mut tree = Tree::new();
    /// let namespace = tree.names_mut().namespace("y");
    /// let name = tree.names_mut().name(namespace, "x", "z");
    /// let element = tree.create_named_element(name);
    /// tree.set_attribute(element, "a", "1").unwrap();
    /// assert_eq!(tree.node(element).to_qualified_dump(), "| <x:z> (x, z, y)\n|   a=\"1\" (, a, )\n");
    /// ```
    pub fn to_qualified_dump(&self) -> String {
        self.to_string_with(Self::write_qualified_dump)
    }

    /// Writes the dump to `out`; see [`to_qualified_dump`](Self::to_qualified_dump).
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write_qualified_dump(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        write_lines(self, out, write_node)
    }
}

fn write_node(node: &NodeRef<'_>, depth: usize, out: &mut dyn fmt::Write) -> fmt::Result {
    let Some(name) = node.name() else { return write_leaf(node, depth, out) };
    write_margin(out, depth)?;
    write!(out, "<{name}>")?;
    write_parts(out, name)?;
    for attribute in node.attributes() {
        write_margin(out, depth + 1)?;
        write!(out, "{}=\"{}\"", attribute.name(), attribute.value())?;
        write_parts(out, attribute.name())?;
    }
    Ok(())
}

fn write_parts(out: &mut dyn fmt::Write, name: NameRef<'_>) -> fmt::Result {
    writeln!(out, " ({}, {}, {})", name.prefix(), name.local(), name.namespace_str())
}
