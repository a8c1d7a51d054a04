//! Passes on where the tables are, so that the leaves can bring them in with `include!`.
//! It compiles nothing itself. Invariant: the folder is the one that the package `tabulex-spec` names.

fn main() {
    let tables = std::env::var("DEP_TABULEX_SPEC_TABLES")
        .expect("tabulex-spec names the folder of its tables");
    println!("cargo::rustc-env=TABULEX_TABLES={tables}");
    println!("cargo::rerun-if-changed={tables}");
}
