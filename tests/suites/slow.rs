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

/// The most that an input of 1 MB may take.
const LONGEST: Duration = Duration::from_secs(2);
const LARGEST: usize = 512 << 20;

/// Code that is not optimized is this much slower, about, and nobody is promised its time.
const SLOWER: u32 = if cfg!(debug_assertions) { 20 } else { 1 };

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

/// What 1 MB of a shape takes, in a process of its own.
fn taken(dialect: &Dialect, shape: &Shape) -> (Duration, usize) {
    let input = shape.input(shape.count_for(1_000_000));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabulex-limits"))
        .args([dialect.id(), "default", "whole"])
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
    let mut number = || numbers.next().and_then(Result::ok).expect("two numbers");
    let peak = number() as usize;
    (Duration::from_millis(number()), peak)
}

/// Why the shape takes too much; what it takes is added to the most so far.
fn judged(dialect: &Dialect, shape: &Shape, most: &mut (Duration, usize)) -> Option<String> {
    let (mut time, peak) = taken(dialect, shape);
    // A machine that was busy is asked again.
    if time > LONGEST * SLOWER {
        time = time.min(taken(dialect, shape).0);
    }
    *most = (most.0.max(time), most.1.max(peak));
    let is_bounded = time <= LONGEST * SLOWER && peak <= LARGEST;
    (!is_bounded).then(|| format!("{}: {time:?}, {} MB: {shape}", dialect.id(), peak >> 20))
}

/// What a search finds takes no more than it may.
#[test]
fn searched_inputs_are_bounded() {
    let (mut most, mut failed) = ((Duration::ZERO, 0), Vec::new());
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
            failed.extend(judged(dialect, &shape, &mut most));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    report(&format!("slow: searched inputs of 1 MB take up to {:?}, {} MB", most.0, most.1 >> 20));
}

/// Nor does any shape.
#[test]
fn shapes_are_bounded() {
    let own = shapes::own();
    let of = |dialect: &'static Dialect| {
        let shapes = own.iter().filter(|it| it.is_of(dialect.id()));
        // The program parses documents.
        shapes.filter(|it| it.context.is_none()).map(move |shape| (dialect, shape))
    };
    let all = tabulex::dialects().iter().flat_map(|dialect| of(dialect)).collect();
    let (mut most, mut failed) = ((Duration::ZERO, 0), Vec::new());
    let shapes = sample::of("bounded", all, 12);
    for (dialect, shape) in &shapes {
        failed.extend(judged(dialect, shape, &mut most));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let count = shapes.len();
    report(&format!("slow: {count} shapes of 1 MB take up to {:?}, {} MB", most.0, most.1 >> 20));
}
