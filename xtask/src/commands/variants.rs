//! Small tables, changed at random, compiled, and held against the interpreter.
//!
//! usage: cargo xtask variants [--count N] [--seed N] [--changes N] [--inputs N]
//!
//!   --count N      how many changed tables are compiled (60)
//!   --seed N       which ones (1)
//!   --changes N    how many changes a table has at most (3)
//!   --inputs N     how many random inputs each takes, beside those that are kept (4000)
//!
//! The tables are those of spec/oracle/test_data/interpreter, each change one of those that `mutants` makes. What is no
//! table after its changes is not compiled. A package of the others is written to target/variants, built, and run: each
//! machine, whole and in chunks, as a sink and as an iterator, beside the interpreter of the same table.
//!
//! What differs is printed with the changes, the shortest input found, and both recordings. The status is 1 then.
//!
//! example: cargo xtask variants --count 200 --seed 7
//!
//! Invariant: the same numbers make the same tables.

use super::adopters::{failure, write};
use super::fuzz::number;
use super::mutants::changes::mutants;
use crate::{Failure, Outcome, root, step};
use lexopt::Arg;
use std::fs;
use std::path::{Path, PathBuf};
use tabulex_language::diagnostic::Severity;
use tabulex_language::{Source, load, parse};

/// Where the small tables stand.
const TABLES: &str = "spec/oracle/test_data/interpreter";

/// What is asked for.
struct Asked {
    count: usize,
    seed: u64,
    changes: u64,
    inputs: u64,
}

/// A changed table.
struct Variant {
    /// The name of the file it was made from, without the ending.
    of: String,
    text: String,
    /// The changes, for people.
    about: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(parser: lexopt::Parser) -> Outcome {
    let asked = asked(parser)?;
    let tables = small_tables()?;
    let mut random = Random(asked.seed);
    let (mut variants, mut tried) = (Vec::new(), 0);
    while variants.len() < asked.count && tried < asked.count * 100 {
        tried += 1;
        let (of, text) = &tables[random.below(tables.len())];
        variants.extend(variant(of, text, variants.len(), asked.changes, &mut random));
    }
    step::say(&format!("{} tables of {tried} that were tried\n", variants.len()));
    let folder = root::root().join("target/variants");
    write_package(&folder, &variants, asked.inputs)?;
    for (number, variant) in variants.iter().enumerate() {
        let list = variant.about.join("\n");
        write(&folder.join(format!("tables/v{number}.changes")), &list)?;
    }
    let target = folder.join("target");
    step::run(
        step::cargo()
            .args(["run", "--quiet", "--manifest-path"])
            .arg(folder.join("Cargo.toml"))
            .env("CARGO_TARGET_DIR", target),
    )
}

fn asked(mut parser: lexopt::Parser) -> Result<Asked, Failure> {
    let mut asked = Asked { count: 60, seed: 1, changes: 3, inputs: 4000 };
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Long("count") => asked.count = number(&mut parser, "count")? as usize,
            Arg::Long("seed") => asked.seed = number(&mut parser, "seed")?,
            Arg::Long("changes") => asked.changes = number(&mut parser, "changes")?,
            Arg::Long("inputs") => asked.inputs = number(&mut parser, "inputs")?,
            other => return Err(other.unexpected().to_string()),
        }
    }
    Ok(asked)
}

/// The names and texts of the small tables.
fn small_tables() -> Result<Vec<(String, String)>, Failure> {
    let folder = root::root().join(TABLES);
    let entries = fs::read_dir(&folder).map_err(|error| failure("read", &folder, error))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "states"));
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, fs::read_to_string(&path).map_err(|error| failure("read", &path, error))?))
    };
    paths.into_iter().map(read).collect()
}

/// The table after some changes, under the name of its number, if it still is one.
fn variant(of: &str, text: &str, number: usize, most: u64, random: &mut Random) -> Option<Variant> {
    let mut changed = text.replacen(&format!("name {of};"), &format!("name v{number};"), 1);
    let mut about = Vec::new();
    for _ in 0..=random.below(most as usize) {
        let all = mutants(&changed, &parse::file(&changed).0?);
        let chosen = all.get(random.below(all.len().max(1)))?;
        about.push(chosen.about(&changed));
        changed = chosen.applied(&changed);
    }
    let folder = root::root().join(TABLES);
    let beside = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let loaded = load(&Source::new(of, changed.as_str()), &beside);
    let is_wrong = loaded.diagnostics.iter().any(|one| one.severity == Severity::Error);
    (loaded.machine.is_some() && !is_wrong).then_some(Variant {
        of: of.to_owned(),
        text: changed,
        about,
    })
}

/// Writes the package that compiles and runs them.
fn write_package(folder: &Path, variants: &[Variant], inputs: u64) -> Result<(), Failure> {
    let tables = folder.join("tables");
    if tables.exists() {
        fs::remove_dir_all(&tables).map_err(|error| failure("remove", &tables, error))?;
    }
    let root = root::root();
    let references = fs::read_to_string(root.join(TABLES).join("test.references"));
    write(&tables.join("test.references"), &references.map_err(|error| error.to_string())?)?;
    let (mut modules, mut calls) = (String::new(), String::new());
    for (number, Variant { of, text, .. }) in variants.iter().enumerate() {
        write(&tables.join(format!("v{number}.states")), text)?;
        let kept = root.join(TABLES).join(format!("{of}.inputs"));
        let kept = fs::read_to_string(&kept).map_err(|error| failure("read", &kept, error))?;
        write(&tables.join(format!("v{number}.inputs")), &kept)?;
        modules += &format!("variant!(v{number}, V{number}, \"v{number}\");\n");
        calls += &format!("    is_well &= v{number}::agrees();\n");
    }
    write(
        &folder.join("src/main.rs"),
        &format!(
            "{HEAD}\nconst INPUTS: u64 = {inputs};\n\n{modules}\nfn main() {{\n    let mut is_well = true;\n{calls}    println!(\"{} tables\");\n    std::process::exit(i32::from(!is_well));\n}}\n",
            variants.len()
        ),
    )?;
    let path = |of: &str| root.join(of).display().to_string();
    let manifest = format!(
        "[package]\nname = \"variants\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         tabulex = {{ path = {:?}, features = [\"machine\"] }}\ntabulex-tests = {{ path = {:?} }}\n",
        path("runtime"),
        path("tests"),
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    // The versions are those of the workspace.
    let lock = fs::read_to_string(root.join("Cargo.lock")).map_err(|error| error.to_string())?;
    write(&folder.join("Cargo.lock"), &lock)
}

/// What the program begins with.
const HEAD: &str = r##"//! Changed tables beside their machines.
#![allow(warnings)]

macro_rules! variant {
    ($module:ident, $machine:ident, $file:literal) => {
        mod $module {
            use tabulex::machine;

            include!(concat!("../tables/", $file, ".states"));

            pub(crate) fn agrees() -> bool {
                let states = include_str!(concat!("../tables/", $file, ".states"));
                let inputs = include_str!(concat!("../tables/", $file, ".inputs"));
                let references = include_str!("../tables/test.references");
                let beside = |_: &str| Some(references.to_owned());
                let table = tabulex_tests::small::table($file, states, &beside);
                let dialect = &<$machine as tabulex::Machine>::DIALECT;
                let told = tabulex_tests::small::disagreement(dialect, &table, inputs, crate::INPUTS);
                if let Some(told) = &told {
                    println!("{}\n{told}", include_str!(concat!("../tables/", $file, ".changes")));
                }
                told.is_none()
            }
        }
    };
}
"##;

/// A generator of Knuth's.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}
