//! Checks that the committed list of documents' defects is exactly the one that reading finds, and that each entry
//! states a resolution.

#[expect(dead_code, reason = "other tests use the remaining helpers")]
mod support;

use support::{dialects, document, profile};
use tabulex_documents::document::{defects, disagreements, read};

/// Returns the rows of the list in DEFECTS.md: document, place, finding, resolution.
fn listed_defects() -> Vec<[String; 4]> {
    let text = include_str!("../DEFECTS.md");
    let (_, list) = text.split_once("\n## ").expect("DEFECTS.md has a heading of level 2");
    let rows = list.lines().filter(|line| line.starts_with("| ")).skip(1);
    let rows = rows.filter(|line| !line.starts_with("| ---"));
    rows.map(|line| {
        let line = line.trim_start_matches("| ").trim_end_matches(" |").replace("\\|", "\u{1}");
        let cells: Vec<String> = line.split(" | ").map(|cell| cell.replace('\u{1}', "|")).collect();
        cells.try_into().unwrap_or_else(|_| panic!("the row does not have four cells: {line}"))
    })
    .collect()
}

#[test]
fn list_matches_defects_found() {
    let listed = listed_defects();
    assert!(listed.len() > 30 && listed.iter().all(|[.., done]| !done.is_empty()));
    for dialect in dialects() {
        let Some(text) = document(&dialect) else { continue };
        let profile = profile(&dialect);
        let defects_found = defects(&read(&text, &profile));
        let mut reported: Vec<(String, String)> =
            defects_found.into_iter().map(|defect| (defect.place, defect.message)).collect();
        let of_document = listed.iter().filter(|[of, ..]| *of == dialect);
        let mut expected: Vec<(String, String)> =
            of_document.map(|[_, place, what, _]| (place.clone(), what.clone())).collect();
        reported.sort();
        expected.sort();
        assert_eq!(reported, expected, "{dialect}: run `cargo xtask diff --ledger FILE --defects`");
    }
}

#[test]
fn finds_defects_of_documents() {
    for (dialect, instead_of, read_as, what) in [
        (
            "html-2013",
            "Switch to the tag open state.",
            "Switch to the tag opened state.",
            "there is no state `tag-opened`",
        ),
        ("html-2013", "U+002F SOLIDUS (/)", "U+002F REVERSE SOLIDUS (\\)", "U+002F is not"),
        (
            "html-2013",
            "Switch to the tag open state.",
            "Switch to to the tag open state.",
            "doubled word in `to to`",
        ),
        (
            "html-2013",
            "comment, character, end-of-file",
            "character, end-of-file",
            "`comment` is created, but is not in the list",
        ),
        (
            "html-2013",
            "Switch to the tag open state.",
            "Switch to the tag open state. Switch to the data state.",
            "switches twice",
        ),
        (
            "html",
            "Append \"<code>&lt;/template></code>\".",
            "Jump to the step below labeled nowhere.",
            "there is no step `nowhere`",
        ),
        (
            "html",
            "<dfn id=parse-error-eof-in-tag>eof-in-tag</dfn>",
            "<dfn>eof-in-tags</dfn>",
            "no rule reports `eof-in-tags`",
        ),
    ] {
        let Some(text) = document(dialect) else { continue };
        assert!(
            text.contains(instead_of),
            "{dialect}: the document does not contain `{instead_of}`"
        );
        let profile = profile(dialect);
        let reading = read(&text.replacen(instead_of, read_as, 1), &profile);
        let defects_found = defects(&reading);
        assert!(
            defects_found.iter().any(|defect| defect.message.contains(what)),
            "no defect is found in `{read_as}`: {defects_found:#?}"
        );
    }
}

#[test]
fn character_names_match_code_points() {
    for right in [
        "U+003E GREATER-THAN SIGN (>)",
        "U+0041 LATIN CAPITAL LETTER A through to U+005A LATIN CAPITAL LETTER Z",
        "U+0020 SPACE, U+0000 NULL character",
        "U+0009 CHARACTER TABULATION (tab), U+FFFD",
        "U+0022 (\")",
        "U+000A LINE FEED (LF)",
    ] {
        assert!(disagreements(right).is_empty(), "the correct names in `{right}` are reported");
    }
    for wrong in [
        "U+003C GREATER-THAN SIGN",
        "U+003E GREATER-THAN SIGN (<)",
        "U+0061 LATIN CAPITAL LETTER A",
        "U+0041 LATIN CAPITAL LETTER B",
        "U+000D (LF)",
        "U+201A EURO SIGN",
        "U+FFFD NULL",
    ] {
        assert_eq!(disagreements(wrong).len(), 1, "a wrong name is not reported: `{wrong}`");
    }
}
