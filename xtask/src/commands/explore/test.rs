//! Tests the page with its JavaScript tests: its engine in Node on the suites, and the page in a browser. Missing
//! prerequisites are reported, and their tests counted as skipped.

use crate::root::root;
use crate::{Failure, Outcome, step, wasm};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the tests of the engine and of the page.
pub(super) fn run(folder: &Path) -> Outcome {
    if !wasm::has_node() {
        step::say("0 passed, 0 failed, 2 skipped\n");
        return Ok(true);
    }
    let suites = suites(folder)?;
    let page = page(folder)?;
    let passed = usize::from(suites) + usize::from(page == Some(true));
    let failed = usize::from(!suites) + usize::from(page == Some(false));
    step::say(&format!("{passed} passed, {failed} failed, {} skipped\n", 2 - passed - failed));
    Ok(failed == 0)
}

/// Compares the engine with the compiled machines.
fn suites(folder: &Path) -> Result<bool, Failure> {
    let built = step::run(step::cargo().args([
        "build",
        "--quiet",
        "--profile",
        "quick",
        "--package",
        "tabulex-cli",
    ]))?;
    if !built {
        return Err("the program does not build".into());
    }
    let mut node = Command::new("node");
    node.current_dir(root()).arg("xtask/explorer/tests/suites.mjs").arg(folder);
    node.arg("target/quick/tabulex");
    for folder in suite_folders() {
        node.arg(folder);
    }
    step::run(&mut node)
}

/// Returns the folders of the project's own cases, and of external suites that are present.
fn suite_folders() -> Vec<PathBuf> {
    let shared = std::env::var_os("TABULEX_SHARED").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| root().join("../shared"));
    let mut folders = vec![root().join("tests/cases")];
    let others = ["testdata/html5lib/tokenizer", "testdata/wpt"];
    for folder in others.map(|name| shared.join(name)) {
        match folder.is_dir() {
            true => folders.push(folder),
            false => step::say(&format!(
                "suite absent: {}; to get it: TABULEX_SHARED=FOLDER\n",
                folder.display()
            )),
        }
    }
    folders
}

/// Tests the page in Chromium; `None` if it or its driver is missing.
fn page(folder: &Path) -> Result<Option<bool>, Failure> {
    let home = root().join("xtask/explorer");
    let absent = [
        (
            Path::new("/usr/bin/chromium").exists(),
            "chromium is absent; to get it: apt-get install chromium",
        ),
        (
            home.join("node_modules/playwright-core").is_dir(),
            "playwright-core is absent; to get it: npm install --prefix xtask/explorer playwright-core",
        ),
    ];
    let mut is_whole = true;
    for (is_there, line) in absent {
        if !is_there {
            step::say(&format!("{line}\n"));
            is_whole = false;
        }
    }
    if !is_whole {
        return Ok(None);
    }
    let mut node = Command::new("node");
    node.current_dir(&home).arg("tests/page.mjs").arg(folder);
    step::run(&mut node).map(Some)
}
