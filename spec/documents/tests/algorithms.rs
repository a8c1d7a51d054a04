//! Tests that edits of algorithms, in documents or in tables, are reported by the comparison. Edits of sentences that
//! define terms are tested in `meanings`. A test for which a document is missing says so and passes.

#[expect(dead_code, reason = "other tests use the remaining helpers")]
mod support;

use support::{committed, compared, document, profile, read_facts, table};
use tabulex_documents::document::facts::Facts;
use tabulex_language::syntax::Table;

/// Minimum percentage of sentences that are read or remarks.
const MIN_READ_PERCENT: usize = 99;

/// Markup with which the sections of algorithms begin.
const SECTION_STARTS: [&str; 6] = [
    "id=the-stack-of-open-elements>",
    "id=creating-and-inserting-nodes>",
    "id=adoptionAgency>",
    "id=parsing-main-incdata>",
    "id=scriptTag>",
    "id=parsing-html-fragments>",
];

/// Edits of sentences: index of the section in [`SECTION_STARTS`], old text, new text.
const EDITS: &[(usize, &str, &str)] = &[
    (0, "terminate in a match state.", "terminate in a failure state."),
    (0, "return to step 2.", "return to step 1."),
    (0, "three elements", "two elements"),
    (0, "remove the earliest such\n   element", "remove <var>element</var>"),
    (0, "step labeled <i>create</i>", "step labeled <i>advance</i>"),
    (0, "was a <a href=#concept-parser-marker", "is a <b>marker</b><a href=#concept-parser-marker"),
    (1, "<var>overrideTarget</var> if it is not null", "<var>overrideTarget</var> if it is null"),
    (1, "(default null), perform", "(default false), perform"),
    (1, "return an <a href=#insertion-location>insertion location</a>", "return an element"),
    (1, "(the <code><a href=semantics.html#the-html-element>html</a></code> element), null)", "X)"),
    (1, "parent</a> and set\n", "host</a> and set\n"),
    (1, "is not null and its\n", "is null and its\n"),
    (1, "<var>lastTemplateOrTable</var> is null", "<var>lastTemplateOrTable</var> is not null"),
    (
        1,
        "each attribute in the given\n    token to <var>element</var>",
        "<var>element</var> to <var>document</var>",
    ),
    (1, "any of the following are true", "all of the following are true"),
    (1, "onlyAddToElementStack</var> is false", "onlyAddToElementStack</var> is true"),
    (1, "previous\n   sibling", "next sibling"),
    (2, "as its only argument", "as its first argument"),
    (0, "an element <var>element</var>, the UA must", "an element, the UA must"),
    (2, "greater than or equal to 8", "greater than or equal to 9"),
    (2, "greater than 3", "greater than 4"),
    (2, "in the <a href=#special", "in some <a href=#special"),
    (
        2,
        "<var>lastNode</var> to\n       <var>node</var>.",
        "<var>node</var> to <var>lastNode</var>.",
    ),
    (2, "immediately below the position", "immediately above the position"),
    (2, "(<var>commonAncestor</var>, null)", "(<var>commonAncestor</var>, <var>node</var>)"),
    (2, "it does not have an element\n       child", "it has an element child"),
    (2, "all of the following", "any of the following"),
    (3, "script nesting level</a> is not zero", "script nesting level</a> is zero"),
    (3, "Unblock the", "Block the"),
    (3, "insertion point</a> be undefined again", "insertion point</a> be as it was"),
    (4, "<var>success</var> is false", "<var>success</var> is true"),
    (4, "to \"<code>manual</code>\"", "to \"<code>named</code>\""),
    (4, "start marker</a> to null", "end marker</a> to null"),
    (5, "target</a> to <var>fragment</var>", "target</a> to null"),
    (5, "</a> <var>root</var> to", "</a> <var>context</var> to"),
    // These edits keep the words, but add markup that deletes or hides them.
    (0, "remove the earliest such\n   element", "remove the earliest such <del>element</del>"),
    (2, "greater than 3", "<s>greater than 3</s>"),
    (4, "<p>Set <var>template</var>'s", "<p hidden>Set <var>template</var>'s"),
];

#[test]
fn reads_nearly_all_of_html_tree_construction() {
    // The committed facts suffice, as another test compares these with the document.
    let facts = committed("html-modes");
    let count = |what: &str| {
        let Some((before, _)) = facts.summary.split_once(what) else { return 0 };
        let number = before.rsplit(|part: char| !part.is_ascii_digit()).next();
        number.and_then(|number| number.parse::<usize>().ok()).expect("the count is a number")
    };
    let (all, read, remarks) = (count(" sentences"), count(" read"), count(" remark"));
    assert_eq!(count(" unread"), 0);
    assert!(read > 1_000);
    assert_eq!(read + remarks, all);
    assert!(
        (read + remarks) * 100 >= all * MIN_READ_PERCENT,
        "too few sentences are read: {}",
        facts.summary
    );
}

/// Reduces a table to its algorithms, its limits and one mode, without which the comparison would ignore algorithms.
fn only_algorithms(mut table: Table) -> Table {
    let mut modes = 0;
    table.items.retain(|item| match &item.kind[..] {
        "limit" | "algorithm" => true,
        "mode" => {
            modes += 1;
            modes == 1
        }
        _ => false,
    });
    table
}

/// Whether the comparison reports an undeclared difference in an algorithm or a limit.
fn has_difference(facts: &Facts, table: &Table) -> bool {
    let is_algorithm_or_limit =
        |one: &str| one.starts_with("algorithm ") || one.starts_with("limit ");
    compared(facts, table).undeclared().any(|one| is_algorithm_or_limit(&one.input))
}

/// Returns the parts of the document that describe algorithms.
fn parts_with_algorithms(text: &str) -> String {
    let mut parts = String::new();
    for (from, to) in [
        ("<h5 id=the-insertion-mode>", "<h4 id=tokenization>"),
        ("<h4 id=tree-construction>", "<h6 id=the-before-html-insertion-mode>"),
        ("<h6 id=parsing-main-inhead>", "<h6 id=parsing-main-inheadnoscript>"),
        ("<h6 id=parsing-main-inbody>", "\n"),
        ("<p id=adoptionAgency>", "<h6 id=parsing-main-intable>"),
        ("<h6 id=parsing-main-intd>", "<h6 id=parsing-main-intemplate>"),
        ("<h5 id=parsing-main-inforeign>", "<h4 id=the-end>"),
        ("<h3 id=parsing-html-fragments>", "<nav>"),
    ] {
        let start = text.find(from).unwrap();
        parts += &text[start..start + text[start..].find(to).unwrap()];
    }
    parts
}

#[test]
fn every_edit_of_an_algorithm_in_the_document_is_reported() {
    let Some(text) = document("html-modes") else { return };
    let text = parts_with_algorithms(&text);
    let mut profile = profile("html-modes");
    profile.sections = vec![("13.2.4.1 The insertion mode".to_owned(), String::new())];
    let table = only_algorithms(table("html-modes").1);
    let is_reported = |text: &str| {
        let facts = read_facts(text, &profile);
        has_difference(&facts, &table) || !facts.unread.is_empty()
    };
    assert!(!is_reported(&text), "the unedited document is reported as changed");
    for &(place, instead_of, read) in EDITS {
        let section_start = text.find(SECTION_STARTS[place]).unwrap();
        let (before, after) = text.split_at(section_start);
        let start = SECTION_STARTS[place];
        assert!(after.contains(instead_of), "no `{instead_of}` follows `{start}`");
        let edited = format!("{before}{}", after.replacen(instead_of, read, 1));
        assert!(
            is_reported(&edited),
            "the replacement of `{instead_of}` by `{read}` is not reported"
        );
    }
}

/// Returns the lines of a table that declare algorithms and limits of trees, within a table that has nothing else.
fn algorithm_lines(dialect: &str) -> Vec<String> {
    let (text, _) = table(dialect);
    let mut lines = vec!["machine! { name one; mode one { else => ignore; }\n".to_owned()];
    let mut is_inside = false;
    for line in text.lines() {
        is_inside |= line.starts_with("    algorithm ");
        let is_limit = line.starts_with("    limit ") && !line.contains("replacement-");
        if is_inside || is_limit {
            lines.push(format!("{line}\n"));
        }
        is_inside &= line != "    }";
    }
    lines.push("}\n".to_owned());
    lines
}

#[test]
fn every_edit_of_an_algorithm_in_the_table_is_reported() {
    for (dialect, least) in [("html-modes", 200), ("html", 14), ("xml-er", 6), ("sky", 1)] {
        let mut facts = committed(dialect);
        facts.table = only_algorithms(facts.table);
        let is_reported = |lines: &[String]| {
            tabulex_language::parse::file(&lines.concat())
                .0
                .is_none_or(|table| has_difference(&facts, &table))
        };
        let lines = algorithm_lines(dialect);
        assert!(!is_reported(&lines), "{dialect}: the unedited table is reported as changed");
        let (mut edits, mut added) = (0, None);
        for (at, line) in lines.iter().enumerate() {
            let words = line.trim();
            let depth = line.len() - line.trim_start().len();
            // Edits within `fills` are not differences, as the document lacks these steps.
            if words.starts_with("fills ") {
                added = Some(depth);
            } else if words == "}" && added == Some(depth) {
                added = None;
            }
            let is_step = words.ends_with([';', '{']) && !words.starts_with("deviates ");
            if is_step && added.is_none() && !words.starts_with("machine!") {
                let ending = if words.ends_with('{') { " {" } else { ";" };
                let replacement =
                    if words.starts_with("limit ") { "7;" } else { &format!(" so{ending}") };
                let mut edited = lines.clone();
                edited[at] = line.replacen(ending, replacement, 1);
                assert!(is_reported(&edited), "{dialect}: the edit of `{words}` is not reported");
                edits += 1;
            }
        }
        assert!(edits >= least, "{dialect}: {edits} edits were made, expected {least} or more");
    }
}
