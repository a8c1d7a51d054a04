//! The work for a use of a page grows at most linearly with the page and its tree, for written shapes and for those
//! derived from tables. It is counted in reads of the tree and in allocated bytes, never timed.

use super::{HEAP, lock_out_other_tests};
use stats_alloc::Region;
use std::thread;
use tabulex::__private::reads;
use tabulex::{Dialect, Options};
use tabulex_tests::random::Random;
use tabulex_tests::sample;
use tabulex_tests::shapes::{self, DerivedShapes, Growth, Shape};
use tabulex_tests::shared::report;
use tabulex_tests::uses::{USES, apply_use};

/// Maximum growth of work when the page and its tree are doubled.
const MAX_GROWTH: f64 = 2.1;

/// The uses that apply edits. These search for the first refused edit by halving, which takes as many parses as the
/// logarithm of the number of edits.
const EDITS: [&str; 5] = ["edited", "wrapped", "filled", "followed", "unwrapped"];

/// Returns the work for a use, in reads of the tree and units of 64 allocated bytes, and the size of the page, in bytes
/// and nodes.
fn work(dialect: &Dialect, use_name: &str, page: &str) -> [f64; 2] {
    let parser = dialect.parser(&Options::new().errors(false));
    let nodes = parser.unwrap().parse(page).tree.node_count();
    let (reads_before, heap) = (reads(), Region::new(HEAP));
    assert!(apply_use(dialect, use_name, page), "unknown use `{use_name}`");
    let steps = reads() - reads_before + heap.change().bytes_allocated as u64 / 64;
    [steps as f64, (page.len() + nodes) as f64]
}

/// Whether work grows too fast at each of several sizes. Work that stops growing at a limit does not.
fn exceeds(dialect: &Dialect, use_name: &str, shape: &Shape) -> bool {
    [600, 1_200, 4_800].iter().all(|&count| {
        let [[steps, size], [more_steps, more_size]] =
            [count, 2 * count].map(|count| work(dialect, use_name, &shape.input(count)));
        let parse_growth = if EDITS.contains(&use_name) { more_size.ln() / size.ln() } else { 1.0 };
        more_steps / steps > more_size / size * parse_growth * MAX_GROWTH / 2.0
    })
}

/// Returns the uses to measure in a dialect, each paired with the shape of its pages.
fn samples(dialect: &Dialect) -> Vec<(Shape, &'static str)> {
    let mut shapes = shapes::listed();
    shapes.retain(|shape| {
        shape.applies_to(dialect.id()) && shape.context.is_none() && shape.growth == Growth::Linear
    });
    let uses = |shape: &Shape| USES.map(|use_name| (shape.clone(), use_name));
    let mut samples = sample::of("uses", shapes.iter().flat_map(uses).collect(), 60);
    let derived = DerivedShapes::of(dialect.id());
    for seed in sample::seeds("derived uses", 0..4_000, 60) {
        let mut random = Random::new(seed);
        samples.push((derived.shape(random.below(derived.count())), *random.pick(&USES)));
    }
    samples
}

fn measure() {
    let (mut failed, mut count) = (Vec::new(), 0);
    for dialect in
        tabulex::dialects().iter().filter(|dialect| ["html", "xml-er"].contains(&dialect.id()))
    {
        for (shape, use_name) in samples(dialect) {
            count += 1;
            if exceeds(dialect, use_name, &shape) {
                let failure = format!("{use_name} in {}: {shape}", dialect.id());
                failed.push((shape.input(1).len(), failure));
            }
        }
    }
    failed.sort();
    let failed: Vec<String> = failed.into_iter().map(|(_, failure)| failure).collect();
    assert!(
        failed.is_empty(),
        "work grows by a factor of more than {MAX_GROWTH}:\n{}",
        failed.join("\n")
    );
    report(&format!("memory: {count} uses of shapes are linear"));
}

#[test]
fn uses_are_linear() {
    let _lock = lock_out_other_tests();
    // The stack is large, because Serde values nest as deeply as the tree, and unoptimized code uses large stack
    // frames.
    let thread = thread::Builder::new().stack_size(256 << 20).spawn(measure);
    thread.expect("a thread can be spawned").join().unwrap();
}
