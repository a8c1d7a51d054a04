//! A dump of trees with namespaces: names with prefix, local name and namespace, attributes in their order. It is for
//! tests, not for storage. Invariant: it differs from the other dump in the lines of elements and attributes only.

use super::dump::{write_leaf, write_lines, write_margin};
use crate::names::NameRef;
use crate::tree::node_ref::NodeRef;
use std::fmt;

impl NodeRef<'_> {
    /// The tree as the tests of XML with error recovery dump it; every line ends with a line feed. Of a document or
    /// fragment that is what is inside. The length is quadratic in the depth, because lines are indented.
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
        self.written(Self::write_qualified_dump)
    }

    /// Writes what [`to_qualified_dump`](Self::to_qualified_dump) returns.
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
