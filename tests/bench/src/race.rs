//! Rates: contestants take turns in every round, so that what slows the machine slows them all. It chooses none of them.
//! Invariant: a ratio is one of the same round.

use crate::corpus::bytes;
use crate::field::{Contestant, Field, digests};
use crate::table::{Row, Table, about};
use std::time::Instant;

/// How long a contestant runs in one round, in nanoseconds.
const TURN: u64 = 150_000_000;

pub fn run(
    field: &Field,
    contestants: &[&'static Contestant],
    documents: &[String],
    rounds: usize,
) -> Result<Table, String> {
    let length = bytes(documents);
    let ours = digests(contestants, documents);
    let same = contestants
        .iter()
        .map(|contestant| contestant.check(documents, &ours))
        .collect::<Result<Vec<_>, _>>()?;
    let given: Vec<_> = contestants.iter().map(|it| it.documents(documents)).collect();
    let mut rates = vec![Vec::new(); contestants.len()];
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            let index = (round + turn) % contestants.len();
            rates[index].push(rate(field, contestants[index], &given[index], length));
        }
    }
    let row = |(index, &contestant): (usize, &&'static Contestant)| {
        let pairs = rates[0].iter().zip(&rates[index]);
        let ratio = median(pairs.map(|(ours, theirs)| ours / theirs).collect());
        Row { contestant, value: median(rates[index].clone()), ratio, same: same[index] }
    };
    Ok(Table {
        name: field.name,
        about: format!("{}, {rounds} rounds", about(documents)),
        unit: "MB/s",
        ratio: "tabulex is so fast",
        has_aims: true,
        documents: documents.len(),
        rows: contestants.iter().enumerate().map(row).collect(),
    })
}

fn rate(field: &Field, contestant: &Contestant, documents: &[String], length: usize) -> f64 {
    let mut passes = 0;
    let clock = Clock::start(field.has_threads);
    while passes == 0 || clock.elapsed() < TURN {
        (contestant.work)(documents);
        passes += 1;
    }
    (length * passes) as f64 * 1e3 / clock.elapsed() as f64
}

/// The time that this thread has had a processor, where the system tells it; else the time.
struct Clock {
    start: Instant,
    on_processor: Option<u64>,
}

impl Clock {
    fn start(has_threads: bool) -> Self {
        let on_processor = if has_threads { None } else { on_processor() };
        Self { start: Instant::now(), on_processor }
    }

    /// In nanoseconds.
    fn elapsed(&self) -> u64 {
        match (self.on_processor, on_processor()) {
            (Some(before), Some(now)) => now - before,
            _ => self.start.elapsed().as_nanos() as u64,
        }
    }
}

fn on_processor() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
