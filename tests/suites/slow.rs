//! Inputs that take more time or memory than others: a search for them, which climbs from one to a worse one, and what 1 MB of
//! the worst and of every shape takes with the default limits, in a process of its own. How work grows is the business of
//! `linear`. Invariant: what is asserted is what a user of the program can measure.

use super::linear::PIECES;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;
use tabulex::__private::steps_of;
use tabulex::{Dialect, FragmentContext, Options};
use tabulex_tests::markup::names;
use tabulex_tests::random::Random;
use tabulex_tests::sample;
use tabulex_tests::shapes::{self, Growth, Part, Shape};
use tabulex_tests::shared::report;

/// The most that an input of 1 MB may take, by time of the processor.
pub(super) const LONGEST: Duration = Duration::from_secs(2);
pub(super) const LARGEST: usize = 512 << 20;

/// Code that is not optimized is this much slower, about, and nobody is promised its time.
const SLOWER: u32 = if cfg!(debug_assertions) { 20 } else { 1 };

/// What the program `tabulex-limits` does with pages.
const USES: [&str; 19] = [
    "written",
    "read",
    "printed",
    "selected",
    "indexed",
    "sanitized",
    "rewritten",
    "moved",
    "edited",
    "wrapped",
    "filled",
    "followed",
    "unwrapped",
    "copied",
    "cut",
    "dissolved",
    "indented",
    "linked",
    "valued",
];

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

/// What is made much of.
#[derive(Clone, Copy, Debug)]
enum Cost {
    /// Steps.
    Work,
    /// Bytes on the heap.
    Memory,
}

impl Cost {
    /// What an input of the shape takes, for each of its bytes.
    fn of(self, dialect: &Dialect, shape: &Shape, length: usize) -> f64 {
        let input = shape.input(shape.count_for(length));
        let options = Options::new();
        let context = shape.context.as_deref().map(FragmentContext::from);
        let cost = match self {
            Self::Work => {
                let mut chunks = std::iter::once(&input[..]);
                let steps = steps_of(dialect, &options, context.as_ref(), &mut chunks);
                steps.expect("every dialect builds trees")[0] as f64
            }
            Self::Memory => {
                let parsed = parser(dialect, context.as_ref()).parse(&input);
                (parsed.tree.heap_size() + size_of_val(&parsed.errors[..])) as f64
            }
        };
        cost / input.len().max(1) as f64
    }
}

fn parser(dialect: &Dialect, context: Option<&FragmentContext>) -> Box<dyn tabulex::AnyParser> {
    let parser = match context {
        None => dialect.parser(&Options::new()),
        Some(context) => dialect.fragment_parser(context, &Options::new()),
    };
    parser.expect("every dialect builds trees")
}

/// A program of markup: pieces that stand once, and two lists of pieces that are repeated.
#[derive(Clone)]
struct Program {
    parts: [Vec<String>; 3],
}

impl Program {
    fn shape(&self) -> Shape {
        let joined = |index: usize| self.parts[index].concat();
        let before = joined(0).replace("{i}", "1").replace("{d}", "1");
        // Something is repeated, so that the input has its length.
        let parts = vec![Part::Once(before), Part::Many(joined(1) + "<b>"), Part::Many(joined(2))];
        Shape { dialects: Vec::new(), context: None, growth: Growth::Linear, parts }
    }

    /// A piece is put in, left out, changed, repeated or moved.
    fn changed(&self, random: &mut Random, names: &[String]) -> Self {
        let mut next = self.clone();
        let index = random.below(3);
        let place = random.below(next.parts[index].len() + 1);
        let piece = piece(random, names);
        let part = &mut next.parts[index];
        match (random.below(5), part.get(place).cloned()) {
            (0 | 1, _) if part.len() < 12 => part.insert(place, piece),
            (2, Some(_)) => drop(part.remove(place)),
            (3, Some(there)) => next.parts[random.below(3)].push(there),
            (_, Some(_)) => part[place] = piece,
            _ => {}
        }
        next
    }
}

/// A piece of markup: one of those that adversaries use, or a tag of a name that the rows of the tables look for.
fn piece(random: &mut Random, names: &[String]) -> String {
    if names.is_empty() || random.one_in(2) {
        return (*random.pick(PIECES)).to_owned();
    }
    let name = random.pick(names);
    match random.below(4) {
        0 => format!("</{name}>"),
        1 => format!("<{name} a={{i}}>"),
        _ => format!("<{name}>"),
    }
}

/// The worst program that is met on the way up, and its cost.
fn climbed(dialect: &Dialect, cost: Cost, seed: u64) -> (Shape, f64) {
    let mut random = Random::new(seed);
    let names = names(dialect.id());
    let (length, turns) = if sample::is_full() { (64_000, 300) } else { (4_000, 30) };
    let mut program = Program { parts: Default::default() };
    for _ in 0..6 {
        program = program.changed(&mut random, &names);
    }
    let mut worst = cost.of(dialect, &program.shape(), length);
    for _ in 0..turns {
        let mut next = program.changed(&mut random, &names);
        for _ in 0..random.below(3) {
            next = next.changed(&mut random, &names);
        }
        let found = cost.of(dialect, &next.shape(), length);
        // What is as bad may lead to what is worse.
        if found >= worst {
            (program, worst) = (next, found);
        }
    }
    (program.shape(), worst)
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
        let mut found = taken(dialect, shape, way, length);
        let longest = LONGEST * SLOWER * trees(way);
        // A machine that was busy is asked again.
        if found.is_some_and(|(time, _)| time > longest) {
            found = taken(dialect, shape, way, length);
        }
        let Some((time, peak)) = found else {
            return self.failed.push(format!("no end, or not enough memory: {name}"));
        };
        if time > longest || peak > LARGEST * trees(way) as usize {
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

/// What a search finds takes no more than it may.
#[test]
fn searched_inputs_are_bounded() {
    let mut measured = Measured::default();
    for dialect in tabulex::dialects() {
        for cost in [Cost::Work, Cost::Memory] {
            let name = format!("slow {} {cost:?}", dialect.id());
            let found = sample::seeds(&name, 0..12, 1).into_iter();
            let found = found.map(|seed| climbed(dialect, cost, seed));
            let Some((shape, worst)) = found.max_by(|(_, one), (_, other)| one.total_cmp(other))
            else {
                continue;
            };
            report(&format!("{name}: {worst:.1} a byte: {shape}"));
            measured.add(dialect, &shape, "whole", 1_000_000);
        }
    }
    measured.end("searched inputs");
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
