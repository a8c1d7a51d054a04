//! Serves the files directly in the page's folder, and nothing else, on the loopback address.

use crate::{Failure, step};
use std::fs;
use std::path::Path;
use tiny_http::{Header, Response, Server};

/// Serves the files of a folder on the loopback address until interrupted.
pub(super) fn serve(folder: &Path, port: u16) -> Result<(), Failure> {
    let server = Server::http(("127.0.0.1", port))
        .map_err(|error| format!("cannot listen on port {port}: {error}"))?;
    step::say(&format!("serving http://127.0.0.1:{port}/ until Ctrl-C\n"));
    for request in server.incoming_requests() {
        let path = request.url().split(['?', '#']).next().unwrap_or_default();
        let name = path.trim_start_matches('/').to_owned();
        let name = if name.is_empty() { "index.html".to_owned() } else { name };
        // The page has no subfolders, and other paths could lead out of the folder.
        let is_file_name = !name.contains(['/', '\\']) && !name.starts_with('.');
        let file = folder.join(&name);
        let result = match is_file_name.then(|| fs::read(&file)) {
            Some(Ok(bytes)) => {
                let mime_type = content_type(&name);
                let header = Header::from_bytes("Content-Type", mime_type)
                    .map_err(|()| format!("`{mime_type}` is not a valid header value"))?;
                request.respond(Response::from_data(bytes).with_header(header))
            }
            _ => request.respond(Response::empty(404)),
        };
        // An error is ignored, because the browser may have closed the connection.
        drop(result);
    }
    Ok(())
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}
