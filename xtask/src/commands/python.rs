//! Builds the Python package as users do, and tests it in a new environment.
//!
//! usage: cargo xtask python [--python PATH] [--engines] [TEST...]
//!
//! Checks and tests the Rust code of the package, which is a separate workspace; builds the source archive and installs
//! it into a new virtual environment; and runs the tests on the installed package.
//!
//!   --python    the Python to build for and test on; with a free-threaded one (`python3.14t`), the tests of threads run
//!               without the global lock
//!   --engines   also runs the tests on Spark, Ray, Dask, Polars, DataFusion and DuckDB, which are downloaded (about
//!               1.5 GB); builds the Rust functions for DataFusion, which takes minutes; and type-checks the module for a
//!               free-threaded Python
//!   TEST...     arguments of pytest: files of runtime/bindings/python/tests, or options
//!
//! Without Python 3.10 or later with venv, only the Rust code is tested, with a notice. maturin, pytest and the tests'
//! dependencies are downloaded from PyPI into target/python/environment.
//!
//! example: cargo xtask python test_batch.py

use super::package::stage;
use crate::{Failure, Outcome, files, root, step};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tabulex_workshop::arguments::Arguments;

/// Names of Python interpreters to try.
const PYTHONS: &[&str] = &["python3", "python"];

/// A script that fails unless Python is 3.10 or later and has venv.
const PROBE: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))";

/// Folder of the Python package's workspace.
const WORKSPACE: &str = "runtime/bindings/python";

/// Folder of the workspace in the source archive, from which maturin removes the folder that all files have in common.
const ARCHIVED: &str = "bindings/python";

/// Arguments of the cargo commands for the Rust code of the package. All have the profile of the wheel, so that
/// dependencies are built only once.
const CARGO_STEPS: &[&[&str]] = &[
    &[
        "clippy",
        "--profile",
        "ci",
        "--workspace",
        "--all-features",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ],
    &["test", "--profile", "ci", "--workspace", "--all-features"],
];

/// Folder of the workspace of the Rust functions for DataFusion.
const DATAFUSION: &str = "runtime/bindings/datafusion";

/// Arguments of the cargo commands for the Rust functions for DataFusion.
const DATAFUSION_STEPS: &[&[&str]] =
    &[&["fmt", "--check"], &["clippy", "--all-targets", "--", "-D", "warnings"], &["test"]];

/// A script that unpacks the source archive. Files get the current time, so that cargo notices the changed ones.
const UNPACK: &str = "\
import os, sys, tarfile
with tarfile.open(sys.argv[1]) as archive:
    archive.extractall(sys.argv[2])
for folder, _, files in os.walk(sys.argv[2]):
    for file in files:
        os.utime(os.path.join(folder, file))
";

/// Runs `cargo xtask python`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let arguments = Arguments::parse(arguments, &["engines", "python PATH"], usize::MAX)?;
    let with_engines = arguments.has("engines");
    let target = root::root().join("target/python");
    let workspace = root::root().join(WORKSPACE);
    let is_formatted = step::run(step::cargo().current_dir(&workspace).args(["fmt", "--check"]))?;
    if !is_formatted || !check_licenses(WORKSPACE)? {
        return Ok(false);
    }
    if with_engines && !(check_free_threaded(&workspace, &target)? && check_datafusion(&target)?) {
        return Ok(false);
    }
    let Some(python) = python(arguments.path("python").map(OsString::from))? else {
        step::say(
            "skipped: the Python package, because Python 3.10 or later with venv was not found\n",
        );
        return run_cargo_steps(CARGO_STEPS, &workspace, &target);
    };
    let environment = target.join("environment");
    create_empty(&environment)?;
    if !step::run(Command::new(&python).args(["-m", "venv"]).arg(&environment))? {
        return Err(format!("`{}` cannot create a virtual environment", python.display()));
    }
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let venv_python = || Command::new(programs.join("python"));
    if !step::run(venv_python().args(["-m", "pip", "install", "--quiet", "maturin>=1.9,<2"]))? {
        return Err("pip cannot install `maturin` from PyPI".to_owned());
    }
    let Some(source) = unpack_sources(&venv_python, &target)? else { return Ok(false) };
    if !run_cargo_steps(CARGO_STEPS, &source.join(ARCHIVED), &target)? {
        return Ok(false);
    }
    let extras = if with_engines { "[test,engines]" } else { "[test]" };
    let Some(wheel) = build_wheel(&venv_python, &source, &target)? else { return Ok(false) };
    let mut install = venv_python();
    install.args(["-m", "pip", "install", "--quiet"]);
    if !step::run(install.arg(format!("pytabulex{extras} @ file://{}", wheel.display())))? {
        return Ok(false);
    }
    let mut pytest = venv_python();
    pytest.args(["-m", "pytest", "-q"]).args(test_arguments(&arguments.values, with_engines));
    step::run(pytest.current_dir(workspace.join("tests")))
}

/// Checks the package for a free-threaded Python, which need not be installed, because PyO3 reads its properties from a
/// file, and nothing is linked.
fn check_free_threaded(folder: &Path, target: &Path) -> Outcome {
    let mut command = step::cargo();
    command.current_dir(folder).args(["clippy", "--profile", "ci", "--", "-D", "warnings"]);
    command.env("CARGO_TARGET_DIR", target);
    step::run(command.env("PYO3_CONFIG_FILE", folder.join("free-threaded.cfg")))
}

/// Checks the dependencies of a workspace by its `deny.toml`, if cargo-deny is installed.
pub(super) fn check_licenses(workspace: &str) -> Outcome {
    step::tool("deny", &["--all-features", "check", "bans", "licenses", "sources"], workspace)
}

/// Checks and tests the functions for DataFusion.
fn check_datafusion(target: &Path) -> Outcome {
    let folder = root::root().join(DATAFUSION);
    Ok(check_licenses(DATAFUSION)? && run_cargo_steps(DATAFUSION_STEPS, &folder, target)?)
}

/// Runs cargo commands in a folder, up to the first that fails, with the target folder `target`. Returns whether all
/// succeeded.
fn run_cargo_steps(steps: &[&[&str]], folder: &Path, target: &Path) -> Outcome {
    for arguments in steps {
        let mut command = step::cargo();
        command.current_dir(folder).args(*arguments).env("CARGO_TARGET_DIR", target);
        if !step::run(&mut command)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Builds the source archive of the staged package and unpacks it. Returns the folder of sources, or `None` if a command
/// fails.
fn unpack_sources(
    venv_python: &dyn Fn() -> Command,
    target: &Path,
) -> Result<Option<PathBuf>, Failure> {
    let (archives, sources) = (target.join("archives"), target.join("sources"));
    let staged = target.join("staged");
    stage(&staged)?;
    create_empty(&archives)?;
    create_empty(&sources)?;
    let mut sdist = venv_python();
    sdist.args(["-m", "maturin", "sdist", "--out"]).arg(&archives);
    if !step::run(sdist.current_dir(staged.join(WORKSPACE)))? {
        return Ok(None);
    }
    let archive = single_entry(&archives)?;
    if !step::run(venv_python().args(["-c", UNPACK]).arg(archive).arg(&sources))? {
        return Ok(None);
    }
    Ok(Some(single_entry(&sources)?))
}

/// Builds a wheel from the sources by pip. Returns the path of the wheel, or `None` if the build fails. The cache of
/// pip is not used, because it identifies wheels by the path of the sources, which is always the same.
fn build_wheel(
    venv_python: &dyn Fn() -> Command,
    source: &Path,
    target: &Path,
) -> Result<Option<PathBuf>, Failure> {
    let folder = target.join("built");
    create_empty(&folder)?;
    let mut command = venv_python();
    command.args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-cache-dir", "--wheel-dir"]);
    command.arg(&folder).arg(source).env("CARGO_TARGET_DIR", target);
    command.env("MATURIN_PEP517_ARGS", "--features all-dialects --profile ci");
    if !step::run(&mut command)? {
        return Ok(None);
    }
    Ok(Some(single_entry(&folder)?))
}

/// Returns the arguments of pytest: `tests`, and, unless `with_engines`, an option that ignores the tests of engines.
fn test_arguments(tests: &[String], with_engines: bool) -> Vec<&str> {
    let exclusion: &[&str] = if with_engines { &[] } else { &["--ignore", "engines"] };
    tests.iter().map(String::as_str).chain(exclusion.iter().copied()).collect()
}

/// Returns the named Python, or, if none is named, the first usable one of [`PYTHONS`]; `None` if there is none. Fails
/// if the named Python is not usable.
fn python(named: Option<OsString>) -> Result<Option<OsString>, Failure> {
    if let Some(named) = named {
        return match is_usable(&named) {
            true => Ok(Some(named)),
            false => Err(format!("`{}` is not Python 3.10 or later with venv", named.display())),
        };
    }
    let mut candidates = PYTHONS.iter().map(OsString::from);
    Ok(candidates.find(|name| is_usable(name)))
}

fn is_usable(python: &OsStr) -> bool {
    let mut probe = Command::new(python);
    probe.args(["-c", PROBE]).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

/// Creates an empty folder, after removing an existing one.
fn create_empty(folder: &Path) -> Result<(), Failure> {
    files::remove(folder)?;
    fs::create_dir_all(folder).map_err(|error| files::failure("create", folder, error))
}

/// Returns the path of a folder's only entry. Fails if the folder is empty.
fn single_entry(folder: &Path) -> Result<PathBuf, Failure> {
    let failed = |error| files::failure("read", folder, error);
    let mut entries = fs::read_dir(folder).map_err(failed)?;
    let entry =
        entries.next().ok_or_else(|| format!("`{}` is empty", root::display_path(folder)))?;
    Ok(entry.map_err(failed)?.path())
}
