//! Tokens in the JSON format of the html5lib tokenizer tests, and errors as JSON.

use crate::positions::Positioned;
use crate::recorder::Printer;
use std::collections::HashSet;
use std::io::{self, Write};
use tabulex::{Comment, DeclaredToken, Doctype, ProcessingInstruction, Span, Tag, Text};

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

    /// Writes the start of a token: `["KIND"`.
    fn begin(&mut self, kind: &str) -> io::Result<()> {
        if !std::mem::take(&mut self.is_empty) {
            self.out.write_all(self.separator.as_bytes())?;
        }
        write!(self.out, "[\"{kind}\"")
    }

    /// Writes `,"…"` with the text, or `,null`.
    fn write_item(&mut self, text: Option<&str>) -> io::Result<()> {
        self.out.write_all(b",")?;
        match text {
            Some(text) => write_string(self.out, text),
            None => self.out.write_all(b"null"),
        }
    }

    /// Writes `,{…}` with the members, each a name and a text.
    fn write_object<'m>(
        &mut self,
        members: impl Iterator<Item = (&'m str, &'m str)>,
    ) -> io::Result<()> {
        self.out.write_all(b",{")?;
        for (index, (name, text)) in members.enumerate() {
            if index > 0 {
                self.out.write_all(b",")?;
            }
            write_string(self.out, name)?;
            self.out.write_all(b":")?;
            write_string(self.out, text)?;
        }
        self.out.write_all(b"}")
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.write_all(b"]")
    }
}

impl Printer for Json<'_> {
    fn text(&mut self, text: Text<'_>) -> io::Result<()> {
        self.begin("Character")?;
        self.write_item(Some(text.text))?;
        self.end()
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> io::Result<()> {
        self.begin("StartTag")?;
        self.write_item(Some(tag.name()))?;
        // In some dialects a tag can have duplicate attributes. Only the first of them applies, and a JSON object has
        // one value per key, so the others are skipped.
        let mut written_names = HashSet::new();
        let attributes = tag.attributes().filter(|attribute| written_names.insert(attribute.name));
        self.write_object(attributes.map(|attribute| (attribute.name, attribute.value)))?;
        if tag.self_closing() {
            self.out.write_all(b",true")?;
        }
        self.end()
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> io::Result<()> {
        self.begin("EndTag")?;
        self.write_item(Some(tag.name()))?;
        self.end()
    }

    fn comment(&mut self, comment: Comment<'_>) -> io::Result<()> {
        self.begin("Comment")?;
        self.write_item(Some(comment.data))?;
        self.end()
    }

    fn short_end_tag(&mut self, _span: Span) -> io::Result<()> {
        self.begin("ShortTag")?;
        self.write_item(Some(""))?;
        self.end()
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<'_>) -> io::Result<()> {
        self.begin("PI")?;
        self.write_item(Some(instruction.target))?;
        self.write_item(Some(instruction.data))?;
        self.end()
    }

    fn declared_token(&mut self, token: DeclaredToken<'_>) -> io::Result<()> {
        self.begin("Declared")?;
        self.write_item(Some(token.name()))?;
        self.write_object(token.fields().map(|field| (field.name, field.text)))?;
        self.end()
    }

    fn doctype(&mut self, doctype: Doctype<'_>) -> io::Result<()> {
        self.begin("DOCTYPE")?;
        self.write_item(doctype.name())?;
        self.write_item(doctype.public_identifier())?;
        self.write_item(doctype.system_identifier())?;
        // In the html5lib format, this flag tells whether the DOCTYPE is correct, so it is the negated force-quirks
        // flag.
        write!(self.out, ",{}", !doctype.force_quirks())?;
        self.end()
    }
}

/// Writes a JSON string.
pub(crate) fn write_string(out: &mut dyn Write, text: &str) -> io::Result<()> {
    Ok(serde_json::to_writer(out, text)?)
}

/// Writes the errors as a JSON array, with the separator between two errors.
pub(crate) fn write_errors(
    out: &mut dyn Write,
    errors: impl Iterator<Item = Positioned>,
    separator: &str,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, Positioned { error, position }) in errors.enumerate() {
        if index > 0 {
            out.write_all(separator.as_bytes())?;
        }
        write!(
            out,
            r#"{{"code":"{}","line":{},"col":{},"start":{},"end":{}}}"#,
            error.code, position.line, position.column, error.span.start, error.span.end
        )?;
    }
    out.write_all(b"]")
}
