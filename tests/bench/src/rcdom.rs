//! Digests of the tree that html5ever and xml5ever fill. Template contents are visited after children, as for tabulex's
//! trees.

use crate::digest::{Comparable, Digest};
use html5ever::Attribute;
use markup5ever_rcdom::{NodeData, RcDom};

impl Comparable for RcDom {
    fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        let mut pending = vec![self.document.clone()];
        while let Some(node) = pending.pop() {
            match &node.data {
                NodeData::Element { name, attrs, template_contents, .. } => {
                    digest.add_element(&name.local);
                    let declares_no_namespace =
                        |attribute: &&Attribute| attribute.name.prefix.as_deref() != Some("xmlns");
                    for attribute in attrs.borrow().iter().filter(declares_no_namespace) {
                        digest.add_attribute(&attribute.name.local, &attribute.value);
                    }
                    pending.extend(template_contents.borrow().clone());
                }
                NodeData::Text { contents } => digest.add_text(&contents.borrow()),
                _ => {}
            }
            pending.extend(node.children.borrow().iter().rev().cloned());
        }
        digest
    }
}
