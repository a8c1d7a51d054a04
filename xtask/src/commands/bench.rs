//! Speed beside the peers, in one run: `tests/bench`, which depends on them, in a release build.
//!
//! usage: cargo xtask bench [FIELD…] [--corpus FOLDER] [--rounds N]
//!
//! The fields; without one, all are run:
//!
//!   html-tokens, html-trees     real pages
//!   dense-tokens, dense-trees   pages that are dense with markup
//!   others-trees                trees of other people, filled by us and by html5ever
//!   prose-tokens                paragraphs with few references
//!   plain-tokens                text without markup
//!   css, css-pages              CSS selectors on pages that are parsed, and on pages to be parsed first
//!   rewrite, rewrite-all        pages rewritten as they come: by one handler, and by one that looks at all elements
//!   sanitize                    markup of strangers
//!   program-…                   the programs of runtime/examples: links, metadata, select, tables, sanitize, rewrite, text,
//!                               stream, fragment, lint, osm
//!   xml-tokens, xml-trees       XML
//!   scale-tokens, scale-trees   one document of 10 MB against ten of 1 MB
//!   threads                     trees of many documents on two threads against one
//!
//! Contestants take turns in every round, ours before and after each. Reported are medians of rates, of ratios of such
//! turns, what ratio is aimed at, and how many documents come out as ours.
//!
//!   --corpus FOLDER   the documents; without it, those of the folder `shared/corpus` beside the project, or of the npm
//!                     package `htmlparser-benchmark` in tests/bench/node_modules, or generated ones
//!   --rounds N        9 unless given
//!   --only TEXT       contestants whose names contain the text, and the first one
//!   --limit BYTES     no more documents than make up BYTES, the last one cut; not for XML,
//!                     whose parsers refuse cut documents
//!   --heap            the highest use of the heap instead, per byte of input
//!   --instructions    the instructions instead, per byte of input; valgrind counts them
//!   --save NAME       keeps what is reported in tests/bench/results: NAME.md, a table, and NAME.svg, a plot
//!   --passes N        one contestant, N times, without measuring: for profilers
//!
//! example: cargo xtask bench html-trees --only html5ever
//!
//! Invariant: no figure is shown of a contestant that delivers something else than it is said to.

use crate::{Outcome, step};

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let options: Vec<_> = parser.raw_args().map_err(|error| error.to_string())?.collect();
    let mut command = step::cargo();
    command.args(["run", "--release", "--manifest-path", "tests/bench/Cargo.toml"]);
    // Counting what is on the heap takes time, so it is left out of every other build.
    if options.iter().any(|option| option == "--heap") {
        command.args(["--features", "heap"]);
    }
    command.arg("--").args(options);
    step::run(&mut command)
}
