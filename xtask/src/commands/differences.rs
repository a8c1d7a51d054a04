//! Compares other HTML parsers with the table of html, and classifies the differences by row.
//!
//! usage: cargo xtask differences [--out FILE]
//!
//! The suites derived from the table are run by html5ever, html5gum and scraper, which are dependencies of
//! `tests/bench`, by parse5, if `npm install parse5` was run there, and, for trees, by Chromium, if it is installed and
//! `npm install --prefix xtask/explorer` was run. Each parser's results are compared with the interpreter's: tokens,
//! error codes if the parser has those of the standard, and trees. Inputs with differences of one kind form a class by
//! the row that most of them take and few others do; the list has that row, its section, and the shortest input.
//! tests/DIFFERENCES.md states for each class which side is right. A class that is missing there is printed, and the
//! status is 1. Missing parsers are listed.
//!
//!   --out FILE   the list (target/suites/differences.md)
//!
//! example: cargo xtask differences

mod cases;
mod classes;

use crate::{Outcome, files, root, step};
use cases::{ParserCase, cases};
use classes::{Class, classes};
use lexopt::Arg;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The dialect that the other parsers implement.
const DIALECT: &str = "html";

/// Maps each parser (its name, its version, and `tokens` or `trees`) to its results by number of the case.
type PeerResults = BTreeMap<(String, String, String), BTreeMap<usize, Value>>;

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let folder = root::root().join("target/suites");
    let mut out = folder.join("differences.md");
    let failure = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(failure)? {
        match argument {
            Arg::Long("out") => out = PathBuf::from(parser.value().map_err(failure)?),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let machine = root::machine(DIALECT)?;
    let all = cases(&machine);
    let path = folder.join("differences.json");
    let lists = all
        .iter()
        .map(|(of, cases)| (of.to_string(), cases.iter().map(|case| case.given.clone()).collect()));
    files::write(&path, &Value::Object(lists.collect()).to_string())?;
    let mut results = PeerResults::new();
    if !read(&mut rust_peers(&path), &mut results)? {
        return Ok(false);
    }
    for program in ["parse5.mjs", "chromium.mjs"] {
        read(&mut node(program, &path), &mut results)?;
    }
    let listed = files::read(&root::root().join("tests/DIFFERENCES.md"))?;
    let (mut text, mut unlisted) = (String::new(), Vec::new());
    for ((peer, version, of), outcomes) in &results {
        let cases = &all[&of[..]];
        let classes = classes(cases, outcomes);
        let differing: usize = classes.iter().map(|class| class.cases.len()).sum();
        let head = format!(
            "{peer} {version}, {of}: {} cases, {differing} differ, {} classes",
            outcomes.len(),
            classes.len()
        );
        step::say(&format!("{head}\n"));
        let _ = writeln!(text, "# {head}\n");
        classes.iter().for_each(|class| describe(class, cases, outcomes, &mut text));
        let names = classes.iter().map(|it| format!("{peer}, {of}: {}; {}", it.kind, it.row));
        unlisted.extend(names.filter(|name| !listed.contains(&format!("- {name} — "))));
    }
    files::write(&out, &text)?;
    step::say(&format!("classes: {}\n", root::display_path(&out)));
    unlisted.iter().for_each(|name| step::say(&format!("not in tests/DIFFERENCES.md: {name}\n")));
    Ok(unlisted.is_empty())
}

/// Returns the program that runs the parsers in Rust.
fn rust_peers(cases: &Path) -> Command {
    let mut command = step::cargo();
    let program = ["--manifest-path", "tests/bench/Cargo.toml", "--bin", "differences", "--"];
    command.args(["run", "--quiet"]).args(program).arg(cases);
    command
}

/// Returns a program for Node, which fails if its parser is not installed.
fn node(program: &str, cases: &Path) -> Command {
    let mut command = Command::new("node");
    command.current_dir(root::root().join("tests/bench/src")).arg(program).arg(cases);
    command
}

/// Reads the results that a program prints. Returns whether it ran; otherwise it is reported.
fn read(command: &mut Command, results: &mut PeerResults) -> Result<bool, String> {
    let output = command.stderr(std::process::Stdio::piped()).output();
    let output = match output {
        Ok(output) if output.status.success() => output,
        Ok(output) => {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            step::say(&format!("not run: {command:?}\n{message}\n"));
            return Ok(false);
        }
        Err(error) => {
            step::say(&format!("not run: {command:?}: {error}\n"));
            return Ok(false);
        }
    };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let number = value["case"].as_u64().ok_or("a line has no number of a case")? as usize;
        let of_peer = results.entry((text("peer"), text("version"), text("of"))).or_default();
        of_peer.insert(number, value["found"].clone());
    }
    Ok(true)
}

/// Writes a class: the row, the number of cases, and the shortest of them with both results.
fn describe(
    class: &Class,
    cases: &[ParserCase],
    outcomes: &BTreeMap<usize, Value>,
    out: &mut String,
) {
    let Class { row, kind, cases: numbers, others } = class;
    let _ = writeln!(
        out,
        "## {kind}; {row}\n\n{} cases, and {others} others that take the row; the shortest:\n",
        numbers.len()
    );
    for number in numbers.iter().take(3) {
        let case = &cases[*number];
        let _ = writeln!(out, "- {}\n  - table {}", case.shown, case.expected);
        let _ = writeln!(out, "  - peer  {}", outcomes[number]);
    }
    out.push('\n');
}
