//! A check of the check: single edits of tables and of documents, each of which the comparison must report.
//!
//! It makes no comparison of its own. Invariant: an edit counts only if the text is still a table, or was a sentence that
//! is read.

mod tables;

use super::machine;
use crate::commands::mutants::changes::Mutant;
use crate::commands::mutants::sample;
use crate::commands::mutants::wanted::{self, Found};
use crate::{Failure, Outcome, documents, root, step};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tabulex_documents::compare::accepted::Watch;
use tabulex_language::Source;
use tabulex_language::model::Machine;
use tabulex_language::syntax::Table;

/// What is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    /// As many edits of each file; all of them for 0.
    pub(super) sample: usize,
    pub(super) seed: u64,
    /// When no further edit is begun.
    pub(super) until: Option<Instant>,
}

/// What came of an edit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The comparison reports it.
    Reported,
    /// It is no table any more, or one that a check of the language refuses.
    Refused,
    /// The machine does the same as before on all inputs, as far as was searched.
    Alike,
    /// Nobody notices it.
    Missed,
}

/// What came of the edits of a file, by class: counted, reported.
type Score = BTreeMap<&'static str, (usize, usize)>;

/// Runs the edits of these dialects' tables.
pub(super) fn run(dialects: &[String], asked: Asked) -> Outcome {
    let mut is_well = true;
    for dialect in dialects {
        is_well &= of_table(dialect, asked)?;
    }
    Ok(is_well)
}

/// The text of a file beside the tables.
fn beside(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}

fn of_table(dialect: &str, asked: Asked) -> Outcome {
    let facts = documents::facts(dialect, None)?;
    let side = machine(dialect)?;
    let accepted = documents::accepted(dialect);
    let file = side.source.path.rsplit('/').next().unwrap_or_default().to_owned();
    let edits = tables::edits(&side.source.text, &side.table);
    let watch = Watch::new(&facts.table, &side.table, &accepted, &beside);
    let machine = Whole::new(&file)?;
    let items = Items::new(&side.source.text, &side.table)?;
    let verdict = |edit: &Mutant| match items.edited(edit) {
        None => Verdict::Refused,
        Some(table) if watch.notices(&table, &beside) => Verdict::Reported,
        Some(_) => machine.verdict(&edit.applied(&side.source.text)),
    };
    let mut is_well = tried(&file, &side.source.text, &edits, asked, verdict)?;
    for list in lists(&side.source.text) {
        let text = beside(&list).ok_or_else(|| format!("cannot read spec/tables/{list}"))?;
        let edits = tables::edits_of_references(&text);
        let verdict = |edit: &Mutant| {
            let changed = edit.applied(&text);
            if tabulex_language::references::read(&changed).is_err() {
                return Verdict::Refused;
            }
            let beside =
                |name: &str| if name == list { Some(changed.clone()) } else { beside(name) };
            let is_reported = watch.notices(&side.table, &beside);
            if is_reported { Verdict::Reported } else { Verdict::Missed }
        };
        is_well &= tried(&list, &text, &edits, asked, verdict)?;
    }
    Ok(is_well)
}

/// The lists of references that a table names.
fn lists(text: &str) -> Vec<String> {
    let named = text.lines().filter_map(|line| line.trim().strip_prefix("references \""));
    named.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

/// Tries the edits on all processors.
fn tried(
    file: &str,
    text: &str,
    edits: &[Mutant],
    asked: Asked,
    verdict: impl Fn(&Mutant) -> Verdict + Sync,
) -> Outcome {
    let numbers = sample(edits.len(), asked.sample, asked.seed);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if asked.until.is_some_and(|until| Instant::now() > until) {
                        break;
                    }
                    let verdict = verdict(&edits[number]);
                    if let Ok(mut found) = found.lock() {
                        found.insert(number, verdict);
                    }
                }
            });
        }
    });
    let found = found.into_inner().unwrap_or_default();
    let (mut score, mut survivors) = (Score::new(), Vec::new());
    let (mut refused, mut alike) = (0, 0);
    for (&number, verdict) in &found {
        let edit = &edits[number];
        let (tried, reported) = match verdict {
            Verdict::Refused => {
                refused += 1;
                continue;
            }
            Verdict::Alike => {
                alike += 1;
                continue;
            }
            Verdict::Reported | Verdict::Missed => score.entry(edit.class).or_default(),
        };
        *tried += 1;
        *reported += usize::from(*verdict == Verdict::Reported);
        if *verdict == Verdict::Missed {
            survivors.push(edit);
        }
    }
    let (all, reported) = score.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    step::say(&format!(
        "{file}: {all} edits, {reported} reported; {refused} refused by checks, {alike} that change nothing\n"
    ));
    for (class, (tried, reported)) in &score {
        step::say(&format!("    {class:<24} {reported:>6} of {tried}\n"));
    }
    for edit in survivors {
        step::say(&format!(
            "  not reported: {file}:{} {}: {}: {}\n",
            edit.line,
            edit.place,
            edit.class,
            edit.about(text)
        ));
    }
    Ok(all == reported)
}

/// A table by its declarations: of an edited one, only the edited declaration is parsed.
struct Items<'t> {
    text: &'t str,
    table: &'t Table,
    /// Where each declaration stands.
    ranges: Vec<(usize, usize)>,
}

impl<'t> Items<'t> {
    fn new(text: &'t str, table: &'t Table) -> Result<Self, Failure> {
        let ranges = tables::declarations(text);
        if ranges.len() != table.items.len() {
            let (found, there) = (ranges.len(), table.items.len());
            return Err(format!("{found} declarations are found of {there}"));
        }
        Ok(Self { text, table, ranges })
    }

    /// The edited table; none if it is none.
    fn edited(&self, edit: &Mutant) -> Option<Table> {
        let at = self.ranges.partition_point(|&(_, end)| end < edit.range.1);
        let (begin, end) = *self.ranges.get(at)?;
        let item = [&self.text[begin..edit.range.0], &edit.with, &self.text[edit.range.1..end]];
        let changed = format!("machine! {{ {} }}", item.concat());
        let items = tabulex_language::parse::file(&changed).0?.items;
        let all = [&self.table.items[..at], &items, &self.table.items[at + 1..]];
        Some(Table { items: all.concat() })
    }
}

/// The machine of a table, with the file that is edited.
struct Whole {
    file: String,
    top: String,
    machine: Machine,
}

impl Whole {
    fn new(file: &str) -> Result<Self, Failure> {
        let (stem, _) = file.split_once('.').unwrap_or((file, ""));
        let machine = root::machine(stem)?;
        Ok(Self { file: file.to_owned(), top: format!("{stem}.states"), machine })
    }

    /// What an edit is that is not reported.
    fn verdict(&self, changed: &str) -> Verdict {
        let text_of =
            |name: &str| if name == self.file { Some(changed.to_owned()) } else { beside(name) };
        let source = Source::new(self.top.clone(), text_of(&self.top).unwrap_or_default());
        let loaded = tabulex_language::load(&source, &text_of);
        match &loaded.machine {
            // Modes are not searched: they take no input by themselves.
            Some(_) if loaded.diagnostics.is_empty() && self.file != self.top => Verdict::Missed,
            Some(other) if loaded.diagnostics.is_empty() => {
                match wanted::of_machines(&self.machine, other) {
                    Found::Same => Verdict::Alike,
                    Found::Case(_) => Verdict::Missed,
                }
            }
            _ => Verdict::Refused,
        }
    }
}
