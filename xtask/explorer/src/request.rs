//! Resolves the names in a run request to parts of the machine.

use serde_json::Value;
use tabulex_language::model::{Flag, Machine, StateId};
use tabulex_language::nearest;
use tabulex_oracle::interpreter::tree::document::Context;

/// Finds the requested start state by its name in the table or in the document. Returns `None` if the request has no
/// start state.
pub(crate) fn state(machine: &Machine, request: &Value) -> Result<Option<StateId>, String> {
    let Some(name) = request["state"].as_str().filter(|name| !name.is_empty()) else {
        return Ok(None);
    };
    let state = machine.find_state(name).or_else(|| machine.find_document_state(name));
    let names: Vec<&str> = machine.states.iter().map(|state| &state.name[..]).collect();
    let suggestion =
        || nearest(name, &names).map(|suggestion| format!(": {suggestion}")).unwrap_or_default();
    state.map(Some).ok_or_else(|| format!("there is no state `{name}`{}", suggestion()))
}

/// Returns the requested flags by name, each with the index of its value.
pub(crate) fn flags(machine: &Machine, request: &Value) -> Result<Vec<(String, u8)>, String> {
    let flags = request["flags"].as_object().into_iter().flatten();
    let resolve = |(name, value): (&String, &Value)| {
        let value = value.as_str().unwrap_or_default();
        let flag = known_flags(machine).find(|flag| flag.name == *name);
        let index = flag.and_then(|flag| flag.values.iter().position(|other| other == value));
        let index =
            index.ok_or_else(|| format!("there is no flag `{name}` with the value `{value}`"))?;
        Ok((name.clone(), index as u8))
    };
    flags.map(resolve).collect()
}

/// Returns the flags that a host can set.
pub(crate) fn known_flags(machine: &Machine) -> impl Iterator<Item = &Flag> {
    let tree_flags = machine.construction.iter().flat_map(|construction| &construction.flags);
    machine.flags.iter().chain(tree_flags).filter(|flag| flag.by_host)
}

/// Parses the requested fragment context: `NAME`, `svg NAME` or `math NAME`. Returns `None` if the request has no
/// context.
pub(crate) fn context(machine: &Machine, request: &Value) -> Result<Option<Context>, String> {
    let Some(name) = request["fragment"].as_str().filter(|name| !name.is_empty()) else {
        return Ok(None);
    };
    if machine.construction.as_ref().is_none_or(|construction| construction.fragment.is_none()) {
        return Err("the table does not support fragments".into());
    }
    Context::parse(name).map(Some)
}
