//! Each limit at its edge: with the number that an input needs, nothing is dropped; with one less, the event reports
//! it. The numbers are counted by hand, from the documentation of each limit.

use tabulex::tree::Positions;
use tabulex::{Dialect, Event, Limits, Options, Parsed, ReplacementLimits, WriteNode as _};
use tabulex_tests::compiled::IgnoringSink;
use tabulex_tests::inputs::{Alphabet, characters, cut, shrink};
use tabulex_tests::interpreted::table;
use tabulex_tests::markup::{names, tree_input};
use tabulex_tests::random::Random;
use tabulex_tests::sample;
use tabulex_tests::shared::report;
use tabulex_tests::trees::{is_html, tree_dialects};

/// A dialect, an input, a limit with the number that the input needs, and the event with one less.
type Edge = (&'static str, &'static str, &'static str, u64, Event);

const EDGES: &[Edge] = &[
    ("html", "<p><b><i>x", "depth", 5, Event::Flattened { offset: 6, limit: 4 }),
    ("xml-er", "<a><b><c>x", "depth", 3, Event::Flattened { offset: 6, limit: 2 }),
    ("sky", "<a><b><c>x", "depth", 3, Event::Flattened { offset: 6, limit: 2 }),
    // Five nodes: the document, three elements and the text.
    ("xml-er", "<a><b><c>x", "nodes", 5, Event::NodesDropped { offset: 9, limit: 4 }),
    ("html", "<p>x<!--c-->", "nodes", 7, Event::NodesDropped { offset: 4, limit: 6 }),
    (
        "html",
        "<p a b a c><p d>",
        "attributes",
        3,
        Event::AttributesDropped { offset: 9, limit: 2, count: 1 },
    ),
    (
        "xml-er",
        "<a b='1' c='2'/>",
        "attributes",
        2,
        Event::AttributesDropped { offset: 9, limit: 1, count: 1 },
    ),
    (
        "html",
        "<!doctype html></a></b></c>",
        "errors",
        3,
        Event::ErrorsDropped { offset: 23, limit: 2, count: 1 },
    ),
    // Five elements are reconstructed; four are always allowed, one per 4 of the 19 bytes before the last tag.
    (
        "html",
        "<p><b><i><u><s><em></p>x",
        "reconstructed",
        1,
        Event::FormattingDropped { offset: 19, limit: 4 },
    ),
    // Two replacement texts of two bytes each; the name in the second reference ends at offset 39.
    (
        "xml-er",
        "<!DOCTYPE a [<!ENTITY e 'xy'>]><a>&e;&e;</a>",
        "replacement",
        4,
        Event::ReplacementDropped { offset: 39, count: 1 },
    ),
    // The name and value of the declared attribute, three bytes, are added where the tag ends.
    (
        "xml-er",
        "<!DOCTYPE a [<!ATTLIST a b CDATA 'xy'>]><a/>",
        "replacement",
        3,
        Event::ReplacementDropped { offset: 44, count: 1 },
    ),
];

/// Parses an input whole, as bytes and by characters, and returns the results in this order.
fn parse_all_ways(dialect: &str, input: &str, limits: Limits) -> Vec<Parsed> {
    let dialects = tabulex::dialects();
    let dialect = dialects.iter().find(|other| other.id() == dialect).unwrap();
    let parser = || {
        let options = Options::new().limits(limits).positions(Positions::All);
        dialect.parser(&options).unwrap()
    };
    let whole = parser().parse(input);
    let decoded = parser().parse_bytes(input.as_bytes());
    let mut by_character = parser();
    characters(input).into_iter().for_each(|character| by_character.feed(character));
    vec![whole, decoded, by_character.finish_and_reset()]
}

#[test]
fn limits_are_exact() {
    for &(dialect, input, name, needed, event) in EDGES {
        let label = format!("{dialect}, {name}: {input}");
        let unlimited = &parse_all_ways(dialect, input, Limits::none())[0];
        for (value, is_enough) in [(needed - 1, false), (needed, true), (needed + 1, true)] {
            let limits = Limits::new().set(name, value).unwrap();
            for parsed in parse_all_ways(dialect, input, limits) {
                if !is_enough {
                    assert_eq!(parsed.events, [event], "{label}");
                    assert!(name == "errors" || parsed.tree != unlimited.tree, "{label}");
                    continue;
                }
                assert_eq!(parsed.events, [], "{value} of {label}");
                assert!(
                    parsed.tree == unlimited.tree && parsed.errors == unlimited.errors,
                    "{label}"
                );
            }
        }
    }
}

/// An event counts everything dropped. A dropped node without a position is reported at the last preceding node that is
/// not text, or at 0 if there is none.
#[test]
fn events_count_and_locate_what_is_dropped() {
    let new = Limits::new;
    let attributes = Event::AttributesDropped { offset: 9, limit: 2, count: 4 };
    let errors = Event::ErrorsDropped { offset: 4, limit: 2, count: 2 };
    for (input, limits, event) in [
        ("<div a b c d><div a b c d>", new().attributes(2), attributes),
        ("</a></b></c>x", new().errors(2), errors),
        ("<!DOCTYPE html><!--c-->x", new().nodes(3), Event::NodesDropped { offset: 15, limit: 3 }),
        ("x", new().nodes(2), Event::NodesDropped { offset: 0, limit: 2 }),
    ] {
        for parsed in parse_all_ways("html", input, limits) {
            assert_eq!(parsed.events, [event], "{input}");
        }
    }
}

/// A reconstructed formatting element counts once, and once more per 64 bytes of its tag.
#[test]
fn long_tags_are_reconstructed_less_often() {
    const TIMES: usize = 200;
    for (length, count) in [(63, 1), (64, 2), (127, 2), (128, 3)] {
        let value = "v".repeat(length - "<b a=>".len());
        let input = format!("<p><b a={value}>x") + &"<p>y".repeat(TIMES);
        // One reconstruction per 4 bytes before the last tag is always allowed.
        let always_allowed = (input.len() - "<p>y".len()) / 4;
        let needed = (TIMES * count).saturating_sub(always_allowed) as u64;
        for parsed in parse_all_ways("html", &input, Limits::none().reconstructed(needed)) {
            assert_eq!(parsed.events, [], "{length}");
        }
        let Some(less) = needed.checked_sub(1) else { continue };
        for parsed in parse_all_ways("html", &input, Limits::none().reconstructed(less)) {
            let limit = less + always_allowed as u64;
            let event = Event::FormattingDropped { offset: input.len() - 4, limit };
            assert_eq!(parsed.events, [event], "{length}");
        }
    }
}

/// A round of the adoption agency counts as one reconstruction per 64 bytes of tags: the tag of the formatting element,
/// together with those of the elements between it and the block.
#[test]
fn long_tags_are_adopted_less_often() {
    const TIMES: usize = 200;
    let tag = |name: &str, length: usize| {
        let value = "v".repeat(length - name.len() - "< a=>".len());
        format!("<{name} a={value}>")
    };
    let cases = [
        ([10, 10], 0),
        ([53, 10], 0),
        ([10, 54], 1),
        ([127, 64], 2),
        ([128, 64], 3),
        ([64, 256], 5),
    ];
    for ([outer, inner], count) in cases {
        // Each `</b>` causes eight rounds of the adoption agency, each for another `div`. Only the first round of all
        // also copies the element `i`.
        let start_tags = tag("b", outer) + &tag("i", inner) + &"<div>".repeat(8 * TIMES) + "x";
        let input = start_tags + &"</b>".repeat(TIMES);
        let always_allowed = (input.len() - "</b>".len()) / 4;
        let reconstructed = count + (8 * TIMES - 1) * (outer / 64);
        let needed = reconstructed.saturating_sub(always_allowed) as u64;
        for parsed in parse_all_ways("html", &input, Limits::none().reconstructed(needed)) {
            assert_eq!(parsed.events, [], "{outer} {inner}");
        }
        let Some(less) = needed.checked_sub(1) else { continue };
        for parsed in parse_all_ways("html", &input, Limits::none().reconstructed(less)) {
            let limit = less + always_allowed as u64;
            let event = Event::FormattingDropped { offset: input.len() - 4, limit };
            assert_eq!(parsed.events, [event], "{outer} {inner}");
            assert_eq!(parsed.tree.root().text(), "x");
        }
    }
}

/// The memory limit is compared with the reported size after each piece of 16 KiB. With one byte less, the event has
/// exactly that size, and its offset is the end of a piece unless the input consists of bytes.
#[test]
fn the_memory_limit_counts_the_reported_size() {
    const PIECE: usize = 0x4000;
    let inputs = [
        ("html", "<p>text<b a=1>&amp;</q>".repeat(2000)),
        ("html", "<!--".to_owned() + &"c".repeat(3 * PIECE)),
        ("xml-er", "<a b='c'>".repeat(4000)),
        ("sky", "<a>".repeat(2000) + &"text".repeat(PIECE)),
    ];
    for (dialect, input) in &inputs {
        for way in 0..3 {
            let parse = |bytes: usize| {
                let limits = Limits::none().bytes(bytes);
                parse_all_ways(dialect, input, limits).swap_remove(way)
            };
            let (mut too_little, mut enough) = (0_usize, 1 << 26);
            while enough - too_little > 1 {
                let middle = too_little.midpoint(enough);
                match parse(middle).events[..] {
                    [] => enough = middle,
                    _ => too_little = middle,
                }
            }
            let parsed = parse(enough);
            let label = format!("{dialect}, way {way}: {} bytes, {enough} held", input.len());
            assert_eq!(parsed.events, [], "{label}");
            assert!(parsed.tree.heap_size() <= enough, "{label}");
            let [Event::OutOfMemory { offset, limit, used }] = parse(too_little).events[..] else {
                panic!("{label}: {:?}", parse(too_little).events);
            };
            assert_eq!((limit, used), (too_little, enough), "{label}");
            // Way 1 parses the input as bytes, which are decoded into pieces of other sizes, so the limit may be reached at
            // any offset.
            let is_piece_end = offset % PIECE == 0 || offset == input.len();
            assert!(is_piece_end || way == 1 && offset < input.len(), "{label}: {offset}");
        }
    }
}

/// `Limits::set` sets only the limit with that name; a number beyond its range lifts the limit.
#[test]
fn limit_names_set_the_limits_of_the_methods() {
    let base = Limits::new;
    let replacement = ReplacementLimits::new().bytes(7).bytes_per_input_byte(0);
    let methods = [
        ("depth", base().depth(7)),
        ("nodes", base().nodes(7)),
        ("attributes", base().attributes(7)),
        ("token", base().token(7)),
        ("errors", base().errors(7)),
        ("bytes", base().bytes(7)),
        ("replacement", base().replacement(replacement)),
        ("reconstructed", base().reconstructed(7)),
    ];
    assert_eq!(Limits::NAMES, methods.map(|(name, _)| name));
    let mut lifted = base();
    for (name, limits) in methods {
        assert_eq!(base().set(name, 7), Some(limits), "{name}");
        assert_ne!(limits, base(), "{name}");
        lifted = lifted.set(name, u64::MAX).unwrap();
    }
    assert_eq!(lifted.nodes(u32::MAX - 16), Limits::none());
    assert_eq!((base().set("speed", 7), Limits::default()), (None, base()));
    assert_eq!(base().depth(0), base().depth(1));
    for (bytes, is_checked) in [(0x7FFF_FFFE, true), (0x7FFF_FFFF, false), (usize::MAX, false)] {
        assert_eq!(base().bytes(bytes).checks_memory_while_parsing(), is_checked, "{bytes}");
    }
}

/// With a small memory limit, a tag keeps at most one attribute per 256 bytes of the limit, or 1,024 if that is more.
#[test]
fn the_memory_limit_bounds_attributes() {
    let tag = |count: usize| {
        let attributes: String = (0..count).map(|number| format!(" a{number}")).collect();
        format!("<p{attributes}>")
    };
    for (bytes, max_count) in [(1024 * 256, 1024), (1, 1024), (1100 * 256 + 255, 1100)] {
        struct AttributeCounter(usize);
        impl tabulex::MachineSink for AttributeCounter {}

        impl tabulex::Sink for AttributeCounter {
            fn start_tag(&mut self, tag: tabulex::Tag<'_>) -> tabulex::Control {
                self.0 = tag.attributes().len();
                tabulex::Control::Continue
            }
        }
        for count in [max_count, max_count + 1] {
            let tokenizer = tabulex::Tokenizer::<tabulex::html::Html>::new();
            let mut tokenizer = tokenizer.with_limits(Limits::new().bytes(bytes));
            let mut counter = AttributeCounter(0);
            let _ = tokenizer.finish_with(&tag(count), &mut counter);
            assert_eq!(
                (counter.0, tokenizer.events().count()),
                (max_count, count - max_count),
                "{bytes}"
            );
        }
    }
}

/// An incomplete token counts toward the token limit with the length read so far.
#[test]
fn incomplete_tokens_count_toward_the_token_limit() {
    for (limit, ends) in [(7, true), (8, false)] {
        let tokenizer = tabulex::Tokenizer::<tabulex::html::Html>::new();
        let mut tokenizer = tokenizer.with_limits(Limits::new().token(limit));
        let progress = tokenizer.feed("text<!--four", &mut IgnoringSink);
        let event = Event::TokenTooLong { offset: 4, limit, length: 8 };
        let events: Vec<Event> = tokenizer.events().collect();
        assert_eq!(events, if ends { vec![event] } else { Vec::new() });
        assert_eq!(progress == tabulex::Progress::Ended, ends);
        // Even if the chunk contains the end of the token, the token is dropped at the byte that exceeds the limit.
        let mut tokenizer = tabulex::Tokenizer::<tabulex::html::Html>::new()
            .with_limits(Limits::new().token(limit));
        let _ = tokenizer.finish_with("text<!--four and more-->", &mut IgnoringSink);
        let event = Event::TokenTooLong { offset: 4, limit, length: limit + 1 };
        assert_eq!(tokenizer.events().collect::<Vec<Event>>(), [event]);
    }
}

/// Replacement texts have a maximum nesting depth, and a maximum total size that grows with the input.
#[test]
fn replacement_depth_and_size_are_limited() {
    let parse = |input: &str, limits: ReplacementLimits| {
        let limits = Limits::new().replacement(limits);
        parse_all_ways("xml-er", input, limits)
            .into_iter()
            .map(|parsed| parsed.events)
            .collect::<Vec<_>>()
    };
    let new = || ReplacementLimits::new().bytes_per_input_byte(0);
    let nested = "<!DOCTYPE a [<!ENTITY a 'x'><!ENTITY b '&a;'><!ENTITY c '&b;'>]><a>&c;</a>";
    for events in parse(nested, new().nesting(3)) {
        assert_eq!(events, []);
    }
    for events in parse(nested, new().nesting(2)) {
        assert!(matches!(events[..], [Event::ReplacementDropped { count: 1, .. }]), "{events:?}");
    }
    // Each byte of input up to the end of the last reference's name allows `per_byte` more bytes of replacement text.
    let replacement = "x".repeat(50);
    let document = format!("<!DOCTYPE a [<!ENTITY e '{replacement}'>]><a>{}</a>", "&e;".repeat(40));
    let last_reference = document.rfind("&e;").unwrap();
    for per_byte in 0..12 {
        let limits = new().bytes_per_input_byte(per_byte);
        let needed = 2000_u64.saturating_sub(per_byte * (last_reference + "&e".len()) as u64);
        for events in parse(&document, limits.bytes(needed)) {
            assert_eq!(events, [], "{per_byte}");
        }
        let Some(less) = needed.checked_sub(1) else { continue };
        for events in parse(&document, limits.bytes(less)) {
            assert_eq!(events.len(), 1, "{per_byte}");
        }
    }
}

/// Limits that random inputs reach, each with an exclusive upper bound of its random value. The memory limit is absent,
/// as the point where it is reached depends on the chunks.
const RANDOM_LIMITS: &[(&str, usize)] = &[
    ("depth", 6),
    ("nodes", 20),
    ("attributes", 3),
    ("token", 40),
    ("errors", 8),
    ("replacement", 10),
    ("reconstructed", 3),
];

/// Returns default limits with one or two changed to random values that random inputs reach.
fn random_limits(random: &mut Random) -> Limits {
    let mut limits = Limits::new();
    for _ in 0..=random.below(2) {
        let (name, max_count) = *random.pick(RANDOM_LIMITS);
        limits = limits.set(name, random.below(max_count) as u64).unwrap();
    }
    limits
}

/// Returns the first difference between the results of parsing an input with limits whole, in characters, and in random
/// pieces.
fn first_difference(dialect: &Dialect, limits: Limits, input: &str, seed: u64) -> Option<String> {
    let parser = || {
        let options = Options::new().limits(limits).positions(Positions::All);
        dialect.parser(&options).unwrap()
    };
    let whole = parser().parse(input);
    let pieces = cut(&mut Random::new(seed), input, 6);
    for chunks in [characters(input), pieces] {
        let mut chunked = parser();
        chunks.iter().for_each(|chunk| chunked.feed(chunk));
        let parsed = chunked.finish_and_reset();
        let describe = |parsed: &Parsed| {
            let dump = parsed.tree.root().to_qualified_dump();
            format!("{dump}{:?}\n{:?}", parsed.errors, parsed.events)
        };
        if describe(&parsed) != describe(&whole) || parsed.tree != whole.tree {
            return Some(format!(
                "{limits:?}\nwhole:\n{}\n{chunks:?}:\n{}",
                describe(&whole),
                describe(&parsed)
            ));
        }
    }
    None
}

#[test]
fn limits_do_not_depend_on_chunks() {
    for dialect in tree_dialects() {
        let names = if is_html(dialect) { names(dialect.id()) } else { Vec::new() };
        let alphabet = Alphabet::new(table(dialect.id()));
        let seeds = sample::seeds(dialect.id(), 1..100_001, 1_500);
        let mut reached_count = 0;
        for &seed in &seeds {
            let mut random = Random::new(seed);
            let limits = random_limits(&mut random);
            let (input, _) = tree_input(&mut random, &alphabet, &names);
            let difference = |input: &str| first_difference(dialect, limits, input, seed);
            if difference(&input).is_some() {
                let shortest = shrink(&input, &|input| difference(input).is_some());
                panic!("{}: {shortest:?}\n{}", dialect.id(), difference(&shortest).unwrap());
            }
            let mut parser = dialect.parser(&Options::new().limits(limits)).unwrap();
            reached_count += usize::from(!parser.parse(&input).events.is_empty());
        }
        assert!(
            reached_count > seeds.len() / 20,
            "{}: only {reached_count} of {} inputs reach a limit, expected more than a twentieth",
            dialect.id(),
            seeds.len()
        );
        report(&format!(
            "limits of {}: {reached_count} of {} inputs reach one",
            dialect.id(),
            seeds.len()
        ));
    }
}

/// A tree used as a sink obeys the lower of the parser's node limit and its own.
#[test]
fn tree_sinks_obey_the_lower_node_limit() {
    use tabulex::tree::{Tree, TreeOptions};
    for (tree_limit, limit, node_count) in [(100, 5, 5), (5, 100, 5), (100, 100, 10)] {
        let options = Options::new().limits(Limits::new().nodes(limit));
        let tree = Tree::with_options(TreeOptions::new().node_limit(tree_limit));
        let parser = tabulex::html::Parser::with_sink(tree, &options);
        let parsed = parser.finish_with("<p a b>x<b>y<i>z");
        assert_eq!(parsed.tree.node_count(), node_count, "{tree_limit} {limit}");
        assert_eq!(parsed.events.len(), usize::from(node_count == 5), "{tree_limit} {limit}");
    }
}

/// Token streams and readers, which build no tree, report dropped attributes, too.
#[test]
fn token_readers_report_dropped_attributes() {
    use tabulex::html::Html;
    let max_count = 0x10_0000;
    let tag = format!("<p{}>", (0..max_count + 2).map(|n| format!(" a{n:x}")).collect::<String>());
    let first_dropped = tag.len() - format!("a{:x} a{:x}>", max_count, max_count + 1).len();
    let event = Event::AttributesDropped { offset: first_dropped, limit: max_count, count: 2 };
    let mut tokens = tabulex::Tokens::<Html>::new(&tag);
    assert_eq!(tokens.events().count(), 0);
    assert_eq!(tokens.by_ref().count(), 1);
    assert_eq!(tokens.events().collect::<Vec<Event>>(), [event]);
    let mut reader = tabulex::TokenReader::<Html>::new(&tag);
    while reader.next_token().is_some() {}
    assert_eq!(reader.events().collect::<Vec<Event>>(), [event]);
}

/// Declared attributes count toward the limit like written ones, independent of preceding tags.
#[test]
fn declared_attributes_count_toward_the_limit() {
    let input = "<!DOCTYPE a[<!ATTLIST b z A '1'>]><b e><b f g=u>";
    for (limit, dropped, attributes) in [(2, 1, [2, 2]), (1, 3, [1, 1]), (0, 5, [0, 0])] {
        for parsed in parse_all_ways("xml-er", input, Limits::new().attributes(limit)) {
            assert!(
                matches!(parsed.events[..], [Event::AttributesDropped { count, .. }] if count == dropped),
                "{:?}",
                parsed.events
            );
            let nodes = parsed.tree.root().descendants().filter(|node| node.is_element());
            let counts: Vec<usize> = nodes.map(|node| node.attributes().count()).collect();
            assert_eq!(counts, attributes);
        }
    }
}

/// Dropped formatting is reported by a single event, however often the limit is reached.
#[test]
fn dropped_formatting_is_reported_once() {
    let input = format!("<p><b><i><u><s><em></p>{}", "<p>x".repeat(8)).repeat(4);
    for parsed in parse_all_ways("html", &input, Limits::none().reconstructed(1)) {
        assert!(
            matches!(parsed.events[..], [Event::FormattingDropped { .. }]),
            "{:?}",
            parsed.events
        );
    }
}

/// If formatting elements are dropped, the marker before them stays: the link around the table is still in the list of
/// active formatting elements.
#[test]
fn markers_survive_dropped_formatting() {
    let paragraphs = "<p>x".repeat(20);
    let input = format!("<a>1<table><td><p><i><u><s><em></p>{paragraphs}</table><a>2");
    for parsed in parse_all_ways("html", &input, Limits::none().reconstructed(0)) {
        assert!(matches!(parsed.events[..], [Event::FormattingDropped { .. }]));
        let links = parsed.tree.root().descendants().filter(|node| node.is_html("a"));
        let texts: Vec<String> = links.map(|node| node.text()).collect();
        assert_eq!(texts, [&format!("1{}", "x".repeat(20))[..], "2"]);
    }
}

/// The number of nodes never exceeds the limit, wherever dropped nodes would have gone.
#[test]
fn trees_never_exceed_the_node_limit() {
    let input = "<table>x<b>y<i>z<p></b><tr>u<td><select><option>v</table><template>w</template>";
    for max_count in 1..40 {
        for parsed in parse_all_ways("html", input, Limits::none().nodes(max_count)) {
            let nodes = parsed.tree.root().descendants_with_contents().count() + 1;
            assert!(nodes <= max_count as usize, "{max_count}: {}", parsed.tree.root().to_dump());
            assert!(parsed.tree.root().descendants().all(|node| node.parent().is_some()));
        }
    }
}

/// Tree construction goes on after the node limit, so errors do not depend on it.
#[test]
fn errors_after_the_node_limit_are_reported() {
    for (dialect, input) in [
        ("html", "<!DOCTYPE html><p><?target data?></i>"),
        ("xml-er", "<a><b><?target data?></c></b></a x>"),
    ] {
        let unlimited = &parse_all_ways(dialect, input, Limits::none())[0];
        assert_ne!(unlimited.errors, [], "{input}");
        for max_count in 1..8 {
            for parsed in parse_all_ways(dialect, input, Limits::none().nodes(max_count)) {
                assert_eq!(parsed.errors, unlimited.errors, "{max_count} nodes of {input}");
            }
        }
    }
}

/// Dropped attributes before a token that is too long are reported, too.
#[test]
fn attributes_dropped_before_an_overlong_token_are_reported() {
    let input = format!("<p a b c><p {}>", "d".repeat(100));
    for parsed in parse_all_ways("html", &input, Limits::none().attributes(2).token(50)) {
        let [dropped, too_long] = parsed.events[..] else {
            panic!("expected two events for {input:?}, found {:?}", parsed.events)
        };
        assert_eq!(dropped, Event::AttributesDropped { offset: 7, limit: 2, count: 1 });
        assert!(matches!(too_long, Event::TokenTooLong { offset: 9, .. }));
    }
}

/// Formatting elements that are kept for reconstruction, and not changed by scripts, need little memory.
#[test]
fn formatting_elements_unchanged_by_scripts_need_little_memory() {
    let elements: String = (0..10_000).map(|index| format!("<b a{index}>")).collect();
    let limits = Limits::new().bytes(4_000_000);
    let mut parser = tabulex::html::parser(Options::new().limits(limits));
    parser.pause_at_scripts(true);
    assert_eq!(parser.feed_to_script(&elements), None);
    let events = parser.finish().events;
    assert!(matches!(events[..], [Event::Flattened { .. }]), "{events:?}");
}

/// Markup that would exceed a tree's node limit is refused as a whole.
#[test]
fn markup_beyond_the_node_limit_is_not_inserted() {
    use tabulex::html;
    use tabulex::tree::HierarchyError;
    // Ten nodes are needed: document, html, head, body, p and its text; for the markup, a fragment, two elements and a
    // text.
    for (nodes, fits) in [(9, false), (10, true)] {
        let options = Options::new().limits(Limits::new().nodes(nodes));
        for way in 0..3 {
            let mut tree = html::parse("<p>x", options.clone()).tree;
            let dump_before = tree.root().to_dump();
            let p = tree.root().descendants().find(|node| node.is_html("p")).unwrap().id();
            let (markup, unlimited) = ("<b>1<i>", Options::new());
            let result = match way {
                0 => html::set_inner(&mut tree, p, markup, &unlimited),
                1 => html::set_outer(&mut tree, p, markup, &unlimited),
                _ => {
                    let place = tabulex::Adjacent::AfterEnd;
                    html::insert_adjacent(&mut tree, p, place, markup, &unlimited)
                }
            };
            assert_eq!(result.err(), (!fits).then_some(HierarchyError::Full), "{way}");
            assert_eq!(tree.root().to_dump() != dump_before, fits, "{way}");
            assert_eq!(tree.overflow(), None);
        }
    }
}
