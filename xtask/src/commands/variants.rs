//! Compiles randomly changed tables, and compares the machines with the interpreter.
//!
//! usage: cargo xtask campaign variants [--dialect ID] [--count N] [--seed N] [--changes N] [--inputs N]
//!        cargo xtask campaign variants --listed [--count N] [--inputs N]
//!
//!   --dialect ID   the table of a dialect with its modes; without one, the small tables of oracle and compiler
//!   --count N      number of changed tables (60, or 2 with --dialect, as each of these takes a minute)
//!   --seed N       seed of the random changes (1); equal arguments give equal tables
//!   --changes N    maximum number of changes per table (4, or 40 with --dialect)
//!   --inputs N     number of random inputs per table, in addition to recorded ones (4000)
//!   --listed       make the changes of tests/steps.json, each in a separate table: all, or the first N
//!
//! Each change is one of those of `mutants`, and leaves a table that compiles. A package of the tables is written to
//! target/variants, built, and run. The program compares each machine with the interpreter of its table: on whole inputs
//! and in chunks, as a sink and as an iterator, tokens and trees.
//!
//! Prints each difference with the changes, the shortest input found, and both results. Exits with status 1 if there
//! is any difference.
//!
//! example: cargo xtask campaign variants --count 200 --seed 7

use super::mutants::edits::{Edit, edits};
use super::mutants::runner::Random;
use crate::files::{failure, read, read_json, read_toml, remove, write};
use crate::{Failure, Outcome, root, step};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use tabulex_compiler::natives;
use tabulex_language::diagnostic::Severity;
use tabulex_language::{Source, load, parse};
use tabulex_workshop::arguments::Arguments;

/// Folders of the small tables, which are test data of the oracle and of the compiler.
const SMALL_TABLES: [&str; 2] = ["spec/oracle/test_data/interpreter", "macros/compiler/test_data"];
/// Folder of the dialects' tables.
const DIALECTS: &str = "spec/tables";

/// Arguments of `cargo xtask campaign variants`.
struct VariantsOptions {
    dialect: Option<String>,
    count: usize,
    seed: u64,
    changes: usize,
    inputs: u64,
    /// Whether the changes are those of [`LISTED_CHANGES`].
    is_listed: bool,
}

/// Folder of the standard algorithms, which apply unless a table defines its own.
const STANDARD_ALGORITHMS: &str = "spec/language/src/resolve/tree";

/// File of changes to algorithms, by dialect: the name of the algorithm, the text to replace, and its replacement.
const LISTED_CHANGES: &str = "tests/steps.json";

/// A table with the files that it names, and its recorded inputs.
#[derive(Clone)]
struct Variant {
    /// Name of the table's file.
    file: String,
    files: BTreeMap<String, String>,
    inputs: String,
    /// Descriptions of the changes.
    descriptions: Vec<String>,
}

/// Runs `cargo xtask campaign variants`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let options = options(arguments)?;
    let variants =
        if options.is_listed { listed_variants(&options)? } else { random_variants(&options)? };
    let folder = root::root().join("target/variants");
    write_package(&folder, &variants, options.inputs)?;
    let mut cargo = step::cargo();
    cargo.args(["run", "--quiet", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    // Dependencies are those of the workspace's tests, and are built once for both.
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.unwrap_or_else(|| root::root().join("target").into());
    step::run(cargo.env("CARGO_TARGET_DIR", target))
}

/// Creates tables with random changes.
fn random_variants(options: &VariantsOptions) -> Result<Vec<Variant>, Failure> {
    let originals = match &options.dialect {
        Some(id) => vec![dialect_variant(id)?],
        None => small_tables()?,
    };
    let mut random = Random(options.seed);
    let variants = (0..options.count).map(|_| {
        let mut variant = originals[random.below(originals.len())].clone();
        let changes = 1 + random.below(options.changes.max(1));
        variant.change_randomly(changes, &mut random);
        variant
    });
    Ok(variants.collect())
}

/// Creates a table for each change of the list.
fn listed_variants(options: &VariantsOptions) -> Result<Vec<Variant>, Failure> {
    let list = read_json(&root::root().join(LISTED_CHANGES))?;
    let list: BTreeMap<String, Vec<[String; 3]>> =
        serde_json::from_value(list).map_err(|error| format!("{LISTED_CHANGES}: {error}"))?;
    let mut variants = Vec::new();
    for (dialect, changes) in &list {
        let original = dialect_variant(dialect)?;
        for change in changes {
            variants.push(original.clone().with_change(change)?);
        }
    }
    variants.truncate(options.count);
    Ok(variants)
}

fn options(arguments: Vec<OsString>) -> Result<VariantsOptions, Failure> {
    let options = ["dialect ID", "count N", "seed N", "changes N", "inputs N", "listed"];
    let arguments = Arguments::parse(arguments, &options, 0)?;
    let (dialect, is_listed) = (arguments.text("dialect"), arguments.has("listed"));
    let (count, changes) = match dialect {
        _ if is_listed => (usize::MAX, 1),
        Some(_) => (2, 40),
        None => (60, 4),
    };
    Ok(VariantsOptions {
        dialect,
        count: arguments.number("count")?.unwrap_or(count),
        seed: arguments.number("seed")?.unwrap_or(1),
        changes: arguments.number("changes")?.unwrap_or(changes),
        inputs: arguments.number("inputs")?.unwrap_or(4000),
        is_listed,
    })
}

/// Reads the files of a folder that have one of the extensions. Returns their texts by file name.
fn files(folder: &str, extensions: &[&str]) -> Result<BTreeMap<String, String>, Failure> {
    let folder = root::root().join(folder);
    let entries = fs::read_dir(&folder).map_err(|error| failure("read", &folder, error))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let chosen_paths = paths.filter(|path| {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        extensions.contains(&&*extension)
    });
    let read_named = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, read(path)?))
    };
    chosen_paths.map(|path| read_named(&path)).collect()
}

/// Reads the table of a dialect, and all other files of tables, to any of which the table may refer.
fn dialect_variant(id: &str) -> Result<Variant, Failure> {
    let files = files(DIALECTS, &["states", "modes", "references", "text", "sanitizer"])?;
    let file = format!("{id}.states");
    if !files.contains_key(&file) {
        return Err(format!("`{DIALECTS}` has no file `{file}`"));
    }
    Ok(Variant { file, files, inputs: String::new(), descriptions: Vec::new() })
}

/// Reads the small tables, each with its recorded inputs.
fn small_tables() -> Result<Vec<Variant>, Failure> {
    let mut variants = Vec::new();
    for folder in SMALL_TABLES {
        let references = files(folder, &["references"])?;
        let inputs = files(folder, &["inputs"])?;
        for (file, text) in files(folder, &["states"])? {
            let inputs = inputs.get(&file.replace(".states", ".inputs"));
            let inputs = inputs.cloned().unwrap_or_default();
            let mut files = references.clone();
            files.insert(file.clone(), text);
            variants.push(Variant { file, files, inputs, descriptions: Vec::new() });
        }
    }
    Ok(variants)
}

/// Returns the text of the standard algorithm that begins with `head`, for the table's kind of elements, if it exists.
fn standard_algorithm(table: &str, head: &str) -> Result<Option<String>, Failure> {
    let kinds: &[&str] =
        match ["xml", "plain"].iter().find(|kind| table.contains(&format!("elements {kind}"))) {
            Some(&"xml") => &["xml", "plain", "any"],
            Some(_) => &["plain", "any"],
            None => &["html", "any"],
        };
    let files = files(STANDARD_ALGORITHMS, &["states"])?;
    let algorithm = kinds.iter().find_map(|kind| {
        let text = &files[&format!("elements-{kind}.states")];
        let start = text.find(&format!("    {head}"))?;
        let end = start + text[start..].find("\n    }\n")? + "\n    }\n".len();
        Some(text[start..end].to_owned())
    });
    Ok(algorithm)
}

impl Variant {
    /// Whether the table can be compiled.
    fn can_compile(&self) -> bool {
        let read_file = |name: &str| self.files.get(name).cloned();
        let loaded =
            load(&Source::new(self.file.as_str(), self.files[&self.file].as_str()), &read_file);
        let native_diagnostics = loaded.machine.iter().flat_map(natives::check);
        loaded.machine.is_some()
            && native_diagnostics
                .chain(loaded.diagnostics)
                .all(|one| one.severity != Severity::Error)
    }

    /// Makes one change in an algorithm. A standard algorithm is first copied into the table; if there is none, the
    /// change is made in the modes.
    fn with_change(mut self, [algorithm, from, to]: &[String; 3]) -> Result<Self, Failure> {
        let modes = self.file.replace(".states", ".modes");
        let head = format!("algorithm {algorithm} ");
        let find_in = |file: &String| Some((file.clone(), self.files.get(file)?.find(&head)?));
        let position = [&modes, &self.file].into_iter().find_map(find_in);
        let standard = if position.is_none() {
            standard_algorithm(&self.files[&self.file], &head)?
        } else {
            None
        };
        if let Some(standard) = standard.filter(|text| text.contains(from.as_str()))
            && let Some(table) = self.files.get_mut(&self.file)
        {
            table.insert_str(table.rfind('}').unwrap_or_default(), &standard);
            return self.with_change(&[algorithm.clone(), from.clone(), to.clone()]);
        }
        let (file, offset) = position.unwrap_or((modes, 0));
        let description = format!("{algorithm}: [{from}] => [{to}]");
        let text = self.files.get(&file).map_or("", |text| text);
        let start = text[offset..].find(from.as_str()).map(|start| offset + start);
        let start = start.ok_or_else(|| {
            format!("`{file}` does not contain the text to replace: {description}")
        })?;
        let changed = [&text[..start], to, &text[start + from.len()..]].concat();
        self.files.insert(file, changed);
        if !self.can_compile() {
            return Err(format!("the changed table does not compile: {description}"));
        }
        self.descriptions.push(description);
        Ok(self)
    }

    /// Makes up to `changes` random changes, in the table or in the file of its modes. Changes after which the table
    /// does not compile are undone.
    fn change_randomly(&mut self, changes: usize, random: &mut Random) {
        let modes = self.file.replace(".states", ".modes");
        let mut attempts = 0;
        while self.descriptions.len() < changes && attempts < 100 * changes {
            attempts += 1;
            let changes_modes = self.files.contains_key(&modes) && random.below(2) == 0;
            let file = if changes_modes { &modes } else { &self.file };
            let text = self.files[file].clone();
            let Some(table) = parse::file(&text).0 else { continue };
            let mut candidates = edits(&text, &table);
            candidates.retain(Edit::may_affect_behavior);
            let Some(chosen) = candidates.get(random.below(candidates.len())) else { continue };
            self.files.insert(file.clone(), chosen.apply(&text));
            if self.can_compile() {
                self.descriptions.push(format!("{}: {}", chosen.place, chosen.description(&text)));
            } else {
                self.files.insert(file.clone(), text);
            }
        }
    }
}

/// Writes the package that compiles and runs the tables, with `inputs` random inputs for each.
fn write_package(folder: &Path, variants: &[Variant], inputs: u64) -> Result<(), Failure> {
    let tables = folder.join("tables");
    remove(&tables)?;
    let mut calls = String::new();
    for (number, variant) in variants.iter().enumerate() {
        let folder = tables.join(format!("v{number}"));
        for (name, text) in &variant.files {
            write(&folder.join(name), text)?;
        }
        write(&folder.join("inputs"), &variant.inputs)?;
        write(&folder.join("changes"), &variant.descriptions.join("\n"))?;
        let name = variant.file.trim_end_matches(".states");
        let machine: String = name.split('-').map(capitalized).collect();
        calls +=
            &format!("variant!(v{number}, {machine}, {:?}, is_clean);\n        ", variant.file);
    }
    let root = root::root();
    let program = PROGRAM
        .replace("INPUTS", &inputs.to_string())
        .replace("CALLS", &calls)
        .replace("COUNT", &variants.len().to_string());
    write(&folder.join("src/main.rs"), &program)?;
    let path = |of: &str| root.join(of).display().to_string();
    let manifest = format!(
        "[package]\nname = \"variants\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         tabulex = {{ path = {:?}, features = [\"machine\"] }}\ntabulex-tests = {{ path = {:?} }}\n",
        path("runtime"),
        path("tests"),
    );
    let profile = dev_profile(read_toml(&root.join("Cargo.toml"))?);
    write(&folder.join("Cargo.toml"), &(manifest + &profile))?;
    // The lock file of the workspace is copied, so that the package builds with the same versions of dependencies.
    let lock = read(&root.join("Cargo.lock"))?;
    write(&folder.join("Cargo.lock"), &lock)
}

/// Returns the profile `dev` of a manifest, as a part of another one.
fn dev_profile(mut document: toml_edit::DocumentMut) -> String {
    document.retain(|name, _| name == "profile");
    if let Some(profiles) = document["profile"].as_table_mut() {
        profiles.retain(|name, _| name == "dev");
    }
    document.to_string()
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(1.min(word.len()));
    first.to_uppercase() + rest
}

/// Source of the program that compiles and runs the tables, with `INPUTS`, `CALLS` and `COUNT` to be replaced.
const PROGRAM: &str = r##"//! Compares machines of changed tables with the interpreter.
#![allow(warnings)]

use tabulex_tests::small::{disagreement, table, tree_disagreement};
use tabulex_tests::steps::serialized_difference;
use tabulex_tests::trees::is_html;

macro_rules! variant {
    ($module:ident, $machine:ident, $file:literal, $is_clean:ident) => {{
        mod $module {
            use tabulex::machine;

            include!(concat!("../tables/", stringify!($module), "/", $file));
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/", stringify!($module));
        let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).ok();
        let text = |name: &str| read(name).unwrap_or_default();
        let table = table($file, &text($file), &read);
        let dialect = &<$module::$machine as tabulex::Machine>::DIALECT;
        let mut mismatch = disagreement(dialect, &table, &text("inputs"), INPUTS);
        if mismatch.is_none() && dialect.elements().is_some() {
            mismatch = tree_disagreement(dialect, &table, INPUTS);
        }
        if mismatch.is_none() && is_html(dialect) {
            mismatch = (1..=INPUTS).find_map(|seed| serialized_difference(dialect, &table, seed));
        }
        if let Some(mismatch) = mismatch {
            println!("{}: {}\n{mismatch}", stringify!($module), text("changes"));
            $is_clean = false;
        }
    }};
}

fn main() {
    let run = || {
        let mut is_clean = true;
        CALLS
        is_clean
    };
    // Unoptimized machines have large stack frames, so the default stack could overflow.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run);
    let is_clean = thread.expect("the thread starts").join().expect("no machine panics");
    println!("COUNT tables");
    std::process::exit(i32::from(!is_clean));
}
"##;
