//! Prints the generated code of a dialect or of a table file, as rustc receives it from the macro.
//!
//! usage: cargo xtask expand DIALECT|FILE [--explain|--plain]
//!
//!   --explain   prints the compiler's choices and their reasons instead: order, likely bytes, runs passed in bulk
//!   --plain     without the table's rows as comments, and with each block indented
//!
//! example: cargo xtask expand html-2013 --explain

use crate::{Outcome, root, step};
use lexopt::{Arg, ValueExt as _};
use tabulex_workshop::commands::missing;

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let (mut table, mut is_explanation, mut is_plain) = (None, false, false);
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        match arg {
            Arg::Long("explain") => is_explanation = true,
            Arg::Long("plain") => is_plain = true,
            Arg::Value(value) if table.is_none() => {
                table = Some(value.string().map_err(|error| error.to_string())?);
            }
            other => return Err(other.unexpected().to_string()),
        }
    }
    let name = table.ok_or_else(|| missing(&root::home(), "a table", "expand html"))?;
    let table = root::home().table(&name)?;
    table.messages().iter().for_each(|message| eprint!("{message}"));
    let Some(machine) = table.machine else { return Ok(false) };
    let mut compiled = tabulex_compiler::compile(&machine);
    if is_explanation {
        step::say(&tabulex_compiler::explain::explain(&compiled));
        return Ok(true);
    }
    compiled.is_for_display = !is_plain;
    let file = syn::parse2(tabulex_compiler::generate::module(&compiled))
        .map_err(|error| format!("the generated code is not valid Rust: {error}"))?;
    step::say(&tabulex_compiler::print::uncover(&prettyplease::unparse(&file)));
    Ok(true)
}
