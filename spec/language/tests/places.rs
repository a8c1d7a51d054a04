//! Checks that rustc reports every function that must handle a new action or condition. The test adds a variant to a
//! copy of the packages, and follows rustc's suggestions until the copy compiles. `test_data/places.expect` lists the
//! functions concerned.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The packages to copy: those with functions that distinguish actions or conditions.
const PACKAGES: [&str; 5] =
    ["spec/tables", "spec/language", "spec/oracle", "spec/documents", "macros/compiler"];

/// The enums of the vocabulary: name, and the file and the first list of their forms, which declare them.
const ENUMS: [(&str, &str, &str); 4] = [
    ("Action", "vocabulary/actions.rs", "actions"),
    ("Condition", "vocabulary/conditions.rs", "conditions"),
    ("TreeAction", "vocabulary/tree/actions.rs", "tree-actions"),
    ("TreeCondition", "vocabulary/tree/conditions.rs", "tree-conditions"),
];

/// Maximum number of rounds of suggestions; more mean that following them does not terminate.
const MAX_ROUNDS: usize = 12;

/// Functions that must be in the list of places, as they execute actions or conditions.
const EXECUTORS: [&str; 8] = [
    "Action spec/oracle/src/interpreter/action.rs",
    "Condition spec/oracle/src/interpreter/run.rs",
    "TreeAction spec/oracle/src/interpreter/tree/step.rs",
    "TreeCondition spec/oracle/src/interpreter/tree/condition.rs",
    "Action macros/compiler/src/generate/action.rs",
    "Condition macros/compiler/src/generate/condition.rs",
    "TreeAction macros/compiler/src/generate/tree/step.rs",
    "TreeCondition macros/compiler/src/generate/tree/condition.rs",
];

/// A text to insert into a file of the copied packages.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Insertion {
    file: PathBuf,
    offset: usize,
    text: String,
}

/// The compiler's report about the copied packages.
#[derive(Default)]
struct Report {
    /// `match` expressions without an arm for the new variant.
    incomplete: Vec<IncompleteMatch>,
    /// `match` expressions in which `_` covers the new variant.
    wildcards: Vec<String>,
    /// Other errors, as printed.
    errors: Vec<String>,
    /// Whether the copied packages compile.
    succeeded: bool,
}

/// A `match` expression without an arm for the new variant.
struct IncompleteMatch {
    /// Place of the expression: enum, file and function.
    place: String,
    /// Insertions that complete the `match`.
    insertions: Vec<Insertion>,
}

#[test]
fn rustc_names_every_place_that_must_know_an_action_or_condition() {
    let copy = copy_packages();
    for (name, file, list) in ENUMS {
        let text = format!(
            "\n        \"added-{name}\" => Added{name},\n            \"Added by the test.\";"
        );
        let path = copy.join("spec/language/src").join(file);
        insert_after(&path, &format!("list \"{list}\" {{"), &text);
    }
    let mut places = BTreeSet::new();
    let mut rounds = 0;
    let final_report = loop {
        let report = check(&copy);
        if report.incomplete.is_empty() {
            break report;
        }
        rounds += 1;
        assert!(
            rounds <= MAX_ROUNDS,
            "`match` expressions are still incomplete after {MAX_ROUNDS} rounds: {places:#?}"
        );
        let mut insertions = BTreeSet::new();
        for incomplete in report.incomplete {
            places.insert(incomplete.place);
            insertions.extend(incomplete.insertions);
        }
        // The insertions are made from last to first, so that the remaining offsets stay valid.
        for insertion in insertions.into_iter().rev() {
            let mut text = read(&insertion.file);
            text.insert_str(insertion.offset, &insertion.text);
            write(&insertion.file, &text);
        }
    };
    assert!(final_report.succeeded, "{}", final_report.errors.join("\n"));
    assert!(
        final_report.wildcards.is_empty(),
        "a wildcard covers an added variant:\n{}",
        final_report.wildcards.join("\n")
    );
    compare(&places);
}

/// Asserts that the reported places include every executor and are those in `test_data/places.expect`, which
/// `UPDATE_EXPECT=1` updates.
fn compare(places: &BTreeSet<String>) {
    for executor in EXECUTORS {
        let mut functions = places.iter().filter_map(|place| place.strip_prefix(executor));
        assert!(
            functions.any(|name| name.starts_with(' ')),
            "rustc reports no incomplete `match` for `{executor}`"
        );
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/places.expect");
    let reported: String = places.iter().map(|place| format!("{place}\n")).collect();
    if env::var_os("UPDATE_EXPECT").is_some() {
        return write(&path, &reported);
    }
    let expected = read(&path);
    let expected: BTreeSet<String> = expected.lines().map(str::to_owned).collect();
    let format_places = |places: Vec<&String>| {
        places.into_iter().map(|place| format!("  {place}\n")).collect::<String>()
    };
    let no_longer_reported = format_places(expected.difference(places).collect());
    let newly_reported = format_places(places.difference(&expected).collect());
    assert!(
        no_longer_reported.is_empty() && newly_reported.is_empty(),
        "rustc no longer names:\n{no_longer_reported}rustc names for the first time (UPDATE_EXPECT=1 writes the list):\n{newly_reported}",
    );
}

/// Copies the packages to a workspace of their own, and returns its folder.
fn copy_packages() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("places");
    if copy.exists() {
        fs::remove_dir_all(&copy).unwrap();
    }
    for package in PACKAGES {
        for entry in ["Cargo.toml", "src"] {
            copy_all(&root.join(package).join(entry), &copy.join(package).join(entry));
        }
    }
    fs::copy(root.join("Cargo.lock"), copy.join("Cargo.lock")).unwrap();
    let manifest = read(&root.join("Cargo.toml"));
    let shared_start = manifest.find("[workspace.package]").unwrap();
    let profiles_start = manifest.find("[profile").unwrap();
    let members = PACKAGES.map(|package| format!("{package:?}")).join(", ");
    let workspace = format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n");
    write(&copy.join("Cargo.toml"), &(workspace + &manifest[shared_start..profiles_start]));
    copy
}

fn copy_all(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().unwrap()).expect("the copy's folder can be created");
        fs::copy(from, to).unwrap();
        return;
    }
    for entry in fs::read_dir(from).expect("the package's folder can be listed") {
        let name = entry.unwrap().file_name();
        copy_all(&from.join(&name), &to.join(&name));
    }
}

/// Runs clippy on the copy. Returns rustc's errors, or if there are none, wildcards over the enums.
fn check(copy: &Path) -> Report {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(copy).args(["clippy", "--offline", "--workspace", "--keep-going"]);
    command.args(["--message-format=json", "--"]);
    command.args(["-W", "clippy::wildcard_enum_match_arm"]);
    command.args(["-W", "clippy::match_wildcard_for_single_variants"]);
    command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("places-target"));
    // The settings of the test run must not affect the report.
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TERM_QUIET"] {
        command.env_remove(name);
    }
    let output = command.output().expect("`cargo clippy` can be run");
    let stdout = String::from_utf8(output.stdout).expect("messages of `cargo clippy` are UTF-8");
    let mut report = Report { succeeded: output.status.success(), ..Report::default() };
    for line in stdout.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let message = &line["message"];
        match message["code"]["code"].as_str() {
            Some("E0004") => report.incomplete.push(incomplete_match(copy, message)),
            Some(
                "clippy::wildcard_enum_match_arm" | "clippy::match_wildcard_for_single_variants",
            ) => {
                if message["children"].to_string().contains("::Added") {
                    report.wildcards.push(rendered(message));
                } else if message["level"] == "error" {
                    report.errors.push(rendered(message));
                }
            }
            _ if message["level"] == "error" => report.errors.push(rendered(message)),
            _ => {}
        }
    }
    if !report.succeeded && report.incomplete.is_empty() && report.errors.is_empty() {
        report.errors.push(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    report
}

fn rendered(message: &Value) -> String {
    message["rendered"].as_str().unwrap_or_default().to_owned()
}

/// Returns the place of an incomplete `match`, and the insertions that complete it, which rustc suggests.
fn incomplete_match(copy: &Path, message: &Value) -> IncompleteMatch {
    let text = message["message"].as_str().unwrap();
    let delimiters = ["`", ",", ")"];
    let is_concerned = |(name, ..): &&(&str, &str, &str)| {
        delimiters.iter().any(|delimiter| text.contains(&format!("::Added{name}{delimiter}")))
    };
    let (name, ..) =
        ENUMS.iter().find(is_concerned).unwrap_or_else(|| panic!("{}", rendered(message)));
    let spans = message["spans"].as_array().unwrap();
    let primary = spans.iter().find(|span| span["is_primary"] == true).unwrap();
    let file = primary["file_name"].as_str().unwrap();
    let offset = |span: &Value| span["byte_start"].as_u64().unwrap() as usize;
    let function = last_function(&read(&copy.join(file))[..offset(primary)]);
    let children = message["children"].as_array().into_iter().flatten();
    let suggestions = children.flat_map(|child| child["spans"].as_array().into_iter().flatten());
    let insertions = suggestions.filter_map(|span| {
        let text = span["suggested_replacement"].as_str()?.replace("todo!", "unimplemented!");
        Some(Insertion {
            file: copy.join(file),
            offset: offset(span),
            text: replace_private_paths(&text, file),
        })
    });
    IncompleteMatch { place: format!("{name} {file} {function}"), insertions: insertions.collect() }
}

/// Replaces paths through private modules, which rustc suggests, by paths that are visible in the file.
fn replace_private_paths(text: &str, file: &str) -> String {
    let root = if file.starts_with("spec/language/") { "crate" } else { "tabulex_language" };
    let is_path_character = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut replaced = String::new();
    for (index, after) in text.split("::Added").enumerate() {
        if index > 0 {
            let start = replaced.rfind(|c| !is_path_character(c)).map_or(0, |last| last + 1);
            let path = replaced.split_off(start);
            let name = path.rsplit("::").next().unwrap_or_default();
            let module = if name.starts_with("Tree") { "model::tree" } else { "model" };
            replaced.push_str(&format!("{root}::{module}::{name}::Added"));
        }
        replaced.push_str(after);
    }
    replaced
}

/// Returns the name of the last function that begins in the text.
fn last_function(text: &str) -> String {
    let (_, after) = text.rsplit_once("fn ").unwrap();
    after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn insert_after(path: &Path, line: &str, text: &str) {
    let original = read(path);
    let offset = original
        .find(line)
        .unwrap_or_else(|| panic!("`{}` does not contain `{line}`", path.display()))
        + line.len();
    write(path, &format!("{}{text}{}", &original[..offset], &original[offset..]));
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
