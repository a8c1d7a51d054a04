//! Mistakes that people made, or may make, in real tables: each case is an edit of a table with all messages about it.
//! The cases are in `test_data/edits.txt`; `UPDATE_EXPECT=1` updates the messages. Line numbers are omitted, so that
//! tables can change elsewhere. Every edit must apply and must cause a message.

use std::fs;
use std::path::Path;
use tabulex_language::Source;
use tabulex_language::extend::suggest_bases;

/// An edit in the file of cases.
struct Edit<'t> {
    title: &'t str,
    /// Table to load, and file to change.
    table: &'t str,
    file: &'t str,
    /// Lines to replace, and their replacement.
    old: Vec<&'t str>,
    new: Vec<&'t str>,
    messages: Vec<&'t str>,
}

/// Parses the edits: `== TITLE`, then `FILE` or `FILE in TABLE`, and lines that begin with `-`, `+` and `>`.
fn edits(text: &str) -> Vec<Edit<'_>> {
    let mut edits = Vec::new();
    for part in text.split("\n== ").skip(1) {
        let mut lines = part.lines();
        let title = lines.next().unwrap();
        let place = lines.next().unwrap();
        let (file, table) = place.split_once(" in ").unwrap_or((place, place));
        let of = |mark: char| {
            part.lines().filter_map(|line| line.strip_prefix(mark)).collect::<Vec<_>>()
        };
        let (old, new, messages) = (of('-'), of('+'), of('>'));
        edits.push(Edit { title, table, file, old, new, messages });
    }
    edits
}

/// Returns the text of a table of the package, beside the edits, or of a test dialect.
fn text_of(name: &str) -> Option<String> {
    let of_folder = |folder: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name);
        fs::read_to_string(path).ok()
    };
    let beside = || of_folder("test_data/edits").or_else(|| of_folder("../../tests/dialects"));
    tabulex_tables::text(name).or_else(beside)
}

/// Returns all messages about the edited table, without line numbers.
fn messages_of(edit: &Edit<'_>) -> Vec<String> {
    let before = text_of(edit.file).unwrap_or_else(|| panic!("{}: no such file", edit.title));
    let (old, new) = (edit.old.join("\n"), edit.new.join("\n"));
    assert!(before.contains(&old), "{}: {} does not contain: {old}", edit.title, edit.file);
    let after = before.replacen(&old, &new, 1);
    let files = |name: &str| if name == edit.file { Some(after.clone()) } else { text_of(name) };
    let source = Source::new(edit.table, files(edit.table).unwrap());
    let mut loaded = tabulex_language::load(&source, &files);
    suggest_bases(&mut loaded.diagnostics, &loaded.source, &tabulex_tables::names);
    let messages = loaded.diagnostics.iter().map(|one| one.render(&loaded.source));
    messages.flat_map(|message| message.lines().map(without_number).collect::<Vec<_>>()).collect()
}

/// Removes the number of a quoted source line, which other changes of the table would affect.
fn without_number(line: &str) -> String {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    if let Some(shown) = line[digits..].strip_prefix(" | ") {
        return format!("| {}", shown.trim_start());
    }
    let line = line.trim_start();
    match line.strip_prefix("--> ").or(line.strip_prefix("::: ")) {
        Some(place) => format!("at {}", place.split(':').next().unwrap_or_default()),
        None if line.starts_with('|') => {
            format!("| {}", line.trim_start_matches(['|', ' ']))
        }
        None => line.to_owned(),
    }
}

#[test]
fn every_edit_causes_its_message() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/edits.txt");
    let text = fs::read_to_string(&path).unwrap();
    let edits = edits(&text);
    assert!(edits.len() >= 100, "only {} edits", edits.len());
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some();
    let (mut written, mut differing) =
        (text[..text.find("\n== ").unwrap_or(0)].to_owned(), Vec::new());
    for edit in &edits {
        let messages = messages_of(edit);
        assert!(!messages.is_empty(), "{}: no message", edit.title);
        let place = match edit.file == edit.table {
            true => edit.file.to_owned(),
            false => format!("{} in {}", edit.file, edit.table),
        };
        written += &format!("\n== {}\n{place}\n", edit.title);
        let marked = |mark: char, lines: &[&str]| -> String {
            lines.iter().map(|line| format!("{mark}{line}\n")).collect()
        };
        let lines: Vec<&str> = messages.iter().map(|line| &line[..]).collect();
        written += &(marked('-', &edit.old) + &marked('+', &edit.new) + &marked('>', &lines));
        if lines != edit.messages {
            differing.push(format!("{}\n{}", edit.title, messages.join("\n")));
        }
    }
    if is_update {
        fs::write(&path, written).unwrap();
        return;
    }
    assert!(
        differing.is_empty(),
        "messages differ from the expectations, which UPDATE_EXPECT=1 updates\n\n{}",
        differing.join("\n\n")
    );
}
