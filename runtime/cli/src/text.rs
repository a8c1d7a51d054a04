//! Tokens for people: one a line, the range of bytes first. Other programs should take JSON. Invariant: a token takes
//! exactly one line, whatever it holds.

use crate::positions::Positioned;
use crate::recorder::Printer;
use std::io::{self, Write};
use tabulex::{Comment, Doctype, ProcessingInstruction, Span, Tag, Text};

/// Writes one token a line.
pub(crate) struct Lines<'a> {
    out: &'a mut dyn Write,
}

impl<'a> Lines<'a> {
    /// Lines that go to `out`.
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self { out }
    }

    fn begin(&mut self, span: Span, kind: &str) -> io::Result<()> {
        let range = format!("{}..{}", span.start, span.end);
        write!(self.out, "{range:<11} {kind:<9}")
    }

    fn tag(&mut self, tag: Tag<'_>, kind: &str) -> io::Result<()> {
        self.begin(tag.span(), kind)?;
        write!(self.out, " {}", tag.name().escape_debug())?;
        for attribute in tag.attributes() {
            write!(self.out, " {}={:?}", attribute.name.escape_debug(), attribute.value)?;
        }
        self.out.write_all(if tag.self_closing() { b" /\n" } else { b"\n" })
    }
}

impl Printer for Lines<'_> {
    fn text(&mut self, text: Text<'_>) -> io::Result<()> {
        self.begin(text.span, "text")?;
        writeln!(self.out, " {:?}", text.text)
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> io::Result<()> {
        self.tag(tag, "start tag")
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> io::Result<()> {
        self.tag(tag, "end tag")
    }

    fn comment(&mut self, comment: Comment<'_>) -> io::Result<()> {
        self.begin(comment.span, "comment")?;
        writeln!(self.out, " {:?}", comment.data)
    }

    fn short_end_tag(&mut self, span: Span) -> io::Result<()> {
        self.begin(span, "short end tag")?;
        self.out.write_all(b"\n")
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<'_>) -> io::Result<()> {
        self.begin(instruction.span, "processing instruction")?;
        writeln!(self.out, " {} {:?}", instruction.target.escape_debug(), instruction.data)
    }

    fn doctype(&mut self, doctype: Doctype<'_>) -> io::Result<()> {
        self.begin(doctype.span(), "doctype")?;
        if let Some(name) = doctype.name() {
            write!(self.out, " {}", name.escape_debug())?;
        }
        for (word, identifier) in
            [("public", doctype.public_identifier()), ("system", doctype.system_identifier())]
        {
            if let Some(identifier) = identifier {
                write!(self.out, " {word} {identifier:?}")?;
            }
        }
        self.out.write_all(if doctype.force_quirks() { b" force-quirks\n" } else { b"\n" })
    }
}

/// Writes one error a line.
pub(crate) fn errors(
    out: &mut dyn Write,
    errors: impl Iterator<Item = Positioned>,
) -> io::Result<()> {
    for Positioned { report, position } in errors {
        let range = format!("{}..{}", report.span.start, report.span.end);
        let place = format!("{}:{}", position.line, position.column);
        writeln!(out, "{range:<11} error     {} at {place}", report.code)?;
    }
    Ok(())
}
