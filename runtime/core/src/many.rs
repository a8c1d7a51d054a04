//! Parses many inputs on several threads. Results come in the order of the inputs, and only a few inputs and results
//! per thread are held at a time.
//!
//! ```
//! use tabulex::html::Html;
//! use tabulex::{Options, many};
//!
//! let pages = ["<p>One", "<p>Two<p>Three"];
//! let mut counts = Vec::new();
//! many::parse::<Html, _>(
//!     pages,
//!     &Options::new(),
//!     many::all_cores(),
//!     |parsed| parsed.tree.root().descendants().filter(|node| node.local_name() == Some("p")).count(),
//!     |count| counts.push(count),
//! );
//! assert_eq!(counts, [1, 2]);
//! ```

use crate::construct::{Construction, Options, Parsed, Parser};
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of unfinished inputs per thread: enough that the other threads stay busy while one, even the thread
/// that hands out the inputs, parses a long one.
const IN_FLIGHT_PER_THREAD: usize = 16;

/// Returns the number of threads that the machine runs in parallel.
pub fn all_cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Parses many texts. `map` receives each result on the thread that parsed it; its return value goes to `consume` on
/// the calling thread, in the order of the inputs. The memory of a tree that `map` leaves in place is reused; take it
/// out to keep it (`std::mem::take(&mut parsed.tree)`).
pub fn parse<D: Construction, R: Send>(
    inputs: impl IntoIterator<Item: AsRef<str> + Send>,
    options: &Options,
    threads: NonZeroUsize,
    map: impl Fn(&mut Parsed) -> R + Sync,
    consume: impl FnMut(R),
) where
    Parser<D>: Send,
{
    parse_with(
        inputs,
        options,
        threads,
        |parser, input| parser.parse(input.as_ref()),
        map,
        consume,
    );
}

/// Parses many inputs of bytes, whose encodings are detected; see [`parse`].
pub fn parse_bytes<D: Construction, R: Send>(
    inputs: impl IntoIterator<Item: AsRef<[u8]> + Send>,
    options: &Options,
    threads: NonZeroUsize,
    map: impl Fn(&mut Parsed) -> R + Sync,
    consume: impl FnMut(R),
) where
    Parser<D>: Send,
{
    let parse = |parser: &mut Parser<D>, input: _| parser.parse_bytes(AsRef::as_ref(&input));
    parse_with(inputs, options, threads, parse, map, consume);
}

fn parse_with<D: Construction, I: Send, R: Send>(
    inputs: impl IntoIterator<Item = I>,
    options: &Options,
    threads: NonZeroUsize,
    parse: impl Fn(&mut Parser<D>, I) -> Parsed + Sync,
    map: impl Fn(&mut Parsed) -> R + Sync,
    mut consume: impl FnMut(R),
) where
    Parser<D>: Send,
{
    let work = |parser: &mut Parser<D>, input: I| {
        let mut parsed = parse(parser, input);
        let result = map(&mut parsed);
        parser.recycle(parsed.tree);
        result
    };
    let new_worker = || Parser::new(options);
    let _ = in_order(inputs, threads, new_worker, work, |result| -> ControlFlow<()> {
        consume(result);
        ControlFlow::Continue(())
    });
}

/// Maps many inputs on several threads and passes the results to `consume` on the calling thread, in the order of the
/// inputs, until it breaks. Each unit of work has a worker to itself; workers are created by `new_worker` and reused.
///
/// The calling thread is one of the `threads`: instead of waiting for a result it processes another input. If no other
/// threads can be started, it does all the work. A panic in `work` is resumed on the calling thread in place of the
/// result.
pub fn in_order<I: Send, W: Send, R: Send, B>(
    inputs: impl IntoIterator<Item = I>,
    threads: NonZeroUsize,
    new_worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I) -> R + Sync,
    mut consume: impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut inputs = inputs.into_iter().fuse();
    let others = threads.get() - 1;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(others);
    let pool = if others > 0 { pool.build().ok() } else { None };
    let Some(pool) = pool else {
        let mut worker = new_worker();
        return inputs.try_for_each(|input| consume(work(&mut worker, input)));
    };
    let idle = Mutex::new(Vec::new());
    let waiting: Mutex<VecDeque<(I, SyncSender<Outcome<R>>)>> = Mutex::default();
    // Processes the input that has waited longest; returns whether there was one.
    let work_on_next = || {
        let Some((input, sender)) = lock(&waiting).pop_front() else { return false };
        let worker = lock(&idle).pop();
        // A worker that panicked is not reused.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut worker = worker.unwrap_or_else(&new_worker);
            let result = work(&mut worker, input);
            lock(&idle).push(worker);
            result
        }));
        // Sending fails only after `consume` has broken, when no outcome is needed any more.
        let _ = sender.send(outcome);
        true
    };
    let work_on_next = &work_on_next;
    let ended = pool.in_place_scope(|scope| {
        let max_in_flight = threads.get().saturating_mul(IN_FLIGHT_PER_THREAD);
        let mut in_flight = VecDeque::new();
        let ended = loop {
            while in_flight.len() < max_in_flight
                && let Some(input) = inputs.next()
            {
                let (sender, receiver) = sync_channel(1);
                lock(&waiting).push_back((input, sender));
                in_flight.push_back(receiver);
                scope.spawn(|_| {
                    work_on_next();
                });
            }
            let Some(first) = in_flight.pop_front() else { break Ok(ControlFlow::Continue(())) };
            match outcome_of(&first, work_on_next).map(&mut consume) {
                Ok(ControlFlow::Continue(())) => {}
                ended => break ended,
            }
        };
        // Inputs that still wait need no result, as `consume` has broken or something has panicked.
        drop(std::mem::take(&mut *lock(&waiting)));
        ended
    });
    ended.unwrap_or_else(|panic| resume_unwind(panic))
}

/// The result of one unit of work, or its panic.
type Outcome<R> = std::thread::Result<R>;

/// Waits for the outcome of `work`, processing other waiting inputs meanwhile.
fn outcome_of<R>(work: &Receiver<Outcome<R>>, work_on_next: impl Fn() -> bool) -> Outcome<R> {
    loop {
        match work.try_recv() {
            Ok(outcome) => return outcome,
            Err(_) if work_on_next() => {}
            // Every unit sends its outcome, so a closed channel means that its thread has ended.
            Err(_) => return work.recv().unwrap_or_else(|ended| Err(Box::new(ended))),
        }
    }
}

/// Locks a mutex, ignoring poisoning: nothing panics while one of these locks is held.
fn lock<T>(guarded: &Mutex<T>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}
