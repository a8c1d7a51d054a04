//! What somebody does who edits a table: change a row, build, see another token; make a mistake, build, see it at its
//! place. It runs cargo on a copy of the workspace. Invariant: every test begins with the tables as they are.

mod workshop;

use std::fs;
use std::process::Command;
use std::sync::{LazyLock, Mutex, MutexGuard};
use workshop::{Build, Results, Workshop};

const TABLE: &str = "spec/tables/html-2013.states";

/// A row of the table, what it is changed to, and an input that shows the difference.
const ROW: &str =
    "uppercase-letter => create start-tag; append lower to tag-name; switch tag-name;";
const CHANGED: &str =
    "uppercase-letter => create start-tag; append current to tag-name; switch tag-name;";
const INPUT: &str = "<Div>";

/// The copy, and the table as it is; the tests take turns.
struct Desk {
    workshop: Workshop,
    table: String,
}

static DESK: LazyLock<Mutex<Desk>> = LazyLock::new(|| {
    let workshop = Workshop::new("edit", Results::Shared);
    let table = fs::read_to_string(workshop.path(TABLE)).expect("the table can be read");
    let desk = Desk { workshop, table };
    let built = desk.build("first build");
    assert!(built.is_good, "{}", built.said);
    Mutex::new(desk)
});

impl Desk {
    /// The desk, with the table as it is.
    fn take() -> MutexGuard<'static, Self> {
        // A test that failed has left an edited table, which is put right here.
        let desk = DESK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        desk.write(&desk.table);
        desk
    }

    fn write(&self, table: &str) {
        fs::write(self.workshop.path(TABLE), table).expect("the table can be written");
    }

    /// Replaces the first place at which `from` stands. Returns the line and the column of `at` in what it became.
    fn edit(&self, from: &str, to: &str, at: &str) -> (usize, usize) {
        assert!(self.table.contains(from), "the table has no `{from}`");
        let edited = self.table.replacen(from, to, 1);
        self.write(&edited);
        let start = self.table.find(from).unwrap_or_default();
        let place = start + to.find(at).expect("the place stands in the edit");
        let before = &edited[..place];
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (before.matches('\n').count() + 1, column)
    }

    fn build(&self, what: &str) -> Build {
        let arguments = ["build", "-p", "tabulex", "--features", "cli", "--bin", "tabulex"];
        self.workshop.cargo(what, &arguments)
    }

    /// The tokens of the input, as the program that was built last prints them.
    fn tokens(&self) -> String {
        let input = self.workshop.path("input.html");
        fs::write(&input, INPUT).expect("the input can be written");
        let program = self
            .workshop
            .target()
            .join("debug/tabulex")
            .with_extension(std::env::consts::EXE_EXTENSION);
        let mut command = Command::new(program);
        command.args(["tokens", "--dialect", "html-2013", "--format", "json"]).arg(input);
        let output = command.output().expect("the program can be run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("tokens are UTF-8")
    }
}

/// Whether the text of the message is followed by the place in the table, as rustc shows it.
fn shows(said: &str, message: &str, (line, column): (usize, usize)) -> bool {
    let place = format!("{TABLE}:{line}:{column}\n");
    let behind = said.split_once(message).map(|(_, behind)| behind);
    let arrow = behind.and_then(|behind| behind.split_once("--> ")).map(|(_, behind)| behind);
    let first = arrow.and_then(|arrow| arrow.split_inclusive('\n').next());
    first.is_some_and(|first| first.replace('\\', "/").ends_with(&place))
}

/// The number of errors. One mistake makes two: itself, and that the package could not be compiled.
fn errors(said: &str) -> usize {
    said.lines().filter(|line| line.starts_with("error")).count()
}

#[test]
fn a_changed_row_changes_the_tokens_and_back() {
    let desk = Desk::take();
    assert!(desk.build("as it is").is_good);
    assert!(desk.tokens().contains(r#"["StartTag","div""#), "{}", desk.tokens());
    desk.edit(ROW, CHANGED, "current");
    let built = desk.build("a row changed");
    assert!(built.is_good, "{}", built.said);
    // Only what is made of the table is compiled anew, not what makes it.
    assert_eq!(built.said.matches("Compiling").count(), 1, "{}", built.said);
    assert!(desk.tokens().contains(r#"["StartTag","Div""#), "{}", desk.tokens());
    desk.write(&desk.table);
    assert!(desk.build("the row changed back").is_good);
    assert!(desk.tokens().contains(r#"["StartTag","div""#), "{}", desk.tokens());
}

#[test]
fn a_mistake_is_an_error_at_its_place_in_the_table() {
    let desk = Desk::take();
    let place = desk.edit(ROW, &ROW.replace("switch tag-name", "switch tag-nam"), "tag-nam;");
    let built = desk.build("a row broken");
    assert!(!built.is_good, "{}", built.said);
    assert!(
        shows(&built.said, "error: [unknown-state] there is no state `tag-nam`", place),
        "{}",
        built.said
    );
    assert!(built.said.contains("help: did you mean `tag-name`?"), "{}", built.said);
    assert_eq!(errors(&built.said), 2, "{}", built.said);
}

#[test]
fn text_that_is_no_table_is_one_error_at_its_place() {
    let desk = Desk::take();
    let place = desk.edit(ROW, &ROW.replace("create start-tag;", "create { start-tag; }"), "{");
    let built = desk.build("a row that is none");
    assert!(!built.is_good, "{}", built.said);
    assert!(shows(&built.said, "error: [syntax] ", place), "{}", built.said);
    assert_eq!(errors(&built.said), 2, "{}", built.said);
}

#[test]
fn a_doubt_is_a_warning_at_its_place_in_the_table() {
    let desk = Desk::take();
    let before = "    class whitespace = ";
    let place = desk.edit(before, &format!("    class vowel = 'a' | 'e';\n{before}"), "vowel");
    let built = desk.build("a class that no row names");
    assert!(built.is_good, "{}", built.said);
    assert!(
        shows(&built.said, "[unused-class] no row names the class `vowel`", place),
        "{}",
        built.said
    );
}

#[test]
fn a_new_table_is_noticed_and_an_untouched_one_is_not_built_again() {
    let desk = Desk::take();
    assert!(desk.build("as it is").is_good);
    let untouched = desk.build("nothing changed");
    assert!(untouched.is_good && !untouched.said.contains("Compiling"), "{}", untouched.said);
    let new = desk.workshop.path("spec/tables/new.states");
    fs::write(&new, "// A table to come.\n").expect("a new table can be written");
    let built = desk.build("a new table");
    assert!(built.said.contains("Compiling tabulex v"), "{}", built.said);
    fs::remove_file(&new).expect("the new table can be removed");
    let built = desk.build("a table removed");
    assert!(built.said.contains("Compiling tabulex v"), "{}", built.said);
}
