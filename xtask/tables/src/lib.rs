//! Where tables and the commands on them are found in this workspace; the package `xtask` uses it as well.

pub mod root;

use tabulex_workshop::commands::{COMMANDS, Command};

/// Why a command failed: the message, which is empty if all has been said.
pub type Failure = String;

/// The commands on tables that `cargo xtask` lists, in their order.
const NAMES: [&str; 7] = ["check", "fmt", "run", "watch", "impact", "witness", "graph"];

/// The commands on tables.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    NAMES.iter().filter_map(|name| COMMANDS.iter().find(|command| command.name == *name))
}

/// The comment that a file begins with: the help of the command that it holds.
pub fn first_comment(file: &str) -> String {
    let lines = file.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect()
}
