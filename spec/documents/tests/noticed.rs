//! Tests of differences that a comparison must or must not report, with made-up documents and with the lists next to
//! the tables.

#[expect(dead_code, reason = "other tests use the remaining helpers")]
mod support;

use support::{committed, dialects, table};
use tabulex_documents::compare::accepted::{changed_entries, entries};
use tabulex_documents::compare::{Index, compare, corresponding_row_span, lists};
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
    facts::parse(&facts::write(&read(text, profile), profile)).unwrap()
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
fn gloss_applies_to_its_sentence_only() {
    let unknown_sentence = "Frown upon the character.";
    let hashes = |requirement: &str| -> Vec<u32> {
        let facts = read_facts(&document(requirement, ""), &profile(""));
        facts.wording.iter().map(|one| one.hash).collect()
    };
    let known_hashes = hashes(SWITCHES);
    let hash =
        hashes(unknown_sentence).into_iter().find(|hash| !known_hashes.contains(hash)).unwrap();
    let profile = profile(&format!("gloss: {hash:08x} = switch plaintext;\n"));
    let counts = |requirement: &str| {
        let (facts, table) = (read_facts(&document(requirement, ""), &profile), parse_table(TABLE));
        let [left, right] = [&facts.table, &table].map(Index::new);
        let differences = compare(&left, &right).undeclared().count();
        (differences, facts.unread.len(), facts.stale_errata.len())
    };
    assert_eq!(counts(unknown_sentence), (0, 0, 0));
    // With a changed word, the sentence has no gloss.
    let (_, unread, stale) = counts("Frown upon this character.");
    assert_eq!((unread, stale), (1, 1));
    assert_eq!(counts(SWITCHES), (0, 0, 1));
}

/// Returns the hash by which a profile identifies a sentence.
fn hash(words: &str) -> u32 {
    words.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// A document with states in labels instead of headings, a row that continues with another row, sentences with a
/// different meaning in each state, and nested labels for tokens.
const NESTED_DOCUMENT: &str = "<h3>Parsing</h3><p>The trees are as follows.</p><dl>\
    <dt>If |token| is a start tag</dt><dd><p>Here it goes:</p><dl>\
    <dt>If the tag name is \"x\"</dt><dd>Stop.</dd><dt>Otherwise</dt><dd>Ignore the token.</dd></dl></dd></dl>\
    <p>The tokens are as follows.</p><dl>\
    <dt><dfn>Data state</dfn></dt><dd><p>Jump to the entry that matches the value of |c|:</p><dl>\
    <dt>U+003E GREATER-THAN SIGN (>)</dt><dd>Advance |position| to the next character in |input|, then jump to the \
    next \"end-of-file marker\" entry below.</dd>\
    <dt>End-of-file marker</dt><dd>Emit the comment.</dd><dt>Anything else</dt><dd>Keep it.</dd></dl></dd>\
    <dt><dfn>Other state</dfn></dt><dd><p>Jump to the entry that matches the value of |c|:</p><dl>\
    <dt>End-of-file marker</dt><dd>Emit the comment.</dd><dt>Anything else</dt><dd>Keep it.</dd></dl></dd>\
    </dl><h3>Serializing</h3>";

#[test]
fn reads_states_and_modes_without_headings() {
    let entries = [
        ("heading", "The trees are as follows.", " main"),
        ("heading", "The tokens are as follows.", " tokens"),
        ("remarks", "The trees are as follows.", ""),
        ("remarks", "The tokens are as follows.", ""),
        ("remarks", "Here it goes:", ""),
        ("gloss", "Stop.", " = stop;"),
        ("gloss", "Data state: Keep it.", " = append current to comment;"),
        ("gloss", "Other state: Keep it.", " = emit current;"),
        ("gloss", "Data state: Emit the comment.", " = emit comment; switch other; reconsume;"),
        ("gloss", "Other state: Emit the comment.", " = emit end-of-file;"),
    ];
    let lines = entries.map(|(word, words, rest)| format!("{word}: {:08x}{rest}\n", hash(words)));
    let text = "dialect: made-up\ntitle: Made up\nfile: made-up.html\nform: html\nfrom: tokens\nto: Serializing\n\
        sections: main until tokens\n";
    let profile = Profile::parse(&format!("{text}{}", lines.concat())).unwrap();
    let facts = read_facts(NESTED_DOCUMENT, &profile);
    assert_eq!((facts.unread.len(), facts.stale_errata.len()), (0, 0), "{}", facts.text);
    let is_row = |line: &&str| line.contains(" => ");
    let rows =
        facts.text.lines().filter(is_row).map(|line| line.split(" //@").next().unwrap().trim());
    let expected = [
        "'>' => emit comment; switch other;",
        "EOF => emit comment; switch other; reconsume;",
        "else => append current to comment;",
        "EOF => emit end-of-file;",
        "else => emit current;",
        "start \"x\" => stop;",
        "start => ignore;",
    ];
    assert_eq!(rows.collect::<Vec<_>>(), expected, "{}", facts.text);
    // A gloss for one section does not apply to an equal sentence in another section.
    let renamed = NESTED_DOCUMENT.replace("Other state", "Third state");
    let unread = read_facts(&renamed, &profile).unread;
    assert_eq!(unread.iter().map(ToString::to_string).collect::<Vec<_>>(), ["Third state, line 1"]);
}

/// Returns the rows read from a document, with `(unread)` after those that contain an unread sentence, and the facts. Each
/// of the profile's additional lines is given as its keyword, a sentence, and the text after the sentence's hash.
fn rows_read(body: &str, lines: &[(&str, &str, &str)]) -> (Vec<String>, Facts) {
    let lines =
        lines.iter().map(|(word, words, rest)| format!("{word}: {:08x}{rest}\n", hash(words)));
    let head = "dialect: made-up\ntitle: Made up\nfile: made-up.bs\nform: html\n";
    let profile = Profile::parse(&(head.to_owned() + &lines.collect::<String>())).unwrap();
    let facts = read_facts(body, &profile);
    let rows = facts.text.lines().filter(|line| line.contains(" => "));
    let rows = rows.map(|line| line.split_once(" //@ ").unwrap());
    let mark = |marks: &str| if marks.ends_with(" unread") { " (unread)" } else { "" };
    let rows = rows.map(|(row, marks)| format!("{}{}", row.trim(), mark(marks))).collect();
    (rows, facts)
}

#[test]
fn connects_glosses_by_their_first_words() {
    let list = |items: &str| {
        format!(
            "<h4>Data state</h4><p>Consume the next input character:</p><dl><dt>Anything else<dd>{items}</dl>"
        )
    };
    let one = "If the moon is full, ignore it.";
    let other = "Otherwise, howl.";
    let text = list(&format!("{one} {other} Otherwise, switch to the data state."));
    let glosses = [
        ("gloss", one, " = when moon is full { ignore; }"),
        ("gloss", other, " = when wolf is near { emit current; }"),
    ];
    let (rows, _) = rows_read(&text, &glosses);
    let expected = "else | EOF => when moon is full { ignore; } otherwise { when wolf is near { emit current; } \
        otherwise { switch data; } }";
    assert_eq!(rows, [expected]);
    // Without a condition to which it refers, an "otherwise" is neither dropped nor run always.
    let (rows, _) = rows_read(&text, &[("remarks", one, ""), glosses[1]]);
    let orphaned = "unwritten \"an otherwise without a condition\";";
    assert_eq!(rows, [format!("else | EOF => {orphaned} {orphaned}")]);
    // The same for lists of steps that test the character.
    let steps = |middle: &str| {
        let items = [
            "If <a>c</a> is U+002A (*), then ignore the character.",
            middle,
            "Otherwise, switch to the data state.",
        ];
        let items: String = items.map(|item| format!("<li><p>{item}")).concat();
        format!("<dl><dt><dfn>data state</dfn><dd><ol>{items}</ol></dl>")
    };
    let (rows, _) = rows_read(&steps(other), &[glosses[1]]);
    let expected = "when wolf is near { emit current; } otherwise { switch data; }";
    assert_eq!(
        rows,
        ["'*' => ignore;", &format!("EOF => {expected}"), &format!("else => {expected}")]
    );
    // Outside a state, no row has the steps.
    let (_, facts) = rows_read("<h4>Overview</h4><p>Otherwise, howl.", &[glosses[1]]);
    assert_eq!(facts.unread.len(), 1);
    // An unread branch is part of the rows that it would apply to.
    let (rows, _) = rows_read(&steps(other), &[]);
    assert!(rows.iter().all(|row| row.ends_with(" (unread)")), "{rows:?}");
}

#[test]
fn begins_rows_at_unread_labels() {
    let text = "<h4>Data state</h4><p>Consume the next input character:</p><dl>\
        <dt>U+002A (*)<dd>Ignore the character.\n\
        <dt>U+002C (,)<dt>The howl of a wolf<dd>Switch to the data state.\n\
        <dt>Anything else<dd>Emit the current input character as a character token.</dl>";
    let (rows, _) = rows_read(text, &[]);
    assert_eq!(
        rows,
        ["'*' => ignore;", "',' => switch data; (unread)", "else | EOF => emit current;"]
    );
    let (rows, facts) = rows_read(text, &[("gloss", "The howl of a wolf", " = label: EOF")]);
    assert_eq!(rows, ["'*' => ignore;", "',' | EOF => switch data;", "else => emit current;"]);
    assert_eq!((facts.unread.len(), facts.stale_errata.len()), (0, 0));
}

#[test]
fn reads_states_in_steps_of_one_algorithm() {
    let text = "<h4>Tokenizing</h4><ol>\
        <li><p>If |token state| is the <dfn>name state</dfn>: jump to the entry that matches the value of |c|:</p><dl>\
        <dt>U+003D EQUALS SIGN character (=)</dt><dd><p>Set |token state| to the <a>value state</a>, and jump to the step \
        labeled <i>next</i>.</p></dd>\
        <dt>End-of-file marker</dt><dt>Anything else</dt><dd><p>Set |token state| to the <a>value state</a>, and jump to the \
        step labeled <i>loop</i>.</p></dd></dl></li>\
        <li><p>Otherwise, if |token state| is the <dfn>value state</dfn>, then:</p><ol>\
        <li><p>If |c| is an end-of-file marker, then set |token state| to the name state.</p></li>\
        <li><p>Otherwise, append |c| to |buffer|, and jump to the step labeled <i>next</i>.</p></li></ol></li></ol>";
    let (rows, facts) = rows_read(text, &[]);
    assert_eq!(facts.unread, []);
    assert!(
        facts.text.contains("state name @") && facts.text.contains("state value @"),
        "{}",
        facts.text
    );
    let expected = [
        "'=' => switch value;",
        "EOF | else => switch value; reconsume;",
        "EOF => switch name;",
        "else => append current to temporary-buffer;",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn row_of_a_text_consumes_as_many_characters_as_its_steps() {
    let rows = |step: &str| {
        let text = format!(
            "<dl><dt><dfn>data state</dfn><dd><ol><li><p>If <a>c</a> is U+002F (/){step}.\
             <li><p>Otherwise, append <a>c</a> to <var>buffer</var>.</ol></dl>"
        );
        rows_read(&text, &[]).0.remove(0)
    };
    let ahead = " and <a>remaining</a> starts with U+002F (/), then set <var>state</var> to <a>path state</a>";
    let cases = [
        (format!("{ahead} and increase <var>pointer</var> by 1"), "\"//\" => switch path;"),
        (
            format!("{ahead} and decrease <var>pointer</var> by 1"),
            "\"//\" => switch path; reconsume;",
        ),
        (ahead.to_owned(), "\"//\" => switch path; unwritten \"one character less\";"),
        (", then increase <var>pointer</var> by 1".to_owned(), "'/' => skip-next;"),
    ];
    for (step, expected) in cases {
        assert_eq!(rows(&step), expected, "{step}");
    }
}

#[test]
fn reads_look_ahead_for_one_character() {
    let text = "<h4>Data state</h4><p>If the next input character is U+000A LINE FEED (LF), then consume it.</p>\
        <p>Emit the comment token. Switch to the text state.</p>";
    let (rows, _) = rows_read(text, &[]);
    let expected = [
        "'\\n' => emit comment; switch text;",
        "else | EOF => emit comment; switch text; reconsume;",
    ];
    assert_eq!(rows, expected);
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
fn finds_corresponding_document_row() {
    let (facts, table) = (read_facts(&document(SWITCHES, ""), &profile("")), parse_table(TABLE));
    let [left, right] = [&facts.table, &table].map(Index::new);
    let line = |word: &str| {
        let offset = TABLE.find(word).unwrap() as u32;
        corresponding_row_span(&left, &right, offset).and_then(|span| facts.document_line(span))
    };
    assert_eq!((line("'&'"), line("EOF"), line("name")), (Some(10), Some(12), None));
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
