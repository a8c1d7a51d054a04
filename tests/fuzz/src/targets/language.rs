//! The table language: reading any table gives either diagnostics with valid spans, or a machine that compiles and that
//! the interpreter runs. The meaning of the table is not checked.

use super::Target;
use crate::feedback::note;
use crate::input_reader::InputReader;
use std::sync::LazyLock;
use tabulex_language::model::RowId;
use tabulex_language::vocabulary::{ACTIONS, CONDITIONS};
use tabulex_language::{Severity, Source, load, load_inline, parse};
use tabulex_oracle::interpreter::{Host, Interpreter, Options};
use tabulex_tests::random::Random;
use tabulex_tests::shared::workspace;

pub(super) const TARGET: Target = Target {
    name: "language",
    about: "tables, malformed or not: diagnostics with positions, or a machine that compiles and runs",
    choices: 3,
    piece,
    run,
};

/// The syntax of every action and condition.
static FORMS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let action_forms = ACTIONS.iter().map(|form| form.syntax);
    action_forms.chain(CONDITIONS.iter().map(|form| form.syntax)).collect()
});

/// Lines of all tables, except those of 200 bytes or more.
static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let tables = tabulex_tables::all();
    let lines = tables.iter().flat_map(|(_, text)| text.lines());
    lines.filter(|line| line.len() < 200).map(|line| format!("{line}\n")).collect()
});

fn piece(random: &mut Random) -> Vec<u8> {
    match random.below(8) {
        0 => random.pick(&LINES).as_bytes().to_vec(),
        1 => {
            let form = random.pick(&FORMS).replace(['<', '>'], "");
            format!("{form}; ").into_bytes()
        }
        2 if random.one_in(8) => random.pick(&TABLES).as_bytes().to_vec(),
        3 | 4 => {
            // A mutation of a table: offset, length, and length-prefixed text.
            let line = random.pick(&LINES);
            let random: [u8; 3] = std::array::from_fn(|_| random.next_number() as u8);
            [&random[..], &[line.len() as u8], line.as_bytes()].concat()
        }
        _ => format!("{} ", random.piece("language")).into_bytes(),
    }
}

/// Tables to mutate: the test cases of the language's errors, and those of the interpreter.
static TABLES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut tables = Vec::new();
    for folder in ["spec/language/test_data/err", "spec/oracle/test_data/interpreter"] {
        let entries = std::fs::read_dir(workspace().join(folder)).unwrap();
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "states"));
        paths.sort();
        let read = |path| std::fs::read_to_string(path).unwrap();
        tables.extend(paths.into_iter().map(read));
    }
    tables
});

/// Returns the text of a file that a table refers to, from the folder of tables or of the error cases.
fn referenced_file(name: &str) -> Option<String> {
    let case_path = || workspace().join("spec/language/test_data/err").join(name);
    tabulex_tables::text(name).or_else(|| std::fs::read_to_string(case_path()).ok())
}

/// Returns a mutated table. Each mutation has an offset, the number of bytes to remove, and a text to insert.
fn mutated_table(reader: &mut InputReader<'_>) -> String {
    let mut text = reader.pick(&TABLES).clone();
    while !reader.is_empty() {
        let start = text.floor_char_boundary(reader.number() as usize % (text.len() + 1));
        let end = start + usize::from(reader.byte()) % 32;
        let end = text.ceil_char_boundary(end.min(text.len()));
        text.replace_range(start..end, &reader.short_text(200));
    }
    text
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let choice = reader.byte();
    let is_inline = choice % 2 == 1;
    let text = match choice / 2 % 4 {
        0 => reader.into_text(),
        _ => mutated_table(&mut reader),
    };
    let source = Source::new("x.states", text);
    let read = if is_inline { load_inline } else { load };
    let loaded = read(&source, &referenced_file);
    for diagnostic in &loaded.diagnostics {
        note((diagnostic.check, diagnostic.message.len() % 16));
        let span = diagnostic.span;
        for span in diagnostic.others().map(|(span, _)| span).chain([span]) {
            let range = span.start as usize..span.end as usize;
            let file = loaded.source.file(span.file);
            let is_in_file = file.is_some_and(|file| file.text.get(range).is_some());
            assert!(is_in_file, "{span:?}: {}", diagnostic.message);
        }
        assert!(diagnostic.text(&loaded.source).contains(diagnostic.check));
        assert!(!diagnostic.render(&loaded.source).is_empty());
    }
    let has_error =
        loaded.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(
        loaded.machine.is_none(),
        has_error,
        "expected either a machine or errors for the table {:?}",
        source.text
    );
    let code = match &loaded.machine {
        Some(machine) => {
            assert_runs(machine);
            tabulex_compiler::expand(machine)
        }
        None => tabulex_compiler::skeleton(&parse::outline(&source.text)),
    };
    if let Some(error) = syntax_error(&code.to_string()) {
        panic!("the generated code does not parse: {error}, for the table {:?}", source.text);
    }
}

/// Returns the syntax error of generated Rust code, if any. The code nests deeply and `syn` recurses, so parsing uses a
/// large stack.
fn syntax_error(code: &str) -> Option<String> {
    let parse = || syn::parse_str::<syn::File>(code).err().map(|error| error.to_string());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, parse);
        thread.expect("a thread can be started").join().expect("the parser does not panic")
    })
}

/// A host that records the rows of a run.
struct Rows(Vec<RowId>);

impl Host for Rows {
    fn before_row(&mut self, row: RowId) {
        self.0.push(row);
    }
}

/// Asserts that a machine accepted by the checks runs to the end of its input. A table that has only modes is not run.
fn assert_runs(machine: &tabulex_language::model::Machine) {
    if machine.states.is_empty() {
        assert!(machine.construction.is_some(), "the machine has neither states nor modes");
        return;
    }
    let mut rows = Rows(Vec::new());
    let result =
        Interpreter::new(machine).run("<a b='c'>\r\n\0é&amp;", &Options::default(), &mut rows);
    note(("rows", rows.0.len()));
    if let Err(stuck) = result {
        panic!("the interpreter fails on a machine that the checks accept: {stuck}");
    }
}
