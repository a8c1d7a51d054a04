//! Helpers shared by the tests of deep trees. Output is counted and not kept, so that only the tree takes memory.

use std::fmt;

/// A writer that counts bytes.
struct Counter(usize);

impl fmt::Write for Counter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// Returns the number of bytes written by a function.
pub(crate) fn count(write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> usize {
    let mut counter = Counter(0);
    write(&mut counter).expect("counting cannot fail");
    counter.0
}

/// Runs a function in a thread with a stack of `bytes` bytes.
pub(crate) fn on_a_stack_of(bytes: usize, run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(bytes).spawn(run).expect("a thread");
    thread.join().expect("the stack is enough");
}
