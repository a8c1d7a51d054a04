//! Measures speed in comparison with other parsers, by a release build of `tests/bench`.
//!
//! usage: cargo xtask bench [FIELD…] [--corpus FOLDER] [--rounds N]
//!
//! The fields; without one, all are run:
//!
//!   html-tokens, html-trees     real pages
//!   dense-tokens, dense-trees   pages with dense markup
//!   others-trees                third-party trees, filled by tabulex and by html5ever
//!   prose-tokens                paragraphs with few references
//!   plain-tokens                text without markup
//!   css, css-pages              CSS selectors on parsed pages, and including the parsing
//!   rewrite, rewrite-all        pages rewritten as a stream: with one handler, and with one for all elements
//!   sanitize                    untrusted markup
//!   program-…                   the programs of runtime/examples: links, metadata, select, tables, sanitize, rewrite, text,
//!                               stream, fragment, lint, osm
//!   xml-tokens, xml-trees       XML
//!   scale-tokens, scale-trees   one document of 10 MB against ten of 1 MB
//!   threads                     trees of many documents on two threads against one
//!
//! In every round, the contestants take turns, with a turn of tabulex before and after each. The report has median
//! rates, median ratios of adjacent turns, target ratios, and the number of documents with results equal to those of
//! tabulex. A contestant with results that its field does not allow has no figures.
//!
//!   --corpus FOLDER   the documents; without it, those of the folder `shared/corpus` next to the project, or of the npm
//!                     package `htmlparser-benchmark` in tests/bench/node_modules, or generated ones
//!   --rounds N        number of rounds (9)
//!   --only TEXT       only contestants whose names contain the text, and the first one
//!   --limit BYTES     limits the total size of the documents, truncating the last one; not for XML, whose parsers reject
//!                     truncated documents
//!   --heap            measures peak heap usage instead, per byte of input
//!   --instructions    counts instructions with valgrind instead, per byte of input
//!   --save NAME       saves the report as tests/bench/results/NAME.md
//!   --passes N        runs one contestant N times, without measuring: for profilers
//!
//! example: cargo xtask bench html-trees --only html5ever

use crate::{Outcome, step};
use std::ffi::OsString;

/// Runs `cargo xtask bench`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let mut command = step::cargo();
    command.args(["run", "--release", "--manifest-path", "tests/bench/Cargo.toml"]);
    // Tracking the heap costs time, so only a build for `--heap` has the feature.
    if arguments.iter().any(|option| option == "--heap") {
        command.args(["--features", "heap"]);
    }
    command.arg("--").args(arguments);
    step::run(&mut command)
}
