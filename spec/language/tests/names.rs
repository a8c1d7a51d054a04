//! Lookup of names for documents and editors: states, modes, sections, the base of a table, and keywords. Unknown names
//! find nothing.

use tabulex_language::model::{Machine, Section};
use tabulex_language::vocabulary::keywords;
use tabulex_language::{Source, extend, load, parse};

fn html() -> Machine {
    let text = tabulex_tables::text("html.states").unwrap();
    let loaded = load(&Source::new("html.states", text), &tabulex_tables::text);
    loaded.machine.unwrap()
}

#[test]
fn finds_states_and_modes_by_name() {
    let machine = html();
    for (title, name) in [
        ("RCDATA state", "rcdata"),
        (" After attribute value (quoted) state ", "after-attribute-value-quoted"),
        ("Script data double escaped dash dash", "script-data-double-escaped-dash-dash"),
    ] {
        let id = machine.find_document_state(title).unwrap();
        assert_eq!(machine.state(id).name, name);
    }
    assert_eq!(machine.find_document_state("RCDATA states"), None);
    let construction = machine.construction.unwrap();
    let id = construction.find_mode("in-table-body").unwrap();
    assert_eq!(construction.mode(id).name, "in-table-body");
    assert_eq!(construction.find_mode("in table body"), None);
}

#[test]
fn keeps_sections() {
    let text = r#"machine! {
        name small;
        start data;
        procedure take @ "2" {
            state taking @ "2.1" { EOF | else => return nothing; }
        }
        state data { EOF => emit end-of-file; else => reconsume call; }
        state call @ "3" "of-call" on take { nothing | returned => switch data; }
        tree start inside;
        elements html;
        reset { else => switch inside; }
        mode inside @ "7" { EOF => stop; else => close; }
        steps close { pop; }
    }"#;
    let (table, mistakes) = parse::file(text);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let (machine, mistakes) = tabulex_language::resolve::resolve(
        &table.expect("the table has no syntax errors"),
        &|_| None,
    );
    let machine = machine.unwrap_or_else(|| panic!("{mistakes:?}"));
    let construction = machine.construction.as_ref().unwrap();
    let sections = [
        machine.procedures[0].section.as_ref(),
        machine.states[0].section.as_ref(),
        machine.states[1].section.as_ref(),
        machine.states[2].section.as_ref(),
        construction.modes[0].section.as_ref(),
    ];
    let format_section = |section: Option<&Section>| {
        section.map_or("-".to_owned(), |it| {
            format!("{} {}", it.number, it.anchor.as_deref().unwrap_or("-"))
        })
    };
    let sections: Vec<String> = sections.into_iter().map(format_section).collect();
    assert_eq!(sections, ["2 -", "2.1 -", "-", "3 of-call", "7 -"]);
}

#[test]
fn notes_belong_to_the_row_that_runs_the_steps() {
    let text = r#"machine! {
        name small;
        start data;
        flag mode = plain | rich by host;
        action inner { deviates "1"; ignore; }
        action outer { inner; fills "2"; }
        state data {
            'a' => outer; fills "3";
            'b' => when mode is rich { fills "4"; ignore; } otherwise { deviates "5"; inner; } outer;
            EOF => emit end-of-file;
            else => ignore;
        }
    }"#;
    let loaded = load(&Source::new("small.states", text), &|_| None);
    let machine = loaded.machine.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let rows = machine.states[0].rows.iter();
    let reasons = rows.map(|row| row.notes.iter().map(|note| &note.reason[..]).collect());
    let reasons: Vec<Vec<&str>> = reasons.collect();
    assert_eq!(reasons, [vec!["1", "2", "3"], vec!["4", "5", "1", "1", "2"], vec![], vec![]]);
}

#[test]
fn finds_base_of_table() {
    let base_of = |text: &str| {
        let (table, mistakes) = parse::file(text);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        extend::base_of(&table.expect("the table has no syntax errors"))
            .map(|base| base.value.clone())
    };
    assert_eq!(base_of("machine! { name own; extends html { } }").as_deref(), Some("html"));
    assert_eq!(base_of("machine! { name own; }"), None);
}

#[test]
fn keywords_are_sorted_and_distinct() {
    let words = keywords();
    assert!(words.windows(2).all(|pair| pair[0] < pair[1]), "{words:?}");
    for word in ["add", "lexical-mode", "ignoring-case", "svg", "xlink", "not"] {
        assert!(words.contains(&word), "the keyword `{word}` is not in {words:?}");
    }
    let is_word = |word: &&str| word.bytes().all(|it| it.is_ascii_lowercase() || it == b'-');
    assert!(words.iter().all(is_word), "{words:?}");
}
