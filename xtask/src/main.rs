//! What a maintainer of tables runs: `cargo xtask COMMAND`. It compiles nothing and checks no table itself (`spec` and
//! the compiler do). Invariant: every command is one file, whose first comment is its help; those on
//! tables alone are the workshop's.

mod commands;
mod documents;
mod root;
mod step;
mod wasm;

use std::io::Write as _;
use std::process::ExitCode;
use tabulex_language::nearest;
use tabulex_workshop::commands as workshop;

/// Why a command failed: the message, which is empty if all has been said.
pub(crate) type Failure = String;

/// What a command ends with: whether it found all well.
pub(crate) type Outcome = Result<bool, Failure>;

/// A command.
struct Command {
    name: &'static str,
    /// The text of its file; the first comment is the help.
    file: &'static str,
    run: fn(lexopt::Parser) -> Outcome,
}

macro_rules! commands {
    ($($name:ident),*) => {
        &[$(Command {
            name: stringify!($name),
            file: include_str!(concat!("commands/", stringify!($name), ".rs")),
            run: commands::$name::run,
        }),*]
    };
}

const COMMANDS: &[Command] = commands![
    diff,
    history,
    ledger,
    suites,
    wasm,
    differences,
    expand,
    explore,
    conformance,
    campaign,
    features,
    semver,
    adopters,
    fuzz,
    mutants,
    survivors,
    variants,
    bench,
    sizes,
    package,
    python,
    tidy,
    trust,
    ci
];

fn main() -> ExitCode {
    let outcome = run().and_then(|is_well| step::LOST.get().cloned().map_or(Ok(is_well), Err));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            // A reader that has gone away is no failure.
            let _ = writeln!(std::io::stderr(), "xtask: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Outcome {
    let mut arguments = std::env::args_os().skip(1);
    root::find()?;
    let Some(name) = arguments.next() else {
        return Err(format!("a command is missing\n\n{}", help()));
    };
    if name == "--help" || name == "-h" {
        step::say(&help());
        return Ok(true);
    }
    let arguments: Vec<_> = arguments.collect();
    if let Some(command) = workshop().find(|command| name == command.name) {
        return command.run(&root::home(), arguments);
    }
    let Some(command) = COMMANDS.iter().find(|command| name == command.name) else {
        let names: Vec<&str> = workshop()
            .map(|command| command.name)
            .chain(COMMANDS.iter().map(|command| command.name))
            .collect();
        let name = name.to_string_lossy();
        let near = nearest(&name, &names).map(|near| format!(": {near}"));
        return Err(format!("unknown command {name:?}{}\n\n{}", near.unwrap_or_default(), help()));
    };
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        step::say(&first_comment(command.file));
        return Ok(true);
    }
    (command.run)(lexopt::Parser::from_args(arguments))
}

/// The commands of the workshop, but one that has documents to compare with here.
fn workshop() -> impl Iterator<Item = &'static workshop::Command> {
    workshop::COMMANDS.iter().filter(|it| COMMANDS.iter().all(|own| own.name != it.name))
}

/// The comment that a file begins with.
fn first_comment(file: &str) -> String {
    let lines = file.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect()
}

fn help() -> String {
    let mut text = "usage: cargo xtask COMMAND [OPTIONS]\n\ncommands:\n".to_owned();
    let home = root::home();
    for command in workshop() {
        text += &format!("  {:<12} {}\n", command.name, command.about(&home));
    }
    for command in COMMANDS {
        let comment = first_comment(command.file);
        let about = comment.split_once(['.', ':']).map_or(&comment[..], |(sentence, _)| sentence);
        text += &format!("  {:<12} {}\n", command.name, about.replace('\n', " "));
    }
    text += "\n`cargo xtask COMMAND --help` says more of each.\n\nexample: cargo xtask check\n";
    text
}
