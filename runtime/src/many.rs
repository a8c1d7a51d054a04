//! Many inputs on several threads. It reads no files and knows no dialect. Invariant: results come in the order of the
//! inputs, each as if its input were the only one, and no more inputs and results are held than a few for each thread.
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
use crate::machine::Machine;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};

/// How many inputs may be under way for each thread: enough for the others to go on while one has a long input.
const AHEAD: usize = 4;

/// As many threads as there are processors to run them.
pub fn all_cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Parses many texts. `look` sees what came of each, on the thread that has parsed it, and what it returns goes to `take`
/// on this thread, in the order of the inputs. A tree that `look` leaves where it is gives its room to the next one; to
/// keep it, take it out (`std::mem::take(&mut parsed.tree)`).
pub fn parse<D: Machine + Construction, R: Send>(
    inputs: impl IntoIterator<Item: AsRef<str> + Send>,
    options: &Options,
    threads: NonZeroUsize,
    look: impl Fn(&mut Parsed) -> R + Sync,
    take: impl FnMut(R),
) where
    Parser<D, D>: Send,
{
    parse_with(inputs, options, threads, |parser, input| parser.parse(input.as_ref()), look, take);
}

/// Parses many inputs of bytes, whose encodings are found out, as [`parse`] does with texts.
pub fn parse_bytes<D: Machine + Construction, R: Send>(
    inputs: impl IntoIterator<Item: AsRef<[u8]> + Send>,
    options: &Options,
    threads: NonZeroUsize,
    look: impl Fn(&mut Parsed) -> R + Sync,
    take: impl FnMut(R),
) where
    Parser<D, D>: Send,
{
    let parse = |parser: &mut Parser<D, D>, input: _| parser.parse_bytes(AsRef::as_ref(&input));
    parse_with(inputs, options, threads, parse, look, take);
}

fn parse_with<D: Machine + Construction, I: Send, R: Send>(
    inputs: impl IntoIterator<Item = I>,
    options: &Options,
    threads: NonZeroUsize,
    parse: impl Fn(&mut Parser<D, D>, I) -> Parsed + Sync,
    look: impl Fn(&mut Parsed) -> R + Sync,
    mut take: impl FnMut(R),
) where
    Parser<D, D>: Send,
{
    let work = |parser: &mut Parser<D, D>, input: I| {
        let mut parsed = parse(parser, input);
        let result = look(&mut parsed);
        parser.recycle(parsed.tree);
        result
    };
    let make = || Parser::new(options);
    let _ = in_order(inputs, threads, make, work, |result| -> ControlFlow<()> {
        take(result);
        ControlFlow::Continue(())
    });
}

/// Does the same work with many inputs, on so many threads, and hands the results to `take` on this thread, in the order
/// of the inputs, until it breaks. Each work has a worker for itself, which `make` makes and which is used again.
///
/// If there can be no threads, this one does all the work. A panic of the work goes on here.
pub fn in_order<I: Send, W: Send, R: Send, B>(
    inputs: impl IntoIterator<Item = I>,
    threads: NonZeroUsize,
    make: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I) -> R + Sync,
    mut take: impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut inputs = inputs.into_iter();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get());
    let pool = if threads.get() > 1 { pool.build().ok() } else { None };
    let Some(pool) = pool else {
        let mut worker = make();
        return inputs.try_for_each(|input| take(work(&mut worker, input)));
    };
    let idle = Mutex::new(Vec::new());
    // A worker that has panicked is not put back, so what the lock guards is always whole.
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |input| {
        let waiting = lock().pop();
        let mut worker = waiting.unwrap_or_else(&make);
        let result = work(&mut worker, input);
        lock().push(worker);
        result
    };
    let work = &work;
    pool.in_place_scope(|scope| {
        let most = threads.get().saturating_mul(AHEAD);
        let mut under_way: VecDeque<Receiver<R>> = VecDeque::new();
        // A work that panics sends nothing, and the scope passes its panic on.
        let mut take_first = |first: Receiver<R>| match first.recv() {
            Ok(result) => take(result),
            Err(_) => ControlFlow::Continue(()),
        };
        for input in inputs {
            if under_way.len() >= most
                && let Some(first) = under_way.pop_front()
            {
                take_first(first)?;
            }
            let (sender, receiver) = sync_channel(1);
            // Nobody waits for the result if `take` has broken.
            scope.spawn(move |_| drop(sender.send(work(input))));
            under_way.push_back(receiver);
        }
        under_way.into_iter().try_for_each(take_first)
    })
}
