//! Colours of text on a terminal; JSON and markup are not coloured.

use crate::stream::OutputEncoding;
use std::io::{self, IsTerminal};

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Colours {
    are_on: bool,
    is_terminal: bool,
}

/// The kind of a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinePart {
    /// A range, a line or a column.
    Place,
    /// A tag or an element.
    Tag,
    Attribute,
    Text,
    /// A comment, a DOCTYPE or a processing instruction.
    Other,
    Error,
}

impl Colours {
    /// Decides by the value of `--color`; for `auto`, whether standard output is a terminal that has colours and
    /// `NO_COLOR` is not set.
    pub(crate) fn when(when: &str) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let is_wanted = || {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
            is_terminal && !refused && !is_dumb
        };
        Self { are_on: when == "always" || when != "never" && is_wanted(), is_terminal }
    }

    pub(crate) fn are_on(self) -> bool {
        self.are_on
    }

    /// Returns the encoding for text of a page on standard output.
    pub(crate) fn text(self) -> OutputEncoding {
        if self.is_terminal { OutputEncoding::Visible } else { OutputEncoding::Text }
    }

    /// Returns the escape sequence before a part.
    pub(crate) fn begin(self, part: LinePart) -> &'static str {
        match part {
            _ if !self.are_on => "",
            LinePart::Place => "\x1b[2m",
            LinePart::Tag => "\x1b[36m",
            LinePart::Attribute => "\x1b[33m",
            LinePart::Text => "\x1b[32m",
            LinePart::Other => "\x1b[35m",
            LinePart::Error => "\x1b[31m",
        }
    }

    /// Returns the escape sequence after a part.
    pub(crate) fn end(self) -> &'static str {
        if self.are_on { "\x1b[0m" } else { "" }
    }

    /// Colours the lines of a tree's dump by their first characters.
    pub(crate) fn dump(self, dump: &str) -> String {
        let mut coloured = String::with_capacity(dump.len() * 2);
        for line in dump.split_inclusive('\n') {
            let content = line.trim_end_matches('\n');
            let part = match content.trim_start_matches(['|', ' ']).as_bytes() {
                [b'<', b'!' | b'?', ..] => LinePart::Other,
                [b'<', ..] => LinePart::Tag,
                _ if content.ends_with("content") || content.contains("#shadow-root") => {
                    LinePart::Place
                }
                [b'"', ..] => LinePart::Text,
                _ if content.starts_with("| ") && content.contains("=\"") => LinePart::Attribute,
                _ => LinePart::Text,
            };
            coloured.extend([self.begin(part), content, self.end()]);
            coloured += &line[content.len()..];
        }
        coloured
    }
}
