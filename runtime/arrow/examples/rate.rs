//! How fast a plan is without Python: `rate FOLDER ROUNDS`, MB of pages for each second of processor time, the median of the rounds.
//! The outputs are those of `runtime/python/measure/batch.py`, which runs this beside itself. Linux only: it asks /proc for the time.

use arrow_array::BinaryArray;
use std::error::Error;
use std::fs;
use tabulex_arrow::{Errors, Pages, Plan};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: rate FOLDER ROUNDS")?;
    let rounds: usize = arguments.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|it| it.path())).collect::<Result<_, _>>()?;
    paths.sort();
    let pages: Vec<Vec<u8>> = paths.iter().map(fs::read).collect::<Result<_, _>>()?;
    let column = BinaryArray::from_iter_values(&pages);
    let plan = Plan::new()
        .select("title", "title:first")?
        .select("links", "a[href]@href")?
        .select("lang", "html:first@lang")?
        .text(true)
        .errors(Errors::Counts);
    let mut seconds = Vec::new();
    for round in 0..=rounds {
        let start = processor_seconds()?;
        plan.batch(&Pages::new(&column))?;
        // The first round warms up.
        if round > 0 {
            seconds.push(processor_seconds()? - start);
        }
    }
    seconds.sort_by(f64::total_cmp);
    let bytes: usize = pages.iter().map(Vec::len).sum();
    println!("{:.1}", bytes as f64 / 1e6 / seconds[seconds.len() / 2]);
    Ok(())
}

/// What this thread has run, as the kernel counts it.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let told = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = told.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}
