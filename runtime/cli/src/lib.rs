//! The program `tabulex`: tokens of files, and a conversation of JSON lines, for people and for other programs. It adds
//! nothing to what the library does. Invariant: erroneous markup is no failure; unusable arguments and files end with
//! status 2, a broken pipe ends quietly with status 0, and nothing panics.

mod answer;
mod arguments;
mod batch;
mod failure;
mod files;
mod form;
mod input;
mod json;
mod parse;
mod parse_many;
mod positions;
mod progress;
mod recorder;
mod request;
mod text;
mod tokens;

use failure::Failure;
use std::io::{self, Write};
use std::process::ExitCode;
use tabulex::dialects;

/// A command: its name, what it does in one line, and its function.
struct Command {
    name: &'static str,
    about: &'static str,
    run: fn(lexopt::Parser) -> Result<(), Failure>,
}

const COMMANDS: &[Command] = &[
    Command { name: "tokens", about: "prints the tokens of a file", run: tokens::run },
    Command { name: "batch", about: "answers JSON lines with JSON lines", run: batch::run },
    Command { name: "parse", about: "prints the tree of a file, or of many", run: parse::run },
];

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let failure = match run().and_then(|()| Ok(io::stdout().flush()?)) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(failure) => failure,
    };
    if failure.is_broken_pipe() {
        return ExitCode::SUCCESS;
    }
    // Each limit that was reached has been reported.
    if !matches!(failure, Failure::Limited) {
        // If this fails, no channel is left to report it on.
        let _ = writeln!(io::stderr(), "tabulex: {failure}");
    }
    ExitCode::from(failure.status())
}

/// What the command `batch` answers to these lines; for tests, which have no process to talk to.
///
/// # Errors
/// What it would end with.
#[doc(hidden)]
pub fn batch(lines: &[u8]) -> Result<Vec<u8>, String> {
    let mut answers = Vec::new();
    let conversed = batch::converse(io::BufReader::new(lines), &mut answers);
    conversed.map(|()| answers).map_err(|failure| failure.to_string())
}

fn run() -> Result<(), Failure> {
    let mut parser = lexopt::Parser::from_env();
    let names = COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>().join(", ");
    match parser.next()? {
        None => Err(Failure::usage(format!("a command is missing: {names}"), "tabulex --help")),
        Some(lexopt::Arg::Long("help") | lexopt::Arg::Short('h')) => print(&help()),
        Some(lexopt::Arg::Long("version") | lexopt::Arg::Short('V')) => {
            print(concat!("tabulex ", env!("CARGO_PKG_VERSION"), "\n"))
        }
        Some(lexopt::Arg::Value(name)) => {
            let found = COMMANDS.iter().find(|command| name == command.name);
            let command = found.ok_or_else(|| {
                let message =
                    format!("unknown command {:?}; there are: {names}", name.to_string_lossy());
                Failure::usage(message, "tabulex --help")
            })?;
            (command.run)(parser)
        }
        Some(other) => Err(Failure::from(other.unexpected()).hint("tabulex --help")),
    }
}

/// Prints a text to standard output.
fn print(text: &str) -> Result<(), Failure> {
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
}

fn help() -> String {
    let mut text = "\
Tokenizes markup exactly as its standard says, with errors and places.

usage: tabulex COMMAND [OPTIONS]

commands:
"
    .to_owned();
    for command in COMMANDS {
        text += &format!("  {:<8} {}\n", command.name, command.about);
    }
    text += "\ndialects, the default one first:\n";
    let width = dialects().iter().map(|dialect| dialect.id().len()).max().unwrap_or(0);
    for dialect in dialects() {
        text += &format!("  {:<width$}  {}\n", dialect.id(), dialect.document());
    }
    text += "
`tabulex COMMAND --help` says more of each; `tabulex --version` prints the version.

example: tabulex tokens page.html --format json --errors
";
    text
}
