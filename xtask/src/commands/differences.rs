//! Compares other HTML parsers with the table of HTML, and classifies the differences by row.
//!
//! usage: cargo xtask differences [--out FILE]
//!
//! Runs the suites derived from the table on html5ever, html5gum and scraper, which are dependencies of `tests/bench`;
//! on parse5, if `npm install parse5` was run there; and, for trees, on Chromium, if it is installed and `npm install
//! --prefix xtask/explorer` was run. Compares each parser's results with the interpreter's: tokens, trees, and error
//! codes if the parser has those of the standard. Different cases form a class by the kind of difference and by the row
//! that most of them run and few other cases do. The list has for each class the row, its section, and the shortest
//! inputs. tests/DIFFERENCES.md states for each class which side is right. Exits with status 1 if a class is missing
//! there. Parsers that cannot be run are reported.
//!
//!   --out FILE   file for the list (target/suites/differences.md)
//!
//! example: cargo xtask differences

mod cases;
mod classes;

use crate::{Outcome, files, root, step};
use cases::{ParserCase, cases};
use classes::{Class, classes};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use tabulex_workshop::arguments::Arguments;

/// The dialect that the other parsers implement.
const DIALECT: &str = "html";

/// Results by the number of the case, under the parser's name, the parser's version, and `tokens` or `trees`.
type PeerResults = BTreeMap<(String, String, String), BTreeMap<usize, Value>>;

/// Runs the other parsers, writes the list of classes, and prints the classes that `tests/DIFFERENCES.md` lacks.
/// Returns whether no class is lacking and the parsers written in Rust could be run.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let folder = root::root().join("target/suites");
    let out = Arguments::parse(arguments, &["out FILE"], 0)?.path("out");
    let out = out.unwrap_or_else(|| folder.join("differences.md"));
    let machine = root::machine(DIALECT)?;
    let suites = cases(&machine);
    let path = folder.join("differences.json");
    let lists = suites.iter().map(|(suite, cases)| {
        (suite.to_string(), cases.iter().map(|case| case.parser_input.clone()).collect())
    });
    files::write(&path, &Value::Object(lists.collect()).to_string())?;
    let mut results = PeerResults::new();
    if !run_peers(&mut rust_peers(&path), &mut results)? {
        return Ok(false);
    }
    for script in ["parse5.mjs", "chromium.mjs"] {
        run_peers(&mut node(script, &path), &mut results)?;
    }
    let known_classes = files::read(&root::root().join("tests/DIFFERENCES.md"))?;
    let (mut text, mut unlisted) = (String::new(), Vec::new());
    for ((peer, version, suite), outcomes) in &results {
        let cases = &suites[&suite[..]];
        let classes = classes(cases, outcomes);
        let differing: usize = classes.iter().map(|class| class.cases.len()).sum();
        let heading = format!(
            "{peer} {version}, {suite}: {} cases, {differing} differ, {} classes",
            outcomes.len(),
            classes.len()
        );
        step::say(&format!("{heading}\n"));
        let _ = writeln!(text, "# {heading}\n");
        classes.iter().for_each(|class| describe(class, cases, outcomes, &mut text));
        let names = classes.iter().map(|it| format!("{peer}, {suite}: {}; {}", it.kind, it.row));
        unlisted.extend(names.filter(|name| !known_classes.contains(&format!("- {name} — "))));
    }
    files::write(&out, &text)?;
    step::say(&format!("the classes are in `{}`\n", root::display_path(&out)));
    unlisted.iter().for_each(|name| step::say(&format!("not in `tests/DIFFERENCES.md`: {name}\n")));
    Ok(unlisted.is_empty())
}

/// Returns the command that runs the parsers written in Rust.
fn rust_peers(cases: &Path) -> Command {
    let mut command = step::cargo();
    let binary_arguments =
        ["--manifest-path", "tests/bench/Cargo.toml", "--bin", "differences", "--"];
    command.args(["run", "--quiet"]).args(binary_arguments).arg(cases);
    command
}

/// Returns the command that runs a script in Node, which fails if the script's parser is not installed.
fn node(script: &str, cases: &Path) -> Command {
    let mut command = Command::new("node");
    command.current_dir(root::root().join("tests/bench/src")).arg(script).arg(cases);
    command
}

/// Runs a command and adds the results that it prints. If the command fails, prints a message and returns `false`.
fn run_peers(command: &mut Command, results: &mut PeerResults) -> Result<bool, String> {
    let output = command.output().map_err(|error| error.to_string());
    let output = output.and_then(|output| match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    });
    let output = match output {
        Ok(output) => output,
        Err(message) => {
            step::say(&format!("skipped: `{command:?}`: {message}\n"));
            return Ok(false);
        }
    };
    for line in String::from_utf8_lossy(&output).lines() {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let number = value["case"].as_u64().ok_or("a result has no `case`")? as usize;
        let peer_results = results.entry((text("peer"), text("version"), text("of"))).or_default();
        peer_results.insert(number, value["found"].clone());
    }
    Ok(true)
}

/// Writes a class: the row, the number of cases, and the shortest cases with both results.
fn describe(
    class: &Class,
    cases: &[ParserCase],
    outcomes: &BTreeMap<usize, Value>,
    out: &mut String,
) {
    let Class { row, kind, cases: numbers, others } = class;
    let _ = writeln!(
        out,
        "## {kind}; {row}\n\n{} cases, and {others} others that run the row; the shortest:\n",
        numbers.len()
    );
    for number in numbers.iter().take(3) {
        let case = &cases[*number];
        let _ = writeln!(out, "- {}\n  - table {}", case.description, case.expected);
        let _ = writeln!(out, "  - peer  {}", outcomes[number]);
    }
    out.push('\n');
}
