//! Parses the arguments of a command: options, and other values, such as names of tables.

use crate::Failure;
use lexopt::{Arg, ValueExt as _};
use std::ffi::OsString;
use std::path::PathBuf;

/// Parsed arguments of a command.
#[derive(Debug)]
pub struct Arguments {
    /// Names of the given options, each with its values, in the order of the arguments.
    options: Vec<(String, Vec<OsString>)>,
    /// Values that belong to no option.
    pub values: Vec<String>,
}

impl Arguments {
    /// Parses arguments, which may be options and at most `max_values` other values. Each option is declared by its
    /// name, followed by a word for each value: `out FILE`.
    ///
    /// # Errors
    ///
    /// Returns a message if an option is not declared or lacks a value, or if there are too many other values.
    pub fn parse(
        arguments: Vec<OsString>,
        options: &[&str],
        max_values: usize,
    ) -> Result<Self, Failure> {
        let value_count = |name: &str| {
            let mut declarations = options.iter().map(|option| option.split(' '));
            declarations.find_map(|mut words| (words.next()? == name).then(|| words.count()))
        };
        let mut parser = lexopt::Parser::from_args(arguments);
        let mut parsed = Self { options: Vec::new(), values: Vec::new() };
        while let Some(argument) = parser.next().map_err(failure)? {
            let count = if let Arg::Long(name) = argument { value_count(name) } else { None };
            match (argument, count) {
                (Arg::Long(name), Some(count)) => {
                    let name = name.to_owned();
                    let values = (0..count).map(|_| parser.value().map_err(failure));
                    parsed.options.push((name, values.collect::<Result<_, _>>()?));
                }
                (Arg::Value(value), _) if parsed.values.len() < max_values => {
                    parsed.values.push(value.string().map_err(failure)?);
                }
                (other, _) => return Err(other.unexpected().to_string()),
            }
        }
        Ok(parsed)
    }

    /// Whether the option `name` is given.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(given, _)| given == name)
    }

    /// Returns all values of the option `name`.
    pub fn all(&self, name: &str) -> impl Iterator<Item = String> {
        let options = self.options.iter().filter(move |(given, _)| given == name);
        options.flat_map(|(_, values)| values).map(|value| value.to_string_lossy().into_owned())
    }

    /// Returns the last value of the option `name`, or `None` if the option is not given.
    pub fn text(&self, name: &str) -> Option<String> {
        self.all(name).last()
    }

    /// Returns the last value of the option `name` as a path, or `None` if the option is not given.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let (_, values) = self.options.iter().rfind(|(given, _)| given == name)?;
        values.last().map(PathBuf::from)
    }

    /// Returns the last value of the option `name` as a number, or `None` if the option is not given.
    ///
    /// # Errors
    ///
    /// Returns a message if the value is not a number of the type `T`.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Failure> {
        self.text(name).map(|value| parse_number(name, &value)).transpose()
    }

    /// Returns the value of `--format`, which must be one of `formats`; the first one is the default.
    ///
    /// # Errors
    ///
    /// Returns a message if the value is none of them.
    pub fn format(&self, formats: &[&'static str]) -> Result<&'static str, Failure> {
        let Some(value) = self.text("format") else { return Ok(formats[0]) };
        let format = formats.iter().find(|format| **format == value);
        let expected = formats.join("`, `");
        format
            .copied()
            .ok_or_else(|| format!("`--format` expects one of `{expected}`, found `{value}`"))
    }
}

/// Parses the value of the option `name` as a number.
pub(crate) fn parse_number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, Failure> {
    value.parse().map_err(|_| format!("`--{name}` expects a number, found `{value}`"))
}

/// Converts an error of the argument parser to a message.
pub(crate) fn failure(error: lexopt::Error) -> Failure {
    error.to_string()
}
