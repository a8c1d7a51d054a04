//! Tests of the language server: a recorded conversation through the protocol, and a session with Neovim.
//! `UPDATE_EXPECT=1` updates the record.

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tabulex_workshop::home::{Home, Tables};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/server")
}

fn home() -> Home {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
    Home::new("cargo xtask", Tables::Folder(tables))
}

fn uri(file: &str) -> String {
    format!("file://{}/{file}", folder().display())
}

/// A simulated editor, with its open texts and the diagnostics received for each.
struct Editor {
    connection: Connection,
    texts: BTreeMap<String, String>,
    diagnostics: BTreeMap<String, Value>,
    request_id: i32,
}

impl Editor {
    fn notify(&self, method: &str, params: Value) {
        let method = method.to_owned();
        let message = Notification { method, params };
        self.connection.sender.send(message.into()).expect("the server is connected");
    }

    /// Sends a request. Returns the result or error in the response, and lines for the diagnostics that changed before
    /// the response.
    fn request(&mut self, method: &str, params: Value) -> (Value, Vec<String>) {
        self.request_id += 1;
        let request = Request { id: self.request_id.into(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).expect("the server is connected");
        let mut diagnostic_lines = Vec::new();
        loop {
            match self.connection.receiver.recv().expect("the server answers") {
                Message::Response(response) => {
                    let value =
                        serde_json::to_value(response).expect("a response can be serialized");
                    let field = |name: &str| value.get(name).cloned();
                    return (
                        field("result").or_else(|| field("error")).unwrap_or_default(),
                        diagnostic_lines,
                    );
                }
                Message::Notification(Notification { params, .. }) => {
                    let file = params["uri"].as_str().and_then(|it| it.rsplit('/').next());
                    let file = file.expect("the diagnostics have a URI").to_owned();
                    let diagnostics = params["diagnostics"].clone();
                    if self.diagnostics.get(&file) != Some(&diagnostics) {
                        diagnostic_lines.extend(lines(&format!("{file}: "), &diagnostics));
                        self.diagnostics.insert(file, diagnostics);
                    }
                }
                Message::Request(request) => {
                    panic!("unexpected request from the server: {request:?}")
                }
            }
        }
    }

    fn position(&self, file: &str, needle: &str) -> Value {
        let text = &self.texts[file];
        let (before, after) = needle.split_once('‸').expect("the text marks the cursor with `‸`");
        let start = text.find(&format!("{before}{after}"));
        let offset =
            start.unwrap_or_else(|| panic!("`{file}` does not contain {needle:?}")) + before.len();
        let line = text[..offset].matches('\n').count();
        let line_prefix = text[..offset].rsplit('\n').next().expect("`rsplit` yields an item");
        json!({ "line": line, "character": line_prefix.encode_utf16().count() })
    }

    /// Applies a workspace edit to the open texts, and reports each changed text to the server.
    fn apply(&mut self, edit: &Value) {
        for (uri, edits) in edit["changes"].as_object().unwrap() {
            let file = uri.rsplit('/').next().expect("`rsplit` yields an item").to_owned();
            let text = self.texts.get_mut(&file).unwrap();
            let byte_offset = |text: &str, position: &Value| {
                let field = |name: &str| {
                    position[name].as_u64().expect("a position has a line and a character") as usize
                };
                let line_start: usize =
                    text.split_inclusive('\n').take(field("line")).map(str::len).sum();
                // Characters are counted instead of UTF-16 units, because in these tests no character before an edit
                // takes two units.
                let characters_before = text[line_start..].chars().take(field("character"));
                line_start + characters_before.map(char::len_utf8).sum::<usize>()
            };
            let mut edits = edits.as_array().expect("the edits are a list").clone();
            edits.sort_by_key(|it| std::cmp::Reverse(byte_offset(text, &it["range"]["start"])));
            for edit in edits {
                let range = byte_offset(text, &edit["range"]["start"])
                    ..byte_offset(text, &edit["range"]["end"]);
                text.replace_range(range, edit["newText"].as_str().expect("an edit has a text"));
            }
            self.notify_change(&file);
        }
    }

    fn notify_change(&self, file: &str) {
        let changes = json!([{ "text": self.texts[file] }]);
        let document = json!({ "uri": uri(file) });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    /// Runs a command of the conversation. Returns the lines of the server's answer.
    fn run_command(&mut self, words: &[String]) -> Vec<String> {
        let words: Vec<&str> = words.iter().map(|word| &word[..]).collect();
        let document = json!({ "uri": uri(words[if words[0] == "ask" { 2 } else { 1 }]) });
        match words[..] {
            ["open", file] => {
                let text = std::fs::read_to_string(folder().join(file)).unwrap();
                self.texts.insert(file.to_owned(), text.clone());
                self.notify(
                    "textDocument/didOpen",
                    json!({ "textDocument": { "uri": uri(file), "text": text } }),
                );
            }
            ["close", _] => {
                self.notify("textDocument/didClose", json!({ "textDocument": document }))
            }
            ["change", file, old, new] => {
                let text = self.texts.get_mut(file).unwrap();
                assert!(text.contains(old), "`{file}` does not contain {old:?}");
                *text = text.replacen(old, new, 1);
                self.notify_change(file);
            }
            ["take", file] => {
                let context = json!({ "diagnostics": self.diagnostics[file] });
                let params = json!({ "textDocument": document, "context": context });
                let (answer, _) = self.request("textDocument/codeAction", params);
                self.apply(&answer[0]["edit"]);
            }
            ["rename", file, needle, new] => {
                let position = self.position(file, needle);
                let params =
                    json!({ "textDocument": document, "position": position, "newName": new });
                let (answer, _) = self.request("textDocument/rename", params);
                self.apply(&answer);
            }
            ["mend", file] => {
                let context = json!({ "diagnostics": self.diagnostics[file] });
                let params = json!({ "textDocument": document, "context": context });
                let (answer, _) = self.request("textDocument/codeAction", params);
                return answer
                    .as_array()
                    .expect("the response is a list")
                    .iter()
                    .map(|it| format!("{} {}", it["title"], it["edit"]["changes"][uri(file)]))
                    .collect();
            }
            ["ask", method, file, ref rest @ ..] => {
                let mut params = json!({ "textDocument": document });
                if let [needle, ref new @ ..] = *rest {
                    params["position"] = self.position(file, needle);
                    params["newName"] = json!(new.first());
                }
                let (answer, mut output) = self.request(&format!("textDocument/{method}"), params);
                output.extend(lines("", &answer));
                return output;
            }
            _ => panic!("unknown command in the conversation: {words:?}"),
        }
        // The response to this unknown request comes after all notifications that the command has caused, so waiting
        // for it collects them.
        self.request("textDocument/none", json!({ "textDocument": document })).1
    }
}

/// Formats a value as lines that begin with `head`, one per element of a list, without absolute paths.
fn lines(head: &str, value: &Value) -> Vec<String> {
    let folder_uri = format!("file://{}/", folder().display());
    let line = |value: &Value| format!("{head}{}", value.to_string().replace(&folder_uri, ""));
    match value {
        Value::Array(list) if !list.is_empty() => list.iter().map(line).collect(),
        other => vec![line(other)],
    }
}

/// Splits a command into words. A word in apostrophes may contain spaces. Returns `None` if an apostrophe is not
/// closed.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut remaining = text;
    while !remaining.is_empty() {
        let (word, after) = match remaining.strip_prefix('\'') {
            Some(quoted) => {
                let is_end = |offset: &usize| {
                    let after = &quoted[offset + 1..];
                    after.is_empty() || after.starts_with(" '")
                };
                let end = quoted.match_indices('\'').map(|(offset, _)| offset).find(is_end)?;
                (&quoted[..end], &quoted[end + 1..])
            }
            None => remaining.split_at(remaining.find(' ').unwrap_or(remaining.len())),
        };
        words.push(word.to_owned());
        remaining = after.trim_start_matches(' ');
    }
    Some(words)
}

/// Returns the commands of the conversation: lines after `> `, continued until all apostrophes are closed.
fn commands(text: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        if let (true, Some(last)) = (is_open, commands.last_mut()) {
            *last += &format!("\n{line}");
        } else if let Some(command) = line.strip_prefix("> ") {
            commands.push(command.to_owned());
        } else {
            continue;
        }
        let last_command = commands.last().unwrap();
        is_open = words(last_command).is_none();
    }
    commands
}

#[test]
fn server_answers_match_record() {
    let path = folder().join("conversation.expect");
    let text = std::fs::read_to_string(&path).unwrap();
    let (editor_side, server_side) = Connection::memory();
    let editor = std::thread::spawn(move || {
        let mut editor = Editor {
            connection: editor_side,
            texts: BTreeMap::new(),
            diagnostics: BTreeMap::new(),
            request_id: 0,
        };
        editor.request("initialize", json!({ "capabilities": {} }));
        editor.notify("initialized", json!({}));
        let mut actual = String::new();
        for command in commands(&text) {
            let answer = editor.run_command(&words(&command).unwrap());
            actual += &format!("> {command}\n");
            answer.iter().for_each(|line| actual += &format!("{line}\n"));
            actual.push('\n');
        }
        editor.request("shutdown", Value::Null);
        editor.notify("exit", Value::Null);
        (text, actual)
    });
    tabulex_workshop::server::serve(&home(), &server_side)
        .expect("the server ends without an error");
    let (text, actual) = editor.join().expect("the editor's thread does not panic");
    assert!(
        actual.matches("\n> ").count() > 30,
        "the conversation has too few commands, expected more than 30"
    );
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, actual).unwrap();
    } else {
        assert_eq!(
            text, actual,
            "the conversation is out of date; set `UPDATE_EXPECT=1` to update it"
        );
    }
}

#[test]
fn hover_follows_edits() {
    let (editor_side, server_side) = Connection::memory();
    let editor = std::thread::spawn(move || {
        let (texts, diagnostics) = Default::default();
        let mut editor = Editor { connection: editor_side, texts, diagnostics, request_id: 0 };
        editor.request("initialize", json!({ "capabilities": {} }));
        editor.notify("initialized", json!({}));
        editor.run_command(&["open", "small.states"].map(str::to_owned));
        let hover = |editor: &mut Editor| {
            let document = json!({ "uri": uri("small.states") });
            let position = editor.position("small.states", "switch t‸ag");
            let params = json!({ "textDocument": document, "position": position });
            editor.request("textDocument/hover", params).0["contents"]["value"].to_string()
        };
        let hover_before = hover(&mut editor);
        assert_eq!(hover(&mut editor), hover_before);
        // The server must not keep answering from the text before the change.
        let text = editor.texts["small.states"].replacen("@ \"1.2\"", "@ \"9.9\"", 1);
        editor.texts.insert("small.states".to_owned(), text);
        editor.notify_change("small.states");
        let hover_after = hover(&mut editor);
        editor.request("shutdown", Value::Null);
        editor.notify("exit", Value::Null);
        (hover_before, hover_after)
    });
    tabulex_workshop::server::serve(&home(), &server_side)
        .expect("the server ends without an error");
    let (hover_before, hover_after) = editor.join().expect("the editor's thread does not panic");
    assert!(!hover_before.contains("9.9") && hover_after.contains("9.9"), "{hover_after}");
}

#[test]
fn serves_neovim() {
    if Command::new("nvim").arg("--version").output().is_err() {
        eprintln!("skipped: `nvim` was not found; install the package `neovim`");
        return;
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().unwrap();
    drop(listener);
    let folder = folder();
    let editor = std::thread::spawn(move || {
        Command::new("nvim")
            .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-S"])
            .arg(folder.join("neovim.lua"))
            .env("SERVER_PORT", address.port().to_string())
            .env("SERVER_TABLE", folder.join("small.states"))
            .output()
            .unwrap()
    });
    let (connection, threads) = Connection::listen(address).expect("the editor connects");
    let server_result = tabulex_workshop::server::serve(&home(), &connection);
    drop(connection);
    let output = editor.join().expect("the editor's thread does not panic");
    let output_text =
        String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && output_text.contains("all is well"),
        "{output_text}\n{server_result:?}"
    );
    server_result.expect("the server ends without an error");
    let _ = threads.join();
}
