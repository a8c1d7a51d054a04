//! The generated code of small tables, looked at: each `test_data/*.states` with its code beside it; and of one state and
//! one mode of HTML, as `cargo xtask expand` prints them; and a fingerprint of each item of every dialect's code, so that no
//! change of the compiler changes a dialect unseen. It runs no code (the suites do). Invariant: the same table gives the same
//! code; `UPDATE_EXPECT=1` writes what changed.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fs;
use std::path::{Path, PathBuf};
use tabulex_language::Source;

fn tables() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data");
    let entries = fs::read_dir(folder).expect("test_data is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "states"));
    paths.sort();
    paths
}

#[test]
fn generated_code_is_as_committed() {
    let tables = tables();
    assert!(tables.len() >= 3, "the tables of test_data are there");
    let mut changed = Vec::new();
    for path in tables {
        let text = fs::read_to_string(&path).expect("a table can be read");
        let source = Source::new(path.display().to_string(), text);
        let loaded = tabulex_language::load(&source, &|_| None);
        let machine = loaded.machine.unwrap_or_else(|| {
            let messages: Vec<String> = loaded
                .diagnostics
                .iter()
                .map(|diagnostic| diagnostic.render(&loaded.source))
                .collect();
            panic!("{}", messages.join("\n"))
        });
        let compiled = tabulex_compiler::compile(&machine);
        let code = tabulex_compiler::generate::module(&compiled);
        let file = syn::parse2(code).expect("generated code is Rust");
        let explained = tabulex_compiler::explain::explain(&compiled);
        let comment: String = explained.lines().map(|line| format!("// {line}\n")).collect();
        let actual = format!("{comment}\n{}", prettyplease::unparse(&file));
        changed.extend(difference(path.with_extension("expect"), &actual));
    }
    assert!(changed.is_empty(), "{CHANGED}: {changed:?}");
}

const CHANGED: &str = "changed, look at the difference with UPDATE_EXPECT=1";

/// The file, if it does not hold the text; it is written if that is wanted.
fn difference(expected: PathBuf, actual: &str) -> Option<PathBuf> {
    if fs::read_to_string(&expected).unwrap_or_default() == actual {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&expected, actual).expect("the expectation can be written");
        return None;
    }
    Some(expected)
}

#[test]
fn a_state_and_a_mode_of_html_are_as_committed() {
    let source = html();
    let loaded = tabulex_language::load(&source, &tabulex_tables::text);
    let machine = loaded.machine.expect("our tables are right");
    let mut compiled = tabulex_compiler::compile(&machine);
    compiled.printed = true;
    let code = tabulex_compiler::generate::module(&compiled);
    let file = syn::parse2(code).expect("generated code is Rust");
    let printed = tabulex_compiler::print::uncover(&prettyplease::unparse(&file));
    let state = part(&printed, "'stay_tag_name: loop {", "}") + "}\n";
    let mode =
        part(&printed, "fn start_tags_mode_in_caption<", "fn start_tags_mode_in_column_group<");
    let mode = mode.trim_end_matches("#[inline(never)]\n").to_owned();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data");
    let changed: Vec<PathBuf> = [("html-tag-name.expect", state), ("html-in-caption.expect", mode)]
        .into_iter()
        .filter_map(|(file, actual)| difference(folder.join(file), &actual))
        .collect();
    assert!(changed.is_empty(), "{CHANGED}: {changed:?}");
}

/// The table of today's HTML.
fn html() -> Source {
    let name = "html.states";
    Source::new(name, tabulex_tables::text(name).expect("the table is there"))
}

/// The lines from the one that begins so up to the next one, not further to the right, that begins with the other words.
fn part(printed: &str, from: &str, to: &str) -> String {
    let mut lines = printed.lines().skip_while(|line| !line.trim_start().starts_with(from));
    let first = lines.next().expect("the part is there");
    let indent = first.len() - first.trim_start().len();
    let ends = |line: &&str| line.get(indent..).is_some_and(|line| line.starts_with(to));
    let inner = lines.by_ref().take_while(|line| !ends(line));
    let whole: Vec<&str> = std::iter::once(first).chain(inner).collect();
    let cut = |line: &&str| format!("{}\n", line.get(indent..).unwrap_or_default());
    let code: String = whole.iter().map(cut).collect();
    assert!(printed.contains(to) && whole.len() > 10, "the part has an end and is no stub");
    code
}

#[test]
fn the_same_table_gives_the_same_code() {
    let code = || {
        let source = html();
        let machine = tabulex_language::load(&source, &tabulex_tables::text)
            .machine
            .expect("our tables are right");
        tabulex_compiler::expand(&machine).to_string()
    };
    assert_eq!(code(), code());
}

#[test]
fn every_item_of_every_dialect_is_as_committed() {
    // The code nests deeply, and the stack of a test is small.
    let of_all = std::thread::Builder::new().stack_size(256 << 20).spawn(fingerprints_of_all);
    let actual = of_all.expect("a thread").join().expect("all tables compile");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data");
    let changed = difference(folder.join("dialects.expect"), &actual);
    assert!(changed.is_none(), "{CHANGED}: {changed:?}");
}

fn fingerprints_of_all() -> String {
    let mut actual = String::new();
    for (name, text) in tabulex_tables::all() {
        let source = Source::new(name.as_str(), text);
        let loaded = tabulex_language::load(&source, &tabulex_tables::text);
        let machine = loaded.machine.expect("our tables are right");
        let code = tabulex_compiler::generate::module(&tabulex_compiler::compile(&machine));
        let file: syn::File = syn::parse2(code).expect("generated code is Rust");
        let items = fingerprints(&file.items);
        assert!(!items.is_empty(), "{name}: the code has items");
        actual.push_str(&format!("{name}\n{}", items.concat()));
    }
    actual
}

/// A line for each item and for each function in it: its name, and the fingerprint of its tokens.
fn fingerprints(items: &[syn::Item]) -> Vec<String> {
    let mut lines = Vec::new();
    for item in items {
        match item {
            syn::Item::Impl(of) => {
                for inner in &of.items {
                    let tokens = inner.to_token_stream();
                    lines.push(fingerprint(&tokens, "    "));
                }
                let mut head = of.clone();
                head.items.clear();
                lines.push(fingerprint(&head.to_token_stream(), "  "));
            }
            syn::Item::Mod(of) => {
                let (_, inner) = of.content.as_ref().expect("the module is here");
                lines.extend(fingerprints(inner));
            }
            other => lines.push(fingerprint(&other.to_token_stream(), "  ")),
        }
    }
    lines
}

/// The first words of tokens, and the FNV-1a hash of all of them.
fn fingerprint(tokens: &TokenStream, indent: &str) -> String {
    let text = tokens.to_string();
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    let is_name = |word: &&str| word.chars().all(|one| one.is_alphanumeric() || one == '_');
    let words: Vec<&str> = text.split_whitespace().filter(is_name).take(4).collect();
    format!("{indent}{} {hash:016x}\n", words.join(" "))
}
