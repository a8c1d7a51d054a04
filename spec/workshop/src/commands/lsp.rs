//! The language server of editors, over standard input and output.
//!
//! usage: cargo xtask lsp
//!
//! Diagnostics as one types, definitions, references, what stands under the cursor, completion, rename, layout, and mends of
//! mistakes, for .states and .modes. spec/editors/README.md says how editors are told of it.
//!
//! example: cargo xtask lsp
//!
//! Invariant: it writes no file; the editor does.

use super::failure;
use crate::Outcome;
use crate::home::Home;
use crate::server::serve;

/// Runs the command.
pub(super) fn run(home: &Home, mut parser: lexopt::Parser) -> Outcome {
    while let Some(arg) = parser.next().map_err(failure)? {
        // Some editors name the channel; there is no other.
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
