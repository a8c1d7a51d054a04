//! Tests which rows, unread sentences and stale errata are read from the made-up documents of `test_data/readings.txt`,
//! and in which rows their tables differ.
//! `UPDATE_EXPECT=1` updates that file.

use tabulex_documents::compare::compare;
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::{Profile, mistake_in_gloss, read};

/// Returns the hash by which a profile identifies a sentence.
fn hash(words: &str) -> u32 {
    words.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns the facts read from a case's document as its profile directs, or the mistake in the profile.
fn read_facts(case: &str) -> Result<Facts, String> {
    let mut profile = "dialect: made-up\ntitle: Made up\nfile: made-up.bs\nform: html\n".to_owned();
    let mut document = String::new();
    for line in case.lines().filter(|line| !line.starts_with("//") && !line.starts_with("| ")) {
        match line.split_once(": ") {
            Some(("table", _)) => {}
            Some(("remarks", words)) => profile += &format!("remarks: {:08x}\n", hash(words)),
            Some((word @ ("gloss" | "heading"), rest)) => {
                let (words, meaning) = rest.split_once(" => ").unwrap();
                let sign = if word == "gloss" { "= " } else { "" };
                profile += &format!("{word}: {:08x} {sign}{meaning}\n", hash(words));
            }
            _ if line.starts_with(['<', ' ']) => document += &format!("{line}\n"),
            _ => profile += &format!("{line}\n"),
        }
    }
    let profile = Profile::parse(&profile)?;
    facts::parse(&facts::write(&read(&document, &profile)))
}

/// Returns a line for each row in which the facts and the case's table differ, if the case has a table.
fn differences(case: &str, facts: &Facts) -> Vec<String> {
    let line = |key: &'static str| case.lines().filter_map(move |line| line.strip_prefix(key));
    let states: String = line("table: ").collect();
    if states.is_empty() {
        return Vec::new();
    }
    let granted: String = line("granted: ").collect();
    let table = format!("machine! {{ name made-up; {granted} {states} }}");
    let (table, diagnostics) = tabulex_language::parse::file(&table);
    let table = table.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let [left, right] = facts.prepared(&table);
    let mut comparison = compare(&left, &right);
    comparison.exclude_unread(&|one| facts.is_unread(&left, one));
    let described = comparison.differences.iter().filter(|one| !one.state.is_empty());
    described.map(|one| format!("different: {}: {}", one.state, one.input)).collect()
}

#[test]
fn documents_are_read_as_recorded() {
    let path = format!("{}/test_data/readings.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let update = |case: &str| {
        let inputs = case.trim_end().lines().filter(|line| !line.starts_with("| "));
        let inputs: String = inputs.map(|line| format!("{line}\n")).collect();
        let facts = match read_facts(case) {
            Ok(facts) => facts,
            Err(message) => return format!("{inputs}| profile: {}\n", message.replace('\n', "; ")),
        };
        let rows = facts.text.lines().filter(|line| line.contains(" => "));
        let rows = rows.map(|line| line.split_once(" //@ ").unwrap());
        let mark = |marks: &str| if marks.ends_with(" unread") { " (unread)" } else { "" };
        let rows = rows.map(|(row, marks)| format!("{}{}", row.trim(), mark(marks)));
        let unread = facts.unread.iter().map(|one| format!("unread: {one}"));
        let stale = facts.stale_errata.iter().map(|one| format!("stale: {one}"));
        let missing = facts.missing_classes.iter().map(|name| format!("not granted: {name}"));
        let results = rows.chain(unread).chain(missing).chain(stale);
        let results = results.chain(differences(case, &facts)).map(|line| format!("| {line}\n"));
        inputs + &results.collect::<String>()
    };
    let (head, cases) = text.split_once("\n\n").unwrap();
    let updated: Vec<String> = cases.split("\n\n").map(update).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{head}\n\n{}", updated.join("\n"))).unwrap();
        return;
    }
    for (case, updated) in cases.split("\n\n").zip(updated) {
        assert_eq!(case.trim_end(), updated.trim_end(), "UPDATE_EXPECT=1 updates it");
    }
}

#[test]
fn glosses_that_are_not_steps_have_no_mistake() {
    for gloss in [
        "label: EOF",
        "state data { else => emit current; }",
        "lexical-mode main { s => ignore; }",
        "mode tree-building { EOF => stop; }",
        "covered",
        "switch data;",
        "switch return-state;",
        "set return-state data;",
    ] {
        assert_eq!(mistake_in_gloss(gloss, &[], &["data"]), None, "{gloss}");
    }
}

#[test]
fn mistakes_in_glosses_are_found() {
    let branches =
        "if current EOF { stop; } otherwise if current ';' { ignore; } otherwise { stop; }";
    assert_eq!(mistake_in_gloss(branches, &[], &[]), None);
    assert_eq!(mistake_in_gloss("append current to its-name;", &[], &[]), None);
    for (gloss, mistake) in [
        ("", "it has no steps"),
        ("emmit current;", "`emmit` is no action; did you mean `emit`?"),
        ("ignore; otherwise { stop; }", "`otherwise` follows no condition"),
        ("otherwise unless current EOF { stop; }", "a condition is missing"),
        ("switch date;", "`date` is no state; did you mean `data`?"),
        ("if current EOF { reconsume nowhere; }", "`nowhere` is no state"),
        ("set return-state nowhere;", "`nowhere` is no state"),
        ("run nowhere on tag-name;", "`nowhere` is no state"),
    ] {
        assert_eq!(mistake_in_gloss(gloss, &[], &["data"]).as_deref(), Some(mistake), "{gloss}");
    }
}
