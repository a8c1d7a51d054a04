//! Builds and serves the browser page that runs, steps through and edits tables.
//!
//! usage: cargo xtask explore [--out FOLDER] [--port N] [--test]
//!
//! The page is built in target/explorer and served on the loopback address until interrupted, by Python.
//!
//!   --out FOLDER   writes the page as static files to this folder instead of serving it
//!   --port N       serves the page on this port (8017)
//!   --test         tests the page instead: its engine runs the suites in Node, compared with the compiled machines, and
//!                  Chromium types, steps, edits a table and follows a link; missing programs are reported
//!
//! The engine is the interpreter of tables in WebAssembly. If the toolchain has no standard library for
//! wasm32-unknown-unknown, one is built with Debian's packages rustc-web, cargo-web, rust-web-src and lld-19. The files
//! can be served by any static file server, and contact no other host.
//!
//! example: cargo xtask explore --out target/page

mod build;
mod test;

use crate::root::{display_path, root};
use crate::{Outcome, step};
use std::ffi::OsString;
use std::process::Command;
use tabulex_workshop::arguments::Arguments;

/// Runs `cargo xtask explore`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let arguments = Arguments::parse(arguments, &["out FOLDER", "port N", "test"], 0)?;
    let (out, is_test) = (arguments.path("out"), arguments.has("test"));
    let port: u16 = arguments.number("port")?.unwrap_or(8017);
    let folder = out.clone().unwrap_or_else(|| root().join("target/explorer"));
    if let Err(reason) = build::page(&folder)? {
        return match is_test {
            true => {
                step::say(&format!(
                    "the explorer is not built: {reason}\n0 passed, 0 failed, 1 skipped\n"
                ));
                Ok(true)
            }
            false => Err(reason),
        };
    }
    if is_test {
        return test::run(&folder);
    }
    match out {
        Some(folder) => step::say(&format!("the page is in `{}`\n", display_path(&folder))),
        None => {
            let mut server = Command::new("python3");
            server.args(["-m", "http.server", "--bind", "127.0.0.1", "--directory"]).arg(&folder);
            return step::run(server.arg(port.to_string()));
        }
    }
    Ok(true)
}
