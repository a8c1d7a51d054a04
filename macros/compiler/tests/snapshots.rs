//! Snapshots of generated code. Three samples are kept in full, as `cargo xtask expand` prints them: a state, a mode,
//! and the placeholder items of a rejected table. `test_data/items.expect` holds fingerprints of all other code, of
//! dialects for each item, which show the items that a change of the compiler affects. `UPDATE_EXPECT=1` updates the
//! snapshots.

use quote::ToTokens as _;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use syn::{Expr, Item, Stmt};
use tabulex_language::{Loaded, Source};

/// The folders of small tables, relative to the workspace root.
const SMALL_TABLE_FOLDERS: [&str; 3] = [
    "macros/compiler/test_data",
    "spec/language/test_data/ok",
    "spec/oracle/test_data/interpreter",
];

/// Returns the path of a file in `test_data`.
fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data").join(file)
}

/// Asserts that a file of `test_data` holds the text `actual`, or writes it if `UPDATE_EXPECT` is set.
fn assert_committed(file: &str, actual: &str) {
    let expected = fs::read_to_string(data(file)).unwrap_or_default();
    if expected == actual {
        return;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(data(file), actual).unwrap();
    }
    let new_lines = actual.lines().filter(|line| !expected.lines().any(|other| other == *line));
    let new_lines: Vec<&str> = new_lines.take(20).collect();
    panic!(
        "`test_data/{file}` differs; UPDATE_EXPECT=1 updates it; new lines:\n{}",
        new_lines.join("\n")
    );
}

/// Returns the paths of the tables in a folder, sorted by name.
fn tables(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "states"));
    paths.sort();
    assert!(paths.len() >= 3, "fewer than three tables in `{}`", folder.display());
    paths
}

/// Loads a table. The files that it names are read from its folder, or else taken from the built-in files.
fn load(path: &Path) -> Loaded {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap();
    let read_file = |name: &str| {
        let text = fs::read_to_string(path.with_file_name(name)).ok();
        text.or_else(|| tabulex_tables::text(name))
    };
    tabulex_language::load(&Source::new(name, text), &read_file)
}

/// Parses generated code.
fn parsed(code: proc_macro2::TokenStream) -> syn::File {
    syn::parse2(code).expect("the generated code is valid Rust")
}

/// Returns the code of a table in the form for display.
fn printed(table: &str) -> String {
    let machine = load(&tables_folder().join(table)).machine.unwrap();
    let mut compiled = tabulex_compiler::compile(&machine);
    compiled.is_for_display = true;
    let file = parsed(tabulex_compiler::generate::module(&compiled));
    tabulex_compiler::print::uncover(&prettyplease::unparse(&file))
}

/// Returns the folder of the dialects' tables.
fn tables_folder() -> PathBuf {
    PathBuf::from(tabulex_tables::FOLDER)
}

#[test]
fn html_state_and_mode_match_snapshot() {
    let printed = printed("html.states");
    let state = excerpt(&printed, "'stay_tag_name: loop {", "}") + "}\n";
    let mode =
        excerpt(&printed, "fn start_tags_mode_in_caption<", "fn start_tags_mode_in_column_group<");
    assert_committed("html-tag-name.expect", &state);
    assert_committed("html-in-caption.expect", mode.trim_end_matches("#[inline(never)]\n"));
}

/// Returns the lines from the one that begins with `from` up to, but excluding, the next one at the same indentation
/// that begins with `to`. The indentation is removed.
fn excerpt(printed: &str, from: &str, to: &str) -> String {
    let mut lines = printed.lines().skip_while(|line| !line.trim_start().starts_with(from));
    let first = lines.next().unwrap_or_else(|| panic!("no line of the code begins with `{from}`"));
    let indent = first.len() - first.trim_start().len();
    let is_end = |line: &&str| line.get(indent..).is_some_and(|line| line.starts_with(to));
    let inner = lines.by_ref().take_while(|line| !is_end(line));
    let excerpt_lines: Vec<&str> = std::iter::once(first).chain(inner).collect();
    let unindent = |line: &&str| format!("{}\n", line.get(indent..).unwrap_or_default());
    let code: String = excerpt_lines.iter().map(unindent).collect();
    assert!(
        printed.contains(to) && excerpt_lines.len() > 10,
        "the excerpt from `{from}` to `{to}` is unfinished or a stub"
    );
    code
}

/// Checks the placeholder items of a rejected table.
#[test]
fn skeleton_items_match_snapshot() {
    let file = parsed(skeleton(&data("refused/names.states")));
    assert_committed("refused/names.expect", &prettyplease::unparse(&file));
}

fn skeleton(path: &Path) -> proc_macro2::TokenStream {
    let loaded = load(path);
    assert!(loaded.machine.is_none(), "the table `{}` is not rejected", path.display());
    tabulex_compiler::skeleton(&tabulex_language::parse::outline(&loaded.source.text))
}

/// Checks fingerprints of each table's explanation and code, and for dialects those of each item. Of functions with the
/// same name, only the first is listed.
#[test]
fn generated_items_match_snapshot() {
    // Generated code nests too deeply for the default stack size.
    let thread = thread::Builder::new().stack_size(256 << 20).spawn(fingerprints_of_all);
    let thread = thread.expect("a thread can be started");
    assert_committed("items.expect", &thread.join().expect("the tables compile"));
}

fn fingerprints_of_all() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut text = String::new();
    let mut listed = BTreeSet::new();
    for path in tables(&tables_folder()).into_iter().rev() {
        let (explained, code) = explained_and_code(&path);
        let code_tokens = code.parse().expect("the code consists of tokens");
        let mut lines = fingerprints(&parsed(code_tokens).items);
        lines.retain(|line| {
            line.split_once(" fn ").is_none_or(|(_, name)| listed.insert(name.to_owned()))
        });
        assert!(!lines.is_empty(), "the code of `{}` has no items", path.display());
        let (explained, code) = (hash(&explained), hash(&code));
        text += &format!("{} {explained:016x} {code:016x}\n{}", name(&path), lines.concat());
    }
    for path in tables(&data("refused")) {
        text += &format!("{} {:016x}\n", name(&path), hash(&skeleton(&path).to_string()));
    }
    for path in SMALL_TABLE_FOLDERS.iter().flat_map(|folder| tables(&root.join(folder))) {
        let (explained, code) = explained_and_code(&path);
        text += &format!("{} {:016x} {:016x}\n", name(&path), hash(&explained), hash(&code));
    }
    text
}

/// Returns the name of a file.
fn name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// Returns a table's explanation and code, after checking that they are deterministic.
fn explained_and_code(path: &Path) -> (String, String) {
    let machine = load(path).machine;
    let machine = machine.unwrap_or_else(|| panic!("the table `{}` has errors", path.display()));
    let generate = || {
        let compiled = tabulex_compiler::compile(&machine);
        let code = tabulex_compiler::generate::module(&compiled).to_string();
        (tabulex_compiler::explain::explain(&compiled), code)
    };
    let generated = generate();
    assert!(
        generated == generate(),
        "compiling `{}` twice gives different results",
        path.display()
    );
    generated
}

/// Returns, for each item, a line with its fingerprint, also for items within modules and blocks of constants. All
/// other constants share one line.
fn fingerprints(items: &[Item]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut constants = String::new();
    for item in items {
        let tokens = item.to_token_stream().to_string();
        let name = match item {
            Item::Const(of) => {
                let Expr::Block(inner) = &*of.expr else {
                    constants += &tokens;
                    continue;
                };
                let items = inner.block.stmts.iter().filter_map(|statement| match statement {
                    Stmt::Item(item) => Some(item.clone()),
                    _ => None,
                });
                lines.extend(fingerprints(&items.collect::<Vec<_>>()));
                continue;
            }
            Item::Mod(of) => {
                let inner = of.content.as_ref().map_or(&[][..], |(_, items)| items);
                lines.extend(fingerprints(inner));
                continue;
            }
            Item::Enum(of) => format!("enum {}", of.ident),
            Item::Fn(of) => format!("fn {}", of.sig.ident),
            Item::Impl(of) => {
                let of_trait = of.trait_.as_ref().map(|(_, path, _)| path.to_token_stream());
                let of_type = of.self_ty.to_token_stream();
                format!("impl {} {of_type}", of_trait.unwrap_or_default())
            }
            Item::Static(of) => format!("static {}", of.ident),
            Item::Struct(of) => format!("struct {}", of.ident),
            other => other.to_token_stream().to_string().chars().take(40).collect(),
        };
        lines.push(format!("  {:016x} {name}\n", hash(&tokens)));
    }
    if !constants.is_empty() {
        lines.push(format!("  {:016x} constants\n", hash(&constants)));
    }
    lines
}

/// Returns the FNV-1a hash of a text.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
