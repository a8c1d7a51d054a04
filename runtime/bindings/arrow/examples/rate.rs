//! Measures a plan without Python: `rate FOLDER OUT` runs it on the pages of a folder once for each line of standard
//! input, and prints the CPU time of each run in seconds. The result is written to OUT as an Arrow file.
//! `runtime/bindings/python/measure/batch.py` runs it alternately and compares. Linux only, as CPU time is read from /proc.

use arrow_array::BinaryArray;
use arrow_ipc::writer::FileWriter;
use std::error::Error;
use std::fs::{self, File};
use std::io;
use tabulex_arrow::{Errors, Pages, Plan, Text};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next_argument = || arguments.next().ok_or("usage: rate FOLDER OUT");
    let (folder, out) = (next_argument()?, next_argument()?);
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|it| it.path())).collect::<Result<_, _>>()?;
    paths.sort();
    let pages: Vec<Vec<u8>> = paths.iter().map(fs::read).collect::<Result<_, _>>()?;
    let column = BinaryArray::from_iter_values(&pages);
    let plan = Plan::new()
        .select("title", "title:first")?
        .select("links", "a[href]@href")?
        .select("lang", "html:first@lang")?
        .text(Text::All)
        .errors(Errors::Counts);
    let batch = plan.batch(&Pages::new(&column))?;
    let mut writer = FileWriter::try_new(File::create(out)?, &batch.schema())?;
    writer.write(&batch)?;
    writer.finish()?;
    for line in io::stdin().lines() {
        line?;
        let start = processor_seconds()?;
        plan.batch(&Pages::new(&column))?;
        println!("{}", processor_seconds()? - start);
    }
    Ok(())
}

/// Returns the CPU time of this thread in seconds.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = statistics.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}
