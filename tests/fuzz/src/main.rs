//! Runs a fuzz target for a long time: `cargo run --profile campaign -p tabulex-fuzz -- TARGET SECONDS SEED`. A failing
//! input is written to the regressions, and the exit status is 1.
//!
//! usage: tabulex-fuzz TARGET SECONDS SEED | tabulex-fuzz TARGET FILE | tabulex-fuzz --list

use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tabulex_fuzz::campaign::{Campaign, Failure};
use tabulex_fuzz::{TARGETS, Target, files};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            print_line(&message);
            ExitCode::from(2)
        }
    }
}

/// Prints a line. Ignores errors, as the reader may have closed the pipe.
fn print_line(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn run(arguments: &[&str]) -> Result<bool, String> {
    match arguments {
        ["--list"] => {
            TARGETS
                .iter()
                .for_each(|target| print_line(&format!("{:<10} {}", target.name, target.about)));
            Ok(true)
        }
        [target, seconds, seed] => {
            let parse_number = |text: &str| {
                text.parse::<u64>().map_err(|error| format!("`{text}` is not a number: {error}"))
            };
            run_campaign(
                find_target(target)?,
                Duration::from_secs(parse_number(seconds)?),
                parse_number(seed)?,
            )
        }
        [target, file] => {
            let input =
                std::fs::read(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
            (find_target(target)?.run)(&input);
            print_line("no failure");
            Ok(true)
        }
        _ => Err("usage: tabulex-fuzz TARGET SECONDS SEED, or TARGET FILE, or --list".to_owned()),
    }
}

fn find_target(name: &str) -> Result<&'static Target, String> {
    TARGETS.iter().find(|target| target.name == name).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        format!("unknown target `{name}`, expected one of `{}`", names.join("`, `"))
    })
}

/// Runs a target until time runs out or an input fails. Returns whether all inputs passed.
fn run_campaign(target: &'static Target, time: Duration, seed: u64) -> Result<bool, String> {
    // This file contains the current input, in case the run kills the process by exhausting its stack or memory.
    let last_input_path = std::env::temp_dir().join(format!("tabulex-fuzz-{}", target.name));
    let file = File::create(&last_input_path);
    let mut file =
        file.map_err(|error| format!("cannot create `{}`: {error}", last_input_path.display()))?;
    let mut write_error = None;
    let mut store_input =
        |input: &[u8]| write_error = write_error.take().or(overwrite(&mut file, input).err());
    print_line(&format!(
        "{}: seed {seed}; the input being run is in {}",
        target.name,
        last_input_path.display()
    ));
    let mut campaign = Campaign::new(target, seed);
    let start = Instant::now();
    let mut last_report = start;
    let seed_inputs = files::corpus(target.name).into_iter().chain(files::regressions(target.name));
    let mut outcome = Ok(());
    for (_, input) in seed_inputs {
        outcome = outcome.and_then(|()| campaign.run(input));
    }
    while outcome.is_ok() && start.elapsed() < time {
        outcome = campaign.step(&mut store_input);
        if last_report.elapsed() > Duration::from_secs(20) {
            last_report = Instant::now();
            report(&campaign, start.elapsed());
        }
    }
    report(&campaign, start.elapsed());
    let slowest = &campaign.slowest.1;
    print_line(&format!(
        "the slowest input: b\"{}\"",
        slowest[..slowest.len().min(400)].escape_ascii()
    ));
    if let Some(error) = write_error {
        return Err(format!("cannot write `{}`: {error}", last_input_path.display()));
    }
    let Err(Failure { input, message }) = outcome else { return Ok(true) };
    let path = files::add_regression(target.name, &input);
    let path =
        path.map_err(|error| format!("cannot save the failing input as a regression: {error}"))?;
    print_line(&format!("{} fails: b\"{}\"\n{message}", target.name, input.escape_ascii()));
    print_line(&format!("written to {}", path.display()));
    Ok(false)
}

/// Overwrites a file with an input. The file stays open and is never empty: some file systems write out a truncated
/// file when it is closed, and the target would wait for the disk at each input.
fn overwrite(file: &mut File, input: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(input)?;
    file.set_len(input.len() as u64)
}

fn report(campaign: &Campaign, elapsed: Duration) {
    let ((kept, coverage), seconds) = (campaign.sizes(), elapsed.as_secs_f64());
    let rate = campaign.executions as f64 / seconds.max(0.001);
    let (slowest, input) = &campaign.slowest;
    let count = campaign.executions;
    let slowest_run = format!("slowest {slowest:.1?} of {} bytes", input.len());
    print_line(&format!(
        "{count} runs in {seconds:.0} s, {rate:.0} a second; {kept} kept, {coverage} reached; {slowest_run}"
    ));
}
