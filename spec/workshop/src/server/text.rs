//! Converts between byte offsets and the protocol's positions, which count lines and UTF-16 units from 0, and between
//! paths and URIs.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tabulex_language::syntax::Span;

/// Converts a byte offset to a position of the protocol.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count();
    let last_line = before.rsplit('\n').next().unwrap_or_default();
    json!({ "line": line, "character": last_line.encode_utf16().count() })
}

/// Converts a position of the protocol to a byte offset, clamped to the end of the line and of the text.
pub(crate) fn offset(text: &str, position: &Value) -> usize {
    let member = |name: &str| position[name].as_u64().unwrap_or_default() as usize;
    let (line, units) = (member("line"), member("character"));
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut remaining = units;
    let mut at = start;
    for character in text[start..].chars() {
        if remaining == 0 || character == '\n' {
            break;
        }
        remaining = remaining.saturating_sub(character.len_utf16());
        at += character.len_utf8();
    }
    at
}

/// Converts a span to a range of the protocol.
pub(crate) fn range(text: &str, span: Span) -> Value {
    json!({ "start": position(text, span.start as usize), "end": position(text, span.end as usize) })
}

/// Returns the path of a `file:` URI; `None` for another URI or an invalid escape.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let escaped = uri.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = escaped.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    // On Windows, the path `C:/…` has the URI `file:///C:/…`, so the slash before the drive is dropped.
    let is_drive = path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { &path[1..] } else { &path }))
}

/// Returns the `file:` URI of a path.
pub(crate) fn uri(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{offset, path, position, uri};

    #[test]
    fn positions_and_uris_round_trip() {
        let text = "aé\n𝄞b\n";
        for (at, _) in text.char_indices() {
            assert_eq!(offset(text, &position(text, at)), at);
        }
        assert_eq!(position(text, 8)["character"], 2);
        let file = std::path::Path::new("/a b/ü#.states");
        assert_eq!(uri(file), "file:///a%20b/%C3%BC%23.states");
        assert_eq!(path(&uri(file)).as_deref(), Some(file));
    }
}
