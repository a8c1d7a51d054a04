//! How much of a long campaign one run takes: a random sample, or with `TABULEX_FULL=1` all of it. It makes no inputs.
//! Invariant: a run prints the seed of its samples, and `TABULEX_SEED` repeats them.

use crate::random::Random;
use std::env;
use std::io::Write as _;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

static SEED: LazyLock<u64> = LazyLock::new(|| {
    let given = env::var("TABULEX_SEED").ok().and_then(|seed| seed.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let seed = given.unwrap_or_else(now);
    // Not by `println!`, which the test harness keeps back; a line that cannot be written must not fail a test.
    let line =
        format!("samples: TABULEX_SEED={seed} repeats them, TABULEX_FULL=1 takes everything");
    let _ = writeln!(std::io::stdout(), "{line}");
    seed
});

/// Whether everything is taken.
pub fn is_full() -> bool {
    env::var_os("TABULEX_FULL").is_some_and(|value| value == "1")
}

/// All items, or `count` random ones of them in their order.
pub fn sample<T>(mut items: Vec<T>, count: usize) -> Vec<T> {
    if is_full() || items.len() <= count {
        return items;
    }
    let mut random = Random::new(*SEED);
    while items.len() > count {
        items.remove(random.below(items.len()));
    }
    items
}

/// `count` seeds, or as many as a full run takes from `first` on: those of a sample begin anywhere among them.
pub fn seeds(first: u64, full: u64, count: u64) -> std::ops::Range<u64> {
    if is_full() || count >= full {
        return first..first + full;
    }
    let start = first + Random::new(*SEED).below((full - count) as usize) as u64;
    start..start + count
}
