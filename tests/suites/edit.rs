//! Edits tables as their authors would: a changed row changes the tokens, and a mistake is reported at its position.
//! Runs cargo on a copy of the workspace; each test begins with the original tables.

use crate::workshop::{Build, Results, Workshop};
use std::fs;
use std::process::Command;
use std::sync::{LazyLock, Mutex, MutexGuard};
use tabulex_tests::sample;

const TABLE: &str = "spec/tables/html-2013.states";

/// A row of the table that tests replace by [`CHANGED_ROW`].
const ROW: &str =
    "uppercase-letter => create start-tag; append lower to tag-name; switch tag-name;";
/// The replacement of [`ROW`].
const CHANGED_ROW: &str =
    "uppercase-letter => create start-tag; append current to tag-name; switch tag-name;";
/// An input whose tokens differ between [`ROW`] and [`CHANGED_ROW`].
const INPUT: &str = "<Div>";

/// A copy of the workspace, with the original text of the table; tests lock it in turn.
struct EditedCopy {
    workshop: Workshop,
    table: String,
}

static EDITED_COPY: LazyLock<Mutex<EditedCopy>> = LazyLock::new(|| {
    let workshop = Workshop::new("edit", Results::Shared);
    let table = fs::read_to_string(workshop.path(TABLE)).unwrap();
    let copy = EditedCopy { workshop, table };
    let build = copy.build("first build");
    assert!(build.is_successful, "{}", build.messages);
    Mutex::new(copy)
});

impl EditedCopy {
    /// Locks the copy, and restores the table.
    fn lock() -> MutexGuard<'static, Self> {
        // A failed test may have poisoned the lock and left an edited table, so the copy is locked anyway and the table
        // restored.
        let copy = EDITED_COPY.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        copy.write_table(&copy.table);
        copy
    }

    fn write_table(&self, table: &str) {
        fs::write(self.workshop.path(TABLE), table).unwrap();
    }

    /// Replaces the first `from` in the table. Returns the line and the column of `at` in the replacement.
    fn edit(&self, from: &str, to: &str, at: &str) -> (usize, usize) {
        let (edited, position) = replace_first(&self.table, from, to, at);
        self.write_table(&edited);
        position
    }

    /// Runs `cargo build` in the workspace: all dialects, and the program.
    fn build(&self, description: &str) -> Build {
        self.workshop.cargo(description, &["build"])
    }

    /// Returns the tokens of [`INPUT`], as printed by the last build of the program.
    fn tokens(&self) -> String {
        self.run_program(&["tokens", "--dialect", "html-2013", "--format", "json"], INPUT)
    }

    /// Returns dumps of the trees that the compiled parser and the interpreter build from the input, in this order.
    fn trees(&self, input: &str) -> [String; 2] {
        let table = self.workshop.path("spec/tables/html.states");
        let table = table.to_str().unwrap();
        let output = self.run_program(&["table", "run", table, "--tree", "--file"], input);
        // The output lists errors before the tree; only the lines of the tree begin with a bar.
        let tree = output.lines().filter(|line| line.starts_with('|'));
        let interpreted = tree.flat_map(|line| [line, "\n"]).collect();
        [self.run_program(&["parse"], input), interpreted]
    }

    /// Runs the last build of the program with the arguments and a file with the input, and returns its output.
    fn run_program(&self, arguments: &[&str], input: &str) -> String {
        let file = self.workshop.path("input.html");
        fs::write(&file, input).unwrap();
        let program = self
            .workshop
            .target()
            .join("debug/tabulex")
            .with_extension(std::env::consts::EXE_EXTENSION);
        let output = Command::new(program).args(arguments).arg(file).output();
        let output = output.expect("the program can be run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("the output of the program is UTF-8")
    }
}

/// Returns the table with the first `from` replaced, and the line and the column of `at` in the replacement.
fn replace_first(table: &str, from: &str, to: &str, at: &str) -> (String, (usize, usize)) {
    let start = table.find(from).unwrap_or_else(|| panic!("the table does not contain `{from}`"));
    let edited = table.replacen(from, to, 1);
    let position =
        start + to.find(at).unwrap_or_else(|| panic!("the replacement does not contain `{at}`"));
    let preceding = &edited[..position];
    let column = preceding.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let line = preceding.matches('\n').count() + 1;
    (edited, (line, column))
}

/// Returns the packages of the workspace that a build has compiled, sorted.
fn compiled_packages(messages: &str) -> Vec<&str> {
    let lines = messages.lines().filter_map(|line| line.trim_start().strip_prefix("Compiling "));
    let mut names: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
    names.sort_unstable();
    names
}

/// Whether the messages of cargo contain a message next to a position in a table.
fn reports_at(messages: &str, message: &str, table: &str, (line, column): (usize, usize)) -> bool {
    let position = format!("{table}:{line}:{column}");
    let has_position =
        |shown: &str| shown.lines().next().is_some_and(|line| line.ends_with(&position));
    // In an error, the position follows the message; in a warning, it precedes it.
    let is_at_position = |offset| {
        let is_below_message =
            messages[offset..].split_once("--> ").is_some_and(|(_, shown)| has_position(shown));
        is_below_message
            || messages[..offset].rsplit_once("--> ").is_some_and(|(_, shown)| has_position(shown))
    };
    messages.match_indices(message).any(|(offset, _)| is_at_position(offset))
}

/// Returns the number of errors in the messages of cargo. A mistake causes two: itself, and the failure to compile the
/// package.
fn error_count(messages: &str) -> usize {
    messages.lines().filter(|line| line.starts_with("error")).count()
}

#[test]
fn editing_a_row_changes_the_tokens_and_undoing_restores_them() {
    let copy = EditedCopy::lock();
    assert!(copy.build("unchanged").is_successful);
    assert!(copy.tokens().contains(r#"["StartTag","div""#), "{}", copy.tokens());
    copy.edit(ROW, CHANGED_ROW, "current");
    let build = copy.build("a row changed");
    assert!(build.is_successful, "{}", build.messages);
    // Cargo recompiles the dialect, the dialect that takes parts of its table, and the packages that depend on these
    // two, but neither the table compiler nor any other dialect.
    let rebuilt_packages = ["tabulex", "tabulex-cli", "tabulex-html-2013", "tabulex-webvtt"];
    assert_eq!(compiled_packages(&build.messages), rebuilt_packages, "{}", build.messages);
    assert!(copy.tokens().contains(r#"["StartTag","Div""#), "{}", copy.tokens());
    copy.write_table(&copy.table);
    assert!(copy.build("the row changed back").is_successful);
    assert!(copy.tokens().contains(r#"["StartTag","div""#), "{}", copy.tokens());
}

/// A step of the adoption agency algorithm. The runtime implements the algorithm by hand, unless its steps change.
const STEP: &str = "            append children of furthest-block to new-element;\n";
/// Inputs on which the step [`STEP`] acts.
const STEP_INPUTS: [&str; 3] =
    ["<b>1<p>2</b>3", "<a>1<div>2<i>3</a>4</div>5", "<b><p><i>1<div>2</b>3</i>4<table>5</b>6"];

#[test]
fn a_changed_step_changes_the_tree_as_the_interpreter_says() {
    let copy = EditedCopy::lock();
    let modes_path = copy.workshop.path("spec/tables/html.modes");
    let text = fs::read_to_string(&modes_path).unwrap();
    let (changed, _) = replace_first(&text, STEP, "\n", "\n");
    let original_trees = STEP_INPUTS.map(|input| copy.trees(input));
    fs::write(&modes_path, &changed).unwrap();
    let build = copy.build("a step removed");
    let changed_trees = STEP_INPUTS.map(|input| copy.trees(input));
    fs::write(&modes_path, &text).unwrap();
    assert!(build.is_successful, "{}", build.messages);
    let warning = "[compiled-steps] algorithm `adoption-agency` is compiled, which is slower than the native one";
    let line =
        1 + changed[..changed.find("algorithm adoption-agency").unwrap()].matches('\n').count();
    let position = (line, "    algorithm ".len() + 1);
    assert!(
        reports_at(&build.messages, warning, "spec/tables/html.modes", position),
        "{}",
        build.messages
    );
    for [compiled, interpreted] in &original_trees {
        assert_eq!(compiled, interpreted);
    }
    for ([compiled, interpreted], [_, original]) in changed_trees.iter().zip(&original_trees) {
        assert_eq!(compiled, interpreted);
        assert_ne!(compiled, original);
    }
}

#[test]
fn a_mistake_in_a_row_is_reported_at_its_location() {
    let copy = EditedCopy::lock();
    let position = copy.edit(ROW, &ROW.replace("switch tag-name", "switch tag-nam"), "tag-nam;");
    let build = copy.build("a row broken");
    assert!(!build.is_successful, "{}", build.messages);
    assert!(
        reports_at(
            &build.messages,
            "error: [unknown-state] there is no state `tag-nam`",
            TABLE,
            position
        ),
        "{}",
        build.messages
    );
    assert!(build.messages.contains("help: did you mean `tag-name`?"), "{}", build.messages);
    assert_eq!(error_count(&build.messages), 2, "{}", build.messages);
}

#[test]
fn a_syntax_error_is_reported_once_at_its_location() {
    let copy = EditedCopy::lock();
    let position = copy.edit(ROW, &ROW.replace("create start-tag;", "create { start-tag; }"), "{");
    let build = copy.build("a syntax error");
    assert!(!build.is_successful, "{}", build.messages);
    assert!(reports_at(&build.messages, "error: [syntax] ", TABLE, position), "{}", build.messages);
    // The dialect that takes parts of the table reports the error as well, and either of the two may be built first.
    let failed_dialects = build.messages.matches("error: could not compile").count();
    assert!(failed_dialects > 0, "{}", build.messages);
    assert_eq!(
        build.messages.matches("error: [syntax] ").count(),
        failed_dialects,
        "{}",
        build.messages
    );
}

#[test]
fn a_lint_is_a_warning_at_its_location() {
    let copy = EditedCopy::lock();
    let next_class = "    class whitespace = ";
    let position =
        copy.edit(next_class, &format!("    class vowel = 'a' | 'e';\n{next_class}"), "vowel");
    let build = copy.build("a class that no row names");
    assert!(build.is_successful, "{}", build.messages);
    assert!(
        reports_at(
            &build.messages,
            "[unused-class] nothing uses the class `vowel`",
            TABLE,
            position
        ),
        "{}",
        build.messages
    );
}

#[test]
fn only_a_changed_table_and_its_extensions_are_rebuilt() {
    let copy = EditedCopy::lock();
    assert!(copy.build("unchanged").is_successful);
    let unchanged_build = copy.build("nothing changed");
    assert!(
        unchanged_build.is_successful && compiled_packages(&unchanged_build.messages).is_empty(),
        "{}",
        unchanged_build.messages
    );
    let base_path = copy.workshop.path("spec/tables/microxml.states");
    let text = fs::read_to_string(&base_path).unwrap();
    fs::write(&base_path, format!("{text}// A remark.\n")).unwrap();
    let build = copy.build("a table changed that another one extends");
    fs::write(&base_path, text).unwrap();
    let rebuilt_packages =
        ["tabulex", "tabulex-cli", "tabulex-microxml", "tabulex-microxml-2012-12"];
    assert!(
        build.is_successful && compiled_packages(&build.messages) == rebuilt_packages,
        "{}",
        build.messages
    );
}

#[test]
fn a_missing_table_fails_the_build() {
    let copy = EditedCopy::lock();
    let [table, moved] =
        [TABLE, "spec/tables/html-2012.states"].map(|path| copy.workshop.path(path));
    fs::rename(&table, &moved).expect("the table can be moved");
    let build = copy.build("a table moved");
    fs::rename(&moved, &table).expect("the table can be moved back");
    assert!(
        !build.is_successful && build.messages.contains("html-2013.states"),
        "{}",
        build.messages
    );
}

/// A build with a mistake in each table reports each mistake at its line. The sample of the default run has a mistake in
/// one table, chosen at random.
#[test]
fn a_mistake_in_any_table_fails_the_build_of_the_workspace() {
    let copy = EditedCopy::lock();
    let names = tabulex_tables::all().into_iter().map(|(name, _)| name);
    let tables: Vec<String> = names.map(|name| format!("spec/tables/{name}")).collect();
    assert!(tables.len() >= 7, "{tables:?}");
    let tables = sample::of("broken tables", tables, 1);
    let mut originals = Vec::new();
    let mut expected = Vec::new();
    for (table, number) in tables.iter().zip(0..) {
        let text = fs::read_to_string(copy.workshop.path(table)).unwrap();
        let (wrong, to) = (format!("nowhere-{number}"), format!("=> switch nowhere-{number}; "));
        // The last line with `=> ` is a row of a state or a mode, where the step `switch` is allowed.
        let row = text.lines().rfind(|line| line.contains("=> ")).unwrap();
        let (broken, position) = replace_first(&text, row, &row.replacen("=> ", &to, 1), &wrong);
        fs::write(copy.workshop.path(table), broken).unwrap();
        originals.push(text);
        expected.push((wrong, position));
    }
    let build = copy.workshop.cargo("every table broken", &["build", "--keep-going"]);
    for (table, text) in tables.iter().zip(&originals) {
        fs::write(copy.workshop.path(table), text).unwrap();
    }
    assert!(!build.is_successful, "{}", build.messages);
    for (table, (wrong, position)) in tables.iter().zip(expected) {
        assert!(
            reports_at(&build.messages, &format!("`{wrong}`"), table, position),
            "{table}: {}",
            build.messages
        );
    }
}
