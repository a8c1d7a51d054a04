//! Compares documents with tables, and tests the reader of documents. A test for which a document is missing says so
//! and passes; committed facts are compared in any case.

mod support;

use support::{
    Random, committed, compared, dialects, document, file_of_documents, machine, profile,
    read_facts, table,
};
use tabulex_documents::compare::compare_names;
use tabulex_documents::document::{Ledger, names, read};
use tabulex_language::model::{Machine, RowId};
use tabulex_oracle::search::{Bound, Errors, differences};

#[test]
fn every_table_matches_its_document() {
    for dialect in dialects() {
        let facts = committed(&dialect);
        let comparison = compared(&facts, &table(&dialect).1);
        let undeclared: Vec<_> = comparison.undeclared().collect();
        assert!(undeclared.is_empty(), "{dialect}: undeclared differences: {undeclared:#?}");
        assert!(comparison.stale.is_empty(), "{dialect}: stale notes: {:#?}", comparison.stale);
        assert!(facts.unread.is_empty(), "{dialect}: unread sentences: {:#?}", facts.unread);
        assert!(
            facts.stale_errata.is_empty(),
            "{dialect}: stale errata: {:#?}",
            facts.stale_errata
        );
        assert!(
            comparison.equal > comparison.rows / 2,
            "{dialect}: at most half of the rows are equal"
        );
        let name_differences =
            compare_names(&facts.names, &table(&dialect).1, &tabulex_tables::text);
        assert!(
            name_differences.is_empty(),
            "{dialect}: the character references differ: {name_differences:#?}"
        );
    }
}

#[test]
fn references_are_paired_by_name() {
    let table = table("html").1;
    let list = tabulex_tables::text("html.references").unwrap();
    let entries = tabulex_language::references::read(&list).unwrap();
    let json_line = |(name, characters): &(String, String)| {
        let character = characters.chars().map(|one| u32::from(one).to_string());
        format!(
            "\"&{name}\": {{ \"codepoints\": [{}] }},\n",
            character.collect::<Vec<_>>().join(", ")
        )
    };
    let document: String = entries.iter().map(json_line).collect();
    let compared = |document: &str| {
        let differences = compare_names(&names(document).unwrap(), &table, &tabulex_tables::text);
        let sides = differences.into_iter().map(|one| [one.left, one.right]);
        sides.map(|sides| sides.map(Option::unwrap_or_default)).collect::<Vec<_>>()
    };
    assert!(compared(&document).is_empty());
    let changed = document
        .replace("\"&AMP\": { \"codepoints\": [38] }", "\"&AMP\": { \"codepoints\": [39] }");
    assert_eq!(compared(&changed), [["&AMP is \"'\", line 3", "&AMP is \"&\", line 5"]]);
    let removed = document.replace("\"&AMP\": { \"codepoints\": [38] },\n", "");
    assert_eq!(compared(&removed), [["", "&AMP is \"&\", line 5"]]);
    let added = document + "\"&zz\": { \"codepoints\": [90] }";
    assert_eq!(compared(&added), [[&format!("&zz is \"Z\", line {}", entries.len() + 1)[..], ""]]);
}

#[test]
fn committed_facts_match_documents() {
    for dialect in dialects() {
        let Some(text) = document(&dialect) else { continue };
        let profile = profile(&dialect);
        assert!(
            read_facts(&text, &profile).text == committed(&dialect).text,
            "{dialect}: the facts differ; run `cargo xtask diff {dialect} --document FILE --write`"
        );
    }
}

#[test]
fn every_edit_of_the_tree_construction_in_a_document_is_reported() {
    let Some(text) = document("html-modes") else { return };
    let profile = profile("html-modes");
    let (_, table) = table("html-modes");
    let start = text.find("id=the-initial-insertion-mode").unwrap();
    let edited = |instead_of: &str, read: &str| {
        let (before, after) = text.split_at(start);
        assert!(after.contains(instead_of), "the document does not contain `{instead_of}`");
        let edited = format!("{before}{}", after.replacen(instead_of, read, 1));
        read_facts(&edited, &profile)
    };
    // If an action is removed, all sentences are still read, but the row differs from that of the table.
    let facts = edited("<p>Reprocess the token.", "<p>");
    assert!(facts.unread.is_empty() && compared(&facts, &table).undeclared().next().is_some());
    // A sentence with unknown words is listed as unread.
    let facts = edited("Ignore the token.", "Frown upon the token.");
    assert_eq!(facts.unread.len(), 1);
    // A changed remark, and steps that follow a remark, are listed as unread.
    for (instead_of, read) in [
        ("(But do not return.)", "(Then return.)"),
        ("There might not be one.", "There is always one."),
        (
            "formatting element tags</a>.</p>",
            "formatting element tags</a>.</p><ol><li>Pop the current node<li>Stop parsing</ol>",
        ),
    ] {
        assert!(text.contains(instead_of), "the document does not contain `{instead_of}`");
        let facts = read_facts(&text.replacen(instead_of, read, 1), &profile);
        assert!(!facts.unread.is_empty(), "the edit to `{read}` is not reported");
    }
}

#[test]
fn reads_older_text() {
    let Some(text) = file_of_documents("html-2022-10-10.html", "HTML as of October 2022") else {
        return;
    };
    for (dialect, states, modes) in [("html", 80, 0), ("html-modes", 0, 25)] {
        let profile = profile(dialect);
        let reading = read(&text, &profile);
        assert_eq!((reading.states.len(), reading.modes.len()), (states, modes), "{dialect}");
        let ledger = Ledger::new(&reading);
        assert!(ledger.unread.is_empty(), "{dialect}: unread sentences: {:#?}", ledger.unread);
    }
}

/// Returns the machine of a document's facts, with the preprocessing of the table, and the machine of the table.
fn machines(dialect: &str) -> (Machine, Machine) {
    let (_, table) = table(dialect);
    let facts = committed(dialect).completed(&table);
    let (mut one, mut other) = (machine(&facts).unwrap(), machine(&table).unwrap());
    one.newlines_normalized = other.newlines_normalized;
    one.nulls_replaced = other.nulls_replaced;
    (one.input_errors, other.input_errors) = (Vec::new(), Vec::new());
    (one, other)
}

#[test]
fn machine_of_facts_is_proven_equal_to_table() {
    let (one, other) = machines("html-2013");
    let result = differences([&one, &other], Errors::Codes, Bound::default(), 1);
    assert!(
        result.differences.is_empty(),
        "the machines differ: {:#?}",
        result.differences.first()
    );
    assert!(result.is_proven_equal, "the search is incomplete: {:?}", result.extent);
}

#[test]
fn machines_of_facts_differ_only_where_declared() {
    // Some facts are not a complete machine: modes without states, states that lead to states taken for granted, and
    // the states of webvtt, which call a procedure of another document and end in the loop that calls these states.
    let is_complete = |dialect: &String| {
        let profile = profile(dialect);
        let has_granted_states = profile.granted.iter().any(|item| item.starts_with("state "));
        profile.table.is_none() && !has_granted_states && dialect != "webvtt"
    };
    for dialect in dialects().into_iter().filter(is_complete) {
        let (one, other) = machines(&dialect);
        let comparison = compared(&committed(&dialect), &table(&dialect).1);
        // A difference without rows concerns a whole state, which only one side has.
        let is_declared = |(machine, row): (&Machine, &RowId)| {
            let state = &machine.state(row.state).name;
            comparison.differences.iter().filter(|it| it.state == *state).any(|it| {
                let rows = [it.left_row, it.right_row];
                rows == [None; 2]
                    || rows.iter().flatten().any(|&(_, other)| other == usize::from(row.row))
            })
        };
        let bound = Bound { configurations: 1_500, ..Bound::default() };
        let result = differences([&one, &other], Errors::Codes, bound, usize::MAX);
        assert!(result.extent.inputs > 2_000, "{dialect}: {:?}", result.extent);
        for difference in &result.differences {
            let rows = [&one, &other].into_iter().zip(&difference.rows);
            let mut rows =
                rows.flat_map(|(machine, rows)| rows.iter().map(move |row| (machine, row)));
            assert!(rows.any(is_declared), "{dialect}: an undeclared difference: {difference:#?}");
        }
    }
}

/// Splits the text of a table into its algorithms and all other lines.
fn split_algorithms(text: &str) -> (String, String) {
    let (mut algorithms, mut rest, mut is_inside) = (String::new(), String::new(), false);
    for line in text.split_inclusive('\n') {
        is_inside |= line.starts_with("    algorithm ");
        if is_inside { &mut algorithms } else { &mut rest }.push_str(line);
        is_inside &= line != "    }\n";
    }
    (algorithms, rest)
}

#[test]
fn document_modes_match_machine() {
    // The algorithms are those of the table, because some steps of the document apply only to browsers. The comparison
    // of algorithms is tested separately.
    let (_, rest) = split_algorithms(&committed("html-modes").text);
    let (algorithms, _) = split_algorithms(
        &tabulex_tables::text("html.modes").expect("`html.modes` is a built-in file"),
    );
    let (before, after) = rest.rsplit_once('}').expect("the facts end with a brace");
    let facts = format!("{before}{algorithms}}}{after}");
    let read_table_file = |name: &str| match name {
        "html.modes" => Some(facts.clone()),
        other => tabulex_tables::text(other),
    };
    let source = tabulex_language::Source::new("html.states", table("html").0);
    let loaded = tabulex_language::load(&source, &read_table_file);
    let rendered: Vec<String> =
        loaded.diagnostics.iter().map(|one| one.render(&loaded.source)).collect();
    let errors: Vec<&String> = rendered.iter().filter(|one| one.starts_with("error")).collect();
    // The checks require an `else` row for all remaining tokens, but the document has no rows for tokens that cannot
    // occur.
    assert!(errors.iter().all(|one| one.starts_with("error[missing-else]")), "{errors:#?}");
    assert_eq!(errors.len(), 2, "{errors:#?}");
}

#[test]
fn every_edit_of_a_document_is_reported() {
    let Some(text) = document("html-2013") else { return };
    let profile = profile("html-2013");
    let (_, table) = table("html-2013");
    let switch = "Switch to the ";
    let offsets: Vec<usize> =
        text.match_indices(switch).map(|(offset, _)| offset + switch.len()).collect();
    let mut random = Random(0x5EED_0013);
    for _ in 0..6 {
        let offset = offsets[random.below(offsets.len())];
        let end = offset + text[offset..].find(" state").unwrap();
        let new_target = if &text[offset..end] == "plaintext" { "data" } else { "PLAINTEXT" };
        let mut edited = text.clone();
        edited.replace_range(offset..end, new_target);
        let facts = read_facts(&edited, &profile);
        let comparison = compared(&facts, &table);
        let line = text[..offset].lines().count();
        assert!(
            comparison.undeclared().next().is_some(),
            "the edit in line {line} is not reported"
        );
    }
    // A sentence with unknown words is listed as unread.
    let edited = text.replacen("Ignore the character.", "Frown upon the character.", 1);
    let facts = read_facts(&edited, &profile);
    assert_eq!(facts.unread.len(), 1);
}

#[test]
fn reports_edits_of_trees() {
    for (dialect, instead_of, read) in [
        (
            "xml-er",
            "Create an element for the token and append it to the current element.",
            "Insert an element for the token.",
        ),
        ("xml-er", "Append a character to the current element.", "Ignore the token."),
        ("xml-er", "The initial phase is the start phase.", "The initial phase is the main phase."),
        ("xml-er", "this point switch to the end phase", "this point switch to the start phase"),
        ("xml-er", "A short end tag token", "A comment token"),
        ("sky", "there is no t element", "there is no x element"),
        ("sky", "then execute the script given by the element’s contents", "then skip this token"),
        ("sky", "contains only U+0020 and U+000A", "contains only U+0020"),
    ] {
        let Some(text) = document(dialect) else { continue };
        assert!(
            text.contains(instead_of),
            "{dialect}: the document does not contain `{instead_of}`"
        );
        let profile = profile(dialect);
        let facts = read_facts(&text.replace(instead_of, read), &profile);
        let comparison = compared(&facts, &table(dialect).1);
        let is_reported = comparison.undeclared().next().is_some() || !comparison.stale.is_empty();
        assert!(
            facts.unread.is_empty() && is_reported,
            "{dialect}: the edit to `{read}` is not reported"
        );
        // A sentence with unknown words is listed as unread.
        let facts = read_facts(&text.replace(instead_of, "Frown upon it all."), &profile);
        assert!(!facts.unread.is_empty(), "{dialect}: the edit of `{instead_of}` is not reported");
    }
}
