//! The command `tokens`: the tokens of a file, for people or as JSON. Invariant: the input is read once and, unless errors
//! are wanted with their lines, not kept.

use crate::arguments::{self, Shared, option, switch, text};
use crate::failure::{Failure, Limits};
use crate::json::{self, Json};
use crate::positions::{Places, positioned};
use crate::recorder::{Printer, Recorder, Report};
use crate::request::TokenizerStart;
use crate::text::Lines;
use clap::{ArgMatches, Command};
use std::io::{self, BufWriter, Write};
use tabulex::AnyTokenizer;

const AFTER: &str = r#"With --format text a line is a token: the range of its bytes, its line and column, its kind, and what it holds.
With --format json the tokens are an array in the form of the html5lib tokenizer tests, and with --errors an object:
{"tokens":[...],"errors":[{"code","line","col","start","end"}]}
In html-2007 a state can also be a value of the content model flag: PCDATA, RCDATA, CDATA or PLAINTEXT.

Ranges count bytes of the text after a byte order mark. Lines and columns count from 1, columns in characters.
The status is 0 whatever the markup is like, and 2 if arguments or files are unusable.

example: echo '<title>A &amp; B</title' | tabulex tokens --errors
example: tabulex tokens title.txt --state "RCDATA state" --last-start-tag title --format json"#;

const HELP_COMMAND: &str = "tabulex tokens --help";

/// Declares the command.
pub(crate) fn declare() -> Command {
    let command = Command::new("tokens").about("prints the tokens of a file").after_help(AFTER);
    arguments::on_files(command)
        .arg(option("state", "NAME", "the state to start in, by the document's name or the table's"))
        .arg(switch("states", "prints the states of the dialect, and reads nothing"))
        .arg(option("last-start-tag", "NAME", "the last start tag before the input, to which an end tag can be appropriate"))
        .arg(arguments::format(&["text", "json"], "text for people, or JSON"))
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches) -> Result<Limits, Failure> {
    let shared = Shared::read(matches, HELP_COMMAND)?;
    let dialect = shared.dialect(HELP_COMMAND)?;
    let mut out = BufWriter::new(io::stdout().lock());
    if matches.get_flag("states") {
        dialect.entry_names().iter().try_for_each(|name| writeln!(out, "{name}"))?;
        out.flush()?;
        return Ok(Limits::Kept);
    }
    let start = TokenizerStart {
        state: text(matches, "state"),
        last_start_tag: text(matches, "last-start-tag"),
    };
    let tokenizer =
        start.tokenizer(dialect).map_err(|message| Failure::usage(message, HELP_COMMAND))?;
    if text(matches, "format").as_deref() == Some("json") {
        print_json(&shared, tokenizer, &mut out)?;
    } else {
        print_text(&shared, tokenizer, &mut out)?;
    }
    out.flush()?;
    Ok(Limits::Kept)
}

fn print_text(
    shared: &Shared,
    tokenizer: Box<dyn AnyTokenizer>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let places = Places::default();
    let mut printer = Lines::new(out, &places, shared.colours);
    let (kept, errors) = tokenize(shared, tokenizer, &mut printer, &|piece| places.read(piece))?;
    Ok(crate::text::errors(out, positioned(&kept, errors), shared.colours)?)
}

fn print_json(
    shared: &Shared,
    tokenizer: Box<dyn AnyTokenizer>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if shared.errors {
        out.write_all(b"{\"tokens\":")?;
    }
    let mut printer = Json::new(out, ",\n")?;
    let (kept, errors) = tokenize(shared, tokenizer, &mut printer, &|_| ())?;
    printer.finish()?;
    if shared.errors {
        out.write_all(b",\n\"errors\":")?;
        json::errors(out, positioned(&kept, errors), ",\n")?;
        out.write_all(b"}")?;
    }
    Ok(out.write_all(b"\n")?)
}

/// Tokenizes the input; `look` sees each piece first. Returns its text, if errors are wanted, and the errors.
fn tokenize(
    shared: &Shared,
    mut tokenizer: Box<dyn AnyTokenizer>,
    printer: &mut dyn Printer,
    look: &dyn Fn(&str),
) -> Result<(String, Vec<Report>), Failure> {
    let mut kept = String::new();
    let mut recorder = Recorder::new(printer, shared.errors);
    let clues = shared.dialect(HELP_COMMAND)?.clues();
    shared.input(HELP_COMMAND)?.read(clues, shared.hints(), |piece| {
        match piece {
            Some(piece) => {
                if shared.errors {
                    kept.push_str(piece);
                }
                look(piece);
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
