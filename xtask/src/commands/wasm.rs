//! Tests the library as WebAssembly on the suites in Node, with tokens, trees and errors of all dialects.
//!
//! usage: cargo xtask campaign wasm
//!
//! Builds the dialects for wasm32-unknown-unknown, which has 32-bit pointers, and runs html5lib's suites of tokens and
//! trees, the trees of the Web Platform Tests, and the project's own cases in Node. If Node or a toolchain is missing,
//! prints how to get it, and counts the tests as skipped. If the toolchain has no standard library for this target, one
//! is built, as by `cargo xtask explore`.
//!
//! example: cargo xtask campaign wasm

use crate::{Outcome, root, step, wasm};
use std::ffi::OsString;
use std::process::Command;
use tabulex_workshop::arguments::Arguments;

/// Runs `cargo xtask campaign wasm`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    Arguments::parse(arguments, &[], 0)?;
    if !wasm::has_node() {
        step::say("0 passed, 0 failed, 1 skipped\n");
        return Ok(true);
    }
    let target = "target/wasm";
    // The inputs are short, so an optimized build would take longer than it saves.
    let engine = wasm::Engine { package: "tabulex-wasm-tests", profile: "quick", target };
    let folder = root::root().join(target).join("node");
    if let Err(absent) = engine.build(&folder)? {
        step::say(&format!("{absent}\n0 passed, 0 failed, 1 skipped\n"));
        return Ok(true);
    }
    let mut node = Command::new("node");
    node.current_dir(root::root()).arg("tests/wasm/suites.mjs").arg(folder).arg(root::shared());
    step::run(&mut node)
}
