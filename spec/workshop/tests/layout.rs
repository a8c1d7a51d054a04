//! Formatting changes only white space, on all tables and all tables of tests, as they are and with random white space.
//! A text that is not a table cannot be formatted.

mod numbers;

use numbers::Numbers;
use std::fs;
use std::path::{Path, PathBuf};
use tabulex_workshop::layout::format_table;

/// The folders of tables, relative to the root, and whether they are formatted already.
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

/// Path, text, and whether it is formatted already.
fn tables() -> Vec<(String, String, bool)> {
    let mut all = Vec::new();
    for (folder, is_laid_out) in FOLDERS {
        let entries = fs::read_dir(root().join(folder)).expect("a folder of tables");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|it| it == "states" || it == "modes"));
        paths.sort();
        for path in paths {
            let text = fs::read_to_string(&path).expect("a table");
            all.push((path.display().to_string(), text, is_laid_out));
        }
    }
    assert!(all.len() > 100, "only {} tables", all.len());
    all
}

/// The syntax tree as text, without spans and source texts.
fn meaning(text: &str) -> Option<String> {
    let (table, diagnostics) = tabulex_language::parse::file(text);
    let words = format!("{:?} {}", table?, diagnostics.len());
    let mut plain = String::new();
    let mut rest = &words[..];
    while let Some(offset) = rest.find("Span { ") {
        plain += &rest[..offset];
        rest = &rest[offset + rest[offset..].find('}').expect("a range ends")..];
    }
    plain += rest;
    // The source text of a row includes its white space.
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
        let end = text.match_indices('"').find(is_end).expect("a text ends").0;
        plain.extend(text[..end].replace("\\n", " ").replace("\\t", " ").split_whitespace());
        rest = &text[end..];
    }
    plain + rest
}

/// Changes the white space between words randomly. Literals and comments stay as they are.
fn respaced(text: &str, numbers: &mut Numbers) -> String {
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
    for (path, text, is_laid_out) in tables() {
        let before = meaning(&text);
        let Some(formatted) = format_table(&text) else {
            assert!(before.is_none(), "{path} has no layout");
            continue;
        };
        assert!(before.is_some(), "{path} is not a table and has a layout");
        assert_eq!(before, meaning(&formatted), "{path} means something else:\n{formatted}");
        assert_eq!(
            format_table(&formatted).as_ref(),
            Some(&formatted),
            "{path}: the layout of the layout"
        );
        let with_cr = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
        assert_eq!(
            format_table(&with_cr(&text)),
            Some(with_cr(&formatted)),
            "{path}: lines end with CR LF"
        );
        if is_laid_out {
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
            let other = respaced(&text, &mut numbers);
            // White space may also be changed within a string or word, which changes the meaning.
            assert_eq!(
                meaning(&other).as_ref(),
                Some(&before),
                "{path}: the test is wrong\n{other}"
            );
            let formatted =
                format_table(&other).unwrap_or_else(|| panic!("{path} has no layout:\n{other}"));
            assert_eq!(
                meaning(&formatted).as_ref(),
                Some(&before),
                "{path}\n{other}\n=>\n{formatted}"
            );
            let again = format_table(&formatted).expect("a layout is a table");
            assert!(again == formatted, "{path}\n{formatted}\n=>\n{again}");
            let comments = |text: &str| text.matches("//").count();
            assert_eq!(
                comments(&formatted),
                comments(&text),
                "{path}: a comment is lost\n{formatted}"
            );
            assert!(
                formatted.lines().all(|line| line.trim_end() == line),
                "{path}: blanks at line ends\n{formatted}"
            );
        }
    }
}

#[test]
fn formats_tables_in_rust_files_in_place() {
    let text = "//! A table.\n\nfn f() -> &'static str { \"machine! {\" }\n\nmod m {\n    machine! {\n name a; start b;\n  state b { 'x' => ignore;\n\n\n EOF => emit end-of-file;\n else => ignore; }\n  }\n}\n\nfn g() {}\n";
    let expected = "//! A table.\n\nfn f() -> &'static str { \"machine! {\" }\n\nmod m {\n    machine! {\n        name a;\n        start b;\n        state b {\n            'x'  => ignore;\n\n            EOF  => emit end-of-file;\n            else => ignore;\n        }\n    }\n}\n\nfn g() {}\n";
    assert_eq!(format_table(text).expect("a table"), expected);
    assert_eq!(format_table("fn main() {}"), None);
}
