//! Parses the arguments of the command `run`.

use crate::Failure;
use crate::arguments::Arguments;
use crate::commands::missing;
use crate::home::Home;
use std::ffi::OsString;
use std::io::Read as _;
use std::path::PathBuf;
use tabulex_language::model::tree::Construction;
use tabulex_language::model::{Flag, Machine, StateId};
use tabulex_language::nearest;
use tabulex_oracle::interpreter::tree::document::Context;

/// Arguments of the command `run`.
pub(super) struct Request {
    pub(super) table: String,
    input: Option<String>,
    file: Option<PathBuf>,
    pub(super) is_tree: bool,
    pub(super) is_trace: bool,
    /// Whether the trace includes the steps of algorithms.
    pub(super) traces_steps: bool,
    pub(super) is_json: bool,
    pub(super) state: Option<String>,
    pub(super) last_start_tag: Option<String>,
    fragment: Option<String>,
    /// Position to explain: a byte offset or `LINE:COLUMN`.
    pub(super) explained_position: Option<String>,
    /// Names of flags, with the names of their values.
    flags: Vec<(String, String)>,
}

/// Declarations of the options of the command `run`.
const OPTIONS: [&str; 11] = [
    "file FILE",
    "tree",
    "trace",
    "steps",
    "explain PLACE",
    "state STATE",
    "last-start-tag NAME",
    "fragment CONTEXT",
    "flag NAME=VALUE",
    "scripting",
    "format F",
];

/// Parses the arguments of the command `run`.
pub(super) fn read(home: &Home, arguments: Vec<OsString>) -> Result<Request, Failure> {
    let arguments = Arguments::parse(arguments, &OPTIONS, 2)?;
    let parse_flag = |flag: String| match flag.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(format!("`--flag {flag}`: expected `NAME=VALUE`")),
    };
    let mut flags: Vec<_> = arguments.all("flag").map(parse_flag).collect::<Result<_, _>>()?;
    if arguments.has("scripting") {
        flags.push(("scripting".into(), "enabled".into()));
    }
    let traces_steps = arguments.has("steps");
    let request = Request {
        file: arguments.path("file"),
        is_tree: arguments.has("tree") || arguments.has("fragment") || traces_steps,
        is_trace: arguments.has("trace") || traces_steps,
        traces_steps,
        is_json: arguments.format(&["text", "json"])? == "json",
        state: arguments.text("state"),
        last_start_tag: arguments.text("last-start-tag"),
        fragment: arguments.text("fragment"),
        explained_position: arguments.text("explain"),
        flags,
        input: arguments.values.get(1).cloned(),
        table: arguments.values.into_iter().next().unwrap_or_default(),
    };
    if request.table.is_empty() {
        return Err(missing(home, "a dialect or a table", "run html '<p>'"));
    }
    if request.is_tree && (request.state.is_some() || request.last_start_tag.is_some()) {
        return Err(
            "`--state` and `--last-start-tag` are only for tokens: with a tree, the modes set them"
                .into(),
        );
    }
    Ok(request)
}

impl Request {
    /// Reads the input from the file, the argument or standard input.
    pub(super) fn input(&self) -> Result<String, Failure> {
        if let Some(file) = &self.file {
            let bytes = std::fs::read(file);
            return bytes
                .map(decode_lossy)
                .map_err(|error| format!("cannot read `{}`: {error}", file.display()));
        }
        match &self.input {
            Some(text) if text != "-" => Ok(text.clone()),
            _ => {
                let mut bytes = Vec::new();
                let result = std::io::stdin().read_to_end(&mut bytes);
                result.map_err(|error| format!("cannot read standard input: {error}"))?;
                Ok(decode_lossy(bytes))
            }
        }
    }

    /// Returns the given flags, each with the index of its value. Fails if the table lacks a flag or value.
    pub(super) fn flag_values(&self, machine: &Machine) -> Result<Vec<(String, u8)>, Failure> {
        let tree_flags = machine.construction.iter().flat_map(|construction| &construction.flags);
        let known_flags: Vec<&Flag> = machine.flags.iter().chain(tree_flags).collect();
        let with_index = |(name, value): &(String, String)| {
            let Some(Flag { values, .. }) = known_flags.iter().find(|flag| flag.name == *name)
            else {
                let names: Vec<&str> = known_flags.iter().map(|flag| &flag.name[..]).collect();
                let suggestion =
                    nearest(name, &names).map_or(String::new(), |advice| format!("; {advice}"));
                return Err(format!(
                    "there is no flag `{name}`; expected one of `{}`{suggestion}",
                    names.join("`, `")
                ));
            };
            let index = values.iter().position(|other| other == value);
            let index = index.ok_or_else(|| {
                format!(
                    "the flag `{name}` has no value `{value}`; expected one of `{}`",
                    values.join("`, `")
                )
            })?;
            Ok((name.clone(), index as u8))
        };
        self.flags.iter().map(with_index).collect()
    }

    /// Returns the context element of a fragment, if one is given. Fails if the table does not support fragments.
    pub(super) fn context(&self, construction: &Construction) -> Result<Option<Context>, Failure> {
        let Some(text) = &self.fragment else { return Ok(None) };
        if construction.fragment.is_none() {
            return Err(format!("`--fragment {text}`: the table does not support fragments"));
        }
        let context =
            Context::parse(text).map_err(|error| format!("`--fragment {text}`: {error}"))?;
        Ok(Some(context))
    }
}

/// Decodes UTF-8 like a parser, with U+FFFD for invalid bytes.
fn decode_lossy(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

/// Returns the state that has this name in the table or in the document.
pub(in crate::commands) fn find_state(machine: &Machine, name: &str) -> Result<StateId, Failure> {
    if let Some(state) = machine.find_state(name).or_else(|| machine.find_document_state(name)) {
        return Ok(state);
    }
    let names: Vec<&str> = machine.states.iter().map(|state| &state.name[..]).collect();
    let normalized = name.to_lowercase().replace(' ', "-");
    let suggestion = nearest(normalized.trim_end_matches("-state"), &names);
    let advice = suggestion.unwrap_or_else(|| {
        format!("it has {}, from {} to {}", names.len(), names[0], names[names.len() - 1])
    });
    Err(format!("no state `{name}` in `{}`: {advice}", machine.name))
}
