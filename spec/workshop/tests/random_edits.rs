//! Tests the language server under random edits: text is inserted, deleted and swapped, even within words, and all
//! requests are sent after each edit. Each answer must arrive, be well-formed, and contain only ranges within its text;
//! a failure reports the seed.

mod numbers;

use lsp_server::{Connection, Message, Notification, Request};
use numbers::Numbers;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tabulex_workshop::home::{Home, Tables};

/// Number of edits of each file; `EDITS_OF_ALL` applies with `TABULEX_FULL`.
const EDITS: u64 = 1;
const EDITS_OF_ALL: u64 = 100;
/// Time limit for an answer, generous for loaded machines.
const PATIENCE: Duration = Duration::from_secs(120);
/// Text to insert: pieces of tables, and pieces that break them.
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

fn tables() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
    folder.canonicalize().expect("the tables")
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Random edits.
impl Numbers {
    /// A character boundary in the text.
    fn place(&mut self, text: &str) -> usize {
        let offset = self.below(text.len() + 1);
        (0..=offset).rev().find(|&offset| text.is_char_boundary(offset)).unwrap_or(0)
    }

    /// A short part of the text: some characters, a word, or a line.
    fn part(&mut self, text: &str) -> std::ops::Range<usize> {
        let start = self.place(text);
        let rest = &text[start..];
        let length = match self.below(3) {
            0 => rest.chars().take(1 + self.below(5)).map(char::len_utf8).sum(),
            1 => rest.find([' ', ';', '\n']).unwrap_or(rest.len()),
            _ => rest.find('\n').map_or(rest.len(), |it| it + 1),
        };
        start..start + length
    }

    /// Edits the text once. Returns the offset of the edit.
    fn edit(&mut self, text: &mut String) -> usize {
        let part = self.part(text);
        match self.below(4) {
            0 => text.insert_str(part.start, PIECES[self.below(PIECES.len())]),
            1 => text.replace_range(part.clone(), ""),
            2 => {
                let other = self.part(text);
                let copied = text[other].to_owned();
                text.replace_range(part.clone(), &copied);
            }
            // Removes the second half of a word, as while typing.
            _ => {
                let end = part.start + (part.end - part.start) / 2;
                let end = (end..=part.end).find(|&offset| text.is_char_boundary(offset));
                text.replace_range(end.unwrap_or(part.end)..part.end, "");
            }
        }
        part.start
    }
}

/// The editor's side of the connection.
struct Editor {
    connection: Connection,
    /// The open texts, by URI.
    texts: BTreeMap<String, String>,
    diagnostics: BTreeMap<String, Value>,
    request_id: i32,
}

impl Editor {
    fn tell(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(notification.into()).expect("the server listens");
    }

    /// The result in an answer, or its error.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.request_id += 1;
        let request = Request { id: self.request_id.into(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).map_err(|_| "the server is gone")?;
        loop {
            let message = self.connection.receiver.recv_timeout(PATIENCE);
            match message.map_err(|error| format!("{method}: no answer, {error}"))? {
                Message::Response(response) => {
                    let value =
                        serde_json::to_value(response).map_err(|error| error.to_string())?;
                    if value["id"] != json!(self.request_id) {
                        return Err(format!("{method}: an answer to another question, {value}"));
                    }
                    let result = value.get("result").or_else(|| value.get("error"));
                    return Ok(result.cloned().unwrap_or_default());
                }
                Message::Notification(Notification { params, .. }) => {
                    let uri = params["uri"].as_str().ok_or("diagnostics of no file")?.to_owned();
                    self.within(&params["diagnostics"], &uri)?;
                    self.diagnostics.insert(uri, params["diagnostics"].clone());
                }
                Message::Request(request) => return Err(format!("the server asks {request:?}")),
            }
        }
    }

    fn text(&self, uri: &str) -> Result<String, String> {
        let on_disk = || std::fs::read_to_string(uri.strip_prefix("file://")?).ok();
        let text = self.texts.get(uri).cloned().or_else(on_disk);
        text.ok_or_else(|| format!("an answer about {uri}, which is not a file"))
    }

    /// Checks the ranges in a value, which refer to `uri` unless the value names another file.
    fn within(&self, value: &Value, uri: &str) -> Result<(), String> {
        let uri = value["uri"].as_str().unwrap_or(uri);
        match value {
            Value::Array(list) => list.iter().try_for_each(|it| self.within(it, uri)),
            Value::Object(map) if map.contains_key("start") && map.contains_key("end") => {
                let text = self.text(uri)?;
                let places = [place(&text, &map["start"])?, place(&text, &map["end"])?];
                let is_forward = places[0] <= places[1];
                is_forward.then_some(()).ok_or_else(|| format!("{value} ends before it begins"))
            }
            Value::Object(map) => {
                let of = |(key, it): (&String, &Value)| {
                    self.within(it, if key.starts_with("file://") { key } else { uri })
                };
                map.iter().try_for_each(of)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        }
    }

    /// Sends the text and all requests, at the edit and at another offset.
    fn query(&mut self, path: &Path, random: &mut Numbers, offset: usize) -> Result<(), String> {
        let uri = uri(path);
        let (document, text) = (json!({ "uri": uri }), self.texts[&uri].clone());
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
        for offset in [offset.min(text.len()), random.place(&text)] {
            let offset = (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            let position = position(&text, offset);
            let questions =
                ["hover", "completion", "definition", "references", "prepareRename", "rename"];
            for question in questions {
                let params =
                    json!({ "textDocument": document, "position": position, "newName": "renamed" });
                let answer = self.ask(&format!("textDocument/{question}"), params)?;
                self.within(&answer, &uri).map_err(|it| format!("{question}: {it}"))?;
            }
        }
        let known = self.diagnostics.get(&uri).cloned().unwrap_or(json!([]));
        let params = json!({ "textDocument": document, "context": { "diagnostics": known } });
        for question in ["codeAction", "documentSymbol", "formatting"] {
            let answer = self.ask(&format!("textDocument/{question}"), params.clone())?;
            self.within(&answer, &uri).map_err(|it| format!("{question}: {it}"))?;
            if let (true, Some(formatted)) =
                (question == "formatting", answer[0]["newText"].as_str())
            {
                self.format_table(&uri, formatted)?;
            }
        }
        Ok(())
    }

    /// Checks that formatting a formatted text changes nothing.
    fn format_table(&mut self, uri: &str, formatted: &str) -> Result<(), String> {
        let document = json!({ "uri": uri });
        let changes = json!([{ "text": formatted }]);
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
        let text = self.texts.insert(uri.to_owned(), formatted.to_owned());
        let again = self.ask("textDocument/formatting", json!({ "textDocument": document }));
        text.into_iter().for_each(|text| {
            self.texts.insert(uri.to_owned(), text);
        });
        match again? {
            Value::Array(list) if list.is_empty() => Ok(()),
            other => Err(format!("formatting: a second time it gives {other}")),
        }
    }
}

/// The position of a byte offset, in lines and UTF-16 units.
fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let last = before.rsplit('\n').next().unwrap_or_default();
    json!({ "line": before.matches('\n').count(), "character": last.encode_utf16().count() })
}

/// Line and UTF-16 unit of a position, which must exist in the text.
fn place(text: &str, place: &Value) -> Result<(usize, usize), String> {
    let number = |name: &str| place[name].as_u64().map(|it| it as usize);
    let (line, unit) = number("line").zip(number("character")).ok_or("a place without numbers")?;
    let length = text.split('\n').nth(line).map(|it| it.encode_utf16().count());
    match length {
        Some(length) if unit <= length => Ok((line, unit)),
        _ => Err(format!("{place} is not in the text")),
    }
}

/// Edits each table and sends requests. Returns the first failure, with its history.
fn edited(connection: Connection, seed: u64, edits: u64) -> Result<u64, String> {
    let mut editor =
        Editor { connection, texts: BTreeMap::new(), diagnostics: BTreeMap::new(), request_id: 0 };
    editor.ask("initialize", json!({ "capabilities": {} }))?;
    editor.tell("initialized", json!({}));
    let entries = std::fs::read_dir(tables()).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "states" || it == "modes"));
    files.sort();
    let mut done = 0;
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        let uri = uri(file);
        let document = json!({ "uri": uri, "languageId": "tabulex", "version": 1, "text": text });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
        for edit in 0..edits {
            let mut random = Numbers((seed + edit).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
            let mut changed = text.clone();
            let mut at = 0;
            for _ in 0..=random.below(3) {
                at = random.edit(&mut changed);
            }
            editor.texts.insert(uri.clone(), changed);
            let matched = editor.query(file, &mut random, at);
            matched.map_err(|it| format!("TABULEX_SEED={} {name}: {it}", seed + edit))?;
            done += 1;
        }
        editor.texts.remove(&uri);
        editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    editor.ask("shutdown", Value::Null)?;
    editor.tell("exit", Value::Null);
    Ok(done)
}

#[test]
fn answers_requests_after_random_edits() {
    let seed = std::env::var("TABULEX_SEED").ok().and_then(|it| it.parse().ok());
    let edits = if std::env::var_os("TABULEX_FULL").is_some() { EDITS_OF_ALL } else { EDITS };
    let (ours, theirs) = Connection::memory();
    let editor = std::thread::spawn(move || edited(ours, seed.unwrap_or(1), edits));
    let home = Home::new("cargo xtask", Tables::Folder(tables()));
    // A panic must not hide the seed, which only the editor's thread knows.
    let serving = AssertUnwindSafe(|| tabulex_workshop::server::serve(&home, &theirs));
    let served = catch_unwind(serving);
    drop(theirs);
    let done = editor.join().expect("the editor's thread does not panic");
    let done = done.unwrap_or_else(|failure| panic!("{failure}"));
    served.expect("no panic").expect("the conversation ends well");
    assert!(done >= 7 * edits, "{done} edits of all tables");
}
