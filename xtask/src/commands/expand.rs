//! Prints the generated code of a dialect or of a table file, as rustc receives it from the macro.
//!
//! usage: cargo xtask expand DIALECT|FILE [STATE|MODE|ALGORITHM] [--explain|--plain]
//!
//!   STATE …     prints only what belongs to the state, mode or algorithm of this name
//!   --explain   prints the compiler's choices and their reasons instead: order, likely bytes, runs passed in bulk
//!   --plain     without the table's rows as comments, and with each block indented
//!
//! example: cargo xtask expand html tag-name

use crate::{Outcome, root, step};
use std::ffi::OsString;
use tabulex_workshop::arguments::Arguments;
use tabulex_workshop::commands::missing;

/// Runs `cargo xtask expand`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let arguments = Arguments::parse(arguments, &["explain", "plain"], 2)?;
    let (name, part) = (arguments.values.first(), arguments.values.get(1));
    let name = name.ok_or_else(|| missing(&root::home(), "a table", "expand html"))?;
    let table = root::home().table(name)?;
    table.messages().iter().for_each(|message| eprint!("{message}"));
    let Some(machine) = table.machine else { return Ok(false) };
    let mut compiled = tabulex_compiler::compile(&machine);
    if arguments.has("explain") {
        let text = tabulex_compiler::explain::explain(&compiled);
        let is_about =
            |line: &&str| part.is_none_or(|part| line.split_whitespace().next() == Some(&part[..]));
        let lines = text.lines().filter(is_about);
        step::say(&lines.map(|line| format!("{line}\n")).collect::<String>());
        return Ok(true);
    }
    if arguments.has("plain") && part.is_some() {
        return Err(
            "`--plain` cannot be combined with the name of a state, mode or algorithm".to_owned()
        );
    }
    compiled.is_for_display = !arguments.has("plain");
    let file = syn::parse2(tabulex_compiler::generate::module(&compiled))
        .map_err(|error| format!("the generated code is not valid Rust: {error}"))?;
    let code = tabulex_compiler::print::uncover(&prettyplease::unparse(&file));
    step::say(&match part {
        None => code,
        Some(part) => tabulex_compiler::print::part(&code, part).ok_or_else(|| {
            format!(
                "`{part}` of `{name}` has no generated code: it is no state, mode or algorithm, or `runtime/core` \
                 implements it (see `macros/compiler/src/natives.list`)"
            )
        })?,
    });
    Ok(true)
}
