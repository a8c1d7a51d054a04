//! Source positions of nodes and attributes in trees, checked against the input itself.

use std::collections::BTreeSet;
use tabulex::encoding::{Encoding, Hints};
use tabulex::tree::{NodeKind, NodeRef, Positions, Tree};
use tabulex::{Dialect, FragmentContext, Options, Span};
use tabulex_tests::compiled::dialect;
use tabulex_tests::inputs::characters;
use tabulex_tests::markup::{markup, names};
use tabulex_tests::random::Random;
use tabulex_tests::sample;

/// Whether markup is parsed verbatim: it has no references, carriage returns or U+0000.
fn is_plain(written: &str) -> bool {
    !written.contains(['&', '\r', '\0'])
}

/// Checks that the input at a node's position matches the node; returns 1 if they were compared, and otherwise 0.
fn check_node(input: &str, node: NodeRef<'_>) -> usize {
    let label = || format!("{node:?} in {input:?}");
    let slice = |span: Span| &input[span.start..span.end];
    let end_tag = node.end_tag_span().map(slice);
    if let Some(end_tag) = end_tag {
        let is_tag = end_tag.starts_with("</") && end_tag.ends_with('>');
        assert!(is_tag, "{end_tag:?} of {}", label());
        assert!(node.is_element(), "{} has an end tag, but is not an element", label());
    }
    // A node without a position has no markup to compare. It may be a copy of a formatting element, whose attributes
    // keep their positions in the original tag, so attributes are not checked either.
    let Some(span) = node.span() else { return 0 };
    let written = slice(span);
    match node.kind() {
        NodeKind::Element => {
            assert!(
                written.starts_with('<') && written.ends_with('>'),
                "{written:?} of {}",
                label()
            );
            let name = node.name().expect("an element has a name").to_string();
            let tag_name = written.get(1..1 + name.len()).unwrap_or_default();
            // `<image>`, which creates an `img`, is the only tag whose element has a different name.
            let is_same_name = tag_name.eq_ignore_ascii_case(&name) || name == "img";
            assert!(is_same_name || !is_plain(written), "{written:?} of {}", label());
            check_attributes(input, span, node)
        }
        NodeKind::Comment => {
            let data = node.data().unwrap_or_default();
            assert!(written.starts_with('<'), "{written:?} of {}", label());
            assert!(!is_plain(written) || written.contains(data), "{written:?} of {}", label());
            1
        }
        NodeKind::Text => {
            let data = node.data().unwrap_or_default();
            // A text with a tag or the end of a CDATA section in its range is not compared. In others, characters may
            // be dropped: a first line feed or, in a frameset, everything but white space.
            let has_gaps = written.contains('<') || written.contains("]]>");
            let mut remaining = written.chars();
            let is_subsequence =
                data.chars().all(|expected| remaining.any(|other| other == expected));
            assert!(has_gaps || !is_plain(written) || is_subsequence, "{written:?} of {}", label());
            assert!(!written.is_empty(), "{} has an empty range", label());
            1
        }
        NodeKind::Doctype | NodeKind::ProcessingInstruction => {
            assert!(
                written.starts_with('<') && written.ends_with('>'),
                "{written:?} of {}",
                label()
            );
            1
        }
        _ => 0,
    }
}

/// Checks that the ranges of the attributes written in an element's tag are in order, and contain their names and
/// values. Attributes that another tag added are skipped. Returns 1, the number of nodes compared.
fn check_attributes(input: &str, tag: Span, node: NodeRef<'_>) -> usize {
    let mut previous_end = tag.start;
    for attribute in node.attributes() {
        let label = || format!("{attribute:?} of {node:?} in {input:?}");
        let (Some(name), Some(value)) = (attribute.name_span(), attribute.value_span()) else {
            // The tree has no positions for this attribute, so there is nothing to compare.
            continue;
        };
        if name.start < tag.start || value.end > tag.end {
            // Another tag, such as a second `<html>`, added the attribute.
            continue;
        }
        assert!(
            previous_end < name.start && name.end <= value.start && value.end < tag.end,
            "{}: ranges out of order",
            label()
        );
        previous_end = value.end;
        let [written_name, written_value] = [name, value].map(|span| &input[span.start..span.end]);
        let qualified_name = attribute.name().to_string();
        assert!(
            !is_plain(written_name) || written_name.eq_ignore_ascii_case(&qualified_name),
            "{}: wrong range of the name",
            label()
        );
        assert!(
            !is_plain(written_value) || written_value == attribute.value(),
            "{}: wrong range of the value",
            label()
        );
    }
    1
}

/// Returns the ranges of all nodes, end tags, and attributes of a tree, in node order.
fn ranges(tree: &Tree) -> Vec<Option<Span>> {
    let nodes = (1..tree.node_count()).filter_map(|index| tree.node_at(index));
    let ranges = nodes.flat_map(|node| {
        let attributes =
            node.attributes().flat_map(|attribute| [attribute.name_span(), attribute.value_span()]);
        [vec![node.span(), node.end_tag_span()], attributes.collect()].concat()
    });
    ranges.collect()
}

/// Parses an input whole, in characters and as bytes, and returns the trees in this order.
fn trees(
    dialect: &Dialect,
    input: &str,
    context: Option<&FragmentContext>,
    positions: Positions,
) -> [Tree; 3] {
    let parser = || {
        let hints = Hints::new().transport(Encoding::UTF_8);
        let options = Options::new().positions(positions).encoding(hints);
        let parser = match context {
            Some(context) => dialect.fragment_parser(context, &options),
            None => dialect.parser(&options),
        };
        parser.unwrap()
    };
    let mut by_character = parser();
    characters(input).into_iter().for_each(|character| by_character.feed(character));
    let whole = parser().parse(input);
    [whole.tree, by_character.finish_and_reset().tree, parser().parse_bytes(input.as_bytes()).tree]
}

/// Checks the ranges of an input's nodes, for each way to parse and each option. Returns the number of nodes compared
/// with the input.
fn check(dialect: &Dialect, input: &str, context: Option<&FragmentContext>) -> usize {
    let parsed_trees = trees(dialect, input, context, Positions::All);
    let expected = ranges(&parsed_trees[0]);
    for tree in &parsed_trees[1..] {
        let found = ranges(tree);
        assert_eq!(found.len(), expected.len(), "{input:?}");
        let differing = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        assert_eq!(differing, None, "{input:?}");
    }
    let nodes =
        || (1..parsed_trees[0].node_count()).filter_map(|index| parsed_trees[0].node_at(index));
    for tree in trees(dialect, input, context, Positions::Nodes) {
        for (node, other) in nodes().zip((1..tree.node_count()).filter_map(|it| tree.node_at(it))) {
            assert_eq!((node.span(), node.end_tag_span()), (other.span(), other.end_tag_span()));
            assert!(other.attributes().all(|it| (it.name_span(), it.value_span()) == (None, None)));
        }
    }
    for tree in trees(dialect, input, context, Positions::None) {
        assert!(ranges(&tree).iter().all(Option::is_none), "{input:?}");
    }
    nodes().map(|node| check_node(input, node)).sum()
}

/// Returns random markup of XML and similar languages.
fn plain_markup(random: &mut Random) -> String {
    const PIECES: &[&str] = &[
        "<a>",
        "<b c='d' e=\"f&amp;g\">",
        "</a>",
        "</b>",
        "</>",
        "text",
        "\r\n",
        "<!-- c -->",
        "<?t d?>",
        "&lt;",
        "<c x:y = 'z'/>",
        "\u{E9}<\u{E9}/>",
        "<![CDATA[d]]>",
        "<![CDATA[]]d]e]]]f",
        "]]>",
        "<a\r\nb='c\r\nd'\r\n>",
    ];
    (0..random.below(30)).map(|_| *random.pick(PIECES)).collect()
}

#[test]
fn source_ranges_match_the_nodes() {
    let names = names("html");
    let contexts = ["div", "table", "svg g", "select", "title"].map(FragmentContext::from);
    let mut checked_dialects = BTreeSet::new();
    for dialect in tabulex::dialects().iter().filter(|dialect| dialect.elements().is_some()) {
        let mut count = 0;
        for seed in sample::seeds("positions", 0..2000, 40) {
            let mut random = Random::new(seed);
            let input = match dialect.id().starts_with("html") {
                true => markup(&mut random, &names, 60),
                false => plain_markup(&mut random),
            };
            count += check(dialect, &input, None);
            if dialect.id() == "html" {
                let context = random.pick(&contexts).clone();
                count += check(dialect, &input, Some(&context));
            }
        }
        assert!(
            count > 100,
            "{}: only {count} nodes were compared, expected more than 100",
            dialect.id()
        );
        checked_dialects.insert(dialect.id());
    }
    assert!(
        checked_dialects.len() >= 5,
        "only {checked_dialects:?} were checked, expected at least 5 dialects"
    );
}

/// Brackets that might end a CDATA section but do not are part of its text.
#[test]
fn held_brackets_are_text() {
    let prefixes = [("xml-er", "<a><![CDATA["), ("html", "<svg><![CDATA[")];
    for (name, before) in prefixes {
        let dialect = dialect(name);
        for data in
            ["]z", "]]z", "]]]z", "]]]]z", "]", "]]", "]z]]y", "]]\u{E9}", "z]]]y", "]]]]]z]"]
        {
            let input = format!("{before}{data}]]>");
            for tree in trees(dialect, &input, None, Positions::All) {
                let nodes = (1..tree.node_count()).filter_map(|index| tree.node_at(index));
                let texts: Vec<_> = nodes.filter(|node| node.kind() == NodeKind::Text).collect();
                let [text] = texts[..] else { panic!("{texts:?} in {input:?}") };
                let span = text.span().expect("a text has a range");
                assert_eq!(text.data(), Some(data), "{name} {input:?}");
                assert_eq!(span.start, before.len(), "{name} {input:?}");
                assert!(span.end >= before.len() + data.len(), "{name} {input:?}");
            }
        }
    }
}
