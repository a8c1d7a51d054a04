//! The generated code of small tables, looked at: each `test_data/*.states` with its code beside it. It runs no code (the
//! suites do). Invariant: the same table gives the same code; `UPDATE_EXPECT=1` writes what changed.

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
            let messages: Vec<String> =
                loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&source)).collect();
            panic!("{}", messages.join("\n"))
        });
        let compiled = tabulex_compiler::compile(&machine);
        let code = tabulex_compiler::generate::module(&compiled);
        let file = syn::parse2(code).expect("generated code is Rust");
        let explained = tabulex_compiler::explain::explain(&compiled);
        let comment: String = explained.lines().map(|line| format!("// {line}\n")).collect();
        let actual = format!("{comment}\n{}", prettyplease::unparse(&file));
        let expected = path.with_extension("expect");
        if fs::read_to_string(&expected).unwrap_or_default() == actual {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected, actual).expect("the expectation can be written");
        } else {
            changed.push(expected);
        }
    }
    assert!(
        changed.is_empty(),
        "changed, look at the difference with UPDATE_EXPECT=1: {changed:?}"
    );
}

#[test]
fn the_same_table_gives_the_same_code() {
    let (name, text) = &tabulex_tables::all()[0];
    let code = || {
        let source = Source::new(&name[..], &text[..]);
        let machine = tabulex_language::load(&source, &tabulex_tables::text)
            .machine
            .expect("our tables are right");
        tabulex_compiler::expand(&machine).to_string()
    };
    assert_eq!(code(), code());
}
