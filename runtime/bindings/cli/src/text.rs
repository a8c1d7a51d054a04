//! Human-readable output of tokens and errors. Each token takes one line that begins with its position; an error has
//! further lines.

use crate::colours::{Colours, LinePart};
use crate::excerpt::{Excerpt, excerpt};
use crate::recorder::{Printer, Token};
use std::io::{self, Write};
use tabulex::{Doctype, Lines, ParseError, Position, Span, Tag};

/// A printer that writes one token per line.
pub(crate) struct LinePrinter<'a> {
    pub(crate) out: &'a mut dyn Write,
    pub(crate) lines: Lines<'a>,
    pub(crate) colours: Colours,
}

impl LinePrinter<'_> {
    fn begin(&mut self, span: Span, kind: &str) -> io::Result<()> {
        write_position(self.out, span, self.lines.position(span.start), self.colours)?;
        let part = match kind {
            "text" => LinePart::Text,
            "start tag" | "end tag" | "short end tag" => LinePart::Tag,
            _ => LinePart::Other,
        };
        write!(self.out, "{}{kind:<9}{}", self.colours.begin(part), self.colours.end())
    }

    fn tag(&mut self, tag: Tag<'_>, kind: &str) -> io::Result<()> {
        self.begin(tag.span(), kind)?;
        write!(self.out, " {}", tag.name().escape_debug())?;
        for attribute in tag.attributes() {
            write!(self.out, " {}={:?}", attribute.name.escape_debug(), attribute.value)?;
        }
        self.out.write_all(if tag.self_closing() { b" /\n" } else { b"\n" })
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

impl Printer for LinePrinter<'_> {
    fn print(&mut self, token: Token<'_>) -> io::Result<()> {
        match token {
            Token::Text(text) => {
                self.begin(text.span, "text")?;
                writeln!(self.out, " {:?}", text.text)
            }
            Token::StartTag(tag) => self.tag(tag, "start tag"),
            Token::EndTag(tag) => self.tag(tag, "end tag"),
            Token::Comment(comment) => {
                self.begin(comment.span, "comment")?;
                writeln!(self.out, " {:?}", comment.data)
            }
            Token::ShortEndTag(span) => {
                self.begin(span, "short end tag")?;
                self.out.write_all(b"\n")
            }
            Token::ProcessingInstruction(instruction) => {
                self.begin(instruction.span, "processing instruction")?;
                writeln!(self.out, " {} {:?}", instruction.target.escape_debug(), instruction.data)
            }
            Token::Declared(token) => {
                self.begin(token.span(), token.name())?;
                for field in token.fields().filter(|field| !field.is_missing) {
                    write!(self.out, " {}={:?}", field.name, field.text)?;
                }
                self.out.write_all(b"\n")
            }
            Token::Doctype(doctype) => self.doctype(doctype),
        }
    }
}

/// Writes the start of a line: byte range, line and column.
fn write_position(
    out: &mut dyn Write,
    span: Span,
    position: Position,
    colours: Colours,
) -> io::Result<()> {
    let range = format!("{}..{}", span.start, span.end);
    let line_column = format!("{}:{}", position.line, position.column);
    write!(
        out,
        "{}{range:<11} {line_column:<7}{} ",
        colours.begin(LinePart::Position),
        colours.end()
    )
}

/// Writes the errors of a text, each with its message, an excerpt of the text, and the URL of its explanation, if there is one.
pub(crate) fn write_errors(
    out: &mut dyn Write,
    text: &str,
    errors: &[ParseError],
    colours: Colours,
) -> io::Result<()> {
    let (red, dim, end) =
        (colours.begin(LinePart::Error), colours.begin(LinePart::Position), colours.end());
    let lines = Lines::new(text);
    for error in errors {
        let position = lines.position(error.span.start);
        write_position(out, error.span, position, colours)?;
        writeln!(out, "{red}error{end}     {}", error.code)?;
        let Excerpt { source, indent, carets } = excerpt(text, error.span);
        let line = position.line.to_string();
        let (margin, space) = (" ".repeat(line.len()), " ".repeat(indent));
        writeln!(out, "    {}", error.message())?;
        writeln!(out, "    {dim}{line} |{end} {source}")?;
        writeln!(out, "    {dim}{margin} |{end} {space}{red}{}{end}", "^".repeat(carets))?;
        if let Some(url) = error.url() {
            writeln!(out, "    {dim}{url}{end}")?;
        }
    }
    Ok(())
}
