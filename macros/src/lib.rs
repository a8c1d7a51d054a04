//! The procedural macro of tabulex: a checked table in, Rust code out. It is a shell: `tabulex-language` reads and checks,
//! `tabulex-compiler` compiles. Invariant: a mistake in a table is an error of rustc at its place in the table.

mod expand;

/// Compiles the table between the braces. A table in a file of its own is one such call, and is brought in
/// with `include!`; a file of named character references is looked for beside it.
///
/// The call makes an enumeration `State`, one `ErrorCode`, one `HostFlag`, and a type with the name of the machine that
/// implements `tabulex::Machine`. They are in a module that is called like the table, with underscores for hyphens, and beside
/// it as well: where two tables stand in one module, `one::State` and `two::State` are theirs.
#[proc_macro]
pub fn machine(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand::expand(input.into()).into()
}
