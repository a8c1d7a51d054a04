//! Saves results as tables in `tests/bench/results`, with the date and the kind of machine.

use crate::table::Table;
use std::path::Path;
use std::process::Command;

/// Writes the tables as Markdown to `tests/bench/results/{name}.md`. `measurement` describes how the values were
/// measured.
pub fn save(tables: &[Table], name: &str, measurement: &str) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (today, compiler) = (output_of("date", "-I"), output_of("rustc", "--version"));
    let compiler = compiler.split(" (").next().unwrap_or_default();
    let mut text = format!("# {name}\n\n{today}, {}, {compiler}.\n{measurement}\n", machine());
    for table in tables {
        text += "\n";
        text += &table.to_markdown();
    }
    let path = folder.join(format!("{name}.md"));
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Describes the machine: processor model, number of cores, and operating system.
fn machine() -> String {
    let cpu_info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu_info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let processor = model.map_or(std::env::consts::ARCH, |(_, model)| model.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{processor}, {cores} cores, {}", std::env::consts::OS)
}

/// Returns the trimmed output of a program; empty if the program cannot be run.
fn output_of(program: &str, argument: &str) -> String {
    let output = Command::new(program).arg(argument).output().ok();
    let output = output.and_then(|output| String::from_utf8(output.stdout).ok());
    output.unwrap_or_default().trim().to_owned()
}
