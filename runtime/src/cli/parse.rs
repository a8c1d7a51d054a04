//! The command `parse`: says that no dialect constructs a tree yet. Its options are read all the same, so that a
//! mistake in them is told as what it is. Invariant: it prints no tree.

use crate::dialects::Dialect;
use crate::failure::Failure;
use lexopt::{Arg, ValueExt as _};

const HELP: &str = r#"Prints the tree of FILE, for dialects that construct one. None of the dialects does so far: the command ends with
a message and status 2. `tabulex tokens` prints what their tokenizers make.

usage: tabulex parse [FILE|-] [--dialect D]

example: tabulex parse page.html
"#;

const HELP_COMMAND: &str = "tabulex parse --help";

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Result<(), Failure> {
    let hinted = |failure: Failure| failure.hint(HELP_COMMAND);
    let mut dialect = None;
    while let Some(arg) = parser.next().map_err(|error| hinted(error.into()))? {
        match arg {
            Arg::Long("help") | Arg::Short('h') => return crate::print(HELP),
            Arg::Long("dialect") => {
                let value = parser.value().and_then(|value| value.string());
                dialect = Some(value.map_err(|error| hinted(error.into()))?);
            }
            Arg::Value(_) => {}
            other => return Err(hinted(other.unexpected().into())),
        }
    }
    let usage = |message| Failure::usage(message, HELP_COMMAND);
    let dialect = Dialect::find(dialect.as_deref()).map_err(usage)?;
    Err(usage(dialect.no_tree()))
}
