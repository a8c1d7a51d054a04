//! Coverage of an input: rows, pairs of rows, error codes and checks, as hashes. Targets record what executors report;
//! nothing is instrumented.

use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

thread_local! {
    static REACHED: RefCell<HashSet<u64>> = RefCell::default();
}

/// Records that something was reached.
pub fn note(what: impl Hash) {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    REACHED.with_borrow_mut(|reached| reached.insert(hasher.finish()));
}

/// Records each item and each pair of consecutive items.
pub fn note_pairs<T: Hash + Clone>(of: &str, items: impl IntoIterator<Item = T>) {
    let mut before: Option<T> = None;
    for item in items {
        note((of, &item));
        note((of, &before, &item));
        before = Some(item);
    }
}

/// Returns what was reached since the last call.
pub fn take() -> HashSet<u64> {
    REACHED.with_borrow_mut(std::mem::take)
}
