//! Tests that the comparison of modes distinguishes effects, not notation: rows with equal effects on all tokens are
//! equal, and an edit that changes an effect is a difference.

use tabulex_documents::compare::{Comparison, Index, compare};
use tabulex_language::syntax::Table;

fn table(text: &str) -> Table {
    let (table, diagnostics) = tabulex_language::parse::file(text);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    table.unwrap()
}

fn modes(text: &str) -> Table {
    table(&format!("machine! {{ name one; {text} }}"))
}

fn compared(left: &Table, right: &Table) -> Comparison {
    compare(&Index::new(left), &Index::new(right))
}

/// Returns the number of differences, and the number of stale notes.
fn counts(left: &str, right: &str) -> (usize, usize) {
    let comparison = compared(&modes(left), &modes(right));
    (comparison.differences.len(), comparison.stale.len())
}

#[test]
fn equivalent_notations_are_equal() {
    for (one, other) in [
        (
            "mode m { start \"a\" | \"b\" => pop; }",
            "mode m { start \"b\" => pop; start \"a\" => pop; }",
        ),
        (
            "names head = \"a\" | \"b\"; mode m { end head => pop-until head; }",
            "mode m { end \"a\" | \"b\" => ends; } names both = \"b\" | \"a\"; steps ends { pop-until both; }",
        ),
        (
            "mode m { EOF => when not current is \"a\" { error one; } stop; }",
            "mode m { EOF => when current is \"a\" { stop; } otherwise { error unnamed; stop; } }",
        ),
        (
            "mode m { end \"a\" => as else; else => pop; reprocess n; } mode n { else => ignore; }",
            "mode m { else => switch n; pop; reprocess; } mode n { else => ignore; }",
        ),
        (
            "mode m { end => when current is \"a\" or current is \"b\" { pop; } }",
            "names ab = \"a\" | \"b\"; mode m { end => when current is ab { pop; } }",
        ),
        (
            "mode m { end \"a\" => when open token-name { pop-until-token-name; } }",
            "mode m { end \"a\" => when open \"a\" { pop-until \"a\"; } }",
        ),
        (
            "tree flag f = yes | no; mode m { EOF when f is yes => pop; EOF => stop; }",
            "tree flag f = yes | no; mode m { EOF => when not f is no { pop; } otherwise { stop; } }",
        ),
        (
            "mode m { character => ignore; }",
            "class w = ' '; mode m { character w => ignore; character => ignore; }",
        ),
    ] {
        assert_eq!(counts(one, other), (0, 0), "a difference is reported:\n{one}\n{other}");
    }
}

#[test]
fn reports_rows_with_other_effects() {
    for (one, other) in [
        ("mode m { start \"a\" => pop; }", "mode m { start => pop; }"),
        ("mode m { start => pop; insert-element; }", "mode m { start => insert-element; pop; }"),
        ("mode m { else => pop; }", "mode m { comment => append-comment; else => pop; }"),
        (
            "mode m { end => pop; when stack-is-empty { stop; } }",
            "mode m { end => when stack-is-empty { stop; } pop; }",
        ),
        (
            "mode m { end => when open \"a\" { pop; } }",
            "mode m { end => when current is \"a\" { pop; } }",
        ),
        (
            "mode m { end => when open \"a\" or open \"b\" { pop; } }",
            "mode m { end => when open \"a\" and open \"b\" { pop; } }",
        ),
        ("mode m { EOF => error one; stop; }", "mode m { EOF => error two; stop; }"),
        ("mode m { EOF => stop; }", "mode m { EOF => stop; } mode n { EOF => stop; }"),
        (
            "mode m { character => ignore; }",
            "class w = ' '; mode m { character w => pop; character => ignore; }",
        ),
        ("tree start m; mode m { EOF => stop; }", "tree start n; mode m { EOF => stop; }"),
    ] {
        assert!(counts(one, other).0 > 0, "no difference is reported:\n{one}\n{other}");
        assert!(counts(other, one).0 > 0, "no difference is reported:\n{other}\n{one}");
    }
}

#[test]
fn reports_note_without_difference() {
    let plain = "mode m { EOF => stop; comment => ignore; }";
    let noted = "mode m { EOF => stop; comment => deviates \"Why.\"; pop; }";
    let comparison = compared(&modes(plain), &modes(noted));
    assert_eq!((comparison.declared(), comparison.undeclared().count()), (1, 0));
    assert_eq!((comparison.modes, comparison.rows, comparison.equal), (1, 2, 1));
    let stale = "mode m { EOF => fills \"Nothing.\"; stop; comment => ignore; }";
    assert_eq!(counts(plain, stale), (0, 1));
}

#[test]
fn every_edit_of_a_row_is_reported() {
    let path = std::path::Path::new(tabulex_tables::FOLDER).join("html.modes");
    let text = std::fs::read_to_string(path).unwrap();
    let original = table(&text);
    assert_eq!(compared(&original, &original).differences, []);
    let start = text.find("    mode initial").unwrap();
    let end = text.find("    names breaking-out").unwrap();
    // Each edit replaces the first text with the second, which changes an action, a target, an error code, a condition
    // or an argument.
    let edits = [
        (" pop;", " push-formatting;"),
        ("switch in-", "switch after-"),
        ("error unexpected-", "error another-"),
        ("insert-element;", "append-element;"),
        ("when not ", "when "),
        ("generate-end-tags implied;", "generate-end-tags thoroughly-implied;"),
        ("using in-", "reprocess in-"),
    ];
    for (from, to) in edits {
        let offsets: Vec<usize> =
            text[start..end].match_indices(from).map(|(offset, _)| start + offset).collect();
        // Each edit is tried at no more than six places, spread over the modes, to keep the test short.
        for &offset in offsets.iter().step_by(offsets.len().div_ceil(6)) {
            let mut edited = text.clone();
            edited.replace_range(offset..offset + from.len(), to);
            let comparison = compared(&original, &table(&edited));
            let line = text[..offset].lines().count();
            assert!(
                !comparison.differences.is_empty(),
                "line {line}: `{from}` replaced by `{to}` is not reported"
            );
        }
    }
}

#[test]
fn compares_lexemes_by_their_expressions() {
    let differs = |one: &str, other: &str| {
        let mode = "lexeme b = 'b'; lexical-mode m (longest, else b) { b => ignore; EOF => emit end-of-file; }";
        let table = |lexeme: &str| modes(&format!("lexeme a = {lexeme}; {mode}"));
        !compared(&table(one), &table(other)).differences.is_empty()
    };
    for (one, other) in [
        ("'<' {b+} '>'", "\"<\" {b+} \">\""),
        ("'x' | 'y' | b", "(('x' | 'y') | b)"),
        ("('x' | ('y' | b))*", "('x' | 'y' | b)*"),
        ("'x' ahead 'y'", "('x') ahead \"y\""),
    ] {
        assert!(!differs(one, other), "`{one}` and `{other}` count as different");
    }
    for (one, other) in [
        ("'x'*", "'x'+"),
        ("'x' 'y'", "'y' 'x'"),
        ("'a'..='c'", "'a'..='d'"),
        ("'<' {b} '>'", "'<' b '>'"),
        ("'<' {b+} '>'", "'<' {b} b* '>'"),
        ("'x' 'y'", "'x' ahead 'y'"),
    ] {
        assert!(differs(one, other), "`{one}` and `{other}` count as equal");
    }
}

#[test]
fn note_covers_different_lexeme() {
    let counts = |one: &str, other: &str| {
        let mode = "lexeme b = 'b'; lexical-mode m (longest, else b) { b => ignore; EOF => emit end-of-file; }";
        let table = |lexeme: &str| modes(&format!("lexeme a = {lexeme}; {mode}"));
        let comparison = compared(&table(one), &table(other));
        (comparison.declared(), comparison.undeclared().count(), comparison.stale.len())
    };
    assert_eq!(counts("'x'*", "'x'+"), (0, 1, 0));
    assert_eq!(counts("'x'*", "'x'+ deviates \"A blank is not a token.\""), (1, 0, 0));
    assert_eq!(counts("'x' ahead 'y'", "'x' ahead 'z' fills \"It says nothing of z.\""), (1, 0, 0));
    assert_eq!(counts("'x'*", "'x'* deviates \"It is the same.\""), (0, 0, 1));
}
