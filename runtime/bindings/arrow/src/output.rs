//! Outputs of a plan and their notation: `a[href]@href`, `title:first`, `a@{href, ::text}`.

use crate::error::PlanError;
use arrow_schema::{DataType, Field, Fields};
use std::sync::Arc;
use tabulex::select::{Selector, Syntax};

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
        let url_name = source.strip_suffix(URL_SUFFIX);
        let name = url_name.unwrap_or(source);
        let is_forbidden = |c: char| c.is_ascii_whitespace() || "\"'>/=:@{},[]()".contains(c);
        // An attribute name has at most one colon, between prefix and local name.
        let parts: Vec<&str> = name.split(':').collect();
        let is_name = parts.len() < 3
            && parts.iter().all(|part| !part.is_empty() && !part.contains(is_forbidden));
        match source {
            "::text" => Some(Self::Text),
            "::html" => Some(Self::Html),
            "::span" => Some(Self::Span),
            _ if !is_name => None,
            _ if url_name.is_some() => Some(Self::Url(name.to_owned())),
            _ => Some(Self::Attribute(name.to_owned())),
        }
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
    pub(crate) fn parse(name: &str, written: &str, syntax: &Syntax<'_>) -> Result<Self, PlanError> {
        let form_error = |message: &str| PlanError::new(format!("`{written}`: {message}"));
        let trimmed = written.trim();
        // An `@` before a quotation mark, a bracket or another kind of value is part of the selector.
        let attribute = trimmed.rsplit_once('@').and_then(|(selector, source)| {
            let value = Value::parse(source).filter(|value| value.attribute().is_some());
            let is_value = value.is_some() || !source.contains([':', '"', '\'', ']', ')']);
            is_value.then_some((selector, value))
        });
        let content = ["::text", "::html", "::span"].into_iter().find(|it| trimmed.ends_with(it));
        let (selector, values, is_struct) = if trimmed.ends_with('}') {
            let parts = trimmed.rsplit_once("@{");
            let (selector, fields) = parts.ok_or_else(|| form_error("missing `@{` before `}`"))?;
            let fields = fields.trim_end_matches('}').split(',');
            let fields: Option<Vec<_>> = fields.map(|field| Value::parse(field.trim())).collect();
            let fields = fields.ok_or_else(|| {
                form_error("a field must be an attribute name, `NAME::url`, `::text`, `::html` or `::span`")
            })?;
            (selector, fields, true)
        } else if let Some((selector, value)) = attribute {
            let value = value.ok_or_else(|| form_error("expected an attribute name after `@`"))?;
            (selector, vec![value], false)
        } else if let Some(content) = content {
            let selector = &trimmed[..trimmed.len() - content.len()];
            (selector, Value::parse(content).into_iter().collect(), false)
        } else {
            (trimmed, vec![Value::Text], false)
        };
        let without_suffix = selector.strip_suffix(FIRST_SUFFIX);
        let takes_first = without_suffix.is_some();
        let selector = Selector::parse_with(without_suffix.unwrap_or(selector), syntax)
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

    /// Returns the schema's field for the column.
    pub(crate) fn field(&self) -> Field {
        let fields = self.values.iter().map(|it| Field::new(it.name(), it.data_type(), true));
        let item_type = match self.is_struct {
            true => DataType::Struct(fields.collect()),
            false => self.values[0].data_type(),
        };
        let data_type = match self.takes_first {
            true => item_type,
            false => DataType::List(Arc::new(Field::new_list_field(item_type, true))),
        };
        Field::new(&self.name, data_type, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(written: &str) -> (String, bool, Vec<Value>, bool) {
        let output =
            Output::parse("x", written, &Syntax::new()).unwrap_or_else(|error| panic!("{error}"));
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
            "p:contains('a')",
        ] {
            assert!(Output::parse("x", written, &Syntax::new()).is_err(), "{written}");
        }
    }
}
