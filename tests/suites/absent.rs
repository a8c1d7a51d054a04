//! The list of the suites that are absent on this machine, each with the way to get it. It judges none of them. Invariant:
//! a suite that is asked for is in the list, or the asking test fails.

use tabulex_tests::shared::{absent, report};

#[test]
fn zz_suites_that_are_absent() {
    let lines = absent();
    report(&lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    assert!(lines.iter().all(|line| line.contains("; to get it: ")), "{lines:#?}");
}
