//! Tokens in the JSON format of the html5lib tokenizer tests, and errors as JSON.

use crate::recorder::{Printer, Token};
use serde::Serialize;
use serde_json::ser::Formatter;
use serde_json::{Map, Serializer, Value};
use std::io::{self, Write};
use tabulex::{Lines, ParseError, Position, write_json_text, write_to};

/// A compact format in which no character controls a terminal.
struct Escaped;

impl Formatter for Escaped {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_to(out, |out| write_json_text(out, fragment))
    }
}

/// Writes a value as JSON in which no character controls a terminal.
pub(crate) fn to_writer(out: &mut dyn Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, Escaped))?)
}

/// A printer that writes tokens as a JSON array.
pub(crate) struct Json<'a> {
    out: &'a mut dyn Write,
    /// The text written between two tokens.
    separator: &'static str,
    is_empty: bool,
}

impl<'a> Json<'a> {
    /// Creates the printer, and writes the start of the array.
    pub(crate) fn new(out: &'a mut dyn Write, separator: &'static str) -> io::Result<Self> {
        out.write_all(b"[")?;
        Ok(Self { out, separator, is_empty: true })
    }

    /// Writes the end of the array.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.out.write_all(b"]")
    }
}

impl Printer for Json<'_> {
    fn print(&mut self, token: Token<'_>) -> io::Result<()> {
        if !std::mem::take(&mut self.is_empty) {
            self.out.write_all(self.separator.as_bytes())?;
        }
        let out = &mut *self.out;
        match token {
            Token::Text(text) => to_writer(out, &("Character", text.text)),
            Token::StartTag(tag) => {
                let attributes = tag.attributes();
                let attributes =
                    object(attributes.map(|attribute| (attribute.name, attribute.value)));
                match tag.self_closing() {
                    true => to_writer(out, &("StartTag", tag.name(), attributes, true)),
                    false => to_writer(out, &("StartTag", tag.name(), attributes)),
                }
            }
            Token::EndTag(tag) => to_writer(out, &("EndTag", tag.name())),
            Token::Comment(comment) => to_writer(out, &("Comment", comment.data)),
            Token::ShortEndTag(_) => to_writer(out, &("ShortTag", "")),
            Token::ProcessingInstruction(instruction) => {
                to_writer(out, &("PI", instruction.target, instruction.data))
            }
            Token::Declared(token) => {
                let fields = object(token.fields().map(|field| (field.name, field.text)));
                to_writer(out, &("Declared", token.name(), fields))
            }
            Token::Doctype(doctype) => {
                let [public, system] = [doctype.public_identifier(), doctype.system_identifier()];
                // In the html5lib format, the last item tells whether the DOCTYPE is correct, so it is the negated
                // force-quirks flag.
                let is_correct = !doctype.force_quirks();
                to_writer(out, &("DOCTYPE", doctype.name(), public, system, is_correct))
            }
        }
    }
}

/// Returns an object with these members, each a name and a text. In some dialects a tag can have duplicate attributes.
/// Only the first of them applies, so the others are skipped.
fn object<'m>(members: impl Iterator<Item = (&'m str, &'m str)>) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, text) in members {
        object.entry(name).or_insert_with(|| text.into());
    }
    object
}

/// Writes the errors of a text as a JSON array, with the separator between two errors.
pub(crate) fn write_errors(
    out: &mut dyn Write,
    text: &str,
    errors: &[ParseError],
    separator: &str,
) -> io::Result<()> {
    let lines = Lines::new(text);
    out.write_all(b"[")?;
    for (index, error) in errors.iter().enumerate() {
        if index > 0 {
            out.write_all(separator.as_bytes())?;
        }
        let Position { line, column } = lines.position(error.span.start);
        write!(
            out,
            r#"{{"code":"{}","line":{line},"col":{column},"start":{},"end":{}}}"#,
            error.code, error.span.start, error.span.end
        )?;
    }
    out.write_all(b"]")
}
