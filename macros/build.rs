//! Tells the macro where the tables of tabulex are, which other tables can extend. It reads none of them. Invariant: the
//! folder is the one that the package `tabulex-spec` names.

fn main() {
    let tables = std::env::var("DEP_TABULEX_SPEC_TABLES")
        .expect("tabulex-spec names the folder of its tables");
    println!("cargo::rustc-env=TABULEX_TABLES={tables}");
    println!("cargo::rerun-if-changed=build.rs");
}
