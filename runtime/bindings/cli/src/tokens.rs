//! The command `tokens`: prints the tokens of a file as text or JSON.

use crate::arguments::{self, SharedArguments, option, switch, text};
use crate::failure::Failure;
use crate::json::{self, Json};
use crate::recorder::TokenRequest;
use crate::request::{self, TokenizerStart};
use crate::text::{LinePrinter, write_errors};
use clap::{ArgMatches, Command};
use std::io::{self, BufWriter, Write};
use tabulex::encoding::Choice;
use tabulex::{Event, Lines};

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
    let format = text(matches, "format");
    let is_raw = matches.get_flag("raw") || start.state.is_some() || start.last_start_tag.is_some();
    let request = TokenRequest {
        tokenizer: start.tokenizer(dialect).map_err(|message| shared.usage(message))?,
        flags: shared.flags(dialect)?,
        mode_dialect: (!is_raw).then_some(dialect),
        errors: shared.errors,
        limits: shared.limits,
    };
    let bytes = shared.input()?.read_all()?;
    let (_, text) = Choice::decode(&bytes, dialect.clues(), &shared.hints);
    let events = match format.as_deref() {
        Some("json") => print_json(request, &text, &mut out)?,
        _ => {
            let colours = shared.colours;
            let mut printer = LinePrinter { out: &mut out, lines: Lines::new(&text), colours };
            let (errors, events) = request.print(&text, None, &mut printer)?;
            write_errors(&mut out, &text, &errors, colours)?;
            events
        }
    };
    out.flush()?;
    for event in &events {
        crate::report(&event.to_string());
    }
    Failure::if_limited(!events.is_empty())
}

/// Prints the tokens as a JSON array, or with errors as an object. Returns the events of limits that were reached.
fn print_json(request: TokenRequest, text: &str, out: &mut dyn Write) -> io::Result<Vec<Event>> {
    let has_errors = request.errors;
    if has_errors {
        out.write_all(b"{\"tokens\":")?;
    }
    let mut printer = Json::new(out, ",\n")?;
    let (errors, events) = request.print(text, None, &mut printer)?;
    printer.finish()?;
    if has_errors {
        out.write_all(b",\n\"errors\":")?;
        json::write_errors(out, text, &errors, ",\n")?;
        out.write_all(b"}")?;
    }
    out.write_all(b"\n")?;
    Ok(events)
}
