//! The command `table`: the workshop's commands for authors of tables. The built-in tables are those that this program
//! was built from.

use crate::failure::Failure;
use crate::visible;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use tabulex_workshop::commands::COMMANDS;
use tabulex_workshop::home::{Home, Tables};

/// File names and texts of the tables.
const TABLES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/tables.rs"));

fn home() -> Home {
    let mut home = Home::new("tabulex table", Tables::Texts(TABLES));
    home.cache = cache();
    if io::stdout().is_terminal() {
        home.page_text = visible::text;
    }
    home
}

/// Returns the program's folder in the user's cache folder, or `None` if the environment names no such folder.
fn cache() -> Option<std::path::PathBuf> {
    let folder_from_env = |name| {
        std::env::var_os(name).filter(|value| !value.is_empty()).map(std::path::PathBuf::from)
    };
    let cache = folder_from_env("XDG_CACHE_HOME")
        .or_else(|| Some(folder_from_env("HOME")?.join(".cache")))?;
    Some(cache.join("tabulex"))
}

pub(crate) fn declare() -> Command {
    let home = home();
    let commands = COMMANDS.iter().map(|command| {
        let arguments = Arg::new("arguments").num_args(0..).value_parser(value_parser!(OsString));
        // Each command parses its own arguments and prints its own help.
        Command::new(command.name)
            .about(command.about(&home))
            .disable_help_flag(true)
            .arg(arguments.trailing_var_arg(true).allow_hyphen_values(true))
    });
    Command::new("table")
        .about("checks, runs, compares and formats state tables of built-in dialects or of files")
        .after_help("See `tabulex table COMMAND --help` for each command.\n\nexample: tabulex table run my.states '<p>' --trace")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands(commands)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else { return Ok(()) };
    let arguments = matches.get_many("arguments").into_iter().flatten().cloned().collect();
    match command.run(&home(), arguments) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::Refused),
        Err(message) => Err(Failure::Message(message)),
    }
}
