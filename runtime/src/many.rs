//! Parsing of many inputs on several threads. Results are returned in the order of the inputs, and only a few inputs
//! and results per thread are held at a time.
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

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use tabulex_core::{Construction, Options, Parsed, Parser};

/// The maximum number of unfinished inputs per thread: enough that the other threads stay busy while one thread, even
/// the one that hands out the inputs, parses a long input.
const IN_FLIGHT_PER_THREAD: usize = 16;

/// The maximum number of threads per processor core; more would only wait, even for slow inputs.
const THREADS_PER_CORE: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// Returns the number of threads that this computer runs in parallel, or 1 if that is unknown.
pub fn all_cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Returns the requested number of threads, but at most four per core.
///
/// ```
/// use std::num::NonZeroUsize;
/// use tabulex::many;
///
/// assert_eq!(many::limit_threads(NonZeroUsize::MIN).get(), 1);
/// assert_eq!(many::limit_threads(NonZeroUsize::MAX).get(), 4 * many::all_cores().get());
/// ```
pub fn limit_threads(requested: NonZeroUsize) -> NonZeroUsize {
    requested.min(all_cores().saturating_mul(THREADS_PER_CORE))
}

/// Parses many texts. `map` receives each result on the thread that parsed the text; its return values are passed to
/// `consume` on the calling thread, in the order of the inputs. The memory of a tree that `map` leaves in place is
/// reused; to keep a tree, take it out (`std::mem::take(&mut parsed.tree)`). The number of `threads` is
/// [limited](limit_threads).
pub fn parse<D: Construction, R: Send>(
    inputs: impl IntoIterator<Item: AsRef<str> + Send>,
    options: &Options,
    threads: NonZeroUsize,
    map: impl Fn(&mut Parsed) -> R + Sync,
    consume: impl FnMut(R),
) {
    let parse = |parser: &mut Parser<D>, input: _| parser.parse(AsRef::as_ref(&input));
    parse_with(inputs, options, threads, parse, map, consume);
}

/// Parses many inputs given as bytes, and detects the encoding of each; see [`parse`].
pub fn parse_bytes<D: Construction, R: Send>(
    inputs: impl IntoIterator<Item: AsRef<[u8]> + Send>,
    options: &Options,
    threads: NonZeroUsize,
    map: impl Fn(&mut Parsed) -> R + Sync,
    consume: impl FnMut(R),
) {
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
) {
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
/// inputs, until it breaks. Each thread has a worker, which `new_worker` creates.
///
/// The calling thread is one of the `threads`, whose number is [limited](limit_threads): instead of waiting for a
/// result it processes another input. If no other threads can be started, it does all the work. A panic in `work` is
/// resumed on the calling thread in place of the result.
pub fn in_order<I: Send, W, R: Send, B>(
    inputs: impl IntoIterator<Item = I>,
    threads: NonZeroUsize,
    new_worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I) -> R + Sync,
    mut consume: impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut inputs = inputs.into_iter().fuse();
    let threads = limit_threads(threads);
    if threads == NonZeroUsize::MIN || matches!(inputs.size_hint(), (_, Some(0 | 1))) {
        let mut worker = new_worker();
        return inputs.try_for_each(|input| consume(work(&mut worker, input)));
    }
    let max_in_flight = threads.get() * IN_FLIGHT_PER_THREAD;
    let (sender, waiting) = channel();
    let waiting = Mutex::new(waiting);
    let run = |worker: &mut Option<W>, (input, result): (I, SyncSender<thread::Result<R>>)| {
        let outcome =
            catch_unwind(AssertUnwindSafe(|| work(worker.get_or_insert_with(&new_worker), input)));
        // A panic may leave the worker in an inconsistent state, so it is not reused.
        worker.take_if(|_| outcome.is_err());
        // Sending fails only after the loop below has ended, because `consume` has broken or a call has panicked; the
        // outcome is not needed then.
        let _ = result.send(outcome);
    };
    let (run, waiting) = (&run, &waiting);
    let run_all = || {
        let mut worker = None;
        let next = || lock(waiting).recv();
        while let Ok(input) = next() {
            run(&mut worker, input);
        }
    };
    let ended = thread::scope(|scope| {
        let (mut worker, mut thread_count, mut in_flight) = (None, 1, VecDeque::new());
        let ended = loop {
            while in_flight.len() < max_in_flight
                && let Some(input) = inputs.next()
            {
                let (result, receiver) = sync_channel(1);
                let _ = sender.send((input, result));
                in_flight.push_back(receiver);
                if thread_count < threads.get() {
                    let started = thread::Builder::new().spawn_scoped(scope, run_all);
                    thread_count += usize::from(started.is_ok());
                }
            }
            let Some(first) = in_flight.pop_front() else { break Ok(ControlFlow::Continue(())) };
            let outcome = loop {
                if let Ok(outcome) = first.try_recv() {
                    break outcome;
                }
                // If no input is queued, or another thread holds the lock and so takes the next one, this thread waits
                // for the first result.
                match waiting.try_lock().ok().and_then(|waiting| waiting.try_recv().ok()) {
                    Some(input) => run(&mut worker, input),
                    None => break first.recv().unwrap_or_else(|ended| Err(Box::new(ended))),
                }
            };
            match outcome.map(&mut consume) {
                Ok(ControlFlow::Continue(())) => {}
                ended => break ended,
            }
        };
        drop(sender);
        // If `consume` has broken or a call has panicked, the remaining inputs are dropped, as they need no results.
        lock(waiting).try_iter().for_each(drop);
        ended
    });
    ended.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Locks a mutex and ignores poisoning, as nothing panics while the lock is held.
fn lock<T>(guarded: &Mutex<T>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}
