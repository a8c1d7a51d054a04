//! Members of the JSON objects that report trees and records, one object per line.

use crate::form::Form;
use crate::json;
use std::fmt;
use std::io::{self, Write};
use tabulex::record::Record;
use tabulex::tree::Tree;
use tabulex::{Event, Parsed};

/// Writes `"tree":…`, then `,"errors":[…]` if the text of the input is given, then the events of limits, if any.
pub(crate) fn write_tree(
    out: &mut dyn Write,
    parsed: &Parsed,
    form: &Form,
    text: Option<&str>,
) -> io::Result<()> {
    out.write_all(b"\"tree\":")?;
    let tree = Written(&parsed.tree, form);
    match form.is_json() {
        true => write!(out, "{tree}")?,
        false => json::to_writer(out, &format_args!("{tree}"))?,
    }
    if let Some(text) = text {
        out.write_all(b",\"errors\":")?;
        json::write_errors(out, text, &parsed.errors, ",")?;
    }
    write_events(out, &parsed.events)
}

/// A tree displayed in a form. A dump can be much longer than its tree, so it is not formatted as a whole first.
struct Written<'a>(&'a Tree, &'a Form);

impl fmt::Display for Written<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.write(self.0, formatter)
    }
}

/// Writes the events of limits as `,"events":[…]`, if there are any.
pub(crate) fn write_events(out: &mut dyn Write, events: &[Event]) -> io::Result<()> {
    if !events.is_empty() {
        let events: Vec<String> = events.iter().map(ToString::to_string).collect();
        out.write_all(b",\"events\":")?;
        json::to_writer(out, &events)?;
    }
    Ok(())
}

/// Writes `"json":{…}` with the fields of a record, or `"failure":true` if the input was refused, then the errors.
pub(crate) fn write_record(out: &mut dyn Write, record: &Record, text: &str) -> io::Result<()> {
    match &record.fields {
        Some(fields) => {
            let fields =
                fields.iter().map(|(name, text)| ((*name).to_owned(), text.clone().into()));
            out.write_all(b"\"json\":")?;
            json::to_writer(out, &serde_json::Value::Object(fields.collect()))?;
        }
        None => out.write_all(b"\"failure\":true")?,
    }
    out.write_all(b",\"errors\":")?;
    json::write_errors(out, text, &record.errors, ",")
}
