//! Tests of the programs in the folder `examples`, and a check that none of them has more lines than the equivalent
//! program with a commonly used library.

#![allow(dead_code)]

#[path = "../examples/fragment.rs"]
mod fragment;
#[path = "../examples/links.rs"]
mod links;
#[path = "../examples/lint.rs"]
mod lint;
#[path = "../examples/metadata.rs"]
mod metadata;
#[path = "../examples/osm.rs"]
mod osm;
#[path = "../examples/rewrite.rs"]
mod rewrite;
#[path = "../examples/sanitize.rs"]
mod sanitize;
#[path = "../examples/select.rs"]
mod select;
#[path = "../examples/sitemap.rs"]
mod sitemap;
#[path = "../examples/stream.rs"]
mod stream;
#[path = "../examples/tables.rs"]
mod tables;
#[path = "../examples/text.rs"]
mod text;

/// The programs, each with the number of lines in the body of the equivalent function with the other library.
const PROGRAMS: &[(&str, &str, usize)] = &[
    ("fragment", include_str!("../examples/fragment.rs"), 11),
    ("links", include_str!("../examples/links.rs"), 11),
    ("lint", include_str!("../examples/lint.rs"), 15),
    ("metadata", include_str!("../examples/metadata.rs"), 11),
    ("osm", include_str!("../examples/osm.rs"), 25),
    ("rewrite", include_str!("../examples/rewrite.rs"), 7),
    ("sanitize", include_str!("../examples/sanitize.rs"), 9),
    ("select", include_str!("../examples/select.rs"), 5),
    ("sitemap", include_str!("../examples/sitemap.rs"), 7),
    ("stream", include_str!("../examples/stream.rs"), 24),
    ("tables", include_str!("../examples/tables.rs"), 11),
    ("text", include_str!("../examples/text.rs"), 1),
];

/// Returns the number of code lines in the body of the program's public function.
fn count_lines(program: &str) -> usize {
    let (_, function) = program.split_once("\npub(crate) fn ").unwrap();
    let (function, _) = function.split_once("\n}\n").expect("a line `}` ends the function");
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    function.lines().skip(1).filter(is_code).count()
}

#[test]
fn programs_are_no_longer_than_with_other_libraries() {
    let table = include_str!("../examples/README.md");
    for (name, program, maximum) in PROGRAMS {
        let lines = count_lines(program);
        assert!(lines <= *maximum, "`{name}` has {lines} lines, more than {maximum}");
        let row = format!("[{name}.rs]({name}.rs) | {lines} / {maximum} |");
        assert!(table.contains(&row), "`examples/README.md` lacks the row `{row}`");
    }
}
