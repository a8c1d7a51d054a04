//! The door for JavaScript: one object with one method. It holds no logic. Invariant: texts go in and out, nothing else.

use crate::Engine;
use wasm_bindgen::prelude::wasm_bindgen;

/// The engine as JavaScript sees it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Explorer {
    engine: Engine,
}

#[wasm_bindgen]
impl Explorer {
    /// An engine in which no table is open.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers one request, as [`Engine::answer`] does.
    pub fn answer(&mut self, request: &str) -> String {
        self.engine.answer(request)
    }
}
