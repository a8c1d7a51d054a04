//! Parsing of several files on several threads. The output for each is printed in their order: for the command `parse`
//! a JSON object, like that of `batch`, which also reports a file or folder that cannot be read.

use crate::arguments::SharedArguments;
use crate::failure::Failure;
use crate::form::Form;
use crate::progress::Progress;
use crate::request::ParseRequest;
use crate::{answer, files, json, visible};
use std::ffi::OsString;
use std::io::{self, BufWriter, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use tabulex::encoding::decode;
use tabulex::{Dialect, Event, Parsed, many};

/// The result for a file.
struct Outcome<'p> {
    path: &'p Path,
    /// The output, or a message for standard error.
    output: Result<Vec<u8>, String>,
    bytes: usize,
    is_read: bool,
    /// The limits that took effect.
    events: Vec<Event>,
}

/// Parses the named files and those in the named folders, and prints a line for each.
pub(crate) fn run(
    shared: &SharedArguments,
    dialect: &Dialect,
    (request, form): (&ParseRequest, &Form),
    jobs: Option<NonZeroUsize>,
) -> Result<(), Failure> {
    print_each(&shared.files, dialect, request, jobs, |path, result| {
        Ok(build_line(path, |line| match result {
            Ok((parsed, bytes)) => {
                let text = request.errors.then(|| decode(bytes, parsed.encoding.encoding));
                answer::write_tree(line, parsed, form, text.as_deref())
            }
            Err(message) => {
                line.write_all(b"\"error\":")?;
                json::to_writer(line, message)
            }
        }))
    })
}

/// Parses the named files and those in the named folders, and prints for each, in their order, what `to_output` returns:
/// the output, or a message for standard error. Its arguments are the path, and the result with the bytes, or the message
/// of the error if the file or folder cannot be read.
pub(crate) fn print_each(
    names: &[OsString],
    dialect: &Dialect,
    request: &ParseRequest,
    jobs: Option<NonZeroUsize>,
    to_output: impl Fn(&Path, Result<(&Parsed, &[u8]), &str>) -> Result<Vec<u8>, String> + Sync,
) -> Result<(), Failure> {
    let paths = files::list(names);
    if paths.is_empty() {
        let names = names.iter().map(|name| format!("`{}`", visible::name(Path::new(name))));
        let names: Vec<_> = names.collect();
        crate::report(&format!("there are no files in {}", names.join(", ")));
    }
    let file_metadata = paths.iter().filter_map(|path| path.as_ref().ok()?.metadata().ok());
    let mut progress =
        Progress::of_files(paths.len(), file_metadata.map(|metadata| metadata.len()).sum());
    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    let (mut unreadable, mut is_limited) = (0, false);
    let result = many::in_order(
        &paths,
        jobs.unwrap_or_else(many::all_cores),
        || request.parser(dialect),
        |parser, path| {
            let (path, bytes) = match path {
                Ok(path) => (path, read(path).map_err(|error| error.to_string())),
                Err((folder, error)) => (folder, Err(error.to_string())),
            };
            let parser = parser.as_mut().map_err(|message| message.clone());
            match parser.and_then(|parser| Ok((parser, bytes?))) {
                Ok((parser, bytes)) => {
                    let parsed = parser.parse_bytes(&bytes);
                    let output = to_output(path, Ok((&parsed, &bytes)));
                    parser.recycle(parsed.tree);
                    let (bytes, events) = (bytes.len(), parsed.events);
                    Outcome { path, output, bytes, is_read: true, events }
                }
                Err(message) => {
                    let output = to_output(path, Err(&message));
                    Outcome { path, output, bytes: 0, is_read: false, events: Vec::new() }
                }
            }
        },
        |outcome| {
            unreadable += usize::from(!outcome.is_read);
            is_limited |= !outcome.events.is_empty();
            for event in &outcome.events {
                crate::report(&format!("{}: {event}", visible::name(outcome.path)));
            }
            progress.advance(outcome.bytes);
            match &outcome.output {
                Ok(output) => {
                    out.write_all(output).map_or_else(ControlFlow::Break, ControlFlow::Continue)
                }
                Err(message) => {
                    crate::report(message);
                    ControlFlow::Continue(())
                }
            }
        },
    );
    result.break_value().map_or(Ok(()), Err)?;
    out.flush()?;
    if unreadable > 0 {
        let all = paths.len();
        return Err(Failure::Message(format!("unreadable files: {unreadable} of {all}")));
    }
    Failure::if_limited(is_limited)
}

/// Reads a file, or standard input for `-`.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() != "-" {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Builds the line `{"file":…,…}` of a file; `write_members` writes the members after the first.
fn build_line(path: &Path, write_members: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Vec<u8> {
    let mut line = Vec::new();
    let write = |line: &mut Vec<u8>| {
        line.write_all(b"{\"file\":")?;
        json::to_writer(line, &path.to_string_lossy())?;
        line.write_all(b",")?;
        write_members(line)?;
        line.write_all(b"}\n")
    };
    // Writing to memory cannot fail.
    let _ = write(&mut line);
    line
}
