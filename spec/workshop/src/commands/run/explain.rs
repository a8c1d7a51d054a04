//! Explains one position of an input: the tokens and nodes there, and the rows that produced them. A row of a state is
//! listed for the text that it matched or emitted, a row of a mode for the token that it processed.

use super::record;
use super::request::Request;
use super::trace::{line_column, line_starts};
use crate::home::Home;
use crate::{Failure, Outcome};
use serde_json::{Value, json};
use tabulex_oracle::interpreter::tree::{NodeKind, Tree};

/// Prints the tokens and nodes at a position of the input, each with the rows that produced it.
pub(super) fn explain(home: &Home, mut request: Request, position: &str) -> Outcome {
    let table = home.table(&request.table)?;
    table.messages().iter().for_each(|message| home.print(message));
    let Some(machine) = &table.machine else { return Ok(false) };
    let has_tokenizer_options = request.state.is_some() || request.last_start_tag.is_some();
    request.is_tree |= machine.construction.is_some() && !has_tokenizer_options;
    request.is_trace = true;
    let input = request.input()?;
    let target = parse_position(&input, position)?;
    let mut events = Vec::new();
    let parsed = record(&table, machine, &input, &request, &mut |event| events.push(event))?;
    let steps = Step::group(events);
    let mut results = describe_offset(&steps, target);
    let trees = parsed.iter().map(|(parsed, _)| &parsed.tree);
    results.extend(trees.flat_map(|tree| describe_nodes(tree, &steps, target)));
    let line_and_column = line_column(&input, target);
    if request.is_json {
        home.print(&format!(
            "{}\n",
            json!({ "at": line_and_column, "byte": target, "found": results })
        ));
        return Ok(true);
    }
    home.print(&format!("{line_and_column}, byte {target}\n"));
    results.iter().for_each(|one| home.print(&text(one)));
    Ok(true)
}

/// Parses a position in the input, which is a byte offset or `LINE:COLUMN`. Returns its byte offset.
fn parse_position(input: &str, at: &str) -> Result<usize, Failure> {
    let malformed =
        || format!("`--explain {at}`: expected a byte offset, or `LINE:COLUMN` counted from 1:1");
    let Some((line, column)) = at.split_once(':') else {
        let offset: usize = at.parse().map_err(|_| malformed())?;
        return match input.is_char_boundary(offset) {
            true => Ok(offset),
            false if offset < input.len() => {
                Err(format!("`--explain {at}`: the offset is inside a character"))
            }
            false => Err(format!("`--explain {at}`: the input ends at byte {}", input.len())),
        };
    };
    let positive = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0);
    let (line, column) = positive(line).zip(positive(column)).ok_or_else(malformed)?;
    let starts = line_starts(input);
    let Some(&start) = starts.get(line - 1) else {
        return Err(format!("`--explain {at}`: the input ends in line {}", starts.len()));
    };
    let end = starts.get(line).copied().unwrap_or(input.len());
    let text = input[start..end].trim_end_matches(['\r', '\n']);
    let column_offset = text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(column - 1);
    column_offset.map(|offset| start + offset).ok_or_else(|| {
        format!("`--explain {at}`: the line ends at column {}", text.chars().count() + 1)
    })
}

/// A row of a state that was run, with the tokens that it emitted.
#[derive(Default)]
struct Step {
    row: Value,
    /// Errors reported by the row itself.
    errors: Vec<Value>,
    tokens: Vec<EmittedToken>,
}

/// An emitted token, with the rows of modes that processed it.
struct EmittedToken {
    token: Value,
    mode_rows: Vec<Value>,
    errors: Vec<Value>,
    /// Nodes created for the token, each as text.
    nodes: Value,
}

impl Step {
    /// Groups the events of a trace by row: each row is followed by its tokens and errors.
    fn group(events: Vec<Value>) -> Vec<Self> {
        let mut steps: Vec<Self> = Vec::new();
        for value in events {
            if !value["row"].is_null() || steps.is_empty() {
                steps.push(Self::default());
            }
            let Some(step) = steps.last_mut() else { continue };
            match step.tokens.last_mut() {
                _ if !value["row"].is_null() => step.row = value,
                _ if !value["token"].is_null() => {
                    let token = value;
                    let (mode_rows, errors) = (Vec::new(), Vec::new());
                    step.tokens.push(EmittedToken { token, mode_rows, errors, nodes: json!([]) });
                }
                Some(last) if !value["mode"].is_null() => last.mode_rows.push(value),
                Some(last) if !value["nodes"].is_null() => last.nodes = value["nodes"].clone(),
                Some(last) => last.errors.push(value),
                None => step.errors.push(value),
            }
        }
        steps
    }
}

/// Returns the byte range in the member `bytes` of an event.
fn bytes(value: &Value) -> (usize, usize) {
    let bound = |index: usize| value["bytes"][index].as_u64().unwrap_or_default() as usize;
    (bound(0), bound(1))
}

/// Whether a range contains the offset; an empty range contains its start.
fn contains((start, end): (usize, usize), offset: usize) -> bool {
    start <= offset && (offset < end || start == end && start == offset)
}

/// Returns the rows that matched text within the range, and the row at index `last`. Rows after `last` are ignored.
fn rows(steps: &[Step], range: (usize, usize), last: usize) -> Vec<Value> {
    let contributes = |(index, step): &(usize, &Step)| {
        let (start, end) = bytes(&step.row);
        let is_within = range.0 <= start && end <= range.1;
        // An empty match at the end of the range is excluded, because its row produced the text that follows.
        *index == last || is_within && (start < range.1 || start < end)
    };
    let steps = steps.iter().enumerate().take(last + 1).filter(contributes);
    steps.map(|(_, step)| step.row.clone()).filter(|row| !row.is_null()).collect()
}

/// Describes the tokens, attributes, fields and errors at the offset or, if none of these is there, the rows that
/// matched there.
fn describe_offset(steps: &[Step], offset: usize) -> Vec<Value> {
    let mut results = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        for emitted in &step.tokens {
            let range = bytes(&emitted.token);
            if contains(range, offset) {
                results.push(json!({
                    "what": "token",
                    "is": emitted.token["token"],
                    "bytes": emitted.token["bytes"],
                    "rows": rows(steps, range, index),
                    "modes": emitted.mode_rows,
                    "makes": emitted.nodes,
                }));
            }
            for part in emitted.token["parts"].as_array().into_iter().flatten() {
                // The row at `index` emits the whole token, so only the rows before it are listed for an attribute or
                // field.
                let last = index.saturating_sub(1);
                let kind = if part["field"].is_null() { "attribute" } else { "field" };
                if contains(bytes(part), offset) {
                    results.push(json!({
                        "what": kind,
                        "is": [part[kind], part["value"]],
                        "bytes": part["bytes"],
                        "rows": rows(&steps[..=last], bytes(part), usize::MAX - 1),
                    }));
                }
            }
            for error in emitted.errors.iter().filter(|error| contains(bytes(error), offset)) {
                results.push(error_with_rows(error, &[], &emitted.mode_rows));
            }
        }
        for error in step.errors.iter().filter(|error| contains(bytes(error), offset)) {
            results.push(error_with_rows(error, std::slice::from_ref(&step.row), &[]));
        }
    }
    if results.is_empty() {
        let matching = steps.iter().filter(|step| contains(bytes(&step.row), offset));
        let rows: Vec<Value> = matching.map(|step| step.row.clone()).collect();
        results.push(
            json!({ "what": "rows", "is": "no token", "bytes": [offset, offset], "rows": rows }),
        );
    }
    results
}

/// Describes an error with the rows that may have reported it: all of `rows`, and those of `mode_rows` that
/// contain the error's code, or all of `mode_rows` if none does.
fn error_with_rows(error: &Value, rows: &[Value], mode_rows: &[Value]) -> Value {
    let code = error["error"].as_str().unwrap_or_default();
    let contains_code = |row: &&Value| row["mode_row"].as_str().is_some_and(|it| it.contains(code));
    let naming_rows: Vec<&Value> = mode_rows.iter().filter(contains_code).collect();
    let mode_rows = if naming_rows.is_empty() { mode_rows.iter().collect() } else { naming_rows };
    json!({ "what": "error", "is": code, "bytes": error["bytes"], "rows": rows, "modes": mode_rows })
}

/// Describes the nodes created for tokens at the offset, each with its ancestors and the mode rows of its token.
fn describe_nodes(tree: &Tree, steps: &[Step], offset: usize) -> Vec<Value> {
    let emitted = steps.iter().flat_map(|step| &step.tokens);
    let emitted_here: Vec<&EmittedToken> =
        emitted.filter(|it| contains(bytes(&it.token), offset)).collect();
    let mut results = Vec::new();
    for node in &tree.nodes {
        // Several tokens may contribute to a text node, so its range need not be that of a token. The first character
        // token at the offset counts as its creator.
        let is_text = matches!(node.kind, NodeKind::Text(_));
        let ranges = [Some(node.span), node.end_span].into_iter().flatten();
        let mut ranges = ranges.map(|span| (span.start, span.end));
        let creation = ranges.find(|range| contains(*range, offset)).and_then(|range| {
            let is_creator = |it: &&&EmittedToken| match is_text {
                true => it.token["token"][0] == "Character",
                false => bytes(&it.token) == range,
            };
            Some((range, *emitted_here.iter().find(is_creator)?))
        });
        let Some(((range, emitted), shown)) = creation.zip(node_text(&node.kind)) else { continue };
        let mut ancestors = Vec::new();
        let mut parent = node.parent;
        while let Some(id) = parent {
            ancestors.extend(node_text(&tree.nodes[id].kind));
            parent = tree.nodes[id].parent.or_else(|| tree.host(id));
        }
        ancestors.reverse();
        results.push(json!({
            "what": "node",
            "is": shown,
            "in": ancestors,
            "bytes": [range.0, range.1],
            "rows": [],
            "modes": emitted.mode_rows,
        }));
    }
    results
}

/// Formats a node as text, or returns `None` for the document and for fragments.
pub(super) fn node_text(kind: &NodeKind) -> Option<String> {
    match kind {
        NodeKind::Document | NodeKind::Fragment(_) => None,
        NodeKind::Element(name, _) => Some(format!("<{}>", name.qualified)),
        NodeKind::Text(text) => Some(format!("{text:?}")),
        NodeKind::Comment(text) => Some(format!("<!--{text}-->")),
        NodeKind::ProcessingInstruction(target, data) => Some(format!("<?{target} {data}>")),
        NodeKind::Doctype(doctype) => {
            Some(format!("<!DOCTYPE {}>", doctype.name.as_deref().unwrap_or_default()))
        }
    }
}

/// Formats an explanation as text.
fn text(one: &Value) -> String {
    let (start, end) = bytes(one);
    let subject = match &one["is"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let ancestors: Vec<&str> =
        one["in"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let ancestors =
        if ancestors.is_empty() { String::new() } else { format!(" in {}", ancestors.join(" ")) };
    let kind = one["what"].as_str().unwrap_or_default();
    let mut out = format!("\n{kind} {subject}{ancestors}, bytes {start}..{end}\n");
    let member = |name: &str| one[name].as_array().cloned().unwrap_or_default();
    let created = member("makes");
    let created: Vec<&str> = created.iter().filter_map(Value::as_str).collect();
    if !created.is_empty() {
        out += &format!("  makes {}\n", created.join(" "));
    }
    for row in member("rows").iter().chain(&member("modes")) {
        let text = |name: &str| row[name].as_str().unwrap_or_default();
        let anchor = row["anchor"].as_str().map(|anchor| format!(" #{anchor}"));
        let block = format!("{}{}", text("state"), text("mode"));
        let origin = format!("{block} {}{}", text("section"), anchor.unwrap_or_default());
        let matched = row["input"].as_str().map(|input| format!("{input:?}"));
        out += &format!(
            "  {:<6} {:<8} {:<22} {}\n{:<19}{}{}\n",
            text("at"),
            matched.unwrap_or_default(),
            text("place"),
            origin.trim_end(),
            "",
            text("row"),
            text("mode_row")
        );
    }
    out
}
