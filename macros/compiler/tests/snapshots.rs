//! The generated code of small tables, looked at: each `test_data/*.states` with its code beside it; and of one state and
//! one mode of HTML, as `cargo xtask expand` prints them; and a fingerprint of each item of the code of every dialect and of
//! every small table that the language is tested with, so that no change of the compiler changes anything unseen. It runs no
//! code (the suites do). Invariant: the same table gives the same code; `UPDATE_EXPECT=1` writes what changed.

mod support;

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use support::{beside, hash, read, small_tables, tables};
use tabulex_language::Source;

#[test]
fn generated_code_is_as_committed() {
    let tables = tables(&Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data"));
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

/// What stands for tables that are refused, so that the code beside them brings no mistakes of its own.
#[test]
fn items_of_refused_tables_are_as_committed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/refused");
    let mut changed = Vec::new();
    for path in tables(&folder) {
        let text = fs::read_to_string(&path).expect("a table can be read");
        let source = Source::new(path.display().to_string(), text);
        let loaded = tabulex_language::load(&source, &|_| None);
        assert!(loaded.machine.is_none(), "{} is not refused", path.display());
        let items = tabulex_compiler::skeleton(&tabulex_language::parse::outline(&source.text));
        let file = syn::parse2(items).expect("the items are Rust");
        changed.extend(difference(path.with_extension("expect"), &prettyplease::unparse(&file)));
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

/// A test for each dialect, so that what fails says which.
macro_rules! dialects {
    ($($test:ident $table:literal)*) => {
        $(#[test]
        fn $test() {
            dialect_as_committed($table);
        })*

        #[test]
        fn every_dialect_is_looked_at() {
            let mut names: Vec<String> =
                tabulex_tables::all().into_iter().map(|(name, _)| name).collect();
            names.sort();
            assert_eq!(names, [$($table),*]);
        }
    };
}

dialects! {
    every_item_of_html_2007_is_as_committed "html-2007.states"
    every_item_of_html_2013_is_as_committed "html-2013.states"
    every_item_of_html_is_as_committed "html.states"
    every_item_of_microxml_2012_12_is_as_committed "microxml-2012-12.states"
    every_item_of_microxml_is_as_committed "microxml.states"
    every_item_of_sky_is_as_committed "sky.states"
    every_item_of_xml_er_is_as_committed "xml-er.states"
}

/// Compares the fingerprints with those of the same table in the file that has all dialects.
fn dialect_as_committed(table: &'static str) {
    static FILE: Mutex<()> = Mutex::new(());
    let actual = on_large_stack(move || {
        let text = tabulex_tables::text(table).expect("the table is there");
        fingerprints_of(&Source::new(table, text), &tabulex_tables::text).1
    });
    let _lock = FILE.lock().expect("no other test fails while it writes");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/dialects.expect");
    let mut sections: BTreeMap<String, String> = BTreeMap::new();
    for line in fs::read_to_string(&path).expect("the file is there").lines() {
        match sections.last_entry().filter(|_| line.starts_with(' ')) {
            Some(mut section) => *section.get_mut() += &format!("{line}\n"),
            None => assert!(sections.insert(line.to_owned(), String::new()).is_none(), "{line}"),
        }
    }
    sections.insert(table.to_owned(), actual);
    let all: String = sections.iter().map(|(name, items)| format!("{name}\n{items}")).collect();
    let changed = difference(path, &all);
    assert!(changed.is_none(), "{CHANGED}: {changed:?}");
}

#[test]
fn every_small_table_of_the_language_is_as_committed() {
    as_committed("small.expect", || {
        let each = small_tables().into_iter().map(|path| {
            let (name, text) = read(&path);
            let source = Source::new(name.as_str(), text);
            let (explained, items) = fingerprints_of(&source, &|name| beside(&path, name));
            format!("{name}\n  explained {explained:016x}\n{items}")
        });
        each.collect()
    });
}

/// The text, made on a thread whose stack is large: code nests deeply.
fn on_large_stack(text: impl FnOnce() -> String + Send + 'static) -> String {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(text);
    thread.expect("a thread").join().expect("all tables compile")
}

/// Compares the text with the file.
fn as_committed(file: &str, text: impl FnOnce() -> String + Send + 'static) {
    let actual = on_large_stack(text);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data");
    let changed = difference(folder.join(file), &actual);
    assert!(changed.is_none(), "{CHANGED}: {changed:?}");
}

/// A fingerprint of what the blocks of a table are explained by, and those of its code.
fn fingerprints_of(source: &Source, beside: &dyn Fn(&str) -> Option<String>) -> (u64, String) {
    let loaded = tabulex_language::load(source, beside);
    let machine = loaded.machine.unwrap_or_else(|| panic!("{} has mistakes", source.path));
    let compiled = tabulex_compiler::compile(&machine);
    let code = tabulex_compiler::generate::module(&compiled);
    let file: syn::File = syn::parse2(code).expect("generated code is Rust");
    let items = fingerprints(&file.items);
    assert!(!items.is_empty(), "{}: the code has items", source.path);
    (hash(&tabulex_compiler::explain::explain(&compiled)), items.concat())
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

/// The first words of tokens, and the hash of all of them.
fn fingerprint(tokens: &TokenStream, indent: &str) -> String {
    let text = tokens.to_string();
    let is_name = |word: &&str| word.chars().all(|one| one.is_alphanumeric() || one == '_');
    let words: Vec<&str> = text.split_whitespace().filter(is_name).take(4).collect();
    format!("{indent}{} {:016x}\n", words.join(" "), hash(&text))
}
