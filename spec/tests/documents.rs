//! The documents against the tables, and the reader of documents itself. What needs the documents says so where they are
//! missing; the facts that are committed are compared everywhere. Invariant: the comparison can fail.

use std::path::{Path, PathBuf};
use tabulex_spec::compare::{Comparison, Index, compare};
use tabulex_spec::document::facts::{self, Facts};
use tabulex_spec::document::{Profile, read};
use tabulex_spec::model::Machine;
use tabulex_spec::resolve::resolve;
use tabulex_spec::search::{Bound, Errors, differences};
use tabulex_spec::syntax::Table;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("documents")
}

/// The dialects whose facts are committed.
fn dialects() -> Vec<String> {
    let names = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut ids: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".facts")?.to_owned())).collect();
    ids.sort();
    assert!(ids.len() >= 2, "facts are missing");
    ids
}

fn profile(dialect: &str) -> Profile {
    Profile::parse(&std::fs::read_to_string(folder().join(format!("{dialect}.profile"))).unwrap())
        .unwrap()
}

fn committed(dialect: &str) -> Facts {
    facts::parse(&std::fs::read_to_string(folder().join(format!("{dialect}.facts"))).unwrap())
        .unwrap()
}

fn table(dialect: &str) -> (String, Table) {
    let file = profile(dialect).table.unwrap_or_else(|| format!("{dialect}.states"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let table = tabulex_spec::parse::file(&text).0.unwrap();
    (text, table)
}

/// The document, where somebody has it.
fn document(dialect: &str) -> Option<String> {
    let file = profile(dialect).file;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/documents").join(&file);
    let text = std::fs::read_to_string(path).ok();
    if text.is_none() {
        println!("not run: ../shared/documents/{file} is missing");
    }
    text
}

fn compared(facts: &Facts, table: &Table) -> Comparison {
    compare(&Index::new(&facts.table), &Index::new(table))
}

#[test]
fn every_table_says_what_its_document_says() {
    for dialect in dialects() {
        let facts = committed(&dialect);
        let comparison = compared(&facts, &table(&dialect).1);
        let undeclared: Vec<_> = comparison.undeclared().collect();
        assert!(undeclared.is_empty(), "{dialect}: {undeclared:#?}");
        assert!(comparison.stale.is_empty(), "{dialect}: {:#?}", comparison.stale);
        assert!(facts.unread.is_empty(), "{dialect}: {:#?}", facts.unread);
        assert!(facts.stale_errata.is_empty(), "{dialect}: {:#?}", facts.stale_errata);
        assert!(comparison.equal > comparison.rows / 2, "{dialect}");
    }
}

#[test]
fn facts_are_those_of_the_documents() {
    for dialect in dialects() {
        let Some(text) = document(&dialect) else { continue };
        let profile = profile(&dialect);
        let fresh = facts::write(&read(&text, &profile), &profile);
        assert!(
            fresh == committed(&dialect).text,
            "{dialect}: cargo xtask diff {dialect} --document FILE --write"
        );
    }
}

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// The places of a text in the rows of a table: where they begin, without comments.
fn places(text: &str, wanted: &str) -> Vec<usize> {
    let rows = text.find("\n    state ").or(text.find("\n    lexical-mode ")).unwrap();
    let is_row = |at: &usize| {
        let line = text[..*at].rfind('\n').unwrap_or(0);
        *at > rows
            && text[line..*at].contains("=>")
            && !text[line..*at].contains("//")
            && !text[line..*at].contains('"')
    };
    text.match_indices(wanted).map(|(at, _)| at).filter(is_row).collect()
}

/// One edit of a table: a target, an action, an error, a removed row. Returns none if the choice finds no place.
fn edited(text: &str, table: &Table, random: &mut Random) -> Option<String> {
    let index = random.below(4);
    let wanted = ["switch ", "emit current;", "error ", "=> "][index];
    let places = places(text, wanted);
    let at = *places.get(random.below(places.len()))?;
    let mut edited = text.to_owned();
    let end = |from: usize| from + text[from..].find([';', ' ', '}']).unwrap();
    match index {
        0 => {
            let names: Vec<String> = table.states();
            let name = at + wanted.len();
            let other = &names[random.below(names.len())];
            if text[name..end(name)] == **other || text[name..].starts_with("return-state") {
                return None;
            }
            edited.replace_range(name..end(name), other);
        }
        1 => edited.replace_range(at..at + wanted.len(), "emit \"another\";"),
        2 => {
            let code = at + wanted.len();
            edited.replace_range(code..end(code), "another-error");
        }
        _ => {
            // One row the less, where it stands on one line.
            let (line, rest) = (text[..at].rfind('\n')? + 1, text[at..].find('\n')?);
            let row = &text[line..at + rest];
            if !row.trim_end().ends_with(';')
                || row.matches('{').count() > 0
                || row.contains("leave")
                || row.contains("enter")
            {
                return None;
            }
            edited.replace_range(line..at + rest, "");
        }
    }
    Some(edited)
}

#[test]
fn every_edit_of_a_table_is_reported() {
    let mut random = Random(0x5EED_0007);
    let mut edits = 0;
    for dialect in dialects() {
        let (text, original) = table(&dialect);
        if original.states().is_empty() {
            // Modes have edits of their own.
            continue;
        }
        let facts = committed(&dialect);
        let (mine, plain) = (Index::new(&facts.table), compared(&facts, &original));
        let yours = Index::new(&original);
        let mut of_dialect = 0;
        for _ in 0..400 {
            if of_dialect == 42 {
                break;
            }
            let Some(edited) = edited(&text, &original, &mut random) else { continue };
            let Some(other) = tabulex_spec::parse::file(&edited).0 else { continue };
            of_dialect += 1;
            let between = compare(&yours, &Index::new(&other));
            let (at, _) = text
                .bytes()
                .zip(edited.bytes())
                .enumerate()
                .find(|(_, (one, two))| one != two)
                .unwrap();
            let line = text[..at].lines().count();
            assert!(
                !between.differences.is_empty(),
                "{dialect}: an edit in line {line} is not reported"
            );
            // Errors have names in one of the documents only.
            let is_told = !edited.contains("another-error") || dialect == "html";
            if is_told && of_dialect % 6 == 0 {
                let against = compare(&mine, &Index::new(&other));
                let changed =
                    against.differences != plain.differences || against.stale != plain.stale;
                assert!(
                    changed,
                    "{dialect}: an edit in line {line} is not reported against the document"
                );
            }
        }
        edits += of_dialect;
    }
    println!("{edits} edits");
    assert!(edits >= 200, "{edits} edits");
}

/// One edit of a mode: a target, an action, an error, a name of a list, a removed row.
fn edited_mode(text: &str, random: &mut Random) -> Option<String> {
    let (from, to) = (text.find("\n    mode initial")?, text.find("\n    // 13.4")?);
    let index = random.below(5);
    let wanted = ["switch ", "insert-element;", "error ", " | \"", "=> "][index];
    let is_row = |at: &usize| {
        let line = text[..*at].rfind('\n').unwrap_or(0);
        (from..to).contains(at) && text[line..*at].contains("=>") != (index == 3)
    };
    let places: Vec<usize> = text.match_indices(wanted).map(|(at, _)| at).filter(is_row).collect();
    let at = *places.get(random.below(places.len()))?;
    let behind = at + wanted.len();
    let end = behind + text[behind..].find([';', ' ', '}', '"'])?;
    let mut edited = text.to_owned();
    match index {
        0 if text[behind..].starts_with("text;") => return None,
        0 => edited.replace_range(behind..end, "text"),
        1 => edited.replace_range(at..behind, "insert-comment;"),
        2 => edited.replace_range(at..=end, ""),
        3 => edited.replace_range(behind..end, "another"),
        _ => {
            let (line, rest) = (text[..at].rfind('\n')? + 1, text[at..].find('\n')?);
            let row = &text[line..at + rest];
            if !row.trim_end().ends_with(';')
                || row.contains('{')
                || text[at + rest..].trim_start().starts_with("otherwise")
            {
                return None;
            }
            edited.replace_range(line..at + rest, "");
        }
    }
    Some(edited)
}

#[test]
fn every_edit_of_a_mode_is_reported() {
    let (text, original) = table("html-modes");
    let facts = committed("html-modes");
    let (mine, plain) = (Index::new(&facts.table), compared(&facts, &original));
    let mut random = Random(0x5EED_2022);
    let mut edits = 0;
    for _ in 0..400 {
        if edits == 30 {
            break;
        }
        let Some(edited) = edited_mode(&text, &mut random) else { continue };
        let Some(other) = tabulex_spec::parse::file(&edited).0 else { continue };
        edits += 1;
        let against = compare(&mine, &Index::new(&other));
        let line = text
            .lines()
            .zip(edited.lines())
            .position(|(one, two)| one != two)
            .map_or(0, |at| at + 1);
        let changed = against.differences != plain.differences || against.stale != plain.stale;
        assert!(changed, "an edit in line {line} is not reported against the document");
    }
    assert_eq!(edits, 30);
}

#[test]
fn every_edit_of_the_tree_construction_in_a_document_is_reported() {
    let Some(text) = document("html-modes") else { return };
    let profile = profile("html-modes");
    let (_, table) = table("html-modes");
    let from = text.find("id=the-initial-insertion-mode").unwrap();
    let edited = |instead_of: &str, read: &str| {
        let (before, behind) = text.split_at(from);
        assert!(behind.contains(instead_of), "{instead_of}");
        let edited = format!("{before}{}", behind.replacen(instead_of, read, 1));
        facts::parse(&facts::write(&tabulex_spec::document::read(&edited, &profile), &profile))
            .unwrap()
    };
    // An action the less.
    let facts = edited("<p>Reprocess the token.", "<p>");
    assert!(facts.unread.is_empty() && compared(&facts, &table).undeclared().next().is_some());
    // A sentence that nobody can read.
    let facts = edited("Ignore the token.", "Frown upon the token.");
    assert_eq!(facts.unread.len(), 1);
}

#[test]
fn an_edit_that_changes_what_a_machine_does_has_an_input() {
    let (text, original) = table("html-2013");
    let machine = |table: &Table| resolve(table, &tabulex_spec::embedded_file).0.unwrap();
    let original = machine(&original);
    for (from, to) in [
        (
            "'<'  => switch tag-open;\n        '\\0' => error unexpected-null-character; emit current;",
            "'<'  => switch comment;\n        '\\0' => error unexpected-null-character; emit current;",
        ),
        (
            "'/'        => set temporary-buffer \"\"; switch rcdata-end-tag-open;",
            "'/'        => set temporary-buffer \"x\"; switch rcdata-end-tag-open;",
        ),
        (
            "0x80            => error control-character-reference; return '\\u{20AC}';",
            "0x80            => error control-character-reference; return '\\u{20AD}';",
        ),
        (
            "'!'  => error incorrectly-closed-comment; switch comment-end-bang;",
            "'!'  => switch comment-end-bang;",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        let other = tabulex_spec::parse::file(&text.replacen(from, to, 1)).0.unwrap();
        let found = differences([&original, &machine(&other)], Errors::Places, Bound::default(), 1);
        assert!(!found.found.is_empty(), "no input tells {to}");
    }
}

/// The machine that a document alone describes, and the one of the table; what comes before the states is declared at
/// the table.
fn machines(dialect: &str) -> (Machine, Machine) {
    let machine = |table: &Table| resolve(table, &tabulex_spec::embedded_file).0.unwrap();
    let (_, table) = table(dialect);
    let (mut one, mut other) = (machine(&committed(dialect).completed(&table)), machine(&table));
    one.newlines_normalized = other.newlines_normalized;
    one.nulls_replaced = other.nulls_replaced;
    (one.input_errors, other.input_errors) = (Vec::new(), Vec::new());
    (one, other)
}

#[test]
fn the_machine_of_the_facts_is_proven_to_do_what_the_table_does() {
    let (one, other) = machines("html-2013");
    let found = differences([&one, &other], Errors::Codes, Bound::default(), 1);
    assert!(found.found.is_empty(), "{:#?}", found.found.first());
    assert!(found.is_proven_equal, "{:?}", found.reached);
}

#[test]
fn machines_of_facts_differ_from_tables_where_that_is_declared() {
    // Modes of a file that machines take over are no machine.
    for dialect in dialects().into_iter().filter(|dialect| profile(dialect).table.is_none()) {
        let (one, other) = machines(&dialect);
        let comparison = compared(&committed(&dialect), &table(&dialect).1);
        let declared: Vec<&str> =
            comparison.differences.iter().map(|difference| &*difference.state).collect();
        let bound = Bound { configurations: 1_500, ..Bound::default() };
        let found = differences([&one, &other], Errors::Codes, bound, usize::MAX);
        assert!(found.reached.inputs > 2_000, "{dialect}: {:?}", found.reached);
        for found in &found.found {
            let mut rows = found.left_rows.iter().chain(&found.right_rows);
            assert!(rows.any(|(state, _)| declared.contains(&&**state)), "{dialect}: {found:#?}");
        }
    }
}

#[test]
fn the_modes_of_a_document_are_those_of_a_machine() {
    let facts = committed("html-modes").text;
    let beside = |name: &str| match name {
        "html.modes" => Some(facts.clone()),
        other => tabulex_spec::embedded_file(other),
    };
    let source = tabulex_spec::Source::new("html.states", table("html").0);
    let loaded = tabulex_spec::load(&source, &beside);
    let told: Vec<String> = loaded.diagnostics.iter().map(|one| one.render(&source)).collect();
    let errors: Vec<&String> = told.iter().filter(|one| one.starts_with("error")).collect();
    // The document names no row for tokens that cannot come, and none for those that were added later.
    assert!(errors.iter().all(|one| one.starts_with("error[missing-else]")), "{errors:#?}");
    assert_eq!(errors.len(), 4, "{errors:#?}");
}

#[test]
fn every_edit_of_a_document_is_reported() {
    let Some(text) = document("html-2013") else { return };
    let profile = profile("html-2013");
    let (_, table) = table("html-2013");
    let places: Vec<usize> =
        text.match_indices("Switch to the ").map(|(at, _)| at + "Switch to the ".len()).collect();
    let mut random = Random(0x5EED_0013);
    for _ in 0..6 {
        let at = places[random.below(places.len())];
        let end = at + text[at..].find(" state").unwrap();
        let other = if &text[at..end] == "plaintext" { "data" } else { "PLAINTEXT" };
        let mut edited = text.clone();
        edited.replace_range(at..end, other);
        let facts = facts::parse(&facts::write(&read(&edited, &profile), &profile)).unwrap();
        let comparison = compared(&facts, &table);
        assert!(comparison.undeclared().next().is_some(), "line {}", text[..at].lines().count());
    }
    // A sentence that nobody can read is listed.
    let edited = text.replacen("Ignore the character.", "Frown upon the character.", 1);
    let facts = facts::parse(&facts::write(&read(&edited, &profile), &profile)).unwrap();
    assert_eq!(facts.unread.len(), 1);
}

#[test]
fn edits_of_trees_and_lexical_modes_in_a_document_are_reported() {
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
        ("microxml", "COMMENT_CLOSE - switch to Main", "COMMENT_CLOSE - switch to Comment"),
        ("microxml", "COMMENT_CLOSE = \"-->\"", "COMMENT_CLOSE = \"->\""),
        ("microxml", "START_TAG_OPEN S+ ATTRIBUTE", "START_TAG_OPEN S* ATTRIBUTE"),
        ("microxml", "END_TAG - emit an EndTag token", "END_TAG - do nothing"),
        (
            "microxml",
            "SIMPLE_START_TAG - emit a StartTagOpen token followed by a StartTagClose",
            "SIMPLE_START_TAG - emit a StartTagOpen token followed by an EmptyElementTagClose",
        ),
        (
            "microxml",
            "empty-element ::= StartTagOpen attribute-list EmptyElementTagClose",
            "empty-element ::= StartTagOpen attribute-list EndTag",
        ),
    ] {
        let Some(text) = document(dialect) else { continue };
        assert!(text.contains(instead_of), "{dialect}: {instead_of}");
        let profile = profile(dialect);
        let fresh = |text: &str| {
            facts::parse(&facts::write(&tabulex_spec::document::read(text, &profile), &profile))
                .unwrap()
        };
        let facts = fresh(&text.replace(instead_of, read));
        let comparison = compared(&facts, &table(dialect).1);
        let is_reported = comparison.undeclared().next().is_some() || !comparison.stale.is_empty();
        assert!(facts.unread.is_empty() && is_reported, "{dialect}: {read}");
        // What nobody can read is listed.
        let facts = fresh(&text.replace(instead_of, "Frown upon it all."));
        assert!(!facts.unread.is_empty(), "{dialect}: {instead_of}");
    }
}

#[test]
fn the_copy_that_lost_its_headings_is_found_in_the_whole_section() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/documents/html-2007.txt");
    let (Ok(copy), Some(whole)) = (std::fs::read_to_string(path), document("html-2007")) else {
        println!("not run: ../shared/documents/html-2007.txt is missing");
        return;
    };
    let sentences = tabulex_spec::document::found_in(&copy, &whole, &profile("html-2007"));
    // A list that runs on into what was lost, and two examples whose references the copy has resolved.
    let missing = sentences.iter().filter(|(_, line)| line.is_none()).count();
    assert!(sentences.len() > 200 && missing <= 3, "{missing} of {}", sentences.len());
}
