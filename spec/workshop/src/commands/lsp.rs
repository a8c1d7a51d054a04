//! Runs the language server for editors, over standard input and output.
//!
//! usage: cargo xtask lsp
//!
//! The server provides diagnostics while typing, definitions, references, hover texts, completion, renaming, formatting
//! and quick fixes for .states and .modes files. spec/editors/README.md describes the setup of editors.
//!
//! example: cargo xtask lsp

use crate::Outcome;
use crate::arguments::Arguments;
use crate::home::Home;
use crate::server::serve;
use std::ffi::OsString;

/// Serves an editor over standard input and output, until the editor exits.
pub(super) fn run(home: &Home, arguments: Vec<OsString>) -> Outcome {
    // Some editors pass `--stdio`, which changes nothing, because there is no other channel.
    Arguments::parse(arguments, &["stdio"], 0)?;
    let (connection, threads) = lsp_server::Connection::stdio();
    serve(home, &connection)?;
    drop(connection);
    threads.join().map_err(|error| error.to_string())?;
    Ok(true)
}
