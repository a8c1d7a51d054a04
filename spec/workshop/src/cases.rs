//! Reads the test cases of a dialect: inputs with expected results, in the formats of the html5lib suites. Cases with
//! an input that cannot be run are skipped.

use crate::trial::{Input, RunMode, RunResult};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tabulex_language::model::{Machine, kebab_case};
use tabulex_oracle::formats::html5lib;
use tabulex_oracle::interpreter::tree::document::{Context, ParseOptions};
use tabulex_oracle::interpreter::{DeclaredField, Interpreter, Token};
use tabulex_oracle::search::{Start, run};

/// A test case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name of the case: its file, and its description or number.
    pub name: String,
    /// Input and options of the case.
    pub input: Input,
    expected: Expected,
}

/// Expected result of a case.
#[derive(Clone, Debug)]
enum Expected {
    /// Tokens, and errors with lines and columns, if the case lists errors.
    Tokens(Vec<String>, Option<Value>),
    /// The lines of a tree.
    Tree(Vec<String>),
}

impl Case {
    /// Whether a run has the expected tokens or tree. For tokens, also compares the errors, if the case lists any.
    pub fn is_satisfied_by(&self, result: &RunResult) -> bool {
        match &self.expected {
            Expected::Tree(lines) => *lines == result.lines,
            Expected::Tokens(tokens, errors) => {
                let reported = html5lib::errors(&self.input.text, &result.errors);
                *tokens == result.lines && errors.as_ref().is_none_or(|errors| *errors == reported)
            }
        }
    }
}

/// Reads the cases of the machine `NAME` in a folder: tokenizer cases from `NAME.test`, tree cases from
/// `trees-NAME.dat`, `trees-NAME.json` and `tree-inputs.json`. A missing file has no cases.
pub fn read_folder(folder: &Path, machine: &Machine) -> Vec<Case> {
    let name = &machine.name;
    let read_file = |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_default();
    let mut cases = Vec::new();
    let file = format!("{name}.test");
    read_token_cases(&file, &read_file(&file), machine, &mut cases);
    if machine.construction.is_some() {
        let file = format!("trees-{name}.dat");
        read_dat_trees(&file, &read_file(&file), machine, &mut cases);
        for file in [&format!("trees-{name}.json")[..], "tree-inputs.json"] {
            read_json_trees(file, &read_file(file), name, &mut cases);
        }
    }
    cases
}

fn strings(value: &Value) -> impl Iterator<Item = String> + use<'_> {
    value.as_array().into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned))
}

/// Appends the tokenizer cases of a JSON file to `cases`: `{"tests": [{"input": …, "output": …}]}`.
fn read_token_cases(file: &str, text: &str, machine: &Machine, cases: &mut Vec<Case>) {
    let suite: Value = serde_json::from_str(text).unwrap_or_default();
    for test in suite["tests"].as_array().into_iter().flatten() {
        let Some(input) = test["input"].as_str().filter(|_| test["doubleEscaped"].is_null()) else {
            continue;
        };
        let flags = test["flags"].as_object().into_iter().flatten().filter_map(|(name, value)| {
            let flag = machine.flags.iter().find(|flag| flag.name == *name)?;
            Some((name.clone(), flag.values.get(value.as_u64()? as usize)?.clone()))
        });
        let flags: Vec<(String, String)> = flags.collect();
        let Some(given) = given_tokens(test, machine) else { continue };
        let output = test["output"].as_array().into_iter().flatten();
        let tokens: Vec<String> = output.map(Value::to_string).collect();
        for start in starts(test, machine) {
            let start = Start {
                last_start_tag: test["lastStartTag"].as_str().map(str::to_owned),
                flags: start.flags.into_iter().chain(flags.clone()).collect(),
                given: given.clone(),
                ..start
            };
            cases.push(Case {
                name: format!("{file}: {}", test["description"].as_str().unwrap_or_default()),
                input: Input { text: input.to_owned(), mode: RunMode::Tokens(start) },
                expected: Expected::Tokens(tokens.clone(), test.get("errors").cloned()),
            });
        }
    }
}

/// Returns the tokens that the host creates before a test: for each kind of such tokens that names a string in the test,
/// the fields of the first declared token in that string. `None` if a string has no such token.
fn given_tokens(test: &Value, machine: &Machine) -> Option<Vec<(String, Vec<Option<String>>)>> {
    let kinds = machine.tokens.iter().filter(|kind| kind.by_host);
    let texts = kinds.filter_map(|kind| Some((&kind.name, test[&kind.name].as_str()?)));
    let interpreter = Interpreter::new(machine);
    let start = Start { state: machine.state(machine.start).name.clone(), ..Start::default() };
    let given = texts.map(|(name, text)| {
        let tokens = run(&interpreter, &start, text)?.outcome.tokens;
        let fields = tokens.into_iter().find_map(|token| match token {
            Token::Declared { fields, .. } => Some(fields),
            _ => None,
        })?;
        let field = |field: DeclaredField| (!field.is_missing).then_some(field.text);
        Some((name.clone(), fields.into_iter().map(field).collect()))
    });
    given.collect()
}

/// Returns the initial states of a test, or the start state if the test names none. Older tests name values of a flag
/// instead.
fn starts(test: &Value, machine: &Machine) -> Vec<Start> {
    let start_in =
        |id, flags| Start { state: machine.state(id).name.clone(), flags, ..Start::default() };
    let Some(names) = test.get("initialStates").or_else(|| test.get("contentModelFlags")) else {
        return vec![start_in(machine.start, Vec::new())];
    };
    let parse_start = |name: String| {
        if let Some(id) = machine.find_state(&name).or_else(|| machine.find_document_state(&name)) {
            return Some(start_in(id, Vec::new()));
        }
        let value = kebab_case(&name);
        let flag = machine.flags.iter().find(|flag| flag.values.contains(&value))?;
        Some(start_in(machine.start, vec![(flag.name.clone(), value)]))
    };
    strings(names).filter_map(parse_start).collect()
}

/// Appends the tree cases of a dialect in a JSON file to `cases`: `[{"input": …, "tree": ["| <a>"]}]`.
fn read_json_trees(file: &str, text: &str, dialect: &str, cases: &mut Vec<Case>) {
    let suite: Value = serde_json::from_str(text).unwrap_or_default();
    let is_of_dialect = |case: &&Value| case["dialect"].as_str().is_none_or(|name| name == dialect);
    for case in suite.as_array().into_iter().flatten().filter(is_of_dialect) {
        let Some(input) = case["input"].as_str() else { continue };
        let numbered = case["flags"].as_object().into_iter().flatten();
        let numbered =
            numbered.map(|(name, value)| (name.clone(), value.as_u64().unwrap_or(0) as u8));
        let shorthands =
            [("scripting", "scripting"), ("shadow-roots", "declarative-shadow-roots")].into_iter();
        let shorthands = shorthands.filter(|(key, _)| case[*key] == true);
        let flags = numbered.chain(shorthands.map(|(_, flag)| (flag.to_owned(), 1))).collect();
        let Ok(context) = case["fragment"].as_str().map(Context::parse).transpose() else {
            continue;
        };
        let options = ParseOptions { flags, context };
        // An element of `tree` may contain line breaks, so the elements are joined and split into lines.
        let tree = strings(&case["tree"]).collect::<Vec<_>>().join("\n");
        let description = case["description"].as_str().or(case["about"].as_str());
        cases.push(Case {
            name: format!("{file}: {}", description.unwrap_or_default()),
            input: Input { text: input.to_owned(), mode: RunMode::Tree(options) },
            expected: Expected::Tree(tree.lines().map(str::to_owned).collect()),
        });
    }
}

/// Appends the tree cases of a file with the sections `#data`, `#document-fragment`, `#script-on` and `#document` to
/// `cases`. If the machine has the flag `scripting`, a case that does not mention scripting becomes two, with and
/// without scripting.
fn read_dat_trees(file: &str, text: &str, machine: &Machine, cases: &mut Vec<Case>) {
    let flags = machine.construction.iter().flat_map(|it| &it.flags);
    let has_scripting = flags.into_iter().any(|flag| flag.name == "scripting");
    for (case, number) in format!("\n{text}").split("\n#data\n").skip(1).zip(1..) {
        let (input, rest) = case.split_once("\n#errors").unwrap_or((case, ""));
        let (head, tree) = rest.split_once("\n#document\n").unwrap_or((rest, ""));
        let fragment = head.split_once("#document-fragment\n");
        let fragment = fragment.and_then(|(_, rest)| rest.lines().next());
        for (scripting, unwanted) in [(false, "#script-on"), (true, "#script-off")] {
            if head.contains(unwanted) || scripting && !has_scripting {
                continue;
            }
            let flags = scripting.then(|| ("scripting".to_owned(), 1)).into_iter().collect();
            let Ok(context) = fragment.map(Context::parse).transpose() else { continue };
            let options = ParseOptions { flags, context };
            cases.push(Case {
                name: format!("{file}: {number}"),
                input: Input { text: input.to_owned(), mode: RunMode::Tree(options) },
                expected: Expected::Tree(
                    tree.trim_end_matches('\n').lines().map(str::to_owned).collect(),
                ),
            });
        }
    }
}
