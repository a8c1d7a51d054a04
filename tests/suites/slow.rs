//! What 1 MB of every shape takes with the default limits, in a process of its own: memory, and in a build that is optimized
//! the time of the processor. How work grows is the business of `linear`.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;
use tabulex::Dialect;
use tabulex_tests::sample;
use tabulex_tests::shapes::{self, Shape};
use tabulex_tests::shared::report;
use tabulex_tests::uses::USES;

/// The most that an input of 1 MB may take, by time of the processor.
pub(super) const LONGEST: Duration = Duration::from_secs(2);
pub(super) const LARGEST: usize = 512 << 20;

/// How many trees are held: an edit compares the edited one with that of the edited text, and leaves the page's as it is;
/// what is printed is a copy, and each node that is moved gets another one around it, as each character of a text that is cut
/// becomes a node. Of a tree that is copied there are four at last, of which two are in one that has grown; a value of strings
/// and maps is larger than the tree that it is read from.
fn trees(way: &str) -> u32 {
    match way {
        "copied" => 5,
        "edited" | "wrapped" | "filled" | "followed" | "unwrapped" | "valued" => 3,
        "printed" | "moved" | "cut" => 2,
        _ => 1,
    }
}

/// What so many bytes of a shape take in one of the ways, in a process of its own; none if it does not end well. It gets
/// a multiple of the memory that it may take, and not all that there is.
fn taken(dialect: &Dialect, shape: &Shape, way: &str, length: usize) -> Option<(Duration, usize)> {
    let input = shape.input(shape.count_for(length));
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 8388608; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_tabulex-limits"))
        .args([dialect.id(), "default", way])
        .args(&shape.context)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("it reads all");
    drop(pipe);
    let output = child.wait_with_output().expect("an end");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = text.split_whitespace().map(|number| number.parse::<u64>());
    let peak = numbers.next()?.ok()? as usize;
    Some((Duration::from_millis(numbers.next()?.ok()?), peak))
}

/// What was measured.
#[derive(Default)]
struct Measured {
    count: usize,
    /// The longest time, and which input in which way takes it.
    longest: (Duration, String),
    /// The most memory in bytes, and which input in which way takes it.
    largest: (usize, String),
    /// What takes too much.
    failed: Vec<String>,
}

impl Measured {
    /// Measures so many bytes of a shape in one of the ways.
    fn add(&mut self, dialect: &Dialect, shape: &Shape, way: &str, length: usize) {
        let name = format!("{way} in {}: {shape}", dialect.id());
        self.count += 1;
        let Some((time, peak)) = taken(dialect, shape, way, length) else {
            return self.failed.push(format!("no end, or not enough memory: {name}"));
        };
        // Nobody is promised the time of code that is not optimized.
        let is_slow = !cfg!(debug_assertions) && time > LONGEST * trees(way);
        if is_slow || peak > LARGEST * trees(way) as usize {
            self.failed.push(format!("{time:?}, {} MB: {name}", peak >> 20));
        }
        if time > self.longest.0 {
            self.longest = (time, name.clone());
        }
        if peak > self.largest.0 {
            self.largest = (peak, name);
        }
    }

    /// Reports the worst; fails if anything takes too much.
    fn end(self, what: &str) {
        assert!(self.failed.is_empty(), "{}", self.failed.join("\n"));
        let Self { count, longest: (time, slow), largest: (peak, large), .. } = self;
        report(&format!("slow: {count} {what} take up to {time:?} ({slow})"));
        report(&format!("slow: {count} {what} take up to {} MB ({large})", peak >> 20));
    }
}

/// The shapes, each with every one of these dialects that it is for.
fn of_dialects(in_dialect: impl Fn(&str) -> bool) -> Vec<(&'static Dialect, Shape)> {
    let own = shapes::own();
    let dialects = tabulex::dialects().iter().filter(|dialect| in_dialect(dialect.id()));
    let of = |dialect: &'static Dialect| {
        let shapes = own.iter().filter(|it| it.is_of(dialect.id()));
        shapes.map(move |shape| (dialect, shape.clone()))
    };
    dialects.flat_map(|dialect| of(dialect)).collect()
}

/// Nor does any shape: its tree, that of its bytes, its tokens, or its tree as the contents of its element.
#[test]
fn shapes_are_bounded() {
    let ways = |(dialect, shape): (&'static Dialect, Shape)| {
        let ways: &[&str] = match &shape.context {
            None => &["whole", "bytes", "tokens"],
            Some(_) => &["contents"],
        };
        ways.iter().map(move |way| (dialect, shape.clone(), *way))
    };
    let all = of_dialects(|_| true).into_iter().flat_map(ways).collect();
    let mut measured = Measured::default();
    for (dialect, shape, way) in sample::of("bounded", all, 12) {
        measured.add(dialect, &shape, way, 1_000_000);
    }
    measured.end("shapes");
}

/// Nor what people do with a page: of a sample with a tenth of it, as it is done ten times and more by code that is not
/// optimized.
#[test]
fn used_shapes_are_bounded() {
    let has_uses = |id: &str| ["html", "xml-er"].contains(&id);
    let pages = of_dialects(has_uses).into_iter().filter(|(_, shape)| shape.context.is_none());
    let uses = |(dialect, shape): (&'static Dialect, Shape)| {
        USES.iter().map(move |way| (dialect, shape.clone(), *way))
    };
    let mut measured = Measured::default();
    let length = if sample::is_full() { 1_000_000 } else { 100_000 };
    for (dialect, shape, way) in sample::of("used", pages.flat_map(uses).collect(), 6) {
        measured.add(dialect, &shape, way, length);
    }
    measured.end("used pages");
}
