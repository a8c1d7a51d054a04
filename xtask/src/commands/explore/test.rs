//! Runs the JavaScript tests of the page: its engine in Node on the suites, and the page in a browser. Prints what is
//! missing for a test, and counts the test as skipped.

use crate::root::{root, shared};
use crate::{Failure, Outcome, step, wasm};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tests the engine and the page that were built in the folder. Returns whether no test failed.
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

/// Compares the engine with the compiled machines on the suites. Returns whether all results are equal.
fn suites(folder: &Path) -> Result<bool, Failure> {
    let mut build = step::cargo();
    build.args(["build", "--quiet", "--profile", "quick", "--package", "tabulex-cli"]);
    if !step::run(&mut build)? {
        return Err("cannot build `tabulex-cli`".into());
    }
    let mut node = Command::new("node");
    node.current_dir(root()).arg("xtask/explorer/tests/suites.mjs").arg(folder);
    node.arg("target/quick/tabulex");
    for folder in suite_folders() {
        node.arg(folder);
    }
    step::run(&mut node)
}

/// Returns the folders of the project's own cases and of external suites. Prints how to get a missing suite.
fn suite_folders() -> Vec<PathBuf> {
    let mut folders = vec![root().join("tests/cases")];
    let external_suites = ["testdata/html5lib/tokenizer", "testdata/wpt"];
    for folder in external_suites.map(|name| shared().join(name)) {
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

/// Tests the page in Chromium. If Chromium or its driver is missing, prints how to get it and returns `None`.
fn page(folder: &Path) -> Result<Option<bool>, Failure> {
    let home = root().join("xtask/explorer");
    let has_chromium = Path::new("/usr/bin/chromium").exists();
    let has_driver = home.join("node_modules/playwright-core").is_dir();
    if !has_chromium {
        step::say("`chromium` is absent; to get it: `apt-get install chromium`\n");
    }
    if !has_driver {
        step::say(
            "`playwright-core` is absent; to get it: `npm install --prefix xtask/explorer playwright-core`\n",
        );
    }
    if !(has_chromium && has_driver) {
        return Ok(None);
    }
    let mut node = Command::new("node");
    node.current_dir(&home).arg("tests/page.mjs").arg(folder);
    step::run(&mut node).map(Some)
}
