//! Deserialization of text: attribute values, and elements that contain only text.
//!
//! White space is trimmed around numbers and booleans, and kept around strings.

use crate::error::Error;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use tabulex_core::Span;

/// A text with its byte range.
pub(crate) struct Value<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Option<Span>,
}

macro_rules! numbers {
    ($($method:ident $visit:ident $description:literal)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
                let invalid = || Error::new(concat!("expected ", $description)).at(self.span);
                let number = self.text.trim().parse().map_err(|_| invalid())?;
                visitor.$visit(number).map_err(|error: Error| error.at(self.span))
            }
        )*
    };
}

impl<'de> Deserializer<'de> for Value<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.text).map_err(|error: Error| error.at(self.span))
    }

    numbers! {
        deserialize_i8 visit_i8 "an 8-bit integer"
        deserialize_i16 visit_i16 "a 16-bit integer"
        deserialize_i32 visit_i32 "a 32-bit integer"
        deserialize_i64 visit_i64 "a 64-bit integer"
        deserialize_i128 visit_i128 "a 128-bit integer"
        deserialize_u8 visit_u8 "an unsigned 8-bit integer"
        deserialize_u16 visit_u16 "an unsigned 16-bit integer"
        deserialize_u32 visit_u32 "an unsigned 32-bit integer"
        deserialize_u64 visit_u64 "an unsigned 64-bit integer"
        deserialize_u128 visit_u128 "an unsigned 128-bit integer"
        deserialize_f32 visit_f32 "a number"
        deserialize_f64 visit_f64 "a number"
    }

    /// Accepts the lexical forms of XML Schema: `true`, `false`, `1`, `0`.
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.text.trim() {
            "true" | "1" => visitor.visit_bool(true),
            "false" | "0" => visitor.visit_bool(false),
            _ => Err(Error::new("expected `true`, `false`, `1` or `0`").at(self.span)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    /// Splits the text into values separated by white space, like the list types of XML Schema.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let values = self.text.split_ascii_whitespace().map(|text| ListItem(text, self.span));
        visitor.visit_seq(serde::de::value::SeqDeserializer::new(values))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let span = self.span;
        visitor.visit_enum(VariantName(self)).map_err(|error: Error| error.at(span))
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit_struct tuple tuple_struct map struct identifier ignored_any
    }
}

/// An item of a white-space-separated list.
struct ListItem<'a>(&'a str, Option<Span>);

impl<'de, 'a> IntoDeserializer<'de, Error> for ListItem<'a> {
    type Deserializer = Value<'a>;

    fn into_deserializer(self) -> Value<'a> {
        Value { text: self.0, span: self.1 }
    }
}

/// The name of an enum variant that has no contents.
struct VariantName<'a>(Value<'a>);

impl<'de> EnumAccess<'de> for VariantName<'_> {
    type Error = Error;
    type Variant = UnitVariant;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, UnitVariant), Error> {
        let Value { text, span } = self.0;
        Ok((seed.deserialize(Value { text: text.trim(), span })?, UnitVariant))
    }
}

/// Access to a variant without contents.
struct UnitVariant;

impl<'de> VariantAccess<'de> for UnitVariant {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(Value { text: "", span: None })
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _length: usize,
        _visitor: V,
    ) -> Result<V::Value, Error> {
        Err(Error::new("expected a list, found text"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Error> {
        Err(Error::new("expected an element with fields, found text"))
    }
}
