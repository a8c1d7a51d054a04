//! Generates the code of a table as a file of a published package.

use crate::{Failure, files, root};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tabulex_language::model::Machine;

/// Returns the text of a module with the generated code of the table that `file` includes.
pub(super) fn module(file: &Path) -> Result<String, Failure> {
    let text = files::read(file)?;
    let find_include = || text.split_once("include!(\"")?.1.split_once("\");");
    let (table, _) = find_include()
        .ok_or_else(|| format!("`{}` includes no table", root::display_path(file)))?;
    let path = file.with_file_name(table);
    let path = path
        .canonicalize()
        .map_err(|error| format!("cannot find `{}`: {error}", root::display_path(&path)))?;
    let (machine, file_names) = load(&path)?;
    let mut module = "//! The machine of the dialect, state by state, as the compiler generates it from the table. Edit the table, not\n\
         //! this file. It was generated from the files that the next lines name.\n"
        .to_owned();
    for name in &file_names {
        module += &format!("// made from {name}\n");
    }
    Ok(module + "\n" + &printed_code(&machine)?)
}

/// Loads a table. Returns its machine, and the names of all files that were read.
fn load(path: &Path) -> Result<(Machine, BTreeSet<String>), Failure> {
    let read_names = RefCell::new(BTreeSet::new());
    let read_file = |name: &str| {
        let text = fs::read_to_string(path.with_file_name(name)).ok()?;
        read_names.borrow_mut().insert(name.to_owned());
        Some(text)
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let text =
        read_file(&name).ok_or_else(|| format!("cannot read `{}`", root::display_path(path)))?;
    let source = tabulex_language::Source::new(root::display_path(path), text);
    let machine = tabulex_language::load(&source, &read_file).machine.ok_or_else(|| {
        format!("the table has errors; see `cargo xtask check {}`", root::display_path(path))
    })?;
    Ok((machine, read_names.into_inner()))
}

/// Returns the generated code without indentation, which would make up four fifths of the bytes.
fn printed_code(machine: &Machine) -> Result<String, Failure> {
    let file = syn::parse2(tabulex_compiler::expand(machine))
        .map_err(|error| format!("the generated code is not valid Rust: {error}"))?;
    let code = prettyplease::unparse(&file);
    Ok(code.lines().map(|line| line.trim_start().to_owned() + "\n").collect())
}
