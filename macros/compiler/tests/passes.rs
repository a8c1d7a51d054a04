//! Tests of single passes on small inputs. `snapshots` tests the generated code.

use tabulex_compiler::lower::{Body, Lowered, lower};
use tabulex_compiler::skip::{Scanner, skips, specials};
use tabulex_compiler::{expand, order, references};
use tabulex_language::model::Machine;
use tabulex_language::{Source, load};

fn html_2013() -> Machine {
    let name = "html-2013.states";
    let text = tabulex_tables::text(name).expect("the table is built in");
    load(&Source::new(name, text), &tabulex_tables::text).machine.unwrap()
}

/// Returns the index of a state's block.
fn index_of(lowered: &Lowered, state: &str) -> usize {
    let index = lowered.blocks.iter().position(|block| block.name == state);
    index.unwrap()
}

#[test]
fn lowering_assigns_every_byte_to_one_arm() {
    for block in lower(&html_2013()).blocks {
        let Body::Input(input) = block.body else { continue };
        for byte in 0..0x80_u8 {
            let arm_count = input.bytes.iter().filter(|arm| arm.bytes.contains(&byte)).count();
            assert_eq!(arm_count, 1, "arms for byte {byte:#x} in `{}`", block.name);
            assert!(
                input.byte(byte).last().is_some_and(|candidate| candidate.tests.is_empty()),
                "no row without a test for byte {byte:#x} in `{}`",
                block.name
            );
        }
        assert!(
            input.end_of_file.last().is_some_and(|candidate| candidate.tests.is_empty()),
            "no row without a test for the end of the input in `{}`",
            block.name
        );
    }
}

#[test]
fn finds_bulk_runs_of_html() {
    let machine = html_2013();
    let lowered = lower(&machine);
    let specials = specials(&machine, &lowered);
    assert_eq!(specials, [0, b'\r']);
    let skips = skips(&machine, &lowered, &specials);
    let skip_of = |name: &str| skips[index_of(&lowered, name)].as_ref();
    let run_of = |name: &str| skip_of(name).unwrap_or_else(|| panic!("state `{name}` has no run"));
    assert_eq!(run_of("data").scanner, Scanner::Find(vec![b'&', b'<']));
    assert_eq!(run_of("comment").scanner, Scanner::Find(vec![b'-']));
    assert_eq!(run_of("plaintext").scanner, Scanner::Everything);
    assert_eq!(run_of("tag-name").scanner, Scanner::Table(Some(b'[')));
    assert_eq!(run_of("cdata-section").scanner, Scanner::Find(vec![b']']));
    assert!(skip_of("tag-open").is_none());
    let tag_name = run_of("tag-name");
    assert!(
        !tag_name.bytes[usize::from(b'A')]
            && tag_name.bytes[usize::from(b'a')]
            && tag_name.bytes[0xC3]
    );
}

#[test]
fn order_contains_every_block_once() {
    let lowered = lower(&html_2013());
    let mut order = order::order(&lowered);
    assert_eq!(order, order::order(&lowered), "the order is deterministic");
    order.sort_unstable();
    assert!(order.iter().copied().eq(0..lowered.blocks.len()));
}

#[test]
fn places_tag_blocks_after_text_blocks() {
    let machine = html_2013();
    let compiled = tabulex_compiler::compile(&machine);
    let target = order::target_after_texts(&compiled).expect("a backward jump follows texts");
    assert_eq!(compiled.lowered.blocks[target].name, "tag-open");
}

#[test]
fn places_attribute_blocks_after_value_blocks() {
    let machine = html_2013();
    let compiled = tabulex_compiler::compile(&machine);
    let target =
        order::target_after_attributes(&compiled).expect("a backward jump starts attributes");
    assert_eq!(compiled.lowered.blocks[target].name, "before-attribute-name");
}

#[test]
fn selects_likely_bytes() {
    let machine = html_2013();
    let compiled = tabulex_compiler::compile(&machine);
    let likely = |name: &str| compiled.likely[index_of(&compiled.lowered, name)];
    assert_eq!(likely("data"), Some(b'<'));
    assert_eq!(likely("attribute-name"), Some(b'='));
    assert_eq!(likely("before-attribute-value"), Some(b'"'));
    assert_eq!(likely("tag-open"), None, "letters are as likely as a solidus");
    assert_eq!(likely("tag-name"), None, "after a solidus only one byte is expected");
}

#[test]
fn verbatim_text_ends_where_other_actions_begin() {
    let machine = html_2013();
    let compiled = tabulex_compiler::compile(&machine);
    let verbatim_stops = |name: &str| {
        let skip = compiled.skips[index_of(&compiled.lowered, name)].as_ref();
        skip.and_then(|skip| skip.verbatim_stops.clone())
    };
    assert_eq!(verbatim_stops("data").as_deref(), Some(&b"&<"[..]));
    assert_eq!(verbatim_stops("rawtext").as_deref(), Some(&b"<"[..]));
    assert_eq!(verbatim_stops("comment"), None, "a comment is not text");
    assert_eq!(verbatim_stops("tag-name"), None, "a name is not text");
}

/// Tests U+0000 and line ends with rows that do more, or less, than emit text.
#[test]
fn verbatim_text_ends_at_special_bytes() {
    let stops = |line_end: &str, null: &str| {
        let table = format!(
            "machine! {{ name a; document \"a test\"; start data; newlines normalized; errors e;
                state data {{
                    '<' => switch tag;
                    '\\n' => {line_end};
                    '\\0' => {null};
                    EOF => emit end-of-file;
                    else => emit current;
                }}
                state tag {{ EOF => emit end-of-file; else => reconsume data; }}
            }}"
        );
        let loaded = load(&Source::new("a.states", &table), &|_| None);
        let machine = loaded.machine.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let compiled = tabulex_compiler::compile(&machine);
        let skip = compiled.skips[0].as_ref();
        skip.and_then(|skip| skip.verbatim_stops.clone())
            .expect("the run of `data` has verbatim stops")
    };
    let text = "emit current";
    assert_eq!(stops("emit current", text), b"<");
    assert_eq!(stops("emit current", "error e; emit '\\u{FFFD}'"), b"<");
    assert_eq!(stops("emit current", "error e"), b"\0<", "nothing is emitted");
    assert_eq!(stops("set temporary-buffer \"\"; emit current", text), b"\n\r<");
    assert_eq!(stops("emit current; switch tag", text), b"\n\r<");
}

#[test]
fn finds_blocks_entered_before_runs() {
    let machine = html_2013();
    let lowered = lower(&machine);
    let skips = skips(&machine, &lowered, &[0, b'\r']);
    let is_entered_before_run = |name: &str| {
        let skip = skips[index_of(&lowered, name)].as_ref();
        skip.unwrap_or_else(|| panic!("state `{name}` has no run")).is_entered_before_run
    };
    assert!(!is_entered_before_run("before-attribute-name"), "the state follows whitespace");
    assert!(is_entered_before_run("before-attribute-value"), "the state follows an equals sign");
}

#[test]
fn references_spell_exactly_the_names() {
    let entries = html_2013().references.unwrap();
    let automaton = references::build(&entries);
    assert!(
        automaton.edges.len() < 6_000,
        "the automaton is not compact: it has {} edges",
        automaton.edges.len()
    );
    let mut spellings = Vec::new();
    for (byte, &edge) in automaton.first.iter().enumerate() {
        if edge != u16::MAX {
            spell(
                &automaton,
                usize::from(edge),
                String::from(byte as u8 as char),
                0,
                &mut spellings,
            );
        }
    }
    spellings.sort_unstable();
    let expected: Vec<(String, u16)> =
        entries.iter().enumerate().map(|(index, (name, _))| (name.clone(), index as u16)).collect();
    assert_eq!(spellings, expected);
}

/// Collects all names that continue along an edge, with their numbers.
fn spell(
    automaton: &references::Automaton,
    edge: usize,
    word: String,
    before: u16,
    spellings: &mut Vec<(String, u16)>,
) {
    let mut number = before + automaton.counts[edge];
    if automaton.edges[edge] & 0x100 != 0 {
        spellings.push((word.clone(), number));
        number += 1;
    }
    let mut next = (automaton.edges[edge] >> 16) as usize;
    while next != 0 {
        let letter = (automaton.edges[next] & 0x7F) as u8 as char;
        spell(automaton, next, format!("{word}{letter}"), number, spellings);
        if automaton.edges[next] & 0x80 != 0 {
            break;
        }
        next += 1;
    }
}

/// Checks that an algorithm over bytes ends early, for lack of certain sequences of bytes, only if each of its results
/// depends on such a sequence. Steps that end without a return have a result, too.
#[test]
fn algorithms_over_bytes_end_early_only_without_results() {
    let html = tabulex_tables::text("html.states").unwrap();
    let ends_early = |table: &str| {
        let machine = load(&Source::new("html.states", table), &tabulex_tables::text).machine;
        let code = expand(&machine.unwrap()).to_string();
        let (_, prescan) = code.split_once("fn algorithm_prescan_encoding").unwrap();
        prescan.split("fn algorithm_").next().unwrap().contains("contains")
    };
    assert!(ends_early(&html));
    assert!(!ends_early(&html.replace("go loop;\n        assert no other result;", "")));
}
