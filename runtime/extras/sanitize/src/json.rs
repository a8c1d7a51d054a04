//! Configurations as JSON.

use crate::config::{Config, ConfigError, Element};
use crate::name::Name;
use serde_json::{Map, Value, json};

impl Config {
    /// Parses a configuration from JSON with the standard's member names. Unknown members are ignored, as in the
    /// standard.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, or a member has a value of another type.
    pub fn from_json(text: &str) -> Result<Self, ConfigError> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| ConfigError::new(format!("the JSON is invalid: {error}")))?;
        let Value::Object(members) = &value else {
            return Err(ConfigError::new("the configuration must be a JSON object"));
        };
        Ok(Self {
            elements: read_list(members, "elements", to_element)?,
            remove_elements: read_list(members, "removeElements", to_element_name)?,
            replace_with_children_elements: read_list(
                members,
                "replaceWithChildrenElements",
                to_element_name,
            )?,
            processing_instructions: read_list(members, "processingInstructions", to_target)?,
            remove_processing_instructions: read_list(
                members,
                "removeProcessingInstructions",
                to_target,
            )?,
            attributes: read_list(members, "attributes", to_attribute_name)?,
            remove_attributes: read_list(members, "removeAttributes", to_attribute_name)?,
            comments: read_bool(members, "comments")?,
            data_attributes: read_bool(members, "dataAttributes")?,
            javascript_urls: read_bool(members, "javascriptURLs")?,
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
        let element_to_json = |element: &Element| {
            let mut value = name_to_json(&element.name);
            for (member, list) in [
                ("attributes", &element.attributes),
                ("removeAttributes", &element.remove_attributes),
            ] {
                if let Some(list) = list_to_json(list, name_to_json) {
                    value[member] = list;
                }
            }
            value
        };
        let target_to_json = |target: &String| json!({ "target": target });
        let members = [
            ("elements", list_to_json(&self.elements, element_to_json)),
            ("removeElements", list_to_json(&self.remove_elements, name_to_json)),
            (
                "replaceWithChildrenElements",
                list_to_json(&self.replace_with_children_elements, name_to_json),
            ),
            ("processingInstructions", list_to_json(&self.processing_instructions, target_to_json)),
            (
                "removeProcessingInstructions",
                list_to_json(&self.remove_processing_instructions, target_to_json),
            ),
            ("attributes", list_to_json(&self.attributes, name_to_json)),
            ("removeAttributes", list_to_json(&self.remove_attributes, name_to_json)),
            ("comments", self.comments.map(Value::Bool)),
            ("dataAttributes", self.data_attributes.map(Value::Bool)),
            ("javascriptURLs", self.javascript_urls.map(Value::Bool)),
        ];
        let members = members.into_iter().filter_map(|(member, value)| Some((member, value?)));
        members.collect::<Value>().to_string()
    }
}

fn name_to_json(name: &Name) -> Value {
    let namespace = Some(name.namespace()).filter(|namespace| !namespace.is_empty());
    json!({ "name": name.local(), "namespace": namespace })
}

fn list_to_json<T>(list: &Option<Vec<T>>, to_json: impl Fn(&T) -> Value) -> Option<Value> {
    Some(list.as_ref()?.iter().map(to_json).collect())
}

fn read_list<T>(
    members: &Map<String, Value>,
    name: &str,
    to_item: impl Fn(&Value) -> Option<T>,
) -> Result<Option<Vec<T>>, ConfigError> {
    let Some(value) = members.get(name) else { return Ok(None) };
    let items = value.as_array().and_then(|items| items.iter().map(to_item).collect());
    let to_error = || ConfigError::new(format!("`{name}` must be a list of names"));
    items.ok_or_else(to_error).map(Some)
}

fn read_bool(members: &Map<String, Value>, name: &str) -> Result<Option<bool>, ConfigError> {
    let Some(value) = members.get(name) else { return Ok(None) };
    let to_error = || ConfigError::new(format!("`{name}` must be `true` or `false`"));
    value.as_bool().ok_or_else(to_error).map(Some)
}

/// Returns a string, or a number as one, because the standard converts numbers to strings where names are expected.
fn to_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => number.as_f64().map(number_to_text),
        _ => None,
    }
}

/// Formats a number as JavaScript converts it to a string.
fn number_to_text(number: f64) -> String {
    match number.abs() {
        size if size >= 1e21 => format!("{number:e}").replace('e', "e+"),
        size if size < 1e-6 && size > 0.0 => format!("{number:e}"),
        // The sum is 0 for the negative zero.
        _ => format!("{}", number + 0.0),
    }
}

/// Converts JSON, an object or a string, to a name; returns `None` for any other value. A name without a namespace of
/// its own is in that of `default`.
fn to_name(value: &Value, default: &Name) -> Option<Name> {
    let Value::Object(members) = value else {
        return Some(Name::new(default.namespace(), &to_text(value)?));
    };
    let namespace = match members.get("namespace") {
        None => default.namespace().to_owned(),
        Some(Value::Null) => String::new(),
        Some(namespace) => to_text(namespace)?,
    };
    Some(Name::new(&namespace, &to_text(members.get("name")?)?))
}

fn to_element_name(value: &Value) -> Option<Name> {
    to_name(value, &Name::element(""))
}

fn to_attribute_name(value: &Value) -> Option<Name> {
    to_name(value, &Name::attribute(""))
}

fn to_element(value: &Value) -> Option<Element> {
    let (mut attributes, mut remove_attributes) = (None, None);
    if let Value::Object(members) = value {
        attributes = read_list(members, "attributes", to_attribute_name).ok()?;
        remove_attributes = read_list(members, "removeAttributes", to_attribute_name).ok()?;
    }
    Some(Element { name: to_element_name(value)?, attributes, remove_attributes })
}

/// Converts JSON, an object or a string, to the target of a processing instruction; returns `None` for any other value.
fn to_target(value: &Value) -> Option<String> {
    to_text(value.as_object().map_or(Some(value), |members| members.get("target"))?)
}
