//! Tests that `natives.list` has the steps of the built-in tables, and those that a table without algorithms takes
//! over, and that other steps on tokens are an error. `UPDATE_EXPECT=1` writes the list.

use std::collections::BTreeSet;
use std::path::Path;
use tabulex_language::{Source, load};

#[test]
fn list_matches_built_in_tables() {
    let mut lines = BTreeSet::new();
    // A table that declares no algorithms uses the standard ones for its kind of elements, if there are any, so the
    // list needs a minimal table of each kind.
    let minimal = ["html", "plain", "xml"].map(|elements| {
        let states = "start data; state data { EOF => emit end-of-file; else => emit current; }";
        let modes = "tree start all; mode all { EOF => stop; else => ignore; }";
        let text = format!("machine! {{ name least; elements {elements}; {states} {modes} }}");
        (format!("{elements}.states"), text)
    });
    for (name, text) in tabulex_tables::all().into_iter().chain(minimal) {
        let loaded = load(&Source::new(&*name, &*text), &tabulex_tables::text);
        let machine = loaded.machine.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
        lines.extend(tabulex_compiler::natives::lines(&machine));
    }
    let list: String = lines.into_iter().map(|line| line + "\n").collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/natives.list");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &list).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        committed, list,
        "steps of native algorithms have changed: change the runtime, then set UPDATE_EXPECT=1"
    );
}
