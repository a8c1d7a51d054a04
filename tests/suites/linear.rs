//! Work is linear in the input: tokens and trees, whole and split into characters, of each shape in every dialect. It
//! is counted in steps, never timed.

use std::borrow::Cow;
use tabulex::__private::steps_of;
use tabulex::{Control, Dialect, FragmentContext, Options, Progress, Sink, Tag, Text};
use tabulex_tests::inputs::characters;
use tabulex_tests::sample;
use tabulex_tests::shapes::{self, DerivedShapes, Growth, Shape};
use tabulex_tests::shared::report;
use tabulex_tests::trees::{tree_dialects, unlimited};

/// Maximum growth of work when the input is doubled.
const MAX_GROWTH: f64 = 2.1;

/// A way to parse an input.
#[derive(Clone, Copy, Debug)]
struct Way {
    makes_tree: bool,
    is_cut: bool,
    /// Whether the default depth limit applies; otherwise there is none.
    is_limited: bool,
}

const fn way(makes_tree: bool, is_cut: bool) -> Way {
    Way { makes_tree, is_cut, is_limited: false }
}

const WAYS: [Way; 4] = [way(false, false), way(false, true), way(true, false), way(true, true)];

/// A sink that counts the machine's steps.
#[derive(Default)]
struct Counter {
    steps: u64,
    /// Whether to pause at every token.
    pauses: bool,
}

impl Counter {
    fn control(&self) -> Control {
        if self.pauses { Control::Pause } else { Control::Continue }
    }
}

impl Sink for Counter {
    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        self.steps += tag.attributes().len() as u64;
        self.control()
    }

    fn end_tag(&mut self, _: Tag<'_>) -> Control {
        self.control()
    }

    fn text(&mut self, _: Text<'_>) -> Control {
        self.control()
    }

    fn convert<'t>(&mut self, _: &str, text: &'t str) -> Option<Cow<'t, str>> {
        Some(Cow::Borrowed(text))
    }

    fn wants_rows(&self) -> bool {
        true
    }

    fn row(&mut self, _: u16) {
        self.steps += 1;
    }

    fn inspected(&mut self, bytes: usize) {
        self.steps += bytes as u64;
    }
}

fn options(is_limited: bool) -> Options {
    let options = Options::new().errors(false);
    if is_limited { options } else { options.limits(unlimited()) }
}

/// Returns the number of steps for an input, and the total size of the input and its output. A dialect that builds no
/// trees has the steps of its tokenizer.
fn work(dialect: &Dialect, context: Option<&str>, way: Way, input: &str) -> [f64; 2] {
    let single_characters: Vec<&str> = if way.is_cut { characters(input) } else { Vec::new() };
    let whole = if way.is_cut { None } else { Some(input) };
    let mut chunks = single_characters.into_iter().chain(whole);
    let [steps, created] = if way.makes_tree && dialect.elements().is_some() {
        let context = context.map(FragmentContext::from);
        let options = options(way.is_limited);
        steps_of(dialect, &options, context.as_ref(), &mut chunks).expect("it builds trees")
    } else {
        let mut counter = Counter::default();
        let mut tokenizer = dialect.tokenizer();
        for chunk in chunks {
            let _ = tokenizer.feed(chunk, &mut counter);
        }
        let _ = tokenizer.finish(&mut counter);
        [counter.steps, 0]
    };
    [steps as f64, input.len() as f64 + created as f64]
}

/// Returns the maximum factor by which the steps grow when the input is doubled, up to a length of `longest` bytes:
/// relative to the input, and relative to the input with its output.
fn growth(dialect: &Dialect, shape: &Shape, way: Way, longest: usize) -> [f64; 2] {
    let max_count = shape.count_for(longest);
    let ratios = [max_count / 8, max_count / 4, max_count / 2, max_count].map(|count| {
        let input = shape.input(count);
        let [steps, output] = work(dialect, shape.context.as_deref(), way, &input);
        [steps / input.len() as f64, steps / output]
    });
    [0, 1].map(|index| {
        let pairs = ratios.windows(2);
        pairs.map(|pair| 2.0 * pair[1][index] / pair[0][index]).fold(0.0, f64::max)
    })
}

/// Returns all dialects; those of records as machines, whose steps are counted without given tokens.
fn dialects() -> impl Iterator<Item = &'static Dialect> {
    static RECORDS: &[Dialect] = &[<tabulex::url::Machine as tabulex::Machine>::DIALECT];
    tabulex::dialects().iter().copied().chain(RECORDS)
}

#[test]
fn dialects_of_records_are_complete() {
    let ids = tabulex::record_dialects().iter().map(|dialect| dialect.id);
    assert!(ids.eq(dialects().skip(tabulex::dialects().len()).map(Dialect::id)));
}

/// Returns the shapes with the dialects that they apply to.
fn with_dialects(shapes: &[Shape]) -> Vec<(&'static Dialect, &Shape)> {
    let shapes_of = |dialect: &'static Dialect| {
        shapes
            .iter()
            .filter(|shape| shape.applies_to(dialect.id()))
            .map(move |shape| (dialect, shape))
    };
    dialects().flat_map(shapes_of).collect()
}

/// Returns the maximum input length for a shape, in bytes. A tree that is quadratic in its input takes half a gigabyte
/// for 64 KB, and more than a hundred gigabytes for 1 MB.
fn longest(shape: &Shape, way: Way) -> usize {
    match (sample::is_full(), shape.growth) {
        (false, _) => 32_000,
        (true, Growth::Output) if way.makes_tree => 64_000,
        (true, _) => 1_000_000,
    }
}

/// Returns a message for each shape whose steps grow too fast in one of the ways.
fn failures(shapes: &[(&'static Dialect, &Shape)], ways: &[Way]) -> Vec<String> {
    let mut failed = Vec::new();
    for (dialect, shape) in shapes {
        for &way in ways {
            let [by_input, by_output] = growth(dialect, shape, way, longest(shape, way));
            let growth = match shape.growth {
                Growth::Output if way.makes_tree => by_output,
                _ => by_input,
            };
            if growth > MAX_GROWTH {
                let id = dialect.id();
                failed.push(format!("{id}, {way:?}: {shape}: {by_input:.2} {by_output:.2}"));
            }
        }
    }
    failed
}

#[test]
fn shapes_are_linear() {
    let shapes = shapes::listed();
    assert!(shapes.len() > 500, "only {} shapes are listed, expected more than 500", shapes.len());
    let is_linear =
        |(_, shape): &(_, &Shape)| matches!(shape.growth, Growth::Linear | Growth::Output);
    let in_dialects: Vec<_> = with_dialects(&shapes).into_iter().filter(is_linear).collect();
    let sampled = sample::of("shapes", in_dialects, 100);
    let failed = failures(&sampled, &WAYS);
    assert!(
        failed.is_empty(),
        "steps grow by a factor of more than {MAX_GROWTH}:\n{}",
        failed.join("\n")
    );
    report(&format!("linear: {} shapes in dialects, {} ways", sampled.len(), WAYS.len()));
}

/// Steps stay linear if a sink pauses at every token of one large chunk.
#[test]
fn pauses_are_linear() {
    for dialect in tree_dialects() {
        let steps = |count: usize| {
            let mut counter = Counter { pauses: true, ..Counter::default() };
            let mut tokenizer = dialect.tokenizer();
            let mut progress = tokenizer.feed(&"<a b=c>d</a>".repeat(count), &mut counter);
            let mut pauses = 0;
            while progress == Progress::Paused {
                pauses += 1;
                progress = tokenizer.resume(&mut counter);
            }
            assert!(
                pauses > count,
                "{}: only {pauses} pauses for {count} elements, expected more than one for each",
                dialect.id()
            );
            counter.steps as f64
        };
        let (once, twice) = (steps(1_000), steps(2_000));
        assert!(
            twice <= MAX_GROWTH * once,
            "{}: {once} steps for an input, {twice} for one of twice the length",
            dialect.id()
        );
    }
}

#[test]
fn published_shapes_are_linear() {
    let shapes = match shapes::published() {
        Ok(shapes) => shapes,
        Err(error) => {
            return report(&format!(
                "linear: 0 published shapes: cannot read `testdata/pathological`: {error}"
            ));
        }
    };
    assert!(shapes.len() > 40, "only {} shapes are published, expected more than 40", shapes.len());
    let sampled = sample::of("published", with_dialects(&shapes), 40);
    let failed = failures(&sampled, &WAYS);
    assert!(
        failed.is_empty(),
        "steps grow by a factor of more than {MAX_GROWTH}:\n{}",
        failed.join("\n")
    );
    report(&format!("linear: {} published shapes in dialects", sampled.len()));
}

/// The steps of shapes with declared exceptions grow faster than the input: with the tree, or up to the depth limit.
#[test]
fn declared_exceptions_are_not_linear() {
    let shapes = shapes::listed();
    let unlimited_way = way(true, false);
    let limited_way = Way { is_limited: true, ..unlimited_way };
    for (dialect, shape) in with_dialects(&shapes) {
        match shape.growth {
            Growth::Linear | Growth::Fixed => continue,
            Growth::Output => {
                let [by_input, by_output] = growth(dialect, shape, unlimited_way, 32_000);
                assert!(
                    by_input > MAX_GROWTH && by_output <= MAX_GROWTH,
                    "{shape}: {by_input} {by_output}"
                );
            }
            Growth::Deep => {
                let [by_input, _] = growth(dialect, shape, unlimited_way, 32_000);
                assert!(by_input > MAX_GROWTH, "{shape}: {by_input}");
                // At this length the tree has reached the depth limit, so it gets no deeper.
                let [by_input, _] = growth(dialect, shape, limited_way, 2_000_000);
                assert!(
                    by_input <= MAX_GROWTH,
                    "{shape}: with the depth limit, steps grow by a factor of {by_input}"
                );
            }
        }
    }
}

/// With default limits, the steps of shapes derived from tables grow at most linearly with the input or with the tree.
#[test]
fn derived_shapes_are_linear() {
    let mut failed = Vec::new();
    for dialect in dialects() {
        let derived = DerivedShapes::of(dialect.id());
        let sampled = derived.sample(if dialect.id() == "html" { 600 } else { 60 });
        for &number in &sampled {
            let shape = derived.shape(number);
            let measure = |count: usize| {
                let way = Way { is_limited: true, ..way(true, false) };
                work(dialect, None, way, &shape.input(count))
            };
            let input_of = |count: usize| shape.input(count).len() as f64;
            // A shape fails only if it exceeds the bound at every count: at the first, its tree has reached the depth
            // limit, but growth toward other limits may end only at a larger count.
            let exceeds = |&count: &usize| {
                let [once, twice] = [count, 2 * count];
                let ([steps, output], [more_steps, more_output]) = (measure(once), measure(twice));
                let by_input = input_of(twice) / input_of(once);
                more_steps / steps > (more_output / output).max(by_input) * MAX_GROWTH / 2.0
            };
            if [1_000, 2_000, 8_000].iter().all(exceeds) {
                failed.push((shape.input(1).len(), format!("{}: {shape}", dialect.id())));
            }
        }
        report(&format!(
            "linear: {} of {} derived shapes of {}",
            sampled.len(),
            derived.count(),
            dialect.id()
        ));
    }
    failed.sort();
    let failed: Vec<String> = failed.into_iter().map(|(_, shape)| shape).collect();
    assert!(
        failed.is_empty(),
        "steps grow by a factor of more than {MAX_GROWTH}:\n{}",
        failed.join("\n")
    );
}
