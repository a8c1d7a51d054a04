//! Tries changes of a table on the checks, the cases, and the comparison with the document. The unchanged table passes
//! all of them.

use super::cases::{self, Case, CaseResult};
use super::changes::{Mutant, mutants};
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
use tabulex_oracle::search::{Bound, Errors, differences};

/// The detectors that notice a change.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    /// Whether the changed text is not a table, so that the change does not count.
    pub(super) is_void: bool,
    /// Whether a check of the language notices the change.
    pub(super) check: bool,
    /// Whether a case of the repository notices the change.
    pub(super) case: bool,
    /// Whether the comparison with the document notices the change.
    pub(super) diff: bool,
    /// Whether no detector notices the change, and a search finds no input that reveals it.
    pub(super) is_same: bool,
}

impl Verdict {
    /// Whether any detector notices the change.
    pub(super) fn is_noticed(&self) -> bool {
        self.check || self.case || self.diff
    }
}

/// A table file, with the cases and facts to try its changes on.
pub(super) struct Subject {
    /// Name of the table file.
    pub(super) file: String,
    /// Text of the table file.
    pub(super) text: String,
    /// Dialect of the machine that includes the file.
    dialect: String,
    /// The unchanged machine.
    machine: Machine,
    /// Facts of the table's document.
    facts: Option<Facts>,
    /// The cases, each with its result.
    cases: Vec<(Case, CaseResult)>,
    /// The changes to try.
    pub(super) mutants: Vec<Mutant>,
}

impl Subject {
    /// Reads a file of `spec/tables`, and runs its cases.
    pub(super) fn read(file: &str) -> Result<Self, Failure> {
        let text = table_text(file).ok_or_else(|| format!("cannot read spec/tables/{file}"))?;
        let stem = file.split('.').next().unwrap_or(file);
        let (dialect, document) = match file.strip_suffix(".modes") {
            Some(stem) => (stem.to_owned(), format!("{stem}-modes")),
            None => (stem.to_owned(), stem.to_owned()),
        };
        let machine = root::machine(&dialect)?;
        let interpreter = Interpreter::new(&machine);
        let run = |case: Case| {
            let result = case.run(&interpreter);
            (case, result)
        };
        let cases = cases::repository_cases(&dialect)?.into_iter().map(run).collect();
        let facts = match documents::project().dialects(".facts")?.contains(&document) {
            true => Some(documents::project().facts(&document)?),
            false => None,
        };
        let (table, _) = tabulex_language::parse::file(&text);
        let table = table.ok_or_else(|| format!("{file} is not a table"))?;
        let mutants = mutants(&text, &table);
        let file = file.to_owned();
        Ok(Self { file, text, dialect, machine, facts, cases, mutants })
    }

    /// Returns the number of cases.
    pub(super) fn cases(&self) -> usize {
        self.cases.len()
    }

    /// Tries the given changes on all processors, until the deadline. Returns the verdicts by number.
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

    /// Returns the verdict on a change.
    fn verdict(&self, mutant: &Mutant, index: Option<&Index<'_>>) -> Verdict {
        let changed = mutant.apply(&self.text);
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
            let differs = |(case, result): &&(Case, CaseResult)| {
                let is_far = !mutant.place.contains(' ')
                    && result.places.iter().all(|place| *place != mutant.place)
                    && self.is_place(&mutant.place);
                !is_far && case.run(&interpreter).text != result.text
            };
            verdict.case = self.cases.iter().find(differs).is_some();
            let is_searched = self.file == top && machine.encodings == self.machine.encodings;
            verdict.is_same =
                !verdict.is_noticed() && is_searched && behave_equally(&self.machine, machine);
        }
        verdict
    }

    /// Whether a case passes through a state or mode of this name, in which case no others need be run.
    fn is_place(&self, name: &str) -> bool {
        self.cases.iter().any(|(_, result)| result.places.iter().any(|place| place == name))
    }
}

/// Whether a search finds no input on which the machines differ.
pub(in crate::commands) fn behave_equally(one: &Machine, other: &Machine) -> bool {
    let bound = Bound { configurations: 800, length: 30, until: None };
    differences([one, other], Errors::Positions, bound, 1).differences.is_empty()
}

/// Reads a file of `spec/tables`.
fn table_text(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}
