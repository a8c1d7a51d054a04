//! The size that a parser reports, which the memory limit bounds: its lists, the incomplete token, declarations,
//! errors, and bytes that may have to be decoded again. Each of these dominates for one of the inputs, so that the
//! test fails if one is missing or counted twice.

use super::HEAP;
use stats_alloc::Region;
use tabulex::tree::{Name, Names, Positions, SinkAttribute, TreeSink};
use tabulex::{AnyParser, Event, Limits, Options, Parser, Span, dialects};

/// Length in bytes of the input parsed before the size is measured.
const INPUT_LENGTH: usize = 300_000;
/// Size in bytes of the pieces of input.
const PIECE_SIZE: usize = 0x4000;

/// A dialect, the prefix of its input, and the repeated text, with `{}` for the number of the repetition.
const INPUTS: &[(&str, &str, &str)] = &[
    ("html", "", "<b>"),
    ("html", "", "<b a={}>"),
    ("html", "", "<div>"),
    ("html", "", "</q>"),
    ("html", "<!--", "comment "),
    ("html", "<a b='", "value "),
    ("html", "<a b='", "&amp;"),
    ("html", "<a ", "b{} "),
    ("html", "<a ", "b='&lt;{}' "),
    ("html", "<a", "name"),
    ("html", "<!DOCTYPE ", "n"),
    ("html", "<!DOCTYPE a PUBLIC '", "p"),
    ("html", "<!DOCTYPE a SYSTEM '", "s"),
    ("html", "<?a ", "b"),
    ("html", "<table>", "x"),
    ("html", "", "<n{}>"),
    ("html", "<script>", "x"),
    ("xml-er", "<a>", "<b{}:c>"),
    ("xml-er", "<a ", "b{}:c='' "),
    ("xml-er", "<a ", "b{}='' "),
    ("xml-er", "", "<a xmlns:b{}='u'>"),
    ("xml-er", "", "<b>"),
    ("xml-er", "<!DOCTYPE a [", "<!ENTITY e{} 'value'>"),
    ("xml-er", "<!DOCTYPE a [", "<!ENTITY % e{} 'value'>"),
    ("xml-er", "<!DOCTYPE a [", "<!ATTLIST a b{} CDATA 'value'>"),
    ("xml-er", "<!DOCTYPE a [", "<!ATTLIST a{} b CDATA 'value'>"),
    ("xml-er", "<!DOCTYPE a [<!ENTITY e '", "value"),
    ("xml-er", "<!DOCTYPE a [<!ENTITY ", "name"),
    ("xml-er", "<?", "target"),
    ("sky", "<t>", "text "),
    ("sky", "<a ", "b{}='' "),
    ("microxml", "<a>", "text "),
];

fn input(prefix: &str, piece: &str) -> String {
    let mut input = prefix.to_owned();
    for number in 0.. {
        if input.len() >= INPUT_LENGTH {
            break;
        }
        input += &piece.replace("{}", &number.to_string());
    }
    input.truncate(INPUT_LENGTH);
    input
}

fn options(bytes: usize) -> Options {
    // All other limits are lifted, because one of them could be reached before the memory limit.
    let limits = Limits::none().bytes(bytes);
    Options::new().limits(limits).positions(Positions::None)
}

/// A parser whose memory is measured, with text and bytes as input.
trait ParserUnderTest {
    fn text(&mut self, piece: &str);
    fn bytes(&mut self, piece: &[u8]);
    fn events(self) -> Vec<Event>;
}

impl ParserUnderTest for Box<dyn AnyParser> {
    fn text(&mut self, piece: &str) {
        self.feed(piece);
    }

    fn bytes(&mut self, piece: &[u8]) {
        self.feed_bytes(piece);
    }

    fn events(mut self) -> Vec<Event> {
        self.finish_and_reset().events
    }
}

/// A sink that only numbers nodes, so that the parser itself keeps attributes.
#[derive(Default)]
struct NodeCounter {
    names: Names,
    created: u32,
}

impl NodeCounter {
    fn make(&mut self) -> u32 {
        self.created += 1;
        self.created
    }
}

impl TreeSink for NodeCounter {
    type Node = u32;

    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn document(&mut self) -> u32 {
        0
    }

    fn make_element<'a, I>(&mut self, _: Name, _: I, _: Option<Span>) -> u32
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        self.make()
    }

    fn make_comment(&mut self, _: &str, _: Span) -> u32 {
        self.make()
    }

    fn make_processing_instruction(&mut self, _: &str, _: &str, _: Span) -> u32 {
        self.make()
    }

    fn make_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>, _: Span) -> u32 {
        self.make()
    }

    fn append_node(&mut self, _: u32, _: u32) {}
    fn insert_node_before(&mut self, _: u32, _: u32) {}
    fn append_characters(&mut self, _: u32, _: &str, _: Span) {}
    fn insert_characters_before(&mut self, _: u32, _: &str, _: Span) {}
    fn remove_from_parent(&mut self, _: u32) {}
    fn reparent_children(&mut self, _: u32, _: u32) {}

    fn parent_of(&self, _: u32) -> Option<u32> {
        None
    }

    fn add_missing_attributes<'a, I>(&mut self, _: u32, _: I)
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
    }
}

impl ParserUnderTest for Parser<tabulex::html::Html, NodeCounter> {
    fn text(&mut self, piece: &str) {
        self.feed(piece);
    }

    fn bytes(&mut self, piece: &[u8]) {
        self.feed_bytes(piece);
    }

    fn events(self) -> Vec<Event> {
        self.finish().events
    }
}

/// Feeds the complete pieces of the input, so that no input is buffered; drops the rest.
fn feed(parser: &mut impl ParserUnderTest, input: &str, as_bytes: bool) {
    for piece in input.as_bytes().chunks_exact(PIECE_SIZE) {
        if as_bytes {
            parser.bytes(piece);
        } else {
            parser.text(std::str::from_utf8(piece).unwrap());
        }
    }
}

/// Adds a failure if a memory limit is reached although it suffices for the allocated memory, or not reached although
/// it does not suffice.
fn check<P: ParserUnderTest>(
    label: &str,
    new: impl Fn(usize) -> P,
    input: &str,
    as_bytes: bool,
    failures: &mut Vec<String>,
) {
    let region = Region::new(HEAP);
    let mut parser = new(1 << 30);
    feed(&mut parser, input, as_bytes);
    let change = region.change();
    let allocated = change.bytes_allocated - change.bytes_deallocated;
    drop(parser);
    // The bounds allow for buffered pieces of input, and for declarations, whose reported size is an upper estimate.
    let (enough, too_little) = (
        2 * allocated + 3 * PIECE_SIZE,
        (allocated - allocated / 8).saturating_sub(3 * PIECE_SIZE),
    );
    for (limit, is_enough) in [(enough, true), (too_little, false)] {
        let mut parser = new(limit);
        feed(&mut parser, input, as_bytes);
        let events = parser.events();
        // With too small a memory limit, attributes may be dropped before the limit is reached, which counts as
        // reaching it.
        let is_limit_reached = events.iter().any(|event| match event {
            Event::OutOfMemory { .. } => true,
            Event::AttributesDropped { .. } => !is_enough,
            _ => false,
        });
        if is_limit_reached == is_enough && limit > 0 {
            failures.push(format!(
                "{label}: {allocated} bytes are allocated, with a limit of {limit}: {events:?}"
            ));
        }
    }
}

#[test]
fn parsers_report_the_memory_they_hold() {
    let _lock = super::lock_out_other_tests();
    let mut failures = Vec::new();
    for &(id, prefix, piece) in INPUTS {
        let dialects = dialects();
        let dialect = dialects.iter().find(|dialect| dialect.id() == id).unwrap();
        let input = input(prefix, piece);
        for as_bytes in [false, true] {
            let new = |limit| dialect.parser(&options(limit)).unwrap();
            let label = format!("{id}, {prefix}{piece}, bytes {as_bytes}");
            check(&label, new, &input, as_bytes, &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn parser_memory_includes_state_kept_for_a_sink() {
    let _lock = super::lock_out_other_tests();
    let mut failures = Vec::new();
    for (prefix, piece) in [("", "<div>"), ("", "<p>"), ("", "<b a={} b=c>"), ("<b a=1>", "<p>x")] {
        let new = |limit| Parser::with_sink(NodeCounter::default(), &options(limit));
        check(
            &format!("a sink, {prefix}{piece}"),
            new,
            &input(prefix, piece),
            false,
            &mut failures,
        );
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// After a limit has ended the parse, nothing more is kept: neither text nor undecoded bytes.
#[test]
fn input_after_a_limit_is_not_kept() {
    let _lock = super::lock_out_other_tests();
    let (mut failures, mut ended_count) = (Vec::new(), 0);
    for &(id, prefix, piece) in INPUTS {
        let dialects = dialects();
        let dialect = dialects.iter().find(|dialect| dialect.id() == id).unwrap();
        let input = input(prefix, piece);
        for as_bytes in [false, true] {
            let mut parser = dialect.parser(&options(INPUT_LENGTH / 10)).unwrap();
            feed(&mut parser, &input, as_bytes);
            let region = Region::new(HEAP);
            (0..4).for_each(|_| feed(&mut parser, &input, as_bytes));
            let change = region.change();
            let growth = change.bytes_allocated.saturating_sub(change.bytes_deallocated);
            let events = parser.events();
            if events.iter().any(|event| matches!(event, Event::OutOfMemory { .. })) {
                ended_count += 1;
                if growth > PIECE_SIZE {
                    failures.push(format!(
                        "{id}, {prefix}{piece}, bytes {as_bytes}: {growth} more bytes are allocated after the limit"
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(
        ended_count >= 2 * INPUTS.len() - 8,
        "only {ended_count} parses reached the memory limit"
    );
}
