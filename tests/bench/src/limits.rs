//! Limits of the machine: the cost of reading every byte without parsing.

use crate::digest::NotCompared;
use crate::field::{Agreement, Contestant, Work};
use std::cell::RefCell;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

pub const VISITS: Contestant = Contestant::new::<Visits>("memchr visits of '<'", Agreement::Limit);
pub const CLASSES: Contestant =
    Contestant::new::<Classes>("class of each byte, by a table", Agreement::Limit);
pub const COPY: Contestant = Contestant::new::<Copy>("memcpy", Agreement::Limit);

pub struct Visits;

impl Work for Visits {
    type Output<'a> = NotCompared;

    fn work(document: &str) -> NotCompared {
        // The offsets are summed because the iterator's own `count()` counts the matches without visiting each.
        NotCompared(memchr::memchr_iter(b'<', document.as_bytes()).fold(0, usize::wrapping_add))
    }
}

pub struct Classes;

/// The class of each byte, as in a table-driven scanner.
static CLASS: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'<' => 1,
            b'&' => 2,
            b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' => 3,
            b'A'..=b'Z' => 4,
            0x80.. => 5,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

impl Work for Classes {
    type Output<'a> = NotCompared;

    fn work(document: &str) -> NotCompared {
        NotCompared(document.bytes().map(|byte| usize::from(CLASS[usize::from(byte)])).sum())
    }
}

/// Runs [`Classes`] on two threads that share only the index of the next document.
pub fn classify_on_two_threads(documents: &[String]) {
    let next_index = AtomicUsize::new(0);
    let work = || {
        while let Some(document) = documents.get(next_index.fetch_add(1, Ordering::Relaxed)) {
            black_box(Classes::work(black_box(document)));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}

pub struct Copy;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl Work for Copy {
    type Output<'a> = NotCompared;

    fn work(document: &str) -> NotCompared {
        BUFFER.with_borrow_mut(|buffer| {
            buffer.clear();
            buffer.extend_from_slice(document.as_bytes());
            NotCompared(black_box(&*buffer).len())
        })
    }
}
