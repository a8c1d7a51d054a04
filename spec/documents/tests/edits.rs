//! Tests that random edits of tables are reported: by the comparison with the original table, by the comparison with
//! the document, and, for most edits, by an input on which the machines differ. The seed is fixed. Edits of documents
//! are tested in `documents`.

#[expect(dead_code, reason = "other tests use the remaining helpers")]
mod support;

use support::{Random, committed, compared, dialects, machine, table};
use tabulex_documents::compare::{Comparison, Difference, Index, compare};
use tabulex_language::model::Machine;
use tabulex_language::syntax::Table;
use tabulex_oracle::search::{Bound, Errors, Start, Witnesses, differences_after, witnesses};

/// Returns the byte offsets of `pattern` in rows, before the arrow if `is_pattern` and after it otherwise.
fn pattern_offsets(text: &str, pattern: &str, is_pattern: bool) -> Vec<usize> {
    let rows = text.find("\n    state ").or(text.find("\n    lexical-mode ")).unwrap();
    let is_row = |offset: &usize| {
        let line = text[..*offset].rfind('\n').unwrap_or(0);
        let end = *offset + text[*offset..].find('\n').unwrap_or(0);
        *offset > rows
            && text[line..end].contains("=>")
            && text[line..*offset].contains("=>") != is_pattern
            && !text[line..*offset].contains("//")
            && !text[line..*offset].contains('"')
    };
    text.match_indices(pattern).map(|(offset, _)| offset).filter(is_row).collect()
}

/// Kinds of edits: name, the text to search for, and whether to search before the arrow.
const KINDS: [(&str, &str, bool); 6] = [
    ("a target", "switch ", false),
    ("an action", "emit current;", false),
    ("an error", "error ", false),
    ("a character", "'", true),
    ("an added row", "else", true),
    ("a removed row", "=> ", true),
];

/// A character that no table contains.
const NEW_CHARACTER: char = '\u{2603}';

/// Makes a random edit of a table, and returns its kind and the text. `None` if the chosen text cannot be edited.
fn edit_randomly(text: &str, table: &Table, random: &mut Random) -> Option<(&'static str, String)> {
    let (kind, pattern, is_pattern) = KINDS[random.below(KINDS.len())];
    let offsets = pattern_offsets(text, pattern, is_pattern);
    let offset = *offsets.get(random.below(offsets.len()))?;
    let after = offset + pattern.len();
    let end = after + text[after..].find([';', ' ', '}']).unwrap();
    let line = text[..offset].rfind('\n')? + 1;
    let row = &text[line..offset + text[offset..].find('\n')?];
    let mut edited = text.to_owned();
    match kind {
        "a target" => {
            let names = table.states();
            let other = &names[random.below(names.len())];
            if text[after..end] == **other || text[after..].starts_with("return-state") {
                return None;
            }
            edited.replace_range(after..end, other);
        }
        "an action" => edited.replace_range(offset..after, "emit \"another\";"),
        "an error" => edited.replace_range(after..end, "another-error"),
        "a character" => {
            // Ends of ranges and escapes are not edited, because the result might not be a table.
            let character = text[after..].chars().next()?;
            let is_whole = text[after + character.len_utf8()..].starts_with("' ");
            if !is_whole || character == '\\' || row.contains("..=") {
                return None;
            }
            edited.replace_range(after..after + character.len_utf8(), &NEW_CHARACTER.to_string());
        }
        // If `else` ignores its input, an added row that does the same is no change.
        "an added row"
            if row.trim_start().starts_with("else")
                && row.contains("=>")
                && !row.trim_end().ends_with("ignore;") =>
        {
            edited.insert_str(line, &format!("        '{NEW_CHARACTER}' => ignore;\n"));
        }
        "a removed row" if is_whole_row(row) => edited.replace_range(line..line + row.len(), ""),
        _ => return None,
    }
    Some((kind, edited))
}

/// Whether the line is one complete row without blocks.
fn is_whole_row(row: &str) -> bool {
    row.trim_end().ends_with(';')
        && row.matches('{').count() == 0
        && !row.contains("leave")
        && !row.contains("enter")
}

/// A table to be edited, with its machine.
struct Original {
    dialect: String,
    text: String,
    table: Table,
    machine: Machine,
    /// An input for each row of the machine.
    witnesses: Witnesses,
}

impl Original {
    fn new(dialect: String) -> Option<Self> {
        let (text, table) = table(&dialect);
        if table.states().is_empty() {
            // Tables of modes are edited by another test.
            return None;
        }
        let machine = machine(&table).unwrap();
        let witnesses = witnesses(&machine, Bound::default());
        // The search provides no host tokens, so rows that depend on one are not reached.
        let has_host_token = text.lines().any(|line| line.contains(" by host {"));
        let unreached = &witnesses.unreached;
        assert!(unreached.is_empty() || has_host_token, "{dialect}: {unreached:?}");
        Some(Self { dialect, text, table, machine, witnesses })
    }

    /// Returns inputs that run the rows of these states, or of all states.
    fn inputs(&self, states: Option<&[&str]>) -> Vec<(Start, String)> {
        let rows = self.witnesses.rows.iter().filter(|(row, _)| {
            states.is_none_or(|states| states.contains(&&*self.machine.state(row.state).name))
        });
        rows.map(|(_, witness)| (witness.start.clone(), witness.input.clone())).collect()
    }

    /// Whether a short extension of an input for a changed state reveals the edit. `None` if the edited table has no
    /// machine. Panics if an input for another row reveals the edit, as the comparison has then missed a state.
    fn has_revealing_input(&self, edited: &Table, between: &Comparison) -> Option<bool> {
        let other = machine(edited)?;
        let machines = [&self.machine, &other];
        let states: Vec<&str> = between.differences.iter().map(|it| &*it.state).collect();
        let near = Bound { configurations: 400, length: 12, until: None };
        let found =
            differences_after(machines, Errors::Positions, &self.inputs(Some(&states)), near, 1);
        if !found.differences.is_empty() {
            return Some(true);
        }
        let unextended = Bound { configurations: usize::MAX, length: 0, until: None };
        let missed =
            differences_after(machines, Errors::Positions, &self.inputs(None), unextended, 1);
        let missed = missed.differences;
        assert!(
            missed.is_empty(),
            "{}: a difference outside of {states:?}: {missed:#?}",
            self.dialect
        );
        Some(false)
    }
}

#[test]
fn every_edit_of_a_table_is_reported() {
    let mut random = Random(0x5EED_0007);
    let (mut edits, mut shown, mut refused) = (0, 0, 0);
    let mut kinds: Vec<&str> = Vec::new();
    for original in dialects().into_iter().filter_map(Original::new) {
        let dialect = &original.dialect;
        let facts = committed(dialect);
        let (mine, plain) = (Index::new(&facts.table), compared(&facts, &original.table));
        let index = Index::new(&original.table);
        let mut of_dialect = 0;
        for _ in 0..900 {
            if of_dialect == 42 {
                break;
            }
            let edit = edit_randomly(&original.text, &original.table, &mut random);
            let Some((kind, text)) = edit else { continue };
            let Some(other) = tabulex_language::parse::file(&text).0 else { continue };
            of_dialect += 1;
            kinds.push(kind);
            let between = compare(&index, &Index::new(&other));
            let mut lines = original.text.lines().zip(text.lines());
            let line = lines.position(|(one, two)| one != two).map_or(0, |at| at + 1);
            let place = format!("{dialect}: {kind} in line {line}");
            assert!(!between.differences.is_empty(), "{place} is not reported");
            match original.has_revealing_input(&other, &between) {
                Some(is_revealed) => shown += usize::from(is_revealed),
                None => refused += 1,
            }
            // Only the document of `html` names its errors, and edits of states that the document lacks are no
            // differences from it.
            let is_in_document = |one: &Difference| {
                let mut whole = plain.differences.iter().filter(|it| it.input.is_empty());
                !whole.any(|it| it.state == one.state)
            };
            let is_documented = (kind != "an error" || dialect == "html")
                && between.differences.iter().any(is_in_document);
            if is_documented && of_dialect % 6 == 0 {
                let against = compare(&mine, &Index::new(&other));
                let is_reported =
                    against.differences != plain.differences || against.stale != plain.stale;
                assert!(is_reported, "{place} is not reported against the document");
            }
        }
        edits += of_dialect;
    }
    println!("{edits} edits, {shown} revealed by an input, {refused} without a machine");
    assert!(edits >= 200, "only {edits} edits were made");
    assert!(
        KINDS.iter().all(|(kind, ..)| kinds.contains(kind)),
        "some kind of edit is missing: {kinds:?}"
    );
    // Up to a tenth may change only unreachable behavior, or none.
    assert!(
        shown * 10 >= (edits - refused) * 9,
        "inputs reveal only {shown} of {edits} edits, {refused} of them without a machine"
    );
    assert!(edits - refused >= 200, "{refused} of {edits} edits have no machine");
}

/// Makes a random edit of a mode: of a target, an action, an error or a listed name, or the removal of a row. `None` if
/// the chosen text cannot be edited.
fn edit_mode_randomly(text: &str, random: &mut Random) -> Option<String> {
    let (from, to) = (text.find("\n    mode initial")?, text.find("\n    // 13.4")?);
    let index = random.below(5);
    let pattern = ["switch ", "insert-element;", "error ", " | \"", "=> "][index];
    let is_row = |offset: &usize| {
        let line = text[..*offset].rfind('\n').unwrap_or(0);
        (from..to).contains(offset) && text[line..*offset].contains("=>") != (index == 3)
    };
    let offsets: Vec<usize> =
        text.match_indices(pattern).map(|(offset, _)| offset).filter(is_row).collect();
    let offset = *offsets.get(random.below(offsets.len()))?;
    let after = offset + pattern.len();
    let end = after + text[after..].find([';', ' ', '}', '"'])?;
    let mut edited = text.to_owned();
    match index {
        0 if text[after..].starts_with("text;") => return None,
        0 => edited.replace_range(after..end, "text"),
        1 => edited.replace_range(offset..after, "insert-comment;"),
        2 => edited.replace_range(offset..=end, ""),
        3 => edited.replace_range(after..end, "another"),
        _ => {
            let (line, rest) = (text[..offset].rfind('\n')? + 1, text[offset..].find('\n')?);
            let row = &text[line..offset + rest];
            if !row.trim_end().ends_with(';')
                || row.contains('{')
                || text[offset + rest..].trim_start().starts_with("otherwise")
            {
                return None;
            }
            edited.replace_range(line..offset + rest, "");
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
        let Some(edited) = edit_mode_randomly(&text, &mut random) else { continue };
        let Some(other) = tabulex_language::parse::file(&edited).0 else { continue };
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
fn reports_self_referential_else_row() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/html-2013.facts");
    let facts = std::fs::read_to_string(path).unwrap();
    let (row, cyclic) = ("        else => emit current;", "        else => as else; emit current;");
    let edited = facts.replacen(row, cyclic, 1);
    assert_ne!(edited, facts, "the facts have no row `{row}`");
    let (_, table) = table("html-2013");
    let [before, after] = [&facts, &edited].map(|facts| {
        let facts = tabulex_documents::document::facts::parse(facts).unwrap();
        compared(&facts, &table).undeclared().count()
    });
    assert_eq!((before, after), (0, 1));
}

#[test]
fn reports_definitions_that_name_themselves() {
    let (text, original) = table("url");
    for (definition, cyclic) in [
        ("action take-base { take-authority-of-base;", "action take-base { take-base;"),
        ("condition base-is-ws = ", "condition base-is-ws = base-has-this-scheme and "),
    ] {
        let edited = text.replacen(definition, cyclic, 1);
        assert_ne!(edited, text, "the table has no `{definition}`");
        let edited = tabulex_language::parse::file(&edited).0.expect("the edited text is a table");
        let comparison = compare(&Index::new(&original), &Index::new(&edited));
        assert!(!comparison.differences.is_empty(), "`{cyclic}` is not reported");
    }
}
