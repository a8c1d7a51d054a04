//! The standard's configuration object as users write it, in Rust or as JSON. It is validated when a sanitizer is
//! created from it.

use crate::json::{self, Json};
use crate::name::Name;
use std::fmt;

/// The standard's `SanitizerConfig`: which elements, attributes, comments and processing instructions are allowed.
///
/// A missing list has the standard's default: all elements and attributes are allowed, comments and processing
/// instructions are removed. A list that is present replaces the default.
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
    /// Allowed elements; all others are removed.
    pub elements: Option<Vec<Element>>,
    /// Removed elements; all others are allowed.
    pub remove_elements: Option<Vec<Name>>,
    /// Elements replaced by their contents.
    pub replace_with_children_elements: Option<Vec<Name>>,
    /// Targets of allowed processing instructions.
    pub processing_instructions: Option<Vec<String>>,
    /// Targets of removed processing instructions.
    pub remove_processing_instructions: Option<Vec<String>>,
    /// Attributes allowed on all elements.
    pub attributes: Option<Vec<Name>>,
    /// Attributes removed from all elements.
    pub remove_attributes: Option<Vec<Name>>,
    /// Whether comments are allowed.
    pub comments: Option<bool>,
    /// Whether attributes whose names begin with `data-` are allowed in addition to [`attributes`](Self::attributes).
    pub data_attributes: Option<bool>,
    /// Whether links with `javascript:` URLs are allowed. A safe sanitizer removes them regardless.
    pub javascript_urls: Option<bool>,
}

/// An allowed element with its own lists of attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The name of the element.
    pub name: Name,
    /// Attributes allowed in addition to those of all elements; if attributes are removed by name, the only ones
    /// allowed.
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

impl Config {
    /// Parses a configuration from JSON with the standard's member names. Unknown members are ignored, as in the
    /// standard.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, or a member has a value of another type.
    pub fn from_json(text: &str) -> Result<Self, ConfigError> {
        let Json::Map(members) = json::parse(text)? else {
            return Err(ConfigError::new("the configuration is not a JSON object"));
        };
        let mut config = Self::default();
        for (member, value) in members {
            let element = |value| to_name(value, Name::element(""));
            let attribute = |value| to_name(value, Name::attribute(""));
            match &*member {
                "elements" => config.elements = Some(to_list(&member, value, to_element)?),
                "removeElements" => {
                    config.remove_elements = Some(to_list(&member, value, element)?)
                }
                "replaceWithChildrenElements" => {
                    config.replace_with_children_elements = Some(to_list(&member, value, element)?);
                }
                "processingInstructions" => {
                    config.processing_instructions = Some(to_list(&member, value, to_target)?);
                }
                "removeProcessingInstructions" => {
                    config.remove_processing_instructions =
                        Some(to_list(&member, value, to_target)?);
                }
                "attributes" => config.attributes = Some(to_list(&member, value, attribute)?),
                "removeAttributes" => {
                    config.remove_attributes = Some(to_list(&member, value, attribute)?);
                }
                "comments" => config.comments = Some(to_bool(&member, value)?),
                "dataAttributes" => config.data_attributes = Some(to_bool(&member, value)?),
                "javascriptURLs" => config.javascript_urls = Some(to_bool(&member, value)?),
                _ => {}
            }
        }
        Ok(config)
    }

    /// Formats the configuration as JSON; each name has its namespace.
    ///
    /// ```
    /// use tabulex::sanitize::{Config, Element};
    ///
    /// let mut config = Config::default();
    /// config.elements = Some(vec![Element::new("p").with(&["id"])]);
    /// config.comments = Some(true);
    /// assert_eq!(
    ///     config.to_json(),
    ///     r#"{"elements":[{"name":"p","namespace":"http://www.w3.org/1999/xhtml","attributes":[{"name":"id","namespace":null}]}],"comments":true}"#,
    /// );
    /// assert_eq!(Config::from_json(&config.to_json()), Ok(config));
    /// ```
    pub fn to_json(&self) -> String {
        let elements = self.elements.as_ref().map(|elements| {
            Json::List(
                elements
                    .iter()
                    .map(|element| {
                        let mut members = name_members(&element.name);
                        let lists = [
                            ("attributes", &element.attributes),
                            ("removeAttributes", &element.remove_attributes),
                        ];
                        members.extend(lists.into_iter().filter_map(|(member, list)| {
                            Some((member.to_owned(), names_to_json(list)?))
                        }));
                        Json::Map(members)
                    })
                    .collect(),
            )
        });
        let targets = |list: &Option<Vec<String>>| {
            let object = |target: &String| {
                Json::Map(vec![("target".to_owned(), Json::Text(target.clone()))])
            };
            Some(Json::List(list.as_ref()?.iter().map(object).collect()))
        };
        let members = [
            ("elements", elements),
            ("removeElements", names_to_json(&self.remove_elements)),
            ("replaceWithChildrenElements", names_to_json(&self.replace_with_children_elements)),
            ("processingInstructions", targets(&self.processing_instructions)),
            ("removeProcessingInstructions", targets(&self.remove_processing_instructions)),
            ("attributes", names_to_json(&self.attributes)),
            ("removeAttributes", names_to_json(&self.remove_attributes)),
            ("comments", self.comments.map(Json::Bool)),
            ("dataAttributes", self.data_attributes.map(Json::Bool)),
            ("javascriptURLs", self.javascript_urls.map(Json::Bool)),
        ];
        let members =
            members.into_iter().filter_map(|(member, value)| Some((member.to_owned(), value?)));
        Json::Map(members.collect()).to_string()
    }
}

fn name_members(name: &Name) -> Vec<(String, Json)> {
    let namespace = match name.namespace() {
        "" => Json::Null,
        namespace => Json::Text(namespace.to_owned()),
    };
    let local = Json::Text(name.local().to_owned());
    vec![("name".to_owned(), local), ("namespace".to_owned(), namespace)]
}

fn names_to_json(list: &Option<Vec<Name>>) -> Option<Json> {
    Some(Json::List(list.as_ref()?.iter().map(|name| Json::Map(name_members(name))).collect()))
}

fn to_list<T>(
    member: &str,
    value: Json,
    item: impl Fn(Json) -> Option<T>,
) -> Result<Vec<T>, ConfigError> {
    let items = match value {
        Json::List(items) => items.into_iter().map(item).collect(),
        _ => None,
    };
    items.ok_or_else(|| ConfigError::new(format!("`{member}` is not a list of names")))
}

fn to_bool(member: &str, value: Json) -> Result<bool, ConfigError> {
    match value {
        Json::Bool(value) => Ok(value),
        _ => Err(ConfigError::new(format!("`{member}` is not a Boolean"))),
    }
}

/// Converts JSON to a name: an object, or a string in the namespace of `default`.
fn to_name(value: Json, default: Name) -> Option<Name> {
    match value {
        Json::Text(local) => Some(Name::new(default.namespace(), &local)),
        Json::Map(members) => {
            let (mut local, mut namespace) = (None, default.namespace().to_owned());
            for (member, value) in members {
                match (&*member, value) {
                    ("name", Json::Text(text)) => local = Some(text),
                    ("namespace", Json::Text(text)) => namespace = text,
                    ("namespace", Json::Null) => namespace = String::new(),
                    ("name" | "namespace", _) => return None,
                    _ => {}
                }
            }
            Some(Name::new(&namespace, &local?))
        }
        _ => None,
    }
}

fn to_element(value: Json) -> Option<Element> {
    let mut element =
        Element { name: Name::element(""), attributes: None, remove_attributes: None };
    if let Json::Map(members) = &value {
        let attributes = |value: &Json| {
            let attribute = |value| to_name(value, Name::attribute(""));
            to_list("", value.clone(), attribute).ok()
        };
        for (member, value) in members {
            match &**member {
                "attributes" => element.attributes = Some(attributes(value)?),
                "removeAttributes" => element.remove_attributes = Some(attributes(value)?),
                _ => {}
            }
        }
    }
    element.name = to_name(value, element.name)?;
    Some(element)
}

fn to_target(value: Json) -> Option<String> {
    match value {
        Json::Text(target) => Some(target),
        Json::Map(members) => members.into_iter().find_map(|(member, value)| match value {
            Json::Text(target) if member == "target" => Some(target),
            _ => None,
        }),
        _ => None,
    }
}
