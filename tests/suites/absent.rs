//! Lists the suites that are missing on this machine, each with the way to get it. A test that asks for an unlisted
//! suite fails.

use std::path::Path;
use tabulex_tests::shared::{absent, absent_from, report};

#[test]
fn zz_suites_that_are_absent() {
    let lines = absent();
    report(&lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    let all = absent_from(Path::new("no-such-folder"));
    assert!(all.len() >= 12 && lines.iter().all(|line| all.contains(line)), "{lines:#?}");
    // No relative path outside the workspace is the way to get one.
    assert!(!all.iter().any(|line| line.contains("../")), "{all:#?}");
}
