//! Instruction counts, which do not depend on the load of the machine. Valgrind counts them in this program, run for
//! one contestant with one pass and with three; the difference excludes reading the documents and the first pass.

use crate::corpus::total_len;
use crate::field::{Contestant, Field};
use crate::table::Table;
use std::path::Path;
use std::process::Command;

pub fn run(
    field: &Field,
    contestants: &[&'static Contestant],
    documents: &[String],
    corpus: Option<&Path>,
) -> Result<Table, String> {
    let length = total_len(documents);
    Table::of_costs(field, contestants, documents, "instructions/byte", |contestant| {
        let count = |passes| count_instructions(field, contestant, length, corpus, passes);
        Ok((count(3)? - count(1)?) as f64 / (2 * length) as f64)
    })
}

fn count_instructions(
    field: &Field,
    contestant: &Contestant,
    limit: usize,
    corpus: Option<&Path>,
    passes: usize,
) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    command.args([field.name, "--only", contestant.name]);
    command.args(["--limit", &limit.to_string(), "--passes", &passes.to_string()]);
    if let Some(corpus) = corpus {
        command.arg("--corpus").arg(corpus);
    }
    let output = command.output().map_err(|error| format!("cannot run `valgrind`: {error}"))?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = report
        .split("Collected : ")
        .nth(1)
        .and_then(|after| after.lines().next()?.trim().parse().ok());
    count.ok_or_else(|| format!("the output of `valgrind` has no instruction count:\n{report}"))
}
