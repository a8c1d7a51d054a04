//! The code size of each generated tokenizer and tree construction, and how long building takes.
//!
//! usage: cargo xtask sizes [--times] [--binary FILE]
//!
//! Sizes are those of functions and tables in a release build of the program `tabulex`, by dialect and by what they are for:
//! each machine is compiled once for each kind of sink. Sizes are in KiB.
//!
//!   --times         builds the program from nothing and again after a change of the table of `html`, in each profile,
//!                   and reports how long that took; the machine should do nothing else
//!   --binary FILE   another program, built with `-C symbol-mangling-version=v0`; nothing is built
//!
//! example: cargo xtask sizes
//!
//! Invariant: what is counted of a dialect are symbols with its package in their path; what is shared by all is not, nor
//! are constants without a name of their own.

use crate::root::{root, tables};
use crate::{Failure, Outcome, step};
use lexopt::Arg::Long;
use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Instant, SystemTime};

/// What the names of the dialects' packages begin with.
const DIALECTS: &str = "tabulex_";

/// The profiles whose builds are timed, with options of cargo.
const PROFILES: [(&str, &[&str]); 3] =
    [("dev", &[]), ("quick", &["--features", "compact"]), ("release", &[])];

/// What a part of a program is for, in the order of the columns.
const PARTS: [&str; 5] =
    ["tokens", "tokens of trees", "with errors", "tree construction", "tables"];

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let (mut times, mut binary) = (false, None);
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Long("times") => times = true,
            Long("binary") => {
                binary = Some(PathBuf::from(parser.value().map_err(|error| error.to_string())?));
            }
            other => return Err(other.unexpected().to_string()),
        }
    }
    if times {
        step::say(&build_times()?);
    }
    let binary = match binary {
        Some(binary) => binary,
        None => {
            let folder = root().join("target/sizes");
            if !step::run(&mut build(&folder, "release", &[]))? {
                return Ok(false);
            }
            folder.join("release").join(format!("tabulex{}", std::env::consts::EXE_SUFFIX))
        }
    };
    step::say(&sizes(&binary)?);
    Ok(true)
}

/// The command that builds the program, with symbols that name the types for which a function was compiled.
fn build(folder: &Path, profile: &str, options: &[&str]) -> Command {
    let mut command = step::cargo();
    command.args(["build", "--quiet", "--package", "tabulex-cli", "--bin", "tabulex"]);
    command.args(["--profile", profile, "--target-dir"]).arg(folder).args(options);
    command.args(["--config", "build.rustflags=[\"-Csymbol-mangling-version=v0\"]"]);
    command
}

/// How long it takes to build from nothing, and again after a change of a table.
fn build_times() -> Result<String, Failure> {
    let mut text =
        format!("{:<12} {:>14} {:>28}\n", "build", "from nothing", "after a change of a table");
    let folder = root().join("target/times");
    let table = root().join("spec/tables/html.states");
    let failure = |error: std::io::Error| format!("{}: {error}", table.display());
    for (name, options) in PROFILES {
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let cold = timed(&mut build(&folder, name, options))?;
        // Cargo looks at the time of the last change only.
        let changed = fs::File::options().append(true).open(&table).map_err(failure)?;
        changed.set_modified(SystemTime::now()).map_err(failure)?;
        let warm = timed(&mut build(&folder, name, options))?;
        let _ = writeln!(text, "{name:<12} {cold:>12.1} s {warm:>26.1} s");
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(text + "\n")
}

fn timed(command: &mut Command) -> Result<f64, Failure> {
    let start = Instant::now();
    match step::run(command)? {
        true => Ok(start.elapsed().as_secs_f64()),
        false => Err("the program does not build".to_owned()),
    }
}

/// The sizes in the program, as a table.
fn sizes(binary: &Path) -> Result<String, Failure> {
    let failure = |error: &dyn std::fmt::Display| format!("{}: {error}", binary.display());
    let bytes = fs::read(binary).map_err(|error| failure(&error))?;
    let file = object::File::parse(&bytes[..]).map_err(|error| failure(&error))?;
    let known = tables()?;
    let known = known.iter().filter_map(|path| path.file_stem()?.to_str());
    let known: Vec<String> = known.map(|name| name.replace('-', "_")).collect();
    let mut dialects: BTreeMap<String, [u64; PARTS.len()]> = BTreeMap::new();
    for symbol in file.symbols() {
        let name = symbol.name().unwrap_or_default();
        let name = format!("{:#}", rustc_demangle::demangle(name));
        if let Some((dialect, part)) = place(&name, symbol.kind(), &known) {
            dialects.entry(dialect.to_owned()).or_default()[part] += symbol.size();
        }
    }
    if dialects.is_empty() {
        return Err(failure(
            &"it has no symbols of dialects with sizes, which only ELF files have",
        ));
    }
    let mut text = format!("{:<20}", "KiB");
    let line = |text: &mut String, first: &str, sizes: [u64; PARTS.len()]| {
        let _ = write!(text, "{first:<20}");
        for (size, part) in sizes.iter().zip(PARTS) {
            let _ = write!(text, " {:>width$.1}", *size as f64 / 1024.0, width = part.len().max(8));
        }
        let _ = writeln!(text, " {:>8.1}", sizes.iter().sum::<u64>() as f64 / 1024.0);
    };
    for part in PARTS {
        let _ = write!(text, " {part:>width$}", width = part.len().max(8));
    }
    text += "      all\n";
    for (dialect, sizes) in dialects {
        line(&mut text, &dialect.replace('_', "-"), sizes);
    }
    let _ = writeln!(text, "\nthe program: {} KiB", bytes.len() / 1024);
    Ok(text)
}

/// The dialect that a symbol belongs to, and the column of what it is for.
fn place<'k>(name: &str, kind: SymbolKind, known: &'k [String]) -> Option<(&'k str, usize)> {
    let packages = name.split(DIALECTS).skip(1).filter_map(|rest| rest.split_once("::"));
    let dialect = packages.filter_map(|(name, _)| known.iter().find(|it| *it == name)).next()?;
    let is_machine = name.contains(" as tabulex_core::machine::Machine>::run::<");
    let part = match kind {
        SymbolKind::Data => 4,
        SymbolKind::Text if !is_machine => 3,
        SymbolKind::Text if !name.contains("::TokenSink<") => 0,
        SymbolKind::Text => 1 + usize::from(name.contains(", true")),
        _ => return None,
    };
    Some((dialect, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_told_apart() {
        let known = ["html", "sky", "xml_er"].map(str::to_owned);
        let run = "<tabulex_html::machine::Html as tabulex_core::machine::Machine>::run::<";
        let sink = |errors| {
            format!(
                "{run}tabulex_core::construct::parser::TokenSink<tabulex_html::machine::Html, Tree, {errors}, false>>"
            )
        };
        let cases = [
            (format!("{run}tabulex_cli::Recorder>"), SymbolKind::Text, Some(("html", 0))),
            (sink("false"), SymbolKind::Text, Some(("html", 1))),
            (sink("true"), SymbolKind::Text, Some(("html", 2))),
            ("tabulex_xml_er::machine::mode_a::<T>".into(), SymbolKind::Text, Some(("xml_er", 3))),
            ("tabulex_sky::machine::TABLE".into(), SymbolKind::Data, Some(("sky", 4))),
            ("tabulex_core::scan::find".into(), SymbolKind::Text, None),
            (
                "<tabulex_sky::machine::Sky as tabulex_core::machine::Machine>::START".into(),
                SymbolKind::Text,
                Some(("sky", 3)),
            ),
            ("tabulex_core::dialect::Dialect::find".into(), SymbolKind::Text, None),
        ];
        for (name, kind, expected) in &cases {
            assert_eq!(place(name, *kind, &known), *expected, "{name}");
        }
    }
}
