//! Builds packages as WebAssembly with JavaScript bindings. If no toolchain supports the target, the message names the
//! packages that provide one.

use crate::root::{display_path, root};
use crate::{Failure, step};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Target triple of the builds.
const TARGET: &str = "wasm32-unknown-unknown";

/// Paths of `rustc` and `cargo` in Debian's toolchain.
const DEBIAN_TOOLCHAIN: [&str; 2] = ["/usr/bin/rustc", "/usr/bin/cargo"];
/// Linkers to try with Debian's toolchain.
const LINKERS: [&str; 3] = ["wasm-ld-19", "wasm-ld", "rust-lld"];

/// A package to build as WebAssembly, and how to build it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Engine {
    /// Name of the package.
    pub(crate) package: &'static str,
    /// Cargo profile of the build.
    pub(crate) profile: &'static str,
    /// Cargo's target folder for the build, relative to the root.
    pub(crate) target: &'static str,
}

impl Engine {
    /// Builds `engine.js` and `engine_bg.wasm` in the folder. The inner error reports that no toolchain is installed.
    pub(crate) fn build(self, folder: &Path) -> Result<Result<(), String>, Failure> {
        let Self { package, profile, target } = self;
        let Some(mut command) = toolchain() else {
            return Ok(Err(format!(
                "no standard library for `{TARGET}`; to get it: `rustup target add {TARGET}`, or on Debian `apt-get install rustc-web cargo-web rust-web-src lld-19`"
            )));
        };
        let target = root().join(target);
        command.current_dir(root()).args(["build", "--profile", profile, "--package", package]);
        command.args(["--lib", "--target", TARGET]);
        if !step::run(command.arg("--target-dir").arg(&target))? {
            return Err(format!("cannot build `{package}` for `{TARGET}`"));
        }
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", display_path(folder)))?;
        let name = package.replace('-', "_");
        let engine = target.join(TARGET).join(profile).join(name).with_extension("wasm");
        let mut pack = step::cargo();
        pack.args(["run", "--quiet", "--manifest-path", "xtask/explorer/pack/Cargo.toml"]);
        pack.arg("--target-dir").arg(root().join("target/explorer-build")).arg("--");
        match step::run(pack.arg(engine).arg(folder))? {
            true => Ok(Ok(())),
            false => Err(format!("cannot create JavaScript bindings for `{package}`")),
        }
    }
}

/// Whether Node is installed. If not, prints how to get it.
pub(crate) fn has_node() -> bool {
    let version = Command::new("node").arg("--version").output();
    let is_installed = version.is_ok_and(|output| output.status.success());
    if !is_installed {
        step::say("`node` is absent; to get it: `apt-get install nodejs`\n");
    }
    is_installed
}

/// Returns a command for a cargo that can build for [`TARGET`], if there is one.
fn toolchain() -> Option<Command> {
    let rustc_output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let library_folder =
        rustc_output.ok().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    if library_folder.is_some_and(|library_folder| {
        !library_folder.is_empty() && Path::new(&library_folder).is_dir()
    }) {
        return Some(step::cargo());
    }
    let [rustc, cargo] = DEBIAN_TOOLCHAIN;
    let sources = Path::new("/usr/src").read_dir().ok()?;
    let has_sources =
        sources.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("rustc-"));
    if !has_sources || !Path::new(rustc).exists() || !Path::new(cargo).exists() {
        return None;
    }
    let linker = LINKERS.iter().find(|name| is_in_path(OsStr::new(name)))?;
    let mut command = Command::new(cargo);
    // These variables may be set for the toolchain that runs xtask, and would also affect the Debian toolchain used
    // here.
    for name in
        ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC_WRAPPER", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"]
    {
        command.env_remove(name);
    }
    command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    command.arg("-Zbuild-std=std,panic_abort");
    Some(command)
}

fn is_in_path(name: &OsStr) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}
