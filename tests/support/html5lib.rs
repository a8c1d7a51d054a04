//! Parser of tokenizer tests in the formats of html5lib: today's, with a list of errors, and that of 2014, with errors
//! among the tokens.

use crate::setup::Setup;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tabulex_language::model::kebab_case;

/// One run of a test, from one of its initial states.
#[derive(Clone, Debug)]
pub struct Run {
    /// The name of the file.
    pub file: String,
    /// The description of the test.
    pub description: String,
    /// The input as written in the file, with escapes.
    pub written: String,
    /// The input; `None` if it contains an unpaired surrogate, which a string cannot represent.
    pub input: Option<String>,
    /// The initial state of the run.
    pub setup: Setup,
    /// The tokens, with adjacent character tokens joined.
    pub tokens: Value,
    /// The expected errors.
    pub errors: Errors,
    /// Whether the machine refuses the input, and so emits no end-of-file token.
    pub is_refused: bool,
    /// Whether the tokens are coerced to those of an XML infoset.
    pub is_for_xml: bool,
}

/// The errors that a test expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Codes with line and column, both from 1.
    Listed(Vec<(String, usize, usize)>),
    /// Only the number of errors.
    Counted(usize),
    /// Errors are not compared.
    Unspecified,
}

/// Reads the tests of one file, or of all files in a folder in order of their names. Returns their runs and the number
/// of tests.
///
/// # Errors
/// The reason why a file cannot be read.
pub fn read(path: &Path, has_errors_among_tokens: bool) -> Result<(Vec<Run>, usize), String> {
    let mut files = vec![path.to_path_buf()];
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(|error| error.to_string())?;
        files = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "test"));
        files.sort();
    }
    let (mut all_runs, mut test_count) = (Vec::new(), 0);
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let describe = |error: &dyn std::fmt::Display| format!("{name}: {error}");
        let text = fs::read_to_string(&file).map_err(|error| describe(&error))?;
        let (file_runs, file_test_count) =
            runs(&text, &name, has_errors_among_tokens).map_err(|error| describe(&error))?;
        all_runs.extend(file_runs);
        test_count += file_test_count;
    }
    Ok((all_runs, test_count))
}

/// Parses the tests of a file; returns their runs and the number of tests.
///
/// # Errors
/// The test that is malformed.
pub fn runs(
    text: &str,
    file: &str,
    has_errors_among_tokens: bool,
) -> Result<(Vec<Run>, usize), String> {
    let content: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let (mut runs, mut test_count) = (Vec::new(), 0);
    for (key, is_for_xml) in [("tests", false), ("xmlViolationTests", true)] {
        // Old suites list errors among the tokens; their XML tests list none and concern more than the tokenizer, so
        // they are skipped.
        if is_for_xml && has_errors_among_tokens {
            continue;
        }
        for test in content[key].as_array().into_iter().flatten() {
            let mut test_runs = runs_of(test, file, has_errors_among_tokens)
                .ok_or_else(|| format!("malformed test, such as one without `input`: {test}"))?;
            for run in test_runs.iter_mut().filter(|_| is_for_xml) {
                (run.is_for_xml, run.errors) = (true, Errors::Unspecified);
            }
            runs.extend(test_runs);
            test_count += 1;
        }
    }
    Ok((runs, test_count))
}

/// Returns the runs of a test, or `None` if it is malformed.
fn runs_of(test: &Value, file: &str, has_errors_among_tokens: bool) -> Option<Vec<Run>> {
    let is_escaped = test["doubleEscaped"] == true;
    let written = test["input"].as_str()?;
    let input = if is_escaped { unescape(written) } else { Some(written.to_owned()) };
    let mut output = test["output"].as_array()?.clone();
    let errors = if has_errors_among_tokens {
        let length_with_errors = output.len();
        output.retain(|token| token != "ParseError");
        Errors::Counted(length_with_errors - output.len())
    } else {
        Errors::Listed(test.get("errors").map_or(Some(Vec::new()), listed_errors)?)
    };
    let output = output.into_iter().map(empty_tag_as_start_tag);
    let tokens = join_characters(output.map(|token| match is_escaped {
        true => unescape_all(token),
        false => token,
    }));
    // The tests of 2007 name values of the content model flag instead of states.
    let states = test.get("initialStates").or_else(|| test.get("contentModelFlags"));
    let states: Vec<&str> = match states {
        Some(states) => {
            states.as_array()?.iter().map(|state| state.as_str()).collect::<Option<_>>()?
        }
        None => vec!["data state"],
    };
    let flags = test.get("flags").and_then(Value::as_object).into_iter().flatten();
    let setup = Setup {
        last_start_tag: test["lastStartTag"].as_str().map(str::to_owned),
        flags: flags
            .map(|(name, value)| Some((name.clone(), u8::try_from(value.as_u64()?).ok()?)))
            .collect::<Option<_>>()?,
        follows_modes: test["followsModes"] == true,
        ..Setup::default()
    };
    let run = |state: &str| Run {
        file: file.to_owned(),
        description: test["description"].as_str().unwrap_or_default().to_owned(),
        written: written.to_owned(),
        input: input.clone(),
        setup: Setup { state: Some(kebab_case(state)), ..setup.clone() },
        tokens: tokens.clone(),
        errors: errors.clone(),
        is_refused: test["refused"] == true,
        is_for_xml: false,
    };
    Some(states.into_iter().map(run).collect())
}

/// Parses a list of errors, each with code, line and column; `None` if it is malformed.
pub fn listed_errors(list: &Value) -> Option<Vec<(String, usize, usize)>> {
    list.as_array()?.iter().map(listed_error).collect()
}

fn listed_error(error: &Value) -> Option<(String, usize, usize)> {
    let number = |key: &str| error[key].as_u64().map(|number| number as usize);
    Some((error["code"].as_str()?.to_owned(), number("line")?, number("col")?))
}

/// Converts an empty tag of the XML tests to a start tag with the self-closing flag.
fn empty_tag_as_start_tag(token: Value) -> Value {
    match token.as_array().map(Vec::as_slice) {
        Some([kind, name, attributes]) if kind == "EmptyTag" => Value::from(vec![
            Value::from("StartTag"),
            name.clone(),
            attributes.clone(),
            true.into(),
        ]),
        _ => token,
    }
}

/// Joins adjacent character tokens, which errors had separated.
fn join_characters(tokens: impl Iterator<Item = Value>) -> Value {
    let mut joined: Vec<Value> = Vec::new();
    for token in tokens {
        match joined.last_mut() {
            Some(before) if before[0] == "Character" && token[0] == "Character" => {
                let text = [&before[1], &token[1]].map(|text| text.as_str().unwrap_or_default());
                before[1] = Value::from(text.concat());
            }
            _ => joined.push(token),
        }
    }
    Value::from(joined)
}

/// Unescapes all strings in a value. One with an unpaired surrogate stays escaped, so that it equals no result.
fn unescape_all(value: Value) -> Value {
    match value {
        Value::String(text) => Value::from(unescape(&text).unwrap_or(text)),
        Value::Array(values) => values.into_iter().map(unescape_all).collect(),
        Value::Object(entries) => {
            let unescaped = |text: String| unescape(&text).unwrap_or(text);
            entries.into_iter().map(|(key, value)| (unescaped(key), unescape_all(value))).collect()
        }
        other => other,
    }
}

/// Replaces each `\uHHHH`; returns `None` for an unpaired surrogate.
fn unescape(text: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    let mut remaining = text;
    while let Some(character) = remaining.chars().next() {
        let unit = remaining
            .strip_prefix("\\u")
            .and_then(|digits| digits.get(..4))
            .and_then(|digits| u16::from_str_radix(digits, 16).ok());
        if let Some(unit) = unit {
            units.push(unit);
            remaining = &remaining[6..];
        } else {
            units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            remaining = &remaining[character.len_utf8()..];
        }
    }
    String::from_utf16(&units).ok()
}

/// Coerces the tokens to an XML infoset, as in the standard's "Coercing an HTML DOM into an infoset".
pub fn coerced_for_xml(tokens: Value) -> Value {
    let coerced = |token: Value| {
        let is_comment = token[0] == "Comment";
        let is_text = token[0] == "Character" || is_comment;
        let Some(text) = token[1].as_str().filter(|_| is_text) else { return token };
        let mut text = text.replace('\x0C', " ").replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}");
        while is_comment && text.contains("--") {
            text = text.replace("--", "- -");
        }
        Value::from(vec![token[0].clone(), Value::from(text)])
    };
    match tokens {
        Value::Array(tokens) => tokens.into_iter().map(coerced).collect(),
        other => other,
    }
}
