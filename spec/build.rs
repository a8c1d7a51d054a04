//! Tells the packages that depend on this one where the tables are, in a workspace as in an unpacked archive.
//! It is not a generator: nothing is written. Invariant: the folder that it names holds every table of this package.

fn main() {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    println!("cargo::metadata=tables={manifest}/tables");
    // Whoever reads the tables watches them; this names only where they are.
    println!("cargo::rerun-if-changed=build.rs");
}
