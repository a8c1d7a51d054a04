//! Inputs found by search, on small tables and those of this package. Invariant: every kind of row of the lexical and the
//! character language is found by a search of its own.

use tabulex_spec::model::Machine;
use tabulex_spec::search::{Bound, witnesses};
use tabulex_spec::{Source, TABLES, embedded_file, load};

fn table(name: &str) -> Machine {
    let (file, text) = TABLES.iter().find(|(file, _)| *file == name).unwrap();
    load(&Source::new(*file, *text), &embedded_file).machine.unwrap()
}

fn small(rows: &str) -> Machine {
    let text = format!("machine! {{ name small; start data; {rows} }}");
    let loaded = load(&Source::new("small.states", &*text), &|_| None);
    loaded.machine.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

#[test]
fn rows_have_shortest_inputs() {
    let machine = small(
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
    let found = witnesses(&machine, Bound::default());
    let inputs: Vec<&str> = found.rows.values().map(|witness| &*witness.input).collect();
    assert_eq!(inputs, ["<", "<!--", "a", "", "<>", "<a", "<!", "<"]);
    assert!(found.without.is_empty());
}

#[test]
fn a_row_that_needs_more_than_the_bound_is_told() {
    let machine = small(
        "state data { 'a' => switch one; else => emit current; EOF => emit end-of-file; }
         state one { 'b' => switch two; else => reconsume data; EOF => emit end-of-file; }
         state two { else => reconsume data; EOF => emit end-of-file; }",
    );
    let found = witnesses(&machine, Bound { length: 2, ..Bound::default() });
    assert_eq!(found.without.len(), 1);
    assert!(!found.reached.is_whole);
}

#[test]
fn every_row_of_lexical_modes_has_an_input() {
    for name in ["microxml.states", "microxml-2012-12.states"] {
        let found = witnesses(&table(name), Bound::default());
        assert_eq!(found.without, [], "{name}");
    }
}
