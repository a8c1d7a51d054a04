//! Tests that formatting changes only white space, on all tables, also those of tests, as written and with random white
//! space. A text that is not a table cannot be formatted.

mod numbers;

use numbers::Random;
use std::fs;
use std::path::{Path, PathBuf};
use tabulex_workshop::layout::format_table;

/// Folders of tables, relative to the root, each with whether its tables must already be formatted.
const FOLDERS: [(&str, bool); 6] = [
    ("spec/tables", true),
    ("spec/language/test_data/ok", false),
    ("spec/language/test_data/err", false),
    ("spec/oracle/test_data/interpreter", false),
    ("spec/workshop/test_data/layout", true),
    ("tests/dialects", true),
];

/// Number of versions of each table with random white space.
const ROUNDS: u64 = 6;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the path and text of each table, and whether the text must already be formatted.
fn tables() -> Vec<(String, String, bool)> {
    let mut tables = Vec::new();
    for (folder, is_formatted) in FOLDERS {
        let entries =
            fs::read_dir(root().join(folder)).expect("each folder of tables can be listed");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|it| it == "states" || it == "modes"));
        paths.sort();
        for path in paths {
            let text = fs::read_to_string(&path).unwrap();
            tables.push((path.display().to_string(), text, is_formatted));
        }
    }
    assert!(tables.len() > 100, "only {} tables were found, expected more than 100", tables.len());
    tables
}

/// Formats the syntax tree, without spans and without the white space of source texts, and the number of diagnostics.
/// Returns `None` if the text is not a table.
fn meaning(text: &str) -> Option<String> {
    let (table, diagnostics) = tabulex_language::parse::file(text);
    let debug_text = format!("{:?} {}", table?, diagnostics.len());
    let mut without_spans = String::new();
    let mut remaining = &debug_text[..];
    while let Some(offset) = remaining.find("Span { ") {
        without_spans += &remaining[..offset];
        remaining =
            &remaining[offset + remaining[offset..].find('}').expect("a span ends with a brace")..];
    }
    without_spans += remaining;
    // The source texts of rows still contain white space, which formatting may change.
    Some(without_white_space_in_texts(&without_spans))
}

fn without_white_space_in_texts(tree: &str) -> String {
    let mut out = String::new();
    let mut remaining = tree;
    while let Some(offset) = remaining.find(", text: \"") {
        out += &remaining[..offset];
        let text = &remaining[offset + 9..];
        let is_end = |(offset, _): &(usize, &str)| {
            (text[..*offset].len() - text[..*offset].trim_end_matches('\\').len()).is_multiple_of(2)
        };
        let end = text.match_indices('"').find(is_end).expect("a text ends with a quote").0;
        out.extend(text[..end].replace("\\n", " ").replace("\\t", " ").split_whitespace());
        remaining = &text[end..];
    }
    out + remaining
}

/// Changes the white space of a table randomly, except in literals and comments.
fn change_white_space(text: &str, random: &mut Random) -> String {
    const BLANKS: [&str; 9] = [" ", " ", " ", " ", "   ", "\n", "\n\n\n", "\t", "\n      "];
    let mut out = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '/' if characters.peek() == Some(&'/') => {
                out.push('/');
                while let Some(next) = characters.next_if(|next| *next != '\n') {
                    out.push(next);
                }
                out.push('\n');
            }
            quote @ ('"' | '\'') => {
                out.push(quote);
                while let Some(next) = characters.next() {
                    out.push(next);
                    if next == '\\' {
                        out.extend(characters.next());
                    } else if next == quote {
                        break;
                    }
                }
            }
            _ if character.is_whitespace() => {
                while characters.next_if(|next| next.is_whitespace()).is_some() {}
                out += BLANKS[random.below(BLANKS.len())];
            }
            ';' | '{' | '}' | '|' | ',' if random.below(4) == 0 => {
                out.push(character);
                out += BLANKS[random.below(BLANKS.len())];
            }
            _ => out.push(character),
        }
    }
    out
}

fn seed() -> u64 {
    std::env::var("TABULEX_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

#[test]
fn formatting_changes_only_blanks_and_is_idempotent() {
    for (path, text, is_formatted) in tables() {
        let meaning_before = meaning(&text);
        let Some(formatted) = format_table(&text) else {
            assert!(meaning_before.is_none(), "`format_table` rejects `{path}`, which is a table");
            continue;
        };
        assert!(meaning_before.is_some(), "`format_table` accepts `{path}`, which is not a table");
        assert_eq!(
            meaning_before,
            meaning(&formatted),
            "{path}: formatting changes the meaning:\n{formatted}"
        );
        assert_eq!(
            format_table(&formatted).as_ref(),
            Some(&formatted),
            "{path}: formatting the formatted text changes it"
        );
        let with_crlf = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
        assert_eq!(
            format_table(&with_crlf(&text)),
            Some(with_crlf(&formatted)),
            "{path}: formatting the text with CR LF gives a different result"
        );
        if is_formatted {
            assert!(
                formatted == text,
                "{path} is not formatted; run `cargo xtask fmt {path}`:\n{formatted}"
            );
        }
    }
}

#[test]
fn ignores_inserted_blanks() {
    let seed = seed();
    println!("TABULEX_SEED={seed}");
    let mut random = Random(seed);
    for (path, text, _) in tables() {
        let Some(meaning_before) = meaning(&text) else { continue };
        for _ in 0..ROUNDS {
            let changed = change_white_space(&text, &mut random);
            // If the change itself altered the meaning, the failures below would not be those of the formatter.
            assert_eq!(
                meaning(&changed).as_ref(),
                Some(&meaning_before),
                "{path}: the random change of white space changes the meaning:\n{changed}"
            );
            let formatted = format_table(&changed).unwrap_or_else(|| {
                panic!("{path}: the text with random white space cannot be formatted:\n{changed}")
            });
            assert_eq!(
                meaning(&formatted).as_ref(),
                Some(&meaning_before),
                "{path}: formatting changes the meaning:\n{changed}\n=>\n{formatted}"
            );
            let formatted_again = format_table(&formatted).expect("a formatted text is a table");
            assert!(
                formatted_again == formatted,
                "{path}: formatting the formatted text changes it:\n{formatted}\n=>\n{formatted_again}"
            );
            let comments = |text: &str| text.matches("//").count();
            assert_eq!(
                comments(&formatted),
                comments(&text),
                "{path}: formatting loses or adds a comment:\n{formatted}"
            );
            assert!(
                formatted.lines().all(|line| line.trim_end() == line),
                "{path}: a formatted line ends with white space:\n{formatted}"
            );
        }
    }
}

#[test]
fn formats_tables_in_rust_files_in_place() {
    let text = "//! A table.\n\nfn f() -> &'static str { \"machine! {\" }\n\nmod m {\n    machine! {\n name a; start b;\n  state b { 'x' => ignore;\n\n\n EOF => emit end-of-file;\n else => ignore; }\n  }\n}\n\nfn g() {}\n";
    let expected = "//! A table.\n\nfn f() -> &'static str { \"machine! {\" }\n\nmod m {\n    machine! {\n        name a;\n        start b;\n        state b {\n            'x'  => ignore;\n\n            EOF  => emit end-of-file;\n            else => ignore;\n        }\n    }\n}\n\nfn g() {}\n";
    assert_eq!(format_table(text).expect("the text contains a table"), expected);
    assert_eq!(format_table("fn main() {}"), None);
}
