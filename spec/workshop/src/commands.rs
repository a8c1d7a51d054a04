//! The commands on tables, which `cargo xtask` and `cargo tabulex table` share. The first comment of a command's file
//! is the command's help text.

mod check;
mod diff;
mod fmt;
mod graph;
mod impact;
#[cfg(feature = "server")]
mod lsp;
mod run;
mod watch;
mod witness;

use crate::home::Home;
use crate::{Failure, Outcome};

/// A command on tables.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Name of the command.
    pub name: &'static str,
    /// Text of the command's file, which begins with the help.
    file: &'static str,
    run: fn(&Home, lexopt::Parser) -> Outcome,
}

macro_rules! commands {
    ($($(#[$condition:meta])? $name:ident),* $(,)?) => {
        &[$($(#[$condition])? Command {
            name: stringify!($name),
            file: include_str!(concat!("commands/", stringify!($name), ".rs")),
            run: $name::run,
        }),*]
    };
}

/// Finds a command by name.
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// All commands, in the order of the help.
pub const COMMANDS: &[Command] = commands![
    check,
    run,
    witness,
    graph,
    fmt,
    impact,
    diff,
    watch,
    #[cfg(feature = "server")]
    lsp
];

impl Command {
    /// Returns the help text: the leading comment of the file, with the program's name.
    pub fn help(&self, home: &Home) -> String {
        first_comment(self.file).replace("cargo xtask", home.program)
    }

    /// Returns the help up to the first period or colon, in one line.
    pub fn about(&self, home: &Home) -> String {
        let help = self.help(home);
        let about = help.split_once(['.', ':']).map_or(&help[..], |(sentence, _)| sentence);
        about.replace('\n', " ")
    }

    /// Runs the command, or prints its help if the arguments ask for it.
    ///
    /// # Errors
    ///
    /// Returns a message if the arguments are invalid, a file cannot be read, or output cannot be written.
    pub fn run(&self, home: &Home, arguments: Vec<std::ffi::OsString>) -> Outcome {
        if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
            home.print(&self.help(home));
            return home.take_write_error().map_or(Ok(true), Err);
        }
        let outcome = (self.run)(home, lexopt::Parser::from_args(arguments))?;
        home.take_write_error().map_or(Ok(outcome), Err)
    }
}

/// Returns the `//!` comment at the start of a file, without the marks.
pub fn first_comment(file: &str) -> String {
    let lines = file.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect()
}

/// Converts an error of the argument parser to a message.
pub(crate) fn failure(error: lexopt::Error) -> Failure {
    error.to_string()
}

/// Parses the value of an option as text.
pub(crate) fn text(parser: &mut lexopt::Parser) -> Result<String, Failure> {
    parser.value().and_then(lexopt::ValueExt::string).map_err(failure)
}

/// Parses the value of the option `--name` as a number.
pub(crate) fn number<T: std::str::FromStr>(
    parser: &mut lexopt::Parser,
    name: &str,
) -> Result<T, Failure> {
    let value = text(parser)?;
    value.parse().map_err(|_| format!("`--{name}` expects a number, found `{value}`"))
}

/// Parses the value of `--format`, which must be one of `formats`.
pub(crate) fn format(
    parser: &mut lexopt::Parser,
    formats: &[&'static str],
) -> Result<&'static str, Failure> {
    let value = text(parser)?;
    let found = formats.iter().find(|format| **format == value);
    found
        .copied()
        .ok_or_else(|| format!("`--format` expects one of {}, found `{value}`", formats.join(", ")))
}

/// Returns the message that the argument `what` is missing, with an example of the command.
pub fn missing(home: &Home, what: &str, example: &str) -> Failure {
    format!("{what} is missing; for example: `{} {example}`", home.program)
}
