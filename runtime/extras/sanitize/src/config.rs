//! The standard's configuration object as users write it in Rust. It is validated when a sanitizer is created from it.

use crate::name::Name;
use std::fmt;

/// The standard's `SanitizerConfig`: which elements, attributes, comments and processing instructions are allowed.
///
/// A missing list has the standard's default: all elements and attributes are allowed, but comments and processing
/// instructions only in an unsafe sanitizer. A list that is present replaces the default.
///
/// ```
/// use tabulex::html::Html;
/// use tabulex::sanitize::{Config, Sanitizer};
///
/// let config = Config::from_json(
///     r#"{"elements": ["p", {"name": "a", "attributes": ["href"]}], "attributes": ["title"]}"#,
/// )?;
/// let sanitizer = Sanitizer::from_config(&config)?;
/// let markup = "<h1>x</h1><p id=p title=t><a href=/ class=c>1</a><b>2</b>";
/// assert_eq!(sanitizer.clean::<Html>(markup)?, "<p title=\"t\"><a href=\"/\">1</a></p>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// Allowed elements; all others are removed. `None` allows all elements that are not removed by name.
    pub elements: Option<Vec<Element>>,
    /// Removed elements; all others are allowed.
    pub remove_elements: Option<Vec<Name>>,
    /// Elements replaced by their contents.
    pub replace_with_children_elements: Option<Vec<Name>>,
    /// Targets of allowed processing instructions.
    pub processing_instructions: Option<Vec<String>>,
    /// Targets of removed processing instructions.
    pub remove_processing_instructions: Option<Vec<String>>,
    /// Attributes allowed on all elements. `None` allows all attributes that are not removed by name.
    pub attributes: Option<Vec<Name>>,
    /// Attributes removed from all elements.
    pub remove_attributes: Option<Vec<Name>>,
    /// Whether comments are allowed; `None` allows them only in an unsafe sanitizer.
    pub comments: Option<bool>,
    /// Whether attributes whose names begin with `data-` are allowed in addition to [`attributes`](Self::attributes);
    /// `None` allows them only in an unsafe sanitizer.
    pub data_attributes: Option<bool>,
    /// Whether links with `javascript:` URLs are allowed, as they are by default. A safe sanitizer removes them
    /// regardless.
    pub javascript_urls: Option<bool>,
}

/// An allowed element with its own lists of attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The name of the element.
    pub name: Name,
    /// Attributes allowed in addition to those allowed on all elements; if attributes are removed by name, the only
    /// ones allowed.
    pub attributes: Option<Vec<Name>>,
    /// Attributes removed from this element.
    pub remove_attributes: Option<Vec<Name>>,
}

impl Element {
    /// Creates an element without attribute lists of its own; `name` is written as in [`Name::element`].
    pub fn new(name: &str) -> Self {
        Self { name: Name::element(name), attributes: None, remove_attributes: None }
    }

    /// Sets the attributes allowed on this element, written as in [`Name::attribute`].
    #[must_use]
    pub fn with(mut self, attributes: &[&str]) -> Self {
        self.attributes = Some(attributes.iter().map(|name| Name::attribute(name)).collect());
        self
    }
}

/// An error in a configuration, or in its JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(String);

impl ConfigError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}
