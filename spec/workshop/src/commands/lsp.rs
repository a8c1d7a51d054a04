//! Runs the language server for editors, over standard input and output.
//!
//! usage: cargo xtask lsp
//!
//! The server provides diagnostics while typing, definitions, references, hover texts, completion, renaming, formatting
//! and quick fixes for .states and .modes files. spec/editors/README.md describes the setup of editors.
//!
//! example: cargo xtask lsp

use super::failure;
use crate::Outcome;
use crate::home::Home;
use crate::server::serve;

/// Runs the command.
pub(super) fn run(home: &Home, mut parser: lexopt::Parser) -> Outcome {
    while let Some(arg) = parser.next().map_err(failure)? {
        // Some editors pass `--stdio`, which is the only channel.
        if arg != lexopt::Arg::Long("stdio") {
            return Err(arg.unexpected().to_string());
        }
    }
    let (connection, threads) = lsp_server::Connection::stdio();
    serve(home, &connection)?;
    drop(connection);
    threads.join().map_err(|error| error.to_string())?;
    Ok(true)
}
