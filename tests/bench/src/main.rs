//! tabulex and its peers, side by side in one run. `cargo xtask bench --help` tells how it is used.
//!
//! It is no test of exactness. Invariant: no figure is shown of a contestant that delivers something else than it is said to.

mod corpus;
mod digest;
mod field;
mod heap;
mod html_tokens;
mod html_trees;
mod instructions;
mod race;
mod rcdom;
mod reader;
mod xml_tokens;
mod xml_trees;

use field::Field;
use lexopt::prelude::{Long, Short, Value};
use std::path::PathBuf;

const FIELDS: &[Field] =
    &[html_tokens::FIELD, html_trees::FIELD, xml_tokens::FIELD, xml_trees::FIELD];

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    Rate,
    Heap,
    Instructions,
    /// Nothing: the work is done so many times.
    Passes(usize),
}

/// What was asked for.
struct Request {
    fields: Vec<&'static Field>,
    corpus: Option<PathBuf>,
    rounds: usize,
    only: Option<String>,
    limit: usize,
    measure: Measure,
}

fn main() {
    let outcome = request()
        .and_then(|request| request.fields.iter().try_for_each(|field| run(field, &request)));
    if let Err(message) = outcome {
        eprintln!("bench: {message}");
        std::process::exit(2);
    }
}

fn run(field: &Field, request: &Request) -> Result<(), String> {
    let documents = corpus::read(request.corpus.as_deref(), field.folder, request.limit)?;
    let chosen = field.contestants(request.only.as_deref());
    match request.measure {
        Measure::Rate => race::run(field, &chosen, &documents, request.rounds),
        Measure::Heap => heap::run(field, &chosen, &documents),
        Measure::Instructions => {
            instructions::run(field, &chosen, &documents, request.corpus.as_deref())
        }
        Measure::Passes(passes) => {
            let named =
                chosen.iter().find(|it| request.only.as_deref().is_none_or(|only| only == it.name));
            let work = named.ok_or("no contestant has this name")?.work;
            (0..passes).for_each(|_| documents.iter().for_each(|document| work(document)));
            Ok(())
        }
    }
}

fn request() -> Result<Request, String> {
    let mut request = Request {
        fields: Vec::new(),
        corpus: None,
        rounds: 9,
        only: None,
        limit: usize::MAX,
        measure: Measure::Rate,
    };
    let mut arguments = lexopt::Parser::from_env();
    let text = |error: lexopt::Error| error.to_string();
    let number = |arguments: &mut lexopt::Parser| -> Result<usize, String> {
        let value = arguments.value().map_err(text)?.to_string_lossy().into_owned();
        value.parse().map_err(|_| format!("{value} is no number"))
    };
    while let Some(argument) = arguments.next().map_err(text)? {
        match argument {
            Long("corpus") => request.corpus = Some(arguments.value().map_err(text)?.into()),
            Long("rounds") => request.rounds = number(&mut arguments)?.max(1),
            Long("only") => {
                request.only = Some(arguments.value().map_err(text)?.to_string_lossy().into_owned())
            }
            Long("limit") => request.limit = number(&mut arguments)?,
            Long("heap") => request.measure = Measure::Heap,
            Long("instructions") => request.measure = Measure::Instructions,
            Long("passes") => request.measure = Measure::Passes(number(&mut arguments)?),
            Value(name) => request.fields.push(field(&name.to_string_lossy())?),
            Short(_) | Long(_) => return Err(argument.unexpected().to_string()),
        }
    }
    if request.fields.is_empty() {
        request.fields.extend(FIELDS);
    }
    Ok(request)
}

fn field(name: &str) -> Result<&'static Field, String> {
    let names: Vec<_> = FIELDS.iter().map(|field| field.name).collect();
    FIELDS
        .iter()
        .find(|field| field.name == name)
        .ok_or_else(|| format!("{name} is none of {}", names.join(", ")))
}
