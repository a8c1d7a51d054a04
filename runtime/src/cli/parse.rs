//! The command `parse`: the tree of a file. It knows formats, not dialects. Invariant: the input is read once and, unless
//! errors are wanted with their lines, not kept.

use crate::arguments::{Shared, number, usage, value};
use crate::dialects::{Ask, Dialect, Grow};
use crate::failure::Failure;
use crate::input::hints;
use crate::json;
use crate::positions::positioned;
use crate::recorder::Report;
use crate::text;
use crate::{files, parse_many};
use lexopt::ValueExt as _;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use tabulex::encoding::decode;
use tabulex::tree::{HtmlSerializer, Tree};

const HELP: &str = r#"Prints the tree of FILE, or of standard input if FILE is - or missing, for dialects that construct one.
Of several files, and of folders with all files below, it prints a line each.

usage: tabulex parse [FILE|-] [OPTIONS]
       tabulex parse FILE|FOLDER... [OPTIONS]

  --dialect D          the dialect; for one without trees the command ends with a message and status 2, and
                       `tabulex tokens` prints what its tokenizer makes
  --format tree|html|json|xml
                       the dump of the html5lib tree-construction tests, where names have prefixes that of
                       their XML kin (the default); HTML, for dialects of HTML; the document's element as
                       [name, {attributes}, [children]], of a fragment a list; or well-formed XML
  --fragment CONTEXT   the input is the contents of this element: a name, behind `svg ` or `math ` if it is of
                       SVG or MathML; for dialects of HTML
  --scripting          scripting is enabled: what is for readers without it is text; for dialects of HTML
  --errors             the errors as well, by place: behind the tree, or with json an object
                       {"tree":...,"errors":[{"code","line","col","start","end"}]}
  --encoding LABEL     the encoding of the input; without it a byte order mark, what the
                       document declares, or UTF-8
  --srcdoc             the document is that of an `iframe` with an attribute `srcdoc`; for dialects of HTML
  --shadow-roots       templates can be shadow roots, and with html those are written that are declared
                       serializable; for dialects of HTML
  --depth-limit N      how deep elements may be nested (512): deeper ones become siblings; for dialects of HTML
  --memory-limit N     about how many bytes the tree may take: the rest of the input is left out
  --jobs N             how many files are parsed at once, each with a thread of its own (as many as there are
                       processors); few more than that are held in memory

What is done to keep within limits is told on standard error.

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

/// The form of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// The dump of the html5lib tests.
    #[default]
    Tree,
    /// HTML.
    Html,
    /// Nested arrays.
    Json,
    /// Markup of XML.
    Xml,
}

impl Format {
    /// The format of this name.
    pub(crate) fn find(name: &str) -> Result<Self, String> {
        match name {
            "tree" => Ok(Self::Tree),
            "html" => Ok(Self::Html),
            "json" => Ok(Self::Json),
            "xml" => Ok(Self::Xml),
            other => Err(format!("unknown format {other:?}; there are: tree, html, json, xml")),
        }
    }
}

/// How a tree is written.
pub(crate) struct Form {
    format: Format,
    is_fragment: bool,
    dump: fn(&Tree) -> String,
    serializer: Option<HtmlSerializer<'static>>,
}

impl Form {
    /// The form of the dialect's trees.
    pub(crate) fn of(dialect: &Dialect, format: Format, ask: &Ask) -> Result<Self, String> {
        let serializer = dialect.serializer.map(|serializer| {
            serializer.scripting(ask.scripting).serializable_shadow_roots(ask.shadow_roots)
        });
        if format == Format::Html && serializer.is_none() {
            return Err(format!(
                "the format \"html\" belongs to dialects of HTML, not to {}",
                dialect.id
            ));
        }
        Ok(Self { format, is_fragment: ask.fragment.is_some(), dump: dialect.dump, serializer })
    }

    /// Whether the form is a JSON value.
    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// The tree in the form; of a fragment, what is in the document's element.
    pub(crate) fn write(&self, tree: &Tree) -> String {
        let root = tree.document_element().filter(|_| self.is_fragment);
        match (self.format, root) {
            (Format::Tree, None) => (self.dump)(tree),
            (Format::Tree, Some(root)) => root.children().map(|child| child.to_dump()).collect(),
            (Format::Html, root) => {
                let root = root.unwrap_or_else(|| tree.root());
                self.serializer.map(|serializer| serializer.inner(root)).unwrap_or_default()
            }
            (Format::Json, None) => tree.root().to_json(),
            (Format::Json, Some(root)) => root.children_to_json(),
            (Format::Xml, None) => tree.root().to_xml(),
            (Format::Xml, Some(root)) => root.children().map(|child| child.to_xml()).collect(),
        }
    }
}

/// Runs the command.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), Failure> {
    let (mut ask, mut format, mut jobs) = (Ask::default(), Format::default(), None);
    let shared = Shared::read(parser, HELP_COMMAND, &mut |name, parser| {
        match name {
            "scripting" => ask.scripting = true,
            "srcdoc" => ask.srcdoc = true,
            "shadow-roots" => ask.shadow_roots = true,
            "fragment" => ask.fragment = Some(value(parser)?),
            "depth-limit" => ask.depth_limit = Some(number(parser)?),
            "memory-limit" => ask.memory_limit = Some(number(parser)?),
            "jobs" => jobs = Some(parser.value()?.parse::<NonZeroUsize>()?),
            "format" => format = Format::find(&value(parser)?).map_err(usage)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let Some(shared) = shared else { return crate::print(HELP) };
    ask.errors = shared.errors;
    ask.hints = hints(shared.encoding());
    let dialect = shared.dialect(HELP_COMMAND)?;
    let usage = |message| Failure::usage(message, HELP_COMMAND);
    let parser = dialect.parser(&ask).map_err(usage)?;
    let form = Form::of(dialect, format, &ask).map_err(usage)?;
    if files::are_many(shared.files()) {
        return parse_many::run(&shared, dialect, (&ask, &form), jobs);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    print(&shared, parser, &form, &mut out)?;
    Ok(out.flush()?)
}

fn print(
    shared: &Shared,
    mut parser: Box<dyn Grow + Send>,
    form: &Form,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut kept = Vec::new();
    shared.input(HELP_COMMAND)?.read_bytes(|piece| {
        if shared.errors {
            kept.extend_from_slice(piece);
        }
        parser.feed_bytes(piece);
        Ok(())
    })?;
    let parsed = parser.take();
    for event in &parsed.events {
        // Nobody is left to be told if this fails.
        let _ = writeln!(io::stderr(), "tabulex: {event}");
    }
    // Errors stand at places of the text, which only the whole document tells how to decode.
    let text = decode(&kept, parsed.encoding.encoding);
    let errors = positioned(&text, parsed.errors.iter().map(Report::from).collect());
    let written = form.write(&parsed.tree);
    if form.is_json() && shared.errors {
        write!(out, "{{\"tree\":{written},\n\"errors\":")?;
        json::errors(out, errors, ",\n")?;
        out.write_all(b"}\n")?;
        return Ok(());
    }
    out.write_all(written.as_bytes())?;
    if form.format != Format::Tree {
        out.write_all(b"\n")?;
    }
    if !form.is_json() {
        text::errors(out, errors)?;
    }
    Ok(())
}
