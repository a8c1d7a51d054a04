//! Runs an input on a table: its tokens, tree and errors and, if requested, each step that led to them.

use crate::request;
use crate::steps::Steps;
use crate::table::OpenTable;
use serde_json::{Value, json};
use tabulex_language::model::FlagId;
use tabulex_oracle::formats::{dat, html5lib};
use tabulex_oracle::interpreter::tree::document::{self, ParseOptions};
use tabulex_oracle::interpreter::tree::{NodeKind, Tree};
use tabulex_oracle::interpreter::{
    CompletedRow, Control, Error, Host, Interpreter, Options, Token,
};

/// Maximum input length in bytes; the page stores one step per character.
const MAX_INPUT: usize = 1 << 18;

/// Runs the input of the request.
pub(crate) fn run(opened: &OpenTable, request: &Value) -> Result<Value, String> {
    let machine = &opened.machine;
    let input = request["input"].as_str().unwrap_or_default();
    if input.len() > MAX_INPUT {
        return Err(format!("the input has {} bytes; the limit is {MAX_INPUT}", input.len()));
    }
    let interpreter = Interpreter::new(machine);
    let mut steps = Steps::new(machine, input, request["steps"] != json!(false));
    let wants_tree = request["tree"].as_bool().unwrap_or(machine.construction.is_some());
    let is_tree = wants_tree && machine.construction.is_some();
    let mut answer = match is_tree {
        true => tree(&interpreter, input, request, &mut steps)?,
        false => tokens(&interpreter, input, request, &mut steps)?,
    };
    answer["tokens"] = html5lib::tokens(&steps.tokens);
    answer["steps"] = Value::Array(steps.finish());
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
    let keeps_byte_order_mark = request["keepsByteOrderMark"] == json!(true);
    let options = ParseOptions { flags, context, keeps_byte_order_mark };
    let parsed = document::parse_observed(interpreter, input, &options, steps)
        .map_err(|stuck| stuck.to_string())?;
    let errors: Vec<Value> =
        parsed.errors.iter().map(|&(error, span)| steps.shown_error(error, span)).collect();
    Ok(json!({
        "errors": errors,
        "dump": dat::tree(&parsed.tree, &options),
        "tree": nodes(&parsed.tree, steps),
        "documentMode": format!("{:?}", parsed.document_mode),
    }))
}

/// Returns the nodes in tree order, each with its depth and the step that created it.
fn nodes(tree: &Tree, steps: &Steps<'_>) -> Vec<Value> {
    let mut list = Vec::new();
    let mut waiting = vec![(0, 0)];
    while let Some((id, depth)) = waiting.pop() {
        let node = &tree.nodes[id];
        let (kind, name, value, attributes) = match &node.kind {
            NodeKind::Document => ("document", String::new(), String::new(), Vec::new()),
            NodeKind::Fragment(shadow) => {
                let mode = shadow.as_ref().map_or(String::new(), |shadow| shadow.mode.clone());
                ("fragment", mode, String::new(), Vec::new())
            }
            NodeKind::Element(name, attributes) => {
                let shown = |name: &tabulex_oracle::interpreter::tree::Name| {
                    let prefix = match name.namespace.rsplit('/').next() {
                        Some("svg") => "svg ",
                        Some("MathML") => "math ",
                        _ => "",
                    };
                    format!("{prefix}{}", name.qualified)
                };
                let attributes =
                    attributes.iter().map(|(name, value)| json!([shown(name), value])).collect();
                ("element", shown(name), String::new(), attributes)
            }
            NodeKind::Text(text) => ("text", String::new(), text.clone(), Vec::new()),
            NodeKind::Comment(text) => ("comment", String::new(), text.clone(), Vec::new()),
            NodeKind::ProcessingInstruction(target, data) => {
                ("instruction", target.clone(), data.clone(), Vec::new())
            }
            NodeKind::Doctype(doctype) => {
                ("doctype", doctype.name.clone().unwrap_or_default(), String::new(), Vec::new())
            }
        };
        list.push(json!({
            "id": id,
            "depth": depth,
            "kind": kind,
            "name": name,
            "value": value,
            "attributes": attributes,
            "at": steps.offsets.range(node.span.start, node.span.end),
            "endAt": node.end_span.map(|span| steps.offsets.range(span.start, span.end)),
            "step": steps.creating_step(id),
        }));
        let inside = [node.contents, node.shadow_root].into_iter().flatten();
        let children: Vec<_> = inside.chain(node.children.iter().copied()).collect();
        waiting.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    list
}

fn tokens(
    interpreter: &Interpreter<'_>,
    input: &str,
    request: &Value,
    steps: &mut Steps<'_>,
) -> Result<Value, String> {
    let machine = interpreter.machine();
    let mut options = Options {
        state: request::state(machine, request)?,
        last_start_tag: request["lastStartTag"].as_str().map(str::to_owned),
        keeps_byte_order_mark: request["keepsByteOrderMark"] == json!(true),
        ..Options::default()
    };
    let mut host_flags = Vec::new();
    for (name, value) in request::flags(machine, request)? {
        let Some(index) = machine.flags.iter().position(|flag| flag.name == name) else { continue };
        let id = FlagId(index as u8);
        match machine.flags[index].is_queried_from_host() {
            true => host_flags.push((id, value)),
            false => options.flags.push((id, value)),
        }
    }
    let mut host = TokenHost { steps, host_flags, errors: Vec::new() };
    interpreter.run(input, &options, &mut host).map_err(|stuck| stuck.to_string())?;
    let TokenHost { errors, steps, .. } = host;
    let errors: Vec<Value> =
        errors.iter().map(|error| steps.shown_error(error.error, error.span)).collect();
    Ok(json!({ "errors": errors }))
}

/// A host for a machine without tree construction.
struct TokenHost<'a, 'm> {
    steps: &'a mut Steps<'m>,
    host_flags: Vec<(FlagId, u8)>,
    errors: Vec<Error>,
}

impl Host for TokenHost<'_, '_> {
    fn token(&mut self, token: Token) -> Control {
        self.steps.record_token(&token);
        Control::Continue
    }

    fn error(&mut self, error: Error) {
        self.errors.push(error);
        self.steps.record_error(error);
    }

    fn flag(&mut self, flag: FlagId) -> u8 {
        self.host_flags.iter().find(|(other, _)| *other == flag).map_or(0, |(_, value)| *value)
    }

    fn after_row(&mut self, completed: &CompletedRow<'_>) {
        self.steps.record_row(completed);
    }
}
