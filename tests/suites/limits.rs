//! What limits drop, and what counts toward them; bombs, and the memory of a whole process. No page of the corpus
//! reaches a default limit other than depth. `limit_edges` covers each limit at its edge.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use tabulex::html::Html;
use tabulex::{Event, Limits, Options, WriteNode as _, html};
use tabulex_tests::compiled::{self, IgnoringSink};
use tabulex_tests::sample;
use tabulex_tests::shared::{report, shared};

/// Exactly the limited contents are dropped, and the text remains.
#[test]
fn limits_drop_only_the_limited_contents() {
    let tree = |input: &str, limits| html::parse(input, Options::new().limits(limits)).tree;
    let formatting: String = (0..200).map(|number| format!("<p><b x={number}>x</p>")).collect();
    let limited = tree(&formatting, Limits::new().reconstructed(0));
    let unlimited = tree(&formatting, Limits::none());
    assert_eq!(limited.root().text(), unlimited.root().text());
    assert!(limited.node_count() < unlimited.node_count());
    let limited_attributes = tree("<div a=1 b=2 c=3>", Limits::new().attributes(2));
    assert!(limited_attributes.root().to_dump().contains("b=\"2\""));
    assert!(!limited_attributes.root().to_dump().contains("c=\"3\""));
    assert_eq!(
        html::parse("</a></b></c>", Options::new().limits(Limits::new().errors(2))).errors.len(),
        2
    );
}

/// An incomplete token, declarations, errors, and bytes that may have to be decoded again count toward the memory
/// limit.
#[test]
fn buffers_count_toward_the_memory_limit() {
    let options = || Options::new().limits(Limits::new().bytes(1_000_000));
    let letters: fn(usize) -> String = |_| "x".repeat(10_000);
    let errors: fn(usize) -> String = |_| "x</q>".repeat(1_000);
    let entities: fn(usize) -> String =
        |at| (0..100).map(|number| format!("<!ENTITY e{at}-{number} 'text'>")).collect();
    let attribute_lists: fn(usize) -> String =
        |at| format!("<!ATTLIST {}{at} b CDATA #IMPLIED>", "a".repeat(1_000));
    let prefixes = ["<!--", "<p a=", "<!DOCTYPE ", "<", "</", "<?", "<svg><![CDATA[", "<p "];
    let mut buffers = prefixes.map(|prefix| ("html", prefix, letters)).to_vec();
    buffers.extend([
        ("html", "<frameset>", errors),
        ("xml-er", "<!DOCTYPE a [", entities),
        ("xml-er", "<!DOCTYPE a [", attribute_lists),
        ("xml-er", "<a><?", letters),
        ("xml-er", "<a><?b ", letters),
    ]);
    for (dialect, prefix, chunk) in buffers {
        let mut parser = compiled::dialect(dialect).parser(&options()).unwrap();
        parser.feed(prefix);
        (0..1_000).for_each(|at| parser.feed(&chunk(at)));
        let events = parser.finish_and_reset().events;
        assert!(matches!(events[..], [Event::OutOfMemory { .. }]), "{prefix}: {events:?}");
    }
    let mut parser = html::parser(options().errors(false));
    (0..1_000).for_each(|_| parser.feed_bytes(letters(0).as_bytes()));
    assert!(
        matches!(parser.finish().events[..], [Event::OutOfMemory { .. }]),
        "undecoded bytes reach no limit"
    );
}

/// Processed input does not count toward the memory limit: without new nodes, no more than a chunk is held.
#[test]
fn processed_input_is_freed() {
    let chunk = "x</q>".repeat(1_000);
    let options = Options::new().limits(Limits::new().bytes(100_000)).errors(false);
    let mut parser = html::parser(options);
    parser.feed("<frameset>");
    (0..1_000).for_each(|_| parser.feed(&chunk));
    assert_eq!(parser.finish().events, []);
}

/// A token that never ends is dropped, with the rest of the input.
#[test]
fn an_overlong_token_ends_the_input() {
    let limits = Limits::new().token(1_000);
    let mut parser = html::parser(Options::new().limits(limits));
    parser.feed("<p>text<!--");
    (0..100).for_each(|_| parser.feed("xxxxxxxxxxxxxxxxxxxx"));
    let parsed = parser.finish();
    assert!(
        matches!(parsed.events[..], [Event::TokenTooLong { offset: 7, limit: 1_000, length }] if length > 1_000),
        "{:?}",
        parsed.events
    );
    assert_eq!(parsed.tree.root().text(), "text");
    let mut tokenizer = tabulex::Tokenizer::<Html>::new().with_limits(limits);
    let progress =
        (0..100).map(|_| tokenizer.feed("<!--xxxxxxxxxxxxxxxxxxx", &mut IgnoringSink)).last();
    assert_eq!(progress, Some(tabulex::Progress::Ended));
    assert!(matches!(tokenizer.events().next(), Some(Event::TokenTooLong { offset: 0, .. })));
}

/// No page of the corpus reaches a limit, except that of depth, which browsers have, too.
#[test]
fn pages_reach_no_limit() {
    let Some(folder) = shared("corpus/html/pages") else {
        return report("limits: 0 pages, corpus absent");
    };
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let parsed = html::parse_bytes(&fs::read(&path).unwrap(), Options::new());
        let events: Vec<&Event> = parsed
            .events
            .iter()
            .filter(|event| !matches!(event, Event::Flattened { .. }))
            .collect();
        assert!(events.is_empty(), "{}: {events:?}", path.display());
        count += 1;
    }
    report(&format!("limits: {count} pages reach no limit except the depth limit"));
}

/// Bombs, each as dialect, prefix, repeated text with `{i}` for the number of the repetition, and number of
/// repetitions.
const BOMBS: &[(&str, &str, &str, usize)] = &[
    ("html", "<!--", "xxxxxxxxxx", 4_000_000),
    ("html", "<p a='", "xxxxxxxxxx", 4_000_000),
    ("html", "<!DOCTYPE ", "xxxxxxxxxx", 4_000_000),
    ("html", "<svg><![CDATA[", "xxxxxxxxxx", 4_000_000),
    ("html", "", "xxxxxxxxxx", 4_000_000),
    // Many errors.
    ("html", "<frameset>", "x</q>", 4_000_000),
    // Many reconstructed formatting elements, equal or distinct.
    ("html", "", "<p><b x=I></p>", 1_000_000),
    ("html", "", "<p><b x={i}></p>", 100_000),
    ("html", "", "<p><b x={i}>", 100_000),
    // Many line ends, open elements and misnested formatting elements, and one long attribute name.
    ("html", "", "\r\n", 10_000_000),
    ("html", "", "<b>", 4_000_000),
    ("html", "<b><i><u><s>", "<p></b></i></u></s><b><i><u><s>", 1_000_000),
    ("html", "<p ", "a", 40_000_000),
    // Many small objects: attributes, nodes, references and declarations.
    ("html", "<p ", "a{i} ", 4_000_000),
    ("html", "<table>", "x<tr>", 4_000_000),
    ("html", "", "&ngE;", 4_000_000),
    ("html", "", "<a{i}>", 4_000_000),
    ("xml-er", "<!DOCTYPE a [", "<!ENTITY e 'x'>", 600_000),
    ("xml-er", "<!DOCTYPE a [", "<!ENTITY e{i} 'x'>", 600_000),
    (
        "xml-er",
        "<!DOCTYPE a [<!ENTITY a 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'>]><a>",
        "&a;",
        4_000_000,
    ),
    ("xml-er", "<a ", "b='c' ", 4_000_000),
    ("xml-er", "<a>", "<b xmlns:n{i}='u'>", 1_000_000),
    ("sky", "<sky>", "<a{i} b={i}>", 1_000_000),
    ("microxml", "<a>", "<a{i} b='{i}'>", 1_000_000),
];

/// Ways to parse in `tabulex-limits`: in chunks, a document as bytes or text, a fragment as text, or tokens; and a
/// whole text, alone or in a list.
const WAYS: &[&str] = &["bytes", "text", "fragment", "tokens", "whole", "many"];

/// The peak resident memory of a process stays near the memory limit for every bomb.
#[test]
fn peak_memory_stays_near_the_limit() {
    const LIMIT: usize = 16 << 20;
    if !cfg!(target_os = "linux") {
        return report("limits: no bomb is measured, as only Linux reports the peak memory");
    }
    // A bare tokenizer limits tokens but not the number of entity declarations, so bombs that declare entities are
    // skipped for it.
    let is_limited =
        |prefix: &str, way: &str| way != "tokens" || !prefix.starts_with("<!DOCTYPE a");
    let in_each_way = |bomb: &'static (_, _, _, _)| WAYS.iter().map(move |way| (bomb, *way));
    let bombs_and_ways =
        BOMBS.iter().flat_map(in_each_way).filter(|(bomb, way)| is_limited(bomb.1, way)).collect();
    let mut failed = Vec::new();
    for (&(dialect, prefix, piece, count), way) in sample::of("bombs", bombs_and_ways, 20) {
        let peak = peak(dialect, way, LIMIT, prefix, piece, count);
        let maximum = LIMIT + LIMIT / 4 + (8 << 20);
        let label = format!("{dialect}, {way}: {prefix}{}", piece.escape_default());
        report(&format!("limits: {} MB of {} MB: {label}", peak >> 20, maximum >> 20));
        if peak > maximum {
            failed.push(format!("{label}: {peak} of {maximum} bytes"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Returns the peak memory in bytes of a process that parses a bomb with a limit.
fn peak(
    dialect: &str,
    way: &str,
    limit: usize,
    prefix: &'static str,
    piece: &'static str,
    count: usize,
) -> usize {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabulex-limits"))
        .args([dialect, &limit.to_string(), way])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`tabulex-limits` starts");
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let is_numbered = piece.contains("{i}");
        let repeated = piece.repeat(1_000);
        let chunk = |from: usize| match is_numbered {
            true => (from..from + 1_000).map(|i| piece.replace("{i}", &i.to_string())).collect(),
            false => repeated.clone(),
        };
        let _ = input.write_all(prefix.as_bytes());
        let mut chunks = (0..count / 1_000).map(|index| chunk(1_000 * index));
        // The process may stop reading early, in which case writing fails.
        chunks.try_for_each(|chunk: String| input.write_all(chunk.as_bytes())).is_ok()
    });
    let output = child.wait_with_output().expect("`tabulex-limits` ends");
    let _ = writer.join();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = text.split_whitespace().next().and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("{way}: {prefix}{piece}: {text:?}"))
}

/// No tree of any dialect is deeper than the depth limit, be it the default or lower, and the text is complete.
#[test]
fn no_tree_exceeds_the_depth_limit() {
    for dialect in tabulex::dialects().iter().filter(|dialect| dialect.elements().is_some()) {
        for (limits, deepest) in [(Limits::new(), 513), (Limits::new().depth(5), 5)] {
            // `ruby` is an element in every dialect, including WebVTT.
            let input = "<ruby>x".repeat(700);
            let mut parser = dialect.parser(&Options::new().limits(limits)).unwrap();
            let parsed = parser.parse(&input);
            let id = dialect.id();
            assert_eq!(parsed.tree.root().text(), "x".repeat(700), "{id}");
            let depth = |node: tabulex::tree::NodeRef<'_>| {
                std::iter::successors(node.parent(), tabulex::tree::NodeRef::parent).count()
            };
            let elements = parsed.tree.root().descendants().filter(|node| node.is_element());
            assert_eq!(elements.map(depth).max(), Some(deepest), "{id}");
            assert!(matches!(parsed.events[..], [Event::Flattened { .. }]), "{id}");
        }
    }
}
