//! Test cases of a dialect in the formats of the html5lib suites: inputs with expected results. Cases whose input
//! cannot be run as stated are skipped.

use crate::trial::{Input, RunMode, RunResult};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::{DocumentMode, Namespace};
use tabulex_oracle::formats::html5lib;
use tabulex_oracle::interpreter::tree::document::{Context, ParseOptions};
use tabulex_oracle::search::Start;

/// A test case.
#[derive(Clone, Debug)]
pub struct Case {
    /// File and description of the case.
    pub name: String,
    /// Input and options of the case.
    pub input: Input,
    expected: Expected,
}

/// Expected result of a case.
#[derive(Clone, Debug)]
enum Expected {
    /// Tokens, and errors with lines and columns if the case lists them.
    Tokens(Vec<String>, Option<Value>),
    /// Expected lines of the tree.
    Tree(Vec<String>),
}

impl Case {
    /// Whether the result equals the expected one.
    pub fn is_satisfied_by(&self, result: &RunResult) -> bool {
        match &self.expected {
            Expected::Tree(lines) => *lines == result.lines,
            Expected::Tokens(tokens, errors) => {
                let places = html5lib::places(&self.input.text, result.errors.iter().cloned());
                let list = places.map(|(code, line, col)| {
                    serde_json::json!({ "code": code, "line": line, "col": col })
                });
                let list = Value::Array(list.collect());
                *tokens == result.lines && errors.as_ref().is_none_or(|errors| *errors == list)
            }
        }
    }
}

/// Reads the machine's cases in a folder: tokenizer cases from `NAME.test`, tree cases from `trees-NAME.dat` and
/// `trees-NAME.json`.
pub fn read_folder(folder: &Path, machine: &Machine) -> Vec<Case> {
    let name = &machine.name;
    let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_default();
    let mut cases = Vec::new();
    let file = format!("{name}.test");
    read_token_cases(&file, &read(&file), machine, &mut cases);
    if machine.construction.is_some() {
        let file = format!("trees-{name}.dat");
        read_dat_trees(&file, &read(&file), machine, &mut cases);
        let file = format!("trees-{name}.json");
        read_json_trees(&file, &read(&file), &mut cases);
    }
    cases
}

fn texts(value: &Value) -> impl Iterator<Item = String> + use<'_> {
    value.as_array().into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned))
}

/// Reads tokenizer cases: `{"tests": [{"input": …, "output": …}]}`.
fn read_token_cases(file: &str, text: &str, machine: &Machine, cases: &mut Vec<Case>) {
    let suite: Value = serde_json::from_str(text).unwrap_or_default();
    for test in suite["tests"].as_array().into_iter().flatten() {
        let Some(input) = test["input"].as_str().filter(|_| test["doubleEscaped"].is_null()) else {
            continue;
        };
        let mut states: Vec<String> = texts(&test["initialStates"])
            .filter_map(|name| {
                let id = machine.find_state(&name).or_else(|| machine.find_document_state(&name));
                id.map(|id| machine.state(id).name.clone())
            })
            .collect();
        if test["initialStates"].is_null() {
            states.push(machine.state(machine.start).name.clone());
        }
        let flags = test["flags"].as_object().into_iter().flatten().filter_map(|(name, value)| {
            let flag = machine.flags.iter().find(|flag| flag.name == *name)?;
            Some((name.clone(), flag.values.get(value.as_u64()? as usize)?.clone()))
        });
        let flags: Vec<(String, String)> = flags.collect();
        let output = test["output"].as_array().into_iter().flatten();
        let tokens: Vec<String> = output.map(Value::to_string).collect();
        for state in states {
            let last_start_tag = test["lastStartTag"].as_str().map(str::to_owned);
            let mode = RunMode::Tokens(Start { state, last_start_tag, flags: flags.clone() });
            cases.push(Case {
                name: format!("{file}: {}", test["description"].as_str().unwrap_or_default()),
                input: Input { text: input.to_owned(), mode },
                expected: Expected::Tokens(tokens.clone(), test.get("errors").cloned()),
            });
        }
    }
}

/// Reads tree cases in JSON: `[{"input": …, "tree": ["| <a>"]}]`.
fn read_json_trees(file: &str, text: &str, cases: &mut Vec<Case>) {
    let list: Value = serde_json::from_str(text).unwrap_or_default();
    for case in list.as_array().into_iter().flatten() {
        let Some(input) = case["input"].as_str() else { continue };
        // A text with line breaks is a single element of the list.
        let tree = texts(&case["tree"]).collect::<Vec<_>>().join("\n");
        cases.push(Case {
            name: format!("{file}: {}", case["description"].as_str().unwrap_or_default()),
            input: Input { text: input.to_owned(), mode: RunMode::Tree(ParseOptions::default()) },
            expected: Expected::Tree(tree.lines().map(str::to_owned).collect()),
        });
    }
}

/// Reads tree cases with the sections `#data`, `#document-fragment`, `#script-on` and `#document`.
fn read_dat_trees(file: &str, text: &str, machine: &Machine, cases: &mut Vec<Case>) {
    let mut part = "";
    let mut read: Vec<(String, Option<String>, bool, Vec<String>)> = Vec::new();
    for line in text.lines() {
        if line == "#data" && part != "#data" {
            read.push((String::new(), None, false, Vec::new()));
            part = "#data";
            continue;
        }
        let Some(case) = read.last_mut() else { continue };
        let headings = ["#errors", "#new-errors", "#document-fragment", "#document", "#script-off"];
        if line == "#script-on" {
            case.2 = true;
        } else if let Some(heading) = headings.iter().find(|heading| line == **heading) {
            part = heading;
        } else {
            match part {
                "#data" => case.0 += &format!("{line}\n"),
                "#document-fragment" => case.1 = Some(line.to_owned()),
                "#document" => case.3.push(line.to_owned()),
                _ => {}
            }
        }
    }
    for (index, (mut data, context, scripting, mut lines)) in read.into_iter().enumerate() {
        data.pop();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        let mut options = ParseOptions {
            context: context.map(|it| self::context(&it)),
            ..ParseOptions::default()
        };
        let flags = machine.construction.iter().flat_map(|it| &it.flags);
        if scripting && flags.into_iter().any(|flag| flag.name == "scripting") {
            options.flags.push(("scripting".to_owned(), 1));
        }
        cases.push(Case {
            name: format!("{file}: {}", index + 1),
            input: Input { text: data, mode: RunMode::Tree(options) },
            expected: Expected::Tree(lines),
        });
    }
}

/// Parses a fragment context: `NAME`, `svg NAME` or `math NAME`.
fn context(name: &str) -> Context {
    let (namespace, local) = match name.split_once(' ') {
        Some(("svg", local)) => (Namespace::Svg, local),
        Some(("math", local)) => (Namespace::Math, local),
        _ => (Namespace::Own, name),
    };
    Context {
        namespace,
        local: local.to_owned(),
        attributes: Vec::new(),
        document_mode: DocumentMode::NoQuirks,
        around: Vec::new(),
    }
}
