//! Outputs of a plan and their notation: `a[href]@href`, `title:first`, `a@{href, ::text}`.

use crate::error::PlanError;
use arrow_schema::{DataType, Field, Fields};
use std::sync::Arc;
use tabulex::select::Selector;

/// A value extracted from each element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// The text of the element.
    Text,
    /// The element as markup.
    Html,
    /// The byte range of the element's start tag in the page.
    Span,
    /// The value of the attribute with this name.
    Attribute(String),
    /// The value of the attribute with this name, as a URL resolved against the base of the page.
    Url(String),
}

/// An output: a column extracted with a selector.
#[derive(Clone)]
pub(crate) struct Output {
    pub(crate) name: String,
    /// The whole output as written.
    pub(crate) written: String,
    pub(crate) selector: Selector,
    /// Whether only the first matching element is used.
    pub(crate) takes_first: bool,
    /// A single value, or the fields of a struct.
    pub(crate) values: Vec<Value>,
    pub(crate) is_struct: bool,
}

const FIRST_SUFFIX: &str = ":first";

/// The suffix of an attribute name that requests the value as a resolved URL.
const URL_SUFFIX: &str = "::url";

impl Value {
    fn parse(source: &str) -> Option<Self> {
        Some(match source {
            "::text" => Self::Text,
            "::html" => Self::Html,
            "::span" => Self::Span,
            _ if source.ends_with(URL_SUFFIX) => {
                let Self::Attribute(name) =
                    Self::parse(&source[..source.len() - URL_SUFFIX.len()])?
                else {
                    return None;
                };
                Self::Url(name)
            }
            _ => {
                let is_forbidden =
                    |c: char| c.is_ascii_whitespace() || "\"'>/=:@{},[]()".contains(c);
                // An attribute name has at most one colon, between prefix and local name.
                let parts: Vec<&str> = source.split(':').collect();
                let is_name = parts.len() < 3
                    && parts.iter().all(|part| !part.is_empty() && !part.contains(is_forbidden));
                return is_name.then(|| Self::Attribute(source.to_owned()));
            }
        })
    }

    /// Returns the name of the value's field in a struct.
    fn name(&self) -> &str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
            Self::Span => "span",
            Self::Attribute(name) | Self::Url(name) => name,
        }
    }

    /// Returns the name of the attribute that the value is read from, or `None` if it is not an attribute value.
    pub(crate) fn attribute(&self) -> Option<&str> {
        match self {
            Self::Attribute(name) | Self::Url(name) => Some(name),
            Self::Text | Self::Html | Self::Span => None,
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::Text | Self::Html | Self::Attribute(_) | Self::Url(_) => DataType::Utf8,
            Self::Span => DataType::Struct(span_fields()),
        }
    }
}

/// Returns the fields of a byte range of the page: `start` and `end`.
pub(crate) fn span_fields() -> Fields {
    ["start", "end"].map(|name| Field::new(name, DataType::Int64, false)).to_vec().into()
}

impl Output {
    /// Parses an output such as `a[href]@href`, for the column called `name`.
    pub(crate) fn parse(name: &str, written: &str) -> Result<Self, PlanError> {
        let form_error = |message: &str| PlanError::new(format!("`{written}`: {message}"));
        let trimmed = written.trim();
        // The last `@` is searched for first, because the attribute name after it may contain a colon.
        let is_name = |index: &usize| {
            Value::parse(&trimmed[index + 1..]).is_some_and(|value| value.attribute().is_some())
        };
        let attribute_start = trimmed.rfind('@').filter(is_name);
        let value_start = attribute_start.or_else(|| trimmed.rfind(['@', ':']));
        let (selector, values, is_struct) = match value_start
            .map(|start| (start, &trimmed[start..]))
        {
            _ if trimmed.ends_with('}') => {
                let (selector, fields) = trimmed
                    .rsplit_once("@{")
                    .ok_or_else(|| form_error("missing `@{` before `}`"))?;
                let fields =
                    fields.trim_end_matches('}').split(',').map(|field| Value::parse(field.trim()));
                let fields: Option<Vec<_>> = fields.collect();
                (
                    selector,
                    fields.ok_or_else(|| {
                        form_error("a field must be an attribute name, `NAME::url`, `::text`, `::html` or `::span`")
                    })?,
                    true,
                )
            }
            Some((start, value_source))
                if value_source.starts_with('@')
                    && !value_source.contains(['"', '\'', ']', ')']) =>
            {
                let value = Value::parse(&value_source[1..]);
                let value = value.filter(|value| value.attribute().is_some());
                (
                    &trimmed[..start],
                    vec![value.ok_or_else(|| form_error("expected an attribute name after `@`"))?],
                    false,
                )
            }
            Some((start, _))
                if start > 0 && matches!(&trimmed[start - 1..], "::text" | "::html" | "::span") =>
            {
                let value = Value::parse(&trimmed[start - 1..]);
                (&trimmed[..start - 1], value.into_iter().collect(), false)
            }
            _ => (trimmed, vec![Value::Text], false),
        };
        let without_suffix = selector.strip_suffix(FIRST_SUFFIX);
        let takes_first = without_suffix.is_some();
        let selector = Selector::parse(without_suffix.unwrap_or(selector))
            .map_err(|error| form_error(&error.to_string()))?;
        let (name, written) = (name.to_owned(), written.to_owned());
        let output = Self { name, written, selector, takes_first, values, is_struct };
        let names: Vec<&str> = output.values.iter().map(Value::name).collect();
        let duplicate =
            names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
        match duplicate {
            Some((_, name)) => Err(PlanError::duplicate(name)),
            None => Ok(output),
        }
    }

    /// Returns the fields of the column's structs, one for each value.
    fn fields(&self) -> Fields {
        self.values.iter().map(|value| Field::new(value.name(), value.data_type(), true)).collect()
    }

    fn item_type(&self) -> DataType {
        if self.is_struct { DataType::Struct(self.fields()) } else { self.values[0].data_type() }
    }

    /// Returns the field of the items in the column's lists.
    fn item(&self) -> Arc<Field> {
        Arc::new(Field::new_list_field(self.item_type(), true))
    }

    /// Returns the schema's field for the column.
    pub(crate) fn field(&self) -> Field {
        let data_type =
            if self.takes_first { self.item_type() } else { DataType::List(self.item()) };
        Field::new(&self.name, data_type, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(written: &str) -> (String, bool, Vec<Value>, bool) {
        let output = Output::parse("x", written).unwrap_or_else(|error| panic!("{error}"));
        (
            format!("{:?}", output.field().data_type()),
            output.takes_first,
            output.values,
            output.is_struct,
        )
    }

    #[test]
    fn parses_outputs() {
        let attribute = |name: &str| Value::Attribute(name.to_owned());
        for (written, takes_first, values, is_struct) in [
            ("title", false, vec![Value::Text], false),
            ("title:first", true, vec![Value::Text], false),
            ("a[href]@href", false, vec![attribute("href")], false),
            ("html:first@lang", true, vec![attribute("lang")], false),
            ("svg@xlink:href", false, vec![attribute("xlink:href")], false),
            ("a::html", false, vec![Value::Html], false),
            ("li:first-child::text", false, vec![Value::Text], false),
            ("a[title='x@y']", false, vec![Value::Text], false),
            ("a[title='x@y']:first::span", true, vec![Value::Span], false),
            ("a:not(.b)@{ href, ::text }", false, vec![attribute("href"), Value::Text], true),
            ("a, b@title", false, vec![attribute("title")], false),
        ] {
            let parsed = parse(written);
            assert_eq!(
                (parsed.1, &parsed.2, parsed.3),
                (takes_first, &values, is_struct),
                "{written}"
            );
            assert_eq!(parsed.0.starts_with("List"), !takes_first, "{written}");
        }
    }

    #[test]
    fn rejects_invalid_outputs() {
        for written in [
            "",
            "a[",
            "a@",
            "a@b c",
            "a@{}",
            "a@{b,b}",
            "a@{text,::text}",
            "a}",
            "a::texts",
            "@href",
            ":first",
        ] {
            assert!(Output::parse("x", written).is_err(), "{written}");
        }
    }
}
