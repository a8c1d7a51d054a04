//! Deserialization of text: attribute values, and elements that contain only text.
//!
//! White space is trimmed around numbers and booleans, and kept around strings.

use crate::error::Error;
use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};
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
        let span = self.span;
        let values = self.text.split_ascii_whitespace().map(|text| Value { text, span });
        visitor.visit_seq(SeqDeserializer::new(values))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let variant = StrDeserializer::<Error>::new(self.text.trim());
        visitor.visit_enum(variant).map_err(|error| error.at(self.span))
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit_struct tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for Value<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
