//! Eight tables under rustc: that mistakes stand at the table's own file, line and column, all of them in one build, and
//! bring no errors of rustc with them; and that good tables compile and run. The messages of all checks are cases of
//! `spec/language/test_data/err`. `TRYBUILD=overwrite` writes what rustc prints, without the lines and columns of files
//! other than the case itself: restore these by hand.

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
        let expected = format!("{}/err/{case}.stderr", env!("CARGO_MANIFEST_DIR"));
        let expected = std::fs::read_to_string(expected).expect("the case has an expectation");
        let mut places = expected.lines().filter(|line| line.contains("--> ")).peekable();
        assert!(places.peek().is_some(), "{case}.stderr has no line with \"-->\"");
        for place in places {
            assert!(place.ends_with(|last: char| last.is_ascii_digit()), "{case}: {place}");
        }
    }
}
