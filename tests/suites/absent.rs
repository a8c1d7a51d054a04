//! The list of the suites that are absent on this machine, each with the way to get it. It judges none of them. Invariant:
//! a suite that is asked for is in the list, or the asking test fails.

use std::path::Path;
use tabulex_tests::shared::{absent, absent_from, report};

#[test]
fn zz_suites_that_are_absent() {
    let lines = absent();
    report(&lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    let all = absent_from(Path::new("no-such-folder"));
    assert!(all.len() >= 12 && lines.iter().all(|line| all.contains(line)), "{lines:#?}");
    // No other folder that only some have is the way to get one.
    assert!(!all.iter().any(|line| line.contains("../")), "{all:#?}");
}
