//! Runs an input on a table: its tokens, tree and errors, and each step that led to them.

use crate::request;
use crate::steps::Steps;
use serde_json::{Value, json};
use tabulex_language::model::Machine;
use tabulex_oracle::formats::{dat, html5lib};
use tabulex_oracle::interpreter::tree::document::{self, ParseOptions};
use tabulex_oracle::interpreter::tree::{Name, NodeKind, Tree};
use tabulex_oracle::interpreter::{Interpreter, Options};

/// Maximum input length in bytes; the page stores one step per character.
const MAX_INPUT: usize = 1 << 18;

/// Runs the input of the request, and returns the answer for the page.
pub(crate) fn run(machine: &Machine, request: &Value) -> Result<Value, String> {
    let input = request["input"].as_str().unwrap_or_default();
    if input.len() > MAX_INPUT {
        return Err(format!("the input has {} bytes; the limit is {MAX_INPUT}", input.len()));
    }
    let interpreter = Interpreter::new(machine);
    let mut steps = Steps::new(machine, input);
    let wants_tree = request["tree"].as_bool().unwrap_or(true);
    let mut answer = match wants_tree && machine.construction.is_some() {
        true => tree(&interpreter, input, request, &mut steps)?,
        false => tokens(&interpreter, input, request, &mut steps)?,
    };
    answer["tokens"] = html5lib::tokens(&steps.tokens);
    answer["steps"] = Value::Array(steps.list);
    Ok(answer)
}

fn tree(
    interpreter: &Interpreter<'_>,
    input: &str,
    request: &Value,
    steps: &mut Steps<'_>,
) -> Result<Value, String> {
    let machine = interpreter.machine();
    let context = request::context(machine, request)?;
    let flags = request::flags(machine, request)?;
    let options = ParseOptions { flags, context };
    let parsed = document::parse_observed(interpreter, input, &options, steps)
        .map_err(|stuck| stuck.to_string())?;
    let errors: Vec<Value> =
        parsed.errors.iter().map(|&(error, span)| steps.error_json(error, span)).collect();
    Ok(json!({
        "errors": errors,
        "dump": dat::tree(&parsed.tree, &options),
        "tree": nodes(&parsed.tree, steps),
    }))
}

fn tokens(
    interpreter: &Interpreter<'_>,
    input: &str,
    request: &Value,
    steps: &mut Steps<'_>,
) -> Result<Value, String> {
    let machine = interpreter.machine();
    let options = Options {
        state: request::state(machine, request)?,
        last_start_tag: request["lastStartTag"].as_str().map(str::to_owned),
        keeps_byte_order_mark: request["keepsByteOrderMark"] == json!(true),
        flags: interpreter.flag_ids(&request::flags(machine, request)?),
        ..Options::default()
    };
    interpreter.run(input, &options, steps).map_err(|stuck| stuck.to_string())?;
    Ok(json!({ "errors": steps.errors }))
}

/// Returns the nodes in tree order as JSON, each with its depth and the index of the step that created it.
fn nodes(tree: &Tree, steps: &Steps<'_>) -> Vec<Value> {
    let display_name = |name: &Name| {
        let prefix = match name.namespace.rsplit('/').next() {
            Some("svg") => "svg ",
            Some("MathML") => "math ",
            _ => "",
        };
        format!("{prefix}{}", name.qualified)
    };
    let mut json_nodes = Vec::new();
    let mut stack = vec![(0, 0)];
    while let Some((id, depth)) = stack.pop() {
        let node = &tree.nodes[id];
        let mut json_node = match &node.kind {
            NodeKind::Document => json!({ "kind": "document" }),
            NodeKind::Fragment(shadow) => {
                json!({ "kind": "fragment", "name": shadow.as_ref().map(|shadow| &shadow.mode) })
            }
            NodeKind::Element(name, attributes) => {
                let attributes = attributes.iter();
                let attributes: Vec<Value> =
                    attributes.map(|(name, value)| json!([display_name(name), value])).collect();
                json!({ "kind": "element", "name": display_name(name), "attributes": attributes })
            }
            NodeKind::Text(text) => json!({ "kind": "text", "value": text }),
            NodeKind::Comment(text) => json!({ "kind": "comment", "value": text }),
            NodeKind::ProcessingInstruction(target, data) => {
                json!({ "kind": "instruction", "name": target, "value": data })
            }
            NodeKind::Doctype(doctype) => {
                json!({ "kind": "doctype", "name": doctype.name.as_deref().unwrap_or_default() })
            }
        };
        json_node["depth"] = json!(depth);
        json_node["step"] = json!(steps.creating_step(id));
        json_nodes.push(json_node);
        let subtrees = [node.contents, node.shadow_root].into_iter().flatten();
        let children: Vec<_> = subtrees.chain(node.children.iter().copied()).collect();
        stack.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    json_nodes
}
