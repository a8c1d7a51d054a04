//! Compares two tables: the rows that differ, each with the shortest input on which the machines differ.
//!
//! usage: cargo xtask diff LEFT RIGHT [--seconds N] [--format text|json]
//!
//!   LEFT, RIGHT    dialects or files
//!   --seconds N    time limit of the search for inputs (2)
//!
//! Rows are compared by meaning: positions, comments and the order of declarations make no difference. Each input shown
//! was run on both tables. Exits with status 1 if a row or a declaration differs. `impact` shows the effect of an edit.
//!
//! example: cargo xtask diff html-2013 html

use super::impact::{Options, find, report};
use super::{failure, number, text};
use crate::Outcome;
use crate::home::Home;
use lexopt::{Arg, ValueExt as _};

/// Runs the command.
pub(super) fn run(home: &Home, mut parser: lexopt::Parser) -> Outcome {
    let (mut names, mut seconds, mut is_json) = (Vec::new(), 2.0, false);
    while let Some(arg) = parser.next().map_err(failure)? {
        match arg {
            Arg::Long("seconds") => seconds = number(&mut parser, "seconds")?,
            Arg::Long("format") => {
                is_json = match &text(&mut parser)?[..] {
                    "json" => true,
                    "text" => false,
                    other => return Err(format!("--format {other}: there are text and json")),
                }
            }
            Arg::Value(name) if names.len() < 2 => names.push(name.string().map_err(failure)?),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let [left, right] = &names[..] else {
        let program = home.program;
        return Err(format!("two tables are needed; for example: {program} diff html-2013 html"));
    };
    // A name without a table would be taken for a revision.
    home.read(left)?;
    let mut options = Options::default();
    (options.against, options.seconds) = (Some(left.clone()), Some(seconds));
    let Some(effect) = find(home, right, &options)? else { return Ok(false) };
    home.say(&if is_json { report::json(&effect) } else { report::text(&effect) });
    Ok(effect.changes.is_empty())
}
