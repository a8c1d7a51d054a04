//! The highest use of the heap while a contestant works, its result included. It measures no time. Invariant: nothing but
//! the contestant allocates in between.

use crate::field::{Contestant, Field, digests};

#[cfg(feature = "heap")]
#[global_allocator]
static HEAP: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

#[cfg(feature = "heap")]
fn peak(work: impl FnOnce()) -> Option<usize> {
    HEAP.reset_peak_usage();
    let before = HEAP.current_usage();
    work();
    Some(HEAP.peak_usage() - before)
}

#[cfg(not(feature = "heap"))]
fn peak(_: impl FnOnce()) -> Option<usize> {
    None
}

pub fn run(field: &Field, contestants: &[&Contestant], documents: &[String]) -> Result<(), String> {
    let length = crate::corpus::bytes(documents);
    println!("{}: {} documents, {length} bytes", field.name, documents.len());
    println!("{:<32} {:>18} {:>18}", "", "bytes a byte", "tabulex takes");
    let ours = digests(contestants, documents);
    let mut first = None;
    for contestant in contestants {
        contestant.check(documents, &ours)?;
        let peaks = documents.iter().map(|document| peak(|| (contestant.work)(document)));
        let all = peaks
            .sum::<Option<usize>>()
            .ok_or("the heap is counted by a build with the feature `heap`")?;
        let first = *first.get_or_insert(all);
        let (each, ratio) = (all as f64 / length as f64, first as f64 / all as f64);
        println!("{:<32} {each:>18.2} {ratio:>17.3}x", contestant.name);
    }
    println!();
    Ok(())
}
