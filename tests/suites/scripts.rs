//! Scripts that write: the tree equals that of a stream in which each text follows the script that wrote it. A script
//! is a number, and writes the text with that number, which contains only scripts with higher numbers, so that they
//! end.

use tabulex::tree::{NodeId, Tree};
use tabulex::xml_er::{self, XmlEr};
use tabulex::{Limits, Options, Parser, Span, WriteNode as _, html};
use tabulex_tests::inputs::cut;
use tabulex_tests::markup::{markup, names};
use tabulex_tests::random::Random;
use tabulex_tests::sample;

/// A host that runs scripts, and records the stream as the parser reads it.
struct Host {
    parser: html::Parser,
    texts: Vec<String>,
    stream: String,
    runs: usize,
}

impl Host {
    fn new(texts: Vec<String>) -> Self {
        let mut parser = html::parser(Options::new().scripting(true));
        parser.pause_at_scripts(true);
        Self { parser, texts, stream: String::new(), runs: 0 }
    }

    fn feed(&mut self, chunk: &str) {
        self.stream.push_str(chunk);
        let mut script = self.parser.feed_to_script(chunk);
        while let Some(node) = script {
            self.run(node);
            script = self.parser.resume_after_script();
        }
    }

    fn run(&mut self, script: NodeId) {
        let node = self.parser.sink().node(script);
        let number = node.text().parse::<usize>().ok();
        let Some(text) = number.and_then(|number| self.texts.get(number)).cloned() else { return };
        self.runs += 1;
        let end = node.end_tag_span().or(node.span()).expect("a script has a position").end;
        self.stream.insert_str(end, &text);
        let mut inner_script = self.parser.write_text(&text);
        while let Some(node) = inner_script {
            self.run(node);
            inner_script = self.parser.resume_after_script();
        }
    }
}

/// Returns random markup with scripts of these numbers.
fn with_scripts(random: &mut Random, names: &[String], numbers: std::ops::Range<usize>) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(4) {
        // Markup without CR is used, because positions after written text may be off by one if lines end with CR LF.
        text += &markup(random, names, 6).replace('\r', "");
        if numbers.start < numbers.end && !random.one_in(3) {
            let number = numbers.start + random.below(numbers.end - numbers.start);
            text += &format!("<script>{number}</script>");
        }
    }
    // Some texts are cut at a random position, even within a tag, as scripts may write incomplete markup.
    if random.one_in(3) {
        text.truncate(text.floor_char_boundary(random.below(text.len() + 1)));
    }
    text
}

/// Text written before there is input precedes all of it, even if the input is then parsed as a whole.
#[test]
fn a_text_may_be_written_first() {
    let mut parser = html::parser(Options::new().scripting(true));
    assert_eq!(parser.write_text("<b>1"), None);
    let parsed = parser.parse("2</b>3");
    let whole = html::parse("<b>12</b>3", Options::new().scripting(true));
    assert!(
        parsed.tree.root().is_like(&whole.tree.root()),
        "the tree differs from that of the whole text: {:?}",
        parsed.tree
    );
}

/// XML written before any input declares prefixes for repeated tags that follow.
#[test]
fn a_text_may_be_written_before_repeated_tags() {
    let (written, remaining) =
        ("<r xmlns:p='u'>", format!("{}</r>", "<e p:a='1' b='2'/>".repeat(4)));
    let mut parser = Parser::<XmlEr>::new(&Options::new());
    assert_eq!(parser.write_text(written), None);
    let parsed = parser.parse(&remaining);
    let whole = xml_er::parse(&format!("{written}{remaining}"), Options::new());
    assert!(
        parsed.tree.root().is_like(&whole.tree.root()),
        "the tree differs from that of the whole text: {:?}",
        parsed.tree
    );
}

/// Parsing a whole input does not pause at scripts, even if the parser is set to do so.
#[test]
fn whole_inputs_do_not_pause() {
    let input = "<p>1<script>2</script>3<script>4</script>5";
    let whole = html::parse(input, Options::new());
    // With the token limit of 20, which the input exceeds, even a whole input is parsed in chunks.
    for limits in [Limits::new(), Limits::new().token(20)] {
        let options = Options::new().limits(limits);
        let mut parser = html::parser(options.clone());
        parser.pause_at_scripts(true);
        let mut sink_parser = html::Parser::with_sink(Tree::new(), &options);
        sink_parser.pause_at_scripts(true);
        for tree in [parser.parse(input).tree, sink_parser.finish_with(input).tree] {
            assert_eq!(tree.root().to_dump(), whole.tree.root().to_dump());
        }
    }
}

#[test]
fn script_output_follows_the_script() {
    let names = names("html");
    let mut runs = 0;
    for seed in sample::seeds("scripts that write", 0..20_000, 1500) {
        let mut random = Random::new(seed);
        let texts = (0..6).map(|index| with_scripts(&mut random, &names, index + 1..6)).collect();
        let page = with_scripts(&mut random, &names, 0..6);
        let mut host = Host::new(texts);
        cut(&mut random, &page, 4).into_iter().for_each(|chunk| host.feed(chunk));
        runs += host.runs;
        let Host { parser, stream, .. } = host;
        let (found, expected) =
            (parser.finish(), html::parse(&stream, Options::new().scripting(true)));
        let dump = |parsed: &tabulex::Parsed| parsed.tree.root().to_dump();
        let (found_dump, expected_dump) = (dump(&found), dump(&expected));
        let differing_line = found_dump
            .lines()
            .zip(expected_dump.lines())
            .position(|(found, expected)| found != expected);
        assert!(
            found_dump == expected_dump,
            "seed {seed}: {page:?} reads {stream:?}: the dumps differ at line {differing_line:?}\n{found_dump}\n{expected_dump}"
        );
        assert_eq!(found.errors, expected.errors, "seed {seed}: {stream:?}");
    }
    assert!(runs > 300, "only {runs} scripts wrote text, expected more than 300");
}

/// All following input waits for a script, however long the chunk is, and positions are unaffected.
#[test]
fn input_after_a_script_waits_for_it() {
    let line = "<p>text\r\n<!--c-->\r";
    let long_text = line.repeat(80_000);
    let input =
        format!("<b>{long_text}<script>1</script>{line}<script>2</script>{long_text}<i>\r\n");
    let whole = html::parse(&input, Options::new());
    for limits in [Limits::new(), Limits::new().bytes(1 << 30)] {
        let mut parser = html::parser(Options::new().limits(limits));
        parser.pause_at_scripts(true);
        let mut texts = Vec::new();
        let mut script = parser.feed_to_script(&input);
        while let Some(node) = script {
            texts.push(parser.sink().node(node).text());
            script = parser.resume_after_script();
        }
        let parsed = parser.finish();
        assert_eq!(texts, ["1", "2"]);
        assert!(parsed.tree == whole.tree && parsed.errors == whole.errors);
        let spans = |tree: &Tree| -> Vec<Option<Span>> {
            let root = tree.root();
            root.descendants().flat_map(|node| [node.span(), node.end_tag_span()]).collect()
        };
        assert!(spans(&parsed.tree) == spans(&whole.tree));
    }
}

/// A formatting element is reconstructed from its tag, regardless of changes by scripts to it and its copies.
#[test]
fn reconstruction_ignores_changes_by_scripts() {
    let mut parser = html::parser(Options::new().scripting(true));
    parser.pause_at_scripts(true);
    let script = "<script></script>";
    let mut script_element =
        parser.feed_to_script(&format!("<p><b id=1>{script}</p><p>y{script}</p><p>x"));
    let mut runs = 0;
    while script_element.is_some() {
        runs += 1;
        let tree = parser.sink_mut();
        let root = tree.root();
        let elements: Vec<NodeId> =
            root.descendants().filter(|node| node.is_html("b")).map(|node| node.id()).collect();
        elements
            .into_iter()
            .for_each(|element| tree.set_attribute(element, "id", "changed").unwrap());
        script_element = parser.resume_after_script();
    }
    let tree = parser.finish().tree;
    let elements = tree.root().descendants().filter(|node| node.is_html("b"));
    let ids: Vec<&str> = elements.filter_map(|node| node.attribute("id")).collect();
    assert_eq!((runs, ids), (2, vec!["changed", "changed", "1"]));
}

/// Patch positions move with nodes, be they moved by a script or by the adoption agency: a patch applies to the
/// position that is first in the current tree.
#[test]
fn patch_positions_move_with_nodes() {
    let mut parser = html::parser(Options::new().scripting(true));
    parser.pause_at_scripts(true);
    let marker = "<?marker name=\"m\"?>";
    let template = |text: &str| format!("<template for=m>{text}</template>");
    // The second template must apply to the position that is first after the script has moved two to the front.
    let page = format!(
        "<body>{marker}{}<div>{marker}</div><b><p>{marker}{marker}<script></script>{}4</b></p>{}",
        template("1"),
        template("2"),
        template("3"),
    );
    assert!(parser.feed_to_script(&page).is_some());
    let tree = parser.sink_mut();
    let find = |tree: &Tree, name: &str| {
        let mut nodes = tree.root().descendants();
        nodes.find(|node| node.is_html(name)).unwrap().id()
    };
    let (div, bold) = (find(tree, "div"), find(tree, "b"));
    tree.insert_before(div, bold).unwrap();
    assert_eq!(parser.resume_after_script(), None);
    let tree = parser.finish().tree;
    let text = |name: &str| tree.node(find(&tree, name)).text();
    assert_eq!((text("body"), text("div"), text("p")), ("1324".into(), "3".into(), "24".into()));
}
