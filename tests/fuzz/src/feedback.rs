//! Coverage of an input: rows, pairs of rows, error codes and checks, as hashes. Targets record what executors report,
//! as code is not instrumented.

use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

thread_local! {
    static COVERAGE: RefCell<HashSet<u64>> = RefCell::default();
}

/// Records a coverage item, such as a row or an error code.
pub fn note(item: impl Hash) {
    let mut hasher = DefaultHasher::new();
    item.hash(&mut hasher);
    COVERAGE.with_borrow_mut(|coverage| coverage.insert(hasher.finish()));
}

/// Records each item and each pair of consecutive items, together with a scope such as a dialect.
pub fn note_pairs<T: Hash + Clone>(scope: &str, items: impl IntoIterator<Item = T>) {
    let mut previous: Option<T> = None;
    for item in items {
        note((scope, &item));
        note((scope, &previous, &item));
        previous = Some(item);
    }
}

/// Returns the hashes of the items recorded on this thread since the last call.
pub fn take() -> HashSet<u64> {
    COVERAGE.with_borrow_mut(std::mem::take)
}
