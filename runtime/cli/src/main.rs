//! The program `tabulex`. All of it is in the library beside it, so that a change of a dialect only links it anew.
//! Invariant: nothing is here but the call.

fn main() -> std::process::ExitCode {
    tabulex_cli::main()
}
