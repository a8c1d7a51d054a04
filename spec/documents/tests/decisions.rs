//! Reads states that a document describes as nested decisions on the current character.

use tabulex_documents::document::{Profile, Read, Reading, read};

const DOCUMENT: &str = "<h2>Parser</h2><dl>\
    <dt><dfn>start state</dfn><dd><ol>\
    <li><p>If c is an ASCII digit, append c to buffer.\
    <li><p>Otherwise, if one of the following is true:\
    <ul><li><p>c is the EOF code point or U+002F (/)<li><p>isHidden is true and c is U+005C (\\)</ul>\
    <p>then:<ol>\
    <li><p>If buffer is the empty string, no-digits validation error, return failure.<p class=note>A note.\
    <li><p>Set state to path state.<li><p>If c is not U+002F (/), then decrease pointer by 1.</ol>\
    <li><p>Otherwise, append c, lowercased, to buffer.</ol>\
    <dt><dfn>path state</dfn><dd><ol>\
    <li><p>If c is U+002F (/) and remaining starts with U+002F (/), then set state to start state and increase pointer by 1.\
    <li><p>Otherwise, return failure.</ol></dl>";

fn reading(text: &str, more: &str) -> Reading {
    let profile = format!("dialect: a\ntitle: A\nfile: a.html\nform: html\nfrom: Parser\n{more}");
    read(text, &Profile::parse(&profile).unwrap())
}

/// Returns the rows of a state as lines of a table.
fn rows(reading: &Reading, name: &str) -> Vec<String> {
    let state = reading.states.iter().find(|state| state.name == name).unwrap();
    state.rows.iter().map(|row| format!("{} => {}", row.patterns, row.steps)).collect()
}

#[test]
fn makes_row_for_each_class_of_characters() {
    let reading = reading(DOCUMENT, "");
    assert!(
        reading.sentences.iter().all(|one| one.read != Read::Unread),
        "a sentence is unread: {:?}",
        reading.sentences
    );
    let end_steps = "when temporary-buffer is \"\" { error no-digits; stop; } otherwise { switch path; reconsume; }";
    // The lower case of a digit is the digit itself, so `else` covers digits too.
    let expected = [
        &end_steps.replace(" reconsume;", "").replace("when", "'/' => when"),
        "'A'..='Z' | 'a'..='z' => append lower to temporary-buffer;",
        &format!(
            "'\\\\' => when is-hidden is true {{ {end_steps} }} otherwise {{ append current to temporary-buffer; }}"
        ),
        &format!("EOF => {end_steps}"),
        "else => append current to temporary-buffer;",
    ];
    assert_eq!(rows(&reading, "start"), expected);
    let expected = ["\"//\" => switch start;", "EOF | else => stop;"];
    assert_eq!(rows(&reading, "path"), expected);
}

#[test]
fn omits_steps_under_conditions_assumed_false() {
    let reading = reading(DOCUMENT, "assumed: not is-hidden is true\n");
    let last_row = "else => append current to temporary-buffer;";
    assert!(rows(&reading, "start").iter().all(|other| !other.starts_with("'\\\\'")));
    assert_eq!(rows(&reading, "start").last().map(String::as_str), Some(last_row));
}

#[test]
fn skips_further_names_of_states() {
    let text =
        DOCUMENT.replace("path state</dfn><dd>", "path state</dfn><dt><dfn>road state</dfn><dd>");
    let names: Vec<String> =
        reading(&text, "").states.into_iter().map(|state| state.name).collect();
    assert_eq!(names, ["start", "path"]);
}
