//! Tests the language server under random edits: text is inserted, deleted and copied, even within words, and all
//! requests are sent after each edit. Each response must arrive, be well-formed, and contain only ranges within its
//! text. A failure reports the seed.

mod numbers;

use lsp_server::{Connection, Message, Notification, Request};
use numbers::Random;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tabulex_workshop::home::{Home, Tables};

/// Number of edits of each file unless `TABULEX_FULL` is set.
const EDITS: u64 = 1;
/// Number of edits of each file if `TABULEX_FULL` is set.
const FULL_EDITS: u64 = 100;
/// Time limit for a response, long enough for a machine under load.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(120);
/// Texts to insert: valid pieces of tables, and pieces that cause syntax errors.
const PIECES: [&str; 24] = [
    "x",
    "-",
    ";",
    "{",
    "}",
    "=>",
    "|",
    "'",
    "\"",
    "\\",
    "\n",
    " ",
    "é",
    "𝄞",
    "/*",
    "//",
    "when ",
    "state s {",
    "EOF => ",
    "'\\u{110000}'",
    "0x",
    "extends html {",
    "token t { a }",
    "\u{0}",
];

fn tables_folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
    folder.canonicalize().unwrap()
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Random positions, ranges and edits of a text.
impl Random {
    /// Returns a random character boundary of the text.
    fn boundary(&mut self, text: &str) -> usize {
        let offset = self.below(text.len() + 1);
        (0..=offset).rev().find(|&offset| text.is_char_boundary(offset)).unwrap_or(0)
    }

    /// Returns a short random range of the text: some characters, or up to the end of a word or line.
    fn range(&mut self, text: &str) -> std::ops::Range<usize> {
        let start = self.boundary(text);
        let following = &text[start..];
        let length = match self.below(3) {
            0 => following.chars().take(1 + self.below(5)).map(char::len_utf8).sum(),
            1 => following.find([' ', ';', '\n']).unwrap_or(following.len()),
            _ => following.find('\n').map_or(following.len(), |it| it + 1),
        };
        start..start + length
    }

    /// Makes one random edit of the text. Returns the offset of the edit.
    fn edit(&mut self, text: &mut String) -> usize {
        let range = self.range(text);
        match self.below(4) {
            0 => text.insert_str(range.start, PIECES[self.below(PIECES.len())]),
            1 => text.replace_range(range.clone(), ""),
            2 => {
                let source = self.range(text);
                let copy = text[source].to_owned();
                text.replace_range(range.clone(), &copy);
            }
            // Removing the second half of a range leaves incomplete words, as there are while a user types.
            _ => {
                let end = range.start + (range.end - range.start) / 2;
                let end = (end..=range.end).find(|&offset| text.is_char_boundary(offset));
                text.replace_range(end.unwrap_or(range.end)..range.end, "");
            }
        }
        range.start
    }
}

/// A simulated editor, with its open texts and the diagnostics received for each.
struct Editor {
    connection: Connection,
    /// Open texts, by URI.
    texts: BTreeMap<String, String>,
    diagnostics: BTreeMap<String, Value>,
    request_id: i32,
}

impl Editor {
    fn notify(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(notification.into()).expect("the server is connected");
    }

    /// Sends a request, and returns the result or the error in the response. Fails if the response does not arrive, or
    /// if diagnostics before it are invalid.
    fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.request_id += 1;
        let request = Request { id: self.request_id.into(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).map_err(|_| "the server has ended")?;
        loop {
            let message = self.connection.receiver.recv_timeout(RESPONSE_TIMEOUT);
            match message.map_err(|error| format!("{method}: no response: {error}"))? {
                Message::Response(response) => {
                    let value =
                        serde_json::to_value(response).map_err(|error| error.to_string())?;
                    if value["id"] != json!(self.request_id) {
                        return Err(format!("{method}: a response to another request: {value}"));
                    }
                    let result = value.get("result").or_else(|| value.get("error"));
                    return Ok(result.cloned().unwrap_or_default());
                }
                Message::Notification(Notification { params, .. }) => {
                    let uri = params["uri"]
                        .as_str()
                        .ok_or("a notification of diagnostics has no URI")?
                        .to_owned();
                    self.check_ranges(&params["diagnostics"], &uri)?;
                    self.diagnostics.insert(uri, params["diagnostics"].clone());
                }
                Message::Request(request) => {
                    return Err(format!("unexpected request from the server: {request:?}"));
                }
            }
        }
    }

    fn text(&self, uri: &str) -> Result<String, String> {
        let read_file = || std::fs::read_to_string(uri.strip_prefix("file://")?).ok();
        let text = self.texts.get(uri).cloned().or_else(read_file);
        text.ok_or_else(|| {
            format!("the server refers to `{uri}`, which is neither open nor a readable file")
        })
    }

    /// Checks that all ranges in a value are within the text of `uri`, or of the file that the value names.
    fn check_ranges(&self, value: &Value, uri: &str) -> Result<(), String> {
        let uri = value["uri"].as_str().unwrap_or(uri);
        match value {
            Value::Array(list) => list.iter().try_for_each(|it| self.check_ranges(it, uri)),
            Value::Object(map) if map.contains_key("start") && map.contains_key("end") => {
                let text = self.text(uri)?;
                let positions =
                    [line_and_unit(&text, &map["start"])?, line_and_unit(&text, &map["end"])?];
                let is_forward = positions[0] <= positions[1];
                is_forward
                    .then_some(())
                    .ok_or_else(|| format!("the range {value} ends before it begins"))
            }
            Value::Object(map) => {
                let check_entry = |(key, it): (&String, &Value)| {
                    self.check_ranges(it, if key.starts_with("file://") { key } else { uri })
                };
                map.iter().try_for_each(check_entry)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        }
    }

    /// Sends the text and all requests, those with a position both at the edit and at a random offset. Checks that all
    /// ranges in the responses are within their texts.
    fn query(&mut self, path: &Path, random: &mut Random, offset: usize) -> Result<(), String> {
        let uri = uri(path);
        let (document, text) = (json!({ "uri": uri }), self.texts[&uri].clone());
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
        for offset in [offset.min(text.len()), random.boundary(&text)] {
            let offset = (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            let position = position(&text, offset);
            let methods =
                ["hover", "completion", "definition", "references", "prepareRename", "rename"];
            for method in methods {
                let params =
                    json!({ "textDocument": document, "position": position, "newName": "renamed" });
                let result = self.request(&format!("textDocument/{method}"), params)?;
                self.check_ranges(&result, &uri).map_err(|it| format!("{method}: {it}"))?;
            }
        }
        let diagnostics = self.diagnostics.get(&uri).cloned().unwrap_or(json!([]));
        let params = json!({ "textDocument": document, "context": { "diagnostics": diagnostics } });
        for method in ["codeAction", "documentSymbol", "formatting"] {
            let result = self.request(&format!("textDocument/{method}"), params.clone())?;
            self.check_ranges(&result, &uri).map_err(|it| format!("{method}: {it}"))?;
            if let (true, Some(formatted)) = (method == "formatting", result[0]["newText"].as_str())
            {
                self.check_idempotence(&uri, formatted)?;
            }
        }
        Ok(())
    }

    /// Checks that formatting a formatted text changes nothing.
    fn check_idempotence(&mut self, uri: &str, formatted: &str) -> Result<(), String> {
        let document = json!({ "uri": uri });
        let changes = json!([{ "text": formatted }]);
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
        let original = self.texts.insert(uri.to_owned(), formatted.to_owned());
        let response = self.request("textDocument/formatting", json!({ "textDocument": document }));
        original.into_iter().for_each(|original| {
            self.texts.insert(uri.to_owned(), original);
        });
        match response? {
            Value::Array(list) if list.is_empty() => Ok(()),
            other => Err(format!("formatting the formatted text changes it: {other}")),
        }
    }
}

/// Converts a byte offset to a position of the protocol: a line, and a character in UTF-16 units.
fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line_prefix = before.rsplit('\n').next().unwrap_or_default();
    json!({ "line": before.matches('\n').count(), "character": line_prefix.encode_utf16().count() })
}

/// Returns the line and UTF-16 unit of a position. Fails if the text has no such position.
fn line_and_unit(text: &str, position: &Value) -> Result<(usize, usize), String> {
    let field = |name: &str| position[name].as_u64().map(|it| it as usize);
    let (line, unit) =
        field("line").zip(field("character")).ok_or("a position has no line or character")?;
    let length = text.split('\n').nth(line).map(|it| it.encode_utf16().count());
    match length {
        Some(length) if unit <= length => Ok((line, unit)),
        _ => Err(format!("the position {position} is not in the text")),
    }
}

/// Edits each table `edits` times, and sends all requests after each edit. Returns the number of edits, or the first
/// failure with its seed and file.
fn test_edits(connection: Connection, seed: u64, edits: u64) -> Result<u64, String> {
    let mut editor =
        Editor { connection, texts: BTreeMap::new(), diagnostics: BTreeMap::new(), request_id: 0 };
    editor.request("initialize", json!({ "capabilities": {} }))?;
    editor.notify("initialized", json!({}));
    let entries = std::fs::read_dir(tables_folder()).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "states" || it == "modes"));
    files.sort();
    let mut edit_count = 0;
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        let uri = uri(file);
        let document = json!({ "uri": uri, "languageId": "tabulex", "version": 1, "text": text });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        for edit in 0..edits {
            let mut random = Random((seed + edit).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
            let mut changed = text.clone();
            let mut edit_offset = 0;
            for _ in 0..=random.below(3) {
                edit_offset = random.edit(&mut changed);
            }
            editor.texts.insert(uri.clone(), changed);
            let result = editor.query(file, &mut random, edit_offset);
            result.map_err(|it| format!("TABULEX_SEED={} {name}: {it}", seed + edit))?;
            edit_count += 1;
        }
        editor.texts.remove(&uri);
        editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    editor.request("shutdown", Value::Null)?;
    editor.notify("exit", Value::Null);
    Ok(edit_count)
}

#[test]
fn answers_requests_after_random_edits() {
    let seed = std::env::var("TABULEX_SEED").ok().and_then(|it| it.parse().ok());
    let edits = if std::env::var_os("TABULEX_FULL").is_some() { FULL_EDITS } else { EDITS };
    let (editor_side, server_side) = Connection::memory();
    let editor = std::thread::spawn(move || test_edits(editor_side, seed.unwrap_or(1), edits));
    let home = Home::new("cargo xtask", Tables::Folder(tables_folder()));
    // A panic of the server is caught, so that the failure in the editor's thread, which has the seed, is shown first.
    let serve = AssertUnwindSafe(|| tabulex_workshop::server::serve(&home, &server_side));
    let server_result = catch_unwind(serve);
    drop(server_side);
    let edit_count = editor.join().expect("the editor's thread does not panic");
    let edit_count = edit_count.unwrap_or_else(|failure| panic!("{failure}"));
    server_result.expect("the server does not panic").expect("the server ends without an error");
    assert!(
        edit_count >= 7 * edits,
        "only {edit_count} edits were made, expected at least {}",
        7 * edits
    );
}
