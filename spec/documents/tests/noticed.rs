//! Tests of differences that a comparison must or must not report, with made-up documents and with the lists next to
//! the tables.

#[expect(dead_code, reason = "other tests use the remaining helpers")]
mod support;

use support::{committed, dialects, table};
use tabulex_documents::compare::accepted::{changed_entries, entries};
use tabulex_documents::compare::{Index, compare, lists};
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::{Profile, read};
use tabulex_language::syntax::Table;

/// Returns a document with a section that no profile names, two states, and a list of codes. `requirement` is the text
/// for `&` in the data state, and `overview` that of the unnamed section.
fn document(requirement: &str, overview: &str) -> String {
    format!(
        "<h4>13.2.1 Overview</h4>\n<p>{overview}</p>\n\
         <h4>13.2.2 Parse errors</h4>\n<table><tr><th>Code<th>Description\n<tr><td>no-such-code<td>A text.</table>\n\
         <h4>13.2.5 Tokenization</h4>\n<h5>13.2.5.1 Data state</h5>\n\
         <p>Consume the next input character:</p>\n<dl class=switch>\n\
         <dt>U+0026 AMPERSAND (&amp;)</dt>\n<dd>{requirement}</dd>\n\
         <dt>EOF</dt>\n<dd>Emit an end-of-file token.</dd>\n\
         <dt>Anything else</dt>\n<dd>Emit the current input character as a character token.</dd>\n</dl>\n\
         <h5>13.2.5.2 PLAINTEXT state</h5>\n\
         <p>Consume the next input character:</p>\n<dl class=switch>\n\
         <dt>EOF</dt>\n<dd>Emit an end-of-file token.</dd>\n\
         <dt>Anything else</dt>\n<dd>Emit the current input character as a character token.</dd>\n</dl>\n\
         <h4>13.2.6 Tree construction</h4>\n"
    )
}

fn profile(more: &str) -> Profile {
    let text = "dialect: made-up\ntitle: Made up\nfile: made-up.html\nform: html\n\
        from: 13.2.5 Tokenization\nto: 13.2.6 Tree construction\n";
    Profile::parse(&format!("{text}{more}")).unwrap()
}

fn read_facts(text: &str, profile: &Profile) -> Facts {
    facts::parse(&facts::write(&read(text, profile))).unwrap()
}

fn parse_table(text: &str) -> Table {
    tabulex_language::parse::file(text).0.unwrap()
}

const SWITCHES: &str = "Switch to the PLAINTEXT state.";

const TABLE: &str = "machine! { name made-up; start data;
    state data @ \"13.2.5.1\" { '&' => switch plaintext; EOF => emit end-of-file; else => emit current; }
    state plaintext @ \"13.2.5.2\" { EOF => emit end-of-file; else => emit current; } }";

#[test]
fn excludes_rows_with_unread_sentences() {
    let counts = |requirement: &str| {
        let (facts, table) =
            (read_facts(&document(requirement, ""), &profile("")), parse_table(TABLE));
        let [left, right] = [&facts.table, &table].map(Index::new);
        let mut comparison = compare(&left, &right);
        comparison.exclude_unread(&|one| facts.is_unread(&left, one));
        (comparison.undeclared().count(), comparison.not_compared.len(), facts.unread.len())
    };
    assert_eq!(counts(SWITCHES), (0, 0, 0));
    assert_eq!(counts("Switch to the data state."), (1, 0, 0));
    assert_eq!(counts("Frown upon the character."), (0, 1, 1));
    // The row matches the sentence that is read, but one sentence remains unread.
    assert_eq!(counts(&format!("{SWITCHES} Then frown upon it.")), (0, 0, 1));
}

#[test]
fn lists_unread_sections_with_hashes() {
    let before = read_facts(&document(SWITCHES, "One thing."), &profile(""));
    let after = read_facts(&document(SWITCHES, "Another thing."), &profile(""));
    let places = |facts: &Facts| -> Vec<String> {
        facts.left_out.iter().map(|sentence| sentence.place.clone()).collect()
    };
    let listed = ["13.2.1 Overview", "13.2.2 Parse errors", "13.2.6 Tree construction"];
    assert_eq!(places(&before), listed);
    assert_ne!(before.left_out[0].hash, after.left_out[0].hash);
    assert_eq!(before.left_out[1..], after.left_out[1..]);
    assert_ne!(before.digest, after.digest);
    // A section that another profile of the document reads is not listed.
    let other_profile =
        "dialect: other\nfile: made-up.html\nsections: 13.2.1 Overview until 13.2.2 Parse errors\n";
    let completed_profile = profile("").with_others(&[Profile::parse(other_profile).unwrap()]);
    assert_eq!(places(&read_facts(&document(SWITCHES, ""), &completed_profile)), listed[1..]);
}

#[test]
fn reports_note_that_cites_unread_section() {
    let facts = read_facts(&document(SWITCHES, "One thing."), &profile(""));
    let note = "state data { '&' => fills \"Section 13.2.1 leaves it open.\"; ignore; }";
    assert_eq!(facts.cited_unread_sections(note), [(20, "13.2.1")]);
    assert_eq!(facts.cited_unread_sections(&note.replace("13.2.1 ", "13.2.5.1 ")), []);
    for dialect in dialects() {
        let (text, _) = table(&dialect);
        assert_eq!(committed(&dialect).cited_unread_sections(&text), [], "{dialect}");
    }
}

#[test]
fn reports_unlisted_code_as_unread() {
    let profile = profile("input: 13.2.2 Parse errors until 13.2.5 Tokenization\n");
    let reworded = format!("This is an unlisted-code parse error. {SWITCHES}");
    let facts = read_facts(&document(&reworded, ""), &profile);
    assert!(
        facts.unread.iter().any(|one| one.to_string() == "13.2.2 Parse errors, line 5"),
        "{:?}",
        facts.unread
    );
}

/// Returns the keys of the entries that change when a table is edited after its entries were accepted.
fn unaccepted_keys(before: &str, after: &str) -> Vec<String> {
    let facts = read_facts(&document("Switch to the data state.", ""), &profile(""));
    let left = Index::new(&facts.table);
    let accepted_entries = |text: &str| {
        let table = parse_table(text);
        let right = Index::new(&table);
        entries(&left, &right, &compare(&left, &right), &|_| None)
    };
    let file = tabulex_documents::compare::accepted::write("made-up", &accepted_entries(before));
    assert_eq!(changed_entries(&file, &accepted_entries(before)), []);
    changed_entries(&file, &accepted_entries(after)).into_iter().map(|one| one.key).collect()
}

#[test]
fn reports_reordered_rows() {
    let swapped = TABLE.replacen(
        "EOF => emit end-of-file; else => emit current;",
        "else => emit current; EOF => emit end-of-file;",
        1,
    );
    assert_ne!(swapped, TABLE);
    assert_eq!(unaccepted_keys(TABLE, &swapped), ["order of rows in data"]);
}

#[test]
fn reports_edits_of_reasons() {
    let noted = TABLE.replace("'&' =>", "'&' => deviates \"It is better so.\";");
    let emptied = TABLE.replace("'&' =>", "'&' => deviates \"\";");
    assert_eq!(unaccepted_keys(&noted, &emptied), ["deviates data: '&'"]);
}

#[test]
fn lists_match_accepted_files() {
    let path = |name: &str| std::path::Path::new(tabulex_tables::FOLDER).join(name);
    for name in ["html.text", "html.sanitizer", "html.selectors", "errors.text"] {
        let text = std::fs::read_to_string(path(name)).unwrap();
        let accepted = path(&format!("../documents/{name}.accepted"));
        let accepted = std::fs::read_to_string(accepted).unwrap();
        let entries = lists::entries(&text).unwrap();
        assert_eq!(
            changed_entries(&accepted, &entries),
            [],
            "run `cargo xtask diff {name} --accept`"
        );
        let alternatives: Vec<(usize, &str)> = text.match_indices(" | \"").collect();
        for (at, separator) in alternatives {
            let match_end =
                at + separator.len() + text[at + separator.len()..].find('"').unwrap() + 1;
            let edited = format!("{}{}", &text[..at], &text[match_end..]);
            let changed = changed_entries(&accepted, &lists::entries(&edited).unwrap());
            let removed = &text[at..match_end];
            assert_eq!(changed.len(), 1, "{name}: the removal of `{removed}` is not reported");
            assert!(changed[0].span.is_some(), "{name}: the removal of `{removed}` has no span");
        }
    }
    assert_eq!(
        lists::entries("lists! { a = \"b\" }").unwrap_err(),
        "byte 17: `}` without a matching `{`, or after a statement without `;`"
    );
    assert!(lists::entries("lists! { a = \"b\";").is_err());
    assert_eq!(
        lists::entries("lists! { a = \"b\"; } \"").unwrap_err(),
        "byte 20: the string that begins here does not end"
    );
}

#[test]
fn describes_conditions_in_words() {
    for dialect in dialects() {
        let file = format!("{}/{dialect}.accepted", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(file).unwrap();
        assert!(
            !text.contains("CharacterSet"),
            "{dialect}: a set of characters is in debug format"
        );
        assert!(!text.contains(" 1 other conditions"), "{dialect}: a plural after the number 1");
    }
}

#[test]
fn reads_lists_and_tables_of_markdown() {
    let profile =
        Profile::parse("dialect: made-up\ntitle: Made up\nfile: a.md\nform: markdown\n").unwrap();
    let rows = [
        "- U+002A (*): Switch to the [mark state](#mark).\n- **EOF**: Emit an end-of-file token.\n- Anything else: Ignore the character.\n",
        "U+002A (*)\n: Switch to the mark state.\n\nEOF\n: Emit an end-of-file token.\n\nAnything else\n: Ignore the character.\n",
        "| Character | Steps |\n| --- | --- |\n| U+002A (*) | Switch to the mark state. |\n| EOF | Emit an end-of-file token. |\n| Anything else | Ignore the character. |\n",
    ];
    for rows in rows {
        let text =
            format!("# Made up\n\n## Text state\n\nConsume the next input character:\n\n{rows}");
        let facts = read_facts(&text, &profile);
        assert_eq!(facts.unread, [], "{rows}");
        for row in ["'*' => switch mark;", "EOF => emit end-of-file;", "else => ignore;"] {
            assert!(facts.text.contains(row), "`{row}` is missing for {rows}: {}", facts.text);
        }
    }
}
