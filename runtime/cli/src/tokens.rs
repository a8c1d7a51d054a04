//! The command `tokens`: the tokens of a file, for people or as JSON. Invariant: the input is read once and, unless errors
//! are wanted with their lines, not kept.

use crate::arguments::{Shared, usage, value};
use crate::failure::Failure;
use crate::json::{self, Json};
use crate::positions::positioned;
use crate::recorder::{Printer, Recorder, Report};
use crate::request::TokenizerStart;
use crate::text;
use std::io::{self, BufWriter, Write};
use tabulex::{AnyTokenizer, Dialect};

const HELP: &str = r#"Prints the tokens of FILE, or of standard input if FILE is - or missing.

usage: tabulex tokens [FILE|-] [OPTIONS]

  --dialect D             the dialect; `tabulex --help` lists them
  --state NAME            the state to start in, by the document's name, such as "RCDATA state"; in html-2007 also
                          the content model flag: PCDATA, RCDATA, CDATA or PLAINTEXT
  --last-start-tag NAME   the last start tag before the input, to which an end tag can be appropriate
  --raw                   the tokenizer alone, as it also is with --state or --last-start-tag; otherwise it goes on
                          after <script>, <title> and the like as the table's modes say, which see no tree
  --format text|json      one token a line, with the range of its bytes (the default), or an array in the form of
                          the html5lib tokenizer tests
  --errors                the errors as well, by place: after the tokens, or with json an object
                          {"tokens":[...],"errors":[{"code","line","col","start","end"}]}
  --encoding LABEL        the encoding of the input; without it a byte order mark, what the
                          document declares in its first 1,024 bytes, or UTF-8
  --flag NAME=VALUE       a flag of the host, as the dialect's table declares it; in sky parsing-context=application
                          or parsing-context=module, which asks for the signature

Ranges count bytes of the text after a byte order mark. Lines and columns count from 1, columns in characters.
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

impl Format {
    fn find(name: &str) -> Result<Self, String> {
        match name {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            other => Err(format!("unknown format {other:?}; there are: text, json")),
        }
    }
}

/// Runs the command.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), Failure> {
    let mut start = TokenizerStart { keeps_mark: true, ..TokenizerStart::default() };
    let (mut format, mut is_raw) = (Format::default(), false);
    let shared = Shared::read(parser, HELP_COMMAND, &mut |name, parser| {
        match name {
            "state" => start.state = Some(value(parser)?),
            "last-start-tag" => start.last_start_tag = Some(value(parser)?),
            "raw" => is_raw = true,
            "format" => format = Format::find(&value(parser)?).map_err(usage)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let Some(shared) = shared else { return crate::print(HELP) };
    let dialect = shared.dialect(HELP_COMMAND)?;
    let tokenizer =
        start.tokenizer(dialect).map_err(|message| Failure::usage(message, HELP_COMMAND))?;
    let is_raw = is_raw || start.state.is_some() || start.last_start_tag.is_some();
    let machine = Machine { tokenizer, modes_of: (!is_raw).then_some(dialect) };
    let mut out = BufWriter::new(io::stdout().lock());
    match format {
        Format::Text => print_text(&shared, machine, &mut out)?,
        Format::Json => print_json(&shared, machine, &mut out)?,
    }
    Ok(out.flush()?)
}

/// A tokenizer, and the dialect whose modes say how it goes on, unless it is alone.
struct Machine {
    tokenizer: Box<dyn AnyTokenizer>,
    modes_of: Option<&'static Dialect>,
}

fn print_text(shared: &Shared, machine: Machine, out: &mut dyn Write) -> Result<(), Failure> {
    let mut printer = text::Lines::new(out);
    let (kept, errors) = tokenize(shared, machine, &mut printer)?;
    Ok(text::errors(out, positioned(&kept, errors))?)
}

fn print_json(shared: &Shared, machine: Machine, out: &mut dyn Write) -> Result<(), Failure> {
    if shared.errors {
        out.write_all(b"{\"tokens\":")?;
    }
    let mut printer = Json::new(out, ",\n")?;
    let (kept, errors) = tokenize(shared, machine, &mut printer)?;
    printer.finish()?;
    if shared.errors {
        out.write_all(b",\n\"errors\":")?;
        json::errors(out, positioned(&kept, errors), ",\n")?;
        out.write_all(b"}")?;
    }
    Ok(out.write_all(b"\n")?)
}

/// Tokenizes the input. Returns its text, if errors are wanted, and the errors.
fn tokenize(
    shared: &Shared,
    machine: Machine,
    printer: &mut dyn Printer,
) -> Result<(String, Vec<Report>), Failure> {
    let mut kept = String::new();
    let Machine { mut tokenizer, modes_of } = machine;
    let flags = shared.flags(shared.dialect(HELP_COMMAND)?, HELP_COMMAND)?;
    let mut recorder = Recorder::new(printer, shared.errors).flags(&flags).following(modes_of);
    let clues = shared.dialect(HELP_COMMAND)?.clues();
    shared.input(HELP_COMMAND)?.read(clues, shared.encoding(), |piece| {
        match piece {
            Some(piece) => {
                if shared.errors {
                    kept.push_str(piece);
                }
                // A recorder never asks for a pause.
                let _ = tokenizer.feed(piece, &mut recorder);
            }
            None => {
                let _ = tokenizer.finish(&mut recorder);
            }
        }
        Ok(recorder.check()?)
    })?;
    Ok((kept, recorder.into_errors()))
}
