//! The command `parse` on several files: prints a JSON object per file, like `batch`, in the order of the files, and
//! parses on several threads. A file or folder that cannot be read is reported in its line.

use crate::arguments::SharedArguments;
use crate::failure::Failure;
use crate::form::Form;
use crate::progress::Progress;
use crate::request::ParseRequest;
use crate::{answer, files, json, visible};
use std::io::{self, BufWriter, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use tabulex::encoding::decode;
use tabulex::{AnyParser, Dialect, Event, many};

/// Maximum number of threads per processor core. More threads would only wait, even for slow files.
const THREADS_PER_CORE: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// The result for a file.
struct Outcome {
    /// The name of the file in messages.
    name: String,
    /// The output line.
    line: Vec<u8>,
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
    let paths = files::list(&shared.files);
    if paths.is_empty() {
        let names: Vec<_> = shared
            .files
            .iter()
            .map(|name| format!("`{}`", visible::name(Path::new(name))))
            .collect();
        crate::report(&format!("there are no files in {}", names.join(", ")));
    }
    let file_metadata = paths.iter().filter_map(|path| path.as_ref().ok()?.metadata().ok());
    let mut progress =
        Progress::of_files(paths.len(), file_metadata.map(|metadata| metadata.len()).sum());
    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    let (mut unreadable, mut is_limited) = (0, false);
    let result = many::in_order(
        &paths,
        threads(jobs, paths.len()),
        || request.parser(dialect),
        |parser, path| match (parser, path) {
            (Ok(parser), Ok(path)) => parse(path, &mut **parser, request, form),
            (Err(message), Ok(path)) => failure_outcome(path, message),
            (_, Err((folder, error))) => failure_outcome(folder, &error.to_string()),
        },
        |outcome| {
            unreadable += usize::from(!outcome.is_read);
            is_limited |= !outcome.events.is_empty();
            for event in &outcome.events {
                crate::report(&format!("{}: {event}", outcome.name));
            }
            progress.advance(outcome.bytes);
            match out.write_all(&outcome.line) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        },
    );
    if let ControlFlow::Break(error) = result {
        return Err(error.into());
    }
    out.flush()?;
    if unreadable > 0 {
        return Err(Failure::Unreadable(unreadable, paths.len()));
    }
    Failure::if_limited(is_limited)
}

/// Returns the number of threads: as requested, or else one per processor core, but at most one per file and
/// [`THREADS_PER_CORE`] per core.
fn threads(requested: Option<NonZeroUsize>, files: usize) -> NonZeroUsize {
    let cores = many::all_cores();
    let max_threads =
        cores.saturating_mul(THREADS_PER_CORE).min(NonZeroUsize::new(files).unwrap_or(cores));
    requested.unwrap_or(cores).min(max_threads)
}

fn parse(path: &Path, parser: &mut dyn AnyParser, request: &ParseRequest, form: &Form) -> Outcome {
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        Err(error) => return failure_outcome(path, &error.to_string()),
    };
    let parsed = parser.parse_bytes(&bytes);
    let text = request.errors.then(|| decode(&bytes, parsed.encoding.encoding));
    let line = build_line(path, |line| answer::write_tree(line, &parsed, form, text.as_deref()));
    parser.recycle(parsed.tree);
    Outcome {
        name: visible::name(path),
        line,
        bytes: bytes.len(),
        is_read: true,
        events: parsed.events,
    }
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() != "-" {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn failure_outcome(path: &Path, message: &str) -> Outcome {
    let line = build_line(path, |line| {
        line.write_all(b"\"error\":")?;
        json::write_string(line, message)
    });
    Outcome { name: visible::name(path), line, bytes: 0, is_read: false, events: Vec::new() }
}

/// Builds the line `{"file":…,…}` of a file; `write_members` writes the members after the first.
fn build_line(path: &Path, write_members: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Vec<u8> {
    let mut line = Vec::new();
    let write = |line: &mut Vec<u8>| {
        line.write_all(b"{\"file\":")?;
        json::write_string(line, &path.to_string_lossy())?;
        line.write_all(b",")?;
        write_members(line)?;
        line.write_all(b"}\n")
    };
    // Writing to memory cannot fail.
    let _ = write(&mut line);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_no_useless_threads() {
        let cores = many::all_cores().get();
        assert_eq!(threads(Some(NonZeroUsize::MAX), 1 << 20).get(), 4 * cores);
        assert_eq!(threads(Some(NonZeroUsize::MAX), 1).get(), 1);
        assert_eq!(threads(None, 1 << 20).get(), cores);
        assert_eq!(threads(NonZeroUsize::new(1), 0).get(), 1);
    }
}
