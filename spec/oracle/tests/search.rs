//! Tests the searches on small tables and on the package's.

use tabulex_language::model::Machine;
use tabulex_language::{Source, load};
use tabulex_oracle::interpreter::Span;
use tabulex_oracle::search::{Bound, Errors, differences, name_errors, tree_witnesses, witnesses};

fn load_table(name: &str) -> Machine {
    let text = tabulex_tables::text(name).unwrap();
    load(&Source::new(name, text), &tabulex_tables::text).machine.unwrap()
}

fn small_machine(rows: &str) -> Machine {
    let text = format!("machine! {{ name small; start data; {rows} }}");
    let loaded = load(&Source::new("small.states", &*text), &|_| None);
    loaded.machine.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

#[test]
fn finds_shortest_inputs_of_rows() {
    let machine = small_machine(
        "state data {
             '<' => switch tag;
             \"<!--\" => ignore;
             else => emit current;
             EOF => emit end-of-file;
         }
         state tag {
             '>' => switch data;
             'a'..='z' => ignore;
             else => reconsume data;
             EOF => emit end-of-file;
         }",
    );
    let result = witnesses(&machine, Bound::default());
    let inputs: Vec<&str> = result.rows.values().map(|witness| &*witness.input).collect();
    assert_eq!(inputs, ["<", "<!--", "a", "", "<>", "<a", "<!", "<"]);
    assert!(result.unreached.is_empty(), "no input was found for the rows {:?}", result.unreached);
}

#[test]
fn lists_rows_beyond_the_bound() {
    let machine = small_machine(
        "state data { 'a' => switch one; else => emit current; EOF => emit end-of-file; }
         state one { 'b' => switch two; else => reconsume data; EOF => emit end-of-file; }
         state two { else => reconsume data; EOF => emit end-of-file; }",
    );
    let result = witnesses(&machine, Bound { length: 2, ..Bound::default() });
    assert_eq!(result.unreached.len(), 1);
    assert!(!result.extent.is_exhaustive);
}

#[test]
fn every_row_of_lexical_modes_has_an_input() {
    for name in ["microxml.states", "microxml-2012-12.states"] {
        let result = witnesses(&load_table(name), Bound::default());
        assert_eq!(result.unreached, [], "rows of `{name}` have no input");
    }
}

// The first two machines behave alike with different states; the third one differs.
const AS_ONE_STATE: &str = "
    state data { '<' => emit '<'; else => emit current; EOF => emit end-of-file; }";
const AS_TWO_STATES: &str = "
    state data { '<' => switch open; else => emit current; EOF => emit end-of-file; }
    state open { else | EOF => emit '<'; switch data; reconsume; }";
const WITH_A_SLIP: &str = "
    state data { '<' => switch open; else => emit current; EOF => emit end-of-file; }
    state open {
        '?' => emit '<'; switch data;
        else | EOF => emit '<'; switch data; reconsume;
    }";

#[test]
fn proves_equivalent_machines_equal() {
    let result = differences(
        [&small_machine(AS_ONE_STATE), &small_machine(AS_TWO_STATES)],
        Errors::Positions,
        Bound::default(),
        usize::MAX,
    );
    assert_eq!(result.differences, []);
    assert!(
        result.is_proven_equal && result.extent.is_exhaustive,
        "equality is not proven: {:?}",
        result.extent
    );
}

#[test]
fn finds_shortest_input_for_different_machines() {
    let (left, right) = (small_machine(AS_ONE_STATE), small_machine(WITH_A_SLIP));
    let result = differences([&left, &right], Errors::Positions, Bound::default(), usize::MAX);
    assert!(!result.is_proven_equal);
    let difference = &result.differences[0];
    assert_eq!(difference.input, "<?");
    let open_row = difference.rows[1].iter().find(|row| right.state(row.state).name == "open");
    assert_eq!(open_row.unwrap().row, 0);
}

#[test]
fn proves_nothing_beyond_the_bound() {
    let (left, right) = (small_machine(AS_ONE_STATE), small_machine(WITH_A_SLIP));
    let short_bound = Bound { length: 1, ..Bound::default() };
    let result = differences([&left, &right], Errors::Positions, short_bound, usize::MAX);
    assert_eq!(result.differences, []);
    assert!(!result.is_proven_equal);
}

#[test]
fn every_row_of_modes_has_an_input() {
    for name in ["microxml.states", "microxml-2012-12.states", "sky.states", "xml-er.states"] {
        let result = tree_witnesses(&load_table(name), Bound::default()).unwrap();
        assert_eq!(result.unreached, [], "rows of `{name}` have no input");
    }
}

#[test]
fn finds_rows_after_many_others() {
    let bound = Bound { configurations: 3_000, ..Bound::default() };
    let result = tree_witnesses(&load_table("html.states"), bound).unwrap();
    // Only documents with frames reach the modes for frames, so `</frameset>` shows that the search got that far.
    let inputs: Vec<&str> = result.rows.values().map(|witness| &*witness.input).collect();
    assert!(
        inputs.iter().any(|input| input.contains("</frameset>")),
        "no `</frameset>` in {inputs:?}"
    );
    assert!(
        result.unreached.len() < 20,
        "expected fewer than 20 rows without an input, found {}: {:?}",
        result.unreached.len(),
        result.unreached
    );
}

#[test]
fn unnamed_errors_equal_those_at_their_places() {
    let errors = |list: &[(&str, usize)]| -> Vec<(String, Span)> {
        let error = |&(code, start): &(&str, usize)| (code.to_owned(), Span { start, end: start });
        list.iter().map(error).collect()
    };
    let other = errors(&[("one", 0), ("two", 1), ("three", 1)]);
    for (of_document, named) in [
        // An error with a name keeps it, and no error of the other run is used twice.
        (&[("unnamed", 1), ("unnamed", 1), ("unnamed", 1)][..], ["two", "three", "unnamed"]),
        (&[("unnamed", 0), ("three", 1), ("unnamed", 1)], ["one", "three", "two"]),
        (&[("unnamed", 2), ("four", 0), ("unnamed", 0)], ["unnamed", "four", "one"]),
    ] {
        let mut errors = errors(of_document);
        name_errors(&mut errors, &other);
        let codes: Vec<&str> = errors.iter().map(|(code, _)| &code[..]).collect();
        assert_eq!(codes, named);
    }
}
