//! Deserialization of elements: a single one, or all children of one name.
//!
//! An element without child elements deserializes as text for types other than structs and maps.

use crate::error::Error;
use crate::fields::Fields;
use crate::value::Value;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, SeqAccess, VariantAccess, Visitor};
use std::borrow::Cow;
use tabulex_core::tree::NodeRef;

/// Returns the concatenated text children of an element.
pub(crate) fn text_of(element: NodeRef<'_>) -> Cow<'_, str> {
    let mut texts = element.children().filter(NodeRef::is_text).filter_map(|node| node.data());
    let first_text = texts.next().unwrap_or_default();
    texts.fold(Cow::Borrowed(first_text), |text, next_text| text + next_text)
}

/// Whether the attribute `xsi:nil` of an element is true.
fn is_nil(element: NodeRef<'_>) -> bool {
    element.attributes().any(|attribute| {
        let name = attribute.name();
        let is_nil_name = name.local() == "nil" && name.namespace_str() == XSI_NAMESPACE;
        is_nil_name && matches!(attribute.value().trim_ascii(), "true" | "1")
    })
}

/// The namespace of the attributes of XML Schema that may occur in any document.
const XSI_NAMESPACE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The children for one field: elements of one name, or the remaining children for `$value`.
#[derive(Clone, Debug)]
pub(crate) struct Children<'a> {
    nodes: Vec<NodeRef<'a>>,
    /// Whether the names of the nodes are enum variants.
    are_variants: bool,
}

impl<'a> Children<'a> {
    pub(crate) fn one(node: NodeRef<'a>) -> Self {
        Self { nodes: vec![node], are_variants: false }
    }

    pub(crate) fn named(nodes: Vec<NodeRef<'a>>) -> Self {
        Self { nodes, are_variants: false }
    }

    pub(crate) fn variants(nodes: Vec<NodeRef<'a>>) -> Self {
        Self { nodes, are_variants: true }
    }

    /// Returns the only node, or an error if there is none or there are several.
    fn single(&self) -> Result<NodeRef<'a>, Error> {
        match self.nodes[..] {
            [node] => Ok(node),
            [] => Err(Error::new("expected an element, found none")),
            [_, second, ..] => {
                Err(Error::new("expected one element, found several").at(second.span()))
            }
        }
    }

    /// Passes the text of the only node to `deserialize`; fails unless there is exactly one node, or if it has child
    /// elements, whose text would be lost.
    fn with_text<T>(
        &self,
        deserialize: impl FnOnce(Value<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let node = self.single()?;
        if let Some(child) = node.children().find(NodeRef::is_element) {
            return Err(Error::new("expected only text, found an element").at(child.span()));
        }
        let text = node.data().map_or_else(|| text_of(node), Cow::Borrowed);
        deserialize(Value { text: &text, span: node.span() })
    }
}

macro_rules! texts {
    ($($method:ident)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
                self.with_text(|value| value.$method(visitor))
            }
        )*
    };
}

impl<'de> Deserializer<'de> for Children<'_> {
    type Error = Error;

    texts! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char
        deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_identifier
    }

    /// Several nodes are a sequence, a node with attributes or child elements is a map, any other node is text.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Ok(node) = self.single() else { return self.deserialize_seq(visitor) };
        let is_map =
            node.attributes().next().is_some() || node.children().any(|child| child.is_element());
        if is_map { self.deserialize_map(visitor) } else { self.deserialize_string(visitor) }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.nodes[..] {
            [node] if is_nil(node) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Self { nodes, are_variants } = self;
        visitor.visit_seq(NodeSequence { nodes: nodes.into_iter(), are_variants })
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let node = self.single()?;
        let result = visitor.visit_map(Fields::new(node, None));
        result.map_err(|error| error.at(node.span()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let node = self.single()?;
        let result = visitor.visit_map(Fields::new(node, Some(fields)));
        result.map_err(|error| error.at(node.span()))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if !self.are_variants {
            return self.with_text(|value| value.deserialize_enum(name, variants, visitor));
        }
        let node = self.single()?;
        visitor.visit_enum(NodeVariant(node)).map_err(|error: Error| error.at(node.span()))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}

struct NodeSequence<'a> {
    nodes: std::vec::IntoIter<NodeRef<'a>>,
    are_variants: bool,
}

impl<'de> SeqAccess<'de> for NodeSequence<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(node) = self.nodes.next() else { return Ok(None) };
        let child = Children { nodes: vec![node], are_variants: self.are_variants };
        seed.deserialize(child).map(Some).map_err(|error| error.at(node.span()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.nodes.len())
    }
}

/// A node whose name is an enum variant, `$text` for a text.
struct NodeVariant<'a>(NodeRef<'a>);

impl<'de, 'a> EnumAccess<'de> for NodeVariant<'a> {
    type Error = Error;
    type Variant = Children<'a>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Children<'a>), Error> {
        let (text, span) = (self.0.local_name().unwrap_or("$text"), self.0.span());
        Ok((seed.deserialize(Value { text, span })?, Children::one(self.0)))
    }
}

impl<'de> VariantAccess<'de> for Children<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_struct("", fields, visitor)
    }
}
