//! Rendered text and table layout: cases from a file, and bounds on time and size.

use tabulex::text::{TextReader, rendered_text, tables};
use tabulex::tree::Tree;
use tabulex::{Options, html};

/// In `cases.txt`, a line that begins with `= ` is Chromium's text of the markup before it. A line that begins with `-
/// ` is the text expected here where that differs.
#[test]
fn renders_as_chromium_does() {
    let (mut markup, mut cases): (_, Vec<(String, String, bool)>) = (String::new(), Vec::new());
    for line in include_str!("cases.txt").lines().filter(|line| !line.starts_with('#')) {
        if let Some(text) = line.strip_prefix("= ") {
            cases.push((std::mem::take(&mut markup), text.to_owned(), true));
        } else if let (Some(text), Some(last_case)) = (line.strip_prefix("- "), cases.last_mut()) {
            assert_ne!(text, last_case.1, "{}", last_case.0);
            (last_case.1, last_case.2) = (text.to_owned(), false);
        } else {
            markup += if markup.is_empty() { "" } else { "\n" };
            markup += line;
        }
    }
    let mut failures = Vec::new();
    for (markup, expected, _) in &cases {
        let tree = html::parse(&format!("<!DOCTYPE html>{markup}"), Options::new()).tree;
        let mut text = String::new();
        for character in rendered_text(tree.root()).chars() {
            match character {
                '\n' | '\t' => text.extend(character.escape_default()),
                _ if !character.is_whitespace() && !character.is_control() => text.push(character),
                ' ' => text.push(character),
                _ => text += &format!("\\u{{{:X}}}", u32::from(character)),
            }
        }
        if text != *expected {
            failures.push(format!("{markup:?}: {text:?} instead of {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let equal_count = cases.iter().filter(|(_, _, is_equal)| *is_equal).count();
    assert_eq!((equal_count, cases.len()), (293, 302));
}

#[test]
fn renders_single_nodes_even_if_hidden() {
    let tree = html::parse("<span id=a> a</span><p hidden id=b>b</p>", Options::new()).tree;
    let text = |id| rendered_text(tree.element_by_id(id).unwrap());
    assert_eq!((text("a"), text("b")), ("a".to_owned(), "b".to_owned()));
    let mut bare_tree = Tree::new();
    let node = bare_tree.create_text("c");
    assert_eq!(rendered_text(bare_tree.node(node)), "c");
}

/// SVG 2, 11.1: text is rendered in elements for text only.
#[test]
fn renders_no_text_directly_in_svg() {
    let page = "a<svg>b<g>c</g><a>d</a><tspan>e</tspan><text>f<tspan>g</tspan></text>\
        <foreignObject>h<svg>i</svg></foreignObject>j</svg>k";
    let tree = html::parse(page, Options::new()).tree;
    assert_eq!(rendered_text(tree.root()), "a\nfg\nh\nk");
}

#[test]
fn scripting_hides_noscript() {
    let tree = html::parse("a<b>b</b><noscript>c</noscript>", Options::new()).tree;
    assert_eq!(TextReader::new().scripting(true).text(tree.root()), "ab");
    assert_eq!(TextReader::new().scripting(true).scripting(false).text(tree.root()), "abc");
}

#[test]
fn bounds_depth_and_spans() {
    let deep_page = format!("{}x", "<div><b>".repeat(100_000));
    let tree = html::parse(&deep_page, Options::new().depth_limit(usize::MAX)).tree;
    assert_eq!(rendered_text(tree.root()), "x");
    let wide_page = format!("<table>{}", "<tr><td colspan=1000 rowspan=65534>".repeat(3000));
    let tree = html::parse(&wide_page, Options::new()).tree;
    let table = tables(tree.root()).next().unwrap();
    assert!(table.rows.iter().map(Vec::len).sum::<usize>() < 1_100_000);
    assert_eq!(table.rows.len(), 3000);
    // The text of a cell is repeated in each slot that the cell covers, so slots of long cells weigh more.
    let text = "x".repeat(64_000);
    let rows = "<tr>".repeat(1000);
    let long_page = format!("<table><tr><td colspan=1000 rowspan=1000>{text}{rows}");
    let tree = html::parse(&long_page, Options::new()).tree;
    let table = tables(tree.root()).next().unwrap();
    let slots = table.rows.iter().map(Vec::len).sum::<usize>();
    assert!((900..=1000).contains(&slots), "{slots} slots");
}

/// Nested tables repeat their text, and their spans share one budget per page.
#[test]
fn bounds_spans_per_page() {
    let page = format!("{}{}", "<table><tr><td colspan=60>".repeat(170), "word ".repeat(20_000));
    let tree = html::parse(&page, Options::new().errors(false)).tree;
    let all_tables: Vec<_> = tables(tree.root()).collect();
    let cut_count = all_tables.iter().filter(|table| table.is_cut).count();
    assert_eq!((all_tables.len(), cut_count), (170, 117));
    let texts: Vec<_> = all_tables.iter().map(tabulex::text::Table::texts).collect();
    let bytes = texts.iter().flatten().flatten().map(String::len).sum::<usize>();
    assert!(
        bytes < 80_000_000,
        "the tables have {bytes} bytes of text, expected fewer than 80,000,000"
    );
    // Tables beyond the depth limit are empty, as their cells are no longer in their rows.
    let has_words =
        |texts: &&Vec<Vec<String>>| texts.iter().flatten().any(|it| it.ends_with("word"));
    assert_eq!(texts.iter().filter(has_words).count(), 127);
    // Adjacent tables share the budget, too.
    let rows = "<tr>".to_owned() + &"<td colspan=1000>x".repeat(10);
    let tree = html::parse(&format!("<table>{rows}</table>").repeat(102), Options::new()).tree;
    let widths_and_cuts: Vec<_> =
        tables(tree.root()).map(|table| (table.rows[0].len(), table.is_cut)).collect();
    // Each table takes 9,990 extra slots. Of the last 1,000, the first cell of the 101st table takes 999, and no other
    // cell fits.
    assert!(widths_and_cuts[..100].iter().all(|table| *table == (10_000, false)));
    assert_eq!(widths_and_cuts[100..], [(1009, true), (10, true)]);
}

/// Line breaks count as text, so they add to the weight of a cell's slots.
#[test]
fn slots_of_cells_with_many_lines_weigh_more() {
    let cell = "<br>".repeat(32_000);
    assert_eq!(widths(&format!("<tr><td colspan=1000>{cell}<td colspan=1000>{cell}")), [1001]);
}

/// Asserts that a computation reads fewer than 5 nodes and attributes for each byte of a page of `length` bytes.
fn assert_linear(length: usize, compute: impl FnOnce()) {
    let reads_before = tabulex::__private::reads();
    compute();
    let reads = tabulex::__private::reads() - reads_before;
    assert!(
        reads > 0 && reads < 5 * length as u64,
        "{reads} nodes and attributes were read for a page of {length} bytes"
    );
}

#[test]
fn skips_many_hidden_nodes_in_linear_time() {
    let many_nodes = "x<b></b>".repeat(100_000);
    let many_details = "<details>y</details>".repeat(30_000);
    let attributes: String = (0..30_000).map(|number| format!(" a{number}")).collect();
    for (page, expected) in [
        (format!("<details>{many_nodes}"), ""),
        (
            format!(
                "<details>{many_nodes}<summary>s<details>{many_nodes}</details>t</summary>{many_nodes}"
            ),
            "s\nt",
        ),
        (format!("<details {attributes} open>{many_details}"), ""),
    ] {
        let tree = html::parse(&page, Options::new().errors(false)).tree;
        assert_linear(page.len(), || assert_eq!(rendered_text(tree.root()), expected));
    }
}

#[test]
fn reads_each_cell_once() {
    let page = format!("<table><tr><td colspan=1000>{}", "<b></b>".repeat(20_000) + "x");
    let tree = html::parse(&page, Options::new().errors(false)).tree;
    let table = tables(tree.root()).next().unwrap();
    assert_linear(page.len(), || assert_eq!(table.texts(), [vec!["x"; 1000]]));
}

/// Lays out a table and returns the number of slots in each row.
fn widths(rows: &str) -> Vec<usize> {
    let tree = html::parse(&format!("<table>{rows}"), Options::new()).tree;
    let table = tables(tree.root()).next().unwrap();
    table.rows.iter().map(Vec::len).collect()
}

#[test]
fn slots_of_cells_with_long_text_weigh_more() {
    let wide = |length: usize| format!("<td colspan=1000>{}", "x".repeat(length));
    // The first cell leaves one slot of a million, and the second one takes it. No slot is left for the third one,
    // which has only its first slot.
    let rows = format!("<tr>{}<td colspan=2>b<td colspan=2>c<td>d", wide(64_000));
    assert_eq!(widths(&rows), [1004]);
    // The cell spans as many rows as the budget allows; its first slot costs nothing.
    for span in ["2000", "0"] {
        let rows = format!("<tr><td rowspan={span}>{}", "x".repeat(64_000));
        let widths = widths(&(rows + &"<tr>".repeat(1500)));
        assert_eq!(widths.iter().sum::<usize>(), 1000, "{span}");
    }
    // The last two slots go to the second row: `b` spans into it, and the slot before `b` is taken by `c` at no further
    // cost.
    let rows = format!("<tr><td>a<td rowspan=2>b{}<td colspan=999>y<tr><td>c", wide(63_936));
    let tree = html::parse(&format!("<table>{rows}"), Options::new()).tree;
    assert_eq!(tables(tree.root()).next().unwrap().texts()[1], ["c", "b"]);
    // Five slots are left: `c`, which would need ten more, gets only its first slot, and one in the next row.
    let rows =
        format!("<tr>{}<td colspan=996>y<tr><td colspan=11 rowspan=2>c<tr><td>d", wide(63_936));
    assert_eq!(widths(&rows), [1996, 1, 2]);
}

#[test]
fn limits_spans_as_the_standard_does() {
    assert_eq!(widths("<tr><td colspan=1000>"), [1000]);
    assert_eq!(widths("<tr><td colspan=1001>"), [1000]);
    assert_eq!(widths("<tr><td colspan=99999999999999999999>"), [1000]);
    assert_eq!(widths("<tr><td colspan=' +2x'>"), [2]);
    let row_widths = widths(&format!("<tr><td rowspan=65535>{}", "<tr>".repeat(65_540)));
    assert_eq!(row_widths.iter().sum::<usize>(), 65_534);
}

#[test]
fn spanning_cells_end_with_their_group() {
    for (markup, expected) in [
        ("<tr><td rowspan=3>1<tbody id=x><tr><td>2", [["1"], ["2"]]),
        ("<tbody id=x><tr><td rowspan=3>1<tbody><tr><td>2", [["1"], ["2"]]),
    ] {
        let mut tree = html::parse(&format!("<table>{markup}"), Options::new()).tree;
        let groups = tree.root().descendants().filter(|it| it.local_name() == Some("tbody"));
        let (first, second) = {
            let row_groups: Vec<_> =
                groups.map(|it| (it.id(), it.attribute("id").is_some())).collect();
            (row_groups[0], row_groups[1])
        };
        // No parser produces rows outside of row groups, so a group is unwrapped.
        tree.unwrap(if first.1 { second.0 } else { first.0 });
        assert_eq!(tables(tree.root()).next().unwrap().texts(), expected, "{markup}");
    }
}

#[test]
fn rows_contain_cells_that_span_them() {
    for (markup, expected) in [
        ("<tr><td>1<td>2<tr><td>3", vec![vec!["1", "2"], vec!["3"]]),
        (
            "<tr><td rowspan=0>1<td>2<tr><td>3<tbody><tr><td>4",
            vec![vec!["1", "2"], vec!["1", "3"], vec!["4"]],
        ),
        ("<tr><td rowspan=2 colspan=2>1<tr><td>2", vec![vec!["1", "1"], vec!["1", "1", "2"]]),
        ("<tr><td colspan=x>1<td colspan=0>2<td><table><tr><td>i", vec![vec!["1", "2", "i"]]),
        ("<thead><tr><th rowspan=5>h<tbody><tr><td>d", vec![vec!["h"], vec!["d"]]),
        ("<tfoot><tr><td>f<tbody><tr><td>d", vec![vec!["d"], vec!["f"]]),
        ("<caption><b><i>c</i></b></caption><tr><td>1", vec![vec!["1"]]),
        (
            "<tr><td rowspan=3>1<td rowspan=2>2<tr><td>3<tr><td>4<tr><td>5",
            vec![vec!["1", "2"], vec!["1", "2", "3"], vec!["1", "4"], vec!["5"]],
        ),
    ] {
        let tree = html::parse(&format!("<table>{markup}"), Options::new()).tree;
        assert_eq!(tables(tree.root()).next().unwrap().texts(), expected, "{markup}");
    }
}
