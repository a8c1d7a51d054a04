//! Locates tables and the commands on them in this workspace, also for the package `xtask`.

pub mod root;

pub use tabulex_workshop::commands::first_comment;
use tabulex_workshop::commands::{COMMANDS, Command};

/// The message of a failed command; empty if everything has been printed.
pub type Failure = String;

/// The commands on tables that `cargo xtask` lists, in order.
const NAMES: [&str; 7] = ["check", "fmt", "run", "watch", "impact", "witness", "graph"];

/// Returns the commands on tables.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    NAMES.iter().filter_map(|name| COMMANDS.iter().find(|command| command.name == *name))
}
