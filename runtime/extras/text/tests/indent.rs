//! Indentation of trees: cases, and properties that hold for every page. Indenting changes only white space, keeps the
//! rendered text, and is idempotent.

use std::path::{Path, PathBuf};
use tabulex::text::{indent, pretty, rendered_text};
use tabulex::tree::{Edge, NodeRef};
use tabulex::{Options, html};

#[test]
fn changes_only_invisible_white_space() {
    for (markup, expected) in [
        ("a<p>b</p>c", "a<p>b</p>c"),
        ("<p>a</p> <p>b</p>", "<p>a</p>\n<p>b</p>"),
        ("<div> <p>a</p> b <p>c</p> </div>", "<div>\n  <p>a</p> b <p>c</p>\n</div>"),
        ("<div> </div><div></div>", "<div> </div>\n<div></div>"),
        ("<div><!--1--> <!--2--></div>", "<div>\n  <!--1-->\n  <!--2-->\n</div>"),
        ("<p>a</p><script>x</script><p>b</p>", "<p>a</p>\n<script>x</script>\n<p>b</p>"),
        ("<p>a</p><script>x</script>b", "<p>a</p><script>x</script>b"),
        ("<a> <div>1</div><div>2</div></a>", "<a> <div>1</div>\n<div>2</div></a>"),
        ("<pre><div> <p> a</p></div></pre>", "<pre><div> <p> a</p></div></pre>"),
        ("<textarea> <p></textarea>", "<textarea> &lt;p&gt;</textarea>"),
        ("<div>&nbsp;<p>a</div>", "<div>&nbsp;<p>a</p>\n</div>"),
        ("<svg><g> </g></svg><hr>", "<svg><g> </g></svg><hr>"),
        (
            "<svg><foreignObject><p>a</p> <p>b</p></foreignObject></svg>",
            "<svg><foreignObject><p>a</p> <p>b</p></foreignObject></svg>",
        ),
        (
            "<datalist> <option>a</option> <option>b</option></datalist>",
            "<datalist> <option>a</option> <option>b</option></datalist>",
        ),
        (
            "<table><colgroup><col><col></colgroup><tr><td>1<td><ul><li>2",
            "<table>\n  <colgroup><col><col></colgroup>\n  <tbody>\n    <tr>\n      <td>1</td>\n      <td>\n        <ul>\n          \
             <li>2</li>\n        </ul>\n      </td>\n    </tr>\n  </tbody>\n</table>",
        ),
    ] {
        let mut tree = html::parse_fragment(markup, "div", Options::new()).tree;
        let root = tree.document_element().unwrap().id();
        indent(&mut tree, root, "  ");
        assert_eq!(html::serializer().inner(tree.node(root)), expected, "{markup}");
    }
}

#[test]
fn indents_subtrees_from_their_own_edge() {
    let page = "<section><div id=x><p>a</p></div></section>";
    let mut tree = html::parse_fragment(page, "div", Options::new()).tree;
    let div = tree.element_by_id("x").unwrap().id();
    indent(&mut tree, div, "  ");
    let expected = "<div id=\"x\">\n  <p>a</p>\n</div>";
    assert_eq!(html::serializer().outer(tree.node(div)), expected);
}

#[test]
fn indents_nodes_of_every_kind() {
    let page = "<!DOCTYPE html><!--a--><title>t</title><h1 id=x>Hi</h1><p>a<br>b";
    let mut tree = html::parse(page, Options::new()).tree;
    let serializer = html::serializer();
    let to_pretty = |node: NodeRef<'_>| pretty(node, &serializer);
    let expected_html = "<html>\n  <head>\n    <title>t</title>\n  </head>\n  <body>\n    \
        <h1 id=\"x\">Hi</h1>\n    <p>a<br>b</p>\n  </body></html>";
    assert_eq!(to_pretty(tree.root()), format!("<!DOCTYPE html>\n<!--a-->\n{expected_html}"));
    assert_eq!(to_pretty(tree.document_element().unwrap()), expected_html);
    let comment = tree.root().children().find(|node| node.data() == Some("a")).unwrap();
    assert_eq!(to_pretty(comment), "<!--a-->");
    let heading = tree.element_by_id("x").unwrap();
    assert_eq!(to_pretty(heading.first_child().unwrap()), "Hi");
    let (heading, text) = (heading.id(), tree.create_text("b"));
    tree.detach(heading);
    assert_eq!(pretty(tree.node(heading), &serializer), "<h1 id=\"x\">Hi</h1>");
    assert_eq!(pretty(tree.node(text), &serializer), "b");
}

/// Serializes the nodes and texts of a page without white space.
fn without_space(root: NodeRef<'_>) -> String {
    let mut serialized = String::new();
    for edge in root.walk_with_contents() {
        match edge {
            Edge::Open(node) if node.is_text() => {
                let text = node.data().unwrap_or_default();
                serialized
                    .extend(text.chars().filter(|character| !character.is_ascii_whitespace()));
            }
            Edge::Open(node) => {
                let attributes: Vec<_> = node.attributes().collect();
                serialized += &format!(
                    "\n<{:?} {:?} {attributes:?} {:?}>",
                    node.kind(),
                    node.name(),
                    node.data()
                );
            }
            Edge::Close(node) if !node.is_text() => serialized += "\n</>",
            _ => {}
        }
    }
    serialized
}

/// Asserts that indenting does not change a page's content. Returns `false` without a check if a round trip through the
/// serializer and the parser alone changes the page.
fn survives_indentation(page: &str, label: &str) -> bool {
    let parse = |text: &str| html::parse(text, Options::new()).tree;
    let serializer = html::serializer();
    let tree = parse(&serializer.inner(parse(page).root()));
    if parse(&serializer.inner(tree.root())) != tree {
        return false;
    }
    let text = pretty(tree.root(), &serializer);
    let reparsed = parse(&text);
    assert_eq!(without_space(reparsed.root()), without_space(tree.root()), "{label}: nodes");
    assert_eq!(
        rendered_text(reparsed.root()),
        rendered_text(tree.root()),
        "{label}: rendered text"
    );
    assert_eq!(pretty(reparsed.root(), &serializer), text, "{label}: indented again");
    true
}

#[test]
fn indented_pages_parse_to_equal_content() {
    let parts = [
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<ul>",
        "<li>",
        "</ul>",
        "<b>",
        "</b>",
        "a",
        " ",
        "\n",
        " b ",
        "<!--c-->",
        "<br>",
        "<pre>",
        "</pre>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<script>x</script>",
        "<textarea>",
        "</textarea>",
        "<a>",
        "<select>",
        "<option>",
        "</select>",
        "<template>",
        "</template>",
        "<svg>",
        "</svg>",
        "<span>",
        "</span>",
        "<hr>",
        "<details>",
        "<summary>",
        "<head>",
        "<title>t</title>",
        "<body>",
        "</body>",
        "</html>",
        "<frameset>",
        "<col>",
        "<dl>",
        "<dt>",
        "<caption>",
        "<noscript>",
        "<style>",
        "</style>",
        "&nbsp;",
        "<img>",
        "<object>",
        "<xmp>",
        "</xmp>",
        "<legend>",
    ];
    let (mut state, mut count) = (1_u64, 0);
    for _ in 0..4000 {
        let mut page = String::new();
        for _ in 0..14 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            page += parts[(state >> 33) as usize % parts.len()];
        }
        count += usize::from(survives_indentation(&page, &page));
    }
    assert!(count > 3000, "only {count} pages were compared");
}

#[test]
fn indented_corpus_pages_parse_to_equal_content() {
    let manifest_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::var_os("TABULEX_SHARED");
    let folder = folder.map_or_else(|| manifest_folder.join("../../../../shared"), PathBuf::from);
    let Ok(pages) = std::fs::read_dir(folder.join("corpus/html/pages")) else {
        return eprintln!(
            "suite absent: corpus/html/pages; set `TABULEX_SHARED` to the folder that contains it"
        );
    };
    let mut pages: Vec<_> = pages.flatten().map(|page| page.path()).collect();
    pages.sort();
    // Only one page in seven is compared, because a page takes 0.1 s in a debug build.
    let mut count = 0;
    for page in pages.iter().step_by(7) {
        let text = String::from_utf8_lossy(&std::fs::read(page).unwrap()).into_owned();
        count += usize::from(survives_indentation(&text, &page.display().to_string()));
    }
    assert!(count > 30, "only {count} pages were compared");
}

#[test]
fn bounds_depth() {
    let page = format!("{}x", "<div><div></div>".repeat(20_000));
    let options = || Options::new().depth_limit(usize::MAX);
    let indented = pretty(html::parse(&page, options()).tree.root(), &html::serializer());
    assert!(indented.len() < 20_000 * 300, "{} bytes", indented.len());
    let reparsed = html::parse(&indented, options()).tree;
    assert_eq!(pretty(reparsed.root(), &html::serializer()), indented);
}
