//! The list of algorithms that parsers implement by hand must match the built-in tables. `UPDATE_EXPECT=1` updates it.

use std::collections::BTreeSet;
use std::path::Path;
use tabulex_language::bound::BoundAlgorithm;
use tabulex_language::{bound, extend, parse, resolve};

/// Returns the lines that `src/bound.list` should have for a built-in table.
fn lines(name: &str) -> BTreeSet<String> {
    let text = tabulex_tables::text(name).unwrap();
    let table = parse::lenient(&text);
    let (table, _) = extend::extend(table, &tabulex_tables::text);
    let (machine, diagnostics) = resolve::resolve(&table, &tabulex_tables::text);
    let machine = machine.unwrap_or_else(|| panic!("`{name}` cannot be resolved: {diagnostics:?}"));
    bound::all(&machine, &table).iter().map(BoundAlgorithm::line).collect()
}

#[test]
fn list_matches_built_in_tables() {
    let names = tabulex_tables::all().into_iter().map(|(name, _)| name);
    let lines: BTreeSet<String> = names.flat_map(|name| lines(&name)).collect();
    let list: String = lines.into_iter().map(|line| line + "\n").collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bound.list");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &list).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        committed, list,
        "the steps of algorithms have changed: change their implementations, then update the list with UPDATE_EXPECT=1"
    );
}
