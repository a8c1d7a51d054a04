//! Suites derived from the tables, in the formats of html5lib: tokenizers with codes and places of errors, and trees.
//!
//! usage: cargo xtask suites [DIALECT…] [--out FOLDER]
//!
//! Without a dialect, those of all. A case is a shortest input that takes something which none before it has taken:
//!
//!   DIALECT.test          rows of states that can follow each other, and each kind of character after each row
//!   DIALECT.dat           rows of modes that can follow each other, each kind of token in each mode, each row in each
//!                         context of a fragment
//!   DIALECT-FLAG-N.dat    the same for parsers whose flag FLAG has the value N; the format has no heading for it
//!
//! What is expected is what the interpreter makes of them. The files are written to FOLDER, target/suites unless given,
//! and are not committed: `tests/suites/generated.rs` derives them again, and runs them.
//!
//! example: cargo xtask suites html xml-er
//!
//! Invariant: a case that takes nothing new is dropped.

use crate::{Failure, Outcome, root, step};
use lexopt::{Arg, ValueExt as _};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tabulex_oracle::formats::{dat, html5lib};
use tabulex_oracle::search::{Bound, TreeWitness, token_suite, tree_suite};

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let (mut dialects, mut folder) = (Vec::new(), root::root().join("target/suites"));
    let failure = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(failure)? {
        match argument {
            Arg::Long("out") => folder = PathBuf::from(parser.value().map_err(failure)?),
            Arg::Value(name) => dialects.push(name.string().map_err(failure)?),
            other => return Err(other.unexpected().to_string()),
        }
    }
    if dialects.is_empty() {
        let tables = root::tables()?;
        let stems = tables.iter().filter_map(|path| path.file_stem()?.to_str());
        dialects = stems.map(str::to_owned).collect();
    }
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make {}: {error}", root::shown(&folder)))?;
    let (mut tokens, mut trees) = (0, 0);
    for dialect in &dialects {
        let machine = root::machine(dialect)?;
        let suite = token_suite(&machine, Bound::default());
        tokens += suite.cases.len();
        write(&folder, &format!("{dialect}.test"), &html5lib::suite(&machine, &suite.cases))?;
        step::say(&format!(
            "{dialect}: {} cases of tokens take {} different things\n",
            suite.cases.len(),
            suite.taken
        ));
        let Some(suite) = tree_suite(&machine, Bound::default()) else { continue };
        trees += suite.cases.len();
        for (flags, cases) in by_flags(&suite.cases) {
            write(&folder, &format!("{dialect}{flags}.dat"), &dat::cases(&machine, cases))?;
        }
        step::say(&format!(
            "{dialect}: {} cases of trees take {} different things\n",
            suite.cases.len(),
            suite.taken
        ));
    }
    step::say(&format!("{tokens} cases of tokens, {trees} of trees: {}\n", root::shown(&folder)));
    Ok(true)
}

/// The cases by the flags that the format has no heading for, as they stand in the name of the file.
fn by_flags(cases: &[TreeWitness]) -> BTreeMap<String, Vec<&TreeWitness>> {
    let mut files: BTreeMap<String, Vec<&TreeWitness>> = BTreeMap::new();
    for case in cases {
        let flags = case.options.flags.iter().filter(|(name, _)| name != "scripting");
        let flags = flags.map(|(name, value)| format!("-{name}-{value}")).collect();
        files.entry(flags).or_default().push(case);
    }
    files
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let path = folder.join(name);
    let failed = |error| format!("cannot write {}: {error}", root::shown(&path));
    std::fs::write(&path, text).map_err(failed)
}
