//! The command `parse`: the tree of a file. It knows formats, not dialects. Invariant: the input is read once and, unless
//! errors are wanted with their lines, not kept.

use crate::dialects::{Dialect, Grow};
use crate::failure::Failure;
use crate::input::Input;
use crate::json;
use crate::positions::positioned;
use crate::recorder::Report;
use crate::text;
use lexopt::{Arg, ValueExt as _};
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use tabulex::encoding::Encoding;
use tabulex::tree::Tree;

const HELP: &str = r#"Prints the tree of FILE, or of standard input if FILE is - or missing, for dialects that construct one.

usage: tabulex parse [FILE|-] [OPTIONS]

  --dialect D          the dialect; for one without trees the command ends with a message and status 2, and
                       `tabulex tokens` prints what its tokenizer makes
  --format tree|json|xml
                       the dump of the html5lib tree-construction tests, where names have prefixes that of
                       their XML kin (the default); the document's element as [name, {attributes},
                       [children]]; or well-formed XML
  --errors             the errors as well, by place: behind the tree, or with json an object
                       {"tree":...,"errors":[{"code","line","col","start","end"}]}
  --encoding LABEL     the encoding of the input; without it a byte order mark, what the
                       document declares in its first 1,024 bytes, or UTF-8

Lines and columns count from 1, columns in characters.
The status is 0 whatever the markup is like, and 2 if arguments or files are unusable.

example: echo '<p class=a>A &amp; B</p>' | tabulex parse --dialect sky --errors
"#;

const HELP_COMMAND: &str = "tabulex parse --help";

/// The form of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// The dump of the html5lib tests.
    #[default]
    Tree,
    /// Nested arrays.
    Json,
    /// Markup.
    Xml,
}

impl Format {
    /// The format of this name.
    pub(crate) fn find(name: &str) -> Result<Self, String> {
        match name {
            "tree" => Ok(Self::Tree),
            "json" => Ok(Self::Json),
            "xml" => Ok(Self::Xml),
            "html" => Err("the format \"html\" belongs to dialects of HTML that construct trees, \
                           and none does so far; there are: tree, json, xml"
                .to_owned()),
            other => Err(format!("unknown format {other:?}; there are: tree, json, xml")),
        }
    }
}

/// Writes the document's element as a JSON value, null without one.
pub(crate) fn write_json(out: &mut dyn Write, tree: &Tree) -> io::Result<()> {
    out.write_all(tree.root().to_json().as_bytes())
}

#[derive(Debug, Default)]
struct Options {
    file: Option<OsString>,
    dialect: Option<String>,
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
    let parser = dialect.parser(options.errors).map_err(usage)?;
    let input = Input::open(options.file.as_deref(), dialect.clues, options.encoding)?;
    let mut out = BufWriter::new(io::stdout().lock());
    print(input, parser, dialect.dump, &options, &mut out)?;
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
            Arg::Long("errors") => options.errors = true,
            Arg::Long("encoding") => {
                let encoding = Encoding::for_label(&parser.value()?.string()?);
                options.encoding = Some(encoding.map_err(|error| usage(error.to_string()))?);
            }
            Arg::Long("format") => {
                options.format = Format::find(&parser.value()?.string()?).map_err(usage)?;
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

fn print(
    input: Input,
    mut parser: Box<dyn Grow>,
    dump: fn(&Tree) -> String,
    options: &Options,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut kept = String::new();
    input.read(|piece| {
        if let Some(piece) = piece {
            if options.errors {
                kept.push_str(piece);
            }
            parser.feed(piece);
        }
        Ok(())
    })?;
    let parsed = parser.finish();
    let errors = positioned(&kept, parsed.errors.iter().map(Report::from).collect());
    match (options.format, options.errors) {
        (Format::Tree, _) => {
            out.write_all(dump(&parsed.tree).as_bytes())?;
            text::errors(out, errors)?;
        }
        (Format::Xml, _) => {
            out.write_all(parsed.tree.root().to_xml().as_bytes())?;
            out.write_all(b"\n")?;
            text::errors(out, errors)?;
        }
        (Format::Json, false) => {
            write_json(out, &parsed.tree)?;
            out.write_all(b"\n")?;
        }
        (Format::Json, true) => {
            out.write_all(b"{\"tree\":")?;
            write_json(out, &parsed.tree)?;
            out.write_all(b",\n\"errors\":")?;
            json::errors(out, errors, ",\n")?;
            out.write_all(b"}\n")?;
        }
    }
    Ok(())
}
