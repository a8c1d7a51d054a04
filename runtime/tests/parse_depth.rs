//! Parsing of a million levels in a thread with a small stack. Trees that are not parsed are tested beside this.
//! Invariant: every dialect that constructs trees is run here, if its feature is on.

use std::fmt;
use tabulex::{Options, Parsed};

const LEVELS: usize = 1_000_000;

/// The stack in bytes. Without optimization every value of a machine's one large function has a place of its own in the
/// frame of that function; `cargo xtask ci` runs this file optimized as well.
const STACK: usize = if cfg!(debug_assertions) { 256 * 1024 } else { 64 * 1024 };

/// Counts what is written.
struct Counter(usize);

impl fmt::Write for Counter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn count(write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> usize {
    let mut counter = Counter(0);
    write(&mut counter).expect("counting cannot fail");
    counter.0
}

/// Parses, clones, compares, drops, walks and serializes.
fn check(parse: fn(&str, Options) -> Parsed) {
    let input = "<a>".repeat(LEVELS) + "x" + &"</a>".repeat(LEVELS);
    let tree = parse(&input, Options::new()).tree;
    let copy = tree.clone();
    assert!(copy == tree);
    drop(tree);
    assert_eq!(copy.root().descendants().count(), LEVELS + 1);
    assert_eq!(copy.root().text(), "x");
    assert_eq!(count(|out| copy.root().write_xml(out)), 7 * LEVELS + 1);
    assert_eq!(count(|out| copy.root().write_json(out)), 11 * LEVELS + 3);
    assert!(count(|out| write!(out, "{copy:?}")) > 20 * LEVELS);
}

fn check_on_a_small_stack(parse: fn(&str, Options) -> Parsed) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || check(parse));
    thread.expect("a thread").join().expect("the stack is enough");
}

#[cfg(feature = "sky")]
#[test]
fn sky() {
    check_on_a_small_stack(|input, options| {
        tabulex::sky::parse(input, tabulex::sky::ParsingContext::None, options)
    });
}

#[cfg(feature = "microxml")]
#[test]
fn microxml() {
    check_on_a_small_stack(tabulex::microxml::parse);
}

#[cfg(feature = "microxml-2012-12")]
#[test]
fn microxml_2012_12() {
    check_on_a_small_stack(tabulex::microxml_2012_12::parse);
}

#[cfg(feature = "xml-er")]
#[test]
fn xml_er() {
    check_on_a_small_stack(tabulex::xml_er::parse);
}
