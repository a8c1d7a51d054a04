//! The program behind `cargo xtask COMMAND`. It runs the commands on tables itself, and builds and runs the package
//! `xtask` for all others, so that checking a table compiles neither the reader of documents nor the compiler.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Command, ExitCode};
use tabulex_language::nearest;
use xtask_tables::{Failure, commands, first_comment, root};

/// The title of a group of commands of the package `xtask`, and for each command its name and source text.
type Group = (&'static str, &'static [(&'static str, &'static str)]);

macro_rules! group {
    ($title:literal: $($name:ident),*) => {
        ($title, &[$((
            stringify!($name),
            include_str!(concat!("../../src/commands/", stringify!($name), ".rs")),
        )),*])
    };
}

const OTHER_COMMANDS: &[Group] = &[
    group!("generated code": expand),
    group!("documents": diff),
    group!("tests": ci, campaign, differences, bench),
    group!("release": package, python, explore),
];

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            // An error of this write is ignored, because there is nowhere else to report it.
            let _ = writeln!(std::io::stderr(), "xtask: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, Failure> {
    root::find()?;
    let mut arguments = std::env::args_os().skip(1);
    let Some(name) = arguments.next() else {
        return Err(format!("a command is missing\n\n{}", help()));
    };
    let arguments: Vec<OsString> = arguments.collect();
    let home = root::home();
    if name == "--help" || name == "-h" {
        say(&help());
        return Ok(ExitCode::SUCCESS);
    }
    // `commands` does not list `lsp`, because editors run it rather than users.
    let language_server =
        tabulex_workshop::commands::find("lsp").filter(|command| name == command.name);
    if let Some(command) =
        language_server.or_else(|| commands().find(|command| name == command.name))
    {
        let is_clean = command.run(&home, arguments)?;
        return Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let others = OTHER_COMMANDS.iter().flat_map(|(_, commands)| commands.iter());
    if let Some((_, source)) = others.clone().find(|(other, _)| name == *other) {
        if arguments.first().is_some_and(|argument| argument == "--help" || argument == "-h") {
            say(&first_comment(source));
            return Ok(ExitCode::SUCCESS);
        }
        return run_xtask(&name, &arguments);
    }
    let names: Vec<&str> =
        commands().map(|command| command.name).chain(others.map(|(name, _)| *name)).collect();
    let name = name.to_string_lossy();
    let suggestion =
        nearest(&name, &names).map(|suggestion| format!(": {suggestion}")).unwrap_or_default();
    Err(format!("unknown command `{name}`{suggestion}\n\n{}", help()))
}

/// Prints to standard output; errors are ignored.
fn say(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Builds the package `xtask`, and runs one of its commands.
fn run_xtask(name: &OsString, arguments: &[OsString]) -> Result<ExitCode, Failure> {
    let program = format!("debug/xtask{}", std::env::consts::EXE_SUFFIX);
    let own_path = std::env::current_exe().unwrap_or_default();
    if !own_path.ancestors().nth(2).is_some_and(|target| target.join(&program).exists()) {
        eprintln!("building the other commands; the first build takes minutes");
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--package", "xtask", "--"]).arg(name).args(arguments);
    let status = command.status().map_err(|error| format!("cannot run `{command:?}`: {error}"))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn help() -> String {
    let home = root::home();
    let mut text = "usage: cargo xtask COMMAND [OPTIONS]\n\ntables\n".to_owned();
    for command in commands() {
        text += &command_line(command.name, &command.about(&home));
    }
    for (title, commands) in OTHER_COMMANDS {
        text += &format!("\n{title}\n");
        for (name, source) in *commands {
            text += &command_line(name, &first_comment(source));
        }
    }
    text + "\n`cargo xtask COMMAND --help` describes a command.\n\nexample: cargo xtask check\n"
}

/// Formats a command's line in the help: its name, and its help up to the first period or colon.
fn command_line(name: &str, help: &str) -> String {
    let about = help.split(['.', ':']).next().unwrap_or_default();
    format!("  {name:<12} {}\n", about.replace('\n', " "))
}
