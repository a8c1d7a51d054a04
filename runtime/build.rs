//! Passes on where the tables are, so that the leaves can bring them in with `include!`, and where the README is, which
//! is the front page of the documentation. It compiles nothing itself. Invariant: the folder is the one that the package
//! `tabulex-spec` names, and both are found in a workspace as in an unpacked archive.

use std::path::Path;

fn main() {
    let tables = std::env::var("DEP_TABULEX_SPEC_TABLES")
        .expect("tabulex-spec names the folder of its tables");
    println!("cargo::rustc-env=TABULEX_TABLES={tables}");
    println!("cargo::rerun-if-changed={tables}");
    let manifest = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    // Cargo puts the README of the whole beside the manifest when it makes the archive.
    let places = ["README.md", "../README.md"].map(|place| Path::new(&manifest).join(place));
    let readme = places.iter().find(|place| place.exists()).expect("the README is in its place");
    println!("cargo::rustc-env=TABULEX_README={}", readme.display());
    println!("cargo::rerun-if-changed={}", readme.display());
}
