//! Tests that formatting changes only white space, on all tables, also those of tests, as written and with random white
//! space. A text that is not a table cannot be formatted.

mod numbers;

use numbers::Numbers;
use std::fs;
use std::path::{Path, PathBuf};
use tabulex_workshop::layout::format_table;

/// Folders of tables, relative to the root, and whether the tables must already be formatted.
const FOLDERS: [(&str, bool); 6] = [
    ("spec/tables", true),
    ("spec/language/test_data/ok", false),
    ("spec/language/test_data/err", false),
    ("spec/oracle/test_data/interpreter", false),
    ("spec/workshop/test_data/layout", true),
    ("tests/dialects", true),
];

/// Number of random changes of each table.
const ROUNDS: u64 = 6;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the path and text of each table, and whether the text must already be formatted.
fn tables() -> Vec<(String, String, bool)> {
    let mut all = Vec::new();
    for (folder, is_formatted) in FOLDERS {
        let entries = fs::read_dir(root().join(folder)).expect("the folder can be listed");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|it| it == "states" || it == "modes"));
        paths.sort();
        for path in paths {
            let text = fs::read_to_string(&path).unwrap();
            all.push((path.display().to_string(), text, is_formatted));
        }
    }
    assert!(all.len() > 100, "only {} tables were found", all.len());
    all
}

/// Returns the syntax tree as text, without spans and white space in source texts. `None` if the text is not a table.
fn meaning(text: &str) -> Option<String> {
    let (table, diagnostics) = tabulex_language::parse::file(text);
    let words = format!("{:?} {}", table?, diagnostics.len());
    let mut plain = String::new();
    let mut rest = &words[..];
    while let Some(offset) = rest.find("Span { ") {
        plain += &rest[..offset];
        rest = &rest[offset + rest[offset..].find('}').expect("a span ends with a brace")..];
    }
    plain += rest;
    // The source texts of rows still contain white space.
    Some(without_texts(&plain))
}

fn without_texts(words: &str) -> String {
    let mut plain = String::new();
    let mut rest = words;
    while let Some(offset) = rest.find(", text: \"") {
        plain += &rest[..offset];
        let text = &rest[offset + 9..];
        let is_end = |(offset, _): &(usize, &str)| {
            (text[..*offset].len() - text[..*offset].trim_end_matches('\\').len()).is_multiple_of(2)
        };
        let end = text.match_indices('"').find(is_end).expect("a text ends with a quote").0;
        plain.extend(text[..end].replace("\\n", " ").replace("\\t", " ").split_whitespace());
        rest = &text[end..];
    }
    plain + rest
}

/// Changes the white space between words randomly, but not in literals and comments.
fn change_white_space(text: &str, numbers: &mut Numbers) -> String {
    const BLANKS: [&str; 9] = [" ", " ", " ", " ", "   ", "\n", "\n\n\n", "\t", "\n      "];
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '/' if rest.peek() == Some(&'/') => {
                out.push('/');
                while let Some(next) = rest.next_if(|next| *next != '\n') {
                    out.push(next);
                }
                out.push('\n');
            }
            quote @ ('"' | '\'') => {
                out.push(quote);
                while let Some(next) = rest.next() {
                    out.push(next);
                    if next == '\\' {
                        out.extend(rest.next());
                    } else if next == quote {
                        break;
                    }
                }
            }
            _ if character.is_whitespace() => {
                while rest.next_if(|next| next.is_whitespace()).is_some() {}
                out += BLANKS[numbers.below(BLANKS.len())];
            }
            ';' | '{' | '}' | '|' | ',' if numbers.below(4) == 0 => {
                out.push(character);
                out += BLANKS[numbers.below(BLANKS.len())];
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
        let before = meaning(&text);
        let Some(formatted) = format_table(&text) else {
            assert!(before.is_none(), "{path} is a table, but is not formatted");
            continue;
        };
        assert!(before.is_some(), "{path} is formatted, but is not a table");
        assert_eq!(
            before,
            meaning(&formatted),
            "{path}: formatting changes the meaning:\n{formatted}"
        );
        assert_eq!(
            format_table(&formatted).as_ref(),
            Some(&formatted),
            "{path}: formatting the formatted text changes it"
        );
        let with_cr = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
        assert_eq!(
            format_table(&with_cr(&text)),
            Some(with_cr(&formatted)),
            "{path}: the result with CR LF is different"
        );
        if is_formatted {
            assert!(formatted == text, "{path}: run `cargo xtask fmt {path}`\n{formatted}");
        }
    }
}

#[test]
fn ignores_inserted_blanks() {
    let seed = seed();
    println!("TABULEX_SEED={seed}");
    let mut numbers = Numbers(seed);
    for (path, text, _) in tables() {
        let Some(before) = meaning(&text) else { continue };
        for _ in 0..ROUNDS {
            let other = change_white_space(&text, &mut numbers);
            // Otherwise, the change itself would be the cause of a failure below.
            assert_eq!(
                meaning(&other).as_ref(),
                Some(&before),
                "{path}: the random change of white space changes the meaning:\n{other}"
            );
            let formatted = format_table(&other).unwrap_or_else(|| {
                panic!("{path}: the text with random white space cannot be formatted:\n{other}")
            });
            assert_eq!(
                meaning(&formatted).as_ref(),
                Some(&before),
                "{path}: formatting changes the meaning:\n{other}\n=>\n{formatted}"
            );
            let again = format_table(&formatted).expect("a formatted text is a table");
            assert!(
                again == formatted,
                "{path}: formatting the formatted text changes it:\n{formatted}\n=>\n{again}"
            );
            let comments = |text: &str| text.matches("//").count();
            assert_eq!(
                comments(&formatted),
                comments(&text),
                "{path}: a comment is lost\n{formatted}"
            );
            assert!(
                formatted.lines().all(|line| line.trim_end() == line),
                "{path}: a line ends with white space\n{formatted}"
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
