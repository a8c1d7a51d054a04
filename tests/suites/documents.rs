//! Compares machines described by documents alone with those of the tables, by the interpreter, on every input of the
//! tokenizers' suites. A difference must come from a row that the table declares to differ from its document.

use serde_json::Value;
use std::collections::HashSet;
use tabulex_documents::compare::{Comparison, Difference, Index, RowAt, compare};
use tabulex_documents::document::facts::{self, Facts};
use tabulex_language::Source;
use tabulex_language::model::{Machine, RowId, StateId};
use tabulex_language::syntax;
use tabulex_oracle::interpreter::Token;
use tabulex_tests::html5lib::Run;
use tabulex_tests::interpreted::{Table, table};
use tabulex_tests::recording::{Recording, difference};
use tabulex_tests::setup::Setup;
use tabulex_tests::shared::{assert_no_failures, report, shared, workspace};
use tabulex_tests::suites::SUITES;

/// A machine, and the indices of its rows with declared differences.
struct ComparedMachine<'t> {
    table: &'t Table,
    declared: HashSet<usize>,
}

/// The outcome of a run.
struct DocumentRun {
    recording: Recording,
    /// The reason why the machine got stuck, if it did: the text of a document may be incomplete.
    stuck: Option<String>,
    /// Rows with declared differences that the run took.
    declared: Vec<usize>,
}

impl ComparedMachine<'_> {
    fn run(&self, run: &Run, input: &str) -> DocumentRun {
        let mut declared = Vec::new();
        // In a run that follows modes, tree construction selects the state after a start tag. The document's machine
        // has no modes, so the host of both machines switches by the name of the tag.
        let setup =
            Setup { switches: run.setup.switches || run.setup.follows_modes, ..run.setup.clone() };
        let (recording, stuck) = self.table.attempt(&setup, input, &mut |row| {
            declared.extend(self.declared.contains(&row).then_some(row));
        });
        DocumentRun { recording, stuck, declared }
    }
}

/// Returns the facts of a dialect from `spec/documents`.
fn facts_of(dialect: &str) -> Facts {
    let path = workspace().join(format!("spec/documents/{dialect}.facts"));
    facts::parse(
        &std::fs::read_to_string(path)
            .expect("the facts of the dialect in `spec/documents` can be read"),
    )
    .unwrap()
}

/// Returns the machine described by the document alone; its preprocessing is that of the table.
fn machine_of_document(facts: &Facts, syntax: &syntax::Table, compiled: &Machine) -> Table {
    let source = Source::new("facts", facts.text.clone());
    let completed_table = facts.completed(syntax);
    let machine = tabulex_language::resolve::resolve(&completed_table, &tabulex_tables::text).0;
    let mut machine = machine.unwrap();
    machine.newlines_normalized = compiled.newlines_normalized;
    machine.nulls_replaced = compiled.nulls_replaced;
    machine.byte_order_mark_dropped = compiled.byte_order_mark_dropped;
    machine.input_errors.clear();
    Table::of(source, machine)
}

/// Returns the rows of one side with declared differences, including all rows of a state that only that side has.
fn rows_with_declared_differences(
    table: &Table,
    comparison: &Comparison,
    row_of: fn(&Difference) -> Option<RowAt>,
) -> HashSet<usize> {
    let machine = table.machine();
    let mut rows = HashSet::new();
    for difference in
        comparison.differences.iter().filter(|difference| !difference.notes.is_empty())
    {
        let Some(state) = machine.states.iter().position(|state| state.name == difference.state)
        else {
            continue;
        };
        let concerns_whole_state = difference.left_row.is_none() && difference.right_row.is_none();
        let state_rows = 0..machine.states[state].rows.len();
        let row = row_of(difference).map(|(_, row)| row);
        for row in state_rows.filter(|&index| concerns_whole_state || row == Some(index)) {
            let id = RowId { state: StateId(state as u16), row: row as u16 };
            rows.insert(table.row_number(id));
        }
    }
    rows
}

/// Whether both runs have equal tokens, ends, and numbers of errors in rows. Documents specify no ranges, and older
/// ones no error codes.
fn results_agree(sides: [&DocumentRun; 2], input_error_codes: &[&str]) -> bool {
    let [one, other] = sides.map(|outcome| {
        let recording = &outcome.recording;
        let reaches_end = matches!(recording.tokens.last(), Some(Token::EndOfFile { .. }));
        let row_errors =
            recording.errors.iter().filter(|(code, _)| !input_error_codes.contains(code));
        (recording.to_json(), reaches_end, row_errors.count(), outcome.stuck.is_some())
    });
    one == other
}

/// Whether the tokens of a run that got stuck are a prefix of those of another run.
fn is_prefix(prefix: &Recording, whole: &Recording) -> bool {
    let [prefix, whole] = [prefix, whole].map(|recording| recording.to_json());
    let (prefix, whole) = (prefix.as_array().unwrap(), whole.as_array().unwrap());
    let Some((last, before)) = prefix.split_last() else { return true };
    let text_len =
        |token: &Value| (token[0] == "Character").then(|| token[1].as_str().map(str::len));
    let last_agrees = whole.get(before.len()).is_some_and(|token| {
        let begins_with_last = || token[1].as_str()?.starts_with(last[1].as_str()?).then_some(());
        token == last
            || text_len(token).is_some() && text_len(last).is_some() && begins_with_last().is_some()
    });
    last_agrees && before == &whole[..before.len()]
}

/// Counts of inputs of a dialect on which the document's machine and the table's differ.
#[derive(Default)]
struct ComparisonCounts {
    runs: usize,
    /// Number of inputs with different results that took a row with a declared difference.
    declared: usize,
    /// Number of the inputs counted in `declared` on which the document's machine gets stuck.
    gaps: usize,
    /// The first row with a declared difference that each input counted in `declared` takes.
    rows: HashSet<usize>,
    /// Descriptions of the undeclared differences.
    failures: Vec<String>,
}

impl ComparisonCounts {
    /// Runs the document's machine and the table's on one input.
    fn run(&mut self, run: &Run, sides: &[ComparedMachine<'_>; 2], input_error_codes: &[&str]) {
        // `input` is `None` if the case has an unpaired surrogate, which a string cannot represent.
        let Some(input) = &run.input else { return };
        self.runs += 1;
        let [document, table] = sides.each_ref().map(|side| side.run(run, input));
        if results_agree([&document, &table], input_error_codes) {
            return;
        }
        // If the document's machine is stuck at a gap of the document and nothing else differs, its tokens must be the
        // first tokens of the table's machine.
        let is_gap =
            document.stuck.is_some() && document.declared.is_empty() && table.declared.len() <= 1;
        let agrees_up_to_gap = !is_gap || is_prefix(&document.recording, &table.recording);
        let declared = table.declared.first().or(document.declared.first());
        match declared.filter(|_| agrees_up_to_gap) {
            Some(&row) => {
                self.declared += 1;
                self.gaps += usize::from(is_gap);
                self.rows.insert(row);
            }
            None => {
                let lines = difference(&document.recording, &table.recording);
                self.failures.push(format!("  {input:?} {:?}\n{lines}", run.setup));
            }
        }
    }
}

/// Returns the runs in the suites of a dialect.
fn runs_of_suites(dialect: &str) -> Vec<Run> {
    SUITES.iter().filter(|suite| suite.dialect == dialect).flat_map(|suite| suite.read()).collect()
}

/// Runs the document's machine and the table's on the inputs, and counts the differences.
fn compare_runs(dialect: &str, facts: &Facts, runs: &[Run]) -> ComparisonCounts {
    let table = table(dialect);
    let (parsed, _) = tabulex_language::parse::file(&table.source.text);
    let syntax = parsed.unwrap();
    let comparison = compare(&Index::new(&facts.table), &Index::new(&syntax));
    let document = machine_of_document(facts, &syntax, table.machine());
    let sides = [
        ComparedMachine {
            table: &document,
            declared: rows_with_declared_differences(&document, &comparison, |difference| {
                difference.left_row
            }),
        },
        ComparedMachine {
            table,
            declared: rows_with_declared_differences(table, &comparison, |difference| {
                difference.right_row
            }),
        },
    ];
    let codes = &table.machine().errors;
    let input_errors = table.machine().input_errors.iter();
    let input_error_codes: Vec<&str> =
        input_errors.map(|row| &codes[usize::from(row.error.0)].name[..]).collect();
    let mut counts = ComparisonCounts::default();
    runs.iter().for_each(|run| counts.run(run, &sides, &input_error_codes));
    counts
}

/// Runs the document's machine and the table's on the inputs, and panics if there are undeclared differences.
pub(crate) fn check_runs(dialect: &str, description: &str, all: &[Run]) {
    let ComparisonCounts { runs, declared, gaps, rows, failures } =
        compare_runs(dialect, &facts_of(dialect), all);
    report(&format!(
        "{dialect}: {runs} {description} run by the document's machine and the table's, {declared} differ by declaration \
         (through {} rows; {gaps} of them only where the document is incomplete), {} otherwise",
        rows.len(),
        failures.len()
    ));
    assert_no_failures(&format!("{dialect}, {description}"), &failures);
}

fn check_dialect(dialect: &str) {
    check_runs(dialect, "inputs", &runs_of_suites(dialect));
}

#[test]
fn a_changed_document_fails_its_suites() {
    // The edits below cause differences that the table does not declare, so the comparison must fail.
    let text = facts_of("html-2007").text;
    let runs = runs_of_suites("html-2007");
    for (instead_of, read) in [
        ("'=' => switch before-attribute-value;", "'=' => switch before-attribute-name;"),
        ("'/' => switch close-tag-open;", "'/' => switch data;"),
        ("'-' => switch comment-end;", "'-' => ignore;"),
    ] {
        assert!(text.contains(instead_of), "{instead_of}");
        let edited_facts = facts::parse(&text.replacen(instead_of, read, 1)).unwrap();
        assert!(!compare_runs("html-2007", &edited_facts, &runs).failures.is_empty(), "{read}");
    }
}

#[test]
fn html() {
    check_dialect("html");
}

#[test]
fn html_2013() {
    check_dialect("html-2013");
}

#[test]
fn html_2007() {
    check_dialect("html-2007");
}

#[test]
fn xml_er() {
    check_dialect("xml-er");
}

#[test]
fn sky() {
    check_dialect("sky");
}

#[test]
fn microxml() {
    check_dialect("microxml");
}

/// Returns the sections and anchors in a table: the quoted text after each `@`.
fn sections(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    text.split("@ \"").skip(1).filter_map(|rest| {
        let (number, rest) = rest.split_once('"')?;
        let anchor = rest.trim_start_matches(' ').strip_prefix('"');
        Some((number, anchor.and_then(|rest| rest.split('"').next())))
    })
}

#[test]
fn anchors_of_tables_exist_in_the_document() {
    const DOCUMENT: &str = "documents/html-2026-10-03.html";
    let Some(path) = shared(DOCUMENT) else {
        return report(&format!("`{DOCUMENT}` is absent, so anchors are not checked"));
    };
    let document = std::fs::read_to_string(path).unwrap();
    let is_present = |anchor: &str| {
        [format!(" id={anchor}>"), format!(" id={anchor} "), format!(" id=\"{anchor}\"")]
            .iter()
            .any(|id| document.contains(id))
    };
    let mut count = 0;
    for name in ["html.states", "html.modes"] {
        let text = tabulex_tables::text(name).unwrap();
        for (number, anchor) in sections(&text) {
            assert!(number.starts_with("13."), "{name}: {number}");
            if let Some(anchor) = anchor {
                assert!(
                    is_present(anchor),
                    "{name}: the anchor {anchor:?} of section {number} is not in the document"
                );
                count += 1;
            }
        }
    }
    assert!(count > 100, "only {count} anchors were found, expected more than 100");
    report(&format!("html: {count} anchors of its tables are in the document"));
}
