//! Tries small changes of a table, and finds out which are noticed by the checks, the cases, and the comparison with
//! the document, all of which the unchanged table passes.

use super::changes::{Mutant, mutants};
use super::runner::{EditOptions, EditOutcome, try_edits};
use crate::{Failure, Outcome, documents, files, root};
use std::collections::BTreeSet;
use tabulex_documents::compare::{self, Index};
use tabulex_documents::document::facts::Facts;
use tabulex_language::model::Machine;
use tabulex_language::{Loaded, Source};
use tabulex_oracle::interpreter::Interpreter;
use tabulex_oracle::search::{Bound, Errors, differences};
use tabulex_workshop::cases::{self, Case};
use tabulex_workshop::trial::RunResult;

/// A file of `spec/tables` to be edited.
pub(in crate::commands) struct EditedFile {
    /// Name of the file.
    name: String,
    /// Name of the file with the table to which the file belongs.
    table_file: String,
    /// The machine of the unchanged table.
    machine: Machine,
}

impl EditedFile {
    pub(in crate::commands) fn new(name: &str) -> Result<Self, Failure> {
        let (dialect, _) = name.split_once('.').unwrap_or((name, ""));
        let machine = root::machine(dialect)?;
        Ok(Self { name: name.to_owned(), table_file: format!("{dialect}.states"), machine })
    }

    /// Whether the file itself is the table, rather than a file of its modes.
    pub(in crate::commands) fn is_table(&self) -> bool {
        self.name == self.table_file
    }

    /// Loads the table, with `changed` as the text of the file.
    pub(in crate::commands) fn load(&self, changed: &str) -> Loaded {
        let text_of = |name: &str| {
            if name == self.name { Some(changed.to_owned()) } else { read_table(name) }
        };
        let source =
            Source::new(self.table_file.clone(), text_of(&self.table_file).unwrap_or_default());
        tabulex_language::load(&source, &text_of)
    }

    /// Whether a short search finds no input on which `other` behaves differently from the machine of the unchanged
    /// table.
    pub(in crate::commands) fn behaves_equally(&self, other: &Machine) -> bool {
        let bound = Bound { configurations: 800, length: 30, until: None };
        let machines = [&self.machine, other];
        differences(machines, Errors::Positions, bound, 1).differences.is_empty()
    }
}

/// Reads a file of `spec/tables`. Returns `None` if the file cannot be read.
pub(in crate::commands) fn read_table(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}

/// A file of tables, with the cases and facts on which its changes are tried.
pub(super) struct Subject {
    file: EditedFile,
    /// Text of the table file.
    text: String,
    /// Facts of the table's document; `None` if `spec/documents` has none.
    facts: Option<Facts>,
    cases: Vec<TriedCase>,
    /// Whether the dialect has cases of encodings, which the interpreter cannot run, as it decodes no bytes.
    has_encoding_cases: bool,
    /// The changes to try.
    mutants: Vec<Mutant>,
}

/// A case, with its result on the unchanged table.
struct TriedCase {
    case: Case,
    result: Option<RunResult>,
    /// Names of the states and modes whose rows the case runs.
    blocks: BTreeSet<String>,
}

impl TriedCase {
    fn new(case: Case, interpreter: &Interpreter<'_>) -> Self {
        let machine = interpreter.machine();
        let result = case.input.run(interpreter);
        let rows = result.iter().flat_map(|result| &result.rows);
        let blocks = rows.map(|row| row.block_name(machine).to_owned()).collect();
        Self { case, result, blocks }
    }

    /// Whether the result of the case on another machine is different.
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
        let text = read_table(file).ok_or_else(|| format!("cannot read `spec/tables/{file}`"))?;
        let document = file.replace(".modes", "-modes").replace(".states", "");
        let file = EditedFile::new(file)?;
        let machine = &file.machine;
        let interpreter = Interpreter::new(machine);
        let folder = root::root().join("tests/cases");
        let cases = cases::read_folder(&folder, machine).into_iter();
        let cases = cases.map(|case| TriedCase::new(case, &interpreter)).collect();
        let encoding_cases = files::read_json(&folder.join("encodings.json"))?;
        let mut encoding_cases = encoding_cases.as_array().into_iter().flatten();
        let has_encoding_cases =
            encoding_cases.any(|case| case["dialect"].as_str().unwrap_or("html") == machine.name);
        let facts = match documents::project().dialects(".facts")?.contains(&document) {
            true => Some(documents::project().facts(&document)?),
            false => None,
        };
        let (table, _) = tabulex_language::parse::file(&text);
        let table = table.ok_or_else(|| format!("`{}` is not a table", file.name))?;
        let mutants = mutants(&text, &table);
        Ok(Self { file, text, facts, cases, has_encoding_cases, mutants })
    }

    /// Returns the number of cases that are run.
    pub(super) fn case_count(&self) -> usize {
        self.cases.len()
    }

    /// Tries the changes, or a sample of them, by [`try_edits`].
    pub(super) fn try_changes(&self, options: &EditOptions) -> Outcome {
        let index = self.facts.as_ref().map(|facts| Index::new(&facts.table));
        let outcome = |mutant: &Mutant| self.outcome(mutant, index.as_ref());
        let file = (&self.file.name[..], &self.text[..]);
        try_edits(file, &self.mutants, options, "tests/mutants.json", outcome)
    }

    fn outcome(&self, mutant: &Mutant, index: Option<&Index<'_>>) -> EditOutcome {
        let changed = mutant.apply(&self.text);
        let (table, _) = tabulex_language::parse::file(&changed);
        let Some(table) = table else { return EditOutcome::Invalid };
        let mut detectors = Vec::new();
        if let Some(index) = index {
            let comparison = compare::compare(index, &Index::new(&table));
            if comparison.undeclared().next().is_some() || !comparison.stale.is_empty() {
                detectors.push("comparison");
            }
        }
        let loaded = self.file.load(&changed);
        if !loaded.diagnostics.is_empty() {
            detectors.push("checks");
        }
        let Some(machine) = &loaded.machine else { return EditOutcome::NoticedBy(detectors) };
        let interpreter = Interpreter::new(machine);
        let is_unaffected = |tried: &&TriedCase| {
            !mutant.place.contains(' ')
                && !tried.blocks.contains(&mutant.place)
                && self.is_covered(&mutant.place)
        };
        let mut affected = self.cases.iter().filter(|tried| !is_unaffected(tried));
        // The tests of encodings are assumed to notice any change of the declarations about encodings.
        let has_same_encodings = self.file.machine.encodings == machine.encodings;
        if affected.any(|tried| tried.notices(&interpreter))
            || self.has_encoding_cases && !has_same_encodings
        {
            detectors.push("cases");
        }
        let needs_search = detectors.is_empty() && self.file.is_table() && has_same_encodings;
        match needs_search && self.file.behaves_equally(machine) {
            true => EditOutcome::Equivalent,
            false => EditOutcome::NoticedBy(detectors),
        }
    }

    /// Whether any case runs a row of a state or mode with this name. If so, a change there affects only such cases.
    fn is_covered(&self, name: &str) -> bool {
        self.cases.iter().any(|tried| tried.blocks.contains(name))
    }
}
