//! Peak heap use of contestants, including their results.

use crate::corpus::bytes;
use crate::field::{Contestant, Field};
use crate::table::Table;
use std::slice;

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

pub fn run(
    field: &Field,
    contestants: &[&'static Contestant],
    documents: &[String],
) -> Result<Table, String> {
    let length = bytes(documents) as f64;
    Table::of_costs(field, contestants, documents, "bytes per byte", |contestant| {
        let inputs = contestant.documents(documents);
        let peaks = inputs.iter().map(|input| peak(|| (contestant.work)(slice::from_ref(input))));
        let total = peaks.sum::<Option<usize>>();
        let total = total.ok_or("heap use is measured only in a build with the feature `heap`")?;
        Ok(total as f64 / length)
    })
}
