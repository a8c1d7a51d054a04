//! The Python package from a clean start: the Rust side of it, which is a workspace of its own; its source archive, built
//! and installed into a new virtual environment as users do it; and the tests of what was installed.
//!
//! usage: cargo xtask python [--engines] [--release] [TEST...]
//!
//!   --engines   also the tests on Spark, Ray, Dask, Polars, DataFusion and DuckDB, which are fetched for it: some 1.5 GB
//!   --release   optimized as published; without it in a fraction of the time
//!   TEST...     what pytest is given: files of runtime/python/tests, or options
//!
//! Python 3.10 or later with venv is needed; where there is none, one line says so. maturin, pytest and what the tests import
//! are fetched from PyPI into target/python/environment.
//!
//! example: cargo xtask python test_batch.py
//!
//! Invariant: what is tested in Python was built from the source archive alone, and the environment holds nothing else.

use crate::{Failure, Outcome, root, step};
use lexopt::Arg;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Programs that may be Python.
const PYTHONS: &[&str] = &["python3", "python"];

/// Asks for what is needed; fails where it is not there.
const PROBE: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))";

/// What cargo does with the Rust side of the package.
const CARGO_STEPS: &[&[&str]] = &[
    &["fmt", "--check"],
    &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
    &["test", "--package", "tabulex-arrow"],
];

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let (mut engines, mut release, mut tests) = (false, false, Vec::new());
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Long("engines") => engines = true,
            Arg::Long("release") => release = true,
            Arg::Value(test) => tests.push(test),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let target = root::root().join("target/python");
    for arguments in CARGO_STEPS {
        let mut command = step::cargo();
        command.current_dir(root::root().join("runtime/python")).args(*arguments);
        if !step::run(command.env("CARGO_TARGET_DIR", &target))? {
            return Ok(false);
        }
    }
    let Some(python) = PYTHONS.iter().find(|name| is_usable(name)) else {
        step::say(
            "Python 3.10 or later with venv is absent: its package is neither built nor tested\n",
        );
        return Ok(true);
    };
    let (environment, archives) = (target.join("environment"), target.join("archives"));
    for folder in [&environment, &archives] {
        empty(folder)?;
    }
    if !step::run(Command::new(python).args(["-m", "venv"]).arg(&environment))? {
        return Err(format!("{python} makes no virtual environment"));
    }
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let inside = || Command::new(programs.join("python"));
    if !step::run(inside().args(["-m", "pip", "install", "--quiet", "maturin>=1.9,<2"]))? {
        return Err("pip cannot fetch maturin from PyPI".to_owned());
    }
    let mut sdist = inside();
    sdist.args(["-m", "maturin", "sdist", "--out"]).arg(&archives);
    if !step::run(sdist.current_dir(root::root().join("runtime/python")))? {
        return Ok(false);
    }
    let wanted = if engines { "[test,engines]" } else { "[test]" };
    let mut install = inside();
    install.args(["-m", "pip", "install", "--quiet"]);
    install.arg(format!("tabulex{wanted} @ file://{}", archive(&archives)?.display()));
    install.env("CARGO_TARGET_DIR", target.join("build"));
    if !release {
        install.env("MATURIN_PEP517_ARGS", "--profile ci");
    }
    if !step::run(&mut install)? {
        return Ok(false);
    }
    let mut pytest = inside();
    pytest.args(["-m", "pytest", "-q"]).args(named(&tests, engines));
    step::run(pytest.current_dir(root::root().join("runtime/python/tests")))
}

/// What pytest is given: all tests, but those on engines only if they are wanted.
fn named(tests: &[OsString], engines: bool) -> Vec<OsString> {
    let without: &[&str] = if engines { &[] } else { &["--ignore", "engines"] };
    tests.iter().cloned().chain(without.iter().map(OsString::from)).collect()
}

fn is_usable(python: &str) -> bool {
    let mut probe = Command::new(python);
    probe.args(["-c", PROBE]).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

/// Makes a folder that is empty.
fn empty(folder: &Path) -> Result<(), Failure> {
    let failure = |error| format!("cannot empty {}: {error}", root::shown(folder));
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failure)?;
    }
    fs::create_dir_all(folder).map_err(failure)
}

/// The source archive, the only file of its folder.
fn archive(folder: &Path) -> Result<PathBuf, Failure> {
    let failure = |error| format!("cannot read {}: {error}", root::shown(folder));
    let mut entries = fs::read_dir(folder).map_err(failure)?;
    let first = entries.next().ok_or_else(|| "maturin made no archive".to_owned())?;
    Ok(first.map_err(failure)?.path())
}
