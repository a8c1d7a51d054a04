//! The program `tabulex`. Everything is in the library, so that a change of a dialect only relinks the program.

fn main() -> std::process::ExitCode {
    tabulex_cli::main()
}
