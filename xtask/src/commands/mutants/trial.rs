//! Tries changes of a table on the checks, the cases, and the comparison with the document. The unchanged table passes
//! all of them.

use super::changes::{Mutant, mutants};
use super::{EditOptions, sample};
use crate::{Failure, documents, files, root, step};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tabulex_documents::compare::{self, Index};
use tabulex_documents::document::facts::Facts;
use tabulex_language::model::{Encodings, Machine};
use tabulex_language::{Loaded, Source};
use tabulex_oracle::interpreter::Interpreter;
use tabulex_oracle::search::{Bound, Errors, differences};
use tabulex_workshop::cases::{self, Case};
use tabulex_workshop::trial::RunResult;

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

/// A file of `spec/tables`.
pub(in crate::commands) struct EditedFile {
    /// Name of the file.
    pub(in crate::commands) name: String,
    /// The table that the file is, or is part of.
    top: String,
    /// The machine of the unchanged table.
    machine: Machine,
}

impl EditedFile {
    pub(in crate::commands) fn new(name: &str) -> Result<Self, Failure> {
        let (dialect, _) = name.split_once('.').unwrap_or((name, ""));
        let machine = root::machine(dialect)?;
        Ok(Self { name: name.to_owned(), top: format!("{dialect}.states"), machine })
    }

    /// Whether the file is the whole table.
    pub(in crate::commands) fn is_whole(&self) -> bool {
        self.name == self.top
    }

    /// Loads the table with another text of the file.
    pub(in crate::commands) fn load(&self, changed: &str) -> Loaded {
        let text_of = |name: &str| {
            if name == self.name { Some(changed.to_owned()) } else { read_table(name) }
        };
        let source = Source::new(self.top.clone(), text_of(&self.top).unwrap_or_default());
        tabulex_language::load(&source, &text_of)
    }

    /// Whether a search finds no input on which the machine differs from that of the unchanged table.
    pub(in crate::commands) fn behaves_equally(&self, other: &Machine) -> bool {
        let bound = Bound { configurations: 800, length: 30, until: None };
        let machines = [&self.machine, other];
        differences(machines, Errors::Positions, bound, 1).differences.is_empty()
    }
}

/// Returns a file of `spec/tables`.
pub(in crate::commands) fn read_table(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}

/// Stack size of each thread in bytes.
const STACK: usize = 256 << 20;

/// Tries a sample of edits on all processors. Returns the verdicts by number.
pub(in crate::commands) fn try_sample<V: Send>(
    edits: &[Mutant],
    options: &EditOptions,
    verdict: impl Fn(&Mutant) -> V + Sync,
) -> Result<BTreeMap<usize, V>, Failure> {
    // The numbers are shuffled, so that a run that reaches its deadline covers all places.
    let mut numbers = sample(edits.len(), options.sample, options.seed);
    numbers.sort_by_key(|number| number.wrapping_mul(2_654_435_761) % (1 << 32));
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let try_next = || {
        while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
            if options.until.is_some_and(|until| Instant::now() > until) {
                break;
            }
            let verdict = verdict(&edits[number]);
            if let Ok(mut found) = found.lock() {
                found.insert(number, verdict);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let is_begun = std::thread::scope(|scope| {
        // An edited text may nest deeper than any document.
        let begin = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, try_next);
        (0..threads).map(begin).all(|thread| thread.is_ok())
    });
    if !is_begun {
        return Err("cannot start a thread".to_owned());
    }
    let found = found.into_inner().unwrap_or_default();
    if found.len() < numbers.len() {
        let rest = numbers.len() - found.len();
        step::say(&format!("  {rest} edits were not tried: the time was over\n"));
    }
    Ok(found)
}

/// A table file, with the cases and facts to try its changes on.
pub(super) struct Subject {
    pub(super) file: EditedFile,
    /// Text of the table file.
    pub(super) text: String,
    /// Facts of the table's document.
    facts: Option<Facts>,
    cases: Vec<TriedCase>,
    /// Cases of encodings: bytes, one per character, and the declarations about them.
    encodings: Vec<Value>,
    /// The changes to try.
    pub(super) mutants: Vec<Mutant>,
}

/// A case, with its result on the unchanged table.
struct TriedCase {
    case: Case,
    result: Option<RunResult>,
    /// Names of the states and modes through which the run passes.
    places: BTreeSet<String>,
}

impl TriedCase {
    fn new(case: Case, interpreter: &Interpreter<'_>) -> Self {
        let machine = interpreter.machine();
        let result = case.input.run(interpreter);
        let rows = result.iter().flat_map(|result| &result.rows);
        let states = rows.map(|row| machine.state(row.state).name.clone());
        let rows = result.iter().flat_map(|result| &result.mode_rows);
        let modes = machine.construction.iter().flat_map(|construction| {
            rows.clone().map(move |row| construction.mode(row.mode).name.clone())
        });
        let places = states.chain(modes).collect();
        Self { case, result, places }
    }

    /// Whether the case notices another table.
    fn notices(&self, interpreter: &Interpreter<'_>) -> bool {
        match (&self.result, self.case.input.run(interpreter)) {
            (Some(result), Some(other)) => !self.case.are_equal(result, &other),
            (result, other) => result.is_some() != other.is_some(),
        }
    }
}

impl Subject {
    /// Reads a file of `spec/tables`, and runs its cases.
    pub(super) fn read(file: &str) -> Result<Self, Failure> {
        let text = read_table(file).ok_or_else(|| format!("cannot read spec/tables/{file}"))?;
        let document = file.replace(".modes", "-modes").replace(".states", "");
        let file = EditedFile::new(file)?;
        let machine = &file.machine;
        let interpreter = Interpreter::new(machine);
        let folder = root::root().join("tests/cases");
        let cases = cases::read_folder(&folder, machine).into_iter();
        let cases = cases.map(|case| TriedCase::new(case, &interpreter)).collect();
        let encodings = encoding_cases(&folder.join("encodings.json"), &machine.name)?;
        let facts = match documents::project().dialects(".facts")?.contains(&document) {
            true => Some(documents::project().facts(&document)?),
            false => None,
        };
        let (table, _) = tabulex_language::parse::file(&text);
        let table = table.ok_or_else(|| format!("{} is not a table", file.name))?;
        let mutants = mutants(&text, &table);
        Ok(Self { file, text, facts, cases, encodings, mutants })
    }

    /// Returns the number of cases.
    pub(super) fn cases(&self) -> usize {
        self.cases.len() + self.encodings.len()
    }

    /// Tries a sample of the changes. Returns the verdicts by number.
    pub(super) fn try_sample(
        &self,
        options: &EditOptions,
    ) -> Result<BTreeMap<usize, Verdict>, Failure> {
        let index = self.facts.as_ref().map(|facts| Index::new(&facts.table));
        try_sample(&self.mutants, options, |mutant| self.verdict(mutant, index.as_ref()))
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
        let loaded = self.file.load(&changed);
        verdict.check = !loaded.diagnostics.is_empty();
        if let Some(machine) = &loaded.machine {
            let interpreter = Interpreter::new(machine);
            let is_far = |tried: &&TriedCase| {
                !mutant.place.contains(' ')
                    && !tried.places.contains(&mutant.place)
                    && self.is_place(&mutant.place)
            };
            let mut near = self.cases.iter().filter(|tried| !is_far(tried));
            let [before, now] =
                [&self.file.machine, machine].map(|machine| machine.encodings.as_ref());
            let is_declared_otherwise =
                |case: &Value| declarations(case, before) != declarations(case, now);
            verdict.case = near.any(|tried| tried.notices(&interpreter))
                || self.encodings.iter().any(is_declared_otherwise);
            let is_searched =
                self.file.is_whole() && machine.encodings == self.file.machine.encodings;
            verdict.is_same =
                !verdict.is_noticed() && is_searched && self.file.behaves_equally(machine);
        }
        verdict
    }

    /// Whether a case passes through a state or mode of this name, in which case no others need be run.
    fn is_place(&self, name: &str) -> bool {
        self.cases.iter().any(|tried| tried.places.contains(name))
    }
}

/// Reads the cases of encodings of a dialect. The interpreter decodes no bytes, so only the table's declarations for
/// words in a case are compared.
fn encoding_cases(path: &Path, dialect: &str) -> Result<Vec<Value>, Failure> {
    let all = files::read_json(path)?;
    let is_own = |case: &&Value| case["dialect"].as_str().unwrap_or("html") == dialect;
    Ok(all.as_array().into_iter().flatten().filter(is_own).cloned().collect())
}

/// Returns the table's declarations for words in the case.
fn declarations(case: &Value, encodings: Option<&Encodings>) -> String {
    let Some(encodings) = encodings else { return String::new() };
    let word = |key: &str| case[key].as_str().unwrap_or_default().to_lowercase();
    let (bytes, locale) = (word("bytes"), word("locale"));
    let has = |text: &str| bytes.contains(&text.to_lowercase());
    let pair = |pair: &Option<(String, String)>| pair.clone().filter(|it| has(&it.0) && has(&it.1));
    let one = |text: &Option<String>| text.clone().filter(|text| has(text));
    let of_locale = encodings.locales.iter().find(|(tag, _)| tag.to_lowercase() == locale);
    let read_as: Vec<_> = encodings.read_as.iter().filter(|(label, _)| has(label)).collect();
    let nothing_said = ["override", "transport", "parent", "likely", "fallback", "locale"]
        .iter()
        .all(|key| case[*key].is_null());
    let otherwise = nothing_said.then_some(&encodings.otherwise);
    let words = (one(&encodings.element), one(&encodings.label));
    let pairs = [&encodings.content, &encodings.pragma, &encodings.xml_declaration].map(pair);
    format!("{words:?} {pairs:?} {of_locale:?} {read_as:?} {otherwise:?}")
}
