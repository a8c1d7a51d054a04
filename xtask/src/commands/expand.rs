//! Prints the generated code of a dialect or of a table file, as rustc receives it from the macro.
//!
//! usage: cargo xtask expand DIALECT|FILE [--explain|--plain]
//!
//!   --explain   prints the choices made for the code instead: order, likely bytes, runs passed in bulk, and why
//!   --plain     without the table's rows as comments, and with each block indented
//!
//! example: cargo xtask expand html-2013 --explain

use crate::{Failure, Outcome, root, step};
use lexopt::{Arg, ValueExt as _};
use std::path::PathBuf;

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let (mut table, mut explain, mut plain) = (None, false, false);
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        match arg {
            Arg::Long("explain") => explain = true,
            Arg::Long("plain") => plain = true,
            Arg::Value(value) if table.is_none() => {
                table = Some(value.string().map_err(|error| error.to_string())?);
            }
            other => return Err(other.unexpected().to_string()),
        }
    }
    let path = table_path(
        &table.ok_or_else(|| format!("a table is missing; there are: {}", dialects()))?,
    )?;
    let (_, loaded) = root::load(&path)?;
    for diagnostic in &loaded.diagnostics {
        eprintln!("{}", diagnostic.render(&loaded.source));
    }
    let Some(machine) = loaded.machine else {
        return Ok(false);
    };
    let mut compiled = tabulex_compiler::compile(&machine);
    if explain {
        step::say(&tabulex_compiler::explain::explain(&compiled));
        return Ok(true);
    }
    compiled.printed = !plain;
    let file = syn::parse2(tabulex_compiler::generate::module(&compiled))
        .map_err(|error| format!("the generated code is not valid Rust: {error}"))?;
    step::say(&tabulex_compiler::print::uncover(&prettyplease::unparse(&file)));
    Ok(true)
}

/// Returns the file of a dialect, or the given file.
fn table_path(table: &str) -> Result<PathBuf, Failure> {
    let of_dialect = root::root().join(format!("spec/tables/{table}.states"));
    let file = PathBuf::from(table);
    match (of_dialect.is_file(), file.is_file()) {
        (true, _) => Ok(of_dialect),
        (false, true) => Ok(file),
        (false, false) => {
            Err(format!("{table:?} is neither a file nor a dialect; there are: {}", dialects()))
        }
    }
}

fn dialects() -> String {
    let tables = root::tables().unwrap_or_default();
    let names = tables.iter().filter_map(|path| Some(path.file_stem()?.to_string_lossy()));
    names.collect::<Vec<_>>().join(", ")
}
