//! The command `batch`: answers each line of JSON with a line of JSON, for programs that send many requests.

use crate::answer;
use crate::arguments::option;
use crate::failure::Failure;
use crate::form::{Form, Format};
use crate::json::{self, Json};
use crate::progress::Progress;
use crate::recorder::{TokenRequest, feed};
use crate::request::{
    ParseRequest, TokenizerStart, check_token_limits, find_dialect, find_record_dialect,
    host_flags, set_limit,
};
use clap::{ArgMatches, Command, value_parser};
use serde_json::{Map, Value};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use tabulex::record::RecordDialect;
use tabulex::{AnyParser, Limits};

const AFTER_HELP: &str = r#"a request: {"do":"tokens","input":"...","dialect":D,"state":null,"lastStartTag":null,"chunk":null}

  do             "tokens", or "parse" for dialects that construct trees
  input          the markup
  dialect        the dialect; `tabulex --help` lists them
  base           the input to which this one is relative, for url
  state          the initial state, by its name in the standard, such as "RCDATA state"; in html-2007 also a value of
                 the content model flag: PCDATA, RCDATA, CDATA or PLAINTEXT
  lastStartTag   the name of the last start tag before the input
  switch         whether start tags such as <script> and <title> switch the state as tree construction would, and an
                 initial byte order mark is dropped; false runs the tokenizer alone, as test suites expect
  fragment       the context element of a fragment, as in `tabulex parse --fragment`
  scripting      whether scripting is enabled
  shadowRoots    whether declarative shadow roots are enabled
  format         of a tree: "tree", the html5lib dump (the default), "html", "json" or "xml"
  limits         an object with the limits of `tabulex parse --limit`; null lifts a limit
  flags          host flags declared by the dialect's table, such as {"parsing-context":"module"} in sky
  chunk          a number N: feed the input N bytes at a time; the result does not depend on it

All keys except `do` and `input` are optional; null counts as absent, and unknown keys are ignored.

the response: {"tokens":[...],"errors":[{"code","line","col","start","end"}]}
or, to "parse": {"tree":...,"errors":[...]}, where the tree is a string or, with "format":"json", a value;
with "events":["..."] if limits were reached
or, for url, {"json":{"href":...},"errors":[...]}, or {"failure":true,"errors":[...]} if the input is invalid
or, to an invalid request: {"error":"..."}

Tokens have the format of the html5lib tokenizer tests. Responses are flushed when no further line is waiting.

example: echo '{"do":"tokens","input":"<b>x</b>"}' | tabulex batch"#;

/// Size in bytes of the input and output buffers.
const BUFFER_SIZE: usize = 64 * 1024;

/// Default maximum length of a line in bytes.
pub(crate) const MAX_LINE_LEN: usize = 64 << 20;

pub(crate) fn declare() -> Command {
    Command::new("batch").about("answers requests in JSON lines").after_help(AFTER_HELP).arg(
        option(
            "max-line",
            "N",
            "maximum line length in bytes (67108864); the answer to a longer line is an error",
        )
        .value_parser(value_parser!(usize)),
    )
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let max_len = matches.get_one("max-line").copied().unwrap_or(MAX_LINE_LEN);
    let input = BufReader::with_capacity(BUFFER_SIZE, io::stdin().lock());
    answer_lines(input, &mut BufWriter::with_capacity(BUFFER_SIZE, io::stdout().lock()), max_len)
}

/// Answers each line of the input with a line. `max_len` is the maximum length of a line in bytes.
pub(crate) fn answer_lines(
    mut input: BufReader<impl io::Read>,
    out: &mut dyn Write,
    max_len: usize,
) -> Result<(), Failure> {
    let mut progress = Progress::new(None);
    let mut line = Vec::new();
    loop {
        // If no complete request is buffered, the peer may be waiting for the answers so far before it sends the next
        // one.
        if !input.buffer().contains(&b'\n') {
            out.flush()?;
        }
        line.clear();
        let length = read_line(&mut input, max_len, &mut line)
            .map_err(|error| Failure::unreadable("standard input", &error))?;
        if length == 0 {
            return Ok(out.flush()?);
        }
        let request = if length > (max_len as u64).saturating_add(1) {
            Err(format!("the line is longer than {max_len} bytes; `--max-line` raises the limit"))
        } else {
            parse_request(line.trim_ascii_end())
        };
        match request {
            Ok(request) => request.answer(out)?,
            Err(message) => {
                out.write_all(b"{\"error\":")?;
                json::to_writer(out, &message)?;
                out.write_all(b"}")?;
            }
        }
        out.write_all(b"\n")?;
        progress.advance(usize::try_from(length).unwrap_or(usize::MAX));
    }
}

/// Reads a line including its end, and returns its length. The content of a line with more than `max_len` bytes before
/// its end is dropped, and the length returned for it is at least `max_len + 2`.
fn read_line(input: &mut impl BufRead, max_len: usize, line: &mut Vec<u8>) -> io::Result<u64> {
    let max_read = (max_len as u64).saturating_add(1);
    let mut length = input.by_ref().take(max_read).read_until(b'\n', line)? as u64;
    if length < max_read || line.ends_with(b"\n") {
        return Ok(length);
    }
    line.clear();
    line.shrink_to(BUFFER_SIZE);
    loop {
        let piece_len = input.by_ref().take(BUFFER_SIZE as u64).read_until(b'\n', line)?;
        length += piece_len as u64;
        let is_last = piece_len == 0 || line.ends_with(b"\n");
        line.clear();
        if is_last {
            return Ok(length.max(max_read.saturating_add(1)));
        }
    }
}

/// A request, given by one line.
struct Request {
    kind: RequestKind,
    input: String,
    /// Number of bytes to feed at a time; `None` feeds the whole input at once.
    chunk_size: Option<usize>,
}

/// The action of a request: tokenize, parse, or parse a record, with its parameters.
enum RequestKind {
    Tokens(TokenRequest),
    Tree(Box<dyn AnyParser>, Form),
    /// The dialect of records, and the base to which the input is relative, if any.
    Record(&'static RecordDialect, Option<String>),
}

/// Keys that must be absent or null in requests for dialects of records, where they could have no effect. Other keys of
/// markup are ignored, since each has a value that requests nothing, such as `false`.
const KEYS_OF_MARKUP: &[&str] = &["state", "lastStartTag", "fragment", "limits", "flags"];

/// Parses the line of a request.
fn parse_request(line: &[u8]) -> Result<Request, String> {
    let value = serde_json::from_slice(line).map_err(|error| format!("invalid JSON: {error}"))?;
    let Value::Object(mut object) = value else {
        return Err("a request must be a JSON object".to_owned());
    };
    let action = take_text(&mut object, "do")?.ok_or("missing key `do`")?;
    if action != "tokens" && action != "parse" {
        return Err(format!("`do` must be `tokens` or `parse`, not `{action}`"));
    }
    let dialect = take_text(&mut object, "dialect")?;
    if let Some(dialect) = dialect.as_deref().and_then(find_record_dialect) {
        return parse_record_request(dialect, &action, &mut object);
    }
    let dialect = find_dialect(dialect.as_deref())?;
    let switches_states = boolean(&object, "switch")?;
    let (scripting, shadow_roots) =
        (boolean(&object, "scripting")?, boolean(&object, "shadowRoots")?);
    let fragment = take_text(&mut object, "fragment")?;
    let limits = limits(&mut object, action == "tokens")?;
    let flags = host_flags(dialect, &strings(&object, "flags")?)?;
    let request = ParseRequest {
        errors: true,
        scripting,
        shadow_roots,
        fragment,
        limits,
        flags: flags.clone(),
        ..ParseRequest::default()
    };
    let parser = (action == "parse").then(|| request.parser(dialect)).transpose()?;
    let input = take_text(&mut object, "input")?.ok_or("missing key `input`")?;
    let start = TokenizerStart {
        state: take_text(&mut object, "state")?,
        last_start_tag: take_text(&mut object, "lastStartTag")?,
        keeps_bom: !switches_states,
        limits,
    };
    let chunk_size = number(&object, "chunk")?;
    let kind = match parser {
        Some(_) if start.state.is_some() || start.last_start_tag.is_some() => {
            return Err("`state` and `lastStartTag` require `do` to be `tokens`".to_owned());
        }
        Some(parser) => {
            let format = take_text(&mut object, "format")?;
            let format = format.as_deref().map_or(Ok(Format::default()), Format::find)?;
            RequestKind::Tree(parser, Form::of(dialect, format, &request)?)
        }
        None => RequestKind::Tokens(TokenRequest {
            tokenizer: start.tokenizer(dialect)?,
            flags,
            mode_dialect: switches_states.then_some(dialect),
            errors: true,
            limits,
        }),
    };
    Ok(Request { kind, input, chunk_size })
}

/// Parses the fields of a request for a dialect of records, apart from `do` and `dialect`.
fn parse_record_request(
    dialect: &'static RecordDialect,
    action: &str,
    object: &mut Map<String, Value>,
) -> Result<Request, String> {
    if action != "parse" {
        let id = dialect.id;
        return Err(format!(
            "the dialect `{id}` yields records, not tokens, so `do` must be `parse`"
        ));
    }
    let has_value = |key: &&&str| object.get(**key).is_some_and(|value| !value.is_null());
    if let Some(key) = KEYS_OF_MARKUP.iter().find(has_value) {
        return Err(format!("`{key}` does not apply to the dialect `{}`", dialect.id));
    }
    let base = take_text(object, "base")?;
    let input = take_text(object, "input")?.ok_or("missing key `input`")?;
    let chunk_size = number(object, "chunk")?;
    Ok(Request { kind: RequestKind::Record(dialect, base), input, chunk_size })
}

/// Takes the string with this key out of the object, if it is present and not null.
fn take_text(object: &mut Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match object.get_mut(key).map(Value::take) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("`{key}` must be a string")),
    }
}

/// Whether the value with this key is true; false if it is absent or null.
fn boolean(object: &Map<String, Value>, key: &str) -> Result<bool, String> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(false),
        Some(value) => value.as_bool().ok_or_else(|| format!("`{key}` must be `true` or `false`")),
    }
}

/// Returns the members of the object with this key, all of which must be strings; empty if that is absent or null.
fn strings(object: &Map<String, Value>, key: &str) -> Result<Vec<(String, String)>, String> {
    let members = match object.get(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(value) => value.as_object().ok_or_else(|| format!("`{key}` must be an object"))?,
    };
    let members = members.iter().map(|(name, value)| match value.as_str() {
        Some(value) => Ok((name.clone(), value.to_owned())),
        None => Err(format!("`{name}` in `{key}` must be a string")),
    });
    members.collect()
}

/// Returns the positive integer with this key, or `None` if it is absent or null.
fn number(object: &Map<String, Value>, key: &str) -> Result<Option<usize>, String> {
    let Some(value) = object.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
    let number = value.as_u64().filter(|&number| number > 0);
    let number = number.ok_or_else(|| format!("`{key}` must be a positive integer"))?;
    Ok(Some(usize::try_from(number).unwrap_or(usize::MAX)))
}

impl Request {
    fn answer(self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"{")?;
        match self.kind {
            RequestKind::Tokens(request) => {
                out.write_all(b"\"tokens\":")?;
                let mut printer = Json::new(out, ",")?;
                let (errors, events) = request.print(&self.input, self.chunk_size, &mut printer)?;
                printer.finish()?;
                out.write_all(b",\"errors\":")?;
                json::write_errors(out, &self.input, &errors, ",")?;
                answer::write_events(out, &events)?;
            }
            RequestKind::Record(dialect, base) => {
                let record = (dialect.read)(&self.input, base.as_deref(), self.chunk_size);
                answer::write_record(out, &record, &self.input)?;
            }
            RequestKind::Tree(mut parser, form) => {
                feed(&self.input, self.chunk_size, |piece| parser.feed(piece));
                answer::write_tree(out, &parser.finish_and_reset(), &form, Some(&self.input))?;
            }
        }
        out.write_all(b"}")
    }
}

/// Returns the limits in a request.
fn limits(object: &mut Map<String, Value>, is_for_tokens: bool) -> Result<Limits, String> {
    let mut limits = Limits::new();
    let members = match object.remove("limits") {
        None | Some(Value::Null) => return Ok(limits),
        Some(Value::Object(members)) => members,
        Some(_) => return Err("`limits` must be an object".to_owned()),
    };
    check_token_limits(members.keys().map(String::as_str).filter(|_| is_for_tokens))?;
    for (name, value) in &members {
        let message = || format!("the limit `{name}` must be a non-negative integer or null");
        let value = if value.is_null() { u64::MAX } else { value.as_u64().ok_or_else(message)? };
        limits = set_limit(limits, name, value)?;
    }
    Ok(limits)
}
