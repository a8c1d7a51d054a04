//! The standard's configuration object as users write it, in Rust or as JSON. It is validated when a sanitizer is
//! created from it.

use crate::json::{self, Json};
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

impl Config {
    /// Parses a configuration from JSON with the standard's member names. Unknown members are ignored, as in the
    /// standard.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, or a member has a value of another type.
    pub fn from_json(text: &str) -> Result<Self, ConfigError> {
        let Json::Map(mut members) = json::parse(text)? else {
            return Err(ConfigError::new("the configuration must be a JSON object"));
        };
        let members = &mut members;
        Ok(Self {
            elements: take_list(members, "elements", to_element)?,
            remove_elements: take_list(members, "removeElements", to_element_name)?,
            replace_with_children_elements: take_list(
                members,
                "replaceWithChildrenElements",
                to_element_name,
            )?,
            processing_instructions: take_list(members, "processingInstructions", to_target)?,
            remove_processing_instructions: take_list(
                members,
                "removeProcessingInstructions",
                to_target,
            )?,
            attributes: take_list(members, "attributes", to_attribute_name)?,
            remove_attributes: take_list(members, "removeAttributes", to_attribute_name)?,
            comments: take_bool(members, "comments")?,
            data_attributes: take_bool(members, "dataAttributes")?,
            javascript_urls: take_bool(members, "javascriptURLs")?,
        })
    }

    /// Formats the configuration as JSON; each name is written with its namespace.
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
        let targets_to_json = |list: &Option<Vec<String>>| {
            let to_object = |target: &String| {
                Json::Map(vec![("target".to_owned(), Json::Text(target.clone()))])
            };
            Some(Json::List(list.as_ref()?.iter().map(to_object).collect()))
        };
        let members = [
            ("elements", elements),
            ("removeElements", names_to_json(&self.remove_elements)),
            ("replaceWithChildrenElements", names_to_json(&self.replace_with_children_elements)),
            ("processingInstructions", targets_to_json(&self.processing_instructions)),
            ("removeProcessingInstructions", targets_to_json(&self.remove_processing_instructions)),
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

/// The members of a JSON object.
type Members = Vec<(String, Json)>;

/// Removes a member and returns its value, or returns `None` if there is none. Of several members of this name, the
/// last one counts, as in JavaScript.
fn take_member(members: &mut Members, name: &str) -> Option<Json> {
    let index = members.iter().rposition(|(member, _)| member == name)?;
    Some(members.remove(index).1)
}

fn take_list<T>(
    members: &mut Members,
    name: &str,
    to_item: impl Fn(Json) -> Option<T>,
) -> Result<Option<Vec<T>>, ConfigError> {
    let items = match take_member(members, name) {
        None => return Ok(None),
        Some(Json::List(items)) => items.into_iter().map(to_item).collect(),
        Some(_) => None,
    };
    let to_error = || ConfigError::new(format!("`{name}` must be a list of names"));
    items.ok_or_else(to_error).map(Some)
}

fn take_bool(members: &mut Members, name: &str) -> Result<Option<bool>, ConfigError> {
    match take_member(members, name) {
        None => Ok(None),
        Some(Json::Bool(value)) => Ok(Some(value)),
        Some(_) => Err(ConfigError::new(format!("`{name}` must be `true` or `false`"))),
    }
}

/// Converts JSON, an object or a string, to a name; returns `None` for any other value. A name without a namespace of
/// its own is in that of `default`.
fn to_name(value: Json, default: &Name) -> Option<Name> {
    match value {
        Json::Text(local) => Some(Name::new(default.namespace(), &local)),
        Json::Map(mut members) => {
            let namespace = match take_member(&mut members, "namespace") {
                None => default.namespace().to_owned(),
                Some(Json::Null) => String::new(),
                Some(Json::Text(namespace)) => namespace,
                Some(_) => return None,
            };
            let Json::Text(local) = take_member(&mut members, "name")? else { return None };
            Some(Name::new(&namespace, &local))
        }
        _ => None,
    }
}

fn to_element_name(value: Json) -> Option<Name> {
    to_name(value, &Name::element(""))
}

fn to_attribute_name(value: Json) -> Option<Name> {
    to_name(value, &Name::attribute(""))
}

fn to_element(mut value: Json) -> Option<Element> {
    let (mut attributes, mut remove_attributes) = (None, None);
    if let Json::Map(members) = &mut value {
        attributes = take_list(members, "attributes", to_attribute_name).ok()?;
        remove_attributes = take_list(members, "removeAttributes", to_attribute_name).ok()?;
    }
    Some(Element { name: to_element_name(value)?, attributes, remove_attributes })
}

/// Converts JSON, an object or a string, to the target of a processing instruction; returns `None` for any other value.
fn to_target(value: Json) -> Option<String> {
    let value = match value {
        Json::Map(mut members) => take_member(&mut members, "target")?,
        value => value,
    };
    let Json::Text(target) = value else { return None };
    Some(target)
}
