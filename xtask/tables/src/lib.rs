//! The tables of this workspace and the commands on them, which the package `xtask` shares.

pub mod root;

pub use tabulex_workshop::commands::first_comment;
use tabulex_workshop::commands::{COMMANDS, Command};

/// The message of a failed command.
pub type Failure = String;

/// Names of the commands on tables that `cargo xtask` lists, in order.
const COMMAND_NAMES: [&str; 7] = ["check", "fmt", "run", "watch", "impact", "witness", "graph"];

/// Returns the commands on tables that `cargo xtask` lists, in order.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    COMMAND_NAMES.iter().filter_map(|name| COMMANDS.iter().find(|command| command.name == *name))
}
