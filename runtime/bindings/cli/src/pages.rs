//! Shell completions and the manual page, generated from the declaration of the arguments.

use crate::failure::Failure;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use std::io::{self, Write};

/// Declares the command `completions`.
pub(crate) fn declare_completions() -> Command {
    let shell =
        Arg::new("shell").value_name("SHELL").required(true).value_parser(value_parser!(Shell));
    Command::new("completions")
        .about("prints a completion script for a shell")
        .arg(shell)
        .after_help("example: tabulex completions bash > /etc/bash_completion.d/tabulex")
}

/// Prints the completion script of a shell.
pub(crate) fn completions(matches: &ArgMatches) -> Result<(), Failure> {
    let shell = *matches.get_one::<Shell>("shell").unwrap_or(&Shell::Bash);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut crate::declare(), "tabulex", &mut script);
    print(&script)
}

/// Declares the command `manual`.
pub(crate) fn declare_manual() -> Command {
    Command::new("manual")
        .about("prints the manual page in roff")
        .after_help("example: tabulex manual > tabulex.1")
}

/// Prints the manual page: the page of the program, then sections for each command.
pub(crate) fn manual(_: &ArgMatches) -> Result<(), Failure> {
    let mut page = Vec::new();
    let mut program = crate::declare();
    program.build();
    clap_mangen::Man::new(program.clone()).render(&mut page)?;
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        let man = clap_mangen::Man::new(command.clone());
        writeln!(page, ".SH \"TABULEX {}\"", command.get_name().to_uppercase())?;
        man.render_description_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_options_section(&mut page)?;
        man.render_extra_section(&mut page)?;
    }
    print(&page)
}

fn print(page: &[u8]) -> Result<(), Failure> {
    Ok(io::stdout().lock().write_all(page)?)
}
