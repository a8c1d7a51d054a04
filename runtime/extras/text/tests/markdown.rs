//! Conversion of pages to Markdown, by cases and by parsing the output with a CommonMark parser: no word is lost or
//! added.

use pulldown_cmark::{Event, Options as Extensions, Parser, Tag, TagEnd};
use tabulex::text::{markdown, words};
use tabulex::tree::Tree;
use tabulex::{Options, html};

fn cases() -> Vec<(String, String)> {
    let (mut markup, mut cases) = (String::new(), Vec::new());
    for line in include_str!("markdown.txt").lines().filter(|line| !line.starts_with("# ")) {
        if let Some(expected) = line.strip_prefix("= ") {
            cases.push((std::mem::take(&mut markup), unescape(expected) + "\n"));
        } else {
            markup += if markup.is_empty() { "" } else { "\n" };
            markup += line;
        }
    }
    cases
}

/// Replaces each `\n` by a line break. No case contains a literal backslash before an `n`.
fn unescape(expected: &str) -> String {
    expected.replace("\\n", "\n")
}

fn tree(markup: &str) -> Tree {
    html::parse(markup, Options::new()).tree
}

/// Returns the words that a Markdown reader sees, with white space between blocks, cells and lines.
fn visible_words(markdown: &str) -> Vec<String> {
    let extensions =
        Extensions::ENABLE_TABLES | Extensions::ENABLE_STRIKETHROUGH | Extensions::ENABLE_TASKLISTS;
    let (mut text, mut open_images) = (String::new(), 0);
    for event in Parser::new_ext(markdown, extensions) {
        match event {
            Event::Start(Tag::Image { .. }) => open_images += 1,
            Event::End(TagEnd::Image) => open_images -= 1,
            // Alternative text of images is not rendered text.
            Event::Text(_) | Event::Code(_) if open_images > 0 => {}
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::InlineHtml(part) if &*part == "<!-- -->" => {}
            Event::InlineHtml(part) if &*part == "<br>" => text.push(' '),
            Event::InlineHtml(part) if ["<sub>", "</sub>", "<sup>", "</sup>"].contains(&&*part) => {
            }
            Event::Html(part) | Event::InlineHtml(part) => panic!("markup: {part}\n{markdown}"),
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. })
            | Event::End(
                TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link,
            ) => {}
            _ => text.push(' '),
        }
    }
    text.split_whitespace().map(str::to_owned).collect()
}

/// Returns the beginning of a text, for messages.
fn excerpt(text: &str) -> &str {
    &text[..text.floor_char_boundary(2000)]
}

fn assert_words_survive(markup: &str) {
    let tree = tree(markup);
    let output = markdown(tree.root());
    let (actual, expected) = (visible_words(&output), words(tree.root()));
    assert!(
        actual == expected,
        "words differ in the Markdown of {}\n{}",
        excerpt(markup),
        excerpt(&output)
    );
}

/// Asserts that all letters survive. White space is ignored, because Markdown separates cells outside of rows and
/// [`words`] does not.
fn assert_letters_survive(markup: &str, options: Options) {
    let tree = html::parse(markup, options).tree;
    let output = markdown(tree.root());
    let (actual, expected) = (visible_words(&output).concat(), words(tree.root()).concat());
    assert!(
        actual == expected,
        "{}\n{}\n{actual}\nbut {expected}",
        excerpt(markup),
        excerpt(&output)
    );
}

#[test]
fn writes_the_cases() {
    let cases = cases();
    assert!(!cases.is_empty());
    let failures: Vec<_> = cases
        .into_iter()
        .map(|(markup, expected)| (markdown(tree(&markup).root()), expected, markup))
        .filter(|(output, expected, _)| output != expected)
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn writes_single_nodes_with_marks_even_if_hidden() {
    let tree = tree("<b id=b>1</b><p hidden id=p>2<i>3</i>");
    let to_markdown = |id| markdown(tree.element_by_id(id).unwrap());
    assert_eq!(to_markdown("b"), "**1**\n");
    assert_eq!(to_markdown("p"), "2*3*\n");
}

#[test]
fn loses_no_word() {
    cases().iter().for_each(|(markup, _)| assert_words_survive(markup));
    // Letters, elements and characters that have a meaning in Markdown, to be combined at random.
    let parts = [
        "a",
        " ",
        "*",
        "_",
        "`",
        "~~",
        "[",
        "](",
        ")",
        "!",
        "&lt;",
        ">",
        "&amp;",
        "#",
        "1.",
        "-",
        "+",
        "=",
        "|",
        "\\",
        "\u{A0}",
        "\u{E9}",
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<s>",
        "</s>",
        "<a href=u>",
        "</a>",
        "<br>",
        "<p>",
        "<code>",
        "</code>",
        "<li>",
        "<ul>",
        "</ul>",
        "<blockquote>",
        "</blockquote>",
        "<h3>",
        "</h3>",
        "<img src=v>",
        "<sup>",
        "</sup>",
    ];
    let mut random = random();
    for _ in 0..20_000 {
        assert_words_survive(&(0..12).map(|_| parts[random(parts.len())]).collect::<String>());
    }
}

/// Returns a deterministic generator of numbers below its argument.
fn random() -> impl FnMut(usize) -> usize {
    let mut state = 1_u64;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    }
}

#[test]
fn loses_no_word_of_tables() {
    let parts = [
        "<table>",
        "<table><tr><td>",
        "<caption>",
        "<thead>",
        "<tbody>",
        "<tr>",
        "<td>",
        "<th>",
        "<td colspan=2>",
        "<td rowspan=2>",
        "<td rowspan=0 colspan=3>",
        "</td>",
        "</tr>",
        "</table>",
        "a",
        "b",
        "<b>c",
        "<i>d</i>",
        "<br>",
        "<p>e",
        "<li>f",
        "<ul><li>",
        "</ul>",
        "<blockquote>",
        "</blockquote>",
        "<form>",
        "<td hidden>g",
        "<tr hidden><td>h",
        "<img alt=i>",
        "<details><summary>",
        "</details>",
        "<script>j</script>",
        "<pre>k",
        "<code>l</code>",
        "<a href=m>n",
    ];
    let mut random = random();
    for _ in 0..20_000 {
        let depth = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 513][random(11)];
        let markup = (0..16).map(|_| parts[random(parts.len())]).collect::<String>();
        assert_letters_survive(&markup, Options::new().errors(false).depth_limit(depth));
    }
}

/// Keeps the words of tables nested deeper than the parser's limit, where cells lie outside their rows.
#[test]
fn keeps_words_of_too_deep_tables() {
    let words = "word ".repeat(2_000);
    for prefix in [
        "<table><tr><td colspan=60>",
        "<table><tr><td rowspan=60>a<td>",
        "<table><tr><td><ul><li>",
        "<table><tr><td><blockquote>",
        "<table><caption>b<table><tr><td>",
        "<ul><li><blockquote><table><tr><td colspan=2><table><tr><td>c",
        "<table><tr><td><b><i>",
    ] {
        for depth in [20, 80, 100, 126, 127, 128, 129, 170] {
            assert_words_survive(&format!("{}{words}", prefix.repeat(depth)));
        }
    }
    let page = format!("{}{words}", "<table><tr><td colspan=60>".repeat(128));
    assert_eq!(markdown(tree(&page).root()), words.trim_end().to_owned() + "\n");
}

/// Writes many delimiters, each of which could pair with any later one.
#[test]
fn writes_many_delimiters() {
    let page = "<b>*</b>".repeat(100_000);
    let tree = tree(&page);
    let output = markdown(tree.root());
    assert!(output.starts_with("**\\***") && output.len() < 3 * page.len(), "{}", excerpt(&output));
}

/// The output is at most a small multiple of the page, whatever its cells span.
#[test]
fn bounds_spans() {
    for rows in [
        "<tr><td colspan=1000>x<td>y".repeat(400),
        "<tr><td colspan=1000>x".to_owned() + &"<tr><td>".repeat(400),
        "<tr>".to_owned() + &"<td rowspan=65534>".repeat(400) + "x" + &"<tr>".repeat(400),
        "<tr>".to_owned() + &"<td rowspan=65534 colspan=1000>".repeat(400) + &"<tr>".repeat(400),
        "<tr>".to_owned() + &"<td>x".repeat(400) + &"<tr><td>y".repeat(400),
    ] {
        let page = format!("<table>{rows}</table>");
        let output = markdown(tree(&page).root());
        assert!(
            output.len() < 4 * page.len(),
            "{} bytes written for a page of {} bytes",
            output.len(),
            page.len()
        );
        assert_words_survive(&page);
    }
}

/// A link around many blocks is repeated in each of them until the budget for repeated URLs is used up.
#[test]
fn bounds_repeated_links() {
    let url = "u".repeat(100_000);
    let page = format!("<a href={url}>{}</a><b>y<p>z</b><a href=v>w", "<div>x</div>".repeat(5000));
    let output = markdown(tree(&page).root());
    assert!((1 << 20..5 << 18).contains(&output.len()), "{} bytes", output.len());
    let link_count = output.lines().filter(|line| line.starts_with("[x](u")).count();
    assert_eq!(link_count, 11);
    assert_eq!(output.lines().filter(|line| *line == "x").count(), 5000 - link_count);
    assert!(output.ends_with("\n\n**y**\n\n**z**[w](v)\n"), "{:?}", output.rsplit_once('x'));
}

/// The end of a dropped link's element closes no other mark.
#[test]
fn dropped_links_close_no_other_marks() {
    let url = "u".repeat(600_000);
    let page = format!("<b><a href={url}><p>x</p><p>y</p></a>z</b>w");
    let output = markdown(tree(&page).root());
    // The link is written in two paragraphs; a third would exceed the budget.
    assert_eq!(output.rsplit('u').next(), Some(")**\n\n**z**w\n"));
}

/// In sparse tables, rows after the first are not padded with empty cells.
#[test]
fn pads_rows_of_dense_tables_only() {
    let table = |header_cell: &str, width: usize, height: usize| {
        let rows = "<tr><td>c".repeat(height - 1);
        let page = format!("<table><tr>{}{rows}</table>", header_cell.repeat(width));
        markdown(tree(&page).root())
    };
    // A table is padded to at most 4 slots per cell and 16 more: 18 cells may have 88 slots, but 19 cells not 96.
    assert!(table("<th>b", 11, 8).ends_with(&format!("\n| c |{}\n", " |".repeat(10))));
    assert!(table("<th>b", 12, 8).ends_with("\n| c |\n"));
    let page = format!("<table><tr><th>a<tr>{}{}", "<td>b".repeat(12), "<tr><td>c".repeat(8));
    let first_line = format!("| a |{}\n", " |".repeat(11));
    assert!(markdown(tree(&page).root()).starts_with(&first_line));
}

/// Writes many dots and parentheses, each of which might follow a number that begins a line.
#[test]
fn writes_long_lines_in_linear_time() {
    let page = format!("<p>1234567890. 1.{}<br>123456789.", ".)".repeat(200_000));
    let output = markdown(tree(&page).root());
    assert!(output.starts_with("1234567890. 1.") && output.ends_with("\n123456789\\.\n"));
    assert_words_survive(&page);
}

#[test]
fn bounds_depth() {
    let page = format!("{}x", "<ul><li>y<blockquote>".repeat(20_000));
    let tree = html::parse(&page, Options::new().depth_limit(usize::MAX)).tree;
    let output = markdown(tree.root());
    assert!(output.len() < 60 * 40_000, "{} bytes", output.len());
    assert_eq!(words(tree.root()).len(), 20_001);
    // Nested captions must not cause recursion, either.
    let page = "<table><caption>y".repeat(20_000) + &"</caption><tr><td>z</table>".repeat(20_000);
    let tree = html::parse(&page, Options::new().depth_limit(usize::MAX)).tree;
    assert!(markdown(tree.root()).ends_with("\n\nz\n"));
}

#[test]
fn writes_deeper_blocks_at_maximum_depth() {
    let (quotes, quote_end) = ("<blockquote>".repeat(26), "</blockquote>");
    let output = markdown(tree(&format!("{quotes}a{quote_end}b{}c", quote_end.repeat(2))).root());
    let [deepest, outer] = [24, 23].map(|depth| "> ".repeat(depth));
    let (blank, between) = (deepest.trim_end(), outer.trim_end());
    assert_eq!(output, format!("{deepest}a\n{blank}\n{deepest}b\n{between}\n{outer}c\n"));
    // Items beyond the maximum depth are written as paragraphs.
    let quotes = "<blockquote>".repeat(24);
    let output = markdown(tree(&format!("{quotes}<ul><li></li><li>a<p>b</ul>")).root());
    assert_eq!(output, format!("{deepest}a\n{blank}\n{deepest}b\n"));
}
