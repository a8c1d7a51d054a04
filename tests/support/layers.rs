//! Comparison of each API of a compiled machine with the interpreter: whole input with a sink, iterator, chunks,
//! pauses.

use crate::compiled;
use crate::inputs::cut;
use crate::interpreted::Table;
use crate::random::Random;
use crate::recording::{Recording, difference};
use crate::setup::Setup;
use tabulex::Dialect;

/// Returns the first difference between the interpreter and the compiled machine. The input is cut into chunks at
/// random, by the seed.
pub fn first_difference(
    dialect: &Dialect,
    table: &Table,
    setup: &Setup,
    input: &str,
    seed: u64,
) -> Option<String> {
    difference_from(&table.run(setup, input), dialect, setup, input, seed)
}

/// Returns the first difference between a recording of the interpreter and the compiled machine; see
/// [`first_difference`].
pub fn difference_from(
    expected: &Recording,
    dialect: &Dialect,
    setup: &Setup,
    input: &str,
    seed: u64,
) -> Option<String> {
    let check = |layer: String, found: Recording| {
        (found != *expected)
            .then(|| format!("    - interpreter, + {layer}\n{}", difference(expected, &found)))
    };
    let mut random = Random::new(seed);
    let chunks = cut(&mut random, input, 6);
    check("sink".to_owned(), compiled::tokenize(dialect, setup, input))
        .or_else(|| {
            let iterated = compiled::iterate(dialect, setup, input);
            check("iterator".to_owned(), iterated.ended_as(expected))
        })
        .or_else(|| check(format!("chunks {chunks:?}"), compiled::feed(dialect, setup, &chunks)))
        .or_else(|| {
            check(format!("pauses {chunks:?}"), compiled::feed_pausing(dialect, setup, &chunks))
        })
}
