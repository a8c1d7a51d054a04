//! Test cases in the format of the html5lib tokenizer tests.

use crate::interpreter::{Doctype, Span, Tag, Token};
use crate::search::{Witness, Witnesses};
use serde_json::{Map, Value, json};
use tabulex_language::model::Machine;

/// Returns the text of a test file with one test for each reached row.
pub fn tests(machine: &Machine, witnesses: &Witnesses) -> String {
    let tests = witnesses.rows.iter().map(|(row, witness)| {
        let state = machine.state(row.state);
        let mut test = test(machine, witness);
        test["description"] = json!(format!("{}, row {}", state.name, row.row + 1));
        format!("{test}")
    });
    format_file(tests)
}

/// Returns the text of a test file with one test for each case of a suite.
pub fn suite(machine: &Machine, cases: &[Witness]) -> String {
    let tests = cases.iter().zip(1..).map(|(case, number)| {
        let mut test = test(machine, case);
        test["description"] = json!(format!("{} {number}", machine.name));
        format!("{test}")
    });
    format_file(tests)
}

fn format_file(tests: impl Iterator<Item = String>) -> String {
    format!("{{\"tests\": [\n{}\n]}}\n", tests.collect::<Vec<_>>().join(",\n"))
}

/// Returns an input and its outcome as a test.
pub fn test(machine: &Machine, Witness { start, input, outcome }: &Witness) -> Value {
    let mut test = json!({
        "description": "",
        "input": input,
        "initialStates": [start.state],
        "output": tokens(&outcome.tokens),
        "errors": errors(input, &outcome.errors),
    });
    if !matches!(outcome.tokens.last(), Some(Token::EndOfFile { .. })) {
        test["refused"] = json!(true);
    }
    if let Some(name) = &start.last_start_tag {
        test["lastStartTag"] = json!(name);
    }
    if !start.flags.is_empty() {
        let flags = start
            .flags
            .iter()
            .map(|(flag, value)| (flag.clone(), json!(value_index(machine, flag, value))));
        test["flags"] = Value::Object(flags.collect());
    }
    test
}

/// Returns the index of a flag's value, or 0 if the machine lacks the flag or the value.
fn value_index(machine: &Machine, flag: &str, value: &str) -> usize {
    let flag = machine.flags.iter().find(|other| other.name == flag);
    let index = flag.and_then(|flag| flag.values.iter().position(|other| other == value));
    index.unwrap_or_default()
}

/// Returns tokens in the format of the tests, without the end-of-file token.
pub fn tokens(tokens: &[Token]) -> Value {
    let values = tokens.iter().filter_map(|token| match token {
        Token::Text { text, .. } => Some(json!(["Character", text])),
        Token::StartTag(tag) if tag.self_closing => {
            Some(json!(["StartTag", tag.name, attributes(tag), true]))
        }
        Token::StartTag(tag) => Some(json!(["StartTag", tag.name, attributes(tag)])),
        Token::EndTag(tag) => Some(json!(["EndTag", tag.name])),
        Token::Comment { data, .. } => Some(json!(["Comment", data])),
        Token::Doctype(doctype) => Some(doctype_value(doctype)),
        Token::ProcessingInstruction { target, data, .. } => Some(json!(["PI", target, data])),
        Token::ShortEndTag { .. } => Some(json!(["ShortTag", ""])),
        Token::Declared { name, fields, .. } => {
            let texts = fields.iter().map(|field| (field.name.clone(), json!(field.text)));
            Some(json!(["Declared", name, texts.collect::<Map<_, _>>()]))
        }
        Token::EndOfFile { .. } => None,
    });
    Value::Array(values.collect())
}

/// Returns the attributes of a tag as an object; of several with the same name, the first one counts.
fn attributes(tag: &Tag) -> Map<String, Value> {
    let mut attributes = Map::new();
    for attribute in &tag.attributes {
        attributes.entry(&attribute.name[..]).or_insert_with(|| json!(attribute.value));
    }
    attributes
}

fn doctype_value(doctype: &Doctype) -> Value {
    let identifiers = (&doctype.public_identifier, &doctype.system_identifier);
    json!(["DOCTYPE", doctype.name, identifiers.0, identifiers.1, !doctype.force_quirks])
}

/// Returns errors in the format of the tests: codes with lines and columns.
pub fn errors(input: &str, errors: &[(String, Span)]) -> Value {
    let places = places(input, errors);
    places.map(|(code, line, col)| json!({"code": code, "line": line, "col": col})).collect()
}

/// Returns each error code with the line and column where its range starts, both counted from 1, columns in characters.
pub fn places(
    input: &str,
    errors: &[(String, Span)],
) -> impl Iterator<Item = (String, usize, usize)> {
    errors.iter().map(|(code, span)| {
        let before = &input[..span.start];
        let normalized = before.replace("\r\n", "\n").replace('\r', "\n");
        let (lines, last) = normalized.rsplit_once('\n').unwrap_or(("", &normalized));
        let line_number =
            if normalized.contains('\n') { lines.matches('\n').count() + 2 } else { 1 };
        (code.clone(), line_number, last.chars().count() + 1)
    })
}
