//! Two tables side by side: the rows that differ, and for each the shortest input on which the machines do different things.
//!
//! usage: cargo xtask diff LEFT RIGHT [--seconds N] [--format text|json]
//!
//!   LEFT, RIGHT    dialects or files
//!   --seconds N    how long is searched for inputs (2)
//!
//! Rows are compared by what they mean: places, comments and the order of declarations make no difference. The status is 0
//! if no row and no declaration differs, and 1 if one does. What an edit of one table changes is asked by `impact`.
//!
//! example: cargo xtask diff html-2013 html
//!
//! Invariant: every input that is shown was run on both tables.

use super::impact::{Asked, find, report};
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
        return Err(format!("two tables are meant; for example: {program} diff html-2013 html"));
    };
    // A name that is no table would be taken for a revision.
    home.read(left)?;
    let mut asked = Asked::default();
    (asked.against, asked.seconds) = (Some(left.clone()), Some(seconds));
    let Some(found) = find(home, right, &asked)? else { return Ok(false) };
    home.say(&if is_json { report::json(&found) } else { report::text(&found) });
    Ok(found.changes.is_empty())
}
