//! The cost of 1 MB of every shape with default limits, in a process of its own: memory and, in an optimized build,
//! processor time. `linear` covers the growth of work.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;
use tabulex::Dialect;
use tabulex_tests::sample;
use tabulex_tests::shapes::{self, Shape};
use tabulex_tests::shared::report;
use tabulex_tests::uses::USES;

/// Maximum processor time for an input of 1 MB.
pub(super) const MAX_TIME: Duration = Duration::from_secs(2);
pub(super) const MAX_MEMORY: usize = 512 << 20;

/// Returns the factor by which a use of a page may exceed the bounds of a single parse. An edit holds the tree of the
/// page, the edited tree, and that of the edited text; printed text is a copy; a moved node gets a new parent, and each
/// character of a split text becomes a node. Copying holds four trees, two of them within one that has grown; a value
/// of strings and maps is larger than the tree from which it is built.
fn tree_count(way: &str) -> u32 {
    match way {
        "copied" => 5,
        "edited" | "wrapped" | "filled" | "followed" | "unwrapped" | "valued" => 3,
        "printed" | "moved" => 2,
        _ => 1,
    }
}

/// Returns the processor time and peak memory in bytes for a shape in one of the ways, in a process of its own; `None`
/// if the process fails. Its memory is limited to a multiple of the allowed amount.
fn measure_shape(
    dialect: &Dialect,
    shape: &Shape,
    way: &str,
    length: usize,
) -> Option<(Duration, usize)> {
    let input = shape.input(shape.count_for(length));
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 8388608; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_tabulex-limits"))
        .args([dialect.id(), "default", way])
        .args(&shape.context)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`sh` can be started");
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(input.as_bytes()).expect("`tabulex-limits` reads its whole input");
    drop(pipe);
    let output = child.wait_with_output().expect("`tabulex-limits` ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = text.split_whitespace().map(|number| number.parse::<u64>());
    let peak = numbers.next()?.ok()? as usize;
    Some((Duration::from_millis(numbers.next()?.ok()?), peak))
}

/// Measurements over all inputs.
#[derive(Default)]
struct Measurements {
    count: usize,
    /// The maximum time, with its input and way.
    slowest: (Duration, String),
    /// The maximum memory in bytes, with its input and way.
    largest: (usize, String),
    /// Messages about inputs that exceed a bound or make the process fail.
    failed: Vec<String>,
}

impl Measurements {
    /// Measures a shape of this length in one of the ways.
    fn add(&mut self, dialect: &Dialect, shape: &Shape, way: &str, length: usize) {
        let name = format!("{way} in {}: {shape}", dialect.id());
        self.count += 1;
        let Some((time, peak)) = measure_shape(dialect, shape, way, length) else {
            return self
                .failed
                .push(format!("the process failed, perhaps for lack of memory: {name}"));
        };
        // Unoptimized code may take longer than `MAX_TIME`, so only its memory is checked.
        let is_slow = !cfg!(debug_assertions) && time > MAX_TIME * tree_count(way);
        if is_slow || peak > MAX_MEMORY * tree_count(way) as usize {
            self.failed.push(format!("{time:?}, {} MB: {name}", peak >> 20));
        }
        if time > self.slowest.0 {
            self.slowest = (time, name.clone());
        }
        if peak > self.largest.0 {
            self.largest = (peak, name);
        }
    }

    /// Reports the maxima. Panics if a bound was exceeded.
    fn finish(self, description: &str) {
        assert!(self.failed.is_empty(), "{}", self.failed.join("\n"));
        let Self { count, slowest: (time, slow), largest: (peak, large), .. } = self;
        report(&format!("slow: {count} {description} take up to {time:?} ({slow})"));
        report(&format!("slow: {count} {description} take up to {} MB ({large})", peak >> 20));
    }
}

/// Returns the listed shapes with the dialects that they apply to and that satisfy `in_dialect`.
fn of_dialects(in_dialect: impl Fn(&str) -> bool) -> Vec<(&'static Dialect, Shape)> {
    let listed = shapes::listed();
    let dialects = tabulex::dialects().iter().filter(|dialect| in_dialect(dialect.id()));
    let shapes_of = |dialect: &'static Dialect| {
        let shapes = listed.iter().filter(|shape| shape.applies_to(dialect.id()));
        shapes.map(move |shape| (dialect, shape.clone()))
    };
    dialects.flat_map(|dialect| shapes_of(dialect)).collect()
}

/// Checks the bounds for each shape: for its tree from text and from bytes, and for its tokens, or for its tree as a
/// fragment.
#[test]
fn shapes_are_bounded() {
    let ways = |(dialect, shape): (&'static Dialect, Shape)| {
        let ways: &[&str] = match &shape.context {
            None if dialect.elements().is_none() => &["tokens"],
            None => &["whole", "bytes", "tokens"],
            Some(_) => &["contents"],
        };
        ways.iter().map(move |way| (dialect, shape.clone(), *way))
    };
    let parses = of_dialects(|_| true).into_iter().flat_map(ways).collect();
    let mut measured = Measurements::default();
    for (dialect, shape, way) in sample::of("bounded", parses, 12) {
        measured.add(dialect, &shape, way, 1_000_000);
    }
    measured.finish("shapes");
}

/// Checks the bounds for common uses of a page. Samples have a tenth of the size, since unoptimized code takes ten
/// times as long or more.
#[test]
fn used_shapes_are_bounded() {
    let has_uses = |id: &str| ["html", "xml-er"].contains(&id);
    let pages = of_dialects(has_uses).into_iter().filter(|(_, shape)| shape.context.is_none());
    let uses = |(dialect, shape): (&'static Dialect, Shape)| {
        USES.iter().map(move |way| (dialect, shape.clone(), *way))
    };
    let mut measured = Measurements::default();
    let length = if sample::is_full() { 1_000_000 } else { 100_000 };
    for (dialect, shape, way) in sample::of("used", pages.flat_map(uses).collect(), 6) {
        measured.add(dialect, &shape, way, length);
    }
    measured.finish("used pages");
}
