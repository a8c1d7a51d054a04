//! The library as WebAssembly, for the suites that `suites.mjs` runs in Node. A single method provides the protocol of
//! `tabulex batch`.
//!
//! ```
//! let mut library = tabulex_wasm_tests::Library::new();
//! let answer = library.answer(r#"{"do":"tokens","input":"<b>x"}"#);
//! assert!(answer.starts_with(r#"{"tokens":[["StartTag","b",{}],["Character","x"]]"#), "{answer}");
//! ```

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

/// The compiled dialects, as exposed to JavaScript.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
#[derive(Debug, Default)]
pub struct Library {}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl Library {
    /// Creates the library.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen(constructor))]
    pub fn new() -> Self {
        Self {}
    }

    /// Answers each line, a JSON object, with a line; `tabulex batch --help` describes them. If the protocol fails, the
    /// only line is the error.
    pub fn answer(&mut self, lines: &str) -> String {
        let answers = tabulex_cli::__private::batch(lines.as_bytes());
        answers.map_or_else(|failure| failure, |answers| String::from_utf8_lossy(&answers).into())
    }
}
