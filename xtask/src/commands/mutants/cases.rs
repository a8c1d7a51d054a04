//! The repository's test cases as inputs. Only the results that a case's file specifies are compared.

use crate::{Failure, root};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tabulex_language::model::tree::{DocumentMode, ElementName, Namespace};
use tabulex_language::model::{Encodings, ErrorId, FlagId, Machine, RowId, kebab_case};
use tabulex_oracle::interpreter::tree::document::{self, Context, ParseOptions};
use tabulex_oracle::interpreter::tree::{Node, NodeKind, Tree};
use tabulex_oracle::interpreter::{Control, Error, Host, Interpreter, Options, Token};
use tabulex_oracle::search::Outcome;

/// A test case of the repository.
#[derive(Clone, Debug)]
pub(super) enum Case {
    /// A case of a tokenizer.
    Tokens {
        /// Name of the start state, or of a flag's value.
        state: Option<String>,
        /// Name of the last start tag.
        last_start_tag: Option<String>,
        /// Values of the host's flags.
        flags: Vec<(String, u8)>,
        input: String,
        /// Whether the case's file lists error codes and positions.
        has_errors: bool,
    },
    /// A case of tree construction.
    Tree {
        options: ParseOptions,
        input: String,
        /// Whether the case's file lists error codes and positions.
        has_errors: bool,
        /// Whether the case's file gives the document's mode.
        has_mode: bool,
    },
    /// A case of an encoding: its bytes, one per character, and the declarations about them. The interpreter decodes no
    /// bytes, so only the table's declarations for words in the case are compared.
    Encoding(Value),
}

/// Result of a case.
#[derive(Debug, Default)]
pub(super) struct CaseResult {
    /// All compared results as text.
    pub(super) text: String,
    /// Names of the states and modes through which the run passed.
    pub(super) places: Vec<String>,
}

/// Returns the repository's cases of a dialect.
pub(super) fn repository_cases(dialect: &str) -> Result<Vec<Case>, Failure> {
    let folder = root::root().join("tests/cases");
    let mut cases = Vec::new();
    let tests = folder.join(format!("{dialect}.test"));
    if tests.exists() {
        cases.extend(read_token_cases(&tests)?);
    }
    let trees = folder.join(format!("trees-{dialect}.dat"));
    if trees.exists() {
        cases.extend(read_tree_cases(&read(&trees)?));
    }
    let trees = folder.join(format!("trees-{dialect}.json"));
    if trees.exists() {
        cases.extend(json(&trees)?.as_array().into_iter().flatten().map(json_tree_case));
    }
    let options = json(&folder.join("tree-inputs.json"))?;
    let all = options.as_array().into_iter().flatten();
    cases.extend(all.filter(|case| case["dialect"] == dialect).map(json_tree_case));
    let bytes = json(&folder.join("encodings.json"))?;
    let of_dialect = |case: &&Value| case["dialect"].as_str().unwrap_or("html") == dialect;
    let bytes = bytes.as_array().into_iter().flatten().filter(of_dialect);
    cases.extend(bytes.cloned().map(Case::Encoding));
    Ok(cases)
}

fn read(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path)
        .map_err(|error| format!("cannot read {}: {error}", root::display_path(path)))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn json(path: &Path) -> Result<Value, Failure> {
    serde_json::from_str(&read(path)?)
        .map_err(|error| format!("{}: {error}", root::display_path(path)))
}

/// Reads cases in the format of tokenizer tests.
fn read_token_cases(path: &Path) -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for test in json(path)?["tests"].as_array().into_iter().flatten() {
        let text = test["input"].as_str().unwrap_or_default();
        let input = match test["doubleEscaped"] == true {
            true => serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\""))).ok(),
            false => Some(text.to_owned()),
        };
        let Some(input) = input else { continue };
        let states = test.get("initialStates").or_else(|| test.get("contentModelFlags"));
        let states = states.and_then(Value::as_array).cloned().unwrap_or_else(|| vec![Value::Null]);
        let flags = test["flags"].as_object().into_iter().flatten();
        let flags: Vec<(String, u8)> = flags
            .map(|(name, value)| (name.clone(), value.as_u64().unwrap_or_default() as u8))
            .collect();
        cases.extend(states.iter().map(|state| Case::Tokens {
            state: state.as_str().map(kebab_case),
            last_start_tag: test["lastStartTag"].as_str().map(str::to_owned),
            flags: flags.clone(),
            input: input.clone(),
            has_errors: true,
        }));
    }
    Ok(cases)
}

/// Reads cases in the format of tree construction tests.
fn read_tree_cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for case in format!("\n{text}").split("\n#data\n").skip(1) {
        let (input, rest) = case.split_once("\n#errors").unwrap_or((case, ""));
        let (head, _) = rest.split_once("\n#document\n").unwrap_or((rest, ""));
        let fragment =
            head.split_once("#document-fragment\n").and_then(|(_, rest)| rest.lines().next());
        for scripting in [false, true] {
            let unwanted = if scripting { "#script-off" } else { "#script-on" };
            if !head.contains(unwanted) {
                let options = options(fragment, scripting, false);
                let has_errors = head.contains("#new-errors\n");
                cases.push(Case::Tree {
                    options,
                    input: input.to_owned(),
                    has_errors,
                    has_mode: false,
                });
            }
        }
    }
    cases
}

/// Returns a case from a list of trees.
fn json_tree_case(case: &Value) -> Case {
    let is = |key: &str| case[key].as_bool().unwrap_or_default();
    let mut options = options(case["fragment"].as_str(), is("scripting"), is("shadow-roots"));
    let flags = case["flags"].as_object().into_iter().flatten();
    options.flags.extend(
        flags.map(|(name, value)| (name.clone(), value.as_u64().unwrap_or_default() as u8)),
    );
    let input = case["input"].as_str().unwrap_or_default().to_owned();
    Case::Tree { options, input, has_errors: false, has_mode: case["mode"].is_string() }
}

pub(super) fn options(fragment: Option<&str>, scripting: bool, shadow_roots: bool) -> ParseOptions {
    let context = fragment.map(|written| {
        let (name, around) = match written.split_once(" inside ") {
            Some((name, around)) => (name, vec![element_name(around)]),
            None => (written, Vec::new()),
        };
        let ElementName { namespace, local } = element_name(name);
        let (attributes, document_mode) = (Vec::new(), DocumentMode::NoQuirks);
        Context { namespace, local, attributes, document_mode, around }
    });
    let flags = [("scripting", scripting), ("declarative-shadow-roots", shadow_roots)];
    let flags = flags.map(|(name, value)| (name.to_owned(), u8::from(value))).to_vec();
    ParseOptions { flags, context, keeps_byte_order_mark: true }
}

fn element_name(written: &str) -> ElementName {
    let (namespace, local) = match written.split_once(' ') {
        Some(("svg", local)) => (Namespace::Svg, local),
        Some(("math", local)) => (Namespace::Math, local),
        _ => (Namespace::Own, written),
    };
    ElementName { namespace, local: local.to_owned() }
}

impl Case {
    /// Runs the case. If the run does not end, the text of the result says so.
    pub(super) fn run(&self, interpreter: &Interpreter<'_>) -> CaseResult {
        match self {
            Self::Tokens { state, last_start_tag, flags, input, has_errors } => {
                let start = (state.as_deref(), last_start_tag.clone(), &flags[..]);
                run_tokens(interpreter, start, input, *has_errors)
            }
            Self::Tree { options, input, has_errors, has_mode } => {
                run_tree(interpreter, options, input, (*has_errors, *has_mode))
            }
            Self::Encoding(case) => CaseResult {
                text: declarations(case, interpreter.machine().encodings.as_ref()),
                places: Vec::new(),
            },
        }
    }
}

/// Returns the table's declarations for words in the case.
fn declarations(case: &Value, encodings: Option<&Encodings>) -> String {
    let Some(encodings) = encodings else { return String::new() };
    let word = |key: &str| case[key].as_str().unwrap_or_default().to_lowercase();
    let (bytes, locale) = (word("bytes"), word("locale"));
    let has = |text: &str| bytes.contains(&text.to_lowercase());
    let pair = |pair: &Option<(String, String)>| pair.clone().filter(|it| has(&it.0) && has(&it.1));
    let one = |text: &Option<String>| text.clone().filter(|text| has(text));
    let of_locale = encodings.locales.iter().find(|(tag, _)| tag.to_lowercase() == locale);
    let read_as: Vec<_> = encodings.read_as.iter().filter(|(label, _)| has(label)).collect();
    let nothing_said = ["override", "transport", "parent", "likely", "fallback", "locale"]
        .iter()
        .all(|key| case[*key].is_null());
    let otherwise = nothing_said.then_some(&encodings.otherwise);
    let words = (one(&encodings.element), one(&encodings.label));
    let pairs = [&encodings.content, &encodings.pragma, &encodings.xml_declaration].map(pair);
    format!("{words:?} {pairs:?} {of_locale:?} {read_as:?} {otherwise:?}")
}

fn run_tree(
    interpreter: &Interpreter<'_>,
    options: &ParseOptions,
    input: &str,
    (has_errors, has_mode): (bool, bool),
) -> CaseResult {
    let machine = interpreter.machine();
    let Some(construction) = &machine.construction else { return CaseResult::default() };
    if options.context.is_some() && construction.fragment.is_none() {
        return CaseResult { text: "no fragments".to_owned(), places: Vec::new() };
    }
    match document::parse(interpreter, input, options) {
        Ok(parsed) => {
            let modes = parsed.mode_rows.iter().map(|row| construction.mode(row.mode).name.clone());
            let states = parsed.rows.iter().map(|row| machine.state(row.state).name.clone());
            let mut text = dump(&parsed.tree);
            if has_mode {
                text += &format!("{:?}\n", parsed.document_mode);
            }
            let name = |error: ErrorId| &machine.errors[usize::from(error.0)].name;
            let errors = parsed.errors.iter().filter(|_| has_errors);
            text.extend(errors.map(|&(error, span)| format!("{} {}\n", span.start, name(error))));
            CaseResult { text, places: distinct(modes.chain(states)) }
        }
        Err(stuck) => CaseResult { text: stuck.to_string(), places: Vec::new() },
    }
}

fn distinct(places: impl Iterator<Item = String>) -> Vec<String> {
    let mut places: Vec<String> = places.collect();
    places.sort();
    places.dedup();
    places
}

/// Returns the nodes with their contents, without spans.
fn dump(tree: &Tree) -> String {
    let mut out = String::new();
    let mut waiting = vec![(0, 0)];
    while let Some((id, depth)) = waiting.pop() {
        let node: &Node = &tree.nodes[id];
        let mut kind = node.kind.clone();
        if let NodeKind::Element(_, attributes) = &mut kind {
            attributes.sort_by(|one, other| one.0.qualified.cmp(&other.0.qualified));
        }
        out += &format!("{depth} {kind:?}\n");
        let inside = [node.contents, node.shadow_root].into_iter().flatten();
        let children: Vec<usize> = inside.chain(node.children.iter().copied()).collect();
        waiting.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    out
}

/// Records tokens, errors and rows.
struct Recorder<'r, 'm> {
    machine: &'m Machine,
    flags: &'r [(String, u8)],
    outcome: Outcome,
    rows: Vec<RowId>,
}

impl Host for Recorder<'_, '_> {
    fn token(&mut self, token: Token) -> Control {
        let tokens = &mut self.outcome.tokens;
        match (token, tokens.last_mut()) {
            (Token::Text { text, .. }, _) if text.is_empty() => {}
            (Token::Text { text, .. }, Some(Token::Text { text: before, .. })) => {
                before.push_str(&text)
            }
            (token, _) => tokens.push(token),
        }
        Control::Continue
    }

    fn error(&mut self, error: Error) {
        let code = &self.machine.errors[usize::from(error.error.0)].name;
        self.outcome.errors.push((code.clone(), error.span));
    }

    fn flag(&mut self, flag: FlagId) -> u8 {
        let name = &self.machine.flags[usize::from(flag.0)].name;
        self.flags.iter().find(|(other, _)| other == name).map_or(0, |(_, value)| *value)
    }

    fn before_row(&mut self, row: RowId) {
        self.rows.push(row);
    }
}

/// Start of a run: the state or the value of a flag, the last start tag, and flags of the host.
type RunStart<'a> = (Option<&'a str>, Option<String>, &'a [(String, u8)]);

/// Returns the outcome of a run, the message if it got stuck, and its rows. `None` if the machine has no such state.
pub(super) fn outcome(
    interpreter: &Interpreter<'_>,
    (state, last_start_tag, flags): RunStart<'_>,
    input: &str,
) -> Option<(Outcome, Option<String>, Vec<RowId>)> {
    let machine = interpreter.machine();
    let mut options = Options { last_start_tag, keeps_byte_order_mark: true, ..Options::default() };
    for (flag, id) in machine.flags.iter().zip(0..).filter(|(flag, _)| flag.by_host) {
        let value =
            flags.iter().find(|(name, _)| *name == flag.name).map_or(0, |(_, value)| *value);
        options.flags.push((FlagId(id), value));
    }
    if let Some(name) = state {
        options.state = machine.find_state(name);
        if options.state.is_none() {
            options.flags.push(machine.flags.iter().zip(0..).find_map(|(flag, id)| {
                let value = flag.values.iter().position(|value| value == name)?;
                Some((FlagId(id), value as u8))
            })?);
        }
    }
    let mut recorder = Recorder { machine, flags, outcome: Outcome::default(), rows: Vec::new() };
    let ran = interpreter.run(input, &options, &mut recorder);
    Some((recorder.outcome, ran.err().map(|stuck| stuck.to_string()), recorder.rows))
}

fn run_tokens(
    interpreter: &Interpreter<'_>,
    begin: RunStart<'_>,
    input: &str,
    has_errors: bool,
) -> CaseResult {
    let machine = interpreter.machine();
    let Some((outcome, stuck, rows)) = outcome(interpreter, begin, input) else {
        return CaseResult { text: "no such state".to_owned(), places: Vec::new() };
    };
    let mut text = tabulex_oracle::formats::html5lib::tokens(&outcome.tokens).to_string();
    // The text includes whether the input was rejected.
    text += match outcome.tokens.last() {
        Some(Token::EndOfFile { .. }) => "\n",
        _ => " no end\n",
    };
    if has_errors {
        text.extend(outcome.errors.iter().map(|(code, span)| format!("{} {code}\n", span.start)));
    }
    text += &stuck.unwrap_or_default();
    let states = rows.iter().map(|row| machine.state(row.state).name.clone());
    CaseResult { text, places: distinct(states) }
}
