//! The language server's answers: a recorded conversation through the protocol, and a session with a real editor.
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

/// The editor's side of a conversation.
struct Editor {
    connection: Connection,
    texts: BTreeMap<String, String>,
    diagnostics: BTreeMap<String, Value>,
    request_id: i32,
}

impl Editor {
    fn tell(&self, method: &str, params: Value) {
        let method = method.to_owned();
        let message = Notification { method, params };
        self.connection.sender.send(message.into()).expect("the server listens");
    }

    /// Sends a request. Returns the answer and the notices before it.
    fn ask(&mut self, method: &str, params: Value) -> (Value, Vec<String>) {
        self.request_id += 1;
        let request = Request { id: self.request_id.into(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).expect("the server listens");
        let mut notices = Vec::new();
        loop {
            match self.connection.receiver.recv().expect("the server answers") {
                Message::Response(response) => {
                    let value = serde_json::to_value(response).expect("an answer");
                    let of = |name: &str| value.get(name).cloned();
                    return (of("result").or_else(|| of("error")).unwrap_or_default(), notices);
                }
                Message::Notification(Notification { params, .. }) => {
                    let file = params["uri"].as_str().and_then(|it| it.rsplit('/').next());
                    let file = file.expect("an address").to_owned();
                    let list = params["diagnostics"].clone();
                    if self.diagnostics.get(&file) != Some(&list) {
                        notices.extend(lines(&format!("{file}: "), &list));
                        self.diagnostics.insert(file, list);
                    }
                }
                Message::Request(request) => panic!("the server asks: {request:?}"),
            }
        }
    }

    fn position(&self, file: &str, needle: &str) -> Value {
        let text = &self.texts[file];
        let (before, after) = needle.split_once('‸').expect("a cursor");
        let found = text.find(&format!("{before}{after}"));
        let offset = found.unwrap_or_else(|| panic!("{needle:?} is not in {file}")) + before.len();
        let line = text[..offset].matches('\n').count();
        let last = text[..offset].rsplit('\n').next().expect("a line");
        json!({ "line": line, "character": last.encode_utf16().count() })
    }

    /// Applies the edits to all texts, and reports them to the server.
    fn apply(&mut self, edit: &Value) {
        for (uri, edits) in edit["changes"].as_object().expect("edits") {
            let file = uri.rsplit('/').next().expect("an address").to_owned();
            let text = self.texts.get_mut(&file).expect("an open file");
            let place = |text: &str, offset: &Value| {
                let number = |name: &str| offset[name].as_u64().expect("a number") as usize;
                let lines: usize =
                    text.split_inclusive('\n').take(number("line")).map(str::len).sum();
                // Before each edit, the texts of the conversation have one UTF-16 unit per character.
                let columns = text[lines..].chars().take(number("character"));
                lines + columns.map(char::len_utf8).sum::<usize>()
            };
            let mut edits = edits.as_array().expect("a list").clone();
            edits.sort_by_key(|it| std::cmp::Reverse(place(text, &it["range"]["start"])));
            for edit in edits {
                let range =
                    place(text, &edit["range"]["start"])..place(text, &edit["range"]["end"]);
                text.replace_range(range, edit["newText"].as_str().expect("a text"));
            }
            self.changed(&file);
        }
    }

    fn changed(&self, file: &str) {
        let changes = json!([{ "text": self.texts[file] }]);
        let document = json!({ "uri": uri(file) });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    /// Executes a line of the conversation. Returns the results.
    fn act(&mut self, words: &[String]) -> Vec<String> {
        let words: Vec<&str> = words.iter().map(|word| &word[..]).collect();
        let document = json!({ "uri": uri(words[if words[0] == "ask" { 2 } else { 1 }]) });
        match words[..] {
            ["open", file] => {
                let text = std::fs::read_to_string(folder().join(file)).expect("a table");
                self.texts.insert(file.to_owned(), text.clone());
                self.tell(
                    "textDocument/didOpen",
                    json!({ "textDocument": { "uri": uri(file), "text": text } }),
                );
            }
            ["close", _] => self.tell("textDocument/didClose", json!({ "textDocument": document })),
            ["change", file, old, new] => {
                let text = self.texts.get_mut(file).expect("an open file");
                assert!(text.contains(old), "{old:?} is not in {file}");
                *text = text.replacen(old, new, 1);
                self.changed(file);
            }
            ["take", file] => {
                let context = json!({ "diagnostics": self.diagnostics[file] });
                let params = json!({ "textDocument": document, "context": context });
                let (answer, _) = self.ask("textDocument/codeAction", params);
                self.apply(&answer[0]["edit"]);
            }
            ["rename", file, needle, new] => {
                let position = self.position(file, needle);
                let params =
                    json!({ "textDocument": document, "position": position, "newName": new });
                let (answer, _) = self.ask("textDocument/rename", params);
                self.apply(&answer);
            }
            ["mend", file] => {
                let context = json!({ "diagnostics": self.diagnostics[file] });
                let params = json!({ "textDocument": document, "context": context });
                let (answer, _) = self.ask("textDocument/codeAction", params);
                return answer
                    .as_array()
                    .expect("a list")
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
                let (answer, mut told) = self.ask(&format!("textDocument/{method}"), params);
                told.extend(lines("", &answer));
                return told;
            }
            _ => panic!("{words:?} means nothing"),
        }
        // Notifications arrive before the answer to a later request.
        self.ask("textDocument/none", json!({ "textDocument": document })).1
    }
}

/// A value in lines, without absolute paths; each line begins with `head`.
fn lines(head: &str, value: &Value) -> Vec<String> {
    let root = format!("file://{}/", folder().display());
    let line = |value: &Value| format!("{head}{}", value.to_string().replace(&root, ""));
    match value {
        Value::Array(list) if !list.is_empty() => list.iter().map(line).collect(),
        other => vec![line(other)],
    }
}

/// Splits at spaces, or at apostrophes next to spaces or the end; `None` if one is not closed.
fn words(text: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('\'') {
            Some(quoted) => {
                let is_end = |offset: &usize| {
                    let after = &quoted[offset + 1..];
                    after.is_empty() || after.starts_with(" '")
                };
                let end = quoted.match_indices('\'').map(|(offset, _)| offset).find(is_end)?;
                (&quoted[..end], &quoted[end + 1..])
            }
            None => rest.split_at(rest.find(' ').unwrap_or(rest.len())),
        };
        all.push(word.to_owned());
        rest = after.trim_start_matches(' ');
    }
    Some(all)
}

/// The editor's requests: lines after `> `, continued until all apostrophes are closed.
fn asked(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        if let (true, Some(last)) = (is_open, all.last_mut()) {
            *last += &format!("\n{line}");
        } else if let Some(said) = line.strip_prefix("> ") {
            all.push(said.to_owned());
        } else {
            continue;
        }
        let last_line = all.last().expect("a line");
        is_open = words(last_line).is_none();
    }
    all
}

#[test]
fn server_answers_match_record() {
    let path = folder().join("conversation.expect");
    let text = std::fs::read_to_string(&path).expect("the conversation");
    let (ours, theirs) = Connection::memory();
    let editor = std::thread::spawn(move || {
        let mut editor = Editor {
            connection: ours,
            texts: BTreeMap::new(),
            diagnostics: BTreeMap::new(),
            request_id: 0,
        };
        editor.ask("initialize", json!({ "capabilities": {} }));
        editor.tell("initialized", json!({}));
        let mut actual = String::new();
        for said in asked(&text) {
            let answer = editor.act(&words(&said).expect("closed apostrophes"));
            actual += &format!("> {said}\n");
            answer.iter().for_each(|line| actual += &format!("{line}\n"));
            actual.push('\n');
        }
        editor.ask("shutdown", Value::Null);
        editor.tell("exit", Value::Null);
        (text, actual)
    });
    tabulex_workshop::server::serve(&home(), &theirs).expect("the conversation ends well");
    let (text, found) = editor.join().expect("the editor's thread does not panic");
    assert!(found.matches("\n> ").count() > 30, "the conversation is short");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, found).expect("the file can be written");
    } else {
        assert_eq!(text, found, "UPDATE_EXPECT=1 writes it anew");
    }
}

/// A made-up sentence for each row.
fn sentences(path: &Path, text: &str, offset: usize) -> Vec<String> {
    assert!(path.ends_with("small.states") && text.is_char_boundary(offset));
    vec!["Switch to another state.".to_owned()]
}

#[test]
fn hover_shows_sentence_and_follows_edits() {
    let (ours, theirs) = Connection::memory();
    let editor = std::thread::spawn(move || {
        let (texts, diagnostics) = Default::default();
        let mut editor = Editor { connection: ours, texts, diagnostics, request_id: 0 };
        editor.ask("initialize", json!({ "capabilities": {} }));
        editor.tell("initialized", json!({}));
        editor.act(&["open", "small.states"].map(str::to_owned));
        let hover = |editor: &mut Editor| {
            let document = json!({ "uri": uri("small.states") });
            let position = editor.position("small.states", "switch t‸ag");
            let params = json!({ "textDocument": document, "position": position });
            editor.ask("textDocument/hover", params).0["contents"]["value"].to_string()
        };
        let first = hover(&mut editor);
        assert_eq!(hover(&mut editor), first);
        // A changed text is read again.
        let text = editor.texts["small.states"].replacen("@ \"1.2\"", "@ \"9.9\"", 1);
        editor.texts.insert("small.states".to_owned(), text);
        editor.changed("small.states");
        let second = hover(&mut editor);
        editor.ask("shutdown", Value::Null);
        editor.tell("exit", Value::Null);
        (first, second)
    });
    let mut home = home();
    home.sentences = Some(sentences);
    tabulex_workshop::server::serve(&home, &theirs).expect("the conversation ends well");
    let (first, second) = editor.join().expect("the editor's thread does not panic");
    assert!(first.contains("> “Switch to another state.”"), "{first}");
    assert!(!first.contains("9.9") && second.contains("9.9"), "{second}");
}

/// Tests the server with a real editor: Neovim's own client.
#[test]
fn serves_neovim() {
    if Command::new("nvim").arg("--version").output().is_err() {
        eprintln!(
            "nvim is not here, and the server was not tried with an editor: apt-get install neovim"
        );
        return;
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let folder = folder();
    let editor = std::thread::spawn(move || {
        Command::new("nvim")
            .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-S"])
            .arg(folder.join("neovim.lua"))
            .env("SERVER_PORT", address.port().to_string())
            .env("SERVER_TABLE", folder.join("small.states"))
            .output()
            .expect("nvim runs")
    });
    let (connection, threads) = Connection::listen(address).expect("the editor comes");
    let served = tabulex_workshop::server::serve(&home(), &connection);
    drop(connection);
    let output = editor.join().expect("the editor's thread does not panic");
    let output_text =
        String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && output_text.contains("all is well"),
        "{output_text}\n{served:?}"
    );
    served.expect("the conversation ends well");
    let _ = threads.join();
}
