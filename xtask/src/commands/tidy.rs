//! The rules of the house that a program can read: openings and lengths of files, lengths of functions, words that mark
//! unfinished work, paths of one machine, names that only tables may hold, and the paths in ARCHITECTURE.md.
//!
//! usage: cargo xtask tidy
//!
//! Each breach is a line `path:line: what`. Exceptions stand in xtask/src/commands/tidy/exceptions.rs, each with its
//! reason; one that is no longer needed is a breach as well.
//!
//! example: cargo xtask tidy
//!
//! Invariant: it changes no file.

mod exceptions;
mod layout;
mod lengths;
mod names;
mod words;

use crate::{Failure, Outcome, root, step};
use std::fs;
use std::path::Path;

/// A file of the source tree.
struct File {
    /// The path from the root, with `/`.
    path: String,
    /// The text; none if it is no UTF-8.
    text: Option<String>,
}

/// A breach of a rule.
struct Breach {
    path: String,
    /// The line, from 1; 0 for the file.
    line: usize,
    what: String,
}

/// A function from all files to breaches.
type Rule = fn(&[File]) -> Result<Vec<Breach>, Failure>;

/// All rules.
const RULES: &[Rule] =
    &[layout::openings, layout::named_paths, lengths::check, words::check, names::check];

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    if let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        return Err(arg.unexpected().to_string());
    }
    let mut files = Vec::new();
    collect(root::root(), &mut files)?;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let mut breaches = Vec::new();
    for rule in RULES {
        breaches.extend(rule(&files)?);
    }
    breaches.sort_by(|one, other| (&one.path, one.line).cmp(&(&other.path, other.line)));
    for Breach { path, line, what } in &breaches {
        match line {
            0 => step::say(&format!("{path}: {what}\n")),
            line => step::say(&format!("{path}:{line}: {what}\n")),
        }
    }
    step::say(&format!("{} files: {} breaches\n", files.len(), breaches.len()));
    Ok(breaches.is_empty())
}

/// Reads what is under the folder, but not what cargo and git keep there.
fn collect(folder: &Path, files: &mut Vec<File>) -> Result<(), Failure> {
    let failure = |error| format!("cannot read {}: {error}", root::shown(folder));
    for entry in fs::read_dir(folder).map_err(failure)? {
        let entry = entry.map_err(failure)?;
        let (path, name) = (entry.path(), entry.file_name());
        let kind = entry.file_type().map_err(failure)?;
        // Of git a second tree of work has a file.
        if name == "target" || name == ".git" || name == "node_modules" {
            continue;
        }
        if kind.is_dir() {
            collect(&path, files)?;
        } else if kind.is_file() {
            let text = String::from_utf8(fs::read(&path).map_err(failure)?).ok();
            files.push(File { path: root::shown(&path).replace('\\', "/"), text });
        }
    }
    Ok(())
}

impl File {
    fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Whether it is Rust code of the house, not a fixture.
    fn is_house_rust(&self) -> bool {
        let is_case = ["tests/ui/err/", "tests/ui/ok/"].iter().any(|it| self.path.starts_with(it));
        self.path.ends_with(".rs") && !is_case
    }

    fn breach(&self, line: usize, what: impl Into<String>) -> Breach {
        Breach { path: self.path.clone(), line, what: what.into() }
    }
}
