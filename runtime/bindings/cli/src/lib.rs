//! The program `tabulex`: prints tokens and trees of files, and answers JSON lines. Errors in the markup do not make it
//! fail; each kind of failure has its exit status, and a broken pipe ends it quietly with status 0.

mod answer;
mod arguments;
mod batch;
mod colours;
mod excerpt;
mod failure;
mod files;
mod form;
mod input;
mod json;
mod near;
#[cfg(feature = "pages")]
mod pages;
mod parse;
mod parse_many;
mod progress;
mod recorder;
mod request;
#[cfg(feature = "select")]
mod select;
#[cfg(feature = "table")]
mod table;
mod text;
mod tokens;
mod visible;

use clap::ArgMatches;
use failure::Failure;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use tabulex::dialects;

/// A command: its declaration and its function.
struct Command {
    declare: fn() -> clap::Command,
    run: fn(&ArgMatches) -> Result<(), Failure>,
}

const COMMANDS: &[Command] = &[
    Command { declare: tokens::declare, run: tokens::run },
    Command { declare: batch::declare, run: batch::run },
    Command { declare: parse::declare, run: parse::run },
    #[cfg(feature = "select")]
    Command { declare: select::declare, run: select::run },
    #[cfg(feature = "table")]
    Command { declare: table::declare, run: table::run },
    #[cfg(feature = "pages")]
    Command { declare: pages::declare_completions, run: pages::completions },
    #[cfg(feature = "pages")]
    Command { declare: pages::declare_manual, run: pages::manual },
];

/// Whether a thread has panicked.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let print_panic = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        HAS_PANICKED.store(true, Ordering::Relaxed);
        print_panic(panic);
    }));
    let result = catch_unwind(AssertUnwindSafe(|| run().and_then(|()| Ok(io::stdout().flush()?))));
    // A thread that panicked may have left work undone, even if the result is `Ok`.
    if HAS_PANICKED.load(Ordering::Relaxed) {
        report("this is a bug in the program, not in the input; the output may be incomplete");
        return ExitCode::from(4);
    }
    match result {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            // `Limited` and `Refused` stand for failures that were reported when they occurred.
            if !matches!(failure, Failure::Limited | Failure::Refused) {
                report(&failure.to_string());
            }
            ExitCode::from(failure.status())
        }
        Err(_) => ExitCode::from(4),
    }
}

#[doc(hidden)]
pub mod __private {
    //! Entry points for tests that run without a process. Not a public interface.

    /// Returns the answers of the command `batch` to these lines.
    ///
    /// # Errors
    ///
    /// The message of the failure with which the command would end.
    pub fn batch(lines: &[u8]) -> Result<Vec<u8>, String> {
        use crate::batch::{MAX_LINE_LEN, answer_lines};
        let mut answers = Vec::new();
        let result = answer_lines(std::io::BufReader::new(lines), &mut answers, MAX_LINE_LEN);
        result.map(|()| answers).map_err(|failure| failure.to_string())
    }
}

/// Writes a line to standard error.
fn report(message: &str) {
    // If this write fails, there is nowhere to report it.
    let _ = writeln!(io::stderr(), "tabulex: {}", visible::text(message));
}

/// Declares the program with its commands and their arguments.
fn declare() -> clap::Command {
    let mut after_help = "dialects, the default one first:\n".to_owned();
    let width = dialects().iter().map(|dialect| dialect.id().len()).max().unwrap_or(0);
    for dialect in dialects() {
        after_help += &format!("  {:<width$}  {}\n", dialect.id(), dialect.document());
    }
    if cfg!(not(feature = "all-dialects")) {
        after_help +=
            "The feature `all-dialects` of tabulex-cli, enabled by default, adds the others.\n";
    }
    after_help += "
status:
  0  success, also if the markup has errors
  1  a table has errors or is not formatted
  2  invalid arguments or unreadable files
  3  a limit was reached; a line on standard error tells which and where
  4  a bug in this program

example: tabulex tokens page.html --format json --errors";
    clap::Command::new("tabulex")
        .bin_name("tabulex")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Tokenizes and parses markup exactly as its standard requires, with errors and positions.")
        .after_help(after_help)
        .propagate_version(true)
        .subcommand_required(true)
        .subcommands(COMMANDS.iter().map(|command| (command.declare)()))
}

fn run() -> Result<(), Failure> {
    let matches = match declare().try_get_matches() {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return Err(Failure::from(error)),
        // The arguments request help or the version, which clap returns as an error.
        Err(text) => return Ok(text.print()?),
    };
    let (name, matches) = matches.subcommand().unwrap_or(("", &matches));
    let command = COMMANDS.iter().find(|command| (command.declare)().get_name() == name);
    command.map_or(Ok(()), |command| (command.run)(matches))
}
