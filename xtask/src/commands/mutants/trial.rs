//! Changes of a table, tried: checks, cases, and the comparison with the document. It makes no changes. Invariant: a table
//! without a change is noticed by none of them.

use super::cases::{self, Case, Seen};
use super::changes::{Mutant, mutants};
use super::wanted::{self, Found};
use crate::{Failure, documents, root};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tabulex_documents::compare::{self, Index};
use tabulex_documents::document::facts::Facts;
use tabulex_language::Source;
use tabulex_language::model::Machine;
use tabulex_oracle::interpreter::Interpreter;

/// Who notices a change.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    /// It is no table any more, and no change that anybody would make.
    pub(super) is_void: bool,
    /// A check of the language.
    pub(super) check: bool,
    /// A case of the repository.
    pub(super) case: bool,
    /// A case of html5lib.
    pub(super) html5lib: bool,
    /// The comparison with the document.
    pub(super) diff: bool,
    /// What a search found where nobody of ours notices it.
    pub(super) found: Option<Found>,
}

impl Verdict {
    /// Whether anybody of ours notices it.
    pub(super) fn is_noticed(&self) -> bool {
        self.check || self.case || self.diff
    }

    /// The case that would notice it.
    pub(super) fn case_found(&self) -> Option<&String> {
        match &self.found {
            Some(Found::Case(case)) => Some(case),
            _ => None,
        }
    }

    /// Whether the change makes no difference, as far as was searched.
    pub(super) fn is_same(&self) -> bool {
        matches!(self.found, Some(Found::Same))
    }
}

/// A file of rows, and what it is tried with.
pub(super) struct Subject {
    /// The file.
    pub(super) file: String,
    /// Its text.
    pub(super) text: String,
    /// The dialect whose machine has it.
    dialect: String,
    /// The machine.
    machine: Machine,
    /// What was read of its document.
    facts: Option<Facts>,
    /// Cases of ours and of html5lib, with what comes of them, by the index.
    own: Vec<(Case, Seen)>,
    html5lib: Vec<(Case, Seen)>,
    /// Inputs that may become cases, where there are some.
    possible: Vec<(Case, Seen)>,
    /// The changes.
    pub(super) mutants: Vec<Mutant>,
}

impl Subject {
    /// Reads a file of `spec/tables`, and runs its cases.
    pub(super) fn read(file: &str, with_html5lib: bool, wants: bool) -> Result<Self, Failure> {
        let text = table_text(file).ok_or_else(|| format!("cannot read spec/tables/{file}"))?;
        let stem = file.split('.').next().unwrap_or(file);
        let (dialect, document) = match file.strip_suffix(".modes") {
            Some(stem) => (stem.to_owned(), format!("{stem}-modes")),
            None => (stem.to_owned(), stem.to_owned()),
        };
        let machine = root::machine(&dialect)?;
        let interpreter = Interpreter::new(&machine);
        let run = |cases: Vec<Case>| -> Vec<(Case, Seen)> {
            cases
                .into_iter()
                .map(|case| {
                    let seen = case.run(&interpreter);
                    (case, seen)
                })
                .collect()
        };
        let own = run(cases::own(&dialect)?);
        let others =
            if with_html5lib && dialect == "html" { cases::html5lib()? } else { Vec::new() };
        let html5lib = run(others);
        let possible =
            if wants && file.ends_with(".modes") { wanted::trees(&text) } else { Vec::new() };
        let possible = run(possible);
        let facts = match documents::dialects(".facts")?.contains(&document) {
            true => Some(documents::facts(&document, None)?),
            false => None,
        };
        let (table, _) = tabulex_language::parse::file(&text);
        let table = table.ok_or_else(|| format!("{file} is no table"))?;
        let mutants = mutants(&text, &table);
        let file = file.to_owned();
        Ok(Self { file, text, dialect, machine, facts, own, html5lib, possible, mutants })
    }

    /// How many cases there are, of ours and of html5lib.
    pub(super) fn cases(&self) -> (usize, usize) {
        (self.own.len(), self.html5lib.len())
    }

    /// Tries the changes of these numbers on all processors, until the time is over. Returns what came of those that were
    /// tried.
    pub(super) fn try_all(
        &self,
        numbers: &[usize],
        until: Option<Instant>,
    ) -> BTreeMap<usize, Verdict> {
        let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let index = self.facts.as_ref().map(|facts| Index::new(&facts.table));
                    while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if until.is_some_and(|until| Instant::now() > until) {
                            break;
                        }
                        let verdict = self.verdict(&self.mutants[number], index.as_ref());
                        if let Ok(mut found) = found.lock() {
                            found.insert(number, verdict);
                        }
                    }
                });
            }
        });
        found.into_inner().unwrap_or_default()
    }

    /// What comes of a change.
    fn verdict(&self, mutant: &Mutant, index: Option<&Index<'_>>) -> Verdict {
        let changed = mutant.applied(&self.text);
        let (table, _) = tabulex_language::parse::file(&changed);
        let Some(table) = table else { return Verdict { is_void: true, ..Verdict::default() } };
        let mut verdict = Verdict::default();
        if let Some(index) = index {
            let comparison = compare::compare(index, &Index::new(&table));
            verdict.diff = comparison.undeclared().next().is_some() || !comparison.stale.is_empty();
        }
        let top = format!("{}.states", self.dialect);
        let text_of =
            |name: &str| if name == self.file { Some(changed.clone()) } else { table_text(name) };
        let source = Source::new(top.clone(), text_of(&top).unwrap_or_default());
        let loaded = tabulex_language::load(&source, &text_of);
        verdict.check = !loaded.diagnostics.is_empty();
        if let Some(machine) = &loaded.machine {
            let interpreter = Interpreter::new(machine);
            let differs = |(case, seen): &&(Case, Seen)| {
                let is_far = !mutant.place.contains(' ')
                    && seen.places.iter().all(|place| *place != mutant.place)
                    && self.is_place(&mutant.place);
                !is_far && case.run(&interpreter).text != seen.text
            };
            verdict.case = self.own.iter().find(differs).is_some();
            verdict.html5lib = self.html5lib.iter().find(differs).is_some();
            if !verdict.is_noticed() {
                let possible = self.possible.iter().find(differs).map(|(case, _)| case);
                verdict.found = self.wanted(mutant, machine, possible);
            }
        }
        verdict
    }

    /// What would notice a change that nobody notices.
    fn wanted(&self, mutant: &Mutant, changed: &Machine, possible: Option<&Case>) -> Option<Found> {
        if self.file.ends_with(".states") && changed.encodings == self.machine.encodings {
            return Some(wanted::of_machines(&self.machine, changed));
        }
        let interpreter = Interpreter::new(&self.machine);
        if let Some(case) = possible {
            return wanted::shown(case, &self.dialect, &interpreter).map(Found::Case);
        }
        if self.possible.is_empty() {
            return None;
        }
        let lines = self.text.split_inclusive('\n').skip(mutant.line.saturating_sub(4)).take(12);
        let around = lines.collect::<String>();
        let machines = (&interpreter, &Interpreter::new(changed));
        let case = wanted::random(machines, &around, mutant.range.0)?;
        wanted::shown(&case, &self.dialect, &interpreter).map(Found::Case)
    }

    /// Whether some case goes through a state or a mode of this name: then no other case needs to be run.
    fn is_place(&self, name: &str) -> bool {
        self.own.iter().any(|(_, seen)| seen.places.iter().any(|place| place == name))
    }
}

/// The text of a file in `spec/tables`.
fn table_text(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}
