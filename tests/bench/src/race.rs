//! Rates: contestants take turns in every round, so that what slows the machine slows them all. It chooses none of them.
//! Invariant: a ratio is one of the same round.

use crate::corpus::bytes;
use crate::field::{Contestant, Field, digests};
use std::time::Instant;

/// How long a contestant runs in one round, in nanoseconds.
const TURN: u64 = 150_000_000;

pub fn run(
    field: &Field,
    contestants: &[&Contestant],
    documents: &[String],
    rounds: usize,
) -> Result<(), String> {
    let length = bytes(documents);
    println!("{}: {} documents, {length} bytes, {rounds} rounds", field.name, documents.len());
    let ours = digests(contestants, documents);
    let same = contestants
        .iter()
        .map(|contestant| contestant.check(documents, &ours))
        .collect::<Result<Vec<_>, _>>()?;
    let mut rates = vec![Vec::new(); contestants.len()];
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            let index = (round + turn) % contestants.len();
            rates[index].push(rate(contestants[index], documents, length));
        }
    }
    println!("{:<32} {:>8} {:>20} {:>16}", "", "MB/s", "tabulex is so fast", "documents alike");
    for (index, contestant) in contestants.iter().enumerate() {
        let ratios: Vec<f64> =
            rates[0].iter().zip(&rates[index]).map(|(ours, theirs)| ours / theirs).collect();
        let (rate, ratio, same) = (median(rates[index].clone()), median(ratios), same[index]);
        println!("{:<32} {rate:>8.1} {ratio:>19.2}x {same:>16}", contestant.name);
    }
    println!();
    Ok(())
}

fn rate(contestant: &Contestant, documents: &[String], length: usize) -> f64 {
    let mut passes = 0;
    let clock = Clock::start();
    while passes == 0 || clock.elapsed() < TURN {
        documents.iter().for_each(|document| (contestant.work)(document));
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
    fn start() -> Self {
        Self { start: Instant::now(), on_processor: on_processor() }
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
