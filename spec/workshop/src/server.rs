//! The language server, which answers requests from the texts open in the editor, even if unsaved. The diagnostics are
//! those of `check`. The server writes no files.

mod completion;
mod diagnostics;
mod hover;
mod names;
mod project;
mod quick_fixes;
mod text;

use crate::Failure;
use crate::home::Home;
use crate::layout::format_table;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use project::ServedFile;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

/// Serves one editor until it exits.
///
/// # Errors
///
/// Returns a message if the connection is lost, or the editor violates the protocol.
pub fn serve(home: &Home, connection: &Connection) -> Result<(), Failure> {
    let capabilities = json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 1, "save": true },
        "definitionProvider": true,
        "referencesProvider": true,
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": [" "] },
        "renameProvider": { "prepareProvider": true },
        "documentFormattingProvider": true,
        "documentSymbolProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
    });
    let (id, _) = connection.initialize_start().map_err(|error| error.to_string())?;
    let initialize_result =
        json!({ "capabilities": capabilities, "serverInfo": { "name": "tabulex" } });
    connection.initialize_finish(id, initialize_result).map_err(|error| error.to_string())?;
    let (open_texts, diagnosed_files, project_cache) = Default::default();
    let mut server = Server { home, connection, open_texts, diagnosed_files, project_cache };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                    return Ok(());
                }
                let response = server.answer(request);
                server.send(response.into())?;
            }
            Message::Notification(notification) => server.handle_notification(&notification)?,
            Message::Response(_) => {}
        }
    }
    Ok(())
}

/// State of a connection to an editor.
struct Server<'s> {
    home: &'s Home,
    connection: &'s Connection,
    /// Texts open in the editor, by path.
    open_texts: BTreeMap<PathBuf, String>,
    /// For each open file, the files for which checking it has yielded diagnostics.
    diagnosed_files: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// Cache of projects by file, cleared at each change of a text.
    project_cache: RefCell<BTreeMap<PathBuf, CachedProject>>,
}

/// A loaded project, with the modification times of its files.
struct CachedProject {
    project: Rc<ServedFile>,
    files: Vec<(PathBuf, Option<SystemTime>)>,
}

/// Returns the modification time of a file on disk, or `None` if it cannot be read.
fn modified_time(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

impl Server<'_> {
    fn send(&self, message: Message) -> Result<(), Failure> {
        self.connection.sender.send(message).map_err(|error| error.to_string())
    }

    /// Returns the text of a file from the editor, or else from disk; `None` if neither has it.
    fn text(&self, path: &Path) -> Option<String> {
        self.open_texts.get(path).cloned().or_else(|| std::fs::read_to_string(path).ok())
    }

    fn handle_notification(&mut self, notification: &Notification) -> Result<(), Failure> {
        self.project_cache.take();
        let params = &notification.params;
        let document = &params["textDocument"];
        let Some(path) = document["uri"].as_str().and_then(text::path) else { return Ok(()) };
        match &notification.method[..] {
            "textDocument/didOpen" => {
                let text = document["text"].as_str().unwrap_or_default();
                self.open_texts.insert(path, text.to_owned());
            }
            "textDocument/didChange" => {
                let changes = params["contentChanges"].as_array();
                let last_text = changes.and_then(|all| all.last()?["text"].as_str());
                self.open_texts.insert(path, last_text.unwrap_or_default().to_owned());
            }
            "textDocument/didClose" => {
                self.open_texts.remove(&path);
                for file in self.diagnosed_files.remove(&path).unwrap_or_default() {
                    self.publish(&file, Vec::new())?;
                }
            }
            "textDocument/didSave" => {}
            _ => return Ok(()),
        }
        self.check()
    }

    /// Sends the diagnostics of all open files, because a change of one may affect others that include or extend it.
    fn check(&mut self) -> Result<(), Failure> {
        let mut by_file: BTreeMap<PathBuf, Vec<Value>> = BTreeMap::new();
        for path in self.open_texts.keys().cloned().collect::<Vec<_>>() {
            let diagnostics = diagnostics::collect(&self.served_file(&path));
            let previous_files =
                self.diagnosed_files.insert(path.clone(), diagnostics.keys().cloned().collect());
            for cleared in previous_files.unwrap_or_default() {
                by_file.entry(cleared).or_default();
            }
            by_file.entry(path).or_default();
            for (file, list) in diagnostics {
                let listed = by_file.entry(file).or_default();
                listed.extend(
                    list.into_iter().filter(|one| !listed.contains(one)).collect::<Vec<_>>(),
                );
            }
        }
        by_file.into_iter().try_for_each(|(path, list)| self.publish(&path, list))
    }

    fn publish(&self, path: &Path, diagnostics: Vec<Value>) -> Result<(), Failure> {
        let params = json!({ "uri": text::uri(path), "diagnostics": diagnostics });
        let method = "textDocument/publishDiagnostics".to_owned();
        self.send(Notification { method, params }.into())
    }

    fn served_file(&self, path: &Path) -> Rc<ServedFile> {
        let is_current = |cached: &CachedProject| {
            cached.files.iter().all(|(file, before)| modified_time(file) == *before)
        };
        if let Some(cached) =
            self.project_cache.borrow().get(path).filter(|cached| is_current(cached))
        {
            return cached.project.clone();
        }
        let project = Rc::new(ServedFile::load(self.home, path, &|path| self.text(path)));
        let files: BTreeSet<&PathBuf> = project.tables.iter().flat_map(|it| &it.read).collect();
        let files = files.into_iter().map(|file| (file.clone(), modified_time(file))).collect();
        let cached = CachedProject { project: project.clone(), files };
        self.project_cache.borrow_mut().insert(path.to_owned(), cached);
        project
    }

    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params, .. } = request;
        let Some(path) = params["textDocument"]["uri"].as_str().and_then(text::path) else {
            let message = format!(
                "`{method}` is unknown, or its parameters lack a document with a `file:` URI"
            );
            return Response::new_err(id, ErrorCode::MethodNotFound as i32, message);
        };
        let source = self.text(&path).unwrap_or_default();
        let cursor = text::offset(&source, &params["position"]);
        let result = match &method[..] {
            "textDocument/formatting" => Ok(format_edit(&source)),
            "textDocument/completion" => {
                Ok(completion::complete(&self.served_file(&path), &source, cursor))
            }
            "textDocument/hover" => Ok(hover::hover(&self.served_file(&path), &path, cursor)),
            "textDocument/codeAction" => Ok(quick_fixes::find(&path, &source, &params)),
            "textDocument/documentSymbol" => Ok(self.served_file(&path).symbols(&path)),
            "textDocument/definition" => Ok(self.served_file(&path).definitions(&path, cursor)),
            "textDocument/references" => Ok(self.served_file(&path).references(&path, cursor)),
            "textDocument/prepareRename" => Ok(self.served_file(&path).rename_range(&path, cursor)),
            "textDocument/rename" => self.served_file(&path).rename(
                &path,
                cursor,
                params["newName"].as_str().unwrap_or_default(),
            ),
            _ => {
                let message = format!("unknown method `{method}`");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, message);
            }
        };
        match result {
            Ok(value) => Response::new_ok(id, value),
            Err(message) => Response::new_err(id, ErrorCode::InvalidParams as i32, message),
        }
    }
}

/// Returns the edits that format a text: one that replaces all of it, or none if nothing changes or the text cannot be
/// formatted.
fn format_edit(source: &str) -> Value {
    match format_table(source) {
        Some(formatted) if formatted != source => {
            let range = json!({ "start": text::position(source, 0), "end": text::position(source, source.len()) });
            json!([{ "range": range, "newText": formatted }])
        }
        _ => json!([]),
    }
}
