//! Fuzzing campaigns: run a target, keep the inputs that increase coverage, and shrink failing ones.

use crate::{Target, feedback, mutator};
use std::any::Any;
use std::cell::Cell;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::{Duration, Instant};
use tabulex_tests::inputs::shrink_list;
use tabulex_tests::random::Random;

/// A failure of a target.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The shrunken failing input.
    pub input: Vec<u8>,
    /// Panic message of the target.
    pub message: String,
}

/// A fuzzing campaign on one target.
#[derive(Debug)]
pub struct Campaign {
    target: &'static Target,
    random: Random,
    interesting_inputs: Vec<Vec<u8>>,
    coverage: HashSet<u64>,
    /// Number of inputs run.
    pub executions: u64,
    /// Longest running time, with its input.
    pub slowest: (Duration, Vec<u8>),
}

/// Maximum number of shorter inputs to try when shrinking a failing input.
const MAX_SHRINK_ATTEMPTS: usize = 2_000;

impl Campaign {
    /// Creates a campaign that has run no input; `seed` is that of its random choices.
    pub fn new(target: &'static Target, seed: u64) -> Self {
        Self {
            target,
            random: Random::new(seed),
            interesting_inputs: Vec::new(),
            coverage: HashSet::new(),
            executions: 0,
            slowest: (Duration::ZERO, Vec::new()),
        }
    }

    /// Runs an input, and keeps it for mutation if it increases coverage.
    ///
    /// # Errors
    /// The failure, with a shrunken input, if the target fails.
    pub fn run(&mut self, input: Vec<u8>) -> Result<(), Failure> {
        let run_timed = || {
            let start = Instant::now();
            let message = panic_message(self.target, &input);
            (message, start.elapsed())
        };
        let (failure, mut duration) = run_timed();
        self.executions += 1;
        if failure.is_none() && duration > self.slowest.0 {
            // The machine may have been busy, so the input is run again and the shorter duration counts.
            duration = duration.min(run_timed().1);
        }
        if duration > self.slowest.0 {
            self.slowest = (duration, input.clone());
        }
        if failure.is_some() {
            let target = self.target;
            let mut attempts = 0;
            let input = shrink_list(input, &mut |shorter| {
                attempts += 1;
                attempts <= MAX_SHRINK_ATTEMPTS && panic_message(target, shorter).is_some()
            });
            let message = panic_message(target, &input).or(failure).unwrap_or_default();
            return Err(Failure { input, message });
        }
        let old_coverage = self.coverage.len();
        self.coverage.extend(feedback::take());
        if self.coverage.len() > old_coverage {
            self.interesting_inputs.push(input);
        }
        Ok(())
    }

    /// Runs a new or mutated input, after passing it to `about_to_run`.
    ///
    /// # Errors
    /// The failure, with a shrunken input, if the target fails.
    pub fn step(&mut self, about_to_run: &mut dyn FnMut(&[u8])) -> Result<(), Failure> {
        let input =
            mutator::generate_or_mutate(&mut self.random, self.target, &self.interesting_inputs);
        about_to_run(&input);
        self.run(input)
    }

    /// Returns the number of inputs kept for mutation, and the number of coverage items that they reach.
    pub fn sizes(&self) -> (usize, usize) {
        (self.interesting_inputs.len(), self.coverage.len())
    }
}

thread_local! {
    /// Whether [`panic_message`] catches panics of this thread, so that they are not printed.
    static IS_PANIC_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Installs, once, a panic hook that does not print the panics that [`panic_message`] catches.
fn silence_caught_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let default_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_PANIC_CAUGHT.get() {
                default_hook(panic);
            }
        }));
    });
}

/// Runs a target on an input. Returns the panic message if the target fails.
fn panic_message(target: &Target, input: &[u8]) -> Option<String> {
    silence_caught_panics();
    feedback::take();
    IS_PANIC_CAUGHT.set(true);
    let result = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    IS_PANIC_CAUGHT.set(false);
    result.err().map(payload_text)
}

fn payload_text(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
