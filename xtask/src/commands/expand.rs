//! Prints the generated code of a dialect or of a table file, as rustc receives it from the macro.
//!
//! usage: cargo xtask expand DIALECT|FILE [--explain|--plain]
//!
//!   --explain   prints the compiler's choices and their reasons instead: order, likely bytes, runs passed in bulk
//!   --plain     without the table's rows as comments, and with each block indented
//!
//! example: cargo xtask expand html-2013 --explain

use crate::{Outcome, root, step};
use std::ffi::OsString;
use tabulex_workshop::arguments::Arguments;
use tabulex_workshop::commands::missing;

/// Runs the command.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let arguments = Arguments::parse(arguments, &["explain", "plain"], 1)?;
    let name = arguments.values.first();
    let name = name.ok_or_else(|| missing(&root::home(), "a table", "expand html"))?;
    let table = root::home().table(name)?;
    table.messages().iter().for_each(|message| eprint!("{message}"));
    let Some(machine) = table.machine else { return Ok(false) };
    let mut compiled = tabulex_compiler::compile(&machine);
    if arguments.has("explain") {
        step::say(&tabulex_compiler::explain::explain(&compiled));
        return Ok(true);
    }
    compiled.is_for_display = !arguments.has("plain");
    let file = syn::parse2(tabulex_compiler::generate::module(&compiled))
        .map_err(|error| format!("the generated code is not valid Rust: {error}"))?;
    step::say(&tabulex_compiler::print::uncover(&prettyplease::unparse(&file)));
    Ok(true)
}
