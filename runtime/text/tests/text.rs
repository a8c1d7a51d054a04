//! Markup and its text, and what must not blow up. Invariant: each case of the file is read.

use tabulex::text::{rendered_text, tables};
use tabulex::{Options, html};

#[test]
fn texts_are_those_of_the_cases() {
    let (mut markup, mut count) = (String::new(), 0);
    for line in include_str!("cases.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some(wanted) = line.strip_prefix("= ") else {
            markup += if markup.is_empty() { "" } else { "\n" };
            markup += line;
            continue;
        };
        let wanted = wanted.replace("\\n", "\n").replace("\\t", "\t").replace("\\u{A0}", "\u{A0}");
        let tree = html::parse(&markup, Options::new()).tree;
        assert_eq!(rendered_text(tree.root()), wanted, "{markup}");
        markup.clear();
        count += 1;
    }
    assert_eq!((count, markup.as_str()), (19, ""));
}

#[test]
fn depth_and_spans_are_bounded() {
    let deep = format!("{}x", "<div><b>".repeat(100_000));
    let tree = html::parse(&deep, Options::new().depth_limit(usize::MAX)).tree;
    assert_eq!(rendered_text(tree.root()), "x");
    let wide = format!("<table>{}", "<tr><td colspan=1000 rowspan=65534>".repeat(3000));
    let tree = html::parse(&wide, Options::new()).tree;
    let table = tables(tree.root()).next().unwrap();
    assert!(table.rows.iter().map(Vec::len).sum::<usize>() < 1_100_000);
    assert_eq!(table.rows.len(), 3000);
    // Whoever reads each place reads the cell's text each time.
    let text = "x".repeat(64_000);
    let rows = "<tr>".repeat(1000);
    let long = format!("<table><tr><td colspan=1000 rowspan=1000>{text}{rows}");
    let tree = html::parse(&long, Options::new()).tree;
    let table = tables(tree.root()).next().unwrap();
    let places = table.rows.iter().map(Vec::len).sum::<usize>();
    assert!((900..=1000).contains(&places), "{places}");
}

#[test]
fn rows_have_the_cells_that_span_them() {
    for (markup, wanted) in [
        ("<tr><td>1<td>2<tr><td>3", vec![vec!["1", "2"], vec!["3"]]),
        (
            "<tr><td rowspan=0>1<td>2<tr><td>3<tbody><tr><td>4",
            vec![vec!["1", "2"], vec!["1", "3"], vec!["4"]],
        ),
        ("<tr><td rowspan=2 colspan=2>1<tr><td>2", vec![vec!["1", "1"], vec!["1", "1", "2"]]),
        ("<tr><td colspan=x>1<td colspan=0>2<td><table><tr><td>i", vec![vec!["1", "2", "i"]]),
        ("<thead><tr><th rowspan=5>h<tbody><tr><td>d", vec![vec!["h"], vec!["d"]]),
    ] {
        let tree = html::parse(&format!("<table>{markup}"), Options::new()).tree;
        assert_eq!(tables(tree.root()).next().unwrap().texts(), wanted, "{markup}");
    }
}
