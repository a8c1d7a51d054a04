//! Tests the reports of `cargo xtask diff` on a made-up standard in a separate workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A workspace with one table, the profile of its document, and the document.
struct Workspace {
    root: PathBuf,
}

const STATES: [&str; 6] = ["Data", "PLAINTEXT", "Tag name", "RCDATA", "RAWTEXT", "Bogus comment"];

/// Returns the document, in which all states switch to the PLAINTEXT state at white space and to the data state at `&`.
fn document() -> String {
    let state_section = |(number, name): (usize, &&str)| {
        format!(
            "<h5>13.2.5.{} {name} state</h5>\n<p>Consume the next input character:</p>\n<dl class=switch>\n\
             <dt>U+0009 CHARACTER TABULATION (tab)</dt>\n<dt>U+0020 SPACE</dt>\n\
             <dd>Switch to the PLAINTEXT state.</dd>\n\
             <dt>U+0026 AMPERSAND (&amp;)</dt>\n<dd>Switch to the data state.</dd>\n\
             <dt>EOF</dt>\n<dd>Emit an end-of-file token.</dd>\n\
             <dt>Anything else</dt>\n<dd>Emit the current input character as a character token.</dd>\n</dl>\n",
            number + 1
        )
    };
    let states: String = STATES.iter().enumerate().map(state_section).collect();
    format!(
        "<h4>13.2.1 Overview</h4>\n<p>Everything is easy.</p>\n<h4>13.2.5 Tokenization</h4>\n{states}\
         <h4>13.2.6 Tree construction</h4>\n"
    )
}

/// Returns the table that matches the document.
fn table() -> String {
    let state_table = |(number, name): (usize, &&str)| {
        format!(
            "    state {} @ \"13.2.5.{}\" {{\n        blank => switch plaintext;\n        '&' => switch data;\n        \
             EOF => emit end-of-file;\n        else => emit current;\n    }}\n",
            name.to_lowercase().replace(' ', "-"),
            number + 1
        )
    };
    let states: String = STATES.iter().enumerate().map(state_table).collect();
    format!(
        "machine! {{\n    name made-up;\n    start data;\n    class blank = '\\t' | ' ';\n{states}}}\n"
    )
}

impl Workspace {
    /// Creates a workspace, with the facts and accepted entries written by `cargo xtask diff`.
    fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("diff-{name}"));
        let _ = fs::remove_dir_all(&root);
        let workspace = Self { root };
        workspace.write("xtask/Cargo.toml", "");
        workspace.write("tests/cases/none", "");
        workspace.write("spec/tables/made-up.states", &table());
        workspace.write(
            "spec/documents/made-up.profile",
            "dialect: made-up\ntitle: Made up\nfile: made-up.html\nform: html\n\
             from: 13.2.5 Tokenization\nto: 13.2.6 Tree construction\n",
        );
        workspace.write("shared/documents/made-up.html", &document());
        let (status, report) = workspace.run(&["made-up", "--write", "--accept"]);
        assert_eq!(status, Some(0), "{report}");
        workspace
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.root.join(file)).unwrap()
    }

    /// Replaces the first occurrence of a text in a file.
    fn edit(&self, file: &str, instead_of: &str, with: &str) {
        let text = self.read(file);
        assert!(text.contains(instead_of), "`{file}` does not contain `{instead_of}`");
        self.write(file, &text.replacen(instead_of, with, 1));
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.arg("diff").args(arguments).current_dir(&self.root);
        command.env("TABULEX_SHARED", self.root.join("shared"));
        command.env("CARGO_TARGET_DIR", self.root.join("target"));
        let output = command.output().unwrap();
        let output_text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(output_text).unwrap())
    }
}

const TABLE: &str = "spec/tables/made-up.states";
const FACTS: &str = "spec/documents/made-up.facts";
const DOCUMENT: &str = "shared/documents/made-up.html";

#[test]
fn reports_facts_edited_like_the_table() {
    let workspace = Workspace::new("facts");
    assert_eq!(workspace.run(&["made-up"]).0, Some(0));
    workspace.edit(TABLE, "'&' => switch data;", "'&' => switch rcdata;");
    workspace.edit(FACTS, "'&' => switch data;", "'&' => switch rcdata;");
    let (status, report) = workspace.run(&["made-up"]);
    assert_eq!(status, Some(1), "{report}");
    assert!(
        report.contains("facts: the committed facts differ from those read from the text"),
        "{report}"
    );
    assert!(report.contains("different: data: '&'"), "{report}");
    // Without the document, the edit of the facts cannot be noticed, but the absence of the document is reported.
    fs::remove_file(workspace.root.join(DOCUMENT)).unwrap();
    let (status, report) = workspace.run(&["made-up"]);
    assert_eq!(status, Some(0), "{report}");
    assert!(report.contains("text not found"), "{report}");
}

#[test]
fn shows_sentence_positions_and_input_of_difference() {
    let workspace = Workspace::new("difference");
    workspace.edit(TABLE, "'&' => switch data;", "'&' => emit current;");
    let (status, report) = workspace.run(&["made-up"]);
    assert_eq!(status, Some(1), "{report}");
    let expected = "  different: data: '&' (13.2.5.1)
    document, line 10 ignore
      “Switch to the data state.”
    spec/tables/made-up.states:7:9 emit \"&\"
    input      \"&\"
      + [\"Character\",\"&\"]
";
    assert!(report.contains(expected), "{report}");
}

#[test]
fn reports_cause_first_and_folds_consequences() {
    let workspace = Workspace::new("cause");
    workspace.edit(TABLE, "'\\t' | ' '", "'\\t'");
    let (status, report) = workspace.run(&["made-up"]);
    assert_eq!(status, Some(1), "{report}");
    let lines: Vec<&str> = report.lines().collect();
    let cause = "  cause: class blank, spec/tables/made-up.states:4:11, without ' '";
    let index = lines.iter().position(|line| *line == cause);
    let cause_index = index.unwrap_or_else(|| panic!("{report}"));
    assert!(lines[cause_index + 1].starts_with("  different: "), "{report}");
    assert!(report.contains("24 rows: 18 equal, 6 undeclared; "), "{report}");
    assert!(report.contains("and 5 consequences in"), "{report}");
    assert!(report.contains("(13.2.5.6)"), "{report}");
    assert!(lines.len() <= 20, "{} lines: {report}", lines.len());
    let (_, full_report) = workspace.run(&["made-up", "--all"]);
    assert_eq!(full_report.matches("different: ").count(), 6, "{full_report}");
}

#[test]
fn excludes_unread_rows_and_records_remarks() {
    let workspace = Workspace::new("unread");
    workspace.edit(DOCUMENT, "Switch to the PLAINTEXT state.", "Frown upon the character.");
    let (status, report) = workspace.run(&["made-up"]);
    assert_eq!(status, Some(1), "{report}");
    assert!(report.contains("unread: 13.2.5.1 Data state, line 9"), "{report}");
    assert!(report.contains("not compared: data: '\\t' | ' '"), "{report}");
    assert!(
        !report.contains("different: ") && !report.contains("as the document has it"),
        "{report}"
    );
    let (status, report) = workspace.run(&["made-up", "--remark", "9"]);
    assert_eq!(status, Some(0), "{report}");
    assert!(workspace.read("spec/documents/made-up.profile").contains("\nremarks: "));
    // A remark adds no step to the row, which therefore differs from the table's row.
    let (status, report) = workspace.run(&["made-up"]);
    assert_eq!(status, Some(1), "{report}");
    assert!(report.contains("different: ") && !report.contains("unread: "), "{report}");
    assert_eq!(workspace.run(&["made-up", "--remark", "9"]).0, Some(1));
    // One line of several has no unread sentence.
    workspace.edit(DOCUMENT, "Switch to the data state.", "Frown upon it.");
    let (status, report) = workspace.run(&["made-up", "--remark", "9", "--remark", "11"]);
    assert_eq!(status, Some(1), "{report}");
    assert!(report.contains("line 9 has no unread sentence"), "{report}");
    assert!(report.contains("made-up: remarks: "), "{report}");
    let (status, report) =
        workspace.run(&["made-up", "--remark", "9", "--gloss", "9", "switch data;"]);
    assert_eq!(status, Some(2), "{report}");
    // A gloss does not make the wrong name of a character right.
    workspace.edit(DOCUMENT, "Frown upon it.", "Frown upon U+002A COMMA.");
    let (status, report) = workspace.run(&["made-up", "--gloss", "11", "switch data;"]);
    assert_eq!(status, Some(1), "{report}");
    assert!(report.contains("line 11 is still unread: U+002A is not COMMA\n"), "{report}");
}

#[test]
fn gloss_replaces_only_that_for_its_place() {
    let workspace = Workspace::new("glosses");
    workspace.edit(DOCUMENT, "Switch to the PLAINTEXT state.", "Frown upon the character.");
    for steps in ["frown: howl;", "switch data;", "switch plaintext;"] {
        workspace.run(&["made-up", "--gloss", "9", steps]);
    }
    let profile = workspace.read("spec/documents/made-up.profile");
    let glosses =
        profile.lines().filter_map(|line| line.strip_prefix("gloss: ")?.split_once(" = "));
    let glosses: Vec<&str> = glosses.map(|(_, gloss)| gloss).collect();
    assert_eq!(glosses, ["frown: howl;", "switch plaintext;"], "{profile}");
}

#[test]
fn lists_unread_sections_and_reports_their_changes() {
    let workspace = Workspace::new("sections");
    let (status, report) = workspace.run(&["made-up"]);
    assert_eq!(status, Some(0), "{report}");
    assert!(report.contains("sections not read: 13.2.1, 13.2.6\n"), "{report}");
    workspace.edit(DOCUMENT, "Everything is easy.", "Nothing is easy.");
    let (status, report) = workspace.run(&["made-up"]);
    assert_eq!(status, Some(1), "{report}");
    assert!(report.contains("reworded, and not read: 13.2.1 Overview, line 1"), "{report}");
    // A note that cites an unread section is reported.
    workspace.write(DOCUMENT, &document());
    let note = "'&' => deviates \"Section 13.2.1 says how easy it is.\"; emit current;";
    workspace.edit(TABLE, "'&' => switch data;", note);
    let (status, report) = workspace.run(&["made-up", "--accept"]);
    assert_eq!(status, Some(1), "{report}");
    assert!(
        report.contains("note: spec/tables/made-up.states:7:16: section 13.2.1 is not read"),
        "{report}"
    );
}

#[test]
fn proposed_rows_pass_the_checks() {
    let workspace = Workspace::new("proposed");
    workspace.edit(DOCUMENT, "Switch to the data state.", "Switch to the RCDATA state.");
    let (status, report) = workspace.run(&["made-up"]);
    assert_eq!(status, Some(1), "{report}");
    assert!(report.contains("    '&' => switch rcdata; // data\n"), "{report}");
    // A row that switches to a state that the table lacks would not pass the checks, so it is not suggested.
    workspace.write(
        DOCUMENT,
        &document().replacen("Switch to the data state.", "Switch to the script data state.", 1),
    );
    let (_, report) = workspace.run(&["made-up"]);
    assert!(report.contains("different: data: '&'"), "{report}");
    assert!(!report.contains("as the document has it"), "{report}");
}

#[test]
fn compares_lists() {
    let workspace = Workspace::new("lists");
    workspace
        .write("spec/tables/made-up.text", "lists! {\n    hidden = \"head\" | \"script\";\n}\n");
    assert_eq!(workspace.run(&["made-up", "--accept"]).0, Some(0));
    workspace.edit("spec/tables/made-up.text", " | \"script\"", "");
    for name in ["made-up", "made-up.text"] {
        let (status, report) = workspace.run(&[name]);
        assert_eq!(status, Some(1), "{report}");
        assert!(report.contains("lists!, spec/tables/made-up.text:2:5"), "{report}");
    }
}
