//! The command `parse`: the tree of a file. It knows formats, not dialects. Invariant: the input is read once.

use crate::arguments::{Shared, number, usage, value};
use crate::failure::Failure;
use crate::form::{Form, Format};
use crate::input::hints;
use crate::json;
use crate::positions::positioned;
use crate::recorder::Report;
use crate::request::ParseRequest;
use crate::text;
use crate::{files, parse_many};
use lexopt::ValueExt as _;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use tabulex::AnyParser;
use tabulex::encoding::decode;

const HELP: &str = r#"Prints the tree of FILE, or of standard input if FILE is - or missing, for dialects that construct one.
Of several files, and of folders with all files below, it prints a line each.

usage: tabulex parse [FILE|-] [OPTIONS]
       tabulex parse FILE|FOLDER... [OPTIONS]

  --dialect D          the dialect; for one without trees the command ends with a message and status 2, and
                       `tabulex tokens` prints what its tokenizer makes
  --format tree|html|json|xml
                       the dump of the html5lib tree-construction tests, where names have prefixes that of
                       their XML kin (the default); HTML, for dialects of HTML; the document's element as
                       [name, {attributes}, [children]], of a fragment a list; or XML 1.0 with namespaces,
                       a well-formed document, but of a fragment what can stand in an element
  --fragment CONTEXT   the input is the contents of this element: a name, after `svg ` or `math ` if it is of
                       SVG or MathML; for dialects of HTML
  --scripting          scripting is enabled: what is for readers without it is text; for dialects of HTML
  --errors             the errors as well, by place: after the tree, or with json an object
                       {"tree":...,"errors":[{"code","line","col","start","end"}]}
  --encoding LABEL     the encoding of the input; without it a byte order mark, what the
                       document declares, or UTF-8
  --flag NAME=VALUE    a flag of the host, as the dialect's table declares it; in sky parsing-context=application
                       or parsing-context=module, which asks for the signature
  --srcdoc             the document is that of an `iframe` with an attribute `srcdoc`; for dialects of HTML
  --shadow-roots       templates can be shadow roots, and with html those are written that are declared
                       serializable; for dialects of HTML
  --depth-limit N      how deep elements may be nested (513): deeper ones become siblings; for dialects of HTML
  --memory-limit N     about how many bytes the tree may take: the rest of the input is left out
  --jobs N             how many files are parsed at once, each with a thread of its own (as many as there are
                       processors); few more than that are held in memory

What is done to keep within limits is reported on standard error.

a line of several files, in their order, those of folders by name; names that begin with a dot are passed over there:
{"file":"...","tree":...}   the tree is a string or, with --format json, a value
                            with --errors also "errors":[{"code","line","col","start","end"}]
                            and "events":["..."] if anything was done to keep within limits
{"file":"...","error":"..."}   for a file that cannot be read; the others are read, and the status is 2

Lines and columns count from 1, columns in characters.
The status is 0 whatever the markup is like, and 2 if arguments or files are unusable.

example: echo '<p class=a>A &amp; B' | tabulex parse --errors
         tabulex parse pages --format html --jobs 2 > pages.jsonl
"#;

const HELP_COMMAND: &str = "tabulex parse --help";

/// Runs the command.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), Failure> {
    let (mut request, mut format, mut jobs) = (ParseRequest::default(), Format::default(), None);
    let shared = Shared::read(parser, HELP_COMMAND, &mut |name, parser| {
        match name {
            "scripting" => request.scripting = true,
            "srcdoc" => request.srcdoc = true,
            "shadow-roots" => request.shadow_roots = true,
            "fragment" => request.fragment = Some(value(parser)?),
            "depth-limit" => request.depth_limit = Some(number(parser)?),
            "memory-limit" => request.memory_limit = Some(number(parser)?),
            "jobs" => jobs = Some(parser.value()?.parse::<NonZeroUsize>()?),
            "format" => format = Format::find(&value(parser)?).map_err(usage)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let Some(shared) = shared else { return crate::print(HELP) };
    request.errors = shared.errors;
    request.hints = hints(shared.encoding());
    let dialect = shared.dialect(HELP_COMMAND)?;
    request.flags = shared.flags(dialect, HELP_COMMAND)?;
    let usage = |message| Failure::usage(message, HELP_COMMAND);
    let parser = request.parser(dialect).map_err(usage)?;
    let form = Form::of(dialect, format, &request).map_err(usage)?;
    if files::are_many(shared.files()) {
        return parse_many::run(&shared, dialect, (&request, &form), jobs);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    print(&shared, &request, parser, &form, &mut out)?;
    Ok(out.flush()?)
}

fn print(
    shared: &Shared,
    request: &ParseRequest,
    mut parser: Box<dyn AnyParser>,
    form: &Form,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut kept = Vec::new();
    // A parser that has the whole input copies nothing out of it. Where memory is limited, what lies after the limit
    // need not be held.
    let is_whole = request.memory_limit.is_none();
    shared.input(HELP_COMMAND)?.read_bytes(|piece| {
        if shared.errors || is_whole {
            kept.extend_from_slice(piece);
        }
        if !is_whole {
            parser.feed_bytes(piece);
        }
        Ok(())
    })?;
    let parsed = if is_whole { parser.parse_bytes(&kept) } else { parser.take() };
    for event in &parsed.events {
        // If this fails, no channel is left to report it on.
        let _ = writeln!(io::stderr(), "tabulex: {event}");
    }
    // Errors are at places of the text, and how to decode it is known after the whole document.
    let text = if shared.errors { decode(&kept, parsed.encoding.encoding) } else { "".into() };
    let errors = positioned(&text, parsed.errors.iter().map(Report::from).collect());
    let written = form.write(&parsed.tree);
    if form.is_json() && shared.errors {
        write!(out, "{{\"tree\":{written},\n\"errors\":")?;
        json::errors(out, errors, ",\n")?;
        out.write_all(b"}\n")?;
        return Ok(());
    }
    out.write_all(written.as_bytes())?;
    if !form.ends_line() {
        out.write_all(b"\n")?;
    }
    if !form.is_json() {
        text::errors(out, errors)?;
    }
    Ok(())
}
