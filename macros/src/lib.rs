//! The procedural macro of tabulex, which compiles tables to Rust code. `tabulex-language` parses and checks tables,
//! and `tabulex-compiler` compiles them. rustc reports an error in a table at its position in the table.

mod expand;

/// Compiles the table between the braces. A table in a file of its own is one such call, included with `include!`;
/// files of named character references are searched for beside it.
///
/// The call expands to the enums `State`, `ErrorCode` and `HostFlag`, and a type named after the machine that
/// implements `tabulex::Machine`. They are in a module named after the table, with underscores for hyphens, and are
/// re-exported beside it: where two tables share a module, their types are `one::State` and `two::State`.
#[proc_macro]
pub fn machine(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand::expand(input.into()).into()
}
