//! Tests which rows, unread sentences and stale errata are read from the made-up documents of `test_data/readings.txt`.
//! `UPDATE_EXPECT=1` updates that file.

use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::{Profile, read};

/// Returns the hash by which a profile identifies a sentence.
fn hash(words: &str) -> u32 {
    words.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns the facts read from a case's document as its profile directs.
fn read_facts(case: &str) -> Facts {
    let mut profile = "dialect: made-up\ntitle: Made up\nfile: made-up.bs\nform: html\n".to_owned();
    let mut document = String::new();
    for line in case.lines().filter(|line| !line.starts_with("//") && !line.starts_with("| ")) {
        match line.split_once(": ") {
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
    let profile = Profile::parse(&profile).unwrap();
    facts::parse(&facts::write(&read(&document, &profile), &profile)).unwrap()
}

#[test]
fn documents_are_read_as_recorded() {
    let path = format!("{}/test_data/readings.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let update = |case: &str| {
        let facts = read_facts(case);
        let rows = facts.text.lines().filter(|line| line.contains(" => "));
        let rows = rows.map(|line| line.split_once(" //@ ").unwrap());
        let mark = |marks: &str| if marks.ends_with(" unread") { " (unread)" } else { "" };
        let rows = rows.map(|(row, marks)| format!("{}{}", row.trim(), mark(marks)));
        let unread = facts.unread.iter().map(|one| format!("unread: {one}"));
        let stale = facts.stale_errata.iter().map(|one| format!("stale: {one}"));
        let inputs = case.trim_end().lines().filter(|line| !line.starts_with("| "));
        let results = rows.chain(unread).chain(stale).map(|line| format!("| {line}"));
        inputs.map(str::to_owned).chain(results).map(|line| line + "\n").collect::<String>()
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
