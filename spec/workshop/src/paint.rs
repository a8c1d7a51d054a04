//! Colors diagnostics for a terminal.

use std::io::IsTerminal;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const BLUE: &str = "\x1b[1;34m";
const CYAN: &str = "\x1b[1;36m";
const PLAIN: &str = "\x1b[0m";

/// Whether standard output is a terminal, and `NO_COLOR` is not set.
pub(crate) fn is_enabled() -> bool {
    let is_forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !is_forbidden && std::io::stdout().is_terminal()
}

/// Emphasizes a word, if the output is in color.
#[cfg(feature = "documents")]
pub(crate) fn strong(word: &str) -> String {
    if is_enabled() { format!("{RED}{word}{PLAIN}") } else { word.to_owned() }
}

/// Adds colors to the output of `Diagnostic::render`.
pub(crate) fn diagnostic(text: &str) -> String {
    let color = if text.starts_with("warning") { YELLOW } else { RED };
    text.lines().enumerate().map(|(index, line)| self::line(line, index == 0, color)).collect()
}

/// Adds colors to a line of a diagnostic; the first line contains the severity.
fn line(line: &str, is_first: bool, color: &str) -> String {
    let trimmed = line.trim_start();
    let is_advice = trimmed.starts_with("help: ") || trimmed.starts_with("note: ");
    let (head, tail, head_color, tail_color) = match (line.find(": "), line.find(" | ")) {
        (Some(end), _) if is_first => (&line[..end], &line[end..], color, ""),
        (Some(end), _) if is_advice => (&line[..end], &line[end..], CYAN, ""),
        (_, Some(bar)) => {
            // The line with the caret has no line number before the bar.
            let is_caret = line[..bar].trim().is_empty();
            (&line[..bar + 2], &line[bar + 2..], BLUE, if is_caret { color } else { "" })
        }
        _ => (line, "", BLUE, ""),
    };
    format!("{head_color}{head}{PLAIN}{tail_color}{tail}{PLAIN}\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn colors_keep_the_text() {
        let text = "warning[x]: a: b\n  --> t:1:2\n12 | a | b\n   |  ^^\n  note: why\n  help: c\n";
        let painted = super::diagnostic(text);
        assert_ne!(painted, text);
        let plain: String = painted
            .split('\x1b')
            .map(|part| {
                part.split_once('m')
                    .filter(|_| part.starts_with('['))
                    .map_or(part, |(_, rest)| rest)
            })
            .collect();
        assert_eq!(plain, text);
    }
}
