//! The command `tokens`: prints the tokens of a file as text or JSON. The input is streamed, and kept only if errors
//! with their lines are requested.

use crate::arguments::{self, SharedArguments, option, switch, text};
use crate::failure::Failure;
use crate::json::{self, Json};
use crate::recorder::{Printer, Recorder};
use crate::request::{self, TokenizerStart};
use crate::text::Lines;
use clap::{ArgMatches, Command};
use std::io::{self, BufWriter, Write};
use tabulex::{AnyTokenizer, Dialect, Event, ParseError};

const AFTER_HELP: &str = r#"With --format text, each line is a token: its byte range, line and column, kind, and contents.
With --format json, the tokens are an array in the format of the html5lib tokenizer tests, and with --errors an object:
{"tokens":[...],"errors":[{"code","line","col","start","end"}]}
In html-2007 a state can also be a value of the content model flag: PCDATA, RCDATA, CDATA or PLAINTEXT.

Without --raw, start tags such as <script> and <title> switch the state as tree construction would.
The limits are attributes, token, errors and replacement; see `tabulex parse --help`.

Ranges count bytes of the text in UTF-8, a byte order mark included. Lines and columns count from 1, columns in characters.
The status is 0 also if the markup has errors, 2 for invalid arguments or unreadable files, and 3 if limits were reached.

example: echo '<title>A &amp; B</title' | tabulex tokens --errors
example: tabulex tokens title.txt --state "RCDATA state" --last-start-tag title --format json"#;

pub(crate) fn declare() -> Command {
    let command =
        Command::new("tokens").about("prints the tokens of a file").after_help(AFTER_HELP);
    arguments::add_shared_arguments(command)
        .arg(arguments::errors())
        .arg(option("state", "NAME", "the initial state, by its name in the standard or the table"))
        .arg(switch("states", "print the states of the dialect, without reading input"))
        .arg(switch(
            "raw",
            "run the tokenizer without tree construction; implied by --state and --last-start-tag",
        ))
        .arg(option(
            "last-start-tag",
            "NAME",
            "the name of the last start tag, which makes an end tag appropriate",
        ))
        .arg(arguments::format(&["text", "json"], "the output format"))
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let shared = SharedArguments::read(matches, "tabulex tokens --help")?;
    let dialect = shared.dialect()?;
    let mut out = BufWriter::new(io::stdout().lock());
    if matches.get_flag("states") {
        dialect.entry_names().iter().try_for_each(|name| writeln!(out, "{name}"))?;
        return Ok(out.flush()?);
    }
    let limit_names = shared.given_limits.iter().map(String::as_str);
    request::check_token_limits(limit_names).map_err(|message| shared.usage(message))?;
    let start = TokenizerStart {
        state: text(matches, "state"),
        last_start_tag: text(matches, "last-start-tag"),
        keeps_bom: false,
        limits: shared.limits,
    };
    let is_raw = matches.get_flag("raw") || start.state.is_some() || start.last_start_tag.is_some();
    let tokenizer = start.tokenizer(dialect).map_err(|message| shared.usage(message))?;
    let mode_dialect = (!is_raw).then_some(dialect);
    let events = if text(matches, "format").as_deref() == Some("json") {
        print_json(&shared, tokenizer, mode_dialect, &mut out)?
    } else {
        print_text(&shared, tokenizer, mode_dialect, &mut out)?
    };
    out.flush()?;
    for event in &events {
        crate::report(&event.to_string());
    }
    Failure::if_limited(!events.is_empty())
}

/// The output after the tokens.
struct Trailer {
    /// The text of the input, if errors are requested.
    text: String,
    errors: Vec<ParseError>,
    /// The events of limits that were reached.
    events: Vec<Event>,
}

fn print_text(
    shared: &SharedArguments,
    tokenizer: Box<dyn AnyTokenizer>,
    mode_dialect: Option<&'static Dialect>,
    out: &mut dyn Write,
) -> Result<Vec<Event>, Failure> {
    let mut printer = Lines::new(out, shared.colours);
    let trailer = tokenize(shared, tokenizer, mode_dialect, &mut printer)?;
    crate::text::write_errors(out, &trailer.text, &trailer.errors, shared.colours)?;
    Ok(trailer.events)
}

fn print_json(
    shared: &SharedArguments,
    tokenizer: Box<dyn AnyTokenizer>,
    mode_dialect: Option<&'static Dialect>,
    out: &mut dyn Write,
) -> Result<Vec<Event>, Failure> {
    if shared.errors {
        out.write_all(b"{\"tokens\":")?;
    }
    let mut printer = Json::new(out, ",\n")?;
    let trailer = tokenize(shared, tokenizer, mode_dialect, &mut printer)?;
    printer.finish()?;
    if shared.errors {
        out.write_all(b",\n\"errors\":")?;
        json::write_errors(out, &trailer.text, &trailer.errors, ",\n")?;
        out.write_all(b"}")?;
    }
    out.write_all(b"\n")?;
    Ok(trailer.events)
}

/// Tokenizes the input. `mode_dialect` is the dialect whose modes switch the tokenizer, if any.
fn tokenize(
    shared: &SharedArguments,
    mut tokenizer: Box<dyn AnyTokenizer>,
    mode_dialect: Option<&'static Dialect>,
    printer: &mut dyn Printer,
) -> Result<Trailer, Failure> {
    let mut text = String::new();
    let flags = shared.flags(shared.dialect()?)?;
    let recorder = Recorder::new(printer, shared.errors, &shared.limits);
    let mut recorder = recorder.flags(&flags).with_modes(mode_dialect);
    let clues = shared.dialect()?.clues();
    shared.input()?.read(clues, shared.hints.clone(), |piece| {
        match piece {
            Some(piece) => {
                if shared.errors {
                    text.push_str(piece);
                }
                recorder.read(piece);
                // A recorder never pauses the tokenizer, so the returned progress is not needed.
                let _ = tokenizer.feed(piece, &mut recorder);
            }
            None => {
                let _ = tokenizer.finish(&mut recorder);
            }
        }
        Ok(recorder.check()?)
    })?;
    let (errors, limit_event) = recorder.into_errors();
    let mut events = tokenizer.events();
    events.extend(limit_event);
    Ok(Trailer { text, errors, events })
}
