//! Lists the suites that are absent, each with instructions for getting it. A test that uses an unlisted suite fails.

use std::path::Path;
use tabulex_tests::shared::{absent, absent_from, report};

#[test]
fn zz_suites_that_are_absent() {
    let lines = absent();
    report(&lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    let all_lines = absent_from(Path::new("no-such-folder"));
    assert!(
        all_lines.len() >= 12 && lines.iter().all(|line| all_lines.contains(line)),
        "{lines:#?}"
    );
    // Instructions must not refer to paths outside the workspace, as these differ from machine to machine.
    assert!(!all_lines.iter().any(|line| line.contains("../")), "{all_lines:#?}");
}
