//! Tables compiled by rustc. All mistakes are reported in one build at the file, line and column of the table, without
//! further errors of rustc; valid tables compile and run. `spec/language/test_data/err` has the messages of all checks.
//! `TRYBUILD=overwrite` writes the output of rustc without the lines and columns of other files: restore these by hand.

#[test]
fn rustc_reports_errors_at_table_positions() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("err/*.rs");
    tests.pass("ok/*.rs");
}

/// trybuild accepts an expectation without lines and columns, so they are checked here.
#[test]
fn expectations_have_lines_and_columns() {
    for case in ["unknown-state", "several"] {
        let path = format!("{}/err/{case}.stderr", env!("CARGO_MANIFEST_DIR"));
        let expected = std::fs::read_to_string(path).unwrap();
        let mut positions = expected.lines().filter(|line| line.contains("--> ")).peekable();
        assert!(positions.peek().is_some(), "`{case}.stderr` has no line with `-->`");
        for position in positions {
            assert!(
                position.ends_with(|last: char| last.is_ascii_digit()),
                "`{case}.stderr` has no column in `{position}`"
            );
        }
    }
}
