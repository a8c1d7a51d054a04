//! Table against document, or machine against machine, row by row.
//!
//! usage: cargo xtask diff [DIALECT...] [--document FILE] [--write] [--inputs] [--format text|json|html]
//!
//! Without a dialect all that have a document are compared with the facts that are committed. `--document FILE` reads the
//! document afresh; `--write` commits what was read to spec/documents; rows that the table lacks are proposed in its
//! language. With two dialects their tables are compared. `--inputs` searches for the shortest input on which the two
//! sides behave differently; between machines, and for undeclared differences, that is done anyway. The status is 0 only
//! if every difference is declared at its row, no declaration is stale, and no sentence is unread.
//!
//! example: cargo xtask diff html-2013
//!
//! Invariant: it changes nothing but, with `--write`, facts.

mod inputs;
mod mutants;
mod page;
mod report;

use crate::{Failure, Outcome, documents, root, step};
use lexopt::Arg;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tabulex_documents::compare::accepted::{self, Changed};
use tabulex_documents::compare::{self, Comparison, Index};
use tabulex_documents::document::facts::{self, Facts};
use tabulex_language::Source;
use tabulex_language::syntax::Table;
use tabulex_oracle::search::Differences;

/// What is asked for.
#[derive(Default)]
struct Asked {
    dialects: Vec<String>,
    document: Option<PathBuf>,
    write: bool,
    accept: bool,
    mutants: bool,
    edits: mutants::Asked,
    inputs: bool,
    format: String,
}

/// One side of a comparison.
struct Side {
    name: String,
    source: Source,
    table: Table,
    facts: Option<Facts>,
}

/// Two sides and what came of them.
struct Compared {
    left: Side,
    right: Side,
    comparison: Comparison,
    found: Option<Differences>,
    /// How many entries are accepted, and what is not as it was accepted.
    accepted: usize,
    changed: Vec<Changed>,
}

/// Runs the command.
pub(crate) fn run(parser: lexopt::Parser) -> Outcome {
    let mut asked = arguments(parser)?;
    if asked.mutants {
        if asked.dialects.is_empty() {
            asked.dialects = documents::dialects(".facts")?;
        }
        return mutants::run(&asked.dialects, asked.edits);
    }
    if let [left, right] = &asked.dialects[..] {
        let compared = compared(machine(left)?, machine(right)?, true);
        say(&compared, &asked.format)?;
        return Ok(true);
    }
    if asked.dialects.is_empty() {
        asked.dialects = documents::dialects(".facts")?;
    }
    let mut is_well = true;
    for dialect in &asked.dialects {
        is_well &= document(dialect, &asked)?;
    }
    Ok(is_well)
}

fn arguments(mut parser: lexopt::Parser) -> Result<Asked, Failure> {
    let mut asked = Asked { format: "text".to_owned(), ..Asked::default() };
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        match arg {
            Arg::Value(name) if asked.dialects.len() < 2 => {
                asked.dialects.push(name.to_string_lossy().into_owned())
            }
            Arg::Long("document") => {
                asked.document =
                    Some(PathBuf::from(parser.value().map_err(|error| error.to_string())?));
            }
            Arg::Long("format") => {
                asked.format = parser
                    .value()
                    .map_err(|error| error.to_string())?
                    .to_string_lossy()
                    .into_owned();
                if !matches!(&asked.format[..], "text" | "json" | "html") {
                    return Err(format!(
                        "no format: {}; there are text, json and html",
                        asked.format
                    ));
                }
            }
            Arg::Long("write") => asked.write = true,
            Arg::Long("mutants") => asked.mutants = true,
            Arg::Long("sample") => asked.edits.sample = number(&mut parser)?,
            Arg::Long("seed") => asked.edits.seed = number(&mut parser)?,
            Arg::Long("seconds") => {
                let seconds = Duration::from_secs(number(&mut parser)?);
                asked.edits.until = Some(Instant::now() + seconds);
            }
            Arg::Long("accept") => asked.accept = true,
            Arg::Long("inputs") => asked.inputs = true,
            other => return Err(other.unexpected().to_string()),
        }
    }
    if asked.document.is_some() && asked.dialects.len() != 1 {
        return Err("--document belongs to one dialect".to_owned());
    }
    Ok(asked)
}

/// The number that an option is given.
fn number<T: std::str::FromStr<Err: std::fmt::Display>>(
    parser: &mut lexopt::Parser,
) -> Result<T, Failure> {
    let value = parser.value().map_err(|error| error.to_string())?;
    value.to_string_lossy().parse().map_err(|error: T::Err| error.to_string())
}

/// Compares the table of a dialect with its document.
fn document(dialect: &str, asked: &Asked) -> Outcome {
    if asked.write {
        let file = asked.document.as_ref().ok_or("--write needs --document FILE")?;
        let profile = documents::profile(dialect)?;
        documents::write(dialect, &facts::write(&documents::reading(file, &profile)?, &profile))?;
    }
    let read = documents::facts(dialect, asked.document.as_deref())?;
    let (unread, errata) = (read.unread.len(), read.stale_errata.len());
    let left = Side {
        name: format!("{dialect}, the document"),
        source: Source::new(format!("spec/documents/{dialect}.facts"), read.text.clone()),
        table: read.table.clone(),
        facts: Some(read),
    };
    let mut compared = compared(left, machine(dialect)?, asked.inputs);
    hold(dialect, asked.accept, &mut compared)?;
    say(&compared, &asked.format)?;
    let is_declared = compared.comparison.undeclared().next().is_none();
    let is_accepted = compared.changed.is_empty() && compared.comparison.stale.is_empty();
    Ok(is_declared && is_accepted && unread == 0 && errata == 0)
}

/// Holds what both sides do not both say against what was accepted, or accepts it.
fn hold(dialect: &str, accept: bool, compared: &mut Compared) -> Result<(), Failure> {
    let beside =
        |name: &str| std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok();
    let [left, right] = [&compared.left, &compared.right].map(|side| Index::new(&side.table));
    let entries = accepted::entries(&left, &right, &compared.comparison, &beside);
    if accept {
        documents::accept(dialect, &accepted::write(dialect, &entries))?;
    }
    compared.accepted = entries.len();
    compared.changed = accepted::changed(&documents::accepted(dialect), &entries);
    Ok(())
}

/// The table of a dialect.
fn machine(dialect: &str) -> Result<Side, Failure> {
    let own = documents::profile(dialect).ok().and_then(|profile| profile.table);
    let file = own.unwrap_or_else(|| format!("{dialect}.states"));
    let path = root::root().join("spec/tables").join(file);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("no table of {dialect}: {error}"))?;
    let (table, _) = tabulex_language::parse::file(&text);
    let source = Source::new(root::shown(&path), text);
    let table =
        table.ok_or_else(|| format!("{} is no table; see `cargo xtask check`", source.path))?;
    Ok(Side { name: dialect.to_owned(), source, table, facts: None })
}

fn compared(left: Side, right: Side, inputs: bool) -> Compared {
    let comparison = compare::compare(&Index::new(&left.table), &Index::new(&right.table));
    let searched = inputs || comparison.undeclared().next().is_some();
    let found = if searched { inputs::search(&left, &right, &comparison) } else { None };
    Compared { left, right, comparison, found, accepted: 0, changed: Vec::new() }
}

fn say(compared: &Compared, format: &str) -> Result<(), Failure> {
    step::say(&match format {
        "json" => report::json(compared)?,
        "html" => page::html(compared),
        _ => report::text(compared),
    });
    Ok(())
}
