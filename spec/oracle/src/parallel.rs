//! Applies a function to many items on all processors.

use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

/// Stack size of each thread in bytes, for texts that are nested deeply.
const STACK_SIZE: usize = 256 << 20;

/// Applies a function to the items on all processors, and begins none after the deadline. Returns the results of the
/// items that were begun, in their order; the items without a result follow all of these.
///
/// # Errors
/// Returns an error if a thread cannot be started.
///
/// # Panics
/// Panics if the function panics.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    deadline: Option<Instant>,
    apply: impl Fn(&T) -> R + Sync,
) -> io::Result<Vec<R>> {
    let next_index = AtomicUsize::new(0);
    let work = || {
        let mut results = Vec::new();
        while deadline.is_none_or(|deadline| Instant::now() < deadline) {
            let index = next_index.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            results.push((index, apply(item)));
        }
        results
    };
    let mut results = thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work);
        let thread_count = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..thread_count).map(start).collect::<io::Result<_>>()?;
        let join = |thread: ScopedJoinHandle<'_, Vec<(usize, R)>>| {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        Ok::<Vec<_>, io::Error>(threads.into_iter().flat_map(join).collect())
    })?;
    results.sort_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
