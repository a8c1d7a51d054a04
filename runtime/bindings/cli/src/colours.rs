//! Colours of text on a terminal; JSON and markup are not coloured.

use std::io::{self, IsTerminal};

/// The colouring of standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Colours {
    is_enabled: bool,
    is_terminal: bool,
}

/// The kind of a part of a line, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinePart {
    /// A range, a line or a column.
    Position,
    /// A tag or an element.
    Tag,
    Attribute,
    Text,
    /// A comment, a DOCTYPE or a processing instruction.
    Other,
    Error,
}

impl Colours {
    /// Returns the colours for a value of `--color`; `auto` enables them if standard output is a terminal with colours
    /// and `NO_COLOR` is unset or empty.
    pub(crate) fn from_option(when: &str) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let supports_colours = || {
            let is_disabled = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
            is_terminal && !is_disabled && !is_dumb
        };
        Self { is_enabled: when == "always" || when != "never" && supports_colours(), is_terminal }
    }

    pub(crate) fn is_enabled(self) -> bool {
        self.is_enabled
    }

    /// Whether standard output is a terminal, on which control characters of a page are replaced.
    pub(crate) fn is_terminal(self) -> bool {
        self.is_terminal
    }

    /// Returns the escape sequence before a part; empty if colours are disabled.
    pub(crate) fn begin(self, part: LinePart) -> &'static str {
        match part {
            _ if !self.is_enabled => "",
            LinePart::Position => "\x1b[2m",
            LinePart::Tag => "\x1b[36m",
            LinePart::Attribute => "\x1b[33m",
            LinePart::Text => "\x1b[32m",
            LinePart::Other => "\x1b[35m",
            LinePart::Error => "\x1b[31m",
        }
    }

    /// Returns the escape sequence after a part; empty if colours are disabled.
    pub(crate) fn end(self) -> &'static str {
        if self.is_enabled { "\x1b[0m" } else { "" }
    }

    /// Colours each line of a tree's dump by what it shows, such as a tag, an attribute or a text.
    pub(crate) fn dump(self, dump: &str) -> String {
        let mut output = String::with_capacity(dump.len() * 2);
        for line in dump.split_inclusive('\n') {
            let content = line.trim_end_matches('\n');
            let part = match content.trim_start_matches(['|', ' ']).as_bytes() {
                [b'<', b'!' | b'?', ..] => LinePart::Other,
                [b'<', ..] => LinePart::Tag,
                _ if content.ends_with("content") || content.contains("#shadow-root") => {
                    LinePart::Position
                }
                [b'"', ..] => LinePart::Text,
                _ if content.starts_with("| ") && content.contains("=\"") => LinePart::Attribute,
                _ => LinePart::Text,
            };
            output.extend([self.begin(part), content, self.end()]);
            output += &line[content.len()..];
        }
        output
    }
}
