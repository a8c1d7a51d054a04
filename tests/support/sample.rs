//! Samples for tests that take too long in full. A run uses the same sample each time; `TABULEX_SEED=N` selects others,
//! and `TABULEX_FULL=1` everything.

use crate::random::Random;
use std::env;
use std::ops::Range;
use std::sync::LazyLock;

static SEED: LazyLock<u64> = LazyLock::new(|| {
    let setting = env::var("TABULEX_SEED").ok();
    setting.map_or(1, |text| text.parse().expect("`TABULEX_SEED` is a number"))
});

/// Whether to run everything, as `TABULEX_FULL=1` requests.
pub fn is_full() -> bool {
    env::var_os("TABULEX_FULL").is_some_and(|value| value == "1")
}

/// Creates a generator for a sample. It depends on the sample's name, not on the order in which tests run.
pub fn random(name: &str) -> Random {
    let hash_byte = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    Random::new(*SEED ^ name.bytes().fold(0xCBF2_9CE4_8422_2325, hash_byte))
}

/// Returns a sample of at most `max_count` items in their order; all items if [everything is run](is_full).
pub fn of<T>(name: &str, items: Vec<T>, max_count: usize) -> Vec<T> {
    if is_full() || items.len() <= max_count {
        return items;
    }
    let mut random = random(name);
    let (mut items_left, mut samples_left) = (items.len(), max_count);
    let is_taken = |_: &T| {
        let is_sampled = random.below(items_left) < samples_left;
        items_left -= 1;
        samples_left -= usize::from(is_sampled);
        is_sampled
    };
    items.into_iter().filter(is_taken).collect()
}

/// Returns seeds of random inputs: `max_count` arbitrary ones, or the range `all` if [everything is run](is_full).
pub fn seeds(name: &str, all: Range<u64>, max_count: usize) -> Vec<u64> {
    if is_full() {
        return all.collect();
    }
    let mut random = random(name);
    (0..max_count).map(|_| random.next_number()).collect()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn a_sample_has_its_size_and_order() {
        let sampled = of("numbers", (0..1000).collect(), 10);
        assert!(sampled.len() == 10 || super::is_full(), "{sampled:?}");
        assert!(sampled.is_sorted(), "{sampled:?}");
    }
}
