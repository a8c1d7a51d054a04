//! The commands of `cargo xtask` that involve more than tables. The first comment of a file in `commands` is its
//! command's help; the package `xtask-tables` lists the commands and prints their help.

mod commands;
mod documents;
mod files;
mod step;
mod wasm;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;
use xtask_tables::{Failure, root};

/// Result of a command: whether it found no problems, or the reason for its failure.
pub(crate) type Outcome = Result<bool, Failure>;

fn main() -> ExitCode {
    let outcome =
        run().and_then(|is_clean| step::WRITE_ERROR.get().cloned().map_or(Ok(is_clean), Err));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            // An error of this write is ignored, because there is nowhere else to report it.
            let _ = writeln!(std::io::stderr(), "xtask: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Outcome {
    let mut arguments = std::env::args_os().skip(1);
    root::find()?;
    let name = arguments.next().unwrap_or_default().to_string_lossy().into_owned();
    let arguments: Vec<OsString> = arguments.collect();
    match &name[..] {
        "bench" => commands::bench::run(arguments),
        "campaign" => commands::campaign::run(arguments),
        "ci" => commands::ci::run(arguments),
        "diff" => commands::diff::run(arguments),
        "differences" => commands::differences::run(arguments),
        "expand" => commands::expand::run(arguments),
        "explore" => commands::explore::run(arguments),
        "package" => commands::package::run(arguments),
        "python" => commands::python::run(arguments),
        _ => Err(format!("unknown command `{name}`; see `cargo xtask --help`")),
    }
}
