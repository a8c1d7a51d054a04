//! The command `parse`: prints the tree of a file.

use crate::arguments::{self, SharedArguments, option, switch, text};
use crate::failure::Failure;
use crate::form::{FORMATS, Form, Format};
use crate::json;
use crate::request::ParseRequest;
use crate::{answer, files, parse_many, visible};
use clap::{ArgMatches, Command, value_parser};
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use tabulex::encoding::decode;
use tabulex::record::RecordDialect;
use tabulex::{AnyParser, Event, write_to};

const AFTER_HELP: &str = r#"For several files, and for folders, whose files are read recursively, one line per file is printed. For dialects without
trees, use `tabulex tokens`. Fragments, scripting, srcdoc and shadow roots apply only to dialects of HTML.

--format tree   the dump of the html5lib tree-construction tests, with namespaces in dialects whose names have prefixes
--format html   HTML, for dialects of HTML
--format json   the document element as [name, {attributes}, [children]]; for a fragment a list;
                with --errors an object {"tree":...,"errors":[{"code","line","col","start","end"}]}
--format xml    a well-formed document in XML 1.0 with namespaces; for a fragment well-formed content

If a limit is reached, its effect is reported on standard error, and the status is 3. NAME=none lifts a limit:
depth           maximum depth of elements (513); deeper ones become siblings
nodes           maximum number of nodes in a tree (4294967279)
attributes      maximum number of attributes per tag (1048576); further ones are dropped
token           maximum length of a token in bytes (268435456), or an eighth more; the rest of the input is dropped
errors          maximum number of errors kept (100000); further ones are counted
bytes           maximum memory of the parser in bytes (2147483647); the rest of the input is dropped. If it is lower,
                --errors additionally keeps up to as many bytes of input, to count lines
replacement     maximum bytes from entities and declared attributes (1048576, plus 5 per byte of input)
reconstructed   maximum number of reconstructed formatting elements (10000, plus one per 4 bytes of input)

the line for each of several files, in the given order, in folders by name. In folders, names that begin with a dot are
skipped; so are pipes and devices, which are reported on standard error:
{"file":"...","tree":...}   the tree is a string or, with --format json, a value
                            with --errors also "errors":[{"code","line","col","start","end"}]
                            and "events":["..."] if limits were reached
{"file":"...","error":"..."}   for a file that cannot be read; the others are parsed, and the status is 2

Lines and columns count from 1, columns in characters.
The status is 0 also if the markup has errors, 2 for invalid arguments or unreadable files, and 3 if limits were reached.

example: echo '<p class=a>A &amp; B' | tabulex parse --errors
example: tabulex parse pages --format html --jobs 2 > pages.jsonl"#;

pub(crate) fn declare() -> Command {
    let command = Command::new("parse").about("prints the trees of files").after_help(AFTER_HELP);
    arguments::add_shared_arguments(command)
        .arg(arguments::errors())
        .arg(arguments::format(FORMATS, "the output format"))
        .arg(option(
            "fragment",
            "CONTEXT",
            "the input is the contents of this element, such as td or 'svg path'",
        ))
        .arg(switch("scripting", "enable scripting: the content of `noscript` is text"))
        .arg(switch("srcdoc", "parse as the document of an `iframe` with a `srcdoc` attribute"))
        .arg(switch(
            "shadow-roots",
            "enable declarative shadow roots; --format html includes serializable ones",
        ))
        .arg(
            option(
                "jobs",
                "N",
                "maximum number of files parsed in parallel (default: one per processor; limit: four per processor)",
            )
            .value_parser(value_parser!(NonZeroUsize)),
        )
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let shared = SharedArguments::read(matches, "tabulex parse --help")?;
    if let Some(dialect) = shared.record_dialect() {
        return print_record(&shared, dialect);
    }
    let usage = |message| shared.usage(message);
    let dialect = shared.dialect()?;
    let request = ParseRequest {
        errors: shared.errors,
        scripting: matches.get_flag("scripting"),
        srcdoc: matches.get_flag("srcdoc"),
        shadow_roots: matches.get_flag("shadow-roots"),
        fragment: text(matches, "fragment"),
        limits: shared.limits,
        flags: shared.flags(dialect)?,
        hints: shared.hints.clone(),
    };
    let parser = request.parser(dialect).map_err(usage)?;
    let format = Format::find(&text(matches, "format").unwrap_or_default()).map_err(usage)?;
    let form = Form::of(dialect, format, &request).map_err(usage)?;
    if files::names_several(&shared.files) {
        let jobs = matches.get_one::<NonZeroUsize>("jobs").copied();
        return parse_many::run(&shared, dialect, (&request, &form), jobs);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let result = print(&shared, &request, parser, &form, &mut out);
    out.flush()?;
    result
}

/// Prints the record of the input, ignoring a final line feed, so that the record equals the one that `batch` prints.
fn print_record(shared: &SharedArguments, dialect: &RecordDialect) -> Result<(), Failure> {
    let bytes = shared.input()?.read_all()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let record = (dialect.read)(text, None, None);
    let mut out = BufWriter::new(io::stdout().lock());
    out.write_all(b"{")?;
    answer::write_record(&mut out, &record, text)?;
    out.write_all(b"}\n")?;
    Ok(out.flush()?)
}

fn print(
    shared: &SharedArguments,
    request: &ParseRequest,
    mut parser: Box<dyn AnyParser>,
    form: &Form,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut input = Vec::new();
    // A parser that is given the whole input need not copy texts. With a memory limit below the default, the parser is
    // fed in pieces instead, so that the input after the limit is not read.
    let parses_whole_input = !request.limits.checks_memory_while_parsing();
    let memory_limit = request.limits.get("bytes").and_then(|bytes| usize::try_from(bytes).ok());
    let mut is_full = false;
    shared.input()?.read_bytes(|piece| {
        if shared.errors || parses_whole_input {
            input.extend_from_slice(piece);
        }
        if parses_whole_input {
            return Ok(ControlFlow::Continue(()));
        }
        parser.feed_bytes(piece);
        // If errors are reported, `input` keeps the text to show their lines. Reading stops once `input` exceeds the
        // memory limit.
        is_full = !parser.has_ended() && memory_limit.is_some_and(|limit| input.len() > limit);
        let continues = !is_full && !parser.has_ended();
        Ok(if continues { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    let mut parsed =
        if parses_whole_input { parser.parse_bytes(&input) } else { parser.finish_and_reset() };
    if let Some(limit) = memory_limit.filter(|_| is_full) {
        let (offset, used) = (input.len(), input.len());
        parsed.events.push(Event::OutOfMemory { offset, limit, used });
    }
    for event in &parsed.events {
        crate::report(&event.to_string());
    }
    let outcome = Failure::if_limited(!parsed.events.is_empty());
    // Errors refer to the decoded text, and the encoding is known only after the whole input was parsed, so the input
    // is decoded again.
    let text = if shared.errors { decode(&input, parsed.encoding.encoding) } else { "".into() };
    if form.is_json() && shared.errors {
        out.write_all(b"{\"tree\":")?;
        write_to(&mut *out, |out| form.write(&parsed.tree, out))?;
        out.write_all(b",\n\"errors\":")?;
        json::write_errors(out, &text, &parsed.errors, ",\n")?;
        out.write_all(b"}\n")?;
        return outcome;
    }
    let is_coloured = form.ends_line() && shared.colours.is_enabled();
    if is_coloured || shared.colours.is_terminal() {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = form.write(&parsed.tree, &mut text);
        text = visible::text(&text);
        out.write_all(if is_coloured { shared.colours.dump(&text) } else { text }.as_bytes())?;
    } else {
        write_to(&mut *out, |out| form.write(&parsed.tree, out))?;
    }
    if !form.ends_line() {
        out.write_all(b"\n")?;
    }
    if !form.is_json() {
        crate::text::write_errors(out, &text, &parsed.errors, shared.colours)?;
    }
    outcome
}
