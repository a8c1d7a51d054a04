//! Peak heap use of contestants, including their results.

use crate::corpus::total_len;
use crate::field::{Contestant, Field};
use crate::table::Table;
use std::slice;

#[cfg(feature = "heap")]
#[global_allocator]
static HEAP: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

#[cfg(feature = "heap")]
fn measure_peak(work: impl FnOnce()) -> Option<usize> {
    HEAP.reset_peak_usage();
    let initial_usage = HEAP.current_usage();
    work();
    Some(HEAP.peak_usage() - initial_usage)
}

#[cfg(not(feature = "heap"))]
fn measure_peak(_: impl FnOnce()) -> Option<usize> {
    None
}

pub fn run(
    field: &Field,
    contestants: &[&'static Contestant],
    documents: &[String],
) -> Result<Table, String> {
    let document_bytes = total_len(documents) as f64;
    Table::of_costs(field, contestants, documents, "bytes per byte", |contestant| {
        let inputs = contestant.documents(documents);
        let peaks =
            inputs.iter().map(|input| measure_peak(|| (contestant.work)(slice::from_ref(input))));
        let total = peaks.sum::<Option<usize>>();
        let total = total.ok_or("heap use is measured only in a build with the feature `heap`")?;
        Ok(total as f64 / document_bytes)
    })
}
