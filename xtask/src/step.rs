//! Runs other programs with their output passed through, and prints to standard output.

use crate::Failure;
use crate::root::root;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Numbers of tests by outcome, and the missing suites.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// Number of tests that passed.
    pub(crate) passed: u64,
    /// Number of tests that failed.
    pub(crate) failed: u64,
    /// Number of tests that were not run.
    pub(crate) ignored: u64,
    /// Missing suites, each with how to get it.
    absent: BTreeSet<String>,
}

/// Message for the first error of printing to standard output, if there was one.
pub(crate) static WRITE_ERROR: OnceLock<Failure> = OnceLock::new();

/// Prints to standard output. A closed pipe is ignored; any other error makes the command fail in the end.
pub(crate) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = WRITE_ERROR.set(format!("cannot write to standard output: {error}"));
    }
}

/// Returns a command that runs cargo in the root folder: the cargo that `CARGO` names, or else the one in the path.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a program. Returns whether it succeeded.
pub(crate) fn run(command: &mut Command) -> Result<bool, Failure> {
    let status = command.status().map_err(|error| format!("cannot run `{command:?}`: {error}"))?;
    Ok(status.success())
}

/// Runs a separately installed subcommand of cargo in a folder of the workspace. If the subcommand is not installed,
/// prints a notice and returns `true`.
pub(crate) fn tool(name: &str, arguments: &[&str], folder: &str) -> Result<bool, Failure> {
    let mut probe = cargo();
    let version_output = probe.args([name, "--version"]).output();
    if !version_output.is_ok_and(|output| output.status.success()) {
        say(&format!(
            "skipped: `cargo {name}`; to install it, run `cargo install --locked cargo-{name}`\n"
        ));
        return Ok(true);
    }
    let mut command = cargo();
    run(command.current_dir(root().join(folder)).arg(name).args(arguments))
}

/// Runs tests, prints their output, and adds the numbers in each runner's summary line. Returns whether the command
/// succeeded.
pub(crate) fn run_tests(command: &mut Command, counts: &mut Counts) -> Result<bool, Failure> {
    let failure = |error| format!("cannot run tests: {error}");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(failure)?;
    if let Some(out) = child.stdout.take() {
        let mut out = BufReader::new(out);
        let mut line = Vec::new();
        while out.read_until(b'\n', &mut line).map_err(failure)? > 0 {
            let _ = std::io::stdout().lock().write_all(&line);
            counts.add_line(&String::from_utf8_lossy(&line));
            line.clear();
        }
    }
    let status = child.wait().map_err(failure)?;
    Ok(status.success())
}

impl Counts {
    /// Formats the list of missing suites, each with how to get it; empty if none is missing.
    pub(crate) fn absent(&self) -> String {
        if self.absent.is_empty() {
            return String::new();
        }
        let lines = self.absent.iter().map(|line| format!("  {line}\n"));
        let heading = "missing suites; `TABULEX_SHARED=FOLDER` names the folder with suites:\n";
        heading.to_owned() + &lines.collect::<String>()
    }

    /// Adds what a line of output says if it names a missing suite or is the summary of a test runner:
    /// `test result: ok. 3 passed; 0 failed; …` of cargo, `1 failed, 2 passed, 1 skipped in 3.45s` of pytest.
    fn add_line(&mut self, line: &str) {
        // The line may begin with the name of a test, so this text is found anywhere in it.
        let suite = line.split_once("suite absent: ").map(|(_, suite)| suite.trim_end());
        if let Some(suite) = suite.filter(|suite| suite.contains("; to get it: ")) {
            self.absent.insert(suite.to_owned());
        }
        let Some((_, counts)) = line.split_once("test result: ") else {
            return self.add_pytest(line);
        };
        let count = |word: &str| {
            let before = counts.split(word).next().filter(|before| before.len() < counts.len());
            before
                .and_then(|before| before.split(' ').next_back()?.parse::<u64>().ok())
                .unwrap_or(0)
        };
        self.passed += count(" passed");
        self.failed += count(" failed");
        self.ignored += count(" ignored");
    }

    /// Adds the summary line of `pytest -q`; ignores other lines.
    fn add_pytest(&mut self, line: &str) {
        let Some((counts, seconds)) = line.trim_end().split_once(" in ") else { return };
        let seconds = seconds.split(' ').next().and_then(|seconds| seconds.strip_suffix('s'));
        if seconds.is_none_or(|seconds| seconds.parse::<f64>().is_err()) {
            return;
        }
        let parts = counts.split(", ").map(|part| part.split_once(' '));
        let parts =
            parts.map(|part| part.and_then(|(n, word)| Some((n.parse::<u64>().ok()?, word))));
        let Some(parts) = parts.collect::<Option<Vec<_>>>() else { return };
        for (count, word) in parts {
            match word {
                "passed" => self.passed += count,
                "failed" | "error" | "errors" => self.failed += count,
                "skipped" | "deselected" => self.ignored += count,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_summary_lines() {
        let mut counts = super::Counts::default();
        counts.add_line("running 3 tests\n");
        counts.add_line(
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n",
        );
        counts.add_line("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured\n");
        assert_eq!((counts.passed, counts.failed, counts.ignored), (13, 2, 1));
        counts.add_line("1 failed, 20 passed, 3 skipped, 2 warnings in 63.21s (0:01:03)\n");
        counts.add_line("7 passed in 1.00s\n");
        for line in
            ["8 passed in 2 s\n", "x passed in 1.00s\n", "9 passed, in 1.00s\n", "9 passed\n"]
        {
            counts.add_line(line);
        }
        assert_eq!((counts.passed, counts.failed, counts.ignored), (40, 3, 4));
        assert_eq!(counts.absent(), "");
        counts.add_line("test a::b ... suite absent: x; to get it: y\n");
        counts.add_line("suite absent: x; to get it: y\n");
        assert_eq!(counts.absent().matches("\n  x; to get it: y\n").count(), 1);
    }
}
