//! The engine of the browser page. It opens tables, and runs inputs on them step by step in the interpreter, so that an
//! edited table runs at once. Requests and answers are JSON texts; no request or table makes the engine panic.
//!
//! ```
//! let mut engine = tabulex_explorer::Engine::default();
//! let table = r#"machine! {
//!     name dots; start data; newlines normalized;
//!     state data { EOF => emit end-of-file; '.' => emit "!"; else => emit current; }
//! }"#;
//! let open = serde_json::json!({ "do": "open", "slot": "left", "file": "dots.states", "files": { "dots.states": table } });
//! assert!(engine.answer(&open.to_string()).contains(r#""name":"dots""#));
//! let run = serde_json::json!({ "do": "run", "slot": "left", "input": "a." });
//! assert!(engine.answer(&run.to_string()).contains(r#"["Character","a!"]"#));
//! ```

mod offsets;
mod request;
mod run;
mod steps;
mod table;
#[cfg(target_arch = "wasm32")]
mod wasm;

use serde_json::{Value, json};
use std::collections::HashMap;
use tabulex_language::model::Machine;

/// An engine that answers the requests of the page. It holds the open tables.
#[derive(Debug, Default)]
pub struct Engine {
    /// Machines of the open tables, by the name of the slot.
    slots: HashMap<String, Machine>,
}

impl Engine {
    /// Answers one request; the answer to an invalid request is `{"failure": TEXT}`.
    ///
    /// - `{"do":"open","slot":NAME,"file":NAME,"files":{NAME:TEXT}}` reads a table and the files that it includes:
    ///   `{"mistakes":[…],"machine":{…}|null}`. If the table has errors, the slot keeps its previous table.
    /// - `{"do":"run","slot":NAME,"input":TEXT}` runs an input, with `"tree"`, `"state"`, `"lastStartTag"`,
    ///   `"fragment"` and `"flags"` as options: `{"tokens":[…],"tree":[…],"dump":TEXT,"errors":[…],"steps":[…]}`.
    pub fn answer(&mut self, request: &str) -> String {
        let result = serde_json::from_str(request)
            .map_err(|error| error.to_string())
            .and_then(|request| self.answer_request(&request));
        result.unwrap_or_else(|failure| json!({ "failure": failure })).to_string()
    }

    fn answer_request(&mut self, request: &Value) -> Result<Value, String> {
        let slot = request["slot"].as_str().unwrap_or("left");
        match request["do"].as_str() {
            Some("open") => {
                let (machine, answer) = table::open(request)?;
                if let Some(machine) = machine {
                    self.slots.insert(slot.to_owned(), machine);
                }
                Ok(answer)
            }
            Some("run") => {
                let machine = self.slots.get(slot);
                run::run(
                    machine.ok_or_else(|| format!("no table is open in the slot `{slot}`"))?,
                    request,
                )
            }
            Some(other) => Err(format!("unknown request `{other}`; use `open` or `run`")),
            None => Err("the request has no `do`; use `open` or `run`".to_owned()),
        }
    }
}
