//! The head of an HTTP message in a record.

/// An HTTP message: the fields of its head, and the offset of its body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Message {
    /// The status code; `None` if the first line has none.
    pub(crate) status: Option<u16>,
    /// Field names in lower case, with their values.
    fields: Vec<(String, String)>,
    /// The offset of the body, or `None` if no empty line ends the head.
    pub(crate) body_start: Option<usize>,
}

impl Message {
    /// Parses a message whose lines end in LF, with or without CR (RFC 9112, section 2.2). A line that begins with
    /// white space continues the one before.
    pub(crate) fn parse(message: &[u8]) -> Self {
        let line_ends = || {
            message.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(index, _)| index)
        };
        let body_start_after = |end: usize| {
            let next_line = &message[end + 1..];
            next_line
                .strip_prefix(b"\r")
                .unwrap_or(next_line)
                .strip_prefix(b"\n")
                .map(|body| message.len() - body.len())
        };
        let head_end = line_ends().find(|end| body_start_after(*end).is_some());
        let head = String::from_utf8_lossy(&message[..head_end.unwrap_or(message.len())]);
        let mut lines: Vec<String> = Vec::new();
        for line in head.split('\n') {
            match lines.last_mut() {
                Some(last) if line.starts_with([' ', '\t']) => last.push_str(line),
                _ => lines.push(line.to_owned()),
            }
        }
        let parse_field = |line: &String| {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            (name.trim().to_ascii_lowercase(), value.trim().to_owned())
        };
        Self {
            status: lines.first().and_then(|line| status(line)),
            fields: lines.iter().skip(1).map(parse_field).collect(),
            body_start: head_end.and_then(body_start_after),
        }
    }

    /// Returns the values of all fields with this name, which must be in lower case.
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |field| field.0 == name).map(|field| &*field.1)
    }
}

/// Returns the status code of a status line: the three digits after the version; `None` if there are no such digits.
fn status(line: &str) -> Option<u16> {
    let (_, after_version) = line.strip_prefix("HTTP/")?.split_once([' ', '\t'])?;
    let after_version = after_version.trim_start_matches([' ', '\t']);
    let digits = after_version.bytes().take_while(u8::is_ascii_digit).count();
    after_version[..digits].parse().ok().filter(|_| digits == 3)
}
