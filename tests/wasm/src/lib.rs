//! The library as WebAssembly, for the suites that `suites.mjs` runs in Node: the conversation of `tabulex batch`, by one
//! method. It expects nothing of what it parses (the suites do). Invariant: lines go in, as many lines come out.
//!
//! ```
//! let mut library = tabulex_wasm_tests::Library::new();
//! let answer = library.answer(r#"{"do":"tokens","input":"<b>x"}"#);
//! assert!(answer.starts_with(r#"{"tokens":[["StartTag","b",{}],["Character","x"]]"#), "{answer}");
//! ```

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

/// The compiled dialects, as JavaScript sees them.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
#[derive(Debug, Default)]
pub struct Library {}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl Library {
    /// The library.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen(constructor))]
    pub fn new() -> Self {
        Self {}
    }

    /// Answers lines, each of which is a JSON object, by as many; `tabulex batch --help` says what they hold. What ends the
    /// conversation is the only line then.
    pub fn answer(&mut self, lines: &str) -> String {
        let answers = tabulex_cli::__private::batch(lines.as_bytes());
        answers.map_or_else(|failure| failure, |answers| String::from_utf8_lossy(&answers).into())
    }
}
