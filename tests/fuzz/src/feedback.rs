//! What an input has reached: rows taken, pairs of rows, codes of errors, checks, as numbers. It instruments nothing; targets
//! note what executors report anyway. Invariant: the same input reaches the same.

use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

thread_local! {
    static REACHED: RefCell<HashSet<u64>> = RefCell::default();
}

/// Notes that something was reached.
pub fn note(what: impl Hash) {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    REACHED.with_borrow_mut(|reached| reached.insert(hasher.finish()));
}

/// Notes each of them, and each two that follow each other.
pub fn note_pairs<T: Hash + Clone>(of: &str, items: impl IntoIterator<Item = T>) {
    let mut before: Option<T> = None;
    for item in items {
        note((of, &item));
        note((of, &before, &item));
        before = Some(item);
    }
}

/// What was reached since the last call.
pub fn take() -> HashSet<u64> {
    REACHED.with_borrow_mut(std::mem::take)
}
