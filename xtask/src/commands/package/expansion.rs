//! The generated code of a table as a file of a published package. Its first lines name every source file, with a hash
//! of its text.

use crate::{Failure, files, root};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tabulex_language::model::Machine;

/// Prefix of lines that name a source file.
const SOURCE_PREFIX: &str = "// made of ";

/// Returns the module that replaces the inclusion of a table in `file`.
pub(super) fn module(file: &Path) -> Result<String, Failure> {
    let text = files::read(file)?;
    let includes = || text.split_once("include!(\"")?.1.split_once("\");");
    let (table, _) =
        includes().ok_or_else(|| format!("{} includes no table", root::display_path(file)))?;
    let path = file.with_file_name(table);
    let path = path
        .canonicalize()
        .map_err(|error| format!("cannot find {}: {error}", root::display_path(&path)))?;
    let (machine, files) = load(&path)?;
    let mut module = "//! The machine of the dialect, state by state, as the compiler generates it from the table. Edit the table, not\n\
         //! this file. It was generated from the files that the next lines name.\n"
        .to_owned();
    for (name, text) in &files {
        module += &format!("{SOURCE_PREFIX}{name} {:016x}\n", fingerprint(text));
    }
    Ok(module + "\n" + &printed_code(&machine)?)
}

/// Returns the source files that only one of two modules has, or that have different hashes.
pub(super) fn changed_sources(one: &str, other: &str) -> Vec<String> {
    let lines = |module: &str| -> Vec<String> {
        module
            .lines()
            .filter_map(|line| line.strip_prefix(SOURCE_PREFIX))
            .map(str::to_owned)
            .collect()
    };
    let (one, other) = (lines(one), lines(other));
    let differing = one.iter().filter(|line| !other.contains(line));
    let differing = differing.chain(other.iter().filter(|line| !one.contains(line)));
    let names = differing.filter_map(|line| Some(line.split_once(' ')?.0.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    names
}

/// Returns the machine of a table, and all files that it was read from, by name.
fn load(path: &Path) -> Result<(Machine, BTreeMap<String, String>), Failure> {
    let read = RefCell::new(BTreeMap::new());
    let files = |name: &str| {
        let text = fs::read_to_string(path.with_file_name(name)).ok()?;
        read.borrow_mut().insert(name.to_owned(), text.clone());
        Some(text)
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let text = files(&name).ok_or_else(|| format!("cannot read {}", root::display_path(path)))?;
    let source = tabulex_language::Source::new(root::display_path(path), text);
    let machine = tabulex_language::load(&source, &files).machine.ok_or_else(|| {
        format!("the table has errors; see: cargo xtask check {}", root::display_path(path))
    })?;
    Ok((machine, read.into_inner()))
}

/// Returns the code without indentation. Blocks are nested a dozen deep, so that indentation would make up four fifths
/// of the bytes.
fn printed_code(machine: &Machine) -> Result<String, Failure> {
    let file = syn::parse2(tabulex_compiler::expand(machine))
        .map_err(|error| format!("the generated code is not valid Rust: {error}"))?;
    let code = prettyplease::unparse(&file);
    Ok(code.lines().map(|line| line.trim_start().to_owned() + "\n").collect())
}

/// Returns the 64-bit FNV-1a hash of a text, which is stable across machines and versions of the standard library.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_changed_sources() {
        let one = "// made of a.states 1\n// made of b.modes 2\n// made of c.references 3\ncode\n";
        let other = "// made of a.states 1\n// made of b.modes 4\n";
        assert_eq!(super::changed_sources(one, other), ["b.modes", "c.references"]);
        assert!(super::changed_sources(one, one).is_empty());
    }

    #[test]
    fn fingerprints_are_fnv_1a() {
        assert_eq!(super::fingerprint(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(super::fingerprint("a"), 0xaf63_dc4c_8601_ec8c);
    }
}
