//! Messages of each check on a minimal faulty table, and the absence of messages for valid tables. The cases are the
//! files of `test_data/err` and `test_data/ok`; `UPDATE_EXPECT=1` updates the messages. Every check has a case named
//! after it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tabulex_language::diagnostic::CHECKS;
use tabulex_language::{Diagnostic, Loaded, Severity, Source};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data").join(name)
}

/// Returns the paths of the tables in a folder, sorted by name.
fn tables(name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(name)).expect("the folder of test tables can be listed");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "states"));
    paths.sort();
    assert!(!paths.is_empty(), "no tables in `test_data/{name}`");
    paths
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Loads a table with the files beside it.
fn load(path: &Path) -> (Source, Loaded) {
    let text = fs::read_to_string(path).unwrap();
    let source = Source::new(format!("{}.states", stem(path)), text);
    let files = |name: &str| fs::read_to_string(path.with_file_name(name)).ok();
    let loaded = tabulex_language::load(&source, &files);
    (loaded.source.clone(), loaded)
}

fn render(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let texts: Vec<String> =
        diagnostics.iter().map(|diagnostic| diagnostic.render(source)).collect();
    texts.join("\n")
}

fn check_names(diagnostics: &[Diagnostic]) -> BTreeSet<&'static str> {
    diagnostics.iter().map(|diagnostic| diagnostic.check).collect()
}

#[test]
fn messages_match_expect_files() {
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut differences = Vec::new();
    for path in tables("err") {
        let (source, loaded) = load(&path);
        let rendered = render(&source, &loaded.diagnostics);
        let expect_path = path.with_extension("expect");
        if is_update {
            fs::write(&expect_path, &rendered).unwrap();
        }
        let expected = fs::read_to_string(&expect_path).unwrap_or_default();
        if rendered != expected {
            differences
                .push(format!("{}\nexpected:\n{expected}\nactual:\n{rendered}", stem(&path)));
        }
    }
    assert!(
        differences.is_empty(),
        "messages differ from the expectations, which UPDATE_EXPECT=1 updates\n\n{}",
        differences.join("\n")
    );
}

#[test]
fn every_check_has_its_case_and_every_case_its_check() {
    let checks: BTreeSet<&str> = CHECKS.iter().map(|check| check.name).collect();
    assert_eq!(checks.len(), CHECKS.len(), "two checks have the same name");
    let mut covered_checks = BTreeSet::new();
    for path in tables("err") {
        let name = stem(&path);
        // Further cases of a check are named `<check>.<what>`. The case `several` shows that one mistake hides no
        // other.
        let check = name.split('.').next().unwrap_or_default().to_owned();
        let (_, loaded) = load(&path);
        let reported = check_names(&loaded.diagnostics);
        if check == "several" {
            assert!(
                reported.len() >= 5,
                "`{name}` causes only {reported:?}, expected at least five checks"
            );
        } else {
            assert!(checks.contains(&check[..]), "`{name}` is not named after a check");
            assert!(
                reported.contains(&check[..]),
                "`{name}` does not cause `{check}`, but {reported:?}"
            );
            assert_eq!(reported.len(), 1, "`{name}` causes more than its check: {reported:?}");
            if name == check {
                covered_checks.insert(check);
            }
        }
    }
    let covered_checks: BTreeSet<&str> = covered_checks.iter().map(|name| &name[..]).collect();
    assert_eq!(covered_checks, checks, "left: checks with a case; right: all checks");
}

#[test]
fn every_expect_file_has_a_table() {
    let stems: BTreeSet<String> = tables("err").iter().map(|path| stem(path)).collect();
    for entry in fs::read_dir(folder("err")).expect("the folder of test tables can be listed") {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "expect") {
            assert!(stems.contains(&stem(&path)), "`{}` has no table beside it", path.display());
        }
    }
}

#[test]
fn only_errors_suppress_the_machine() {
    for path in tables("err") {
        let (source, loaded) = load(&path);
        for diagnostic in &loaded.diagnostics {
            let check = CHECKS.iter().find(|check| check.name == diagnostic.check);
            let check = check.expect("every diagnostic has the name of a check");
            assert_eq!(diagnostic.severity, check.severity, "{}", stem(&path));
            let file = source.file(diagnostic.span.file).unwrap();
            assert!(diagnostic.span.end as usize <= file.text.len(), "{}", stem(&path));
            // Only diagnostics about the end of the file or the whole file have an empty span.
            let (start, end) = (diagnostic.span.start, diagnostic.span.end);
            let is_at_file_boundary = [0, file.text.len()].contains(&(start as usize));
            assert!(
                start < end || start == end && is_at_file_boundary,
                "{}",
                diagnostic.render(&source)
            );
            assert!(diagnostic.text(&source).starts_with(&format!("[{}] ", check.name)));
        }
        let has_errors = loaded.diagnostics.iter().any(|d| d.severity == Severity::Error);
        assert_eq!(loaded.machine.is_none(), has_errors, "{}", stem(&path));
    }
}

/// Returns a table with the `machine! {` and the `}` of its macro call replaced by blanks, so that offsets are
/// unchanged. Returns `None` unless only comments precede the call and both braces end lines.
fn blank_call(text: &str) -> Option<String> {
    let (before, contents) = text.split_once("machine! {\n")?;
    let contents = contents.strip_suffix("\n}\n")?;
    if !before.lines().all(|line| line.starts_with("//")) {
        return None;
    }
    Some(format!("{before}          \n{contents}\n \n"))
}

#[test]
fn inline_table_causes_equal_messages() {
    let mut compared_count = 0;
    for path in tables("err") {
        let (source, loaded) = load(&path);
        let Some(text) = blank_call(&source.text) else { continue };
        let inline_source = Source::new(source.path.clone(), text);
        let files = |name: &str| fs::read_to_string(path.with_file_name(name)).ok();
        let inline_loaded = tabulex_language::load_inline(&inline_source, &files);
        assert_eq!(inline_loaded.diagnostics, loaded.diagnostics, "{}", stem(&path));
        compared_count += 1;
    }
    assert!(
        compared_count > 100,
        "only {compared_count} tables were compared, expected more than 100"
    );
}

#[test]
fn offsets_columns_of_first_line_only() {
    let source = Source { lines_before: 6, columns_before: 4, ..Source::new("small", "a\nb\nc") };
    let positions: Vec<(usize, usize)> = [0, 1, 2, 4].map(|at| source.line_column(at)).into();
    assert_eq!(positions, [(7, 5), (7, 6), (8, 1), (9, 1)]);
}

#[test]
fn reports_only_the_first_syntax_errors() {
    let row = "        '=' -> ignore;\n".repeat(40);
    let text = format!(
        "machine! {{\n    name small;\n    start data;\n    state data {{\n{row}    }}\n}}\n"
    );
    let loaded = tabulex_language::load(&Source::new("many.states", text), &|_| None);
    assert_eq!(loaded.diagnostics.len(), 32);
    assert_eq!(check_names(&loaded.diagnostics), BTreeSet::from(["syntax"]));
}

#[test]
fn accepts_valid_tables() {
    for path in tables("ok") {
        let (source, loaded) = load(&path);
        let rendered = render(&source, &loaded.diagnostics);
        assert!(rendered.is_empty(), "{}\n{rendered}", stem(&path));
        assert!(loaded.machine.is_some(), "{}", stem(&path));
    }
}

/// Maximum time for loading and checking a table.
const MAX_LOAD_TIME: Duration = Duration::from_secs(5);

#[test]
fn built_in_tables_are_valid_and_load_quickly() {
    for (name, text) in tabulex_tables::all() {
        let source = Source::new(&name[..], text);
        let load = || {
            let start = Instant::now();
            (tabulex_language::load(&source, &tabulex_tables::text), start.elapsed())
        };
        let (loaded, mut elapsed) = load();
        // A busy machine can delay a measurement, so a slow one is repeated.
        for _ in 0..4 {
            if elapsed >= MAX_LOAD_TIME {
                elapsed = load().1;
            }
        }
        let rendered = render(&loaded.source, &loaded.diagnostics);
        assert!(rendered.is_empty(), "{name}\n{rendered}");
        assert!(elapsed < MAX_LOAD_TIME, "`{name}` took {elapsed:?} to load");
    }
}

#[test]
fn rejects_truncated_table_without_panic() {
    for path in tables("err").into_iter().chain(tables("ok")) {
        let text = fs::read_to_string(&path).unwrap();
        let end = text.trim_end().len();
        // Only one prefix in eleven is parsed, because the time for all of them is quadratic in the length of the
        // table.
        for (length, _) in text.char_indices().filter(|&(offset, _)| offset < end).step_by(11) {
            let source = Source::new("cut", &text[..length]);
            let loaded = tabulex_language::load(&source, &|_| None);
            assert!(loaded.machine.is_none(), "{}: {length}", stem(&path));
            assert!(!render(&source, &loaded.diagnostics).is_empty());
        }
    }
}

/// Returns faulty variants of a line, each with checks, at least one of which must report it.
fn mistakes_in(line: &str) -> Vec<(String, &'static [&'static str])> {
    const CREATION_CHECKS: &[&str] =
        &["used-before-created", "emitted-before-created", "return-state-not-set"];
    let create_steps = line.match_indices("create ").filter_map(|(at, _)| {
        let end = line[at..].find("; ")?;
        Some(&line[at..at + end + 2])
    });
    let creating_steps = create_steps.chain([
        "start-attribute; ",
        "set character-reference-code 0; ",
        "start-declaration; ",
    ]);
    let mut mistakes: Vec<(String, &'static [&'static str])> = creating_steps
        .filter(|step| line.contains(step))
        .map(|step| (line.replacen(step, "", 1), CREATION_CHECKS))
        .collect();
    if line.trim_start().starts_with("set return-state ") {
        // If an earlier state set a return state, the line also holds the only step that leads to some state.
        mistakes.push((String::new(), &["return-state-not-set", "unreachable-state"]));
    }
    if let Some((before, rest)) = line.split_once("; set return-state ")
        && let Some((_, after)) = rest.split_once(';')
    {
        mistakes.push((format!("{before};{after}"), CREATION_CHECKS));
    }
    if line.contains("EOF  => emit end-of-file;") {
        mistakes.push((line.replace("emit end-of-file", "ignore"), &["reconsume-cycle"]));
        mistakes.push((String::new(), &["missing-eof"]));
    }
    if line.contains("else => emit current;") {
        mistakes.push((line.replace(" current;", " current; reconsume;"), &["reconsume-cycle"]));
        mistakes.push((line.replace("else", "else | EOF"), &["no-current-character"]));
        mistakes.push((line.replace("else =>", "'\\0'..='z' =>"), &["missing-else"]));
    }
    mistakes
}

/// Lines from which a step can be removed so that the table changes its meaning but stays valid: the preceding
/// attribute continues, the host may have given the token, or an earlier state set a return state.
const UNNOTICED: &[(&str, &str)] = &[
    ("html.states", "else       => start-attribute; reconsume attribute-name;"),
    (
        "xml.states",
        "error attribute-without-value; start-attribute; append current to attribute-name; switch tag-attribute-name;",
    ),
    (
        "microxml.states",
        "start-attribute; append attribute to attribute-name; switch start-attribute-value;",
    ),
    (
        "webvtt-file.states",
        r#"set block region; set temporary-buffer ""; set return-state settings; switch settings;"#,
    ),
    ("url.states", "when not state-override is given { create url; }"),
    (
        "url.states",
        r#"when state-override is given { stop; } otherwise { create url; set temporary-buffer ""; reconsume no-scheme; }"#,
    ),
];

#[test]
fn detects_mistakes_in_built_in_tables() {
    for (name, text) in tabulex_tables::all() {
        let mut mistake_count = 0;
        let lines: BTreeSet<&str> = text.lines().collect();
        for line in lines {
            if UNNOTICED.contains(&(&name[..], line.trim())) {
                continue;
            }
            for (wrong, checks) in mistakes_in(line) {
                mistake_count += 1;
                let source = Source::new(&name[..], text.replace(line, &wrong));
                let loaded = tabulex_language::load(&source, &tabulex_tables::text);
                let reported = check_names(&loaded.diagnostics);
                let is_noticed = checks.iter().any(|check| reported.contains(check));
                assert!(
                    is_noticed,
                    "`{name}`: replacing `{line}` by `{wrong}` causes none of {checks:?}, but {reported:?}"
                );
            }
        }
        let minimum = (text.lines().count() / 120).min(15);
        assert!(
            mistake_count >= minimum,
            "`{name}`: only {mistake_count} mistakes were tried, expected at least {minimum}"
        );
    }
}
