//! Benchmarks of tabulex and its peers in one run; for usage see `cargo xtask bench --help`.
//!
//! No figure is printed for a contestant whose results do not agree as required.

mod corpus;
mod css;
mod digest;
mod field;
mod generated;
mod heap;
mod html_tokens;
mod html_trees;
mod instructions;
mod limits;
mod programs;
mod race;
mod rcdom;
mod reader;
mod results;
mod rewrite;
mod sanitize;
mod scale;
mod table;
mod xml_tokens;
mod xml_trees;

use field::Field;
use lexopt::prelude::{Long, Short, Value};
use std::path::PathBuf;
use table::Table;

const FIELDS: &[Field] = &[
    html_tokens::PAGES,
    html_tokens::DENSE,
    html_tokens::PROSE,
    html_tokens::PLAIN,
    html_trees::PAGES,
    html_trees::DENSE,
    html_trees::OTHER_LIBRARIES,
    css::SELECT,
    css::PAGES,
    rewrite::IMAGE_HANDLER,
    rewrite::UNIVERSAL_HANDLER,
    sanitize::PAGES,
    programs::LINKS,
    programs::METADATA,
    programs::SELECT,
    programs::TABLES,
    programs::SANITIZE,
    programs::REWRITE,
    programs::TEXT,
    programs::STREAM,
    programs::FRAGMENT,
    programs::LINT,
    programs::MAP,
    programs::SITEMAP,
    xml_tokens::FIELD,
    xml_trees::FIELD,
    scale::TOKENS,
    scale::TREES,
    scale::THREADS,
];

/// A kind of measurement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    Rate,
    Heap,
    Instructions,
    /// No measurement; the contestant's work is only run this number of times.
    Passes(usize),
}

/// The parsed command-line arguments.
struct Request {
    fields: Vec<&'static Field>,
    corpus: Option<PathBuf>,
    rounds: usize,
    only: Option<String>,
    limit: usize,
    measure: Measure,
    /// The name, without extension, of the file in `tests/bench/results` to save the results to.
    save: Option<String>,
}

fn main() {
    if let Err(message) = parse_arguments().and_then(|request| run(&request)) {
        eprintln!("bench: {message}");
        std::process::exit(2);
    }
}

fn run(request: &Request) -> Result<(), String> {
    let mut tables = Vec::new();
    for field in &request.fields {
        let Some(table) = measure(field, request)? else { continue };
        println!("{}", table.to_text());
        tables.push(table);
    }
    match &request.save {
        Some(name) if !tables.is_empty() => {
            results::save(&tables, name, describe_measurement(request))
        }
        _ => Ok(()),
    }
}

/// Returns a description of how values are measured, for the file of results.
fn describe_measurement(request: &Request) -> &'static str {
    match request.measure {
        Measure::Rate => {
            "Rates are medians of interleaved rounds, ratios those of adjacent turns. Time is that of the processor, or wall \
             time where several threads work. Trees are built and freed. 1 MB is 10^6 bytes."
        }
        Measure::Heap => "Peak heap use while a document is parsed, including the result.",
        Measure::Instructions => "Counted by valgrind, without the first pass.",
        Measure::Passes(_) => "Not measured.",
    }
}

fn measure(field: &'static Field, request: &Request) -> Result<Option<Table>, String> {
    let documents = corpus::read(request.corpus.as_deref(), field.corpus, request.limit)?;
    let contestants = field.matching_contestants(request.only.as_deref());
    match request.measure {
        Measure::Rate => race::run(field, &contestants, &documents, request.rounds).map(Some),
        Measure::Heap => heap::run(field, &contestants, &documents).map(Some),
        Measure::Instructions => {
            instructions::run(field, &contestants, &documents, request.corpus.as_deref()).map(Some)
        }
        Measure::Passes(passes) => {
            let by_name = contestants.iter().find(|contestant| {
                request.only.as_deref().is_none_or(|only| only == contestant.name)
            });
            let contestant = by_name.ok_or("no contestant has the name that `--only` gives")?;
            let documents = contestant.documents(&documents);
            (0..passes).for_each(|_| (contestant.work)(&documents));
            Ok(None)
        }
    }
}

fn parse_arguments() -> Result<Request, String> {
    let mut request = Request {
        fields: Vec::new(),
        corpus: None,
        rounds: 9,
        only: None,
        limit: usize::MAX,
        measure: Measure::Rate,
        save: None,
    };
    let mut arguments = lexopt::Parser::from_env();
    let to_message = |error: lexopt::Error| error.to_string();
    let parse_number = |arguments: &mut lexopt::Parser| -> Result<usize, String> {
        let value = arguments.value().map_err(to_message)?.to_string_lossy().into_owned();
        value.parse().map_err(|_| format!("expected a number, found `{value}`"))
    };
    while let Some(argument) = arguments.next().map_err(to_message)? {
        match argument {
            Long("corpus") => request.corpus = Some(arguments.value().map_err(to_message)?.into()),
            Long("rounds") => request.rounds = parse_number(&mut arguments)?.max(1),
            Long("only") => {
                request.only =
                    Some(arguments.value().map_err(to_message)?.to_string_lossy().into_owned())
            }
            Long("save") => {
                request.save =
                    Some(arguments.value().map_err(to_message)?.to_string_lossy().into_owned())
            }
            Long("limit") => request.limit = parse_number(&mut arguments)?,
            Long("heap") => request.measure = Measure::Heap,
            Long("instructions") => request.measure = Measure::Instructions,
            Long("passes") => request.measure = Measure::Passes(parse_number(&mut arguments)?),
            Value(name) => request.fields.push(find_field(&name.to_string_lossy())?),
            Short(_) | Long(_) => return Err(argument.unexpected().to_string()),
        }
    }
    if request.fields.is_empty() {
        request.fields.extend(FIELDS);
    }
    Ok(request)
}

fn find_field(name: &str) -> Result<&'static Field, String> {
    let names: Vec<_> = FIELDS.iter().map(|field| field.name).collect();
    FIELDS
        .iter()
        .find(|field| field.name == name)
        .ok_or_else(|| format!("unknown field `{name}`, expected one of `{}`", names.join("`, `")))
}
