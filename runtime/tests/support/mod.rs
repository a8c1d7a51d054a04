//! Helpers for tests of deep trees. Output is counted rather than kept, so that only the tree takes memory.

use std::fmt;

/// A writer that counts bytes.
struct Counter(usize);

impl fmt::Write for Counter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// Returns the number of bytes that `write` writes.
pub(crate) fn count(write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> usize {
    let mut counter = Counter(0);
    write(&mut counter).expect("counting cannot fail");
    counter.0
}

/// Runs a function in a thread with a stack of `bytes` bytes.
pub(crate) fn run_on_stack(bytes: usize, run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(bytes).spawn(run);
    let thread = thread.expect("a thread can be started");
    thread.join().expect("the function does not panic");
}
