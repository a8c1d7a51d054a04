//! Samples for tests that take too long in full. A run uses the same sample each time; `TABULEX_SEED=N` selects others,
//! and `TABULEX_FULL=1` everything.

use crate::random::Random;
use std::env;
use std::ops::Range;
use std::sync::LazyLock;

static SEED: LazyLock<u64> = LazyLock::new(|| {
    let given = env::var("TABULEX_SEED").ok();
    given.map_or(1, |text| text.parse().expect("TABULEX_SEED is a number"))
});

/// Whether to run everything.
pub fn is_full() -> bool {
    env::var_os("TABULEX_FULL").is_some_and(|value| value == "1")
}

/// Creates a generator for a sample. It depends on the sample's name, not on the order in which tests run.
fn random(what: &str) -> Random {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    Random::new(*SEED ^ what.bytes().fold(0xCBF2_9CE4_8422_2325, step))
}

/// Returns a sample of at most `most` items in their order, or all of them to run everything.
pub fn of<T>(what: &str, items: Vec<T>, most: usize) -> Vec<T> {
    if is_full() || items.len() <= most {
        return items;
    }
    let mut random = random(what);
    let (mut left, mut expected) = (items.len(), most);
    let is_taken = |_: &T| {
        let taken = random.below(left) < expected;
        left -= 1;
        expected -= usize::from(taken);
        taken
    };
    items.into_iter().filter(is_taken).collect()
}

/// Returns seeds of random inputs: the range to run everything, otherwise `most` arbitrary ones.
pub fn seeds(what: &str, all: Range<u64>, most: usize) -> Vec<u64> {
    if is_full() {
        return all.collect();
    }
    let mut random = random(what);
    (0..most).map(|_| random.next_number()).collect()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn a_sample_has_its_size_and_order() {
        let taken = of("numbers", (0..1000).collect(), 10);
        assert!(taken.len() == 10 || super::is_full(), "{taken:?}");
        assert!(taken.is_sorted(), "{taken:?}");
    }
}
