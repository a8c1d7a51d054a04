//! Rates of contestants, which take turns in every round. tabulex runs before and after each of the others, and ratios
//! are those of adjacent turns, so that a slow phase of the machine affects both sides.

use crate::corpus::total_len;
use crate::field::{Contestant, Field, digests};
use crate::table::{Row, Table, describe};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Minimum duration of a turn.
const MIN_TURN: Duration = Duration::from_millis(150);

pub fn run(
    field: &Field,
    contestants: &[&'static Contestant],
    documents: &[String],
    rounds: usize,
) -> Result<Table, String> {
    let length = total_len(documents);
    let tabulex_digests = digests(contestants, documents);
    let equal_counts = contestants
        .iter()
        .map(|contestant| contestant.check(documents, &tabulex_digests))
        .collect::<Result<Vec<_>, _>>()?;
    let inputs: Vec<_> =
        contestants.iter().map(|contestant| contestant.documents(documents)).collect();
    let measure = |index: usize| rate(field, contestants[index], &inputs[index], length);
    let mut rates = vec![Vec::new(); contestants.len()];
    let mut ratios = vec![Vec::new(); contestants.len()];
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            let index = (round + turn) % contestants.len();
            if index == 0 {
                // tabulex is measured before and after each peer; without peers, it needs a turn of its own.
                rates[0].extend((contestants.len() == 1).then(|| measure(0)));
                ratios[0].push(1.0);
                continue;
            }
            let (before, peer, after) = (measure(0), measure(index), measure(0));
            rates[0].extend([before, after]);
            rates[index].push(peer);
            ratios[index].push((before + after) / 2.0 / peer);
        }
    }
    let to_row = |(index, &contestant): (usize, &&'static Contestant)| {
        let [value, ratio] = [&rates, &ratios].map(|all| median(all[index].clone()));
        Row { contestant, value, ratio, equal_documents: equal_counts[index] }
    };
    Ok(Table {
        name: field.name,
        about: format!("{}, {rounds} rounds", describe(documents)),
        unit: "MB/s",
        ratio_heading: "speed of tabulex / this",
        has_aims: true,
        documents: documents.len(),
        rows: contestants.iter().enumerate().map(to_row).collect(),
    })
}

fn rate(field: &Field, contestant: &Contestant, documents: &[String], length: usize) -> f64 {
    let mut passes = 0;
    let start = clock(field.has_threads);
    loop {
        (contestant.work)(documents);
        passes += 1;
        let elapsed = clock(field.has_threads) - start;
        if elapsed >= MIN_TURN {
            return (length * passes) as f64 / 1e6 / elapsed.as_secs_f64();
        }
    }
}

/// Returns the CPU time of the current thread, or wall time if the system does not report it or other threads work too.
fn clock(has_threads: bool) -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let thread_cpu_time = if has_threads { None } else { thread_cpu_time() };
    thread_cpu_time.unwrap_or_else(|| START.get_or_init(Instant::now).elapsed())
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn thread_cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn thread_cpu_time() -> Option<Duration> {
    None
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
