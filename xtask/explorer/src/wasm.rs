//! The JavaScript bindings of the engine: an object with a method that answers requests.

use crate::Engine;
use wasm_bindgen::prelude::wasm_bindgen;

/// The engine, as exported to JavaScript.
#[wasm_bindgen]
#[derive(Default)]
pub struct Explorer {
    engine: Engine,
}

#[wasm_bindgen]
impl Explorer {
    /// Creates an engine without open tables.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers one request, like [`Engine::answer`].
    pub fn answer(&mut self, request: &str) -> String {
        self.engine.answer(request)
    }
}
