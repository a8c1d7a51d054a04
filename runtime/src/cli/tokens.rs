//! The command `tokens`: the tokens of a file, for people or as JSON. Invariant: the input is read once and, unless errors
//! are wanted with their lines, not kept.

use crate::dialects::{Dialect, Run, Start};
use crate::failure::Failure;
use crate::input::Input;
use crate::json::{self, Json};
use crate::positions::positioned;
use crate::recorder::{Printer, Recorder, Report};
use crate::text;
use lexopt::{Arg, ValueExt as _};
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use tabulex::encoding::Encoding;

const HELP: &str = r#"Prints the tokens of FILE, or of standard input if FILE is - or missing.

usage: tabulex tokens [FILE|-] [OPTIONS]

  --dialect D             the dialect; `tabulex --help` lists them
  --state NAME            the state to start in, by the document's name, such as "RCDATA state"; in html-2007 also
                          the content model flag: PCDATA, RCDATA, CDATA or PLAINTEXT
  --last-start-tag NAME   the last start tag before the input, to which an end tag can be appropriate
  --format text|json      one token a line, with the range of its bytes (the default), or an array in the form of
                          the html5lib tokenizer tests
  --errors                the errors as well, by place: behind the tokens, or with json an object
                          {"tokens":[...],"errors":[{"code","line","col","start","end"}]}
  --encoding LABEL        the encoding of the input; without it a byte order mark, what the
                          document declares in its first 1,024 bytes, or UTF-8

Ranges count bytes of the text behind a byte order mark. Lines and columns count from 1, columns in characters.
The status is 0 whatever the markup is like, and 2 if arguments or files are unusable.

example: echo '<title>A &amp; B</title' | tabulex tokens --errors
example: tabulex tokens title.txt --state "RCDATA state" --last-start-tag title --format json
"#;

const HELP_COMMAND: &str = "tabulex tokens --help";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Format {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Default)]
struct Options {
    file: Option<OsString>,
    dialect: Option<String>,
    start: Start,
    format: Format,
    errors: bool,
    encoding: Option<Encoding>,
}

/// Runs the command.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), Failure> {
    let Some(options) = options(parser).map_err(|failure| failure.hint(HELP_COMMAND))? else {
        return crate::print(HELP);
    };
    let usage = |message| Failure::usage(message, HELP_COMMAND);
    let dialect = Dialect::find(options.dialect.as_deref()).map_err(usage)?;
    let tokenizer = (dialect.start)(&options.start).map_err(usage)?;
    let input = Input::open(options.file.as_deref(), dialect.clues, options.encoding)?;
    let mut out = BufWriter::new(io::stdout().lock());
    match options.format {
        Format::Text => print_text(input, tokenizer, options.errors, &mut out)?,
        Format::Json => print_json(input, tokenizer, options.errors, &mut out)?,
    }
    Ok(out.flush()?)
}

/// The options; none, if help is wanted.
fn options(mut parser: lexopt::Parser) -> Result<Option<Options>, Failure> {
    let mut options = Options::default();
    let usage = |message| Failure::usage(message, HELP_COMMAND);
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("help") | Arg::Short('h') => return Ok(None),
            Arg::Long("dialect") => options.dialect = Some(parser.value()?.string()?),
            Arg::Long("state") => options.start.state = Some(parser.value()?.string()?),
            Arg::Long("last-start-tag") => {
                options.start.last_start_tag = Some(parser.value()?.string()?);
            }
            Arg::Long("errors") => options.errors = true,
            Arg::Long("encoding") => {
                let encoding = Encoding::for_label(&parser.value()?.string()?);
                options.encoding = Some(encoding.map_err(|error| usage(error.to_string()))?);
            }
            Arg::Long("format") => {
                options.format = match &parser.value()?.string()?[..] {
                    "text" => Format::Text,
                    "json" => Format::Json,
                    other => {
                        return Err(usage(format!(
                            "unknown format {other:?}; there are: text, json"
                        )));
                    }
                };
            }
            Arg::Value(file) if options.file.is_none() => options.file = Some(file),
            Arg::Value(file) => {
                return Err(usage(format!("a second file: {:?}", file.to_string_lossy())));
            }
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Some(options))
}

fn print_text(
    input: Input,
    tokenizer: Box<dyn Run>,
    wants_errors: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut printer = text::Lines::new(out);
    let (kept, errors) = tokenize(input, tokenizer, wants_errors, &mut printer)?;
    Ok(text::errors(out, positioned(&kept, errors))?)
}

fn print_json(
    input: Input,
    tokenizer: Box<dyn Run>,
    wants_errors: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if wants_errors {
        out.write_all(b"{\"tokens\":")?;
    }
    let mut printer = Json::new(out, ",\n")?;
    let (kept, errors) = tokenize(input, tokenizer, wants_errors, &mut printer)?;
    printer.finish()?;
    if wants_errors {
        out.write_all(b",\n\"errors\":")?;
        json::errors(out, positioned(&kept, errors), ",\n")?;
        out.write_all(b"}")?;
    }
    Ok(out.write_all(b"\n")?)
}

/// Tokenizes the input. Returns its text, if errors are wanted, and the errors.
fn tokenize(
    input: Input,
    mut tokenizer: Box<dyn Run>,
    wants_errors: bool,
    printer: &mut dyn Printer,
) -> Result<(String, Vec<Report>), Failure> {
    let mut kept = String::new();
    let mut recorder = Recorder::new(printer, wants_errors);
    input.read(|piece| {
        match piece {
            Some(piece) => {
                if wants_errors {
                    kept.push_str(piece);
                }
                tokenizer.feed(piece, &mut recorder);
            }
            None => tokenizer.finish(&mut recorder),
        }
        Ok(recorder.check()?)
    })?;
    Ok((kept, recorder.into_errors()))
}
