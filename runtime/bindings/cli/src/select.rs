//! The command `select`: prints the elements in files that match a CSS selector.

use crate::arguments::{self, SharedArguments, option, switch, text};
use crate::failure::Failure;
use crate::request::ParseRequest;
use crate::{files, json, parse_many, visible};
use clap::{Arg, ArgMatches, Command};
use serde_json::json;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use tabulex::encoding::decode;
use tabulex::select::{Query, Selector, Syntax};
use tabulex::text::rendered_text;
use tabulex::tree::{HtmlSerializer, NodeRef};
use tabulex::{Lines, Parsed, WriteNode as _};

const FORMATS: &[&str] = &["html", "text", "json", "places"];

const AFTER_HELP: &str = r#"For several files, and for folders, whose files are read recursively, each match is preceded by its file's name and a
colon. In addition to the standard's selectors, :contains("text") is supported.

--format html     the element as HTML, or as XML for dialects other than HTML
--format text     its rendered text
--format json     {"file","name","attributes","text","html","line","col","start","end"}, a line per element; start and
                  end are the byte range of its start tag in the text
--format places   the file, line, column, and the start tag as written
--attribute NAME  the value of this attribute, for elements that have it

Lines and columns count from 1, columns in characters. The status is 0 whether or not anything matches, 2 for an invalid
selector, invalid arguments or unreadable files, and 3 if limits were reached.

example: tabulex select 'a[href^="https:"]' --attribute href page.html
example: tabulex select h1,h2 --format text pages/"#;

pub(crate) fn declare() -> Command {
    let command = Command::new("select")
        .about("prints the elements in files that match a CSS selector")
        .after_help(AFTER_HELP)
        .arg(Arg::new("selector").value_name("SELECTOR").required(true).help("the selector"));
    arguments::add_shared_arguments(command)
        .arg(arguments::format(FORMATS, "the output format"))
        .arg(
            option("attribute", "NAME", "print the value of this attribute")
                .conflicts_with("format"),
        )
        .arg(switch("scripting", "enable scripting: the content of `noscript` is text"))
}

/// The output format of a match.
enum MatchFormat {
    Html(Option<HtmlSerializer<'static>>),
    Text,
    Json(Option<HtmlSerializer<'static>>),
    Positions,
    Attribute(String),
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let shared = SharedArguments::read(matches, "tabulex select --help")?;
    let usage = |message| shared.usage(message);
    let selector_text = text(matches, "selector").unwrap_or_default();
    let selector = Selector::parse_with(&selector_text, &Syntax::new().contains(true));
    let selector = selector.map_err(|error| usage(error.to_string()))?;
    let dialect = shared.dialect()?;
    let request = ParseRequest {
        scripting: matches.get_flag("scripting"),
        limits: shared.limits,
        flags: shared.flags(dialect)?,
        hints: shared.hints.clone(),
        ..ParseRequest::default()
    };
    // An invalid request is rejected before any file is read.
    request.parser(dialect).map_err(usage)?;
    let serializer = dialect.serializer().map(|serializer| serializer.scripting(request.scripting));
    let format = match (text(matches, "attribute"), text(matches, "format").as_deref()) {
        (Some(name), _) => MatchFormat::Attribute(name),
        (None, Some("text")) => MatchFormat::Text,
        (None, Some("json")) => MatchFormat::Json(serializer),
        (None, Some("places")) => MatchFormat::Positions,
        (None, _) => MatchFormat::Html(serializer),
    };
    let arguments = match &shared.files[..] {
        [] => &[OsString::from("-")][..],
        arguments => arguments,
    };
    let names_files = files::names_several(arguments)
        || matches!(format, MatchFormat::Positions | MatchFormat::Json(_));
    let is_on_terminal = shared.colours.is_terminal();
    parse_many::print_each(arguments, dialect, &request, None, |path, result| {
        let (parsed, bytes) = result
            .map_err(|message| format!("cannot read `{}`: {message}", visible::name(path)))?;
        let file = names_files.then_some(path);
        let parsed_file = ParsedFile { parsed, bytes, file, is_on_terminal };
        let mut out = Vec::new();
        // Writing to memory cannot fail.
        let _ = parsed_file.print(&selector, &format, &mut out);
        Ok(out)
    })
}

struct ParsedFile<'a> {
    parsed: &'a Parsed,
    bytes: &'a [u8],
    /// The file, if its name is printed with each match.
    file: Option<&'a Path>,
    /// Whether the output is for a terminal.
    is_on_terminal: bool,
}

impl ParsedFile<'_> {
    fn print(
        &self,
        selector: &Selector,
        format: &MatchFormat,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let needs_positions = matches!(format, MatchFormat::Positions | MatchFormat::Json(_));
        let input = match needs_positions {
            true => decode(self.bytes, self.parsed.encoding.encoding),
            false => "".into(),
        };
        let lines = Lines::new(&input);
        for element in self.parsed.tree.root().select(selector) {
            let position = element.span().map(|span| (span, lines.position(span.start)));
            let mut line = match format {
                MatchFormat::Html(serializer) => markup(element, *serializer),
                MatchFormat::Text => rendered_text(element),
                MatchFormat::Attribute(name) => match element.attribute(name) {
                    Some(value) => value.to_owned(),
                    None => continue,
                },
                MatchFormat::Positions => match position {
                    Some((span, position)) => {
                        let tag = span.get(&input).unwrap_or_default();
                        format!("{}:{}: {tag}", position.line, position.column)
                    }
                    // The parser inserted the element, so it has no position.
                    None => format!("-: {}", element.local_name().unwrap_or_default()),
                },
                MatchFormat::Json(serializer) => {
                    let attributes = element.attributes();
                    let attributes = attributes
                        .map(|attribute| (attribute.name().to_string(), json!(attribute.value())));
                    let element = json!({
                        "file": self.file.map(Path::to_string_lossy),
                        "name": element.name().map(|name| name.to_string()),
                        "attributes": attributes.collect::<serde_json::Map<_, _>>(),
                        "text": rendered_text(element),
                        "html": markup(element, *serializer),
                        "line": position.map(|(_, position)| position.line),
                        "col": position.map(|(_, position)| position.column),
                        "start": position.map(|(span, _)| span.start),
                        "end": position.map(|(span, _)| span.end),
                    });
                    let mut text = Vec::new();
                    json::to_writer(&mut text, &element)?;
                    String::from_utf8_lossy(&text).into_owned()
                }
            };
            if !matches!(format, MatchFormat::Json(_))
                && let Some(file) = self.file
            {
                line.insert_str(0, &format!("{}:", visible::name(file)));
            }
            if self.is_on_terminal {
                line = visible::text(&line);
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

/// Returns an element as HTML, or as XML if the dialect has no serializer.
fn markup(element: NodeRef<'_>, serializer: Option<HtmlSerializer<'static>>) -> String {
    serializer.map_or_else(|| element.to_xml(), |serializer| serializer.outer(element))
}
