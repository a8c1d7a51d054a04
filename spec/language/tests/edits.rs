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
    /// Table to load.
    table: &'t str,
    /// File to change: the table, or a file that it uses.
    file: &'t str,
    /// Lines to replace.
    old: Vec<&'t str>,
    /// Replacement of the lines.
    new: Vec<&'t str>,
    /// Expected messages, line by line.
    messages: Vec<&'t str>,
}

/// Parses the edits: `== TITLE`, then `FILE` or `FILE in TABLE`, and lines that begin with `-`, `+` and `>`.
fn edits(text: &str) -> Vec<Edit<'_>> {
    let mut edits = Vec::new();
    for section in text.split("\n== ").skip(1) {
        let mut lines = section.lines();
        let title = lines.next().unwrap();
        let file_and_table = lines.next().unwrap();
        let (file, table) =
            file_and_table.split_once(" in ").unwrap_or((file_and_table, file_and_table));
        let lines_with = |mark: char| {
            section.lines().filter_map(|line| line.strip_prefix(mark)).collect::<Vec<_>>()
        };
        let (old, new, messages) = (lines_with('-'), lines_with('+'), lines_with('>'));
        edits.push(Edit { title, table, file, old, new, messages });
    }
    edits
}

/// Returns the text of a built-in table, of a table for edits, or of a test dialect; `None` if there is none with this
/// name.
fn text_of(name: &str) -> Option<String> {
    let read_from = |folder: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name);
        fs::read_to_string(path).ok()
    };
    let test_text = || read_from("test_data/edits").or_else(|| read_from("../../tests/dialects"));
    tabulex_tables::text(name).or_else(test_text)
}

/// Returns the lines of all messages about the edited table, without line numbers.
fn messages_of(edit: &Edit<'_>) -> Vec<String> {
    let original = text_of(edit.file)
        .unwrap_or_else(|| panic!("{}: there is no file `{}`", edit.title, edit.file));
    let (old, new) = (edit.old.join("\n"), edit.new.join("\n"));
    assert!(original.contains(&old), "{}: `{}` does not contain `{old}`", edit.title, edit.file);
    let edited = original.replacen(&old, &new, 1);
    let files = |name: &str| if name == edit.file { Some(edited.clone()) } else { text_of(name) };
    let source = Source::new(edit.table, files(edit.table).unwrap());
    let mut loaded = tabulex_language::load(&source, &files);
    suggest_bases(&mut loaded.diagnostics, &loaded.source, &tabulex_tables::names);
    let messages = loaded.diagnostics.iter().map(|one| one.render(&loaded.source));
    messages
        .flat_map(|message| message.lines().map(without_line_number).collect::<Vec<_>>())
        .collect()
}

/// Removes line numbers and indentation from a line of a message, as other changes of the table would affect them.
fn without_line_number(line: &str) -> String {
    let digit_count = line.chars().take_while(char::is_ascii_digit).count();
    if let Some(source_line) = line[digit_count..].strip_prefix(" | ") {
        return format!("| {}", source_line.trim_start());
    }
    let line = line.trim_start();
    match line.strip_prefix("--> ").or(line.strip_prefix("::: ")) {
        Some(position) => format!("at {}", position.split(':').next().unwrap_or_default()),
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
    let (mut updated, mut differences) =
        (text[..text.find("\n== ").unwrap_or(0)].to_owned(), Vec::new());
    for edit in &edits {
        let messages = messages_of(edit);
        assert!(!messages.is_empty(), "{}: no message", edit.title);
        let file_and_table = match edit.file == edit.table {
            true => edit.file.to_owned(),
            false => format!("{} in {}", edit.file, edit.table),
        };
        updated += &format!("\n== {}\n{file_and_table}\n", edit.title);
        let mark_lines = |mark: char, lines: &[&str]| -> String {
            lines.iter().map(|line| format!("{mark}{line}\n")).collect()
        };
        let lines: Vec<&str> = messages.iter().map(|line| &line[..]).collect();
        updated +=
            &(mark_lines('-', &edit.old) + &mark_lines('+', &edit.new) + &mark_lines('>', &lines));
        if lines != edit.messages {
            differences.push(format!("{}\n{}", edit.title, messages.join("\n")));
        }
    }
    if is_update {
        fs::write(&path, updated).unwrap();
        return;
    }
    assert!(
        differences.is_empty(),
        "messages differ from the expectations, which UPDATE_EXPECT=1 updates\n\n{}",
        differences.join("\n\n")
    );
}
