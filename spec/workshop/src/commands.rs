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
use std::ffi::OsString;

/// A command that works on tables.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Name of the command.
    pub name: &'static str,
    /// Source text of the command's module, which begins with the help.
    source: &'static str,
    run: fn(&Home, Vec<OsString>) -> Outcome,
}

macro_rules! commands {
    ($($(#[$condition:meta])? $name:ident),* $(,)?) => {
        &[$($(#[$condition])? Command {
            name: stringify!($name),
            source: include_str!(concat!("commands/", stringify!($name), ".rs")),
            run: $name::run,
        }),*]
    };
}

/// Returns the command with the given name, or `None` if there is none.
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
    /// Returns the help text: the leading comment of the command's module, with the program's name filled in.
    pub fn help(&self, home: &Home) -> String {
        first_comment(self.source).replace("cargo xtask", home.program)
    }

    /// Returns the help text up to the first period or colon, on one line.
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
    pub fn run(&self, home: &Home, arguments: Vec<OsString>) -> Outcome {
        if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
            home.print(&self.help(home));
            return home.take_write_error().map_or(Ok(true), Err);
        }
        let outcome = (self.run)(home, arguments)?;
        home.take_write_error().map_or(Ok(outcome), Err)
    }
}

/// Returns the `//!` comment at the start of a file, without the comment markers.
pub fn first_comment(file: &str) -> String {
    let lines = file.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect()
}

/// Returns the message that the argument `what` is missing, with an example of the command.
pub fn missing(home: &Home, what: &str, example: &str) -> Failure {
    format!("{what} is missing; for example: `{} {example}`", home.program)
}
