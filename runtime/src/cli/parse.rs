//! The command `parse`: the tree of a file. It knows formats, not dialects. Invariant: the input is read once and, unless
//! errors are wanted with their lines, not kept.

use crate::dialects::{Ask, Dialect, Grow};
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
use tabulex::tree::{HtmlSerializer, SerializerNames, Tree};

const HELP: &str = r#"Prints the tree of FILE, or of standard input if FILE is - or missing, for dialects that construct one.

usage: tabulex parse [FILE|-] [OPTIONS]

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
                       document declares in its first 1,024 bytes, or UTF-8

Lines and columns count from 1, columns in characters.
The status is 0 whatever the markup is like, and 2 if arguments or files are unusable.

example: echo '<p class=a>A &amp; B' | tabulex parse --errors
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
    scripting: bool,
    dump: fn(&Tree) -> String,
    serialization: SerializerNames<'static>,
}

impl Form {
    /// The form of the dialect's trees.
    pub(crate) fn of(dialect: &Dialect, format: Format, ask: &Ask) -> Result<Self, String> {
        let (is_fragment, scripting, dump) = (ask.fragment.is_some(), ask.scripting, dialect.dump);
        match (format, dialect.serialization) {
            (Format::Html, None) => Err(format!(
                "the format \"html\" belongs to dialects of HTML, not to {}",
                dialect.id
            )),
            (_, names) => {
                let serialization = names.unwrap_or_default();
                Ok(Self { format, is_fragment, scripting, dump, serialization })
            }
        }
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
                let serializer = HtmlSerializer::new(&self.serialization).scripting(self.scripting);
                serializer.inner(root.unwrap_or_else(|| tree.root()))
            }
            (Format::Json, None) => tree.root().to_json(),
            (Format::Json, Some(root)) => root.children_to_json(),
            (Format::Xml, None) => tree.root().to_xml(),
            (Format::Xml, Some(root)) => root.children().map(|child| child.to_xml()).collect(),
        }
    }
}

#[derive(Debug, Default)]
struct Options {
    file: Option<OsString>,
    dialect: Option<String>,
    format: Format,
    ask: Ask,
    encoding: Option<Encoding>,
}

/// Runs the command.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), Failure> {
    let Some(options) = options(parser).map_err(|failure| failure.hint(HELP_COMMAND))? else {
        return crate::print(HELP);
    };
    let usage = |message| Failure::usage(message, HELP_COMMAND);
    let dialect = Dialect::find(options.dialect.as_deref()).map_err(usage)?;
    let parser = dialect.parser(&options.ask).map_err(usage)?;
    let form = Form::of(dialect, options.format, &options.ask).map_err(usage)?;
    let input = Input::open(options.file.as_deref(), dialect.clues, options.encoding)?;
    let mut out = BufWriter::new(io::stdout().lock());
    print(input, parser, &form, options.ask.errors, &mut out)?;
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
            Arg::Long("errors") => options.ask.errors = true,
            Arg::Long("scripting") => options.ask.scripting = true,
            Arg::Long("fragment") => options.ask.fragment = Some(parser.value()?.string()?),
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
    form: &Form,
    wants_errors: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut kept = String::new();
    input.read(|piece| {
        if let Some(piece) = piece {
            if wants_errors {
                kept.push_str(piece);
            }
            parser.feed(piece);
        }
        Ok(())
    })?;
    let parsed = parser.finish();
    let errors = positioned(&kept, parsed.errors.iter().map(Report::from).collect());
    let text = form.write(&parsed.tree);
    if form.is_json() && wants_errors {
        write!(out, "{{\"tree\":{text},\n\"errors\":")?;
        json::errors(out, errors, ",\n")?;
        out.write_all(b"}\n")?;
        return Ok(());
    }
    out.write_all(text.as_bytes())?;
    if form.format != Format::Tree {
        out.write_all(b"\n")?;
    }
    if !form.is_json() {
        text::errors(out, errors)?;
    }
    Ok(())
}
