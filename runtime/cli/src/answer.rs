//! The JSON object that answers a request for one tree of many, on a single line.

use crate::form::Form;
use crate::json;
use crate::positions::positioned;
use crate::recorder::Report;
use crate::stream::{self, OutputEncoding};
use std::io::{self, Write};
use tabulex::{Event, Parsed};

/// Writes `"tree":…`, then `,"errors":[…]` if the text of the input is given, then the events of limits, if any.
pub(crate) fn tree(
    out: &mut dyn Write,
    parsed: &Parsed,
    form: &Form,
    text: Option<&str>,
) -> io::Result<()> {
    out.write_all(b"\"tree\":")?;
    let encoding = if form.is_json() { OutputEncoding::Text } else { OutputEncoding::JsonString };
    stream::write(out, encoding, |out| form.write(&parsed.tree, out))?;
    if let Some(text) = text {
        out.write_all(b",\"errors\":")?;
        let reports = parsed.errors.iter().map(Report::from).collect();
        json::errors(out, positioned(text, reports), ",")?;
    }
    events(out, &parsed.events)
}

/// Writes the events of limits as `,"events":[…]`, if there are any.
pub(crate) fn events(out: &mut dyn Write, events: &[Event]) -> io::Result<()> {
    if !events.is_empty() {
        let events: Vec<String> = events.iter().map(ToString::to_string).collect();
        out.write_all(b",\"events\":")?;
        serde_json::to_writer(out, &events)?;
    }
    Ok(())
}
