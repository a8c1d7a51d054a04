//! Common queries of elements: id, classes, HTML names, adjacent elements. Ids and classes come from the attributes
//! `id` and `class` in no namespace, and are compared exactly.

use super::Tree;
use super::node_ref::{AttributeRef, NodeRef};
use crate::names::Namespace;
use std::hash::{Hash, Hasher};

impl Hash for NodeRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.tree()).hash(state);
        self.id().hash(state);
    }
}

impl<'a> NodeRef<'a> {
    /// Whether this is an element in the HTML namespace with this local name.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let tree = html::parse("<a href=/>1</a><svg><a/></svg>", Options::new()).tree;
    /// assert_eq!(tree.root().descendants().filter(|node| node.is_html("a")).count(), 1);
    /// ```
    pub fn is_html(&self, local_name: &str) -> bool {
        self.namespace() == Some(Namespace::HTML) && self.local_name() == Some(local_name)
    }

    /// Returns an attribute by its qualified name, `prefix:local` or `local`; `None` if the node does not have it. For
    /// an HTML element, the name is first converted to lowercase, unless the document is XML.
    pub fn attribute_ref(&self, name: &str) -> Option<AttributeRef<'a>> {
        let name = self.attribute_name(name);
        self.attributes().find(|attribute| attribute.name().is(&name))
    }

    /// Returns the value of the element's attribute `id`, or `None` if there is no such attribute.
    #[doc(alias = "id")]
    pub fn id_attribute(&self) -> Option<&'a str> {
        self.attribute_in(Namespace::NONE, "id")
    }

    /// Returns the classes of an element, the words of the attribute `class`, in order of occurrence and with
    /// duplicates.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let tree = html::parse("<p class=' new  wide '>", Options::new()).tree;
    /// let p = tree.root().descendants().find(|node| node.is_html("p")).unwrap();
    /// assert_eq!(p.classes().collect::<Vec<_>>(), ["new", "wide"]);
    /// assert!(p.has_class("wide") && !p.has_class("Wide"));
    /// ```
    #[doc(alias = "class_list")]
    pub fn classes(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.attribute_in(Namespace::NONE, "class").unwrap_or("").split_ascii_whitespace()
    }

    /// Whether the element has this class.
    pub fn has_class(&self, class: &str) -> bool {
        self.classes().any(|other| other == class)
    }

    /// Returns the parent, if it is an element.
    pub fn parent_element(&self) -> Option<Self> {
        self.parent().filter(Self::is_element)
    }

    /// Returns the nearest following sibling that is an element, if there is one.
    pub fn next_element(&self) -> Option<Self> {
        self.next_siblings().find(Self::is_element)
    }

    /// Returns the nearest preceding sibling that is an element, if there is one.
    pub fn previous_element(&self) -> Option<Self> {
        self.previous_siblings().find(Self::is_element)
    }

    /// Returns the first descendant, in tree order, with this id, or `None` if there is none. The search is linear.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let tree = html::parse("<p id=a>1<p id=b>2<p id=b>3", Options::new()).tree;
    /// assert_eq!(tree.root().element_by_id("b").unwrap().text(), "2");
    /// assert_eq!(tree.element_by_id("c"), None);
    /// ```
    #[doc(alias = "get_element_by_id")]
    pub fn element_by_id(&self, id: &str) -> Option<Self> {
        self.descendants().find(|node| node.id_attribute() == Some(id))
    }
}

impl Tree {
    /// Returns the first element of the document, in tree order, with this id, or `None` if there is none. The search
    /// is linear.
    pub fn element_by_id(&self, id: &str) -> Option<NodeRef<'_>> {
        self.root().element_by_id(id)
    }
}
