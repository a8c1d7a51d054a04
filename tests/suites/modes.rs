//! The insertion modes of HTML, interpreted: our own cases, and the trees and errors that other people expect. The
//! compiled parser is compared with the interpreter elsewhere. Invariant: every row of every mode is taken by a case of
//! our own, or is listed with the reason why no input takes it.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tabulex_spec::Source;
use tabulex_spec::interpreter::Interpreter;
use tabulex_spec::interpreter::tree::document::{Context, ParseOptions, Parsed, parse};
use tabulex_spec::model::Machine;
use tabulex_spec::model::tree::{DocumentMode, ModeId, ModeRowId, Namespace};
use tabulex_tests::dat::{Case, cases, dump};
use tabulex_tests::shared::{report, shared, workspace};

/// Rows that no input takes.
const UNTAKEN: &[(&str, &str, &str)] = &[
    (
        "text",
        "Else",
        "between these tags the tokenizer emits characters, their end tag and the end of the input",
    ),
    (
        "in-foreign-content",
        "EndOfFile",
        "the dispatcher hands the end of the input to the current mode",
    ),
];

/// Cases whose errors are those of before processing instructions, with what is right now.
const STALE_ERRORS: &[(&str, &[&str])] = &[
    ("comments01:11", &["(1:6) disallowed-processing-instruction-target"]),
    ("comments01:12", &["(1:6) disallowed-processing-instruction-target"]),
    ("comments01:13", &["(1:6) disallowed-processing-instruction-target"]),
    ("html5test-com:11", &[]),
    ("tests1:39", &["(1:3) eof-in-processing-instruction"]),
    ("tests1:40", &["(1:3) invalid-first-character-of-processing-instruction-target"]),
    ("tests1:43", &[]),
    ("tests1:46", &[]),
];

/// Cases of before processing instructions, whose trees differ for that.
const BEFORE_INSTRUCTIONS: &[&str] = &["html5test-com:11", "tests1:39", "tests1:43", "tests1:46"];

/// The errors that the standard names: those that the machine has without the modes' own.
static NAMED_BY_STANDARD: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let of_modes = tabulex_spec::embedded_file("html.modes").expect("it is there");
    let (table, _) = tabulex_spec::parse::file(&of_modes);
    let mut own = HashSet::new();
    for item in table.into_iter().flat_map(|table| table.items) {
        if let tabulex_spec::syntax::Item::Errors(codes) = item {
            own.extend(codes.into_iter().map(|code| code.value));
        }
    }
    own.remove(SOLIDUS);
    let all = machine("html").errors.into_iter().map(|error| error.name);
    all.filter(|code| !own.contains(code)).collect()
});

const SOLIDUS: &str = "non-void-html-element-start-tag-with-trailing-solidus";

/// What a table says that takes over the modes.
const MODES: &str = r#"
    modes "html.modes";
    tokenizer rcdata => switch rcdata;
    tokenizer rawtext => switch rawtext;
    tokenizer script-data => switch script-data;
    tokenizer plaintext => switch plaintext;
    tell adjusted-current-node foreign when adjusted-current is-foreign;
}"#;

/// The machine of the dialect with the modes.
fn machine(dialect: &str) -> Machine {
    let file = format!("{dialect}.states");
    let mut text = tabulex_spec::embedded_file(&file).expect("it is there");
    if !text.contains("modes \"html.modes\"") {
        text.truncate(text.trim_end().len() - 1);
        text.push_str(MODES);
    }
    let source = Source::new(&*file, &*text);
    let loaded = tabulex_spec::load(&source, &tabulex_spec::embedded_file);
    loaded.machine.unwrap_or_else(|| panic!("{file} has mistakes"))
}

fn context(written: &str) -> Context {
    let (namespace, local) = match written.split_once(' ') {
        Some(("svg", local)) => (Namespace::Svg, local),
        Some(("math", local)) => (Namespace::Math, local),
        _ => (Namespace::Own, written),
    };
    let (local, attributes) = (local.to_owned(), Vec::new());
    Context { namespace, local, attributes, document_mode: DocumentMode::NoQuirks }
}

/// Parses the case with scripting off, and on, as far as it is meant for that.
fn runs(interpreter: &Interpreter<'_>, case: &Case) -> Vec<Parsed> {
    let wanted = [false, true].into_iter().filter(|&it| case.scripting.is_none_or(|on| on == it));
    let run = |scripting: bool| {
        let flags = vec![("scripting".to_owned(), u8::from(scripting))];
        let context = case.fragment.as_deref().map(context);
        let options = ParseOptions { flags, context };
        parse(interpreter, &case.data, &options).expect("the checks accept the table")
    };
    wanted.map(run).collect()
}

/// Line and column, from 1.
fn position(text: &str, at: usize) -> String {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{line}:{column}")
}

/// The errors that the standard names, as the suite writes them.
fn errors(machine: &Machine, case: &Case, parsed: &Parsed) -> Vec<String> {
    let mut told = Vec::new();
    for (error, span) in &parsed.errors {
        let code = &machine.errors[usize::from(error.0)].name;
        if !NAMED_BY_STANDARD.contains(code) {
            continue;
        }
        let (start, end) = (position(&case.data, span.start), position(&case.data, span.end));
        told.push(match &code[..] {
            SOLIDUS => format!("({start}-{end}) {code}"),
            _ => format!("({start}) {code}"),
        });
    }
    told.sort();
    told
}

fn files(folder: &Path) -> BTreeMap<String, Vec<Case>> {
    let entries = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let files = entries.filter(|file| file.extension().is_some_and(|it| it == "dat"));
    let read = |file: std::path::PathBuf| {
        let text = String::from_utf8_lossy(&fs::read(&file).expect("a file")).into_owned();
        (file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), cases(&text))
    };
    files.map(read).collect()
}

/// Runs the cases of a folder; the numbers of runs that pass and fail, the latter told.
fn run_folder(dialect: &str, folder: &Path, but: &[&str]) -> (usize, Vec<String>) {
    let machine = machine(dialect);
    let interpreter = Interpreter::new(&machine);
    let (mut passed, mut failed) = (0, Vec::new());
    // Scripts would have to be run.
    for (file, cases) in files(folder).into_iter().filter(|(file, _)| !file.starts_with("scripted"))
    {
        for case in cases {
            let id = format!("{file}:{}", case.index);
            if but.contains(&&id[..]) {
                continue;
            }
            for parsed in runs(&interpreter, &case) {
                let found = dump(&parsed.tree, case.fragment.is_some());
                if found == case.document {
                    passed += 1;
                } else {
                    let expected = &case.document;
                    failed.push(format!(
                        "{id} {:?}\nexpected\n{expected}\nfound\n{found}",
                        case.data
                    ));
                }
            }
        }
    }
    (passed, failed)
}

fn tell(what: &str, passed: usize, failed: &[String]) {
    report(&format!("{what}: {passed} passed, {} failed", failed.len()));
    assert!(failed.is_empty(), "{}", failed[..failed.len().min(8)].join("\n\n"));
}

#[test]
fn own_cases_and_every_row() {
    let path = workspace().join("tests/cases/trees-html.dat");
    let all = cases(&fs::read_to_string(path).expect("our own cases"));
    let machine = machine("html");
    let interpreter = Interpreter::new(&machine);
    let mut taken: HashSet<ModeRowId> = HashSet::new();
    for case in &all {
        for parsed in runs(&interpreter, case) {
            let found = dump(&parsed.tree, case.fragment.is_some());
            assert_eq!(found, case.document, "{:?}", case.data);
            taken.extend(parsed.mode_rows);
        }
    }
    let construction = machine.construction.as_ref().expect("html has modes");
    let mut untaken = Vec::new();
    for (mode, id) in construction.modes.iter().zip(0..) {
        for (row, index) in mode.rows.iter().zip(0..) {
            if !taken.contains(&ModeRowId { mode: ModeId(id), row: index }) {
                let patterns: Vec<String> =
                    row.patterns.iter().map(|pattern| format!("{:?}", pattern.value)).collect();
                untaken.push((&mode.name[..], patterns.join(" | ")));
            }
        }
    }
    let listed: Vec<(&str, String)> =
        UNTAKEN.iter().map(|(mode, row, _)| (*mode, (*row).to_owned())).collect();
    assert_eq!(untaken, listed, "rows that no case of our own takes, and those that are listed");
    report(&format!("own cases of html's trees: {} passed, 0 failed", all.len()));
}

#[test]
fn web_platform_tests() {
    let Some(folder) = shared("testdata/wpt/tree-construction") else {
        return report("wpt tree construction: not here, not run");
    };
    let (passed, failed) = run_folder("html", &folder, &[]);
    tell("wpt tree construction, interpreted", passed, &failed);
}

#[test]
fn web_platform_tests_with_errors() {
    let Some(folder) = shared("testdata/wpt/tree-construction") else {
        return report("wpt errors: not here, not run");
    };
    let machine = machine("html");
    let interpreter = Interpreter::new(&machine);
    let (mut passed, mut failed) = (0, Vec::new());
    for (file, cases) in files(&folder) {
        for case in cases {
            let Some(expected) = &case.new_errors else { continue };
            let id = format!("{file}:{}", case.index);
            let lines = expected.iter().filter(|line| !line.is_empty());
            let mut expected: Vec<String> = lines.map(|line| line.replace("): ", ") ")).collect();
            if let Some((_, right)) = STALE_ERRORS.iter().find(|(stale, _)| *stale == id) {
                expected = right.iter().map(|&line| line.to_owned()).collect();
            }
            expected.sort();
            for parsed in runs(&interpreter, &case) {
                let found = errors(&machine, &case, &parsed);
                if found == expected {
                    passed += 1;
                } else {
                    failed.push(format!("{id} {:?}: {found:?}, not {expected:?}", case.data));
                }
            }
        }
    }
    tell("wpt errors with code, line and column", passed, &failed);
}

#[test]
fn html5lib_trees() {
    let Some(folder) = shared("testdata/html5lib/tree-construction") else {
        return report("html5lib tree construction: not here, not run");
    };
    let (passed, failed) = run_folder("html", &folder, BEFORE_INSTRUCTIONS);
    tell("html5lib tree construction, interpreted", passed, &failed);
}
